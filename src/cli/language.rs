//! From `--grammar` to a grammar that can be drawn from.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::exit::{Exit, OrExit, Trouble};
use crate::generalize::language::Language;
use crate::grammar::builtin::{self, Hint};
use crate::grammar::error::GrammarError;
use crate::grammar::model::{Grammar, RuleId};
use crate::grammar::{fuzzingbook, g4};

/// The name that stands for no grammar at all.
const BYTES: &str = "bytes";

/// A grammar to generalize with, and where it came from.
pub struct Chosen {
    /// The grammar, put to use.
    pub language: Language,
    /// Its name, or its files.
    pub source: Vec<String>,
    /// Whether it was only guessed.
    pub is_guess: bool,
}

/// The grammar that the options name, else the one that the input seems to be written in;
/// nothing for `bytes`, and where none is recognised.
pub fn choose(
    named: &[PathBuf],
    start: Option<&str>,
    input: &Path,
    target: &str,
    bytes: &[u8],
) -> Result<Option<Chosen>, Trouble> {
    if let [only] = named
        && only.as_os_str() == BYTES
    {
        return Ok(None);
    }
    if named.is_empty() {
        let file_name = input.file_name().map(|name| name.to_string_lossy());
        let hint = Hint { file_name: file_name.as_deref(), target: Some(target) };
        let Some((builtin, _)) = builtin::recognise(hint, bytes) else { return Ok(None) };
        let language = Language::new(builtin.grammar(), Some(builtin.start()))
            .or_exit(Exit::Usage, || format!("failed to use grammar {}", builtin.name))?;
        let source = vec![builtin.name.to_owned()];
        return Ok(Some(Chosen { language, source, is_guess: true }));
    }
    let source: Vec<String> =
        named.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    let doing = || format!("failed to use grammar {}", source.join(","));
    let (grammar, default_start) = load(named).or_exit(Exit::Usage, doing)?;
    let start = match start {
        Some(name) => Some(rule(&grammar, name).or_exit(Exit::Usage, doing)?),
        None => default_start,
    };
    let language = Language::new(grammar, start).or_exit(Exit::Usage, doing)?;
    Ok(Some(Chosen { language, source, is_guess: false }))
}

fn rule(grammar: &Grammar, name: &str) -> Result<RuleId, GrammarError> {
    let found = grammar.rule_named(name).or_else(|| grammar.rule_named(&format!("<{name}>")));
    found.ok_or_else(|| GrammarError::NoSuchStart {
        grammar: grammar.name.clone(),
        rule: name.to_owned(),
    })
}

fn load(named: &[PathBuf]) -> Result<(Arc<Grammar>, Option<RuleId>), GrammarError> {
    if let [only] = named {
        let name = only.to_string_lossy();
        if let Some(builtin) = builtin::find(&name).filter(|_| !only.is_file()) {
            return Ok((builtin.grammar(), Some(builtin.start())));
        }
        if only.extension().is_some_and(|ending| ending == "json") {
            let text = std::fs::read_to_string(only)
                .map_err(|source| GrammarError::Read { path: only.clone(), source })?;
            let (grammar, start) = fuzzingbook::load_text(&name, &text)?;
            return Ok((Arc::new(grammar), Some(start)));
        }
        if !only.is_file() && only.extension().is_none() {
            let names: Vec<&str> = builtin::all().iter().map(|one| one.name).collect();
            return Err(GrammarError::Unusable(format!(
                "there is no grammar {name}; those that come with the program are {}, and {BYTES} \
                 is none at all",
                names.join(", ")
            )));
        }
    }
    Ok((Arc::new(g4::load(named)?), None))
}
