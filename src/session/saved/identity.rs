//! Which executable it is that is run: observations of one are none of another. And what a user
//! calls it, which is the same when it is built again.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use crate::session::target::{Leaks, OpenTarget, Origin};
use seedsmith_engine::exec::executable::inspect;
use seedsmith_grammar::digest::Digest;

/// What tells a target from every other that may answer differently.
///
/// An executable is told by its build id (its bytes, where the linker left none). A command is told
/// by its words and by the bytes of the files that it names: what those start in turn can't be
/// known.
pub fn identity(target: &OpenTarget) -> String {
    match (&target.origin, &target.executable) {
        (Origin::Command(argv), _) => of_command(argv),
        (_, Some(executable)) => {
            let leaks = if target.leaks == Leaks::Found { ", leaks" } else { "" };
            of_file(executable) + leaks
        }
        (_, None) => target.name.clone(),
    }
}

/// What a user would call the target. It stays the same when the target is built again.
pub fn description(target: &OpenTarget) -> String {
    let described = match &target.origin {
        Origin::Command(argv) => {
            let words: Vec<String> = argv.iter().map(|word| format!("{word:?}")).collect();
            return format!("command {}", words.join(" "));
        }
        Origin::Executable(path) => format!("executable {}", path.display()),
        Origin::Harness(_) => format!("harness {}", target.name),
        Origin::FuzzTarget { folder, name, .. } => format!("{name} in {}", folder.display()),
        Origin::Linked(name) | Origin::Unknown(name) => name.clone(),
    };
    let inspected = target.executable.as_ref().and_then(|path| inspect(path).ok());
    match inspected.and_then(|inspected| inspected.sanitizer) {
        Some(sanitizer) => format!("{described} with the {sanitizer} sanitizer"),
        None => described,
    }
}

fn of_file(executable: &Path) -> String {
    match inspect(executable).ok().and_then(|inspected| inspected.build_id) {
        Some(build_id) => format!("build-id {build_id}"),
        None => match fs::read(executable) {
            Ok(bytes) => format!("xxh3 {:?}", Digest::of(&bytes)),
            Err(_) => executable.display().to_string(),
        },
    }
}

fn of_command(argv: &[OsString]) -> String {
    let words = argv.iter().map(|word| {
        let path = Path::new(word);
        match path.is_file().then(|| fs::read(path)) {
            Some(Ok(bytes)) => format!("{word:?} (xxh3 {:?})", Digest::of(&bytes)),
            _ => format!("{word:?}"),
        }
    });
    format!("command {}", words.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_told_by_its_words_and_the_files_that_it_names() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("check");
        let argv = [OsString::from("sh"), script.clone().into(), "{}".into()];
        fs::write(&script, "exit 0").unwrap();
        let first = of_command(&argv);
        assert_eq!(of_command(&argv), first);
        fs::write(&script, "exit 1").unwrap();
        assert_ne!(of_command(&argv), first);
        assert_ne!(of_command(&argv[..2]), of_command(&argv));
    }
}
