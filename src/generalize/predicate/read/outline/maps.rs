//! Maps: objects whose keys are names of things, all of one kind, and not of what each thing has.
//!
//! A condition is about each of the things, so that values have names in which such a key may be any: `value of "id" of any key of "beds"`.

use std::collections::BTreeSet;

use super::Outline;
use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::term::{ANY_KEY, OF_INNER_LIST, OF_KEY, OF_ONE};

/// Entries of a map at least, because an object with one part may be anything.
const MIN_ENTRIES: usize = 2;

/// An object that is open.
#[derive(Default)]
struct Open {
    /// How many values it has that are objects or lists, and how many others.
    compound: usize,
    single: usize,
    /// Whether a key is before it.
    has_key: bool,
}

/// Whether some object under a key has several values, all of which are objects or lists: `{"beds": {"a": {}, "b": {}}}`.
///
/// Braces, brackets, colons and texts in quotation marks are looked at, and nothing else. Cost: a pass over the input.
pub(in crate::generalize::predicate::read) fn has_maps(input: &[u8]) -> bool {
    let mut open: Vec<Open> = Vec::new();
    let (mut is_text, mut is_escaped, mut is_value) = (false, false, false);
    for byte in input {
        if is_text {
            (is_text, is_escaped) = (is_escaped || *byte != b'"', !is_escaped && *byte == b'\\');
            continue;
        }
        let value = std::mem::take(&mut is_value);
        match byte {
            b':' => is_value = true,
            b'{' | b'[' => {
                if let Some(around) = open.last_mut().filter(|_| value) {
                    around.compound += 1;
                }
                open.push(Open { has_key: value && !open.is_empty(), ..Open::default() });
            }
            b'}' | b']' => {
                if open.pop().is_some_and(|one| {
                    one.has_key && one.single == 0 && one.compound >= MIN_ENTRIES
                }) {
                    return true;
                }
            }
            byte if byte.is_ascii_whitespace() => is_value = value,
            byte => {
                if let Some(around) = open.last_mut().filter(|_| value) {
                    around.single += 1;
                }
                is_text = *byte == b'"';
            }
        }
    }
    false
}

impl Outline<'_> {
    /// The keys that a rule is under, from the inside out, as the rest of a name: ` of "b"`, ` of one of "a"`. Nothing for one that has no name.
    ///
    /// `key` is asked for the key of each rule around. An item of a list is one of it, so that a key in a list within a list is another one.
    pub(in crate::generalize::predicate::read) fn keys_around(
        &self,
        rule: usize,
        key: impl Fn(usize) -> Option<Option<Name>>,
    ) -> Vec<Option<String>> {
        let (mut keys, mut lists) = (Vec::new(), BTreeSet::new());
        for outer in self.outer_rules(rule) {
            if let Some(name) = key(outer) {
                let of = [OF_KEY, OF_ONE, OF_INNER_LIST][lists.len().min(2)];
                keys.push(name.map(|name| format!("{of}{name}")));
                lists.clear();
            } else if self
                .leaves
                .get(self.rules[outer].leaves.0)
                .is_some_and(|leaf| leaf.text == b"[")
            {
                lists.insert(self.rules[outer].span);
            }
        }
        keys
    }
}

/// The names of a key by the keys around it, with any key in place of some: of those before the outermost one, of these but for the innermost, and,
/// if its value has parts, of its own. In a map such keys are names of things, and a condition is about each of these.
pub(in crate::generalize::predicate::read) fn names_with_any_key(
    own: &str,
    keys: &[Option<String>],
    has_parts: bool,
) -> Vec<String> {
    let Some((Some(outermost), inner)) = keys.split_last() else { return Vec::new() };
    let any = |count: usize| format!("{OF_KEY}{ANY_KEY}").repeat(count);
    let mut found = Vec::new();
    if let [first, rest @ ..] = inner {
        found.push(format!("{own}{}{outermost}", any(inner.len())));
        if let Some(first) = first.as_ref().filter(|_| !rest.is_empty()) {
            found.push(format!("{own}{first}{}{outermost}", any(rest.len())));
        }
    }
    if has_parts {
        found.push(format!("{ANY_KEY}{}{outermost}", any(inner.len())));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_of_objects_or_of_lists_is_a_map() {
        let maps = |input: &str| has_maps(input.as_bytes());
        assert!(maps(r#"{"beds":{"a":{"x":1},"b": {}}}"#));
        assert!(maps(r#"{"n":1,"rows":{"a":[1],"b{\"":[]}}"#));
        // One with a number, one of a single thing, and the whole input.
        assert!(!maps(r#"{"a":{"x":{},"y":{},"n":1}}"#));
        assert!(!maps(r#"{"a":{"x":{}}}"#));
        assert!(!maps(r#"{"x":{},"y":{}}"#));
        assert!(!maps("a: {b} c: {d}"));
    }

    #[test]
    fn keys_between_the_outermost_one_and_the_value_may_be_any() {
        let names = |keys: &[Option<&str>], has_parts| {
            let keys: Vec<Option<String>> = keys.iter().map(|key| key.map(str::to_owned)).collect();
            names_with_any_key("\"id\"", &keys, has_parts)
        };
        assert_eq!(names(&[Some(" of \"beds\"")], false), [""; 0]);
        assert_eq!(names(&[Some(" of \"beds\"")], true), ["any key of \"beds\""]);
        assert_eq!(names(&[None, Some(" of \"beds\"")], false), ["\"id\" of any key of \"beds\""]);
        assert_eq!(
            names(&[Some(" of \"get\""), None, Some(" of \"beds\"")], false),
            [
                "\"id\" of any key of any key of \"beds\"",
                "\"id\" of \"get\" of any key of \"beds\""
            ]
        );
        assert_eq!(names(&[Some(" of \"get\""), None], false), [""; 0]);
    }
}
