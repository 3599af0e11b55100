//! Planted fixes: right ones, ones that only refuse the minimal input, and ones that refuse too much.
//! A kit of each planted cause has to distinguish them.

use std::path::Path;

use crate::causes::{CAUSES, Cause};
use crate::patterns::sampler;
use seedsmith::internal::event::{FixVerdict, Judged};
use seedsmith::internal::generalize::Options as PatternOptions;
use seedsmith::internal::generalize::PatternFile;
use seedsmith::internal::session::OpenSession;
use seedsmith::internal::session::OpenTarget;
use seedsmith::internal::session::SessionOptions;
use seedsmith::internal::session::disk;
use seedsmith::internal::session::{JudgeOptions, Kit, judge};
use seedsmith::internal::session::{Named, Options};
use seedsmith::internal::session::{Parts, contents};
use seedsmith_engine::ClosureTarget;
use seedsmith_engine::internal::Budget;
use seedsmith_engine::{Kind, Signature};
use seedsmith_engine::{Observation, Verdict as Says};

/// Causes that fixes are planted for.
const FIXED: usize = 10;

type Observe = Box<dyn Fn(&[u8]) -> Observation>;

fn failed() -> Observation {
    Observation::Failed(Signature::of_kind(Kind::Command).into())
}

fn observed(fails: bool) -> Observation {
    if fails { failed() } else { Observation::Returned(Says::Keep) }
}

/// Writes a kit of the cause into `folder` and loads it again.
fn kit_of(cause: &Cause, folder: &Path) -> Kit {
    let fails = cause.fails;
    let closure = ClosureTarget::observing(move |input| observed(fails(input)));
    let target = OpenTarget::new(Box::new(closure));
    let named = sampler(cause.grammar).map(|sampler| {
        let file = folder.join("planted.g4");
        std::fs::write(&file, cause.grammar).unwrap();
        let source = vec![file.to_str().unwrap().to_owned()];
        Named { source, sampler, is_sure: true, is_guessed: false }
    });
    let options = Options {
        pattern: PatternOptions::default(),
        reduces: true,
        inputs: 21,
        wants_untested: false,
        wants_examples: true,
        wants_kit: true,
    };
    let (path, input) = (Path::new("crash.txt"), cause.input.as_bytes());
    let mut quiet = |_: &seedsmith::Event<'_>| {};
    let session =
        OpenSession::open(&target, path, input, &SessionOptions::default(), &mut quiet).unwrap();
    let done = session.generalize(named, &options, &mut quiet).unwrap();
    let signature = Signature::of_kind(Kind::Command);
    let pattern = PatternFile::of(&done.found.pattern, String::new(), None, &done.source);
    let parts = Parts {
        original: (path, input),
        target: &target,
        runs: 1,
        signature: &signature,
        failure: signature.to_string(),
        pattern: &pattern,
        text: String::new(),
        condition: None,
        page: String::new(),
        reach: Err("planted".to_owned()),
        judge: "seedsmith judge kit",
    };
    let place = folder.join("kit");
    disk::leave(&contents(&done, &parts), &place).unwrap();
    let kit = Kit::read(&place, &std::sync::atomic::AtomicBool::new(false)).unwrap();
    assert_eq!(kit.no_pattern, None, "{}", cause.name);
    kit
}

/// The kit's verdict on a patched target.
fn judged(kit: &mut Kit, patched: Observe) -> Judged {
    let target = OpenTarget::new(Box::new(ClosureTarget::observing(patched)));
    let limits = SessionOptions::default().limits;
    let options = JudgeOptions { limits, budget: Budget::default(), draws: 100, seed: 0 };
    judge(kit, &target, &options).unwrap()
}

#[test]
fn fixes_of_the_minimal_input_alone_are_recognised_and_right_ones_pass() {
    for cause in &CAUSES[..FIXED] {
        let folder = tempfile::tempdir().unwrap();
        let mut kit = kit_of(cause, folder.path());
        let fails = cause.fails;
        let minimal = kit.given[0].1.clone();
        let name = cause.name;

        // As it was before any fix.
        let before = judged(&mut kit, Box::new(move |input| observed(fails(input))));
        assert_eq!(before.verdict, FixVerdict::StillFails, "{name}");
        assert!(before.failing.len() + before.fresh.len() >= 10, "{name}: {before:?}");
        assert!(before.passing.len() >= 10, "{name}: {before:?}");

        let silenced = minimal.clone();
        let silences = move |input: &[u8]| observed(fails(input) && input != silenced);
        let told = judged(&mut kit, Box::new(silences));
        assert_eq!(told.verdict, FixVerdict::SilencesTheGiven, "{name}: {told:?}");

        let handles = |_: &[u8]| observed(false);
        let told = judged(&mut kit, Box::new(handles));
        assert_eq!(told.verdict, FixVerdict::Fixed, "{name}: {told:?}");

        let refuses = move |input: &[u8]| match fails(input) {
            true => Observation::Returned(Says::Reject),
            false => Observation::Returned(Says::Keep),
        };
        let told = judged(&mut kit, Box::new(refuses));
        assert_eq!(told.verdict, FixVerdict::Fixed, "{name}: {told:?}");
    }
}

#[test]
fn a_fix_that_refuses_too_much_or_fails_otherwise_is_recognised() {
    for cause in &CAUSES[..2] {
        let folder = tempfile::tempdir().unwrap();
        let mut kit = kit_of(cause, folder.path());
        let everything = |_: &[u8]| Observation::Returned(Says::Reject);
        let told = judged(&mut kit, Box::new(everything));
        assert_eq!(told.verdict, FixVerdict::BreaksPassing, "{}: {told:?}", cause.name);
        let fails = cause.fails;
        let otherwise = move |input: &[u8]| match fails(input) {
            true => Observation::Failed(Signature::of_kind(Kind::Abort).into()),
            false => Observation::Returned(Says::Keep),
        };
        // The failure of this kit is an exit status, so a signal gives no verdict.
        let told = judged(&mut kit, Box::new(otherwise));
        assert_eq!(told.verdict, FixVerdict::Unknown, "{}: {told:?}", cause.name);
        kit.file.signature.is_status = false;
        kit.file.signature.kind = "panic".to_owned();
        let told = judged(
            &mut kit,
            Box::new(move |input| match fails(input) {
                true => Observation::Failed(Signature::of_kind(Kind::Abort).into()),
                false => Observation::Returned(Says::Keep),
            }),
        );
        assert_eq!(told.verdict, FixVerdict::FailsOtherwise, "{}: {told:?}", cause.name);
    }
}

#[test]
fn a_kit_whose_names_lead_out_of_its_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    kit_of(&CAUSES[0], folder.path());
    let table = folder.path().join("kit/kit.json");
    let text = std::fs::read_to_string(&table).unwrap();
    for name in ["../planted.g4", "/etc/hostname", ""] {
        let changed = text.replace("\"minimal.txt\"", &format!("{name:?}"));
        assert_ne!(changed, text);
        std::fs::write(&table, changed).unwrap();
        let never = std::sync::atomic::AtomicBool::new(false);
        let refused = Kit::read(&folder.path().join("kit"), &never).unwrap_err().to_string();
        assert!(refused.contains("which is outside of it"), "{refused}");
    }
}

/// Generalizes `last[0,4]` with a guessed grammar of lists in parentheses, and returns whether the
/// grammar was used, and the notes.
fn guessed(observe: fn(&[u8]) -> Observation) -> (bool, Vec<String>) {
    let target = OpenTarget::new(Box::new(ClosureTarget::observing(observe)));
    let grammar = "grammar Lists; text: item* EOF; item: ATOM | '(' item* ')';
        ATOM: [a-z0-9,[\\]]+; WS: ' '+ -> skip;";
    let sampler = sampler(grammar).unwrap();
    let source = vec!["lists".to_owned()];
    let named = Named { source, sampler, is_sure: true, is_guessed: true };
    let options = Options {
        pattern: PatternOptions::default(),
        reduces: false,
        inputs: 6,
        wants_untested: false,
        wants_examples: false,
        wants_kit: false,
    };
    let mut notes = Vec::new();
    let mut hear = |event: &seedsmith::Event<'_>| {
        if let seedsmith::Event::Note(_, text) = event {
            notes.push((*text).to_owned());
        }
    };
    let options_of_all = SessionOptions::default();
    let (path, input) = (Path::new("crash"), b"last[0,4]");
    let session = OpenSession::open(&target, path, input, &options_of_all, &mut hear).unwrap();
    let done = session.generalize(Some(named), &options, &mut hear).unwrap();
    (!done.source.is_empty(), notes)
}

fn has_index(input: &[u8]) -> bool {
    input.windows(5).any(|part| part == b"last[")
}

#[test]
fn a_guessed_grammar_is_dropped_where_the_target_rejects_its_inputs_or_it_says_nothing() {
    let (is_used, notes) = guessed(|input| match has_index(input) {
        true => failed(),
        false => Observation::Returned(Says::Reject),
    });
    let told = "the guessed grammar lists is not used: the target rejects most of its inputs";
    assert!(!is_used && notes.iter().any(|note| note == told), "{notes:?}");
    // Nothing else that the grammar derives fails, since the required text is one token of it.
    let (is_used, notes) = guessed(|input| observed(input.starts_with(b"last[")));
    assert!(is_used || notes.iter().any(|note| note.contains("lists is not used")), "{notes:?}");
    // A grammar that fits is kept.
    let (is_used, notes) = guessed(|_| failed());
    assert!(is_used && notes.is_empty(), "{notes:?}");
}
