//! A cargo-fuzz package: its targets and the features that they need.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cargo_metadata::{MetadataCommand, Package};

use super::cargo;
use super::exit::{Exit, OrExit, Trouble};

/// Programs of ours that people put beside their targets.
const NO_TARGETS: [&str; 5] = ["tmin", "repair", "generalize", "seedsmith", "cargo-seedsmith"];

/// A cargo-fuzz package.
#[derive(Clone, Debug)]
pub struct FuzzPackage {
    /// The package's folder.
    pub folder: PathBuf,
    /// Where cargo puts what it builds.
    pub target_folder: PathBuf,
    /// The fuzz targets, by name.
    pub targets: Vec<FuzzTarget>,
    /// Whether features are on that nobody asked for.
    pub has_default_features: bool,
    /// The default features but those that only bring a program of ours along, where there are
    /// such. A target that asks for nothing is built with these: `tmin` would be compiled twice.
    pub default_without_ours: Option<Vec<String>>,
}

/// One fuzz target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FuzzTarget {
    /// The executable's name.
    pub name: String,
    /// Features without which cargo doesn't build it.
    pub required_features: Vec<String>,
    /// Whether the package's default features contain them.
    pub builds_by_default: bool,
}

impl FuzzPackage {
    /// Asks cargo what lies in `folder`. Needs no network and builds nothing.
    pub fn load(folder: &Path) -> Result<Self, Trouble> {
        let manifest = folder.join("Cargo.toml");
        if !manifest.is_file() {
            return Err(Trouble::new(
                Exit::Target,
                format!("{} has no Cargo.toml: it is no fuzz package", folder.display()),
            ));
        }
        let doing = || format!("cargo can't read {}", manifest.display());
        let mut ask: Command =
            MetadataCommand::new().manifest_path(&manifest).no_deps().cargo_command();
        cargo::clear_environment(&mut ask);
        let answer = ask.stdin(Stdio::null()).output().or_exit(Exit::Target, doing)?;
        if !answer.status.success() {
            let said = String::from_utf8_lossy(&answer.stderr);
            let said: Vec<&str> =
                said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
            return Err(Trouble::new(Exit::Target, format!("{}: {}", doing(), said.join(" "))));
        }
        let metadata = MetadataCommand::parse(String::from_utf8_lossy(&answer.stdout))
            .or_exit(Exit::Target, doing)?;
        let own = std::path::absolute(&manifest).or_exit(Exit::Files, doing)?;
        let package = metadata
            .packages
            .iter()
            .find(|package| is_same_file(package.manifest_path.as_std_path(), &own))
            .ok_or_else(|| {
                Trouble::new(Exit::Target, format!("{} holds no package", manifest.display()))
            })?;
        Ok(FuzzPackage {
            folder: folder.to_owned(),
            target_folder: metadata.target_directory.clone().into_std_path_buf(),
            targets: targets(package),
            has_default_features: package.features.get("default").is_some_and(|on| !on.is_empty()),
            default_without_ours: default_without_ours(package),
        })
    }

    /// The target called `name`.
    pub fn target(&self, name: &str) -> Option<&FuzzTarget> {
        self.targets.iter().find(|target| target.name == name)
    }

    /// The target called `name`, or trouble that suggests what was meant.
    pub fn expect(&self, name: &str) -> Result<&FuzzTarget, Trouble> {
        self.target(name).ok_or_else(|| {
            let mut names: Vec<&str> = self.targets.iter().map(|one| one.name.as_str()).collect();
            names.sort_by_key(|other| distance(name, other));
            let near = names.first().filter(|other| distance(name, other) <= 3);
            let hint = match near {
                Some(near) => format!("did you mean {near}?"),
                None => {
                    names.sort_unstable();
                    format!("there are: {}", names.join(", "))
                }
            };
            let folder = self.folder.display();
            Trouble::new(Exit::Target, format!("no target {name} in {folder}; {hint}"))
        })
    }
}

fn targets(package: &Package) -> Vec<FuzzTarget> {
    let defaults = closure(&package.features, "default");
    let own_name = std::env::current_exe().ok();
    let own_name = own_name.as_deref().and_then(Path::file_name);
    let is_fuzz_target = |name: &str| {
        !NO_TARGETS.contains(&name) && own_name.is_none_or(|own| own.to_str() != Some(name))
    };
    let mut targets: Vec<FuzzTarget> = package
        .targets
        .iter()
        .filter(|target| target.is_bin() && is_fuzz_target(&target.name))
        .map(|target| FuzzTarget {
            name: target.name.clone(),
            required_features: target.required_features.clone(),
            builds_by_default: target.required_features.iter().all(|one| defaults.contains(one)),
        })
        .collect();
    targets.sort_by(|left, right| left.name.cmp(&right.name));
    targets
}

fn default_without_ours(package: &Package) -> Option<Vec<String>> {
    let programs = package.targets.iter().filter(|bin| NO_TARGETS.contains(&bin.name.as_str()));
    let asked: BTreeSet<&String> = programs.flat_map(|bin| &bin.required_features).collect();
    without_ours(&package.features, &asked)
}

/// `None` where none of the default features is one that our programs ask for and that stands for
/// nothing but our library, or where the others can't be named on a command line.
fn without_ours(
    features: &BTreeMap<String, Vec<String>>,
    asked: &BTreeSet<&String>,
) -> Option<Vec<String>> {
    let is_ours = |feature: &&String| {
        let is_library = |on: &String| on == "dep:seedsmith" || on.starts_with("seedsmith/");
        asked.contains(feature)
            && features.get(*feature).is_some_and(|on| on.iter().all(is_library))
    };
    let default = features.get("default")?;
    let (ours, others): (Vec<&String>, Vec<&String>) = default.iter().partition(is_ours);
    let can_be_named = others.iter().all(|feature| features.contains_key(*feature));
    (!ours.is_empty() && can_be_named).then(|| others.into_iter().cloned().collect())
}

/// Every feature that `feature` turns on, itself included.
fn closure(features: &BTreeMap<String, Vec<String>>, feature: &str) -> BTreeSet<String> {
    let mut on = BTreeSet::new();
    let mut waiting = vec![feature.to_owned()];
    while let Some(feature) = waiting.pop() {
        if on.insert(feature.clone()) {
            waiting.extend(features.get(&feature).into_iter().flatten().cloned());
        }
    }
    on
}

fn is_same_file(left: &Path, right: &Path) -> bool {
    left == right
        || left
            .canonicalize()
            .is_ok_and(|left| right.canonicalize().is_ok_and(|right| left == right))
}

/// Levenshtein's distance: insertions, deletions and exchanges between two names.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, l) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, r) in right.iter().enumerate() {
            let exchanged = diagonal + usize::from(l != *r);
            diagonal = row[j + 1];
            row[j + 1] = exchanged.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_far_apart_as_the_letters_that_differ() {
        assert_eq!(distance("parse", "parse"), 0);
        assert_eq!(distance("prase", "parse"), 2);
        assert_eq!(distance("xml", "xml_comment"), 8);
        assert_eq!(distance("", "abc"), 3);
    }

    fn feature(name: &str, on: &[&str]) -> (String, Vec<String>) {
        (name.to_owned(), on.iter().map(|one| (*one).to_owned()).collect())
    }

    #[test]
    fn a_target_needs_no_feature_that_only_brings_our_programs_along() {
        let tmin = "tmin".to_owned();
        let without = |features: &[(String, Vec<String>)], asked: &[&String]| {
            without_ours(&features.iter().cloned().collect(), &asked.iter().copied().collect())
        };
        let library = feature("tmin", &["dep:seedsmith", "seedsmith/cli"]);
        let default = feature("default", &["light", "tmin"]);
        let light = feature("light", &[]);
        let features = [default, light.clone(), library.clone()];
        assert_eq!(without(&features, &[&tmin]), Some(vec!["light".to_owned()]));
        // Nobody says that it is for our programs only.
        assert_eq!(without(&features, &[]), None);
        let [default, light, _] = features;
        let more = feature("tmin", &["dep:seedsmith", "dep:other"]);
        assert_eq!(without(&[default, light.clone(), more], &[&tmin]), None);
        // `--features dep:other` is an error.
        let default = feature("default", &["dep:other", "tmin"]);
        assert_eq!(without(&[default, library.clone()], &[&tmin]), None);
        let default = feature("default", &["light"]);
        assert_eq!(without(&[default, light, library.clone()], &[&tmin]), None);
        assert_eq!(without(&[library], &[&tmin]), None);
    }

    #[test]
    fn default_features_reach_what_they_turn_on() {
        let features = BTreeMap::from([
            feature("default", &["light"]),
            feature("light", &["a", "b"]),
            feature("heavy", &["c"]),
        ]);
        let on = closure(&features, "default");
        assert!(on.contains("a") && on.contains("b") && !on.contains("c"));
    }
}
