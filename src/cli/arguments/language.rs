//! Which language the input is in: the options of all commands.

use std::time::Duration;

use clap::Args;

use crate::cli::arguments::duration::parse_duration;
use crate::session::language::{LanguageChoice, TREE_SITTER};

/// Which language the input is in.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Structure")]
pub struct LanguageArgs {
    /// INPUT's grammar: a built-in one, FILE.g4[,FILE.g4], FILE.json
    ///
    /// FILE.json is in the Fuzzing Book's format; tree-sitter:NAME is a parser of tree-sitter's (in
    /// tmin, built with the feature languages); `bytes` is no grammar at all. Without this
    /// option tmin and generalize use a built-in grammar if the input's file extension, the target's
    /// name or a trial parse shows one; repair uses none, because its own guesses keep more.
    #[arg(long, short, value_name = "GRAMMAR", env = "SEEDSMITH_GRAMMAR", hide_env = true)]
    pub grammar: Option<String>,

    /// Parser of tree-sitter's in a shared library, such as libtree-sitter-zig.so:tree_sitter_zig
    ///
    /// In tmin only, built with the feature languages. Runs code of the library.
    #[arg(long, value_name = "LIB.so:FUNCTION", env = "SEEDSMITH_TREE_SITTER", hide_env = true)]
    #[arg(conflicts_with = "grammar", hide_short_help = true)]
    pub tree_sitter: Option<String>,

    /// Start rule [default: the rule ending in EOF that no other rule uses]
    #[arg(long, value_name = "RULE", env = "SEEDSMITH_START", hide_env = true)]
    #[arg(requires = "grammar", hide_short_help = true)]
    pub start: Option<String>,

    /// Time limit of a parse; after it the run continues without a tree
    #[arg(long, value_name = "DURATION", env = "SEEDSMITH_MAX_PARSE_TIME", hide_env = true)]
    #[arg(default_value = "5s", value_parser = parse_duration, hide_short_help = true)]
    pub max_parse_time: Duration,
}

impl From<LanguageArgs> for LanguageChoice {
    fn from(args: LanguageArgs) -> Self {
        let LanguageArgs { grammar, tree_sitter, start, max_parse_time } = args;
        let grammar = tree_sitter.map(|said| format!("{TREE_SITTER}{said}")).or(grammar);
        LanguageChoice { grammar, start, max_parse_time }
    }
}
