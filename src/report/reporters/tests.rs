//! Reports of what a target made up: none of it may drive a terminal.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::Arc;

use seedsmith_grammar::Random;
use seedsmith_grammar::internal::is_control;

use super::hostile::Hostile;
use super::*;
use crate::event::{
    CorpusSource, CoverageFunction, CoverageTotals, JudgedKit, KeepGoing, NodeKind, NoteKind,
    ParsedFile, ParsedNode, RanInput, RepairedInput, Subject, SyntaxError, TriagedInput,
};
use crate::report::terminal::{Color, Look};

#[derive(Clone, Default)]
struct Sink(Rc<RefCell<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reports something hostile in every event that has a text.
fn report_all(report: &mut Reporters, hostile: &mut Hostile) {
    let (path, target) = (hostile.path(), hostile.text());
    report.report(&Event::Subject(Subject { input: &path, target: &target }));
    report.report(&Event::Message(&hostile.text()));
    report.report(&Event::Note(NoteKind::Target, &hostile.text()));
    report.report(&Event::Detail(&hostile.text()));
    let (signature, input) = (Arc::new(hostile.signature()), hostile.bytes());
    report.report(&Event::Started { bytes: 1, signature: &signature });
    report.report(&Event::OtherFailure { signature: &signature, input: &input });
    report.report(&Event::Settings(&hostile.settings()));
    report.report(&Event::Listed(&hostile.listing()));
    report.report(&Event::Minimized(&hostile.minimized()));
    report.report(&Event::FolderMinimized(&hostile.folder()));
    report.report(&Event::Isolated(&hostile.isolated()));
    report.report(&Event::Generalized(&hostile.generalized()));
    let ran = RanInput {
        input: &path,
        bytes: &input,
        target: &target,
        runs: 5,
        slowest: Duration::ZERO,
        outcome: hostile.text(),
        failure: Some((signature.clone(), 2)),
        stack: hostile.stack(),
        decoded: Some(hostile.text()),
    };
    report.report(&Event::Ran(&ran));
    let judged = hostile.judged();
    let kit = JudgedKit { kit: &path, target: &target, code: None, judged: &judged };
    report.report(&Event::Judged(&kit));
    let copies = [hostile.path()];
    report.report(&Event::Triaged(&TriagedInput {
        input: &path,
        copies: &copies,
        target: &target,
        bytes: 1,
        shown: 1,
        runs: 2,
        code: None,
        signature: Some(&signature),
    }));
    report.report(&Event::PassedOver { input: &path, why: &hostile.text(), exit: 1 });
    report.report(&Event::Grouped(&hostile.groups()));
    report.report(&Event::GroupsMinimized(&hostile.groups()));
    let function = CoverageFunction {
        name: &target,
        file: Some(&target),
        line: Some(1),
        blocks: 2,
        reached: 1,
        against: None,
    };
    let totals = CoverageTotals {
        target: &target,
        inputs: 1,
        failing: 0,
        functions: 1,
        functions_reached: 1,
        lines: 1,
        lines_reached: 1,
        differing: None,
    };
    report.report(&Event::Coverage { functions: &[function], totals: &totals });
    let source = CorpusSource { source: &path, inputs: 1, features: 1, unique: 1, kept: 1 };
    report.report(&Event::CorpusSource(&source));
    let (row, text) = (&hostile.repaired(), &hostile.bytes());
    let repaired = RepairedInput { row, input: &input, text: Some(text) };
    report.report(&Event::Repaired(&repaired));
    report.report(&Event::RepairDiagnosed(&repaired));
    report.report(&Event::Grammar(&hostile.grammar()));
    let token = |parent| ParsedNode {
        kind: if parent == 0 { NodeKind::Token } else { NodeKind::Error },
        name: Some(&target),
        start: 0,
        end: input.len(),
        parent,
    };
    report.report(&Event::Parsed(&ParsedFile {
        input: &path,
        bytes: &input,
        errors: vec![SyntaxError { line: 1, column: 1, message: hostile.text() }],
        errors_left_out: 0,
        nodes: vec![token(0), token(0), token(1)],
        keep_going: KeepGoing(&|| true),
    }));
    report.report(&Event::Failed { message: &hostile.text(), exit: 1 });
}

/// What a report writes to stderr, to stdout for people and to stdout for programs.
fn written(options: ReportOptions, look: Look, is_terminal: bool, seed: u64) -> [Vec<u8>; 3] {
    let (talk, data, lines) = (Sink::default(), Sink::default(), Sink::default());
    let sinks =
        || -> (Box<dyn Write>, Box<dyn Write>) { (Box::new(talk.clone()), Box::new(data.clone())) };
    let console = Console::new("tmin", options, None).into(sinks(), look, is_terminal);
    let mut report = Reporters::of(Box::new(console));
    if options.json {
        report.add(Box::new(Json::to(Box::new(lines.clone()))));
    }
    report_all(&mut report, &mut Hostile(Random::new(seed)));
    drop(report);
    [talk, data, lines].map(|sink| sink.0.take())
}

fn assert_harmless(text: Vec<u8>, kept: &[char], seed: u64) {
    let text = String::from_utf8(text).expect("it is text");
    // The styles are ours; none of them is among what the target writes.
    let ours = [0, 1, 2, 31, 32, 35, 36].map(|code| format!("\x1b[{code}m"));
    let text = ours.iter().fold(text, |text, one| text.replace(one, ""));
    let control = text.chars().find(|c| is_control(*c) && !kept.contains(c));
    assert_eq!(control, None, "seed {seed}: {text:?}");
}

#[test]
fn no_control_character_of_a_target_gets_to_a_terminal_whatever_is_reported() {
    for seed in 0..30 {
        for (quiet, json) in [(false, false), (true, false), (false, true)] {
            let options = ReportOptions {
                json,
                stats: true,
                quiet,
                verbose: true,
                logs_progress: true,
                color: Color::Auto,
            };
            let columns = (seed % 3 != 0).then_some(seed as usize * 4 + 10);
            let look = Look { has_colors: seed % 2 == 0, has_links: false, columns };
            let [talk, data, lines] = written(options, look, true, seed);
            assert!(!talk.is_empty() && (!data.is_empty() || json));
            assert_eq!(lines.is_empty(), !json);
            for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                serde_json::from_slice::<serde_json::Value>(line).expect("each line is JSON");
            }
            for text in [talk, data, lines] {
                assert_harmless(text, &['\n'], seed);
            }
        }
    }
}

#[test]
fn json_lines_keep_their_values_when_control_characters_are_escaped() {
    let data = Sink::default();
    let mut json = Json::to(Box::new(data.clone()));
    let message = "\u{9b}1m \u{202e} \x7f\x1b\\ \"\u{2069}\u{85}";
    json.report(&Event::Failed { message, exit: 1 });
    let line = String::from_utf8(data.0.take()).unwrap();
    assert!(line.contains("\\u202e"), "{line}");
    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(value["message"], message);
}

#[test]
fn data_for_a_program_is_handed_over_byte_for_byte() {
    let (talk, data) = (Sink::default(), Sink::default());
    let console = Console::new("tmin", ReportOptions::default(), None);
    let console = console.into((Box::new(talk), Box::new(data.clone())), Look::default(), false);
    Reporters::of(Box::new(console)).report(&Event::Data(b"a\x1b[2J\xff\t"));
    assert_eq!(data.0.take(), b"a\x1b[2J\xff\t");
}
