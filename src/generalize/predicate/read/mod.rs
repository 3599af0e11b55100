//! Reads the features of an input off its tree.
//!
//! ```text
//! tree -> outline (named parts, rules) -> names of keys -> features of one name, of two, of one rule
//! ```
//!
//! A name comes from the grammar (`<array>`, `"end"`), from the text (`"debug"`, if an input of the search has it), or
//! from the place (`value of "lo"`, `first <cell> in <row>`). One part may have several names. An input of 40 bytes in
//! JSON has up to 5,000 features, so reading takes more of a run's time than the tests of a fast target.
//!
//! What is read where, with a condition that is about it:
//!
//! | module | a condition |
//! |---|---|
//! | `without_grammar` | the byte at offset 3 differs from the number of bytes from offset 4 on |
//! | `chains` | in some date the second number is 2 and the last is at least 29 |
//! | `brackets` | brackets of two kinds are nested 5 deep |
//! | `without_grammar` | the text after `:` on some line is at least 7 |
//! | `kinds` | three numbers have a fraction or an exponent; some number of any token is negative |
//! | `sections` | a host has no line whose first word is `HostName` |
//! | `keys`, `heads` | the value of `"lo"` is greater than that of `"hi"` |
//! | `one` | some string has a character of 4 bytes; a heading is two levels below the one before it |
//! | `two`, `order` | there are more `(` than `)`; `end` comes before `begin` |
//! | `without_grammar` | some section has no host |
//! | `scopes` | some row has more cells than another; no object has the key `"id"` |
//! | `instances`, `parts` | in one element, two attributes have the same name |
//!
//! Features are numbers, and the same input has the same ones whatever was read before: what a condition says of an
//! input does not depend on the search that found it.

mod brackets;
mod chains;
mod instances;
mod keys;
mod kinds;
mod lists;
mod names;
mod one;
mod order;
mod outline;
mod parts;
mod scopes;
mod two;
mod wanted;
mod without_grammar;
mod words;

use std::collections::BTreeSet;
use std::sync::Arc;

use seedsmith_grammar::Tree;

use super::feature::{Feature, Features};
use super::term::{ITEMS_IN, Term};
use crate::generalize::draws::sampler::Sampler;
use crate::generalize::pattern::Subject;
use crate::generalize::predicate::plain;

pub(super) use chains::chains;
pub(super) use outline::core;
use outline::{Outline, Part};
pub(super) use wanted::Wanted;
pub(super) use without_grammar::binary::is_binary;
pub(super) use without_grammar::bodies::pairs::{Body, bodies, may_close};
pub(super) use without_grammar::lines::indentation_of;
pub(super) use without_grammar::lists::{items_in_lines, lists_below};
pub(super) use without_grammar::records::{Layout, Record, layouts};
pub use words::Words;
pub(super) use words::line_names;
pub(super) use words::quoted;

/// Features for which there is room from the beginning, so that the map of a usual input grows once at most: one of a few lines
/// without a grammar has 8,000.
const USUAL_FEATURES: usize = 8000;

/// Reads the features of an input that is in the language off its tree. Texts that the grammar does not
/// have are named only if they are among `words`. Texts that these leave out are not read.
///
/// Cost: one pass over the tree, and for each pair of the first names some comparisons; no test.
pub fn features(tree: &Tree, input: &[u8], language: &Sampler, words: &Words) -> Features {
    let text = words.left_out.of(input);
    if text.len() < input.len() {
        let mut language = language.clone();
        if let Ok((tree, None)) = language.read(&text) {
            return features_for(&tree, &text, &language, (words, &Wanted::ALL));
        }
    }
    features_for(tree, input, language, (words, &Wanted::ALL))
}

/// The keys of an input whose values are texts with several items. Only an input with a grammar has such.
pub(super) fn keys_of_lists(base: &Subject, words: &Words) -> BTreeSet<String> {
    let Some(language) = base.language.as_ref().filter(|language| !plain::is_plain(language))
    else {
        return BTreeSet::new();
    };
    let input = words.left_out.in_one_case((&base.tree, &base.input), language);
    let mut outline = Outline::read(&base.tree, &input, language, words);
    outline.name_kinds(words);
    outline.name_keys(words);
    outline.keys_of_lists()
}

/// The features of an input of the wanted kinds, and those that are cheap.
///
/// A condition that is known is evaluated on thousands of inputs that are made against it, and is about a few names.
pub(super) fn features_for(
    tree: &Tree,
    input: &[u8],
    language: &Sampler,
    (words, wanted): (&Words, &Wanted<'_>),
) -> Features {
    let input = &words.left_out.in_one_case((tree, input), language);
    let mut found = Features::new();
    if wanted.is_everything() {
        found.reserve(USUAL_FEATURES);
    }
    let mut outline = Outline::read(tree, input, language, words);
    let is_plain = outline.is_plain;
    let has_bodies = is_plain && words.have_bodies;
    let bodies = if has_bodies { bodies(input) } else { Vec::new() };
    if is_plain {
        if words.have_sections {
            outline.group_sections();
        }
        outline.group_items(&bodies);
        outline.group_bodies(&bodies, words);
        if words.have_entries {
            outline.group_entries();
            if words.have_inner_entries {
                outline.group_inner_entries(words);
            }
        }
        if let Some(head) = &words.head {
            outline.group_under(head, words);
        }
        if words.have_blocks {
            outline.group_blocks();
        }
    }
    outline.name_kinds(words);
    outline.name_keys(words);
    if is_plain {
        outline.name_fields(words);
        outline.name_pairs_in_lines(words);
        if words.have_lists {
            outline.name_items_in_lines(words);
        }
        outline.name_marks(words);
        outline.name_mixed_words(words);
        outline.name_decimals();
        outline.name_marked_words();
        outline.name_after_needed_words(words);
        outline.name_beside_arrows();
        outline.name_beside_commas();
        outline.name_words_before_separators();
        outline.name_after_quotes();
        outline.name_beginnings(words);
        outline.name_columns_of_lines(words);
        outline.name_lines(words);
        outline.name_unmarked_lines(words);
        outline.name_quoted(words);
        outline.name_pairs_of_words(words);
    } else {
        outline.name_firsts(words);
        outline.name_lists(words);
        outline.name_pairs(words);
        outline.name_cells(words);
        outline.name_items_of_texts(words);
        outline.name_keys_of_elements(words);
        outline.name_in_brackets();
        outline.name_numbers(language);
        outline.name_before_separators();
    }
    outline.name_affixes(words);
    outline.name_between();
    outline.name_after_words(words);
    if let Some(kind) = words.tags.filter(|_| is_plain) {
        outline.group_tags(kind);
    }
    outline.move_into_bodies(&bodies);
    // Features of order need the parts in order, whatever named them.
    outline.items.sort_by_key(|item| (item.part.start, item.part.leaf));
    for (name, has_twins) in &outline.twin_keys {
        found.insert(Feature::TwinKeys(name.clone()), i128::from(*has_twins));
    }
    for (rule, one, other) in std::mem::take(&mut outline.both_keys) {
        found.insert(Feature::Within(rule, Arc::new(Feature::BothKeys(one, other))), 1);
    }
    found.insert(Feature::Brackets, outline.brackets);
    found.insert(Feature::MixedBrackets, outline.mixed_brackets);
    found.insert(Feature::Value(Term::Bytes), input.len() as i128);
    found.insert(Feature::Multiple(Term::Bytes, 2), i128::from(input.len().is_multiple_of(2)));
    if words.are_binary {
        without_grammar::binary::of_fields(input, &mut found);
        without_grammar::records::of_records(input, words, &mut found);
        without_grammar::types::of_types(input, words, &mut found);
    }
    let labels = outline.labels();
    if wanted.rules {
        scopes::of_rules(&outline, &labels, &mut found);
        scopes::of_words(&outline, &labels, &mut found);
    }
    let named = outline.named(|_| true);
    for (name, all) in named.iter().filter(|(name, _)| wanted.is_about(name)) {
        one::of_one(name, all, &mut found);
        // Two equal items of two lists are no duplicate. Those of one list are equal within its line.
        if is_plain && name.starts_with(ITEMS_IN) {
            found.remove(&Feature::Twins((*name).clone()));
        }
    }
    for item in outline.affixed.iter().filter(|item| wanted.is_about(&item.name)) {
        *found.entry(Feature::Count(item.name.clone())).or_insert(0) += 1;
    }
    if wanted.pairs {
        two::of_pairs(&named, wanted, &mut found);
        order::of_values(&named, (words, order::Of::Input(wanted)), &mut found);
        order::of_needed_keys(&named, (words, order::Of::Input(wanted)), &mut found);
        order::of_order(&named, (words, order::Of::Input(wanted)), &mut found);
        order::of_neighbours(&outline, &mut found);
    }
    if wanted.has_rules() {
        instances::of_each_rule(&outline, &labels, (wanted, words), &mut found);
        parts::of_tokens(&outline, wanted, &mut found);
        chains::of_chains(input, &mut found);
        parts::of_pairs(&outline, &mut found);
    }
    found
}

/// The largest value counts where a feature is met several times.
///
/// So a feature says that some part is like that, and its opposite that none is.
fn raise(found: &mut Features, feature: Feature, value: i128) {
    let known = found.entry(feature).or_insert(value);
    *known = (*known).max(value);
}

/// The length of a text.
///
/// What is measured is the text as it is written, escapes and all.
///
/// In characters of UTF-8, as a person counts; a byte that is none counts as one.
pub(super) fn characters(text: &[u8]) -> i128 {
    String::from_utf8_lossy(text).chars().count() as i128
}

/// `None` for a text that is no decimal integer, or a larger one than 128 bits hold.
pub(super) fn number(text: &[u8]) -> Option<i128> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// The number in a text that has one, and no letters beside it: `$12`, `"-5"`. Where the grammar has numbers, one in
/// quotation marks is a text. A list with one number in it is none.
fn only_number(part: &Part<'_>) -> Option<i128> {
    number(part.text).or_else(|| {
        let (start, end) = crate::generalize::pattern::core(part.text);
        let digits = &part.text[start..end];
        let is_list = part.text.iter().any(|byte| b"[]{},".contains(byte));
        let is_number = !part.is_text && !is_list && digits.iter().all(u8::is_ascii_digit);
        let size = is_number.then(|| number(digits)).flatten()?;
        // `--5` is an option.
        let is_negative =
            part.text[..start].ends_with(b"-") && !part.text[..start].ends_with(b"--");
        Some(if is_negative { -size } else { size })
    })
}

#[cfg(test)]
mod tests;
