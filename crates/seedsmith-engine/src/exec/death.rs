//! The signature of a dead process, from its remains.
//!
//! Three things are looked at: how the process ended, the record of its signal handler, and its
//! stderr. The texts are those of Rust's panic handler and of the sanitizers.

use crate::signature::{Fault, Kind, Message, Signature};

use crate::exec::os::sys;
use crate::exec::workers::protocol::REPORTED;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProcessEnd {
    /// With this status.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// Ended by us.
    TimedOut,
    /// Ended by us, or by its allocator: its memory was used up.
    OutOfMemory,
}

/// The record of the worker's signal handler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SignalRecord {
    pub signal: i32,
    pub code: i32,
    pub address: u64,
    pub stack_pointer: u64,
    pub stack_base: u64,
}

/// A frame as a sanitizer's report names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReportedFrame {
    /// The path of the file that the code is in.
    pub module: String,
    /// The address less the one where the file is loaded.
    pub offset: u64,
}

/// Who the failure is, without frames, and the frames that a report named.
pub(crate) fn classify(
    end: ProcessEnd,
    record: SignalRecord,
    stderr: &[u8],
) -> (Signature, Vec<ReportedFrame>) {
    match end {
        ProcessEnd::TimedOut => return (Signature::of_kind(Kind::Timeout), Vec::new()),
        ProcessEnd::OutOfMemory => return (Signature::of_kind(Kind::OutOfMemory), Vec::new()),
        _ => {}
    }
    let text = String::from_utf8_lossy(stderr);
    if text.contains("LeakSanitizer has encountered a fatal error") {
        return (Signature::of_kind(Kind::NoLeakCheck), Vec::new());
    }
    if let Some((kind, frames)) = sanitizer_report(&text) {
        return (Signature::of_kind(kind), frames);
    }
    if let Some(reported) = undefined_behavior(end, &text) {
        return reported;
    }
    if let Some((place, message)) = panic_message(&text) {
        let signature = Signature {
            kind: Kind::Panic,
            place: Some(cut(&place)),
            message: Some(Message::new(&message)),
            frames: Vec::new(),
        };
        return (signature, Vec::new());
    }
    if text.contains("has overflowed its stack") {
        return (Signature::of_kind(Kind::StackOverflow), Vec::new());
    }
    let rust_says = text.contains("memory allocation of ") && text.contains(" bytes failed");
    if rust_says || text.contains("std::bad_alloc") {
        return (Signature::of_kind(Kind::OutOfMemory), Vec::new());
    }
    if let Some(kind) = libfuzzer_report(&text) {
        return (Signature::of_kind(kind), Vec::new());
    }
    let kind = if record.signal != 0 {
        signal_kind(record)
    } else {
        match end {
            ProcessEnd::Signalled(sys::SIGABRT) => Kind::Abort,
            ProcessEnd::Signalled(number) => Kind::Signal(number, Fault::Unknown),
            ProcessEnd::Exited(status) => Kind::Exit(status),
            ProcessEnd::TimedOut | ProcessEnd::OutOfMemory => unreachable!("returned above"),
        }
    };
    (Signature::of_kind(kind), Vec::new())
}

/// No name, place or module of a report is longer, in bytes: targets can print any text.
const MAX_NAME_BYTES: usize = 4096;
/// Frames of a report, at most: sanitizers print 256, so this only bounds frames that a target
/// invents.
const MAX_REPORTED_FRAMES: usize = 1024;
/// Digits of an access's size, at most: those of 64 bits.
const MAX_SIZE_DIGITS: usize = 20;

/// The text, or the beginning of a long one.
fn cut(text: &str) -> String {
    let is_end = |at: &usize| text.is_char_boundary(*at);
    let end = (0..=MAX_NAME_BYTES.min(text.len())).rev().find(is_end);
    text[..end.unwrap_or(0)].to_owned()
}

/// An address this near to the stack pointer is on the stack: a frame is rarely larger.
const MAX_FRAME_BYTES: u64 = 1 << 20;
/// A stack this deep, faulting at its end, has overflowed. The usual limit is 8 MB; threads have 2 MB in
/// Rust programs.
const MIN_OVERFLOW_BYTES: u64 = 1 << 20;

/// The kind of a death by a signal, from the handler's record.
fn signal_kind(record: SignalRecord) -> Kind {
    if record.signal == sys::SIGABRT {
        return Kind::Abort;
    }
    if record.signal != sys::SIGSEGV && record.signal != sys::SIGBUS {
        return Kind::Signal(record.signal, Fault::Unknown);
    }
    // A non-canonical address faults without one (SI_KERNEL, 128).
    if record.code == 128 {
        return Kind::Signal(record.signal, Fault::Wild);
    }
    let is_near = record.address.abs_diff(record.stack_pointer) < MAX_FRAME_BYTES;
    let depth = record.stack_base.abs_diff(record.stack_pointer);
    let fault = if is_in_null_page(record.address) {
        Fault::NullPage
    } else if is_near && depth > MIN_OVERFLOW_BYTES {
        return Kind::StackOverflow;
    } else if is_near {
        Fault::NearStack
    } else {
        Fault::Wild
    };
    Kind::Signal(record.signal, fault)
}

/// Place and message of the first panic in `stderr`.
///
/// Both the form since Rust 1.73 (`panicked at file:line:column:`, message on the next line) and
/// the one before (`panicked at 'message', file:line:column`) are known.
pub(crate) fn panic_message(stderr: &str) -> Option<(String, String)> {
    const MARK: &str = " panicked at ";
    let start = stderr.find(MARK)? + MARK.len();
    let rest = &stderr[start..];
    if rest.starts_with('\'') {
        let end = rest.find("\nnote: ").unwrap_or(rest.len());
        let (message, place) = rest[..end].rsplit_once("', ")?;
        let place = place.lines().next()?.trim();
        return Some((place.to_owned(), message.trim_start_matches('\'').to_owned()));
    }
    let (place, rest) = rest.split_once('\n')?;
    let place = place.trim_end().strip_suffix(':')?;
    let end = ["\nnote: run with `RUST_BACKTRACE", "\nstack backtrace:", "\n=="]
        .iter()
        .filter_map(|mark| rest.find(mark))
        .min()
        .unwrap_or(rest.len());
    Some((place.to_owned(), rest[..end].trim_end().to_owned()))
}

/// Kind and frames of a sanitizer's report.
fn sanitizer_report(stderr: &str) -> Option<(Kind, Vec<ReportedFrame>)> {
    const MARK: &str = "Sanitizer: ";
    let report = &stderr[stderr.find(MARK)? + MARK.len()..];
    let words = report.lines().next().unwrap_or("");
    let kind = match words.split([' ', ':']).next().unwrap_or("report") {
        _ if words.starts_with("detected memory leaks") => Kind::Leak,
        "stack-overflow" => Kind::StackOverflow,
        "requested" | "allocation-size-too-big" | "out-of-memory" | "rss-limit-exceeded" => {
            Kind::OutOfMemory
        }
        "ABRT" => Kind::Abort,
        name @ ("SEGV" | "BUS") => Kind::Sanitizer(with_address(name, words)),
        name => Kind::Sanitizer(with_access(&cut(name), report)),
    };
    Some((kind, reported_frames(report)))
}

/// The report that ended the process. Unless it was built otherwise, a target continues after one, and
/// a later cause of its death is another one.
fn undefined_behavior(end: ProcessEnd, stderr: &str) -> Option<(Signature, Vec<ReportedFrame>)> {
    if end != ProcessEnd::Exited(REPORTED) {
        return None;
    }
    let at = stderr.rfind(": runtime error: ")?;
    let message = stderr[at + ": runtime error: ".len()..].lines().next().unwrap_or("");
    Some((undefined_behavior_of(message), reported_frames(&stderr[at..])))
}

/// The signature of undefined behavior with the report `message`, which is in the kind too, without numbers.
pub(crate) fn undefined_behavior_of(message: &str) -> Signature {
    let message = Message::new(message);
    let kind = Kind::Sanitizer(format!("undefined-behavior: {}", message.normalised()));
    Signature { message: Some(message), ..Signature::of_kind(kind) }
}

/// `SEGV` with ` (null page)`, or whatever other class the address is of.
fn with_address(name: &str, words: &str) -> String {
    let address = words.split_once("unknown address 0x").and_then(|(_, rest)| {
        let digits = rest.split(|c: char| !c.is_ascii_hexdigit()).next()?;
        u64::from_str_radix(digits, 16).ok()
    });
    // A non-canonical address faults without one.
    let class = if address.is_some_and(is_in_null_page) { "null page" } else { "wild address" };
    format!("{name} ({class})")
}

fn is_in_null_page(address: u64) -> bool {
    address < 65536
}

/// `heap-buffer-overflow` with ` READ 4`, where the report says so.
fn with_access(name: &str, report: &str) -> String {
    for access in ["READ", "WRITE"] {
        let mark = format!("{access} of size ");
        if let Some(at) = report.find(&mark) {
            let digits = report[at + mark.len()..].chars().take_while(char::is_ascii_digit);
            let size: String = digits.take(MAX_SIZE_DIGITS).collect();
            return format!("{name} {access} {size}");
        }
    }
    name.to_owned()
}

/// The kind of an access that the runtime made for the target, in `memcpy` for instance: it is as
/// long as the input wants it to be, so its length does not distinguish two failures.
pub(crate) fn without_length(kind: Kind) -> Kind {
    match kind {
        Kind::Sanitizer(text) => Kind::Sanitizer(match text.rsplit_once(' ') {
            Some((access, length)) if length.parse::<u64>().is_ok() => access.to_owned(),
            _ => text,
        }),
        kind => kind,
    }
}

/// The first stack of a report: lines such as `    #0 0x55d0 (/path/target+0x1234) (BuildId: …)`.
fn reported_frames(report: &str) -> Vec<ReportedFrame> {
    let mut frames = Vec::new();
    for line in report.lines() {
        let line = line.trim_start();
        let Some(rest) = line.strip_prefix('#') else {
            if frames.is_empty() {
                continue;
            }
            break;
        };
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        if number != frames.len().to_string() || frames.len() == MAX_REPORTED_FRAMES {
            break;
        }
        let parsed = rest.split('(').find_map(|piece| {
            let (module, offset) = piece.split_once("+0x")?;
            let offset: String = offset.chars().take_while(char::is_ascii_hexdigit).collect();
            Some(ReportedFrame {
                module: cut(module),
                offset: u64::from_str_radix(&offset, 16).ok()?,
            })
        });
        match parsed {
            Some(frame) => frames.push(frame),
            None => break,
        }
    }
    frames
}

/// Reports that libFuzzer's own `main` prints, where an executable is run as a whole.
fn libfuzzer_report(stderr: &str) -> Option<Kind> {
    let at = stderr.find("ERROR: libFuzzer: ")?;
    let words = stderr[at + "ERROR: libFuzzer: ".len()..].lines().next()?;
    Some(match words.split(' ').next()? {
        "timeout" => Kind::Timeout,
        "out-of-memory" => Kind::OutOfMemory,
        "fuzz" => Kind::Exit(0),
        "deadly" => Kind::Other("deadly signal".to_owned()),
        other => Kind::Other(cut(other)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_panic_messages_are_read() {
        let new = "\nthread '<unnamed>' (17) panicked at src/lib.rs:3:5:\nindex 7\nout of\nnote: run with `RUST_BACKTRACE=1`";
        assert_eq!(panic_message(new), Some(("src/lib.rs:3:5".into(), "index 7\nout of".into())));
        let old = "thread 'main' panicked at 'it's bad', src/lib.rs:3:5\nnote: run with";
        assert_eq!(panic_message(old), Some(("src/lib.rs:3:5".into(), "it's bad".into())));
        assert_eq!(panic_message("fine"), None);
    }

    #[test]
    fn a_report_of_address_sanitizer_gives_kind_access_and_frames() {
        let text = "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x5\n\
                    READ of size 1 at 0x60 thread T0\n    #0 0x55aa  (/x/target+0x12ab) (BuildId: 1f)\n    \
                    #1 0x55bb  (/x/target+0x34)\n\n0x60 is located";
        let (signature, frames) =
            classify(ProcessEnd::Exited(86), SignalRecord::default(), text.as_bytes());
        assert_eq!(signature.kind, Kind::Sanitizer("heap-buffer-overflow READ 1".into()));
        assert_eq!(frames.len(), 2);
        assert_eq!(frames[0], ReportedFrame { module: "/x/target".into(), offset: 0x12ab });
    }

    #[test]
    fn the_length_of_an_access_is_left_out_and_nothing_else_is() {
        let left = |text: &str| without_length(Kind::Sanitizer(text.to_owned()));
        let kind = |text: &str| Kind::Sanitizer(text.to_owned());
        assert_eq!(left("heap-buffer-overflow WRITE 32"), kind("heap-buffer-overflow WRITE"));
        assert_eq!(left("SEGV (null page)"), kind("SEGV (null page)"));
        assert_eq!(left("double-free"), kind("double-free"));
        assert_eq!(without_length(Kind::Exit(3)), Kind::Exit(3));
    }

    #[test]
    fn a_fault_that_a_sanitizer_reports_has_the_class_of_its_address() {
        let kind = |text: &str| {
            let text = format!("==7==ERROR: AddressSanitizer: SEGV on unknown address {text}");
            classify(ProcessEnd::Exited(86), SignalRecord::default(), text.as_bytes()).0.kind
        };
        let named = |text: &str| Kind::Sanitizer(text.to_owned());
        assert_eq!(kind("0x000000000008 (pc 0x55)"), named("SEGV (null page)"));
        assert_eq!(kind("0x123456789000 (pc 0x55)"), named("SEGV (wild address)"));
        assert_eq!(kind("(pc 0x55 bp 0x0)"), named("SEGV (wild address)"));
    }

    #[test]
    fn a_report_cannot_be_larger_than_what_is_kept_of_it() {
        let long = "é".repeat(5_000);
        let frames: String =
            (0..2_000).map(|at| format!("    #{at} 0x1 ({long}+0x{at:x})\n")).collect();
        let text = format!("Sanitizer: {long}\nREAD of size {}\n{frames}", "9".repeat(99));
        let (signature, frames) =
            classify(ProcessEnd::Exited(86), SignalRecord::default(), text.as_bytes());
        assert_eq!(frames.len(), MAX_REPORTED_FRAMES);
        assert_eq!(frames[7], ReportedFrame { module: "é".repeat(2048), offset: 7 });
        let name = format!("{} READ {}", "é".repeat(2048), "9".repeat(MAX_SIZE_DIGITS));
        assert_eq!(signature.kind, Kind::Sanitizer(name));
        let panic = format!("t panicked at {long}:1:1:\nm\n");
        let place =
            classify(ProcessEnd::Exited(86), SignalRecord::default(), panic.as_bytes()).0.place;
        assert_eq!(place.unwrap().len(), MAX_NAME_BYTES);
    }

    #[test]
    fn undefined_behavior_counts_where_it_ends_the_process() {
        let text = b"a.c:3:1: runtime error: shift exponent 40 is too large\nb.c:4:1: runtime \
                     error: division by zero\n";
        let kind = |end| classify(end, SignalRecord::default(), text).0.kind;
        let division = Kind::Sanitizer("undefined-behavior: division by zero".to_owned());
        assert_eq!(kind(ProcessEnd::Exited(86)), division);
        assert_eq!(kind(ProcessEnd::Signalled(sys::SIGABRT)), Kind::Abort);
    }

    #[test]
    fn a_check_that_is_not_possible_is_no_leak() {
        let text = b"==7==LeakSanitizer has encountered a fatal error.\n==7==HINT: \
                     LeakSanitizer does not work under ptrace (strace, gdb, etc)\n";
        let kind = classify(ProcessEnd::Exited(86), SignalRecord::default(), text).0.kind;
        assert_eq!(kind, Kind::NoLeakCheck);
    }

    #[test]
    fn a_fault_at_the_end_of_a_deep_stack_is_an_overflow() {
        let record = SignalRecord {
            signal: sys::SIGSEGV,
            code: 2,
            address: 0x7ff0_0000_0ff8,
            stack_pointer: 0x7ff0_0000_1000,
            stack_base: 0x7ff0_0080_0000,
        };
        let kind = |record| classify(ProcessEnd::Exited(139), record, b"").0.kind;
        assert_eq!(kind(record), Kind::StackOverflow);
        let null = SignalRecord { address: 8, ..record };
        assert_eq!(kind(null), Kind::Signal(sys::SIGSEGV, Fault::NullPage));
    }

    #[test]
    fn a_death_without_a_word_is_named_by_its_status() {
        let kind = |end| classify(end, SignalRecord::default(), b"some output\n").0.kind;
        assert_eq!(kind(ProcessEnd::Exited(3)), Kind::Exit(3));
        assert_eq!(kind(ProcessEnd::Signalled(sys::SIGABRT)), Kind::Abort);
        assert_eq!(kind(ProcessEnd::TimedOut), Kind::Timeout);
    }
}
