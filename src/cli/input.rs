//! The arguments that name many inputs: files, folders, and the bare names of crashes.
//!
//! Finding and reading one input is the business of [`cargo_fuzz`](crate::cargo_fuzz::input).

use std::path::{Path, PathBuf};

use super::ended::stopped_at_once;
use super::exit::{Exit, OrExit, Trouble};
use super::interrupt::Interrupt;
use crate::cargo_fuzz::InputError;
pub use crate::cargo_fuzz::input::{Input, find, load, locate, read};
use crate::corpus::{self, Inputs};
use crate::report::Report;

/// The inputs that the arguments name as files and folders, each content once, in the order of the
/// names.
///
/// `output` is where results go; inputs in it don't count. What can't be read is reported. A
/// file that is named itself and larger than an input may be is a wrong argument.
pub fn gather(
    named: &[PathBuf],
    output: Option<&Path>,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<Inputs, Trouble> {
    let flag = interrupt.flag();
    let mut files = Vec::new();
    for named in named {
        if !named.is_dir() {
            // Inputs are read more than once, which a pipe does not allow.
            if named.exists() && !named.is_file() {
                let why = "is neither a file nor a folder; put what it gives into a file";
                return Err(Trouble::new(Exit::Usage, format!("{} {why}", named.display())));
            }
            files.extend(locate(named, &flag)?);
            continue;
        }
        let walk = corpus::walk(named, output, &flag)
            .or_exit(Exit::Files, || format!("failed to read {}", named.display()))?;
        for one in walk.passed_over {
            report.say(&format!("passed over: {}: {}", one.path.display(), one.why));
        }
        files.extend(walk.files);
    }
    let inputs = corpus::list(files, &flag);
    if interrupt.exit().is_some() {
        return Err(stopped_at_once(interrupt));
    }
    if let Some(path) = inputs.too_large.iter().find(|path| named.contains(path)) {
        return Err(InputError::TooLarge { path: path.clone() }.into());
    }
    if inputs.inputs.is_empty() && inputs.passed_over.is_empty() {
        let names: Vec<String> = named.iter().map(|path| path.display().to_string()).collect();
        let why = format!(
            "no inputs in {}; hidden files and our own results don't count",
            names.join(", ")
        );
        return Err(Trouble::new(Exit::Usage, why));
    }
    Ok(inputs)
}
