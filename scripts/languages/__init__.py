"""Texts and damages for scripts/repair-languages: `damage` makes random edits, `generated` makes texts of
formats of which a machine has no files."""
