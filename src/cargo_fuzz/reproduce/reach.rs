//! How a regression test reaches the code under test: the source of a fuzz target, or a command.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

use crate::corpus::input_of;
use crate::regression::{Fails, Reach, RustReach, ShellReach, Word};
use crate::session::target::{CommandLine, OpenTarget, Origin};
use seedsmith_engine::Workplace;
use seedsmith_engine::internal::Condition;
use seedsmith_engine::{Kind, Signature};

/// Why there is no test for a target.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum NoTest {
    /// The source of a fuzz target is not where cargo-fuzz puts it.
    #[error("a test needs the source of {target}, and {} can't be read", path.display())]
    NoSource {
        /// The target's name.
        target: String,
        /// Where its source should be.
        path: PathBuf,
    },
    /// The fuzz target imports macros in a way that works only in the root of a crate.
    #[error(
        "a test can't include {}: it has `extern crate libfuzzer_sys`; \
         `use libfuzzer_sys::fuzz_target;` does the same",
        path.display()
    )]
    ExternCrate {
        /// The target's source.
        path: PathBuf,
    },
    /// A Rust file is named for a target that is a program.
    #[error("{} is a program, so the test is a shell script; name it {}", target, other.display())]
    NotRust {
        /// The target's name.
        target: String,
        /// A name for a script.
        other: PathBuf,
    },
    /// Another file than one of Rust is named for a fuzz target.
    #[error("{target} is a fuzz target, so the test is in Rust; name it {}", other.display())]
    NotShell {
        /// The target's name.
        target: String,
        /// A name for a file of Rust.
        other: PathBuf,
    },
    /// A shell script cannot check whether a run fails.
    #[error("a shell script can't tell this failure ({what}) from others")]
    NotTold {
        /// The kind of failure.
        what: String,
    },
}

/// How a test in the file `test` reaches the target on which inputs fail with `signature`.
///
/// The source of a fuzz target of a package is included by a Rust test. Everything else is run by a
/// shell script. Nothing is written and nothing is run here.
///
/// # Errors
///
/// The target, or its failure, cannot be expressed in a test; the error says which part of it.
pub(crate) fn reach(
    target: &OpenTarget,
    test: &Path,
    signature: &Signature,
) -> Result<Reach, NoTest> {
    let is_rust = test.extension().is_some_and(|ending| ending == "rs");
    let folder = folder_of(test);
    let source = match &target.origin {
        Origin::FuzzTarget { folder, name, .. } => {
            Some((name, folder.join("fuzz_targets").join(format!("{name}.rs"))))
        }
        Origin::Linked(name) | Origin::Unknown(name) => {
            Some((name, folder.join("../fuzz_targets").join(format!("{name}.rs"))))
        }
        Origin::Command { .. } | Origin::Executable(_) | Origin::Harness(_) => None,
    };
    match source {
        Some((name, _)) if !is_rust => {
            let other = test.with_extension("rs");
            Err(NoTest::NotShell { target: name.clone(), other })
        }
        Some((name, path)) => {
            let Ok(text) = fs::read_to_string(&path) else {
                return Err(NoTest::NoSource { target: name.clone(), path });
            };
            if text.contains("extern crate libfuzzer_sys") {
                return Err(NoTest::ExternCrate { path });
            }
            let path = std::path::absolute(&path).unwrap_or(path);
            Ok(Reach::Rust(of_source(&text, relative(&path, &folder))))
        }
        None if is_rust => {
            let (target, other) = (target.name.clone(), test.with_extension("sh"));
            Err(NoTest::NotRust { target, other })
        }
        None => Ok(Reach::Shell(of_program(&target.origin, &folder, signature)?)),
    }
}

/// The absolute folder of a file.
fn folder_of(file: &Path) -> PathBuf {
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    file.parent().unwrap_or(Path::new("/")).to_owned()
}

/// The requirements of a fuzz target's source on a test that includes it.
fn of_source(text: &str, path: String) -> RustReach {
    let argument =
        Regex::new(r"fuzz_target!\s*[({](?:\s*init\s*:[^|]*)?\s*\|\s*\w+\s*:\s*([^|]+)\|")
            .expect("the expression is well formed");
    let is_typed = argument.captures(text).is_some_and(|found| {
        let kind: String = found[1].split_whitespace().collect();
        kind != "&[u8]"
    });
    let has = |word: &str| text.contains(word);
    RustReach {
        path,
        is_typed,
        uses_arbitrary: has("arbitrary"),
        uses_corpus: has("Corpus"),
        has_mutator: has("fuzz_mutator!"),
    }
}

/// How a shell script reaches a target that no Rust test can include: by the words of a command or
/// the path of an executable, as seen from the script's `folder`.
///
/// # Errors
///
/// The failure is one that a script cannot recognise.
fn of_program(origin: &Origin, folder: &Path, signature: &Signature) -> Result<ShellReach, NoTest> {
    let (argv, line, input_name): (Vec<OsString>, Option<&CommandLine>, _) = match origin {
        Origin::Command { line, input } => {
            let name = input_of(input).file_name().map(|name| name.to_string_lossy().into_owned());
            (line.argv.clone(), Some(line), name)
        }
        Origin::Executable(executable) => (vec![executable.into(), "{}".into()], None, None),
        Origin::Harness(argv) => (argv.clone(), None, None),
        _ => (Vec::new(), None, None),
    };
    let workplace = line.map_or(Workplace::Private, |line| line.workplace);
    let words = argv.iter().enumerate().map(|(at, word)| {
        let text = word.to_string_lossy().into_owned();
        let is_file = at == 0 || workplace != Workplace::Private || Path::new(&text).is_absolute();
        match is_file.then(|| file_word(&text, at == 0, folder)).flatten() {
            Some(word) => word,
            None => Word::Text(text),
        }
    });
    let words = words.collect();
    let here = std::env::current_dir().unwrap_or_default();
    Ok(ShellReach {
        words,
        folder: (workplace == Workplace::Shared).then(|| relative(&here, folder)),
        input_name: input_name.unwrap_or_else(|| "input".to_owned()),
        fails: fails(line, signature)?,
    })
}

/// A word that names a file of the user's, as seen from the test's folder; nothing for other words.
///
/// A program without a slash is looked for in `PATH`, and so is no file of the user's.
fn file_word(text: &str, is_program: bool, folder: &Path) -> Option<Word> {
    let path = Path::new(text);
    let name = path.file_name()?.to_string_lossy().into_owned();
    if is_program {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let is_in_path = path.is_absolute()
            && std::env::split_paths(&folders).any(|one| Some(one.as_path()) == path.parent());
        if is_in_path {
            return Some(Word::Text(name));
        }
        // A bare name is looked for in PATH.
        if !text.contains('/') {
            return None;
        }
    }
    let path = std::path::absolute(path).ok()?;
    path.is_file().then(|| Word::File(relative(&path, folder)))
}

/// How a script knows that the failure shows: by the user's own condition, by exit status 0, by a
/// crash, or, for an executable, by any exit status but 0.
///
/// # Errors
///
/// The failure is a hang or takes too much memory, or there is a condition that a shell cannot
/// check.
fn fails(line: Option<&CommandLine>, signature: &Signature) -> Result<Fails, NoTest> {
    let not_told = |what: String| NoTest::NotTold { what };
    let Some(line) = line else { return Ok(Fails::AnyError) };
    match line.fails_if.as_slice() {
        [] => {}
        [Condition::Status(status)] => return Ok(Fails::Status(*status)),
        [Condition::Signal] => return Ok(Fails::Crash),
        _ => return Err(not_told("one of --fails-if".to_owned())),
    }
    match signature.kind {
        Kind::Command => Ok(Fails::Status(0)),
        Kind::Timeout | Kind::OutOfMemory => Err(not_told(signature.kind.to_string())),
        _ => Ok(Fails::Crash),
    }
}

/// `path` as seen from `folder`; both absolute.
///
/// A test that is committed must work in another checkout, so it has no absolute paths.
pub(super) fn relative(path: &Path, folder: &Path) -> String {
    let (path, folder) = (without_dots(path), without_dots(folder));
    let (mut to, mut from) = (path.components().peekable(), folder.components().peekable());
    while to.peek().is_some() && to.peek() == from.peek() {
        to.next();
        from.next();
    }
    let mut out = PathBuf::new();
    from.for_each(|_| out.push(".."));
    out.extend(to);
    match out.to_string_lossy().into_owned() {
        same if same.is_empty() => ".".to_owned(),
        out => out,
    }
}

/// The path with each `..` and the folder before it removed.
///
/// Links are not resolved: the file does not have to exist.
fn without_dots(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedsmith_engine::ClosureTarget;

    fn target(origin: Origin) -> OpenTarget {
        let closure = ClosureTarget::failing_if(|_| true);
        OpenTarget { origin, ..OpenTarget::new(Box::new(closure)) }
    }

    fn command(argv: &[&str]) -> Origin {
        let argv = argv.iter().map(OsString::from).collect();
        Origin::Command { line: CommandLine::new(argv), input: "dir/in.json".into() }
    }

    #[test]
    fn a_path_is_told_from_the_tests_folder() {
        let target = Path::new("/p/fuzz/fuzz_targets/a.rs");
        assert_eq!(relative(target, Path::new("/p/fuzz/tests")), "../fuzz_targets/a.rs");
        assert_eq!(relative(target, Path::new("/p/fuzz/fuzz_targets")), "a.rs");
        let dotted = Path::new("/p/fuzz/tests/../fuzz_targets/a.rs");
        assert_eq!(relative(dotted, Path::new("/p/fuzz/tests")), "../fuzz_targets/a.rs");
    }

    #[test]
    fn a_command_is_tested_by_a_script_and_a_fuzz_target_in_rust() {
        let signature = Signature::of_kind(Kind::Command);
        let test = |name: &str, origin| reach(&target(origin), Path::new(name), &signature);
        let argv = ["sh", "-c", "exit 1", "{}"];
        let Ok(Reach::Shell(script)) = test("t.sh", command(&argv)) else { panic!("no script") };
        assert_eq!((script.fails, script.input_name.as_str()), (Fails::Status(0), "in.json"));
        assert_eq!(script.words, argv.map(|word| Word::Text(word.to_owned())));
        let refused = test("t.rs", command(&argv)).unwrap_err().to_string();
        assert!(refused.ends_with("the test is a shell script; name it t.sh"), "{refused}");
        let linked = test("t.sh", Origin::Linked("parse".to_owned())).unwrap_err().to_string();
        assert!(linked.ends_with("the test is in Rust; name it t.rs"), "{linked}");
    }

    #[test]
    fn programs_and_files_are_named_as_seen_from_the_test() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("parse");
        fs::write(&own, "").unwrap();
        let own = own.to_string_lossy().into_owned();
        let word = |text: &str| file_word(text, true, &folder.path().join("tests"));
        assert_eq!(word(&own), Some(Word::File("../parse".to_owned())));
        assert_eq!(word("sh"), None);
        let shell = std::env::split_paths(&std::env::var_os("PATH").unwrap())
            .map(|one| one.join("sh"))
            .find(|path| path.is_file());
        let shell = shell.unwrap().to_string_lossy().into_owned();
        assert_eq!(word(&shell), Some(Word::Text("sh".to_owned())));
    }

    #[test]
    fn what_a_target_takes_is_read_from_its_source() {
        let bytes = of_source(
            "use libfuzzer_sys::fuzz_target;\nfuzz_target!(|d: &[u8]| {});",
            String::new(),
        );
        assert!(!bytes.is_typed && !bytes.uses_arbitrary && !bytes.uses_corpus);
        let typed = of_source(
            "fuzz_target!(init: { setup() }, |value: (u8, Vec<u8>)| -> Corpus { });",
            String::new(),
        );
        assert!(typed.is_typed && typed.uses_corpus);
        assert!(!of_source("fuzz_target!(|data| { parse(data) });", String::new()).is_typed);
    }
}
