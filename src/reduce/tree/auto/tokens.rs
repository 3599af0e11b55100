//! Shortens the insides of long tokens: a string stays a string, and a name a name.
//!
//! To a tree a token is a leaf; it goes, or becomes its shortest text, as a whole. Where neither
//! is possible, pieces of it may be: those without which its lexer rule still takes it. The idea is
//! T-Rec's (Z. Xu, Y. Tian, M. Zhang, J. Zhang, P. Liu, Y. Jiang, C. Sun: "T-Rec: Fine-Grained
//! Language-Agnostic Program Reduction Guided by Lexical Syntax", TOSEM 2024), which reduces along
//! the rule; here the rule says which pieces are worth a test.

use std::borrow::Cow;
use std::ops::Range;

use crate::reduce::algorithms::chunk_limits::ChunkLimits;
use crate::reduce::algorithms::chunks::delete_chunks_if;
use crate::reduce::algorithms::edit::splits_character;
use crate::reduce::algorithms::removable::Couples;
use crate::reduce::needs::{Cost, Need};
use crate::reduce::reducer::{Function, Reducer};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::Substitutes;

/// Shortens the insides of long tokens, which stay tokens of their kind.
///
/// Pieces go without which the lexer still reads the same token. Cost: about twenty tests a token where
/// nothing goes.
pub(crate) static TOKEN_INSIDES: Reducer = Reducer {
    name: Cow::Borrowed("token-insides"),
    description: Cow::Borrowed(
        "shortens the insides of long tokens, which stay tokens of their kind",
    ),
    activity: "deleting tokens",
    needs: &[Need::Tree],
    cost: Cost::Linear,
    source: "Xu et al., T-Rec, TOSEM 2024, in part",
    function: Function::Tree(|search, tree| shorten_tokens(search, tree.shape.substitutes())),
};

/// Shorter tokens are left to the flat reducers, to which a test costs as little (note of
/// 2026-11-21 on tree reducers).
const MIN_TOKEN_BYTES: usize = 16;
/// Tokens that are looked at, from the last: about twenty tests each. A guess; not measured.
const MAX_TOKENS: usize = 64;
/// Into how many pieces a token is cut at the finest. A string of 500 bytes around 6 that matter is
/// short after 30 tests (note of 2026-11-21 on tree reducers).
const MAX_PIECES: usize = 16;

/// Shortens each long token of the best by cutting chunks of its characters; a candidate is tested
/// only if the lexer still reads one token of the same kind. Cost: about twenty tests a token where
/// nothing goes.
pub(crate) fn shorten_tokens(
    search: &mut Search<'_, '_>,
    language: &Substitutes,
) -> Result<(), Stopped> {
    let mut parser = language.parser();
    let mut tokens = parser.tokens(search.best());
    tokens.retain(|(_, span)| span.len() >= MIN_TOKEN_BYTES);
    // From the last, so that the spans in front stay where they are.
    for (token, Range { start, end }) in tokens.into_iter().rev().take(MAX_TOKENS) {
        let base = search.best();
        let behind = base.len() - end;
        let ends = (start + 1..=end).filter(|&at| at == end || !splits_character(base, at));
        let mut last = start;
        let characters: Vec<_> = ends
            .map(|end| {
                let character = last..end;
                last = end;
                [character, 0..0]
            })
            .collect();
        let least = ChunkLimits::of_elements(characters.len() / MAX_PIECES);
        delete_chunks_if(search, &mut Couples::new(characters), least, |candidate| {
            let end = candidate.len().saturating_sub(behind);
            end > start && parser.reads_as(token, &candidate[start..end])
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::reduce_by;
    use crate::reduce::tree::tests::language;

    #[test]
    fn a_long_token_is_shortened_and_stays_what_it_is() {
        let text = "grammar S; s: 'say' STRING EOF; STRING: '\"' ~[\"]* '\"'; WS: ' ' -> skip;";
        let input = format!("say \"{}needle{}\"", "x".repeat(300), "y".repeat(200));
        let fails = |bytes: &[u8]| bytes.windows(6).any(|part| part == b"needle");
        let language = language(text);
        let found = reduce_by(input.as_bytes(), fails, |search| shorten_tokens(search, &language));
        let best = String::from_utf8(found.best).unwrap();
        assert!(best.starts_with("say \"") && best.ends_with('"') && best.len() < 80, "{best}");
        assert!(found.tests < 60, "{} tests", found.tests);
    }
}
