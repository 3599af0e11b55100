//! Pages of what a target made up: none of it becomes markup or turns the text round.

use std::io::Cursor;

use maud::PreEscaped;

use super::repair::RepairPage;
use super::{PatternPage, frame};
use crate::event::{Event, RepairStatus, RepairTotals, Reporter};
use crate::report::reporters::hostile::Hostile;
use seedsmith_grammar::Random;
use seedsmith_grammar::internal::is_control;

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

#[test]
fn nothing_of_a_target_an_input_or_a_grammar_becomes_markup_in_the_page_of_a_pattern() {
    for seed in 0..200 {
        let mut page = PatternPage::default();
        page.report(&Event::Generalized(&Hostile(Random::new(seed)).generalized()));
        assert!(page.html().contains("Derivation tree"));
        assert_holds_text_only(page.html(), seed);
    }
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
            let row = crate::event::RepairRow { status, ..hostile.repaired() };
            page.add(&row, &input, text).expect("memory can be written");
        }
        let written = page.finish(&RepairTotals::default()).expect("memory can be written");
        let html = String::from_utf8(written.into_inner()).expect("a page is text");
        assert_holds_text_only(&html, seed);
    }
}

#[test]
fn the_check_of_pages_finds_markup_and_control_characters() {
    let page = |text: &str| {
        let body = PreEscaped(format!("<p class=\"meta\">{text}</p>\n"));
        frame::page("Title", None, &body).into_string()
    };
    assert_holds_text_only(&page("fine &lt;b"), 0);
    for bad in
        ["<img src=x>", "<b onclick=\"x\">", "<script>x</script><script>", "\u{202e}", "a<", "\x1b"]
    {
        let html = page(bad);
        let found = std::panic::catch_unwind(|| assert_holds_text_only(&html, 0));
        assert!(found.is_err(), "{bad:?}");
    }
}
