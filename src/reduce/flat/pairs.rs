//! Reduces nested text by the pairs of one family, without a grammar.
//!
//! A plain ddmin gets stuck on pairs such as `{"":[{"":null}]}`: neither half of a pair can be
//! deleted without the other. Four steps, large ones first: keep one pair and nothing else; drop
//! pairs with their content, level by level (HDD over brackets); hoist, by dropping the bytes
//! between a pair and one farther in (Perses' replacement by a descendant); drop pairs and leave
//! their content.

use std::borrow::Cow;
use std::ops::Range;

use crate::reduce::algorithms::chunk_limits::ChunkLimits;
use crate::reduce::algorithms::chunks::delete_chunks;
use crate::reduce::algorithms::removable::Couples;
use crate::reduce::context::{Context, Look};
use crate::reduce::flat::windows::keep_first;
use crate::reduce::needs::{Cost, Need};
use crate::reduce::reducer::{Function, HERE, Reducer};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::pairs;
use seedsmith_grammar::internal::pairs::Pair;
use seedsmith_grammar::internal::tags;
use seedsmith_grammar::internal::{Separator, items};

/// Deletes tags with their content, level by level, and hoists inner ones.
///
/// A tag is a pair by its name; attributes and text between are content. Cost: up to 64 tests for each
/// size class, two walks over the chunks of each level, and one for each of at most 64 nested paths.
pub(crate) static TAGS: Reducer = Reducer {
    name: Cow::Borrowed("tags"),
    description: Cow::Borrowed(
        "deletes tags with their content, level by level, and hoists inner ones",
    ),
    activity: "deleting blocks",
    needs: &[Need::Pairs],
    cost: Cost::Linear,
    source: "HDD over pairs (Misherghi 2006), hoisting (Sun et al. 2018)",
    function: Function::Flat(|search, context| reduce_pairs(search, context, tags::tags)),
};

/// Deletes brackets with their content, level by level, and hoists inner ones.
///
/// Round, square, curly and angle brackets, which have to match. Cost: as [`TAGS`].
pub(crate) static BRACKETS: Reducer = Reducer {
    name: Cow::Borrowed("brackets"),
    description: Cow::Borrowed(
        "deletes brackets with their content, level by level, and hoists inner ones",
    ),
    activity: "deleting blocks",
    needs: &[Need::Pairs],
    cost: Cost::Linear,
    source: "HDD over pairs (Misherghi 2006), hoisting (Sun et al. 2018)",
    function: Function::Flat(|search, context| reduce_pairs(search, context, pairs::brackets)),
};

/// Deletes blocks between words such as begin and end, level by level, and hoists inner ones.
///
/// Which words open a block is known for the usual languages and not learnt from the input. Cost: as
/// [`TAGS`].
pub(crate) static WORDS: Reducer = Reducer {
    name: Cow::Borrowed("words"),
    description: Cow::Borrowed(
        "deletes blocks between words such as begin and end, level by level, and hoists inner ones",
    ),
    activity: "deleting blocks",
    needs: &[Need::Pairs],
    cost: Cost::Linear,
    source: "HDD over pairs (Misherghi 2006), hoisting (Sun et al. 2018)",
    function: Function::Flat(|search, context| reduce_pairs(search, context, pairs::words)),
};

/// Deletes quotes with their content, level by level, and hoists inner ones.
///
/// Pairs of quotation marks and of backquotes, each within a line. Cost: as [`TAGS`].
pub(crate) static QUOTES: Reducer = Reducer {
    name: Cow::Borrowed("quotes"),
    description: Cow::Borrowed(
        "deletes quotes with their content, level by level, and hoists inner ones",
    ),
    activity: "deleting blocks",
    needs: &[Need::Pairs],
    cost: Cost::Linear,
    source: "HDD over pairs (Misherghi 2006), hoisting (Sun et al. 2018)",
    function: Function::Flat(|search, context| reduce_pairs(search, context, pairs::quotes)),
};

/// Deletes items of lists with a separator, the outermost first.
///
/// An item is deleted with the separator after it, then with the one before it. At the first look only
/// large groups go. Cost: a walk over the chunks of each level.
pub(crate) static ITEMS: Reducer = Reducer {
    name: Cow::Borrowed("items"),
    description: Cow::Borrowed("deletes items of lists with a separator, the outermost first"),
    activity: "deleting parts",
    needs: &[Need::Pairs],
    cost: Cost::Linear,
    source: HERE,
    function: Function::Flat(reduce_items),
};

/// Keeps one pair; then, unless it is the first look, drops pairs, puts inner ones in place of outer
/// ones, and where every part is looked at leaves out the two ends of a pair.
fn reduce_pairs(
    search: &mut Search<'_, '_>,
    context: &Context,
    family: Family,
) -> Result<(), Stopped> {
    keep_pair(search, family)?;
    if context.look == Look::First {
        return Ok(());
    }
    let limits = context.chunk_limits(search);
    drop_pairs(search, family, limits)?;
    let limits = context.chunk_limits(search);
    hoist(search, family, limits)?;
    if limits.has_single_elements() { unwrap(search, family, limits) } else { Ok(()) }
}

/// Drops groups of items: at the first look large ones, else each with a separator after or before it.
fn reduce_items(search: &mut Search<'_, '_>, context: &mut Context) -> Result<(), Stopped> {
    if context.look == Look::First {
        return drop_large_items(search);
    }
    let limits = context.chunk_limits(search);
    drop_items(search, Separator::Behind, limits)?;
    let limits = context.chunk_limits(search);
    drop_items(search, Separator::Before, limits)
}

/// Finds the pairs of a family in an input.
pub(crate) type Family = fn(&[u8]) -> Vec<Pair>;

/// Pairs of one size class that are tried on their own, at most, so that a thousand tiny pairs
/// leave tests for a large one. A guess; not measured.
const MAX_PAIRS_PER_SIZE: usize = 32;
/// Levels with a single pair are left to [`hoist`] from here on: dropping them one by one is two
/// tests a level. A guess; not measured.
const FIRST_DEEP_LEVEL: usize = 32;

/// Keeps one pair, or its content, and nothing else; again and again.
///
/// Cost: at most `64·log2(n)` tests a round, of short candidates first.
pub(crate) fn keep_pair(search: &mut Search<'_, '_>, family: Family) -> Result<(), Stopped> {
    keep_first(search, |bytes| {
        let pairs = family(bytes);
        let mut spans: Vec<Range<usize>> =
            pairs.iter().flat_map(|pair| [pair.content(), pair.whole()]).collect();
        spans.retain(|span| !span.is_empty() && span.len() < bytes.len());
        // By size class, so that a thousand tiny pairs leave room for the one that matters.
        let class = |span: &Range<usize>| (bytes.len() / span.len()).min(64).ilog2();
        spans.sort_by_key(|span| (std::cmp::Reverse(class(span)), span.start));
        let classes = spans.chunk_by(|left, right| class(left) == class(right));
        let tried: Vec<_> =
            classes.flat_map(|class| class.iter().take(2 * MAX_PAIRS_PER_SIZE)).cloned().collect();
        Box::new(tried.into_iter())
    })
}

/// The things found, by their depth.
fn by_depth<T>(found: Vec<T>, depth: impl Fn(&T) -> usize) -> Vec<Vec<T>> {
    let deepest = found.iter().map(&depth).max();
    let mut levels: Vec<Vec<T>> =
        (0..deepest.map_or(0, |deepest| deepest + 1)).map(|_| Vec::new()).collect();
    for one in found {
        levels[depth(&one)].push(one);
    }
    levels
}

/// Drops pairs with their content, and the content of those that have to stay, the outermost
/// first. Cost: two [`delete_chunks`]s a level; the input is read again only where something went, so
/// that ten thousand levels are no matter.
pub(crate) fn drop_pairs(
    search: &mut Search<'_, '_>,
    family: Family,
    limits: ChunkLimits,
) -> Result<(), Stopped> {
    let levels_of = |bytes: &[u8]| by_depth(family(bytes), |pair| pair.depth as usize);
    let mut levels = levels_of(search.best());
    let mut depth = 0;
    while depth < levels.len() {
        for part in [Pair::whole, Pair::content] {
            let Some(level) = levels.get(depth) else { break };
            if depth >= FIRST_DEEP_LEVEL && level.len() < 2 {
                continue;
            }
            let spans = level.iter().map(|pair| [part(pair), 0..0]).collect();
            let before = search.best().len();
            delete_chunks(search, &mut Couples::new(spans), limits)?;
            if search.best().len() != before {
                levels = levels_of(search.best());
            }
        }
        depth += 1;
    }
    Ok(())
}

/// Levels that [`drop_large_items`] looks at: large items are on the outer ones. A guess; not measured.
const MAX_OUTER_LEVELS: usize = 3;
/// Into how many chunks it cuts a level, so that a level takes at most 64 tests. A guess; not measured.
const CHUNKS_PER_LEVEL: usize = 32;

/// Drops large groups of items on the outer levels. Cost: at most 64 tests a level where nothing
/// goes.
pub(crate) fn drop_large_items(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    delete_items(search, Separator::Behind, MAX_OUTER_LEVELS, |count| {
        ChunkLimits::of_elements(count / CHUNKS_PER_LEVEL)
    })
}

/// Drops items with a separator, the outermost first. Cost: a [`delete_chunks`] a level.
pub(crate) fn drop_items(
    search: &mut Search<'_, '_>,
    separator: Separator,
    limits: ChunkLimits,
) -> Result<(), Stopped> {
    delete_items(search, separator, usize::MAX, |_| limits)
}

/// Deletes the items of the outermost levels; `limits` gets the number of items of a level.
fn delete_items(
    search: &mut Search<'_, '_>,
    separator: Separator,
    outermost: usize,
    limits: impl Fn(usize) -> ChunkLimits,
) -> Result<(), Stopped> {
    let levels_of = |bytes: &[u8]| by_depth(items(bytes, separator), |item| item.depth);
    let mut levels = levels_of(search.best());
    let mut depth = 0;
    while depth < levels.len().min(outermost) {
        let level = &mut levels[depth];
        level.sort_by_key(|item| item.span.start);
        let spans: Vec<_> = level.iter().map(|item| [item.span.clone(), 0..0]).collect();
        if !spans.is_empty() {
            let limits = limits(spans.len());
            let before = search.best().len();
            delete_chunks(search, &mut Couples::new(spans), limits)?;
            if search.best().len() != before {
                levels = levels_of(search.best());
            }
        }
        depth += 1;
    }
    Ok(())
}

/// Puts pairs in place of those around them: drops everything of a pair but one pair inside it.
/// Runs along each heavy path, from a pair to its largest child and so on; the whole input counts
/// as the outermost pair.
///
/// Cost: a [`delete_chunks`] a path, at most 64 paths.
pub(crate) fn hoist(
    search: &mut Search<'_, '_>,
    family: Family,
    limits: ChunkLimits,
) -> Result<(), Stopped> {
    let mut index = 0;
    while index < 64 {
        let base_length = search.best().len();
        let pairs = family(search.best());
        let mut paths = heavy_paths(&pairs, base_length);
        if index >= paths.len() {
            return Ok(());
        }
        let enclosing = paths.swap_remove(index);
        delete_chunks(search, &mut Couples::new(enclosing), limits)?;
        index += 1;
    }
    Ok(())
}

/// Drops pairs but leaves their content. Cost: a [`delete_chunks`].
pub(crate) fn unwrap(
    search: &mut Search<'_, '_>,
    family: Family,
    limits: ChunkLimits,
) -> Result<(), Stopped> {
    let bytes = |span: &Range<u32>| span.start as usize..span.end as usize;
    let pairs = family(search.best());
    let couples = pairs.iter().map(|pair| [bytes(&pair.open), bytes(&pair.close)]).collect();
    delete_chunks(search, &mut Couples::new(couples), limits)
}

/// The bytes around the next pair along each heavy path, paths by the size of their outermost pair,
/// largest first.
fn heavy_paths(pairs: &[Pair], length: usize) -> Vec<Vec<[Range<usize>; 2]>> {
    // The parent of a pair is the last pair before it that is one level farther out.
    let mut heavy_child: Vec<Option<usize>> = vec![None; pairs.len() + 1];
    let mut open: Vec<usize> = Vec::new();
    for (index, pair) in pairs.iter().enumerate() {
        open.truncate(pair.depth as usize);
        let parent = open.last().map_or(0, |at| at + 1);
        let is_heavier =
            heavy_child[parent].is_none_or(|child| pairs[child].whole().len() < pair.whole().len());
        if is_heavier {
            heavy_child[parent] = Some(index);
        }
        open.push(index);
    }
    let mut is_inner = vec![false; pairs.len()];
    for child in heavy_child.iter().flatten() {
        is_inner[*child] = true;
    }
    let whole = |node: usize| if node == 0 { 0..length } else { pairs[node - 1].whole() };
    let mut tops: Vec<usize> = (0..=pairs.len())
        .filter(|node| (*node == 0 || !is_inner[node - 1]) && heavy_child[*node].is_some())
        .collect();
    tops.sort_by_key(|node| std::cmp::Reverse(whole(*node).len()));
    let mut paths = Vec::new();
    for top in tops {
        let mut enclosing = Vec::new();
        let mut node = top;
        while let Some(child) = heavy_child[node] {
            let (outer, inner) = (whole(node), whole(child + 1));
            enclosing.push([outer.start..inner.start, inner.end..outer.end]);
            node = child + 1;
        }
        enclosing.retain(|spans| !(spans[0].is_empty() && spans[1].is_empty()));
        if !enclosing.is_empty() {
            paths.push(enclosing);
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use crate::reduce::flat::pairs::*;
    use crate::reduce::testing::reduce_by;
    use seedsmith_grammar::internal::pairs::brackets;

    fn contains(text: &'static str) -> impl Fn(&[u8]) -> bool {
        move |bytes| bytes.windows(text.len()).any(|window| window == text.as_bytes())
    }

    fn is_balanced(bytes: &[u8]) -> bool {
        let mut depth = 0i32;
        bytes.iter().all(|byte| {
            depth += i32::from(*byte == b'(') - i32::from(*byte == b')');
            depth >= 0
        }) && depth == 0
    }

    #[test]
    fn one_pair_is_kept_on_its_own() {
        let found = reduce_by(b"f(a, g(b), (x!), [h])", contains("x!"), |search| {
            keep_pair(search, brackets)
        });
        assert_eq!(found.best, b"x!");
    }

    #[test]
    fn pairs_go_with_their_content() {
        let fails = |bytes: &[u8]| is_balanced(bytes) && bytes.contains(&b'!');
        let found = reduce_by(b"(a)(b(c)(!)(d))(e)", fails, |search| {
            drop_pairs(search, brackets, ChunkLimits::ALL)
        });
        assert_eq!(found.best, b"(b(!))");
        let fails = |bytes: &[u8]| is_balanced(bytes) && bytes.ends_with(b"x()");
        let fails = move |bytes: &[u8]| fails(bytes) || bytes == b"x(a(b))";
        assert_eq!(
            reduce_by(b"x(a(b))", fails, |search| drop_pairs(search, brackets, ChunkLimits::ALL))
                .best,
            b"x()"
        );
    }

    #[test]
    fn ten_thousand_levels_are_looked_at_once() {
        let deep = ["[".repeat(40_000), "]".repeat(40_000)].concat();
        thread_local!(static READS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) });
        fn counted(bytes: &[u8]) -> Vec<Pair> {
            READS.set(READS.get() + 1);
            brackets(bytes)
        }
        let length = deep.len();
        reduce_by(
            deep.as_bytes(),
            move |bytes| bytes.len() == length,
            |search| drop_pairs(search, counted, ChunkLimits::ALL),
        );
        assert_eq!(READS.get(), 1);
    }

    #[test]
    fn items_go_with_a_separator() {
        let fails = |bytes: &[u8]| {
            is_balanced(bytes)
                && bytes.contains(&b'!')
                && !["(,", ",)", ",,"].iter().any(|text| contains(text)(bytes))
        };
        let found = reduce_by(b"(a,b,(c,!,d),e)", fails, |search| {
            drop_items(search, Separator::Behind, ChunkLimits::ALL)?;
            drop_items(search, Separator::Before, ChunkLimits::ALL)
        });
        assert_eq!(found.best, b"((!))");
    }

    #[test]
    fn a_pair_takes_the_place_of_one_around_it() {
        let fails = |bytes: &[u8]| {
            is_balanced(bytes)
                && bytes.starts_with(b"(r")
                && bytes.ends_with(b"s)")
                && contains("(!)")(bytes)
        };
        let found = reduce_by(b"(r(a(b(!)c)d)s)", fails, |search| {
            hoist(search, brackets, ChunkLimits::ALL)
        });
        assert_eq!(found.best, b"(r(!)s)");
    }

    #[test]
    fn a_pair_goes_and_its_content_stays() {
        let fails = |bytes: &[u8]| is_balanced(bytes) && contains("a!b")(bytes);
        let found =
            reduce_by(b"((a!b)c)", fails, |search| unwrap(search, brackets, ChunkLimits::ALL));
        assert_eq!(found.best, b"a!bc");
    }
}
