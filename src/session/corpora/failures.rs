//! The failing inputs of one shard on disk, and the groups of all shards.
//!
//! A shard of `tmin` or `triage` writes down how each of its inputs failed, and which result it has. Joined in the
//! order of all inputs, the groups are those of a run without shards: each is represented by its smallest input over
//! all shards, and only the results of that one count.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use seedsmith_engine::internal::{signature_of, text_of};
use seedsmith_engine::{Rule, Sameness, Signature};
use serde::{Deserialize, Serialize};

use crate::aside;
use crate::corpus::{Grouping, Inputs, Listed, Shard};
use crate::event::{FailureGroup, FailureGroups, GroupResult};
use crate::session::sort::Sorted;
use crate::session::stack::StackNames;

/// The file in a shard's result folder.
pub(crate) const FAILURES_FILE: &str = "failures.json";
/// The version of its form.
const VERSION: u32 = 1;

/// The places of inputs in the list of all shards, by SHA-1.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places(HashMap<String, usize>);

/// Keeps the inputs of `shard`, and gives the places that all inputs have.
///
/// Files that cannot be read have no digest; they belong to the first shard.
pub(crate) fn keep_shard(inputs: &mut Inputs, shard: Shard) -> Places {
    let listed = inputs.inputs.iter().enumerate();
    let places = listed.map(|(place, one)| (one.sha1.clone(), place)).collect();
    inputs.inputs.retain(|one| shard.has(&one.sha1));
    if shard.index() != 1 {
        inputs.passed_over.clear();
    }
    Places(places)
}

/// What a run of one shard was, and how its inputs fail.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ShardFailures {
    version: u32,
    /// Which inputs, as K and N.
    shard: (u32, u32),
    /// The name of the command.
    task: String,
    /// The rule by which failures are compared, as it is typed.
    same: String,
    /// Whether each input has a result, and not only the smallest of each failure.
    all: bool,
    failing: Vec<ShardFailing>,
    /// Files that do not fail, with their places in the list of all inputs.
    passing: Vec<(usize, Vec<String>)>,
    /// How many inputs could not be run.
    troubled: usize,
}

/// A failing input of a shard. Paths are hexadecimal, since they need not be text.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ShardFailing {
    place: usize,
    files: Vec<String>,
    bytes: u64,
    sha1: String,
    target: String,
    /// The executable with the code that fails.
    code: Option<String>,
    /// The failure as observations are stored, in hexadecimal.
    signature: String,
    is_steady: bool,
    /// The name of the result's file and its size.
    result: Option<(String, usize)>,
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

/// The groups of all shards.
#[derive(Debug)]
pub(crate) struct JoinedFailures {
    /// The name of the command that was run.
    pub task: String,
    /// The groups; their results are in the folders of the shards.
    pub groups: FailureGroups,
}

impl ShardFailures {
    /// What a run of `shard` found out. `results` has the results by the SHA-1 of their inputs.
    pub(crate) fn of(
        (shard, places): (Shard, &Places),
        (task, same, all): (&str, &Rule, bool),
        sorted: &Sorted,
        results: &HashMap<String, GroupResult>,
    ) -> Self {
        let place = |one: &Listed| places.0.get(&one.sha1).copied().unwrap_or(usize::MAX);
        let hex = |path: &Path| base16ct::lower::encode_string(path.as_os_str().as_bytes());
        let files = |one: &Listed| one.files().map(|path| hex(&path)).collect();
        let members = sorted.groups.iter().flat_map(|group| &group.members);
        let failing = members.map(|one| ShardFailing {
            place: place(&one.input),
            files: files(&one.input),
            bytes: one.input.bytes,
            sha1: one.input.sha1.clone(),
            target: one.target.name.clone(),
            code: one.target.code().map(|path| hex(&path)),
            signature: base16ct::lower::encode_string(&text_of(&one.baseline.signature)),
            is_steady: one.baseline.is_steady(),
            result: results.get(&one.input.sha1).and_then(|result| {
                Some((hex(Path::new(result.output.file_name()?)), result.bytes))
            }),
        });
        ShardFailures {
            version: VERSION,
            shard: (shard.index(), shard.count()),
            task: task.to_owned(),
            same: same.to_string(),
            all,
            failing: failing.collect(),
            passing: sorted.passing.iter().map(|one| (place(one), files(one))).collect(),
            troubled: sorted.troubled,
        }
    }

    /// Writes it into the result folder.
    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        std::fs::create_dir_all(folder)?;
        aside::write(&folder.join(FAILURES_FILE), &serde_json::to_vec(self)?)
    }

    /// Reads it from a result folder.
    fn read(folder: &Path) -> Result<Self, JoinError> {
        let path = folder.join(FAILURES_FILE);
        let bytes = std::fs::read(&path)
            .map_err(|source| JoinError::Read { path: path.clone(), source })?;
        let read = serde_json::from_slice::<ShardFailures>(&bytes).ok();
        let is_known = |one: &ShardFailures| {
            one.version == VERSION && Shard::new(one.shard.0, one.shard.1).is_some()
        };
        read.filter(is_known).ok_or(JoinError::NoShard(path))
    }
}

/// The shards of `count` that are not `seen`, as they are typed.
pub(crate) fn missing_shards(seen: &BTreeSet<u32>, count: u32) -> Vec<String> {
    (1..=count).filter(|one| !seen.contains(one)).map(|one| format!("{one}/{count}")).collect()
}

/// Joins the result folders of all shards. A shard that was run twice counts once.
pub(crate) fn join_failures(folders: &[PathBuf]) -> Result<JoinedFailures, JoinError> {
    let mut shards: Vec<(&Path, ShardFailures)> = Vec::new();
    let mut seen = BTreeSet::new();
    for folder in folders {
        let one = ShardFailures::read(folder)?;
        if let Some((_, first)) = shards.first() {
            let other = |why| Err(JoinError::Other { path: folder.clone(), why });
            if one.shard.1 != first.shard.1 {
                return other("the number of shards differs");
            }
            if (&one.task, &one.same, one.all) != (&first.task, &first.same, first.all) {
                return other("the command or its options differ");
            }
        }
        if seen.insert(one.shard.0) {
            shards.push((folder, one));
        }
    }
    let Some((_, first)) = shards.first() else { return Err(JoinError::Missing(Vec::new())) };
    let count = first.shard.1;
    let missing = missing_shards(&seen, count);
    if !missing.is_empty() {
        return Err(JoinError::Missing(missing));
    }
    let (task, all) = (first.task.clone(), first.all);
    let rule: Rule = first.same.parse().unwrap_or_default();
    Ok(JoinedFailures { groups: groups(shards, rule, all), task })
}

/// An input of some shard, and the folder of its result.
struct Member<'s> {
    folder: &'s Path,
    failing: ShardFailing,
    input: Listed,
}

/// The groups of the inputs of all shards, in the order of all inputs.
fn groups(shards: Vec<(&Path, ShardFailures)>, rule: Rule, all: bool) -> FailureGroups {
    let (mut members, mut passing, mut troubled) = (Vec::new(), Vec::new(), 0);
    for (folder, one) in shards {
        troubled += one.troubled;
        passing.extend(one.passing);
        members.extend(one.failing.into_iter().map(|failing| (folder, failing)));
    }
    members.sort_by_key(|(_, failing)| failing.place);
    passing.sort_by_key(|(place, _)| *place);
    // Inputs of different targets are never alike.
    let mut groupings: Vec<(Option<String>, String, Grouping<Member<'_>>)> = Vec::new();
    for (folder, failing) in members {
        let signature = base16ct::lower::decode_vec(&failing.signature).ok();
        let Some(signature) = signature.and_then(|text| signature_of(&text)) else {
            troubled += 1;
            continue;
        };
        let known = groupings.iter().position(|(code, target, _)| {
            *code == failing.code && (code.is_some() || *target == failing.target)
        });
        let at = known.unwrap_or_else(|| {
            let grouping = Grouping::new(Sameness { rule, pattern: None });
            groupings.push((failing.code.clone(), failing.target.clone(), grouping));
            groupings.len() - 1
        });
        let signature: Arc<Signature> = Arc::new(signature);
        let mut files = failing.files.iter().map(|path| path_of(path));
        let input = Listed {
            path: files.next().unwrap_or_default(),
            bytes: failing.bytes,
            sha1: failing.sha1.clone(),
            copies: files.collect(),
        };
        groupings[at].2.add(&signature, Member { folder, failing, input });
    }
    let names = &mut StackNames::default();
    let groups = groupings.into_iter().flat_map(|(_, _, grouping)| grouping.into_groups());
    let rows = groups.map(|group| {
        let inputs: Vec<&Listed> = group.members.iter().map(|one| &one.input).collect();
        let first = &group.members[0].failing;
        let target = (first.target.as_str(), first.code.as_deref().map(path_of));
        let is_steady = group.members.iter().all(|one| one.failing.is_steady);
        let mut row = FailureGroup::with(&group.signature, target, &inputs, is_steady, names);
        let smallest = group.members.iter().min_by_key(|one| one.input.bytes);
        let chosen = group.members.iter().filter(|one| {
            all || smallest.is_some_and(|smallest| smallest.input.sha1 == one.input.sha1)
        });
        row.results = chosen
            .filter_map(|one| {
                let (name, bytes) = one.failing.result.as_ref()?;
                Some(GroupResult { output: one.folder.join(path_of(name)), bytes: *bytes })
            })
            .collect();
        row
    });
    FailureGroups {
        rows: rows.collect(),
        passing: passing.iter().flat_map(|(_, files)| files).map(|path| path_of(path)).collect(),
        troubled,
        joined: None,
    }
}

/// The path that is written in hexadecimal; empty if it is none.
fn path_of(text: &str) -> PathBuf {
    OsString::from_vec(base16ct::lower::decode_vec(text).unwrap_or_default()).into()
}
