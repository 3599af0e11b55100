//! `generalize`'s options as meant.

use std::path::PathBuf;

use crate::cli::exit::{Exit, Trouble};
use crate::corpus::Originals;
use crate::session::generalize::Options;
use crate::session::kit::contents::{self, PlaceError};
use crate::session::language::LanguageChoice;
use crate::session::saved::output::check_place;
use crate::session::saved::pattern::PatternOutputs;

/// The options of a generalization.
///
/// The options that `tmin` has too (target, limits, budget) are in the
/// [`TminPlan`](super::tmin::TminPlan) that has this plan as its task.
#[derive(Clone, Debug)]
pub(crate) struct GeneralizePlan {
    /// The language.
    pub language: LanguageChoice,
    /// How the pattern is found, and how many inputs are made of it.
    pub options: Options,
    /// The files to write.
    pub outputs: PatternOutputs,
    /// The page.
    pub html: Option<PathBuf>,
    /// The kit.
    pub kit: Option<PathBuf>,
    /// Whether a kit that is there is replaced.
    pub may_replace: bool,
}

impl GeneralizePlan {
    /// Makes sure that everything can be written, and that no original is replaced.
    pub(crate) fn check_places(&self, originals: &Originals) -> Result<(), Trouble> {
        self.outputs.check(originals)?;
        if let Some(folder) = &self.kit {
            contents::check_place(folder, self.may_replace)?;
        }
        Ok(self.html.as_ref().map_or(Ok(()), |path| check_place(path, originals))?)
    }
}

impl From<PlaceError> for Trouble {
    fn from(error: PlaceError) -> Self {
        match error {
            PlaceError::Exists { .. } => {
                Trouble::new(Exit::Files, format!("{error}; --force replaces it"))
            }
            error => Trouble::by(Exit::Files, error),
        }
    }
}
