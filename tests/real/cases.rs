//! Every light panic case: size, place, the same bytes for any `-j`, and minimality by brute
//! force on the real target.

use std::os::unix::process::ExitStatusExt;

use seedsmith::Search;
use seedsmith::{Event, Minimality};
use seedsmith_engine::InjectedTarget;
use seedsmith_engine::Outcome;
use seedsmith_engine::SameFailure;
use seedsmith_engine::Sameness;
use seedsmith_engine::internal::InjectedOptions;
use seedsmith_engine::internal::{Budget, Oracle};
use seedsmith_engine::{Kind, Signature};

use crate::built::{assert_success, cargo, crash_of, executable_of, finished, root, tmin};
use crate::left::assert_none_left;

/// Target, a piece of the panic's place, and the smallest size that any tool is known to reach.
const CASES: [(&str, &str, u64); 8] = [
    ("toml_header", "src/parser/document.rs:491", 5),
    ("ini_escape", "rust-ini-0.15.0/src/ini.rs:1106", 6),
    ("md_blockquote", "pulldown-cmark-0.8.0/src/scanners.rs:1062", 4),
    ("md_refdef", "pulldown-cmark-0.13.3/src/parse.rs:2367", 10),
    ("regex_flags", "regex-syntax-0.5.3/src/hir/translate.rs:203", 6),
    ("xml_comment", "quick-xml-0.27.1/src/reader/parser.rs:104", 7),
    // Its directory is at the file's end, at an offset that the file's start gives: no byte can go.
    ("tiff_tile", "tiff-0.7.0/src/decoder/mod.rs:1312", 37_332),
    ("jpeg_noframe", "jpeg-decoder-0.1.21/src/decoder.rs:412", 4),
];

/// The cases whose crates take a quarter of a minute to some minutes to build, on two cores: `scripts/cases` runs them too.
const HEAVY: [(&str, &str, u64); 6] = [
    ("sql_infix", "sqlparser-0.9.0/src/parser.rs:897", 9),
    ("hbs_partial", "handlebars-3.5.4/src/template.rs:672", 15),
    ("asn1_utctime", "simple_asn1-0.6.0/src/lib.rs:508", 15),
    ("wasm_custom", "parity-wasm-0.20.0/src/elements/section.rs:221", 11),
    ("js_bigint", "Boa-0.10.0/src/syntax/lexer/number.rs:291", 3),
    ("lua_backtick", "full_moon-2.2.0/src/tokenizer/lexer.rs:1210", 1),
];

fn cases() -> Vec<(&'static str, &'static str, u64)> {
    let with_heavy = std::env::var_os("SEEDSMITH_HEAVY_CASES").is_some();
    let heavy = HEAVY.iter().filter(|_| with_heavy);
    CASES.iter().chain(heavy).copied().collect()
}

#[test]
fn every_case_ends_as_small_as_any_tool_gets_it_at_the_same_place_for_any_number_of_jobs() {
    let scratch = tempfile::tempdir().unwrap();
    for (target, place, bytes) in cases() {
        let mut results = Vec::new();
        for jobs in ["1", "2"] {
            let output = scratch.path().join(format!("{target}-{jobs}"));
            let event = finished(
                tmin().args(["--json", "-j", jobs, "-o"]).arg(&output).arg(crash_of(target)),
            );
            let seen = event["signature"]["place"].as_str().unwrap_or_default();
            assert!(seen.contains(place), "{target}: {seen}");
            assert!(event["output_bytes"].as_u64().unwrap() <= bytes, "{target}: {event}");
            results.push((std::fs::read(&output).unwrap(), event));
        }
        assert_eq!(results[0].0, results[1].0, "{target}: -j changes only speed");
        assert_eq!(results[0].1["tests"], results[1].1["tests"], "{target}");
        let (result, event) = &results[0];
        let place = event["signature"]["place"].as_str().unwrap();
        let minimality = event["minimality"].as_str().unwrap();
        assert_is_minimal(target, place, result, minimality);
    }
}

/// No single byte can go; and where `global` is claimed, no shorter input fails at all.
fn assert_is_minimal(target: &str, place: &str, result: &[u8], minimality: &str) {
    let executable = executable_of(target);
    let injected = InjectedTarget::new(&executable, InjectedOptions::default()).unwrap();
    let signature = Signature { place: Some(place.to_owned()), ..Signature::of_kind(Kind::Panic) };
    let judge = SameFailure { signature, sameness: Sameness::default() };
    let mut oracle = Oracle::new(&injected, judge, 2, Budget::default()).unwrap();
    assert_eq!(oracle.outcome(result).unwrap(), Outcome::Fail, "{target}: the result fails");
    let mut listener = |_: &Event<'_>| {};
    let mut search = Search::new(&mut oracle, result.to_vec(), &mut listener);
    let mut at = 0..result.len();
    let smaller = search
        .first(|candidate| {
            let gone = at.next()?;
            candidate.extend_from_slice(result);
            candidate.remove(gone);
            Some(gone)
        })
        .unwrap();
    assert_eq!(smaller, None, "{target}: a byte of {result:?} can go");
    assert_ne!(minimality, "none", "{target}");
    if minimality == serde_json::to_value(Minimality::Global).unwrap() && result.len() <= 3 {
        let mut all = (0..result.len() as u32)
            .flat_map(|length| (0..256u32.pow(length)).map(move |number| (length, number)));
        let smaller = search
            .first(|candidate| {
                let (length, number) = all.next()?;
                candidate.extend_from_slice(&number.to_be_bytes()[4 - length as usize..]);
                Some((length, number))
            })
            .unwrap();
        assert_eq!(smaller, None, "{target}: a shorter input than {result:?} fails");
    }
}

#[test]
fn a_stack_overflow_ends_near_the_least_depth_at_the_same_place() {
    let scratch = tempfile::tempdir().unwrap();
    let output = scratch.path().join("ron_nest");
    let event = finished(tmin().args(["--json", "-o"]).arg(&output).arg(crash_of("ron_nest")));
    assert_eq!(event["signature"]["kind"], "stack-overflow", "{event}");
    let depth = event["output_bytes"].as_u64().unwrap() as usize;
    let result = std::fs::read(&output).unwrap();
    assert!(result.iter().all(|byte| *byte == b'['), "{depth} bytes");
    // New processes have a little less stack than those of the search: see `scripts/cases`.
    let executable = executable_of("ron_nest");
    let overflows = |depth: usize| {
        let nest = scratch.path().join("nest");
        std::fs::write(&nest, vec![b'['; depth]).unwrap();
        let run = std::process::Command::new(&executable).arg(&nest).output().unwrap();
        // libFuzzer's handler has no stack left to say a word.
        run.status.signal() == Some(11)
    };
    assert!(overflows(depth) && !overflows(depth / 2));
    let (mut low, mut high) = (0, depth);
    while high - low > 1 {
        let middle = low.midpoint(high);
        if overflows(middle) { high = middle } else { low = middle }
    }
    assert!(depth * 100 <= high * 102, "{depth} levels where {high} are enough");
}

#[test]
fn a_linked_target_ends_as_small_as_an_injected_one() {
    let scratch = tempfile::tempdir().unwrap();
    let output = scratch.path().join("linked");
    let mark = format!("SEEDSMITH_LINKED_TEST={}", std::process::id());
    let (name, value) = mark.split_once('=').unwrap();
    let in_fuzz = |arguments: &[&str]| {
        let mut command = cargo(&root().join("fuzz"), arguments);
        command.env(name, value).env("CARGO_PROFILE_DEV_DEBUG", "none");
        // Its `tmin` is another program than the root's.
        command.env("CARGO_TARGET_DIR", root().join("fuzz/target"));
        command.args(["--no-default-features", "--features", "tmin,toml_header"]);
        // The run is short: optimizing the parts that the package optimizes takes a minute more.
        for library in ["seedsmith-engine", "seedsmith-grammar"] {
            let option = format!("profile.dev.package.{library}.opt-level=0");
            command.args(["--config", &option]);
        }
        command
    };
    // The package's other program too: the manual's page shows it.
    let programs = ["build", "--quiet", "--bin", "tmin", "--bin", "tmin_toml_header"];
    assert_success(&in_fuzz(&programs).output().unwrap());
    let status = in_fuzz(&["run", "--quiet", "--bin", "tmin_toml_header"])
        .args(["--", "-q", "-o"])
        .arg(&output)
        .arg(crash_of("toml_header"))
        .output()
        .unwrap();
    assert_success(&status);
    assert!(std::fs::read(&output).unwrap().len() <= 5);
    // A linked program is no libFuzzer executable: it must not be started once more to see its
    // target's decoded input.
    assert_none_left(&mark);
}
