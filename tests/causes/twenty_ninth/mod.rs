//! A twenty-ninth list of planted causes: 24 that were written and committed before the
//! generalizer was run on any of them, by someone who had not read it. Two are of each of twelve
//! kinds, in different formats. A third is in JSON, a third has no grammar, and a third is in eight
//! other formats.

mod formats;
mod json;
mod plain;

use seedsmith_grammar::Random;

use crate::readers::{Section, is_name, is_shown, signed_decimals};
use crate::two_sided::{TwoSided, one, shuffled, word};

/// The words that are no names in Lua.
const LUA_KEYWORDS: &str = "and break do else elseif end false for function goto if in local nil \
                            not or repeat return then true until while";

/// All of them.
pub fn twenty_ninth() -> impl Iterator<Item = &'static TwoSided> {
    [json::JSON, plain::PLAIN, formats::FORMATS].into_iter().flatten()
}

/// The words, the texts in quotes and the single signs of a text; nothing if a text in quotes is
/// odd. A word has letters, digits and some signs.
fn tokens<'t>(input: &'t str, quotes: &str, signs: &str) -> Option<Vec<&'t str>> {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || signs.contains(c);
    let (mut rest, mut found) = (input.trim_start(), Vec::new());
    while let Some(first) = rest.chars().next() {
        let size = if quotes.contains(first) {
            let (inner, _) = rest[1..].split_once(first)?;
            (is_shown(inner) && !inner.contains('\\')).then_some(inner.len() + 2)?
        } else if is_inside(first) {
            rest.find(|c| !is_inside(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(size);
        found.push(token);
        rest = after.trim_start();
    }
    Some(found)
}

/// The lines of a text without those that are empty or remarks, and without the blanks around them.
fn lines<'t>(input: &'t str, remark: &str) -> impl Iterator<Item = &'t str> {
    let all = input.lines().map(str::trim);
    all.filter(move |line| !line.is_empty() && !line.starts_with(remark))
}

/// The tokens of a script, which has remarks only in lines of their own.
fn script<'t>(input: &'t str, remark: &str, quotes: &str, signs: &str) -> Option<Vec<&'t str>> {
    let all: Option<Vec<Vec<&str>>> =
        lines(input, remark).map(|line| tokens(line, quotes, signs)).collect();
    all.map(|all| all.concat())
}

/// The tokens of a list with commas between them; nothing if one is not right.
fn listed<'t>(list: &[&'t str], is_right: impl Fn(&str) -> bool) -> Option<Vec<&'t str>> {
    let parts = list.split(|token| *token == ",").filter(|_| !list.is_empty());
    let read = |part: &[&'t str]| match part {
        [one] if is_right(one) => Some(*one),
        _ => None,
    };
    parts.map(read).collect()
}

/// Whether a token is a text in quotes.
fn is_quoted(token: &str) -> bool {
    token.starts_with(['"', '\''])
}

/// A token without the quotes around it.
fn unquoted(token: &str) -> &str {
    token.trim_matches(['"', '\''])
}

/// Whether a token is a name, or names with points between them, and none of some keywords.
fn is_variable(token: &str, keywords: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    token.split('.').all(|part| {
        let is_right = part.chars().all(|c| is_letter(c) || c.is_ascii_digit());
        part.starts_with(is_letter) && is_right && !keywords.split(' ').any(|word| word == part)
    })
}

/// The sections of settings; nothing if a line is odd or before the first section, or a name is
/// there twice. Names may have some signs in them, and those of sections points.
fn settings<'t>(input: &'t str, signs: &str) -> Option<Vec<Section<'t>>> {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c) || signs.contains(c);
    let is_label = |text: &str| !text.is_empty() && text.chars().all(is_inside);
    let mut all: Vec<Section> = Vec::new();
    for line in lines(input, "#") {
        if let Some(name) = line.strip_prefix('[') {
            let name = name.strip_suffix(']')?.trim();
            let is_new = all.iter().all(|(other, _)| *other != name);
            (is_new && name.split('.').all(is_label)).then(|| all.push((name, Vec::new())))?;
        } else {
            let (key, value) = line.split_once('=')?;
            let (key, pairs) = (key.trim_end(), &mut all.last_mut()?.1);
            let is_new = pairs.iter().all(|(other, _)| *other != key);
            (is_new && is_label(key)).then(|| pairs.push((key, value.trim_start())))?;
        }
    }
    Some(all)
}

/// The elements of a page, each with the names and the values of its attributes.
fn elements(input: &str) -> Option<Vec<Section<'_>>> {
    let (mut open, mut found) = (Vec::new(), Vec::new());
    for piece in input.split('<').skip(1) {
        let (tag, _) = piece.split_once('>')?;
        if let Some(name) = tag.strip_prefix('/') {
            (open.pop()? == name.trim_end()).then_some(())?;
            continue;
        }
        let inner = tag.strip_suffix('/').unwrap_or(tag);
        let all = tokens(inner, "\"'", "-_")?;
        let (name, list) = all.split_first()?;
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        for pair in list.chunks(3) {
            let [key, "=", value] = pair else { return None };
            let is_new = pairs.iter().all(|(other, _)| other != key);
            (is_new && is_name(key) && is_quoted(value)).then_some(())?;
            pairs.push((key, unquoted(value)));
        }
        (is_name(name) && inner.starts_with(name)).then_some(())?;
        found.push((*name, pairs));
        open.extend((inner == tag).then_some(*name));
    }
    open.is_empty().then_some(found)
}

/// The names and the values that the rules of a sheet set. They are for elements and classes.
fn declarations(input: &str) -> Option<Vec<(&str, &str)>> {
    let (mut rules, mut found) = (input.split('}'), Vec::new());
    rules.next_back()?.trim().is_empty().then_some(())?;
    for rule in rules {
        let (selectors, body) = rule.split_once('{')?;
        let mut selectors = selectors.split(',').map(str::trim);
        let is_right = selectors.all(|name| is_name(name.strip_prefix('.').unwrap_or(name)));
        is_right.then_some(())?;
        for pair in body.split(';').filter(|pair| !pair.trim().is_empty()) {
            let (name, value) = pair.split_once(':')?;
            found.push(Some((name.trim(), value)).filter(|(name, _)| is_name(name))?);
        }
    }
    Some(found)
}

/// How deep calls of some functions are in each other in a value of a sheet.
fn call_depth(value: &str, functions: [&str; 2]) -> Option<usize> {
    let (mut open, mut deepest, mut name) = (Vec::new(), 0, String::new());
    for c in value.trim().chars().map(|c| c.to_ascii_lowercase()) {
        let is_inside = c.is_ascii_alphanumeric() || c == '-';
        (is_inside || " \n.%+*/#,()".contains(c)).then_some(())?;
        match c {
            '(' => {
                open.push(functions.contains(&&name[..]));
                deepest = deepest.max(open.iter().filter(|is_counted| **is_counted).count());
            }
            ')' => drop(open.pop()?),
            _ => {}
        }
        if is_inside { name.push(c) } else { name.clear() }
    }
    (open.is_empty() && !value.trim().is_empty()).then_some(deepest)
}

/// The calls of a script in Lua, each with its values. It has only variables and calls.
fn calls(input: &str) -> Option<Vec<(&str, Vec<&str>)>> {
    let (all, mut found) = (script(input, "--", "\"'", "_.")?, Vec::new());
    let is_name = |token: &str| is_variable(token, LUA_KEYWORDS);
    let is_value =
        |token: &str| is_quoted(token) || is_name(token) || signed_decimals(token).is_some();
    let mut rest = &all[..];
    while !rest.is_empty() {
        rest = match rest {
            ["local", name, "=", ..] if is_name(name) && !name.contains('.') => &rest[1..],
            [name, "=", after @ ..] if is_name(name) => match after {
                [value, next, ..] if is_name(value) && (is_quoted(next) || *next == "(") => after,
                [value, after @ ..] if is_value(value) => after,
                _ => return None,
            },
            [name, "(", list @ ..] if is_name(name) => {
                let (list, after) = list.split_at(list.iter().position(|one| *one == ")")?);
                found.push((*name, listed(list, is_value)?));
                &after[1..]
            }
            [name, text, after @ ..] if is_name(name) && is_quoted(text) => {
                found.push((*name, vec![*text]));
                after
            }
            _ => return None,
        };
    }
    Some(found)
}

/// Whether one of some things is there again.
fn are_doubled<T: PartialEq>(all: &[T]) -> bool {
    all.iter().enumerate().any(|(at, thing)| all[..at].contains(thing))
}

/// Whether some sizes differ.
fn differ(sizes: &[usize]) -> bool {
    sizes.iter().any(|size| *size != sizes[0])
}

/// Whether a number is negative, and a number (maybe the same one) is of the other form.
fn are_both(numbers: &[(bool, bool)]) -> bool {
    numbers.iter().any(|(is_negative, _)| *is_negative) && numbers.iter().any(|(_, other)| *other)
}

/// Whether something happens that does so many times in a hundred.
fn happens(dice: &mut Random, percent: usize) -> bool {
    dice.below(100) < percent
}

/// Some of these parts, which do not matter.
fn asides(dice: &mut Random, parts: &[&str]) -> Vec<String> {
    let kept = parts.iter().filter(|_| happens(dice, 32));
    kept.map(|part| part.to_string()).collect()
}

/// A number of a range so many times in a hundred, or else one beyond it, which is often next to it.
fn ranged(dice: &mut Random, [low, high]: [usize; 2], percent: usize) -> usize {
    let is_inside = happens(dice, percent);
    match (is_inside, dice.below(4)) {
        (true, 0) => low,
        (true, 1) => high,
        (true, _) => low + dice.below(high - low + 1),
        (false, 0) => low - 1,
        (false, 1) => high + 1,
        (false, 2) => dice.below(low),
        (false, _) => high + 1 + dice.below(2 * high),
    }
}

/// A number that is greater than another one so many times in a hundred.
fn exceeding(dice: &mut Random, other: usize, percent: usize) -> usize {
    let is_greater = happens(dice, percent);
    match (is_greater, dice.below(3)) {
        (true, 0) => other + 1,
        (true, 1) => other + 1 + dice.below(12),
        (true, _) => 10 * (other + 1),
        (false, 0) => other,
        (false, 1) => other.saturating_sub(1),
        (false, _) => dice.below(other + 1),
    }
}

/// A number that is a count so many times in a hundred, and else often next to it.
fn stated(dice: &mut Random, count: usize, percent: usize) -> usize {
    if happens(dice, percent) {
        return count;
    }
    let less = if count > 1 { count - 1 } else { 6 };
    [less, count + 1, count + 2 + dice.below(3), 10 * (count + 1)][dice.below(4)]
}

/// A word with a letter that is not ASCII.
fn accented(dice: &mut Random) -> String {
    let letter = one(dice, &["é", "ü", "å", "ñ", "ø", "Ł", "Ω", "д", "木", "ß", "Š"]);
    let (before, after) = (word(dice, 5), word(dice, 4));
    match dice.below(3) {
        0 => format!("{letter}{after}"),
        1 => format!("{before}{letter}"),
        _ => format!("{before}{letter}{after}"),
    }
}

/// Three things among others, about half of the time in this order.
fn in_turn<'t>(dice: &mut Random, wanted: [&'t str; 3], others: &[&'t str]) -> Vec<&'t str> {
    let [first, second, third] = wanted;
    let mut all = match dice.below(11) {
        0 => vec![second, first, third],
        1 => vec![first, third, second],
        2 => vec![third, first, second],
        3 => vec![second, third],
        4 => vec![first, third],
        5 => vec![first, second],
        _ => vec![first, second, third],
    };
    for _ in 0..dice.below(4) {
        all.insert(dice.below(all.len() + 1), one(dice, others));
    }
    all
}

/// A few of these things in any order, and so many times in a hundred one of them again.
fn chosen(dice: &mut Random, known: &[&str], most: usize, percent: usize) -> Vec<String> {
    let mut all = shuffled(dice, known.iter().map(|thing| thing.to_string()).collect());
    all.truncate(1 + dice.below(most));
    if happens(dice, percent) {
        let again = all[dice.below(all.len())].clone();
        all.insert(dice.below(all.len() + 1), again);
    }
    all
}

/// One of three words so many times in a hundred, or else one of some others.
fn among<'t>(
    dice: &mut Random,
    wanted: [&'t str; 3],
    others: &[&'t str],
    percent: usize,
) -> &'t str {
    let is_wanted = happens(dice, percent);
    one(dice, if is_wanted { &wanted } else { others })
}

/// The sizes of up to four rows: one for all, or so many times in a hundred another for one of them.
fn sizes(dice: &mut Random, percent: usize) -> Vec<usize> {
    let size = 1 + dice.below(4);
    let mut all = vec![size; 1 + dice.below(4)];
    if happens(dice, percent) {
        let at = dice.below(all.len());
        all[at] = if size > 1 && happens(dice, 50) { size - 1 } else { size + 1 };
    }
    all
}
