//! Grammars and parse trees as their events.

use std::path::Path;

use seedsmith_grammar::Language;
use seedsmith_grammar::NodeKind as TreeNodeKind;
#[cfg(feature = "languages")]
use seedsmith_grammar::TreeSitter;
use seedsmith_grammar::internal::builtin;
use seedsmith_grammar::internal::notation;
use seedsmith_grammar::internal::{Grammar, RuleId, TokenId};
use seedsmith_grammar::internal::{named_tokens, unreachable_rules, unused_fragments};
use seedsmith_grammar::{ParseError, Parsed, Position};

use crate::session::language::{LanguageError, Named};

use crate::event::{
    BuiltinGrammar, GrammarDescription, GrammarRule, GrammarToken, KeepGoing, NodeKind, ParsedFile,
    ParsedNode, SyntaxError,
};

/// The grammars that come with the program.
/// None of them is loaded for this.
pub(crate) fn described_builtins() -> Vec<BuiltinGrammar<'static>> {
    let listed = builtin::all().iter().map(|one| BuiltinGrammar {
        name: one.name,
        aliases: one.aliases,
        about: one.about,
    });
    listed.collect()
}

/// A grammar's rules and tokens with their shortest texts.
/// Tokens with a fixed text and the end of the input are left out. Shortest texts that are no UTF-8 have
/// replacement characters; there is none for a rule that derives no finite text.
pub(crate) fn described_grammar(language: &Language) -> GrammarDescription {
    let grammar = language.grammar();
    let minimal = language.minimal_strings();
    let unreachable = unreachable_rules(grammar, language.start());
    let readable = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let rules = (0..grammar.rules.len() as u32).map(RuleId).map(|rule| GrammarRule {
        name: grammar.rule(rule).name.clone(),
        definition: notation::definition(grammar, rule),
        minimal: minimal.of_rule(rule).map(|text| readable(&text.bytes)),
        is_reachable: !unreachable.contains(&rule),
    });
    let has_no_fixed_text =
        |id: &TokenId| grammar.tokens[id.index()].literal.is_none() && *id != TokenId::EOF;
    let tokens = named_tokens(grammar).into_iter().filter(has_no_fixed_text);
    GrammarDescription {
        name: grammar.name.clone(),
        start: grammar.rule(language.start()).name.clone(),
        rules: rules.collect(),
        tokens: tokens
            .map(|token| GrammarToken {
                name: grammar.token_name(token),
                minimal: minimal.of_token(token).map(readable),
            })
            .collect(),
        unused_fragments: unused_fragments(grammar).into_iter().map(str::to_owned).collect(),
        notices: grammar.notices.iter().map(ToString::to_string).collect(),
        is_complete: true,
    }
}

/// The fixed texts of a grammar's tokens, in their order: keywords, operators, brackets.
pub(crate) fn literals(language: &Language) -> Vec<&[u8]> {
    language
        .grammar()
        .tokens
        .iter()
        .filter_map(|token| token.literal.as_deref())
        .map(str::as_bytes)
        .collect()
}

/// The kinds of nodes that a parser of tree-sitter's has. Fails where there is no such parser, and
/// where it cannot parse the empty text.
#[cfg(feature = "languages")]
pub(crate) fn described_parser(
    parser: &Named<'_>,
) -> Result<Result<GrammarDescription, ParseError>, LanguageError> {
    Ok(described_tree_sitter(&parser.open()?))
}

/// As with the feature, which is needed.
#[cfg(not(feature = "languages"))]
pub fn described_parser(
    parser: &Named<'_>,
) -> Result<Result<GrammarDescription, ParseError>, LanguageError> {
    match parser.open()? {}
}

/// Kinds with children are rules, named kinds without are tokens, and so is each literal. All rules count as
/// reachable, and no notices are known.
#[cfg(feature = "languages")]
fn described_tree_sitter(parser: &TreeSitter) -> Result<GrammarDescription, ParseError> {
    let known = parser.node_types().definitions();
    let (tokens, rules): (Vec<_>, Vec<_>) = known.partition(|(_, text)| text.is_empty());
    let rule = |(name, definition): (&str, String)| GrammarRule {
        name: name.to_owned(),
        definition,
        minimal: None,
        is_reachable: true,
    };
    let named =
        tokens.into_iter().map(|(name, _)| GrammarToken { name: name.to_owned(), minimal: None });
    let fixed = parser
        .literals()
        .into_iter()
        .map(|text| GrammarToken { name: format!("'{text}'"), minimal: Some(text.to_owned()) });
    Ok(GrammarDescription {
        name: parser.name().to_owned(),
        start: parser.start()?.to_owned(),
        rules: rules.into_iter().map(rule).collect(),
        tokens: named.chain(fixed).collect(),
        unused_fragments: Vec::new(),
        notices: Vec::new(),
        is_complete: false,
    })
}

/// How `bytes`, read from `input`, were parsed. `keep_going` is asked while the tree is written.
pub(crate) fn described_parse<'s>(
    names: &'s TreeNames<'_>,
    input: &'s Path,
    bytes: &'s [u8],
    parsed: &Parsed,
    keep_going: &'s dyn Fn() -> bool,
) -> ParsedFile<'s> {
    let errors = errors(names.grammar, parsed, bytes);
    let all_errors = parsed.errors.len() + parsed.unrecorded_errors;
    let errors_left_out = all_errors.saturating_sub(MAX_ERRORS);
    ParsedFile {
        input,
        bytes,
        errors,
        errors_left_out,
        nodes: nodes(names, parsed),
        keep_going: KeepGoing(keep_going),
    }
}

/// More errors are counted and not shown: recovery may report one for each token of a deep nesting,
/// and no one reads them.
const MAX_ERRORS: usize = 20;

/// At most `MAX_ERRORS`, in order of place. If there is no error but text is left after the start rule, one
/// error at the end of the input says how many tokens are left.
fn errors(grammar: &Grammar, parsed: &Parsed, bytes: &[u8]) -> Vec<SyntaxError> {
    let mut found: Vec<_> = parsed.errors.iter().collect();
    // The lexer's come first, but people read from top to bottom.
    found.sort_by_key(|error| error.offset);
    let mut at = Position::default();
    let mut shown: Vec<SyntaxError> = found
        .into_iter()
        .take(MAX_ERRORS)
        .map(|error| {
            at.advance(bytes, error.offset as usize);
            let message = error.problem.message(grammar);
            SyntaxError { line: at.line, column: at.column, message }
        })
        .collect();
    if parsed.unread_tokens > 0 && shown.is_empty() {
        at.advance(bytes, bytes.len());
        let message = format!("{} tokens are left when the rule has ended", parsed.unread_tokens);
        shown.push(SyntaxError { line: at.line, column: 1, message });
    }
    shown
}

/// The names of a grammar's rules and tokens, once each: a large tree has millions of nodes.
pub(crate) struct TreeNames<'g> {
    grammar: &'g Grammar,
    /// Indexed by the token's identifier.
    tokens: Vec<String>,
}

impl<'g> TreeNames<'g> {
    /// The names of `grammar`.
    pub(crate) fn of(grammar: &'g Grammar) -> Self {
        let tokens = (0..grammar.tokens.len() as u32).map(TokenId);
        TreeNames { grammar, tokens: tokens.map(|id| notation::token(grammar, id)).collect() }
    }

    fn token(&self, id: u32) -> Option<&str> {
        Some(&self.tokens[id as usize])
    }
}

/// One node for each node of the tree, in preorder. Those without a rule or token have no name.
fn nodes<'n>(names: &'n TreeNames<'_>, parsed: &Parsed) -> Vec<ParsedNode<'n>> {
    let tree = &parsed.tree;
    tree.ids()
        .map(|id| {
            let (kind, name) = match tree.node(id).kind {
                TreeNodeKind::Root => (NodeKind::Root, None),
                TreeNodeKind::Rule { rule, .. } => {
                    (NodeKind::Rule, Some(names.grammar.rules[rule as usize].name.as_str()))
                }
                TreeNodeKind::Token(id) => (NodeKind::Token, names.token(id)),
                TreeNodeKind::Fixed => (NodeKind::Token, None),
                TreeNodeKind::Trivia(id) => (NodeKind::Hidden, names.token(id)),
                TreeNodeKind::Error => (NodeKind::Error, None),
                TreeNodeKind::Missing(id) => (NodeKind::Missing, names.token(id)),
                TreeNodeKind::Quantifier(_) => (NodeKind::Quantifier, None),
                TreeNodeKind::Iteration => (NodeKind::Iteration, None),
            };
            let span = tree.span(id);
            let parent = tree.parent(id).map_or(0, |parent| parent.index());
            ParsedNode { kind, name, start: span.start, end: span.end, parent }
        })
        .collect()
}
