//! Failures in the formats that other tools read: SARIF, JUnit and a summary in Markdown for groups, casr's
//! report for one input.
//!
//! Each format is a function from an event's data to text. This file has the part that they
//! share: the place in the user's code at which a failure is shown.

mod casrep;
mod earlier;
mod junit;
mod markdown;
mod sarif;

use std::path::Path;

pub(crate) use casrep::{System, casrep};
pub(crate) use earlier::earlier;
pub(crate) use junit::junit;
pub(crate) use markdown::markdown;
pub(crate) use sarif::sarif;

use super::show;
use crate::event::{FailureGroup, SourcePlace};

/// A place that a failure is shown at, with a short path. Line and column count from 1; 0 is a number that debug
/// information does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
/// The path is not escaped here; SARIF needs it as a URI.
struct Place {
    /// It need not exist: if no file does, it is that of the panic, else that of the innermost own frame.
    file: String,
    line: Option<u32>,
    column: Option<u32>,
}

/// Where a failure is shown: the innermost frame of a file below the current folder, else the panic's
/// place or the innermost own frame.
/// None if the signature has no place and no frame of the user's code has a file. Looks at the file system
/// for the panic's place and then for each of these frames, until a file exists.
fn place_of(row: &FailureGroup) -> Option<Place> {
    let frames: Vec<Place> = row
        .stack
        .iter()
        .filter(|line| line.own)
        .filter_map(|line| {
            let file = show::short_paths(line.file.as_ref()?);
            Some(Place { file, line: line.line, column: line.column })
        })
        .collect();
    let panic = row.signature.place.as_ref().map(|place| {
        let place = show::short_paths(place);
        let SourcePlace { file, line, column } = SourcePlace::of(&place);
        Place { file: file.to_owned(), line, column }
    });
    let is_here = |place: &&Place| Path::new(&place.file).is_file();
    let here = panic.iter().chain(&frames).find(is_here).cloned();
    here.or(panic).or_else(|| frames.into_iter().next())
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::event::FailureGroups;
    use crate::event::StackLine;
    use seedsmith_engine::{Kind, Message, Signature};

    /// A panic in `file` at `line`.
    pub fn row(file: &str, line: u32, message: &str) -> FailureGroup {
        let own = StackLine {
            function: "parse::number".to_owned(),
            file: Some(file.to_owned()),
            line: Some(line),
            column: Some(9),
            own: true,
        };
        FailureGroup {
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
    pub fn groups() -> FailureGroups {
        FailureGroups {
            rows: vec![row("src/lib.rs", 17, "<index> out of bounds"), row("src/b.rs", 3, "no")],
            passing: vec!["crashes/fixed".into()],
            troubled: 0,
            joined: None,
        }
    }
}
