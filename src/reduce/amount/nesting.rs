//! Makes a nest of one kind of level: one level, again and again, as often as the failure takes.
//!
//! If a recursion is too deep, the number of its steps matters. So instead of removing thousands of
//! levels one after the other, the whole nest is rewritten with one of its levels (or a few in
//! turn), as often as there is room, and the number is then bisected. The idea is that of the
//! pumping lemma.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use crate::reduce::algorithms::bisect::{EXACT, least};
use crate::reduce::amount::smaller_levels::smaller_levels;
use crate::reduce::choices::Cause;
use crate::reduce::input_kind::MIN_NEST_LEVELS;
use crate::reduce::needs::{Cost, Need};
use crate::reduce::reducer::{Function, Reducer};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::LineOffsets;
use seedsmith_grammar::internal::nesting_chains;
use seedsmith_grammar::internal::{NestingChain, NewLevels};

/// Rewrites the deepest nest with one kind of level, as shallow as fails.
///
/// For recursions that are too deep: the number of levels matters. Cost: none if nothing is nested
/// 64 levels deep; else up to some hundred tests, and the logarithm of the levels.
pub(crate) static NESTING: Reducer = Reducer {
    name: Cow::Borrowed("nesting"),
    description: Cow::Borrowed(
        "rewrites the deepest nest with one kind of level, as shallow as fails",
    ),
    activity: "reducing nesting",
    needs: &[Need::Pairs, Need::Bytes],
    cost: Cost::Logarithmic,
    source: "here, after the pumping lemma",
    function: Function::Flat(|search, context| rewrite_nest(search, context.scope.cause)),
};

/// Where the depth need not matter, there is a nest only if a level takes no more of the whole
/// input than this (note of 2026-11-21 on hangs and memory).
const MAX_LEVEL_BYTES: usize = 64;
/// Inputs longer than this are not looked at: each candidate is a copy. A guess; not measured.
const MAX_NEST_BYTES: usize = 4 << 20;
/// Levels that may take turns. No nest of more kinds in turn was met (note of 2026-11-21 on hangs and
/// memory).
const MAX_TURNS: usize = 4;
/// Kinds of levels (or of turns) that are tried: of the shortest, and of the most frequent. A
/// guess; not measured.
const MAX_LEVEL_KINDS: usize = 8;
/// Nests that are rewritten, one after the other. A guess; not measured.
const MAX_NESTS: usize = 8;

/// Rewrites the deepest nest of the best with one kind of level, as shallow as fails.
///
/// Cost: none where nothing is that deep; else up to some hundred tests, and `log2` of the levels.
pub(crate) fn rewrite_nest(search: &mut Search<'_, '_>, cause: Cause) -> Result<(), Stopped> {
    let least = match cause {
        Cause::Amount => MIN_NEST_LEVELS,
        Cause::Detail => MIN_NEST_LEVELS.max(search.best().len() / MAX_LEVEL_BYTES),
    };
    // The result of one pass may show another nest: beside the first one, or inside a level of it.
    for _ in 0..MAX_NESTS {
        let base = search.best().to_vec();
        if base.len() > MAX_NEST_BYTES {
            return Ok(());
        }
        let chains = nesting_chains(&base, least, cause == Cause::Amount);
        let places = LineOffsets::of(&base);
        let mut stream = chains
            .iter()
            .flat_map(|chain| plans(chain, &base).into_iter().map(move |rebuilt| (chain, rebuilt)));
        let accepted = search.first(|buffer| {
            loop {
                let (chain, rebuilt) = stream.next()?;
                let nest = Nest { base: &base, chain, places: &places };
                if let Some(rebuilt) = nest.fill(rebuilt, base.len(), buffer) {
                    return Some((chain, rebuilt));
                }
            }
        })?;
        let nest_of = |chain| Nest { base: &base, chain, places: &places };
        let (nest, mut rebuilt) = match accepted {
            Some((chain, rebuilt)) => {
                let nest = nest_of(chain);
                (nest, nest.bisected(search, rebuilt)?)
            }
            None => {
                // No shorter as it is, but perhaps with less in each level: records can be read
                // beginning at any of their bytes, and not each way lets something go.
                let mut found = None;
                for nest in chains.iter().map(nest_of) {
                    let plan = plans(nest.chain, &base).pop().expect("a chain has plans");
                    if let Some(smaller) = nest.with_less(search, &plan)? {
                        found = Some((nest, nest.bisected(search, smaller)?));
                        break;
                    }
                }
                let Some(found) = found else { return Ok(()) };
                found
            }
        };
        // With shorter levels more of them fit, so the number is bisected again after each success.
        while let Some(smaller) = nest.with_less(search, &rebuilt)? {
            rebuilt = nest.bisected(search, smaller)?;
        }
    }
    Ok(())
}

/// A nest and how it is rewritten.
#[derive(Clone, Copy)]
struct Nest<'n> {
    /// The best that the nest is in.
    base: &'n [u8],
    /// The levels of the nest, the outermost first, and the core inside the last one.
    chain: &'n NestingChain,
    /// Numbers in the best that say where a line begins: they are adjusted to the cuts.
    places: &'n LineOffsets,
}

impl Nest<'_> {
    /// Finds the least number of levels that fails, by bisection; `rebuilt.count` levels have to fail.
    ///
    /// Cost: the logarithm of the levels, and as much again after each success.
    fn bisected(
        &self,
        search: &mut Search<'_, '_>,
        rebuilt: NewLevels,
    ) -> Result<NewLevels, Stopped> {
        let count = least(search, 0..rebuilt.count as i64, EXACT, |count, buffer| {
            self.write(&NewLevels { count: count as usize, ..rebuilt.clone() }, buffer);
        })?;
        Ok(NewLevels { count: count as usize, ..rebuilt })
    }

    /// The same with less in each level, and as many of them as there is room for; `None` if none
    /// of these fails.
    ///
    /// Cost: a test for each way to shorten a level, see [`smaller_levels`].
    fn with_less(
        &self,
        search: &mut Search<'_, '_>,
        rebuilt: &NewLevels,
    ) -> Result<Option<NewLevels>, Stopped> {
        let length = search.best().len();
        // The first term of a sum may need parts that the others don't.
        let outers = if self.chain.core.is_empty() { 0..2 } else { 0..1 };
        let mut stream = smaller_levels(&rebuilt.unit)
            .into_iter()
            .flat_map(|unit| outers.clone().map(move |more| (rebuilt.outer + more, unit.clone())));
        search.first(|buffer| {
            loop {
                let (outer, unit) = stream.next()?;
                let rebuilt = NewLevels { outer, unit, ..rebuilt.clone() };
                if let Some(rebuilt) = self.fill(rebuilt, length, buffer) {
                    return Some(rebuilt);
                }
            }
        })
    }

    /// Writes the candidate with as many units as make it shorter than `limit` bytes, and returns it
    /// with its count; `None` if not even two units fit.
    fn fill(&self, rebuilt: NewLevels, limit: usize, out: &mut Vec<u8>) -> Option<NewLevels> {
        let mut count = self.chain.most(&rebuilt, self.base.len(), limit - 1);
        // A length field gets wider when it covers more bytes, which the first guess ignores: then
        // fewer units fit. Each pass removes the excess; a candidate that does not fit after four
        // passes is left out.
        for _ in 0..4 {
            let rebuilt = NewLevels { count, ..rebuilt.clone() };
            out.clear();
            if count < 2 || !self.write(&rebuilt, out) {
                return None;
            }
            if out.len() < limit {
                return Some(rebuilt);
            }
            count = (count * limit / out.len()).saturating_sub(1);
        }
        None
    }

    /// Writes a candidate, with corrected line offsets; `false` if a length does not fit.
    fn write(&self, rebuilt: &NewLevels, out: &mut Vec<u8>) -> bool {
        let Nest { base, chain, places } = self;
        if !chain.rebuild(base, rebuilt, out) {
            return false;
        }
        if !places.is_empty() {
            let (gone, instead) = chain.replaced(rebuilt, base.len(), out.len());
            let moved = |place: usize| {
                if place >= gone.end { place - gone.len() + instead } else { place }
            };
            if let Some(followed) = places.following(base, moved) {
                out.clear();
                return chain.rebuild(&followed, rebuilt, out);
            }
        }
        true
    }
}

/// Ways to rewrite a chain, those that keep least first: the levels alone, not closed and closed; then
/// with the text around them.
///
/// `count` is 0 in all of them: [`Nest::fill`] finds how many levels there is room for.
fn plans(chain: &NestingChain, base: &[u8]) -> Vec<NewLevels> {
    let ids = ids(chain, base);
    let units = units(chain, &ids);
    let plan = |outer, unit: &Range<usize>, is_around_kept, is_closed| NewLevels {
        outer,
        unit: unit.clone().map(|level| chain.shell(base, level)).collect(),
        count: 0,
        is_around_kept,
        is_closed,
    };
    let outers = |unit: &Range<usize>| {
        let kinds = &ids[unit.clone()];
        let first = ids.windows(unit.len()).position(|window| window == kinds);
        // Above may be single levels of that kind which are part of something else.
        let dense = ids.windows(MIN_NEST_LEVELS / 2).position(|window| {
            kinds.contains(&window[0])
                && window.iter().filter(|id| kinds.contains(id)).count() * 2 >= window.len()
        });
        let mut outers: Vec<usize> = first.into_iter().chain(dense).collect();
        outers.dedup();
        outers
    };
    let mut plans = Vec::new();
    if !chain.has_lengths() {
        plans.extend(units.iter().map(|unit| plan(0, unit, false, false)));
    }
    plans.extend(units.iter().map(|unit| plan(0, unit, false, true)));
    for is_closed in [false, true] {
        if is_closed || !chain.has_lengths() {
            for unit in &units {
                let outers = outers(unit).into_iter();
                plans.extend(outers.map(|outer| plan(outer, unit, true, is_closed)));
            }
        }
    }
    plans
}

/// A number for each level, the same for levels of the same text.
fn ids(chain: &NestingChain, base: &[u8]) -> Vec<usize> {
    let mut known = HashMap::new();
    let kinds = (0..chain.levels.len()).map(|level| chain.shell(base, level));
    kinds
        .map(|kind| {
            let next = known.len();
            *known.entry(kind).or_insert(next)
        })
        .collect()
}

/// The levels to repeat, as ranges of levels: kinds of single ones, then of two, three and four in
/// turn, each time the shortest first. At most some twenty.
fn units(chain: &NestingChain, ids: &[usize]) -> Vec<Range<usize>> {
    let mut units: Vec<Range<usize>> = Vec::new();
    for turns in 1..=MAX_TURNS.min(ids.len()) {
        let mut counts: HashMap<&[usize], usize> = HashMap::new();
        let mut firsts: Vec<usize> = Vec::new();
        for (at, window) in ids.windows(turns).enumerate() {
            let count = counts.entry(window).or_insert(0);
            if *count == 0 {
                firsts.push(at);
            }
            *count += 1;
        }
        let count = |at: &usize| counts[&ids[*at..at + turns]];
        let size = |at: &usize| {
            let levels = &chain.levels[*at..at + turns];
            levels.iter().map(|level| level.open.len() + level.close.len()).sum::<usize>()
        };
        let mut frequent = firsts.clone();
        frequent.sort_by_key(|at| std::cmp::Reverse(count(at)));
        frequent.truncate(MAX_LEVEL_KINDS / turns);
        if turns == 1 {
            firsts.sort_by_key(size);
            firsts.truncate(MAX_LEVEL_KINDS);
        } else {
            // A window of one kind is already tried as that kind; a window that occurs once does
            // not alternate.
            frequent.retain(|at| {
                let window = &ids[*at..at + turns];
                window.iter().any(|id| *id != window[0]) && count(at) > 1
            });
            firsts.clear();
        }
        let mut starts = [firsts, frequent].concat();
        starts.sort_by_key(|at| (size(at), *at));
        starts.dedup();
        units.extend(starts.into_iter().map(|at| at..at + turns));
    }
    units
}

#[cfg(test)]
mod tests {
    use crate::reduce::amount::nesting::*;
    use crate::reduce::input_kind::is_mostly_repetition;
    use crate::reduce::testing::{Found, reduce_by};

    /// Deepest nesting of brackets until something is not as it should be.
    fn depth(bytes: &[u8]) -> usize {
        let mut depth: usize = 0;
        let mut deepest = 0;
        for byte in bytes {
            match byte {
                b'[' => depth += 1,
                b']' => depth = depth.saturating_sub(1),
                b'!' => return deepest,
                _ => {}
            }
            deepest = deepest.max(depth);
        }
        deepest
    }

    fn rewritten(input: &str, fails: impl Fn(&[u8]) -> bool + 'static) -> (String, Found) {
        let found =
            reduce_by(input.as_bytes(), fails, |search| rewrite_nest(search, Cause::Amount));
        assert!(found.tests < 150, "{} tests", found.tests);
        (String::from_utf8(found.best.clone()).unwrap(), found)
    }

    #[test]
    fn a_nest_with_text_between_becomes_a_run_of_the_least_length() {
        let level = ["[".repeat(50), "\"x\", ".into()].concat();
        let input = ["doc: {a: 1, b: ", &level.repeat(90), &"]".repeat(4500), "}"].concat();
        let (best, _) = rewritten(&input, |bytes| depth(bytes) >= 1234);
        assert_eq!(best, "[".repeat(1234));
    }

    #[test]
    fn what_is_around_and_closed_stays_where_it_is_needed() {
        let level = |n: usize| format!("{{\"k{n}\": [1, ");
        let open: String = (0..1000).map(level).collect();
        let input = format!("head\n<{open}0{}>\ntail\n", "]}".repeat(1000));
        let fails = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            let inner =
                text.strip_prefix("head\n<").and_then(|rest| rest.strip_suffix(">\ntail\n"));
            inner.is_some_and(|inner| {
                let count = |byte| inner.bytes().filter(|other| *other == byte).count();
                count(b'[') == count(b']') && count(b'{') == count(b'}') && count(b'[') >= 300
            })
        };
        let (best, _) = rewritten(&input, fails);
        assert_eq!(best.matches('[').count(), 300);
        assert!(best.len() < 650, "{best}");
    }

    #[test]
    fn a_number_that_says_where_something_is_follows() {
        let table = |bytes: &[u8]| {
            let text = std::str::from_utf8(bytes).ok()?;
            let at: usize = text.strip_suffix('\n')?.rsplit_once("start\n")?.1.parse().ok()?;
            text.get(at..)?.starts_with("table").then_some(())
        };
        let nest = ["[".repeat(2000), "]".repeat(2000)].concat();
        let body = format!("head\n{nest}\n");
        let input = format!("{body}table\nstart\n{}\n", body.len());
        let fails = move |bytes: &[u8]| table(bytes).is_some() && depth(bytes) >= 700;
        let (best, _) = rewritten(&input, fails);
        assert_eq!(best.matches('[').count(), 700);
    }

    #[test]
    fn a_repetition_is_told_from_a_text() {
        let text: String = (0..99).map(|word| format!("{:x} ", word * 7919 % 100_003)).collect();
        assert!(is_mostly_repetition("v1+".repeat(200).as_bytes()));
        assert!(is_mostly_repetition("{[".repeat(200).as_bytes()));
        assert!(!is_mostly_repetition(text.as_bytes()));
        assert!(!is_mostly_repetition(b"aaaa"));
    }

    #[test]
    fn nothing_is_tried_on_what_is_not_deep() {
        let input = "[".repeat(MIN_NEST_LEVELS - 1);
        let (_, found) = rewritten(&input, |bytes| depth(bytes) >= 10);
        assert_eq!(found.tests, 0);
    }
}
