//! Which texts of the given inputs say nothing: remarks, and blanks at the beginnings of lines.
//!
//! Nearly every text without a grammar has remarks, and often they have the words that matter in other lines: a setting that is commented
//! out. Without them no condition has to say that it is about the other lines, or that a line may be indented.

use std::borrow::Cow;

use seedsmith_engine::Stopped;

use crate::generalize::draws::prober::Prober;
use crate::generalize::predicate::feature::Words;
use crate::generalize::predicate::plain::left_out::{FENCES, Ignored, LeftOut};

/// Marks that are tried, longer ones first. A bracket or a quotation mark opens something, and a hyphen begins an item.
const MARKS: [&str; 13] = ["//", "--", "#", ";", "%", "!", "*", "~", "'", "|", ">", "@", "$"];
/// Those of them that are no operators between two blanks in most formats.
const MARKS_AFTER_TEXT: [&str; 3] = ["//", "#", ";"];
/// Brackets that a remark may begin with, with a mark after them, and those that it ends with.
const BRACKETS: [(&str, &str); 6] =
    [("{{", "}}"), ("[[", "]]"), ("{", "}"), ("[", "]"), ("<", ">"), ("(", ")")];
/// Marks between the bracket that a remark begins with and its text, longer ones first.
const MARKS_OF_BRACKETS: [&str; 7] = ["!--", "--", "%#", "!", "#", "*", "-"];
/// Remarks of other languages that end with a mark.
const BLOCK: (&str, &str) = ("/*", "*/");
/// Marks that are tried of one input, because few formats have two kinds of remarks.
const MAX_MARKS: usize = 3;
/// Passing inputs that remarks are put into: the failing input after each of them must fail, and as a remark it must pass. Not measured.
const MAX_PASSING: usize = 4;
/// A text that is nothing but a remark in any format: with brackets, and without.
const ODD: [&str; 2] = ["zq ]){= 7, \"", "zq 7, ="];

/// How far each line of a text is indented that was not: a target that looks at indentation rarely takes such a text.
const INDENTATIONS: [&str; 3] = ["  ", " ", "   "];

/// The texts of the given inputs that say nothing, as far as tests show it.
///
/// With remarks a failing input fails, a passing one passes with the failing one in remarks, and the given inputs fail without them. With
/// each line indented, and with none, the failing inputs fail and the passing ones pass. Cost: at most 3 · (5 + 3 · 4) tests for remarks, none where no
/// given input has such marks, and at most 20 for blanks with one given input.
pub(in crate::generalize::predicate) fn left_out(
    prober: &mut Prober<'_, '_>,
    failing: &[u8],
    given: &[Vec<u8>],
) -> Result<LeftOut, Stopped> {
    let mut found = LeftOut::default();
    let text = String::from_utf8_lossy(failing);
    for ignored in candidates(failing, given).into_iter().take(MAX_MARKS) {
        let passing = passing(prober, ignored.mark());
        let tests = Tests { failing: &text, passing: &passing };
        let Some(ignored) = tests.remarks(prober, &ignored)? else { continue };
        found.0.push(ignored);
        if !fail(prober, given.iter().map(|text| found.of(text).into_owned()))? {
            found.0.pop();
        }
    }
    let given: Vec<Vec<u8>> = given.iter().map(|text| found.of(text).into_owned()).collect();
    // Indentation may say nothing to the target, and show a reader what belongs together.
    let all = || std::iter::once(failing).chain(given.iter().map(Vec::as_slice));
    if Words::of(all()).have_entries() {
        return Ok(found);
    }
    let passing = passing(prober, "");
    let tests = Tests { failing: &text, passing: &passing };
    if tests.has_idle_blanks(prober, &given)? {
        found.0.push(Ignored::Blanks);
    }
    Ok(found)
}

/// Passing inputs of the search without a mark, the last ones first, because these are small.
///
/// With the mark in it an input would have two remarks, and would show nothing of one.
fn passing(prober: &Prober<'_, '_>, mark: &str) -> Vec<String> {
    let has_mark =
        |input: &[u8]| !mark.is_empty() && memchr::memmem::find(input, mark.as_bytes()).is_some();
    let passing = prober.tested.iter().rev().filter(|(input, fails)| !fails && !has_mark(input));
    let texts = passing.take(MAX_PASSING).map(|(input, _)| String::from_utf8_lossy(input));
    texts.map(Cow::into_owned).collect()
}

/// Whether all of some inputs fail.
///
/// Costs a test for each, up to the first that does not.
fn fail(
    prober: &mut Prober<'_, '_>,
    inputs: impl Iterator<Item = Vec<u8>>,
) -> Result<bool, Stopped> {
    for input in inputs {
        if prober.fails(&input)? != Some(true) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Remarks that the given inputs may have, and the failing one has not.
///
/// The minimized input has hardly a remark, so that a mark at the beginning of one of its lines is rather that of an item or a command. Those between two marks come
/// first: their beginnings may have a mark in them that others begin with.
fn candidates(failing: &[u8], given: &[Vec<u8>]) -> Vec<Ignored> {
    let begins = |text: &[u8], mark: &str| {
        let mut lines = text.split(|byte| *byte == b'\n');
        lines.any(|line| line.trim_ascii_start().starts_with(mark.as_bytes()))
    };
    // One that only comes after other text in its line has a blank on each side.
    let follows = |text: &[u8], mark: &str| {
        MARKS_AFTER_TEXT.contains(&mark)
            && memchr::memmem::find(text, format!(" {mark} ").as_bytes()).is_some()
    };
    let is_known = |mark: &&str| given.iter().any(|text| begins(text, mark) || follows(text, mark));
    let lines = MARKS.into_iter().filter(is_known).filter(|mark| !begins(failing, mark));
    let lines = lines.map(|mark| Ignored::Line(mark.to_owned()));
    let find = |text: &[u8], mark: &str| memchr::memmem::find(text, mark.as_bytes());
    // The marks of its beginning are those of its end too, as a rule.
    let bracketed = BRACKETS.into_iter().flat_map(|(open, close)| {
        MARKS_OF_BRACKETS.into_iter().flat_map(move |marks| {
            let same: String = marks.chars().rev().filter(|mark| *mark != '!').collect();
            let ends = [format!("{same}{close}"), close.to_owned()];
            ends.map(|end| (format!("{open}{marks}"), end))
        })
    });
    let mut blocks: Vec<Ignored> = Vec::new();
    for (open, close) in bracketed.chain([(BLOCK.0.to_owned(), BLOCK.1.to_owned())]) {
        let is_there = |text: &Vec<u8>| {
            find(text, &open).is_some_and(|at| find(&text[at + open.len()..], &close).is_some())
        };
        let is_known =
            |known: &Ignored| known.mark().contains(&open) || open.contains(known.mark());
        if given.iter().any(is_there)
            && find(failing, &open).is_none()
            && !blocks.iter().any(is_known)
        {
            blocks.push(Ignored::Between(open, close));
        }
    }
    let has_block = |text: &Vec<u8>, mark: &'static str| {
        LeftOut(vec![Ignored::Fenced(mark)]).of(text).len() < text.len()
    };
    let fences = FENCES.into_iter().map(|(mark, _)| mark).filter(|mark| {
        find(failing, mark).is_none() && given.iter().any(|text| has_block(text, mark))
    });
    let fences = fences.map(Ignored::Fenced);
    fences.chain(blocks).chain(lines).collect()
}

/// The inputs that remarks are put into.
struct Tests<'t> {
    failing: &'t str,
    passing: &'t [String],
}

impl Tests<'_> {
    /// The remarks that begin with the mark of some; nothing if tests show that they are none.
    fn remarks(
        &self,
        prober: &mut Prober<'_, '_>,
        ignored: &Ignored,
    ) -> Result<Option<Ignored>, Stopped> {
        let (lines, mark) = (lines(self.failing), ignored.mark());
        if matches!(ignored, Ignored::Fenced(_)) {
            return Ok(self.has_idle_blocks(prober, mark)?.then(|| ignored.clone()));
        }
        let as_remark = |line: &str| match ignored {
            // The marks that end it are no part of it.
            Ignored::Between(_, end) => {
                let is_inside = |c: &char| !mark.contains(*c) && !end.contains(*c);
                let inner: String = line.chars().filter(is_inside).collect();
                format!("{mark} {} {end}", inner.trim())
            }
            _ => format!("{mark} {line}"),
        };
        let is_block = matches!(ignored, Ignored::Between(..));
        let with = |indentation: &str, odd: &str| {
            let each =
                lines.iter().map(|line| format!("{indentation}{}\n{line}\n", as_remark(line)));
            each.chain([as_remark(odd) + "\n"]).collect::<String>()
        };
        // Some targets count brackets in remarks too.
        let (mut odd, mut fails) = (ODD[1], None);
        for text in ODD.into_iter().skip(usize::from(is_block)) {
            if fails.is_none() {
                (odd, fails) = (text, prober.fails(with("", text).as_bytes())?);
            }
        }
        if fails != Some(true) || prober.fails(with("  ", odd).as_bytes())? == Some(false) {
            return Ok(None);
        }
        let remarks: String = lines.iter().map(|line| as_remark(line) + "\n").collect();
        let among =
            |base: &str| base.lines().map(|line| format!("{remarks}{line}\n")).collect::<String>();
        let mut shown = 0;
        for base in self.passing {
            prober.check_time()?;
            let base = base.trim_end_matches('\n');
            // Where nothing may follow a text, remarks are put between its lines.
            let beside = format!("{base}\n{}\n", self.failing);
            let with_remarks = match prober.fails(beside.as_bytes())? {
                Some(true) => format!("{base}\n{remarks}{}\n", as_remark(odd)),
                Some(false) => continue,
                None => among(base),
            };
            match prober.fails(with_remarks.as_bytes())? {
                Some(false) => shown += 1,
                Some(true) => return Ok(None),
                None => {}
            }
        }
        // The failing input as remarks alone.
        let alone = prober.fails(remarks.as_bytes())?;
        if alone == Some(true) || shown == 0 && alone.is_none() {
            return Ok(None);
        }
        let is_whole = is_block || self.are_whole_lines(prober, mark)?;
        Ok(Some(if is_whole { ignored.clone() } else { Ignored::Rest(mark.to_owned()) }))
    }

    /// Whether a block between lines of a mark says nothing: with the input in one after it the input fails, and with its last line in one it passes.
    ///
    /// A block is rarely allowed before the first line. Costs up to three tests.
    fn has_idle_blocks(&self, prober: &mut Prober<'_, '_>, mark: &str) -> Result<bool, Stopped> {
        let failing = self.failing.trim_end_matches('\n');
        let block = |text: &str| format!("{mark}\n{text}\n{mark}\n");
        let (before, last) = failing.rsplit_once('\n').unwrap_or(("", failing));
        let before = if before.is_empty() { String::new() } else { format!("{before}\n") };
        for inner in [failing, ODD[0]] {
            let input = format!("{failing}\n{}", block(inner));
            if prober.fails(input.as_bytes())? != Some(true) {
                return Ok(false);
            }
        }
        Ok(prober.fails((before + &block(last)).as_bytes())? == Some(false))
    }

    /// Whether blanks at the beginnings of lines say nothing.
    ///
    /// They have to say nothing in every input that is asked about: a target that rejects one of them looks at indentation.
    fn has_idle_blanks(
        &self,
        prober: &mut Prober<'_, '_>,
        given: &[Vec<u8>],
    ) -> Result<bool, Stopped> {
        let with = |text: &str, indentations: &[&str]| {
            let each = lines(text).into_iter().zip(indentations.iter().cycle());
            each.map(|(line, blanks)| format!("{blanks}{}\n", line.trim_start()))
                .collect::<String>()
        };
        let failing = given.iter().map(|text| String::from_utf8_lossy(text));
        let failing: Vec<_> = failing.chain([self.failing.into()]).collect();
        for indentations in [&INDENTATIONS[..], &[""]] {
            let texts = failing.iter().map(|text| with(text, indentations).into_bytes());
            if !fail(prober, texts)? {
                return Ok(false);
            }
            for base in self.passing {
                if prober.fails(with(base, indentations).as_bytes())? != Some(false) {
                    return Ok(false);
                }
            }
        }
        // An indented line may belong to the line before.
        for base in self.passing {
            let base = with(base, &[""]);
            if prober.fails(format!("{base}{}\n", self.failing).as_bytes())? == Some(true) {
                let beside = base + &with(self.failing, &INDENTATIONS);
                return Ok(prober.fails(beside.as_bytes())? == Some(true));
            }
        }
        Ok(true)
    }

    /// Whether a mark begins a remark at the beginning of a line alone.
    ///
    /// Costs a test for each passing input, and one.
    fn are_whole_lines(&self, prober: &mut Prober<'_, '_>, mark: &str) -> Result<bool, Stopped> {
        // A remark after each line, whose text is that of one of some others.
        let each = |lines: &[&str], ends: &[&str]| {
            let mut ends = ends.iter().cycle();
            let each = lines.iter().map(|line| match (line.trim().is_empty(), ends.next()) {
                (false, Some(end)) => format!("{line}  {mark} {end}\n"),
                _ => format!("{line}\n"),
            });
            each.collect::<String>()
        };
        let lines = lines(self.failing);
        if prober.fails(each(&lines, &ODD[..1]).as_bytes())? != Some(true) {
            return Ok(true);
        }
        for base in self.passing {
            prober.check_time()?;
            if prober.fails(each(&self::lines(base), &lines).as_bytes())? == Some(true) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The lines of a text.
fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

#[cfg(test)]
mod tests {
    use seedsmith_engine::internal::{Budget, Oracle};
    use seedsmith_engine::{ClosureTarget, Kind, SameFailure, Sameness, Signature};

    use super::*;

    /// The texts that are left out of inputs of a target that fails for a line.
    fn found(fails: fn(&str) -> bool, given: &str) -> Vec<Ignored> {
        let target = ClosureTarget::failing_if(move |input: &[u8]| {
            std::str::from_utf8(input).is_ok_and(|text| text.lines().any(fails))
        });
        let signature = Signature::of_kind(Kind::Command);
        let judge = SameFailure { signature, sameness: Sameness::default() };
        let mut oracle = Oracle::new(&target, judge, 1, Budget::default()).unwrap();
        let (subject, _) = crate::generalize::subject(b"x=1".to_vec(), None);
        let mut prober = Prober::new(&mut oracle, subject, 0);
        prober.tested = ["a=1\nb=2", "a", ""].map(|text| (text.as_bytes().to_vec(), false)).into();
        let left_out = left_out(&mut prober, b"x=1", &[given.as_bytes().to_vec()]);
        left_out.unwrap().0
    }

    #[test]
    fn what_the_target_does_not_look_at_is_left_out() {
        let given = "# x=1\n  # y\nx=1\n";
        let (line, rest) = (Ignored::Line("#".to_owned()), Ignored::Rest("#".to_owned()));
        let is_whole = |line: &str| line.starts_with("x=1") && line.len() == 3;
        assert_eq!(found(is_whole, given), vec![line.clone()]);
        assert_eq!(found(|line| line.trim() == "x=1", given), [line, Ignored::Blanks]);
        let without_end = |line: &str| line.split(" #").next().map(str::trim) == Some("x=1");
        assert_eq!(found(without_end, given), [rest, Ignored::Blanks]);
        // The second line is indented below the first, which is none that is left out.
        assert_eq!(found(|line| line.contains("x=1"), given), []);
    }

    #[test]
    fn marks_that_a_failing_input_begins_with_are_no_remarks() {
        let marks = |given: &str| {
            let found = candidates(b"- x\n; y", &[given.as_bytes().to_vec()]);
            found.iter().map(|one| one.mark().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(marks("# a\n; b\n// c\n- d"), ["//", "#"]);
        assert_eq!(marks("<!-- a\nb --> {# c }"), ["{#", "<!--"]);
        assert_eq!(marks("a\n```sh\nb\n```\n# d"), ["```", "#"]);
    }
}
