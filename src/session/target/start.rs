//! Whether most of a test of a command is the start of something else than the program: a script that
//! looks for an interpreter, or a Java virtual machine.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A script that chooses an interpreter has some lines, so a longer file is not read to its end. A
/// guess; not measured.
const MAX_SCRIPT_BYTES: u64 = 16 << 10;

/// A note about the start of the program `name`, if there is something to note.
pub(crate) fn note(name: &OsStr) -> Option<String> {
    let file = find(name)?;
    let called = Path::new(name).file_name()?.to_string_lossy().into_owned();
    if called == "java" {
        return Some(
            "most of a test may be the start of the Java virtual machine: \
             JAVA_TOOL_OPTIONS='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto' shortens it"
                .to_owned(),
        );
    }
    let manager = manager_of(&file)?;
    Some(format!(
        "{called} is a script of {manager} that looks for the interpreter, which may be most of a test: \
         name the program that `{manager} which {called}` prints"
    ))
}

/// The version manager that a script belongs to, if it is one that only looks for a program.
fn manager_of(file: &Path) -> Option<&'static str> {
    const MANAGERS: [&str; 4] = ["pyenv", "rbenv", "nodenv", "asdf"];
    let mut text = String::new();
    let script = fs::File::open(file).ok()?;
    script.take(MAX_SCRIPT_BYTES).read_to_string(&mut text).ok()?;
    let runs = |manager: &&str| {
        text.contains(&format!("{manager} exec")) || text.contains(&format!("{manager}\" exec"))
    };
    text.starts_with("#!").then(|| MANAGERS.into_iter().find(runs)).flatten()
}

fn find(name: &OsStr) -> Option<PathBuf> {
    if Path::new(name).components().count() > 1 {
        return Some(name.into());
    }
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_that_looks_for_an_interpreter_is_named_with_the_way_around_it() {
        let folder = tempfile::tempdir().unwrap();
        let shim = folder.path().join("python3");
        let text =
            "#!/usr/bin/env bash\nexec \"/root/.pyenv/bin/pyenv\" exec \"$program\" \"$@\"\n";
        fs::write(&shim, text).unwrap();
        let said = note(shim.as_os_str()).unwrap();
        assert!(said.contains("`pyenv which python3`"), "{said}");
        fs::write(&shim, "#!/bin/sh\nexec real \"$@\"\n").unwrap();
        assert_eq!(note(shim.as_os_str()), None);
        assert!(note(OsStr::new("/usr/bin/java")).unwrap().contains("virtual machine"));
    }
}
