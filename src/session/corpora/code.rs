//! Which code the coverage counters of an executable belong to, on disk: `merge` has no executable to read it from.
//!
//! A shard of `coverage` writes it beside the records of its inputs.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use seedsmith_engine::internal::Symbol;
use serde::{Deserialize, Serialize};

use super::part::JoinError;
use crate::aside;

/// The file in a shard's result folder.
const CODE_FILE: &str = "code.json";
/// The version of its form.
const VERSION: u32 = 1;

/// The file. A function is in many places, so each text is written once.
#[derive(Debug, Serialize, Deserialize)]
struct CodeFile {
    version: u32,
    /// The target's name.
    target: String,
    /// Names of functions and files.
    texts: Vec<String>,
    /// For each counter, the functions that its block is in.
    places: Vec<Vec<Place>>,
}

/// A function: its name and its file as indices into the texts, and its line.
type Place = (usize, Option<usize>, Option<u32>);

/// The name of a target, and for each of its counters the functions that its block is in.
pub(crate) type Code = (String, Vec<Vec<Symbol>>);

/// Writes the code of the counters of `target` into a result folder. Code of language runtimes is left out, since it
/// is not reported.
pub(crate) fn write_code(folder: &Path, target: &str, places: &[Vec<Symbol>]) -> io::Result<()> {
    let mut texts = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut number = |text| {
        *known.entry(text).or_insert_with(|| {
            texts.push(str::to_owned(text));
            texts.len() - 1
        })
    };
    let places = places.iter().map(|place| {
        let own = place.iter().filter(|symbol| symbol.own);
        let own =
            own.map(|one| (number(&one.function), one.file.as_deref().map(&mut number), one.line));
        own.collect()
    });
    let places = places.collect();
    let file = CodeFile { version: VERSION, target: target.to_owned(), texts, places };
    std::fs::create_dir_all(folder)?;
    aside::write(&folder.join(CODE_FILE), &serde_json::to_vec(&file)?)
}

/// Reads what [`write_code`] has written.
pub(crate) fn read_code(folder: &Path) -> Result<Code, JoinError> {
    let path = folder.join(CODE_FILE);
    let bytes =
        std::fs::read(&path).map_err(|source| JoinError::Read { path: path.clone(), source })?;
    let read = serde_json::from_slice::<CodeFile>(&bytes).ok();
    let code = read.filter(|file| file.version == VERSION).and_then(|file| {
        let text = |number: usize| file.texts.get(number).cloned();
        let symbol = |(function, of, line): &Place| {
            let file = of.map(text);
            Some(Symbol {
                function: text(*function)?,
                file: file.map_or(Some(None), |file| file.map(Some))?,
                line: *line,
                column: None,
                own: true,
            })
        };
        let places = file.places.iter().map(|place| place.iter().map(symbol).collect());
        let places: Option<Vec<Vec<Symbol>>> = places.collect();
        Some((file.target.clone(), places?))
    });
    code.ok_or(JoinError::NoShard(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_read_as_it_was_written_without_that_of_runtimes() {
        let folder = tempfile::tempdir().unwrap();
        let symbol = |function: &str, file: Option<&str>, own| Symbol {
            function: function.to_owned(),
            file: file.map(str::to_owned),
            line: file.map(|_| 7),
            column: None,
            own,
        };
        let (one, runtime) = (symbol("one", Some("a.rs"), true), symbol("alloc", None, false));
        let other = symbol("other", None, true);
        let places = [vec![one.clone(), runtime], vec![], vec![other, one]];
        write_code(folder.path(), "target", &places).unwrap();
        let (target, read) = read_code(folder.path()).unwrap();
        assert_eq!(target, "target");
        let names = |places: &[Vec<Symbol>]| {
            let names = |place: &Vec<Symbol>| {
                let own = place.iter().filter(|one| one.own);
                own.map(|one| (one.function.clone(), one.file.clone(), one.line)).collect()
            };
            places.iter().map(names).collect::<Vec<Vec<_>>>()
        };
        assert_eq!(names(&read), names(&places));
        std::fs::write(folder.path().join(CODE_FILE), "{}").unwrap();
        assert!(matches!(read_code(folder.path()), Err(JoinError::NoShard(_))));
    }
}
