//! Options that are passed to cargo, as typed.

use clap::Args;
use clap::builder::FalseyValueParser;

use crate::cargo_fuzz::CargoOptions;

/// How a fuzz target is built.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Build")]
pub(crate) struct BuildArgs {
    /// Features to build the target with, separated by commas
    ///
    /// These and the other options of this section are passed to cargo. Each combination of options
    /// has another target folder.
    #[arg(long, value_name = "FEATURES", env = "SEEDSMITH_FEATURES", hide_env = true)]
    #[arg(hide_short_help = true, value_delimiter = ',')]
    #[arg(conflicts_with_all = ["command", "binary"])]
    pub features: Vec<String>,

    /// Build without the package's default features
    #[arg(long, env = "SEEDSMITH_NO_DEFAULT_FEATURES", hide_env = true, hide_short_help = true)]
    #[arg(value_parser = FalseyValueParser::new(), conflicts_with_all = ["command", "binary"])]
    pub no_default_features: bool,

    /// Build with all features of the package
    #[arg(long, env = "SEEDSMITH_ALL_FEATURES", hide_env = true, hide_short_help = true)]
    #[arg(value_parser = FalseyValueParser::new(), conflicts_with_all = ["command", "binary"])]
    pub all_features: bool,

    /// Profile to build with [default: release, as cargo fuzz does]
    #[arg(long, value_name = "NAME", env = "SEEDSMITH_PROFILE", hide_env = true)]
    #[arg(hide_short_help = true, conflicts_with_all = ["command", "binary"])]
    pub profile: Option<String>,

    /// Unstable flag for cargo, such as build-std; the build uses nightly Rust then
    #[arg(short = 'Z', value_name = "FLAG", env = "SEEDSMITH_UNSTABLE", hide_env = true)]
    #[arg(hide_short_help = true, conflicts_with_all = ["command", "binary"])]
    pub unstable: Vec<String>,
}

impl From<BuildArgs> for CargoOptions {
    fn from(args: BuildArgs) -> Self {
        let BuildArgs { features, no_default_features, all_features, profile, unstable } = args;
        let features = features.iter().flat_map(|some| some.split_whitespace());
        CargoOptions {
            features: features.map(str::to_owned).collect(),
            no_default_features,
            all_features,
            profile,
            unstable,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Alone {
        #[arg(last = true)]
        command: Vec<String>,
        #[arg(long)]
        binary: Option<String>,
        #[command(flatten)]
        build: BuildArgs,
    }

    #[test]
    fn features_are_separated_as_cargo_separates_them() {
        let words = ["x", "--features", "a,b c", "--features", "d", "-Zbuild-std", "-Z", "e"];
        let options = CargoOptions::from(Alone::parse_from(words).build);
        assert_eq!(options.features, ["a", "b", "c", "d"]);
        assert_eq!(options.unstable, ["build-std", "e"]);
        assert!(Alone::try_parse_from(["x", "--features", "a", "--", "true"]).is_err());
    }
}
