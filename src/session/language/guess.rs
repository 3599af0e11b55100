//! Checks whether a guessed grammar is the language of an input: the target is run on sentences of
//! the grammar.

use seedsmith_engine::Outcome;
use seedsmith_engine::Stopped;
use seedsmith_engine::internal::Oracle;
use seedsmith_grammar::NodeKind;
use seedsmith_grammar::Random;
use seedsmith_grammar::internal::Symbol;
use seedsmith_grammar::internal::WordPiece;

use crate::generalize::domain::Domain;
use crate::generalize::draws::sampler::Sampler;

/// Sentences that are tested. If a target rejects most of 16, it is unlikely to read their
/// language; more would cost tests in every run with a guess.
const TESTED_SENTENCES: u64 = 16;

/// Whether the target rejects most sentences of a grammar. A target that rejects nothing never does.
/// The oracle's judge has to distinguish inputs that pass from rejected ones. Cost: at most 16 tests.
pub(crate) fn is_rejected(
    oracle: &mut Oracle<'_>,
    sampler: &Sampler,
    seed: u64,
) -> Result<bool, Stopped> {
    let mut sampler = sampler.clone();
    let start = Domain::Symbol(Symbol::Rule(sampler.start()));
    let (mut tested, mut rejected) = (0, 0);
    for number in 0..TESTED_SENTENCES {
        let mut dice = Random::new(seed ^ (number << 32) ^ 0x67_7565_7373);
        let drawn = start.draw(Some(&sampler), &mut dice, NodeKind::Root);
        let Some(drawn) = drawn else { continue };
        let Some(text) = sampler.joiner().join(drawn.words.iter().map(WordPiece::drawn)) else {
            continue;
        };
        match oracle.outcome(&text) {
            Ok(outcome) => {
                tested += 1;
                rejected += u64::from(outcome == Outcome::Unresolved);
            }
            // The search that follows ends for the same reason.
            Err(Stopped::Early(_)) => return Ok(false),
            Err(stopped) => return Err(stopped),
        }
    }
    Ok(rejected * 2 > tested)
}

/// The note about a guess that is dropped.
/// `source` has the grammar's name, or its files; `why` is the end of the sentence. The terminal shows the
/// note, and JSON has it as `note`.
pub(crate) fn dropped(source: &[String], why: &str) -> String {
    format!("the guessed grammar {} is not used: {why}", source.join(","))
}
