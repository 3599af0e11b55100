//! A pattern as a page: what is required, what can be anything, what is equal, and why.

use std::fmt::Write;

use super::frame::{escape, page};
use crate::generalize::pattern::{Part, Pattern};
use crate::report::abstracted::{
    Abstracted, claim_in_words, condition_in_words, grammar_in_words, not_varied_in_words,
    reason_in_words, room_in_words,
};
use crate::report::show;
use seedsmith_grammar::structure::tree::{Kind, NodeId};

/// Nodes of a derivation tree shown.
const NODES: u32 = 2_000;
/// Nesting shown.
const DEPTH: usize = 60;

/// The page of a generalization.
pub fn pattern_page(told: &Abstracted, pattern: &Pattern) -> String {
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
    if pattern.subject.language.is_some() {
        body += "<h2>Derivation tree</h2>\n";
        body += &tree(pattern);
    }
    page("What makes it fail", &body)
}

fn class(part: Part) -> &'static str {
    match part {
        Part::Required => "required",
        Part::Any => "any",
        Part::Same(_) => "same",
        Part::Unknown => "unknown",
    }
}

fn coloured(parts: &[(Part, String)]) -> String {
    let one = |(part, text): &(Part, String)| {
        format!("<span class=\"{}\">{}</span>", class(*part), escape(text))
    };
    parts.iter().map(one).collect()
}

/// The tree as nested lists, what lies inside a slot left out.
fn tree(pattern: &Pattern) -> String {
    let subject = &pattern.subject;
    let language = subject.language.as_ref();
    let mut out = String::from("<ul class=\"tree\">\n");
    let mut open: Vec<u32> = Vec::new();
    let mut at = 0;
    while at < (subject.tree.len() as u32).min(NODES) {
        let id = NodeId(at);
        let node = subject.tree.node(id);
        while open.last().is_some_and(|&end| end <= at) {
            open.pop();
            out += "</ul></li>\n";
        }
        let slot = pattern.slots.iter().find(|slot| slot.nodes.contains(&id));
        if node.start == node.end && !pattern.has_slot_inside(id) {
            // What is empty and has to be tells nothing.
            at = node.subtree_end;
            continue;
        }
        let is_leaf = subject.tree.children(id).is_empty() || slot.is_some();
        let name = language
            .and_then(|language| Some(language.name(language.symbol(node)?)))
            .unwrap_or_default();
        let text = escape(&show::shortened(&show::escaped(subject.text(id)), 80));
        let label = match (slot, node.kind) {
            (Some(slot), _) => {
                let class = if slot.nodes.len() > 1 { "same" } else { "any" };
                let notation = escape(&slot.domain.notation(language));
                format!("<span class=\"{class}\">{notation}</span> <code>{text}</code>")
            }
            (None, Kind::Root) => "input".to_owned(),
            (None, _) if is_leaf => format!("<code class=\"required\">{text}</code>"),
            (None, Kind::Iteration) => "·".to_owned(),
            (None, _) if pattern.unknown.contains(&id) => {
                format!("<span class=\"unknown\">{}</span>", escape(&name))
            }
            (None, _) => escape(&name),
        };
        if is_leaf || open.len() >= DEPTH {
            let _ = writeln!(out, "<li>{label}</li>");
            at = node.subtree_end;
        } else {
            let _ = writeln!(out, "<li>{label}<ul class=\"tree\">");
            open.push(node.subtree_end);
            at += 1;
        }
    }
    open.iter().for_each(|_| out += "</ul></li>\n");
    out + "</ul>\n"
}
