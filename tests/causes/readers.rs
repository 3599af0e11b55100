//! Readers of inputs that several lists of causes use: what a program takes, and what it sees.

use serde_json::Value;

use crate::draws::has_twins;
use crate::thirty_fourth::without_ends;
use crate::thirty_third::tokens;

/// The items of a list in JSON; none if it is no list.
pub fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], |items| items)
}

/// The bytes of a text each of whose characters is one byte.
pub fn bytes(input: &str) -> Vec<u8> {
    input.chars().map(|c| c as u8).collect()
}

/// The type and the length of each record of such a text, if it is records: two bytes, and as many as the second says.
pub fn records(input: &str) -> Option<Vec<(u8, u8)>> {
    let (all, mut found) = (bytes(input), Vec::new());
    let mut rest = &all[..];
    while let [kind, length, after @ ..] = rest {
        rest = after.get(usize::from(*length)..)?;
        found.push((*kind, *length));
    }
    rest.is_empty().then_some(found)
}

/// The types of the records of a picture; nothing if it is none.
pub fn picture(input: &str) -> Option<Vec<u8>> {
    let all = records(input.strip_prefix("PIC1")?)?;
    Some(all.into_iter().map(|(kind, _)| kind).collect())
}

/// Bytes as such a text.
pub fn text_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

/// How many keys the objects of a value have.
fn keys(value: &Value) -> usize {
    match value {
        Value::Object(pairs) => pairs.len() + pairs.values().map(keys).sum::<usize>(),
        _ => items(value).iter().map(keys).sum(),
    }
}

/// Whether a text is JSON without escapes, and no object has a key twice. The programs take no other.
pub fn is_json(input: &str) -> bool {
    let outside = input.split('"').step_by(2).skip(1);
    let written = outside.filter(|text| text.trim_start().starts_with(':')).count();
    let value = serde_json::from_str::<Value>(input);
    !input.contains('\\') && value.is_ok_and(|value| keys(&value) == written)
}

/// The numbers of a text, as they are written.
pub fn numbers(input: &str) -> Vec<&str> {
    let outside = input.split('"').step_by(2);
    let words =
        outside.flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && !"+-.".contains(c)));
    words.filter(|word| word.starts_with(|c: char| c == '-' || c.is_ascii_digit())).collect()
}

/// Whether each number of a text is short and has no exponent, and none is a negative zero.
pub fn has_short_numbers(input: &str) -> bool {
    numbers(input).iter().all(|number| {
        let is_zero = number.starts_with('-') && number.parse() == Ok(0.0);
        number.len() < 12 && !number.contains(['e', 'E']) && !is_zero
    })
}

/// Whether a text is a name in small letters, digits and signs for joining them.
pub fn is_name(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(is_letter)
}

/// A section of settings: its name, and its keys with their values.
pub type Section<'t> = (&'t str, Vec<(&'t str, &'t str)>);

/// The sections of settings, the first of which has no name; nothing if a line is odd, or a name is there twice.
pub fn sections(input: &str) -> Option<Vec<Section<'_>>> {
    let mut all: Vec<Section> = vec![("", Vec::new())];
    for line in input.split('\n').filter(|line| !line.is_empty()) {
        let last = all.last_mut()?;
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let is_new = all.iter().all(|(other, _)| *other != name);
            all.push((Some(name).filter(|name| is_new && is_name(name))?, Vec::new()));
        } else {
            let (key, value) = line.split_once('=')?;
            let key = key.trim_end_matches(' ');
            let is_new = last.1.iter().all(|(other, _)| *other != key);
            last.1.push((Some(key).filter(|_| is_new && is_name(key))?, value.trim_matches(' ')));
        }
    }
    Some(all)
}

/// Whether a text is a word in small letters.
pub fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase())
}

/// Whether a text is digits.
pub fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}

/// Whether a number is negative, and how many decimals it has; nothing if it is none, or zero with a minus.
pub fn signed_decimals(text: &str) -> Option<(bool, usize)> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_short = digits.len() < 12 && (whole == "0" || !whole.starts_with('0'));
    let is_zero = digits.chars().all(|c| "0.".contains(c));
    let is_negative = digits != text;
    let is_number = is_digits(whole) && is_digits(decimals) && is_short;
    let count = if digits.contains('.') { decimals.len() } else { 0 };
    (is_number && !(is_negative && is_zero)).then_some((is_negative, count))
}

/// A text with blanks around its signs.
pub fn spaced(input: &str) -> String {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || c == ' ';
    let text = input.replace('\n', " ");
    text.chars().map(|c| if is_inside(c) { c.to_string() } else { format!(" {c} ") }).collect()
}

/// Whether a token is a name that is none of some keywords.
pub fn is_free(token: &str, keywords: &[&str]) -> bool {
    token.chars().all(|c| c.is_ascii_lowercase()) && !keywords.contains(&token)
}

/// Whether some of many things are these, in this order, with any others between them.
pub fn are_in_order(all: &[&str], wanted: &[&str]) -> bool {
    let mut rest = all.iter();
    wanted.iter().all(|one| rest.any(|other| other == one))
}

/// A number as it is written; nothing if it has a sign or a zero before it.
pub fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number: &u32| number.to_string() == text)
}

/// Whether a text is ASCII that is seen, and blanks.
pub fn is_shown(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_graphic() || c == ' ')
}

/// The tokens of a query, with its keywords in small letters.
pub fn lowered_tokens(input: &str, keywords: &[&str]) -> Vec<String> {
    let tokens = spaced(input);
    let lowered = tokens.split_whitespace().map(|token| {
        let lower = token.to_ascii_lowercase();
        if keywords.contains(&&lower[..]) { lower } else { token.to_owned() }
    });
    lowered.collect()
}

/// The keys of the query of a link with their values; nothing if a key is there twice.
pub fn query_of(input: &str) -> Option<Vec<(&str, &str)>> {
    let rest = input.strip_prefix("https://").or(input.strip_prefix("http://"))?;
    let (rest, end) = rest.split_once('#').unwrap_or((rest, ""));
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (host, path) = place.split_once('/')?;
    let is_inside = |c: char| c.is_ascii_alphanumeric() || "-._/+,".contains(c);
    let is_end = end.chars().all(|c| is_inside(c) || c == '=');
    (host.split('.').all(is_name) && path.chars().all(is_inside) && is_end).then_some(())?;
    let pairs = query.split('&').filter(|_| !query.is_empty()).map(|pair| {
        let (key, value) = pair.split_once('=')?;
        (is_name(key) && value.chars().all(is_inside)).then_some((key, value))
    });
    let pairs = pairs.collect::<Option<Vec<(&str, &str)>>>()?;
    let keys: Vec<&str> = pairs.iter().map(|(key, _)| *key).collect();
    (!has_twins(&keys)).then_some(pairs)
}

/// The statements of TOML without remarks: lines, each with those below it up to the bracket that closes its list.
pub fn toml_statements(input: &str) -> Option<Vec<String>> {
    let text = without_ends(input, "#");
    let (mut found, mut statement) = (Vec::new(), String::new());
    for line in text.lines() {
        statement = format!("{statement} {line}");
        let all = tokens(&statement, "_-")?;
        let count = |sign| all.iter().filter(|token| **token == sign).count();
        if count("[") <= count("]") {
            found.push(std::mem::take(&mut statement));
        }
    }
    statement.is_empty().then_some(found)
}
