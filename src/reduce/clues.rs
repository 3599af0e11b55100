//! Guesses the language of an input if none is named: by the input's file name, by the target's
//! name, or by trial parses.
//!
//! A guess that costs tests where it is wrong, never correctness.

use std::sync::Arc;
use std::time::Duration;

use seedsmith_grammar::Language;
use seedsmith_grammar::internal::Substitutes;
use seedsmith_grammar::internal::builtin;
use seedsmith_grammar::internal::builtin::{Hint, RecognisedBy};

/// How far the guess of a language goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guess {
    /// By the names of input and target.
    ByName,
    /// By a trial parse too.
    ByTrial,
}

/// How many bytes the default strategy parses to recognise an input's language: a trial tries
/// several grammars and takes some milliseconds for 2 KB. Not measured beyond that.
const MAX_SHORT_TRIAL_BYTES: usize = 2 << 10;

/// The clues for guessing a language besides the input's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clues {
    /// The input's file name.
    pub file_name: Option<String>,
    /// The fuzz target's name.
    pub target: Option<String>,
    /// The time limit of a parse.
    pub max_parse_time: Duration,
}

/// A language, and how it is known.
#[derive(Clone, Debug)]
pub struct Known {
    /// The language.
    pub language: Arc<Substitutes>,
    /// Its name and how it was recognised; `None` if the caller named the language.
    pub guessed: Option<(&'static str, RecognisedBy)>,
}

impl Known {
    /// The message for the user: which language was guessed, and from which clue. A note of the
    /// kind [`NoteKind::GuessedLanguage`](crate::event::NoteKind::GuessedLanguage).
    pub fn note(&self) -> Option<String> {
        let (name, clue) = self.guessed?;
        let how = match clue {
            RecognisedBy::Ending => "the ending of its file name",
            RecognisedBy::Target => "the target's name",
            RecognisedBy::Trial(_) => "a trial parse",
        };
        Some(format!("guessed language: {name}, from {how}"))
    }
}

impl Clues {
    /// The built-in language that `bytes` seem to be in, with its name and the clue. The same for
    /// the same bytes; costs milliseconds if no name gives the language.
    pub fn language(&self, bytes: &[u8]) -> Option<(&'static str, RecognisedBy, Arc<Substitutes>)> {
        self.built_in(bytes, Hint::default().trial_bytes)
    }

    /// The language that `bytes` seem to be in, built in or one of tree-sitter's: what a name tells
    /// goes before a trial, an ending before the target's name. `is_needed` is whether it is worth
    /// a long trial.
    pub(crate) fn known(&self, bytes: &[u8], guess: Guess, is_needed: bool) -> Option<Known> {
        let known = |(name, clue, language)| Known { language, guessed: Some((name, clue)) };
        let named = [self.built_in(bytes, 0), self.parser_by_name(bytes)];
        let mut named: Vec<_> = named.into_iter().flatten().collect();
        named.sort_by_key(|(_, clue, _)| *clue != RecognisedBy::Ending);
        if let Some(found) = named.into_iter().next() {
            return Some(known(found));
        }
        let trial_bytes = match guess {
            Guess::ByName => return None,
            Guess::ByTrial if is_needed => Hint::default().trial_bytes,
            Guess::ByTrial => MAX_SHORT_TRIAL_BYTES,
        };
        let found = self.built_in(bytes, trial_bytes);
        let amiss = match found {
            Some((_, RecognisedBy::Ending | RecognisedBy::Target, _)) => 0,
            Some((_, RecognisedBy::Trial(amiss), _)) => amiss,
            None => u8::MAX,
        };
        let seen = if amiss > 0 { self.parser_by_trial(bytes, trial_bytes, amiss) } else { None };
        seen.or(found).map(known)
    }

    /// The message for the user if this build cannot read the input's language and another can.
    pub(super) fn missing(&self) -> Option<String> {
        let name = self.missing_parser()?;
        Some(format!(
            "this build has no parser for {name}; cargo install seedsmith --features languages adds \
             it"
        ))
    }

    /// The built-in language by names or from a trial of no more than `trial_bytes`.
    fn built_in(
        &self,
        bytes: &[u8],
        trial_bytes: usize,
    ) -> Option<(&'static str, RecognisedBy, Arc<Substitutes>)> {
        let hint = Hint {
            file_name: self.file_name.as_deref(),
            target: self.target.as_deref(),
            trial_bytes,
        };
        let (found, clue) = builtin::recognise(hint, bytes)?;
        let language = Language::of(found.parser(), None).expect("tests start every grammar");
        let language = Substitutes::new(language).with_max_parse_time(self.max_parse_time);
        Some((found.name, clue, Arc::new(language)))
    }
}

/// Tree-sitter's parsers do not search longer inputs for optional parts, unless a name gives the
/// parser, because that takes milliseconds a kilobyte.
#[cfg(feature = "languages")]
const MAX_ASKED_BYTES: usize = 64 << 10;

#[cfg(feature = "languages")]
use seedsmith_grammar::{
    TreeSitter,
    internal::{languages, recognise},
};

#[cfg(feature = "languages")]
impl Clues {
    /// The language of the tree-sitter parser that the file's ending or the target's name gives, if
    /// there is no built-in grammar of that name.
    fn parser_by_name(
        &self,
        bytes: &[u8],
    ) -> Option<(&'static str, RecognisedBy, Arc<Substitutes>)> {
        let is_alone = |found: &&languages::BuiltIn| builtin::find(found.name).is_none();
        let file_name = self.file_name.as_deref().and_then(|name| name.rsplit_once('.'));
        let by_ending = file_name.and_then(|(_, ending)| languages::by_ending(ending));
        let (found, clue) = match by_ending {
            Some(found) => (Some(found), RecognisedBy::Ending),
            None => {
                let target = self.target.as_deref().unwrap_or_default();
                let mut words = target.split(|c: char| !c.is_ascii_alphanumeric());
                // A word of one or two letters says little.
                let word = words.find_map(|word| languages::named(word).filter(|_| word.len() > 2));
                (word, RecognisedBy::Target)
            }
        };
        let found = found.filter(is_alone)?;
        Some((found.said, clue, self.shown(found, bytes)?))
    }

    /// The language that one of tree-sitter's parsers shows in `bytes`, if less than `amiss`
    /// percent of the bytes are misfits in its trial, with the value of `--grammar` for it.
    fn parser_by_trial(
        &self,
        bytes: &[u8],
        trial_bytes: usize,
        amiss: u8,
    ) -> Option<(&'static str, RecognisedBy, Arc<Substitutes>)> {
        if bytes.len() > MAX_ASKED_BYTES {
            return None;
        }
        let (found, percent) = recognise(bytes, trial_bytes).filter(|(_, here)| *here < amiss)?;
        Some((found.said, RecognisedBy::Trial(percent), self.shown(found, bytes)?))
    }

    /// A parser's language as far as `bytes` show it; `None` if that takes too long.
    fn shown(&self, found: &languages::BuiltIn, bytes: &[u8]) -> Option<Arc<Substitutes>> {
        let parser = TreeSitter::built_in(found).ok()?;
        let started = std::time::Instant::now();
        let keep_going = || started.elapsed() < self.max_parse_time;
        let language = Language::seen(&parser, bytes, &keep_going).ok()?;
        Some(Arc::new(Substitutes::new(language).with_max_parse_time(self.max_parse_time)))
    }
}

#[cfg(feature = "languages")]
impl Clues {
    /// Every parser is compiled in.
    fn missing_parser(&self) -> Option<&'static str> {
        None
    }
}

/// Without the feature there are no such parsers.
#[cfg(not(feature = "languages"))]
impl Clues {
    /// The parser that would read the input by the ending of its file name, where no built-in grammar
    /// does.
    fn missing_parser(&self) -> Option<&'static str> {
        let (_, ending) = self.file_name.as_deref()?.rsplit_once('.')?;
        let name = seedsmith_grammar::internal::parser_of(ending)?;
        [ending, name].iter().all(|one| builtin::find(one).is_none()).then_some(name)
    }

    fn parser_by_name(
        &self,
        _bytes: &[u8],
    ) -> Option<(&'static str, RecognisedBy, Arc<Substitutes>)> {
        None
    }

    fn parser_by_trial(
        &self,
        _bytes: &[u8],
        _trial_bytes: usize,
        _amiss: u8,
    ) -> Option<(&'static str, RecognisedBy, Arc<Substitutes>)> {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;
    use crate::event::Event;
    use crate::reduce::{Options, minimize};
    use crate::search::Search;
    use seedsmith_engine::ClosureTarget;
    use seedsmith_engine::SameFailure;
    use seedsmith_engine::Sameness;
    use seedsmith_engine::internal::{Budget, Oracle};
    use seedsmith_engine::{Kind, Signature};

    const CLUES: Clues =
        Clues { file_name: None, target: None, max_parse_time: Duration::from_secs(5) };

    /// The notes of a search, and the names of the reducers that it ran.
    fn said(input: &[u8], least: usize, options: &Options) -> (Vec<String>, Vec<String>) {
        let fails = move |bytes: &[u8]| {
            bytes.len() >= least && bytes.starts_with(b"[") && bytes.ends_with(b"]")
        };
        let target = ClosureTarget::failing_if(fails);
        let signature = Signature::of_kind(Kind::Command);
        let judge = SameFailure { signature, sameness: Sameness::default() };
        let mut oracle = Oracle::new(&target, judge, 1, Budget::default()).unwrap();
        let heard = Rc::new(RefCell::new((Vec::new(), Vec::new())));
        let hearing = heard.clone();
        let mut reporter = move |event: &Event<'_>| match event {
            Event::Note(_, text) => hearing.borrow_mut().0.push((*text).to_owned()),
            Event::ReducerStarted { reducer } => {
                hearing.borrow_mut().1.push((*reducer).to_owned());
            }
            _ => {}
        };
        let mut search = Search::new(&mut oracle, input.to_vec(), &mut reporter);
        minimize(&mut search, options).unwrap();
        drop(search);
        heard.take()
    }

    fn options(clues: Clues) -> Options {
        Options { clues: Some(clues), are_tests_expensive: true, ..Options::default() }
    }

    #[test]
    fn a_guessed_language_is_reported_once_with_the_reason() {
        let input = format!("[{}1]", "{\"a\": [1, 2]}, ".repeat(20));
        let (notes, _) = said(input.as_bytes(), 200, &options(CLUES));
        let of_json = |how: &str| format!("guessed language: json, from {how}");
        // The input at that moment isn't quite JSON: tree-sitter's parser may find fewer misfits.
        let without_prefix: Vec<String> =
            notes.iter().map(|note| note.replace("tree-sitter:", "")).collect();
        assert_eq!(without_prefix, [of_json("a trial parse")]);
        let named = Clues { file_name: Some("crash.json".to_owned()), ..CLUES };
        let (notes, _) = said(input.as_bytes(), 200, &options(named));
        assert_eq!(notes, [of_json("the ending of its file name")]);
        let named = Clues { target: Some("fuzz_json".to_owned()), ..CLUES };
        let (notes, _) = said(input.as_bytes(), 200, &options(named));
        assert_eq!(notes, [of_json("the target's name")]);
        assert_eq!(said(input.as_bytes(), 200, &Options::default()).0, [""; 0]);
    }

    #[test]
    fn a_language_that_was_named_is_used_however_short_the_input_is() {
        let (_, _, json) = CLUES.language(b"[1, 2]").unwrap();
        for are_tests_expensive in [false, true] {
            let named =
                Options { language: Some(json.clone()), are_tests_expensive, ..Options::default() };
            for input in [&b"[1, [2, 3]]"[..], b"[]", b"[1, \"\x01\"]"] {
                let (notes, reducers) = said(input, 1, &named);
                assert!(reducers.iter().any(|name| name == "levels"), "{reducers:?}");
                assert_eq!(notes, [""; 0]);
            }
        }
        let (_, reducers) = said(b"[1, [2, 3]]", 1, &options(CLUES));
        assert!(!reducers.iter().any(|name| name == "levels"), "{reducers:?}");
    }

    #[cfg(feature = "languages")]
    #[test]
    fn an_ending_goes_before_a_target_s_name_for_tree_sitter_s_parsers_too() {
        let told = |file_name: &str, target: &str| {
            let (file_name, target) = (Some(file_name.to_owned()), Some(target.to_owned()));
            let clues = Clues { file_name, target, ..CLUES };
            clues.known(b"f(1)", Guess::ByName, false).and_then(|known| known.guessed)
        };
        assert_eq!(told("a.py", "fuzz_json"), Some(("tree-sitter:python", RecognisedBy::Ending)));
        assert_eq!(told("a.json", "fuzz_python"), Some(("json", RecognisedBy::Ending)));
        assert_eq!(told("a.ini", "fuzz_python"), Some(("ini", RecognisedBy::Ending)));
        assert_eq!(told("a", "fuzz_python"), Some(("tree-sitter:python", RecognisedBy::Target)));
        assert_eq!(told("a", "fuzz_go"), None);
    }
}
