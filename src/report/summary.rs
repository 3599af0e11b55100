//! The end of a run, for people: a headline and a column of facts.

pub(super) mod judged;
pub(super) mod listed;
pub(super) mod ran;
mod recursion;

use anstyle::Style;

use super::finished::{Finished, Isolated};
use super::show;
use crate::event::{Counts, Minimality, StopReason};
use crate::session::isolate::Part;
use crate::session::saved::by_catch::Caught;
use crate::session::stack::StackLine;
use recursion::folded;
use seedsmith_engine::signature::Signature;

/// Stack lines shown, a recursion being one.
const STACK_LINES: usize = 12;
/// Other failures shown.
const CAUGHT: usize = 5;
/// Width of the column of names.
const NAMES: usize = 12;

/// `12,345 → 3 bytes in 85 ms: …`.
pub fn headline(finished: &Finished) -> String {
    let sizes = if finished.best.len() == finished.input_bytes {
        format!("{}, nothing could go,", show::bytes(finished.input_bytes))
    } else {
        format!(
            "{} → {}",
            show::number(finished.input_bytes as u64),
            show::bytes(finished.best.len())
        )
    };
    format!("{sizes} in {}: {}", show::time(finished.elapsed), counted(finished.counts))
}

fn counted(counts: Counts) -> String {
    format!(
        "{}, {}, {}",
        show::counted(counts.tests, "test", "tests"),
        show::counted(counts.executions, "execution", "executions"),
        show::counted(counts.cache_hits, "cache hit", "cache hits")
    )
}

/// Everything else that is known of the result, a fact a line.
pub fn facts(finished: &Finished) -> String {
    let mut facts = Facts::default();
    facts.add("failure", &show::short_paths(&finished.signature.to_string()));
    facts.add_stack(&finished.stack, &finished.signature);
    if let Some(text) = show::input(&finished.best) {
        facts.add("input", &text);
    }
    if let Some(decoded) = &finished.decoded {
        facts.add("decoded", decoded);
    }
    facts.add("minimal", minimality(finished.minimality));
    if let Some(reason) = finished.stopped {
        facts.add("stopped", stopped(reason));
    }
    if let Some(rate) = finished.confirmed.filter(|rate| rate.shown < rate.runs) {
        facts.add("unsteady", &format!("fails in {} of {} new processes", rate.shown, rate.runs));
    }
    if let Some(sanitized) = &finished.sanitized {
        facts.add("sanitizer", &show::short_paths(&sanitized.signature.to_string()));
    }
    if !finished.by_catch.is_empty() {
        facts.add("also met", &by_catch(&finished.by_catch));
    }
    for remark in &finished.remarks {
        facts.add("note", remark);
    }
    facts.add("written to", &finished.output.display().to_string());
    facts.add("reproduce", &finished.reproduce.join("\n"));
    facts.text
}

/// Two lines a failure: who it is, and where its input is.
fn by_catch(caught: &[Caught]) -> String {
    let mut text = String::new();
    for one in caught.iter().take(CAUGHT) {
        let signature = show::short_paths(&one.signature.to_string());
        text += &format!("{signature}\n  {}, {}\n", one.path.display(), show::bytes(one.bytes));
    }
    if let Some(rest) = caught.get(CAUGHT..).filter(|rest| !rest.is_empty()) {
        text += &format!("… {} more beside them", show::number(rest.len() as u64));
    }
    text
}

fn minimality(minimality: Minimality) -> &'static str {
    match minimality {
        Minimality::None => "not known to be",
        Minimality::OneMinimal => "no single byte can go (1-minimal)",
        Minimality::OneTreeMinimal => "no single node of the parse tree can go (1-tree-minimal)",
        Minimality::Global => "no shorter input fails: all were tested",
    }
}

pub(super) fn stopped(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Time => "early, by --max-time",
        StopReason::Tests => "early, by --max-tests",
        StopReason::Interrupted => "early, by a signal",
        StopReason::Target => "early, by trouble with the target",
    }
}

/// `a difference of 1 byte …`.
pub fn isolation_headline(isolated: &Isolated) -> String {
    let changed = |part: &Part| part.removed.len().max(part.inserted.len());
    let bytes: usize = isolated.difference.iter().map(changed).sum();
    format!(
        "a difference of {} in {}: {}",
        show::bytes(bytes),
        show::time(isolated.elapsed),
        counted(isolated.counts)
    )
}

/// Everything else that is known of an isolation, a fact a line.
pub fn isolation_facts(isolated: &Isolated) -> String {
    let mut facts = Facts::default();
    facts.add("failure", &show::short_paths(&isolated.signature.to_string()));
    facts.add_stack(&isolated.stack, &isolated.signature);
    if let Some(reason) = isolated.stopped {
        facts.add("stopped", stopped(reason));
    }
    for (name, input) in [("passes", &isolated.passing), ("fails", &isolated.failing)] {
        facts.add(name, &show::input(input).unwrap_or_else(|| show::bytes(input.len())));
    }
    facts.text
}

/// The difference as data: `OFFSET<tab>-"removed"` and `OFFSET<tab>+"inserted"`.
pub fn difference(isolated: &Isolated) -> String {
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

/// A column of names and what is known of each.
#[derive(Default)]
pub(super) struct Facts {
    pub(super) text: String,
    /// Offsets in the text from which a style holds, in order.
    styles: Vec<(usize, Style)>,
}

impl Facts {
    /// Adds a fact; further lines of its text stand below the first.
    pub(super) fn add(&mut self, name: &str, text: &str) {
        let mut name = name;
        for line in text.lines() {
            self.text += format!("  {name:<NAMES$}{line}").trim_end();
            self.text.push('\n');
            name = "";
        }
    }

    /// Adds a fact of one line whose parts have styles.
    pub(super) fn add_styled(&mut self, name: &str, parts: &[(Style, String)]) {
        self.text += &format!("  {name:<NAMES$}");
        for (style, text) in parts {
            self.styles.push((self.text.len(), *style));
            self.text += text;
        }
        self.styles.push((self.text.len(), Style::new()));
        self.text.push('\n');
    }

    /// The text in stretches of one style.
    pub(super) fn stretches(&self) -> impl Iterator<Item = (Style, &str)> {
        let ends = self.styles.iter().map(|(at, _)| *at).chain([self.text.len()]);
        let starts = std::iter::once((0, Style::new())).chain(self.styles.iter().copied());
        starts.zip(ends).map(|((start, style), end)| (style, &self.text[start..end]))
    }

    /// Adds the stack, if there is one.
    pub(super) fn add_stack(&mut self, stack: &[StackLine], signature: &Signature) {
        let mut lines = folded(stack);
        if let Some(more) = lines.len().checked_sub(STACK_LINES).filter(|more| *more > 0) {
            lines.truncate(STACK_LINES);
            lines.push(format!("… {} more", show::number(more as u64)));
        }
        if !lines.is_empty() && !signature.frames.is_empty() {
            self.add("stack", &show::short_paths(&lines.join("\n")));
        }
    }
}
