//! Names for the stack of a failure, looked up beside the search.
//!
//! Reading debug information takes as long as a short search does. A thread opens it as soon as
//! there is something to hunt, and names the stack of the input's failure: the result's is mostly
//! the same. Nothing but what is shown depends on it.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};

use seedsmith_engine::exec::symbolize::Symbolizer;
use seedsmith_engine::signature::{Frame, Signature};

/// A line of a stack: a function and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackLine {
    /// The function, or module and offset where that isn't known.
    pub function: String,
    /// `file:line`, where it is known.
    pub place: Option<String>,
}

impl std::fmt::Display for StackLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.function)?;
        match &self.place {
            Some(place) => write!(f, " at {place}"),
            None => Ok(()),
        }
    }
}

/// Names stacks of one executable.
pub struct Stacks {
    executable: Option<PathBuf>,
    /// The thread that reads, if it could be started.
    reader: Option<Reader>,
}

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
            let likely = own_frames(likely);
            let read = move || {
                let symbolizer = Symbolizer::open(&executable).ok();
                let known = lines(symbolizer.as_ref(), &likely);
                for frames in asked {
                    let lines = if frames == likely {
                        known.clone()
                    } else {
                        lines(symbolizer.as_ref(), &frames)
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

    /// The functions and lines of a stack, the frames of libraries and runtimes left out. Waits
    /// until the debug information is read.
    pub fn of(&self, signature: &Signature) -> Vec<StackLine> {
        let frames = own_frames(signature);
        let read = self.reader.as_ref().and_then(|reader| {
            reader.questions.send(frames.clone()).ok()?;
            reader.answers.recv().ok()
        });
        read.unwrap_or_else(|| {
            let symbolizer = self.executable.as_deref().map(Symbolizer::open);
            lines(symbolizer.and_then(Result::ok).as_ref(), &frames)
        })
    }
}

fn own_frames(signature: &Signature) -> Vec<Frame> {
    signature.own_frames(usize::MAX).into_iter().cloned().collect()
}

fn lines(symbolizer: Option<&Symbolizer>, frames: &[Frame]) -> Vec<StackLine> {
    let lines_of = |frame: &Frame| {
        let symbols = symbolizer.map(|open| open.frame(frame)).unwrap_or_default();
        if symbols.is_empty() {
            return vec![StackLine { function: frame.to_string(), place: None }];
        }
        let own = symbols.into_iter().filter(|symbol| symbol.own);
        own.map(|symbol| StackLine {
            place: symbol.file.map(|file| match symbol.line {
                Some(line) => format!("{file}:{line}"),
                None => file,
            }),
            function: symbol.function,
        })
        .collect()
    };
    frames.iter().flat_map(lines_of).collect()
}
