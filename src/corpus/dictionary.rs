//! libFuzzer dictionaries: texts that a fuzzer inserts into its inputs.

use std::fmt::Write;

/// Length of a dictionary's entry: 64 bytes, because libFuzzer cuts longer ones.
pub(crate) const MAX_ENTRY_BYTES: usize = 64;

/// A dictionary of `entries`, with `about` as a comment of one line before them.
///
/// Empty entries and those that are too long are left out, and so is what comes again.
pub(crate) fn dictionary<'e>(about: &str, entries: impl IntoIterator<Item = &'e [u8]>) -> String {
    let mut out = format!("# {about}\n");
    let mut seen = std::collections::HashSet::new();
    for entry in entries {
        if entry.is_empty() || entry.len() > MAX_ENTRY_BYTES || !seen.insert(entry) {
            continue;
        }
        out.push('"');
        for byte in entry {
            match byte {
                b'"' | b'\\' => out.extend(['\\', *byte as char]),
                0x20..=0x7e => out.push(*byte as char),
                _ => {
                    let _ = write!(out, "\\x{byte:02x}");
                }
            }
        }
        out.push_str("\"\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_quoted_as_libfuzzer_reads_them_and_come_once() {
        let long = [b'x'; MAX_ENTRY_BYTES + 1];
        let entries: [&[u8]; 6] = [b"a\"b", b"", b"\\", b"a\"b", &long, b"\x00\xff "];
        let text = dictionary("Words", entries);
        assert_eq!(text, "# Words\n\"a\\\"b\"\n\"\\\\\"\n\"\\x00\\xff \"\n");
    }
}
