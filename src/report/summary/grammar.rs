//! Grammars as tables for people: which there are, and what one is made of.

use std::path::Path;

use crate::event::{
    BuiltinGrammar, GrammarDescription, GrammarRule, NodeKind, ParsedFile, SyntaxError,
};
use crate::report::show;
use crate::report::terminal::table::{Align, aligned};

/// A grammar a line: its name, other names, and the format that it describes. The console prints the table on
/// stdout, with the grammars that come with the program.
pub(crate) fn list(grammars: &[BuiltinGrammar<'_>]) -> String {
    let rows: Vec<Vec<String>> = grammars
        .iter()
        .map(|one| vec![one.name.to_owned(), one.aliases.join(" "), one.about.to_owned()])
        .collect();
    let head = ["grammar", "also", "what it describes"].map(str::to_owned).to_vec();
    aligned(&[vec![head], rows].concat(), &[Align::Left; 3])
}

/// A grammar's rules and tokens as two tables, and remarks on them. A column has the shortest text of each, if
/// these are known.
///
/// Tokens with a fixed text are not in the table. A rule without any finite text has `-` for its shortest
/// one.
pub(crate) fn text(grammar: &GrammarDescription) -> String {
    let mut out = format!("grammar {}, starts with {}\n\n", grammar.name, grammar.start);
    let quoted = |minimal: &Option<String>| match minimal {
        Some(text) => show::shortened(&format!("{text:?}"), MAX_SHORTEST_CHARS),
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

/// Characters of a shortest text in the table. Most have fewer than ten; a guess that leaves room for the
/// definition beside it. Not measured.
const MAX_SHORTEST_CHARS: usize = 40;

/// Rules that are not reached or have no finite text, fragments that are not used, and notices: a paragraph
/// each. The last remark says that a grammar is not complete: what is missing is learnt from inputs. May be
/// empty.
fn remarks(grammar: &GrammarDescription) -> String {
    let mut out = String::new();
    let mut remark = |what: &str, names: Vec<&str>| {
        if !names.is_empty() {
            out += &format!("\n{what}: {}\n", names.join(", "));
        }
    };
    let names = |of: &dyn Fn(&GrammarRule) -> bool| -> Vec<&str> {
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
const MAX_INDENTED_DEPTH: usize = 60;

/// Nodes that are written before the caller is asked whether to continue: milliseconds.
const NODES_AT_ONCE: usize = 4096;

/// A parse tree, a node a line, given away piece by piece as long as that is wanted; hidden
/// tokens and the shells of quantifiers are left out.
///
/// Each level is indented by two blanks. A rule has only its name; a token has its text too, unless the text
/// is fixed or empty. `give` gets whole lines, at first none. If `keep_going` says no, the rest is not
/// written.
pub(crate) fn tree(parse: &ParsedFile<'_>, give: &mut dyn FnMut(&str)) {
    let mut out = String::new();
    let mut depths: Vec<usize> = Vec::with_capacity(parse.nodes.len());
    for (at, node) in parse.nodes.iter().enumerate() {
        if at % NODES_AT_ONCE == 0 {
            give(&std::mem::take(&mut out));
            if !parse.keep_going.ask() {
                return;
            }
        }
        let around = if at == 0 { 0 } else { depths[node.parent] };
        let is_shown = !matches!(
            node.kind,
            NodeKind::Root | NodeKind::Hidden | NodeKind::Quantifier | NodeKind::Iteration
        );
        depths.push(around + usize::from(is_shown));
        if !is_shown {
            continue;
        }
        out.extend(std::iter::repeat_n("  ", around.min(MAX_INDENTED_DEPTH)));
        let name = node.name.unwrap_or_default();
        // Not of rules: in a deep tree all their texts together are the square of the input.
        let bytes = || String::from_utf8_lossy(&parse.bytes[node.start..node.end]);
        out += &match node.kind {
            NodeKind::Rule => name.to_owned(),
            NodeKind::Error => format!("error {:?}", bytes()),
            NodeKind::Missing => format!("missing {name}"),
            _ if name.starts_with('\'') || node.start == node.end => name.to_owned(),
            _ => format!("{name} {:?}", bytes()),
        };
        out.push('\n');
    }
    give(&out);
}

/// An error in a line, as compilers write it: `FILE:LINE:COLUMN: message`, so that editors find the place.
/// Lines and columns count from 1, columns in characters.
pub(crate) fn error(input: &Path, error: &SyntaxError) -> String {
    format!("{}:{}:{}: {}", input.display(), error.line, error.column, error.message)
}

/// `FILE: 3 more errors`: a parse reports only the first ones, in the order of their places.
pub(crate) fn errors_left_out(input: &Path, count: usize) -> String {
    format!("{}: {} more", input.display(), show::counted(count as u64, "error", "errors"))
}
