//! Inputs and failures for reducers that find nothing in the common ones of `properties`: binary
//! formats, deep nests, and texts with tags, quotes or names.

use super::properties::{Fails, contains};

/// A PNG of two chunks, of which the first can go if the checksums stay right.
fn png() -> Vec<u8> {
    let chunk = |name: &[u8], data: &[u8]| {
        let body = [name, data].concat();
        let crc = crc32fast::hash(&body).to_be_bytes();
        [&(data.len() as u32).to_be_bytes()[..], &body, &crc].concat()
    };
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(b"IHDR", &[1; 13]), chunk(b"tEXt", b"needle")].concat()
}

/// Whether records of a tag, a length and a body end where the bytes do, and one has the tag 7. A body
/// of the tag 0x30 is made of records too.
fn has_tag_7(bytes: &[u8]) -> Option<bool> {
    let mut has_it = false;
    let mut rest = bytes;
    while let [tag, length, behind @ ..] = rest {
        let (body, next) = behind.split_at_checked(usize::from(*length))?;
        has_it |= *tag == 7 || (*tag == 0x30 && has_tag_7(body)?);
        rest = next;
    }
    rest.is_empty().then_some(has_it)
}

/// A file that begins with a count and rows of tag, offset and length, then has the parts.
fn directory(parts: &[(u8, &[u8])]) -> Vec<u8> {
    let mut bytes = vec![b'D', b'I', b'R', parts.len() as u8];
    let mut at = 4 + 12 * parts.len();
    for (tag, body) in parts {
        bytes.extend_from_slice(&[*tag; 4]);
        bytes.extend_from_slice(&(at as u32).to_be_bytes());
        bytes.extend_from_slice(&(body.len() as u32).to_be_bytes());
        at += body.len();
    }
    parts.iter().fold(bytes, |bytes, (_, body)| [&bytes, *body].concat())
}

/// The parts of such a file, if all of them are inside it.
fn parts(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let number = |at: usize| {
        let bytes = bytes.get(at..at + 4)?;
        Some(bytes.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)))
    };
    let part = |index: usize| {
        let start = number(4 + 12 * index + 4)?;
        bytes.get(start..start.checked_add(number(4 + 12 * index + 8)?)?)
    };
    (0..usize::from(*bytes.get(3)?)).map(part).collect()
}

/// Name, input, and when it fails.
pub fn special() -> Vec<(&'static str, Vec<u8>, Fails)> {
    let nest = [b"{\"a\": [1, ".repeat(150), b"]}".repeat(150)].concat();
    let filled = [&b"\x40head"[..], &[0; 64], b"tail"].concat();
    let body: Vec<u8> = (0..90).collect();
    let listed = directory(&[(b'a', &body), (b'b', &body), (b'c', &body), (b'd', b"needed")]);
    let records = b"\x30\x11\x04\x03cde\x30\x07\x06\x01f\x07\x02gh\x01\x01i\x02\x01z";
    vec![
        ("png", png(), |bytes| {
            bytes.starts_with(b"\x89PNG\r\n\x1a\n") && contains(bytes, b"needle")
        }),
        ("records", records.to_vec(), |bytes| {
            bytes.first() == Some(&0x30) && has_tag_7(bytes) == Some(true)
        }),
        ("directory", listed, |bytes| {
            parts(bytes).is_some_and(|parts| {
                parts.len() > 1 && parts.iter().any(|part| part.ends_with(b"needed"))
            })
        }),
        ("nest", nest, |bytes| bytes.iter().filter(|byte| **byte == b'{').count() >= 70),
        ("filled", filled, |bytes| {
            bytes.first().is_some_and(|count| usize::from(*count) + 9 == bytes.len())
                && bytes.ends_with(b"tail")
        }),
        ("tags", b"<a><b>x</b><c>y</c></a>".repeat(3), |bytes| contains(bytes, b"<c>y</c>")),
        ("words", b"begin one begin two end three end".to_vec(), |bytes| contains(bytes, b"two")),
        ("quotes", b"'one' \"two\" 'three'".to_vec(), |bytes| contains(bytes, b"two")),
        ("names", b"total = total + total".to_vec(), |bytes| {
            bytes.split(|byte| *byte == b' ').filter(|word| word.starts_with(b"t")).count() == 3
        }),
        ("long string", b"[\"a long string around one needle in it\"]".to_vec(), |bytes| {
            bytes.starts_with(b"[\"") && contains(bytes, b"needle") && bytes.ends_with(b"\"]")
        }),
        ("two bytes", b"xy".to_vec(), |bytes| bytes.contains(&b'y')),
    ]
}
