//! What a repair may do, and how.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::guided::Allowance;
use super::likelihood::Likelihood;
use super::recovery::Reads;
use seedsmith_grammar::internal::Units;
use seedsmith_grammar::internal::terminals;

/// How a repair goes about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Strategy {
    /// Fault by fault with small edits; hybrid where that fails.
    #[default]
    Auto,
    /// Lexical ddmax, exactly as figure 5 has it.
    Ddmax,
    /// ddmax over terminals.
    Syntactic,
    /// Fault by fault with deletions alone, ddmax over terminals where that finds nothing, then gap by
    /// gap inside the dropped text: lines, terminals, bytes.
    Hybrid,
}

const NAMES: [(&str, Strategy); 4] = [
    ("auto", Strategy::Auto),
    ("ddmax", Strategy::Ddmax),
    ("syntactic", Strategy::Syntactic),
    ("hybrid", Strategy::Hybrid),
];

impl FromStr for Strategy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = NAMES.iter().find(|(name, _)| *name == text);
        named
            .map(|(_, strategy)| *strategy)
            .ok_or_else(|| format!("{text:?} is none of auto, ddmax, syntactic, hybrid"))
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = NAMES.iter().find(|(_, strategy)| strategy == self);
        f.write_str(named.map_or("auto", |(name, _)| name))
    }
}

/// What the elements of lexical ddmax are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lexical {
    /// Bytes.
    #[default]
    Bytes,
    /// Characters of UTF-8; a byte that begins none counts as one.
    Characters,
}

impl Lexical {
    /// The elements of `text`.
    pub fn units(self, text: &[u8]) -> Units {
        match self {
            Lexical::Bytes => Units::bytes(text.len()),
            Lexical::Characters => {
                let begins = |at: &u32| *at == 0 || !matches!(text[*at as usize], 0x80..=0xbf);
                Units::beginning_at((0..text.len() as u32).filter(begins).collect(), text.len())
            }
        }
    }
}

/// What a repair may do, and how.
#[derive(Clone, Default)]
pub struct Options {
    /// How to go about it.
    pub strategy: Strategy,
    /// Whether nothing may be added.
    pub only_delete: bool,
    /// The elements of lexical ddmax.
    pub lexical: Lexical,
    /// A valid input to start from instead of the empty one: a parent, a valid sibling. What of
    /// the input can be added to it is added.
    pub base: Option<Vec<u8>>,
    /// The grammar whose terminals are the elements of syntactic ddmax and of hybrid's gaps, and whose
    /// parser's recovery is the last candidate of guidance. Without one terminals are guessed.
    pub reader: Option<Arc<dyn Reads>>,
    /// The grammar that shows where a text does not fit and which edits make it fit. It is a hint: the
    /// validator judges every result. It may be a guess, so nothing else is taken from it.
    pub hints: Option<Arc<dyn Reads>>,
    /// What valid inputs of this kind look like, if any are known.
    pub learnt: Arc<Likelihood>,
    /// A valid text close to the input that an earlier search has found: the result is no further from it.
    pub known: Option<Vec<u8>>,
    /// Valid inputs of the same kind. Where a limit is set, the nearest of them are starting points too.
    pub siblings: Arc<Vec<Vec<u8>>>,
    /// Whether a search under a limit ends with the first result that keeps half of the input.
    pub ends_with_half: bool,
    /// How hard to try; by the validator's cost if nothing is said.
    pub allowance: Option<Allowance>,
}

impl Options {
    /// The elements of syntactic ddmax over `text`.
    pub fn terminals(&self, text: &[u8]) -> Units {
        let read = self.reader.as_ref().and_then(|reader| reader.terminals(text));
        read.unwrap_or_else(|| terminals::terminals(text))
    }
}
