//! The workflows of `docs/examples/ci`, executed step by step in a copy of the example project.
//!
//! Each `run:` is given to bash as GitHub's runner gives it, with the files and variables of a step. There are
//! stand-ins for other people's parts: the actions (checkout, cache, upload) copy files, and the commands `rustup`, `cargo
//! install` and `cargo audit`, which need a network, write down what they were asked for. The programs are those of
//! this build. Time for fuzzing and numbers of tests are set by the variables that the workflows have for them.
//!
//! CI executes the first night of the workflow for GitHub. `scripts/nightly manual` sets
//! `SEEDSMITH_WHOLE_MANUAL`, and then a second night, the corpus job and the pipeline for GitLab are executed too.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};

use saphyr::{LoadableYamlNode, Yaml};

use crate::book::copy;
use crate::built::{clangs_libfuzzer, root, target_folder};

/// Seconds of fuzzing: enough to start; what fails is in the example project already.
const FUZZ_SECONDS: &str = "1";

/// A machine that runs jobs, with what it keeps between them.
struct Machine {
    folder: tempfile::TempDir,
    /// Variables that take the place of the workflow's.
    settings: Vec<(&'static str, &'static str)>,
    /// Jobs build executables of one name in one folder, so there is one machine at a time.
    _only: MutexGuard<'static, ()>,
}

/// Whether everything is executed.
fn is_whole() -> bool {
    let is_whole = std::env::var_os("SEEDSMITH_WHOLE_MANUAL").is_some();
    if !is_whole {
        eprintln!("only a part is executed here: scripts/nightly manual executes all of it");
    }
    is_whole
}

/// Where jobs build: not where the commands of the manual do, which are typed at the same time.
fn builds() -> PathBuf {
    target_folder().join("workflows")
}

/// What a job left.
struct Job {
    /// The project's copy in which it ran.
    project: PathBuf,
    /// Each step with a name, and how it ended; one that did not run is not there.
    ended: Vec<(String, bool)>,
    /// What the steps printed.
    printed: String,
    /// What the steps wrote for the page of the job.
    summary: String,
}

impl Job {
    fn succeeded(&self) -> bool {
        self.ended.iter().all(|(_, is_ok)| *is_ok)
    }

    /// Names of the steps that ran.
    fn steps(&self) -> Vec<&str> {
        self.ended.iter().map(|(name, _)| name.as_str()).collect()
    }
}

impl Machine {
    fn new() -> Self {
        static ONLY: Mutex<()> = Mutex::new(());
        let machine = Machine {
            _only: ONLY.lock().unwrap_or_else(PoisonError::into_inner),
            folder: tempfile::tempdir().unwrap(),
            settings: vec![("FUZZ_SECONDS", FUZZ_SECONDS), ("TESTS_FOR_EACH_INPUT", "200")],
        };
        let cargo = "#!/bin/sh\ncase $1 in\ninstall | audit) echo \"cargo $* in $(basename \"$PWD\")\" >> \"$STAND_INS\"\n\
                     exit 0 ;;\nesac\nexec \"$REAL_CARGO\" \"$@\"\n";
        let rustup = "#!/bin/sh\necho \"rustup $*\" >> \"$STAND_INS\"\n";
        for (name, text) in [("cargo", cargo), ("rustup", rustup)] {
            let path = machine.path("stand-ins").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The calls of commands that have a stand-in.
    fn asked(&self) -> String {
        fs::read_to_string(self.path("asked")).unwrap_or_default()
    }

    /// A fresh copy of the example project, as a checkout gives it.
    fn check_out(&self) -> PathBuf {
        let project = self.path("project");
        if project.exists() {
            fs::remove_dir_all(&project).unwrap();
        }
        copy(&root().join("docs/examples/orders"), &project);
        project
    }

    /// Runs a script in the project, as a runner does.
    fn bash(&self, project: &Path, options: &[&str], text: &str, variables: &Variables) -> Output {
        let script = self.path("step.sh");
        fs::write(&script, text).unwrap();
        let programs = Path::new(env!("CARGO_BIN_EXE_tmin")).parent().unwrap();
        let path = std::env::var("PATH").unwrap();
        let stand_ins = self.path("stand-ins");
        let real = Command::new("sh").args(["-c", "command -v cargo"]).output().unwrap();
        let real = String::from_utf8(real.stdout).unwrap();
        let mut bash = Command::new("bash");
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            let is_cargos = text.starts_with("CARGO_") && text != "CARGO_HOME";
            if is_cargos || text.starts_with("SEEDSMITH_") || text.starts_with("RUST") {
                bash.env_remove(&name);
            }
        }
        if let Some(home) = std::env::var_os("RUSTUP_HOME") {
            bash.env("RUSTUP_HOME", home);
        }
        bash.args(options)
            .arg(&script)
            .current_dir(project)
            .env("PATH", format!("{}:{}:{path}", stand_ins.display(), programs.display()))
            .env("REAL_CARGO", real.trim())
            .env("STAND_INS", self.path("asked"))
            .env("CARGO_TARGET_DIR", builds())
            .env("CUSTOM_LIBFUZZER_PATH", clangs_libfuzzer())
            .env("CI", "true")
            .envs(variables)
            .envs(self.settings.iter().copied())
            .output()
            .unwrap()
    }

    /// Runs the steps of a job of a workflow for GitHub.
    fn github(&self, workflow: &str, job: &str) -> Job {
        let document = document(workflow);
        let project = self.check_out();
        let summary = self.path("summary.md");
        fs::write(&summary, "").unwrap();
        let mut done =
            Job { project, ended: Vec::new(), printed: String::new(), summary: String::new() };
        let mut variables = variables_of(document.as_mapping_get("env"));
        let job = &document["jobs"][job];
        variables.extend(variables_of(job.as_mapping_get("env")));
        variables.insert("GITHUB_STEP_SUMMARY".to_owned(), summary.display().to_string());
        let steps = job["steps"].as_sequence().expect("a job has steps");
        for step in steps {
            let of = |name: &str| step.as_mapping_get(name).and_then(Yaml::as_str);
            let name = of("name").or(of("uses")).expect("a step has a name or an action");
            let condition = of("if").unwrap_or("success()");
            if !holds(condition, done.succeeded(), &done.project) {
                continue;
            }
            let is_ok = match (of("run"), of("uses")) {
                (Some(text), None) => {
                    let output = self.bash(&done.project, &["-e"], text, &variables);
                    done.printed += &format!("== {name}\n");
                    done.printed += &String::from_utf8_lossy(&output.stdout);
                    done.printed += &String::from_utf8_lossy(&output.stderr);
                    output.status.success()
                }
                (None, Some(action)) => {
                    self.act(action, step.as_mapping_get("with"), &done.project)
                }
                _ => panic!("{name} runs something or uses an action"),
            };
            done.ended.push((name.to_owned(), is_ok));
        }
        done.summary = fs::read_to_string(summary).unwrap();
        done
    }

    /// The stand-in of an action. Returns whether it succeeded.
    fn act(&self, action: &str, with: Option<&Yaml<'_>>, project: &Path) -> bool {
        let (action, _) = action.split_once('@').expect("an action has a version");
        let option = |name: &str| {
            let text = with.and_then(|with| with.as_mapping_get(name)).and_then(Yaml::as_str);
            text.unwrap_or_else(|| panic!("{action} needs `{name}`"))
        };
        let paths = |name: &str| option(name).lines().map(str::trim).collect::<Vec<_>>();
        match action {
            "actions/checkout" => {}
            "actions/cache/restore" => {
                // The newest cache whose key begins so.
                let cache = self.path(&format!("cache-{}", option("restore-keys").trim()));
                assert!(option("key").starts_with(option("restore-keys").trim()));
                for path in paths("path") {
                    take(&cache.join(path), &project.join(path));
                }
            }
            "actions/cache/save" => {
                let key = option("key").strip_suffix("${{ github.run_id }}");
                let cache = self.path(&format!("cache-{}", key.expect("each run saves its own")));
                for path in paths("path") {
                    take(&project.join(path), &cache.join(path));
                }
            }
            "actions/upload-artifact" => {
                for path in paths("path") {
                    let to = self.path("artifacts").join(option("name")).join(path);
                    take(&project.join(path), &to);
                }
            }
            "github/codeql-action/upload-sarif" => {
                let file = fs::read_to_string(project.join(option("sarif_file"))).unwrap();
                let sarif: serde_json::Value = serde_json::from_str(&file).unwrap();
                assert_eq!(sarif["version"], "2.1.0");
                fs::write(self.path("code-scanning.json"), file).unwrap();
            }
            other => panic!("there is no stand-in for {other}"),
        }
        true
    }

    /// Runs the script of the job `fuzz` of the pipeline for GitLab, with its cache.
    fn gitlab(&self) -> Job {
        let document = document("gitlab.yml");
        let job = &document["fuzz"];
        let project = self.check_out();
        let cache = self.path("cache-gitlab");
        assert_eq!(job["cache"]["when"].as_str(), Some("always"));
        let cached = job["cache"]["paths"].as_sequence().unwrap();
        let cached: Vec<&str> = cached.iter().map(|path| path.as_str().unwrap()).collect();
        for path in &cached {
            take(&cache.join(path), &project.join(path));
        }
        let script = job["script"].as_sequence().unwrap();
        let lines: Vec<&str> = script.iter().map(|line| line.as_str().unwrap()).collect();
        let variables = variables_of(job.as_mapping_get("variables"));
        let output = self.bash(&project, &["-eo", "pipefail"], &lines.join("\n"), &variables);
        for path in &cached {
            take(&project.join(path), &cache.join(path));
        }
        let printed = [output.stdout, output.stderr].concat();
        Job {
            project,
            ended: vec![("script".to_owned(), output.status.success())],
            printed: String::from_utf8_lossy(&printed).into_owned(),
            summary: String::new(),
        }
    }
}

type Variables = BTreeMap<String, String>;

fn document(name: &str) -> Yaml<'static> {
    let text = fs::read_to_string(root().join("docs/examples/ci").join(name)).unwrap();
    Yaml::load_from_str(text.leak()).unwrap().remove(0)
}

/// The variables of a mapping; none if there is no mapping.
fn variables_of(node: Option<&Yaml<'_>>) -> Variables {
    let Some(mapping) = node.and_then(Yaml::as_mapping) else { return Variables::new() };
    let text = |value: &Yaml<'_>| match (value.as_str(), value.as_integer()) {
        (Some(text), _) => text.to_owned(),
        (None, Some(number)) => number.to_string(),
        _ => panic!("{value:?} is no value of a variable"),
    };
    mapping.iter().map(|(name, value)| (text(name), text(value))).collect()
}

/// Whether the condition of a step holds: parts with `&&` between them, each `always()`, `success()`, or
/// `hashFiles('PATTERN') != ''`. Without a part about the status, GitHub adds `success()`.
fn holds(condition: &str, has_succeeded: bool, project: &Path) -> bool {
    let parts: Vec<&str> = condition.split("&&").map(str::trim).collect();
    let says_status = parts.iter().any(|part| matches!(*part, "always()" | "success()"));
    (says_status || has_succeeded)
        && parts.iter().all(|part| match *part {
            "always()" => true,
            "success()" => has_succeeded,
            part => {
                let pattern =
                    part.strip_prefix("hashFiles('").and_then(|rest| rest.strip_suffix("') != ''"));
                let pattern = pattern.unwrap_or_else(|| panic!("`{part}` is not known here"));
                match pattern.strip_suffix("/*") {
                    Some(folder) => fs::read_dir(project.join(folder))
                        .is_ok_and(|entries| entries.flatten().any(|one| one.path().is_file())),
                    None => project.join(pattern).is_file(),
                }
            }
        })
}

/// Puts a file or a folder in the place of another, if there is one to take.
fn take(from: &Path, to: &Path) {
    if from.is_dir() {
        if to.exists() {
            fs::remove_dir_all(to).unwrap();
        }
        copy(from, to);
    } else if from.is_file() {
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, to).unwrap();
    }
}

fn files_in(folder: &Path) -> usize {
    fs::read_dir(folder)
        .map_or(0, |entries| entries.flatten().filter(|one| one.path().is_file()).count())
}

#[test]
fn the_workflow_for_github_fails_for_new_failures_and_passes_for_known_ones() {
    let machine = Machine::new();
    let first = machine.github("github.yml", "fuzz");
    let steps = [
        "actions/checkout@v4",
        "Install",
        "Restore the corpus and the failures of the night before",
        "Fuzz",
        "Keep the smallest corpus",
        "Minimize",
        "Report",
        "Save the corpus and the failures",
        "Upload the results",
        "Show the failures in code scanning",
    ];
    assert_eq!(first.steps(), steps, "{}", first.printed);
    let failed: Vec<&str> =
        first.ended.iter().filter(|(_, is_ok)| !is_ok).map(|(name, _)| name.as_str()).collect();
    assert_eq!(failed, ["Report"], "{}", first.printed);
    assert!(first.summary.starts_with("### seedsmith: "), "{}", first.summary);
    assert!(first.summary.contains("panic at src/lib.rs:14:65"), "{}", first.summary);
    assert!(files_in(&first.project.join("fuzz/corpus/order")) > 0, "{}", first.printed);
    let asked = machine.asked();
    for words in ["rustup toolchain install nightly", "cargo install cargo-fuzz in project"] {
        assert!(asked.contains(words), "{asked}");
    }
    let minimized = machine.path("artifacts/failures/minimized");
    // Three failures, each with its smallest input; the journals of complete runs are gone.
    assert!(files_in(&minimized) >= 3, "{}", first.printed);
    for entry in fs::read_dir(&minimized).unwrap().flatten().filter(|one| one.path().is_file()) {
        assert!(entry.metadata().unwrap().len() < 60, "{:?}", entry.path());
    }
    let junit = fs::read_to_string(machine.path("artifacts/failures/failures.xml")).unwrap();
    assert!(junit.contains("<testsuite "), "{junit}");
    assert!(machine.path("code-scanning.json").is_file());

    if !is_whole() {
        return;
    }
    let second = machine.github("github.yml", "fuzz");
    let is_known = second.summary.contains("0 new");
    assert!(is_known, "{}\n{}", second.summary, second.printed);
    assert!(second.succeeded(), "{}", second.printed);
}

#[test]
fn the_workflow_for_github_looks_for_vulnerabilities_of_both_packages() {
    let machine = Machine::new();
    let done = machine.github("github.yml", "advisories");
    assert!(done.succeeded(), "{}", done.printed);
    let expected =
        "cargo install cargo-audit in project\ncargo audit in project\ncargo audit in fuzz\n";
    assert_eq!(machine.asked(), expected);
}

#[test]
fn the_nightly_corpus_job_keeps_a_smaller_corpus_for_the_next_night() {
    if !is_whole() {
        return;
    }
    let machine = Machine::new();
    let done = machine.github("corpus.yml", "corpus");
    assert!(done.succeeded(), "{}", done.printed);
    assert!(done.summary.starts_with("The corpus has "), "{}", done.summary);
    let kept = machine.path("cache-corpus-/fuzz/corpus/order");
    let uploaded = machine.path("artifacts/corpus/fuzz/corpus/order");
    assert!(files_in(&kept) > 0, "{}", done.printed);
    assert_eq!(files_in(&kept), files_in(&uploaded));
    let (chosen, kept) = (corpus_bytes(&done.project.join("corpus.min")), corpus_bytes(&kept));
    assert!(kept < chosen, "{kept} of {chosen} bytes\n{}", done.printed);
}

#[test]
fn the_pipeline_for_gitlab_fails_for_new_failures_and_passes_for_known_ones() {
    if !is_whole() {
        return;
    }
    let machine = Machine::new();
    let first = machine.gitlab();
    assert!(!first.succeeded(), "{}", first.printed);
    assert!(files_in(&first.project.join("minimized")) >= 3, "{}", first.printed);
    let junit = fs::read_to_string(first.project.join("failures.xml")).unwrap();
    assert!(junit.contains("<testsuite "), "{junit}");
    let second = machine.gitlab();
    assert!(second.succeeded(), "{}", second.printed);
    assert!(second.printed.contains("0 new"), "{}", second.printed);
}

#[test]
fn a_step_runs_if_its_condition_holds() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("d")).unwrap();
    let check = |condition: &str, has_succeeded| holds(condition, has_succeeded, folder.path());
    assert!(check("always()", false) && check("success()", true) && !check("success()", false));
    assert!(!check("hashFiles('d/*') != ''", true));
    fs::write(folder.path().join("d/a"), "").unwrap();
    assert!(check("hashFiles('d/*') != ''", true) && !check("hashFiles('d/*') != ''", false));
    assert!(check("always() && hashFiles('d/a') != ''", false));
}

fn corpus_bytes(folder: &Path) -> u64 {
    fs::read_dir(folder).unwrap().map(|one| one.unwrap().metadata().unwrap().len()).sum()
}
