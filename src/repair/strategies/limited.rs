//! The default where a limit is set: several searches, each with its turn, and the closest of
//! their results.
//!
//! Deletions alone often find something valid where the other searches are stuck, and are rarely the closest
//! elsewhere. Without a limit the default tries them where it has found nothing. With a limit the other
//! searches could use up all of it before. So the other searches get turns, and deletions alone
//! get at least four tenths of the limit. They start from the text that the other searches have mended so far, because
//! fewer faults are left in it, and drop the lines of these faults before anything else. Where the limit ends
//! a repair, or where an eighth of the input or more was changed, the result is at least as close as that of deletions
//! alone with four tenths of the tests, or it has lost at most one byte of the input.
//!
//! With all of the tests deletions alone are closer on some texts. More turns for them cost more than that gains:
//! of 333 damaged JSON texts with 60 tests, deletions alone are closer on 10, 8 and 5 if they get 0.42, 0.55 and
//! 0.7 of the tests, and the sum of edits is 24,705, 30,928 and 34,486 (2026-11-22).

use super::super::best::Best;
use super::super::options::Options;
use super::super::validate::Validate;
use crate::repair::deletions::hybrid::hybrid;
use crate::repair::located;
use crate::repair::restore::lost_lines::lost_lines;
use crate::repair::validate::slice::Slice;
use seedsmith_engine::Stopped;

/// A search that has used less than this share of its turn has left nothing out for lack of budget,
/// because from half of a budget on stages are hasty.
const COMPLETE_SHARE: f64 = 0.5;

/// A result is far if more bytes than the input's length divided by this were changed: deletions alone may be
/// closer, also where the search that found it has nothing left to try. No file of the public corpus has such a
/// result (2026-11-23); tests of this file have.
const FAR_DIVISOR: usize = 8;

/// A result that has lost at most one byte of the input is taken if it has no more edits than this. The same
/// number as for repairs by messages; not measured.
const MAX_ADDED_BYTES: usize = 24;

/// The share of the remaining budget for deletions alone, so that a little is left for bringing back lines, and
/// deletions still get four tenths of the limit. Not measured.
const DELETIONS_TURN_SHARE: f64 = 0.95;

/// The share of that turn for dropping faults of the mended text where they are, if nothing close is known. Not measured.
const DROPS_TURN_SHARE: f64 = 0.8;

/// A search of the default: it asks a validator, and offers valid texts to a `Best`.
pub(super) type Search<'s> = dyn Fn(&mut dyn Validate, &mut Best<'_>) -> Result<(), Stopped> + 's;

/// Runs the searches one after the other until one has ended by itself, each with its share of the remaining budget,
/// then deletions alone, then the searches again with all that is left.
pub(super) fn closest_of_all(
    validator: &mut dyn Validate,
    input: &[u8],
    options: &Options,
    best: &mut Best<'_>,
    searches: &[(f64, &Search<'_>)],
) -> Result<(), Stopped> {
    for (share, search) in searches {
        let mut own = Best::new(input);
        let mut turn = Slice::of(validator, *share);
        let ended = search(&mut turn, &mut own);
        let (is_over, is_complete) =
            (turn.is_over(), ended.is_ok() && turn.spent() < COMPLETE_SHARE);
        best.take_over(own);
        // Deletions alone lose a byte too, because the input is not valid.
        let is_accepted = ended.is_ok() && !is_over && best.distance() <= MAX_ADDED_BYTES;
        if is_accepted && best.lost_bytes() <= 1 {
            return Ok(());
        }
        if best.distance() <= 1 || is_complete && best.distance() <= input.len() / FAR_DIVISOR {
            return Ok(());
        }
        if is_complete {
            break;
        }
        if !is_over {
            ended?;
        }
        if options.ends_with_half && best.distance() <= input.len() / 2 {
            best.cut_short();
            return Ok(());
        }
    }
    let ended =
        within(validator, DELETIONS_TURN_SHARE, &mut |turn| delete(turn, input, options, best));
    if ended.as_ref().is_ok_and(|is_done| !is_done) {
        best.cut_short();
    }
    let mut ended = ended.and_then(|_| lost_lines(&mut Slice::of(validator, 1.0), input, best));
    // The tests of the first turns are known and cost nothing.
    for (_, search) in searches {
        let mut own = Best::new(input);
        ended = ended.and_then(|()| search(&mut Slice::of(validator, 1.0), &mut own));
        best.take_over(own);
    }
    ended
}

/// Deletions alone, of the text with its first faults mended if there is one, and of the input.
///
/// If nothing close is known, the lines of the faults that are left in the mended text are dropped before.
fn delete(
    turn: &mut dyn Validate,
    input: &[u8],
    options: &Options,
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    let mended = best.mended().map(<[u8]>::to_vec);
    if let Some(text) = mended.as_deref().filter(|_| best.distance() > input.len() / FAR_DIVISOR) {
        within(turn, DROPS_TURN_SHARE, &mut |turn| located::drop_faults(turn, text, best))?;
    }
    for text in mended.as_deref().into_iter().chain([input]) {
        let mut shortest = Best::new(text);
        let ended = hybrid(turn, text, options, &mut shortest);
        best.take_over(shortest);
        ended?;
    }
    Ok(())
}

/// Runs a step with a share of the remaining budget, whose end is not the end of the repair. The step behaves as with a
/// fresh budget. Returns whether it was done by then.
fn within(
    validator: &mut dyn Validate,
    share: f64,
    step: &mut dyn FnMut(&mut dyn Validate) -> Result<(), Stopped>,
) -> Result<bool, Stopped> {
    let mut turn = Slice::of(validator, share);
    match step(&mut turn) {
        Err(Stopped::Early(_)) if turn.is_over() => Ok(false),
        ended => ended.map(|()| true),
    }
}

#[cfg(test)]
mod tests {
    use super::FAR_DIVISOR;
    use crate::repair::distance::alignment::Alignment;
    use crate::repair::distance::distance;
    use crate::repair::validate::InPlace;
    use crate::repair::{Options, repair};
    use seedsmith_engine::internal::Budget;
    use seedsmith_grammar::Random;

    /// Nested lists of names; an error names the place.
    fn list(text: &[u8]) -> Result<(), String> {
        let (mut depth, mut at_item) = (0usize, true);
        for (at, byte) in text.iter().enumerate() {
            let fits = match byte {
                b'(' if at_item => {
                    depth += 1;
                    true
                }
                b')' if depth > 0 && (!at_item || at > 0 && text[at - 1] == b'(') => {
                    depth -= 1;
                    at_item = false;
                    true
                }
                b',' if depth > 0 && !at_item => {
                    at_item = true;
                    true
                }
                b'a'..=b'z' if depth > 0 => {
                    let goes_on = at > 0 && text[at - 1].is_ascii_lowercase();
                    let fits = at_item || goes_on;
                    at_item = false;
                    fits
                }
                _ => false,
            };
            if !fits || depth == 0 && at + 1 < text.len() {
                return Err(format!("offset {at}: unexpected"));
            }
        }
        if depth > 0 || text.is_empty() {
            return Err(format!("offset {}: unexpected end", text.len()));
        }
        Ok(())
    }

    /// A list of some 20 to 80 bytes, and the same with `edits` damaged bytes.
    fn damaged(random: &mut Random, edits: usize) -> Vec<u8> {
        fn grow(random: &mut Random, depth: usize, out: &mut Vec<u8>) {
            if depth == 0 || random.below(3) == 0 {
                (0..=random.below(4)).for_each(|_| out.push(b'a' + random.below(26) as u8));
                return;
            }
            out.push(b'(');
            for item in 0..=random.below(4) {
                if item > 0 {
                    out.push(b',');
                }
                grow(random, depth - 1, out);
            }
            out.push(b')');
        }
        loop {
            let mut text = Vec::new();
            grow(random, 4, &mut text);
            if !(20..80).contains(&text.len()) {
                continue;
            }
            for _ in 0..edits {
                let at = random.below(text.len());
                let byte = b"(),!az"[random.below(6)];
                match random.below(3) {
                    0 => drop(text.remove(at)),
                    1 => text.insert(at, byte),
                    _ => text[at] = byte,
                }
            }
            if list(&text).is_err() {
                return text;
            }
        }
    }

    /// Edits in sum, and texts without a result, of `count` damaged lists.
    fn off(count: usize, limit: u64, speaks: bool, only_delete: bool) -> (usize, usize) {
        let mut random = Random::new(7);
        let options = Options { only_delete, ..Options::default() };
        let (mut sum, mut without) = (0, 0);
        for number in 0..count {
            let text = damaged(&mut random, 1 + number % 6);
            let is_valid = |bytes: &[u8]| {
                let said = list(bytes);
                if speaks { said } else { said.map_err(|_| String::new()) }
            };
            let budget = Budget { max_tests: Some(limit), ..Budget::default() };
            let mut validator = InPlace::new(is_valid, budget);
            let done = repair(&mut validator, &text, &options).unwrap();
            assert!(done.counts.tests <= limit);
            without += usize::from(done.text.is_none());
            sum += done.text.map_or(text.len(), |found| distance(&text, &found, 999));
        }
        (sum, without)
    }

    #[test]
    fn under_any_limit_the_default_is_closer_in_sum_and_valid_more_often_than_deletions_alone() {
        for limit in [60, 150, 400] {
            for speaks in [false, true] {
                let (sum, without) = off(24, limit, speaks, false);
                let (deleted, without_deleted) = off(24, limit, speaks, true);
                assert!(without <= without_deleted, "{limit} {speaks}: {without}");
                assert!(sum <= deleted, "{limit} {speaks}: {sum}, and {deleted} by deletions");
            }
        }
    }

    /// Statements `put (word, number);`; an error names a word, as that of SQLite does, and no place.
    fn statements(text: &[u8]) -> Result<(), String> {
        for line in String::from_utf8_lossy(text).lines() {
            let words: Vec<&str> = line.split(|c: char| !c.is_ascii_alphanumeric()).collect();
            let [first, "", name, "", number, "", ""] = words[..] else {
                return Err(format!("near \"{}\": syntax error", words[0]));
            };
            if first != "put" || name.is_empty() || number.parse::<u32>().is_err() {
                return Err(format!("near \"{first}\": syntax error"));
            }
        }
        Ok(())
    }

    #[test]
    fn a_hundred_tests_are_enough_to_keep_most_of_a_script_with_five_faults() {
        let line = |n: u32| format!("put (name{}, {});\n", n * 7919 % 1000, n * 37);
        let text: String = (0..400).map(line).collect();
        assert_eq!(statements(text.as_bytes()), Ok(()));
        let mut damaged: Vec<String> = text.lines().map(|line| format!("{line}\n")).collect();
        damaged[290].insert(1, '8');
        damaged[310] = "x!x (((, 7 zz\n".to_owned();
        damaged[330].insert(4, '7');
        damaged[350].replace_range(0..5, "t ( , pu");
        damaged[370].replace_range(0..5, "pu( t");
        let damaged = damaged.concat();
        let budget = Budget { max_tests: Some(100), ..Budget::default() };
        let mut validator = InPlace::new(statements, budget);
        let done = repair(&mut validator, damaged.as_bytes(), &Options::default()).unwrap();
        let off = distance(damaged.as_bytes(), &done.text.unwrap(), damaged.len());
        assert!(off <= damaged.len() / 7, "{off} of {}", damaged.len());
    }

    #[test]
    fn a_result_is_never_worse_than_that_of_deletions_alone_in_four_tenths_of_the_tests() {
        for (limit, seed) in [60, 150, 400, 1000].into_iter().flat_map(|n| [(n, 11), (n, 12)]) {
            for speaks in [false, true] {
                let mut random = Random::new(seed);
                for number in 0..6 {
                    let text = damaged(&mut random, 1 + number % 6);
                    let found = |only_delete, max_tests| {
                        let is_valid = |bytes: &[u8]| {
                            let said = list(bytes);
                            if speaks { said } else { said.map_err(|_| String::new()) }
                        };
                        let budget = Budget { max_tests: Some(max_tests), ..Budget::default() };
                        let options = Options { only_delete, ..Options::default() };
                        let mut validator = InPlace::new(is_valid, budget);
                        let done = repair(&mut validator, &text, &options).unwrap();
                        let off = |found: &Vec<u8>| distance(&text, found, 999);
                        let kept = |found: &Vec<u8>| Alignment::of(&text, found).kept();
                        let found = done.text.as_ref();
                        (found.map_or(usize::MAX, off), found.map_or(0, kept), done.stopped)
                    };
                    let (off, kept, stopped) = found(false, limit);
                    let (deleted, deletions_keep, _) = found(true, limit * 4 / 10);
                    // A search that ended by itself with a close text was cut short by no limit.
                    let is_close = stopped.is_none() && off <= text.len() / FAR_DIVISOR;
                    // One that adds bytes and loses at most one keeps no less than deletions do.
                    let keeps_most = kept + 1 >= text.len() && kept >= deletions_keep;
                    let is_as_good = is_close || keeps_most || off <= deleted;
                    assert!(is_as_good, "{limit} {speaks}: {off} {deleted}");
                }
            }
        }
    }
}
