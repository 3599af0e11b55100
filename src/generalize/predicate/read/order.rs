//! Which texts are before which, and how many more there are of one than of another.
//!
//! Order is read for texts that names are made of. That a name with many texts is used before its definition is a
//! feature of two names (`two`).

use crate::generalize::predicate::name::Name;
use std::collections::BTreeSet;

use super::outline::{Named, Names, Outline, Part};
use super::wanted::Wanted;
use super::words::Words;
use super::{Feature, Features};
use crate::generalize::predicate::term::{
    BEGINS_WITH, CALL_OF, CHILD, IS_WORD, ITEMS_IN, ITEMS_IN_TEXT, OF_TEXT, OUTSIDE, THAT_BEGINS,
    VALUE_OF, WORD_IS, is_value,
};

/// Names of texts whose order is looked at, because pairs grow with the square: 132 features. Not
/// measured.
const MAX_ORDERED_NAMES: usize = 12;

/// Marks whose order is looked at: ten, because two of them and three of them have names of their own. Not measured.
const MAX_ORDERED_MARKS: usize = 10;

/// Words with marks before them whose order is looked at: six, because each word has three. Not measured.
const MAX_ORDERED_PHRASES: usize = 6;

/// Words whose order in threes is looked at, because threes grow with the cube: 80 features. Not measured.
const MAX_WORDS_IN_ORDER: usize = 5;

/// The same where as many are words that the failure needs, because three statements of SQL have seven.
const MAX_NEEDED_IN_ORDER: usize = 7;

/// Pairs of names that come right after each other, a bound on the number of features. Not measured.
const MAX_NEIGHBOURS: usize = 120;

/// What features are of. It decides what an absent one says: of an input that a text has no partner, of a rule nothing
/// (see `Absent`).
#[derive(Clone, Copy, Debug)]
pub(super) enum Of<'w, 'n> {
    /// The whole input, as far as the names are wanted.
    Input(&'w Wanted<'n>),
    /// One rule, as far as the names are wanted.
    Rule(&'w Wanted<'n>),
}

/// Features of two names that are texts of the input.
///
/// Of the first names in the input, at most `MAX_ORDERED_NAMES`: whether one is before the other,
/// how many more there are, and how far one is ahead at most, as brackets that are not closed are.
pub(super) fn of_order(
    named: &Names<'_, '_>,
    (words, of): (&Words, Of<'_, '_>),
    found: &mut Features,
) {
    let mut fixed: Vec<(&Name, &[&Part<'_>])> = named
        .iter()
        .filter(|(name, all)| all.is_fixed && !is_value(name))
        .map(|(name, Named { parts, .. })| (*name, &parts[..]))
        .collect();
    // Words that the failing input needs before others, these before marks and before words with marks.
    let is_no_word =
        |name: &str| !name.trim_matches('"').chars().all(|c| c.is_alphanumeric() || c == '_');
    fixed.sort_by_cached_key(|(name, parts)| {
        let rank = (!words.is_whole(name), !words.is_preferred(name), is_no_word(name));
        (rank, parts[0].start, *name)
    });
    // Marks are compared with each other, whatever words there are.
    let is_of_marks = |name: &str| {
        let text = name.trim_matches('"');
        name.starts_with('"') && text.bytes().all(|byte| byte.is_ascii_punctuation())
    };
    let marks: Vec<_> = fixed.iter().copied().filter(|(name, _)| is_of_marks(name)).collect();
    let marks = &marks[..marks.len().min(MAX_ORDERED_MARKS)];
    let phrases = fixed.iter().copied().filter(|(name, _)| words.is_related(name));
    let phrases: Vec<_> = phrases.take(MAX_ORDERED_PHRASES).collect();
    of_three(&fixed, words, found);
    of_elements(&fixed, of, found);
    fixed.truncate(MAX_ORDERED_NAMES);
    of_two(&fixed, of, found);
    of_two(marks, of, found);
    of_two(&phrases, of, found);
}

/// Which elements are before which others, by their names: `<element> "ferry"`. The same words may be anywhere else.
///
/// An element may be all of another rule, and has the name of each. Those of the first of these rules are compared, and those that are right in the rule
/// besides.
pub(super) fn of_elements(fixed: &[(&Name, &[&Part<'_>])], of: Of<'_, '_>, found: &mut Features) {
    let is_child = |name: &str| name.starts_with(CHILD);
    for are_children in [false, true] {
        let end = |name: &Name| {
            name.find("> \"").filter(|_| name.starts_with('<') && is_child(name) == are_children)
        };
        of_first_kind(fixed, end, of, found);
    }
}

/// Which items of a list are before which others, where each of them is one text or begins with a word. The same texts may be anywhere else.
///
/// Of several lists of a rule the items of the first one are compared, and those of lists in lines whatever their keys are.
pub(super) fn of_items(fixed: &[(&Name, &[&Part<'_>])], of: Of<'_, '_>, found: &mut Features) {
    for (is_in_line, verb) in [(false, IS_WORD), (true, IS_WORD), (true, BEGINS_WITH)] {
        let is_item = |name: &Name| {
            name.starts_with(ITEMS_IN) && name.starts_with(ITEMS_IN_TEXT) == is_in_line
        };
        of_first_kind(fixed, |name| name.find(verb).filter(|_| is_item(name)), of, found);
    }
}

/// Which names are before which others, of those that begin as the first one of some kind does.
///
/// `end` says where the beginning of a name ends that those of its kind have; nothing for a name of no kind. At most `MAX_WORDS_IN_ORDER` names
/// are compared.
fn of_first_kind(
    fixed: &[(&Name, &[&Part<'_>])],
    end: impl Fn(&Name) -> Option<usize>,
    of: Of<'_, '_>,
    found: &mut Features,
) {
    let beginning = |name: &Name| end(name).map(|end| name[..end].to_owned());
    let Some(first) = fixed.iter().find_map(|(name, _)| beginning(name)) else { return };
    let same = fixed.iter().filter(|(name, _)| beginning(name).as_ref() == Some(&first));
    let same: Vec<_> = same.copied().take(MAX_WORDS_IN_ORDER).collect();
    three_in_order(&same, found);
    of_two(&same, of, found);
}

/// The order of the words that the failure needs, that of calls by these names, and that of those words that lists begin with, which have to be in one and the same rule: three nodes of one path of a graph.
///
/// The first `MAX_WORDS_IN_ORDER` of each are compared.
pub(super) fn of_needed(fixed: &[(&Name, &[&Part<'_>])], words: &Words, found: &mut Features) {
    let is_begin = |name: &str| name.contains(THAT_BEGINS) && words.is_preferred(name);
    let is_needed = |name: &str| {
        words.is_preferred(name) && name.contains(char::is_alphabetic) && !is_begin(name)
    };
    let is_call = |name: &str| is_needed_call(name, words);
    for is_meant in [&is_needed as &dyn Fn(&str) -> bool, &is_call, &is_begin] {
        let needed = fixed.iter().copied().filter(|(name, _)| is_meant(name));
        let needed: Vec<_> = needed.take(MAX_WORDS_IN_ORDER).collect();
        three_in_order(&needed, found);
        for (first, parts) in &needed {
            for (second, others) in needed.iter().filter(|(second, _)| second != first) {
                let is_before = others.last().is_some_and(|last| parts[0].start < last.start);
                let before = || Feature::Before((*first).to_owned(), (*second).to_owned());
                found.answer(before, is_before, false);
            }
        }
    }
}

/// Whether a name is that of a call of a function whose word the failure needs. A condition that is read again has the call and not the word.
fn is_needed_call(name: &str, words: &Words) -> bool {
    let word = name.strip_suffix("(\"").map(|word| format!("{word}\""));
    word.is_some_and(|word| words.is_preferred(&word) || words.is_preferred(name))
}

/// Which lines are before which others by a word that the failure needs, and which pairs of words it needs: three stops of one train. The same words may be
/// anywhere else.
///
/// The first `MAX_WORDS_IN_ORDER` names of each are compared.
pub(super) fn of_needed_lines(
    fixed: &[(&Name, &[&Part<'_>])],
    words: &Words,
    found: &mut Features,
) {
    let is_line = |name: &str| name.contains(WORD_IS) && words.is_preferred(name);
    for is_needed in [&is_line as &dyn Fn(&str) -> bool, &|name| words.is_pair(name)] {
        let needed = fixed.iter().copied().filter(|(name, _)| is_needed(name));
        let needed: Vec<_> = needed.take(MAX_WORDS_IN_ORDER).collect();
        three_in_order(&needed, found);
    }
}

/// Which keys that the failure needs are before which others, by their values: a header after two others. The same words may be values.
///
/// The first `MAX_WORDS_IN_ORDER` of them are compared.
pub(super) fn of_needed_keys(
    named: &Names<'_, '_>,
    (words, of): (&Words, Of<'_, '_>),
    found: &mut Features,
) {
    let is_needed = |name: &str| {
        let key = name.strip_prefix(VALUE_OF).filter(|key| !key.contains(' '));
        key.is_some_and(|key| words.is_preferred(key))
    };
    let needed = named.iter().filter(|(name, _)| is_needed(name));
    let needed = needed.map(|(name, all)| (*name, &all.parts[..]));
    let needed: Vec<(&Name, &[&Part<'_>])> = needed.take(MAX_WORDS_IN_ORDER).collect();
    three_in_order(&needed, found);
    of_two(&needed, of, found);
}

/// Which values of keys are before which others, where each of them is one text: a step whose `"op"` is `"drop"` after one
/// that renames. The same texts may be anywhere else.
///
/// The first `MAX_WORDS_IN_ORDER` of them are compared.
pub(super) fn of_values(
    named: &Names<'_, '_>,
    (words, of): (&Words, Of<'_, '_>),
    found: &mut Features,
) {
    let is_told = |name: &str| name.starts_with(VALUE_OF) && name.contains(IS_WORD);
    let fixed = named.iter().filter(|(name, all)| all.is_fixed && is_told(name));
    let mut values: Vec<(&Name, &[&Part<'_>])> =
        fixed.map(|(name, all)| (*name, &all.parts[..])).collect();
    values.sort_by_cached_key(|(name, parts)| {
        ((!words.is_whole(name), !words.is_preferred(name)), parts[0].start, *name)
    });
    let values = &values[..values.len().min(MAX_WORDS_IN_ORDER)];
    three_in_order(values, found);
    of_two(values, of, found);
}

/// Features of each two of some names.
///
/// Which is before the other, which has none of the other after it or between two of it, and how many more there are. What an
/// input lacks is no feature of its own: see `Absent`.
pub(super) fn of_two(fixed: &[(&Name, &[&Part<'_>])], of: Of<'_, '_>, found: &mut Features) {
    let is_whole = matches!(of, Of::Input(_));
    let (Of::Input(wanted) | Of::Rule(wanted)) = of;
    let read = || fixed.iter().filter(|(name, _)| wanted.is_about(name));
    for (first, parts) in read() {
        for (second, others) in read().filter(|(second, _)| second != first) {
            let pair = || ((*first).to_owned(), (*second).to_owned());
            let is_before = others.last().is_some_and(|last| parts[0].start < last.start);
            found.answer(|| Feature::Before(pair().0, pair().1), is_before, false);
            let is_early = others.first().is_some_and(|first| parts[0].start < first.start);
            found.answer(|| Feature::MissingBefore(pair().0, pair().1), is_early, is_whole);
            // `*/` is not after the `/*` that it shares a mark with.
            let end = parts.last().map_or(0, |last| last.start + last.text.len() as u32);
            let is_late = others.last().is_none_or(|last| last.start < end);
            found.answer(|| Feature::MissingAfter(pair().0, pair().1), is_late, is_whole);
            let (is_unseparated, are_two) = (is_unseparated(parts, others), parts.len() > 1);
            let unseparated = || Feature::Unseparated(pair().0, pair().1);
            found.answer(unseparated, is_unseparated, is_whole && are_two);
            let more = parts.len() as i128 - others.len() as i128;
            found.insert(Feature::More(pair().0, pair().1), more);
            found.insert(Feature::Excess(pair().0, pair().1), excess(parts, others));
        }
    }
}

/// Which three words are in which order, somewhere in the input, which three words outside of remarks, which three whole lines,
/// which three lines by one of their words, which three pairs of words, and which three calls.
///
/// Of the first words at most `MAX_WORDS_IN_ORDER`, which are those of `fixed` that begin with a letter, and as many lines of each kind. Of words
/// that the failure needs, `MAX_NEEDED_IN_ORDER`. Others may be between the three.
///
/// Cost: for seven words 252 looks at where they are.
fn of_three(fixed: &[(&Name, &[&Part<'_>])], words: &Words, found: &mut Features) {
    let is_word = |name: &str| {
        let word = name.strip_prefix('"').filter(|name| !name.contains([' ', '(']));
        word.is_some_and(|word| word.starts_with(char::is_alphabetic))
    };
    let is_line = |name: &str| name.contains(OF_TEXT);
    let first = |is_such: &dyn Fn(&str) -> bool, most: usize| -> Vec<_> {
        fixed.iter().copied().filter(|(name, _)| is_such(name)).take(most).collect()
    };
    let first_of = |is_such: &dyn Fn(&str) -> bool| first(is_such, MAX_WORDS_IN_ORDER);
    let needed = fixed.iter().filter(|(name, _)| is_word(name) && words.is_preferred(name)).count();
    let most = needed.clamp(MAX_WORDS_IN_ORDER, MAX_NEEDED_IN_ORDER);
    three_in_order(&first(&is_word, most), found);
    three_in_order(&first_of(&|name: &str| name.contains(OUTSIDE)), found);
    three_in_order(&first_of(&is_line), found);
    three_in_order(&first_of(&|name: &str| name.contains(WORD_IS)), found);
    let is_beginning = |name: &str| name.starts_with("<line>") && name.contains(BEGINS_WITH);
    three_in_order(&first_of(&is_beginning), found);
    three_in_order(&first_of(&|name: &str| words.is_pair(name)), found);
    three_in_order(&first_of(&|name: &str| is_needed_call(name, words)), found);
    three_in_order(&first_of(&|name: &str| name.starts_with(CALL_OF)), found);
}

/// Features of each three of some names, of which the third may be the first again.
///
/// The names are of one kind, such as words or lines by their first word. Only an order that is there is a feature.
fn three_in_order(words: &[(&Name, &[&Part<'_>])], found: &mut Features) {
    for (first, parts) in words {
        for (second, others) in words.iter().filter(|(second, _)| second != first) {
            let after = parts[0].start;
            let Some(middle) = others.iter().find(|part| part.start > after) else { continue };
            for (third, last) in words.iter().filter(|(third, _)| third != second) {
                if last.last().is_some_and(|last| last.start > middle.start) {
                    let names = [first, second, third].map(|name| (*name).to_owned());
                    let [first, second, third] = names;
                    found.insert(Feature::InOrder(first, second, third), 1);
                }
            }
        }
    }
}

/// Which parts come right before which others, by the names of their tokens and words.
pub(super) fn of_neighbours(outline: &Outline<'_>, found: &mut Features) {
    let mut names: Vec<Vec<&Name>> = vec![Vec::new(); outline.leaves.len()];
    for item in outline.items.iter().filter(|item| !item.name.contains(' ')) {
        let leaf = outline.leaves.get(item.part.leaf).filter(|leaf| leaf.text == item.part.text);
        if let (Some(_), Some(names)) = (leaf, names.get_mut(item.part.leaf)) {
            names.push(&item.name);
        }
    }
    let mut pairs: BTreeSet<(&Name, &Name)> = BTreeSet::new();
    for (at, two) in names.windows(2).enumerate() {
        let [before, after] = [&outline.leaves[at], &outline.leaves[at + 1]];
        if before.start as usize + before.text.len() != after.start as usize {
            continue;
        }
        let all = two[0].iter().flat_map(|one| two[1].iter().map(move |other| (*one, *other)));
        pairs.extend(all);
    }
    for (one, other) in pairs.into_iter().take(MAX_NEIGHBOURS) {
        found.insert(Feature::Adjacent(one.to_owned(), other.to_owned()), 1);
    }
}

/// Whether two of the first have none of the second between them.
///
/// Both lists are in order. Cost: two bisections for each of the first.
fn is_unseparated(ones: &[&Part<'_>], others: &[&Part<'_>]) -> bool {
    let before = |start: u32| others.partition_point(|other| other.start < start);
    ones.windows(2).any(|two| before(two[0].start) == before(two[1].start))
}

/// By how much the first are more than the second up to some place, where it is most.
///
/// Both lists are in order. Cost: a bisection for each of the first.
fn excess(ones: &[&Part<'_>], others: &[&Part<'_>]) -> i128 {
    let before = |start: u32| others.partition_point(|other| other.start < start);
    let each = ones.iter().enumerate();
    let excess = each.map(|(number, one)| number as i128 + 1 - before(one.start) as i128);
    excess.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use crate::generalize::predicate::feature::{Feature, Words};
    use crate::generalize::predicate::plain;
    use crate::generalize::predicate::read::tests::read_with;

    #[test]
    fn keys_that_the_failure_needs_are_in_order_whatever_their_values_are() {
        let [ann, bob] = ["value of \"ann\"", "value of \"bob\""];
        let order = Feature::InOrder(ann.into(), bob.into(), ann.into());
        let preferred = ["\"ann\"", "\"bob\""].map(str::to_owned);
        let is_there = |text: &str| {
            let words = Words::of([text.as_bytes()]).with_preferred(&preferred);
            order.value(&read_with(plain::language().unwrap(), text, &words))
        };
        assert_eq!(is_there("ann: 1\nx: ann\nbob: 2\nann:\n"), Some(1));
        assert_ne!(is_there("ann: bob\nbob: ann\n"), Some(1));
    }

    #[test]
    fn pairs_of_words_are_in_order_where_each_word_is_elsewhere_too() {
        let [log, drop] = ["-j LOG", "-j DROP"].map(str::to_owned);
        let names = [&log, &drop, &log].map(|pair| format!("\"{pair}\"").into());
        let [first, second, third] = names;
        let order = Feature::InOrder(first, second, third);
        let is_there = |text: &str| {
            let words = Words::of([text.as_bytes()]).with_pairs(vec![log.clone(), drop.clone()]);
            order.value(&read_with(plain::language().unwrap(), text, &words))
        };
        assert_eq!(is_there("-j LOG\n-i lo -j DROP 7\n-j LOG\n"), Some(1));
        assert_ne!(is_there("-j LOG\n-A DROP\n-j LOG\n"), Some(1));
        assert_ne!(is_there("-j LOG\n-j DROPS\n-j LOG\n"), Some(1));
    }
}
