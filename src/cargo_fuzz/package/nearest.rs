//! Which of some names was meant by one that is none of them.

/// A name that differs in more letters is not suggested: it has little in common with the given
/// name.
const MAX_DIFFERENT_LETTERS: usize = 3;

/// The same for a short name, of which at most half the letters may differ.
fn max_distance(name: &str) -> usize {
    MAX_DIFFERENT_LETTERS.min(name.chars().count() / 2)
}

/// The name that differs from `wrong` in the fewest letters (the first of several), if it is close.
pub(crate) fn nearest<'n>(wrong: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    names
        .map(|name| (distance(wrong, name), name))
        .filter(|(distance, _)| *distance <= max_distance(wrong))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// The Levenshtein distance: insertions, deletions and exchanges between two names.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, l) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, r) in right.iter().enumerate() {
            let exchanged = diagonal + usize::from(l != *r);
            diagonal = row[j + 1];
            row[j + 1] = exchanged.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_far_apart_as_the_letters_that_differ() {
        assert_eq!(distance("parse", "parse"), 0);
        assert_eq!(distance("prase", "parse"), 2);
        assert_eq!(distance("xml", "xml_comment"), 8);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn the_nearest_name_is_suggested_unless_it_is_far() {
        let names = ["decode", "parse", "phase"];
        assert_eq!(nearest("pase", names.into_iter()), Some("parse"));
        assert_eq!(nearest("something", names.into_iter()), None);
        assert_eq!(nearest("jsn", ["json", "xml"].into_iter()), Some("json"));
        assert_eq!(nearest("foo", ["bar", "xml"].into_iter()), None);
    }
}
