//! Commands that are forked where they look at their input: the observations are those of a start,
//! with fewer starts.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use libtest_mimic::Trial;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use seedsmith_engine::Kind;
use seedsmith_engine::Request;
use seedsmith_engine::{CommandMode, CommandTarget};
use seedsmith_engine::{Observation, Verdict};
use tempfile::TempDir;

use crate::left::{assert_none_left, marked, wait_until};
use crate::slots::{Bench, KEEP};

/// Runs that a test makes of a script.
const RUNS: usize = 24;
/// Starts of a script that is forked: the first run, the one that serves forks, two checks, and one of
/// each that another slot might add.
const MOST_STARTS: usize = 8;
/// Candidates of which those with a needle end with status 0.
const CANDIDATES: [&str; 4] = ["a needle", "hay", "needle, again", "more hay"];

/// A script in Python that takes far longer to its first look than from there on.
struct Script {
    folder: TempDir,
}

impl Script {
    /// `before` runs before the script looks, `look` gives `text`; status 0 where that has a
    /// needle. Both see the path as `path`, and another file as `own`.
    fn new(before: &str, look: &str) -> Self {
        let folder = tempfile::tempdir().expect("there is a temporary folder");
        let (starts, own) = (folder.path().join("starts"), folder.path().join("own"));
        let text = format!(
            "import os, sys, threading\n\
             path, own = sys.argv[1], {own:?}\n\
             with open({starts:?}, 'a') as starts: print(os.getpid(), file=starts)\n\
             sum(range(500_000))\n{before}\n{look}\n\
             os._exit(0 if 'needle' in text else 1)\n"
        );
        std::fs::write(folder.path().join("script.py"), text).expect("the folder is writable");
        Script { folder }
    }

    fn path(&self) -> String {
        self.folder.path().join("script.py").display().to_string()
    }

    fn target(&self) -> CommandTarget {
        self.target_by(&[python()])
    }

    fn target_by(&self, by: &[&str]) -> CommandTarget {
        let argv = by.iter().map(Into::into).chain([self.path().into(), "{}".into()]).collect();
        CommandTarget::new(argv, CommandMode::ExitZeroFails)
    }

    /// The processes that have run the part before the look.
    fn starts(&self) -> Vec<i32> {
        let text = std::fs::read_to_string(self.folder.path().join("starts"));
        let text = text.unwrap_or_default();
        text.lines().map(|line| line.parse().expect("a process's number")).collect()
    }
}

/// The interpreter itself: the one in PATH may be a script that looks for it.
fn python() -> &'static str {
    static PYTHON: OnceLock<String> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let mut child = Command::new("python3")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the tests need Python 3");
        let stdin = child.stdin.take();
        stdin
            .expect("it was asked for")
            .write_all(b"import sys; print(sys.executable)")
            .expect("Python reads its script");
        let told = child.wait_with_output().expect("Python ends").stdout;
        String::from_utf8(told).expect("a path").trim().to_owned()
    })
}

const OPEN: &str = "text = open(path).read()";

/// Runs candidates with and without a needle, and wants the right verdict of each.
fn run_all(bench: &mut Bench<'_>, what: &str) {
    for candidate in CANDIDATES.iter().cycle().take(RUNS) {
        let fails = bench.run(candidate).signature().is_some();
        assert_eq!(fails, candidate.contains("needle"), "{what}: {candidate}");
    }
}

fn a_command_is_started_a_few_times_and_forked_for_the_rest() {
    for (what, by, before, look) in [
        ("a path", vec![python()], "", OPEN),
        ("stdin", vec![python()], "", "text = sys.stdin.read()"),
        (
            "a size first",
            vec![python()],
            "",
            "size = os.path.getsize(path); text = open(path).read(size)",
        ),
        ("env", vec!["/usr/bin/env", "X=1", python()], "", OPEN),
        ("a shell", vec!["sh", "-c", "exec \"$@\"", "sh", python()], "", OPEN),
        ("a name", vec![python()], "", "text = open(os.path.basename(path)).read()"),
        (
            "a name with dots",
            vec![python()],
            "",
            "text = open('.//./' + os.path.basename(path)).read()",
        ),
        (
            "its folder, listed",
            vec![python()],
            "",
            "names = os.listdir(); assert len(names) == 1; text = open(names[0]).read()",
        ),
        (
            "its folder's path, asked for early",
            vec![python()],
            "here = os.getcwd()",
            "assert here == os.getcwd()\ntext = open(os.path.join(here, os.path.basename(path))).read()",
        ),
        (
            "another folder",
            vec![python()],
            "os.chdir('/')",
            "assert os.getcwd() == '/'\ntext = open(path).read()",
        ),
        (
            "files that the test before has left",
            vec![python()],
            "",
            "assert os.listdir() == [os.path.basename(path)]\nopen('a.out', 'x').close()\n\
             os.mkdir('b'); open('b/c', 'x').close(); text = open(path).read()",
        ),
        (
            "a file that is read",
            vec![python()],
            "script = open(sys.argv[0]); script.readline()",
            "assert 'starts' in script.readline() or True\nassert script.read()\ntext = open(path).read()",
        ),
    ] {
        let script = Script::new(before, look);
        run_all(&mut Bench::patient(&script.target_by(&by)), what);
        let starts = script.starts().len();
        assert!(starts <= MOST_STARTS, "{what}: {starts} starts");
    }
}

fn a_command_is_started_each_time_where_a_fork_would_be_something_else() {
    for (what, before, look) in [
        (
            "a thread",
            "threading.Thread(target=lambda: threading.Event().wait(9), daemon=True).start()",
            OPEN,
        ),
        ("a child", "os.system('true')", OPEN),
        ("a file that is written", "log = open(own, 'w')", OPEN),
        (
            "a folder that is used up",
            "os.makedirs(own, exist_ok=True)",
            "text = open(path).read()\nos.rmdir(own)",
        ),
        ("a file of its own", "import tempfile; spare = tempfile.mkstemp()[1]", OPEN),
        (
            "no look that shows",
            "import ctypes; look = ctypes.CDLL(None).syscall",
            // openat by its system call number, which is not observed as a look.
            "number = 257 if os.uname().machine == 'x86_64' else 56\n\
             file = look(number, -100, os.path.basename(path).encode(), 0)\n\
             text = os.read(file, 99).decode()",
        ),
        ("a file in its folder", "open('a.out', 'w').close()", OPEN),
        ("its folder, open", "here = os.open(os.getcwd(), os.O_PATH)", OPEN),
    ] {
        let script = Script::new(before, look);
        run_all(&mut Bench::patient(&script.target()), what);
        let starts = script.starts().len();
        assert!(starts >= RUNS, "{what}: {starts} starts");
    }
    let script = Script::new("", OPEN);
    run_all(&mut Bench::patient(&script.target().forking(false)), "not wanted");
    assert_eq!(script.starts().len(), RUNS);
}

/// A validator that accepts nothing here, and prints something of each text.
fn rejecting(before: &str, look: &str) -> (Script, CommandTarget) {
    let script = Script::new(
        before,
        &format!("{look}\nprint(len(text), path, file=sys.stderr)\nos._exit(3)"),
    );
    let argv = [python(), &script.path(), "{}"].map(Into::into).to_vec();
    let target = CommandTarget::new(argv, CommandMode::ExitZeroIsValid);
    (script, target)
}

fn a_validator_that_has_accepted_nothing_is_forked_if_its_output_shows_that_it_reads() {
    let rejected = Observation::Returned(Verdict::Reject);
    for (what, before, look, is_forked) in [
        ("output that differs", "", OPEN, true),
        ("the same output for all", "", "text = open(path).read() and ''", false),
        (
            "output that is never the same",
            "",
            "text = open(path).read() + str(os.urandom(99))",
            false,
        ),
        (
            "a folder that is used up",
            "os.makedirs(own, exist_ok=True)",
            "text = open(path).read()\nos.rmdir(own)",
            false,
        ),
    ] {
        let (script, target) = rejecting(before, look);
        let mut bench = Bench::patient(&target);
        for candidate in CANDIDATES.iter().cycle().take(RUNS) {
            assert_eq!(bench.run(candidate).verdict(), rejected.verdict(), "{what}");
        }
        let starts = script.starts().len();
        assert_eq!(starts <= MOST_STARTS, is_forked, "{what}: {starts} starts");
    }
}

fn a_new_process_is_asked_where_its_own_word_is_wanted() {
    let script = Script::new("", OPEN);
    let target = script.target();
    let mut bench = Bench::patient(&target);
    run_all(&mut bench, "forks");
    let before = script.starts().len();
    for _ in 0..3 {
        assert_eq!(
            bench.run_with(
                "hay",
                Request { fresh: true, frames: false, once: false, varied: false, expected: None }
            ),
            KEEP
        );
    }
    assert_eq!(script.starts().len(), before + 3);
}

fn a_command_sees_nothing_of_what_makes_it_stand() {
    let script = Script::new(
        "",
        "text = open(path).read()\n\
         assert not {'SEEDSMITH_FORK_SERVER', 'LD_PRELOAD'} & set(os.environ)\n\
         assert os.system('test -z \"$LD_PRELOAD\"') == 0\n\
         with open(own, 'a') as log: print(sorted(os.listdir('/proc/self/fd')), file=log)\n\
         assert os.getpgid(0) == os.getpid()\n\
         assert sys.stdin.read() == text",
    );
    run_all(&mut Bench::patient(&script.target()), "a look around");
    assert!(script.starts().len() <= MOST_STARTS);
    let open = std::fs::read_to_string(script.folder.path().join("own")).expect("it was written");
    let mut open: Vec<&str> = open.lines().collect();
    assert!(open.len() >= RUNS);
    open.dedup();
    assert_eq!(open.len(), 1, "the same descriptors are open in starts and in forks: {open:?}");
}

fn a_fork_that_dies_or_hangs_is_told_as_a_start_would_be() {
    let look = "text = open(path).read()\n\
                if 'hang' in text: threading.Event().wait(3600)\n\
                if 'die' in text: os.abort()";
    let script = Script::new("", look);
    let argv = [python(), &script.path(), "{}"].map(Into::into).to_vec();
    let target = CommandTarget::new(argv, CommandMode::ExitZeroIsValid);
    let mut bench = Bench::patient(&target);
    for _ in 0..4 {
        assert_eq!(bench.run("a needle"), KEEP);
        assert_eq!(bench.run("hay"), Observation::Returned(Verdict::Reject));
        assert_eq!(bench.failure("die").kind, Kind::Abort);
        bench.hurry();
        assert_eq!(bench.failure("hang").kind, Kind::Timeout);
        bench.be_patient();
    }
    assert!(script.starts().len() <= MOST_STARTS);
}

fn a_fork_server_that_is_killed_costs_no_verdict() {
    let script = Script::new("", OPEN);
    let target = script.target();
    let mut bench = Bench::patient(&target);
    run_all(&mut bench, "before");
    // The script's own parts: each ended except the one that serves forks.
    let serving: Vec<i32> =
        script.starts().into_iter().filter(|pid| is_script(*pid, &script.path())).collect();
    assert_eq!(serving.len(), 1, "one serves");
    kill(Pid::from_raw(serving[0]), Signal::SIGKILL).expect("it is our slot's");
    run_all(&mut bench, "after");
    assert!(script.starts().len() >= RUNS);
}

fn is_script(pid: i32, path: &str) -> bool {
    let line = std::fs::read(Path::new("/proc").join(pid.to_string()).join("cmdline"));
    line.is_ok_and(|line| line.windows(path.len()).any(|part| part == path.as_bytes()))
}

fn nothing_is_left_of_a_fork_server_nor_of_what_its_forks_start() {
    let mark = format!("seedsmith-forks-{}", std::process::id());
    let look = "text = open(path).read()\n\
                if 'leave' in text: os.system('sleep 3600 & true')";
    let script = Script::new("", look);
    let mark_option = format!("SEEDSMITH_TEST_MARK={mark}");
    let target = script.target_by(&["/usr/bin/env", &mark_option, python()]);
    let mut bench = Bench::patient(&target);
    run_all(&mut bench, "a mark");
    assert_eq!(bench.run("leave"), KEEP);
    // The process that waits before its first look, and no other.
    assert!(wait_until(|| marked(&mark).len() == 1), "{:?}", marked(&mark));
    drop(bench);
    assert_none_left(&mark);
}

pub fn trials() -> Vec<Trial> {
    crate::kinds::trials_of(&[
        (
            "a_command_is_started_a_few_times_and_forked_for_the_rest",
            a_command_is_started_a_few_times_and_forked_for_the_rest,
        ),
        (
            "a_validator_that_has_accepted_nothing_is_forked_if_its_output_shows_that_it_reads",
            a_validator_that_has_accepted_nothing_is_forked_if_its_output_shows_that_it_reads,
        ),
        (
            "a_command_is_started_each_time_where_a_fork_would_be_something_else",
            a_command_is_started_each_time_where_a_fork_would_be_something_else,
        ),
        (
            "a_new_process_is_asked_where_its_own_word_is_wanted",
            a_new_process_is_asked_where_its_own_word_is_wanted,
        ),
        (
            "a_command_sees_nothing_of_what_makes_it_stand",
            a_command_sees_nothing_of_what_makes_it_stand,
        ),
        (
            "a_fork_that_dies_or_hangs_is_told_as_a_start_would_be",
            a_fork_that_dies_or_hangs_is_told_as_a_start_would_be,
        ),
        (
            "a_fork_server_that_is_killed_costs_no_verdict",
            a_fork_server_that_is_killed_costs_no_verdict,
        ),
        (
            "nothing_is_left_of_a_fork_server_nor_of_what_its_forks_start",
            nothing_is_left_of_a_fork_server_nor_of_what_its_forks_start,
        ),
    ])
}
