//! The needs of a reducer, and how its cost grows.

use std::fmt;

/// The kind of part that a reducer deletes or looks for, which the format of the input has to
/// allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Need {
    /// A parse tree, so a grammar.
    Tree,
    /// Pairs of brackets, quotes, words and tags.
    Pairs,
    /// Whole lines.
    Lines,
    /// Whole tokens.
    Tokens,
    /// Single bytes.
    Bytes,
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Need::Tree => "tree",
            Need::Pairs => "pairs",
            Need::Lines => "lines",
            Need::Tokens => "tokens",
            Need::Bytes => "bytes",
        })
    }
}

/// How the number of tests of one run grows with the number of parts (bytes, tokens, nodes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cost {
    /// Bounded, whatever the length of the input: at most some hundred.
    Constant,
    /// The logarithm of the parts, or of how often something repeats.
    Logarithmic,
    /// At most a few tests a part, and the logarithm where most of them can go.
    Linear,
    /// At worst each part with each other one.
    Quadratic,
    /// As many tests as the schedule gives it, such as those that `--polish` allows.
    Limited,
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cost::Constant => "constant",
            Cost::Logarithmic => "logarithmic",
            Cost::Linear => "linear",
            Cost::Quadratic => "quadratic",
            Cost::Limited => "limited",
        })
    }
}
