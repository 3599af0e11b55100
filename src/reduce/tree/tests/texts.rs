//! Random texts of the list language, and failures that they show.

use std::sync::Arc;

use seedsmith_grammar::Random;
use seedsmith_grammar::internal::Substitutes;

/// A random text of the list language with `size` or so parts.
fn random_text(random: &mut Random, size: u32) -> String {
    fn value(random: &mut Random, size: u32, out: &mut String) {
        match random.below(if size == 0 { 2 } else { 4 }) {
            0 => out.push_str(["ab", "c"][random.below(2)]),
            1 => out.push_str(["7", "42"][random.below(2)]),
            2 => list(random, size / 2, out),
            _ => {
                out.push_str("( ");
                value(random, size / 2, out);
                out.push(')');
            }
        }
    }
    fn list(random: &mut Random, size: u32, out: &mut String) {
        out.push('[');
        for at in 0..random.below(4) {
            out.push_str(if at > 0 { ", " } else { "" });
            value(random, size, out);
        }
        out.push(']');
    }
    fn item(random: &mut Random, size: u32, out: &mut String) {
        match random.below(if size == 0 { 2 } else { 3 }) {
            0 => list(random, size / 2, out),
            1 => {
                out.push_str("let x = ");
                value(random, size / 2, out);
                out.push_str(" ; # note\n");
            }
            _ => {
                out.push_str("{ ");
                for _ in 0..=random.below(3) {
                    item(random, size / 2, out);
                }
                out.push('}');
            }
        }
    }
    let mut out = String::new();
    for _ in 0..=random.below(4) {
        item(random, size, &mut out);
    }
    out
}

/// Texts, each with the strings that a failing candidate has to contain, and whether it also has to
/// be valid.
pub(super) fn trials() -> Vec<(String, Vec<String>, bool)> {
    let mut random = Random::new(11);
    let mut trials = Vec::new();
    while trials.len() < 60 {
        let text = random_text(&mut random, 6);
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.len() < 4 {
            continue;
        }
        let count = 1 + random.below(3);
        let needed = (0..count).map(|_| words[random.below(words.len())].to_owned()).collect();
        trials.push((text.clone(), needed, random.below(2) == 0));
    }
    trials
}

/// The failure of a trial: contains each word, and is valid if that is asked for.
pub(super) fn failure(
    language: &Arc<Substitutes>,
    needed: &[String],
    is_strict: bool,
) -> impl Fn(&[u8]) -> bool + 'static {
    let (needed, reader) = (needed.to_vec(), std::cell::RefCell::new(language.parser()));
    move |text: &[u8]| {
        let has = |word: &String| text.windows(word.len()).any(|part| part == word.as_bytes());
        needed.iter().all(has)
            && (!is_strict || reader.borrow_mut().parse_while(text, &|| true).unwrap().is_valid())
    }
}
