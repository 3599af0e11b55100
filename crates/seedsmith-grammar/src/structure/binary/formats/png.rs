//! PNG: a signature and chunks, each with its length, its type, its data and a checksum of these
//! two (W3C, "Portable Network Graphics Specification", third edition, section 5).
//!
//! The tree has a leaf for the signature, an iteration for each chunk with a rule of four leaves,
//! and a leaf for the bytes after the last whole chunk. The meaning of chunks is not checked: a
//! file without a header chunk is still taken apart, since the images that fuzzers find are
//! damaged.

use crate::structure::binary::structured::{Structure, StructurePart};
use crate::structure::trees::builder::TreeBuilder;
use crate::structure::trees::tree::{NodeKind, Tree};

/// The first eight bytes of every PNG (section 5.2).
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The rule of a chunk.
const CHUNK: u32 = 0;
/// The quantifier of the chunks.
const CHUNKS: u32 = 0;
/// The token of the signature.
const MAGIC: u32 = 0;
/// The token of a chunk's length: four bytes, big-endian.
const LENGTH: u32 = 1;
/// The token of a chunk's type: four letters.
const TYPE: u32 = 2;
/// The token of a chunk's data.
const DATA: u32 = 3;
/// The token of a chunk's checksum: CRC-32 over type and data.
const CHECKSUM: u32 = 4;
/// The bytes after the last whole chunk.
const REST: u32 = 5;

/// Bytes of a chunk without data: length, type and checksum.
const FRAME_BYTES: usize = 12;

/// Chunks in a tree, at most: some 200 MB. Later chunks are part of the rest.
const MAX_CHUNKS: usize = 1 << 20;

/// Portable Network Graphics.
#[derive(Clone, Copy, Debug, Default)]
pub struct Png;

impl Structure for Png {
    fn name(&self) -> &'static str {
        "png"
    }

    /// Cost: once through the chunks' headers.
    fn parse(&self, bytes: &[u8]) -> Option<Tree> {
        if !bytes.starts_with(SIGNATURE) || bytes.len() > u32::MAX as usize - 1 {
            return None;
        }
        let mut builder = TreeBuilder::new();
        let mut at = SIGNATURE.len();
        builder.leaf(NodeKind::Token(MAGIC), 0, at as u32);
        builder.open(NodeKind::Quantifier(CHUNKS), at as u32);
        for _ in 0..MAX_CHUNKS {
            let Some(length) = data_length(&bytes[at..]) else { break };
            builder.open(NodeKind::Iteration, at as u32);
            builder.open(NodeKind::Rule { rule: CHUNK, alternative: 0 }, at as u32);
            for (token, width) in [(LENGTH, 4), (TYPE, 4), (DATA, length), (CHECKSUM, 4)] {
                builder.leaf(NodeKind::Token(token), at as u32, (at + width) as u32);
                at += width;
            }
            builder.close();
            builder.close();
        }
        builder.close();
        if at < bytes.len() {
            builder.leaf(NodeKind::Token(REST), at as u32, bytes.len() as u32);
        }
        Some(builder.finish(bytes.len() as u32))
    }

    /// Length and checksum of a chunk, from its type and data.
    fn mend(&self, _: u32, parts: &mut [StructurePart<'_>]) {
        let [length, name, data, checksum] = parts else { return };
        length.bytes = (data.bytes.len() as u32).to_be_bytes().to_vec().into();
        let mut crc = crc32fast::Hasher::new();
        crc.update(&name.bytes);
        crc.update(&data.bytes);
        checksum.bytes = crc.finalize().to_be_bytes().to_vec().into();
    }

    fn is_free(&self, token: u32) -> bool {
        matches!(token, DATA | REST)
    }
}

/// How much data the chunk has with which the bytes begin, if all of it is there.
fn data_length(bytes: &[u8]) -> Option<usize> {
    let length = u32::from_be_bytes(*bytes.first_chunk()?) as usize;
    let is_name = bytes.get(4..8)?.iter().all(u8::is_ascii_alphabetic);
    (is_name && length <= bytes.len().checked_sub(FRAME_BYTES)?).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::binary::structured::{FieldEdit, rebuild};
    use crate::structure::trees::tree::NodeId;

    fn chunk(name: &str, data: &[u8]) -> Vec<u8> {
        let body = [name.as_bytes(), data].concat();
        let crc = crc32fast::hash(&body).to_be_bytes();
        [&(data.len() as u32).to_be_bytes()[..], &body, &crc].concat()
    }

    #[test]
    fn the_checksum_is_the_one_of_the_specification() {
        // The end chunk of every PNG file.
        assert_eq!(chunk("IEND", b""), b"\0\0\0\0IEND\xAE\x42\x60\x82");
    }

    #[test]
    fn every_byte_is_in_the_tree_whatever_the_input() {
        let whole = [SIGNATURE, &chunk("IHDR", &[1; 13]), &chunk("IEND", b""), b"tail"].concat();
        for end in SIGNATURE.len()..=whole.len() {
            let input = &whole[..end];
            assert_eq!(Png.parse(input).unwrap().render(input), input);
        }
        assert!(Png.parse(b"GIF89a").is_none());
    }

    #[test]
    fn lengths_and_checksums_are_mended_where_something_changed_and_nowhere_else() {
        let mut wrong = chunk("tEXt", b"abc");
        *wrong.last_mut().unwrap() ^= 1;
        let input = [SIGNATURE, &wrong, &chunk("IDAT", b"12345"), &chunk("IEND", b"")].concat();
        let tree = Png.parse(&input).unwrap();
        let data: Vec<NodeId> =
            tree.ids().filter(|id| tree.node(*id).kind == NodeKind::Token(DATA)).collect();
        let edit = FieldEdit { node: data[1], bytes: b"15".to_vec() };
        let expected = [SIGNATURE, &wrong, &chunk("IDAT", b"15"), &chunk("IEND", b"")].concat();
        assert_eq!(rebuild(&Png, &tree, &input, &[edit]), expected);
        assert_eq!(rebuild(&Png, &tree, &input, &[]), input);
    }
}
