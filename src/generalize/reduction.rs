//! The first step: the smallest input that fails and is still in the grammar's language.

use crate::oracle::Stopped;
use crate::reduce;
use crate::search::Search;

use super::language::Language;

/// Reduces the best of `search` and returns the smallest input that fails and, where there is a
/// grammar, derives from it.
pub fn reduce(
    search: &mut Search<'_, '_>,
    language: Option<Language>,
    seed: u64,
) -> Result<Vec<u8>, Stopped> {
    let input = search.best().to_vec();
    let options = reduce::Options { seed, ..reduce::Options::default() };
    reduce::minimize(search, &options)?;
    let best = search.best().to_vec();
    let Some(mut language) = language else { return Ok(best) };
    Ok(if language.parse(&best).is_ok() { best } else { input })
}
