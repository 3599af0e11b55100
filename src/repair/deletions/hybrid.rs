//! Hybrid repair, which adds nothing: guidance by deletions, ddmax over terminals where that finds
//! nothing, then what went without need comes back gap by gap.
//!
//! Source: 'Debugging Inputs', section 9, has syntactic ddmax first and lexical ddmax inside what it
//! dropped. That is what this does where guidance fails; the gaps are filled in fewer tests.

use crate::repair::best::Best;
use crate::repair::deletions::gaps;
use crate::repair::guided::whole_input::mend;
use crate::repair::options::Options;
use crate::repair::restore::from_nothing;
use crate::repair::validate::Validate;
use crate::repair::validate::capped::Capped;
use seedsmith_engine::Stopped;

/// Tests spent on filling gaps, and of these, tests of dropping something else in place of a gap, where a
/// test costs microseconds: some 10 ms. Before gaps were filled one by one, 4,000 tests brought back
/// nothing on an OBJ file (docs/notes/2026-11-21-repair.md).
const FILL_TESTS_QUICK: (usize, usize) = (8000, 1500);
/// The same where a test costs a process: few, because each takes a millisecond at least. Not measured.
const FILL_TESTS_SLOW: (usize, usize) = (150, 60);

/// Tests of guidance where nothing may be added, because it rather drops the faults that are left by then,
/// and gaps are filled in fewer tests. On the OBJ file guidance had spent 9,000 before
/// (docs/notes/2026-11-21-repair.md).
const GUIDANCE_TESTS: usize = 3000;

/// Tests of lexical ddmax where the text found lacks more than a byte, because anything that it finds in
/// such a text it mostly finds in 100 (docs/notes/2026-11-21-repair.md).
const LEXICAL_TESTS: usize = 256;

/// Looks for the largest valid part of `input`, which is invalid.
///
/// Valid texts are offered to `best`, on the way too. Guidance, filling gaps and lexical ddmax are
/// limited in tests by the constants above; ddmax over terminals, which is asked where guidance
/// finds nothing, is limited by the budget alone.
pub(in crate::repair) fn hybrid(
    validator: &mut dyn Validate,
    input: &[u8],
    options: &Options,
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    // Terminals of a part need not be terminals of the whole, so bringing some back could add bytes.
    best.take_parts_only();
    mend(&mut Capped::new(validator, GUIDANCE_TESTS), input, options, true, best)?;
    if best.text().is_none() {
        from_nothing(validator, (input, &options.terminals(input)), best)?;
    }
    fill_gaps(validator, input, options, best)?;
    if best.distance() > 1 && lexical_for_a_while(validator, input, options, best)? {
        fill_gaps(validator, input, options, best)?;
    }
    Ok(())
}

/// Brings back what the best, a part of `input`, dropped: gap by gap.
///
/// Nothing is done if there is no valid text yet. Costs the tests of `FILL_TESTS_QUICK` or
/// `FILL_TESTS_SLOW`.
pub(in crate::repair) fn fill_gaps(
    validator: &mut dyn Validate,
    input: &[u8],
    options: &Options,
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    let Some(text) = best.text().map(<[u8]>::to_vec) else { return Ok(()) };
    let (most, runs) = if validator.is_slow() { FILL_TESTS_SLOW } else { FILL_TESTS_QUICK };
    let mut capped = Capped::new(validator, most);
    let units = (&options.terminals(input), &options.lexical.units(input));
    gaps::fill(&mut capped, input, &text, units, runs, &mut |text| best.offer(text))
}

/// Figure 5 from the empty input, as far as a few tests go, and whether it came closer: what is wrong
/// once is often undone far before where it shows, which figure 5 finds at once or not at all.
fn lexical_for_a_while(
    validator: &mut dyn Validate,
    input: &[u8],
    options: &Options,
    best: &mut Best<'_>,
) -> Result<bool, Stopped> {
    let before = best.distance();
    let mut capped = Capped::new(validator, LEXICAL_TESTS);
    from_nothing(&mut capped, (input, &options.lexical.units(input)), best)?;
    Ok(best.distance() < before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::repair;
    use crate::repair::validate::InPlace;
    use seedsmith_engine::internal::Budget;

    /// The rest of `input` after deletions alone, and in how many tests.
    fn part(input: &str, is_valid: impl Fn(&[u8]) -> bool) -> (String, u64) {
        let mut validator = InPlace::new(is_valid, Budget::default());
        let options = Options { only_delete: true, ..Options::default() };
        let repair = repair(&mut validator, input.as_bytes(), &options).unwrap();
        (String::from_utf8(repair.text.unwrap()).unwrap(), repair.counts.tests)
    }

    fn is_json(bytes: &[u8]) -> bool {
        bytes.is_empty() || serde_json::from_slice::<serde_json::Value>(bytes).is_ok()
    }

    #[test]
    fn figure_5_is_asked_for_a_while_and_says_whether_it_came_closer() {
        let input = "of one hundred bytes or more, one! is wrong".repeat(3).replacen('!', "", 2);
        let mut validator = InPlace::new(|bytes: &[u8]| !bytes.contains(&b'!'), Budget::default());
        let mut best = Best::new(input.as_bytes());
        best.offer(b"of one hundred bytes");
        let mut ask = || {
            lexical_for_a_while(&mut validator, input.as_bytes(), &Options::default(), &mut best)
        };
        assert!(ask().unwrap());
        assert!(!ask().unwrap());
        assert_eq!(best.take().unwrap(), input.replace('!', "").as_bytes());
        assert!(validator.counts().tests < LEXICAL_TESTS as u64);
    }

    #[test]
    fn a_bracket_that_nothing_closes_goes_in_a_few_tests() {
        let is_valid = |bytes: &[u8]| {
            let mut depth = 0i32;
            let is_never_below = bytes.iter().all(|byte| {
                depth += i32::from(*byte == b'(') - i32::from(*byte == b')');
                depth >= 0
            });
            is_never_below && depth == 0
        };
        let input = format!("x (a); y (b;{} z (c);", " n;".repeat(700));
        let (text, tests) = part(&input, is_valid);
        assert_eq!(text, input.replacen("(c", "c", 1));
        assert!(tests < 60, "{tests}");
    }

    #[test]
    fn a_lost_quote_costs_a_few_bytes_of_two_lines() {
        let input = "{\n \"a\": 1,\n b\": [\"x\"],\n \"c\": [\"y\", \"z\"],\n \"d\": {}\n}\n";
        let (text, tests) = part(input, is_json);
        // Without its key the value is that of the line before it, whose own one goes.
        assert_eq!(text, input.replace("1,\n b\": ", "\n  "));
        assert!(tests < 400, "{tests}");
    }

    #[test]
    fn what_is_whole_stays() {
        let (text, _) = part(r#"{"item":"Apple","price"3.45}"#, is_json);
        assert_eq!(text, r#"{"item":"Apple"}"#);
        let (text, _) = part(r#"{"item":"Apple","price":**3.45}"#, is_json);
        assert_eq!(text, r#"{"item":"Apple","price":3.45}"#);
    }
}
