//! The result folder of a shard whose inputs are each done by themselves, and the folder that all of them make.
//!
//! A shard of `repair` or `shrink-corpus` writes its files as a run without shards does, each named by its
//! content, and one file more that says which part they are. Nothing is known here of what the commands do: their
//! figures are numbers with names, which are added up.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::failures::{JoinError, missing_shards};
use crate::aside;
use crate::corpus::Shard;

/// The file in a shard's result folder.
pub(crate) const PART_FILE: &str = "part.json";
/// The version of its form.
const VERSION: u32 = 1;

/// Figures of a part by their names. Those of all parts add up to those of one run.
type Figures = BTreeMap<String, u64>;

/// What one shard has done.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Part {
    version: u32,
    /// Which inputs, as K and N.
    shard: (u32, u32),
    /// The name of the command.
    task: String,
    /// The executable and the options, which have to be the same for all shards.
    key: String,
    /// The target's name.
    target: String,
    /// The names of its files.
    files: BTreeSet<String>,
    figures: Figures,
}

/// The parts of all shards.
#[derive(Debug)]
pub(crate) struct JoinedParts {
    /// The name of the command that was run.
    pub task: String,
    /// The target's name.
    pub target: String,
    /// The files, each content once, with their names.
    pub files: Vec<(PathBuf, OsString)>,
    /// The figures of all shards, added up.
    figures: Figures,
}

impl Part {
    /// The part of `shard` by the command `task`, without files and figures.
    pub(crate) fn new(shard: Shard, task: &str, key: String, target: &str) -> Self {
        Part {
            version: VERSION,
            shard: (shard.index(), shard.count()),
            task: task.to_owned(),
            key,
            target: target.to_owned(),
            files: BTreeSet::new(),
            figures: Figures::new(),
        }
    }

    /// The same with these files and figures.
    pub(crate) fn with<'n>(
        self,
        files: BTreeSet<String>,
        figures: impl IntoIterator<Item = (&'n str, u64)>,
    ) -> Self {
        let figures = figures.into_iter().map(|(name, figure)| (name.to_owned(), figure));
        Part { files, figures: figures.collect(), ..self }
    }

    /// Writes it into the result folder, when all its files are there.
    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        std::fs::create_dir_all(folder)?;
        aside::write(&folder.join(PART_FILE), &serde_json::to_vec(self)?)
    }

    /// Whether an earlier run has left the same part in this folder. Its figures and files may be any.
    pub(crate) fn is_in(&self, folder: &Path) -> bool {
        Part::read(folder).is_ok_and(|there| {
            (there.shard, &there.task, &there.key) == (self.shard, &self.task, &self.key)
        })
    }

    /// Reads it from a result folder.
    fn read(folder: &Path) -> Result<Self, JoinError> {
        let path = folder.join(PART_FILE);
        let bytes = std::fs::read(&path)
            .map_err(|source| JoinError::Read { path: path.clone(), source })?;
        let read = serde_json::from_slice::<Part>(&bytes).ok();
        let is_known =
            |one: &Part| one.version == VERSION && Shard::new(one.shard.0, one.shard.1).is_some();
        read.filter(is_known).ok_or(JoinError::NoShard(path))
    }
}

impl JoinedParts {
    /// The sum of a figure over all shards.
    pub(crate) fn figure(&self, name: &str) -> u64 {
        self.figures.get(name).copied().unwrap_or_default()
    }
}

/// Joins the result folders of all shards. A shard that was run twice counts once.
pub(crate) fn join_parts(folders: &[PathBuf]) -> Result<JoinedParts, JoinError> {
    let mut seen = BTreeSet::new();
    let mut files: BTreeMap<String, PathBuf> = BTreeMap::new();
    let mut figures = Figures::new();
    let mut first: Option<Part> = None;
    for folder in folders {
        let mut part = Part::read(folder)?;
        if let Some(first) = &first {
            let other = |why| Err(JoinError::Other { path: folder.clone(), why });
            if part.shard.1 != first.shard.1 {
                return other("the number of shards differs");
            }
            if (&part.task, &part.key) != (&first.task, &first.key) {
                return other("the executable, the command or its options differ");
            }
        }
        if seen.insert(part.shard.0) {
            for name in std::mem::take(&mut part.files) {
                files.entry(name).or_insert_with_key(|name| folder.join(name));
            }
            for (name, figure) in &part.figures {
                *figures.entry(name.clone()).or_default() += figure;
            }
        }
        first.get_or_insert(part);
    }
    let first = first.ok_or_else(|| JoinError::Missing(Vec::new()))?;
    let missing = missing_shards(&seen, first.shard.1);
    if !missing.is_empty() {
        return Err(JoinError::Missing(missing));
    }
    let files = files.into_iter().map(|(name, path)| (path, name.into())).collect();
    Ok(JoinedParts { task: first.task, target: first.target, files, figures })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(index: u32, files: &[&str], inputs: u64) -> Part {
        let files = files.iter().map(|name| (*name).to_owned()).collect();
        let shard = Shard::new(index, 2).unwrap();
        Part::new(shard, "repair", "key".to_owned(), "target").with(files, [("inputs", inputs)])
    }

    #[test]
    fn parts_are_joined_once_each_and_a_missing_or_foreign_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        part(1, &["a", "b"], 3).write(&place("one")).unwrap();
        part(2, &["b", "c"], 4).write(&place("two")).unwrap();
        assert!(part(1, &[], 0).is_in(&place("one")) && !part(2, &[], 0).is_in(&place("one")));
        let joined = join_parts(&[place("two"), place("one"), place("two")]).unwrap();
        let names: Vec<_> = joined.files.iter().map(|(_, name)| name.to_str().unwrap()).collect();
        assert_eq!((names, joined.figure("inputs")), (vec!["a", "b", "c"], 7));
        assert_eq!((&joined.task[..], &joined.target[..]), ("repair", "target"));
        let ended = join_parts(&[place("two")]).unwrap_err();
        assert_eq!(ended.to_string(), "the result of 1/2 is missing");
        Part { key: "other".to_owned(), ..part(1, &[], 0) }.write(&place("one")).unwrap();
        let ended = join_parts(&[place("two"), place("one")]);
        assert!(matches!(ended, Err(JoinError::Other { .. })));
        std::fs::write(place("two").join(PART_FILE), "{}").unwrap();
        assert!(matches!(join_parts(&[place("two")]), Err(JoinError::NoShard(_))));
    }
}
