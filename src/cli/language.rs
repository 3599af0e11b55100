//! Which language the input is in: options as typed, and what they come to, for all commands.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::duration::parse_duration;
use super::exit::{Exit, OrExit, Trouble};
use super::input::Input;
use super::tree_sitter::{PREFIX, Said};
use crate::reduce::Clues;
use seedsmith_grammar::grammar::builtin::Clue;
use seedsmith_grammar::grammar::language::Language;
use seedsmith_grammar::grammar::substitutes::Substitutes;

/// The name that stands for no grammar at all.
pub(super) const BYTES: &str = "bytes";

/// What a parse may take where nothing is said.
pub(super) const MAX_PARSE_TIME: Duration = Duration::from_secs(5);

/// Which language the input is in.
#[derive(Debug, Args)]
#[command(next_help_heading = "Structure")]
pub struct LanguageArgs {
    /// INPUT's grammar: a built-in one, FILE.g4[,FILE.g4], FILE.json
    ///
    /// FILE.json is in the Fuzzing Book's format; tree-sitter:NAME is a parser of tree-sitter's (in
    /// tmin, built with the feature tree-sitter); `bytes` is no grammar at all. Without this
    /// option tmin and generalize take a built-in grammar where the input's ending, the target's
    /// name or a trial parse tells one; repair takes none, because its own guesses keep more.
    #[arg(long, short, value_name = "GRAMMAR", env = "SEEDSMITH_GRAMMAR", hide_env = true)]
    pub grammar: Option<String>,

    /// Parser of tree-sitter's in a shared library, such as libtree-sitter-zig.so:tree_sitter_zig
    ///
    /// In tmin only, built with the feature tree-sitter. Runs code of the library.
    #[arg(long, value_name = "LIB.so:FUNCTION", env = "SEEDSMITH_TREE_SITTER", hide_env = true)]
    #[arg(conflicts_with = "grammar", hide_short_help = true)]
    pub tree_sitter: Option<String>,

    /// Rule that a whole input is [default: the one that no other uses and that ends with EOF]
    #[arg(long, value_name = "RULE", env = "SEEDSMITH_START", hide_env = true)]
    #[arg(requires = "grammar", hide_short_help = true)]
    pub start: Option<String>,

    /// Time that a parse may take before it goes on without a tree
    #[arg(long, value_name = "DURATION", env = "SEEDSMITH_MAX_PARSE_TIME", hide_env = true)]
    #[arg(default_value = "5s", value_parser = parse_duration, hide_short_help = true)]
    pub max_parse_time: Duration,
}

/// What is known of the language, before any file is read.
#[derive(Clone, Debug)]
pub struct LanguagePlan {
    grammar: Option<String>,
    start: Option<String>,
    max_parse_time: Duration,
}

impl Default for LanguagePlan {
    fn default() -> Self {
        LanguagePlan { grammar: None, start: None, max_parse_time: MAX_PARSE_TIME }
    }
}

impl From<LanguageArgs> for LanguagePlan {
    fn from(args: LanguageArgs) -> Self {
        let LanguageArgs { grammar, tree_sitter, start, max_parse_time } = args;
        let grammar = tree_sitter.map(|said| format!("{PREFIX}{said}")).or(grammar);
        LanguagePlan { grammar, start, max_parse_time }
    }
}

impl LanguagePlan {
    /// The same for a grammar that was written down, unless the options name one.
    pub fn or(&self, grammar: String, start: Option<&str>) -> Self {
        let mut plan = self.clone();
        plan.grammar.get_or_insert(grammar);
        plan.start = plan.start.or_else(|| start.map(str::to_owned));
        plan
    }

    /// What `--grammar` says, as it was typed.
    pub fn said(&self) -> Option<&str> {
        self.grammar.as_deref()
    }

    /// The language that was asked for; nothing if none was, or `bytes`.
    pub fn language(&self) -> Result<Option<Substitutes>, Trouble> {
        let Some(grammar) = self.said().filter(|said| *said != BYTES) else { return Ok(None) };
        if grammar.starts_with(PREFIX) {
            let message =
                format!("{grammar} is for tmin; here a built-in grammar or a file is needed");
            return Err(Trouble::new(Exit::Usage, message));
        }
        let bad = || format!("failed to load the grammar {grammar}");
        let language = Language::open(grammar, self.start.as_deref()).or_exit(Exit::Usage, bad)?;
        Ok(Some(self.within_time(language)))
    }

    /// What the language of an input may be guessed by, where the options leave it open.
    pub fn clues(&self, input: &Input, target: &str) -> Option<Clues> {
        if self.grammar.is_some() {
            return None;
        }
        let file_name = input.path.file_name().map(|name| name.to_string_lossy().into_owned());
        let max_parse_time = self.max_parse_time;
        Some(Clues { file_name, target: Some(target.to_owned()), max_parse_time })
    }

    /// The built-in language that an input seems to be in, with its name and what gave it away,
    /// where the options leave that open.
    pub fn guess(
        &self,
        input: &Input,
        target: &str,
    ) -> Option<(&'static str, Clue, Arc<Substitutes>)> {
        self.clues(input, target)?.language(&input.bytes)
    }

    /// The parser of tree-sitter's that was asked for.
    pub fn tree_sitter(&self) -> Result<Option<Said<'_>>, Trouble> {
        let Some(said) = self.said().and_then(|said| said.strip_prefix(PREFIX)) else {
            return Ok(None);
        };
        if self.start.is_some() {
            let message = "tree-sitter's parsers take no --start".to_owned();
            return Err(Trouble::new(Exit::Usage, message));
        }
        Ok(Some(Said(said)))
    }

    /// What the parser of tree-sitter's that was asked for shows of the input's language.
    pub fn seen(&self, input: &Input) -> Result<Option<Substitutes>, Trouble> {
        let Some(said) = self.tree_sitter()? else { return Ok(None) };
        let language = said.language(&input.bytes, self.max_parse_time)?;
        Ok(language.map(|language| self.within_time(language)))
    }

    fn within_time(&self, language: Language) -> Substitutes {
        Substitutes::new(language).with_max_parse_time(self.max_parse_time)
    }
}
