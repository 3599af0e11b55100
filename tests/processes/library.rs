//! Sessions of a user's program, on its function and on an executable.

use std::path::PathBuf;

use libtest_mimic::{Failed, Trial};
use seedsmith::{MinimizeOptions, RepairOptions, Session, SessionError, Target};

pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("a_session_minimizes_on_a_function_of_this_program", || {
            minimizes(&Target::linked("hostile"))
        }),
        Trial::test("a_session_minimizes_on_an_executable", || minimizes(&this_executable())),
        Trial::test("a_session_repairs_on_a_function_that_rejects", repairs),
        Trial::test("an_executable_that_is_missing_is_an_error_to_match", missing),
        Trial::test("a_command_without_words_is_an_error_to_match", no_program),
        Trial::test("a_command_runs_in_the_current_folder_if_asked_to", in_current_folder),
    ]
}

/// This program, which is a libFuzzer executable too.
fn this_executable() -> Target {
    Target::executable(std::env::current_exe().expect("a running program has an executable"))
}

fn minimizes(target: &Target) -> Result<(), Failed> {
    let input = b"panic with words that change nothing";
    let minimized = Session::new(target, input).jobs(2).minimize(&MinimizeOptions::new())?;
    assert_eq!(minimized.bytes(), b"panic");
    assert!(minimized.is_complete() && minimized.is_one_minimal(), "{minimized:?}");
    assert!(minimized.to_string().starts_with("5 bytes after "), "{minimized}");
    assert!(minimized.failure().to_string().starts_with("panic at "), "{minimized}");
    let valid = Session::new(target, b"return").minimize(&MinimizeOptions::new());
    assert!(matches!(valid, Err(SessionError::DoesNotFail(_))));
    Ok(())
}

fn repairs() -> Result<(), Failed> {
    let target = Target::linked("hostile");
    let repaired = Session::new(&target, b"reject").repair(&RepairOptions::new())?;
    assert!(repaired.bytes().is_some_and(|bytes| bytes != b"reject"), "{repaired:?}");
    assert_eq!(repaired.distance(), Some(1));
    Ok(())
}

fn missing() -> Result<(), Failed> {
    let target = Target::executable("no/such/file");
    let error = Session::new(&target, b"x").minimize(&MinimizeOptions::new()).unwrap_err();
    assert_eq!(error.to_string(), "no such executable: no/such/file");
    assert!(matches!(error, SessionError::Open(_)));
    Ok(())
}

fn no_program() -> Result<(), Failed> {
    let target = Target::command(Vec::<String>::new());
    let session = Session::new(&target, b"x").minimize(&MinimizeOptions::new());
    assert!(matches!(session, Err(SessionError::Open(_))));
    let repair = Session::new(&target, b"x").repair(&RepairOptions::new());
    assert_eq!(repair.unwrap_err().to_string(), "failed to open ");
    Ok(())
}

fn in_current_folder() -> Result<(), Failed> {
    // `cargo test` runs this program in the folder of the package.
    let script = "test -f Cargo.toml && grep -q BUG \"$1\"";
    let words = ["sh", "-c", script, "sh", "{}"];
    let input = PathBuf::from("in.txt");
    let minimize = |target: &Target| {
        Session::new(target, b"a BUG").named(&input).minimize(&MinimizeOptions::new())
    };
    assert_eq!(minimize(&Target::command(words).in_current_folder())?.bytes(), b"BUG");
    assert!(matches!(minimize(&Target::command(words)), Err(SessionError::DoesNotFail(_))));
    Ok(())
}
