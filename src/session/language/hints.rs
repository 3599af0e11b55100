//! The language of inputs to repair, where none is named: its grammar only tells where a text does not fit.

use std::sync::Arc;

use super::LanguageChoice;
use crate::reduce::clues::Guess;
use crate::repair::recovery::{Reader, Reads};
use crate::session::repair::RepairInput;

/// Inputs that are looked at, because files without an ending may be of other kinds than most. Not measured.
const MAX_LOOKED_AT: usize = 8;
/// Longer inputs say no more about their language, and take seconds to parse.
const MAX_LOOKED_AT_BYTES: usize = 1 << 20;

impl LanguageChoice {
    /// The grammar that most of the first inputs seem to be in, and the note about it: by the endings of
    /// their names, by the target's name, or by trial parses. An input that does not fit it for the most
    /// part does not count. `None` if a grammar was named, or `bytes`.
    pub(crate) fn hints(
        &self,
        inputs: &[RepairInput],
        target: &str,
    ) -> Option<(Arc<dyn Reads>, String)> {
        let mut found: Vec<(&str, String, Arc<dyn Reads>, usize)> = Vec::new();
        let mut looked_at = 0;
        for input in inputs.iter().take(MAX_LOOKED_AT) {
            let clues = self.clues(input.path(), target)?;
            let Ok(text) = input.read() else { continue };
            if text.is_empty() || text.len() > MAX_LOOKED_AT_BYTES {
                continue;
            }
            looked_at += 1;
            let Some(known) = clues.known(&text, Guess::ByTrial, true) else { continue };
            let (Some(note), Some((name, _))) = (known.note(), known.guessed) else { continue };
            let reader = Reader::new(known.language);
            let misfit = reader.first_misfit(&text);
            if misfit.is_none_or(|one| one.is_some_and(|one| !one.is_sound(text.len()))) {
                continue;
            }
            match found.iter_mut().find(|(other, ..)| *other == name) {
                Some((.., count)) => *count += 1,
                None => found.push((name, note, Arc::new(reader), 1)),
            }
        }
        let (_, note, reader, count) = found.into_iter().max_by_key(|(.., count)| *count)?;
        (count * 2 > looked_at).then_some((reader, note))
    }
}
