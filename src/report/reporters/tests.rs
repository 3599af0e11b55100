//! Reports of what a target made up: none of it may drive a terminal.

use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;
use std::sync::Arc;

use seedsmith_grammar::control_chars::is_control;
use seedsmith_grammar::random::Random;

use super::hostile::Hostile;
use super::*;
use crate::report::summary::grammar::{ErrorShown, NodeShown, ShownNodeKind};
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

/// Gives every report something hostile.
fn tell_all(report: &mut Report, hostile: &mut Hostile) {
    report.begin(Subject { input: &hostile.path(), target: &hostile.text() });
    report.say(&hostile.text());
    report.say_more(&hostile.text());
    let (signature, input) = (Arc::new(hostile.signature()), hostile.bytes());
    report.hear(&Event::Note(&hostile.text()));
    report.hear(&Event::Detail(&hostile.text()));
    report.hear(&Event::Started { bytes: 1, signature: &signature });
    report.hear(&Event::OtherFailure { signature: &signature, input: &input });
    report.finished(&hostile.finished());
    report.isolated(&hostile.isolated());
    report.abstracted(&hostile.abstracted());
    let (path, copies, target) = (hostile.path(), [hostile.path()], hostile.text());
    report.triaged(&Triaged {
        input: &path,
        copies: &copies,
        target: &target,
        bytes: 1,
        shown: 1,
        runs: 2,
        code: None,
        signature: Some(&signature),
    });
    report.passed_over(&path, &hostile.text(), 1);
    report.groups(&hostile.groups());
    report.results(&hostile.groups());
    report.repaired(&hostile.repaired());
    report.diagnosis(&hostile.repaired(), &hostile.bytes(), &hostile.bytes());
    report.grammar(&hostile.grammar());
    let (name, bytes) = (hostile.text(), hostile.bytes());
    let token = |parent| NodeShown {
        kind: if parent == 0 { ShownNodeKind::Token } else { ShownNodeKind::Error },
        name: Some(&name),
        start: 0,
        end: bytes.len(),
        parent,
    };
    let errors = vec![ErrorShown { line: 1, column: 1, message: hostile.text() }];
    let nodes = vec![token(0), token(0), token(1)];
    let errors_left_out = 0;
    let shown = ParseShown { input: &path, bytes: &bytes, errors, errors_left_out, nodes };
    report.parsed(&shown, &|| true);
    report.failed(&hostile.text(), 1);
}

/// What a report writes to stderr, to stdout for people and to stdout for programs.
fn told(tell: Tell, look: Look, is_terminal: bool, seed: u64) -> [Vec<u8>; 3] {
    let (talk, data, lines) = (Sink::default(), Sink::default(), Sink::default());
    let sinks =
        || -> (Box<dyn Write>, Box<dyn Write>) { (Box::new(talk.clone()), Box::new(data.clone())) };
    let console = Console::new("tmin", tell, None).into(sinks(), look, is_terminal);
    let json = tell.json.then(|| Json::to(Box::new(lines.clone())));
    let mut report = Report::over(console, json);
    tell_all(&mut report, &mut Hostile(Random::new(seed)));
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
            let tell = Tell {
                json,
                stats: true,
                quiet,
                verbose: true,
                logs_progress: true,
                color: Color::Auto,
            };
            let columns = (seed % 3 != 0).then_some(seed as usize * 4 + 10);
            let look = Look { has_colors: seed % 2 == 0, has_links: false, columns };
            let [talk, data, lines] = told(tell, look, true, seed);
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
    json.failed(message, 1);
    let line = String::from_utf8(data.0.take()).unwrap();
    assert!(line.contains("\\u202e"), "{line}");
    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(value["message"], message);
}

#[test]
fn data_for_a_program_is_handed_over_byte_for_byte() {
    let (talk, data) = (Sink::default(), Sink::default());
    let console = Console::new("tmin", Tell::default(), None);
    let console = console.into((Box::new(talk), Box::new(data.clone())), Look::default(), false);
    Report::over(console, None).hand_over(b"a\x1b[2J\xff\t");
    assert_eq!(data.0.take(), b"a\x1b[2J\xff\t");
}
