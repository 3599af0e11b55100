//! What a shard of any command leaves in its result folder, and the shards of one run together.
//!
//! The same file is written by each command, last, when everything else of the folder is there. It says which part
//! the folder is, and what `merge` has to do with it. Nothing is known here of what the commands do: figures are
//! numbers with names, which are added up, and what only some commands have is in other files of the folder.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::hexadecimal::HexPath;
use super::second_run::SECOND_RUN_FILE;
use crate::aside;
use crate::corpus::{InputSet, Shard};

/// The file in a shard's result folder.
pub(crate) const PART_FILE: &str = "part.json";
/// The version of its form.
const VERSION: u32 = 3;

/// Figures of a part by their names. Those of all parts add up to those of one run.
type Figures = BTreeMap<String, u64>;

/// What is left to do when a shard has run, since it depends on the inputs of all shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ToDo {
    /// Choose the smallest corpus: `merge` does it by the features that the shards have recorded.
    Choose,
    /// Shrink the chosen inputs: a second run of each shard does it.
    Shrink,
    /// Continue repairs from the valid texts of all shards: a second run of each shard does it.
    Repair,
}

/// What has changed since an earlier run of a shard, so that its results are of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Inputs were added or removed.
    Inputs,
    /// The validator's program, or a file that its command names, has other content.
    Validator,
}

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
    /// What tells the validator's program from another version of it. Empty for commands whose `key` tells it.
    #[serde(default)]
    program: String,
    /// The inputs of all shards, as this one has seen them.
    inputs: String,
    /// The files and folders with the inputs, as they were named, and absolute.
    sources: Vec<(HexPath, HexPath)>,
    /// Its files below the folder. The last component of each is its name in the result.
    files: BTreeSet<String>,
    figures: Figures,
    /// What is left to do, in this order.
    to_do: Vec<ToDo>,
}

/// The parts of all shards.
#[derive(Debug)]
pub(crate) struct JoinedParts {
    /// The name of the command that was run.
    pub task: String,
    /// The executable and the options.
    pub key: String,
    /// The target's name.
    pub target: String,
    /// Whether all shards have seen the same inputs.
    pub have_same_inputs: bool,
    /// The files and folders with the inputs, as they were named, and absolute.
    pub sources: Vec<(PathBuf, PathBuf)>,
    /// The result folders, one of each shard.
    pub folders: Vec<PathBuf>,
    /// The files, each content once, with their names.
    pub files: Vec<(PathBuf, OsString)>,
    /// What is left to do for some shard, each once.
    pub to_do: Vec<ToDo>,
    /// The figures of all shards, added up.
    figures: Figures,
}

/// Why the results of shards cannot be joined.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum JoinError {
    /// A file cannot be read.
    #[error("failed to read {}", path.display())]
    Read {
        /// Its path.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// The shard was ended before it was complete, or it is the folder of something else.
    #[error("{} holds no complete result of a shard: run the shard again", .0.display())]
    Incomplete(PathBuf),
    /// It is not the file of a shard of this version.
    #[error("{} is no result of a shard", .0.display())]
    NoShard(PathBuf),
    /// It is a shard of another run.
    #[error("{} is a shard of another run: {why}", path.display())]
    Other {
        /// Its path.
        path: PathBuf,
        /// The difference.
        why: &'static str,
    },
    /// Shards are missing.
    #[error("the result of {} is missing", .0.join(", "))]
    Missing(Vec<String>),
}

impl Part {
    /// The part of `shard` by the command `task`, without files and figures, and with nothing left to do.
    pub(crate) fn new(shard: Shard, task: &str, key: String, target: &str) -> Self {
        Part {
            version: VERSION,
            shard: (shard.index(), shard.count()),
            task: task.to_owned(),
            key,
            target: target.to_owned(),
            program: String::new(),
            inputs: String::new(),
            sources: Vec::new(),
            files: BTreeSet::new(),
            figures: Figures::new(),
            to_do: Vec::new(),
        }
    }

    /// The same of a run on these inputs, with those of all shards, from these files and folders.
    pub(crate) fn on(self, inputs: InputSet, sources: &[PathBuf]) -> Self {
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        let sources = sources.iter().map(|path| (HexPath::of(path), HexPath::of(&absolute(path))));
        Part { inputs: inputs.to_string(), sources: sources.collect(), ..self }
    }

    /// The same with a validator that has this identity.
    pub(crate) fn by(self, program: String) -> Self {
        Part { program, ..self }
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

    /// The same with this left to do.
    pub(crate) fn leaving(self, to_do: Vec<ToDo>) -> Self {
        Part { to_do, ..self }
    }

    /// The same with the files and figures of the complete part in `below`, a folder of its own folder.
    ///
    /// # Errors
    ///
    /// There is no complete part.
    pub(crate) fn of_below(self, folder: &Path, below: &str) -> Result<Self, JoinError> {
        let Part { files, figures, .. } = Part::read(&folder.join(below))?;
        let files = files.iter().map(|name| format!("{below}/{name}")).collect();
        Ok(Part { files, figures, ..self })
    }

    /// Writes it into the result folder, when all its files are there.
    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        aside::write(&folder.join(PART_FILE), &serde_json::to_vec(self)?)
    }

    /// The executable and the options.
    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// Whether an earlier run has left this to do in this folder, whatever part it is.
    pub(crate) fn waits_in(folder: &Path, to_do: ToDo) -> bool {
        Part::read(folder).is_ok_and(|there| there.to_do.contains(&to_do))
    }

    /// What an earlier run has left to do in this folder; `None` if it has not left the same part. Its figures and
    /// files may be any.
    pub(crate) fn left_in(&self, folder: &Path) -> Option<Vec<ToDo>> {
        let earlier = self.earlier_in(folder);
        earlier.filter(|there| self.change_since(there).is_none()).map(|there| there.to_do)
    }

    /// What has changed since an earlier run of the same part; `None` if nothing has.
    fn change_since(&self, earlier: &Part) -> Option<Change> {
        if earlier.program != self.program {
            Some(Change::Validator)
        } else {
            (earlier.inputs != self.inputs).then_some(Change::Inputs)
        }
    }

    /// The same part in this folder, on any inputs and by any version of the validator.
    fn earlier_in(&self, folder: &Path) -> Option<Part> {
        let there = Part::read(folder).ok()?;
        let is_same = (there.shard, &there.task, &there.key) == (self.shard, &self.task, &self.key);
        is_same.then_some(there)
    }

    /// Deletes what an earlier run has left of the same part on other inputs or by another version of the validator,
    /// `part.json` first. Returns what has changed; `None` if there was nothing to delete.
    pub(crate) fn delete_outdated(&self, folder: &Path) -> io::Result<Option<Change>> {
        let earlier = self.earlier_in(folder);
        let changed = earlier.and_then(|there| Some((self.change_since(&there)?, there)));
        let Some((change, earlier)) = changed else { return Ok(None) };
        fs::remove_file(folder.join(PART_FILE))?;
        let is_below = |name: &&String| {
            Path::new(name).components().all(|one| matches!(one, Component::Normal(_)))
        };
        let files = earlier.files.iter().filter(is_below).map(String::as_str);
        for name in files.chain([SECOND_RUN_FILE]) {
            match fs::remove_file(folder.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(Some(change))
    }

    /// Whether an earlier run has left the same part in this folder, with nothing left to do.
    pub(crate) fn is_in(&self, folder: &Path) -> bool {
        self.left_in(folder).is_some_and(|to_do| to_do.is_empty())
    }

    /// Reads it from a result folder.
    fn read(folder: &Path) -> Result<Self, JoinError> {
        let path = folder.join(PART_FILE);
        let bytes = fs::read(&path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => JoinError::Incomplete(folder.to_owned()),
            _ => JoinError::Read { path: path.clone(), source },
        })?;
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

    /// Whether this is left to do for some shard.
    pub(crate) fn leaves(&self, to_do: ToDo) -> bool {
        self.to_do.contains(&to_do)
    }
}

/// Joins the result folders of all shards. A shard that was run twice counts once.
pub(crate) fn join_parts(folders: &[PathBuf]) -> Result<JoinedParts, JoinError> {
    let mut seen: BTreeMap<u32, PathBuf> = BTreeMap::new();
    let mut files: BTreeMap<OsString, PathBuf> = BTreeMap::new();
    let mut figures = Figures::new();
    let mut to_do = Vec::new();
    let mut first: Option<Part> = None;
    let mut have_same_inputs = true;
    let mut sources: Vec<(PathBuf, PathBuf)> = Vec::new();
    for folder in folders {
        let part = Part::read(folder)?;
        if let Some(first) = &first {
            let other = |why| Err(JoinError::Other { path: folder.clone(), why });
            if part.shard.1 != first.shard.1 {
                return other("the number of shards differs");
            }
            let of = |one: &Part| (one.task.clone(), one.key.clone(), one.program.clone());
            if of(&part) != of(first) {
                return other("the executable, the command or its options differ");
            }
            have_same_inputs &= part.inputs == first.inputs;
        }
        if seen.insert(part.shard.0, folder.clone()).is_none() {
            for path in part.files.iter().map(|name| folder.join(name)) {
                files.entry(path.file_name().unwrap_or_default().to_owned()).or_insert(path);
            }
            for (name, figure) in &part.figures {
                *figures.entry(name.clone()).or_default() += figure;
            }
            for (named, path) in &part.sources {
                if !sources.iter().any(|(_, known)| *known == path.0) {
                    sources.push((named.0.clone(), path.0.clone()));
                }
            }
            for one in &part.to_do {
                if !to_do.contains(one) {
                    to_do.push(*one);
                }
            }
        }
        first.get_or_insert(part);
    }
    let Part { shard: (_, count), task, key, target, .. } =
        first.ok_or_else(|| JoinError::Missing(Vec::new()))?;
    let missing = (1..=count).filter(|one| !seen.contains_key(one));
    let missing: Vec<String> = missing.map(|one| format!("{one}/{count}")).collect();
    if !missing.is_empty() {
        return Err(JoinError::Missing(missing));
    }
    let folders = seen.into_values().collect();
    let files = files.into_iter().map(|(name, path)| (path, name)).collect();
    Ok(JoinedParts { task, key, target, have_same_inputs, sources, folders, files, to_do, figures })
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
        part(2, &["below/b", "c"], 4).write(&place("two")).unwrap();
        assert!(part(1, &[], 0).is_in(&place("one")) && !part(2, &[], 0).is_in(&place("one")));
        let changed = part(1, &[], 0).by("another version".to_owned());
        assert!(!changed.is_in(&place("one")));
        let joined = join_parts(&[place("two"), place("one"), place("two")]).unwrap();
        let names: Vec<_> = joined.files.iter().map(|(_, name)| name.to_str().unwrap()).collect();
        assert_eq!((names, joined.figure("inputs")), (vec!["a", "b", "c"], 7));
        assert_eq!((&joined.task[..], &joined.target[..]), ("repair", "target"));
        assert_eq!(joined.folders, [place("one"), place("two")]);
        let ended = join_parts(&[place("two")]).unwrap_err();
        assert_eq!(ended.to_string(), "the result of 1/2 is missing");
        Part { key: "other".to_owned(), ..part(1, &[], 0) }.write(&place("one")).unwrap();
        let ended = join_parts(&[place("two"), place("one")]);
        assert!(matches!(ended, Err(JoinError::Other { .. })));
        let ended = join_parts(&[place("none")]);
        assert!(matches!(ended, Err(JoinError::Incomplete(_))));
        std::fs::write(place("two").join(PART_FILE), "{}").unwrap();
        assert!(matches!(join_parts(&[place("two")]), Err(JoinError::NoShard(_))));
    }

    #[test]
    fn what_one_shard_leaves_to_do_is_left_to_do_for_all() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let waiting = || part(1, &["text"], 0).leaving(vec![ToDo::Repair]);
        waiting().write(&place("one")).unwrap();
        part(2, &[], 0).write(&place("two")).unwrap();
        assert!(!waiting().is_in(&place("one")));
        let joined = join_parts(&[place("two"), place("one")]).unwrap();
        assert!(joined.leaves(ToDo::Repair) && !joined.leaves(ToDo::Choose));
        // The second run takes over what it has made in a folder below.
        part(1, &["a"], 5).write(&place("one/below")).unwrap();
        part(1, &[], 0).of_below(&place("one"), "below").unwrap().write(&place("one")).unwrap();
        let joined = join_parts(&[place("two"), place("one")]).unwrap();
        assert_eq!(joined.files, [(place("one/below/a"), "a".into())]);
        assert!(joined.to_do.is_empty() && joined.figure("inputs") == 5);
    }
}
