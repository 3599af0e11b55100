//! The strategies, made of the algorithms beside this file.

use super::best::Best;
use super::capped::Capped;
use super::encoding::as_text;
use super::gaps;
use super::guided::{Allowance, Guide};
use super::likelihood::Likelihood;
use super::options::{Lexical, Options, Strategy};
use super::restore::towards;
use super::validate::Validate;
use crate::oracle::Stopped;
use crate::structure::Units;
use crate::structure::layout::Layout;
use crate::structure::terminals;

/// Repairs `input` by the strategy of `options`; what is found on the way is in `best`.
pub(super) fn run(
    validator: &mut dyn Validate,
    input: &[u8],
    options: &Options,
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    if let Some(base) = &options.base {
        return from_base(validator, base, input, options, best);
    }
    match options.strategy {
        Strategy::Ddmax => exactly(validator, input, &lexical(input, options.lexical), best),
        Strategy::Syntactic => exactly(validator, input, &terminals(input, options), best),
        Strategy::Hybrid => hybrid(validator, input, options, best),
        Strategy::Auto if options.only_delete => hybrid(validator, input, options, best),
        Strategy::Auto => auto(validator, input, options, best),
    }
}

/// The elements of syntactic ddmax.
fn terminals(input: &[u8], options: &Options) -> Units {
    let read = options.reader.as_ref().and_then(|reader| reader.terminals(input));
    read.unwrap_or_else(|| terminals::terminals(input))
}

/// The elements of lexical ddmax.
fn lexical(input: &[u8], unit: Lexical) -> Units {
    match unit {
        Lexical::Bytes => Units::bytes(input.len()),
        Lexical::Characters => {
            let begins = |at: &u32| *at == 0 || !matches!(input[*at as usize], 0x80..=0xbf);
            Units::beginning_at((0..input.len() as u32).filter(begins).collect(), input.len())
        }
    }
}

/// Figure 5 over units, from the empty input. An invalid base that nothing could be added to is
/// no repair.
fn exactly(
    validator: &mut dyn Validate,
    input: &[u8],
    units: &Units,
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    if validator.is_valid(input)? {
        best.offer(input);
        return Ok(());
    }
    let base: (&[u8], _) = (b"", &Units::bytes(0));
    towards(validator, base, (input, units), true, &mut |text| best.offer(&text))?;
    if best.text().is_none() && validator.is_valid(b"")? {
        best.offer(b"");
    }
    Ok(())
}

/// ddmax over the differences from a valid base: terminals first, then bytes.
fn from_base(
    validator: &mut dyn Validate,
    base: &[u8],
    input: &[u8],
    options: &Options,
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    if validator.is_valid(input)? {
        best.offer(input);
        return Ok(());
    }
    if !validator.is_valid(base)? {
        return Ok(());
    }
    best.offer(base);
    let keeps_base = false;
    if options.strategy != Strategy::Ddmax {
        let units = (terminals(base, options), terminals(input, options));
        let (base, input) = ((base, &units.0), (input, &units.1));
        towards(validator, base, input, keeps_base, &mut |text| best.offer(&text))?;
    }
    if options.strategy != Strategy::Syntactic {
        let nearest = best.text().unwrap_or_default().to_vec();
        let units = (lexical(&nearest, options.lexical), lexical(input, options.lexical));
        let (base, input) = ((nearest.as_slice(), &units.0), (input, &units.1));
        towards(validator, base, input, keeps_base, &mut |text| best.offer(&text))?;
    }
    Ok(())
}

/// Mends fault by fault, and tells whether bytes that no text has were mended beforehand.
fn guide(
    validator: &mut dyn Validate,
    input: &[u8],
    options: &Options,
    only_delete: bool,
    best: &mut Best<'_>,
) -> Result<bool, Stopped> {
    let recovered = options.reader.as_ref().and_then(|one| one.recovered(input, only_delete));
    if let Some(recovered) = recovered
        && validator.is_valid(&recovered)?
    {
        best.offer(&recovered);
        if best.distance() <= 1 {
            return Ok(false);
        }
    }
    let mut likelihood = Likelihood::after(options.learnt.clone());
    likelihood.learn(input);
    let usual = match (validator.is_slow(), only_delete) {
        (true, _) => Allowance::SLOW,
        (false, true) => Allowance::DELETIONS,
        (false, false) => Allowance::QUICK,
    };
    let layout = Layout::guess(input);
    let cleaned = as_text(input, &likelihood, only_delete);
    let texts = cleaned.as_deref().into_iter().chain([input]);
    for text in texts {
        let mut reached = None;
        for layout in [layout, layout.other()] {
            let guide = Guide {
                likelihood: &likelihood,
                layout,
                only_delete,
                allowance: options.allowance.unwrap_or(usual),
            };
            // A layout that isn't the text's own tells nothing, and would try everything in vain.
            let reach = guide.reach(validator, text)?;
            if reached.is_some_and(|reached| reach < reached) {
                continue;
            }
            reached = Some(reach);
            let is_mended = guide.repair(validator, text, &mut |text| best.offer(text))?;
            if is_mended && (best.distance() <= 2 || best.distance() * 8 <= input.len()) {
                return Ok(cleaned.is_some());
            }
        }
    }
    Ok(cleaned.is_some())
}

/// Tests spent on bringing back what was dropped, where each costs a process.
const SLOW_RESTORE: usize = 150;
/// The same where a test costs microseconds.
const QUICK_RESTORE: usize = 4000;

/// Tests spent on filling gaps, where a test costs microseconds.
const QUICK_FILL: usize = 8000;
/// Of these, tests of dropping something else in place of a gap.
const QUICK_RUNS: usize = 1500;
const SLOW_RUNS: usize = 60;

/// Tests of guidance where nothing may be added: what it doesn't mend by then it rather drops, and the
/// gaps are filled for less.
const GUIDED: usize = 3000;

/// Tests of lexical ddmax where what was found lacks more than a byte.
const LEXICAL_TESTS: usize = 256;

/// Brings back what the best dropped: terminals, then bytes. Without `keeps_base`, what it has
/// in place of other bytes may go too.
fn restore(
    validator: &mut dyn Validate,
    input: &[u8],
    options: &Options,
    keeps_base: bool,
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    let most = if validator.is_slow() { SLOW_RESTORE } else { QUICK_RESTORE };
    let mut capped = Capped::new(validator, most);
    for is_lexical in [false, true] {
        let Some(base) = best.text().map(<[u8]>::to_vec) else { return Ok(()) };
        let cut = |bytes: &[u8]| match is_lexical {
            true => lexical(bytes, options.lexical),
            false => terminals(bytes, options),
        };
        let units = (cut(&base), cut(input));
        let differing = ((base.as_slice(), &units.0), (input, &units.1));
        towards(&mut capped, differing.0, differing.1, keeps_base, &mut |text| best.offer(&text))?;
    }
    Ok(())
}

fn hybrid(
    validator: &mut dyn Validate,
    input: &[u8],
    options: &Options,
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    if validator.is_valid(input)? {
        best.offer(input);
        return Ok(());
    }
    // Terminals of a part need not be terminals of the whole, so bringing some back could add bytes.
    best.take_parts_only();
    guide(&mut Capped::new(validator, GUIDED), input, options, true, best)?;
    if best.text().is_none() {
        exactly(validator, input, &terminals(input, options), best)?;
    }
    fill_gaps(validator, input, options, best)?;
    if best.distance() > 1 && lexical_for_a_while(validator, input, options, best)? {
        fill_gaps(validator, input, options, best)?;
    }
    Ok(())
}

/// Brings back what the best, a part of the input, dropped: gap by gap.
fn fill_gaps(
    validator: &mut dyn Validate,
    input: &[u8],
    options: &Options,
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    let Some(text) = best.text().map(<[u8]>::to_vec) else { return Ok(()) };
    let (most, runs) =
        if validator.is_slow() { (SLOW_RESTORE, SLOW_RUNS) } else { (QUICK_FILL, QUICK_RUNS) };
    let mut capped = Capped::new(validator, most);
    let units = (&terminals(input, options), &lexical(input, options.lexical));
    gaps::fill(&mut capped, input, &text, units, runs, &mut |text| best.offer(text))
}

/// Figure 5 from the empty input, as far as a few tests go, and whether it came closer: what is wrong
/// once is often undone far in front of where it shows, which figure 5 finds at once or not at all.
fn lexical_for_a_while(
    validator: &mut dyn Validate,
    input: &[u8],
    options: &Options,
    best: &mut Best<'_>,
) -> Result<bool, Stopped> {
    let before = best.distance();
    let mut capped = Capped::new(validator, LEXICAL_TESTS);
    let units = lexical(input, options.lexical);
    let base: (&[u8], _) = (b"", &Units::bytes(0));
    towards(&mut capped, base, (input, &units), true, &mut |text| best.offer(&text))?;
    Ok(best.distance() < before)
}

fn auto(
    validator: &mut dyn Validate,
    input: &[u8],
    options: &Options,
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    if validator.is_valid(input)? {
        best.offer(input);
        return Ok(());
    }
    let was_cleaned = guide(validator, input, options, false, best)?;
    if best.text().is_none() {
        return hybrid(validator, input, options, best);
    }
    restore(validator, input, options, !was_cleaned, best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Counts;
    use crate::oracle::budget::Budget;
    use crate::repair::distance::distance;
    use crate::repair::repair;
    use crate::repair::validate::InPlace;

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
    fn by_deletion_alone_a_bracket_that_nothing_closes_goes_in_a_few_tests() {
        let is_valid = |bytes: &[u8]| {
            let mut depth = 0i32;
            let is_never_below = bytes.iter().all(|byte| {
                depth += i32::from(*byte == b'(') - i32::from(*byte == b')');
                depth >= 0
            });
            is_never_below && depth == 0
        };
        let input = format!("x (a); y (b;{} z (c);", " n;".repeat(700));
        let mut validator = InPlace::new(is_valid, Budget::default());
        let options = Options { only_delete: true, ..Options::default() };
        let repair = repair(&mut validator, input.as_bytes(), &options).unwrap();
        let text = String::from_utf8(repair.text.unwrap()).unwrap();
        assert_eq!(text, input.replacen("(c", "c", 1));
        assert!(repair.counts.tests < 60, "{}", repair.counts.tests);
    }

    #[test]
    fn by_deletion_alone_a_lost_quote_costs_a_few_bytes_of_two_lines() {
        let options = Options { only_delete: true, ..Options::default() };
        let input = "{\n \"a\": 1,\n b\": [\"x\"],\n \"c\": [\"y\", \"z\"],\n \"d\": {}\n}\n";
        let (text, counts) = repair_json(input, &options);
        // Without its key the value is that of the line in front, whose own one goes.
        assert_eq!(text, input.replace("1,\n b\": ", "\n  "));
        assert!(counts.tests < 400, "{}", counts.tests);
    }

    #[test]
    fn by_deletion_alone_what_is_whole_stays() {
        let options = Options { only_delete: true, ..Options::default() };
        let (text, _) = repair_json(r#"{"item":"Apple","price"3.45}"#, &options);
        assert_eq!(text, r#"{"item":"Apple"}"#);
        let (text, _) = repair_json(r#"{"item":"Apple","price":**3.45}"#, &options);
        assert_eq!(text, r#"{"item":"Apple","price":3.45}"#);
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
