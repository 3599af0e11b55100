//! The strategies, made of the algorithms beside this file.

mod last_resort;
mod limited;
mod siblings;

use super::best::Best;
use super::located;
use super::options::{Options, Strategy};
use super::restore::lost_lines::lost_lines;
use super::restore::{from_nothing, towards};
use super::validate::{Answer, Validate};
use crate::repair::deletions::hybrid::{fill_gaps, hybrid};
use crate::repair::guided::whole_input::{Remainder, mend};
use crate::repair::validate::capped::Capped;
use crate::repair::validate::slice::Slice;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::Units;
use seedsmith_grammar::internal::terminals::terminals;

/// Repairs `input` by the strategy of `options`; texts found on the way are in `best`.
pub(super) fn run(
    validator: &mut dyn Validate,
    input: &[u8],
    options: &Options,
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    let answer = validator.is_valid_or_says(input)?;
    if answer == Answer::Valid {
        best.offer(input);
        return Ok(());
    }
    if let Some(complaint) = answer.complaint() {
        best.reject_input(complaint.clone());
    }
    let speaks = answer.complaint().is_some();
    if let Some(base) = &options.base {
        return from_base(validator, base, input, options, best);
    }
    match options.strategy {
        Strategy::Ddmax => from_nothing(validator, (input, &options.lexical.units(input)), best),
        Strategy::Syntactic => from_nothing(validator, (input, &options.terminals(input)), best),
        Strategy::Auto if !options.only_delete => {
            // Fewer bytes could be changed, but the data would be other data.
            if located::mend_loose_json(validator, input, best)? {
                return Ok(());
            }
            let located = |validator: &mut dyn Validate, best: &mut Best<'_>| {
                auto(validator, input, options, &answer, best)
            };
            let by_prefixes = |validator: &mut dyn Validate, best: &mut Best<'_>| {
                by_prefixes(validator, input, None, options, best)
            };
            if validator.closest_limit().is_none() {
                return located(validator, best);
            }
            if !options.siblings.is_empty() {
                let mut turn = Slice::of(validator, SIBLINGS_SHARE);
                let ended = from_siblings(&mut turn, input, options, best);
                if !turn.is_over() {
                    ended?;
                }
            }
            let turns: &[(f64, &limited::Search<'_>)] = if speaks && input.len() <= MAX_SMALL_BYTES
            {
                &[(LOCATED_TURN_SHARE, &located), (PREFIXES_TURN_SHARE, &by_prefixes)]
            } else {
                &[(ONLY_TURN_SHARE, &located)]
            };
            limited::closest_of_all(validator, input, options, best, turns)
        }
        Strategy::Auto | Strategy::Hybrid => hybrid(validator, input, options, best),
    }
}

/// ddmax over the differences from a valid base: terminals first, then bytes.
fn from_base(
    validator: &mut dyn Validate,
    base: &[u8],
    input: &[u8],
    options: &Options,
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    if !validator.is_valid(base)? {
        return Ok(());
    }
    best.offer(base);
    if options.strategy != Strategy::Ddmax {
        approach(validator, input, &|text| options.terminals(text), false, best)?;
    }
    if options.strategy != Strategy::Syntactic {
        approach(validator, input, &|text| options.lexical.units(text), false, best)?;
    }
    Ok(())
}

/// The share of the budget for valid texts of other inputs, so that more than half is left for the input
/// itself. Not measured.
const SIBLINGS_SHARE: f64 = 0.4;

/// The nearest valid text of another input, and what of the input can be added to it.
fn from_siblings(
    validator: &mut dyn Validate,
    input: &[u8],
    options: &Options,
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    for sibling in siblings::nearest(&options.siblings, input) {
        let mut own = Best::new(input);
        let ended = from_base(validator, sibling, input, options, &mut own);
        best.take_over(own);
        ended?;
    }
    Ok(())
}

/// ddmax over the differences between the best and `input`, in the units that `cut` makes of either.
fn approach(
    validator: &mut dyn Validate,
    input: &[u8],
    cut: &dyn Fn(&[u8]) -> Units,
    keeps_base: bool,
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    let Some(base) = best.text().map(<[u8]>::to_vec) else { return Ok(()) };
    let units = (cut(&base), cut(input));
    let (base, input) = ((base.as_slice(), &units.0), (input, &units.1));
    towards(validator, base, input, keeps_base, &mut |text| best.offer(&text))
}

/// Tests spent on bringing back dropped bytes, where each costs a process: as many as for filling
/// gaps, so that the end of a repair takes a second and not a minute. Not measured.
const RESTORE_TESTS_SLOW: usize = 150;
/// The same where a test costs microseconds: some milliseconds, so that ddmax over a few dozen units ends
/// by itself. Not measured.
const RESTORE_TESTS_QUICK: usize = 4000;

/// A repair of more edits than this lacks lines, because no fault costs this many bytes. Then gaps are
/// filled first.
const MAX_EDITS_WITHOUT_LINES: usize = 256;

/// The share of the budget that repairs by messages may use. 0.9 and not 0.7 since 2026-11-22, because
/// SQL with five damaged places continues after dropped faults. It does not matter where the validator
/// prints nothing and the text has no tags.
const LOCATED_SHARE: f64 = 0.9;
/// The share after which deletions are tried alone if nothing valid is known by then, because they would
/// otherwise find more in the same budget.
const GUIDED_SHARE: f64 = 0.6;
/// The share after which a valid text that is known gets back the bytes that it lacks, so that restoring has a
/// tenth of the budget.
const RESTORE_SHARE: f64 = 0.9;
/// A repair by messages of so few edits is taken as it is, because the other searches rarely come closer
/// (docs/notes/2026-11-22-repair-by-messages.md). 24 was not measured.
const MAX_ACCEPTED_EDITS: usize = 24;

/// The share of the budget for edits that a grammar finds where the validator names no place. Not measured.
const HINTED_SHARE: f64 = 0.4;
/// A repair by a grammar of so few edits is taken as it is: no valid text is closer than one edit.
const MAX_HINTED_EDITS: usize = 1;

/// In texts of at most this many bytes repairs by prefixes get a separate turn, because prefixes are
/// few and need few tests.
const MAX_SMALL_BYTES: usize = 1024;
/// The share of the remaining budget for the first turn of the search by messages, where a limit is set and the
/// text is small. Measured over 120 lists of 20 to 80 bytes with 1 to 6 damaged bytes and 60 tests: 0.15
/// and 0.5 gave results that were 1,176 edits off in sum, 0.25 and 0.33 gave 1,623, and deletions alone
/// gave 1,500 (2026-11-22).
const LOCATED_TURN_SHARE: f64 = 0.15;
/// The same for the search by prefixes: the second number of the measurement for
/// `LOCATED_TURN_SHARE`.
const PREFIXES_TURN_SHARE: f64 = 0.5;
/// The share of the only search where the text is larger or the validator prints nothing, so that
/// deletions alone get at least four tenths of the limit.
const ONLY_TURN_SHARE: f64 = 0.5;

/// Edits where the validator says that the fault is, then fault by fault by prefixes.
fn auto(
    validator: &mut dyn Validate,
    input: &[u8],
    options: &Options,
    answer: &Answer,
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    let said = answer.complaint();
    let names_place = said.is_some_and(|said| located::names_place(said.text(), input));
    if let Some(grammar) = options.hints.as_deref().filter(|_| !names_place) {
        let mut capped = Capped::until(validator, HINTED_SHARE);
        located::mend_by_grammar(&mut capped, grammar, input, best)?;
        if best.distance() <= MAX_HINTED_EDITS {
            return Ok(());
        }
    }
    let is_located = said.is_some() || located::is_nested(input);
    let mut begun = None;
    if is_located {
        let mended = located::mend(&mut Capped::until(validator, LOCATED_SHARE), input, best)?;
        lost_lines(validator, input, best)?;
        if best.text().is_some() && best.distance() <= MAX_ACCEPTED_EDITS {
            return Ok(());
        }
        // Fewer faults are left in the mended text.
        begun = is_poor(best, input).then_some(mended);
    }
    by_prefixes(validator, input, begun.as_deref(), options, best)?;
    last_resort::complete(validator, input, best)
}

/// Whether there is no valid text yet, or none that keeps half of the input: a prefix, for example.
fn is_poor(best: &Best<'_>, input: &[u8]) -> bool {
    best.distance() > input.len() / 2
}

/// Small edits, fault by fault, in `begun` or in `input`; bytes of `input` that they dropped come back.
fn by_prefixes(
    validator: &mut dyn Validate,
    input: &[u8],
    begun: Option<&[u8]>,
    options: &Options,
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    let start = begun.unwrap_or(input);
    // What comes next has to have a share, or deletions alone would find more in the same budget.
    let share = if is_poor(best, input) { GUIDED_SHARE } else { RESTORE_SHARE };
    let mut capped = Capped::until(validator, share);
    let Remainder { was_cleaned, unfinished } = mend(&mut capped, start, options, false, best)?;
    let is_cut_short = capped.is_cut_short();
    if is_poor(best, input) {
        let has_none = best.text().is_none();
        let mut own = Best::new(input);
        let ended = hybrid(validator, input, options, &mut own);
        best.take_over(own);
        ended?;
        if is_cut_short && has_none {
            best.cut_short();
        }
        return Ok(());
    }
    if let Some(text) = unfinished.filter(|_| best.distance() > MAX_EDITS_WITHOUT_LINES) {
        fill_gaps(validator, &text, options, best)?;
    }
    let most = if validator.is_slow() { RESTORE_TESTS_SLOW } else { RESTORE_TESTS_QUICK };
    let mut capped = Capped::new(validator, most);
    // The replacement of a byte that no text has may be dropped too.
    let keeps_base = !was_cleaned;
    // Guessed terminals, with a grammar too: its own came no closer, in more tests.
    approach(&mut capped, input, &terminals, keeps_base, best)?;
    approach(&mut capped, input, &|text| options.lexical.units(text), keeps_base, best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Counts, StopReason};
    use crate::repair::distance::distance;
    use crate::repair::repair;
    use crate::repair::validate::InPlace;
    use seedsmith_engine::internal::Budget;

    fn repair_json(input: &str, options: &Options) -> (String, Counts) {
        let is_valid = |bytes: &[u8]| {
            bytes.is_empty() || serde_json::from_slice::<serde_json::Value>(bytes).is_ok()
        };
        let mut validator = InPlace::new(is_valid, Budget::default());
        let repair = repair(&mut validator, input.as_bytes(), options).unwrap();
        (String::from_utf8(repair.text.unwrap()).unwrap(), repair.counts)
    }

    fn by(strategy: Strategy) -> Options {
        Options { strategy, ..Options::default() }
    }

    #[test]
    fn the_default_undoes_the_damage_of_the_examples() {
        let repaired = |input| repair_json(input, &Options::default()).0;
        assert_eq!(
            repaired(r#"{ "item": "Apple", "price": **3.45 }"#),
            r#"{ "item": "Apple", "price": 3.45 }"#
        );
        let compact = r#"{"item":"Apple","price":3.45}"#;
        assert_eq!(repaired(r#"{"item":"Apple","price":**3.45}"#), compact);
        assert_eq!(repaired(r#"{"item":"Apple","price"3.45}"#), compact);
    }

    #[test]
    fn a_text_that_an_earlier_search_has_found_does_not_end_the_search_for_a_closer_one() {
        let options = Options { known: Some(b"3.45".to_vec()), ..Options::default() };
        let (text, _) = repair_json(r#"{"item":"Apple","price":**3.45}"#, &options);
        assert_eq!(text, r#"{"item":"Apple","price":3.45}"#);
    }

    #[test]
    fn a_first_brace_that_became_a_letter_is_one_again() {
        let text =
            "{\n \"name\": \"x\",\n \"files\": [\n  \"y\"\n ],\n \"main\": \"z\",\n \"n\": 1\n}\n";
        for wrong in ["y", "", "{{"] {
            let damaged = text.replacen('{', wrong, 1);
            assert_eq!(repair_json(&damaged, &Options::default()).0, text);
        }
    }

    #[test]
    fn a_keyword_that_lacks_a_letter_gets_it_back_though_it_stands_nowhere_else() {
        let is_valid = |bytes: &[u8]| bytes.starts_with(b"graph G {") && bytes.ends_with(b"}");
        let text = "graph G {\n kernel [ root=true ]\n run -- intr;\n intr -- runbl;\n}";
        for lost in 0..5 {
            let mut damaged = text.to_owned();
            damaged.remove(lost);
            let mut validator = InPlace::new(is_valid, Budget::default());
            let repair = repair(&mut validator, damaged.as_bytes(), &Options::default()).unwrap();
            assert_eq!(String::from_utf8(repair.text.unwrap()).unwrap(), text);
        }
    }

    #[test]
    fn of_faults_side_by_side_each_costs_few_tests() {
        // Numbers that are too large, in three lines of many.
        let is_valid = |bytes: &[u8]| {
            bytes.split(|byte| *byte == b'\n').all(|line| {
                let text = std::str::from_utf8(line).unwrap_or("?").trim();
                text.is_empty()
                    || text.strip_prefix("f ").is_some_and(|numbers| {
                        numbers.split(' ').all(|one| one.parse::<u32>().is_ok_and(|n| n < 331))
                    })
            })
        };
        let line = |n: u32| format!("f {} {} {}\n", 100 + n * 7 % 230, 100 + n * 11 % 230, 100 + n);
        let text: String = (0..234).map(line).collect();
        let mut validator = InPlace::new(is_valid, Budget::default());
        let repair = repair(&mut validator, text.as_bytes(), &Options::default()).unwrap();
        assert!(distance(text.as_bytes(), &repair.text.unwrap(), 9) <= 4);
        assert!(repair.counts.tests < 3000, "{}", repair.counts.tests);
    }

    #[test]
    fn where_the_budget_ends_early_the_lines_behind_come_back_in_lots() {
        let is_valid = |bytes: &[u8]| {
            bytes.split(|byte| *byte == b'\n').all(|line| {
                line.is_empty() || line.len() == 9 && line.iter().all(u8::is_ascii_digit)
            })
        };
        let line = |n: u32| format!("{:09}\n", n * 7919);
        let lines: Vec<String> = (0..600).map(line).collect();
        let mut damaged = lines.clone();
        // Several faults in a line, which take long.
        (50..600).step_by(50).for_each(|at| damaged[at].insert_str(3, "x?!-y"));
        let (text, damaged) = (lines.concat(), damaged.concat());
        let budget = Budget { max_tests: Some(1500), ..Budget::default() };
        let mut validator = InPlace::new(is_valid, budget);
        let repair = repair(&mut validator, damaged.as_bytes(), &Options::default()).unwrap();
        let off = distance(text.as_bytes(), &repair.text.unwrap(), text.len());
        assert!(off <= 110, "{off}");
    }

    #[test]
    fn a_repair_that_left_something_out_for_lack_of_budget_says_so() {
        let is_valid = |bytes: &[u8]| {
            bytes.split(|byte| *byte == b'\n').all(|line| {
                line.is_empty() || line.len() == 9 && line.iter().all(u8::is_ascii_digit)
            })
        };
        let mut damaged: Vec<String> = (0..600).map(|n| format!("{:09}\n", n * 7919)).collect();
        (50..600).step_by(50).for_each(|at| damaged[at].insert_str(3, "x?!-y"));
        let damaged = damaged.concat();
        let stopped = |max_tests| {
            let budget = Budget { max_tests, ..Budget::default() };
            let mut validator = InPlace::new(is_valid, budget);
            let repair = repair(&mut validator, damaged.as_bytes(), &Options::default()).unwrap();
            assert!(repair.text.is_some());
            (repair.stopped, repair.counts.tests)
        };
        // It ends before its last test: the rest of the budget is too small for another fault.
        let (reason, tests) = stopped(Some(1500));
        assert_eq!(reason, Some(StopReason::Tests), "{tests} tests");
        assert_eq!(stopped(None).0, None);
    }

    #[test]
    fn of_equally_close_texts_the_one_that_keeps_more_is_taken() {
        // Like jq, which reads `.45` as a number.
        let is_valid = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes).replace(":.", ":0.");
            bytes.is_empty() || serde_json::from_str::<serde_json::Value>(&text).is_ok()
        };
        let mut validator = InPlace::new(is_valid, Budget::default());
        let input = br#"{"item":"Apple","price"3.45}"#;
        let repair = repair(&mut validator, input, &Options::default()).unwrap();
        assert_eq!(repair.text.unwrap(), br#"{"item":"Apple","price":3.45}"#);
    }

    #[test]
    fn a_strategy_named_after_figure_5_is_figure_5() {
        let (text, counts) =
            repair_json(r#"{"item":"Apple","price":**3.45}"#, &by(Strategy::Ddmax));
        // One more than the algorithm's own: the input itself.
        assert_eq!((text.as_str(), counts.calls), ("3.45", 341 + 1));
        let (text, counts) =
            repair_json(r#"{"item":"Apple","price"3.45}"#, &by(Strategy::Syntactic));
        assert_eq!((text.as_str(), counts.calls), (r#""item""#, 36 + 1));
    }
}
