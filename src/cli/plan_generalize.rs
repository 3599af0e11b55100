//! `generalize`'s options as meant.

use std::path::PathBuf;

use super::args_generalize::GeneralizeArgs;
use super::duration::TimeLimit;
use super::plan::{Task, TminPlan, TriagePlan, jobs, target_request};
use crate::generalize::claim::Wanted;
use crate::generalize::{Explains, Options, Way};
use crate::report::Tell;
use crate::session;
use crate::session::language::LanguageChoice;
use crate::session::language::StructureChoice;
use crate::session::saved::output::OutputChoice;
use crate::session::saved::pattern::PatternOutputs;
use seedsmith_engine::oracle::budget::Budget;

/// What is wanted of a generalization.
#[derive(Clone, Debug)]
pub struct GeneralizePlan {
    /// The language.
    pub language: LanguageChoice,
    /// How the pattern is found.
    pub options: Options,
    /// Whether the input is minimized first.
    pub reduces: bool,
    /// What is written.
    pub outputs: PatternOutputs,
    /// The page.
    pub html: Option<PathBuf>,
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
        /// What is told.
        tell: Tell,
    },
    /// Which inputs of a folder still fail.
    Verify(TriagePlan),
    /// Something that makes no sense, and what would.
    Senseless(String, Tell),
}

impl Wish {
    /// What is told on the way.
    pub fn tell(&self) -> Tell {
        match self {
            Wish::Generalize(plan) => plan.tell,
            Wish::Verify(plan) => plan.tell,
            Wish::Produce { tell, .. } | Wish::Senseless(_, tell) => *tell,
        }
    }
}

impl From<GeneralizeArgs> for Wish {
    fn from(args: GeneralizeArgs) -> Self {
        let tell = Tell { json: args.json, stats: false, quiet: args.quiet, verbose: args.verbose };
        let target =
            target_request(args.target, args.command, None, args.sameness, &args.limits, tell);
        if let Some(folder) = args.verify {
            return Wish::Verify(TriagePlan { inputs: vec![folder], target, tell });
        }
        let produced = args.produce.zip(args.output.clone());
        let Some(input) = args.input else {
            let Some((pattern, produced)) = args.pattern_file.zip(produced) else {
                return Wish::Senseless(
                    "without an input, --pattern FILE needs --produce N and -o DIR".to_owned(),
                    tell,
                );
            };
            return Wish::Produce {
                pattern,
                language: args.language.into(),
                seed: args.seed,
                produced,
                tell,
            };
        };
        if args.output.is_some() && args.produce.is_none() {
            let why = "-o DIR is for produced inputs; say --produce N too".to_owned();
            return Wish::Senseless(why, tell);
        }
        let wanted = Wanted { rate: args.rate, confidence: args.confidence };
        let plan = GeneralizePlan {
            language: args.language.into(),
            options: Options {
                way: args.checks.map_or(Way::Joint(wanted), |checks| Way::Published { checks }),
                seed: args.seed,
                explains: if args.explain { Explains::Thoroughly } else { Explains::Nearest },
            },
            reduces: !args.no_reduce,
            html: args.html,
            outputs: PatternOutputs {
                produced,
                pattern: args.pattern_file,
                dict: args.dict,
                test: args.emit_test,
            },
        };
        Wish::Generalize(Box::new(TminPlan {
            structure: StructureChoice::default(),
            inputs: vec![input],
            total_time: None,
            session: session::Options {
                sameness: target.sameness.clone(),
                limits: target.limits,
                fits_time: args.limits.timeout == TimeLimit::Auto,
                repeat: args.repeat,
                jobs: jobs(args.jobs),
                budget: Budget {
                    max_tests: args.max_tests,
                    max_time: args.max_time,
                    ..Budget::default()
                },
            },
            target,
            task: Task::Generalize(Box::new(plan)),
            output: OutputChoice::default(),
            tell,
        }))
    }
}
