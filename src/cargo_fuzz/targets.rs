//! The open targets of one run: each is built and opened once, and serves every input that belongs to
//! it.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::choose::ChooseError;
use super::command::workplace;
use super::input::Input;
use super::open::{self, FuzzTargetError};
use super::package::{FuzzPackage, FuzzTarget};
use super::request::{Sanitizer, TargetRequest, TargetSource};
use crate::event::{Event, NoteKind, Reporter};
use crate::session::target::open::{open_command, open_executable};
use crate::session::target::{Leaks, OpenTarget, Origin};
use seedsmith_engine::Workplace;

/// Finds, builds and opens the targets that inputs belong to.
///
/// Building and opening costs at least a process start, so a target that is open is given out again.
pub(crate) struct Targets {
    request: TargetRequest,
    pub(super) packages: Vec<Rc<FuzzPackage>>,
    /// With the path that identifies the target, and the variant that was opened.
    opened: Vec<((PathBuf, Variant), Rc<OpenTarget>)>,
    /// Where a command was seen to fail, for the inputs that follow.
    pub(super) workplace: Option<Workplace>,
}

/// A variant of a target; several of them can be open.
///
/// Together with the path of an executable or the name of a target it says which open target is
/// meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variant {
    /// As it is.
    Plain,
    /// With AddressSanitizer.
    Address,
    /// With AddressSanitizer, looking for leaks.
    Leaks,
    /// With coverage counters.
    Coverage,
}

/// The effort that may be made until a failure shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Everything that is possible.
    Any,
    /// Only steps that need neither a build nor much time.
    ExistingBuild,
}

impl Targets {
    /// Targets for `request`; none is open yet.
    pub(crate) fn new(request: TargetRequest) -> Self {
        Targets { request, packages: Vec::new(), opened: Vec::new(), workplace: None }
    }

    /// The same target in a variant that detects more, for an input that does not fail on `opened`:
    /// with AddressSanitizer, or, if that is in it already, looking for leaks too. A command is run in
    /// another folder. `None` if there is no such variant.
    pub(crate) fn stricter(
        &mut self,
        opened: &OpenTarget,
        effort: Effort,
        reporter: &mut dyn Reporter,
    ) -> Result<Option<Rc<OpenTarget>>, ChooseError> {
        if opened.leaks == Leaks::Ignored
            && effort == Effort::Any
            && let Some(executable) = &opened.executable
        {
            reporter.report(&Event::Note(NoteKind::Build, "it doesn't fail: looking for leaks"));
            return Ok(Some(self.executable(executable, true)?));
        }
        if let Origin::Command { line, input } = &opened.origin {
            if self.workplace.is_some() {
                return Ok(None);
            }
            return Ok(workplace::next(line, input, effort == Effort::ExistingBuild, reporter)
                // The note on its start has been given.
                .map(|line| Rc::new(OpenTarget { note: None, ..open_command(&line, input) })));
        }
        let Origin::FuzzTarget { folder, name, .. } = &opened.origin else {
            return Ok(None);
        };
        let is_auto = self.sanitizer() == Some(Sanitizer::Auto);
        let is_built = opened.sanitized.is_some();
        if !is_auto
            || opened.leaks != Leaks::Unknown
            || (effort == Effort::ExistingBuild && !is_built)
        {
            return Ok(None);
        }
        let how = match is_built {
            true => "what cargo-fuzz built",
            false => "AddressSanitizer",
        };
        reporter.report(&Event::Note(
            NoteKind::Build,
            &format!("it doesn't fail without a sanitizer: trying {how}"),
        ));
        let package = FuzzPackage::load(folder)?;
        let sanitized = self.with_sanitizer(&package, package.expect(name)?, false, reporter);
        Ok(sanitized.map_err(|error| note_untried(&error, reporter)).ok())
    }

    /// The variant of a fuzz target that the request asks for, or that `input` needs.
    pub(super) fn fuzz_target(
        &mut self,
        package: &FuzzPackage,
        one: &FuzzTarget,
        input: &Input,
        reporter: &mut dyn Reporter,
    ) -> Result<Rc<OpenTarget>, FuzzTargetError> {
        let path = package.folder.join(&one.name);
        if self.request.has_coverage {
            return self.once((path, Variant::Coverage), |request| {
                open::open_with_coverage(&request.build(package, one), reporter)
            });
        }
        match self.sanitizer() {
            Some(Sanitizer::Address) => {
                return self.with_sanitizer(package, one, input.is_leak(), reporter);
            }
            // Only a sanitizer finds leaks.
            Some(Sanitizer::Auto) if input.is_leak() => {
                reporter.report(&Event::Detail("a leak: AddressSanitizer finds it"));
                match self.with_sanitizer(package, one, true, reporter) {
                    Ok(opened) => return Ok(opened),
                    Err(error) => note_untried(&error, reporter),
                }
            }
            _ => {}
        }
        self.once((path, Variant::Plain), |request| {
            let folder = package.folder.display();
            reporter.report(&Event::Detail(&format!("target {} of {folder}", one.name)));
            open::open_fuzz_target(&request.build(package, one), reporter)
        })
    }

    /// The request that these targets are opened for.
    pub(crate) fn request(&self) -> &TargetRequest {
        &self.request
    }

    /// The sanitizer that the request asks for; `None` where it asks for none or where the target
    /// is no fuzz target of a package.
    pub(super) fn sanitizer(&self) -> Option<Sanitizer> {
        match self.request.source {
            TargetSource::Package { sanitizer, .. } => Some(sanitizer),
            _ => None,
        }
    }

    /// Opens the executable at `path`, or gives the one that is open already with the same choice
    /// of leaks.
    pub(super) fn executable(
        &mut self,
        path: &Path,
        finds_leaks: bool,
    ) -> Result<Rc<OpenTarget>, FuzzTargetError> {
        let variant = if finds_leaks { Variant::Leaks } else { Variant::Plain };
        self.once((path.to_owned(), variant), |_| Ok(open_executable(path, finds_leaks)?))
    }

    /// The variant of a fuzz target with AddressSanitizer, which finds leaks too if that is asked
    /// for.
    fn with_sanitizer(
        &mut self,
        package: &FuzzPackage,
        one: &FuzzTarget,
        finds_leaks: bool,
        reporter: &mut dyn Reporter,
    ) -> Result<Rc<OpenTarget>, FuzzTargetError> {
        let variant = if finds_leaks { Variant::Leaks } else { Variant::Address };
        self.once((package.folder.join(&one.name), variant), |request| {
            let build = request.build(package, one);
            match request.always_builds {
                true => open::build_sanitized(&build, finds_leaks, reporter),
                false => open::open_sanitized(&build, finds_leaks, reporter),
            }
        })
    }

    /// The target that was opened under `key`, or else the one that `open` gives. An error is not
    /// remembered: the next call tries again.
    pub(super) fn once(
        &mut self,
        key: (PathBuf, Variant),
        open: impl FnOnce(&TargetRequest) -> Result<OpenTarget, FuzzTargetError>,
    ) -> Result<Rc<OpenTarget>, FuzzTargetError> {
        if let Some((_, opened)) = self.opened.iter().find(|(known, _)| *known == key) {
            return Ok(opened.clone());
        }
        let opened = Rc::new(open(&self.request)?);
        self.opened.push((key, opened.clone()));
        Ok(opened)
    }
}

/// Reports why a build with a sanitizer is not tried; the first line says it.
fn note_untried(error: &FuzzTargetError, reporter: &mut dyn Reporter) {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text += &format!(": {cause}");
        source = cause.source();
    }
    let first = text.lines().next().unwrap_or_default();
    reporter.report(&Event::Note(
        NoteKind::Build,
        &format!("nothing to try with AddressSanitizer: {first}"),
    ));
}
