//! Reports in which every field that a target, an input or a grammar can decide holds something
//! hostile. For tests.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use seedsmith_engine::internal::{Content, Files, FolderFile};
use seedsmith_engine::{Frame, Kind, Message, Signature};
use seedsmith_grammar::Random;

use crate::event::{
    AppliedSettings, Artifact, ArtifactKind, ArtifactResult, Became, Caught, Claim, Counts,
    DifferencePart, FailureGroup, FailureGroups, FixVerdict, GeneralizedInput, GrammarDescription,
    GrammarRule, GrammarToken, GroupResult, IsolatedInput, Judged, JudgedInput, ListedTarget,
    Listing, MeasuredCondition, Minimality, MinimizedFolder, MinimizedInput, PatternPart, Reason,
    RepairRow, RepairStatus, Sanitized, StackLine, TreeRow,
};

/// What a target may write: control characters of every kind, markup, and bytes that are no text.
pub struct Hostile(pub Random);

impl Hostile {
    pub fn bytes(&mut self) -> Vec<u8> {
        let length = self.0.below(24);
        let mut bytes = Vec::new();
        while bytes.len() < length {
            match self.0.below(6) {
                0 => bytes.push(self.0.below(256) as u8),
                1 => bytes.push(self.0.below(32) as u8),
                2 => bytes.extend("\u{9b}2J\u{202e}\u{2066}\u{61c}".as_bytes()),
                3 => bytes.extend(b"\x1b[41m\x1b]0;title\x07"),
                4 => bytes
                    .extend(b"</pre></code><script>alert(1)</script><img src=x onerror=alert(2)>"),
                _ => bytes.extend(b"\" onload='alert(3)' {}\\\"&lt;--\n"),
            }
        }
        bytes
    }

    pub fn text(&mut self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }

    pub fn path(&mut self) -> PathBuf {
        use std::os::unix::ffi::OsStringExt;
        std::ffi::OsString::from_vec(self.bytes()).into()
    }

    pub fn signature(&mut self) -> Signature {
        Signature {
            kind: Kind::Panic,
            place: Some(self.text()),
            message: Some(Message::new(&self.text())),
            frames: vec![Frame::at(self.text(), 1, true)],
        }
    }

    pub fn stack(&mut self) -> Vec<StackLine> {
        let line = |own| StackLine {
            function: self.text(),
            file: Some(self.text()),
            line: Some(1),
            column: None,
            own,
        };
        [true, false, false, true].map(line).into()
    }

    pub fn minimized(&mut self) -> MinimizedInput {
        let caught = Caught {
            signature: Arc::new(self.signature()),
            stack: self.stack(),
            path: self.path(),
            bytes: 1,
        };
        MinimizedInput {
            input: self.path(),
            output: self.path(),
            original: self.bytes(),
            best: self.bytes(),
            counts: Counts::default(),
            elapsed: Duration::ZERO,
            signature: self.signature(),
            stack: self.stack(),
            minimality: Minimality::None,
            stopped: None,
            confirmed: None,
            sanitized: Some(Sanitized { signature: self.signature(), stack: self.stack() }),
            reproduce: vec![self.text()],
            decoded: Some(self.text()),
            tree: Some(vec![self.tree_row(0), self.tree_row(1)]),
            other_failures: vec![caught],
            recalled: 0,
            stats: Vec::new(),
            remarks: vec![self.text()],
        }
    }

    pub fn isolated(&mut self) -> IsolatedInput {
        let part = DifferencePart { offset: 0, removed: self.bytes(), inserted: self.bytes() };
        IsolatedInput {
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

    pub fn generalized(&mut self) -> GeneralizedInput {
        let reason = Reason {
            offset: 0,
            text: self.bytes(),
            passes: Some(self.bytes()),
            also_fails: vec![self.bytes()],
        };
        GeneralizedInput {
            input: self.path(),
            input_bytes: 10,
            minimized: self.bytes(),
            grammar: Some(self.text()),
            pattern: self.text(),
            parts: vec![(PatternPart::Any, self.text())],
            room: vec![(0, self.text())],
            claim: Claim::Concrete,
            claimed_limit: None,
            condition: Some(MeasuredCondition {
                text: self.text(),
                inputs: 10,
                agreeing: 9,
                precision: 1.0,
                recall: 0.5,
                is_exact: true,
            }),
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
            tree: Some(vec![self.tree_row(0), self.tree_row(1)]),
            stopped: None,
        }
    }

    fn tree_row(&mut self, depth: usize) -> TreeRow {
        TreeRow {
            depth,
            names: vec![(self.text(), true), (self.text(), false)],
            part: Some((PatternPart::Any, self.bytes())),
            is_leaf: depth > 0,
        }
    }

    fn files(&mut self, count: usize) -> Files {
        let bytes = |bytes: Vec<u8>| Content::Bytes(bytes.into(), 0o644);
        let files =
            (0..count).map(|_| FolderFile { path: self.path(), content: bytes(self.bytes()) });
        Files { files: files.collect(), empty_folders: Vec::new() }
    }

    pub fn folder(&mut self) -> MinimizedFolder {
        MinimizedFolder {
            input: self.path(),
            output: self.path(),
            original: self.files(2),
            best: self.files(1),
            counts: Counts::default(),
            elapsed: Duration::ZERO,
            signature: self.signature(),
            code: None,
        }
    }

    pub fn settings(&mut self) -> AppliedSettings {
        AppliedSettings {
            file: self.path(),
            target: Some(self.text()),
            values: vec![(self.text(), self.text())],
        }
    }

    pub fn listing(&mut self) -> Listing {
        let artifact = Artifact {
            path: self.path(),
            bytes: 1,
            modified: UNIX_EPOCH,
            kind: ArtifactKind::Crash,
            minimized: Some(ArtifactResult {
                path: self.path(),
                bytes: 1,
                is_complete: Some(true),
                failure: Some(self.text()),
            }),
        };
        let targets = vec![ListedTarget { name: self.text(), artifacts: vec![artifact] }];
        Listing { folder: self.path(), targets }
    }

    pub fn judged(&mut self) -> Judged {
        let mut input =
            |became| JudgedInput { name: Some(self.text()), input: self.bytes(), became };
        let given = vec![input(Became::FailsTheSame)];
        let failing = vec![input(Became::Unknown)];
        let signature = Arc::new(self.signature());
        let other = JudgedInput {
            name: None,
            input: self.bytes(),
            became: Became::FailsOtherwise(signature),
        };
        Judged {
            verdict: FixVerdict::StillFails,
            given,
            failing,
            fresh: vec![other],
            passing: Vec::new(),
            executions: 3,
        }
    }

    pub fn groups(&mut self) -> FailureGroups {
        let row = FailureGroup {
            id: "0".to_owned(),
            target: self.text(),
            stack: self.stack(),
            signature: Arc::new(self.signature()),
            inputs: vec![self.path()],
            smallest: self.path(),
            smallest_bytes: 1,
            is_steady: true,
            results: vec![GroupResult { output: self.path(), bytes: 1 }],
        };
        let other = FailureGroup { target: self.text(), results: Vec::new(), ..row.clone() };
        FailureGroups {
            rows: vec![row, other],
            passing: vec![self.path()],
            troubled: 0,
            joined: None,
        }
    }

    pub fn repaired(&mut self) -> RepairRow {
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
            message: Some(self.bytes()),
            rejected: Some(self.bytes()),
            note: Some(self.text()),
            failures: 1,
            other_failures: vec![self.path()],
        }
    }

    pub fn grammar(&mut self) -> GrammarDescription {
        let rule = GrammarRule {
            name: self.text(),
            definition: self.text(),
            minimal: Some(self.text()),
            is_reachable: false,
        };
        GrammarDescription {
            name: self.text(),
            start: self.text(),
            rules: vec![rule],
            tokens: vec![GrammarToken { name: self.text(), minimal: Some(self.text()) }],
            unused_fragments: vec![self.text()],
            notices: vec![self.text()],
            is_complete: true,
        }
    }
}
