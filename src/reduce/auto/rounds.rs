//! Rounds of a schedule, repeated until a whole round changes nothing.
//!
//! That makes the result a fixed point: a second search from it begins with the round that the
//! first one ended with. It holds only if a round depends on the best and the options and on
//! nothing else, such as earlier rounds; so a budget within a round counts from the round's start,
//! and counts cached tests like any others.

use crate::reduce::options::Options;
use crate::search::Search;
use seedsmith_engine::Stopped;

/// How a round knew the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LanguageSource {
    /// By the ending of the input's file name.
    FileName,
    /// It was named, guessed in another way, or there was none.
    Other,
}

/// Repeats `round` until it changes nothing.
///
/// A result is often written to a file of another name than the input's. So if the language was
/// guessed from that name, a round without the name has to change nothing either. Cost: most
/// results of the last round are cached by then, so it costs few tests.
pub(crate) fn until_settled(
    search: &mut Search<'_, '_>,
    options: &Options,
    mut round: impl FnMut(&mut Search<'_, '_>, &Options) -> Result<LanguageSource, Stopped>,
) -> Result<(), Stopped> {
    loop {
        let before = search.best().to_vec();
        let source = round(search, &options.for_best(&before, &search.keep_going()))?;
        if search.best() == before && source == LanguageSource::FileName {
            round(search, &options.without_file_name())?;
        }
        if search.best() == before {
            return Ok(());
        }
    }
}
