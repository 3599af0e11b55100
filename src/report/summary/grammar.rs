//! Grammars as tables for people: which there are, and what one is made of.

use seedsmith_grammar::grammar::builtin;
use std::path::Path;

use crate::report::show;
use crate::report::terminal::table::{Align, aligned};

/// A grammar that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct GrammarListed<'a> {
    /// What it is called.
    pub name: &'a str,
    /// Other names it goes by.
    pub aliases: &'a [&'a str],
    /// What it describes.
    pub about: &'a str,
}

impl GrammarListed<'static> {
    /// All grammars that come with the program.
    pub fn built_in() -> Vec<Self> {
        let listed = builtin::all().iter().map(|one| GrammarListed {
            name: one.name,
            aliases: one.aliases,
            about: one.about,
        });
        listed.collect()
    }
}

/// One rule of a grammar.
#[derive(Clone, Debug)]
pub struct RuleShown {
    /// Its name.
    pub name: String,
    /// What it is made of.
    pub definition: String,
    /// Its shortest text, if it has one.
    pub minimal: Option<String>,
    /// Whether the start rule leads to it.
    pub is_reachable: bool,
}

/// One token of a grammar.
#[derive(Clone, Debug)]
pub struct TokenShown {
    /// Its name.
    pub name: String,
    /// Its shortest text, if there is one.
    pub minimal: Option<String>,
}

/// A grammar looked at.
#[derive(Clone, Debug)]
pub struct GrammarShown {
    /// Its own name.
    pub name: String,
    /// The rule to start with.
    pub start: String,
    /// Its parser rules.
    pub rules: Vec<RuleShown>,
    /// Its tokens that have a name and no fixed text.
    pub tokens: Vec<TokenShown>,
    /// Fragments that no lexer rule uses.
    pub unused_fragments: Vec<String>,
    /// What can't be honoured or is worth knowing.
    pub notices: Vec<String>,
    /// Whether that is all; else tokens between the parts, and shortest texts, are not known.
    pub is_complete: bool,
}

/// What kind of node stands at a place of a parse tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ShownNodeKind {
    /// The whole input.
    Root,
    /// A rule.
    Rule,
    /// A token.
    Token,
    /// White space, comments and the like.
    Hidden,
    /// What doesn't fit.
    Error,
    /// A token that should be there.
    Missing,
    /// A quantified part.
    Quantifier,
    /// One of its repetitions.
    Iteration,
}

/// A node of a parse tree.
#[derive(Clone, Debug)]
pub struct NodeShown<'a> {
    /// What it is.
    pub kind: ShownNodeKind,
    /// The rule's or the token's name.
    pub name: Option<&'a str>,
    /// Offset of the first byte.
    pub start: usize,
    /// Offset behind the last byte.
    pub end: usize,
    /// The place of its parent among the nodes; the root is its own.
    pub parent: usize,
}

/// An error of a parse.
#[derive(Clone, Debug)]
pub struct ErrorShown {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

/// A file that was parsed.
#[derive(Clone, Debug)]
pub struct ParseShown<'a> {
    /// The file.
    pub input: &'a Path,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// What is wrong, in order: the first errors.
    pub errors: Vec<ErrorShown>,
    /// How many more there are.
    pub errors_left_out: usize,
    /// The tree in preorder.
    pub nodes: Vec<NodeShown<'a>>,
}

/// A grammar a line.
pub fn list(grammars: &[GrammarListed<'_>]) -> String {
    let rows: Vec<Vec<String>> = grammars
        .iter()
        .map(|one| vec![one.name.to_owned(), one.aliases.join(" "), one.about.to_owned()])
        .collect();
    let head = ["grammar", "also", "what it describes"].map(str::to_owned).to_vec();
    aligned(&[vec![head], rows].concat(), &[Align::Left; 3])
}

/// A grammar's rules and tokens, and what is wrong with them.
pub fn text(grammar: &GrammarShown) -> String {
    let mut out = format!("grammar {}, starts with {}\n\n", grammar.name, grammar.start);
    let quoted = |minimal: &Option<String>| match minimal {
        Some(text) => show::shortened(&format!("{text:?}"), MINIMAL_WIDTH),
        None => "-".to_owned(),
    };
    let mut rows = vec![["rule", "shortest", "definition"].map(str::to_owned).to_vec()];
    for rule in &grammar.rules {
        rows.push(vec![rule.name.clone(), quoted(&rule.minimal), rule.definition.clone()]);
    }
    if !grammar.is_complete {
        rows.iter_mut().for_each(|row| drop(row.remove(1)));
    }
    out += &aligned(&rows, &vec![Align::Left; rows[0].len()]);
    if !grammar.tokens.is_empty() {
        let mut rows = vec![["token", "shortest"].map(str::to_owned).to_vec()];
        let tokens = grammar.tokens.iter();
        rows.extend(tokens.map(|token| vec![token.name.clone(), quoted(&token.minimal)]));
        out.push('\n');
        out += &aligned(&rows, &[Align::Left; 2]);
    }
    out + &remarks(grammar)
}

/// Longer shortest texts are cut for the table.
const MINIMAL_WIDTH: usize = 40;

fn remarks(grammar: &GrammarShown) -> String {
    let mut out = String::new();
    let mut remark = |what: &str, names: Vec<&str>| {
        if !names.is_empty() {
            out += &format!("\n{what}: {}\n", names.join(", "));
        }
    };
    let names = |of: &dyn Fn(&RuleShown) -> bool| -> Vec<&str> {
        grammar.rules.iter().filter(|rule| of(rule)).map(|rule| rule.name.as_str()).collect()
    };
    remark("not reached from the start", names(&|rule| !rule.is_reachable));
    remark("without any finite text", names(&|rule| grammar.is_complete && rule.minimal.is_none()));
    let fragments = grammar.unused_fragments.iter().map(String::as_str).collect();
    remark("fragments that nothing uses", fragments);
    for notice in &grammar.notices {
        out += &format!("\nnot honoured: {notice}\n");
    }
    if !grammar.is_complete {
        out += "\ntokens between these, and shortest texts, are learnt from each input\n";
    }
    out
}

/// Deeper nodes are not indented further, or a deep tree's lines would be longer than its text.
const DEEPEST: usize = 60;

/// Nodes that are written down before somebody is asked whether to go on: milliseconds.
const NODES_AT_ONCE: usize = 4096;

/// A parse tree, a node a line, given away piece by piece as long as `keep_going` says yes; hidden
/// tokens and the shells of quantifiers are left out.
pub fn tree(parse: &ParseShown<'_>, keep_going: &dyn Fn() -> bool, give: &mut dyn FnMut(&str)) {
    let mut out = String::new();
    let mut depths: Vec<usize> = Vec::with_capacity(parse.nodes.len());
    for (at, node) in parse.nodes.iter().enumerate() {
        if at % NODES_AT_ONCE == 0 {
            give(&std::mem::take(&mut out));
            if !keep_going() {
                return;
            }
        }
        let around = if at == 0 { 0 } else { depths[node.parent] };
        let is_shown = !matches!(
            node.kind,
            ShownNodeKind::Root
                | ShownNodeKind::Hidden
                | ShownNodeKind::Quantifier
                | ShownNodeKind::Iteration
        );
        depths.push(around + usize::from(is_shown));
        if !is_shown {
            continue;
        }
        out.extend(std::iter::repeat_n("  ", around.min(DEEPEST)));
        let name = node.name.unwrap_or_default();
        // Not of rules: in a deep tree all their texts together are the square of the input.
        let bytes = || String::from_utf8_lossy(&parse.bytes[node.start..node.end]);
        out += &match node.kind {
            ShownNodeKind::Rule => name.to_owned(),
            ShownNodeKind::Error => format!("error {:?}", bytes()),
            ShownNodeKind::Missing => format!("missing {name}"),
            _ if name.starts_with('\'') || node.start == node.end => name.to_owned(),
            _ => format!("{name} {:?}", bytes()),
        };
        out.push('\n');
    }
    give(&out);
}

/// An error in a line, as compilers write it.
pub fn error(input: &Path, error: &ErrorShown) -> String {
    format!("{}:{}:{}: {}", input.display(), error.line, error.column, error.message)
}

/// What is said of the errors that are not shown.
pub fn errors_left_out(input: &Path, count: usize) -> String {
    format!("{}: {} more", input.display(), show::counted(count as u64, "error", "errors"))
}
