//! Which features of a fuzz package a target needs.
//!
//! It works on the feature table of a manifest and runs nothing. Features that only bring the
//! `tmin` or another program of ours along are left out of a target's build.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::Package;

/// Programs of ours that users put beside their targets.
pub(super) const OUR_PROGRAMS: [&str; 4] =
    ["tmin", "seedsmith", "cargo-seedsmith", "seedsmith-libfuzzer"];

/// The default features without those that only bring one of our programs along, if there are such.
///
/// A target that requires no features is built with these: otherwise the library, with all its
/// dependencies, would be compiled a second time for the target's flags.
pub(super) fn default_without_ours(package: &Package) -> Option<Vec<String>> {
    let programs = package.targets.iter().filter(|bin| OUR_PROGRAMS.contains(&bin.name.as_str()));
    let asked: BTreeSet<&String> = programs.flat_map(|bin| &bin.required_features).collect();
    without_ours(&package.features, &asked)
}

/// `None` if no default feature is both required by our programs (`asked`) and good for nothing but
/// our library, or if the other default features can't be passed to cargo by name.
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
pub(super) fn closure(features: &BTreeMap<String, Vec<String>>, feature: &str) -> BTreeSet<String> {
    let mut on = BTreeSet::new();
    let mut waiting = vec![feature.to_owned()];
    while let Some(feature) = waiting.pop() {
        if on.insert(feature.clone()) {
            waiting.extend(features.get(&feature).into_iter().flatten().cloned());
        }
    }
    on
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // No program of ours requires it, so it may be there for the targets.
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
