//! The default strategy: what has been learnt since the papers, in order.
//!
//! Large steps come first, because an accepted step costs a crash and the next candidate is
//! shorter for it; reducers that look closely run when the best is short.

use super::chunks::sweep;
use super::ends::cut_ends;
use super::keep::keep_window;
use super::nest::{self, Family};
use super::options::Options;
use super::periods::shorten_runs;
use super::together;
use crate::event::Minimality;
use crate::oracle::Stopped;
use crate::search::Search;
use crate::structure::{Format, pairs, split, tags};

/// The families of pairs, those that hold most first.
const FAMILIES: [(&str, Family); 4] = [
    ("tags", tags::tags),
    ("brackets", pairs::brackets),
    ("words", pairs::words),
    ("quotes", pairs::quotes),
];

/// Inputs longer than this are not looked at for pairs and periods before coarser steps have
/// done what they can.
const CLOSE_LOOK: usize = 4 << 20;

/// Reduces the best by everything that is known to pay.
pub fn auto(search: &mut Search<'_, '_>, options: &Options) -> Result<(), Stopped> {
    let _ = options;
    search.run("windows", keep_window)?;
    search.run("ends", cut_ends)?;
    search.run("chunks", |search| {
        let mut lines = split(search.best(), Format::Lines);
        let least = lines.len() / 64;
        sweep(search, &mut lines, least)
    })?;
    delete(search)?;
    search.claim(Minimality::OneMinimal);
    Ok(())
}

/// Deletes until nothing more goes.
fn delete(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    loop {
        let before = search.best().len();
        if before <= CLOSE_LOOK {
            search.run("periods", shorten_runs)?;
            for (name, family) in FAMILIES {
                nested(search, name, family)?;
            }
        }
        search.run("lines", |search| sweep_units(search, Format::Lines))?;
        search.run("lines together", |search| together::drop_together(search, Format::Lines))?;
        search.run("tokens", |search| sweep_units(search, Format::Tokens))?;
        search.run("tokens together", |search| together::drop_together(search, Format::Tokens))?;
        search.run("bytes", |search| sweep_units(search, Format::Bytes))?;
        if search.best().len() == before {
            return Ok(());
        }
    }
}

fn sweep_units(search: &mut Search<'_, '_>, format: Format) -> Result<(), Stopped> {
    let mut units = split(search.best(), format);
    sweep(search, &mut units, 1)
}

fn nested(search: &mut Search<'_, '_>, name: &str, family: Family) -> Result<(), Stopped> {
    if family(search.best()).is_empty() {
        return Ok(());
    }
    search.run(&format!("{name}: keep one"), |search| nest::keep_pair(search, family))?;
    search.run(&format!("{name}: drop"), |search| nest::drop_pairs(search, family))?;
    search.run(&format!("{name}: hoist"), |search| nest::hoist(search, family))?;
    search.run(&format!("{name}: unwrap"), |search| nest::unwrap(search, family))
}
