//! Names for the stack of a failure, looked up beside the search.
//!
//! Reading debug information takes as long as a short search does. A thread opens it as soon as the
//! failure is known, and names the stack of the input's failure: the result's is mostly the same.
//! Only the output for users depends on it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};

use crate::event::{SourcePlace, StackLine};
use seedsmith_engine::internal::{Symbol, Symbolizer};
use seedsmith_engine::{Frame, Signature};

/// The stack line of a frame without debug information.
fn unknown(frame: &Frame, own: bool) -> StackLine {
    let SourcePlace { file, line, column } =
        SourcePlace::of(frame.place.as_deref().unwrap_or_default());
    let file = Some(file.to_owned()).filter(|file| !file.is_empty());
    StackLine { function: frame.to_string(), file, line, column, own }
}

/// The stack line of a frame with debug information.
fn known(symbol: Symbol, own: bool) -> StackLine {
    let Symbol { function, file, line, column, own: is_users } = symbol;
    let own = own && is_users && !file.as_deref().is_some_and(is_standard);
    StackLine { function, file, line, column, own }
}

/// Whether a source file is the standard library's: its functions are inlined into the user's.
pub(super) fn is_standard(file: &str) -> bool {
    ["library/std/", "library/core/", "library/alloc/"].iter().any(|part| file.contains(part))
}

/// Names stacks of one executable.
pub struct Stacks {
    executable: Option<PathBuf>,
    /// The thread that reads, if it could be started.
    reader: Option<Reader>,
}

/// The debug information of one executable, read in another thread, since it takes up to seconds.
struct Reader {
    questions: Sender<Vec<Frame>>,
    answers: Receiver<Vec<StackLine>>,
}

impl Stacks {
    /// Begins to read the debug information of `executable`, and to name the stack that `likely`
    /// has. Without an executable there are only addresses.
    pub fn begin(executable: Option<&Path>, likely: &Signature) -> Self {
        let executable = executable.map(Path::to_owned);
        let reader = executable.clone().and_then(|executable| {
            let (questions, asked) = channel::<Vec<Frame>>();
            let (answer, answers) = channel();
            let likely = likely.frames.clone();
            let read = move || {
                let symbolizer = Symbolizer::open(&executable).ok();
                let known = named(symbolizer.as_ref(), &likely);
                for frames in asked {
                    let lines = if frames == likely {
                        known.clone()
                    } else {
                        named(symbolizer.as_ref(), &frames)
                    };
                    if answer.send(lines).is_err() {
                        return;
                    }
                }
            };
            std::thread::Builder::new().name("symbols".to_owned()).spawn(read).ok()?;
            Some(Reader { questions, answers })
        });
        Stacks { executable, reader }
    }

    /// The functions and lines of a stack, those of libraries and runtimes too. Waits until the debug
    /// information is read.
    pub fn of(&self, signature: &Signature) -> Vec<StackLine> {
        let read = self.reader.as_ref().and_then(|reader| {
            reader.questions.send(signature.frames.clone()).ok()?;
            reader.answers.recv().ok()
        });
        read.unwrap_or_else(|| {
            let symbolizer = self.executable.as_deref().map(Symbolizer::open);
            named(symbolizer.and_then(Result::ok).as_ref(), &signature.frames)
        })
    }
}

/// The lines of a stack, innermost first; each inlined function has a line. Without a `symbolizer`
/// they are addresses.
pub(crate) fn named(symbolizer: Option<&Symbolizer>, frames: &[Frame]) -> Vec<StackLine> {
    with_addresses(symbolizer, frames).into_iter().map(|(_, line)| line).collect()
}

/// The lines of a stack as [`named`] has them, each with its address relative to its module; 0 where a report
/// names a function and no address.
fn with_addresses(symbolizer: Option<&Symbolizer>, frames: &[Frame]) -> Vec<(u64, StackLine)> {
    // Of a stripped executable no frame is known to be the user's: all are shown.
    let are_unknown = !frames.iter().any(|frame| frame.own);
    let lines_of = |frame: &Frame| {
        let own = frame.own || are_unknown;
        let symbols = symbolizer.map(|open| open.frame(frame)).unwrap_or_default();
        if symbols.is_empty() {
            return vec![(frame.offset, unknown(frame, own))];
        }
        symbols.into_iter().map(|symbol| (frame.offset, known(symbol, own))).collect()
    };
    frames.iter().flat_map(lines_of).collect()
}

/// The debug information of executables. Stacks of one that cannot be read are addresses.
#[derive(Default)]
pub(crate) struct StackNames {
    open: HashMap<PathBuf, Option<Symbolizer>>,
}

impl StackNames {
    /// The stack of a failure of `executable`. Costs tens of milliseconds the first time.
    pub(crate) fn stack(
        &mut self,
        executable: Option<&Path>,
        signature: &Signature,
    ) -> Vec<StackLine> {
        named(self.symbolizer(executable, signature), &signature.frames)
    }

    /// The same stack, each line with its address relative to its module.
    pub(crate) fn stack_with_addresses(
        &mut self,
        executable: Option<&Path>,
        signature: &Signature,
    ) -> Vec<(u64, StackLine)> {
        with_addresses(self.symbolizer(executable, signature), &signature.frames)
    }

    /// The debug information that names the frames of `signature`, if it has any.
    fn symbolizer(
        &mut self,
        executable: Option<&Path>,
        signature: &Signature,
    ) -> Option<&Symbolizer> {
        let path = executable.filter(|_| !signature.frames.is_empty())?;
        let open = || Symbolizer::open(path).ok();
        self.open.entry(path.to_owned()).or_insert_with(open).as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_of_a_report_has_the_place_that_the_report_says() {
        let frames = [
            Frame::named("parse", Some("/src/a.c:14:5"), true),
            Frame::named("walk", Some("/src/b.py:7"), true),
            Frame::named("main", None, false),
        ];
        let lines = named(None, &frames);
        let shown: Vec<String> = lines.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["parse at /src/a.c:14", "walk at /src/b.py:7", "main"]);
        assert_eq!((lines[0].line, lines[0].column), (Some(14), Some(5)));
        assert_eq!((lines[1].line, lines[1].column), (Some(7), None));
        assert_eq!(lines.iter().map(|line| line.own).collect::<Vec<_>>(), [true, true, false]);
    }

    #[test]
    fn of_a_stripped_executable_every_address_is_shown() {
        let lines = named(None, &[Frame::at("prog", 0x12, false)]);
        assert!(lines[0].own && lines[0].function == "prog+0x12");
    }
}
