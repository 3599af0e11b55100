//! `generalize`'s main task: what a session found, as the report shows it, and the files that are
//! written.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::ended::{exit, trouble};
use super::exit::{Exit, OrExit, Trouble};
use super::input::Input;
use super::interrupt::Interrupt;
use super::plan_generalize::{GeneralizePlan, Outputs};
use crate::cargo_fuzz::reproduce::reach;
use crate::event::Event;
use crate::generalize::Generalized;
use crate::generalize::export::{dictionary, regression_test};
use crate::generalize::file::PatternFile;
use crate::generalize::produce::{Tested, produce};
use crate::generalize::speaker::Speaker;
use crate::report::{Abstracted, Report, claim_in_words, page};
use crate::session::Session;
use crate::session::generalize::{Made, Named, Options};
use crate::session::language::LanguageChoice;
use crate::session::saved::output::{OutputError, write_whole};
use crate::session::target::Origin;
use seedsmith_engine::signature::Signature;
use seedsmith_grammar::grammar::builtin::Clue;

/// Inputs that are shown.
const EXAMPLES: usize = 5;

/// Generalizes, reports and writes what is wanted.
pub fn run(
    session: Session<'_>,
    input: &Input,
    plan: &GeneralizePlan,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<Exit, Trouble> {
    let failing = session.failing();
    let (target, signature) = (failing.target, failing.baseline.signature.clone());
    let named = named(plan, input, &target.name)?;
    let Outputs { produced, test, .. } = &plan.outputs;
    let options = Options {
        pattern: plan.options.clone(),
        reduces: plan.reduces,
        inputs: produced.as_ref().map_or(0, |(count, _)| *count).max(EXAMPLES + 1),
        wants_untested: produced.is_some(),
        wants_examples: test.is_some(),
    };
    let mut hear = |event: &Event<'_>| report.hear(event);
    let done = session
        .generalize(named, &options, &mut hear)
        .map_err(|error| trouble(error, &input.path, interrupt))?;
    let found = &done.found;
    let file = PatternFile::of(&found.pattern, claim_in_words(&found.claim), &done.source);
    let mut abstracted = Abstracted {
        input: input.path.clone(),
        input_bytes: input.bytes.len(),
        minimized: done.reduced,
        grammar: (!done.source.is_empty()).then(|| done.source.join(",")),
        pattern: file.pattern.clone(),
        parts: found.pattern.parts(),
        room: found.pattern.room(),
        claim: found.claim,
        reasons: found.reasons.clone(),
        reduction: done.reduction,
        generalization: found.counts,
        reasoning: found.reason_counts,
        production: done.production,
        counts: done.counts,
        elapsed: done.elapsed,
        stack: done.stack,
        signature: Signature::clone(&signature),
        written: Vec::new(),
        remarks: Vec::new(),
        examples: done.made.tested.inputs.iter().skip(1).take(EXAMPLES).cloned().collect(),
        stopped: done.stopped,
    };
    if !done.is_sure {
        abstracted
            .remarks
            .push("the minimized input doesn't fail steadily in new processes".into());
    }
    write_all(&target.origin, plan, found, &done.made, &file, &mut abstracted)?;
    report.abstracted(&abstracted);
    Ok(exit(done.end, interrupt))
}

/// A trial parse with more bytes in a hundred amiss than these may be of another language.
const MOST_AMISS: u8 = 2;

/// The language that the options name, else the one that the input seems to be in.
fn named(plan: &GeneralizePlan, input: &Input, target: &str) -> Result<Option<Named>, Trouble> {
    let (said, is_sure, language) = match plan.language.language()? {
        Some(language) => (plan.language.said().unwrap_or_default(), true, Arc::new(language)),
        None => match plan.language.guess((&input.path, &input.bytes), target) {
            Some((name, clue, language)) => {
                (name, !matches!(clue, Clue::Trial(amiss) if amiss > MOST_AMISS), language)
            }
            None => return Ok(None),
        },
    };
    let source: Vec<String> = said.split(',').map(str::to_owned).collect();
    let speaker =
        Speaker::new(language).or_exit(Exit::Usage, || format!("failed to use grammar {said}"))?;
    let is_guessed = plan.language.said().is_none();
    Ok(Some(Named { source, speaker, is_sure, is_guessed }))
}

fn write_all(
    origin: &Origin,
    plan: &GeneralizePlan,
    found: &Generalized,
    made: &Made,
    file: &PatternFile,
    told: &mut Abstracted,
) -> Result<(), Trouble> {
    let Outputs { produced, pattern, html, dict, test } = &plan.outputs;
    if let Some(path) = pattern {
        write_whole(path, pattern_text(file).as_bytes())?;
        told.written.push(path.clone());
    }
    if let Some(path) = dict {
        write_whole(path, dictionary(&found.pattern).as_bytes())?;
        told.written.push(path.clone());
    }
    if let Some(path) = test {
        let reach = reach(origin, path);
        let text = regression_test(&found.pattern, &reach, &made.examples);
        write_whole(path, text.as_bytes())?;
        told.written.push(path.clone());
    }
    if let Some((count, folder)) = produced {
        let Tested { inputs, left_out, stopped } = &made.tested;
        let inputs = &inputs[..inputs.len().min(*count)];
        write_inputs(inputs, folder)?;
        told.remarks.extend(match (made.is_tested, left_out) {
            (false, _) => Some("the produced inputs were not tested".to_owned()),
            (true, 0) => None,
            (true, 1) => Some("1 produced input that doesn't fail was left out".to_owned()),
            (true, some) => Some(format!("{some} produced inputs that don't fail were left out")),
        });
        if inputs.len() < *count && stopped.is_none() {
            let inputs = inputs.len();
            let noun = if inputs == 1 { "input" } else { "inputs" };
            told.remarks.push(format!("the pattern has no more than {inputs} {noun}"));
        }
        told.written.push(folder.clone());
    }
    if let Some(path) = html {
        write_whole(path, page(told, &found.pattern).as_bytes())?;
        told.written.push(path.clone());
    }
    Ok(())
}

/// A pattern's file.
fn pattern_text(file: &PatternFile) -> String {
    let mut text =
        serde_json::to_string_pretty(file).expect("the shapes hold nothing that JSON can't");
    text.push('\n');
    text
}

/// Writes inputs into a folder, named by what they hold.
fn write_inputs(inputs: &[Vec<u8>], folder: &Path) -> Result<(), Trouble> {
    fs::create_dir_all(folder).map_err(OutputError::writing(folder))?;
    for input in inputs {
        let name = sha1_smol::Sha1::from(input).digest().to_string();
        write_whole(&folder.join(name), input)?;
    }
    Ok(())
}

/// `--pattern FILE --produce N`: inputs of a pattern that was found before.
pub fn produce_from(
    path: &Path,
    language: &LanguageChoice,
    seed: u64,
    (count, folder): (usize, &Path),
    report: &mut Report,
) -> Result<Exit, Trouble> {
    let shown = path.display();
    let text = fs::read_to_string(path)
        .or_exit(Exit::Usage, || format!("failed to read pattern {shown}"))?;
    let file: PatternFile = serde_json::from_str(&text)
        .or_exit(Exit::Usage, || format!("{shown} is not a pattern of seedsmith's"))?;
    let speaker = match &file.grammar {
        None => None,
        Some(name) => language
            .or(name.source.join(","), Some(&name.start))
            .language()?
            .map(|language| Speaker::new(Arc::new(language)))
            .transpose()
            .or_exit(Exit::Usage, || format!("failed to use pattern {shown}"))?,
    };
    let mut pattern =
        file.load(speaker).or_exit(Exit::Usage, || format!("failed to use pattern {shown}"))?;
    let inputs = produce(&mut pattern, count, seed);
    write_inputs(&inputs, folder)?;
    report.say(&format!("{} inputs of {} in {}", inputs.len(), file.pattern, folder.display()));
    if inputs.len() < count {
        report.say("the pattern has no more");
    }
    Ok(Exit::Done)
}
