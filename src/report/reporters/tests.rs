//! Reports of what a target made up: none of it may drive a terminal.

use std::cell::RefCell;
use std::io::Write;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use seedsmith_engine::signature::{Frame, Kind, Signature};
use seedsmith_grammar::harmless::is_control;
use seedsmith_grammar::random::Random;

use super::*;
use crate::event::{Counts, Minimality};
use crate::generalize::claim::Claim;
use crate::generalize::pattern::Part as PatternPart;
use crate::generalize::reasons::Reason;
use crate::report::grammar::{ErrorShown, NodeKind, NodeShown, RuleShown, TokenShown};
use crate::report::groups::{GroupResult, GroupRow};
use crate::session::isolate::Part;
use crate::session::repair::RepairStatus;
use crate::session::saved::by_catch::Caught;
use crate::session::stack::StackLine;

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

/// What a target may write: control characters of every kind, and bytes that are no text.
struct Hostile(Random);

impl Hostile {
    fn bytes(&mut self) -> Vec<u8> {
        let length = self.0.below(24);
        let mut bytes = Vec::new();
        while bytes.len() < length {
            match self.0.below(4) {
                0 => bytes.push(self.0.below(256) as u8),
                1 => bytes.push(self.0.below(32) as u8),
                2 => bytes.extend("\u{9b}2J\u{202e}\u{2066}\u{61c}".as_bytes()),
                _ => bytes.extend(b"\x1b[31m\x1b]0;title\x07"),
            }
        }
        bytes
    }

    fn text(&mut self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }

    fn path(&mut self) -> PathBuf {
        use std::os::unix::ffi::OsStringExt;
        std::ffi::OsString::from_vec(self.bytes()).into()
    }

    fn signature(&mut self) -> Signature {
        Signature {
            kind: Kind::Panic,
            place: Some(self.text()),
            message: Some(self.text()),
            frames: vec![Frame { module: self.text().into(), offset: 1, own: true }],
        }
    }

    fn stack(&mut self) -> Vec<StackLine> {
        vec![StackLine { function: self.text(), place: Some(self.text()) }]
    }

    fn finished(&mut self) -> Finished {
        let caught = Caught { signature: Arc::new(self.signature()), path: self.path(), bytes: 1 };
        Finished {
            input: self.path(),
            output: self.path(),
            input_bytes: 100,
            best: self.bytes(),
            counts: Counts::default(),
            elapsed: Duration::ZERO,
            signature: self.signature(),
            stack: self.stack(),
            minimality: Minimality::None,
            stopped: None,
            confirmed: None,
            sanitized: Some(self.signature()),
            reproduce: vec![self.text()],
            decoded: Some(self.text()),
            by_catch: vec![caught],
            recalled: 0,
            stats: Vec::new(),
            remarks: vec![self.text()],
        }
    }

    fn isolated(&mut self) -> Isolated {
        let part = Part { offset: 0, removed: self.bytes(), inserted: self.bytes() };
        Isolated {
            input: self.path(),
            passing: self.bytes(),
            failing: self.bytes(),
            difference: vec![part],
            counts: Counts::default(),
            elapsed: Duration::ZERO,
            signature: self.signature(),
            stack: self.stack(),
            stopped: None,
        }
    }

    fn abstracted(&mut self) -> Abstracted {
        let reason = Reason {
            offset: 0,
            text: self.bytes(),
            passes: Some(self.bytes()),
            also_fails: vec![self.bytes()],
        };
        Abstracted {
            input: self.path(),
            input_bytes: 10,
            minimized: self.bytes(),
            grammar: Some(self.text()),
            pattern: self.text(),
            parts: vec![(PatternPart::Any, self.text())],
            room: vec![(0, self.text())],
            claim: Claim::Concrete,
            condition: None,
            not_varied: vec![(0, self.bytes())],
            is_guessed: true,
            reasons: vec![reason],
            reduction: Counts::default(),
            generalization: Counts::default(),
            reasoning: Counts::default(),
            production: Counts::default(),
            counts: Counts::default(),
            elapsed: Duration::ZERO,
            signature: self.signature(),
            stack: self.stack(),
            written: vec![self.path()],
            remarks: vec![self.text()],
            examples: vec![self.bytes()],
            stopped: None,
        }
    }

    fn groups(&mut self) -> Groups {
        let row = GroupRow {
            target: self.text(),
            signature: Arc::new(self.signature()),
            inputs: vec![self.path()],
            smallest: self.path(),
            smallest_bytes: 1,
            is_steady: true,
            results: vec![GroupResult { output: self.path(), bytes: 1 }],
        };
        let other = GroupRow { target: self.text(), results: Vec::new(), ..row.clone() };
        Groups { rows: vec![row, other], passing: vec![self.path()], troubled: 0 }
    }

    fn repaired(&mut self) -> RepairRow {
        RepairRow {
            input: self.path(),
            output: Some(self.path()),
            status: RepairStatus::Repaired,
            input_bytes: 1,
            output_bytes: 1,
            kept_bytes: 1,
            distance: Some(1),
            tests: 1,
            executions: 1,
            elapsed: Duration::ZERO,
            stopped: None,
            note: Some(self.text()),
            by_catch: vec![self.path()],
        }
    }

    fn grammar(&mut self) -> GrammarShown {
        let rule = RuleShown {
            name: self.text(),
            definition: self.text(),
            minimal: Some(self.text()),
            is_reachable: false,
        };
        GrammarShown {
            name: self.text(),
            start: self.text(),
            rules: vec![rule],
            tokens: vec![TokenShown { name: self.text(), minimal: Some(self.text()) }],
            unused_fragments: vec![self.text()],
            notices: vec![self.text()],
            is_complete: true,
        }
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
    report.hear(&Event::ByCatch { signature: &signature, input: &input });
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
        kind: if parent == 0 { NodeKind::Token } else { NodeKind::Error },
        name: Some(&name),
        start: 0,
        end: bytes.len(),
        parent,
    };
    let errors = vec![ErrorShown { line: 1, column: 1, message: hostile.text() }];
    let nodes = vec![token(0), token(0), token(1)];
    let errors_left_out = 0;
    report.parsed(&ParseShown { input: &path, bytes: &bytes, errors, errors_left_out, nodes });
    report.failed(&hostile.text(), 1);
}

fn told(tell: Tell, is_terminal: bool, seed: u64) -> (Vec<u8>, Vec<u8>) {
    let (talk, data) = (Sink::default(), Sink::default());
    let sinks =
        || -> (Box<dyn Write>, Box<dyn Write>) { (Box::new(talk.clone()), Box::new(data.clone())) };
    let console = Console::new("tmin", tell, None).into(sinks(), is_terminal);
    let json = tell.json.then(|| Json::to(Box::new(data.clone())));
    let mut report = Report { console, json };
    tell_all(&mut report, &mut Hostile(Random::new(seed)));
    drop(report);
    (talk.0.take(), data.0.take())
}

fn assert_harmless(text: Vec<u8>, kept: &[char], seed: u64) {
    let text = String::from_utf8(text).expect("it is text");
    // The style of a part of a pattern is ours, and its letters are not among the target's.
    let text = text.replace("\x1b[32m", "").replace("\x1b[0m", "");
    let control = text.chars().find(|c| is_control(*c) && !kept.contains(c));
    assert_eq!(control, None, "seed {seed}: {text:?}");
}

#[test]
fn no_control_character_of_a_target_gets_to_a_terminal_whatever_is_reported() {
    for seed in 0..30 {
        for (quiet, json) in [(false, false), (true, false), (false, true)] {
            let tell = Tell { json, stats: true, quiet, verbose: true };
            let (talk, data) = told(tell, true, seed);
            assert!(!talk.is_empty() && !data.is_empty());
            assert_harmless(talk, &['\n'], seed);
            assert_harmless(data, &['\n'], seed);
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
    let console = console.into((Box::new(talk), Box::new(data.clone())), false);
    Report { console, json: None }.hand_over(b"a\x1b[2J\xff\t");
    assert_eq!(data.0.take(), b"a\x1b[2J\xff\t");
}
