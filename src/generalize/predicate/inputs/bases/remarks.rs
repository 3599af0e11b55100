//! Which texts of the given inputs are remarks that say nothing.
//!
//! Nearly every text without a grammar has some, and often they have the words that matter in other lines: a setting that is commented
//! out. With the remarks left out, no condition has to say that it is about what is outside of them.

use seedsmith_engine::Stopped;

use crate::generalize::draws::prober::Prober;
use crate::generalize::predicate::plain::left_out::{LeftOut, Reach, Remark};

/// Marks that are tried, longer ones first. A bracket or a quotation mark opens something, and a hyphen begins an item.
const MARKS: [&str; 13] = ["//", "--", "#", ";", "%", "!", "*", "~", "'", "|", ">", "@", "$"];
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

/// The remarks of the given inputs, as far as tests show that they say nothing.
///
/// A failing input fails with them, a passing one passes with the failing one in remarks, and the given inputs fail without them. Cost: at
/// most 3 · (5 + 3 · 4) tests, none where no given input has such marks.
pub(in crate::generalize::predicate) fn remarks(
    prober: &mut Prober<'_, '_>,
    failing: &[u8],
    given: &[Vec<u8>],
) -> Result<LeftOut, Stopped> {
    let mut found = LeftOut::default();
    for remark in candidates(failing, given).into_iter().take(MAX_MARKS) {
        let has_mark = |input: &[u8]| memchr::memmem::find(input, remark.mark.as_bytes()).is_some();
        let passing =
            prober.tested.iter().rev().filter(|(input, fails)| !fails && !has_mark(input));
        let passing: Vec<Vec<u8>> =
            passing.take(MAX_PASSING).map(|(input, _)| input.clone()).collect();
        let tests = Tests { failing: &String::from_utf8_lossy(failing), passing: &passing };
        let Some(reach) = tests.reach(prober, &remark)? else { continue };
        found.0.push(Remark { reach, ..remark });
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

/// Remarks that the given inputs may have, and the failing one has not.
fn candidates(failing: &[u8], given: &[Vec<u8>]) -> Vec<Remark> {
    let begins = |text: &[u8], mark: &str| {
        let mut lines = text.split(|byte| *byte == b'\n');
        lines.any(|line| line.trim_ascii_start().starts_with(mark.as_bytes()))
    };
    let is_known = |mark: &&str| given.iter().any(|text| begins(text, mark));
    let lines = MARKS.into_iter().filter(is_known).filter(|mark| !begins(failing, mark));
    let lines = lines.map(|mark| Remark { mark: mark.to_owned(), reach: Reach::Line });
    let find = |text: &[u8], mark: &str| memchr::memmem::find(text, mark.as_bytes());
    // The marks of its beginning are those of its end too, as a rule.
    let bracketed = BRACKETS.into_iter().flat_map(|(open, close)| {
        MARKS_OF_BRACKETS.into_iter().flat_map(move |marks| {
            let same: String = marks.chars().rev().filter(|mark| *mark != '!').collect();
            let ends = [format!("{same}{close}"), close.to_owned()];
            ends.map(|end| (format!("{open}{marks}"), end))
        })
    });
    let mut blocks: Vec<Remark> = Vec::new();
    for (open, close) in bracketed.chain([(BLOCK.0.to_owned(), BLOCK.1.to_owned())]) {
        let is_there = |text: &Vec<u8>| {
            find(text, &open).is_some_and(|at| find(&text[at + open.len()..], &close).is_some())
        };
        let is_known = |known: &Remark| known.mark.contains(&open) || open.contains(&known.mark);
        if given.iter().any(is_there)
            && find(failing, &open).is_none()
            && !blocks.iter().any(is_known)
        {
            blocks.push(Remark { mark: open, reach: Reach::UpTo(close) });
        }
    }
    blocks.into_iter().chain(lines).collect()
}

/// What remarks are put into.
struct Tests<'t> {
    failing: &'t str,
    passing: &'t [Vec<u8>],
}

impl Tests<'_> {
    /// How far remarks with a mark reach; nothing if tests show that they are none.
    fn reach(
        &self,
        prober: &mut Prober<'_, '_>,
        remark: &Remark,
    ) -> Result<Option<Reach>, Stopped> {
        let (lines, mark) = (lines(self.failing), &remark.mark);
        let as_remark = |line: &str| match &remark.reach {
            // The marks that end it are no part of it.
            Reach::UpTo(end) => {
                let is_inside = |c: &char| !mark.contains(*c) && !end.contains(*c);
                let inner: String = line.chars().filter(is_inside).collect();
                format!("{mark} {} {end}", inner.trim())
            }
            Reach::Line | Reach::Rest => format!("{mark} {line}"),
        };
        let is_block = matches!(remark.reach, Reach::UpTo(_));
        let odd = ODD[usize::from(is_block)];
        let with = |indentation: &str| {
            let each =
                lines.iter().map(|line| format!("{indentation}{}\n{line}\n", as_remark(line)));
            each.chain([as_remark(odd) + "\n"]).collect::<String>()
        };
        if prober.fails(with("").as_bytes())? != Some(true)
            || prober.fails(with("  ").as_bytes())? == Some(false)
        {
            return Ok(None);
        }
        let remarks: String = lines.iter().map(|line| as_remark(line) + "\n").collect();
        let mut shown = 0;
        for base in self.passing {
            prober.check_time()?;
            let base = String::from_utf8_lossy(base);
            let base = base.trim_end_matches('\n');
            if prober.fails(format!("{base}\n{}\n", self.failing).as_bytes())? == Some(true) {
                let beside = format!("{base}\n{remarks}{}\n", as_remark(odd));
                match prober.fails(beside.as_bytes())? {
                    Some(false) => shown += 1,
                    Some(true) => return Ok(None),
                    None => {}
                }
            }
        }
        // The failing input as remarks alone.
        let alone = prober.fails(remarks.as_bytes())?;
        if alone == Some(true) || shown == 0 && alone.is_none() {
            return Ok(None);
        }
        match is_block || self.end_with_lines(prober, mark)? {
            true => Ok(Some(remark.reach.clone())),
            false => Ok(Some(Reach::Rest)),
        }
    }

    /// Whether a mark begins a remark at the beginning of a line alone.
    fn end_with_lines(&self, prober: &mut Prober<'_, '_>, mark: &str) -> Result<bool, Stopped> {
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
            let base = String::from_utf8_lossy(base);
            if prober.fails(each(&self::lines(&base), &lines).as_bytes())? == Some(true) {
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
