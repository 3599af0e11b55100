//! When two failures are one.
//!
//! The rule is policy, chosen by the caller; it reads signatures and nothing else.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use regex::Regex;

use crate::signature::{Frame, Kind, Signature};

/// How many own frames distinguish two signals by default.
///
/// libFuzzer's and ClusterFuzz' stack hashes use three; more splits one bug into many.
pub(crate) const DEFAULT_FRAMES: usize = 3;

/// The rule by which signatures are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Rule {
    /// By kind: the place for panics; kind and three own frames for signals, aborts and sanitizer
    /// reports; the frames that recur for stack overflows; kind alone for the rest.
    #[default]
    Auto,
    /// Kind, place, normalised message and every own frame.
    Exact,
    /// Kind and this number of innermost own frames.
    Frames(usize),
    /// Kind and place (the innermost own frame where there is no place).
    Location,
    /// Kind alone.
    Kind,
    /// Any failure is the same one.
    Any,
}

impl FromStr for Rule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "auto" => Rule::Auto,
            "exact" => Rule::Exact,
            "location" => Rule::Location,
            "kind" => Rule::Kind,
            "any" => Rule::Any,
            _ => match text.strip_prefix("frames=").and_then(|count| count.parse().ok()) {
                Some(count) if count > 0 => Rule::Frames(count),
                _ => {
                    return Err(format!(
                        "{text:?} is none of auto, exact, frames=N, location, kind, any"
                    ));
                }
            },
        })
    }
}

/// As it is read.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::Auto => "auto",
            Rule::Exact => "exact",
            Rule::Frames(count) => return write!(f, "frames={count}"),
            Rule::Location => "location",
            Rule::Kind => "kind",
            Rule::Any => "any",
        })
    }
}

/// When two failures are one.
#[derive(Clone, Debug, Default)]
pub struct Sameness {
    /// How signatures are compared.
    pub rule: Rule,
    /// In addition, a failure's text (`kind at place: message`) has to match this, with the message as
    /// it was printed or with the normalised one.
    pub pattern: Option<Regex>,
}

impl Sameness {
    /// Whether `seen` is the failure `original`.
    pub fn is_same(&self, original: &Signature, seen: &Signature) -> bool {
        let matches = |pattern: &Regex| {
            pattern.is_match(&seen.to_string()) || pattern.is_match(&seen.compared())
        };
        if !self.pattern.as_ref().is_none_or(matches) {
            return false;
        }
        let same_kind = original.kind == seen.kind;
        match self.rule {
            Rule::Any => true,
            Rule::Kind => same_kind,
            Rule::Location if original.place.is_some() => same_kind && original.place == seen.place,
            Rule::Location => same_kind && original.own_frames(1) == seen.own_frames(1),
            Rule::Frames(count) => {
                same_kind && original.own_frames(count) == seen.own_frames(count)
            }
            Rule::Exact => {
                same_kind
                    && original.place == seen.place
                    && original.message == seen.message
                    && original.own_frames(usize::MAX) == seen.own_frames(usize::MAX)
            }
            Rule::Auto if original.place.is_some() => same_kind && original.place == seen.place,
            Rule::Auto if original.kind == Kind::StackOverflow => {
                same_kind && is_same_recursion(original, seen)
            }
            Rule::Auto => {
                same_kind
                    && (!compares_frames(&original.kind)
                        || original.own_frames(DEFAULT_FRAMES) == seen.own_frames(DEFAULT_FRAMES))
            }
        }
    }

    /// Whether a run has to record its stack for [`Sameness::is_same`] to decide about `original`.
    ///
    /// A stack costs microseconds; a caught panic that is compared by its place needs none.
    pub fn needs_frames(&self, original: &Signature) -> bool {
        match self.rule {
            Rule::Any | Rule::Kind => false,
            Rule::Exact | Rule::Frames(_) => true,
            Rule::Auto | Rule::Location => {
                original.place.is_none() && compares_frames(&original.kind)
            }
        }
    }
}

/// The own frames that occur more than once: those of the recursion, whatever ran at its end.
fn recursion(signature: &Signature) -> BTreeSet<&Frame> {
    let mut once = BTreeSet::new();
    let own = signature.frames.iter().filter(|frame| frame.own);
    own.filter(|frame| !once.insert(*frame)).collect()
}

/// Whether `seen` only recurs through functions through which `original` recurs.
///
/// A part of it is enough: a document that nests lists and tables in turn is rightly shrunk to
/// one that nests lists alone. Where the original stack shows no recursion, the kind has to do.
fn is_same_recursion(original: &Signature, seen: &Signature) -> bool {
    let (original, seen) = (recursion(original), recursion(seen));
    original.is_empty() || (!seen.is_empty() && seen.is_subset(&original))
}

/// Kinds whose stack distinguishes two bugs.
fn compares_frames(kind: &Kind) -> bool {
    matches!(kind, Kind::Panic | Kind::Abort | Kind::Signal(..) | Kind::Sanitizer(_) | Kind::Leak)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::Message;

    fn panic_at(place: &str, message: &str) -> Signature {
        Signature {
            kind: Kind::Panic,
            place: Some(place.into()),
            message: Some(Message::new(message)),
            frames: Vec::new(),
        }
    }

    #[test]
    fn rules_are_spelled_as_they_are_read() {
        for name in ["auto", "exact", "frames=7", "location", "kind", "any"] {
            assert_eq!(name.parse::<Rule>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn by_default_a_panic_is_told_by_its_place() {
        let sameness = Sameness::default();
        let original = panic_at("a.rs:1:2", "x");
        assert!(sameness.is_same(&original, &panic_at("a.rs:1:2", "y")));
        assert!(!sameness.is_same(&original, &panic_at("a.rs:1:3", "x")));
        assert!(!sameness.is_same(&original, &Signature::of_kind(Kind::Abort)));
    }

    #[test]
    fn exact_tells_messages_apart_and_any_nothing() {
        let original = panic_at("a.rs:1:2", "x");
        let other = panic_at("a.rs:1:2", "y");
        assert!(!Sameness { rule: Rule::Exact, pattern: None }.is_same(&original, &other));
        let timeout = Signature::of_kind(Kind::Timeout);
        assert!(Sameness { rule: Rule::Any, pattern: None }.is_same(&original, &timeout));
    }

    #[test]
    fn a_pattern_is_asked_of_the_failure_that_is_seen() {
        let asking = |pattern| Sameness { rule: Rule::Kind, pattern: Regex::new(pattern).ok() };
        let original = panic_at("a.rs:1:2", "index 5");
        assert!(asking("index 7").is_same(&original, &panic_at("b.rs:1:2", "index 7")));
        assert!(!asking("index 7").is_same(&original, &panic_at("b.rs:1:2", "index 8")));
        let sameness = asking("index #");
        assert!(sameness.is_same(&original, &panic_at("b.rs:1:2", "index 7")));
        assert!(!sameness.is_same(&original, &panic_at("a.rs:1:2", "other")));
    }

    #[test]
    fn a_stack_overflow_is_told_by_what_recurs() {
        let overflow = |offsets: &[u64]| {
            let mut signature = Signature::of_kind(Kind::StackOverflow);
            signature.frames = offsets.iter().map(|offset| Frame::at("m", *offset, true)).collect();
            signature
        };
        let sameness = Sameness::default();
        let original = overflow(&[9, 1, 2, 3, 1, 2, 3, 1]);
        assert!(sameness.is_same(&original, &overflow(&[8, 2, 1, 2, 1, 2])));
        assert!(!sameness.is_same(&original, &overflow(&[4, 5, 4, 5])));
        assert!(!sameness.is_same(&original, &overflow(&[7, 7, 1, 2, 1, 2])));
    }

    #[test]
    fn rules_are_read_as_typed() {
        assert_eq!("frames=5".parse(), Ok(Rule::Frames(5)));
        assert!("frames=0".parse::<Rule>().is_err());
        assert!("sometimes".parse::<Rule>().is_err());
    }
}
