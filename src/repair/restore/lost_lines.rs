//! Brings back lines that a repair has lost without need.
//!
//! A search that is stuck, or that runs out of tests, may drop a hundred lines for one that is faulty. Here each gap of the
//! repaired text is filled again: by halves of its lines, then by blocks as indentation shows them, so that only the
//! lines or the blocks that hold the faults stay lost. Unlike `deletions/gaps.rs` it allows that the text has edits
//! as well as gaps, and it is quick: it knows nothing smaller than a line.

use std::ops::Range;

use crate::repair::best::Best;
use crate::repair::distance::changes::{Change, changes};
use crate::repair::validate::Validate;
use crate::repair::validate::capped::Capped;
use seedsmith_engine::Stopped;

/// Tests of one call: a fault in a gap of a thousand lines takes about 20, so that is some ten faults.
/// Not measured.
const MAX_TESTS: usize = 200;
/// A gap of fewer bytes is no lost line, and other steps look at it.
const MIN_LOST_BYTES: usize = 9;
/// How deep blocks are opened, because each level costs tests and a fault is mostly in a statement. Not measured.
const MAX_DEPTH: usize = 6;

/// Fills the gaps of the text of `best` by lines of `input`, the largest gap first, and offers each valid text to it.
///
/// Costs at most `MAX_TESTS` tests, and none where no line is lost.
pub(in crate::repair) fn lost_lines(
    validator: &mut dyn Validate,
    input: &[u8],
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    if best.distance() < MIN_LOST_BYTES {
        return Ok(());
    }
    let Some(text) = best.text().map(<[u8]>::to_vec) else { return Ok(()) };
    let mut gaps = changes(input, &text);
    gaps.retain(|gap| gap.old.len() >= gap.new.len() + MIN_LOST_BYTES);
    gaps.iter_mut().for_each(|gap| at_line_start(input, gap));
    // The largest first. One that is filled moves those after it, so places count from the nearer end.
    let mut order: Vec<usize> = (0..gaps.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(gaps[*index].old.len()));
    let mut capped = Capped::new(validator, MAX_TESTS);
    let mut text = text;
    for index in order {
        let before = text.len();
        let Change { old, new } = gaps[index].clone();
        let mut gap = Gap::of(&mut capped, input, &text, (old, new.clone()));
        gap.fill(best)?;
        text = gap.text();
        let grown = text.len() - before;
        for later in gaps.iter_mut().filter(|one| one.new.start > new.start) {
            later.new = later.new.start + grown..later.new.end + grown;
        }
    }
    Ok(())
}

/// Moves a gap that begins within a line and ends at the end of another to the lines after the first: a line feed
/// before them is as good as the one after them.
///
/// Changes nothing where the repair has put something into the gap.
fn at_line_start(input: &[u8], gap: &mut Change) {
    let is_within = gap.old.start > 0 && input[gap.old.start - 1] != b'\n';
    if !gap.new.is_empty() || !is_within || input.get(gap.old.end) != Some(&b'\n') {
        return;
    }
    if let Some(length) = input[gap.old.clone()].iter().position(|byte| *byte == b'\n') {
        gap.old = gap.old.start + length + 1..gap.old.end + 1;
        gap.new = gap.new.start + 1..gap.new.start + 1;
    }
}

/// A place of the repaired text where lines are lost.
///
/// Lines come back in the order of the input; what the repair has put into the gap is before or after all of them.
struct Gap<'g> {
    /// Answers whether a text with more lines is valid.
    validator: &'g mut dyn Validate,
    /// The text that was repaired.
    input: &'g [u8],
    /// The text before the gap, what the repair has put into it, and the text after it.
    parts: [Vec<u8>; 3],
    /// Whether what the repair has put into it comes before the lines: it does unless it only closes something.
    is_own_first: bool,
    /// The lost lines, as spans of the input. The first and the last one may be parts of lines.
    lines: Vec<Range<usize>>,
    /// Whether each line is in the text.
    is_back: Vec<bool>,
}

impl<'g> Gap<'g> {
    /// The gap between `old` of the input and `new` of the text.
    fn of(
        validator: &'g mut dyn Validate,
        input: &'g [u8],
        text: &[u8],
        (old, new): (Range<usize>, Range<usize>),
    ) -> Self {
        let mut lines = Vec::new();
        let mut start = old.start;
        while start < old.end {
            let length = input[start..old.end].iter().position(|byte| *byte == b'\n');
            let end = length.map_or(old.end, |length| start + length + 1);
            lines.push(start..end);
            start = end;
        }
        let own = &text[new.clone()];
        let parts = [text[..new.start].to_vec(), own.to_vec(), text[new.end..].to_vec()];
        let is_own_first = !closes(own);
        let is_back = vec![false; lines.len()];
        Gap { validator, input, parts, is_own_first, lines, is_back }
    }

    /// The text with the lines that are back.
    fn text(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.write(&self.is_back, &mut out);
        out
    }

    /// Writes the text with some of the lines to the end of `out`.
    ///
    /// `is_back` has an entry for each line.
    fn write(&self, is_back: &[bool], out: &mut Vec<u8>) {
        let [before, own, after] = &self.parts;
        out.extend_from_slice(before);
        if self.is_own_first {
            out.extend_from_slice(own);
        }
        for (line, _) in self.lines.iter().zip(is_back).filter(|(_, is_back)| **is_back) {
            out.extend_from_slice(&self.input[line.clone()]);
        }
        if !self.is_own_first {
            out.extend_from_slice(own);
        }
        out.extend_from_slice(after);
    }

    /// Brings back what comes back.
    ///
    /// Each valid text is offered to `best`. Ends early where the tests are used up.
    fn fill(&mut self, best: &mut Best<'_>) -> Result<(), Stopped> {
        self.blocks(0..self.lines.len(), 0, best)
    }

    /// The lines of a range that are not in the text.
    fn lost(&self, range: Range<usize>) -> Vec<usize> {
        range.filter(|line| !self.is_back[*line]).collect()
    }

    /// Brings back units, each a list of lines: half of those that are lost at once, a quarter, down to single ones.
    ///
    /// Costs one test where all come back, and about twice the logarithm of their number for each that does not.
    fn lots(&mut self, units: &[Vec<usize>], best: &mut Best<'_>) -> Result<(), Stopped> {
        let mut size = units.len();
        while size > 0 {
            let lost: Vec<&Vec<usize>> =
                units.iter().filter(|unit| unit.iter().any(|line| !self.is_back[*line])).collect();
            let mut lots: Vec<Vec<usize>> = lost
                .chunks(size)
                .map(|lot| lot.iter().flat_map(|unit| unit.iter().copied()).collect())
                .collect();
            while let Some(done) = self.first(&lots, best)? {
                lots.drain(..=done);
            }
            size /= 2;
        }
        Ok(())
    }

    /// Brings back the first of some lots with which the text is valid, and says which it was.
    ///
    /// Costs a test for each lot up to that one. `None` if the text is valid with none of them.
    fn first(
        &mut self,
        lots: &[Vec<usize>],
        best: &mut Best<'_>,
    ) -> Result<Option<usize>, Stopped> {
        let candidates: Vec<Vec<u8>> = lots
            .iter()
            .map(|lot| {
                let mut is_back = self.is_back.clone();
                lot.iter().for_each(|line| is_back[*line] = true);
                let mut text = Vec::new();
                self.write(&is_back, &mut text);
                text
            })
            .collect();
        let mut given = candidates.iter();
        let found = self.validator.first_valid(&mut |buffer| {
            let Some(text) = given.next() else { return false };
            buffer.extend_from_slice(text);
            true
        })?;
        let Some((index, text)) = found else { return Ok(None) };
        best.offer(&text);
        lots[index].iter().for_each(|line| self.is_back[*line] = true);
        Ok(Some(index))
    }

    /// Brings back blocks of neighbouring lines that are all lost, in lots; of a block with a fault its first and
    /// its last line with the blocks inside that have none, or where its first line is faulty these blocks alone.
    ///
    /// A text without indentation is a list of blocks of one line each.
    fn blocks(
        &mut self,
        run: Range<usize>,
        depth: usize,
        best: &mut Best<'_>,
    ) -> Result<(), Stopped> {
        let blocks = self.split(run);
        let units: Vec<Vec<usize>> = blocks.iter().map(|block| block.clone().collect()).collect();
        self.lots(&units, best)?;
        for block in blocks {
            if block.len() < 3 || depth == MAX_DEPTH || self.lost(block.clone()).len() < block.len()
            {
                continue;
            }
            let closes = usize::from(self.is_closed(&block));
            let inner = block.start + 1..block.end - closes;
            let mut frame = vec![block.start];
            frame.extend(inner.end..block.end);
            // A block may have to hold something.
            let parts = self.split(inner.clone());
            let with = |part: Option<&Range<usize>>| {
                let mut lines = frame.clone();
                lines.extend(part.cloned().into_iter().flatten());
                lines
            };
            self.first(&[with(None), with(parts.first()), with(parts.last())], best)?;
            for run in runs(&self.lost(inner)) {
                self.blocks(run, depth + 1, best)?;
            }
        }
        Ok(())
    }

    /// How many blanks a line begins with; `None` if it has nothing else.
    fn indent(&self, line: usize) -> Option<usize> {
        let line = &self.input[self.lines[line].clone()];
        line.iter().position(|byte| !byte.is_ascii_whitespace())
    }

    /// Whether the last line of a block closes it: it is indented as the first one.
    fn is_closed(&self, block: &Range<usize>) -> bool {
        block.len() > 1 && self.indent(block.end - 1) == self.indent(block.start)
    }

    /// The blocks of some lines: each is a line with the lines after it that are indented more, and with the one that
    /// closes it.
    fn split(&self, run: Range<usize>) -> Vec<Range<usize>> {
        let mut blocks: Vec<Range<usize>> = Vec::new();
        let mut depth = usize::MAX;
        for line in run {
            let Some(indent) = self.indent(line) else {
                match blocks.last_mut() {
                    Some(last) => last.end = line + 1,
                    None => blocks.push(line..line + 1),
                }
                continue;
            };
            let closes = closes(&self.input[self.lines[line].clone()]);
            match blocks.last_mut() {
                Some(last) if indent > depth || (indent == depth && closes) => last.end = line + 1,
                _ => {
                    depth = indent;
                    blocks.push(line..line + 1);
                }
            }
        }
        blocks
    }
}

/// Whether a line, or the text that a repair has put in place of several lines, closes a bracket, a tag or a condition.
///
/// Only the first bytes are looked at.
fn closes(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    [&b")"[..], b"]", b"}", b"</", b"*/", b"#endif"].iter().any(|close| text.starts_with(close))
}

/// Neighbouring numbers of an ascending list, as ranges.
fn runs(numbers: &[usize]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for number in numbers {
        match runs.last_mut().filter(|run| run.end == *number) {
            Some(run) => run.end += 1,
            None => runs.push(*number..*number + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::validate::InPlace;
    use seedsmith_engine::internal::Budget;

    /// What becomes of a valid `text` for `input`, and in how many tests.
    fn filled(input: &str, text: &str, is_valid: impl Fn(&str) -> bool) -> (String, u64) {
        assert!(is_valid(text));
        let check = |bytes: &[u8]| is_valid(std::str::from_utf8(bytes).unwrap());
        let mut validator = InPlace::new(check, Budget::default());
        let mut best = Best::new(input.as_bytes());
        best.offer(text.as_bytes());
        lost_lines(&mut validator, input.as_bytes(), &mut best).unwrap();
        (String::from_utf8(best.take().unwrap()).unwrap(), validator.counts().tests)
    }

    #[test]
    fn of_a_hundred_lost_lines_only_the_faulty_ones_stay_lost() {
        let line =
            |n: u32| if [30, 71].contains(&n) { "??\n".into() } else { format!("line {n}\n") };
        let input: String = (0..120).map(line).collect();
        let text: String = (0..20).map(line).collect();
        let (text, tests) = filled(&input, &text, |text| !text.contains('?'));
        assert_eq!(text, input.replace("??\n", ""));
        assert!(tests < 40, "{tests}");
    }

    #[test]
    fn an_edit_beside_the_gap_stays() {
        let input = "one\ntwo?\nthree\nfour\nfive\nsix\n";
        let (text, _) = filled(input, "one\ntwo\nsix\n", |text| !text.contains('?'));
        assert_eq!(text, "one\ntwo\nthree\nfour\nfive\nsix\n");
    }

    /// Whether braces are in pairs and no line has a question mark.
    fn is_code(text: &str) -> bool {
        let mut depth = 0i32;
        let is_never_below = text.bytes().all(|byte| {
            depth += i32::from(byte == b'{') - i32::from(byte == b'}');
            depth >= 0
        });
        is_never_below && depth == 0 && !text.contains('?')
    }

    #[test]
    fn of_a_block_with_a_fault_all_other_lines_come_back() {
        let block = |name: &str| {
            format!("{name} {{\n    first {{\n        a {name};\n        b;\n    }}\n    c;\n}}\n")
        };
        let input = ["one", "two", "three", "four"].map(block).concat();
        let damaged = input.replace("a three;", "a three?;");
        let (text, tests) = filled(&damaged, "", is_code);
        assert_eq!(text, input.replace("        a three;\n", ""));
        assert!(tests < 60, "{tests}");
        // The blocks in one whose first line is faulty.
        let damaged = input.replace("three {", "three? {");
        let (text, tests) = filled(&damaged, "", is_code);
        let inner = block("three").replace("three {\n", "");
        assert_eq!(text, input.replace(&block("three"), inner.strip_suffix("}\n").unwrap()));
        assert!(tests < 60, "{tests}");
    }
}
