//! Who the failure of a plain program is: by the report that it printed, else by its signal.
//!
//! Known are sanitizers, Rust's panic hook, Go's runtime, Python's tracebacks and `assert`. Frames that
//! a report names by function are kept with that name as their module and no offset.

use std::path::Path;
use std::process::ExitStatus;

use super::place::{has_line, place_in};
use super::{complaint, end_of, traceback};
use crate::exec::death::{ProcessEnd, SignalRecord, classify, undefined_behavior_of};
use crate::exec::os::process::Ended;
use crate::exec::os::sys;
use crate::signature::{Fault, Frame, Kind, Message, Signature};

/// The signal by which a program, or a child of the shell that it is, has died.
pub(super) fn signal(ended: &Ended) -> Option<i32> {
    match end_of(ended.status?) {
        ProcessEnd::Signalled(signal) => Some(signal),
        ProcessEnd::Exited(code) => {
            let said = complaint::signal_of_child(code, &String::from_utf8_lossy(&ended.stderr));
            said.or_else(|| complaint::signal_of_status(code).filter(|_| has_report(ended)))
        }
        _ => None,
    }
}

/// Whether any runtime that is known here reported a crash on either stream.
fn has_report(ended: &Ended) -> bool {
    [&ended.stderr, &ended.stdout]
        .into_iter()
        .any(|text| of_text(&String::from_utf8_lossy(text), Path::new("/")).is_some())
}

/// The failure of a run in `folder` that has ended with `status`; `None` where that is no crash.
///
/// Standard error is read before standard output, and a report goes before a signal: it says more.
/// The frames of a report are named, not numbered, so they compare across builds.
pub(super) fn crash(status: ExitStatus, ended: &Ended, folder: &Path) -> Option<Signature> {
    if status.success() {
        return None;
    }
    let reported = [&ended.stderr, &ended.stdout]
        .into_iter()
        .find_map(|text| of_text(&String::from_utf8_lossy(text), folder));
    reported.or_else(|| {
        Some(Signature::of_kind(match signal(ended)? {
            sys::SIGABRT => Kind::Abort,
            signal => Kind::Signal(signal, Fault::Unknown),
        }))
    })
}

/// The failure that a text reports, of whatever runtime.
///
/// Where one text holds several reports, the first one of this list counts. Costs a few scans of the
/// text.
fn of_text(text: &str, folder: &Path) -> Option<Signature> {
    sanitizer(text, folder)
        .or_else(|| traceback::go(text, folder))
        .or_else(|| panic_or_overflow(text))
        .or_else(|| undefined_behavior(text, folder))
        .or_else(|| traceback::python(text, folder))
        .or_else(|| assertion(text, folder))
}

/// A report of AddressSanitizer, LeakSanitizer or MemorySanitizer: `==7==ERROR: AddressSanitizer:
/// heap-buffer-overflow …`, with the access on the next line and a stack below it. `None` where the
/// kind of the report is not known.
fn sanitizer(text: &str, folder: &Path) -> Option<Signature> {
    let at = text.find("Sanitizer: ").filter(|_| text.contains("ERROR: "))?;
    let (mut signature, _) =
        classify(ProcessEnd::Exited(1), SignalRecord::default(), text.as_bytes());
    let is_read = matches!(
        signature.kind,
        Kind::Sanitizer(_) | Kind::Leak | Kind::StackOverflow | Kind::OutOfMemory | Kind::Abort
    );
    (signature.frames, signature.place) = stack(&text[at..], folder);
    is_read.then_some(signature)
}

/// UndefinedBehaviorSanitizer's last report: a program may continue after others.
///
/// The line is `FILE:LINE:COLUMN: runtime error: MESSAGE`; a stack follows only where
/// `print_stacktrace=1` is set.
fn undefined_behavior(text: &str, folder: &Path) -> Option<Signature> {
    const MARK: &str = ": runtime error: ";
    let at = text.rfind(MARK)?;
    let before = text[..at].lines().next_back()?.trim();
    let message = text[at + MARK.len()..].lines().next()?;
    Some(Signature {
        place: Some(place_in(before, folder)),
        frames: stack(&text[at..], folder).0,
        ..undefined_behavior_of(message)
    })
}

/// Reads the output of Rust's runtime: a panic's place and message, an overflow of the stack, or an
/// allocation that failed. The status 101 that is assumed is the one with which a panic ends a
/// program.
fn panic_or_overflow(text: &str) -> Option<Signature> {
    let (signature, _) =
        classify(ProcessEnd::Exited(101), SignalRecord::default(), text.as_bytes());
    matches!(signature.kind, Kind::Panic | Kind::StackOverflow | Kind::OutOfMemory)
        .then_some(signature)
}

/// `prog: file.c:12: parse: Assertion `x > 0' failed.`, as the GNU C library prints it; with musl it is
/// `Assertion failed: x > 0 (file.c: parse: 12)`.
fn assertion(text: &str, folder: &Path) -> Option<Signature> {
    let of = |place: String, message: &str, function: &str| Signature {
        kind: Kind::Abort,
        place: Some(place),
        message: Some(Message::new(message)),
        frames: vec![Frame::named(function, None, true)],
    };
    for line in text.lines() {
        if let Some((before, rest)) = line.split_once("Assertion `")
            && rest.trim_end().ends_with("' failed.")
        {
            // The program's name may be missing, and C++ functions have colons.
            let words: Vec<&str> = before.trim_end_matches([' ', ':']).split(": ").collect();
            let at = words.iter().position(|word| has_line(word))?;
            let function = words[at + 1..].join(": ");
            let message = line[before.len()..].trim_end();
            return Some(of(place_in(words[at], folder), message, &function));
        }
        if let Some(rest) = line.trim_end().strip_prefix("Assertion failed: ")
            && let Some((message, inside)) = rest.rsplit_once(" (")
            && let [file, function, number] =
                inside.trim_end_matches(')').split(": ").collect::<Vec<_>>()[..]
        {
            return Some(of(place_in(&format!("{file}:{number}"), folder), message, function));
        }
    }
    None
}

/// The first stack of a sanitizer's report, and the place of its first own frame.
///
/// Lines are `#0 0x55d0 in parse /src/parse.c:12:5`, `#1 0x55e0 in main (/bin/prog+0x12)` or, where
/// nothing is symbolized, `#2 0x55f0  (/bin/prog+0x34)`.
fn stack(report: &str, folder: &Path) -> (Vec<Frame>, Option<String>) {
    let (mut frames, mut place) = (Vec::new(), None);
    for line in report.lines().map(str::trim_start) {
        let Some(rest) = line.strip_prefix('#') else {
            if frames.is_empty() {
                continue;
            }
            break;
        };
        let Some((number, rest)) = rest.split_once(' ') else { break };
        if number.parse() != Ok(frames.len()) {
            break;
        }
        let rest = rest.trim_start();
        // The address; newer reports may leave it out.
        let rest =
            rest.split_once(' ').filter(|_| rest.starts_with("0x")).map_or(rest, |split| split.1);
        let (function, location) = match rest.trim_start().strip_prefix("in ") {
            Some(named) => named.split_at(
                named
                    .rfind(" (")
                    .filter(|_| !named.contains(" /"))
                    .unwrap_or_else(|| named.find(" /").unwrap_or(named.len())),
            ),
            None => ("", rest),
        };
        let location = location.trim();
        let module = location.strip_prefix('(').and_then(|inside| inside.split_once("+0x"));
        let own = is_own(function, location);
        if own && place.is_none() {
            place = match module {
                None if !location.is_empty() => Some(place_in(location, folder)),
                _ if !function.is_empty() => Some(function.to_owned()),
                _ => None,
            };
        }
        frames.push(match module {
            Some((path, rest)) if function.is_empty() => {
                let digits = rest.split(|c: char| !c.is_ascii_hexdigit()).next().unwrap_or("");
                let name = path.rsplit('/').next().unwrap_or(path);
                let offset = u64::from_str_radix(digits, 16).unwrap_or(0);
                Frame::at(name, offset, own)
            }
            None if !location.is_empty() => {
                Frame::named(function, Some(&place_in(location, folder)), own)
            }
            _ => Frame::named(function, None, own),
        });
    }
    (frames, place)
}

/// Whether a frame is the program's own code, and not a sanitizer's or the C library's.
///
/// A list of names and modules that reports of GCC's and LLVM's runtimes and of the GNU C library
/// have at the top of their stacks. The list is not complete.
fn is_own(function: &str, location: &str) -> bool {
    const FUNCTIONS: [&str; 10] = [
        "__interceptor_",
        "__asan_",
        "__ubsan_",
        "__sanitizer",
        "__libc_",
        "__GI_",
        "__assert",
        "___interceptor_",
        "operator new",
        "operator delete",
    ];
    const EXACT: [&str; 9] = [
        "_start",
        "abort",
        "raise",
        "gsignal",
        "malloc",
        "free",
        "memcpy",
        "pthread_kill",
        "strlen",
    ];
    const MODULES: [&str; 9] = [
        "libasan",
        "libubsan",
        "liblsan",
        "libtsan",
        "libc.so",
        "libc-",
        "ld-linux",
        "sanitizer_common",
        "compiler-rt",
    ];
    !FUNCTIONS.iter().any(|prefix| function.starts_with(prefix))
        && !EXACT.contains(&function)
        && !MODULES.iter().any(|module| location.contains(module))
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    fn crash_of(raw_status: i32, stderr: &str) -> Option<Signature> {
        let status = ExitStatus::from_raw(raw_status);
        let ended = Ended {
            status: Some(status),
            fills_memory: false,
            stdout: Vec::new(),
            stderr: stderr.as_bytes().to_vec(),
        };
        crash(status, &ended, Path::new("/tmp/s/test"))
    }

    #[test]
    fn a_symbolized_report_of_a_sanitizer_gives_place_and_frames() {
        let text = "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x5\n\
            READ of size 1 at 0x60 thread T0\n    #0 0x7f in __interceptor_strlen (/lib/libasan.so.8+0x1)\n    \
            #1 0x55 in parse_name /src/parse.c:14:5\n    #2 0x56 in main (/bin/prog+0x12)\n\n0x60 is located\n    #0 0x7 in x";
        let signature = crash_of(1 << 8, text).unwrap();
        assert_eq!(signature.kind, Kind::Sanitizer("heap-buffer-overflow READ 1".into()));
        assert_eq!(signature.place.as_deref(), Some("/src/parse.c:14:5"));
        let own: Vec<String> =
            signature.own_frames(9).into_iter().map(ToString::to_string).collect();
        assert_eq!(own, ["parse_name", "main"]);
        assert_eq!(signature.frames[1].place.as_deref(), Some("/src/parse.c:14:5"));
        assert_eq!(signature.frames[2].place, None);
    }

    #[test]
    fn a_report_without_symbols_gives_addresses_in_modules() {
        let text = "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x5)\n    \
            #0 0x55  (/bin/prog+0x12ab) (BuildId: 1f)\n    #1 0x56  (/lib/libc.so.6+0x34)\n";
        let signature = crash_of(1 << 8, text).unwrap();
        assert_eq!(signature.own_frames(9).len(), 1);
        assert_eq!(signature.frames[0].to_string(), "prog+0x12ab");
    }

    #[test]
    fn undefined_behavior_has_the_place_of_its_line() {
        let text = "/src/a.c:3:1: runtime error: shift exponent 40 is too large\n";
        let signature = crash_of(1 << 8, text).unwrap();
        assert_eq!(signature.place.as_deref(), Some("/src/a.c:3:1"));
        assert!(crash_of(0, text).is_none(), "the program went on to its end");
    }

    #[test]
    fn an_assertion_is_an_abort_with_a_place() {
        for text in [
            "prog: src/a.c:12: parse: Assertion `depth > 3' failed.\nAborted (core dumped)\n",
            "a.out: src/a.c:12: int A::parse(int): Assertion `depth > 3' failed.\n",
            "Assertion failed: depth > 3 (src/a.c: parse: 12)\n",
        ] {
            let signature = crash_of(sys::SIGABRT, text).unwrap();
            assert_eq!(signature.kind, Kind::Abort);
            assert_eq!(signature.place.as_deref(), Some("src/a.c:12"), "{text}");
            assert_eq!(crash_of(134 << 8, text).unwrap(), signature);
        }
    }

    #[test]
    fn without_a_report_the_signal_is_all_and_an_exit_status_is_nothing() {
        let kind = |status, text| crash_of(status, text).map(|signature| signature.kind);
        let segv = Kind::Signal(sys::SIGSEGV, Fault::Unknown);
        assert_eq!(kind(sys::SIGSEGV, "parsing\n"), Some(segv.clone()));
        assert_eq!(kind(139 << 8, "Segmentation fault\n"), Some(segv));
        assert_eq!(kind(139 << 8, ""), None);
        assert_eq!(kind(1 << 8, "error: line 3\n"), None);
        assert_eq!(kind(sys::SIGABRT, ""), Some(Kind::Abort));
    }
}
