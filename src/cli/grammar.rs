//! `grammar`: shows grammars, and parse trees made with them. Nothing is run and nothing written.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::args_grammar::GrammarArgs;
use super::exit::{Exit, OrExit, Trouble};
use super::interrupt::Interrupt;
use super::tree_sitter::{PREFIX, Said};
use crate::report::{
    ErrorShown, GrammarListed, GrammarShown, NodeKind, NodeShown, ParseShown, Report, RuleShown,
    TokenShown,
};
use seedsmith_grammar::grammar::analysis::reach::{
    named_tokens, unreachable_rules, unused_fragments,
};
use seedsmith_grammar::grammar::builtin;
use seedsmith_grammar::grammar::language::Language;
use seedsmith_grammar::grammar::model::{Grammar, RuleId, TokenId};
use seedsmith_grammar::grammar::notation;
use seedsmith_grammar::grammar::parser::{Parsed, Position};
use seedsmith_grammar::structure::tree::Kind;

/// Runs `grammar`.
pub fn run(
    args: &GrammarArgs,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<Exit, Trouble> {
    let Some(said) = &args.grammar else {
        let listed = builtin::all().iter().map(|one| GrammarListed {
            name: one.name,
            aliases: one.aliases,
            about: one.about,
        });
        report.grammars(&listed.collect::<Vec<_>>());
        return Ok(Exit::Done);
    };
    if let Some(parser) = said.strip_prefix(PREFIX) {
        return by_tree_sitter(Said(parser), args, interrupt, report);
    }
    let mut language = Language::open(said, args.start.as_deref())
        .or_exit(Exit::Usage, || "failed to load the grammar".to_owned())?;
    match &args.parse {
        Some(file) => parse(&mut language, file, args.max_parse_time, interrupt, report),
        None => {
            report.grammar(&shown(&language));
            Ok(Exit::Done)
        }
    }
}

/// Shows what a parser of tree-sitter's tells of its language, or how it reads a file.
fn by_tree_sitter(
    said: Said<'_>,
    args: &GrammarArgs,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<Exit, Trouble> {
    if args.start.is_some() {
        let message = "tree-sitter's parsers take no --start".to_owned();
        return Err(Trouble::new(Exit::Usage, message));
    }
    let Some(file) = &args.parse else {
        report.grammar(&said.shown()?);
        return Ok(Exit::Done);
    };
    let bytes = read(file)?;
    match said.language(&bytes, args.max_parse_time)? {
        Some(mut language) => parse(&mut language, file, args.max_parse_time, interrupt, report),
        None => {
            let message = format!(
                "failed to parse {}: it takes longer than --max-parse-time",
                file.display()
            );
            Err(Trouble::new(Exit::DoesNotFail, message))
        }
    }
}

fn read(file: &Path) -> Result<Vec<u8>, Trouble> {
    fs::read(file).or_exit(Exit::Files, || format!("failed to read {}", file.display()))
}

fn shown(language: &Language) -> GrammarShown {
    let grammar = language.grammar();
    let minimal = language.minimal_strings();
    let unreachable = unreachable_rules(grammar, language.start());
    let readable = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let rules = (0..grammar.rules.len() as u32).map(RuleId).map(|rule| RuleShown {
        name: grammar.rule(rule).name.clone(),
        definition: notation::definition(grammar, rule),
        minimal: minimal.of_rule(rule).map(|text| readable(&text.bytes)),
        is_reachable: !unreachable.contains(&rule),
    });
    let has_no_fixed_text =
        |id: &TokenId| grammar.tokens[id.index()].literal.is_none() && *id != TokenId::EOF;
    let tokens = named_tokens(grammar).into_iter().filter(has_no_fixed_text);
    GrammarShown {
        name: grammar.name.clone(),
        start: grammar.rule(language.start()).name.clone(),
        rules: rules.collect(),
        tokens: tokens
            .map(|token| TokenShown {
                name: grammar.token_name(token),
                minimal: minimal.of_token(token).map(readable),
            })
            .collect(),
        unused_fragments: unused_fragments(grammar).into_iter().map(str::to_owned).collect(),
        notices: grammar.notices.iter().map(ToString::to_string).collect(),
        is_complete: true,
    }
}

fn parse(
    language: &mut Language,
    file: &Path,
    max_time: Duration,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<Exit, Trouble> {
    let bytes = read(file)?;
    let begin = Instant::now();
    let keep_going = || begin.elapsed() < max_time && interrupt.exit().is_none();
    let parsed = match language.parse_while(&bytes, &keep_going) {
        Ok(parsed) => parsed,
        Err(error) => {
            let exit = interrupt.exit().unwrap_or(Exit::DoesNotFail);
            return Err(error).or_exit(exit, || format!("failed to parse {}", file.display()));
        }
    };
    let errors = errors(language.grammar(), &parsed, &bytes);
    let is_valid = errors.is_empty();
    let names = Names::of(language.grammar());
    let nodes = nodes(&names, &parsed);
    report.parsed(&ParseShown { input: file, bytes: &bytes, errors, nodes });
    Ok(if is_valid { Exit::Done } else { Exit::DoesNotFail })
}

fn errors(grammar: &Grammar, parsed: &Parsed, bytes: &[u8]) -> Vec<ErrorShown> {
    let mut found: Vec<_> = parsed.errors.iter().collect();
    // The lexer's come first, but people read from top to bottom.
    found.sort_by_key(|error| error.offset);
    let mut at = Position::default();
    let mut shown: Vec<ErrorShown> = found
        .into_iter()
        .map(|error| {
            at.advance(bytes, error.offset as usize);
            let message = error.problem.message(grammar);
            ErrorShown { line: at.line, column: at.column, message }
        })
        .collect();
    if parsed.unread_tokens > 0 && shown.is_empty() {
        at.advance(bytes, bytes.len());
        let message = format!("{} tokens are left when the rule has ended", parsed.unread_tokens);
        shown.push(ErrorShown { line: at.line, column: 1, message });
    }
    shown
}

/// The names of a grammar's rules and tokens, once each: a large tree has millions of nodes.
struct Names<'g> {
    grammar: &'g Grammar,
    tokens: Vec<String>,
}

impl<'g> Names<'g> {
    fn of(grammar: &'g Grammar) -> Self {
        let tokens = (0..grammar.tokens.len() as u32).map(TokenId);
        Names { grammar, tokens: tokens.map(|id| notation::token(grammar, id)).collect() }
    }

    fn token(&self, id: u32) -> Option<&str> {
        Some(&self.tokens[id as usize])
    }
}

fn nodes<'n>(names: &'n Names<'_>, parsed: &Parsed) -> Vec<NodeShown<'n>> {
    let tree = &parsed.tree;
    tree.ids()
        .map(|id| {
            let (kind, name) = match tree.node(id).kind {
                Kind::Root => (NodeKind::Root, None),
                Kind::Rule { rule, .. } => {
                    (NodeKind::Rule, Some(names.grammar.rules[rule as usize].name.as_str()))
                }
                Kind::Token(id) => (NodeKind::Token, names.token(id)),
                Kind::Fixed => (NodeKind::Token, None),
                Kind::Trivia(id) => (NodeKind::Hidden, names.token(id)),
                Kind::Error => (NodeKind::Error, None),
                Kind::Missing(id) => (NodeKind::Missing, names.token(id)),
                Kind::Quantifier(_) => (NodeKind::Quantifier, None),
                Kind::Iteration => (NodeKind::Iteration, None),
            };
            let span = tree.span(id);
            let parent = tree.parent(id).map_or(0, |parent| parent.index());
            NodeShown { kind, name, start: span.start, end: span.end, parent }
        })
        .collect()
}
