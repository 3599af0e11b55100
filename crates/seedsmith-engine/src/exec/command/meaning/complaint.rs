//! Recognises a shell whose child died by a signal: it exits with 128 plus the signal's number, and
//! prints the signal's name.
//!
//! A status above 128 alone says nothing: programs use such numbers for other things.

use crate::exec::os::sys;

/// The words of dash, bash and busybox for signals that a fault raises.
///
/// Each shell has its own word for the same signal; the C library's `strsignal` has the first of
/// each list.
const WORDS: [(i32, &[&str]); 7] = [
    (sys::SIGILL, &["Illegal instruction"]),
    (sys::SIGTRAP, &["Trace/breakpoint trap", "Trace/BPT trap"]),
    (sys::SIGABRT, &["Aborted", "Abort trap"]),
    (sys::SIGBUS, &["Bus error"]),
    (sys::SIGFPE, &["Floating point exception", "Arithmetic exception", "Floating exception"]),
    (sys::SIGSEGV, &["Segmentation fault"]),
    (sys::SIGSYS, &["Bad system call"]),
];

/// The signal that a shell's exit status `code` means, if `stderr` has the shell's word for it.
///
/// Both have to be there: a shell that only passes on the status of a program prints no word.
pub(super) fn signal_of_child(code: i32, stderr: &str) -> Option<i32> {
    let (signal, words) = WORDS.iter().find(|(signal, _)| code == 128 + signal)?;
    words.iter().any(|word| stderr.contains(word)).then_some(*signal)
}

/// The signal that an exit status above 128 means, if it is one that a fault raises.
///
/// For a caller that has other evidence of a crash, such as a report.
pub(super) fn signal_of_status(code: i32) -> Option<i32> {
    WORDS.iter().map(|(signal, _)| *signal).find(|signal| code == 128 + signal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_above_128_is_a_signal_only_where_the_shell_says_so() {
        let said = "sh: line 1:  4242 Segmentation fault      (core dumped) ./prog x\n";
        assert_eq!(signal_of_child(139, said), Some(sys::SIGSEGV));
        assert_eq!(signal_of_child(139, "no such file\n"), None);
        assert_eq!(signal_of_child(134, said), None);
        assert_eq!(signal_of_child(11, said), None);
    }
}
