//! Pages of what a target made up: none of it becomes markup or turns the text round.

use std::io::Cursor;

use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use maud::PreEscaped;

use super::repair::RepairPage;
use super::{CorpusPage, GroupsPage, Made, MinimizedPage, PatternPage, frame};
use crate::event::{
    CorpusFile, CorpusSource, Counts, CoverageFunction, CoverageTotals, Event, FailureGroup,
    FailureGroups, Joined, MinimizedCorpus, MinimizedInput, ReducerStats, RepairStatus,
    RepairTotals, RepairedInput, Reporter, Subject,
};
use crate::report::reporters::hostile::Hostile;
use seedsmith_grammar::Random;
use seedsmith_grammar::internal::is_control;

/// What made a page, with a hostile word in its command.
pub(super) fn made() -> Made {
    let command = "tmin '</dd><script>alert(1)</script>\u{202e}'".to_owned();
    Made { command, version: "1.2.3", when: UNIX_EPOCH }
}

/// The elements of a page of ours, and the attributes that they have.
const ELEMENTS: &[&str] = &[
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "main",
    "h1",
    "h2",
    "p",
    "pre",
    "table",
    "tr",
    "th",
    "td",
    "code",
    "span",
    "br",
    "ul",
    "li",
    "i",
    "b",
    "del",
    "ins",
    "section",
    "div",
    "input",
    "select",
    "option",
    "output",
    "script",
    "!doctype",
    "!--",
    "dl",
    "dt",
    "dd",
    "h3",
    "thead",
    "tbody",
    "details",
    "summary",
    "button",
    "a",
    "mark",
    "figure",
    "figcaption",
    "svg",
    "path",
    "text",
    "rect",
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
    "data-status",
    "data-kind",
    "data-target",
    "data-state",
    "data-files",
    "data-removed",
    "data-features",
    "data-unique",
    "data-blocks",
    "data-missing",
    "scope",
    "open",
    "tabindex",
    "role",
    "href",
    "download",
    "viewBox",
    "preserveAspectRatio",
    "aria-hidden",
    "width",
    "height",
    "d",
    "x",
    "y",
    "text-anchor",
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
        if let Some((_, rest)) = tag.split_once("href=\"") {
            let link = rest.split('"').next().unwrap();
            let is_ours =
                link.starts_with('#') || link.starts_with("data:application/octet-stream;");
            let is_relative = !link.contains(':') && !link.starts_with('/');
            assert!(is_ours || is_relative, "seed {seed}: {tag:?}");
        }
        for attribute in words.map(|word| word.trim_end_matches('=')) {
            assert!(ATTRIBUTES.contains(&attribute), "seed {seed}: {tag:?}");
        }
        rest = after.to_owned();
    }
}

#[test]
fn nothing_of_a_target_an_input_or_a_grammar_becomes_markup_in_the_page_of_a_pattern() {
    for seed in 0..200 {
        let mut page = PatternPage::new(made());
        page.report(&Event::Generalized(&Hostile(Random::new(seed)).generalized()));
        assert!(page.html().contains("Derivation tree"));
        assert_holds_text_only(page.html(), seed);
    }
}

#[test]
fn nothing_of_a_target_or_an_input_becomes_markup_in_the_page_of_repairs() {
    for seed in 0..200 {
        let mut hostile = Hostile(Random::new(seed));
        let mut page =
            RepairPage::begin(Cursor::new(Vec::new()), &made()).expect("memory can be written");
        let (input, text) = (hostile.bytes(), hostile.bytes());
        for (status, text) in
            [(RepairStatus::Repaired, Some(&*text)), (RepairStatus::NotRepaired, None)]
        {
            let row = crate::event::RepairRow { status, ..hostile.repaired() };
            page.add(&RepairedInput { row: &row, input: &input, text })
                .expect("memory can be written");
        }
        let written = page.finish(&RepairTotals::default()).expect("memory can be written");
        let html = String::from_utf8(written.into_inner()).expect("a page is text");
        assert_holds_text_only(&html, seed);
    }
}

/// What is at `path` after the page has heard the events.
fn heard(mut page: impl Reporter, path: &Path, events: &[Event<'_>]) -> String {
    events.iter().for_each(|event| page.report(event));
    assert!(page.take_error().is_none());
    std::fs::read_to_string(path).expect("the page is written")
}

/// Fails where an identifier is there twice.
fn assert_unique_ids(html: &str) {
    let (body, _) = html.split_once("<script>").expect("the page has a script");
    let ids = body.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    let mut ids: Vec<&str> = ids.collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all);
}

#[test]
fn nothing_of_a_target_or_an_input_becomes_markup_in_the_page_of_minimized_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    for seed in 0..100 {
        let mut hostile = Hostile(Random::new(seed));
        let (input, target) = (hostile.path(), hostile.text());
        let best = hostile.bytes();
        let stats = vec![ReducerStats {
            reducer: hostile.text(),
            counts: Counts { calls: 1, tests: 1, cache_hits: 0, executions: 1 },
            bytes_before: 9,
            bytes_after: 1,
            elapsed: Duration::ZERO,
        }];
        let finished = MinimizedInput { stats, ..hostile.minimized() };
        let (signature, groups) = (hostile.signature(), hostile.groups());
        let events = [
            Event::Subject(Subject { input: &input, target: &target }),
            Event::Started { bytes: 100, signature: &signature },
            Event::Reduced { best: &best, counts: Counts::default(), elapsed: Duration::ZERO },
            Event::PassedOver { input: &input, why: &target, exit: 1 },
            Event::Minimized(&finished),
            Event::GroupsMinimized(&groups),
        ];
        let single = MinimizedPage::begin(&path, false, made(), false).unwrap();
        let html = heard(single, &path, &events[..5]);
        assert!(html.contains("class=\"curve\"") && html.contains("Derivation tree"), "{html}");
        assert_holds_text_only(&html, seed);
        let many = MinimizedPage::begin(&path, false, made(), true).unwrap();
        let html = heard(many, &path, &events);
        assert!(html.contains("id=\"input-1\""), "{html}");
        assert_unique_ids(&html);
        assert_holds_text_only(&html, seed);
    }
}

#[test]
fn nothing_of_a_target_or_an_input_becomes_markup_in_the_page_of_failures() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    for seed in 0..100 {
        let mut hostile = Hostile(Random::new(seed));
        let (input, why) = (hostile.path(), hostile.text());
        let mut groups = hostile.groups();
        let ids = groups.rows.iter().map(|row| &row.id);
        groups.joined = Some(Joined::of(ids, vec!["0".to_owned(), hostile.text()]));
        let page = GroupsPage::begin(&path, made()).unwrap();
        let events =
            [Event::PassedOver { input: &input, why: &why, exit: 1 }, Event::Grouped(&groups)];
        let html = heard(page, &path, &events);
        assert!(html.contains("data-state=\"known\"") && html.contains("data-state=\"fixed\""));
        assert_unique_ids(&html);
        assert_holds_text_only(&html, seed);
    }
}

#[test]
fn a_page_of_two_thousand_failures_has_a_row_for_each_and_one_without_failures_has_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let mut groups = Hostile(Random::new(0)).groups();
    let row = groups.rows[0].clone();
    groups.rows =
        (0..2000).map(|at| FailureGroup { id: format!("{at:016x}"), ..row.clone() }).collect();
    let html = heard(GroupsPage::begin(&path, made()).unwrap(), &path, &[Event::Grouped(&groups)]);
    assert_eq!(html.matches("<section class=\"row bad\"").count(), 2000);
    assert_unique_ids(&html);
    let none = FailureGroups { rows: Vec::new(), passing: vec!["a".into()], ..groups };
    let html = heard(GroupsPage::begin(&path, made()).unwrap(), &path, &[Event::Grouped(&none)]);
    assert!(!html.contains("<section") && html.contains("1 input does not fail"), "{html}");
}

#[test]
fn nothing_of_a_target_or_an_input_becomes_markup_in_the_pages_of_corpora() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    for seed in 0..100 {
        let mut hostile = Hostile(Random::new(seed));
        let (input, output, source, why) =
            (hostile.path(), hostile.path(), hostile.path(), hostile.text());
        let (target, name, file) = (hostile.text(), hostile.text(), hostile.text());
        let kept = CorpusFile { input: &input, name: "da39a3", bytes: 3, features: 9, unique: 2 };
        let of = CorpusSource { source: &source, inputs: 4, features: 9, unique: 1, kept: 1 };
        let corpus = MinimizedCorpus {
            target: &target,
            output: &output,
            is_last: true,
            is_added: seed % 2 == 0,
            inputs: 5,
            input_bytes: 50,
            kept: 1,
            kept_bytes: 3,
            features: 9,
            added: 2,
            rejected: 0,
            failing: 1,
            failures: 1,
            recalled: 2,
            elapsed: Duration::from_millis(7),
        };
        let events = [
            Event::CorpusFile(&kept),
            Event::CorpusSource(&of),
            Event::PassedOver { input: &input, why: &why, exit: 6 },
            Event::CorpusMinimized(&corpus),
        ];
        let html = heard(CorpusPage::begin(&path, made()).unwrap(), &path, &events);
        assert!(html.contains("data-bytes=\"3\"") && html.contains("data-unique=\"2\""), "{html}");
        assert_unique_ids(&html);
        assert_holds_text_only(&html, seed);

        let function = |reached| CoverageFunction {
            name: &name,
            file: Some(&file),
            line: Some(7),
            blocks: 4,
            reached,
            against: Some(1),
        };
        let functions = [function(0), function(3), function(4)];
        let totals = CoverageTotals {
            target: &target,
            inputs: 5,
            failing: 1,
            functions: 3,
            functions_reached: 2,
            lines: 10,
            lines_reached: 7,
            differing: Some(3),
        };
        let event = Event::Coverage { functions: &functions, totals: &totals };
        let html = heard(CorpusPage::begin(&path, made()).unwrap(), &path, &[event]);
        for state in ["none", "some", "all"] {
            assert!(html.contains(&format!("data-state=\"{state}\"")), "{html}");
        }
        assert_unique_ids(&html);
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
