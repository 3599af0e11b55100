//! What the input is made of: options as typed, and the language that they come to.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::exit::{Exit, OrExit, Trouble};
use super::input::Input;
use super::language::{LanguageArgs, LanguagePlan};
use crate::reduce::{Clues, PicirenySteps};
use seedsmith_grammar::grammar::islands::{Format, Islands};
use seedsmith_grammar::grammar::replacements::Replacements;
use seedsmith_grammar::grammar::substitutes::Substitutes;

/// What the input is made of.
#[derive(Debug, Args)]
#[command(next_help_heading = "Structure")]
pub struct StructureArgs {
    #[command(flatten)]
    #[expect(missing_docs, reason = "its type says it")]
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
    /// flatten reads left and right recursion as lists. hddr goes down recursively instead of level
    /// by level. white-space writes what is hidden between two tokens as a newline, a blank or
    /// nothing, as picireny does. hidden-tokens takes white space and comments as nodes like others.
    /// Without either, what is hidden is dropped at once where it doesn't matter, else token by token.
    #[arg(long, value_name = "STEPS", value_delimiter = ',', hide_short_help = true)]
    #[arg(env = "SEEDSMITH_PICIRENY", hide_env = true)]
    pub picireny: Vec<PicirenyStep>,
}

/// A step of Picireny.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum PicirenyStep {
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

/// What is known of the structure, before any file is read.
#[derive(Clone, Debug, Default)]
pub struct StructurePlan {
    language: LanguagePlan,
    islands: Option<PathBuf>,
    replacements: Option<PathBuf>,
    /// Picireny's steps.
    pub picireny: PicirenySteps,
}

impl From<StructureArgs> for StructurePlan {
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
        StructurePlan { language: language.into(), islands, replacements, picireny }
    }
}

impl StructurePlan {
    /// What the language may be guessed by, where the options leave it open.
    pub fn clues(&self, input: &Input, target: &str) -> Option<Clues> {
        self.language.clues(input, target).filter(|_| self.islands.is_none())
    }

    /// The language that was asked for; nothing if none was, or if only an input shows it.
    pub fn language(&self) -> Result<Option<Arc<Substitutes>>, Trouble> {
        let bad_islands = || "failed to load the islands".to_owned();
        let islands = self.islands.as_deref().map(Format::open).transpose();
        let islands = islands.or_exit(Exit::Usage, bad_islands)?;
        if let Some(said) = self.language.tree_sitter()? {
            if islands.is_some() {
                let message = "tree-sitter's parsers take no --islands".to_owned();
                return Err(Trouble::new(Exit::Usage, message));
            }
            return said.check().map(|()| None);
        }
        let plan = match islands.as_ref().and_then(Format::main) {
            Some((said, start)) => self.language.or(said.to_owned(), start),
            None => self.language.clone(),
        };
        let Some(language) = plan.language()? else {
            return match &islands {
                None => Ok(None),
                Some(_) => {
                    let message = "--islands has no effect without a grammar for INPUT: its file \
                                   names none; say --grammar";
                    Err(Trouble::new(Exit::Usage, message))
                }
            };
        };
        let mut language = self.replaced(language)?;
        if let Some(format) = &islands {
            let islands = Islands::load(format, &language.parser());
            let replacements = format.replacements(language.grammar());
            language = language
                .with_replacements(&replacements.or_exit(Exit::Usage, bad_islands)?)
                .with_islands(islands.or_exit(Exit::Usage, bad_islands)?);
        }
        Ok(Some(Arc::new(language)))
    }

    /// Whether a parser of tree-sitter's was asked for.
    pub fn is_shown_by_inputs(&self) -> bool {
        matches!(self.language.tree_sitter(), Ok(Some(_)))
    }

    /// The language that a parser of tree-sitter's shows in this input, if one was asked for.
    pub fn seen(&self, input: &Input) -> Result<Option<Arc<Substitutes>>, Trouble> {
        let seen = self.language.seen(input)?.filter(|_| self.islands.is_none());
        seen.map(|language| self.replaced(language).map(Arc::new)).transpose()
    }

    fn replaced(&self, language: Substitutes) -> Result<Substitutes, Trouble> {
        let Some(path) = &self.replacements else { return Ok(language) };
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .or_exit(Exit::Usage, || format!("failed to read {name}"))?;
        let replacements = Replacements::read(&name, &text, language.grammar())
            .or_exit(Exit::Usage, || "failed to load the replacements".to_owned())?;
        Ok(language.with_replacements(&replacements))
    }
}
