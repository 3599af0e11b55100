//! The Fuzzing Book's grammars as JSON, which is DDSET's own format.
//!
//! An object from `"<name>"` to a list of expansions, each a string with `<names>` in it or a
//! list of symbols. The start rule is `<start>`, or the one that `"[start]"` names if the grammar
//! is under `"[grammar]"`. Terminals are pieces of text; there is no lexer, and [`super::earley`]
//! parses with it. (A. Zeller et al., "The Fuzzing Book", chapter "Fuzzing with Grammars"; R.
//! Gopinath et al., ISSTA 2020.)
//!
//! An expansion that is one string is split into names and terminals at names in it. In one that is a
//! list, each string is a symbol: a rule if one has that name, else a terminal. A name between `<` and
//! `>` without a rule is an error. Empty terminals are dropped, so that an empty string is the empty
//! expansion. Rules are numbered in the order of the file; equal terminals are one token.

pub(in crate::grammar) mod json;

use super::error::{GrammarError, SourceLine};
use super::g4::{MAX_ALTERNATIVES, MAX_NAMES};
use super::model::{Alternative, Grammar, Mode, Rule, RuleId, Term, Token, TokenId};
use crate::digest::Digest;
use json::{Data, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Reads a grammar and its start rule.
///
/// Fails with the file, the line and the rule: at text that is not JSON, at rules that are defined
/// twice, at names without a rule, and at a start rule that does not exist. `name` is the file in
/// messages.
///
/// The start rule is `<start>`, or the rule that `[start]` names. Tokens have neither lexer rule
/// nor name, only a text.
pub(crate) fn load_text(name: &str, text: &str) -> Result<(Grammar, RuleId), GrammarError> {
    let file: Arc<str> = Arc::from(name);
    let value = json::read(text, file.clone())?;
    let syntax = |line: u32, message: &str| GrammarError::Syntax {
        place: SourceLine { file: file.clone(), line },
        rule: None,
        message: message.to_owned(),
    };
    let Data::Object(mut entries) = value.data else {
        return Err(syntax(value.line, "expected an object from rules to expansions"));
    };
    let mut start = "<start>".to_owned();
    if let Some(at) = entries.iter().position(|(key, _)| key == "[grammar]") {
        for (key, value) in &entries {
            if let ("[start]", Data::Text(text)) = (key.as_str(), &value.data) {
                start.clone_from(text);
            }
        }
        let inner = entries.swap_remove(at).1;
        let Data::Object(rules) = inner.data else {
            return Err(syntax(inner.line, "expected an object from rules to expansions"));
        };
        entries = rules;
    }
    if let Some((_, value)) = entries.get(MAX_NAMES) {
        return Err(syntax(value.line, &format!("more than {MAX_NAMES} rules")));
    }
    let mut names: BTreeMap<&str, RuleId> = BTreeMap::new();
    for (at, (key, value)) in entries.iter().enumerate() {
        if let Some(first) = names.insert(key, RuleId(at as u32)) {
            let place = |line| SourceLine { file: file.clone(), line };
            let first = place(entries[first.index()].1.line);
            let (place, name) = (place(value.line), key.clone());
            return Err(GrammarError::Duplicate { place, first, name });
        }
    }
    let Some(&start) = names.get(start.as_str()) else {
        return Err(GrammarError::NoSuchStart { grammar: name.to_owned(), rule: start });
    };
    let mut lowering = Lowering { file: &file, names: &names, tokens: BTreeMap::new() };
    let mut rules = Vec::new();
    for (key, value) in &entries {
        let Data::List(expansions) = &value.data else {
            return Err(lowering.syntax(value.line, key, "expected a list of expansions"));
        };
        let mut alternatives = Vec::new();
        if expansions.len() > MAX_ALTERNATIVES {
            let message = format!("more than {MAX_ALTERNATIVES} expansions");
            return Err(lowering.syntax(value.line, key, &message));
        }
        for expansion in expansions {
            let terms = lowering.expansion(key, expansion)?;
            alternatives.push(Alternative { terms, ..Alternative::default() });
        }
        if alternatives.is_empty() {
            return Err(lowering.syntax(value.line, key, "there are no expansions"));
        }
        let place = SourceLine { file: file.clone(), line: value.line };
        rules.push(Rule { name: key.clone(), place, alternatives, recursion: None });
    }
    let mut tokens = vec![Token { name: Some("EOF".into()), literal: None, rule: None }];
    let mut literals: Vec<(TokenId, String)> =
        lowering.tokens.into_iter().map(|(text, id)| (id, text)).collect();
    literals.sort();
    tokens.extend(literals.into_iter().map(|(_, text)| Token {
        name: None,
        literal: Some(text),
        rule: None,
    }));
    let grammar = Grammar {
        name: name.to_owned(),
        source: Digest::of(text.as_bytes()),
        tokens,
        rules,
        quantifiers: Vec::new(),
        lexer_rules: Vec::new(),
        modes: vec![Mode { name: "DEFAULT_MODE".into(), rules: Vec::new() }],
        channels: vec!["DEFAULT_TOKEN_CHANNEL".into(), "HIDDEN".into()],
        notices: Vec::new(),
    };
    Ok((grammar, start))
}

/// Reads a JSON object from names to texts: each with the line of its text.
///
/// For Picireny's files of replacements. Fails where the text is not a JSON object of strings.
pub(crate) fn read_texts(
    name: &str,
    text: &str,
) -> Result<Vec<(String, String, u32)>, GrammarError> {
    let file: Arc<str> = Arc::from(name);
    let value = json::read(text, file.clone())?;
    let refused = |line| {
        let place = SourceLine { file: file.clone(), line };
        let message = "expected an object from names to strings".to_owned();
        Err(GrammarError::Syntax { place, rule: None, message })
    };
    let Data::Object(entries) = value.data else { return refused(value.line) };
    let mut texts = Vec::new();
    for (name, value) in entries {
        let Data::Text(text) = value.data else { return refused(value.line) };
        texts.push((name, text, value.line));
    }
    Ok(texts)
}

/// The data that the lowering of expansions reads and adds to.
struct Lowering<'a> {
    /// The name of the file in errors.
    file: &'a Arc<str>,
    /// The numbers of the rules.
    names: &'a BTreeMap<&'a str, RuleId>,
    /// The terminals met so far.
    tokens: BTreeMap<String, TokenId>,
}

impl Lowering<'_> {
    /// A syntax error in a rule at a line.
    fn syntax(&self, line: u32, rule: &str, message: &str) -> GrammarError {
        let (file, rule, message) = (self.file.clone(), rule.to_owned(), message.to_owned());
        GrammarError::Syntax { place: SourceLine { file, line }, rule: Some(rule), message }
    }

    /// One expansion, a string or a list of symbols, as a sequence of terms. Fails at a name that
    /// no rule has.
    ///
    /// Terminals get their token numbers here, in the order in which they are met.
    /// Terminals get their token numbers here, in the order in which they are met.
    fn expansion(&mut self, rule: &str, expansion: &Value) -> Result<Vec<Term>, GrammarError> {
        let symbols: Vec<(&str, u32)> = match &expansion.data {
            Data::Text(text) => split(text).into_iter().map(|s| (s, expansion.line)).collect(),
            Data::List(list) => {
                let mut symbols = Vec::new();
                for value in list {
                    let Data::Text(text) = &value.data else {
                        return Err(self.syntax(value.line, rule, "expected a symbol"));
                    };
                    symbols.push((text.as_str(), value.line));
                }
                symbols
            }
            Data::Object(_) => {
                return Err(self.syntax(expansion.line, rule, "expected a string or a list"));
            }
        };
        let mut terms = Vec::new();
        for (symbol, line) in symbols {
            if let Some(&rule) = self.names.get(symbol) {
                terms.push(Term::Rule { rule, precedence: 0 });
            } else if is_name(symbol) {
                let place = SourceLine { file: self.file.clone(), line };
                let (rule, name) = (rule.to_owned(), symbol.to_owned());
                return Err(GrammarError::Undefined { place, rule, name });
            } else if !symbol.is_empty() {
                let next = TokenId(self.tokens.len() as u32 + 1);
                let token = *self.tokens.entry(symbol.to_owned()).or_insert(next);
                terms.push(Term::Token(token));
            }
        }
        Ok(terms)
    }
}

/// Whether a symbol is a name: `<name>`, no blank and no bracket inside. This is the Fuzzing Book's
/// `RE_NONTERMINAL`, `<[^<> ]*>`.
///
/// A shell takes these brackets for itself, so that users may leave them out when they name a start
/// rule.
fn is_name(symbol: &str) -> bool {
    let inner = symbol.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    inner.is_some_and(|inner| !inner.contains(['<', '>', ' ']))
}

/// Cuts an expansion into names and the text between them.
///
/// Concatenated, the pieces give the text back. A `<` without its `>` is part of a terminal.
fn split(text: &str) -> Vec<&str> {
    let mut symbols = Vec::new();
    let mut rest = text;
    let mut from = 0;
    while let Some(open) = rest[from..].find('<').map(|at| at + from) {
        let Some(length) = rest[open..].find('>').filter(|&l| is_name(&rest[open..=open + l]))
        else {
            from = open + 1;
            continue;
        };
        if open > 0 {
            symbols.push(&rest[..open]);
        }
        symbols.push(&rest[open..=open + length]);
        rest = &rest[open + length + 1..];
        from = 0;
    }
    if !rest.is_empty() {
        symbols.push(rest);
    }
    symbols
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expansions_are_cut_at_names() {
        assert_eq!(split("(<a>< b><c>"), ["(", "<a>", "< b>", "<c>"]);
        assert_eq!(split("a<b"), ["a<b"]);
        assert!(split("").is_empty());
    }

    #[test]
    fn both_ways_of_writing_give_the_same() {
        let one = load_text("g", r#"{"<start>": ["<d>+<d>"], "<d>": ["0", "1"]}"#).unwrap();
        let two = r#"{"[start]": "<start>", "[grammar]":
            {"<start>": [["<d>", "+", "<d>"]], "<d>": [["0"], ["1"]]}}"#;
        let two = load_text("g", two).unwrap();
        let bodies =
            |g: &Grammar| g.rules.iter().map(|r| r.alternatives.clone()).collect::<Vec<_>>();
        assert_eq!(bodies(&one.0), bodies(&two.0));
    }

    #[test]
    fn a_sign_is_no_part_of_an_escape() {
        let error = load_text("g", r#"{"<start>": ["\u+123"]}"#).unwrap_err().to_string();
        assert!(error.contains("four hexadecimal digits"), "{error}");
        assert!(load_text("g", r#"{"<start>": ["\u0123"]}"#).is_ok());
    }

    #[test]
    fn errors_name_file_line_and_rule() {
        let text = "{\"<start>\": [\n\"<x>\"]}";
        let error = load_text("g.json", text).unwrap_err().to_string();
        assert_eq!(error, "g.json:2: rule <start> refers to <x>, which is not defined");
        assert!(load_text("g", "{\"<start>\": [").is_err());
        assert!(load_text("g", "[]").is_err());
    }
}
