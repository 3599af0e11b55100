//! A grammar to parse with, by its name or its files: the one way from what a user says to a
//! parser, whichever front end it takes.

use super::analysis::minimal::{GivenTexts, MinimalStrings, reads_apart};
use super::earley::EarleyParser;
use super::error::GrammarError;
use super::lexer::{LexemeKind, Lexer};
use super::model::{Grammar, RuleId};
use super::parser::{ParseError, Parsed, Parser, SyntaxProblem};
#[cfg(feature = "tree-sitter")]
use super::tree_sitter;
use super::{builtin, fuzzingbook, g4, source};
#[cfg(feature = "tree-sitter")]
use crate::digest::Digest;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// A place at which an input does not fit a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxFault {
    /// The offset of the bytes that do not fit.
    pub offset: usize,
    /// Tokens that would have fitted there, of those that always have the same text.
    pub missing: Vec<Vec<u8>>,
    /// Bytes of the whole input that do not fit, and one more for each place.
    pub misfits: usize,
}

/// A grammar, the rule to start with and the parser that fits it. Clone it for each thread.
#[derive(Clone, Debug)]
pub struct Language {
    start: RuleId,
    engine: ParserKind,
}

#[derive(Clone, Debug)]
enum ParserKind {
    Network(Box<Parser>),
    Earley(EarleyParser),
    #[cfg(feature = "tree-sitter")]
    TreeSitter(Box<tree_sitter::ObservedLanguage>),
}

impl Language {
    /// Opens what `--grammar` says: the name of a built-in grammar, one or several `.g4` files
    /// with commas between them, or a `.json` file (DDSET calls it `.fbjson`) in the fuzzingbook's
    /// format. Without a `start` rule the grammar's likeliest is taken.
    pub fn open(said: &str, start: Option<&str>) -> Result<Self, GrammarError> {
        if let Some(builtin) = builtin::find(said) {
            return Language::of(builtin.parser(), start);
        }
        let paths: Vec<&Path> = said.split(',').map(Path::new).collect();
        let has_ending = |path: &Path, ending: &str| {
            path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
        };
        match paths[..] {
            [path] if has_ending(path, "json") || has_ending(path, "fbjson") => {
                Language::from_fuzzingbook(path, start)
            }
            [path] if !path.exists() && !has_ending(path, "g4") => {
                let names: Vec<&str> = builtin::all().iter().map(|one| one.name).collect();
                Err(GrammarError::NoSuchGrammar { name: said.to_owned(), known: names })
            }
            _ => Language::of(Parser::new(Arc::new(g4::load(&paths)?)), start),
        }
    }

    /// A language from a parser that is there.
    pub fn of(parser: Parser, start: Option<&str>) -> Result<Self, GrammarError> {
        let start = parser.start_rule(start)?;
        Ok(Language { start, engine: ParserKind::Network(Box::new(parser)) })
    }

    /// What a tree-sitter parser shows of its language in this input: for trees of the input and
    /// of what becomes of it.
    #[cfg(feature = "tree-sitter")]
    pub fn seen(
        parser: &tree_sitter::TreeSitter,
        input: &[u8],
        keep_going: &dyn Fn() -> bool,
    ) -> Result<Self, ParseError> {
        let seen = parser.parse_while(input, keep_going)?;
        Ok(Language { start: seen.start, engine: ParserKind::TreeSitter(Box::new(seen)) })
    }

    /// The same language as another input shows it, where that is how it is known: the outer
    /// `None` says that it isn't, or that this is the input, the inner that `input` can't be parsed
    /// as long as `keep_going` says yes.
    pub fn shown_by(&self, input: &[u8], keep_going: &dyn Fn() -> bool) -> Option<Option<Self>> {
        match &self.engine {
            #[cfg(feature = "tree-sitter")]
            ParserKind::TreeSitter(seen) if seen.digest != Digest::of(input) => {
                Some(Language::seen(seen.reader.language(), input, keep_going).ok())
            }
            _ => {
                let _ = (input, keep_going);
                None
            }
        }
    }

    fn from_fuzzingbook(path: &Path, start: Option<&str>) -> Result<Self, GrammarError> {
        let text = source::read_text(path)?;
        Language::of_fuzzingbook(&path.display().to_string(), &text, start)
    }

    /// A language from the text of a grammar in the fuzzingbook's format.
    pub fn of_fuzzingbook(
        name: &str,
        text: &str,
        start: Option<&str>,
    ) -> Result<Self, GrammarError> {
        let (grammar, own_start) = fuzzingbook::load_text(name, text)?;
        let start = match start {
            None => own_start,
            // Its names are between `<` and `>`, which a shell would take for itself.
            Some(name) => grammar
                .rule_named(name)
                .or_else(|| grammar.rule_named(&format!("<{name}>")))
                .ok_or_else(|| GrammarError::NoSuchStart {
                    grammar: grammar.name.clone(),
                    rule: name.to_owned(),
                })?,
        };
        let parser = EarleyParser::new(Arc::new(grammar))
            .expect("the fuzzingbook front end makes what Earley's parser takes");
        Ok(Language { start, engine: ParserKind::Earley(parser) })
    }

    /// The same language from another rule.
    pub fn starting_with(&self, rule: &str) -> Result<Self, GrammarError> {
        let grammar = self.grammar();
        let start = grammar.rule_named(rule).ok_or_else(|| GrammarError::NoSuchStart {
            grammar: grammar.name.clone(),
            rule: rule.to_owned(),
        })?;
        Ok(Language { start, engine: self.engine.clone() })
    }

    /// The grammar as data.
    pub fn grammar(&self) -> &Arc<Grammar> {
        match &self.engine {
            ParserKind::Network(parser) => parser.grammar(),
            ParserKind::Earley(parser) => parser.grammar(),
            #[cfg(feature = "tree-sitter")]
            ParserKind::TreeSitter(seen) => &seen.grammar,
        }
    }

    /// The rule that a whole input is.
    pub fn start(&self) -> RuleId {
        self.start
    }

    /// Whether a lexer cuts inputs into tokens; without one, tokens are just pieces of text.
    pub fn has_lexer(&self) -> bool {
        matches!(self.engine, ParserKind::Network(_))
    }

    /// The shortest texts of its rules and tokens, worked out again.
    pub fn minimal_strings(&self) -> MinimalStrings {
        self.minimal_strings_with(&GivenTexts::default())
    }

    /// The same where some texts are given.
    pub fn minimal_strings_with(&self, given: &GivenTexts) -> MinimalStrings {
        MinimalStrings::with_given(self.grammar(), &mut Lexer::new(self.grammar()), given)
    }

    /// Whether two pieces of text read, one right after the other, as they do alone. In a
    /// grammar of several modes, where a piece alone can't be read, the question is whether two
    /// words would become one; in one without a lexer anything may touch.
    pub fn reads_apart(&mut self, before: &[u8], next: &[u8]) -> bool {
        match &mut self.engine {
            ParserKind::Network(parser) if parser.grammar().modes.len() == 1 => {
                reads_apart(parser.lexer(), before, next)
            }
            ParserKind::Network(_) => {
                let is_word =
                    |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
                !(before.last().is_some_and(is_word) && next.first().is_some_and(is_word))
            }
            ParserKind::Earley(_) => true,
            #[cfg(feature = "tree-sitter")]
            ParserKind::TreeSitter(seen) => {
                reads_apart(&mut Lexer::new(&seen.grammar), before, next)
            }
        }
    }

    /// The tokens that the parser sees, each with its span; none in a grammar without a lexer.
    pub fn tokens(&mut self, input: &[u8]) -> Vec<(u32, Range<usize>)> {
        let ParserKind::Network(parser) = &mut self.engine else { return Vec::new() };
        let lexemes = parser.lexer().lex(input).into_iter();
        let seen = lexemes.filter(|lexeme| lexeme.kind == LexemeKind::Token);
        seen.map(|lexeme| (lexeme.token, lexeme.start as usize..lexeme.end as usize)).collect()
    }

    /// Whether a text is read, in one of the lexer's modes, as this one token and nothing else.
    pub fn reads_as(&mut self, token: u32, text: &[u8]) -> bool {
        let ParserKind::Network(parser) = &mut self.engine else { return false };
        let modes = parser.grammar().modes.len() as u32;
        let lexer = parser.lexer();
        (0..modes).any(|mode| match lexer.lex_in(mode, text)[..] {
            [lexeme] => lexeme.token == token && lexeme.kind == LexemeKind::Token,
            _ => false,
        })
    }

    /// The first place at which an input does not fit the grammar, cheaper than a tree where the parser is
    /// tree-sitter's. `None` if all of it fits.
    pub(crate) fn first_fault(
        &mut self,
        input: &[u8],
        keep_going: &dyn Fn() -> bool,
    ) -> Result<Option<SyntaxFault>, ParseError> {
        #[cfg(feature = "tree-sitter")]
        if let ParserKind::TreeSitter(seen) = &self.engine {
            return seen.reader.language().first_fault(input, keep_going);
        }
        let parsed = self.parse_while(input, keep_going)?;
        let misfits = parsed.tree.error_bytes() + parsed.errors.len();
        let Some(first) = parsed.errors.iter().min_by_key(|error| error.offset) else {
            let end = SyntaxFault { offset: input.len(), missing: Vec::new(), misfits };
            return Ok((parsed.unread_tokens > 0).then_some(end));
        };
        let known = &self.grammar().tokens;
        let literal =
            |token: &u32| Some(known.get(*token as usize)?.literal.as_ref()?.as_bytes().to_vec());
        let tokens = match &first.problem {
            SyntaxProblem::Unexpected { expected } | SyntaxProblem::Extraneous { expected } => {
                expected.as_slice()
            }
            SyntaxProblem::MissingToken { token } => std::slice::from_ref(token),
            SyntaxProblem::NoToken | SyntaxProblem::NoAlternative => &[],
        };
        Ok(Some(SyntaxFault {
            offset: first.offset as usize,
            missing: tokens.iter().filter_map(literal).collect(),
            misfits,
        }))
    }

    /// Parses an input as a whole; as [`Parser::parse_while`].
    pub fn parse_while(
        &mut self,
        input: &[u8],
        keep_going: &dyn Fn() -> bool,
    ) -> Result<Parsed, ParseError> {
        match &mut self.engine {
            ParserKind::Network(parser) => parser.parse_while(input, self.start, keep_going),
            ParserKind::Earley(parser) => parser.parse_while(input, self.start, keep_going),
            #[cfg(feature = "tree-sitter")]
            ParserKind::TreeSitter(seen) if seen.digest == Digest::of(input) => {
                Ok(Parsed::clone(&seen.parsed))
            }
            #[cfg(feature = "tree-sitter")]
            ParserKind::TreeSitter(seen) => seen.reader.parse_while(input, keep_going),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_or_a_file_gives_a_grammar_and_anything_else_a_reason() {
        let mut json = Language::open("json", None).unwrap();
        assert!(json.parse_while(b"[1]", &|| true).unwrap().is_valid());
        assert_eq!(json.grammar().rule(json.start()).name, "document");
        let mut pair = Language::open("json", Some("pair")).unwrap();
        assert!(pair.parse_while(b"\"a\": 1", &|| true).unwrap().is_valid());
        let refused = |said: &str, start| Language::open(said, start).unwrap_err().to_string();
        assert!(refused("cobol", None).starts_with("cobol is neither a file nor one of "));
        assert_eq!(refused("none.g4", None), "read grammar none.g4");
        let no_start = refused("json", Some("thing"));
        assert_eq!(no_start, "grammar Json has no rule thing to start with");
    }

    #[test]
    fn a_grammar_has_the_digest_of_all_the_texts_that_it_was_read_from() {
        let folder = tempfile::tempdir().unwrap();
        let write =
            |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        let open = |name: &str| {
            let path = folder.path().join(name);
            Language::open(path.to_str().unwrap(), None).unwrap().grammar().source
        };
        write(
            "Main.g4",
            "parser grammar Main; options { tokenVocab=Words; } import Rest; s: A r EOF;",
        );
        write("Rest.g4", "parser grammar Rest; r: A*;");
        write("Words.g4", "lexer grammar Words; A: 'a';");
        let first = open("Main.g4");
        assert_eq!(open("Main.g4"), first);
        let mut seen = vec![first];
        for (name, text) in [
            ("Rest.g4", "parser grammar Rest; r: A?;"),
            ("Words.g4", "lexer grammar Words; A: 'b';"),
            (
                "Main.g4",
                "parser grammar Main; options { tokenVocab=Words; } import Rest; s: r EOF;",
            ),
        ] {
            write(name, text);
            let other = open("Main.g4");
            assert!(!seen.contains(&other), "{name}");
            seen.push(other);
        }
        write("g.json", r#"{"<start>": ["0"]}"#);
        let first = open("g.json");
        write("g.json", r#"{"<start>": ["1"]}"#);
        assert_ne!(open("g.json"), first);
    }

    #[test]
    fn the_fuzzingbooks_grammars_are_parsed_with_earleys_parser() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g.json");
        std::fs::write(&path, r#"{"<start>": ["<d><start>", ""], "<d>": ["0", "1"]}"#).unwrap();
        let mut language = Language::open(path.to_str().unwrap(), None).unwrap();
        assert!(language.parse_while(b"0110", &|| true).unwrap().is_valid());
        assert!(!language.parse_while(b"012", &|| true).unwrap().is_valid());
        // As DDSET has them: a start of its own, symbols in lists, skipped text as a rule.
        let path = folder.path().join("calls.fbjson");
        let calls = r#"{"[start]": "<calls>", "[grammar]": {
            "<calls>": [["<calls_STAR_0>", "<EOF>"]],
            "<calls_STAR_0>": [[], ["<call>", "<calls_STAR_0>"]],
            "<call>": [["<SKIP>", "<NAME>", "<SKIP>", "(", "<SKIP>", ")"]],
            "<NAME>": [["f"], ["g"], ["<NAME>", "<NAME>"]],
            "<EOF>": [["<SKIP>"]],
            "<SKIP>": [[], ["<SKIP>", "<SKIP>"], [" "], ["\n"]]}}"#;
        std::fs::write(&path, calls).unwrap();
        let mut language = Language::open(path.to_str().unwrap(), None).unwrap();
        assert_eq!(language.grammar().rule(language.start()).name, "<calls>");
        assert!(language.parse_while(b"f() gf ( )\n  g()\n", &|| true).unwrap().is_valid());
        assert!(!language.parse_while(b"f(g)", &|| true).unwrap().is_valid());
    }
}
