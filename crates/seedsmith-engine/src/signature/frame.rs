//! One call on a failure's stack.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A return address relative to the start of its module, or a function that a report names.
///
/// Frames are equal if module, offset and `own` are. Offsets compare within one build only.
#[derive(Clone, Debug)]
pub struct Frame {
    /// File name of the module, without folders; the function's name where a report knows no more, and
    /// then the offset is 0.
    pub module: Arc<str>,
    /// Address minus the module's load bias, as `addr2line` takes it.
    pub offset: u64,
    /// Whether the code is the user's or a crate's, not the runtime's (std, libc, sanitizers,
    /// libFuzzer). Only such frames take part in a comparison.
    pub own: bool,
    /// `file:line:column`, as far as a report has it. It is shown, and not compared: lines of a
    /// candidate move.
    pub place: Option<Arc<str>>,
}

impl Frame {
    /// A frame at an address.
    ///
    /// The module may be a name that other frames share; a string is copied.
    pub fn at(module: impl Into<Arc<str>>, offset: u64, own: bool) -> Self {
        Frame { module: module.into(), offset, own, place: None }
    }

    /// A frame of which a report says the function's name, and its place perhaps.
    ///
    /// Its offset is 0, so that frames of one function are equal wherever in the function they are.
    pub fn named(function: &str, place: Option<&str>, own: bool) -> Self {
        Frame { place: place.map(Into::into), ..Frame::at(function, 0, own) }
    }

    /// The fields that are compared: not the place.
    fn compared(&self) -> (&str, u64, bool) {
        (&self.module, self.offset, self.own)
    }
}

impl PartialEq for Frame {
    fn eq(&self, other: &Self) -> bool {
        self.compared() == other.compared()
    }
}

impl Eq for Frame {}

impl Hash for Frame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.compared().hash(state);
    }
}

impl PartialOrd for Frame {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Frame {
    fn cmp(&self, other: &Self) -> Ordering {
        self.compared().cmp(&other.compared())
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            0 => f.write_str(&self.module),
            offset => write!(f, "{}+{offset:#x}", self.module),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_one_function_are_equal_wherever_they_are_in_it() {
        let (one, other) = (Frame::named("f", Some("a.c:3"), true), Frame::named("f", None, true));
        assert_eq!((&one, one.to_string()), (&other, "f".to_owned()));
        assert_ne!(one, Frame::named("g", Some("a.c:3"), true));
        assert_eq!(Frame::at("prog", 0x12, false).to_string(), "prog+0x12");
    }
}
