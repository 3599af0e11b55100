//! tree-sitter's parsers as a front end: a tree with error nodes for languages that have no
//! grammar here, or whose grammars are out of a `.g4` file's reach.
//!
//! ```text
//! bytes -> source -> skeleton -> optional <-> trials (the parser is asked again)
//!                        |          |
//!                        +----------+-> grow -> structure::tree, observed -> model::Grammar
//! ```
//!
//! What comes out is what the other front ends give: a [`Parsed`] whose tree has a place for
//! every byte, and a [`Grammar`] that its numbers belong to, as far as this one input shows it
//! (the `observed` module). So reducing and repairing need not know which parser it was; for producing new
//! inputs it is not enough. Languages are compiled in ([`languages`]) or come from a shared
//! library.

pub mod languages;
mod grow;
mod library;
pub mod node_types;
mod observed;
mod optional;
mod skeleton;
mod source;
mod trials;

use super::model::{Grammar, RuleId};
use super::parser::{MAX_INPUT, ParseError, Parsed};
use ::tree_sitter::Language;
use grow::Grower;
use languages::BuiltIn;
use node_types::NodeTypes;
use observed::Observed;
use optional::{Finder, Part};
use skeleton::Skeleton;
use source::Source;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use trials::Trials;

/// Why a language can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TreeSitterError {
    /// The shared library can't be loaded or has no such function.
    #[error("load the tree-sitter library {}: {message}", path.display())]
    Library {
        /// The library.
        path: PathBuf,
        /// What the loader said.
        message: String,
    },
    /// The parser was generated for another version of tree-sitter.
    #[error("use the tree-sitter parser for {language}: {source}")]
    Version {
        /// The language.
        language: String,
        /// Which versions would do.
        source: ::tree_sitter::LanguageError,
    },
    /// The description of the nodes is not one.
    #[error("read the node types of {language}: {message}")]
    NodeTypes {
        /// The language.
        language: String,
        /// What is wrong.
        message: String,
    },
}

/// How much a parse may take, in hundreds of the parser's steps: so many for any input, and one
/// for so many bytes. A valid input takes some two steps a byte.
const EFFORT: (u64, u64) = (100_000, 8);

/// A language and its parser.
#[derive(Clone, Debug)]
pub struct TreeSitter {
    name: String,
    language: Language,
    node_types: Arc<NodeTypes>,
}

/// A tree with the grammar that its numbers belong to.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The tree and what is wrong.
    pub parsed: Parsed,
    /// The grammar as far as the input shows it.
    pub grammar: Arc<Grammar>,
    /// The rule of the whole input.
    pub start: RuleId,
}

impl TreeSitter {
    /// A compiled-in language.
    pub fn built_in(built_in: &BuiltIn) -> Result<Self, TreeSitterError> {
        let language = Language::new(built_in.function);
        Self::new(built_in.name, language, Some(built_in.node_types))
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
        Self::new(name, language, types.as_deref())
    }

    fn new(
        name: &str,
        language: Language,
        node_types: Option<&str>,
    ) -> Result<Self, TreeSitterError> {
        Source::new(&language, b"").map_err(|source| {
            TreeSitterError::Version { language: name.to_owned(), source }
        })?;
        let node_types = node_types.map(|text| NodeTypes::read(name, text)).transpose()?;
        let node_types = Arc::new(node_types.unwrap_or_default());
        Ok(TreeSitter { name: name.to_owned(), language, node_types })
    }

    /// The language's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many bytes of the input are in errors: what a trial parse is judged by. Cheaper than
    /// [`TreeSitter::parse`], since nobody asks what is optional.
    pub fn error_bytes(&self, input: &[u8]) -> Result<usize, ParseError> {
        let (_, tree) = self.run(input)?;
        let skeleton = Skeleton::new(&tree);
        let is_outer = |at: u32| {
            let item = skeleton.item(at);
            item.is_error && !(item.depth > 0 && skeleton.item(item.parent).is_error)
        };
        let errors = (0..skeleton.len() as u32).filter(|&at| is_outer(at));
        let bytes: u32 = errors.map(|at| skeleton.item(at).end - skeleton.item(at).start).sum();
        let missing = skeleton.items().iter().filter(|item| item.is_missing).count();
        Ok(bytes as usize + missing)
    }

    /// Parses the input. The result depends on nothing else.
    pub fn parse(&self, input: &[u8]) -> Result<Seen, ParseError> {
        let (mut source, tree) = self.run(input)?;
        let skeleton = Skeleton::new(&tree);
        let mut finder = Finder {
            language: &self.language,
            node_types: &self.node_types,
            skeleton: &skeleton,
            input,
            trials: Trials::new(&mut source, &tree, &skeleton),
        };
        let parts = all_parts(&mut finder);
        let mut trials = finder.trials;
        let mut grower = Grower {
            language: &self.language,
            node_types: &self.node_types,
            skeleton: &skeleton,
            input,
            parts: &parts,
            observed: Observed::default(),
            errors: Vec::new(),
        };
        let tree = grower.grow();
        let (mut observed, errors) = (grower.observed, grower.errors);
        let start = RuleId(observed.rule(self.kind_name(skeleton.item(0).kind)));
        for (token, sample, text) in observed.shortenable() {
            let shorter = SHORT_TEXTS.iter().filter(|short| short.len() < text.len());
            if let Some(short) = shorter.into_iter().find(|short| trials.may_read(sample, short)) {
                observed.shorten(token, short);
            }
        }
        let grammar = Arc::new(observed.grammar(&self.name, &self.node_types, &self.literals()));
        let parsed = Parsed { tree, errors, unread_tokens: 0, shortened_predictions: 0 };
        Ok(Seen { parsed, grammar, start })
    }

    fn run<'a>(&self, input: &'a [u8]) -> Result<(Source<'a>, ::tree_sitter::Tree), ParseError> {
        if input.len() > MAX_INPUT {
            return Err(ParseError::TooLong(input.len()));
        }
        let mut source =
            Source::new(&self.language, input).expect("the version was checked when it was made");
        let effort = EFFORT.0 + input.len() as u64 / EFFORT.1;
        let given_up = |offset| ParseError::TooMuchEffort { offset: offset as u32 };
        let tree = source.parse(effort).map_err(given_up)?;
        Ok((source, tree))
    }

    fn kind_name(&self, kind: u16) -> &'static str {
        self.language.node_kind_for_id(kind).unwrap_or("ERROR")
    }

    /// The texts of tokens that always have the same.
    fn literals(&self) -> Vec<&'static str> {
        let kinds = 1..self.language.node_kind_count() as u16;
        let is_literal =
            |&kind: &u16| self.language.node_kind_is_visible(kind) && !self.language.node_kind_is_named(kind);
        let mut literals: Vec<_> = kinds.filter(is_literal).map(|kind| self.kind_name(kind)).collect();
        literals.retain(|text| !text.trim().is_empty());
        literals.sort_unstable();
        literals.dedup();
        literals
    }
}

/// What a token's text is tried to be shortened to.
const SHORT_TEXTS: [&[u8]; 3] = [b"0", b"a", b"A"];

/// The optional and repeated parts by node. Nodes without errors come first: what was learnt
/// there is all there is to know of the others.
fn all_parts(finder: &mut Finder<'_, '_>) -> Vec<Vec<Part>> {
    let mut parts = vec![Vec::new(); finder.skeleton.len()];
    for has_error in [false, true] {
        for at in 0..parts.len() as u32 {
            let item = finder.skeleton.item(at);
            if item.is_rule()
                && item.has_error == has_error
                && !finder.skeleton.children(at).is_empty()
            {
                parts[at as usize] = finder.parts(at);
            }
        }
    }
    parts
}

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
