//! A git repository of a test, free of the user's configuration.

use std::path::Path;
use std::process::Command;

use crate::scratch::Scratch;

/// git in `folder`, without arguments yet.
pub fn git_in(folder: &Path) -> Command {
    let mut command = Command::new("git");
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    command.args(["-c", "user.name=Test", "-c", "user.email=test@localhost", "-C"]).arg(folder);
    command
}

/// The output of git, without the line's end.
pub fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = git_in(folder).args(arguments).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {stderr}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Makes the folder a repository without commits.
pub fn init(folder: &Path) {
    git(folder, &["init", "--quiet", "--initial-branch=main"]);
}

/// Writes `file` and commits it; the hash of the commit.
pub fn commit(scratch: &Scratch, file: &str, text: &str) -> String {
    scratch.write(file, text);
    git(scratch.path(), &["add", "--", file]);
    git(scratch.path(), &["commit", "--quiet", "-m", file]);
    git(scratch.path(), &["rev-parse", "HEAD"])
}
