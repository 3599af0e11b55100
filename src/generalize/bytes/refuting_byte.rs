//! The one byte of a draw that keeps the input from failing.
//!
//! It is separate because both sides need it: the search for classes inside a leaf (`spelling`) and the search
//! for insertions between required bytes (`insertions`). It knows neither.

use seedsmith_engine::Stopped;

/// The byte that may be left out of a room that drew a text, so that the text isn't drawn again:
/// without it `fails` holds. Marks come before letters and digits. Cost: a test for each byte.
///
/// Marks like it are tried in its place, and left out too if they keep the input from failing: of two kinds of brackets a draw
/// shows one.
///
/// Nothing if no single byte is enough. Letters and digits are not tried: where one of them is the
/// cause, the others are too.
pub(super) fn refuting_byte(
    text: &[u8],
    mut fails: impl FnMut(Vec<u8>) -> Result<bool, Stopped>,
) -> Result<Vec<u8>, Stopped> {
    let mut bytes: Vec<u8> = text.to_vec();
    // A part of a character that isn't ASCII is none that could be left out.
    if std::str::from_utf8(text).is_ok() {
        bytes.retain(u8::is_ascii);
    }
    bytes.sort_by_key(|byte| (byte.is_ascii_alphanumeric(), *byte));
    bytes.dedup();
    // Where a letter is the cause, the others are too.
    bytes.retain(|byte| !byte.is_ascii_alphanumeric());
    for byte in bytes {
        let without = text.iter().copied().filter(|other| *other != byte).collect();
        if fails(without)? {
            let mut found = vec![byte];
            for other in alike(byte) {
                let with = text.iter().map(|one| if *one == byte { other } else { *one }).collect();
                if !text.contains(&other) && !fails(with)? {
                    found.push(other);
                }
            }
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

/// Marks that formats use as they use that one. Nothing for most.
fn alike(mark: u8) -> impl Iterator<Item = u8> {
    const KINDS: [&[u8]; 4] = [b"([{<", b")]}>", b"\"'`", b"#;"];
    let kind = KINDS.into_iter().find(|kind| kind.contains(&mark)).unwrap_or_default();
    kind.iter().copied().filter(move |other| *other != mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_bracket_is_left_out_too_if_it_keeps_the_input_from_failing() {
        let found = |passes: &[u8]| {
            let fails = |text: Vec<u8>| Ok(!text.iter().any(|byte| passes.contains(byte)));
            refuting_byte(b"x{y", fails).unwrap()
        };
        assert_eq!(found(b"{["), b"{[");
        assert_eq!(found(b"{"), b"{");
        assert!(found(b"{x").is_empty());
    }
}
