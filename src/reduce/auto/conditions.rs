//! The conditions of the default strategy's [schedule](super::schedule), by name.
//!
//! Each is a question about the best and about the state of the round. It runs no test.

use super::scope::MAX_SMALL_BYTES;
use crate::reduce::choices::Polish;
use crate::reduce::context::{Context, Look};
use crate::reduce::flat::simplify::SIMPLIFY_ROUGHLY;
use crate::reduce::input_kind::is_binary;
use crate::reduce::needs::Need;
use crate::reduce::polish::polisher::Plan;
use crate::search::Search;
use seedsmith_grammar::internal::UnitKind;
use seedsmith_grammar::internal::formats;
use seedsmith_grammar::internal::{pairs, tags};

/// A question about a round and the best of its search.
pub(crate) type Condition = fn(&Context, &Search<'_, '_>) -> bool;

/// Inputs longer than this are not looked at for pairs and periods: one look takes longer than many
/// tests. A guess; not measured.
pub(crate) const MAX_CLOSE_LOOK_BYTES: usize = 4 << 20;

/// Inputs up to this length are parsed before anything else where the language is known. A parse, and
/// all the more trials of several grammars, take longer than a short search does: with 64 KB
/// windows were tried first on inputs that a tree reduces in fewer tests (note of 2026-11-21 on tree
/// reducers).
const MAX_QUICK_PARSE_BYTES: usize = 128 << 10;

/// Bests up to this length are worth every small step at once; from longer ones, parts of at least
/// a 256th are deleted first (note of 2026-11-21 on flat reducers). A thousand small steps are a
/// thousand crashes of 1 to 2 ms.
const MAX_SHORT_BYTES: usize = 2048;

/// Stretches of equal bytes in a repetition of which each is worth a test, for the claim that none can
/// go. A guess at a number that a reader can still follow; not measured.
const MAX_STRETCHES: usize = 1024;

/// Always.
pub(crate) fn always(_: &Context, _: &Search<'_, '_>) -> bool {
    true
}

/// The best is of a binary format that is known to the letter, and no other structure was named.
pub(crate) fn is_of_known_format(context: &Context, search: &Search<'_, '_>) -> bool {
    context.format() == UnitKind::Auto && formats::recognise(search.best()).is_some()
}

/// Parsing the best takes less than the rest of the search.
pub(crate) fn is_quick_to_parse(_: &Context, search: &Search<'_, '_>) -> bool {
    search.best().len() <= MAX_QUICK_PARSE_BYTES
}

/// No tree was found that explains most of the best. With a sound tree, the parts that are not
/// needed have been deleted already, in larger pieces than halves.
pub(crate) fn has_no_sound_tree(context: &Context, _: &Search<'_, '_>) -> bool {
    !context.scope.has_sound_tree
}

/// The language is not known yet.
pub(crate) fn has_no_language(context: &Context, _: &Search<'_, '_>) -> bool {
    context.language.is_none()
}

/// There was no sound tree and no language, and now the best is short enough to look for one.
pub(crate) fn became_quick_to_parse(context: &Context, search: &Search<'_, '_>) -> bool {
    has_no_sound_tree(context, search)
        && has_no_language(context, search)
        && is_quick_to_parse(context, search)
}

/// The best is worth looking for one window that fails on its own: neither a tree nor the price of a
/// test make the small steps cheaper.
pub(crate) fn is_worth_windows(context: &Context, search: &Search<'_, '_>) -> bool {
    let is_left_by_tree = context.language.is_some() && search.best().len() <= MAX_SMALL_BYTES;
    !is_left_by_tree && !context.scope.is_small(search.best())
}

/// The best is short enough to look for repetitions and nesting.
pub(crate) fn is_short_enough_to_read(_: &Context, search: &Search<'_, '_>) -> bool {
    search.best().len() <= MAX_CLOSE_LOOK_BYTES
}

/// The same, and no tree has deleted nested parts.
pub(crate) fn is_nesting_untried(context: &Context, search: &Search<'_, '_>) -> bool {
    !context.scope.is_covered_by_tree && is_short_enough_to_read(context, search)
}

/// The same, and there are tags in the best.
pub(crate) fn has_tags(context: &Context, search: &Search<'_, '_>) -> bool {
    is_nesting_untried(context, search) && !tags::tags(search.best()).is_empty()
}

/// The same for brackets.
pub(crate) fn has_brackets(context: &Context, search: &Search<'_, '_>) -> bool {
    is_nesting_untried(context, search) && !pairs::brackets(search.best()).is_empty()
}

/// The same for words that open and close, such as `begin` and `end`.
pub(crate) fn has_words(context: &Context, search: &Search<'_, '_>) -> bool {
    is_nesting_untried(context, search) && !pairs::words(search.best()).is_empty()
}

/// The same for quotes.
pub(crate) fn has_quotes(context: &Context, search: &Search<'_, '_>) -> bool {
    is_nesting_untried(context, search) && !pairs::quotes(search.best()).is_empty()
}

/// No reducer along a tree has tried the same deletions.
pub(crate) fn is_not_covered_by_tree(context: &Context, _: &Search<'_, '_>) -> bool {
    !context.scope.is_covered_by_tree
}

/// The best is long: large parts are deleted first.
pub(crate) fn is_long(_: &Context, search: &Search<'_, '_>) -> bool {
    search.best().len() > MAX_SHORT_BYTES
}

/// Tests are expensive and the language is known: parts are exchanged before the small steps.
pub(crate) fn is_expensive_with_language(context: &Context, _: &Search<'_, '_>) -> bool {
    context.scope.are_tests_expensive && context.language.is_some()
}

/// Tests are expensive, the best is small and no tree has covered it: it is simplified before the
/// small steps, so that equal parts can be deleted together.
pub(crate) fn is_small_and_not_covered(context: &Context, search: &Search<'_, '_>) -> bool {
    context.scope.is_small(search.best()) && !context.scope.is_covered_by_tree
}

/// Each place of the best was worth separate tests when this was last checked.
pub(crate) fn is_each_place_worth_a_test(context: &Context, _: &Search<'_, '_>) -> bool {
    context.scope.is_each_place_worth_a_test
}

/// The best is binary, and its parts may begin at any byte. A tree's parts do not, so where tests
/// are expensive there is no look at windows after one.
pub(crate) fn is_binary_with_parts_anywhere(context: &Context, search: &Search<'_, '_>) -> bool {
    is_each_place_worth_a_test(context, search)
        && is_binary(search.best())
        && !is_expensive_with_language(context, search)
}

/// Parts of the best may begin at any byte.
pub(crate) fn has_parts_anywhere(context: &Context, search: &Search<'_, '_>) -> bool {
    is_each_place_worth_a_test(context, search)
        && !is_expensive_with_language(context, search)
        && context.scope.has_parts_anywhere(search.best())
}

/// Single bytes may go, and the best mostly repeats: it is not looked at more closely.
pub(crate) fn is_repetition(context: &Context, search: &Search<'_, '_>) -> bool {
    context.scope.allows(Need::Bytes) && !is_each_place_worth_a_test(context, search)
}

/// The same, and there are few enough stretches to try each.
pub(crate) fn is_repetition_of_few_stretches(context: &Context, search: &Search<'_, '_>) -> bool {
    is_repetition(context, search) && search.best().chunk_by(u8::eq).count() <= MAX_STRETCHES
}

/// Tests are cheap.
pub(crate) fn are_tests_cheap(context: &Context, _: &Search<'_, '_>) -> bool {
    !context.scope.are_tests_expensive
}

/// Tests are expensive, and the best was not made plain before the small steps. A best whose parts
/// were exchanged along a tree counts as plain.
pub(crate) fn is_expensive_and_not_plain(context: &Context, _: &Search<'_, '_>) -> bool {
    context.scope.are_tests_expensive
        && !context.scope.is_covered_by_tree
        && !context.has_run(&SIMPLIFY_ROUGHLY.name, Look::First)
}

/// The language is known, and single bytes may change.
pub(crate) fn has_language_and_bytes(context: &Context, _: &Search<'_, '_>) -> bool {
    context.language.is_some() && context.scope.allows(Need::Bytes)
}

/// Polishing may pay. Where tests are expensive and parts were exchanged along a tree, it seldom does.
pub(crate) fn is_polish_wanted(context: &Context, _: &Search<'_, '_>) -> bool {
    context.scope.allows(Need::Bytes)
        && !(context.scope.is_covered_by_tree && context.polisher.asked == Polish::Auto)
}

/// The allowance is enough to test every shorter input.
pub(crate) fn are_all_shorter_inputs_few(context: &Context, _: &Search<'_, '_>) -> bool {
    context.polisher.plan == Plan::AllShorter
}

/// Something is given for changes of the best.
pub(crate) fn are_changes_planned(context: &Context, _: &Search<'_, '_>) -> bool {
    context.polisher.plan == Plan::Changes
}
