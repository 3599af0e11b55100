//! The command line.

use std::path::PathBuf;
use std::str::FromStr;

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
    /// Damages the valid files with this seed, instead of using the corpus's damaged copies.
    pub damage: Option<u64>,
    /// Tests a pair, so that a loaded machine changes nothing but the times.
    pub tests: Option<u64>,
    /// Seconds a pair, for all strategies but lexical.
    pub seconds: Option<f64>,
    pub lexical_seconds: Option<f64>,
    /// Folder for the damaged texts and the result of each.
    pub save: Option<PathBuf>,
    pub verbose: bool,
    /// Whether strategies know the built-in grammar of each format.
    pub has_grammar: bool,
}

/// The script that starts this program; its first lines describe the options.
const SCRIPT: &str = include_str!("../../../scripts/repair-table");

/// The script's first lines.
pub fn help() -> String {
    let head = SCRIPT.lines().skip(1).take_while(|line| line.starts_with('#'));
    head.map(|line| line.trim_start_matches('#').strip_prefix(' ').unwrap_or("").to_owned() + "\n")
        .collect()
}

impl Args {
    /// `None` if only help is asked for; an error names the argument that can't be understood, in
    /// one line.
    pub fn parse() -> Result<Option<Self>, String> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let mut args = Args {
            corpus: PathBuf::new(),
            strategies: owned(&[
                "baseline",
                "lexical",
                "syntactic",
                "hybrid",
                "only-delete",
                "default",
            ]),
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
            has_grammar: false,
        };
        let mut given = std::env::args().skip(1);
        while let Some(option) = given.next() {
            let mut value = || given.next().ok_or_else(|| format!("{option} needs a value"));
            let list = |text: String| text.split(',').map(str::to_owned).collect();
            match option.as_str() {
                "--corpus" => args.corpus = value()?.into(),
                "--strategies" => args.strategies = list(value()?),
                "--formats" => args.formats = list(value()?),
                "--only" => args.only = Some(value()?),
                "--every" => args.every = number(&option, value()?)?,
                "--from" => args.from = number(&option, value()?)?,
                "--damage" => args.damage = Some(number(&option, value()?)?),
                "--tests" => args.tests = Some(number(&option, value()?)?),
                "--seconds" => args.seconds = Some(number(&option, value()?)?),
                "--lexical-seconds" => args.lexical_seconds = Some(number(&option, value()?)?),
                "--save" => args.save = Some(value()?.into()),
                "--commands" => args.commands = true,
                "--grammar" => args.has_grammar = true,
                "--verbose" => args.verbose = true,
                "-h" | "--help" => return Ok(None),
                _ => return Err(format!("unknown option {option}; see --help")),
            }
        }
        Ok(Some(args))
    }
}

fn number<N: FromStr>(option: &str, text: String) -> Result<N, String> {
    text.parse().map_err(|_| format!("{option} takes a number, not {text}"))
}
