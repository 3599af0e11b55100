//! The entry point of the project's own fuzz target for stores (see [`crate::fuzzed`]).

use std::io::Write;
use std::time::Duration;

use super::record::{RECORD_BYTES, Record, reseal};
use super::{HEADER_BYTES, Store, header};
use crate::exec::fuzzed::memory_file;
use crate::observation::Observation;
use seedsmith_grammar::Digest;
use xxhash_rust::xxh3::xxh3_64;

/// The key of all stores here.
const KEY: Digest = Digest(7);

/// Any bytes as a store of another key, as the records of a store of ours with wrong checksums, and
/// with right ones.
///
/// Panics where a record that is read is not written the same again, or a store that was opened
/// twice has lost or gained observations.
pub(crate) fn observations(data: &[u8]) {
    // As a file that may be of another key or version.
    opened(data);
    // As the records of a store of ours, with checksums that are wrong, and with right ones.
    let mut bytes = [&header(KEY)[..], data].concat();
    opened(&bytes);
    let seed = xxh3_64(&KEY.0.to_le_bytes());
    let mut at = HEADER_BYTES;
    while reseal(&mut bytes, at, seed) {
        let Some((record, length)) = Record::decode(&bytes, at, seed) else { break };
        let mut again = Vec::new();
        assert!(record.encode(at, seed, &mut again));
        // The unit's last bytes belong to nothing.
        assert!(
            length == again.len() && again[4..RECORD_BYTES] == bytes[at + 4..at + RECORD_BYTES]
        );
        if let Record::Signature(_) = record {
            let text = again[8] as usize | (again[9] as usize) << 8 | (again[10] as usize) << 16;
            assert_eq!(again[RECORD_BYTES..][..text], bytes[at + RECORD_BYTES..][..text]);
        }
        at += length;
    }
    opened(&bytes);
}

/// Opens the bytes as a store, recalls its observations, and adds one.
///
/// Panics where the store is not the same when it is opened again.
fn opened(bytes: &[u8]) {
    let (mut file, path) = memory_file();
    file.write_all(bytes).expect("memory is left");
    let Ok(mut store) = Store::open(&path, KEY) else { return };
    let left = store.left();
    let digest = Digest(u128::from_le_bytes(
        *bytes.get(HEADER_BYTES + 8..).and_then(<[u8]>::first_chunk).unwrap_or(&[1; 16]),
    ));
    let limit = Duration::from_secs(1);
    let recalled = store.recall(digest, limit);
    let observation = recalled.unwrap_or(Observation::Lost);
    store.consume(digest, &observation, limit);
    assert!(store.left() <= left);
    drop(store);
    let again = Store::open(&path, KEY).expect("it was opened before");
    assert_eq!(again.left(), left, "a store that was opened lost or gained observations");
}
