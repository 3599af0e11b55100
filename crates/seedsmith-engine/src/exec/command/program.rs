//! A program that is run on candidates: its command line, where it runs, and the meaning of its
//! end.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::folder::input::FolderInput;
use super::forking::Knowledge;
use super::meaning::{CommandMode, Meaning, UNRESOLVED_STATUS};
use crate::exec::TargetError;
use crate::exec::workers::launch::quiet_environment;

/// Where a command runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Workplace {
    /// Each test in a new folder that holds the candidate under the input's name.
    #[default]
    Private,
    /// The same, and arguments that name files of this process' folder are made absolute; one that
    /// names the input itself becomes the candidate.
    PrivateWithPaths,
    /// In this process' own folder; files that a test leaves there are visible to the next one.
    Shared,
}

/// The data about a target's program that all its slots share.
pub(super) struct Program {
    /// The program and its arguments.
    pub arguments: Vec<OsString>,
    /// The meaning of its end.
    pub meaning: Arc<Meaning>,
    /// How the candidate's file is called, for programs that look at the ending.
    pub file_name: OsString,
    /// The original input's file, if there is one.
    pub input: Option<PathBuf>,
    /// How a folder is made of a candidate, if it is not a file.
    pub folder: Option<Arc<FolderInput>>,
    /// Whether libFuzzer looks for leaks in it.
    pub finds_leaks: bool,
    /// Whether it may be forked, and the knowledge about its forks.
    pub forks: Arc<Knowledge>,
    /// Where it runs.
    pub workplace: Workplace,
    /// Whether it was seen to need address space without a limit, as sanitizers do.
    pub reserves: Arc<AtomicBool>,
}

/// A command line that is ready to be started on one file.
pub(super) struct Prepared {
    /// The program's file.
    pub program: PathBuf,
    /// Its name and arguments.
    pub arguments: Vec<OsString>,
    /// As `NAME=value`.
    pub environment: Vec<OsString>,
}

impl Program {
    /// The program `arguments[0]` with its arguments.
    pub(super) fn new(arguments: Vec<OsString>, mode: CommandMode) -> Self {
        let workplace = match mode {
            CommandMode::Executable => Workplace::Shared,
            _ => Workplace::Private,
        };
        Program {
            arguments,
            meaning: Arc::new(Meaning::new(mode, Vec::new(), UNRESOLVED_STATUS)),
            file_name: "candidate".into(),
            input: None,
            folder: None,
            finds_leaks: false,
            forks: Arc::default(),
            workplace,
            reserves: Arc::default(),
        }
    }

    /// The command line for candidates in `file`, in the folder that holds it or in this process'.
    pub(super) fn prepare(&self, file: &Path) -> Result<Prepared, TargetError> {
        let Some(name) = self.arguments.first().filter(|name| !name.is_empty()) else {
            return Err(TargetError::EmptyCommand);
        };
        let failed = |error| TargetError::system(format!("start {}", name.display()), error);
        let program = find(name).map_err(failed)?;
        // A program may look for its own files beside the path by which it was called.
        let called =
            if name.as_bytes().contains(&b'/') { program.clone().into() } else { name.clone() };
        let arguments = self.arguments[1..].iter().map(|argument| {
            let replaced = replace_braces(argument, file);
            if replaced == *argument && self.workplace == Workplace::PrivateWithPaths {
                return self.with_path(argument, file);
            }
            replaced
        });
        Ok(Prepared {
            program,
            arguments: [called].into_iter().chain(arguments).collect(),
            environment: self.environment(file.parent().unwrap_or(Path::new("/"))),
        })
    }

    /// An argument as an absolute path where it names a file, or as `NAME=path` does.
    fn with_path(&self, argument: &OsStr, file: &Path) -> OsString {
        let bytes = argument.as_bytes();
        let path_at = match bytes.iter().position(|byte| *byte == b'=') {
            Some(at) if bytes.starts_with(b"-") => at + 1,
            _ => 0,
        };
        let path = Path::new(OsStr::from_bytes(&bytes[path_at..]));
        let is_relative = path.is_relative() && !path.as_os_str().is_empty();
        let Some(found) = fs::canonicalize(path).ok().filter(|_| is_relative) else {
            return argument.to_owned();
        };
        let input = self.input.as_deref().and_then(|input| fs::canonicalize(input).ok());
        let mut whole = OsStr::from_bytes(&bytes[..path_at]).to_owned();
        match input {
            Some(input) if input == found => whole.push(file),
            // Not the canonical path: a link's name may matter.
            _ => whole.push(std::path::absolute(path).unwrap_or(found)),
        }
        whole
    }

    /// Whether [`Workplace::PrivateWithPaths`] would give the program other arguments.
    pub(super) fn names_files(&self) -> bool {
        let file = Path::new("{}");
        let rest = self.arguments.iter().skip(1);
        rest.into_iter().any(|argument| self.with_path(argument, file) != *argument)
    }

    fn environment(&self, folder: &Path) -> Vec<OsString> {
        let mut changes = Command::new("");
        if self.meaning.mode == CommandMode::Executable {
            quiet_environment(&mut changes, self.finds_leaks);
        }
        if self.workplace != Workplace::Shared {
            changes.env("PWD", folder).env_remove("OLDPWD");
        }
        let changed: Vec<_> = changes.get_envs().collect();
        let kept = env::vars_os().filter(|(name, _)| !changed.iter().any(|(one, _)| one == name));
        let given =
            changed.iter().filter_map(|(name, value)| Some(((*name).into(), (*value)?.into())));
        let variable = |(mut name, value): (OsString, OsString)| {
            name.push("=");
            name.push(value);
            name
        };
        kept.chain(given).map(variable).collect()
    }
}

/// The file of the program `name`, as this process' folder and PATH have it: where a test runs, neither
/// a relative path nor a relative entry of PATH would lead there.
fn find(name: &OsStr) -> io::Result<PathBuf> {
    if name.as_bytes().contains(&b'/') {
        return std::path::absolute(name);
    }
    let path = env::var_os("PATH").unwrap_or_else(|| "/bin:/usr/bin".into());
    let files =
        env::split_paths(&path).filter_map(|folder| std::path::absolute(folder.join(name)).ok());
    let is_program = |file: &PathBuf| {
        fs::metadata(file)
            .is_ok_and(|known| known.is_file() && known.permissions().mode() & 0o111 != 0)
    };
    files.into_iter().find(is_program).ok_or_else(|| nix::errno::Errno::ENOENT.into())
}

/// `argument` with every `{}` replaced by the file's path.
fn replace_braces(argument: &OsStr, file: &Path) -> OsString {
    let mut out = OsString::new();
    let mut rest = argument.as_bytes();
    while let Some(at) = rest.windows(2).position(|pair| pair == b"{}") {
        out.push(OsStr::from_bytes(&rest[..at]));
        out.push(file);
        rest = &rest[at + 2..];
    }
    out.push(OsStr::from_bytes(rest));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_from_here_and_its_arguments_stay_as_typed() {
        let arguments = ["sh", "-c", "cat {}; cat {}", "no/such"].map(Into::into).to_vec();
        let mut program = Program::new(arguments, CommandMode::ExitZeroFails);
        let prepared = program.prepare(Path::new("/t/x")).unwrap();
        assert!(prepared.program.is_absolute());
        assert_eq!(prepared.arguments, ["sh", "-c", "cat /t/x; cat /t/x", "no/such"]);
        assert!(prepared.environment.contains(&"PWD=/t".into()));
        program.arguments[0] = "no-such-program".into();
        assert!(matches!(program.prepare(Path::new("/t/x")), Err(TargetError::System { .. })));
    }

    #[test]
    fn arguments_that_name_files_become_paths_and_the_input_becomes_the_candidate() {
        // The tests run in the package's folder.
        let arguments = ["sh", "Cargo.toml", "--rules=build.rs", "-v", "a=build.rs", "src/lib.rs"];
        let mut program =
            Program::new(arguments.map(Into::into).to_vec(), CommandMode::ExitZeroFails);
        program.input = Some("src/lib.rs".into());
        assert!(program.names_files());
        program.workplace = Workplace::PrivateWithPaths;
        let here = env::current_dir().unwrap();
        let prepared = program.prepare(Path::new("/t/lib.rs")).unwrap();
        let absolute = |name: &str| here.join(name).into_os_string();
        let mut rules = OsString::from("--rules=");
        rules.push(absolute("build.rs"));
        let expected = [absolute("Cargo.toml"), rules, "-v".into(), "a=build.rs".into()];
        assert_eq!(prepared.arguments[1..5], expected);
        assert_eq!(prepared.arguments[5], "/t/lib.rs");
    }
}
