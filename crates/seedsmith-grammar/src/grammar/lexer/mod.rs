//! Cuts bytes into lexemes as ANTLR's lexer does, and leaves none out.
//!
//! The longest match wins, then the first rule. Bytes that are not UTF-8 are read as U+FFFD one
//! by one, as ANTLR's own streams do. Text that no rule matches becomes an error lexeme: the prefix
//! that could have become a token and the character at which it couldn't, again as in ANTLR.
//!
//! Cost is linear for the grammars in use: a table look-up for each character once the automaton
//! has the states that an input needs. A rule that looks far ahead and then does not match can make
//! it quadratic.

mod automaton;
mod decode;
mod shortest;

use super::model::{Command, Grammar};
use super::parser::StopCheck;
use crate::grammar::atn::lexer::LexerAtn;
use automaton::Automaton;
use decode::decode;
use std::sync::Arc;

/// How the lexer read a piece of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LexemeKind {
    /// The parser sees it.
    Token,
    /// It was skipped or is on a hidden channel.
    Hidden,
    /// No rule matched.
    Error,
}

/// A piece of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lexeme {
    /// The token; the end of the input's number for errors.
    pub token: u32,
    /// How it was read.
    pub kind: LexemeKind,
    /// Offset of its first byte.
    pub start: u32,
    /// Offset after its last byte.
    pub end: u32,
}

/// How many tokens without bytes may follow each other (they change modes).
///
/// ANTLR would continue for ever. A guess, not measured: real lexers change a few modes in a row.
const MAX_EMPTY_TOKENS: u32 = 64;

/// Modes may be pushed this deep; more are taken as a plain change of mode.
///
/// A bound on memory (4 MB) for inputs that are made to push modes.
const MAX_MODES: usize = 1 << 20;

/// A grammar's lexer with the part of its automaton that was needed so far.
#[derive(Clone, Debug)]
pub struct Lexer {
    /// The ATN, shared by clones.
    atn: Arc<LexerAtn>,
    /// The part of the automaton made so far.
    automaton: Automaton,
    /// The token of each lexer rule; 0 for fragments.
    tokens_of_rules: Arc<[u32]>,
}

impl Lexer {
    /// A lexer for the grammar.
    pub fn new(grammar: &Grammar) -> Self {
        let atn = Arc::new(LexerAtn::new(grammar));
        let token = |rule: &super::model::LexerRule| rule.token.map_or(0, |token| token.0);
        let tokens_of_rules = grammar.lexer_rules.iter().map(token).collect();
        Lexer { automaton: Automaton::new(&atn), atn, tokens_of_rules }
    }

    /// For each lexer rule that wins with some text in a mode, by rule, the shortest such text
    /// and of several the one that sorts first. The search is bounded: a rule whose shortest
    /// text is far away can be missing.
    pub fn shortest_texts(&mut self, mode: u32) -> Vec<(u32, Vec<u8>)> {
        self.automaton.shortest_texts(&self.atn, mode)
    }

    /// Cuts the whole input. The lexemes touch each other, start at 0 and end at its end; only
    /// those without bytes may be missing.
    ///
    /// The input has to be shorter than 4 GiB; bytes after that are ignored.
    ///
    /// The result depends on the grammar and the input alone, not on inputs lexed before.
    pub fn lex(&mut self, input: &[u8]) -> Vec<Lexeme> {
        self.lex_in(0, input)
    }

    /// The same, starting in another mode than the first. Panics if there is no such mode.
    pub fn lex_in(&mut self, mode: u32, input: &[u8]) -> Vec<Lexeme> {
        let mut endless = StopCheck::new(&|| true);
        self.lex_while(mode, input, &mut endless).expect("that stop_check never ends")
    }

    /// The same as long as there is patience; after that, how far it came.
    ///
    /// The error is the offset that was reached.
    pub(super) fn lex_while(
        &mut self,
        mode: u32,
        input: &[u8],
        stop_check: &mut StopCheck<'_>,
    ) -> Result<Vec<Lexeme>, u32> {
        let input = &input[..input.len().min(u32::MAX as usize - 1)];
        let mut lexemes = Vec::with_capacity(input.len() / 4);
        let mut mode = mode;
        let mut modes: Vec<u32> = Vec::new();
        let mut at = 0;
        // Where the token began to which `more` text is being gathered.
        let mut start = 0;
        let mut empties = 0;
        let mut last = 0;
        let mut asked_at_end = false;
        loop {
            // At the end rules are asked once, and only if there was nothing to lex at all:
            // some grammars make a token of the end alone.
            if at >= input.len() && (asked_at_end || !input.is_empty()) {
                break;
            }
            asked_at_end = at >= input.len();
            let found = self.automaton.longest(&self.atn, mode, input, at, stop_check);
            let Some(found) = found.filter(|_| !stop_check.must_stop(1)) else {
                return Err(at as u32);
            };
            let is_stuck = found.accept.is_some() && found.end == at && empties >= MAX_EMPTY_TOKENS;
            let Some(accept) = found.accept.filter(|_| !is_stuck) else {
                let end = if is_stuck { at + decode(input, at).1 } else { found.end };
                if end > start {
                    let kind = LexemeKind::Error;
                    lexemes.push(Lexeme { token: 0, kind, start: start as u32, end: end as u32 });
                }
                empties = 0;
                (at, start) = (end, end);
                continue;
            };
            empties = if found.end == at { empties + 1 } else { 0 };
            at = found.end;
            let mut token = self.tokens_of_rules[accept.rule as usize];
            let mut kind = LexemeKind::Token;
            let mut goes_on = false;
            for &command in self.automaton.commands(accept.commands) {
                match command {
                    Command::Skip => kind = LexemeKind::Hidden,
                    Command::More => goes_on = true,
                    Command::Type(other) => token = other.0,
                    Command::Channel(0) => kind = LexemeKind::Token,
                    Command::Channel(_) => kind = LexemeKind::Hidden,
                    Command::Mode(to) => mode = to,
                    Command::PushMode(to) => {
                        if modes.len() < MAX_MODES {
                            modes.push(mode);
                        }
                        mode = to;
                    }
                    Command::PopMode => mode = modes.pop().unwrap_or(mode),
                }
            }
            last = token;
            if goes_on {
                continue;
            }
            if at > start || kind == LexemeKind::Token {
                lexemes.push(Lexeme { token, kind, start: start as u32, end: at as u32 });
            }
            start = at;
        }
        if input.len() > start {
            let (start, end) = (start as u32, input.len() as u32);
            lexemes.push(Lexeme { token: last, kind: LexemeKind::Hidden, start, end });
        }
        Ok(lexemes)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::grammar::g4;

    /// Each lexeme as `NAME(text)`, hidden ones in lower case, errors as `!(text)`.
    fn cut(grammar: &str, input: &[u8]) -> String {
        let grammar = g4::load_texts(&[("t.g4", grammar)]).unwrap();
        let lexemes = Lexer::new(&grammar).lex(input);
        let mut at = 0;
        let mut shown = Vec::new();
        for lexeme in lexemes {
            assert_eq!(lexeme.start, at);
            at = lexeme.end;
            let text = String::from_utf8_lossy(&input[lexeme.start as usize..lexeme.end as usize]);
            let name = grammar.token_name(crate::grammar::model::TokenId(lexeme.token));
            shown.push(match lexeme.kind {
                LexemeKind::Token => format!("{name}({text})"),
                LexemeKind::Hidden => format!("{}({text})", name.to_lowercase()),
                LexemeKind::Error => format!("!({text})"),
            });
        }
        assert_eq!(at as usize, input.len());
        shown.join(" ")
    }

    #[test]
    fn the_longest_match_wins_and_then_the_first_rule() {
        let grammar = "lexer grammar T; IF: 'if'; ID: [a-z]+; WS: [ ]+ -> skip;";
        assert_eq!(cut(grammar, b"if iff fi"), "IF(if) ws( ) ID(iff) ws( ) ID(fi)");
    }

    #[test]
    fn non_greedy_loops_stop_at_the_first_end() {
        let grammar = "lexer grammar T; C: '/*' .*? '*/' -> channel(HIDDEN); A: .;";
        assert_eq!(cut(grammar, b"/*a*/b*/"), "c(/*a*/) A(b) A(*) A(/)");
    }

    #[test]
    fn rules_may_call_themselves() {
        let grammar = "lexer grammar T; C: '(' (C | ~[()])* ')'; A: [a-z];";
        assert_eq!(cut(grammar, b"(a(b)c)d"), "C((a(b)c)) A(d)");
    }

    #[test]
    fn an_error_takes_the_hopeful_prefix_and_one_character() {
        let grammar = "lexer grammar T; ABC: 'abc'; X: 'x';";
        assert_eq!(cut(grammar, b"abxabc?"), "!(abx) ABC(abc) !(?)");
        assert_eq!(cut(grammar, b"x\xFFx"), "X(x) !(\u{FFFD}) X(x)");
    }

    #[test]
    fn modes_and_commands_work() {
        let grammar = r#"lexer grammar T;
            O: '"' -> more, pushMode(S); I: [a-z]+; N: '1' -> type(I);
            mode S; E: '"' -> popMode, type(STR); C: ~'"' -> more;
        "#;
        let grammar = &grammar.replace("grammar T;", "grammar T; tokens { STR }");
        assert_eq!(cut(grammar, br#"a"b c"1"#), r#"I(a) STR("b c") I(1)"#);
        assert_eq!(cut(grammar, br#"a"b"#), r#"I(a) c("b)"#);
    }

    #[test]
    fn case_can_be_ignored() {
        let grammar = "lexer grammar T; options { caseInsensitive = true; } \
            S: 'select'; I options { caseInsensitive = false; }: [a-z]+; W: ' ';";
        assert_eq!(cut(grammar, b"SeLeCt ab"), "S(SeLeCt) W( ) I(ab)");
    }

    #[test]
    fn tokens_without_bytes_end() {
        let grammar = "lexer grammar T; E: 'a'*; B: 'b';";
        assert!(cut(grammar, b"c").ends_with("!(c)"));
    }

    #[test]
    fn lexing_ends_wherever_the_caller_says_so() {
        // Nested stars, and each token looks at all the rest before it is known to be short.
        let grammar = "lexer grammar T; A: ((('a')*)*)* 'b'; B: 'a';";
        let grammar = g4::load_texts(&[("t.g4", grammar)]).unwrap();
        let mut lexer = Lexer::new(&grammar);
        let input = "a".repeat(4_000);
        let asked = Cell::new(0);
        let mut lex = |most: u32| {
            asked.set(0);
            let keep_going = || {
                asked.set(asked.get() + 1);
                asked.get() <= most
            };
            let mut stop_check = StopCheck::new(&keep_going);
            lexer.lex_while(0, input.as_bytes(), &mut stop_check).map(|lexemes| lexemes.len())
        };
        assert_eq!(lex(u32::MAX), Ok(4_000));
        let all = asked.get();
        // Eight million bytes are looked at.
        assert!(all > 50, "{all}");
        for most in [0, 1, all / 2, all - 1] {
            assert!(lex(most).is_err(), "{most} of {all}");
            assert_eq!(asked.get(), most + 1);
        }
    }

    #[test]
    fn deep_nesting_is_no_trouble() {
        let grammar = "lexer grammar T; C: '(' (C | ~[()])* ')'; A: [a-z];";
        let mut input = vec![b'('; 100_000];
        input.extend(vec![b')'; 100_000]);
        let grammar = g4::load_texts(&[("t.g4", grammar)]).unwrap();
        assert_eq!(Lexer::new(&grammar).lex(&input).len(), 1);
    }
}
