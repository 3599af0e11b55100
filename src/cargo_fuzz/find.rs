//! The target that an input belongs to: the one that was asked for, that the input's path names, or on
//! which the input fails.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::AtomicBool;

use super::choose::{self, ChooseError};
use super::failing::failing;
use super::input::Input;
use super::package::FuzzPackage;
use super::request::TargetSource;
use super::targets::{Targets, Variant};
use crate::event::Reporter;
use crate::session::target::OpenTarget;
use crate::session::target::open::{open_command, open_linked};

impl Targets {
    /// Finds the target of `input`, builds it if needed, and opens it.
    ///
    /// If neither the request nor the input's path names the target, `input` is run once on each
    /// target of the package. `interrupt` ends that.
    pub(crate) fn open(
        &mut self,
        input: &Input,
        interrupt: &AtomicBool,
        reporter: &mut dyn Reporter,
    ) -> Result<Rc<OpenTarget>, ChooseError> {
        match self.request().source.clone() {
            TargetSource::Linked(name) => {
                Ok(self.once((PathBuf::from(&name), Variant::Plain), |_| Ok(open_linked(&name)?))?)
            }
            // The program sees the input's name, so a target serves one input only. Opening one is cheap.
            TargetSource::Command(mut line) => {
                line.workplace = self.workplace.unwrap_or(line.workplace);
                Ok(Rc::new(open_command(&line, &input.path)))
            }
            TargetSource::Executable(path) => Ok(self.executable(&path, input.is_leak())?),
            TargetSource::Package { name, fuzz_dir, .. } => {
                let package = self.package(fuzz_dir.as_deref(), &input.path)?;
                match choose::candidates(&package, name.as_deref(), input)?.as_slice() {
                    [one] => Ok(self.fuzz_target(&package, one, input, reporter)?),
                    several => failing(self, &package, several, input, interrupt, reporter),
                }
            }
        }
    }

    /// The package of `input` as cargo describes it. cargo is asked once for each folder.
    pub(super) fn package(
        &mut self,
        fuzz_dir: Option<&Path>,
        input: &Path,
    ) -> Result<Rc<FuzzPackage>, ChooseError> {
        let folder = choose::package_folder(fuzz_dir, input)?;
        if let Some(known) = self.packages.iter().find(|known| known.folder == folder) {
            return Ok(known.clone());
        }
        let package = Rc::new(FuzzPackage::load(&folder)?);
        self.packages.push(package.clone());
        Ok(package)
    }
}
