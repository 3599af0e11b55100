//! A forty-third list of planted causes: 24 that were written and committed before the generalizer
//! was run on any of them, by someone who had not read it. Two are of each of twelve kinds, one with
//! a built-in grammar and one without any.

mod code;
mod formats;
mod json;
mod lines;
mod markup;
mod plain;

use serde_json::Value;

use seedsmith_grammar::Random;

use crate::readers::is_json;
use crate::two_sided::{TwoSided, one, read_json, shuffled};

/// All of them.
pub fn forty_third() -> impl Iterator<Item = &'static TwoSided> {
    let lists =
        [json::JSON, markup::MARKUP, formats::FORMATS, plain::PLAIN, lines::LINES, code::CODE];
    lists.into_iter().flatten()
}

/// The JSON of an input that has neither escapes nor a key twice in an object.
fn document(input: &str) -> Option<Value> {
    is_json(input).then(|| read_json(input))
}

/// What is read from each item of a list in JSON; nothing if it is no list or an item is odd.
fn each<T>(list: &Value, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    list.as_array()?.iter().map(read).collect()
}

/// An object in JSON with these pairs in any order.
fn object(dice: &mut Random, pairs: Vec<String>) -> String {
    let by = one(dice, &[",", ",", ", "]);
    format!("{{{}}}", shuffled(dice, pairs).join(by))
}

/// A line up to the comment at its end, if it has one. A mark in quotes starts none.
fn without_comment<'t>(line: &'t str, mark: &str) -> &'t str {
    let is_outside = |(at, _): &(usize, &str)| line[..*at].matches('"').count().is_multiple_of(2);
    line.match_indices(mark).find(is_outside).map_or(line, |(at, _)| &line[..at])
}

/// The lines of a text without their comments, and without the blanks around them. None is empty.
fn bare_lines<'t>(input: &'t str, mark: &str) -> impl Iterator<Item = &'t str> {
    let lines = input.lines().map(move |line| without_comment(line, mark).trim_ascii());
    lines.filter(|line| !line.is_empty())
}

/// The tokens of a text: words, texts in quotes and single signs. The signs `inside` may be in words.
fn tokens<'t>(input: &'t str, inside: &str) -> Option<Vec<&'t str>> {
    let is_in_word = |c: char| c.is_ascii_alphanumeric() || inside.contains(c);
    let (mut found, mut rest) = (Vec::new(), input.trim_ascii_start());
    while let Some(first) = rest.chars().next() {
        let size = match first {
            '"' => {
                let end = rest[1..].find(['"', '\\', '\n'])?;
                rest[1 + end..].starts_with('"').then_some(end + 2)?
            }
            _ if is_in_word(first) => rest.find(|c| !is_in_word(c)).unwrap_or(rest.len()),
            _ if first.is_ascii_punctuation() => 1,
            _ => return None,
        };
        found.push(&rest[..size]);
        rest = rest[size..].trim_ascii_start();
    }
    Some(found)
}

/// Whether a token is a text in quotes.
fn is_quoted(token: &str) -> bool {
    token.len() > 1 && token.starts_with('"')
}

/// Whether a token is a name: a letter, and then letters, digits and underscores.
fn is_identifier(token: &str) -> bool {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
    token.starts_with(|c: char| c.is_ascii_alphabetic()) && token.chars().all(is_inside)
}
