//! A pattern as a page: what is required, what can be anything, what is equal, and why.

use crate::event::{Event, GeneralizedInput, PatternPart, Reporter, TreeRow};
use std::fmt::Write;

use super::frame::{escape, page};
use crate::report::show;
use crate::report::summary::generalized::facts;
use crate::report::summary::generalized::{
    claim_in_words, condition_in_words, grammar_in_words, not_varied_in_words, reason_in_words,
    room_in_words,
};
use crate::report::terminal::Look;

/// The page of a generalization: a reporter that keeps the page of the last one.
#[derive(Debug, Default)]
pub struct PatternPage {
    html: String,
}

impl PatternPage {
    /// The page; empty before a generalization is reported.
    pub fn html(&self) -> &str {
        &self.html
    }
}

impl Reporter for PatternPage {
    fn report(&mut self, event: &Event<'_>) {
        if let Event::Generalized(generalized) = event {
            self.html = pattern_page(generalized);
        }
    }
}

fn pattern_page(told: &GeneralizedInput) -> String {
    let mut body = String::new();
    let _ = writeln!(body, "<pre>{}</pre>", coloured(&told.parts));
    body += "<p><span class=\"required\">required</span> as it is, <span class=\"any\">any</span> \
             text of that name, <span class=\"same\">the same</span> at each place, \
             <span class=\"unknown\">not varied</span>; <code>&lt;&lt;</code> is a single \
             <code>&lt;</code>.</p>\n<table>\n";
    let mut row = |name: &str, value: &str| {
        let _ = writeln!(body, "<tr><th>{name}</th><td>{value}</td></tr>");
    };
    let code = |text: &str| format!("<code>{}</code>", escape(text));
    let room: Vec<String> = room_in_words(&told.room).iter().map(|line| escape(line)).collect();
    if !room.is_empty() {
        row("room for", &room.join("<br>"));
    }
    row("claim", &escape(&claim_in_words(&told.claim)));
    if let Some(limit) = told.claimed_limit {
        row("failing means", &escape(&limit.to_string()));
    }
    if let Some(condition) = &told.condition {
        row("condition", &escape(&condition_in_words(condition)));
    }
    if !told.not_varied.is_empty() {
        row("not varied", &escape(&not_varied_in_words(&told.not_varied)));
    }
    row("failure", &code(&show::short_paths(&told.signature.to_string())));
    row("input", &code(&told.input.display().to_string()));
    row("minimized", &code(&show::shortened(&show::escaped(&told.minimized), 2_000)));
    row("grammar", &escape(&grammar_in_words(told)));
    let reasons: Vec<String> =
        told.reasons.iter().flat_map(reason_in_words).map(|line| escape(&line)).collect();
    row("because", &reasons.join("<br>"));
    let examples: Vec<String> =
        told.examples.iter().map(|one| code(&show::shortened(&show::escaped(one), 300))).collect();
    row("also fails", &examples.join("<br>"));
    row(
        "tests",
        &format!(
            "{} to minimize, {} to generalize, {} to explain, {} to produce",
            show::number(told.reduction.tests),
            show::number(told.generalization.tests),
            show::number(told.reasoning.tests),
            show::number(told.production.tests)
        ),
    );
    body += "</table>\n";
    if let Some(rows) = &told.tree {
        body += "<h2>Derivation tree</h2>\n";
        body += &tree(rows);
    }
    page("What makes it fail", &body)
}

fn class(part: PatternPart) -> &'static str {
    match part {
        PatternPart::Required => "required",
        PatternPart::Any => "any",
        PatternPart::Same(_) => "same",
        PatternPart::Unknown => "unknown",
    }
}

fn coloured(parts: &[(PatternPart, String)]) -> String {
    let one = |(part, text): &(PatternPart, String)| {
        format!("<span class=\"{}\">{}</span>", class(*part), escape(text))
    };
    parts.iter().map(one).collect()
}

/// The tree as nested lists.
fn tree(rows: &[TreeRow]) -> String {
    let mut out = String::from("<ul class=\"tree\">\n");
    let mut depth = 0;
    for row in rows {
        while depth > row.depth {
            out += "</ul></li>\n";
            depth -= 1;
        }
        let names: Vec<String> = row
            .names
            .iter()
            .map(|(name, is_known)| match is_known {
                true => escape(name),
                false => format!("<span class=\"unknown\">{}</span>", escape(name)),
            })
            .collect();
        let mut label = names.join(" › ");
        if let Some((part, text)) = &row.part {
            let text = format!("<code>{}</code>", escape(&tree_text(text)));
            label = match part {
                PatternPart::Required => format!("{label} <span class=\"required\">{text}</span>"),
                part => format!("<span class=\"{}\">{label}</span> {text}", class(*part)),
            };
        }
        let label = label.trim();
        if row.is_leaf {
            let _ = writeln!(out, "<li>{label}</li>");
        } else {
            let _ = writeln!(out, "<li>{label}<ul class=\"tree\">");
            depth += 1;
        }
    }
    (0..depth).for_each(|_| out += "</ul></li>\n");
    out + "</ul>\n"
}

/// Characters of a part of the tree that are shown. A guess: a line of a screen; not measured.
const TREE_TEXT_CHARS: usize = 80;

fn tree_text(text: &[u8]) -> String {
    show::shortened(&show::escaped(text), TREE_TEXT_CHARS)
}

/// A pattern as a text for people: what is printed of it, and its derivation tree.
pub fn pattern_text(told: &GeneralizedInput) -> String {
    let mut out = format!("{}\n\n{}", told.pattern, facts(told, true).render(&Look::default()));
    if let Some(rows) = &told.tree {
        out += "\nDerivation tree\n";
        for row in rows {
            let names: Vec<&str> = row.names.iter().map(|(name, _)| name.as_str()).collect();
            let text = row.part.as_ref().map(|(_, text)| tree_text(text)).unwrap_or_default();
            let line = format!("{}{} {text}", "  ".repeat(row.depth + 1), names.join(" > "));
            out += line.trim_end();
            out.push('\n');
        }
    }
    out
}
