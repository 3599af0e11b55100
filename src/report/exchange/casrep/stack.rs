//! A stack in gdb's notation, which casr reads in a report that has no raw report of a sanitizer or a runtime.

use std::fmt;

use crate::event::{SourcePlace, StackLine};
use seedsmith_engine::Signature;

/// What gdb prints for a function without a name.
const UNNAMED: &str = "??";

/// Where a crash happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CrashPlace {
    /// In a source file.
    Source {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: Option<u32>,
        /// The column, counted from 1.
        column: Option<u32>,
    },
    /// `module+0x12`, where there is no debug information.
    Module(String),
    /// Not known.
    Unknown,
}

/// As casr's field `CrashLine` has it.
impl fmt::Display for CrashPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CrashPlace::Source { file, line, column } => {
                f.write_str(file)?;
                for number in [line, column].into_iter().map_while(|number| *number) {
                    write!(f, ":{number}")?;
                }
                Ok(())
            }
            CrashPlace::Module(place) => f.write_str(place),
            CrashPlace::Unknown => Ok(()),
        }
    }
}

/// The innermost own frame that has a file; else the place in the failure's message, else the innermost own
/// frame of which only the address in its module is known.
pub(super) fn crash_place(signature: &Signature, stack: &[StackLine]) -> CrashPlace {
    let own = || stack.iter().filter(|line| line.own);
    own().find_map(place_of).or_else(|| of_message(signature)).unwrap_or_else(|| {
        match own().find(|line| !line.has_name()) {
            Some(line) => CrashPlace::Module(line.function.clone()),
            None => CrashPlace::Unknown,
        }
    })
}

/// The place of a frame.
fn place_of(line: &StackLine) -> Option<CrashPlace> {
    let file = line.file.clone()?;
    Some(CrashPlace::Source { file, line: known(line.line), column: known(line.column) })
}

/// The place in the message of a panic.
fn of_message(signature: &Signature) -> Option<CrashPlace> {
    let SourcePlace { file, line, column } = SourcePlace::of(signature.place.as_ref()?);
    let file = file.to_owned();
    Some(CrashPlace::Source { file, line: known(line), column: known(column) })
}

/// Debug information has 0 where it does not know a number.
fn known(number: Option<u32>) -> Option<u32> {
    number.filter(|number| *number > 0)
}

/// The stack, innermost frame first: `#0  parse at src/a.c:7:9`, or `#0  0x12 in ?? () from module` for an
/// address without debug information, which is relative to its module.
///
/// A failure without frames has its place as the only frame if the place is known. casr-cluster puts a report
/// without any frame aside.
pub(super) fn lines(signature: &Signature, stack: &[StackLine]) -> Vec<String> {
    if stack.is_empty() {
        let place = of_message(signature);
        return place.map(|place| format!("#0  {UNNAMED} () at {place}")).into_iter().collect();
    }
    stack.iter().enumerate().map(|(at, line)| format!("#{at:<2} {}", frame(line))).collect()
}

/// One frame, without its number. Line feeds in names become blanks: a frame is a line.
fn frame(line: &StackLine) -> String {
    let text = match (place_of(line), line.function.rsplit_once("+0x")) {
        (Some(place), _) => format!("{} at {place}", line.function),
        (None, Some((module, offset))) => format!("0x{offset} in {UNNAMED} () from {module}"),
        (None, None) => line.function.clone(),
    };
    text.replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedsmith_engine::Kind;

    fn line(function: &str, file: Option<&str>, own: bool) -> StackLine {
        let file = file.map(str::to_owned);
        let (line, column) = (file.is_some().then_some(7), file.is_some().then_some(0));
        StackLine { function: function.to_owned(), file, line, column, own }
    }

    #[test]
    fn frames_are_as_gdb_prints_them() {
        let stack = [
            line("<a::B as c::D>::parse", Some("/src/a b.rs"), true),
            line("libc.so.6+0x1f", None, false),
            line("main", None, false),
        ];
        let signature = Signature::of_kind(Kind::Abort);
        let expected = [
            "#0  <a::B as c::D>::parse at /src/a b.rs:7",
            "#1  0x1f in ?? () from libc.so.6",
            "#2  main",
        ];
        assert_eq!(lines(&signature, &stack), expected);
    }

    #[test]
    fn the_crash_line_is_the_innermost_own_place_else_that_of_the_message_else_an_address() {
        let mut signature = Signature::of_kind(Kind::Panic);
        signature.place = Some("src/lib.rs:3:5".to_owned());
        let runtime = line("panic", Some("library/core/a.rs"), false);
        let own = line("parse", Some("src/a.rs"), true);
        let address = line("prog+0x12", None, true);
        let place = |stack: &[StackLine]| crash_place(&signature, stack).to_string();
        assert_eq!(place(&[runtime.clone(), address.clone(), own]), "src/a.rs:7");
        assert_eq!(place(&[runtime, address.clone()]), "src/lib.rs:3:5");
        let signature = Signature::of_kind(Kind::Abort);
        assert_eq!(crash_place(&signature, &[address]).to_string(), "prog+0x12");
        assert_eq!(crash_place(&signature, &[]).to_string(), "");
    }

    #[test]
    fn a_failure_without_frames_has_its_place_as_a_frame() {
        let mut signature = Signature::of_kind(Kind::Panic);
        assert!(lines(&signature, &[]).is_empty());
        signature.place = Some("src/lib.rs:3:5".to_owned());
        assert_eq!(lines(&signature, &[]), ["#0  ?? () at src/lib.rs:3:5"]);
    }
}
