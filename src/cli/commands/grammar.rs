//! `grammar`: shows grammars, and parse trees made with them. Nothing is run and nothing written.
//!
//! Without a name it lists the built-in grammars. With a name it describes that grammar, or a tree-sitter
//! parser if the name begins with `tree-sitter:`. With `--parse` it shows the tree of a file.

use crate::event::{Event, Reporter};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::cli::arguments::grammar::GrammarArgs;
use crate::cli::exit::{Exit, OrExit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::corpus::{ReadError, read_input};
use crate::report::Reporters;
use crate::session::language::{LanguageError, Named, TREE_SITTER};
use crate::session::language::{
    TreeNames, described_builtins, described_grammar, described_parse, described_parser,
};
use seedsmith_grammar::Language;
use seedsmith_grammar::ParseError;

/// Runs `grammar`.
///
/// # Errors
///
/// The grammar cannot be loaded, or the file cannot be read.
///
/// A parse that takes longer than `--max-parse-time` is an error with exit code 1. A file that is not in
/// the language is no error, because its tree is reported; the exit code is 1 too.
pub(crate) fn run(
    args: &GrammarArgs,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let Some(said) = &args.grammar else {
        report.report(&Event::Grammars(&described_builtins()));
        return Ok(Exit::Done);
    };
    if let Some(parser) = said.strip_prefix(TREE_SITTER) {
        return by_tree_sitter(Named(parser), args, interrupt, report);
    }
    let mut language = Language::open(said, args.start.as_deref())
        .map_err(|source| LanguageError::Load { grammar: said.clone(), source })?;
    match &args.parse {
        Some(file) => parse(&mut language, file, args.max_parse_time, interrupt, report),
        None => {
            report.report(&Event::Grammar(&described_grammar(&language)));
            Ok(Exit::Done)
        }
    }
}

/// Shows the kinds of nodes of a tree-sitter parser, or the tree that it makes of a file.
///
/// Without `--parse` no file is read: the report has the kinds of nodes that the parser declares.
///
/// # Errors
///
/// `--start` is given (such a parser has no start rules), the parser cannot be loaded, or the parse takes
/// longer than `--max-parse-time`.
fn by_tree_sitter(
    said: Named<'_>,
    args: &GrammarArgs,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    if args.start.is_some() {
        return Err(LanguageError::NoStartRules.into());
    }
    let Some(file) = &args.parse else {
        let shown = described_parser(&said)?;
        let shown = shown.or_exit(Exit::OurBug, || "failed to parse nothing".to_owned())?;
        report.report(&Event::Grammar(&shown));
        return Ok(Exit::Done);
    };
    let bytes = read(file, interrupt)?;
    match said.language(&bytes, args.max_parse_time)? {
        Some(mut language) => parse(&mut language, file, args.max_parse_time, interrupt, report),
        None => {
            let message = format!(
                "failed to parse {}: it takes longer than --max-parse-time",
                file.display()
            );
            Err(Trouble::new(Exit::DoesNotFail, message))
        }
    }
}

/// Reads the file to be parsed, or standard input for `-`. It may be empty.
///
/// # Errors
///
/// A path that is no file, or a file that is too large, is a wrong argument (exit code 2). An interruption
/// has exit code 130, and any other error 6.
fn read(file: &Path, interrupt: &Interrupt) -> Result<Vec<u8>, Trouble> {
    read_input(file, &interrupt.flag()).map_err(|error| {
        let exit = match error {
            ReadError::NotAFile | ReadError::TooLarge => Exit::Usage,
            ReadError::Interrupted => Exit::Interrupted,
            _ => Exit::Files,
        };
        let doing = format!("failed to read {}", file.display());
        Trouble { exit, cause: anyhow::Error::from(error).context(doing) }
    })
}

/// Parses the file within `max_time` and reports the tree, with the places that are not in the
/// language.
///
/// A file with syntax errors has a tree too: it is reported, and the exit code is 1. A parse that is
/// stopped or too ambiguous has no tree and is an error.
fn parse(
    language: &mut Language,
    file: &Path,
    max_time: Duration,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let bytes = read(file, interrupt)?;
    let begin = Instant::now();
    let keep_going = || begin.elapsed() < max_time && interrupt.exit().is_none();
    let parsed = match language.parse_while(&bytes, &keep_going) {
        Ok(parsed) => parsed,
        Err(error) => {
            let exit = interrupt.exit().unwrap_or(Exit::DoesNotFail);
            let hint = match error {
                ParseError::Stopped { .. } => " (see --max-parse-time)",
                _ => "",
            };
            let cause = anyhow::anyhow!("{error}{hint}");
            let doing = format!("failed to parse {}", file.display());
            return Err(Trouble { exit, cause: cause.context(doing) });
        }
    };
    let names = TreeNames::of(language.grammar());
    let is_wanted = || interrupt.exit().is_none();
    let shown = described_parse(&names, file, &bytes, &parsed, &is_wanted);
    let is_valid = shown.errors.is_empty();
    report.report(&Event::Parsed(&shown));
    let exit = if is_valid { Exit::Done } else { Exit::DoesNotFail };
    Ok(interrupt.exit().unwrap_or(exit))
}
