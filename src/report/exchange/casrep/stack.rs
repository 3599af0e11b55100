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
pub(super) fn crash_place(signature: &Signature, stack: &[(u64, StackLine)]) -> CrashPlace {
    let own = || stack.iter().map(|(_, line)| line).filter(|line| line.own);
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

/// The stack, innermost frame first: `#0  0x12 in parse at src/a.c:7:9`, or `#0  0x12 in ?? () from module` for an
/// address without debug information. Addresses are relative to their modules.
///
/// It ends with the outermost own frame, because what calls the target is not the target's, and casr does not know
/// its names. Where frames of the runtime are all there is, they are written. casr takes two frames without files
/// and addresses for the same, and so a frame has an address if it is known.
///
/// A failure without frames has its place as the only frame if the place is known. casr-cluster puts a report
/// without any frame aside.
pub(super) fn lines(signature: &Signature, stack: &[(u64, StackLine)]) -> Vec<String> {
    if stack.is_empty() {
        let place = of_message(signature);
        return place.map(|place| format!("#0  {UNNAMED} () at {place}")).into_iter().collect();
    }
    let own = stack.iter().rposition(|(_, line)| line.own);
    let stack = &stack[..own.map_or(stack.len(), |outermost| outermost + 1)];
    let numbered = stack.iter().enumerate();
    numbered.map(|(at, (address, line))| format!("#{at:<2} {}", frame(*address, line))).collect()
}

/// One frame, without its number. Line feeds in names become blanks: a frame is a line.
fn frame(address: u64, line: &StackLine) -> String {
    let place = match (place_of(line), line.function.rsplit_once("+0x")) {
        (Some(place), _) => format!("{} at {place}", line.function),
        (None, Some((module, _))) => format!("{UNNAMED} () from {module}"),
        (None, None) => line.function.clone(),
    };
    let text = if address == 0 { place } else { format!("{address:#x} in {place}") };
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
            (0x2e, line("<a::B as c::D>::parse", Some("/src/a b.rs"), true)),
            (0x1f, line("libc.so.6+0x1f", None, false)),
            (0x3d, line("LLVMFuzzerTestOneInput", None, true)),
            (0, line("called", Some("/src/c.py"), true)),
            (0x4c, line("main", None, false)),
        ];
        let signature = Signature::of_kind(Kind::Abort);
        let expected = [
            "#0  0x2e in <a::B as c::D>::parse at /src/a b.rs:7",
            "#1  0x1f in ?? () from libc.so.6",
            "#2  0x3d in LLVMFuzzerTestOneInput",
            "#3  called at /src/c.py:7",
        ];
        assert_eq!(lines(&signature, &stack), expected);
        assert_eq!(lines(&signature, &stack[4..]), ["#0  0x4c in main"]);
    }

    #[test]
    fn the_crash_line_is_the_innermost_own_place_else_that_of_the_message_else_an_address() {
        let mut signature = Signature::of_kind(Kind::Panic);
        signature.place = Some("src/lib.rs:3:5".to_owned());
        let runtime = (1, line("panic", Some("library/core/a.rs"), false));
        let own = (2, line("parse", Some("src/a.rs"), true));
        let address = (0x12, line("prog+0x12", None, true));
        let place = |stack: &[(u64, StackLine)]| crash_place(&signature, stack).to_string();
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
