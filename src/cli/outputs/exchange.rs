//! Files for other tools: the failures of an earlier run are read, and those of this run are written.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use crate::cli::arguments::exchange::ExchangeArgs;
use crate::cli::exit::{Exit, OrExit, Trouble};
use crate::corpus::Originals;
use crate::event::{FailureGroups, Joined};
use crate::report::{earlier, junit, markdown, sarif};
use crate::session::saved::output::{check_place, write_whole};

/// The identifiers of an earlier run's failures, and places that were checked.
pub(crate) struct Exchange<'a> {
    /// The paths of `--join`, `--sarif`, `--junit` and `--summary`; each is `None` without its option.
    args: &'a ExchangeArgs,
    /// The identifiers in the file of `--join`; `None` without that option.
    earlier: Option<Vec<String>>,
}

impl<'a> Exchange<'a> {
    /// Reads the earlier run and checks that no file replaces an input, before anything is run.
    pub(crate) fn open(args: &'a ExchangeArgs, originals: &Originals) -> Result<Self, Trouble> {
        let places = [&args.sarif, &args.junit, &args.summary];
        for place in places.into_iter().flatten() {
            check_place(place, originals)?;
        }
        let earlier = args.join.as_deref().map(earlier).transpose();
        let earlier = earlier.map_err(|error| Trouble::new(Exit::Usage, error.to_string()))?;
        Ok(Exchange { args, earlier })
    }

    /// Compares with the earlier run, if there is one.
    ///
    /// Failures are compared by their identifiers, which are the same in later runs and builds.
    pub(crate) fn join(&self, groups: &mut FailureGroups) {
        if let Some(earlier) = &self.earlier {
            groups.joined =
                Some(Joined::of(groups.rows.iter().map(|row| &row.id), earlier.clone()));
        }
    }

    /// Writes the files that options name.
    ///
    /// The files are written in the order SARIF, JUnit, summary. The first error ends the command, and the
    /// files after it are not written.
    pub(crate) fn write(&self, groups: &FailureGroups) -> Result<(), Trouble> {
        if let Some(path) = &self.args.sarif {
            write_whole(path, sarif(groups).as_bytes())?;
        }
        if let Some(path) = &self.args.junit {
            write_whole(path, junit(groups).as_bytes())?;
        }
        if let Some(path) = &self.args.summary {
            append(path, &markdown(groups))?;
        }
        Ok(())
    }
}

/// Appends: a job of GitHub Actions has one summary, to which each of its steps adds.
///
/// The file is made if it is not there.
fn append(path: &Path, text: &str) -> Result<(), Trouble> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .or_exit(Exit::Files, || format!("failed to write {}", path.display()))
}
