//! A pattern for other tools: a libFuzzer dictionary, and the inputs of a regression test.

use seedsmith_grammar::escape_control_chars;

use super::pattern::Pattern;
use super::reasons::required_leaves;
use crate::regression::Case;

/// The required parts as a libFuzzer dictionary: each stretch of neighbours, and the words in it. A
/// single byte is an entry only where it is a whole stretch.
pub(crate) fn dictionary(pattern: &Pattern) -> String {
    let tree = &pattern.subject.tree;
    let mut stretches: Vec<Vec<u8>> = Vec::new();
    let mut end = None;
    for leaf in required_leaves(pattern) {
        let span = tree.span(leaf);
        let text = pattern.subject.text(leaf);
        match stretches.last_mut() {
            Some(last) if end == Some(span.start) => last.extend_from_slice(text),
            _ => stretches.push(text.to_vec()),
        }
        end = Some(span.end);
    }
    let mut entries: Vec<&[u8]> = Vec::new();
    for stretch in &stretches {
        let words: Vec<&[u8]> = stretch.split(u8::is_ascii_whitespace).collect();
        let is_one_word = words.len() == 1;
        entries.push(stretch);
        entries.extend(words.into_iter().filter(|word| word.len() > 1 || is_one_word));
    }
    let about = format!("Required parts of {}", one_line(&pattern.compact()));
    crate::corpus::dictionary(&about, entries)
}

/// What a regression test checks: the minimal input, and for each abstract part an input in which
/// only that is different, by the slots' numbers, if there is one.
pub(crate) fn cases(pattern: &Pattern, examples: &[Option<Vec<u8>>]) -> Vec<Case> {
    let language = pattern.subject.language.as_ref();
    let mut cases = vec![Case {
        name: "the_minimal_input_is_handled".to_owned(),
        about: "The smallest input that was found.".to_owned(),
        input: pattern.subject.input.clone(),
    }];
    for (at, (slot, input)) in pattern.slots.iter().zip(examples).enumerate() {
        if let Some(input) = input {
            cases.push(Case {
                name: format!("another_{}_is_handled", at + 1),
                about: format!("Another {}.", slot.domain.notation(language)),
                input: input.clone(),
            });
        }
    }
    cases
}

/// A text that fits on a line of a comment. rustc refuses comments with bidirectional controls.
fn one_line(text: &str) -> String {
    escape_control_chars(text, &[]).into_owned()
}

#[cfg(test)]
mod tests {
    use seedsmith_grammar::NodeId;
    use seedsmith_grammar::Random;
    use seedsmith_grammar::internal::is_control;

    use super::*;
    use crate::generalize::domain::{Domain, Segment};
    use crate::generalize::pattern::Slot;
    use crate::generalize::subject;
    use crate::regression::{Fails, Reach, RustReach, ShellReach, Word, regression_test};

    #[test]
    fn a_dictionary_holds_the_required_bytes_as_libfuzzer_reads_them() {
        let (subject, _) = subject(b"\"\x00<".to_vec(), None);
        let pattern = Pattern { subject, slots: Vec::new(), unknown: Vec::new() };
        let text = "# Required parts of \"<\\x00><<\n\"\\\"\\x00<\"\n";
        assert_eq!(dictionary(&pattern), text);
    }

    #[test]
    fn a_dictionary_has_whole_words_and_no_single_bytes_of_them() {
        let (subject, _) = subject(b"<!ENTITY a \"".to_vec(), None);
        let pattern = Pattern { subject, slots: Vec::new(), unknown: Vec::new() };
        let entries = dictionary(&pattern);
        let entries: Vec<&str> = entries.lines().skip(1).collect();
        assert_eq!(entries, ["\"<!ENTITY a \\\"\"", "\"<!ENTITY\""]);
    }

    #[test]
    fn what_is_exported_holds_no_control_characters_whatever_the_input_and_the_paths_hold() {
        let mut random = Random::new(16);
        for _ in 0..200 {
            let text = hostile_text(&mut random);
            let (subject, _) = subject(text.clone().into_bytes(), None);
            let domain = Domain::Spelled(vec![Segment::Text(text.clone().into_bytes())]);
            let slots = vec![Slot::one(NodeId(0), domain)];
            let pattern = Pattern { subject, slots, unknown: Vec::new() };
            let about = "planted";
            let path = text.clone();
            let target = Reach::Rust(RustReach { path, ..RustReach::default() });
            let command = Reach::Shell(ShellReach {
                words: vec![
                    Word::Text(text.replace(['\n', '\t'], "")),
                    Word::File(text.replace(['\n', '\t'], "")),
                ],
                folder: None,
                input_name: "in".to_owned(),
                fails: Fails::Crash,
            });
            let cases = cases(&pattern, &[Some(text.into_bytes())]);
            for made in [
                dictionary(&pattern),
                regression_test(&target, about, "t.rs", &cases).text,
                regression_test(&command, about, "t.sh", &cases).text,
            ] {
                let control = made.chars().find(|c| *c != '\n' && is_control(*c));
                assert_eq!(control, None, "{made:?}");
            }
        }
    }

    fn hostile_text(random: &mut Random) -> String {
        let controls = ['\0', '\n', '\r', '\x1b', '\u{9b}', '\u{202e}', '\u{2066}', '\u{200f}'];
        let character = |random: &mut Random| match random.below(3) {
            0 => controls[random.below(controls.len())],
            1 => char::from(random.below(256) as u8),
            _ => char::from_u32(0x2000 + random.below(0x80) as u32).expect("these are characters"),
        };
        (0..random.below(20)).map(|_| character(random)).collect()
    }
}
