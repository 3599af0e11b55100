//! How a generalization ended, in words that the console, the page and the kit share.

use crate::event::{Claim, GeneralizedInput, MeasuredCondition, PatternPart, Reason};

use anstyle::{AnsiColor, Style};

use crate::report::show;
use crate::report::summary::failure::add_failure;
use crate::report::summary::{stopped, whole};
use crate::report::terminal::{Facts, Styled};
use seedsmith_engine::Signature;

/// Reasons that are shown. A guess: with them the facts fit on a screen; a page has all. Not measured.
const MAX_REASONS: usize = 8;
/// Other texts of one place that are shown. A guess: a line of tokens; not measured.
const MAX_ALTERNATIVES: usize = 8;
/// Examples that are shown on the console: enough to see what varies. A guess; a page shows more. Not measured.
const MAX_CONSOLE_EXAMPLES: usize = 3;
/// Characters of an example that are shown: with the column of names a line of 86 columns.
const MAX_EXAMPLE_CHARS: usize = 72;

/// `a pattern in 85 ms: 340 tests, 360 executions`: the counts and the time of the whole run, confirmations
/// included. If no part could be varied, the line says that nothing can be generalized.
pub(crate) fn headline(told: &GeneralizedInput) -> String {
    let what = match told.claim {
        Claim::Concrete => "nothing can be generalized: every part is required;",
        _ => "a pattern",
    };
    format!(
        "{what} in {}: {}, {}",
        show::time(told.elapsed),
        show::counted(told.counts.tests, "test", "tests"),
        show::counted(told.counts.executions, "execution", "executions"),
    )
}

/// Everything else that is known, a fact a line, in the order in which a reader needs it: the failure, the minimized
/// input, the pattern, the claim about it, the condition, reasons, examples, and costs.
///
/// At most 8 reasons and 3 examples are shown. `all` means whole messages and stacks, and nothing else: the
/// console has it from `--verbose`, the text of a kit always. A fact without a text is left out. The page has
/// no such limits: it makes its rows from the functions below.
pub(crate) fn facts(told: &GeneralizedInput, all: bool) -> Facts {
    let mut facts = Facts::default();
    add_failure(&mut facts, &told.signature, &told.stack, all);
    let minimized = show::input(&told.minimized).unwrap_or_default();
    let sizes = format!(
        "{} → {}",
        show::number(told.input_bytes as u64),
        show::bytes(told.minimized.len())
    );
    facts.add_whole("minimized", whole(format!("{minimized}\n{sizes}").trim_start()));
    facts.add("grammar", &grammar_in_words(told));
    facts.add_whole("pattern", vec![coloured(&told.parts)]);
    facts.add("room for", &room_in_words(&told.room).join("\n"));
    facts.add("not varied", &not_varied_in_words(&told.not_varied));
    facts.add("claim", &claim_in_words(&told.claim));
    if let Some(limit) = told.claimed_limit {
        facts.add("failing means", &limit.to_string());
    }
    if let Some(condition) = &told.condition {
        facts.add("condition", &condition_in_words(condition));
    }
    let reasons: Vec<String> =
        told.reasons.iter().take(MAX_REASONS).flat_map(reason_in_words).collect();
    facts.add("because", &reasons.join("\n"));
    let examples: Vec<String> = told
        .examples
        .iter()
        .take(MAX_CONSOLE_EXAMPLES)
        .map(|input| show::shortened(&show::escaped(input), MAX_EXAMPLE_CHARS))
        .collect();
    facts.add_whole("also fails", whole(&examples.join("\n")));
    facts.add("tests", &tests_in_words(told));
    if let Some(reason) = told.stopped {
        facts.add("stopped", stopped(reason));
    }
    for remark in &told.remarks {
        facts.add("note", remark);
    }
    let written: Vec<String> = told.written.iter().map(|path| path.display().to_string()).collect();
    facts.add_whole("written to", whole(&written.join("\n")));
    facts
}

/// `12 to minimize, 340 to generalize, 20 to explain, 100 to produce`: the tests of each step. Repeated tests
/// that the cache answers are not counted, and neither are confirmations.
pub(crate) fn tests_in_words(told: &GeneralizedInput) -> String {
    format!(
        "{} to minimize, {} to generalize, {} to explain, {} to produce",
        show::number(told.reduction.tests),
        show::number(told.generalization.tests),
        show::number(told.reasoning.tests),
        show::number(told.production.tests)
    )
}

/// The failure on one line, with short paths. A kit stores this text.
pub(crate) fn failure_in_words(signature: &Signature) -> String {
    show::short_paths(&signature.to_string())
}

/// The claim as a sentence without a full stop, as `at least 97 % of its valid inputs fail, with a confidence
/// of 95 % (106 drawn, none passed)`. Shares have at most two decimals. Console, page and kit use the same
/// text.
pub(crate) fn claim_in_words(claim: &Claim) -> String {
    let percent = |share: f64| {
        let text = format!("{:.2}", share * 100.0);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    match claim {
        Claim::Concrete => "none: no part of the minimized input could be varied".to_owned(),
        Claim::All { inputs } => {
            format!(
                "all its {} that could be drawn fail",
                show::counted(*inputs, "input", "inputs")
            )
        }
        Claim::Rate { rate, confidence, draws, unresolved } => {
            let unresolved = match unresolved {
                0 => String::new(),
                some => format!("; {} more said nothing", show::number(*some)),
            };
            format!(
                "at least {} % of its valid inputs fail, with a confidence of {} % ({} drawn, \
                 none passed{unresolved})",
                percent(*rate),
                percent(*confidence),
                show::number(*draws),
            )
        }
        Claim::Nothing { unresolved: 0 } => {
            "none: it was stopped before enough of its inputs were tested".to_owned()
        }
        Claim::Nothing { unresolved } => format!(
            "none: of {}, not one said anything",
            show::counted(*unresolved, "drawn input", "drawn inputs")
        ),
        Claim::Checks { checks } => {
            format!("each part failed {} checks, alone and with the others", show::number(*checks))
        }
    }
}

/// The grammar, and whether it was guessed. If no grammar fits the input, the pattern has classes of bytes.
pub(crate) fn grammar_in_words(told: &GeneralizedInput) -> String {
    match &told.grammar {
        None => "none that fits: classes of bytes".to_owned(),
        Some(name) if told.is_guessed => format!("{name} (a guess; --grammar sets it)"),
        Some(name) => name.clone(),
    }
}

/// The condition, and how it did on fresh inputs: `fails iff some <array> has at least 8 <value>; 98 of 100 fresh
/// inputs agree (precision 100 %, recall 95 %)`.
///
/// A condition that is not exact is called so, and may have been learnt from some of its inputs. Precision and recall are left out if all inputs agree. A
/// fresh input is one that the condition was not learnt from.
pub(crate) fn condition_in_words(condition: &MeasuredCondition) -> String {
    let percent = |share: f64| format!("{:.0}", share * 100.0);
    let MeasuredCondition { text, inputs, agreeing, precision, recall, is_exact } = condition;
    let kind = if *is_exact { "fresh" } else { "tested" };
    let agreement =
        format!("{} of {} {kind} inputs agree", show::number(*agreeing), show::number(*inputs));
    let shares = match inputs == agreeing {
        true => String::new(),
        false => format!(" (precision {} %, recall {} %)", percent(*precision), percent(*recall)),
    };
    match is_exact {
        true => format!("fails iff {text}; {agreement}{shares}"),
        false => format!("no exact one was found; fails mostly if {text}; {agreement}{shares}"),
    }
}

/// The parts that were not varied: `"try" at byte 0, "catch" at byte 9`. Of more than 8 the rest is a number.
/// A part is not varied if no valid text could be drawn for it. Empty if there are none. Offsets are in the
/// minimized input.
pub(crate) fn not_varied_in_words(parts: &[(usize, Vec<u8>)]) -> String {
    let shown = parts.iter().take(MAX_ALTERNATIVES).map(|(offset, text)| {
        format!("{} at byte {offset}", show::shortened(&show::escaped(text), MAX_EXAMPLE_CHARS / 2))
    });
    let shown: Vec<String> = shown.collect();
    match parts.len() {
        0 => String::new(),
        all if all > shown.len() => format!("{} and {} more", shown.join(", "), all - shown.len()),
        _ => shown.join(", "),
    }
}

/// Parts that may be inserted, a place a line: `<a?> <b*> after 7 bytes`. Offsets are in the minimized
/// input. Names of one place are on one line only if they are next to each other in `room`.
pub(crate) fn room_in_words(room: &[(usize, String)]) -> Vec<String> {
    let mut lines = Vec::new();
    for places in room.chunk_by(|left, right| left.0 == right.0) {
        let names: Vec<&str> = places.iter().map(|(_, name)| name.as_str()).collect();
        let place = match places[0].0 {
            0 => "in front".to_owned(),
            before => format!("after {}", show::counted(before as u64, "byte", "bytes")),
        };
        lines.push(format!("{} {place}", names.join(" ")));
    }
    lines
}

/// A reason in one or two lines: `"=" at byte 3: with ":" instead it passes`, and other texts that fail too.
/// At most 8 of these are shown. Without either the reason has no line.
pub(crate) fn reason_in_words(reason: &Reason) -> Vec<String> {
    let quoted = |bytes: &[u8]| show::shortened(&show::escaped(bytes), MAX_EXAMPLE_CHARS / 2);
    let place = format!("{} at byte {}", quoted(&reason.text), reason.offset);
    let mut lines = Vec::new();
    if let Some(passes) = &reason.passes {
        lines.push(match passes.is_empty() {
            true => format!("{place}: without it, it passes"),
            false => format!("{place}: with {} instead it passes", quoted(passes)),
        });
    }
    if !reason.also_fails.is_empty() {
        let shown: Vec<String> =
            reason.also_fails.iter().take(MAX_ALTERNATIVES).map(|text| quoted(text)).collect();
        let more = match reason.also_fails.len().saturating_sub(MAX_ALTERNATIVES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        lines.push(format!("{place}: {}{more} would fail too", shown.join(", ")));
    }
    lines
}

/// The pattern with a colour for each kind of part. Required parts are bold, variable ones green, equal ones
/// cyan, and those that were not varied magenta. Line ends are shown as signs, so that the pattern is one
/// line.
fn coloured(parts: &[(PatternPart, String)]) -> Styled {
    let style = |part: &PatternPart| match part {
        PatternPart::Required => Style::new().bold(),
        PatternPart::Any => AnsiColor::Green.on_default(),
        PatternPart::Same(_) => AnsiColor::Cyan.on_default(),
        PatternPart::Unknown => AnsiColor::Magenta.on_default(),
    };
    let shown = |text: &str| text.replace('\n', "⏎").replace('\r', "␍");
    match parts {
        [] => Styled::plain("(the empty input)"),
        parts => parts
            .iter()
            .fold(Styled::default(), |line, (part, text)| line.with(style(part), &shown(text))),
    }
}

#[cfg(test)]
mod tests {
    use crate::report::summary::generalized::*;

    #[test]
    fn claims_are_sentences_with_their_numbers() {
        let claim = Claim::Rate { rate: 0.97, confidence: 0.95, draws: 106, unresolved: 0 };
        assert_eq!(
            claim_in_words(&claim),
            "at least 97 % of its valid inputs fail, with a confidence of 95 % (106 drawn, none \
             passed)"
        );
        assert_eq!(
            claim_in_words(&Claim::All { inputs: 1 }),
            "all its 1 input that could be drawn fail"
        );
    }

    #[test]
    fn room_is_told_by_its_place() {
        let room = [(0, "<misc*>".to_owned()), (7, "<a?>".to_owned()), (7, "<b*>".to_owned())];
        assert_eq!(room_in_words(&room), ["<misc*> in front", "<a?> <b*> after 7 bytes"]);
    }

    #[test]
    fn a_condition_is_one_sentence_with_its_measurement() {
        let right = MeasuredCondition {
            text: "some <array> has at least 8 <value>".to_owned(),
            inputs: 100,
            agreeing: 100,
            precision: 1.0,
            recall: 1.0,
            is_exact: true,
        };
        assert_eq!(
            condition_in_words(&right),
            "fails iff some <array> has at least 8 <value>; 100 of 100 fresh inputs agree"
        );
        let nearly = MeasuredCondition { agreeing: 98, recall: 40.0 / 42.0, ..right };
        assert!(
            condition_in_words(&nearly)
                .ends_with("98 of 100 fresh inputs agree (precision 100 %, recall 95 %)")
        );
        let near = MeasuredCondition { is_exact: false, ..nearly };
        assert!(
            condition_in_words(&near).starts_with("no exact one was found; fails mostly if some")
        );
    }

    #[test]
    fn parts_that_were_not_varied_are_shown_as_they_are() {
        let parts = [(0, b"try".to_vec()), (9, b"catch".to_vec())];
        assert_eq!(not_varied_in_words(&parts), "\"try\" at byte 0, \"catch\" at byte 9");
        assert_eq!(not_varied_in_words(&[]), "");
    }

    #[test]
    fn a_reason_tells_what_passes_instead() {
        let reason = Reason {
            offset: 3,
            text: b"=".to_vec(),
            passes: Some(b":".to_vec()),
            also_fails: vec![b"+=".to_vec()],
        };
        assert_eq!(
            reason_in_words(&reason),
            [
                "\"=\" at byte 3: with \":\" instead it passes",
                "\"=\" at byte 3: \"+=\" would fail too"
            ]
        );
    }
}
