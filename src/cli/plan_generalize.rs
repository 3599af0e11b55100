//! `generalize`'s options as meant.

use std::path::PathBuf;
use std::sync::Arc;

use super::args_generalize::GeneralizeArgs;
use super::exchange::args::ExchangeArgs;
use super::exit::{Exit, Trouble};
use super::plan::{Task, TminPlan, TriagePlan, read_files, session_options, target_request};
use crate::corpus::Originals;
use crate::generalize::claim::ClaimGoal;
use crate::generalize::kit::MAX_KIT_INPUTS;
use crate::generalize::{self, Explains, Method};
use crate::report::{EXAMPLES_KEPT, Tell};
use crate::session::generalize::Options;
use crate::session::kit::contents::{self, PlaceError};
use crate::session::language::{LanguageChoice, StructureChoice};
use crate::session::saved::output::{OutputChoice, check_place};
use crate::session::saved::pattern::PatternOutputs;

/// What is wanted of a generalization.
#[derive(Clone, Debug)]
pub struct GeneralizePlan {
    /// The language.
    pub language: LanguageChoice,
    /// How the pattern is found, and how many inputs are made of it.
    pub options: Options,
    /// What is written.
    pub outputs: PatternOutputs,
    /// The page.
    pub html: Option<PathBuf>,
    /// The kit.
    pub kit: Option<PathBuf>,
    /// Whether a kit that is there is replaced.
    pub may_replace: bool,
}

impl GeneralizePlan {
    /// Makes sure that everything can be written, and that no original is replaced.
    pub fn check_places(&self, originals: &Originals) -> Result<(), Trouble> {
        self.outputs.check(originals)?;
        if let Some(folder) = &self.kit {
            contents::check_place(folder, self.may_replace)?;
        }
        Ok(self.html.as_ref().map_or(Ok(()), |path| check_place(path, originals))?)
    }
}

/// What a command line of `generalize` asks for.
pub enum Wish {
    /// A pattern of an input that fails.
    Generalize(Box<TminPlan>),
    /// Inputs of a pattern that was found before.
    Produce {
        /// The pattern's file.
        pattern: PathBuf,
        /// The grammar, where it is not the one that the file names.
        language: LanguageChoice,
        /// The seed of the draws.
        seed: u64,
        /// How many, and where to.
        produced: (usize, PathBuf),
    },
    /// Which inputs of a folder still fail.
    Verify(Box<TriagePlan>),
}

impl Wish {
    /// What options as typed ask for; fails where they make no sense together.
    pub fn new(args: GeneralizeArgs, tell: Tell) -> Result<Self, Trouble> {
        let allows_trivial = args.sameness.allow_trivial;
        let target = target_request(args.target, None, args.sameness, &args.limits, tell);
        if let Some(folder) = args.verify {
            return Ok(Wish::Verify(Box::new(TriagePlan {
                inputs: vec![folder],
                target,
                emit_test: None,
                exchange: ExchangeArgs::default(),
                tell,
            })));
        }
        let produced = args.produce.zip(args.output.clone());
        if args.inputs.len() > 1 {
            return Err(Trouble::new(Exit::Usage, "generalize takes one input"));
        }
        let Some(input) = args.inputs.into_iter().next() else {
            let Some((pattern, produced)) = args.pattern_file.zip(produced) else {
                let why = "without an input, --pattern FILE needs --produce N and -o DIR";
                return Err(Trouble::new(Exit::Usage, why));
            };
            let (language, seed) = (args.language.into(), args.seed);
            return Ok(Wish::Produce { pattern, language, seed, produced });
        };
        if args.output.is_some() && args.produce.is_none() {
            let why = "-o DIR is for produced inputs; say --produce N too";
            return Err(Trouble::new(Exit::Usage, why));
        }
        let goal = ClaimGoal { rate: args.rate, confidence: args.confidence };
        let plan = GeneralizePlan {
            language: args.language.into(),
            options: Options {
                pattern: generalize::Options {
                    method: args
                        .checks
                        .map_or(Method::Joint(goal), |checks| Method::Published { checks }),
                    seed: args.seed,
                    explains: if args.explain { Explains::Thoroughly } else { Explains::Nearest },
                    ..generalize::Options::default()
                },
                reduces: !args.no_reduce,
                inputs: args.produce.unwrap_or(0).max(match args.kit {
                    Some(_) => MAX_KIT_INPUTS + 1,
                    None => EXAMPLES_KEPT + 1,
                }),
                wants_untested: produced.is_some(),
                wants_examples: args.emit_test.is_some() || args.kit.is_some(),
                wants_kit: args.kit.is_some(),
            },
            html: args.html,
            kit: args.kit,
            may_replace: args.force,
            outputs: PatternOutputs {
                produced,
                pattern: args.pattern_file,
                dict: args.dict,
                test: args.emit_test,
            },
        };
        Ok(Wish::Generalize(Box::new(TminPlan {
            output: OutputChoice {
                originals: Arc::new(Originals::of(read_files(&target, &plan.language))),
                ..OutputChoice::default()
            },
            structure: StructureChoice::default(),
            inputs: vec![input],
            all: false,
            as_one: false,
            total_time: None,
            session: session_options(
                &target,
                &args.limits,
                (args.repeat, args.jobs),
                (args.max_tests, args.max_time),
                allows_trivial,
            ),
            target,
            emit_test: None,
            task: Task::Generalize(Box::new(plan)),
            tell,
        })))
    }
}

impl From<PlaceError> for Trouble {
    fn from(error: PlaceError) -> Self {
        match error {
            PlaceError::Exists { .. } => {
                Trouble::new(Exit::Files, format!("{error}; --force replaces it"))
            }
            error => Trouble::by(Exit::Files, error),
        }
    }
}
