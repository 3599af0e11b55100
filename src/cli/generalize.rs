//! `generalize`'s main task: from an input that fails to a pattern, and what is written of it.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::exit::{Exit, OrExit, Trouble};
use super::hunt::Hunting;
use super::language::LanguagePlan;
use super::output::unwritable;
use super::plan_generalize::{GeneralizePlan, Outputs};
use crate::event::{Event, StopReason};
use crate::generalize::export::{Reach, dictionary, regression_test};
use crate::generalize::file::PatternFile;
use crate::generalize::judge::AmongValid;
use crate::generalize::pattern::Pattern;
use crate::generalize::produce::{Tested, example, produce, produce_tested};
use crate::generalize::reduction::{Reduced, reduce};
use crate::generalize::speaker::Speaker;
use crate::generalize::{self, Generalized};
use crate::report::{Abstracted, Report, claim_in_words, page};
use crate::session::target::Origin;
use seedsmith_engine::oracle::{Oracle, Stopped};
use seedsmith_engine::signature::Signature;
use seedsmith_grammar::grammar::builtin::Clue;

/// Generalizes, tells of it and writes what is wanted.
pub fn run(
    hunting: &Hunting<'_>,
    oracle: &mut Oracle<'_>,
    plan: &GeneralizePlan,
    report: &mut Report,
) -> Result<Exit, Trouble> {
    let input = hunting.input;
    let named = named(plan, hunting)?;
    report.hear(&Event::Started { bytes: input.bytes.len(), signature: &hunting.hunt.signature });
    match &named {
        Some(Named { source, .. }) if plan.language.said().is_none() => {
            report.say_more(&format!("it looks like {}", source.join(",")));
        }
        Some(_) => {}
        None => report
            .hear(&Event::Note("no grammar: bytes are put into classes; name one with --grammar")),
    }
    let Reduced { input: reduced, mut stopped } =
        reduced(hunting, oracle, named.as_ref().map(|named| &named.speaker), plan, report)?;
    let reduction = oracle.counts();
    let (source, speaker) = fitting(named, &reduced, report);
    oracle.set_judge(AmongValid(hunting.hunt.clone()));
    let mut found = generalize::generalize(oracle, reduced.clone(), speaker, &plan.options)
        .map_err(|stopped| hunting.trouble(stopped))?;
    stopped = stopped.or(found.stopped);
    let before = oracle.counts();
    let made = make(oracle, &mut found.pattern, plan, stopped)
        .map_err(|stopped| hunting.trouble(stopped))?;
    stopped = stopped.or(made.tested.stopped);
    let production = oracle.counts() - before;
    let confirmed = hunting.confirm(&reduced)?;
    let is_sure = confirmed.holds(hunting.repeats);
    let mut counts = oracle.counts();
    counts.executions += u64::from(confirmed.runs);
    let file = PatternFile::of(&found.pattern, claim_in_words(&found.claim), &source);
    let mut abstracted = Abstracted {
        input: input.path.clone(),
        input_bytes: input.bytes.len(),
        minimized: reduced,
        grammar: (!source.is_empty()).then(|| source.join(",")),
        pattern: file.pattern.clone(),
        parts: found.pattern.parts(),
        room: found.pattern.room(),
        claim: found.claim,
        reasons: found.reasons.clone(),
        reduction,
        generalization: found.counts,
        reasoning: found.reason_counts,
        production,
        counts,
        elapsed: oracle.started().elapsed(),
        stack: hunting.stacks.of(&hunting.quarry.signature),
        signature: Signature::clone(&hunting.quarry.signature),
        written: Vec::new(),
        remarks: Vec::new(),
        examples: made.tested.inputs.iter().skip(1).take(EXAMPLES).cloned().collect(),
        stopped,
    };
    if !is_sure {
        abstracted
            .remarks
            .push("the minimized input doesn't fail steadily in new processes".into());
    }
    write_all(hunting, plan, &found, &made, &file, &mut abstracted)?;
    report.abstracted(&abstracted);
    Ok(hunting.exit(stopped, is_sure))
}

/// A language for an input.
struct Named {
    /// Its name or files.
    source: Vec<String>,
    speaker: Speaker,
    /// Whether it is the input's even if the input doesn't quite fit.
    is_sure: bool,
}

/// A trial parse with more bytes in a hundred amiss than these may be of another language.
const MOST_AMISS: u8 = 2;

/// The language that the options name, else the one that the input seems to be in.
fn named(plan: &GeneralizePlan, hunting: &Hunting<'_>) -> Result<Option<Named>, Trouble> {
    let (said, is_sure, language) = match plan.language.language()? {
        Some(language) => (plan.language.said().unwrap_or_default(), true, Arc::new(language)),
        None => match plan.language.guess(hunting.input, &hunting.opened.name) {
            Some((name, clue, language)) => {
                (name, !matches!(clue, Clue::Trial(amiss) if amiss > MOST_AMISS), language)
            }
            None => return Ok(None),
        },
    };
    let source: Vec<String> = said.split(',').map(str::to_owned).collect();
    let speaker =
        Speaker::new(language).or_exit(Exit::Usage, || format!("failed to use grammar {said}"))?;
    Ok(Some(Named { source, speaker, is_sure }))
}

/// The grammar, unless it is of no use for these bytes; what of them isn't in its language is
/// said.
fn fitting(
    named: Option<Named>,
    bytes: &[u8],
    report: &mut Report,
) -> (Vec<String>, Option<Speaker>) {
    let Some(Named { source, mut speaker, is_sure }) = named else { return (Vec::new(), None) };
    let (misfit, is_of_use) = match speaker.read(bytes) {
        Ok((_, None)) => return (source, Some(speaker)),
        Ok((_, Some(misfit))) => (misfit, is_sure),
        Err(misfit) => (misfit, false),
    };
    if is_of_use {
        report.hear(&Event::Note(&format!("{misfit}: what doesn't is taken as bytes")));
        (source, Some(speaker))
    } else {
        report.hear(&Event::Note(&format!("{misfit}: bytes are put into classes instead")));
        (Vec::new(), None)
    }
}

fn reduced(
    hunting: &Hunting<'_>,
    oracle: &mut Oracle<'_>,
    speaker: Option<&Speaker>,
    plan: &GeneralizePlan,
    report: &mut Report,
) -> Result<Reduced, Trouble> {
    let input = &hunting.input.bytes;
    if !plan.reduces {
        return Ok(Reduced { input: input.clone(), stopped: None });
    }
    let mut listener = |event: &Event<'_>| report.hear(event);
    reduce(oracle, input, speaker, plan.options.seed, &mut listener)
        .map_err(|stopped| hunting.trouble(stopped))
}

/// Inputs that are shown.
const EXAMPLES: usize = 5;

/// Inputs that were made of a pattern.
struct Made {
    tested: Tested,
    /// For each slot an input in which only that is other, where a regression test is wanted.
    examples: Vec<Option<Vec<u8>>>,
    /// Whether they are known to fail.
    is_tested: bool,
}

/// Makes what is to be shown and written. Where the search was stopped there is no time to test
/// it.
fn make(
    oracle: &mut Oracle<'_>,
    pattern: &mut Pattern,
    plan: &GeneralizePlan,
    stopped: Option<StopReason>,
) -> Result<Made, Stopped> {
    let Outputs { produced, test, .. } = &plan.outputs;
    let seed = plan.options.seed;
    let count = produced.as_ref().map_or(0, |(count, _)| *count).max(EXAMPLES + 1);
    let is_tested = stopped.is_none();
    let tested = if is_tested {
        produce_tested(oracle, pattern, count, seed)?
    } else if produced.is_some() {
        Tested { inputs: produce(pattern, count, seed), ..Tested::default() }
    } else {
        Tested::default()
    };
    let mut examples = Vec::new();
    if test.is_some() {
        for slot in 0..pattern.slots.len() {
            examples.push(example(pattern, slot, seed, is_tested.then_some(&mut *oracle))?);
        }
    }
    Ok(Made { tested, examples, is_tested })
}

fn write_all(
    hunting: &Hunting<'_>,
    plan: &GeneralizePlan,
    found: &Generalized,
    made: &Made,
    file: &PatternFile,
    told: &mut Abstracted,
) -> Result<(), Trouble> {
    let Outputs { produced, pattern, html, dict, test } = &plan.outputs;
    if let Some(path) = pattern {
        write(path, pattern_text(file).as_bytes())?;
        told.written.push(path.clone());
    }
    if let Some(path) = dict {
        write(path, dictionary(&found.pattern).as_bytes())?;
        told.written.push(path.clone());
    }
    if let Some(path) = test {
        let reach = reach(&hunting.opened.origin, path);
        let text = regression_test(&found.pattern, &reach, &made.examples);
        write(path, text.as_bytes())?;
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
        write(path, page(told, &found.pattern).as_bytes())?;
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

fn write(path: &Path, bytes: &[u8]) -> Result<(), Trouble> {
    fs::write(path, bytes).map_err(|error| unwritable(path, &error))
}

/// Writes inputs into a folder, named by what they hold.
fn write_inputs(inputs: &[Vec<u8>], folder: &Path) -> Result<(), Trouble> {
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    for input in inputs {
        let name = sha1_smol::Sha1::from(input).digest().to_string();
        write(&folder.join(name), input)?;
    }
    Ok(())
}

/// `--pattern FILE --produce N`: inputs of a pattern that was found before.
pub fn produce_from(
    path: &Path,
    language: &LanguagePlan,
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

/// How a regression test at `test` reaches the code.
fn reach(origin: &Origin, test: &Path) -> Reach {
    let words = |argv: &[std::ffi::OsString]| {
        argv.iter().map(|word| word.to_string_lossy().into_owned()).collect()
    };
    match origin {
        Origin::FuzzTarget { folder, name, .. } => {
            let target = folder.join("fuzz_targets").join(format!("{name}.rs"));
            let path = std::path::absolute(&target).unwrap_or(target);
            // Cargo looks from the test's folder.
            let from = std::path::absolute(test).unwrap_or_else(|_| test.to_owned());
            let path = relative(&path, from.parent().unwrap_or(Path::new("/")));
            Reach::FuzzTarget { path }
        }
        Origin::Command(argv) => Reach::Command { argv: words(argv), zero_fails: true },
        Origin::Executable(executable) => Reach::Command {
            argv: vec![executable.to_string_lossy().into_owned(), "{}".to_owned()],
            zero_fails: false,
        },
        Origin::Linked(name) | Origin::Unknown(name) => {
            Reach::FuzzTarget { path: format!("../fuzz_targets/{name}.rs") }
        }
    }
}

/// `path` as seen from `folder`; both absolute.
fn relative(path: &Path, folder: &Path) -> String {
    let (mut to, mut from) = (path.components().peekable(), folder.components().peekable());
    while to.peek().is_some() && to.peek() == from.peek() {
        to.next();
        from.next();
    }
    let mut out = std::path::PathBuf::new();
    from.for_each(|_| out.push(".."));
    out.extend(to);
    out.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::relative;
    use std::path::Path;

    #[test]
    fn a_path_is_told_from_the_tests_folder() {
        let target = Path::new("/p/fuzz/fuzz_targets/a.rs");
        assert_eq!(relative(target, Path::new("/p/fuzz/tests")), "../fuzz_targets/a.rs");
        assert_eq!(relative(target, Path::new("/p/fuzz/fuzz_targets")), "a.rs");
    }
}
