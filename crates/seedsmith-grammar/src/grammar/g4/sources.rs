//! Finds the files that a grammar is made of: those named, those imported, the vocabulary.
//!
//! A parser grammar finds its tokens through the option `tokenVocab`: in the lexer grammar of that
//! name, in a `.tokens` file that ANTLR wrote, or in a lexer grammar that was given with it.
//! Imports are looked for among the texts that were given, then in the folders of the files that
//! were given.

use super::ast::{File, FileKind};
use super::read;
use crate::digest::Digest;
use crate::grammar::error::{GrammarError, MissingFile, SourceLine};
use crate::grammar::source;
use std::path::{Path, PathBuf};

/// Imports may nest this deep.
/// A guess, not measured: it only has to end chains that a generator made.
const MAX_IMPORTS: usize = 50;

/// The given texts, and the folders in which the grammars that they import are looked up.
#[derive(Default)]
pub(super) struct Sources {
    /// The texts that were given, in their order.
    files: Vec<File>,
    /// The folders of the files that were given, each once, in their order.
    folders: Vec<PathBuf>,
}

impl Sources {
    /// Adds a grammar's text under a name for messages.
    ///
    /// Fails if it is larger than [`source::MAX_FILE_BYTES`] or not in the notation.
    pub(super) fn add_text(&mut self, name: &str, text: &str) -> Result<(), GrammarError> {
        source::check_size(name, text)?;
        self.files.push(read::file(text, name)?);
        Ok(())
    }

    /// Reads and adds a file; its folder is searched for imports.
    ///
    /// Fails as [`Sources::add_text`] does, and where the file cannot be read.
    pub(super) fn add_path(&mut self, path: &Path) -> Result<(), GrammarError> {
        self.add_text(&path.display().to_string(), &read_text(path)?)?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        if !self.folders.contains(&folder) {
            self.folders.push(folder);
        }
        Ok(())
    }

    /// The parser half (a combined or parser grammar), the lexer half, or both, with all their
    /// imports merged in.
    ///
    /// Of several files of a kind the first that no other imports is meant. Fails where an import
    /// or the vocabulary is missing.
    pub(super) fn halves(&self) -> Result<(Option<File>, Option<File>), GrammarError> {
        let is_imported = |name: &str| {
            self.files.iter().any(|f| f.imports.iter().any(|(import, _)| import == name))
        };
        let main = |wanted: &dyn Fn(FileKind) -> bool| {
            let fits = |f: &&File| wanted(f.kind);
            self.files
                .iter()
                .filter(fits)
                .find(|f| !is_imported(&f.name))
                .or_else(|| self.files.iter().find(fits))
        };
        let parser = main(&|kind| kind != FileKind::Lexer);
        let parser = parser.map(|file| self.with_imports(file)).transpose()?;
        let lexer = match &parser {
            Some(file) if file.kind == FileKind::Parser => match file.option("tokenVocab") {
                Some(name) => self.vocabulary(name, &file.place)?,
                None => main(&|kind| kind == FileKind::Lexer).cloned(),
            },
            Some(_) => None,
            None => main(&|kind| kind == FileKind::Lexer).cloned(),
        };
        let lexer = lexer.map(|file| self.with_imports(&file)).transpose()?;
        Ok((parser, lexer))
    }

    /// The grammar of that name: one of those added, else from a folder.
    fn find(&self, name: &str) -> Result<Option<File>, GrammarError> {
        if let Some(file) = self.files.iter().find(|file| file.name == name) {
            return Ok(Some(file.clone()));
        }
        for folder in &self.folders {
            let path = folder.join(format!("{name}.g4"));
            if path.is_file() {
                return read::file(&read_text(&path)?, &path.display().to_string()).map(Some);
            }
        }
        Ok(None)
    }

    /// The lexer that makes a parser's tokens, or a lexer without rules from a `.tokens` file.
    fn vocabulary(&self, name: &str, place: &SourceLine) -> Result<Option<File>, GrammarError> {
        let base = name.rsplit('/').next().unwrap_or(name);
        if let Some(file) = self.find(base)? {
            return Ok(Some(file));
        }
        for folder in &self.folders {
            let path = folder.join(format!("{name}.tokens"));
            if path.is_file() {
                return Ok(Some(tokens_file(&read_text(&path)?, name, &path)));
            }
        }
        // A lexer given beside the parser is meant even if it goes by another name.
        if let Some(file) = self.files.iter().find(|file| file.kind == FileKind::Lexer) {
            return Ok(Some(file.clone()));
        }
        let (place, name) = (place.clone(), name.to_owned());
        Err(GrammarError::Missing { place, what: MissingFile::TokenVocabulary, name })
    }

    /// The file with the rules, tokens, channels and modes of its imports after its own; where a
    /// name is defined twice, the first definition counts.
    fn with_imports(&self, file: &File) -> Result<File, GrammarError> {
        let mut whole = file.clone();
        let mut todo: Vec<(String, SourceLine, usize)> = Vec::new();
        let push = |todo: &mut Vec<_>, imports: &[(String, SourceLine)], depth: usize| {
            todo.extend(
                imports.iter().rev().map(|(name, place)| (name.clone(), place.clone(), depth)),
            );
        };
        push(&mut todo, &file.imports, 1);
        let mut seen = vec![file.name.clone()];
        while let Some((name, place, depth)) = todo.pop() {
            // Grammars that import each other are all of one piece, as in ANTLR.
            if depth > MAX_IMPORTS {
                return Err(GrammarError::ImportsTooDeep { place, name });
            }
            if seen.contains(&name) {
                continue;
            }
            let Some(imported) = self.find(&name)? else {
                return Err(GrammarError::Missing {
                    place,
                    what: MissingFile::ImportedGrammar,
                    name,
                });
            };
            push(&mut todo, &imported.imports, depth + 1);
            merge(&mut whole, imported);
            seen.push(name);
        }
        Ok(whole)
    }
}

/// Adds the definitions of an imported file that the whole does not have yet, and joins their
/// digests.
fn merge(whole: &mut File, imported: File) {
    whole.source = Digest::of_digests([whole.source, imported.source]);
    let is_case_insensitive = imported.option("caseInsensitive") == Some("true");
    for mut rule in imported.rules {
        if whole.rules.iter().any(|own| own.name == rule.name) {
            continue;
        }
        if is_case_insensitive && rule.case_insensitive.is_none() {
            rule.case_insensitive = Some(true);
        }
        whole.rules.push(rule);
    }
    for (own, more) in [
        (&mut whole.tokens, imported.tokens),
        (&mut whole.channels, imported.channels),
        (&mut whole.modes, imported.modes),
    ] {
        for name in more {
            if !own.contains(&name) {
                own.push(name);
            }
        }
    }
}

/// The names of a `.tokens` file (`NAME=7` a line) as a lexer that only declares them.
fn tokens_file(text: &str, name: &str, path: &Path) -> File {
    let names = text.lines().filter_map(|line| line.rsplit_once('=')).map(|(name, _)| name.trim());
    let tokens = names.filter(|name| !name.starts_with('\'')).map(str::to_owned).collect();
    File {
        kind: FileKind::Lexer,
        name: name.to_owned(),
        source: Digest::of(text.as_bytes()),
        place: SourceLine { file: path.display().to_string().into(), line: 1 },
        options: Vec::new(),
        imports: Vec::new(),
        tokens,
        channels: Vec::new(),
        rules: Vec::new(),
        modes: Vec::new(),
    }
}

/// The text of a grammar file, in UTF-8 or else in Latin-1.
fn read_text(path: &Path) -> Result<String, GrammarError> {
    source::read(path).map(text_of)
}

/// The text of a file's bytes.
pub(crate) fn text_of(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) => text,
        // Some grammars are Latin-1, with non-ASCII characters in comments only.
        Err(error) => error.as_bytes().iter().map(|&byte| char::from(byte)).collect(),
    }
}
