//! Parses files with a `.g4` grammar and tells what came out.
//!
//! ```text
//! parse --grammar FILE.g4[,FILE.g4] [--start RULE] [--tree] [--errors] [--repeat N] FILE...
//! ```
//!
//! For each file a line `status <TAB> errors <TAB> unread tokens <TAB> shortened predictions
//! <TAB> milliseconds <TAB> path`; status is `valid`, `errors` or what prevented a parse. With
//! `--tree` the tree follows as an s-expression: `(rule start end …)` for rules, in bytes,
//! `[start end]` for tokens, `<error>` in front of those that were skipped; hidden lexemes, bytes
//! that no token begins with and quantifiers are left out, so that the output can be compared with
//! ANTLR's trees. Without files it reads paths from standard input.

use seedsmith_grammar::Parser;
use seedsmith_grammar::internal::Grammar;
use seedsmith_grammar::internal::g4;
use seedsmith_grammar::{NodeKind, Tree};
use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let mut grammars = Vec::new();
    let (mut start, mut files, mut repeat) = (None, Vec::new(), 1);
    let (mut show_tree, mut show_errors, mut from_stdin) = (false, false, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--grammar" => grammars.extend(value()?.split(',').map(str::to_owned)),
            "--start" => start = Some(value()?),
            "--repeat" => repeat = value()?.parse().map_err(|_| "--repeat needs a number")?,
            "--tree" => show_tree = true,
            "--errors" => show_errors = true,
            "--stdin" => from_stdin = true,
            _ if argument.starts_with("--") => return Err(format!("unknown option {argument}")),
            _ => files.push(argument),
        }
    }
    if from_stdin {
        files.extend(std::io::stdin().lock().lines().map_while(Result::ok));
    }
    let grammar = Arc::new(g4::load(&grammars).map_err(|e| format!("refused: {e}"))?);
    for notice in grammar.notices.iter().filter(|_| show_errors) {
        eprintln!("note: {notice}");
    }
    let mut parser = Parser::new(grammar.clone());
    let start = parser.start_rule(start.as_deref()).map_err(|e| format!("refused: {e}"))?;
    let mut out = std::io::stdout().lock();
    for file in &files {
        let input = std::fs::read(file).map_err(|e| format!("{file}: {e}"))?;
        for _ in 0..repeat {
            let begin = Instant::now();
            let parsed = parser.parse(&input, start);
            let time = begin.elapsed().as_secs_f64() * 1e3;
            let line = match &parsed {
                Ok(parsed) => {
                    let status = if parsed.is_valid() { "valid" } else { "errors" };
                    let (errors, unread) = (parsed.errors.len(), parsed.unread_tokens);
                    let shortened = parsed.shortened_predictions;
                    format!("{status}\t{errors}\t{unread}\t{shortened}\t{time:.2}\t{file}")
                }
                Err(error) => format!("{error}\t0\t0\t0\t{time:.2}\t{file}"),
            };
            writeln!(out, "{line}").map_err(|e| e.to_string())?;
            let Ok(parsed) = parsed else { continue };
            if parsed.tree.render(&input) != input {
                return Err(format!("{file}: the tree doesn't give the input back"));
            }
            for error in parsed.errors.iter().filter(|_| show_errors).take(20) {
                let before = &input[..error.offset as usize];
                let row = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
                let _ = writeln!(out, "  line {row}: {:?}", error.problem);
            }
            if show_tree {
                writeln!(out, "{}", expression(&grammar, &parsed.tree))
                    .map_err(|e| e.to_string())?;
            }
        }
    }
    Ok(())
}

/// The rules and tokens of a tree as nested brackets.
fn expression(grammar: &Grammar, tree: &Tree) -> String {
    let mut text = String::new();
    let mut open: Vec<u32> = Vec::new();
    for id in tree.ids() {
        while open.last().is_some_and(|&end| end <= id.0) {
            open.pop();
            text.push(')');
        }
        let node = tree.node(id);
        let (start, end) = (node.start, node.end);
        match node.kind {
            NodeKind::Rule { rule, .. } => {
                let name = &grammar.rules[rule as usize].name;
                text.push_str(&format!("({name}"));
                // Where nothing stands is a matter of taste.
                if start < end {
                    text.push_str(&format!(" {start} {end}"));
                }
                open.push(node.subtree_end);
            }
            NodeKind::Token(_) => {
                let is_skipped = tree.node(node.parent).kind == NodeKind::Error;
                text.push_str(if is_skipped { " <error>" } else { "" });
                text.push_str(&format!(" [{start} {end}]"));
            }
            NodeKind::Missing(_) => text.push_str(" <missing>"),
            _ => {}
        }
    }
    text.extend(open.iter().map(|_| ')'));
    text
}
