//! The default strategy: what has been learnt since the papers, in order.
//!
//! Large steps come first, because an accepted step costs a crash and the next candidate is
//! shorter for it; reducers that look closely run when the best is short.

pub mod rounds;
mod scope;
#[cfg(test)]
mod settled;

use crate::event::Minimality;
use crate::reduce::WORTH_A_TREE;
use crate::reduce::algorithms::allowance::Allowance;
use crate::reduce::algorithms::chunks::{Least, sweep};
use crate::reduce::amount::nesting;
use crate::reduce::amount::repetitions::shorten_runs;
use crate::reduce::auto::rounds::{Spent, Told, until_settled};
use crate::reduce::binary::fillers::cut_fillers;
use crate::reduce::binary::known_formats;
use crate::reduce::binary::offsets::delete_parts;
use crate::reduce::binary::records::{Grain, delete_records, is_binary};
use crate::reduce::flat::combinations;
use crate::reduce::flat::ends::cut_ends;
use crate::reduce::flat::pairs;
use crate::reduce::flat::placeholders::{stub_shells, stub_values};
use crate::reduce::flat::simplify::{simplify, simplify_roughly};
use crate::reduce::flat::windows::{keep_half, keep_window, keep_window_anywhere};
use crate::reduce::options::{Guess, Known, Options, Polish};
use crate::reduce::polish::{Polisher, dear_tests};
use crate::reduce::tree::auto::exchange::exchange;
use crate::reduce::tree::auto::sequence;
use crate::search::Search;
use scope::{RIPE, Reach};
use seedsmith_engine::oracle::Stopped;
use seedsmith_grammar::grammar::builtin::RecognisedBy;
use seedsmith_grammar::grammar::substitutes::Substitutes;
use seedsmith_grammar::structure::binary::formats;
use seedsmith_grammar::structure::nesting::items::Separator;
use seedsmith_grammar::structure::units::UnitKind;
use seedsmith_grammar::structure::units::split;

/// Inputs longer than this are not looked at for pairs and periods.
const CLOSE_LOOK: usize = 4 << 20;
/// Into how many chunks an input is cut before it is looked at closely.
const COARSE: usize = 64;

/// Reduces the best by everything that is known to pay, until a whole round changes nothing.
///
/// In the end no single unit of the finest kind can go; where there is polish and the result is
/// tiny, no shorter input fails at all. A second search from the result, with the same options,
/// tries what the last round tried, and so changes nothing; nor does one that knows the result by
/// another file name, which tells no language.
pub fn auto(search: &mut Search<'_, '_>, options: &Options) -> Result<(), Stopped> {
    if search.fails(b"")? {
        search.claim(Minimality::Global);
        return Ok(());
    }
    let mut reported = Vec::new();
    until_settled(search, options, |search, options| round(search, options, &mut reported))
}

/// One round of all steps. What it does depends on the best and the options alone, not on what ran
/// before: budgets within it count what the round itself has asked for, cached answers too. A
/// guessed language is reported unless it is among those `reported`.
fn round(
    search: &mut Search<'_, '_>,
    options: &Options,
    reported: &mut Vec<&'static str>,
) -> Result<Told, Stopped> {
    let spent = Spent::from_here(search);
    let mut polisher = Polisher::new(search, options);
    let mut along = |search: &mut Search<'_, '_>, reach: &mut Reach, guess| {
        along_tree(search, reach, options, guess, reported)
    };
    let mut reach = Reach::of(options);
    if options.format == UnitKind::Auto
        && let Some(structure) = formats::recognise(search.best())
    {
        search.run("structure", |search| known_formats::reduce(search, &*structure))?;
    }
    if reach.has_bytes && reach.has_pairs {
        search.run("nest", |search| nesting::pump(search, options.cause))?;
    }
    // A parse, and all the more trials of several grammars, take longer than a short search does.
    let is_quick = |search: &Search<'_, '_>| search.best().len() <= QUICK_TO_PARSE;
    let mut language = None;
    if is_quick(search) {
        language = along(search, &mut reach, Guess::ByName)?;
    }
    // What isn't needed of a sound tree has gone in larger parts than halves.
    if !reach.is_sound {
        search.run("halves", |search| keep_half(search, reach.has_bytes))?;
        if language.is_none() && is_quick(search) {
            language = along(search, &mut reach, Guess::ByName)?;
        }
    }
    approach(search, &reach, language.is_some())?;
    if language.is_none() {
        language = along(search, &mut reach, Guess::ByTrial)?;
    }
    roughly(search, &reach)?;
    let told = match &language {
        Some(Known { guessed: Some((_, RecognisedBy::Ending)), .. }) => Told::ByFileName,
        _ => Told::Otherwise,
    };
    let language = language.map(|known| known.language);
    let mut is_plain = false;
    if options.are_tests_dear {
        if let Some(language) = &language {
            // What a tree has left holds no window that a tree could not see.
            reach.has_offsets = false;
            while exchange_some(search, language, spent.calls(search) / EXCHANGES_IN_CALLS)? {}
            is_plain = reach.is_seen;
        }
        // What has its parts exchanged and is made plain first is looked at closely once, else
        // twice.
        if !is_plain && reach.is_brief(search.best()) && reach.has_bytes {
            search.run("simplify", simplify_roughly)?;
            is_plain = true;
        }
    }
    loop {
        delete(search, &reach)?;
        if !reach.has_bytes {
            break;
        }
        if !reach.is_worth_a_look(search.best()) {
            look_at_each_byte(search)?;
            return Ok(told);
        }
        let before = search.best().to_vec();
        if !is_plain {
            let plainest = if options.are_tests_dear { simplify_roughly } else { simplify };
            search.run("simplify", plainest)?;
        }
        if search.best() != before {
            continue;
        }
        if search.run("fillers", cut_fillers)? {
            continue;
        }
        let given = if options.are_tests_dear { dear_tests(spent, search) } else { EXCHANGES };
        if let Some(language) = &language
            && exchange_some(search, language, given)?
        {
            continue;
        }
        search.claim(Minimality::OneMinimal);
        // What has had its parts exchanged has had the better part of luck.
        let is_enough = reach.is_seen && options.polish == Polish::Auto;
        if is_enough || !polisher.round(search)? {
            break;
        }
    }
    search.claim(Minimality::OneMinimal);
    Ok(told)
}

/// Exchanges parts, with `given` for it; whether the best got smaller.
fn exchange_some(
    search: &mut Search<'_, '_>,
    language: &Substitutes,
    given: u64,
) -> Result<bool, Stopped> {
    search.run("exchange", |search| exchange(search, language, &mut Allowance::new(given)))
}

/// Stretches of equal bytes in a repetition of which each is worth a test, for the claim that none
/// can go.
const STRETCHES: usize = 1024;

/// Tries each byte of a repetition, where there are not too many to tell apart.
fn look_at_each_byte(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let stretches = search.best().chunk_by(u8::eq).count();
    if stretches > STRETCHES {
        return Ok(());
    }
    search.run("bytes", |search| {
        sweep(search, &mut split(search.best(), UnitKind::Bytes), Least::ONE)
    })?;
    search.claim(Minimality::OneMinimal);
    Ok(())
}

/// Inputs up to this length are parsed before anything else where the language is known.
const QUICK_TO_PARSE: usize = 128 << 10;

/// What may go into exchanging parts, in tests of short candidates, each time.
const EXCHANGES: u64 = 2_000;

/// Where tests are expensive, one in so many that the round has asked for is as much as may go into
/// exchanging parts at first. With 6 an XML file took 285 tests instead of 191: what an exchange
/// doesn't find is looked for by many small steps.
const EXCHANGES_IN_CALLS: u64 = 4;

/// Reduces along the tree of a language that is known or recognised, and tells which it was. A
/// language that was named is taken for any input, a guess only where it pays.
fn along_tree(
    search: &mut Search<'_, '_>,
    reach: &mut Reach,
    options: &Options,
    guess: Guess,
    reported: &mut Vec<&'static str>,
) -> Result<Option<Known>, Stopped> {
    let bytes = search.best();
    let is_worth_a_guess = (WORTH_A_TREE..=CLOSE_LOOK).contains(&bytes.len()) && !is_binary(bytes);
    let is_worth_it =
        (options.language.is_some() || is_worth_a_guess) && reach.is_worth_a_look(bytes);
    let known = if is_worth_it { options.language_of(bytes, guess) } else { None };
    let Some(known) = known else { return Ok(None) };
    if let (Some((name, _)), Some(note)) = (known.guessed, known.note())
        && !reported.contains(&name)
    {
        reported.push(name);
        search.note(&note);
    }
    reach.is_sound = sequence::reduce(search, &known.language)?;
    if reach.is_sound && options.are_tests_dear {
        reach.families = &[];
        reach.is_seen = true;
    }
    Ok(Some(known))
}

/// Large steps towards the failure: of each kind, as much as few tests find.
fn approach(search: &mut Search<'_, '_>, reach: &Reach, is_parsed: bool) -> Result<(), Stopped> {
    let is_left_by_tree = is_parsed && search.best().len() <= RIPE;
    if !is_left_by_tree && !reach.is_brief(search.best()) {
        search.run("windows", |search| keep_window(search, reach.units))?;
    }
    if reach.has_pairs && search.best().len() <= CLOSE_LOOK {
        for &(name, family) in reach.families {
            search.run(name, |search| pairs::keep_pair(search, family))?;
        }
        search.run("items", pairs::drop_large_items)?;
    }
    if reach.has_bytes {
        search.run("offsets", delete_parts)?;
        if !reach.is_seen {
            search.run("ends", cut_ends)?;
        }
    }
    search.run("chunks", |search| {
        let all = reach.units.iter().map(|format| split(search.best(), *format));
        let coarsest = all.into_iter().find(|units| units.len() >= COARSE);
        let Some(mut units) = coarsest else { return Ok(()) };
        let least = Least::elements(units.len() / COARSE);
        sweep(search, &mut units, least)
    })
}

/// Bests up to this length are worth every small step at once.
const SHORT: usize = 2048;

/// Deletes what is a large part of a large best, as long as much goes: a thousand small steps are
/// a thousand crashes.
fn roughly(search: &mut Search<'_, '_>, reach: &Reach) -> Result<(), Stopped> {
    loop {
        let before = search.best().len();
        if before <= SHORT {
            return Ok(());
        }
        if reach.has_bytes {
            let grain = match reach.is_worth_a_look(search.best()) {
                true => Grain::Coarse,
                false => Grain::Outermost,
            };
            search.run("records", |search| delete_records(search, grain))?;
        }
        structured(search, reach, |search| Least::part_of(search.best().len()))?;
        for format in reach.units {
            search.run(&format.to_string(), |search| {
                let least = Least::part_of(search.best().len());
                sweep(search, &mut split(search.best(), *format), least)
            })?;
        }
        if search.best().len() > before - before / 8 {
            return Ok(());
        }
    }
}

/// Deletes what repeats and what is nested.
fn structured(
    search: &mut Search<'_, '_>,
    reach: &Reach,
    least: impl Fn(&Search<'_, '_>) -> Least,
) -> Result<(), Stopped> {
    if search.best().len() > CLOSE_LOOK {
        return Ok(());
    }
    if reach.has_bytes {
        search.run("periods", shorten_runs)?;
    }
    if !reach.has_pairs {
        return Ok(());
    }
    search.run("items", |search| {
        let some = least(search);
        pairs::drop_items(search, Separator::Behind, some)?;
        let some = least(search);
        pairs::drop_items(search, Separator::Before, some)
    })?;
    for &(name, family) in reach.families {
        if family(search.best()).is_empty() {
            continue;
        }
        search.run(name, |search| {
            pairs::keep_pair(search, family)?;
            let some = least(search);
            pairs::drop_pairs(search, family, some)?;
            let some = least(search);
            pairs::hoist(search, family, some)?;
            if some.is_one() { pairs::unwrap(search, family, some) } else { Ok(()) }
        })?;
    }
    Ok(())
}

/// Deletes until nothing more goes.
fn delete(search: &mut Search<'_, '_>, reach: &Reach) -> Result<(), Stopped> {
    loop {
        let before = search.best().len();
        let is_worth_a_look = reach.is_worth_a_look(search.best());
        let (least, grain) = match is_worth_a_look {
            true if reach.is_seen => (Least::NEIGHBOURS, Grain::Coarse),
            true => (Least::ONE, Grain::Coarse),
            false => (Least::SAMPLE, Grain::Outermost),
        };
        if reach.has_bytes {
            search.run("offsets", delete_parts)?;
            search.run("records", |search| delete_records(search, grain))?;
            if is_worth_a_look && is_binary(search.best()) && reach.has_offsets {
                search.run("windows", keep_window_anywhere)?;
            }
        }
        structured(search, reach, |_| least)?;
        for format in reach.units {
            if *format == UnitKind::Bytes && reach.has_pairs && is_worth_a_look {
                search.run("names and stubs", |search| {
                    combinations::shorten_together(search)?;
                    stub_values(search)?;
                    stub_shells(search)
                })?;
            }
            if *format == UnitKind::Bytes && is_worth_a_look && reach.has_windows(search.best()) {
                search.run("windows", keep_window_anywhere)?;
            }
            search.run(&format.to_string(), |search| {
                // What a tree has seen is left out by tokens, and bytes one by one.
                let least = match *format {
                    UnitKind::Bytes if reach.is_seen => Least { together: 1, ..least },
                    _ => least,
                };
                sweep(search, &mut split(search.best(), *format), least)?;
                combinations::drop_together(search, *format)
            })?;
        }
        if reach.has_bytes && is_worth_a_look {
            search.run("records", |search| delete_records(search, Grain::Fine))?;
        }
        if search.best().len() == before {
            return Ok(());
        }
    }
}
