//! Loads a language from a shared library that the user names.
//!
//! Running foreign machine code can't be made safe, so this is the only file of the crate with
//! `unsafe`, and it holds nothing else.

use super::error::TreeSitterError;
use libloading::{Library, Symbol};
use std::path::Path;
use tree_sitter::Language;
use tree_sitter_language::LanguageFn;

/// The language that the function `symbol` of the library gives. The library stays loaded until
/// the program ends, since languages may be kept for as long.
pub(super) fn load(path: &Path, symbol: &str) -> Result<Language, TreeSitterError> {
    let failed = |message: String| TreeSitterError::Library { path: path.to_owned(), message };
    // Without a slash the loader would look in its own folders instead of here.
    let file = path.canonicalize().map_err(|error| failed(error.to_string()))?;
    // SAFETY: the library's initialisers run. The user named it to have its code run; that it
    // is well-behaved is assumed, as it is of every fuzz target.
    let library = unsafe { Library::new(&file) }.map_err(|error| {
        let reason = std::error::Error::source(&error).map(ToString::to_string);
        failed(reason.unwrap_or_else(|| error.to_string()))
    })?;
    // SAFETY: the type is that of every function that tree-sitter's generator writes
    // (`const TSLanguage *tree_sitter_NAME(void)`). That the symbol is one is assumed.
    let function: Symbol<'_, unsafe extern "C" fn() -> *const ()> = unsafe { library.get(symbol) }
        .map_err(|_| failed(format!("it has no function {symbol}")))?;
    let function = *function;
    // SAFETY: as above; the library is never unloaded, so the pointer stays good.
    let function = unsafe { LanguageFn::from_raw(function) };
    std::mem::forget(library);
    Ok(Language::new(function))
}
