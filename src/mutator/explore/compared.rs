//! What the target compared parts of an input with, put in their place.
//!
//! Source: C. Aschermann, S. Schumilo, T. Blazytko, R. Gawlik, T. Holz, 'REDQUEEN', NDSS 2019, section IV-A: a value that is
//! compared is often a part of the input as it is.

/// Places of one text that are tried, because a text that is everywhere says little.
const MAX_PLACES: usize = 4;
/// Mutants of one input at most: as many as an input usually gets in its first rows. A guess, not measured.
const MAX_MUTANTS: usize = 48;

/// Mutants of an input, by the pairs of texts that were compared in a run of it.
///
/// Either text of a pair may be the part of the input. Each mutant differs in one place, and comes with what is there.
pub(super) fn replaced<'p>(text: &[u8], pairs: &'p [[Vec<u8>; 2]]) -> Vec<(Vec<u8>, &'p [u8])> {
    let mut mutants = Vec::new();
    for [first, second] in pairs {
        for (old, new) in [(first, second), (second, first)] {
            let places = text.windows(old.len()).enumerate().filter(|(_, part)| part == old);
            for (at, _) in places.take(MAX_PLACES) {
                mutants.push(([&text[..at], new, &text[at + old.len()..]].concat(), &new[..]));
            }
        }
        if mutants.len() >= MAX_MUTANTS {
            break;
        }
    }
    mutants.truncate(MAX_MUTANTS);
    mutants
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_compared_takes_the_place_of_what_is_in_the_input() {
        let pairs = [
            [b"ab".to_vec(), b"xy".to_vec()],
            [b"q1".to_vec(), b"cd".to_vec()],
            [b"no".to_vec(), b"ne".to_vec()],
        ];
        let mutants = replaced(b"ab ab cd", &pairs);
        let texts: Vec<&[u8]> = mutants.iter().map(|(text, _)| &text[..]).collect();
        let words: Vec<&[u8]> = mutants.iter().map(|(_, word)| *word).collect();
        assert_eq!(texts, [&b"xy ab cd"[..], b"ab xy cd", b"ab ab q1"]);
        assert_eq!(words, [b"xy", b"xy", b"q1"]);
        assert_eq!(replaced(&b"ab".repeat(50), &pairs).len(), MAX_PLACES);
    }
}
