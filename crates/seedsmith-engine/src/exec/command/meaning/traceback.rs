//! Stacks that a language's runtime prints by function, file and line: Python's and Go's.

use std::path::Path;

use super::place::place_in;
use crate::signature::{Frame, Kind, Message, Signature};

/// The last of Python's tracebacks: of chained exceptions that is the one that ended the program.
///
/// The failure is the exception's name without its module, at the innermost line of the program's
/// own code, with the frames innermost first. `None` where no exception follows the frames: the
/// text was cut off.
pub(super) fn python(text: &str, folder: &Path) -> Option<Signature> {
    const MARK: &str = "Traceback (most recent call last):\n";
    let rest = &text[text.rfind(MARK)? + MARK.len()..];
    let mut frames = Vec::new();
    let mut places: Vec<(String, bool)> = Vec::new();
    for line in rest.lines() {
        if let Some((file, number, function)) = python_frame(line) {
            // The standard library's code is not the program's; installed packages are.
            let own = !file.contains("/lib/python3") || file.contains("-packages/");
            let place = place_in(&format!("{file}:{number}"), folder);
            frames.push(Frame::named(function, Some(&place), own));
            places.push((place, own));
        } else if !line.starts_with(' ') && !line.is_empty() {
            let (name, message) = line.split_once(": ").unwrap_or((line, ""));
            frames.reverse();
            let innermost = places.iter().rev().find(|(_, own)| *own).or(places.last());
            let name = name.trim_end_matches(':').rsplit('.').next().unwrap_or(name);
            return is_name(name).then(|| Signature {
                kind: Kind::Other(name.to_owned()),
                place: innermost.map(|(place, _)| place.clone()),
                message: Some(message).filter(|message| !message.is_empty()).map(Message::new),
                frames,
            });
        }
    }
    None
}

/// `  File "/src/a.py", line 12, in parse`.
///
/// Gives the file, the line as digits, and the function, which is `<module>` for code outside of
/// any.
fn python_frame(line: &str) -> Option<(&str, &str, &str)> {
    let rest = line.trim_start().strip_prefix("File \"")?;
    let (file, rest) = rest.split_once("\", line ")?;
    let (number, function) = rest.split_once(", in ").unwrap_or((rest, "<module>"));
    Some((file, number, function))
}

/// Whether a text can be an exception's name.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// A panic or fatal error of Go's runtime, with the stack of the goroutine that had it.
///
/// The text is `panic: MESSAGE` or `fatal error: MESSAGE`, then `goroutine N [running]:`, then two
/// lines for each frame: the call, and a tab with the file, the line and an offset. The first
/// goroutine is the one that panicked. `None` where no stack follows.
pub(super) fn go(text: &str, folder: &Path) -> Option<Signature> {
    let line_after = |mark: &str| {
        let at =
            text.match_indices(mark).find(|(at, _)| *at == 0 || text[..*at].ends_with('\n'))?;
        text[at.0 + mark.len()..].lines().next()
    };
    let (kind, message) = match (line_after("panic: "), line_after("fatal error: ")) {
        (_, Some("stack overflow")) => (Kind::StackOverflow, "stack overflow"),
        (Some(message), _) => (Kind::Panic, message),
        (None, Some(message)) => (Kind::Other("fatal error".to_owned()), message),
        (None, None) => return None,
    };
    let stack = &text[text.find("\ngoroutine ")? + 1..];
    let mut lines = stack.lines().skip(1);
    let (mut frames, mut place) = (Vec::new(), None);
    while let (Some(call), Some(at)) = (lines.next(), lines.next()) {
        let Some(at) = at.strip_prefix('\t').filter(|_| !call.is_empty()) else { break };
        let function = call.rsplit_once('(').map_or(call, |(function, _)| function);
        let own = !function.starts_with("runtime.") && !call.starts_with("panic(");
        let its_place = place_in(at.split(" +0x").next().unwrap_or(at), folder);
        frames.push(Frame::named(function, Some(&its_place), own));
        if own && place.is_none() {
            place = Some(its_place);
        }
    }
    Some(Signature { kind, place, message: Some(Message::new(message)), frames })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> &'static Path {
        Path::new("/tmp/s/test")
    }

    #[test]
    fn a_traceback_is_told_by_exception_and_innermost_own_line() {
        let text = "noise\nTraceback (most recent call last):\n  File \"/src/run.py\", line 9, in <module>\n    \
            main()\n    ~~~~^^\n  File \"/src/run.py\", line 5, in main\n    json.loads(text)\n  \
            File \"/usr/lib/python3.11/json/decoder.py\", line 355, in raw_decode\n    raise\n\
            json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)\n";
        let signature = python(text, folder()).unwrap();
        assert_eq!(signature.kind, Kind::Other("JSONDecodeError".to_owned()));
        assert_eq!(signature.place.as_deref(), Some("/src/run.py:5"));
        assert_eq!(signature.frames[0].to_string(), "raw_decode");
        let message = signature.message.unwrap();
        assert_eq!(message.text(), "Expecting value: line 1 column 1 (char 0)");
        assert_eq!(message.normalised(), "Expecting value: line # column # (char #)");
        assert!(python("Traceback (most recent call last):\n", folder()).is_none());
    }

    #[test]
    fn of_chained_exceptions_the_last_counts() {
        let text = "Traceback (most recent call last):\n  File \"/a.py\", line 1, in f\nKeyError: 'x'\n\n\
            During handling of the above exception, another exception occurred:\n\n\
            Traceback (most recent call last):\n  File \"/a.py\", line 4, in g\nValueError\n";
        let signature = python(text, folder()).unwrap();
        assert_eq!(signature.to_string(), "ValueError at /a.py:4");
    }

    #[test]
    fn a_panic_of_go_has_the_place_of_the_first_frame_outside_the_runtime() {
        let text = "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\n\
            runtime.goPanicIndex(0x5, 0x3)\n\t/usr/lib/go/panic.go:88 +0x74\n\
            main.parse({0xc000, 0x5})\n\t/src/main.go:12 +0x1d\nmain.main()\n\t/src/main.go:20 +0x25\nexit status 2\n";
        let signature = go(text, folder()).unwrap();
        assert_eq!(signature.kind, Kind::Panic);
        assert_eq!(signature.place.as_deref(), Some("/src/main.go:12"));
        assert_eq!(signature.own_frames(1)[0].to_string(), "main.parse");
        assert!(go("panic: no stack follows\n", folder()).is_none());
    }
}
