//! The difference between a failing and a passing input: dd over the edits between the two.
//!
//! A configuration is a set of deltas: none of them applied gives the passing input, all of them
//! the failing one.

use std::borrow::Cow;

use crate::event::StopReason;
use crate::reduce::algorithms::isolate::{Isolation, isolate};
use crate::reduce::needs::Cost;
use crate::reduce::reducer::{Function, Reducer};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::UnitKind;
use seedsmith_grammar::internal::split;
use seedsmith_grammar::internal::{DiffStep, diff};

/// Isolates the part that makes the input fail: the smallest difference from one that passes
/// (--isolate).
///
/// As a reducer it starts from the empty input, which has to pass. Cost: at most `|d|² + 7|d|` tests
/// for a difference `d`.
pub(crate) static DD: Reducer = Reducer {
    name: Cow::Borrowed("dd"),
    description: Cow::Borrowed(
        "isolates what makes the input fail: the smallest difference from one that passes (--isolate)",
    ),
    activity: "deleting",
    needs: &[],
    cost: Cost::Quadratic,
    source: "Zeller and Hildebrandt 2002, section 4",
    function: Function::Flat(|search, context| {
        let difference = isolated(search, b"", context.format())?;
        difference.stopped.map_or(Ok(()), |reason| Err(Stopped::Early(reason)))
    }),
};

/// One change: `removed` gives way to `added`, one of which is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Delta {
    /// Its offset in the failing input of the result.
    pub at: usize,
    /// The bytes that only the passing input has.
    pub removed: Vec<u8>,
    /// The bytes that only the failing input has.
    pub added: Vec<u8>,
}

/// Two inputs that differ by little, of which one passes and the other fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// The one that passes.
    pub passing: Vec<u8>,
    /// The one that fails.
    pub failing: Vec<u8>,
    /// The changes that turn the first input into the second, in order; 1-minimal unless it was
    /// stopped.
    pub deltas: Vec<Delta>,
    /// Why the search ended before that.
    pub stopped: Option<StopReason>,
}

struct Script<'i> {
    passing: &'i [u8],
    failing: &'i [u8],
    steps: Vec<DiffStep>,
}

impl Script<'_> {
    fn deltas(&self) -> usize {
        self.steps.iter().filter(|step| !matches!(step, DiffStep::Common(_))).count()
    }

    /// Applies the deltas of `kept` (ascending) and calls `each` for every delta in turn, with its
    /// number, the step, and the number of bytes written so far.
    fn walk(
        &self,
        kept: &[usize],
        out: &mut Vec<u8>,
        mut each: impl FnMut(usize, &DiffStep, usize),
    ) {
        let mut number = 0;
        let mut kept = kept.iter().peekable();
        for step in &self.steps {
            if let DiffStep::Common(span) = step {
                out.extend_from_slice(&self.passing[span.clone()]);
                continue;
            }
            let is_applied = kept.next_if(|delta| **delta == number).is_some();
            each(number, step, out.len());
            match step {
                DiffStep::Delete(span) if !is_applied => {
                    out.extend_from_slice(&self.passing[span.clone()]);
                }
                DiffStep::Insert(span) if is_applied => {
                    out.extend_from_slice(&self.failing[span.clone()]);
                }
                _ => {}
            }
            number += 1;
        }
    }
}

/// Isolates the difference that makes the best of `search` fail, starting from `passing`, which has
/// to pass.
///
/// The units of `format` (bytes for `auto`) are added and removed; give an empty `passing` if there
/// is none. If the budget ends, the difference found until then is returned. Cost: see [`isolate`].
pub(crate) fn isolate_difference(
    search: &mut Search<'_, '_>,
    passing: &[u8],
    format: UnitKind,
) -> Result<Difference, Stopped> {
    search.run(&DD.name, |search| isolated(search, passing, format))
}

/// The same without a name in the statistics.
fn isolated(
    search: &mut Search<'_, '_>,
    passing: &[u8],
    format: UnitKind,
) -> Result<Difference, Stopped> {
    let failing = search.best().to_vec();
    let steps = diff((passing, &split(passing, format)), (&failing, &split(&failing, format)));
    let script = Script { passing, failing: &failing, steps };
    let mut found = Isolation { passing: Vec::new(), failing: (0..script.deltas()).collect() };
    let ended = isolate(search, &mut found, |kept, out| script.walk(kept, out, |_, _, _| {}));
    let stopped = match ended {
        Ok(()) => None,
        Err(Stopped::Early(reason)) => Some(reason),
        Err(stopped) => return Err(stopped),
    };
    let mut difference =
        Difference { passing: Vec::new(), failing: Vec::new(), deltas: Vec::new(), stopped };
    script.walk(&found.passing, &mut difference.passing, |_, _, _| {});
    let matter = found.difference();
    let deltas = &mut difference.deltas;
    script.walk(&found.failing, &mut difference.failing, |number, step, at| {
        if matter.binary_search(&number).is_err() {
            return;
        }
        let text = |from: &[u8], span: &std::ops::Range<usize>| from[span.clone()].to_vec();
        deltas.push(match step {
            DiffStep::Delete(span) => Delta { at, removed: text(passing, span), added: Vec::new() },
            DiffStep::Insert(span) | DiffStep::Common(span) => {
                Delta { at, removed: Vec::new(), added: text(&failing, span) }
            }
        });
    });
    Ok(difference)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::reduce_by;

    fn contains(text: &'static str) -> impl Fn(&[u8]) -> bool {
        move |bytes| bytes.windows(text.len()).any(|window| window == text.as_bytes())
    }

    fn isolated(
        passing: &str,
        failing: &str,
        fails: impl Fn(&[u8]) -> bool + 'static,
    ) -> Difference {
        let mut found = None;
        reduce_by(failing.as_bytes(), fails, |search| {
            found = Some(isolate_difference(search, passing.as_bytes(), UnitKind::Bytes)?);
            Ok(())
        });
        found.unwrap()
    }

    #[test]
    fn of_many_changes_the_one_that_matters_is_found() {
        let found = isolated("size = 12; name = x;", "sise = 99; name =; y", contains("=;"));
        assert_eq!(found.deltas.len(), 1);
        let delta = &found.deltas[0];
        assert!(contains("=;")(&found.failing) && !contains("=;")(&found.passing));
        let mut rebuilt = found.passing.clone();
        rebuilt.splice(delta.at..delta.at + delta.removed.len(), delta.added.iter().copied());
        assert_eq!(rebuilt, found.failing);
    }

    #[test]
    fn without_a_passing_input_the_difference_to_nothing_is_isolated() {
        let found = isolated("", "abc!def", contains("!"));
        assert_eq!((found.deltas.len(), &found.deltas[0].added[..]), (1, &b"!"[..]));
    }
}
