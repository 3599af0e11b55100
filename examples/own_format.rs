//! A custom format: records with a length and a checksum, which are corrected while the input
//! shrinks.
//!
//! ```text
//! cargo run --example own_format
//! ```
//!
//! The format is `REC1`, then records of a kind (1 byte), a length (1 byte), data of that length,
//! and the sum of the data's bytes (1 byte). The target refuses malformed inputs, and fails if a
//! record of kind 7 holds `<<`. Without the structure nothing could be deleted: each deletion
//! breaks a length.

use seedsmith::Search;
use seedsmith::internal::reduce::known_formats;
use seedsmith::internal::reduce::{Options, minimize};
use seedsmith_engine::ClosureTarget;
use seedsmith_engine::SameFailure;
use seedsmith_engine::Sameness;
use seedsmith_engine::internal::{Budget, Oracle};
use seedsmith_engine::{Kind as FailureKind, Signature};
use seedsmith_grammar::internal::TreeBuilder;
use seedsmith_grammar::{NodeKind, Tree};
use seedsmith_grammar::{Structure, StructurePart};

const MAGIC: &[u8] = b"REC1";
/// Numbers for the parts; each format counts its own.
const HEAD: u32 = 0;
const KIND: u32 = 1;
const LENGTH: u32 = 2;
const DATA: u32 = 3;
const SUM: u32 = 4;

struct Records;

impl Structure for Records {
    fn name(&self) -> &'static str {
        "records"
    }

    fn parse(&self, bytes: &[u8]) -> Option<Tree> {
        let mut builder = TreeBuilder::new();
        let mut at = bytes.starts_with(MAGIC).then_some(MAGIC.len())?;
        let leaf = |builder: &mut TreeBuilder, token, start: usize, end: usize| {
            builder.leaf(NodeKind::Token(token), start as u32, end as u32);
        };
        leaf(&mut builder, HEAD, 0, at);
        // Iterations of a quantified part may be deleted.
        builder.open(NodeKind::Quantifier(0), at as u32);
        while at < bytes.len() {
            let length = usize::from(*bytes.get(at + 1)?);
            let end = at + 2 + length;
            bytes.get(end)?;
            builder.open(NodeKind::Iteration, at as u32);
            builder.open(NodeKind::Rule { rule: 0, alternative: 0 }, at as u32);
            leaf(&mut builder, KIND, at, at + 1);
            leaf(&mut builder, LENGTH, at + 1, at + 2);
            leaf(&mut builder, DATA, at + 2, end);
            leaf(&mut builder, SUM, end, end + 1);
            builder.close();
            builder.close();
            at = end + 1;
        }
        builder.close();
        Some(builder.finish(bytes.len() as u32))
    }

    fn mend(&self, _rule: u32, parts: &mut [StructurePart<'_>]) {
        let [_, length, data, sum] = parts else { return };
        length.bytes = vec![data.bytes.len() as u8].into();
        sum.bytes = vec![checksum(&data.bytes)].into();
    }

    fn is_free(&self, token: u32) -> bool {
        token == DATA
    }
}

fn checksum(data: &[u8]) -> u8 {
    data.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}

fn record(kind: u8, data: &[u8]) -> Vec<u8> {
    [&[kind, data.len() as u8], data, &[checksum(data)]].concat()
}

/// The program under test.
fn fails(bytes: &[u8]) -> bool {
    let Some(mut rest) = bytes.strip_prefix(MAGIC) else { return false };
    let mut has_it = false;
    while let [kind, length, behind @ ..] = rest {
        let Some((data, [sum, next @ ..])) = behind.split_at_checked(usize::from(*length)) else {
            return false;
        };
        if checksum(data) != *sum {
            return false;
        }
        has_it |= *kind == 7 && data.windows(2).any(|pair| pair == b"<<");
        rest = next;
    }
    has_it && rest.is_empty()
}

fn main() {
    let mut input = MAGIC.to_vec();
    for number in 0..40 {
        input.extend(record(number % 7, format!("record number {number}").as_bytes()));
        if number == 23 {
            input.extend(record(7, b"some text and << in the midst of it"));
        }
    }
    let target = ClosureTarget::failing_if(fails);
    let signature = Signature::of_kind(FailureKind::Command);
    let judge = SameFailure { signature, sameness: Sameness::default() };
    let mut oracle = Oracle::new(&target, judge, 1, Budget::default()).expect("a closure opens");
    let mut quiet = |_: &seedsmith::Event<'_>| {};
    let mut search = Search::new(&mut oracle, input.clone(), &mut quiet);
    known_formats::reduce(&mut search, &Records).expect("nothing stops it");
    let by_structure = search.best().len();
    minimize(&mut search, &Options::default()).expect("nothing stops it");
    println!("{} -> {by_structure} -> {:?}", input.len(), search.best().escape_ascii().to_string());
    assert_eq!(search.best(), [MAGIC, &record(7, b"<<")].concat());
}
