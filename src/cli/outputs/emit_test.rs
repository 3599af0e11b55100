//! `--emit-test FILE`, the same for every command that has it: the test is checked before the search
//! and written after it.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use crate::cargo_fuzz::input;
use crate::cargo_fuzz::reproduce::manifest;
use crate::cargo_fuzz::reproduce::reach::{NoTest, reach};
use crate::cli::exit::{Exit, Trouble};
use crate::corpus::{Group, Originals};
use crate::regression::{Case, Fails, Reach};
use crate::session::saved::output::OutputError;
use crate::session::saved::test::{check_test, write_test};
use crate::session::sort::{Failing, smallest};
use crate::session::target::OpenTarget;
use seedsmith_engine::Signature;

/// A test that will be written.
///
/// It is checked before the search, so that no result is lost for a file that cannot be written.
#[derive(Clone, Debug)]
pub(crate) struct EmitTest {
    /// The file of `--emit-test`: `.rs` for a fuzz target, any other ending for a script.
    path: PathBuf,
    /// How it reaches the code under test.
    pub reach: Reach,
}

/// A test that cannot be written for this target or failure is a wrong argument, found before the
/// search.
impl From<NoTest> for Trouble {
    fn from(error: NoTest) -> Self {
        Trouble::by(Exit::Usage, error)
    }
}

impl EmitTest {
    /// Makes sure that a test at `path` can be written for inputs that fail on `target`, and replaces
    /// no original.
    pub(crate) fn new(
        path: &Path,
        target: &OpenTarget,
        signature: &Signature,
        originals: &Originals,
    ) -> Result<Self, Trouble> {
        let reach = reach(target, path, signature)?;
        check_test(path, originals)?;
        Ok(EmitTest { path: path.to_owned(), reach })
    }

    /// Writes the test, and returns instructions for using it.
    pub(crate) fn write(&self, about: &str, cases: &[Case]) -> Result<String, OutputError> {
        write_test(&self.path, &self.reach, about, cases)?;
        Ok(self.hint())
    }

    /// When a run of the test fails, if it is a script.
    fn fails(&self) -> Option<Fails> {
        match &self.reach {
            Reach::Rust(_) => None,
            Reach::Shell(reach) => Some(reach.fails),
        }
    }

    /// Instructions for the test: the manifest's lines that it needs, and how it is run.
    pub(crate) fn hint(&self) -> String {
        let test = self.path.display();
        let Reach::Rust(reach) = &self.reach else {
            return format!("the regression test {test} is run by: sh {test}");
        };
        let name = self.path.file_stem().unwrap_or_default().to_string_lossy();
        match manifest::lines(&self.path, reach) {
            None => format!("the regression test {test} is in no package; put it in tests/ of one"),
            Some((_, lines)) if lines.is_empty() => {
                format!("the regression test {test} is run by: cargo test --test {name}")
            }
            Some((manifest, lines)) => format!(
                "the regression test {test} needs these lines in {}:\n{}",
                manifest.display(),
                lines.join("\n")
            ),
        }
    }
}

/// The case that a test of a minimized input checks.
///
/// Its name is a sentence that is true when the failure is fixed.
pub(crate) fn minimal_case(input: Vec<u8>) -> Case {
    Case {
        name: "the_minimized_input_is_handled".to_owned(),
        about: "The smallest input that was found.".to_owned(),
        input,
    }
}

/// Writes a test of the smallest input of each failure, all of one target, and returns instructions
/// for using it.
///
/// # Errors
///
/// The failures are of several targets, an input cannot be read, or the file cannot be written.
pub(crate) fn write_of_groups(
    path: &Path,
    groups: &[Group<Failing>],
    originals: &Originals,
    interrupt: &AtomicBool,
) -> Result<String, Trouble> {
    let mut cases = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        let one = smallest(group);
        cases.push(Case {
            name: format!("failure_{}_is_handled", at + 1),
            about: one.baseline.signature.to_string(),
            input: input::load(&one.input, interrupt)?.bytes,
        });
    }
    write_of_targets(path, groups, cases, originals)
}

/// Writes a test of `cases`, which are of the failures in `groups`, in the same order.
///
/// `tmin` on many inputs calls it with the minimized inputs, and `triage` with the smallest originals.
/// Without groups no file is written, and the returned line says that nothing fails.
pub(crate) fn write_of_targets(
    path: &Path,
    groups: &[Group<Failing>],
    cases: Vec<Case>,
    originals: &Originals,
) -> Result<String, Trouble> {
    let Some(first) = groups.first().map(smallest) else {
        return Ok("no regression test: nothing fails".to_owned());
    };
    let mut reached = None;
    for group in groups {
        let one = smallest(group);
        let test = EmitTest::new(path, &one.target, &one.baseline.signature, originals)?;
        let is_same = one.target.name == first.target.name;
        if !is_same || reached.get_or_insert_with(|| test.clone()).fails() != test.fails() {
            let why = format!(
                "no regression test: a test has one target and one way to fail, and these inputs \
                 have more ({} and {}); name fewer inputs, or a target with --target",
                first.target.name, one.target.name
            );
            return Err(Trouble::new(Exit::Usage, why));
        }
    }
    let test = reached.expect("there is a group");
    Ok(test.write("one input of each failure", &cases)?)
}
