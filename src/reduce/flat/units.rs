//! Deletes lines, tokens and bytes: by the one loop over chunks, or by ddmin.

use std::borrow::Cow;

use crate::event::Minimality;
use crate::reduce::algorithms::chunk_limits::ChunkLimits;
use crate::reduce::algorithms::chunks::delete_chunks;
use crate::reduce::algorithms::ddmin::ddmin;
use crate::reduce::context::{Context, Look};
use crate::reduce::needs::{Cost, Need};
use crate::reduce::reducer::{Function, HERE, Reducer};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::UnitKind;
use seedsmith_grammar::internal::split;

/// Deletes chunks of lines, large ones first, down to single lines.
///
/// Of a best that is still long only chunks of a 256th of it go. In the end no single line can go.
/// Cost: about `2·m·log2(n/m)` tests if `m` of `n` lines matter.
pub(crate) static LINES: Reducer = Reducer {
    name: Cow::Borrowed("lines"),
    description: Cow::Borrowed("deletes chunks of lines, large ones first, down to single lines"),
    activity: "deleting lines",
    needs: &[Need::Lines],
    cost: Cost::Linear,
    source: "complements of ddmin, each size once (CDD, ICSE 2025)",
    function: Function::Flat(|search, context| delete_units(search, context, UnitKind::Lines)),
};

/// Deletes chunks of tokens, large ones first, down to single tokens.
///
/// A token is a word, a number, a run of blanks or a sign. Cost: as [`LINES`].
pub(crate) static TOKENS: Reducer = Reducer {
    name: Cow::Borrowed("tokens"),
    description: Cow::Borrowed("deletes chunks of tokens, large ones first, down to single tokens"),
    activity: "deleting tokens",
    needs: &[Need::Tokens],
    cost: Cost::Linear,
    source: "complements of ddmin, each size once (CDD, ICSE 2025)",
    function: Function::Flat(|search, context| delete_units(search, context, UnitKind::Tokens)),
};

/// Deletes chunks of bytes, large ones first, down to single bytes.
///
/// In the end the result is 1-minimal, which no other reducer establishes but [`DDMIN`] and, for short
/// results, `exhaust`. Cost: as [`LINES`].
pub(crate) static BYTES: Reducer = Reducer {
    name: Cow::Borrowed("bytes"),
    description: Cow::Borrowed("deletes chunks of bytes, large ones first, down to single bytes"),
    activity: "deleting bytes",
    needs: &[Need::Bytes],
    cost: Cost::Linear,
    source: "complements of ddmin, each size once (CDD, ICSE 2025)",
    function: Function::Flat(|search, context| delete_units(search, context, UnitKind::Bytes)),
};

/// Deletes chunks of a 64th of the input or more.
///
/// Of the coarsest units of which there are 64: lines, else tokens, else bytes. Cost: at most some 130
/// tests where nothing goes.
pub(crate) static CHUNKS: Reducer = Reducer {
    name: Cow::Borrowed("chunks"),
    description: Cow::Borrowed("deletes chunks of a 64th of the input or more"),
    activity: "deleting blocks",
    needs: &[],
    cost: Cost::Constant,
    source: HERE,
    function: Function::Flat(delete_coarsely),
};

/// Ddmin over the units of --format, as the paper has it (--strategy ddmin).
///
/// The result is 1-minimal in these units. Cost: at most `n² + 3n` tests for `n` units.
pub(crate) static DDMIN: Reducer = Reducer {
    name: Cow::Borrowed("ddmin"),
    description: Cow::Borrowed(
        "ddmin over the units of --format, as the paper has it (--strategy ddmin)",
    ),
    activity: "deleting",
    needs: &[],
    cost: Cost::Quadratic,
    source: "Zeller and Hildebrandt 2002, section 3.2, figure 5",
    function: Function::Flat(|search, context| ddmin_once(search, context.format())),
};

/// Into how many chunks an input is cut before it is looked at closely. 64 chunks are seven sizes of
/// halves, so about 130 tests where nothing goes; a guess, not measured.
const MAX_COARSE_CHUNKS: usize = 64;

/// Deletes chunks of the units of `format`, as small as the round looks at. Cost: see
/// [`delete_chunks`].
fn delete_units(
    search: &mut Search<'_, '_>,
    context: &Context,
    format: UnitKind,
) -> Result<(), Stopped> {
    let mut limits = context.chunk_limits(search);
    // If a tree has covered the best, larger parts are deleted by tokens, and bytes only one by
    // one.
    if format == UnitKind::Bytes && context.look == Look::Close && context.scope.is_covered_by_tree
    {
        limits.most_elements = 1;
    }
    delete_chunks(search, &mut split(search.best(), format), limits)
}

/// Deletes chunks of the coarsest units of which there are enough. Cost: at most some 130 tests where
/// nothing goes.
fn delete_coarsely(search: &mut Search<'_, '_>, context: &mut Context) -> Result<(), Stopped> {
    let all = context.scope.units().iter().map(|format| split(search.best(), *format));
    let coarsest = all.into_iter().find(|units| units.len() >= MAX_COARSE_CHUNKS);
    let Some(mut units) = coarsest else { return Ok(()) };
    let limits = ChunkLimits::of_elements(units.len() / MAX_COARSE_CHUNKS);
    delete_chunks(search, &mut units, limits)
}

/// ddmin over the units of a format, once, as the paper has it; claims a 1-minimal result.
fn ddmin_once(search: &mut Search<'_, '_>, format: UnitKind) -> Result<(), Stopped> {
    let source = search.best().to_vec();
    let units = split(&source, format);
    let elements: Vec<u32> = (0..units.len() as u32).collect();
    let kept = ddmin(search, elements, |kept, out| {
        // Neighbours that both stayed are copied in one go.
        for run in kept.chunk_by(|left, right| left + 1 == *right) {
            let (first, last) = (run[0] as usize, run[run.len() - 1] as usize);
            out.extend_from_slice(&source[units.span(first..last + 1)]);
        }
    })?;
    // Of a single element ddmin does not know whether it can go.
    if kept.len() > 1 {
        search.claim(Minimality::OneMinimal);
    }
    Ok(())
}
