//! What to try when a mutation broke its input: a few dozen candidates, the likeliest first.
//!
//! One call of libFuzzer's mutator changes one place: the parent is `head + old + tail` and the
//! mutant `head + new + tail`. Each [`Technique`] keeps as much of `new` as it can and changes something
//! around it; which of them help depends on the format, so the session tries them in the order in
//! which they have helped so far. It knows no oracle, and costs time by the length of the change,
//! not of the input: a candidate is a patch of the parent until it is written out.

use std::ops::Range;

use crate::mutator::pairs::Unbalanced;

/// How a candidate is made of the parent and its mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Technique {
    /// Brackets and quotes that the change opens are closed after it, and those that it closes are opened before it.
    Balance,
    /// Bytes that the change wrote over come back, before or after it.
    Restore,
    /// One byte that is around here, between the change and its neighbours.
    Separate,
    /// The change reaches on to the end of the word, quote or bracket that it cut into.
    Widen,
    /// Only a part of the change.
    Part,
    /// A byte that is around here instead of a byte of the change.
    Exchange,
}

impl Technique {
    /// All of them.
    pub(super) const ALL: [Technique; 6] = [
        Technique::Balance,
        Technique::Restore,
        Technique::Separate,
        Technique::Widen,
        Technique::Part,
        Technique::Exchange,
    ];
}

/// A parent and what one mutation made of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change<'i> {
    parent: &'i [u8],
    mutant: &'i [u8],
    head: usize,
    /// Length of the common end.
    tail: usize,
}

/// A candidate: the parent with a stretch of it replaced.
#[derive(Clone, Debug)]
pub(super) struct Patch {
    cut: Range<usize>,
    text: Vec<u8>,
}

/// Bytes compared at once, because comparing them one by one is slow in instrumented builds.
const COMPARED_BLOCK_BYTES: usize = 64;
/// How far from the change the end of a word, quote or bracket is looked for, in bytes, because a change of some
/// bytes rarely cuts into wider ones. Not measured.
const MAX_WIDENED_BYTES: usize = 64;
/// A longer change is cut into parts and no more, because it rarely needs a single byte. Not
/// measured.
const MAX_CHANGE_BYTES: usize = 512;

/// In bytes. Whole blocks are compared first.
fn common_head(left: &[u8], right: &[u8]) -> usize {
    let blocks = left
        .chunks_exact(COMPARED_BLOCK_BYTES)
        .zip(right.chunks_exact(COMPARED_BLOCK_BYTES))
        .take_while(|(left, right)| left == right)
        .count();
    let from = blocks * COMPARED_BLOCK_BYTES;
    from + left[from..].iter().zip(&right[from..]).take_while(|(left, right)| left == right).count()
}

/// In bytes. Whole blocks are compared first; the caller has taken the head off.
fn common_tail(left: &[u8], right: &[u8]) -> usize {
    let blocks = left
        .rchunks_exact(COMPARED_BLOCK_BYTES)
        .zip(right.rchunks_exact(COMPARED_BLOCK_BYTES))
        .take_while(|(left, right)| left == right)
        .count();
    let (left, right) = (
        &left[..left.len() - blocks * COMPARED_BLOCK_BYTES],
        &right[..right.len() - blocks * COMPARED_BLOCK_BYTES],
    );
    let rest = left.iter().rev().zip(right.iter().rev()).take_while(|(left, right)| left == right);
    blocks * COMPARED_BLOCK_BYTES + rest.count()
}

impl<'i> Change<'i> {
    /// What `mutant` changed in `parent`; `None` if that is nothing.
    pub(super) fn between(parent: &'i [u8], mutant: &'i [u8]) -> Option<Self> {
        if parent == mutant {
            return None;
        }
        let head = common_head(parent, mutant);
        let tail = common_tail(&parent[head..], &mutant[head..]);
        Some(Change { parent, mutant, head, tail })
    }

    /// What the change wrote over.
    fn lost(&self) -> &'i [u8] {
        &self.parent[self.head..self.parent.len() - self.tail]
    }

    /// What the change wrote.
    fn added(&self) -> &'i [u8] {
        &self.mutant[self.head..self.mutant.len() - self.tail]
    }

    /// The parent with `cut` of it replaced by `pieces`.
    fn with(&self, cut: Range<usize>, pieces: &[&[u8]]) -> Patch {
        Patch { cut, text: pieces.concat() }
    }

    /// Writes a candidate out.
    pub(super) fn write(&self, patch: &Patch, candidate: &mut Vec<u8>) {
        candidate.extend_from_slice(&self.parent[..patch.cut.start]);
        candidate.extend_from_slice(&patch.text);
        candidate.extend_from_slice(&self.parent[patch.cut.end..]);
    }

    /// How long a candidate is.
    pub(super) fn length(&self, patch: &Patch) -> usize {
        self.parent.len() - patch.cut.len() + patch.text.len()
    }

    /// Whether a candidate is the parent or the mutant again.
    fn is_known(&self, patch: &Patch) -> bool {
        let (cut, length) = (&patch.cut, self.length(patch));
        let behind = self.parent.len() - cut.end;
        self.parent[cut.clone()] == patch.text
            || length == self.mutant.len()
                && self.mutant[cut.start..length - behind] == patch.text
                && self.mutant[..cut.start] == self.parent[..cut.start]
                && self.mutant[length - behind..] == self.parent[cut.end..]
    }

    /// Where the change is in the parent.
    fn around(&self) -> Range<usize> {
        self.head..self.parent.len() - self.tail
    }

    /// The candidates of one way, likeliest first. None of them is the parent or the mutant.
    pub(super) fn candidates(&self, technique: Technique) -> Vec<Patch> {
        let mut found = match technique {
            Technique::Balance => self.balanced(),
            Technique::Restore => self.restored(),
            Technique::Separate => self.separated(),
            Technique::Widen => self.widened(),
            Technique::Part => self.parts(),
            Technique::Exchange => self.exchanged(),
        };
        found.retain(|patch| !self.is_known(patch));
        found
    }

    /// Closes brackets and quotes that the change opens, and opens those that it closes.
    fn balanced(&self) -> Vec<Patch> {
        let new = self.added();
        if new.len() > MAX_CHANGE_BYTES {
            return Vec::new();
        }
        let open = Unbalanced::of(new, MAX_CHANGE_BYTES);
        let torn = Unbalanced::of(self.lost(), MAX_CHANGE_BYTES);
        let around = self.around();
        let mut found = Vec::new();
        if !open.closers.is_empty() || !open.openers.is_empty() {
            found.push(self.with(around.clone(), &[&open.openers, new, &open.closers]));
        }
        // The erased bytes held one end of a bracket or quote: the end alone goes back.
        if !torn.kept.is_empty() {
            found.push(self.with(around.clone(), &[&torn.kept, new]));
            found.push(self.with(around, &[new, &torn.kept]));
        }
        found
    }

    /// Overwritten bytes are put back before or after the new ones.
    fn restored(&self) -> Vec<Patch> {
        let (old, new, around) = (self.lost(), self.added(), self.around());
        if old.is_empty() || new.is_empty() || old.len() > MAX_CHANGE_BYTES {
            return Vec::new();
        }
        vec![self.with(around.clone(), &[old, new]), self.with(around, &[new, old])]
    }

    /// Bytes that are beside the change or are not part of a word near it, each once.
    fn marks(&self) -> Vec<u8> {
        /// Bytes on each side of the change, because the separators of the place are among them and each
        /// mark is a candidate. Not measured.
        const NEAR_BYTES: usize = 24;
        let around = self.around();
        let before = &self.parent[around.start.saturating_sub(NEAR_BYTES)..around.start];
        let behind = &self.parent[around.end..self.parent.len().min(around.end + NEAR_BYTES)];
        let mut marks = Vec::new();
        let near = before.iter().rev().zip(behind.iter().chain(std::iter::repeat(&b' ')));
        let is_mark = |byte: u8| !byte.is_ascii_alphanumeric() && byte.is_ascii();
        for byte in
            near.flat_map(|(left, right)| [*left, *right]).chain(self.lost().iter().copied())
        {
            if is_mark(byte) && !marks.contains(&byte) {
                marks.push(byte);
            }
        }
        marks.truncate(8);
        marks
    }

    /// A mark before the change, after it, or on both sides.
    fn separated(&self) -> Vec<Patch> {
        let (new, around) = (self.added(), self.around());
        if new.len() > MAX_CHANGE_BYTES {
            return Vec::new();
        }
        let mut found = Vec::new();
        let marks = self.marks();
        for mark in &marks {
            let mark = std::slice::from_ref(mark);
            found.push(self.with(around.clone(), &[mark, new]));
            found.push(self.with(around.clone(), &[new, mark]));
        }
        if !new.is_empty() {
            for mark in &marks {
                let mark = std::slice::from_ref(mark);
                found.push(self.with(around.clone(), &[mark, new, mark]));
            }
        }
        found
    }

    /// Ends of what the change could reach on to: of a word, of a run up to a mark, of a bracket.
    fn widened(&self) -> Vec<Patch> {
        let (new, around) = (self.added(), self.around());
        let ends = self.ends_behind(around.end);
        let starts = self.starts_before(around.start);
        let mut found = Vec::new();
        for end in &ends {
            found.push(self.with(around.start..*end, &[new]));
        }
        for start in &starts {
            found.push(self.with(*start..around.end, &[new]));
        }
        for (start, end) in starts.iter().zip(&ends) {
            found.push(self.with(*start..*end, &[new]));
            found.push(self.with(*start..*end, &[]));
        }
        found
    }

    fn ends_behind(&self, from: usize) -> Vec<usize> {
        let rest = &self.parent[from..self.parent.len().min(from + MAX_WIDENED_BYTES)];
        let mut ends = Vec::new();
        let mut depth = 0i32;
        for (index, byte) in rest.iter().enumerate() {
            let is_end = match byte {
                b'(' | b'[' | b'{' => {
                    depth += 1;
                    false
                }
                b')' | b']' | b'}' => {
                    depth -= 1;
                    depth <= 0
                }
                b',' | b';' | b'"' | b'\'' | b'>' | b'<' | b'\n' | b' ' | b':' => depth <= 0,
                _ => false,
            };
            if is_end {
                if index > 0 {
                    ends.push(from + index);
                }
                ends.push(from + index + 1);
            }
            if ends.len() >= 6 || depth < 0 {
                break;
            }
        }
        ends.dedup();
        ends
    }

    fn starts_before(&self, to: usize) -> Vec<usize> {
        let first = to.saturating_sub(MAX_WIDENED_BYTES);
        let mut starts = Vec::new();
        let mut depth = 0i32;
        for (index, byte) in self.parent[first..to].iter().enumerate().rev() {
            let is_start = match byte {
                b')' | b']' | b'}' => {
                    depth += 1;
                    false
                }
                b'(' | b'[' | b'{' => {
                    depth -= 1;
                    depth <= 0
                }
                b',' | b';' | b'"' | b'\'' | b'>' | b'<' | b'\n' | b' ' | b':' => depth <= 0,
                _ => false,
            };
            if is_start {
                if first + index + 1 < to {
                    starts.push(first + index + 1);
                }
                starts.push(first + index);
            }
            if starts.len() >= 6 || depth < 0 {
                break;
            }
        }
        starts.dedup();
        starts
    }

    /// Halves and quarters of the change: each put into the parent alone, the larger ones first.
    fn parts(&self) -> Vec<Patch> {
        let (old, new, around) = (self.lost(), self.added(), self.around());
        let mut found = Vec::new();
        for parts in [2, 4, 8] {
            if new.len() >= parts {
                for part in (0..parts).map(|i| new.len() * i / parts..new.len() * (i + 1) / parts) {
                    found.push(self.with(around.clone(), &[&new[..part.start], &new[part.end..]]));
                    found.push(self.with(around.start..around.start, &[&new[part]]));
                }
            }
            // A part of the erased bytes comes back.
            if old.len() >= parts && new.is_empty() {
                for part in (0..parts).map(|i| old.len() * i / parts..old.len() * (i + 1) / parts) {
                    found.push(self.with(around.clone(), &[&old[part]]));
                }
            }
        }
        found
    }

    /// A mark, `0` or `a` in place of the last byte of the change or of its first. Only for changes
    /// of up to 16 bytes.
    fn exchanged(&self) -> Vec<Patch> {
        let (new, around) = (self.added(), self.around());
        if new.is_empty() || new.len() > 16 {
            return Vec::new();
        }
        let mut found = Vec::new();
        let marks = self.marks();
        for byte in marks.iter().chain(b"0a") {
            let end = new.len() - 1;
            found.push(self.with(around.clone(), &[&new[..end], std::slice::from_ref(byte)]));
            if end > 0 {
                found.push(self.with(around.clone(), &[std::slice::from_ref(byte), &new[1..]]));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(parent: &str, mutant: &str, technique: Technique) -> Vec<String> {
        let change = Change::between(parent.as_bytes(), mutant.as_bytes()).unwrap();
        let text = |patch: &Patch| {
            let mut candidate = Vec::new();
            change.write(patch, &mut candidate);
            assert_eq!(candidate.len(), change.length(patch));
            String::from_utf8(candidate).unwrap()
        };
        change.candidates(technique).iter().map(text).collect()
    }

    #[test]
    fn equal_inputs_have_no_change() {
        assert!(Change::between(b"abc", b"abc").is_none());
    }

    #[test]
    fn what_a_change_opens_is_closed_behind_it() {
        assert!(texts("[1]", "[[{1]", Technique::Balance).contains(&"[[{}]1]".to_owned()));
        assert!(texts("[1]", "[1}]", Technique::Balance).contains(&"[1{}]".to_owned()));
    }

    #[test]
    fn an_erased_end_of_a_pair_goes_back() {
        assert!(texts("{\"a\":1}", "{\"a\"", Technique::Balance).contains(&"{\"a\"}".to_owned()));
    }

    #[test]
    fn what_was_written_over_comes_back_beside_the_change() {
        assert_eq!(texts("a:b", "a9b", Technique::Restore), ["a:9b", "a9:b"]);
    }

    #[test]
    fn marks_from_around_separate_the_change_from_its_neighbours() {
        assert!(
            texts("[10,20]", "[10,20 5]", Technique::Separate).contains(&"[10,20, 5]".to_owned())
        );
    }

    #[test]
    fn an_erasure_reaches_on_to_the_end_of_what_it_cut() {
        assert!(texts("[10,20,30]", "[1,20,30]", Technique::Part).is_empty());
        assert!(texts("{\"ab\":1}", "{b\":1}", Technique::Widen).contains(&"{}".to_owned()));
    }

    #[test]
    fn no_candidate_is_the_parent_or_the_mutant() {
        let (parent, mutant) = (b"<a b='c'>d</a>", b"<a b='c'>d<a>");
        let change = Change::between(parent, mutant).unwrap();
        for technique in Technique::ALL {
            for patch in change.candidates(technique) {
                let mut candidate = Vec::new();
                change.write(&patch, &mut candidate);
                assert!(candidate != parent && candidate != mutant);
            }
        }
    }
}
