//! `grammar`'s command line as typed.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::FalseyValueParser;

use crate::cli::arguments::duration::parse_duration;
use crate::cli::arguments::groups::ColorArgs;

const LONG_ABOUT: &str = "\
Shows a grammar: its rules, the shortest text of each, unreachable rules, rules without a finite \
text, and unsupported parts (predicates and actions are code in another language).

GRAMMAR is the name of a built-in grammar (--list), a .g4 file of ANTLR 4, a lexer and a parser \
as FILE.g4,FILE.g4, or a .json file in the Fuzzing Book's format. No Java is needed. Of \
tree-sitter:NAME (built with the feature languages) the kinds of nodes are shown. With --parse \
a file's parse tree is shown instead, with its errors by line and column.";

/// The usage line of the help. `@` marks the name, which is printed as it was typed.
pub(crate) const USAGE: &str = "@grammar [OPTIONS] <GRAMMAR>\n       @grammar --list";

const AFTER_HELP: &str = "`@grammar --help` shows all options, exit codes and examples.";

const AFTER_LONG_HELP: &str = "\
Exit codes:
  0 done   1 the parsed file has errors, or took too long   2 usage, or a bad grammar
  6 a file can't be read   70 our bug   129, 130, 143 interrupted

Examples:
  All built-in grammars:
      @grammar --list

  Is my grammar fit for shrinking and for generating?
      @grammar MyLexer.g4,MyParser.g4 --start file

  How is this input read?
      @grammar json --parse crash-abc";

/// Shows a grammar, or how a file is read with it
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, max_term_width = 100)]
#[command(after_help = AFTER_HELP, after_long_help = AFTER_LONG_HELP)]
pub(crate) struct GrammarArgs {
    /// Name of a built-in grammar, or FILE.g4[,FILE.g4], FILE.json, tree-sitter:NAME
    #[arg(value_name = "GRAMMAR", required_unless_present = "list")]
    pub grammar: Option<String>,

    /// List the built-in grammars
    #[arg(long, conflicts_with_all = ["grammar", "start", "parse"])]
    pub list: bool,

    /// Start rule [default: the rule ending in EOF that no other rule uses]
    #[arg(long, value_name = "RULE")]
    pub start: Option<String>,

    /// Parse this file and show its tree
    #[arg(long, value_name = "FILE")]
    pub parse: Option<PathBuf>,

    /// Time that a parse may take
    #[arg(long, value_name = "DURATION", env = "SEEDSMITH_MAX_PARSE_TIME", hide_env = true)]
    #[arg(default_value = "10s", value_parser = parse_duration)]
    pub max_parse_time: Duration,

    /// Report everything as JSON Lines on stdout
    #[arg(long, env = "SEEDSMITH_JSON", hide_env = true, value_parser = FalseyValueParser::new())]
    pub json: bool,

    #[command(flatten)]
    pub color: ColorArgs,
}
