//! What the input is made of: options as typed, and the language that they come to.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::duration::parse_duration;
use super::exit::{Exit, OrExit, Trouble};
use super::input::Input;
use crate::event::Event;
use crate::grammar::builtin::{self, Hint};
use crate::grammar::language::Language;
use crate::grammar::replacements::Replacements;
use crate::grammar::substitutes::Substitutes;
use crate::reduce::{Format, Options, PicirenySteps};
use crate::report::Report;

/// What the input is made of.
#[derive(Debug, Args)]
#[command(next_help_heading = "Structure")]
pub struct StructureArgs {
    /// INPUT's grammar: a built-in one, FILE.g4[,FILE.g4], FILE.json
    ///
    /// FILE.json is in the Fuzzing Book's format. Without this option a built-in grammar is
    /// taken where the input's ending, the target's name or a trial parse tells one.
    #[arg(long, value_name = "GRAMMAR", env = "SEEDSMITH_GRAMMAR", hide_env = true)]
    pub grammar: Option<String>,

    /// Rule that a whole input is [default: the one that no other uses and that ends with EOF]
    #[arg(long, value_name = "RULE", env = "SEEDSMITH_START", hide_env = true)]
    #[arg(requires = "grammar", hide_short_help = true)]
    pub start: Option<String>,

    /// JSON file: texts in place of rules and tokens, instead of their shortest ones
    #[arg(long, value_name = "FILE", env = "SEEDSMITH_REPLACEMENTS", hide_env = true)]
    #[arg(requires = "grammar", hide_short_help = true)]
    pub replacements: Option<PathBuf>,

    /// Time that a parse may take before it goes on without a tree
    #[arg(long, value_name = "DURATION", env = "SEEDSMITH_MAX_PARSE_TIME", hide_env = true)]
    #[arg(default_value = "5s", value_parser = parse_duration, hide_short_help = true)]
    pub max_parse_time: Duration,

    /// What --strategy picireny does besides pruning: coarse, hoist
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
}

/// What is known of the structure, before any file is read.
#[derive(Clone, Debug)]
pub struct StructurePlan {
    grammar: Option<String>,
    start: Option<String>,
    replacements: Option<PathBuf>,
    /// What a parse may take.
    pub max_parse_time: Duration,
    /// Picireny's steps.
    pub picireny: PicirenySteps,
}

impl Default for StructurePlan {
    fn default() -> Self {
        let max_parse_time = Duration::from_secs(5);
        let (grammar, start, replacements) = (None, None, None);
        let picireny = PicirenySteps::default();
        StructurePlan { grammar, start, replacements, max_parse_time, picireny }
    }
}

impl From<StructureArgs> for StructurePlan {
    fn from(args: StructureArgs) -> Self {
        let StructureArgs { grammar, start, replacements, max_parse_time, picireny } = args;
        let picireny = PicirenySteps {
            coarse: picireny.contains(&PicirenyStep::Coarse),
            hoist: picireny.contains(&PicirenyStep::Hoist),
        };
        StructurePlan { grammar, start, replacements, max_parse_time, picireny }
    }
}

impl StructurePlan {
    /// The language that was asked for; nothing if none was.
    pub fn language(&self) -> Result<Option<Arc<Substitutes>>, Trouble> {
        let Some(grammar) = &self.grammar else { return Ok(None) };
        let bad = || format!("failed to load the grammar {grammar}");
        let language = Language::open(grammar, self.start.as_deref()).or_exit(Exit::Usage, bad)?;
        let mut language = Substitutes::new(language).with_max_parse_time(self.max_parse_time);
        if let Some(path) = &self.replacements {
            let name = path.display().to_string();
            let text = std::fs::read_to_string(path)
                .or_exit(Exit::Usage, || format!("failed to read {name}"))?;
            let replacements = Replacements::read(&name, &text, language.grammar())
                .or_exit(Exit::Usage, || "failed to load the replacements".to_owned())?;
            language = language.with_replacements(&replacements);
        }
        Ok(Some(Arc::new(language)))
    }
}

/// Guesses the language where none was given and one could help; says which.
pub fn guess(
    options: &mut Options,
    plan: &StructurePlan,
    input: &Input,
    target: &str,
    report: &mut Report,
) {
    let is_wanted = options.strategy.needs_tree();
    if options.language.is_some() || options.format != Format::Auto || !is_wanted {
        return;
    }
    let name = input.path.file_name().map(|name| name.to_string_lossy().into_owned());
    let hint = Hint { file_name: name.as_deref(), target: Some(target) };
    let Some((found, _)) = builtin::recognise(hint, &input.bytes) else { return };
    report.hear(&Event::Note(&format!("taken to be {} (--grammar tells another)", found.name)));
    let language = Language::of(found.parser(), None).expect("tests start every grammar");
    let language = Substitutes::new(language).with_max_parse_time(plan.max_parse_time);
    options.language = Some(Arc::new(language));
}
