//! The command line.

use std::path::PathBuf;

pub struct Args {
    pub corpus: PathBuf,
    pub strategies: Vec<String>,
    pub formats: Vec<String>,
    /// The one validator to measure.
    pub only: Option<String>,
    pub commands: bool,
    /// Every how many files of a format one is measured.
    pub every: usize,
    /// The number of the first one: another one is another sample.
    pub from: usize,
    /// Damages the valid files anew by this seed, in place of the corpus's damaged copies.
    pub damage: Option<u64>,
    /// Tests a pair, so that a loaded machine changes nothing but the times.
    pub tests: Option<u64>,
    /// Seconds a pair, for all strategies but lexical.
    pub seconds: Option<f64>,
    pub lexical_seconds: Option<f64>,
    /// Folder for the damaged texts and what came of each.
    pub save: Option<PathBuf>,
    pub verbose: bool,
}

impl Args {
    pub fn parse() -> Self {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let mut args = Args {
            corpus: PathBuf::new(),
            strategies: owned(&["baseline", "lexical", "syntactic", "hybrid", "only-delete", "default"]),
            formats: owned(&["json", "dot", "obj", "ini"]),
            only: None,
            commands: false,
            every: 1,
            from: 0,
            damage: None,
            tests: None,
            seconds: None,
            lexical_seconds: None,
            save: None,
            verbose: false,
        };
        let mut given = std::env::args().skip(1);
        while let Some(option) = given.next() {
            let mut value = || given.next().unwrap_or_else(|| panic!("{option} needs a value"));
            let list = |text: String| text.split(',').map(str::to_owned).collect();
            match option.as_str() {
                "--corpus" => args.corpus = value().into(),
                "--strategies" => args.strategies = list(value()),
                "--formats" => args.formats = list(value()),
                "--only" => args.only = Some(value()),
                "--every" => args.every = value().parse().expect("a number"),
                "--from" => args.from = value().parse().expect("a number"),
                "--damage" => args.damage = Some(value().parse().expect("a number")),
                "--tests" => args.tests = Some(value().parse().expect("a number")),
                "--seconds" => args.seconds = Some(value().parse().expect("a number")),
                "--lexical-seconds" => args.lexical_seconds = Some(value().parse().expect("a number")),
                "--save" => args.save = Some(value().into()),
                "--commands" => args.commands = true,
                "--verbose" => args.verbose = true,
                _ => panic!("unknown option {option}"),
            }
        }
        args
    }
}
