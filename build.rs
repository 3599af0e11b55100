//! Writes what `--version` prints: the version, the commit that this was built from, and the features.
//!
//! A package from a registry has no commit. Without the command line nothing is asked of git, so that
//! a fuzz target with this library is not built again after each commit here.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let set = |name: &str| std::env::var(name).expect("cargo sets it for build scripts");
    let has = |feature: &str| std::env::var_os(format!("CARGO_FEATURE_{feature}")).is_some();
    let root = PathBuf::from(set("CARGO_MANIFEST_DIR"));
    let commit = if has("CLI") { commit(&root) } else { None };
    let features: Vec<&str> = ["CLI", "LANGUAGES", "ARBITRARY", "MUTATOR"]
        .into_iter()
        .filter(|feature| has(feature))
        .collect();
    let text = format!(
        "{}{} features: {}",
        set("CARGO_PKG_VERSION"),
        commit.map(|commit| format!(" ({commit})")).unwrap_or_default(),
        features.join(" ").to_lowercase()
    );
    let path = Path::new(&set("OUT_DIR")).join("version.txt");
    std::fs::write(path, text).expect("cargo made the folder");
}

/// The commit and its day, if `root` is the root of a repository of git's. Another repository may be
/// around it: that of a user who keeps this package in it.
fn commit(root: &Path) -> Option<String> {
    let top = git(root, &["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != root.canonicalize().ok()? {
        return None;
    }
    let commit = git(root, &["log", "-1", "--abbrev=12", "--format=%h %cs"])?;
    for path in changed_by_commits(root) {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    Some(commit)
}

/// Files of git's of which one changes when another commit is checked out or made.
fn changed_by_commits(root: &Path) -> Vec<PathBuf> {
    // A file that does not exist would count as changed at each build.
    let file = |name: &str| {
        let path = git(root, &["rev-parse", "--git-path", name])?;
        Some(root.join(path)).filter(|path| path.exists())
    };
    let branch = git(root, &["symbolic-ref", "--quiet", "HEAD"]);
    let branch = branch.and_then(|branch| file(&branch));
    let head = file("HEAD").into_iter();
    match branch {
        Some(branch) => head.chain([branch]).collect(),
        // A branch that has no file is in packed-refs, until the next commit.
        None => head.chain(file("packed-refs")).chain(file("logs/HEAD")).collect(),
    }
}

/// One line that git prints.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    // git sets these in hooks, for the repository of the hook.
    command.env_remove("GIT_DIR").env_remove("GIT_WORK_TREE").env_remove("GIT_INDEX_FILE");
    let output = command.arg("-C").arg(root).args(arguments).output().ok()?;
    let line = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !line.is_empty()).then_some(line)
}
