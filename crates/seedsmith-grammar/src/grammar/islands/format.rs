//! Reads Picireny's format files, which say which tokens hold text in another grammar.
//!
//! `{"start": "[grammar:]rule", "grammars": {"name": {"files": […], "islands": {"TOKEN":
//! "regex with (?P<[grammar:]rule>…)"}, "replacements": {"rule": "text"}}}}`; a grammar without a
//! name is called the empty string. Paths are relative to the file; a built-in grammar may be
//! named instead of one.

use super::super::error::{GrammarError, SourceLine};
use super::super::fuzzingbook::json::{self, Data, Value};
use super::super::model::Grammar;
use super::super::replacements::Replacements;
use super::super::source;
use super::plug::IslandPattern;
use crate::digest::Digest;
use regex::bytes::Regex;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// A format file.
#[derive(Clone, Debug)]
pub struct IslandsFile {
    pub(super) file: Arc<str>,
    /// The digest of its text.
    pub(super) source: Digest,
    main: String,
    start: Option<String>,
    pub(super) grammars: BTreeMap<String, GrammarEntry>,
}

/// A grammar in a format file.
#[derive(Clone, Debug)]
pub(super) struct GrammarEntry {
    pub line: u32,
    /// As `--grammar` takes it; empty where the file names none.
    pub said: String,
    /// By token.
    pub islands: Vec<(String, IslandPattern)>,
    /// Rules and tokens with their texts and lines.
    pub replacements: Vec<(String, String, u32)>,
}

impl IslandsFile {
    /// Reads a format file.
    pub fn open(path: &Path) -> Result<Self, GrammarError> {
        let text = source::read_text(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        IslandsFile::of_text(&path.display().to_string(), &text, folder)
    }

    /// Reads the text of a format file; paths in it are looked up in `folder`.
    pub fn of_text(name: &str, text: &str, folder: &Path) -> Result<Self, GrammarError> {
        let file: Arc<str> = Arc::from(name);
        let whole = json::read(text, file.clone())?;
        let reader = Reader { file: file.clone(), folder };
        let source = Digest::of(text.as_bytes());
        let mut format = IslandsFile {
            file,
            source,
            main: String::new(),
            start: None,
            grammars: BTreeMap::new(),
        };
        for (key, value) in reader.entries(&whole)? {
            match key.as_str() {
                "start" => {
                    let (main, rule) = grammar_and_rule(reader.text(value)?);
                    (format.main, format.start) = (main, Some(rule));
                }
                "grammars" => {
                    for (name, value) in reader.entries(value)? {
                        format.grammars.insert(name.clone(), reader.grammar(value)?);
                    }
                }
                _ => return Err(reader.refused(value.line, "expected start or grammars")),
            }
        }
        Ok(format)
    }

    /// The grammar of whole inputs, as `--grammar` takes it, and its start rule, if the file names
    /// them.
    pub fn main(&self) -> Option<(&str, Option<&str>)> {
        let said = self.grammars.get(&self.main).map(|entry| entry.said.as_str());
        said.filter(|said| !said.is_empty()).map(|said| (said, self.start.as_deref()))
    }

    /// The texts that the file wants in place of rules and tokens of whole inputs' `grammar`.
    pub fn replacements(&self, grammar: &Grammar) -> Result<Replacements, GrammarError> {
        let entry = self.grammars.get(&self.main);
        let entries = entry.map(|entry| entry.replacements.as_slice()).unwrap_or_default();
        Replacements::of(&self.file, entries, grammar)
    }

    /// The name of the grammar of whole inputs.
    pub(super) fn main_name(&self) -> &str {
        &self.main
    }
}

/// `grammar:rule` as its two parts; without a colon the grammar is the unnamed one.
fn grammar_and_rule(name: &str) -> (String, String) {
    let (grammar, rule) = name.split_once(':').unwrap_or(("", name));
    (grammar.to_owned(), rule.to_owned())
}

/// Reads the file's values; knows its name, for errors, and the folder that its paths start from.
struct Reader<'f> {
    file: Arc<str>,
    folder: &'f Path,
}

impl Reader<'_> {
    /// A syntax error at a line of the file.
    fn refused(&self, line: u32, message: &str) -> GrammarError {
        let place = SourceLine { file: self.file.clone(), line };
        GrammarError::Syntax { place, rule: None, message: message.to_owned() }
    }

    /// The entries of an object, in their order. Fails for anything else.
    fn entries<'v>(&self, value: &'v Value) -> Result<&'v [(String, Value)], GrammarError> {
        match &value.data {
            Data::Object(entries) => Ok(entries),
            _ => Err(self.refused(value.line, "expected an object")),
        }
    }

    /// The text of a string. Fails for anything else.
    fn text<'v>(&self, value: &'v Value) -> Result<&'v str, GrammarError> {
        match &value.data {
            Data::Text(text) => Ok(text),
            _ => Err(self.refused(value.line, "expected a string")),
        }
    }

    /// One entry of `grammars`: its files, the patterns of its islands by token, and its
    /// replacements.
    fn grammar(&self, value: &Value) -> Result<GrammarEntry, GrammarError> {
        let mut entry = GrammarEntry {
            line: value.line,
            said: String::new(),
            islands: Vec::new(),
            replacements: Vec::new(),
        };
        for (key, value) in self.entries(value)? {
            match key.as_str() {
                "files" => entry.said = self.files(value)?,
                "islands" => {
                    for (token, pattern) in self.entries(value)? {
                        entry.islands.push((token.clone(), self.pattern(pattern)?));
                    }
                }
                "replacements" => {
                    for (name, text) in self.entries(value)? {
                        let text_of = self.text(text)?.to_owned();
                        entry.replacements.push((name.clone(), text_of, text.line));
                    }
                }
                _ => {
                    let message = "expected files, islands or replacements";
                    return Err(self.refused(value.line, message));
                }
            }
        }
        Ok(entry)
    }

    /// The grammar as the option of the command line takes it: files with commas between them. Of
    /// several files those that are no grammars (Picireny's support code in Python) are left out.
    fn files(&self, value: &Value) -> Result<String, GrammarError> {
        let Data::List(list) = &value.data else {
            return Err(self.refused(value.line, "expected a list of files"));
        };
        let mut files = Vec::new();
        for value in list {
            let name = self.text(value)?;
            let path = self.folder.join(name);
            // A file that isn't a grammar is code for it, which isn't run here.
            match (path.exists(), path.extension()) {
                (true, Some(ending)) if ending != "g4" && list.len() > 1 => {}
                (true, _) => files.push(path.display().to_string()),
                (false, _) => files.push(name.to_owned()),
            }
        }
        Ok(files.join(","))
    }

    /// Group names of Picireny's have letters that those of a regular expression don't.
    ///
    /// Fails at syntax of Python's regular expressions that the regex crate does not accept, such
    /// as a reference back to a group.
    fn pattern(&self, value: &Value) -> Result<IslandPattern, GrammarError> {
        let text = self.text(value)?;
        let (mut rest, mut plain, mut groups) = (text, "(?s)".to_owned(), Vec::new());
        while let Some(at) = rest.find("(?P<") {
            let escapes = rest[..at].bytes().rev().take_while(|byte| *byte == b'\\').count();
            let (before, named) = rest.split_at(at + "(?P<".len());
            plain.push_str(before);
            rest = named;
            let Some(end) = named.find('>').filter(|_| escapes % 2 == 0) else { continue };
            let name = format!("G{}", groups.len());
            plain.push_str(&name);
            let (grammar, rule) = grammar_and_rule(&named[..end]);
            groups.push((name, grammar, rule));
            rest = &named[end..];
        }
        plain.push_str(rest);
        let regex = Regex::new(&plain).map_err(|error| {
            let message = error.to_string();
            let reason = message.lines().last().unwrap_or_default();
            self.refused(value.line, &format!("not a regular expression: {reason}"))
        })?;
        Ok(IslandPattern { line: value.line, regex, groups })
    }
}
