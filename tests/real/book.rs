//! Runs the manual's command blocks and compares their output with the pages.
//!
//! A page of `docs/src`, and the README, is one session of a shell in a copy of the project that it names by
//! `<!-- project: NAME -->`, a folder of `docs/examples`. In a block marked `console` each line
//! that begins with `$ ` is typed; the lines after it are its output. There `…` matches any text, a
//! line of nothing else any lines, and times, numbers of tests and of folded frames are not
//! compared. A command has to end with status 0, or `$ echo $?` comes next and shows its status.
//! `<!-- $ COMMAND -->` is typed too, and prints nothing: it prepares what a reader has already.
//! `<!-- needs: PROGRAM -->` before a block says that it runs only where PROGRAM is installed;
//! `scripts/nightly manual` installs all of them and sets `SEEDSMITH_WHOLE_MANUAL`, with which a
//! missing one is a failure. `SEEDSMITH_BLESS=1` writes the output into the pages where they differ
//! or show nothing but `…`.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use regex::Regex;

use crate::built::{clangs_libfuzzer, root, target_folder};

/// Printed after each command, with its exit status.
const MARK: &str = "@@seedsmith-manual@@";

#[test]
fn every_command_of_the_manual_prints_what_its_page_shows() {
    let folder = root().join("docs/src");
    let mut pages: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    pages.push(root().join("README.md"));
    pages.sort();
    assert!(pages.len() > 5, "{pages:?}");
    let wrong: Vec<String> = pages.iter().filter_map(|page| checked(page).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A command of a page: its text, and the lines of the page that show its output.
struct Typed {
    text: String,
    shown: std::ops::Range<usize>,
    needs: Option<String>,
}

/// Types a page's commands.
fn checked(page: &Path) -> Result<(), String> {
    let text = fs::read_to_string(page).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let mut commands = commands_of(&lines);
    commands.retain(|command| command.needs.as_deref().is_none_or(is_installed));
    if commands.is_empty() {
        return Ok(());
    }
    let project = lines
        .iter()
        .find_map(|line| line.strip_prefix("<!-- project: ")?.strip_suffix(" -->"))
        .ok_or_else(|| format!("{}: no project is named", page.display()))?;
    let printed = session(project, &commands);
    let is_blessed = std::env::var_os("SEEDSMITH_BLESS").is_some();
    let mut wrong = Vec::new();
    let mut blessed: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
    for (at, command) in commands.iter().enumerate().rev() {
        let Some((output, status)) = printed.get(at) else {
            wrong.push(format!("`{}` was not reached", command.text));
            continue;
        };
        let shows_status = commands.get(at + 1).is_some_and(|next| next.text == "echo $?");
        if *status != 0 && !shows_status {
            wrong.push(format!("`{}` ended with {status}: {output}", command.text));
        }
        let shown = lines[command.shown.clone()].join("\n");
        if !agrees(&shown, output) || (is_blessed && shown == "…") {
            wrong.push(format!("`{}` shows\n{shown}\nand prints\n{output}", command.text));
            blessed.splice(command.shown.clone(), output.lines().map(str::to_owned));
        }
    }
    if is_blessed {
        fs::write(page, blessed.join("\n") + "\n").unwrap();
        return Ok(());
    }
    wrong.reverse();
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{}:\n{}", page.display(), wrong.join("\n")))
}

fn commands_of(lines: &[&str]) -> Vec<Typed> {
    let mut found: Vec<Typed> = Vec::new();
    let (mut is_console, mut needs) = (false, None);
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        at += 1;
        if let Some(program) = line.strip_prefix("<!-- needs: ") {
            needs = Some(program.trim_end_matches(" -->").to_owned());
        } else if let Some(start) = line.strip_prefix("<!-- $ ") {
            let text = start.trim_end_matches(" -->").to_owned();
            found.push(Typed { text, shown: at..at, needs: needs.clone() });
        } else if line.starts_with("```") {
            let opens = line == "```console";
            if !opens && is_console {
                needs = None;
            }
            is_console = opens;
        } else if is_console {
            if let Some(start) = line.strip_prefix("$ ") {
                let mut text = start.to_owned();
                while text.ends_with('\\') && at < lines.len() {
                    text = format!("{text}\n{}", lines[at]);
                    at += 1;
                }
                found.push(Typed { text, shown: at..at, needs: needs.clone() });
            } else if let Some(command) = found.last_mut() {
                command.shown.end = at;
            }
        }
    }
    found
}

fn is_installed(program: &str) -> bool {
    let found = Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .stdout(Stdio::null())
        .status()
        .unwrap()
        .success();
    let all = std::env::var_os("SEEDSMITH_WHOLE_MANUAL").is_some();
    assert!(found || !all, "{program} is not installed");
    if !found {
        eprintln!("{program} is not installed: its commands run in scripts/nightly");
    }
    found
}

/// Types the commands one after another in a copy of a project, and returns the output and the exit
/// status of each.
fn session(project: &str, commands: &[Typed]) -> Vec<(String, i32)> {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join(project);
    copy(&root().join("docs/examples").join(project), &folder);
    let mut script = String::new();
    for command in commands {
        let text = &command.text;
        script += &format!("{text}\nstatus=$?; printf '\\n{MARK}%s\\n' $status; (exit $status)\n");
    }
    let programs = Path::new(env!("CARGO_BIN_EXE_tmin")).parent().unwrap();
    // The interpreter itself, since a script of pyenv in its place prints a note.
    let python = Command::new("python3")
        .args(["-c", "import os, sys; print(os.path.dirname(os.path.realpath(sys.executable)))"])
        .output()
        .expect("python3 is installed");
    let python = String::from_utf8(python.stdout).unwrap();
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{}:{path}", programs.display(), python.trim());
    let mut shell = Command::new("bash");
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let is_cargos = text.starts_with("CARGO_") && text != "CARGO_HOME";
        if is_cargos || text.starts_with("SEEDSMITH_") || text.starts_with("RUST_BACK") {
            shell.env_remove(&name);
        }
    }
    let mut shell = shell
        .current_dir(&folder)
        .env("PATH", path)
        .env("CARGO_TARGET_DIR", target_folder())
        .env("CUSTOM_LIBFUZZER_PATH", clangs_libfuzzer())
        .env("NO_COLOR", "1")
        .env_remove("RUSTFLAGS")
        .env_remove("RUSTUP_TOOLCHAIN")
        .args(["-c", "exec 2>&1; source /dev/stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    shell.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = shell.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let text = text.replace(&*scratch.path().to_string_lossy(), "…");
    let text = text.replace(&*target_folder().to_string_lossy(), "…");
    // Another page's copy of the project was built before, or none.
    let reason = Regex::new(r"(: building `[^\n]*), (because \S+ changed|first time)").unwrap();
    let text = reason.replace_all(&text, "$1, …").into_owned();
    let text = without_progress(&text);
    let mut printed = Vec::new();
    let mut rest = text.as_str();
    while let Some((output, after)) = rest.split_once(&format!("\n{MARK}")) {
        let (status, after) = after.split_once('\n').unwrap();
        printed.push((output.trim_end().to_owned(), status.parse().unwrap()));
        rest = after;
    }
    printed
}

/// The output without lines of progress, which only a slow machine prints.
pub fn without_progress(printed: &str) -> String {
    let progress = Regex::new(r"(?m)^\w+: after \d[^\n]*\n").unwrap();
    progress.replace_all(printed, "").into_owned()
}

pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (path, name) = (entry.path(), entry.file_name());
        if !path.is_dir() {
            fs::copy(&path, to.join(name)).unwrap();
        } else if name != "target" {
            copy(&path, &to.join(name));
        }
    }
}

/// Whether a page's lines show the output; times and numbers of tests may differ.
pub fn agrees(shown: &str, printed: &str) -> bool {
    let times = Regex::new(r"(\d+ min )?\d[\d.]* (µs|ms|s|min)\b").unwrap();
    let counts = Regex::new(r"\d[\d,]* (tests?|executions?|cache hits?|frames)\b").unwrap();
    let known = |text: &str| {
        let text = times.replace_all(text, "TIME");
        counts.replace_all(&text, "N $1").into_owned()
    };
    let mut pattern = String::from("^(?s)");
    for (at, line) in known(shown.trim_end()).lines().enumerate() {
        if line.trim() == "…" {
            pattern += if at == 0 { "([^\n]*\n?)*?" } else { "(\n[^\n]*)*?" };
            continue;
        }
        if at > 0 {
            pattern += "\n?";
        }
        let parts: Vec<String> = line.split('…').map(regex::escape).collect();
        pattern += &parts.join("[^\n]*?");
    }
    pattern += "$";
    Regex::new(&pattern).unwrap().is_match(&known(printed.trim_end()))
}

#[test]
fn dots_stand_for_text_and_for_lines_and_nothing_else_does() {
    let printed = "one 12 ms\ntwo\nthree four\nfive";
    for shown in ["one 7 ms\ntwo\nthree four\nfive", "…\nfive", "one 3 ms\n…", "one 1 s\n…\nfive"]
    {
        assert!(agrees(shown, printed), "{shown}");
    }
    assert!(agrees("one …\n…\nthree …\nfive", printed));
    for shown in ["one 12 ms", "two\nthree four\nfive", "one …\nthree four\nfive", ""] {
        assert!(!agrees(shown, printed), "{shown}");
    }
}

#[test]
fn every_page_is_in_the_summary_and_every_link_leads_to_a_file() {
    let folder = root().join("docs/src");
    let link = Regex::new(r"\]\(([^)#\s]+)(#[^)]*)?\)").unwrap();
    let include = Regex::new(r"\{\{#include ([^}]+)\}\}").unwrap();
    let summary = fs::read_to_string(folder.join("SUMMARY.md")).unwrap();
    let mut pages: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(|name| root().join(name)).to_vec();
    for entry in fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        // The pictures that pages show; a link to one is checked as any other.
        if name == "images" {
            continue;
        }
        assert!(name == "SUMMARY.md" || summary.contains(&format!("({name})")), "{name}");
        pages.push(folder.join(name));
    }
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        for found in link.captures_iter(&text) {
            let to = &found[1];
            let exists = to.contains("://") || page.with_file_name(to).is_file();
            assert!(exists, "{} links to {to}, which is not there", page.display());
        }
        for found in include.captures_iter(&text) {
            let to = &found[1];
            let exists = page.with_file_name(to).is_file();
            assert!(exists, "{} includes {to}, which is not there", page.display());
        }
    }
}
