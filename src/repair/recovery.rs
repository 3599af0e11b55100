//! What a grammar's parser says of a damaged text: its terminals, and what recovery skipped and
//! inserted.
//!
//! A parser that recovers as ANTLR's does names the tokens that are too much (error nodes) and those
//! that are missing. Dropping the first and writing the second, as their minimal strings, is one
//! candidate for a repair. Whether it is valid says the validator, not the grammar.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use seedsmith_grammar::Language;
use seedsmith_grammar::internal::Substitutes;
use seedsmith_grammar::internal::Units;
use seedsmith_grammar::{NodeKind, Tree};

/// Who reads damaged texts. A repair knows no more of it, so that a program that repairs without a
/// grammar, such as a fuzzer, has no parser linked in.
pub trait Reads: Send + Sync {
    /// The terminals of the parse tree, error nodes and hidden tokens among them. None where the
    /// parser gives up.
    fn terminals(&self, text: &[u8]) -> Option<Units>;

    /// `text` without the bytes that recovery skipped and with those that it inserted; without the latter where
    /// `only_delete` is set. None where that is the text itself, or the parser gives up.
    fn recovered(&self, text: &[u8], only_delete: bool) -> Option<Vec<u8>>;

    /// The first place at which `text` does not fit, if there is one. None where the parser gives up.
    fn first_misfit(&self, text: &[u8]) -> Option<Option<Misfit>>;
}

/// A place at which a text does not fit a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The offset of the bytes that do not fit.
    pub at: usize,
    /// Terminals that would have fitted there, of those that always have the same text.
    pub wanted: Vec<Vec<u8>>,
    /// Bytes of the whole text that do not fit, and one more for each place.
    pub misfits: usize,
}

impl Misfit {
    /// Whether most of a text of that length fits, so that it may well be in the grammar's language.
    pub fn is_sound(&self, length: usize) -> bool {
        self.misfits <= MAX_MISFITS_OF_SHORT_TEXT + length / UNSOUND_DIVISOR
    }
}

/// A text is in another language than the grammar's if more than one byte in this many does not fit. The same
/// share as for the trial parses that guess a language; not measured.
const UNSOUND_DIVISOR: usize = 5;
/// So many bytes that do not fit say nothing, because a short text may have a fault in each word. Not
/// measured.
const MAX_MISFITS_OF_SHORT_TEXT: usize = 8;

/// A grammar that damaged texts are read with. Any number of threads may share it.
#[derive(Clone)]
pub struct Reader {
    substitutes: Arc<Substitutes>,
    /// Parsers that no one uses: one is not cheap to make.
    idle: Arc<Mutex<Vec<Language>>>,
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("grammar", &self.substitutes.grammar().name).finish()
    }
}

impl Reader {
    /// Reads in the language of `substitutes`.
    pub fn new(substitutes: Arc<Substitutes>) -> Self {
        Reader { substitutes, idle: Arc::default() }
    }

    /// The tree; none where the parser gives up.
    fn tree(&self, text: &[u8]) -> Option<Tree> {
        self.with_parser(|parser| self.substitutes.parse(parser, text).ok().map(|one| one.tree))
    }

    /// Runs `body` with a parser that no other thread uses.
    fn with_parser<R>(&self, body: impl FnOnce(&mut Language) -> R) -> R {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let mut parser = waiting.unwrap_or_else(|| self.substitutes.parser());
        let result = body(&mut parser);
        idle().push(parser);
        result
    }
}

impl Reads for Reader {
    fn terminals(&self, text: &[u8]) -> Option<Units> {
        let tree = self.tree(text)?;
        let spans = tree.leaves().map(|leaf| tree.span(leaf)).filter(|span| !span.is_empty());
        Some(Units::beginning_at(spans.map(|span| span.start as u32).collect(), text.len()))
    }

    fn recovered(&self, text: &[u8], only_delete: bool) -> Option<Vec<u8>> {
        let tree = self.tree(text)?;
        let mut recovered = Vec::with_capacity(text.len());
        for leaf in tree.leaves() {
            let is_skipped = std::iter::successors(Some(leaf), |id| tree.parent(*id))
                .any(|id| tree.node(id).kind == NodeKind::Error);
            match tree.node(leaf).kind {
                _ if is_skipped => {}
                kind @ NodeKind::Missing(_) if !only_delete => {
                    recovered.extend_from_slice(self.substitutes.text_of(kind));
                }
                _ => recovered.extend_from_slice(&text[tree.span(leaf)]),
            }
        }
        (recovered != text).then_some(recovered)
    }

    fn first_misfit(&self, text: &[u8]) -> Option<Option<Misfit>> {
        let found = self.with_parser(|parser| self.substitutes.first_fault(parser, text)).ok()?;
        Some(found.map(|fault| Misfit {
            at: fault.offset,
            wanted: fault.missing,
            misfits: fault.misfits,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json() -> Reader {
        Reader::new(Arc::new(Substitutes::new(Language::open("json", None).unwrap())))
    }

    #[test]
    fn terminals_are_those_of_the_grammar_and_cover_the_text() {
        let text = br#"{"a b": [1, -2.5e3]"#;
        let units = json().terminals(text).unwrap();
        let found: Vec<&str> = (0..units.len())
            .map(|i| std::str::from_utf8(&text[units.span(i..i + 1)]).unwrap())
            .collect();
        assert_eq!(found, ["{", "\"a b\"", ":", " ", "[", "1", ",", " ", "-2.5e3", "]"]);
    }

    #[test]
    fn what_recovery_skipped_goes_and_what_it_conjured_up_comes() {
        let recovered = |text: &str, only_delete| {
            json()
                .recovered(text.as_bytes(), only_delete)
                .map(|text| String::from_utf8(text).unwrap())
        };
        assert_eq!(recovered(r#"{"a"1}"#, false).as_deref(), Some(r#"{"a":1}"#));
        assert_eq!(recovered(r#"{"a":**1}"#, true).as_deref(), Some(r#"{"a":1}"#));
        assert_eq!(recovered(r#"{"a":1}"#, false), None);
    }

    #[test]
    fn the_first_misfit_is_told_with_what_would_have_fitted() {
        let at = |text: &str| json().first_misfit(text.as_bytes()).unwrap();
        assert_eq!(at(r#"{"a":1}"#), None);
        let wanted = vec![b":".to_vec()];
        assert_eq!(at(r#"{"a"1}"#), Some(Misfit { at: 4, wanted, misfits: 1 }));
        assert_eq!(at(r#"{"a":1"#).unwrap().at, 6);
        assert_eq!(at(r#"{"a":1} 2"#).unwrap().at, 8);
    }

    #[cfg(feature = "languages")]
    #[test]
    fn tree_sitter_s_parsers_tell_the_first_misfit_too() {
        use seedsmith_grammar::TreeSitter;
        use seedsmith_grammar::internal::languages;
        let c = TreeSitter::built_in(languages::named("c").unwrap()).unwrap();
        let text = b"int f(void) { return 1 }\nint g(void) { return 2; }\n";
        let language = Language::seen(&c, text, &|| true).unwrap();
        let reader = Reader::new(Arc::new(Substitutes::new(language)));
        let misfit = reader.first_misfit(text).unwrap().unwrap();
        assert_eq!(misfit, Misfit { at: 22, wanted: vec![b";".to_vec()], misfits: 1 });
        assert_eq!(reader.first_misfit(b"int f(void) { return 1; }\n"), Some(None));
        let misfit = reader.first_misfit(b"int a;\nint b = = 3;\nint c;\n").unwrap().unwrap();
        assert!((11..18).contains(&misfit.at), "{misfit:?}");
    }
}
