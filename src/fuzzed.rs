//! What the project's own fuzz targets run: every parser of text or bytes from outside.
//!
//! `fuzz/fuzz_targets/self_*.rs` hand these functions to libFuzzer; `tests/fuzzed` runs them on
//! `corpora/self/` and mutants of it. A function here takes any bytes. It panics where the code under
//! test is wrong, and is bounded in steps and memory where that code is right. Not part of the public
//! interface.

use std::sync::Arc;

use crate::generalize::draws::sampler::Sampler;
use crate::generalize::file::PatternFile;
use crate::journal;
pub use seedsmith_engine::fuzzed::{elf, observations, reports};
use seedsmith_grammar::Language;
use seedsmith_grammar::Random;
pub use seedsmith_grammar::fuzzed::{
    der, fuzzingbook, g4, islands, node_types, png, replacements, sentences,
};
use seedsmith_grammar::internal::Substitutes;

/// A function of this module.
pub type Parser = fn(&[u8]);

/// All of them, by the name of their folder in `corpora/self/`.
pub const PARSERS: &[(&str, Parser)] = &[
    ("der", der),
    ("elf", elf),
    ("fuzzingbook", fuzzingbook),
    ("g4", g4),
    ("islands", islands),
    ("journal", journal),
    ("node_types", node_types),
    ("observations", observations),
    ("pattern", pattern),
    ("png", png),
    ("replacements", replacements),
    ("reports", reports),
    ("sentences", sentences),
];

/// The journal of a run.
pub fn journal(data: &[u8]) {
    let past = journal::past_of(data);
    // A torn end changes nothing but itself.
    let torn = [data, b"{\"event\":\"fini"].concat();
    if data.is_empty() || data.ends_with(b"\n") {
        assert_eq!(journal::past_of(&torn), past);
    }
}

/// A pattern file, for the grammar that it names (a built-in one) or for none: loaded, shown, and
/// drawn from.
pub fn pattern(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(file) = serde_json::from_str::<PatternFile>(text) else { return };
    let sampler = file.grammar.as_ref().and_then(|name| {
        let language =
            Language::open(name.source.first().filter(|said| *said == "json")?, Some(&name.start));
        Sampler::new(Arc::new(Substitutes::new(language.ok()?))).ok()
    });
    // The digest is of the grammar as it is now: kept inputs would be refused after each change.
    let digest = sampler.as_ref().map(|sampler| format!("{:?}", sampler.digest()));
    let mut file = file;
    if let (Some(name), Some(digest)) = (&mut file.grammar, digest) {
        name.digest = digest;
    }
    let mut pattern = match file.load(sampler) {
        Ok(pattern) => pattern,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    pattern.compact();
    pattern.room();
    for seed in 0..2 {
        pattern.draw(&mut Random::new(seed));
    }
    let condition = match file.predicate() {
        Ok(condition) => condition,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let again = PatternFile::of(&pattern, file.claim.clone(), condition.as_ref(), &[]);
    let written = serde_json::to_string(&again).expect("it was read from JSON");
    assert_eq!(serde_json::from_str::<PatternFile>(&written).expect("it was just written"), again);
}
