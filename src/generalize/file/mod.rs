//! A pattern as data that can be written down and loaded again.
//!
//! The shape is plain and versioned: the minimized input, the grammar by name and digest, the
//! derivation tree with each node's symbol and place, and the slots by the numbers of their
//! nodes. Loading parses the input again with the grammar at hand, and refuses a grammar whose
//! digest is another: node numbers would mean something else.

pub(crate) mod condition;
pub(crate) mod domain;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use seedsmith_grammar::{NodeId, NodeKind};

use super::bytes::cut;
use super::domain::Domain;
use super::pattern::{Pattern, Slot, Subject};
use super::predicate::learn::Predicate;
use crate::generalize::draws::sampler::{Misfit, Sampler};
use base16ct::lower::encode_string as hex;
use base16ct::mixed::decode_vec;
use condition::ConditionFile;
use domain::DomainFile;

/// The version of the shape. It changes when a reader of the last version could misread a file.
pub(crate) const FORMAT_VERSION: u32 = 2;

/// A pattern, written down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatternFile {
    /// The shape's version.
    pub version: u32,
    /// The compact form, for people.
    pub pattern: String,
    /// The claim, in words.
    pub claim: String,
    /// The condition under which inputs fail, if one was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<ConditionFile>,
    /// The minimized input's bytes, in hexadecimal.
    pub input: String,
    /// The grammar; nothing where bytes were put into classes.
    pub grammar: Option<GrammarName>,
    /// What isn't fixed.
    pub slots: Vec<SlotFile>,
    /// Nodes of which nothing could be found out.
    pub unknown: Vec<u32>,
    /// The derivation tree in preorder.
    pub tree: Vec<NodeFile>,
}

/// Which grammar a pattern is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrammarName {
    /// Where it came from: a name of one that comes with the program, or files.
    pub source: Vec<String>,
    /// The rule that the input derives from.
    pub start: String,
    /// Tells its versions apart.
    pub digest: String,
}

/// A node of the derivation tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeFile {
    /// `rule`, `token`, `hidden`, `repeated`, `iteration` or `text`.
    pub kind: String,
    /// The symbol's name, if it has one.
    pub name: String,
    /// The number of the node around it; the root's is its own.
    pub parent: u32,
    /// Offset of its first byte.
    pub start: u32,
    /// Offset after its last byte.
    pub end: u32,
}

/// A slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlotFile {
    /// The nodes' numbers; more than one hold the same text.
    pub nodes: Vec<u32>,
    /// How it is written.
    pub notation: String,
    /// What may be there.
    pub domain: DomainFile,
}

/// Why a pattern can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// Another program's version.
    #[error("the pattern has version {0}; this program reads version {FORMAT_VERSION}")]
    Version(u32),
    /// The grammar has changed since.
    #[error(
        "the pattern was made with another version of grammar {name} (its digest is {was}, this \
         one's is {is}); generalize the input again"
    )]
    Grammar {
        /// The grammar.
        name: String,
        /// The digest in the file.
        was: String,
        /// The digest of the grammar at hand.
        is: String,
    },
    /// It doesn't hold together.
    #[error("the pattern is damaged: {0}")]
    Damaged(String),
}

impl PatternFile {
    /// The condition of a pattern that was written down, if there is one.
    pub fn predicate(&self) -> Result<Option<Predicate>, FileError> {
        let read = |file: &ConditionFile| {
            let damaged = || FileError::Damaged("its condition can't be read".to_owned());
            file.predicate().ok_or_else(damaged)
        };
        self.condition.as_ref().map(read).transpose()
    }

    /// Writes a pattern down. `source` says where its grammar came from.
    pub fn of(
        pattern: &Pattern,
        claim: String,
        condition: Option<&Predicate>,
        source: &[String],
    ) -> Self {
        let subject = &pattern.subject;
        let language = subject.language.as_ref();
        let tree = subject.tree.ids().map(|id| {
            let node = subject.tree.node(id);
            let name =
                language.and_then(|one| Some(one.name(one.symbol(node)?))).unwrap_or_default();
            NodeFile {
                kind: kind(node.kind).to_owned(),
                name,
                parent: node.parent.0,
                start: node.start,
                end: node.end,
            }
        });
        let slot = |slot: &Slot| SlotFile {
            nodes: slot.nodes.iter().map(|node| node.0).collect(),
            notation: slot.domain.notation(language),
            domain: DomainFile::of(&slot.domain),
        };
        PatternFile {
            version: FORMAT_VERSION,
            pattern: pattern.compact(),
            claim,
            condition: condition.map(ConditionFile::of),
            input: hex(&subject.input),
            grammar: language.map(|language| GrammarName {
                source: source.to_vec(),
                start: language.grammar().rule(language.start()).name.clone(),
                digest: format!("{:?}", language.digest()),
            }),
            slots: pattern.slots.iter().map(slot).collect(),
            unknown: pattern.unknown.iter().map(|node| node.0).collect(),
            tree: tree.collect(),
        }
    }

    /// The pattern again, with the grammar that it names.
    pub fn load(&self, language: Option<Sampler>) -> Result<Pattern, FileError> {
        if self.version != FORMAT_VERSION {
            return Err(FileError::Version(self.version));
        }
        if let Some(name) = &self.grammar {
            let is = language.as_ref().map(|language| format!("{:?}", language.digest()));
            let is = is.unwrap_or_else(|| "none".to_owned());
            if is != name.digest {
                let was = name.digest.clone();
                return Err(FileError::Grammar { name: name.source.join(","), was, is });
            }
        }
        let damaged = |what: &str| FileError::Damaged(what.to_owned());
        let input = decode_vec(&self.input).map_err(|_| damaged("the input is not hexadecimal"))?;
        let language = language.filter(|_| self.grammar.is_some());
        let (mut subject, misfit) = super::subject(input, language);
        if self.grammar.is_none() {
            subject = self.leaves(subject.input).ok_or_else(|| damaged("the leaves have gaps"))?;
        }
        if let Some(misfit @ Misfit::Effort { .. }) = misfit {
            return Err(FileError::Damaged(misfit.to_string()));
        }
        let node = |number: &u32| {
            let is_there = (*number as usize) < subject.tree.len();
            is_there.then_some(NodeId(*number)).ok_or_else(|| damaged("a slot has no node"))
        };
        let (mut slots, mut shared) = (Vec::new(), Vec::new());
        for slot in &self.slots {
            let nodes: Vec<NodeId> = slot.nodes.iter().map(node).collect::<Result<_, _>>()?;
            let first = *nodes.first().ok_or_else(|| damaged("a slot has no node"))?;
            let domain = match &slot.domain {
                DomainFile::Symbol => {
                    let language = subject.language.as_ref();
                    let symbol = language.and_then(|one| one.symbol(subject.tree.node(first)));
                    Domain::Symbol(symbol.ok_or_else(|| damaged("a slot's node has no symbol"))?)
                }
                other => other.domain().ok_or_else(|| damaged("a slot's domain can't be read"))?,
            };
            shared.push(nodes.clone());
            slots.push(Slot { nodes, domain });
        }
        let unknown = self.unknown.iter().map(node).collect::<Result<_, _>>()?;
        shared.iter().for_each(|nodes| subject.share(nodes));
        Ok(Pattern { subject, slots, unknown })
    }
}

impl PatternFile {
    /// The input cut into the leaves of the file's tree, if these hold all of it.
    ///
    /// `None` if leaves overlap, or if bytes are in none.
    fn leaves(&self, input: Vec<u8>) -> Option<Subject> {
        let spans: Vec<Range<usize>> =
            self.tree.iter().skip(1).map(|node| node.start as usize..node.end as usize).collect();
        let mut at = 0;
        for span in &spans {
            if span.start != at || span.end < at {
                return None;
            }
            at = span.end;
        }
        (at == input.len()).then(|| cut::subject(input, &spans))
    }
}

/// The names of kinds in a file.
fn kind(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Rule { .. } => "rule",
        NodeKind::Token(_) | NodeKind::Missing(_) => "token",
        NodeKind::Trivia(_) => "hidden",
        NodeKind::Quantifier(_) => "repeated",
        NodeKind::Iteration => "iteration",
        NodeKind::Root | NodeKind::Error | NodeKind::Fixed => "text",
    }
}

#[cfg(test)]
mod tests {
    use super::domain::SegmentFile;
    use super::*;
    use seedsmith_grammar::Language;
    use seedsmith_grammar::Parser;
    use seedsmith_grammar::Random;
    use seedsmith_grammar::internal::Substitutes;
    use seedsmith_grammar::internal::g4;
    use std::sync::Arc;

    fn language(text: &str) -> Sampler {
        let parser = Parser::new(Arc::new(g4::load_texts(&[("t.g4", text)]).unwrap()));
        let language = Language::of(parser, None).unwrap();
        Sampler::new(Arc::new(Substitutes::new(language))).unwrap()
    }

    const LIST: &str = "grammar L; list: '[' N (',' N)* ']' EOF; N: [0-9]+;";

    fn pattern() -> Pattern {
        let (subject, _) = crate::generalize::subject(b"[1,70000]".to_vec(), Some(language(LIST)));
        let numbers: Vec<NodeId> = subject
            .tree
            .ids()
            .filter(|&id| subject.text(id).iter().all(u8::is_ascii_digit))
            .filter(|&id| !subject.text(id).is_empty())
            .collect();
        let symbol = subject.language.as_ref().unwrap().symbol(subject.tree.node(numbers[0]));
        let slots = vec![
            Slot::one(numbers[0], Domain::Symbol(symbol.unwrap())),
            Slot::one(numbers[1], Domain::Integer { low: Some(65536), high: None }),
        ];
        Pattern { subject, slots, unknown: Vec::new() }
    }

    #[test]
    fn a_pattern_that_was_written_down_produces_the_same() {
        let mut pattern = pattern();
        let file = PatternFile::of(&pattern, "none".to_owned(), None, &["L.g4".to_owned()]);
        assert_eq!(file.pattern, "[<N>,<integer ≥ 65536>]");
        let text = serde_json::to_string(&file).unwrap();
        let read: PatternFile = serde_json::from_str(&text).unwrap();
        assert_eq!(read, file);
        let mut loaded = read.load(Some(language(LIST))).unwrap();
        for seed in 0..20 {
            let drawn = pattern.draw(&mut Random::new(seed));
            assert_eq!(loaded.draw(&mut Random::new(seed)), drawn);
        }
    }

    #[test]
    fn counts_and_numbers_that_no_pattern_has_are_refused() {
        let class = |least, most| SegmentFile::Class { class: "digit".to_owned(), least, most };
        let repeated =
            |bytes: &str, least| SegmentFile::Repeated { bytes: bytes.to_owned(), least };
        let spelled = |segment| DomainFile::Spelled { segments: vec![segment] }.domain();
        assert!(spelled(class(3, Some(usize::MAX))).is_some());
        assert!(spelled(repeated("5b", 1 << 20)).is_some());
        for segment in [class(usize::MAX, None), repeated("5b5d", 1 << 63), repeated("+1", 1)] {
            assert_eq!(spelled(segment), None);
        }
        let integer =
            |low: &str| DomainFile::Integer { low: Some(low.to_owned()), high: None }.domain();
        assert!(integer("-5").is_some() && integer("0").is_some());
        for number in ["+5", "007", "-0", "", "1e3"] {
            assert_eq!(integer(number), None, "{number}");
        }
    }

    #[test]
    fn another_version_of_the_grammar_is_refused() {
        let file = PatternFile::of(&pattern(), String::new(), None, &["L.g4".to_owned()]);
        let other = language(&LIST.replace("[0-9]", "[0-8]"));
        let error = file.load(Some(other)).unwrap_err().to_string();
        assert!(error.starts_with("the pattern was made with another version of grammar L.g4"));
        let error = file.load(None).unwrap_err();
        assert!(matches!(error, FileError::Grammar { .. }));
        let older = PatternFile { version: 1, ..file };
        assert_eq!(older.load(None).unwrap_err(), FileError::Version(1));
    }
}
