//! Words that are used in each other's places: the verbs of HTTP, the levels of a log, truth values.
//!
//! Without a grammar an input shows one of them only, and no mutant has another one. A target that takes only words that
//! it knows rejects all others, so that nothing would show whether the word matters.

use seedsmith_engine::{Outcome, Stopped};

use crate::generalize::bytes::cut::stretches;
use crate::generalize::draws::prober::Prober;
use crate::generalize::pattern::Subject;

/// Words of one kind, one kind a line, in lower case. Own list; what targets need was not measured.
const KINDS: &[&str] = &[
    "get put post head patch delete options trace connect",
    "true false yes no on off none null",
    "trace debug info notice warn warning error fatal critical",
    "low medium high none",
    "left right center top bottom middle",
    "asc desc",
    "red green blue black white",
    "tcp udp http https ftp ssh ws wss file mailto icmp",
    "int integer float double number string text bool boolean char byte long",
    "admin user guest root owner member anonymous",
    "select insert update delete create drop alter replace merge",
    "and or not xor",
    "read write append open close create",
    "eur usd gbp chf jpy",
    "gzip deflate zstd br identity zip",
    "allow deny accept reject drop block",
    "public private protected internal",
    "start stop pause resume restart",
    "enabled disabled auto manual default",
    "add remove set get delete list",
    "push pop peek dup swap call jump ret",
    "in out inout",
    "first last next previous",
    "begin end",
    "circle square rect rectangle ellipse line polygon path",
    "png jpg jpeg gif svg webp",
    "json xml yaml csv html text",
    "md5 sha1 sha256 crc32 none",
    "day week month year hour minute second",
    "fast slow normal",
    "new open closed done pending active inactive",
    "credit debit sale refund payment",
];

/// Words of an input that are exchanged. Not measured.
const MAX_WORDS: usize = 4;
/// Tests in all: two or three words of a kind.
const MAX_TESTS: usize = 24;

/// Inputs with one word replaced by another one of its kind that pass or fail, each with whether it fails. Of a kind that
/// the target takes no word of, the first words are tried alone.
///
/// Cost: at most `MAX_TESTS` tests, none for an input without such words.
pub(in crate::generalize::predicate) fn siblings(
    prober: &mut Prober<'_, '_>,
    bases: &mut [Subject],
) -> Result<Vec<(Vec<u8>, bool)>, Stopped> {
    let mut found: Vec<(Vec<u8>, bool)> = Vec::new();
    let mut tests = MAX_TESTS;
    // Of the given and the minimized input, the first has the words that matter.
    let Some(base) = bases.first_mut() else { return Ok(found) };
    let words = stretches(&base.input, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let mut tried: Vec<Vec<u8>> = Vec::new();
    for span in words {
        let word = base.input[span.clone()].to_vec();
        let others = others(&word);
        if others.is_empty() || tried.contains(&word) || tried.len() >= MAX_WORDS {
            continue;
        }
        tried.push(word);
        for other in others {
            prober.check_time()?;
            let input = [&base.input[..span.start], &other, &base.input[span.end..]].concat();
            let is_read = base.language.as_mut().is_some_and(|language| language.accepts(&input));
            if !is_read || tests == 0 {
                continue;
            }
            tests -= 1;
            match prober.oracle.outcome(&input)? {
                Outcome::Fail => found.push((input, true)),
                Outcome::Pass => found.push((input, false)),
                Outcome::Unresolved => {}
            }
        }
    }
    Ok(found)
}

/// The other words of the kinds that a word is of, in its case.
fn others(word: &[u8]) -> Vec<Vec<u8>> {
    let lower = word.to_ascii_lowercase();
    let kinds = KINDS.iter().map(|kind| kind.split_ascii_whitespace());
    let kinds = kinds.filter(|kind| kind.clone().any(|one| one.as_bytes() == lower));
    let mut found: Vec<Vec<u8>> = Vec::new();
    for other in kinds.flatten().filter(|other| other.as_bytes() != lower) {
        let mut other = other.as_bytes().to_vec();
        let is_upper = |at: usize| word.get(at).is_some_and(u8::is_ascii_uppercase);
        if is_upper(0) {
            let all = if is_upper(1) { other.len() } else { 1 };
            other[..all].make_ascii_uppercase();
        }
        if !found.contains(&other) {
            found.push(other);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_the_others_of_its_kinds_in_its_case() {
        let told = |word: &str| -> Vec<String> {
            let all = others(word.as_bytes()).into_iter();
            all.map(|word| String::from_utf8(word).unwrap()).collect()
        };
        assert_eq!(told("Asc"), ["Desc"]);
        assert!(told("PUT").contains(&"PATCH".to_owned()));
        assert!(told("delete").contains(&"post".to_owned()));
        assert!(told("delete").contains(&"update".to_owned()));
        assert!(told("nothing").is_empty());
    }
}
