//! Words that are used in each other's places: the verbs of HTTP, the levels of a log, truth values.
//!
//! Without a grammar an input shows one of them only, and no mutant has another one. A target that takes only words that
//! it knows rejects all others, so that nothing would show whether the word matters.
//!
//! Each kind is a line of `KINDS`. A word that fails as well shows an alternative that no given input has: a payment by
//! card or by transfer. A kind that is missing costs nothing but that alternative.
//!
//! Other words of the given input are tried too: one of several roles, or the name of another function.
//!
//! With a grammar the words are its own: operators and keywords of which a rule has several. A draw of a rule rarely
//! changes the one word and nothing around it.

use std::collections::BTreeSet;
use std::ops::Range;

use seedsmith_engine::Stopped;
use seedsmith_grammar::{NodeId, NodeKind};

use crate::generalize::bytes::cut::stretches;
use crate::generalize::draws::prober::Prober;
use crate::generalize::pattern::Subject;

/// Words of one kind, one kind a line, in lower case. Own list; what targets need was not measured. A letter alone is mostly
/// a name, so few lines have one.
const KINDS: &[&str] = &[
    "get put post head patch delete options trace connect",
    "true false yes no on off none null",
    "trace debug info notice warn warning error fatal critical",
    "low medium normal high urgent none",
    "small medium large tiny big huge",
    "left right center top bottom middle",
    "north south east west up down left right",
    "row column horizontal vertical",
    "asc desc",
    "red green blue black white yellow orange gray",
    "tcp udp http https ftp ssh ws wss file mailto icmp",
    "int integer float double number string text bool boolean char byte long",
    "array list object map dict set tuple",
    "admin user guest root owner member anonymous",
    "owner editor viewer author reader writer reviewer",
    "select insert update delete create drop alter replace merge",
    "and or not xor",
    "add sub mul div mod rem neg pow",
    "if unless while until for when",
    "set let var const def define local global",
    "sum avg min max count mean median",
    "inner outer left right full cross",
    "read write append open close create",
    "copy move rename link remove delete mkdir",
    "load store save import export",
    "send receive recv forward reply",
    "eur usd gbp chf jpy",
    "gzip deflate zstd br identity zip",
    "zip tar gz bz2 xz rar",
    "allow deny accept reject drop block",
    "public private protected internal",
    "start stop pause resume restart",
    "enabled disabled auto manual default",
    "add remove set get delete list",
    "push pop peek dup swap call jump ret",
    "in out inout",
    "first last next previous",
    "begin end",
    "before after",
    "circle square rect rectangle ellipse line polygon path triangle",
    "png jpg jpeg gif svg webp",
    "json xml yaml csv html text",
    "pdf doc docx odt txt rtf",
    "md5 sha1 sha256 crc32 none",
    "aes des rsa ecdsa ed25519",
    "basic digest bearer token none",
    "day week month year hour minute second",
    "daily weekly monthly yearly hourly",
    "monday tuesday wednesday thursday friday saturday sunday",
    "mon tue wed thu fri sat sun",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "fast slow normal quick turbo eco",
    "linear nearest cubic bilinear",
    "strict lax none",
    "new open closed done pending active inactive",
    "success failure failed error ok pending cancelled canceled expired",
    "locked unlocked frozen suspended blocked banned disabled",
    "credit debit sale refund payment",
    "card cash transfer cheque invoice wire bank voucher credit",
    "buy sell hold",
    "deposit withdraw withdrawal transfer payment",
    "free basic pro premium trial enterprise",
    "standard express economy overnight",
    "gold silver bronze platinum",
    "dev test staging prod production development release",
    "alpha beta rc stable nightly",
    "major minor patch",
    "primary secondary replica master slave",
    "linux windows macos darwin android ios",
    "x86 x64 arm arm64 amd64",
    "i8 i16 i32 i64 u8 u16 u32 u64 f32 f64",
    "aaaa cname mx txt soa ptr srv",
    "div span em strong ul ol li table tr td",
    "script style iframe object embed link meta",
    "color background border margin padding outline fill stroke",
    "rgb rgba gray cmyk hsl",
    "mono stereo",
    "male female other",
    "join leave part kick invite",
    "lock unlock",
    "ns us ms s min h",
    "mm cm m km in ft",
    "b kb mb gb tb",
    "px em rem pt",
];

/// Words of an input that are exchanged, a bound on the tests because each has up to sixteen others.
const MAX_WORDS: usize = 5;
/// Other words for one of a grammar's own texts, because a rule rarely has more alternatives. They cost parsing.
const MAX_OTHER_TEXTS: usize = 16;
/// Other texts of the given inputs for one word, so that three words of twice as many have one. They cost a test each.
const MAX_GIVEN_TEXTS: usize = 6;
/// Tests in all: two or three words of a kind.
const MAX_TESTS: usize = 32;
/// Other failing inputs that a word is exchanged in too, if the input with the other word fails: so that enough inputs
/// show that both words are a cause.
const MAX_FURTHER_INPUTS: usize = 4;
/// Words that are exchanged in other failing inputs, so that these cost twelve tests at most.
const MAX_FURTHER_WORDS: usize = 3;

/// Inputs with one word replaced by another one of its kind, each with whether it fails: words of the grammar by others
/// of the grammar, and without a grammar those of `KINDS`.
///
/// Cost: at most `MAX_TESTS` tests and twelve for words that fail too, none for an input without such words.
pub(in crate::generalize::predicate) fn siblings(
    prober: &mut Prober<'_, '_>,
    bases: &mut [Subject],
    is_plain: bool,
) -> Result<Vec<(Vec<u8>, bool)>, Stopped> {
    let mut found: Vec<(Vec<u8>, bool)> = Vec::new();
    let mut tests = MAX_TESTS;
    // Of the minimized and the given inputs, the first has the words that matter.
    let Some((base, given)) = bases.split_first_mut() else { return Ok(found) };
    let mut tried: Vec<Vec<u8>> = Vec::new();
    let mut alike: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    for span in words(base) {
        let word = base.input[span.clone()].to_vec();
        let mut others = if is_plain { Vec::new() } else { other_texts(base, &word) };
        if others.is_empty() {
            others = others_of_kind(&word);
            let texts = given_texts(base, given, &word);
            others.extend(
                texts.into_iter().filter(|text| !others.contains(text)).collect::<Vec<_>>(),
            );
        }
        if others.is_empty() || tried.contains(&word) || tried.len() >= MAX_WORDS {
            continue;
        }
        tried.push(word.clone());
        for other in others {
            prober.check_time()?;
            let input = [&base.input[..span.start], &other, &base.input[span.end..]].concat();
            let is_read = base.language.as_mut().is_some_and(|language| language.accepts(&input));
            if !is_read || tests == 0 {
                continue;
            }
            tests -= 1;
            let Some(fails) = prober.fails(&input)? else { continue };
            found.push((input, fails));
            if fails {
                alike.push((word.clone(), other));
            }
        }
    }
    // A word of which every other one fails does not matter.
    if found.iter().all(|(_, fails)| *fails) {
        alike.clear();
    }
    // Those that were drawn have characters that no given input has, such as other blanks.
    let known: BTreeSet<u8> = bases.iter().flat_map(|base| base.input.iter().copied()).collect();
    let is_usual = |byte: &u8| byte.is_ascii_alphanumeric() || known.contains(byte);
    let tested = prober.tested.iter().rev().filter(|(_, fails)| *fails).map(|(input, _)| input);
    let tested = tested.filter(|input| input.iter().all(is_usual));
    let given = bases[1..].iter().map(|one| &one.input);
    let others: Vec<Vec<u8>> = given.chain(tested).cloned().collect();
    for (word, other) in alike.into_iter().take(MAX_FURTHER_WORDS) {
        let place = |input: &[u8]| input.windows(word.len()).position(|part| part == word);
        let inputs = others.iter().filter_map(|input| {
            let at = place(input)?;
            Some([&input[..at], &other, &input[at + word.len()..]].concat())
        });
        for input in inputs.take(MAX_FURTHER_INPUTS) {
            prober.check_time()?;
            let fails = prober.fails(&input)?;
            found.extend(fails.map(|fails| (input, fails)));
        }
    }
    Ok(found)
}

/// Where the tokens and the words of an input are, each place once, and words of a kind first: brackets are tokens, too.
///
/// A token may be a word in quotation marks, so the word has a place of its own.
fn words(base: &Subject) -> Vec<Range<usize>> {
    let is_token = |id: &NodeId| matches!(base.tree.node(*id).kind, NodeKind::Token(_));
    let tokens = base.tree.ids().filter(is_token).map(|id| base.tree.span(id));
    let mut found: Vec<Range<usize>> = tokens.filter(|span| !span.is_empty()).collect();
    let is_of_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    for span in stretches(&base.input, is_of_word) {
        if !found.contains(&span) {
            found.push(span);
        }
    }
    found.sort_by_cached_key(|span| others_of_kind(&base.input[span.clone()]).is_empty());
    found
}

/// Other texts of the grammar for one of its own: words for a word, marks for a mark.
///
/// Nothing for texts that the grammar does not have. Most of the others are not allowed in the place, which only
/// parsing shows.
fn other_texts(base: &Subject, word: &[u8]) -> Vec<Vec<u8>> {
    let Some(language) = &base.language else { return Vec::new() };
    let texts = || language.grammar().tokens.iter().filter_map(|token| token.literal.as_ref());
    let is_word = |text: &[u8]| text.iter().any(u8::is_ascii_alphabetic);
    if !texts().any(|text| text.as_bytes() == word) {
        return Vec::new();
    }
    let others = texts().map(|text| text.as_bytes().to_vec());
    let others = others.filter(|text| text != word && is_word(text) == is_word(word));
    others.take(MAX_OTHER_TEXTS).collect()
}

/// Other texts of the same token in the given inputs: one may be in the place of the other, as one of several roles or of
/// several functions.
///
/// Only for a word, and only words.
fn given_texts(base: &Subject, given: &[Subject], word: &[u8]) -> Vec<Vec<u8>> {
    let is_word = |text: &[u8]| text.iter().any(u8::is_ascii_alphabetic);
    let token = |one: &Subject, id: NodeId| match one.tree.node(id).kind {
        NodeKind::Token(token) => Some(token),
        _ => None,
    };
    let kind = base.tree.ids().find(|id| token(base, *id).is_some() && base.text(*id) == word);
    let kind = kind.and_then(|id| token(base, id));
    let mut found: Vec<Vec<u8>> = Vec::new();
    if !is_word(word) || kind.is_none() {
        return found;
    }
    for one in given {
        for id in one.tree.ids().filter(|id| token(one, *id) == kind) {
            let text = one.text(id);
            if is_word(text) && text != word && !found.iter().any(|known| known == text) {
                found.push(text.to_vec());
            }
        }
    }
    found.truncate(MAX_GIVEN_TEXTS);
    found
}

/// The other words of the kinds that a word is of, in its case.
///
/// A word of several kinds has those of all of them; most words have none. A word in capital letters has others in
/// capital letters, and one that begins with one has others that begin with one.
fn others_of_kind(word: &[u8]) -> Vec<Vec<u8>> {
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
    use std::sync::Arc;

    use seedsmith_grammar::Language;
    use seedsmith_grammar::internal::Substitutes;

    use super::*;
    use crate::generalize::draws::sampler::Sampler;

    #[test]
    fn words_of_a_kind_come_before_brackets_and_other_words() {
        let language = Language::open("json", None).unwrap();
        let mut language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
        let input = br#"{"method":"Card","x":[1]}"#.to_vec();
        let (tree, _) = language.read(&input).unwrap();
        let base = Subject {
            input,
            tree,
            language: Some(language),
            shared: std::default::Default::default(),
        };
        let first = words(&base)[0].clone();
        assert_eq!(&base.input[first], b"Card");
    }

    #[test]
    fn a_word_has_the_others_of_its_kinds_in_its_case() {
        let told = |word: &str| -> Vec<String> {
            let all = others_of_kind(word.as_bytes()).into_iter();
            all.map(|word| String::from_utf8(word).unwrap()).collect()
        };
        assert_eq!(told("Asc"), ["Desc"]);
        assert!(told("PUT").contains(&"PATCH".to_owned()));
        assert!(told("delete").contains(&"post".to_owned()));
        assert!(told("delete").contains(&"update".to_owned()));
        assert!(told("nothing").is_empty());
    }
}
