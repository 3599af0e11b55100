//! Names for addresses: only for output to a person.
//!
//! Reading debug information costs tens of milliseconds, so it happens once, at the end, for the
//! frames of one signature.

use std::path::{Path, PathBuf};

use addr2line::Loader;

use crate::exec::TargetError;
use crate::exec::executable::image::MemoryCopy;
use crate::exec::executable::{Functions, is_runtime};
use crate::signature::Frame;

/// One function that an address is in; inlined ones come first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Demangled, without hashes.
    pub function: String,
    /// Source file, where debug information has it.
    pub file: Option<String>,
    /// Line, counted from 1.
    pub line: Option<u32>,
    /// Column, counted from 1.
    pub column: Option<u32>,
    /// Whether it is the user's or a crate's code.
    pub own: bool,
}

/// Reads the debug information of an executable from a copy, since the reader maps the file. Split
/// debug information that is in a package beside the executable is found by the executable's path.
fn debug_of(path: &Path) -> Option<Loader> {
    let mut package = path.to_owned().into_os_string();
    package.push(".dwp");
    if Path::new(&package).exists() {
        return Loader::new(path).ok();
    }
    // The mapping stays when the copy is closed.
    let copy = MemoryCopy::of(path).ok()?;
    Loader::new(copy.path()).ok()
}

/// Finds names in one executable.
pub struct Symbolizer {
    module: String,
    functions: Functions,
    /// `None` where there is no debug information that can be read.
    debug: Option<Loader>,
}

impl Symbolizer {
    /// Reads the debug information of `executable`.
    pub fn open(executable: &Path) -> Result<Self, TargetError> {
        let doing = || format!("read {}", executable.display());
        let path: PathBuf =
            executable.canonicalize().map_err(|error| TargetError::system(doing(), error))?;
        Ok(Symbolizer {
            module: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            functions: Functions::of(&path),
            debug: debug_of(&path),
        })
    }

    /// The functions at `frame`, innermost (inlined) first; empty for other modules than the
    /// executable and for addresses that nothing is known of.
    pub fn frame(&self, frame: &Frame) -> Vec<Symbol> {
        if *frame.module != *self.module {
            return Vec::new();
        }
        self.at(frame.offset)
    }

    /// The functions at a link-time address, innermost (inlined) first.
    pub(in crate::exec) fn at(&self, offset: u64) -> Vec<Symbol> {
        let from_debug = self.debug.as_ref().and_then(|debug| {
            let mut symbols = Vec::new();
            let mut frames = debug.find_frames(offset).ok()?;
            while let Ok(Some(found)) = frames.next() {
                let Some(name) = found.function.as_ref() else { continue };
                let Ok(name) = name.raw_name() else { continue };
                let function = format!("{:#}", rustc_demangle::demangle(&name));
                let location = found.location.as_ref();
                symbols.push(Symbol {
                    own: !is_runtime(&function),
                    function,
                    file: location.and_then(|place| place.file).map(str::to_owned),
                    line: location.and_then(|place| place.line),
                    column: location.and_then(|place| place.column),
                });
            }
            (!symbols.is_empty()).then_some(symbols)
        });
        from_debug.unwrap_or_else(|| {
            self.functions.name(offset).map_or(Vec::new(), |function| {
                let own = !is_runtime(&function);
                vec![Symbol { function, file: None, line: None, column: None, own }]
            })
        })
    }
}
