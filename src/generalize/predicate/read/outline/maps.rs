//! Whether some object of an input is a map: its keys are names of things, all of one kind, and not of what each thing has.
//!
//! It is read off the text, before a search has names. Only where there is a map values are named by any key, see `any_key`.

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
}
