//! Reads the inputs of a corpus once, in an order that depends on their content only.
//!
//! Files come by size, the smallest or the largest first, and files of one size by the SHA-1 of their content; the same
//! bytes come once. So whatever is computed from the sequence is the same for any names and any order of the
//! folders. The files of one size are read together, up to 128 MB; of more, the digests
//! are computed first and each file is read again in its turn.

use std::collections::VecDeque;
use std::iter;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::input::{Listed, content_name, sha1_of};
use super::input_set::{InputSet, sha1_in_name};
use super::read::{LastFolder, ReadError, read_checked};
use super::shard::Shard;
use super::threads::in_parts;
use super::walk::PassedOver;

/// Bytes of files of one size that are kept in memory at once: 100,000 files of 1 KB fit.
///
/// Reading files twice costs more than the memory; the bound keeps a corpus of large files from
/// filling it. A guess, not measured.
const HELD_BYTES: u64 = 128 << 20;
/// A thread looks at the sizes of at least so many files, which takes about a millisecond. A guess, not measured.
const MIN_FILES_OF_A_THREAD: usize = if cfg!(test) { 2 } else { 256 };

/// An input with its bytes.
#[derive(Debug)]
pub(crate) struct Content {
    /// Which input it is.
    pub input: Listed,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The contents of files, as an iterator. It ends early when `interrupt` is set.
#[derive(Debug)]
pub(crate) struct ByContent<'i> {
    /// Files by size; the last one comes next.
    waiting: Vec<(u64, PathBuf)>,
    /// Inputs of one size in the order of their digests; without bytes where they were too many.
    ready: VecDeque<(Listed, Option<Vec<u8>>)>,
    /// Which inputs are wanted; all if there is none.
    shard: Option<Shard>,
    /// Where the last file was.
    folder: LastFolder,
    /// Set when the run is to end.
    interrupt: &'i AtomicBool,
    /// Files that cannot be read.
    passed_over: Vec<PassedOver>,
    /// All files, those of other shards too.
    file_count: usize,
    /// The inputs that were seen until now, those of other shards too.
    seen: InputSet,
}

impl<'i> ByContent<'i> {
    /// The contents of `files`, or of those that belong to `shard`. Empty files are left out:
    /// fuzzers run the empty input without being given one. Costs a look at each file's size, by `jobs` threads.
    ///
    /// A file whose name is the SHA-1 of an input of another shard is not looked at. If the name is not that of its
    /// content, the shard of the name has it, so that every file is in exactly one shard all the same.
    pub(crate) fn new(
        files: impl IntoIterator<Item = PathBuf>,
        shard: Option<Shard>,
        jobs: NonZero<usize>,
        interrupt: &'i AtomicBool,
    ) -> Self {
        let (mut file_count, mut seen) = (0, InputSet::default());
        let mut wanted = Vec::new();
        for path in files {
            file_count += 1;
            if let Some(name) = sha1_in_name(&path) {
                seen.add(name);
                if shard.is_some_and(|shard| !shard.has(name)) {
                    continue;
                }
            }
            wanted.push(path);
        }
        let sizes = in_parts(jobs, wanted.len(), MIN_FILES_OF_A_THREAD, |part| {
            let mut folder = LastFolder::default();
            wanted[part].iter().map(|path| folder.size_of(path)).collect::<Vec<_>>()
        });
        let (mut waiting, mut passed_over) = (Vec::new(), Vec::new());
        for (path, size) in wanted.into_iter().zip(sizes.into_iter().flatten()) {
            match size {
                Ok(size) => waiting.push((size, path)),
                Err(error) => passed_over.push(PassedOver { path, why: error.to_string() }),
            }
        }
        // Stable: of the same bytes, the first file that was named gives the path.
        waiting.sort_by_key(|(size, _)| *size);
        waiting.reverse();
        let (ready, folder) = (VecDeque::new(), LastFolder::default());
        ByContent { waiting, ready, shard, folder, interrupt, passed_over, file_count, seen }
    }

    /// The same contents, with those of the largest files first. To be called before anything is read.
    pub(crate) fn largest_first(mut self) -> Self {
        // Stable: files of one size keep their order.
        self.waiting.sort_by_key(|(size, _)| *size);
        self
    }

    /// How many files there are, of all shards.
    pub(crate) fn file_count(&self) -> usize {
        self.file_count
    }

    /// The inputs of all shards, when all contents were handed over.
    pub(crate) fn seen(&self) -> InputSet {
        self.seen
    }

    /// The files that could not be read until now.
    pub(crate) fn into_passed_over(self) -> Vec<PassedOver> {
        self.passed_over
    }

    /// Reads the files of the next size.
    ///
    /// Costs a read of each file of that size, also of those of other shards if their names do not say to which shard
    /// they belong.
    fn read_next_size(&mut self) {
        let Some(&(size, _)) = self.waiting.last() else { return };
        let others = self.waiting.iter().rposition(|(other, _)| *other != size);
        let mut files = self.waiting.split_off(others.map_or(0, |last| last + 1));
        // `waiting` is in reverse; within a size the order of the names counts.
        files.reverse();
        let holds = size.saturating_mul(files.len() as u64) <= HELD_BYTES;
        let mut found: Vec<(Listed, Option<Vec<u8>>)> = Vec::with_capacity(files.len());
        for (_, path) in files {
            let Some(bytes) = self.read(&path) else { continue };
            if bytes.is_empty() {
                continue;
            }
            let (sha1, length) = (content_name(&bytes), bytes.len() as u64);
            if sha1_in_name(&path).is_none() {
                self.seen.add(&sha1);
                if self.shard.is_some_and(|shard| !shard.has(&sha1)) {
                    continue;
                }
            }
            let input = Listed { path, bytes: length, sha1, copies: Vec::new() };
            found.push((input, holds.then_some(bytes)));
        }
        // The digests together in memory: strings in as many places take longer to compare.
        found.sort_by_cached_key(|(one, _)| sha1_of(&one.sha1));
        for (input, bytes) in found {
            match self.ready.back_mut() {
                Some((same, _)) if same.sha1 == input.sha1 => {
                    if same.path != input.path {
                        same.copies.push(input.path);
                    }
                }
                _ => self.ready.push_back((input, bytes)),
            }
        }
    }

    /// The bytes of a file; nothing, with the reason noted, if it cannot be read. An interrupt ends
    /// the sequence.
    fn read(&mut self, path: &Path) -> Option<Vec<u8>> {
        match read_checked(path, &mut self.folder, self.interrupt) {
            Ok(bytes) => Some(bytes),
            Err(ReadError::Interrupted) => {
                self.waiting.clear();
                None
            }
            Err(error) => {
                let why = error.to_string();
                self.passed_over.push(PassedOver { path: path.to_owned(), why });
                None
            }
        }
    }
}

impl Iterator for ByContent<'_> {
    type Item = Content;

    fn next(&mut self) -> Option<Content> {
        loop {
            match self.ready.pop_front() {
                Some((input, Some(bytes))) => return Some(Content { input, bytes }),
                Some((input, None)) => {
                    // A file that changed meanwhile is another input than the one it was sorted as.
                    if let Some(bytes) = self.read(&input.path) {
                        if content_name(&bytes) == input.sha1 {
                            return Some(Content { input, bytes });
                        }
                        let why = "it changed while it was read".to_owned();
                        self.passed_over.push(PassedOver { path: input.path, why });
                    }
                }
                None if self.waiting.is_empty() => return None,
                None => self.read_next_size(),
            }
        }
    }
}

/// Items that a thread which works ahead hands over at once. One at a time, both threads wake each other for each of them. A
/// guess, not measured.
const ITEMS_AT_ONCE: usize = 16;

/// Hands over the items of an iterator that works ahead in a separate thread, by at most `room`
/// items, and by as many as are handed over at once.
///
/// If `body` ends early, the thread ends at the next item. `body` runs in the caller's thread.
pub(crate) fn ahead<T: Send, R>(
    items: impl Iterator<Item = T> + Send,
    room: usize,
    body: impl FnOnce(&mut dyn Iterator<Item = T>) -> R,
) -> R {
    std::thread::scope(|scope| {
        let (sender, receiver) = std::sync::mpsc::sync_channel(room / ITEMS_AT_ONCE);
        scope.spawn(move || {
            let mut items = items.peekable();
            while items.peek().is_some() {
                let some: Vec<T> = items.by_ref().take(ITEMS_AT_ONCE).collect();
                // The body has ended before the items did.
                if sender.send(some).is_err() {
                    return;
                }
            }
        });
        body(&mut iter::from_fn(move || receiver.recv().ok()).flatten())
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const JOBS: NonZero<usize> = NonZero::new(3).unwrap();

    fn read(files: &[PathBuf], shard: Option<Shard>) -> (Vec<(Vec<u8>, usize)>, usize) {
        let never = AtomicBool::new(false);
        let mut contents = ByContent::new(files.iter().cloned(), shard, JOBS, &never);
        let found = contents.by_ref().map(|one| (one.bytes, one.input.copies.len())).collect();
        (found, contents.into_passed_over().len())
    }

    #[test]
    fn contents_come_once_by_size_and_digest_whatever_the_files_are_called() {
        let folder = tempfile::tempdir().unwrap();
        let texts = ["bb", "a", "", "aa", "bb", "ccc"];
        let mut files: Vec<PathBuf> = (0..texts.len())
            .map(|number| {
                let path = folder.path().join(number.to_string());
                fs::write(&path, texts[number]).unwrap();
                path
            })
            .collect();
        files.push(folder.path().join("missing"));
        let (first, troubled) = read(&files, None);
        let mut pairs = ["aa", "bb"];
        pairs.sort_by_key(|text| content_name(text.as_bytes()));
        let expected = ["a", pairs[0], pairs[1], "ccc"];
        let found: Vec<&[u8]> = first.iter().map(|(bytes, _)| &bytes[..]).collect();
        assert_eq!(found, expected.map(str::as_bytes));
        assert_eq!(first.iter().map(|(_, copies)| copies).sum::<usize>(), 1);
        assert_eq!(troubled, 1);
        files.reverse();
        assert_eq!(read(&files, None).0, first);
        let never = AtomicBool::new(false);
        let backwards = ByContent::new(files.iter().cloned(), None, JOBS, &never).largest_first();
        let found: Vec<Vec<u8>> = backwards.map(|one| one.bytes).collect();
        let expected = ["ccc", pairs[0], pairs[1], "a"];
        assert_eq!(found, expected.map(|text| text.as_bytes().to_vec()));
        let shards = (1..=3).flat_map(|index| read(&files, Shard::new(index, 3)).0);
        let mut union: Vec<_> = shards.collect();
        union.sort();
        let mut all = first;
        all.sort();
        assert_eq!(union, all);
    }

    #[test]
    fn a_thread_that_reads_ahead_gives_the_items_in_order_and_ends_with_its_reader() {
        assert_eq!(ahead(0..1000, 3, |items| items.collect::<Vec<_>>()), Vec::from_iter(0..1000));
        assert_eq!(ahead(0.., 3, |items| items.take(2).sum::<u32>()), 1);
    }
}
