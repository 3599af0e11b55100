//! Which lines of the given inputs are remarks that say nothing.
//!
//! Nearly every text without a grammar has some, and often they have the words that matter in other lines: a setting that is commented
//! out. With the remarks left out, no condition has to say that it is about what is outside of them.

use seedsmith_engine::Stopped;

use crate::generalize::draws::prober::Prober;
use crate::generalize::predicate::plain::left_out::{LeftOut, Reach, Remark};

/// Marks that are tried, longer ones first. A bracket or a quotation mark opens something, and a hyphen begins an item.
const MARKS: [&str; 13] = ["//", "--", "#", ";", "%", "!", "*", "~", "'", "|", ">", "@", "$"];
/// Marks that are tried of one input, because few formats have two kinds of remarks.
const MAX_MARKS: usize = 3;
/// Passing inputs that remarks are put into: the failing input after each of them must fail, and as a remark it must pass. Not measured.
const MAX_PASSING: usize = 4;
/// A remark that no format has as anything else.
const ODD: &str = "zq ]){= 7, \"";

/// The remarks of the given inputs, as far as tests show that they say nothing.
///
/// A failing input fails with them, a passing one passes with the failing one in remarks, and the given inputs fail without them. Cost: at
/// most 3 · (5 + 3 · 4) tests, none where no line of a given input begins with such a mark.
pub(in crate::generalize::predicate) fn remarks(
    prober: &mut Prober<'_, '_>,
    failing: &[u8],
    given: &[Vec<u8>],
) -> Result<LeftOut, Stopped> {
    let mut found = LeftOut::default();
    let begins = |text: &[u8], mark: &str| {
        let mut lines = text.split(|byte| *byte == b'\n');
        lines.any(|line| line.trim_ascii_start().starts_with(mark.as_bytes()))
    };
    let is_known = |mark: &&str| given.iter().any(|text| begins(text, mark));
    let marks = MARKS.into_iter().filter(is_known).filter(|mark| !begins(failing, mark));
    for mark in marks.take(MAX_MARKS) {
        let has_mark = |input: &[u8]| memchr::memmem::find(input, mark.as_bytes()).is_some();
        let passing =
            prober.tested.iter().rev().filter(|(input, fails)| !fails && !has_mark(input));
        let passing: Vec<Vec<u8>> =
            passing.take(MAX_PASSING).map(|(input, _)| input.clone()).collect();
        let Some(reach) = reach(prober, mark, failing, &passing)? else { continue };
        found.0.push(Remark { mark: mark.to_owned(), reach });
        for text in given {
            let left = found.of(text);
            if prober.fails(&left)? != Some(true) {
                found.0.pop();
                break;
            }
        }
    }
    Ok(found)
}

/// How far remarks with a mark reach; nothing if there are none.
fn reach(
    prober: &mut Prober<'_, '_>,
    mark: &str,
    failing: &[u8],
    passing: &[Vec<u8>],
) -> Result<Option<Reach>, Stopped> {
    let text = String::from_utf8_lossy(failing).into_owned();
    let (lines, remark) = (lines(&text), format!("{mark} {ODD}\n"));
    let with = |indentation: &str| {
        let each = lines.iter().map(|line| format!("{indentation}{mark} {line}\n{line}\n"));
        each.collect::<String>() + &remark
    };
    if prober.fails(with("").as_bytes())? != Some(true)
        || prober.fails(with("  ").as_bytes())? == Some(false)
    {
        return Ok(None);
    }
    let as_remarks: String = lines.iter().map(|line| format!("{mark} {line}\n")).collect();
    let mut shown = 0;
    for base in passing {
        prober.check_time()?;
        let base = String::from_utf8_lossy(base);
        let base = base.trim_end_matches('\n');
        if prober.fails(format!("{base}\n{text}\n").as_bytes())? == Some(true) {
            match prober.fails(format!("{base}\n{as_remarks}{remark}").as_bytes())? {
                Some(false) => shown += 1,
                Some(true) => return Ok(None),
                None => {}
            }
        }
    }
    // The failing input as remarks alone.
    let alone = prober.fails(as_remarks.as_bytes())?;
    if alone == Some(true) || shown == 0 && alone.is_none() {
        return Ok(None);
    }
    // A remark after each line, whose text is that of one of some others.
    let each = |lines: &[&str], ends: &[&str]| {
        let mut ends = ends.iter().cycle();
        let each = lines.iter().map(|line| match (line.trim().is_empty(), ends.next()) {
            (false, Some(end)) => format!("{line}  {mark} {end}\n"),
            _ => format!("{line}\n"),
        });
        each.collect::<String>()
    };
    if prober.fails(each(&lines, &[ODD]).as_bytes())? != Some(true) {
        return Ok(Some(Reach::Line));
    }
    for base in passing {
        prober.check_time()?;
        let base = String::from_utf8_lossy(base);
        if prober.fails(each(&self::lines(&base), &lines).as_bytes())? == Some(true) {
            return Ok(Some(Reach::Line));
        }
    }
    Ok(Some(Reach::Rest))
}

/// The lines of a text.
fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}
