//! tree-sitter's parsers as a front end: a tree with error nodes for languages that have no
//! grammar here, or whose grammars are out of a `.g4` file's reach.
//!
//! ```text
//! bytes -> source -> skeleton -> optional <-> trials (the parser is asked again)
//!                        |          |
//!                        +----------+-> grow -> structure::tree, observed -> model::Grammar
//! ```
//!
//! The result has the same form as that of the other front ends: a [`Parsed`] whose tree has a
//! place for every byte, and a [`Grammar`] that its numbers belong to, as far as this one input
//! shows it (the `observed` module). So reducing and repairing need not know which parser it was;
//! for producing new inputs it is not enough. Languages are compiled in ([`languages`]) or come
//! from a shared library.

mod convert;
mod error;
mod excerpt;
pub mod languages;
mod library;
mod observed;
mod optional;
mod recognise;
mod skeleton;
mod source;
mod trials;

use super::error::SyntaxFault;
use super::model::{Grammar, RuleId};
use super::node_types::NodeTypes;
use super::parser::{Errors, MAX_INPUT_BYTES, ParseError, Parsed, StopCheck};
use crate::digest::Digest;
use ::tree_sitter::Language;
use convert::TreeConverter;
pub(crate) use error::TreeSitterError;
use excerpt::ParsedText;
use languages::BuiltIn;
use observed::Observed;
use optional::{Finder, OptionalPart};
pub use recognise::recognise;
use skeleton::Skeleton;
use source::ParserInput;
use std::path::Path;
use std::sync::Arc;
use trials::{TrialResults, Trials};

/// The limit of a parse in hundreds of the parser's steps: the first number for any input, and one
/// more for each group of bytes as large as the second number. A valid input takes some two steps a
/// byte.
const EFFORT: (u64, u64) = (100_000, 8);

/// How often the parser may ask whether to continue.
fn effort(input: &[u8]) -> u64 {
    EFFORT.0 + input.len() as u64 / EFFORT.1
}

/// A language and its parser.
#[derive(Clone, Debug)]
pub struct TreeSitter {
    /// The language's name.
    name: String,
    /// The digest that identifies this parser.
    source: Digest,
    /// tree-sitter's tables.
    language: Language,
    /// The children that each kind of node may have, if that is known.
    node_types: Arc<NodeTypes>,
}

/// A tree with the grammar that its numbers belong to.
#[derive(Clone, Debug)]
pub struct ObservedLanguage {
    /// Whose tree that is.
    pub digest: Digest,
    /// The tree and the syntax errors.
    pub parsed: Arc<Parsed>,
    /// The grammar as far as the input shows it.
    pub grammar: Arc<Grammar>,
    /// The rule of the whole input.
    pub start: RuleId,
    /// Parses candidates made from the input, with the same numbers.
    pub reader: TreeReader,
}

/// Parses inputs that are made of an input seen before.
#[derive(Clone, Debug)]
pub struct TreeReader {
    language: TreeSitter,
    /// The numbers of the first input's rules and tokens, frozen.
    observed: Observed,
    /// The results of the trials of optional parts.
    known: TrialResults,
}

impl TreeReader {
    /// The parser.
    pub fn language(&self) -> &TreeSitter {
        &self.language
    }

    /// The tree, in the numbers of the grammar that the first input showed. Kinds that weren't
    /// there are all of one rule or token without a text. The result depends on the two inputs
    /// alone.
    pub fn parse(&self, input: &[u8]) -> Result<Parsed, ParseError> {
        self.parse_while(input, &|| true)
    }

    /// The same, as long as `keep_going`, which is asked all the time, says yes.
    pub fn parse_while(
        &self,
        input: &[u8],
        keep_going: &dyn Fn() -> bool,
    ) -> Result<Parsed, ParseError> {
        let (observed, known) = (self.observed.clone(), Some(self.known.clone()));
        Ok(self.language.grow(input, observed, known, keep_going)?.parsed)
    }
}

/// The result of a parse.
struct ConvertedTree<'a> {
    parsed: Parsed,
    observed: Observed,
    trials: Trials<'a>,
}

impl TreeSitter {
    /// A compiled-in language.
    pub fn built_in(built_in: &BuiltIn) -> Result<Self, TreeSitterError> {
        let language = Language::new(built_in.function);
        Self::new(built_in.name, language, Some(built_in.node_types), &[])
    }

    /// A language from a shared library, made by its function `symbol` (usually
    /// `tree_sitter_NAME`). The nodes' description is taken from `node-types.json` beside the
    /// library or in `src/` there, where it is after `tree-sitter build`; without it every
    /// child may turn out to be optional. Runs code of the library.
    pub fn load(path: &Path, symbol: &str) -> Result<Self, TreeSitterError> {
        let language = library::load(path, symbol)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let beside = ["node-types.json", "src/node-types.json"];
        let types = beside.iter().find_map(|name| std::fs::read_to_string(folder.join(name)).ok());
        let name = symbol.strip_prefix("tree_sitter_").unwrap_or(symbol);
        // It could be read a moment ago; if it is deleted by now, the kinds of nodes have to
        // suffice.
        let library = std::fs::read(path).unwrap_or_default();
        Self::new(name, language, types.as_deref(), &library)
    }

    /// Fails where tree-sitter's version does not fit, or the description of the nodes is no JSON
    /// of that kind.
    fn new(
        name: &str,
        language: Language,
        node_types: Option<&str>,
        library: &[u8],
    ) -> Result<Self, TreeSitterError> {
        ParserInput::new(&language, &b""[..])
            .map_err(|source| TreeSitterError::Version { language: name.to_owned(), source })?;
        let source = source_of(name, &language, node_types.unwrap_or_default(), library);
        let node_types = node_types
            .map(|text| {
                NodeTypes::read(text).map_err(|error| TreeSitterError::NodeTypes {
                    language: name.to_owned(),
                    message: error.to_string(),
                })
            })
            .transpose()?;
        let node_types = Arc::new(node_types.unwrap_or_default());
        Ok(TreeSitter { name: name.to_owned(), source, language, node_types })
    }

    /// The language's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How much of the input doesn't fit: the bytes directly in an error node, and one for each
    /// error and each missing token. `Err` if the parser gives up.
    ///
    /// Cheaper than [`TreeSitter::parse`], since optional parts are not searched for.
    pub fn misfits(&self, input: &[u8]) -> Result<usize, ParseError> {
        self.misfits_within(input, effort(input))
    }

    /// The same within a limit of `effort` hundreds of the parser's steps.
    fn misfits_within(&self, input: &[u8], effort: u64) -> Result<usize, ParseError> {
        let (_, tree) = self.run(input, effort, &|| true)?;
        Ok(Skeleton::new(&tree).misfits(input))
    }

    /// The first error or missing token, and what is missing there. As cheap as [`TreeSitter::misfits`].
    ///
    /// `None` if there is none. Of nested errors the innermost counts, because tree-sitter wraps all that
    /// it has not finished into an outer one.
    pub(crate) fn first_fault(
        &self,
        input: &[u8],
        keep_going: &dyn Fn() -> bool,
    ) -> Result<Option<SyntaxFault>, ParseError> {
        let (_, tree) = self.run(input, effort(input), keep_going)?;
        if !tree.root_node().has_error() {
            return Ok(None);
        }
        let skeleton = Skeleton::new(&tree);
        let is_fault = |at: &u32| {
            let item = skeleton.item(*at);
            let holds_another =
                || (at + 1..item.subtree_end).any(|inner| skeleton.item(inner).is_error);
            item.is_missing || item.is_error && !holds_another()
        };
        let first = (0..skeleton.len() as u32).filter(is_fault).map(|at| skeleton.item(at));
        Ok(first.min_by_key(|item| item.start).map(|item| {
            let is_text = item.is_missing && !item.is_named;
            let missing = is_text.then(|| self.kind_name(item.kind).as_bytes().to_vec());
            let (offset, misfits) = (item.start as usize, skeleton.misfits(input));
            SyntaxFault { offset, missing: missing.into_iter().collect(), misfits }
        }))
    }

    /// Parses the input. The result depends on nothing else.
    pub fn parse(&self, input: &[u8]) -> Result<ObservedLanguage, ParseError> {
        self.parse_while(input, &|| true)
    }

    /// The same, as long as `keep_going`, which is asked all the time, says yes.
    pub fn parse_while(
        &self,
        input: &[u8],
        keep_going: &dyn Fn() -> bool,
    ) -> Result<ObservedLanguage, ParseError> {
        let ConvertedTree { parsed, mut observed, mut trials } =
            self.grow(input, Observed::new(), None, keep_going)?;
        let start = RuleId(observed.rule(self.kind_name(trials.skeleton().item(0).kind)));
        for (token, sample, text) in observed.shortenable() {
            let shorter = SHORT_TEXTS.iter().filter(|short| short.len() < text.len());
            if let Some(short) = shorter.into_iter().find(|short| trials.may_read(sample, short)) {
                observed.shorten(token, short);
            }
        }
        let digest = Digest::of(input);
        let source = Digest::of_digests([self.source, digest]);
        let grammar = observed.grammar(&self.name, source, &self.node_types, &self.literals());
        observed.freeze();
        let reader = TreeReader { language: self.clone(), observed, known: trials.into_known() };
        let parsed = Arc::new(parsed);
        Ok(ObservedLanguage { digest, parsed, grammar: Arc::new(grammar), start, reader })
    }

    /// Parses the input and converts its tree; new rules and tokens are noted in `observed` unless
    /// it is frozen.
    fn grow<'a>(
        &'a self,
        input: &'a [u8],
        observed: Observed,
        known: Option<TrialResults>,
        keep_going: &dyn Fn() -> bool,
    ) -> Result<ConvertedTree<'a>, ParseError> {
        let (source, tree) = self.run(input, effort(input), keep_going)?;
        let mut stop_check = StopCheck::new(keep_going);
        let stopped = || ParseError::Stopped { offset: input.len() as u32 };
        let skeleton = Skeleton::with_stop_check(&tree, &mut stop_check).ok_or_else(stopped)?;
        let is_member = vec![false; skeleton.len()];
        let trials = Trials::new(&self.language, ParsedText { source, tree, skeleton }, known);
        let (language, node_types) = (&self.language, &*self.node_types);
        let mut finder = Finder { language, node_types, input, trials, is_member, stop_check };
        let parts = all_parts(&mut finder)?;
        let Finder { trials, is_member, mut stop_check, .. } = finder;
        let mut grower = TreeConverter {
            language,
            node_types,
            skeleton: trials.skeleton(),
            input,
            parts: &parts,
            is_member: &is_member,
            observed,
            errors: Errors::default(),
        };
        let tree = grower.grow(&mut stop_check).ok_or_else(stopped)?;
        let TreeConverter {
            observed,
            errors: Errors { first: errors, more: unrecorded_errors },
            ..
        } = grower;
        let parsed = Parsed {
            tree,
            errors,
            unrecorded_errors,
            unread_tokens: 0,
            shortened_predictions: 0,
            effort: 0,
        };
        Ok(ConvertedTree { parsed, observed, trials })
    }

    /// tree-sitter's own tree of the input, and the input with its parser for questions.
    fn run<'a>(
        &self,
        input: &'a [u8],
        effort: u64,
        keep_going: &dyn Fn() -> bool,
    ) -> Result<(ParserInput<'a>, ::tree_sitter::Tree), ParseError> {
        if input.len() > MAX_INPUT_BYTES {
            return Err(ParseError::TooLong { bytes: input.len() });
        }
        let mut source = ParserInput::new(&self.language, input)
            .expect("the version was checked when it was made");
        let given_up = |offset| ParseError::Stopped { offset: offset as u32 };
        let tree = source.parse(effort, keep_going).map_err(given_up)?;
        Ok((source, tree))
    }

    /// The language's `node-types.json`, which is known without any input.
    pub fn node_types(&self) -> &NodeTypes {
        &self.node_types
    }

    /// The kind of the node that a whole input is.
    pub fn start(&self) -> Result<&'static str, ParseError> {
        let (_, tree) = self.run(b"", effort(b""), &|| true)?;
        Ok(tree.root_node().kind())
    }

    /// The name of a kind of node.
    fn kind_name(&self, kind: u16) -> &'static str {
        self.language.node_kind_for_id(kind).unwrap_or("ERROR")
    }

    /// The texts of tokens that always have the same.
    pub fn literals(&self) -> Vec<&'static str> {
        let kinds = 1..self.language.node_kind_count() as u16;
        let is_literal = |&kind: &u16| {
            self.language.node_kind_is_visible(kind) && !self.language.node_kind_is_named(kind)
        };
        let mut literals: Vec<_> =
            kinds.filter(is_literal).map(|kind| self.kind_name(kind)).collect();
        literals.retain(|text| !text.trim().is_empty());
        literals.sort_unstable();
        literals.dedup();
        literals
    }
}

/// The digest that identifies a parser: of its names, its size, and the bytes of its library. A
/// compiled-in one has no library; its tables are those of this version of this program.
fn source_of(name: &str, language: &Language, node_types: &str, library: &[u8]) -> Digest {
    let states = language.parse_state_count().to_string();
    let kinds = (0..language.node_kind_count() as u16)
        .map(|kind| language.node_kind_for_id(kind).unwrap_or_default());
    let pieces = [name, &states, node_types].into_iter().chain(kinds).map(str::as_bytes);
    Digest::of_pieces(pieces.chain([library]))
}

/// The texts that are tried as a shorter text of a token.
///
/// A name, a number, and a name where capital letters matter.
const SHORT_TEXTS: [&[u8]; 3] = [b"a", b"0", b"A"];

/// The optional and repeated parts by node. Nodes without errors come first: nodes with errors use
/// only the results found there.
fn all_parts(finder: &mut Finder<'_, '_>) -> Result<Vec<Vec<OptionalPart>>, ParseError> {
    let mut parts = vec![Vec::new(); finder.trials.skeleton().len()];
    for has_error in [false, true] {
        for at in 0..parts.len() as u32 {
            let item = *finder.trials.skeleton().item(at);
            if item.is_rule()
                && item.has_error == has_error
                && !finder.trials.skeleton().children(at).is_empty()
            {
                parts[at as usize] = finder.parts(at);
                if finder.stop_check.must_stop_now() {
                    return Err(ParseError::Stopped { offset: item.start });
                }
            }
        }
    }
    Ok(parts)
}

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
