//! Groups of failures in the formats that other tools read: SARIF, JUnit and a summary in Markdown.
//!
//! Each format is a function from [`Groups`] to text. What they share is here: the
//! place in the user's code at which a failure is shown.

pub(crate) mod joined;
mod junit;
mod markdown;
mod sarif;

use std::path::Path;

pub use junit::junit;
pub use markdown::markdown;
pub use sarif::sarif;

use super::show;
use crate::report::exchange::joined::file_of;
use crate::report::summary::groups::GroupRow;

/// A file, and a line and column of it, as far as they are known.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    file: String,
    line: Option<u32>,
    column: Option<u32>,
}

/// Where a failure is shown: the innermost frame of a file below the current folder, else the panic's
/// place or the innermost own frame.
fn place_of(row: &GroupRow) -> Option<Place> {
    let frames: Vec<Place> = row
        .stack
        .iter()
        .filter(|line| line.own)
        .filter_map(|line| {
            let file = show::short_paths(line.file.as_ref()?);
            Some(Place { file, line: line.line, column: line.column })
        })
        .collect();
    let panic = row.signature.place.as_ref().map(|place| parsed(&show::short_paths(place)));
    let is_here = |place: &&Place| Path::new(&place.file).is_file();
    let here = panic.iter().chain(&frames).find(is_here).cloned();
    here.or(panic).or_else(|| frames.into_iter().next())
}

/// `file:line:column` in parts.
fn parsed(place: &str) -> Place {
    let mut parts = place.rsplitn(3, ':');
    let (last, middle, first) = (parts.next(), parts.next(), parts.next());
    let number = |part: Option<&str>| part.and_then(|part| part.parse().ok());
    match (first, number(middle), number(last)) {
        (Some(file), line @ Some(_), column @ Some(_)) => {
            Place { file: file.to_owned(), line, column }
        }
        _ => {
            let file = file_of(place).to_owned();
            let line = number(place[file.len()..].strip_prefix(':'));
            Place { file, line, column: None }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::report::summary::groups::Groups;
    use crate::session::stack::StackLine;
    use seedsmith_engine::signature::{Kind, Message, Signature};

    /// A panic in `file` at `line`.
    pub fn row(file: &str, line: u32, message: &str) -> GroupRow {
        let own = StackLine {
            function: "parse::number".to_owned(),
            file: Some(file.to_owned()),
            line: Some(line),
            column: Some(9),
            own: true,
        };
        GroupRow {
            target: "parse".to_owned(),
            signature: Arc::new(Signature {
                place: Some(format!("{file}:{line}:9")),
                message: Some(Message::new(message)),
                ..Signature::of_kind(Kind::Panic)
            }),
            stack: vec![own],
            inputs: vec!["crashes/a b".into(), "crashes/c".into()],
            smallest: "crashes/a b".into(),
            smallest_bytes: 7,
            id: format!("{file}-{line}"),
            is_steady: true,
            results: Vec::new(),
        }
    }

    /// Two failures and an input that passes.
    pub fn groups() -> Groups {
        Groups {
            rows: vec![row("src/lib.rs", 17, "<index> out of bounds"), row("src/b.rs", 3, "no")],
            passing: vec!["crashes/fixed".into()],
            troubled: 0,
            joined: None,
        }
    }

    #[test]
    fn a_place_is_read_with_and_without_a_column() {
        let place = |file: &str, line, column| Place { file: file.to_owned(), line, column };
        assert_eq!(parsed("a/b.rs:3:5"), place("a/b.rs", Some(3), Some(5)));
        assert_eq!(parsed("a/b.c:3"), place("a/b.c", Some(3), None));
        assert_eq!(parsed("a:b.c"), place("a:b.c", None, None));
        assert_eq!(parsed("b"), place("b", None, None));
    }
}
