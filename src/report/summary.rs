//! Results in words for people, which all reports share: the end of a run is a headline and a column of facts.
//!
//! Functions here turn the data of events into text and know no stream. Numbers have commas, sizes and times
//! have units, and texts of a target or an input are shown on one line or as `whole` lines. Escaping for a
//! terminal comes later, where `terminal` renders the text.

pub(crate) mod failure;
pub(crate) mod folder;
pub(crate) mod generalized;
pub(crate) mod grammar;
pub(crate) mod groups;
pub(crate) mod judged;
pub(crate) mod listed;
pub(crate) mod ran;
pub(crate) mod recursion;
pub(crate) mod reducer_list;
pub(crate) mod reducers;
pub(crate) mod repairs;

use anstyle::Style;

use super::show;
use super::terminal::{FAINT, Facts, GOOD, STRONG, Styled};
use crate::event::{
    Caught, Counts, DifferencePart, IsolatedInput, Minimality, MinimizedInput, StopReason,
};
use failure::{add_failure, in_one_line};

/// Other failures that are shown; the folder beside the result has all. A guess: two lines each; not measured.
const MAX_SHOWN_FAILURES: usize = 5;

/// `12,345 → 3 bytes in 85 ms: …`.
pub(super) fn headline(finished: &MinimizedInput) -> Styled {
    let size = show::bytes(finished.best.len());
    let sizes = if finished.best.len() == finished.original.len() {
        Styled::plain(&format!("{size}, nothing could be removed,"))
    } else {
        let before = format!("{} → ", show::number(finished.original.len() as u64));
        Styled::plain(&before).with(GOOD, &size)
    };
    let rest = format!(" in {}: {}", show::time(finished.elapsed), counted(finished.counts));
    sizes.with(Style::new(), &rest)
}

/// `1,234 tests, 1,400 executions, 56 cache hits`.
fn counted(counts: Counts) -> String {
    format!(
        "{}, {}, {}",
        show::counted(counts.tests, "test", "tests"),
        show::counted(counts.executions, "execution", "executions"),
        show::counted(counts.cache_hits, "cache hit", "cache hits")
    )
}

/// Everything else that is known of the result, a fact a line:
///
/// ```text
///   failure     panic at src/lib.rs:17:9: the len is 5
///   minimal     no single byte can be removed (1-minimal)
///   written to  crash.min
/// ```
///
/// `all` shows whole stacks and messages.
pub(super) fn facts(finished: &MinimizedInput, all: bool) -> Facts {
    let mut facts = Facts::default();
    add_failure(&mut facts, &finished.signature, &finished.stack, all);
    if let Some(text) = show::input(&finished.best) {
        facts.add_whole("input", whole(&text));
    }
    if let Some(decoded) = &finished.decoded {
        facts.add_whole("decoded", whole(decoded));
    }
    facts.add("minimal", minimality(finished.minimality));
    if let Some(reason) = finished.stopped {
        facts.add("stopped", stopped(reason));
    }
    if let Some(rate) = finished.confirmed.filter(|rate| rate.shown < rate.runs) {
        facts.add("unsteady", &format!("fails in {} of {} new processes", rate.shown, rate.runs));
    }
    if let Some(sanitized) = &finished.sanitized {
        let line = in_one_line(&sanitized.signature, &sanitized.stack);
        facts.add_prose("sanitizer", vec![line]);
    }
    if !finished.other_failures.is_empty() {
        facts.add_prose("also met", other_failures(&finished.other_failures));
    }
    for remark in &finished.remarks {
        facts.add("note", remark);
    }
    facts.add_whole(
        "written to",
        vec![Styled::default().with(STRONG, &show::path(&finished.output))],
    );
    facts.add_whole("reproduce", whole(&finished.reproduce.join("\n")));
    facts
}

/// Lines that are not broken.
pub(crate) fn whole(text: &str) -> Vec<Styled> {
    text.lines().map(Styled::plain).collect()
}

/// Two lines a failure: the failure, and the path and size of its input.
fn other_failures(caught: &[Caught]) -> Vec<Styled> {
    let mut lines = Vec::new();
    for one in caught.iter().take(MAX_SHOWN_FAILURES) {
        lines.push(in_one_line(&one.signature, &one.stack));
        let input = format!("  {}, {}", show::path(&one.path), show::bytes(one.bytes));
        lines.push(Styled::plain(&input));
    }
    if let Some(rest) = caught.get(MAX_SHOWN_FAILURES..).filter(|rest| !rest.is_empty()) {
        let more = format!("… {} more", show::number(rest.len() as u64));
        lines.push(Styled::default().with(FAINT, &more));
    }
    lines
}

/// The claim about the size, without a full stop.
fn minimality(minimality: Minimality) -> &'static str {
    match minimality {
        Minimality::None => "not known to be",
        Minimality::OneMinimal => "no single byte can be removed (1-minimal)",
        Minimality::OneTreeMinimal => {
            "no single node of the parse tree can be removed (1-tree-minimal)"
        }
        Minimality::Global => "no shorter input fails: all were tested",
    }
}

/// Why a search ended early, as a sentence without a full stop.
pub(crate) fn stopped(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Time => "early, by --max-time",
        StopReason::Tests => "early, by --max-tests",
        StopReason::Interrupted => "early, by a signal",
        StopReason::Target => "early, by trouble with the target",
    }
}

/// `a difference of 1 byte …`.
pub(super) fn isolation_headline(isolated: &IsolatedInput) -> String {
    let changed = |part: &DifferencePart| part.removed.len().max(part.inserted.len());
    let bytes: usize = isolated.difference.iter().map(changed).sum();
    format!(
        "a difference of {} in {}: {}",
        show::bytes(bytes),
        show::time(isolated.elapsed),
        counted(isolated.counts)
    )
}

/// Everything else that is known of an isolation, a fact a line; `all` shows the whole stack.
pub(super) fn isolation_facts(isolated: &IsolatedInput, all: bool) -> Facts {
    let mut facts = Facts::default();
    add_failure(&mut facts, &isolated.signature, &isolated.stack, all);
    if let Some(reason) = isolated.stopped {
        facts.add("stopped", stopped(reason));
    }
    for (name, input) in [("passes", &isolated.passing), ("fails", &isolated.failing)] {
        let shown = show::input(input).unwrap_or_else(|| show::bytes(input.len()));
        facts.add_whole(name, whole(&shown));
    }
    facts
}

/// The difference as data: `OFFSET<tab>-"removed"` and `OFFSET<tab>+"inserted"`.
pub(super) fn difference(isolated: &IsolatedInput) -> String {
    let mut out = String::new();
    for part in &isolated.difference {
        for (sign, bytes) in [('-', &part.removed), ('+', &part.inserted)] {
            if !bytes.is_empty() {
                out += &format!("{}\t{sign}{}\n", part.offset, show::escaped(bytes));
            }
        }
    }
    out
}
