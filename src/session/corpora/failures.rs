//! The failing inputs of one shard on disk, and the groups of all shards.
//!
//! A shard of `tmin` or `triage` writes down how each of its inputs failed, and which result it has. Joined in the
//! order of all inputs, the groups are those of a run without shards: each is represented by its smallest input over
//! all shards, and only the results of that one count.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use seedsmith_engine::internal::{signature_of, text_of};
use seedsmith_engine::{Rule, Sameness, Signature};
use serde::{Deserialize, Serialize};

use super::hexadecimal::{HexBytes, HexPath};
use super::part::{JoinError, JoinedParts, Part};
use crate::aside;
use crate::corpus::{Grouping, InputSet, Inputs, Listed, Shard};
use crate::event::{FailureGroup, FailureGroups, GroupResult};
use crate::session::sort::Sorted;
use crate::session::stack::StackNames;

/// The file in a shard's result folder.
const FAILURES_FILE: &str = "failures.json";

/// The places of inputs in the list of all shards, by SHA-1, and which inputs these are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places(HashMap<String, usize>, InputSet);

/// Keeps the inputs of `shard`, and gives the places that all inputs have.
///
/// Files that cannot be read have no digest; they belong to the first shard.
pub(crate) fn keep_shard(inputs: &mut Inputs, shard: Shard) -> Places {
    let seen = InputSet::of(inputs.inputs.iter().map(|one| one.sha1.as_str()));
    let listed = inputs.inputs.iter().enumerate();
    let places = listed.map(|(place, one)| (one.sha1.clone(), place)).collect();
    inputs.inputs.retain(|one| shard.has(&one.sha1));
    if shard.index() != 1 {
        inputs.passed_over.clear();
    }
    Places(places, seen)
}

/// How the inputs of a shard fail.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ShardFailures {
    /// The rule by which failures are compared, as it is typed.
    same: String,
    /// Whether each input has a result, and not only the smallest of each failure.
    all: bool,
    failing: Vec<ShardFailing>,
    /// Files that do not fail, with their places in the list of all inputs.
    passing: Vec<(usize, Vec<HexPath>)>,
    /// How many inputs could not be run.
    troubled: usize,
    /// The inputs of all shards; it is written with the part.
    #[serde(skip)]
    seen: InputSet,
}

/// A failing input of a shard.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ShardFailing {
    place: usize,
    files: Vec<HexPath>,
    bytes: u64,
    sha1: String,
    target: String,
    /// The executable with the code that fails.
    code: Option<HexPath>,
    /// The failure as observations are stored.
    signature: HexBytes,
    is_steady: bool,
    /// The name of the result's file and its size.
    result: Option<(HexPath, usize)>,
}

impl ShardFailures {
    /// What the run of a shard found out. `places` has the places of its inputs among all, and `results` the results by
    /// the SHA-1 of their inputs.
    pub(crate) fn of(
        places: &Places,
        (same, all): (&Rule, bool),
        sorted: &Sorted,
        results: &HashMap<String, GroupResult>,
    ) -> Self {
        let place = |one: &Listed| places.0.get(&one.sha1).copied().unwrap_or(usize::MAX);
        let files = |one: &Listed| one.files().map(|path| HexPath::of(&path)).collect();
        let members = sorted.groups.iter().flat_map(|group| &group.members);
        let failing = members.map(|one| ShardFailing {
            place: place(&one.input),
            files: files(&one.input),
            bytes: one.input.bytes,
            sha1: one.input.sha1.clone(),
            target: one.target.name.clone(),
            code: one.target.code().map(|path| HexPath::of(&path)),
            signature: HexBytes(text_of(&one.baseline.signature)),
            is_steady: one.baseline.is_steady(),
            result: results.get(&one.input.sha1).and_then(|result| {
                Some((HexPath::of(Path::new(result.output.file_name()?)), result.bytes))
            }),
        });
        ShardFailures {
            same: same.to_string(),
            all,
            failing: failing.collect(),
            passing: sorted.passing.iter().map(|one| (place(one), files(one))).collect(),
            troubled: sorted.troubled,
            seen: places.1,
        }
    }

    /// Writes it into the result folder of `shard`, which the command `task` has filled.
    pub(crate) fn write(&self, folder: &Path, shard: Shard, task: &str) -> io::Result<()> {
        std::fs::create_dir_all(folder)?;
        aside::write(&folder.join(FAILURES_FILE), &serde_json::to_vec(self)?)?;
        let part = Part::new(shard, task, format!("{} {}", self.same, self.all), "");
        part.on(self.seen, &[]).write(folder)
    }

    /// Reads it from a result folder.
    fn read(folder: &Path) -> Result<Self, JoinError> {
        let path = folder.join(FAILURES_FILE);
        let bytes = std::fs::read(&path)
            .map_err(|source| JoinError::Read { path: path.clone(), source })?;
        serde_json::from_slice(&bytes).map_err(|_| JoinError::NoShard(path))
    }
}

/// The groups of all shards of `tmin` or `triage`; their results are in the folders of the shards.
pub(crate) fn join_failures(parts: &JoinedParts) -> Result<FailureGroups, JoinError> {
    let mut shards: Vec<(&Path, ShardFailures)> = Vec::new();
    for folder in &parts.folders {
        shards.push((folder, ShardFailures::read(folder)?));
    }
    let first =
        shards.first().map(|(_, first)| (first.same.parse().unwrap_or_default(), first.all));
    let (rule, all) = first.unwrap_or_default();
    Ok(groups(shards, rule, all))
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
    let mut groupings: Vec<(Option<HexPath>, String, Grouping<Member<'_>>)> = Vec::new();
    for (folder, failing) in members {
        let Some(signature) = signature_of(&failing.signature.0) else {
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
        let mut files = failing.files.iter().map(|path| path.0.clone());
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
        let target = (first.target.as_str(), first.code.as_ref().map(|path| path.0.clone()));
        let is_steady = group.members.iter().all(|one| one.failing.is_steady);
        let mut row = FailureGroup::with(&group.signature, target, &inputs, is_steady, names);
        let smallest = group.members.iter().min_by_key(|one| one.input.bytes);
        let chosen = group.members.iter().filter(|one| {
            all || smallest.is_some_and(|smallest| smallest.input.sha1 == one.input.sha1)
        });
        row.results = chosen
            .filter_map(|one| {
                let (name, bytes) = one.failing.result.as_ref()?;
                Some(GroupResult { output: one.folder.join(&name.0), bytes: *bytes })
            })
            .collect();
        row
    });
    FailureGroups {
        rows: rows.collect(),
        passing: passing.into_iter().flat_map(|(_, files)| files).map(|path| path.0).collect(),
        troubled,
        joined: None,
    }
}
