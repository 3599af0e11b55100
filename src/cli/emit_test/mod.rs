//! `--emit-test FILE`, the same for every command that has it: the test is checked before the search
//! and written after it.

use std::path::{Path, PathBuf};

use crate::cargo_fuzz::reproduce::manifest;
use crate::cargo_fuzz::reproduce::reach::{NoTest, reach};
use crate::cli::exit::{Exit, Trouble};
use crate::corpus::Originals;
use crate::regression::{Case, Reach};
use crate::session::saved::output::OutputError;
use crate::session::saved::test::{check_test, write_test};
use crate::session::target::OpenTarget;
use seedsmith_engine::signature::Signature;

/// A test that will be written.
#[derive(Clone, Debug)]
pub struct EmitTest {
    path: PathBuf,
    /// How it reaches the code under test.
    pub reach: Reach,
}

impl From<NoTest> for Trouble {
    fn from(error: NoTest) -> Self {
        Trouble::by(Exit::Usage, error)
    }
}

impl EmitTest {
    /// Makes sure that a test at `path` can be written for inputs that fail on `target`, and replaces
    /// no original.
    pub fn new(
        path: &Path,
        target: &OpenTarget,
        signature: &Signature,
        originals: &Originals,
    ) -> Result<Self, Trouble> {
        let reach = reach(target, path, signature)?;
        check_test(path, originals)?;
        Ok(EmitTest { path: path.to_owned(), reach })
    }

    /// Writes the test, and says what to do with it.
    pub fn write(&self, about: &str, cases: &[Case]) -> Result<String, OutputError> {
        write_test(&self.path, &self.reach, about, cases)?;
        Ok(self.hint())
    }

    /// What to do with the test: the manifest's lines that it needs, and how it is run.
    pub fn hint(&self) -> String {
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

/// What a test of a minimized input checks.
pub fn minimal_case(input: Vec<u8>) -> Case {
    Case {
        name: "the_minimized_input_is_handled".to_owned(),
        about: "The smallest input that was found.".to_owned(),
        input,
    }
}
