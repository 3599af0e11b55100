//! A second look at the first fault of a text whose repair takes long: its first edit may have been the wrong one.
//!
//! An edit is kept if the text is right for longer with it. A wrong one can be so, too, and then each place that does not
//! fit to it is mended as a fault of its own: of a file with one damaged byte, 12 bytes were changed in 6,873 tests. Trying
//! the edits of the fault before at every fault that nothing likely mends did not find this, and cost 1 % more tests
//! (2026-11-24).

use std::ops::Range;

use super::edits;
use super::fault::{Fault, NEAR_BYTES_BEFORE};
use super::stages::FIRST_ROUND_EDITS;
use seedsmith_engine::Stopped;

/// Tests after which a repair that is not finished looks at its first fault again, because few texts of the public corpus
/// need as many (2026-11-24).
pub(super) const TESTS_BEFORE_SECOND_LOOK: u64 = 1000;

impl Fault<'_, '_> {
    /// Tries the likeliest edits near the fault and each deletion of a byte there on the whole text, if the text is valid
    /// without the line of the fault: if it is not, it has another fault. Whether an edit made it valid.
    ///
    /// Costs one test, and some 60 where the fault is the only one.
    pub(super) fn mend_whole(&mut self) -> Result<bool, Stopped> {
        let text = &self.partial.text;
        let start = self.partial.viable.at;
        let end = (text.len() - self.partial.rest + 1).min(text.len());
        let near = start.saturating_sub(NEAR_BYTES_BEFORE)..end.min(start + NEAR_BYTES_BEFORE);
        let row = line(text, start);
        let without = [&text[..row.start], &text[text.len().min(row.end + 1)..]].concat();
        if !self.validator.is_valid(&without)? {
            return Ok(false);
        }
        (self.best)(&without);
        let mut all = self.singles(near.clone(), FIRST_ROUND_EDITS);
        all.extend(edits::deletions(text, near, self.guide.likelihood));
        let mut untried = all.iter();
        let found = self.validator.first_valid(&mut |buffer| {
            let Some(edit) = untried.next() else { return false };
            buffer.extend_from_slice(&text[..edit.at]);
            buffer.extend_from_slice(edit.new);
            buffer.extend_from_slice(&text[edit.end..]);
            true
        })?;
        if let Some((_, text)) = &found {
            (self.best)(text);
        }
        Ok(found.is_some())
    }
}

/// The line with an offset, without its end.
fn line(text: &[u8], at: usize) -> Range<usize> {
    let start = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let length = text[start..].iter().position(|byte| *byte == b'\n');
    start..length.map_or(text.len(), |length| start + length)
}

#[cfg(test)]
mod tests {
    use crate::repair::distance::distance;
    use crate::repair::validate::InPlace;
    use crate::repair::{Options, repair};
    use seedsmith_engine::internal::Budget;

    #[test]
    fn a_line_that_became_another_one_is_mended_and_not_all_lines_that_do_not_fit_to_it() {
        // Lines `v N` and `f N N N`. A number of `f` is at most that of the lines `v`, and no two lines `v` are the same, but
        // for lines `f` that do not name the second one.
        let is_valid = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            let rows: Vec<Vec<&str>> = text.lines().map(|row| row.split(' ').collect()).collect();
            let vertices = rows.iter().filter(|row| row[0] == "v").count();
            let is_number = |one: &&str, most: usize| {
                one.parse::<usize>().is_ok_and(|number| (1..=most).contains(&number))
            };
            rows.iter().all(|row| match row[..] {
                ["v", ref all @ ..] => {
                    (1..=3).contains(&all.len()) && all.iter().all(|n| is_number(n, 999))
                }
                ["f", ref all @ ..] => {
                    let is_other = vertices == 20 || !all.contains(&"7");
                    all.len() == 3 && is_other && all.iter().all(|n| is_number(n, vertices))
                }
                [""] => true,
                _ => false,
            })
        };
        let vertices: String = (1..=20).map(|n| format!("v {n}\n")).collect();
        let face =
            |n: usize| format!("f {} {} {}\n", 1 + n % 20, 1 + (n * 3) % 20, 1 + (n * 7) % 20);
        let faces: String = (0..60).map(face).collect();
        let whole = format!("{vertices}f 1 2 13\n{faces}");
        let damaged = whole.replacen("f 1 2 13", "f 1 2 513", 1);
        assert!(is_valid(whole.as_bytes()) && !is_valid(damaged.as_bytes()));
        let mut validator = InPlace::new(is_valid, Budget::default());
        let found = repair(&mut validator, damaged.as_bytes(), &Options::default()).unwrap();
        assert_eq!(distance(damaged.as_bytes(), &found.text.unwrap(), 99), 1);
    }
}
