//! The words of a note for a person: the text that the search wrote, and which options of the command line change
//! what it says. A search knows no options.

use std::borrow::Cow;

use crate::event::NoteKind;

/// The text of a note with the options that it leads to, if there are any.
pub(crate) fn note_in_words(kind: NoteKind, text: &str) -> Cow<'_, str> {
    match kind {
        NoteKind::GuessedLanguage => {
            Cow::Owned(format!("{text}; --grammar names another one, --grammar bytes uses none"))
        }
        _ => Cow::Borrowed(text),
    }
}
