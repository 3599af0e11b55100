//! A valid file and its damaged copy.

use seedsmith_grammar::internal::Units;
use seedsmith_grammar::internal::{DiffStep, diff};

use crate::args::Args;
use crate::damage::damaged;

pub struct Pair {
    pub name: String,
    pub valid: Vec<u8>,
    pub damaged: Vec<u8>,
}

impl Pair {
    /// The share of the valid file's bytes that `text` has in the same order. Two texts that are far
    /// apart are diffed as far as the package's own diff goes.
    pub fn kept(&self, text: &[u8]) -> f64 {
        let units = (Units::bytes(self.valid.len()), Units::bytes(text.len()));
        let steps = diff((&self.valid, &units.0), (text, &units.1));
        let common =
            |step: &DiffStep| if let DiffStep::Common(span) = step { span.len() } else { 0 };
        steps.iter().map(common).sum::<usize>() as f64 / self.valid.len() as f64
    }
}

/// The pairs of a format that `args` ask for.
pub fn read(args: &Args, format: &str, damage: &str) -> Vec<Pair> {
    let folder = args.corpus.join(format);
    let mut names: Vec<String> = std::fs::read_dir(folder.join("valid"))
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("readable").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    names
        .into_iter()
        .skip(args.from)
        .step_by(args.every)
        .filter_map(|name| {
            let valid = std::fs::read(folder.join("valid").join(&name)).ok()?;
            let damaged = match args.damage {
                Some(seed) => damaged(&valid, seed, damage),
                None => std::fs::read(folder.join(damage).join(&name)).ok()?,
            };
            Some(Pair { name, valid, damaged })
        })
        .collect()
}
