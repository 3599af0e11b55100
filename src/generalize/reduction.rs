//! The first step (DDSET, algorithm 1): a small input that fails and is in the grammar's language.
//!
//! Perses goes first: its candidates are in the language by construction. What it doesn't look
//! at, the texts of tokens and what lies between them, the flat reducers make smaller; of their
//! candidates only those that parse are tested. An input that isn't in the language has nothing
//! to keep to, and its reduction may be in the language all the same.

use crate::event::StopReason;
use crate::reduce::{self, Polish, Strategy};
use crate::search::{Listener, Search};
use seedsmith_engine::oracle::{Oracle, Stopped};

use super::speaker::Speaker;

/// A reduced input.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The bytes; they fail.
    pub input: Vec<u8>,
    /// Why it was stopped early.
    pub stopped: Option<StopReason>,
}

/// Reduces `input`, which has to fail. An error is one of the target; a budget that is over is
/// not.
pub fn reduce(
    oracle: &mut Oracle<'_>,
    input: &[u8],
    speaker: Option<&Speaker>,
    seed: u64,
    listener: &mut Listener<'_>,
) -> Result<Reduced, Stopped> {
    let Some(mut speaker) = speaker.cloned() else {
        let (input, stopped) = run(oracle, input, None, &flat(seed), listener)?;
        return Ok(Reduced { input, stopped });
    };
    if !speaker.accepts(input) {
        let (input, stopped) = run(oracle, input, None, &flat(seed), listener)?;
        return Ok(Reduced { input, stopped });
    }
    let perses = reduce::Options {
        strategy: Strategy::Perses,
        language: Some(speaker.substitutes().clone()),
        ..flat(seed)
    };
    let (mut best, mut stopped) = run(oracle, input, None, &perses, listener)?;
    if !speaker.accepts(&best) {
        // Joined tokens can read as others: once more, with each candidate parsed.
        (best, stopped) = run(oracle, input, Some(&speaker), &perses, listener)?;
    }
    if stopped.is_none() {
        (best, stopped) = run(oracle, &best, Some(&speaker), &flat(seed), listener)?;
    }
    Ok(Reduced { input: best, stopped })
}

/// To a 1-minimal input and no further: a byte less at the cost of thousands of tests would tell
/// nothing more, since what matters is asked next.
fn flat(seed: u64) -> reduce::Options {
    reduce::Options { seed, polish: Polish::Tests(0), ..reduce::Options::default() }
}

/// One reduction; with a speaker, of inputs in its language only.
fn run(
    oracle: &mut Oracle<'_>,
    input: &[u8],
    within: Option<&Speaker>,
    options: &reduce::Options,
    listener: &mut Listener<'_>,
) -> Result<(Vec<u8>, Option<StopReason>), Stopped> {
    let mut search = Search::new(oracle, input.to_vec(), listener);
    if let Some(speaker) = within {
        let mut speaker = speaker.clone();
        search.take_only(Box::new(move |candidate| speaker.accepts(candidate)));
    }
    let stopped = match reduce::minimize(&mut search, options) {
        Ok(()) => None,
        Err(Stopped::Early(reason)) => Some(reason),
        Err(stopped) => return Err(stopped),
    };
    Ok((search.best().to_vec(), stopped))
}
