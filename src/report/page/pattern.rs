//! A pattern as a page: which parts are required, variable or equal, and why.

use maud::{Markup, Render, html};

use super::frame::{Made, Text, page};
use super::parts::tree::{class, tree, tree_text};
use crate::event::{Event, GeneralizedInput, PatternPart, Reporter};
use crate::report::show;
use crate::report::summary::generalized::{
    claim_in_words, condition_in_words, facts, grammar_in_words, not_varied_in_words,
    reason_in_words, room_in_words, tests_in_words,
};
use crate::report::terminal::Look;

/// Characters of the minimized input that are shown. A guess: some screens; not measured.
const MINIMIZED_CHARS: usize = 2_000;
/// Characters of an example that are shown. A guess: a few lines; not measured.
const EXAMPLE_CHARS: usize = 300;

/// The page of a generalization: a reporter that keeps the page of the last one. The caller writes it, because a kit
/// has it, too.
#[derive(Debug)]
pub(crate) struct PatternPage {
    made: Made,
    /// A whole document, which replaces the one of an earlier generalization.
    html: String,
}

impl PatternPage {
    /// No page yet.
    pub(crate) fn new(made: Made) -> Self {
        PatternPage { made, html: String::new() }
    }

    /// The page; empty before a generalization is reported.
    pub(crate) fn html(&self) -> &str {
        &self.html
    }
}

impl Reporter for PatternPage {
    /// Other events change nothing. The page is kept in memory and the caller writes it.
    fn report(&mut self, event: &Event<'_>) {
        if let Event::Generalized(generalized) = event {
            self.html = pattern_page(&self.made, generalized).into_string();
        }
    }
}

/// The pattern in colours, the facts as a table, and the derivation tree as nested lists.
fn pattern_page(made: &Made, generalized: &GeneralizedInput) -> Markup {
    let body = html! {
        (made.header(&[("time", html! { (show::time(generalized.elapsed)) })]))
        pre { (coloured(&generalized.parts)) }
        p {
            span.required { "required" } " as it is, " span.any { "any" } " text of that name, "
            span.same { "the same" } " at each place, " span.unknown { "not varied" } "; "
            code { "<<" } " is a single " code { "<" } "."
        }
        table {
            @for (name, value) in rows(generalized) { tr { th { (name) } td { (value) } } }
        }
        @if let Some(rows) = &generalized.tree {
            h2 { "Derivation tree" }
            (tree(rows))
        }
    };
    page("What makes it fail", None, &body)
}

/// The facts of a generalization: names and values.
/// In the order in which they are shown. Room, limit, condition and parts that were not varied have a row
/// only if there are any. Inputs are escaped and cut after `MINIMIZED_CHARS` or `EXAMPLE_CHARS` characters.
fn rows(generalized: &GeneralizedInput) -> Vec<(&'static str, Markup)> {
    let text = |text: &str| Text(text).render();
    let code = |text: &str| html! { code { (Text(text)) } };
    let bytes = |bytes: &[u8], chars| code(&show::shortened(&show::escaped(bytes), chars));
    let mut rows = Vec::new();
    let room = room_in_words(&generalized.room);
    if !room.is_empty() {
        rows.push(("room for", lines(room.iter().map(|line| text(line)))));
    }
    rows.push(("claim", text(&claim_in_words(&generalized.claim))));
    if let Some(limit) = generalized.claimed_limit {
        rows.push(("failing means", text(&limit.to_string())));
    }
    if let Some(condition) = &generalized.condition {
        rows.push(("condition", text(&condition_in_words(condition))));
    }
    if !generalized.not_varied.is_empty() {
        rows.push(("not varied", text(&not_varied_in_words(&generalized.not_varied))));
    }
    rows.push(("failure", code(&show::short_paths(&generalized.signature.to_string()))));
    rows.push(("input", code(&generalized.input.display().to_string())));
    rows.push(("minimized", bytes(&generalized.minimized, MINIMIZED_CHARS)));
    rows.push(("grammar", text(&grammar_in_words(generalized))));
    let reasons = generalized.reasons.iter().flat_map(reason_in_words);
    rows.push(("because", lines(reasons.map(|line| text(&line)))));
    let examples = generalized.examples.iter();
    rows.push(("also fails", lines(examples.map(|one| bytes(one, EXAMPLE_CHARS)))));
    rows.push(("tests", text(&tests_in_words(generalized))));
    rows
}

/// Lines of one cell.
fn lines(lines: impl Iterator<Item = Markup>) -> Markup {
    html! {
        @for (at, line) in lines.enumerate() {
            @if at > 0 { br; }
            (line)
        }
    }
}

/// The pattern, each part in the colour of its kind.
fn coloured(parts: &[(PatternPart, String)]) -> Markup {
    html! { @for (part, text) in parts { span class=(class(*part)) { (Text(text)) } } }
}

/// A pattern as a text for people: all that the console prints of it, and its derivation tree.
/// It has no colours. Each row of the tree is one line, indented by its depth.
pub(crate) fn pattern_text(generalized: &GeneralizedInput) -> String {
    let facts = facts(generalized, true).render(&Look::default());
    let mut out = format!("{}\n\n{facts}", generalized.pattern);
    if let Some(rows) = &generalized.tree {
        out += "\nDerivation tree\n";
        for row in rows {
            let names: Vec<&str> = row.names.iter().map(|(name, _)| name.as_str()).collect();
            let text = row.part.as_ref().map(|(_, bytes)| tree_text(bytes)).unwrap_or_default();
            let line = format!("{}{} {text}", "  ".repeat(row.depth + 1), names.join(" > "));
            out += line.trim_end();
            out.push('\n');
        }
    }
    out
}
