//! The shortest text of every token, as the lexer reads it.
//!
//! Found on the lexer's automaton itself, by length and then by how plain the characters are: the first
//! text after which the automaton accepts a rule is the shortest that *becomes* that rule's
//! token, keywords that win over it left aside. The text of a rule that only continues (`more`) is
//! put before the text that ends the token in the mode that the rule leads to.

use crate::grammar::lexer::{LexemeKind, Lexer};
use crate::grammar::model::{Command, Grammar, LexerRule, TokenId};
use crate::order;

/// Modes that `more` may lead through for one token.
/// A guess, not measured.
const MAX_MODE_CHAIN: usize = 4;

/// Texts that are put together for rules that continue, at most: modes that lead to each other by many
/// rules ask for any number.
const MAX_CHAINED_TEXTS: usize = 100_000;

/// Texts by token.
#[derive(Clone, Debug)]
pub(crate) struct TokenTexts {
    /// Each token's shortest text, if it has one.
    pub texts: Vec<Option<Vec<u8>>>,
    /// The shortest text that is hidden from the parser in some mode; of several that of the first.
    pub separator: Option<Vec<u8>>,
    /// The same for each mode on its own.
    pub separators: Vec<Option<Vec<u8>>>,
}

/// Finds the texts of all tokens. A token of the default mode is preferred to a shorter one of
/// another mode, which can't be read without the text that switches to it.
pub(crate) fn token_texts(grammar: &Grammar, lexer: &mut Lexer) -> TokenTexts {
    let mut texts: Vec<Option<Vec<u8>>> = vec![None; grammar.tokens.len()];
    texts[0] = Some(Vec::new());
    let mut separator: Option<Vec<u8>> = None;
    let shortest: Vec<Vec<(u32, Vec<u8>)>> =
        (0..grammar.modes.len()).map(|mode| lexer.shortest_texts(mode as u32)).collect();
    let mut left = MAX_CHAINED_TEXTS;
    for mode in 0..grammar.modes.len() {
        let mut found: Vec<Option<Vec<u8>>> = vec![None; texts.len()];
        let mut todo: Vec<(usize, Vec<u8>, usize)> = vec![(mode, Vec::new(), 0)];
        while let Some((at, prefix, depth)) = todo.pop() {
            for (rule, text) in &shortest[at] {
                let rule = &grammar.lexer_rules[*rule as usize];
                if depth > 0 {
                    left = left.saturating_sub(1);
                    if left == 0 {
                        break;
                    }
                }
                let whole = [&prefix[..], text].concat();
                let outcome = outcome(rule);
                if outcome.goes_on {
                    if depth < MAX_MODE_CHAIN && outcome.mode.is_some_and(|mode| mode != at as u32)
                    {
                        let next = outcome.mode.map_or(at, |mode| mode as usize);
                        todo.push((next, whole, depth + 1));
                    }
                    continue;
                }
                if depth > 0 && mode == 0 && !reads_as(lexer, &whole, &outcome) {
                    continue;
                }
                let slot = match outcome.kind {
                    LexemeKind::Token => &mut found[outcome.token.index()],
                    _ if mode == 0 && !whole.is_empty() => &mut separator,
                    _ => continue,
                };
                if slot.as_ref().is_none_or(|known| order::is_simpler(&whole, known)) {
                    *slot = Some(whole);
                }
            }
        }
        for (text, found) in texts.iter_mut().zip(found) {
            if text.is_none() {
                *text = found;
            }
        }
    }
    let separators: Vec<Option<Vec<u8>>> = (0..grammar.modes.len() as u32)
        .map(|mode| {
            let is_hidden = |rule: u32| {
                let outcome = outcome(&grammar.lexer_rules[rule as usize]);
                outcome.kind == LexemeKind::Hidden && !outcome.goes_on
            };
            let texts = shortest[mode as usize].iter().filter(|(rule, _)| is_hidden(*rule));
            let texts = texts.map(|(_, text)| text).filter(|text| !text.is_empty());
            let least = texts.min_by(|one, other| order::compare(one, other)).cloned();
            preferably_a_blank(lexer, mode, least)
        })
        .collect();
    // A separator that works in one mode only is better than none or a comment: tags need it, and
    // it does no harm in texts.
    let separator = preferably_a_blank(lexer, 0, separator);
    let separator =
        separator.iter().chain(separators.iter().flatten()).min_by_key(|text| text.len());
    let separator = separator.cloned();
    // Front ends without lexer rules give each token's text.
    for (text, token) in texts.iter_mut().zip(&grammar.tokens) {
        if text.is_none() && token.rule.is_none() {
            *text = token.literal.clone().map(String::into_bytes);
        }
    }
    TokenTexts { texts, separator, separators }
}

/// A blank is what people write, though other bytes are plainer.
fn preferably_a_blank(lexer: &mut Lexer, mode: u32, separator: Option<Vec<u8>>) -> Option<Vec<u8>> {
    let is_short = separator.as_ref().is_some_and(|text| text.len() == 1);
    let mut is_hidden =
        || matches!(lexer.lex_in(mode, b" ")[..], [only] if only.kind == LexemeKind::Hidden);
    if is_short && is_hidden() { Some(b" ".to_vec()) } else { separator }
}

/// The effect of a lexer rule's match.
struct RuleEffect {
    /// The token, by its own name or by `type`.
    token: TokenId,
    /// Whether the parser sees it.
    kind: LexemeKind,
    /// Whether the token continues with the next match (`more`).
    goes_on: bool,
    /// The mode that comes next, where a command names one.
    mode: Option<u32>,
}

/// The effect of a rule's match, by the commands of its first alternative that has any.
fn outcome(rule: &LexerRule) -> RuleEffect {
    let token = rule.token.unwrap_or(TokenId::EOF);
    let mut outcome = RuleEffect { token, kind: LexemeKind::Token, goes_on: false, mode: None };
    let commands = rule.alternatives.iter().map(|a| &a.commands).find(|list| !list.is_empty());
    for command in commands.into_iter().flatten() {
        match *command {
            Command::Skip => outcome.kind = LexemeKind::Hidden,
            Command::More => outcome.goes_on = true,
            Command::Type(token) => outcome.token = token,
            Command::Channel(0) => outcome.kind = LexemeKind::Token,
            Command::Channel(_) => outcome.kind = LexemeKind::Hidden,
            Command::Mode(mode) | Command::PushMode(mode) => outcome.mode = Some(mode),
            Command::PopMode => {}
        }
    }
    outcome
}

/// Whether a text is read as one lexeme of that kind.
fn reads_as(lexer: &mut Lexer, text: &[u8], outcome: &RuleEffect) -> bool {
    let lexemes = lexer.lex(text);
    matches!(lexemes.as_slice(), [only]
        if only.kind == outcome.kind && only.token == outcome.token.0)
}
