//! Pages of what a target made up: none of it becomes markup or turns the text round.

use std::io::Cursor;

use seedsmith_grammar::control_chars::is_control;
use seedsmith_grammar::grammar::language::Language;
use seedsmith_grammar::grammar::substitutes::Substitutes;
use seedsmith_grammar::random::Random;
use seedsmith_grammar::structure::trees::tree::NodeId;
use std::sync::Arc;

use super::{RepairPage, frame, pattern_page};
use crate::generalize::domain::{Domain, Segment};
use crate::generalize::draws::sampler::Sampler;
use crate::generalize::pattern::{Pattern, Slot};
use crate::generalize::subject;
use crate::report::reporters::hostile::Hostile;
use crate::session::repair::{RepairStatus, RepairTotals};

/// The elements of a page of ours, and the attributes that they have.
const ELEMENTS: &[&str] = &[
    "html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "p", "pre", "table",
    "tr", "th", "td", "code", "span", "br", "ul", "li", "i", "b", "del", "ins", "section", "div",
    "input", "select", "option", "output", "script", "!doctype", "!--",
];
const ATTRIBUTES: &[&str] = &[
    "lang",
    "charset",
    "name",
    "content",
    "http-equiv",
    "class",
    "data-edits",
    "data-kept",
    "data-bytes",
    "data-tests",
    "id",
    "hidden",
    "type",
    "placeholder",
    "aria-label",
    "value",
];

/// Fails where a page of which `ours` is the script has a control character, an element or an
/// attribute that no page of ours has, or one whose value does not end.
fn assert_holds_text_only(html: &str, seed: u64) {
    let control = html.chars().find(|c| is_control(*c) && !matches!(c, '\n' | '\t'));
    assert_eq!(control, None, "seed {seed}: {html:?}");
    // The only element whose contents are no text to a browser, besides the style, comes last.
    let (shown, script) = html.split_once("<script>").unwrap_or((html, ""));
    assert!(script.matches("<script").count() == 0, "seed {seed}");
    let shown = shown.replacen(frame::HEAD, "", 1);
    let (head, rest) = shown.split_once("<style>").expect("a page has a style");
    let (_, body) = rest.split_once("</style>").expect("it ends");
    let mut rest = format!("{head}{body}");
    while let Some((_, tag)) = rest.split_once('<') {
        let (tag, after) = tag.split_once('>').expect("a tag ends");
        let tag = tag.trim_start_matches('/');
        // Attributes are in double quotes: every second part is a value.
        let outside: String = tag.split('"').step_by(2).collect::<Vec<_>>().join(" ");
        assert_eq!(tag.matches('"').count() % 2, 0, "seed {seed}: {tag:?}");
        let mut words = outside.split_whitespace();
        let element = words.next().unwrap_or_default();
        assert!(ELEMENTS.contains(&element), "seed {seed}: {tag:?}");
        for attribute in words.map(|word| word.trim_end_matches('=')) {
            assert!(ATTRIBUTES.contains(&attribute), "seed {seed}: {tag:?}");
        }
        rest = after.to_owned();
    }
}

/// A grammar whose rule and literal are made of hostile text, and a sentence of it.
fn hostile_language(hostile: &mut Hostile) -> Option<(Sampler, Vec<u8>)> {
    let without = |text: String, unwanted: &[char]| text.replace(unwanted, "");
    let name = without(hostile.text(), &['<', '>', ' ', '\n', '\t', '\r']);
    // Without an end it is no name of a rule.
    let literal = format!("{}!", without(hostile.text(), &['>']));
    let rule = format!("<r{name}>");
    let grammar = serde_json::json!({ "<start>": [rule.clone()], (rule): [literal.clone()] });
    let language = Language::of_fuzzingbook("planted", &grammar.to_string(), None).ok()?;
    let sampler = Sampler::new(Arc::new(Substitutes::new(language))).ok()?;
    Some((sampler, literal.into_bytes()))
}

#[test]
fn nothing_of_a_target_an_input_or_a_grammar_becomes_markup_in_the_page_of_a_pattern() {
    let mut with_a_tree = 0;
    for seed in 0..200 {
        let mut hostile = Hostile(Random::new(seed));
        let told = hostile.abstracted();
        let domain = Domain::Spelled(vec![Segment::Text(hostile.bytes())]);
        let (subject, slots) = match hostile_language(&mut hostile).filter(|_| seed % 2 == 0) {
            Some((sampler, sentence)) => (subject(sentence, Some(sampler)).0, Vec::new()),
            None => (subject(hostile.bytes(), None).0, vec![Slot::one(NodeId(0), domain)]),
        };
        with_a_tree += u32::from(subject.language.is_some());
        let pattern = Pattern { subject, slots, unknown: Vec::new() };
        assert_holds_text_only(&pattern_page(&told, &pattern), seed);
    }
    assert!(with_a_tree >= 50, "{with_a_tree} grammars were of use");
}

#[test]
fn nothing_of_a_target_or_an_input_becomes_markup_in_the_page_of_repairs() {
    for seed in 0..200 {
        let mut hostile = Hostile(Random::new(seed));
        let mut page = RepairPage::begin(Cursor::new(Vec::new())).expect("memory can be written");
        let (input, text) = (hostile.bytes(), hostile.bytes());
        for (status, text) in
            [(RepairStatus::Repaired, Some(&*text)), (RepairStatus::NotRepaired, None)]
        {
            let row = crate::session::repair::RepairRow { status, ..hostile.repaired() };
            page.add(&row, &input, text).expect("memory can be written");
        }
        let written = page.finish(&RepairTotals::default()).expect("memory can be written");
        let html = String::from_utf8(written.into_inner()).expect("a page is text");
        assert_holds_text_only(&html, seed);
    }
}

#[test]
fn the_check_of_pages_finds_markup_and_control_characters() {
    let page = |text: &str| frame::page("Title", &format!("<p class=\"meta\">{text}</p>\n"));
    assert_holds_text_only(&page("fine &lt;b"), 0);
    for bad in
        ["<img src=x>", "<b onclick=\"x\">", "<script>x</script><script>", "\u{202e}", "a<", "\x1b"]
    {
        let html = page(bad);
        let found = std::panic::catch_unwind(|| assert_holds_text_only(&html, 0));
        assert!(found.is_err(), "{bad:?}");
    }
}
