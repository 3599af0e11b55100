//! The task that a command line of `generalize` asks for: a pattern, inputs of an earlier pattern,
//! or a check.

use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::arguments::exchange::ExchangeArgs;
use crate::cli::arguments::generalize::GeneralizeArgs;
use crate::cli::exit::{Exit, Trouble};
use crate::cli::plans::generalize::GeneralizePlan;
use crate::cli::plans::options::{read_files, session_options, target_request};
use crate::cli::plans::tmin::{Task, TminPlan};
use crate::cli::plans::triage::TriagePlan;
use crate::corpus::Originals;
use crate::generalize::claim::ClaimGoal;
use crate::generalize::kit::MAX_KIT_INPUTS;
use crate::generalize::{self, Explains, Method};
use crate::report::ReportOptions;
use crate::session::generalize::Options;
use crate::session::language::{LanguageChoice, StructureChoice};
use crate::session::results::MAX_EXAMPLES;
use crate::session::saved::output::OutputChoice;
use crate::session::saved::pattern::PatternOutputs;

/// The task that a command line of `generalize` asks for.
///
/// One command has three uses, and which one is meant follows from the options that are given.
pub(crate) enum Wish {
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
    /// The task from options as typed; fails if they make no sense together.
    ///
    /// Nothing is read or run here.
    pub(crate) fn new(args: GeneralizeArgs, tell: ReportOptions) -> Result<Self, Trouble> {
        let allows_trivial = args.sameness.allow_trivial;
        let target = target_request(args.target, None, args.sameness, &args.limits, tell);
        if let Some(folder) = args.verify {
            return Ok(Wish::Verify(Box::new(TriagePlan {
                inputs: vec![folder],
                target,
                emit_test: None,
                html: args.html,
                shard: None,
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
                    None => MAX_EXAMPLES + 1,
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
            html: None,
            task: Task::Generalize(Box::new(plan)),
            shard: None,
            keep: None,
            tell,
            view: None,
        })))
    }
}
