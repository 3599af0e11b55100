//! The schedule of the default strategy, as data: which reducer runs when, how closely it looks, and
//! under which [condition](super::conditions).
//!
//! Large steps come first, because an accepted step costs a crash and the next candidate is shorter for
//! it; reducers that look closely run when the best is short. To add a reducer, list it in the
//! [registry](crate::reduce::registry) and put a step here.

use super::conditions as when;
use super::conditions::Condition;
use crate::reduce::amount::nesting::NESTING;
use crate::reduce::amount::repetitions::REPETITIONS;
use crate::reduce::binary::fillers::FILLERS;
use crate::reduce::binary::known_formats::KNOWN_FORMATS;
use crate::reduce::binary::offsets::OFFSETS;
use crate::reduce::binary::records::{RECORDS, RECORDS_CLOSELY};
use crate::reduce::clues::Guess;
use crate::reduce::context::Look;
use crate::reduce::flat::combinations::{EQUAL_BYTES, EQUAL_LINES, EQUAL_TOKENS, NAMES};
use crate::reduce::flat::combinations::{NEARBY_TOKENS, TWO_LINES, TWO_TOKENS};
use crate::reduce::flat::ends::ENDS;
use crate::reduce::flat::pairs::{BRACKETS, ITEMS, QUOTES, TAGS, WORDS};
use crate::reduce::flat::placeholders::{SHORTER_BRACKETS, VALUES};
use crate::reduce::flat::simplify::{SIMPLIFY, SIMPLIFY_ROUGHLY};
use crate::reduce::flat::units::{BYTES, CHUNKS, LINES, TOKENS};
use crate::reduce::flat::windows::{HALVES, WINDOWS, WINDOWS_ANYWHERE};
use crate::reduce::polish::exhaust::EXHAUST;
use crate::reduce::polish::mutate::MUTATE;
use crate::reduce::polish::shorten::SHORTEN;
use crate::reduce::reducer::Reducer;
use crate::reduce::tree::auto::exchange::EXCHANGE;
use crate::reduce::tree::auto::sequence;

/// One step of a round.
pub(crate) enum Step {
    /// Runs a reducer with that look if the format meets its needs and the condition holds.
    Run(&'static Reducer, Look, Condition),
    /// Runs the reducers that the caller added.
    RunOwn,
    /// Looks for the language as far as the guess allows and, if it finds one, runs the [reducers
    /// along a tree](crate::reduce::tree::auto::sequence).
    AlongTree(Guess, Condition),
    /// Runs the steps, as long as the condition holds before a pass and the pass was worth another.
    Repeat(&'static [Step], Condition, Worth),
    /// Looks at the best: whether each of its places is worth a test. Changes are counted from here.
    LookAtBest,
    /// Begins the innermost [`Step::Repeat`] again if the best changed since the last
    /// [`Step::LookAtBest`].
    AgainIfChanged,
    /// Claims that no single unit of the finest kind can go.
    Claim(Condition),
    /// Plans the tests for steps below 1-minimal; none if the condition doesn't hold.
    PlanPolish(Condition),
    /// Ends the round.
    End(Condition),
}

/// When a repeated list of steps is run again after a whole pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Worth {
    /// If the best is shorter than before.
    Shorter,
    /// If at least an eighth of the best was deleted.
    ShorterByAnEighth,
    /// If the best is another one.
    Changed,
    /// Never; only [`Step::AgainIfChanged`] begins again.
    Once,
}

use Look::{Close, Exhaustive, First, Rough};
use Step::{AgainIfChanged, AlongTree, Claim, End, LookAtBest, PlanPolish, Repeat, Run, RunOwn};

/// A round: everything that is known to pay, in order. It is repeated until it changes nothing.
pub(crate) static ROUND: [Step; 21] = [
    RunOwn,
    Run(&KNOWN_FORMATS, Close, when::is_of_known_format),
    Run(&NESTING, Close, when::always),
    AlongTree(Guess::ByName, when::is_quick_to_parse),
    Run(&HALVES, First, when::has_no_sound_tree),
    AlongTree(Guess::ByName, when::became_quick_to_parse),
    // Large steps towards the failure: of each kind, as much as few tests find.
    Run(&WINDOWS, First, when::is_worth_windows),
    Run(&TAGS, First, when::is_nesting_untried),
    Run(&BRACKETS, First, when::is_nesting_untried),
    Run(&WORDS, First, when::is_nesting_untried),
    Run(&QUOTES, First, when::is_nesting_untried),
    Run(&ITEMS, First, when::is_short_enough_to_read),
    Run(&OFFSETS, First, when::always),
    Run(&ENDS, First, when::is_not_covered_by_tree),
    Run(&CHUNKS, First, when::always),
    AlongTree(Guess::ByTrial, when::has_no_language),
    // A thousand small steps are a thousand crashes: large parts go as long as much goes.
    Repeat(&LARGE_PARTS, when::is_long, Worth::ShorterByAnEighth),
    Repeat(&EXCHANGE_FIRST, when::is_expensive_with_language, Worth::Changed),
    Run(&SIMPLIFY_ROUGHLY, First, when::is_small_and_not_covered),
    Repeat(&SMALL_PARTS, when::always, Worth::Once),
    Claim(when::always),
];

/// Deletes large parts of a large best.
static LARGE_PARTS: [Step; 11] = [
    LookAtBest,
    Run(&RECORDS, Rough, when::always),
    Run(&REPETITIONS, Rough, when::is_short_enough_to_read),
    Run(&ITEMS, Rough, when::is_short_enough_to_read),
    Run(&TAGS, Rough, when::has_tags),
    Run(&BRACKETS, Rough, when::has_brackets),
    Run(&WORDS, Rough, when::has_words),
    Run(&QUOTES, Rough, when::has_quotes),
    Run(&LINES, Rough, when::always),
    Run(&TOKENS, Rough, when::always),
    Run(&BYTES, Rough, when::always),
];

/// If tests are expensive, an exchange along a tree achieves with few tests what otherwise takes
/// many small steps.
static EXCHANGE_FIRST: [Step; 2] = [LookAtBest, Run(&EXCHANGE, First, when::always)];

/// Deletes until nothing goes, then makes the best plainer, then goes below 1-minimal. After each
/// change deletion comes first again, because a plainer or shorter best lets other parts go.
static SMALL_PARTS: [Step; 26] = [
    Repeat(&EVERY_PART, when::always, Worth::Shorter),
    LookAtBest,
    // In a long repetition each byte is tried once, if they are not too many, and nothing else.
    Run(&BYTES, Exhaustive, when::is_repetition_of_few_stretches),
    Claim(when::is_repetition_of_few_stretches),
    End(when::is_repetition),
    Run(&SIMPLIFY, Close, when::are_tests_cheap),
    Run(&SIMPLIFY_ROUGHLY, Close, when::is_expensive_and_not_plain),
    AgainIfChanged,
    Run(&FILLERS, Close, when::always),
    AgainIfChanged,
    Run(&EXCHANGE, Close, when::has_language_and_bytes),
    AgainIfChanged,
    Claim(when::always),
    PlanPolish(when::is_polish_wanted),
    Run(&EXHAUST, Close, when::are_all_shorter_inputs_few),
    AgainIfChanged,
    Run(&TWO_LINES, Close, when::are_changes_planned),
    AgainIfChanged,
    Run(&TWO_TOKENS, Close, when::are_changes_planned),
    AgainIfChanged,
    Run(&NEARBY_TOKENS, Close, when::are_changes_planned),
    AgainIfChanged,
    Run(&SHORTEN, Close, when::are_changes_planned),
    AgainIfChanged,
    Run(&MUTATE, Close, when::are_changes_planned),
    AgainIfChanged,
];

/// Everything that deletes.
static EVERY_PART: [Step; 21] = [
    LookAtBest,
    Run(&OFFSETS, Close, when::always),
    Run(&RECORDS, Close, when::always),
    Run(&WINDOWS_ANYWHERE, Close, when::is_binary_with_parts_anywhere),
    Run(&REPETITIONS, Close, when::is_short_enough_to_read),
    Run(&ITEMS, Close, when::is_short_enough_to_read),
    Run(&TAGS, Close, when::has_tags),
    Run(&BRACKETS, Close, when::has_brackets),
    Run(&WORDS, Close, when::has_words),
    Run(&QUOTES, Close, when::has_quotes),
    Run(&LINES, Close, when::always),
    Run(&EQUAL_LINES, Close, when::always),
    Run(&TOKENS, Close, when::always),
    Run(&EQUAL_TOKENS, Close, when::always),
    // Single bytes come last: names and values are short by then.
    Run(&NAMES, Close, when::is_each_place_worth_a_test),
    Run(&VALUES, Close, when::is_each_place_worth_a_test),
    Run(&SHORTER_BRACKETS, Close, when::is_each_place_worth_a_test),
    Run(&WINDOWS_ANYWHERE, Close, when::has_parts_anywhere),
    Run(&BYTES, Close, when::always),
    Run(&EQUAL_BYTES, Close, when::always),
    Run(&RECORDS_CLOSELY, Close, when::is_each_place_worth_a_test),
];

/// Every reducer that a step of the schedule runs, the first step first; some more than once.
pub(crate) fn reducers() -> Vec<&'static Reducer> {
    let mut found = Vec::new();
    let mut todo: Vec<&'static Step> = ROUND.iter().rev().collect();
    while let Some(step) = todo.pop() {
        match step {
            Run(reducer, _, _) => found.push(*reducer),
            Repeat(steps, _, _) => todo.extend(steps.iter().rev()),
            AlongTree(_, _) => found.extend(sequence::STEPS.iter().map(|step| step.reducer)),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_schedule_runs_works_on_bytes_and_what_runs_along_a_tree_works_on_trees() {
        let is_along_tree = |reducer: &Reducer| {
            sequence::STEPS.iter().any(|step| step.reducer.name == reducer.name)
        };
        for reducer in reducers() {
            assert_eq!(reducer.works_on_tree(), is_along_tree(reducer), "{}", reducer.name);
        }
    }
}
