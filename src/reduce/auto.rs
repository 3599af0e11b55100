//! The default strategy: what has been learnt since the papers, in order.
//!
//! Large steps come first, because an accepted step costs a crash and the next candidate is
//! shorter for it; reducers that look closely run when the best is short.

use super::chunks::sweep;
use super::ends::cut_ends;
use super::keep::{keep_window, keep_window_anywhere};
use super::lengths::{Grain, delete_records, is_binary};
use super::nest::{self, Family};
use super::options::Options;
use super::periods::shorten_runs;
use super::polish::Polisher;
use super::simplify::simplify;
use super::together;
use crate::event::Minimality;
use crate::oracle::Stopped;
use crate::search::Search;
use crate::structure::items::Separator;
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
    let mut polisher = Polisher::new(search.best(), options.polish, options.seed);
    if search.fails(b"")? {
        search.claim(Minimality::Global);
        return Ok(());
    }
    search.run("windows", keep_window)?;
    for (name, family) in FAMILIES {
        search.run(name, |search| nest::keep_pair(search, family))?;
    }
    search.run("ends", cut_ends)?;
    search.run("chunks", |search| {
        let mut lines = split(search.best(), Format::Lines);
        let least = lines.len() / 64;
        sweep(search, &mut lines, least)
    })?;
    loop {
        delete(search)?;
        let before = search.best().to_vec();
        search.run("simplify", simplify)?;
        if search.best() != before {
            continue;
        }
        search.claim(Minimality::OneMinimal);
        if !polisher.round(search)? {
            return Ok(());
        }
    }
}

/// Deletes until nothing more goes.
fn delete(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    loop {
        let before = search.best().len();
        search.run("records", |search| delete_records(search, Grain::Coarse))?;
        if is_binary(search.best()) {
            search.run("windows", keep_window_anywhere)?;
        }
        if before <= CLOSE_LOOK {
            search.run("periods", shorten_runs)?;
            search.run("items", |search| {
                nest::drop_items(search, Separator::Behind)?;
                nest::drop_items(search, Separator::Before)
            })?;
            for (name, family) in FAMILIES {
                search.run(name, |search| nested(search, family))?;
            }
        }
        search.run("lines", |search| sweep_units(search, Format::Lines))?;
        search.run("lines together", |search| together::drop_together(search, Format::Lines))?;
        search.run("tokens", |search| sweep_units(search, Format::Tokens))?;
        search.run("tokens together", |search| together::drop_together(search, Format::Tokens))?;
        search.run("windows", keep_window_anywhere)?;
        search.run("bytes", |search| sweep_units(search, Format::Bytes))?;
        search.run("records", |search| delete_records(search, Grain::Fine))?;
        if search.best().len() == before {
            return Ok(());
        }
    }
}

fn sweep_units(search: &mut Search<'_, '_>, format: Format) -> Result<(), Stopped> {
    let mut units = split(search.best(), format);
    sweep(search, &mut units, 1)
}

fn nested(search: &mut Search<'_, '_>, family: Family) -> Result<(), Stopped> {
    if family(search.best()).is_empty() {
        return Ok(());
    }
    nest::keep_pair(search, family)?;
    nest::drop_pairs(search, family)?;
    nest::hoist(search, family)?;
    nest::unwrap(search, family)
}
