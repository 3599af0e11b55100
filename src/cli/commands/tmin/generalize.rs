//! `generalize`: how a task ended, as the report shows it, and inputs of a pattern's file.

use std::path::Path;

use crate::cargo_fuzz::Input;
use crate::cli::exit::{Exit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::cli::outputs::emit_test::EmitTest;
use crate::cli::outputs::kit;
use crate::cli::outputs::page::made;
use crate::cli::plans::generalize::GeneralizePlan;
use crate::cli::session_end::{exit, trouble};
use crate::corpus::Originals;
use crate::event::{Event, GeneralizedInput, Reporter};
use crate::generalize::file::PatternFile;
use crate::report::{
    PatternPage, Reporters, claim_in_words, condition_in_words, failure_in_words, pattern_text,
};
use crate::session::OpenSession;
use crate::session::generalize::Named;
use crate::session::kit::contents::{Parts, contents};
use crate::session::language::LanguageChoice;
use crate::session::saved::output::{OutputError, write_whole};
use crate::session::saved::pattern::produce_from;
use seedsmith_engine::Signature;

/// Generalizes the input, writes the files that options name, and reports the pattern.
///
/// Files are written one by one. One that cannot be written does not keep the others from being
/// written, and the trouble with all of them ends the command.
///
/// The order is: pattern, dictionary, test, inputs, page, kit. The report lists the files that were written,
/// and comes before the error if there is one.
///
/// # Errors
///
/// The place of the test is refused before the search. After it: the session has no result, or a file cannot
/// be written.
pub(crate) fn run(
    session: OpenSession<'_>,
    input: &Input,
    (plan, originals): (&GeneralizePlan, &Originals),
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let failing = session.failing();
    let (target, signature) = (failing.target, Signature::clone(&failing.baseline.signature));
    let emitted = plan.outputs.test.as_deref();
    let emitted = emitted.map(|path| EmitTest::new(path, target, &signature, originals));
    let emitted = emitted.transpose()?;
    let runs = if failing.baseline.is_steady() { 1 } else { failing.repeats.until_gone };
    let named = Named::of(&plan.language, (&input.path, &input.bytes), &target.name)?;
    let keeping = interrupt.keep_results();
    let done = session
        .generalize(named, &plan.options, report)
        .map_err(|error| trouble(error, &input.path, interrupt))?;
    let pattern = &done.found.pattern;
    // The following output may have to wait for the reader of a pipe.
    drop(keeping);
    let exact = done.found.condition.as_ref().filter(|measured| measured.is_exact());
    let condition = exact.map(|measured| &measured.predicate);
    let claim = claim_in_words(&done.found.claim);
    let file = PatternFile::of(pattern, claim, condition, &done.source);
    let reach = emitted.as_ref().map(|test| &test.reach);
    let mut written = plan.outputs.write(pattern, &file, &done.made, reach);
    written.remarks.extend(emitted.map(|test| test.hint()));
    let mut troubles = std::mem::take(&mut written.troubles);
    let original = input;
    let input = (input.path.as_path(), input.bytes.len());
    let mut generalized = GeneralizedInput::of(input, signature.clone(), &done, &file, written);
    if let Some(path) = &plan.html {
        match write_whole(path, page_of(&generalized).as_bytes()) {
            Ok(()) => generalized.written.push(path.clone()),
            Err(error) => troubles.push(error),
        }
    }
    if let Some(folder) = &plan.kit {
        let condition = generalized.condition.as_ref().map(condition_in_words);
        let reach = kit::reach(target, folder, &signature);
        let parts = Parts {
            original: (original.path.as_path(), original.bytes.as_slice()),
            target,
            runs,
            signature: &signature,
            failure: failure_in_words(&signature),
            pattern: &file,
            text: pattern_text(&generalized),
            condition,
            page: page_of(&generalized),
            reach: reach.as_ref().map_err(ToString::to_string),
            judge: &kit::command(target, folder),
        };
        match kit::leave(&contents(&done, &parts), folder) {
            Ok(()) => generalized.written.push(folder.clone()),
            Err(error) => troubles.push(error),
        }
    }
    report.report(&Event::Generalized(&generalized));
    match in_one(troubles) {
        Some(trouble) => Err(trouble),
        None => Ok(exit(done.end, interrupt)),
    }
}

/// The page of a generalization.
///
/// The same HTML is written for `--html` and into the kit.
fn page_of(generalized: &GeneralizedInput) -> String {
    let mut page = PatternPage::new(made());
    page.report(&Event::Generalized(generalized));
    page.html().to_owned()
}

/// All that could not be written, as one trouble.
///
/// The code is that of the first.
/// `None` if everything was written. The messages are joined with semicolons on one line.
fn in_one(errors: Vec<OutputError>) -> Option<Trouble> {
    let troubles: Vec<Trouble> = errors.into_iter().map(Trouble::from).collect();
    let exit = troubles.first()?.exit;
    let lines: Vec<String> = troubles.iter().map(ToString::to_string).collect();
    Some(Trouble::new(exit, lines.join("; ")))
}

/// `--pattern FILE --produce N`: inputs of a pattern that was found before.
///
/// Nothing is run, so it is not known whether they fail.
///
/// `count` is a maximum: fewer are written if the pattern has no more, and a message says so. The exit
/// code is 0 in both cases. The grammar is the one that the file names unless `language` names another.
pub(crate) fn produce(
    path: &Path,
    language: &LanguageChoice,
    seed: u64,
    (count, folder): (usize, &Path),
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let (pattern, written) = produce_from(path, language, seed, (count, folder))?;
    report.say(&format!("{written} inputs of {pattern} in {}", folder.display()));
    if written < count {
        report.say("the pattern has no more");
    }
    Ok(Exit::Done)
}
