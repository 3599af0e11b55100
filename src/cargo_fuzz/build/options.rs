//! A user's options for cargo besides the target: features, a profile, unstable flags.

use seedsmith_grammar::Digest;

/// Digits of the digest in the name of a folder: four billion names for the few sets of options of
/// one package, in a path that stays readable.
const KEY_DIGITS: usize = 8;

/// Options that are passed to cargo as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CargoOptions {
    /// Features to turn on.
    pub features: Vec<String>,
    /// Whether the package's default features are left out.
    pub no_default_features: bool,
    /// Whether all features of the package are turned on.
    pub all_features: bool,
    /// The profile; cargo-fuzz's default, `release`, if none is given.
    pub profile: Option<String>,
    /// Flags for `-Z`, which only a nightly cargo accepts.
    pub unstable: Vec<String>,
}

impl CargoOptions {
    /// Whether the user has chosen features.
    pub(crate) fn chooses_features(&self) -> bool {
        !self.features.is_empty() || self.no_default_features || self.all_features
    }

    /// The name of the profile.
    pub(crate) fn profile(&self) -> &str {
        self.profile.as_deref().unwrap_or("release")
    }

    /// The folder below the triple's in which cargo puts executables of this profile.
    pub(crate) fn profile_folder(&self) -> &str {
        match self.profile() {
            "dev" | "test" => "debug",
            "bench" => "release",
            other => other,
        }
    }

    /// The environment variable for how much debug information the profile has.
    pub(crate) fn debug_variable(&self) -> String {
        let profile = self.profile().to_uppercase().replace('-', "_");
        format!("CARGO_PROFILE_{profile}_DEBUG")
    }

    /// The name of a target folder that builds with other options do not share. Sharing it would
    /// compile the package again whenever the options change.
    pub(crate) fn folder(&self, name: &str) -> String {
        if *self == CargoOptions::default() {
            return name.to_owned();
        }
        let key = format!("{:?}", Digest::of(format!("{self:?}").as_bytes()));
        format!("{name}-{}", key.get(..KEY_DIGITS).unwrap_or(&key))
    }

    /// The options of cargo that turn features on and off; `required` are on in any case.
    pub(crate) fn feature_words(&self, required: &[String]) -> Vec<String> {
        let mut words = Vec::new();
        if self.all_features {
            words.push("--all-features".to_owned());
        }
        if self.no_default_features {
            words.push("--no-default-features".to_owned());
        }
        let mut features: Vec<&str> = Vec::new();
        for feature in required.iter().chain(&self.features) {
            if !features.contains(&feature.as_str()) {
                features.push(feature);
            }
        }
        if !features.is_empty() {
            words.extend(["--features".to_owned(), features.join(",")]);
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_with_other_options_have_a_folder_of_their_own() {
        let plain = CargoOptions::default();
        assert_eq!(plain.folder("seedsmith"), "seedsmith");
        let with = |feature: &str| CargoOptions {
            features: vec![feature.to_owned()],
            ..CargoOptions::default()
        };
        let profile =
            CargoOptions { profile: Some("fuzz-small".to_owned()), ..CargoOptions::default() };
        let names = [with("a"), with("b"), profile.clone()].map(|one| one.folder("seedsmith"));
        assert!(names.iter().all(|name| name.len() == "seedsmith-".len() + KEY_DIGITS));
        assert!(names[0] != names[1] && names[1] != names[2], "{names:?}");
        assert_eq!(with("a").folder("seedsmith"), names[0]);
        assert_eq!(profile.debug_variable(), "CARGO_PROFILE_FUZZ_SMALL_DEBUG");
    }

    #[test]
    fn a_feature_is_named_once_and_what_a_target_requires_is_always_on() {
        let options = CargoOptions {
            features: vec!["a".to_owned(), "b".to_owned()],
            no_default_features: true,
            ..CargoOptions::default()
        };
        let words = options.feature_words(&["b".to_owned()]);
        assert_eq!(words, ["--no-default-features", "--features", "b,a"]);
        assert!(CargoOptions::default().feature_words(&[]).is_empty());
    }
}
