//! The default strategy: what has been learnt since the papers, in order.
//!
//! Large steps come first, because an accepted step costs a crash and the next candidate is
//! shorter for it; reducers that look closely run when the best is short.

use super::chunks::sweep;
use super::ends::cut_ends;
use super::keep::keep_window;
use super::options::Options;
use crate::event::Minimality;
use crate::oracle::Stopped;
use crate::search::Search;
use crate::structure::{Format, Units, split};

/// Reduces the best by everything that is known to pay.
pub fn auto(search: &mut Search<'_, '_>, options: &Options) -> Result<(), Stopped> {
    let _ = options;
    search.run("windows", keep_window)?;
    search.run("ends", cut_ends)?;
    loop {
        let before = search.best().to_vec();
        search.run("lines", |search| {
            let mut lines = split(search.best(), Format::Lines);
            sweep(search, &mut lines, 1)
        })?;
        search.run("tokens", |search| {
            let mut tokens = split(search.best(), Format::Tokens);
            sweep(search, &mut tokens, 1)
        })?;
        search.run("bytes", |search| {
            let mut bytes = Units::bytes(search.best().len());
            sweep(search, &mut bytes, 1)
        })?;
        if search.best() == before {
            break;
        }
    }
    search.claim(Minimality::OneMinimal);
    Ok(())
}
