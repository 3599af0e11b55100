//! Tests of the store: observations are kept in a file and found again; damaged files.

use std::fs;

use super::*;

const KEY: Digest = Digest(7);
const NO_LIMIT: Duration = Duration::ZERO;

/// An input that the target kept.
fn passed() -> Observation {
    Observation::Returned(Verdict::Keep)
}

/// A failure that differs from others by its words.
fn failed(words: &str) -> Observation {
    Observation::Failed(Arc::new(Signature::of_kind(Kind::Other(words.to_owned()))))
}

/// A store's path in a folder that is deleted when it is dropped.
fn scratch() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.observations");
    (folder, path)
}

#[test]
fn what_was_consumed_is_recalled_once_for_each_time() {
    let (_folder, path) = scratch();
    let mut store = Store::create(&path, KEY).unwrap();
    let sequence = [(1, passed()), (2, failed("a")), (1, failed("b")), (3, failed("a"))];
    for (digest, observation) in &sequence {
        store.consume(Digest(*digest), observation, NO_LIMIT);
    }
    store.consume(Digest(4), &Observation::Lost, NO_LIMIT);
    store.mark_fresh(3);
    assert_eq!(store.recall(Digest(1), NO_LIMIT), None, "it is this run's own");
    drop(store);

    let mut store = Store::open(&path, KEY).unwrap();
    assert_eq!((store.left(), store.fresh_after()), (4, Some(3)));
    for (digest, observation) in &sequence {
        assert_eq!(store.recall(Digest(*digest), NO_LIMIT).as_ref(), Some(observation));
        store.consume(Digest(*digest), observation, NO_LIMIT);
    }
    assert_eq!(store.left(), 0);
    for digest in 1..5 {
        assert_eq!(store.recall(Digest(digest), NO_LIMIT), None);
    }
    store.consume(Digest(5), &failed("c"), NO_LIMIT);
    drop(store);
    assert_eq!(Store::open(&path, KEY).unwrap().left(), 5, "what was recalled is there once");
}

#[test]
fn a_torn_end_is_dropped_and_written_over() {
    let (_folder, path) = scratch();
    let mut store = Store::create(&path, KEY).unwrap();
    for digest in 0..10 {
        store.consume(Digest(digest), &failed("a"), NO_LIMIT);
    }
    let end = store.end;
    drop(store);
    let whole = fs::read(&path).unwrap();
    for torn in [end - 1, end - 20, end - 24] {
        let mut bytes = whole.clone();
        bytes[torn..end].fill(0xa5);
        fs::write(&path, bytes).unwrap();
        let mut store = Store::open(&path, KEY).unwrap();
        assert_eq!(store.left(), 9, "torn at {torn} of {end}");
        store.consume(Digest(99), &failed("b"), NO_LIMIT);
        drop(store);
        let store = Store::open(&path, KEY).unwrap();
        assert_eq!((store.left(), store.recall(Digest(99), NO_LIMIT)), (10, Some(failed("b"))));
    }
    for length in [0, 10, 16] {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(matches!(Store::open(&path, KEY), Err(StoreError::OtherKey)));
    }
    fs::write(&path, &whole[..HEADER_BYTES + 7]).unwrap();
    assert_eq!(Store::open(&path, KEY).unwrap().left(), 0);
}

#[test]
fn another_key_is_refused_and_a_new_store_knows_nothing() {
    let (_folder, path) = scratch();
    let mut store = Store::create(&path, KEY).unwrap();
    store.consume(Digest(1), &passed(), NO_LIMIT);
    drop(store);
    assert!(matches!(Store::open(&path, Digest(8)), Err(StoreError::OtherKey)));
    drop(Store::create(&path, Digest(8)).unwrap());
    assert_eq!(Store::open(&path, Digest(8)).unwrap().left(), 0);
}

#[test]
fn two_runs_can_not_have_one_store() {
    let (_folder, path) = scratch();
    let _first = Store::create(&path, KEY).unwrap();
    assert!(matches!(Store::create(&path, KEY), Err(StoreError::Busy(_))));
    assert!(matches!(Store::open(&path, KEY), Err(StoreError::Busy(_))));
}

#[test]
fn the_file_is_bounded() {
    let (_folder, path) = scratch();
    let mut store = Store::create(&path, KEY).unwrap();
    let records = (MAX_STORE_BYTES - HEADER_BYTES) / record::RECORD_BYTES;
    for digest in 0..records as u128 + 10 {
        store.consume(Digest(digest), &passed(), NO_LIMIT);
    }
    assert!(store.is_full());
    assert!(fs::metadata(&path).unwrap().len() <= MAX_STORE_BYTES as u64);
    drop(store);
    assert_eq!(Store::open(&path, KEY).unwrap().left(), records);
}

#[test]
fn a_timeout_is_recalled_under_its_limit_and_shorter_ones() {
    let (_folder, path) = scratch();
    let timeout = Observation::Failed(Arc::new(Signature::of_kind(Kind::Timeout)));
    let (short, long) = (Duration::from_millis(20), Duration::from_secs(10));
    let mut store = Store::create(&path, KEY).unwrap();
    store.consume(Digest(1), &timeout, short);
    store.consume(Digest(2), &passed(), short);
    store.consume(Digest(1), &timeout, long);
    store.consume(Digest(3), &timeout, short);
    drop(store);
    let mut store = Store::open(&path, KEY).unwrap();
    assert_eq!(store.recall(Digest(1), long), Some(timeout.clone()));
    assert_eq!(store.recall(Digest(2), long), Some(passed()));
    assert_eq!(store.recall(Digest(3), long), None);
    assert_eq!(store.recall(Digest(3), short), Some(timeout.clone()));
    store.consume(Digest(1), &timeout, long);
    assert_eq!(store.recall(Digest(1), short), None, "it was used");
}

#[test]
fn a_store_that_someone_else_cuts_while_it_is_written_ends_nobody() {
    let (_folder, path) = scratch();
    for length in [0, 10, HEADER_BYTES as u64, HEADER_BYTES as u64 + 7] {
        let mut store = Store::create(&path, KEY).unwrap();
        for digest in 0..100 {
            store.consume(Digest(digest), &failed("a"), NO_LIMIT);
        }
        File::options().write(true).open(&path).unwrap().set_len(length).unwrap();
        for digest in 100..200_000 {
            store.consume(Digest(digest), &passed(), NO_LIMIT);
        }
        drop(store);
        match Store::open(&path, KEY) {
            Ok(store) => assert_eq!(store.left(), 0, "cut to {length}"),
            Err(error) => assert!(matches!(error, StoreError::OtherKey), "cut to {length}"),
        }
    }
}
