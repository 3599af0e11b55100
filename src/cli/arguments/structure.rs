//! The options for the input's structure, as typed.

use std::path::PathBuf;

use clap::Args;

use crate::cli::arguments::language::LanguageArgs;
use crate::reduce::PicirenySteps;
use crate::session::language::StructureChoice;

/// What the input is made of.
#[derive(Debug, Args)]
#[command(next_help_heading = "Structure")]
pub(crate) struct StructureArgs {
    #[command(flatten)]
    pub language: LanguageArgs,

    /// JSON file: tokens that hold text in other grammars, in picireny's format
    ///
    /// Such a part of a token is parsed on its own and shrunk along its own tree. The file may name
    /// INPUT's grammar and start rule too; --grammar and --start take precedence.
    #[arg(long, value_name = "FILE", env = "SEEDSMITH_ISLANDS", hide_env = true)]
    #[arg(hide_short_help = true)]
    pub islands: Option<PathBuf>,

    /// JSON file: texts in place of rules and tokens, instead of their shortest ones
    #[arg(long, value_name = "FILE", env = "SEEDSMITH_REPLACEMENTS", hide_env = true)]
    #[arg(requires = "grammar", hide_short_help = true)]
    pub replacements: Option<PathBuf>,

    /// What --strategy picireny does besides pruning: coarse, hoist, flatten, hddr, white-space, hidden-tokens
    ///
    /// flatten reads left and right recursion as lists. hddr descends recursively instead of level
    /// by level. white-space replaces hidden tokens between two others by a newline, a blank or
    /// nothing, as picireny does. hidden-tokens treats white space and comments as nodes like
    /// others. Without either, all hidden tokens are dropped at once if the failure allows it, else
    /// one by one.
    #[arg(long, value_name = "STEPS", value_delimiter = ',', hide_short_help = true)]
    #[arg(env = "SEEDSMITH_PICIRENY", hide_env = true)]
    pub picireny: Vec<PicirenyStep>,
}

/// A step of Picireny.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum PicirenyStep {
    /// Prune what can vanish first.
    Coarse,
    /// Put nodes of the same rule in a node's place.
    Hoist,
    /// Make lists of left and right recursion.
    Flatten,
    /// Recursive descent instead of levels.
    Hddr,
    /// White space by kind.
    WhiteSpace,
    /// Hidden tokens as nodes.
    HiddenTokens,
}

impl From<StructureArgs> for StructureChoice {
    fn from(args: StructureArgs) -> Self {
        let StructureArgs { language, islands, replacements, picireny } = args;
        let has = |step| picireny.contains(&step);
        let picireny = PicirenySteps {
            coarse: has(PicirenyStep::Coarse),
            hoist: has(PicirenyStep::Hoist),
            flatten: has(PicirenyStep::Flatten),
            recursive: has(PicirenyStep::Hddr),
            white_space: has(PicirenyStep::WhiteSpace),
            hidden_tokens: has(PicirenyStep::HiddenTokens),
        };
        StructureChoice { language: language.into(), islands, replacements, picireny }
    }
}
