//! Names that an input lacks: a target may fail because `"id"` is not there, and no input of the search
//! has it.
//!
//! Names that are usual in files and protocols are put into the input, all at once, as further parts of the
//! lists that it has. If that passes where made-up names in their places fail, bisection finds the one name.

use std::collections::BTreeSet;
use std::ops::Range;

use seedsmith_engine::Outcome;
use seedsmith_engine::Stopped;
use seedsmith_grammar::{NodeId, NodeKind};

use crate::generalize::bytes::cut::stretches;
use crate::generalize::draws::pool;
use crate::generalize::draws::prober::Prober;
use crate::generalize::pattern::{Replaced, Slot, Subject};

use super::usual_names::usual_names;

/// Parts that names are put into, for each input: two tests for each, and lists of more kinds are rare. Not
/// measured.
const MAX_TEMPLATES: usize = 8;
/// Places without a part that are drawn for: an input of 38 kB has thousands, of which the first show all kinds. Not
/// measured.
const MAX_EMPTY_PLACES: usize = 24;
/// Draws of which the shortest with a name in it is taken, because draws cost no test. Not measured.
const DRAWS_PER_PLACE: u64 = 12;
/// Tests of single names where the target rejects names that it does not know.
/// The most usual ones are the first.
const MAX_SINGLE_TESTS: usize = 64;

/// Inputs with a part that has the name beside one that lacks it: two for each of four parts around the place. Not measured.
const MAX_BESIDE: usize = 8;

/// Words of an input that are tried as names: few, because each takes a test where the target rejects unknown names.
const MAX_OWN_WORDS: usize = 8;
/// Bytes of such a word at least, because shorter ones are rarely names.
const MIN_WORD_BYTES: usize = 3;

/// What may be between parts of a list. Parts that bring their own separator come first.
const SEPARATORS: [&str; 6] = ["", ",", ";", " ", "\n", "&"];

/// A part that may be put into an input once more, with another name in it.
#[derive(Debug, PartialEq, Eq)]
struct Template {
    /// Where it goes.
    at: usize,
    /// The text before the name, the name, and the text after it.
    parts: [Vec<u8>; 3],
    /// The text between several of them.
    separator: &'static str,
}

/// A failing input that passes with a name, and inputs that have both: with the name in one part and without it in another.
#[derive(Default)]
pub(in crate::generalize::predicate) struct Lacking {
    /// The input with the name; nothing if no name was found.
    pub passing: Option<Vec<u8>>,
    /// A part that has the name beside one that lacks it, each with whether it fails: what shows where the name is needed.
    pub beside: Vec<(Vec<u8>, bool)>,
    /// The name.
    pub name: Option<String>,
    /// Whether the input passes with the name in upper case as well as in lower case.
    pub in_any_case: bool,
}

/// One of these failing inputs with a name that makes it pass, the first that is found. Cost: two tests for each list of
/// the inputs, at most 16, where there is no such name and the target takes further names; else up to 100.
pub(in crate::generalize::predicate) fn absent(
    prober: &mut Prober<'_, '_>,
    bases: &mut [Subject],
) -> Result<Lacking, Stopped> {
    let mut singles = MAX_SINGLE_TESTS;
    for base in bases {
        prober.check_time()?;
        let own = words_beside_keys(&base.input);
        for template in templates(base) {
            prober.check_time()?;
            let usual = usual_names().filter(|name| !has(&base.input, name)).map(str::to_owned);
            let usual = usual.map(|name| template.in_case(name));
            let names: Vec<String> = own.iter().cloned().chain(usual).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let made_up: Vec<String> =
                (0..names.len()).map(made_up).map(|name| template.in_case(name)).collect();
            let made_up: Vec<&str> = made_up.iter().map(String::as_str).collect();
            let Some(template) = template.separated(base, &made_up) else { continue };
            let all = template.with(base, &names);
            match prober.oracle.outcome(&all)? {
                Outcome::Pass
                    if prober.oracle.outcome(&template.with(base, &made_up))? == Outcome::Fail =>
                {
                    if let Some(name) = bisected(prober, base, &template, names)? {
                        return Lacking::of(prober, base, (&template, name));
                    }
                }
                Outcome::Unresolved => {
                    // Half of what is left, so that other places have a turn.
                    for name in names.iter().take(singles.div_ceil(2)) {
                        singles -= 1;
                        let passing = template.with(base, &[name]);
                        if prober.oracle.outcome(&passing)? == Outcome::Pass {
                            return Lacking::of(prober, base, (&template, name));
                        }
                    }
                }
                _ => {}
            }
        }
    }
    Ok(Lacking::default())
}

impl Lacking {
    /// An input that passes with a name at a place, and its parts around that place twice, once as they were.
    fn of(
        prober: &mut Prober<'_, '_>,
        base: &mut Subject,
        (template, name): (&Template, &str),
    ) -> Result<Self, Stopped> {
        let (at, passing) = (template.at, template.with(base, &[name]));
        let more = passing.len() - base.input.len();
        let ids: Vec<NodeId> = base.tree.ids().collect();
        let mut spans: Vec<Range<usize>> = ids
            .into_iter()
            .filter(|id| {
                matches!(base.tree.node(*id).kind, NodeKind::Rule { .. } | NodeKind::Iteration)
            })
            .map(|id| base.tree.span(id))
            .filter(|span| span.start < at && at < span.end && span.len() < base.input.len())
            .collect();
        // The smallest first. What ends at the place is a neighbour of the name, and not around it.
        spans.sort_by_key(|span| (span.len(), span.start));
        spans.dedup();
        let cases = [name.to_ascii_lowercase(), name.to_ascii_uppercase()];
        let (mut in_cases, mut in_any_case) = (Vec::new(), true);
        for case in cases.iter().filter(|case| *case != name) {
            let input = template.with(base, &[case]);
            let fails = if is_read(base, &input) { prober.fails(&input)? } else { None };
            in_any_case &= fails == Some(false);
            in_cases.extend(fails.map(|fails| (input, fails)));
        }
        let mut beside = Vec::new();
        for span in spans {
            let [without, with] =
                [&base.input[span.clone()], &passing[span.start..span.end + more]]
                    .map(<[u8]>::to_vec);
            let [before, after] =
                [&base.input[..span.start], &base.input[span.end..]].map(<[u8]>::to_vec);
            let both = SEPARATORS.into_iter().map(|by| {
                [[&without, &with], [&with, &without]]
                    .map(|[one, other]| [&before, one, by.as_bytes(), other, &after].concat())
            });
            let both = both.into_iter().find(|both| both.iter().all(|input| is_read(base, input)));
            for input in both.into_iter().flatten().take(MAX_BESIDE - beside.len()) {
                if let Some(fails) = prober.fails(&input)? {
                    beside.push((input, fails));
                }
            }
        }
        let beside = [in_cases, beside].concat();
        Ok(Lacking { passing: Some(passing), beside, name: Some(name.to_owned()), in_any_case })
    }
}

/// The one of some names that makes the input pass; nothing if it takes several.
fn bisected<'n>(
    prober: &mut Prober<'_, '_>,
    base: &Subject,
    template: &Template,
    mut names: Vec<&'n str>,
) -> Result<Option<&'n str>, Stopped> {
    while names.len() > 1 {
        let rest = names.split_off(names.len() / 2);
        if prober.oracle.outcome(&template.with(base, &names))? == Outcome::Pass {
            continue;
        }
        if prober.oracle.outcome(&template.with(base, &rest))? != Outcome::Pass {
            return Ok(None);
        }
        names = rest;
    }
    Ok(names.pop())
}

/// The words of an input that are no keys of it: what a header asks for may be the name of one that is not there.
fn words_beside_keys(input: &[u8]) -> Vec<String> {
    let words = runs_of_names(input);
    let (mut found, mut keys): (Vec<&[u8]>, BTreeSet<&[u8]>) = (Vec::new(), BTreeSet::new());
    for span in words {
        let after = input[span.end..].trim_ascii_start();
        let after = after.strip_prefix(b"\"").unwrap_or(after).trim_ascii_start();
        let word = &input[span];
        if after.first().is_some_and(|byte| b":=".contains(byte)) {
            keys.insert(word);
        } else if word.len() >= MIN_WORD_BYTES
            && word[0].is_ascii_alphabetic()
            && !found.contains(&word)
        {
            found.push(word);
        }
    }
    found.retain(|word| !keys.contains(word));
    let names = found.into_iter().take(MAX_OWN_WORDS);
    names.map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

/// Where the characters are that names are made of: letters, digits, `-` and `_`.
fn runs_of_names(text: &[u8]) -> Vec<Range<usize>> {
    stretches(text, |byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// Whether an input has a name as a word.
fn has(input: &[u8], name: &str) -> bool {
    let words = stretches(input, |byte| byte.is_ascii_alphabetic() || b"-_".contains(&byte));
    words.into_iter().any(|span| input[span].eq_ignore_ascii_case(name.as_bytes()))
}

/// A name that means nothing.
fn made_up(number: usize) -> String {
    let letter = |number: usize| char::from(b'a' + (number % 26) as u8);
    format!("xq{}{}", letter(number / 26), letter(number))
}

/// Whether a text is in the input's language.
fn is_read(base: &mut Subject, text: &[u8]) -> bool {
    base.language.as_mut().is_some_and(|language| language.accepts(text))
}

/// What may be put into an input: the repeated parts that it has, and parts that the grammar allows where
/// it has none. Each has a word in it, which is not all of it.
fn templates(base: &mut Subject) -> Vec<Template> {
    let mut found: Vec<Template> = Vec::new();
    let mut keep = |template: Option<Template>| {
        // The same name may be needed inside one part and not inside another.
        let is_new = |one: &Template| !found.contains(one);
        if let Some(one) = template.filter(|one| is_new(one) && found.len() < MAX_TEMPLATES) {
            found.push(one);
        }
    };
    let ids: Vec<NodeId> = base.tree.ids().collect();
    let repeated = ids.iter().filter(|id| base.tree.node(**id).kind == NodeKind::Iteration);
    for &id in repeated {
        keep(template(base.text(id), base.tree.span(id).end));
    }
    let is_room = |id: &NodeId| {
        let node = base.tree.node(*id);
        matches!(node.kind, NodeKind::Quantifier(_)) && node.start == node.end
    };
    let rooms: Vec<NodeId> = ids.iter().copied().filter(is_room).take(MAX_EMPTY_PLACES).collect();
    for id in rooms {
        let at = base.tree.span(id).end;
        let drawn = drawn(base, id);
        keep(drawn.and_then(|text| template(&text, at)));
    }
    // A text of one line has no further line that could be repeated.
    let line = base.input.trim_ascii_end();
    if !line.contains(&b'\n') {
        keep(template(&[b"\n", line].concat(), line.len()));
    }
    found
}

/// A text as a template, if there is a word in it that is not all of it.
fn template(text: &[u8], at: usize) -> Option<Template> {
    let words = runs_of_names(text);
    // A dash before a name is no part of it: `--port`, `- port`.
    let word = words.into_iter().find_map(|word| {
        let start = word.start + text[word.clone()].iter().position(u8::is_ascii_alphabetic)?;
        let length = text[start..word.end].iter().rposition(|byte| *byte != b'-')? + 1;
        Some(start..start + length)
    });
    let word = word.filter(|word| word.len() < text.len())?;
    let parts = [&text[..word.start], &text[word.clone()], &text[word.end..]];
    Some(Template { at, parts: parts.map(<[u8]>::to_vec), separator: "" })
}

/// The shortest of a few draws for an empty place that have a word in them.
fn drawn(base: &mut Subject, place: NodeId) -> Option<Vec<u8>> {
    let symbol = base.language.as_ref()?.symbol(base.tree.node(place))?;
    let slot = Slot::one(place, crate::generalize::domain::Domain::Symbol(symbol));
    let at = base.tree.span(place).start;
    let draws = (0..DRAWS_PER_PLACE).filter_map(|number| {
        let words = pool::draw(base, &slot, 0x6e61_6d65, number)?.words;
        let text = base.render(&Replaced::from([(place, words)]))?;
        let more = text.len().checked_sub(base.input.len())?;
        let is_inserted = text[..at] == base.input[..at] && text[at + more..] == base.input[at..];
        Some(text[at..at + more].to_vec()).filter(|text| is_inserted && template(text, 0).is_some())
    });
    // A target may refuse lines that end in another way than those that are there.
    let draws: Vec<Vec<u8>> = draws.collect();
    let is_other = |text: &[u8]| has_lone_break(text) && !has_lone_break(&base.input);
    draws.into_iter().min_by_key(|text| (is_other(text), text.len(), text.clone()))
}

/// Whether some line ends without a carriage return.
fn has_lone_break(text: &[u8]) -> bool {
    let mut breaks = memchr::memchr_iter(b'\n', text);
    breaks.any(|at| at.checked_sub(1).is_none_or(|before| text[before] != b'\r'))
}

impl Template {
    /// The template with a separator that several of it can be read with; nothing if there is none.
    fn separated(self, base: &mut Subject, names: &[&str]) -> Option<Template> {
        SEPARATORS.into_iter().find_map(|separator| {
            let template = Template { at: self.at, parts: self.parts.clone(), separator };
            let several = template.with(base, &names[..names.len().min(2)]);
            is_read(base, &several).then_some(template)
        })
    }

    /// A name in lower case, spelled in the case of the name it replaces.
    fn in_case(&self, mut name: String) -> String {
        let word = &self.parts[1];
        let is_upper = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_uppercase);
        if is_upper(word.first()) && is_upper(word.get(1)) {
            name.make_ascii_uppercase();
        } else if is_upper(word.first()) {
            let mut begins = true;
            let letters =
                name.chars().map(|letter| match std::mem::replace(&mut begins, letter == '-') {
                    true => letter.to_ascii_uppercase(),
                    false => letter,
                });
            name = letters.collect();
        }
        name
    }

    /// An input with the part for each of some names.
    fn with(&self, base: &Subject, names: &[&str]) -> Vec<u8> {
        let [before, _, after] = &self.parts;
        let mut text = base.input[..self.at].to_vec();
        for (number, name) in names.iter().enumerate() {
            if number > 0 {
                text.extend(self.separator.as_bytes());
            }
            text.extend([&before[..], name.as_bytes(), &after[..]].concat());
        }
        text.extend(&base.input[self.at..]);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_a_template_by_its_first_word_and_keeps_its_case() {
        let input = b"Host: a\nTo: b".to_vec();
        let language = crate::generalize::predicate::plain::language();
        let (base, _) = crate::generalize::subject(input, language);
        let found = template(b"\nTo: b", 13).unwrap();
        let names = ["date", "user-id"].map(|name| found.in_case(name.to_owned()));
        let names = [&names[0][..], &names[1]];
        assert_eq!(found.with(&base, &names), b"Host: a\nTo: b\nDate: b\nUser-Id: b");
        let dashed = template(b"\n--max-size2: b", 13).unwrap();
        assert_eq!(dashed.with(&base, &["to"]), b"Host: a\nTo: b\n--to: b");
        assert_eq!(template(b"word", 0), None);
        assert_eq!(template(b", 12", 0), None);
    }

    #[test]
    fn words_that_are_no_keys_may_be_names_that_are_absent() {
        let words = words_beside_keys(b"GET / HTTP/1.1\r\nVary: User-Agent\r\nHost: to\r\nA: Host");
        assert_eq!(words, ["GET", "HTTP", "User-Agent"]);
    }
}
