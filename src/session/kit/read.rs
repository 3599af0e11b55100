//! A kit is loaded again. Nothing in it is trusted: names of files may not lead out of the folder,
//! and no program is started because the kit names it.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::file::{KitFile, NAME, VERSION};
use crate::corpus::{ReadError, read_input};
use crate::generalize::draws::sampler::Sampler;
use crate::generalize::file::PatternFile;
use crate::generalize::pattern::Pattern;
use crate::session::language::LanguageChoice;

/// The name of the pattern's file.
pub(crate) const PATTERN: &str = "pattern.json";

/// A kit that was loaded.
#[derive(Clone, Debug)]
pub struct Kit {
    /// Its table of contents.
    pub file: KitFile,
    /// The minimized input, and the original one if the kit has it.
    pub given: Vec<(Option<String>, Vec<u8>)>,
    /// Other failing inputs.
    pub failing: Vec<(Option<String>, Vec<u8>)>,
    /// Passing inputs.
    pub passing: Vec<(Option<String>, Vec<u8>)>,
    /// The pattern, if it can be used.
    pub pattern: Option<Pattern>,
    /// Why the pattern cannot be used, if it cannot.
    pub no_pattern: Option<String>,
}

/// Why a folder is no kit.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KitError {
    /// The table of contents cannot be read.
    #[error("{} is no kit: {NAME} cannot be read", folder.display())]
    NoKit {
        /// The folder.
        folder: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The table of contents is damaged.
    #[error("{} is no kit of seedsmith", folder.display())]
    Damaged {
        /// The folder.
        folder: PathBuf,
        /// The cause.
        #[source]
        source: serde_json::Error,
    },
    /// Another version wrote it.
    #[error("{} is a kit of version {was}; this program reads version {VERSION}", folder.display())]
    Version {
        /// The folder.
        folder: PathBuf,
        /// The version.
        was: u32,
    },
    /// A name in the table leads out of the folder.
    #[error("{} names the file {name:?}, which is outside of it", folder.display())]
    Outside {
        /// The folder.
        folder: PathBuf,
        /// The name.
        name: String,
    },
    /// An input cannot be read.
    #[error("failed to read {}", path.display())]
    Input {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: ReadError,
    },
}

/// The table of contents of the kit in `folder`.
pub(crate) fn table(folder: &Path) -> Result<KitFile, KitError> {
    let own = || folder.to_owned();
    let text = fs::read_to_string(folder.join(NAME))
        .map_err(|source| KitError::NoKit { folder: own(), source })?;
    let file: KitFile = serde_json::from_str(&text)
        .map_err(|source| KitError::Damaged { folder: own(), source })?;
    if file.seedsmith_kit != VERSION {
        return Err(KitError::Version { folder: own(), was: file.seedsmith_kit });
    }
    let is_inside = |name: &&String| {
        let mut parts = Path::new(name).components();
        !name.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
    };
    let has_name = Path::new(&file.input_name).components().count() == 1;
    let outside = file.all_files().find(|name| !is_inside(name));
    let outside = outside.or(Some(&file.input_name).filter(|name| !has_name || !is_inside(name)));
    match outside {
        Some(name) => Err(KitError::Outside { folder: own(), name: name.clone() }),
        None => Ok(file),
    }
}

impl Kit {
    /// Loads the kit in `folder`. A pattern that cannot be used is no error: the inputs are there.
    pub fn read(folder: &Path, interrupt: &AtomicBool) -> Result<Self, KitError> {
        let file = table(folder)?;
        let read = |names: &mut dyn Iterator<Item = &String>| {
            names
                .map(|name| {
                    let path = folder.join(name);
                    let bytes = read_input(&path, interrupt);
                    let bytes = bytes.map_err(|source| KitError::Input { path, source })?;
                    Ok((Some(name.clone()), bytes))
                })
                .collect::<Result<Vec<_>, KitError>>()
        };
        let given = read(&mut std::iter::once(&file.minimal).chain(&file.original))?;
        let failing = read(&mut file.failing.iter())?;
        let passing = read(&mut file.passing.iter())?;
        let (pattern, no_pattern) = match pattern(folder) {
            Ok(pattern) => (Some(pattern), None),
            Err(why) => (None, Some(why)),
        };
        Ok(Kit { file, given, failing, passing, pattern, no_pattern })
    }
}

fn pattern(folder: &Path) -> Result<Pattern, String> {
    let text = fs::read_to_string(folder.join(PATTERN)).map_err(|error| error.to_string())?;
    let file: PatternFile = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let sampler = match &file.grammar {
        None => None,
        Some(name) => {
            let source = beside(&name.source, folder);
            let language = LanguageChoice::default().or(source, Some(&name.start)).language();
            let language = language.map_err(|error| error.to_string())?;
            let sampler = language.map(|language| Sampler::new(Arc::new(language)));
            sampler.transpose().map_err(|error| error.to_string())?
        }
    };
    file.load(sampler).map_err(|error| error.to_string())
}

/// The source of a grammar, with the files that are in `folder` by their paths.
pub(crate) fn beside(source: &[String], folder: &Path) -> String {
    let found = source.iter().map(|name| match folder.join(name) {
        path if path.is_file() => path.to_string_lossy().into_owned(),
        _ => name.clone(),
    });
    found.collect::<Vec<_>>().join(",")
}
