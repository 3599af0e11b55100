//! A second look at the first fault of a text whose repair takes long: its first edit may have been the wrong one.
//!
//! An edit is kept if the text is right for longer with it. A wrong one can be so, too, and then each place that does not
//! fit to it is mended as a fault of its own: of a file with one damaged byte, 12 bytes were changed in 6,873 tests. Trying
//! the edits of the fault before at every fault that nothing likely mends did not find this, and cost 1 % more tests
//! (2026-11-24).

use super::edits;
use super::fault::{Fault, NEAR_BYTES_BEFORE};
use super::stages::FIRST_ROUND_EDITS;
use seedsmith_engine::Stopped;

/// Tests after which a repair that is not finished looks at its first fault again: few texts of the public corpus need as
/// many, and such a look takes some 60 (2026-11-24).
pub(super) const TESTS_BEFORE_SECOND_LOOK: u64 = 1000;

impl Fault<'_, '_> {
    /// Tries the likeliest edits near the fault and each deletion of a byte there on the whole text. Whether one made it
    /// valid.
    ///
    /// Costs a test for each.
    pub(super) fn mend_whole(&mut self) -> Result<bool, Stopped> {
        let text = &self.partial.text;
        let start = self.partial.viable.at;
        let end = (text.len() - self.partial.rest + 1).min(text.len());
        let near = start.saturating_sub(NEAR_BYTES_BEFORE)..end.min(start + NEAR_BYTES_BEFORE);
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
