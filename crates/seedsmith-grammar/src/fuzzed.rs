//! The functions of this crate that the project's own fuzz targets run: each parser of text from
//! outside, and the code that uses its result.
//!
//! A function here takes any bytes. It panics where the code under test is wrong, and is bounded in
//! steps and memory where that code is right. Not part of the public interface.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;

use crate::grammar::g4;
use crate::grammar::generate::join::Joiner;
use crate::grammar::generate::{Generator, Symbol, random_depth};
use crate::grammar::islands::{Islands, IslandsFile};
use crate::grammar::language::Language;
use crate::grammar::model::{Grammar, RuleId, TokenId};
use crate::grammar::node_types::NodeTypes;
use crate::grammar::notation;
use crate::grammar::parser::Parser;
use crate::grammar::replacements::Replacements;
use crate::grammar::substitutes::Substitutes;
use crate::random::Random;
use crate::structure::binary::formats::{Der, Png};
use crate::structure::binary::structured::{FieldEdit, Structure, rebuild};
use crate::structure::trees::tree::{NodeId, NodeKind};

/// The text between two files of a grammar in one input.
const NEXT_FILE: &str = "\n%%\n";
/// How often a parse may ask whether it may continue; it asks every few thousand steps.
const MAX_QUESTIONS: u32 = 50;
/// Text that each grammar is tried on, whatever its language.
const SAMPLE: &[u8] = b"if (a1 == [2, \"x\"]) { f(-3.5); } // \xff\n";

/// A `.g4` grammar of one or several files: loaded, shown, and used on a few inputs.
pub fn g4(data: &[u8]) {
    let text = g4::text_of(data.to_vec());
    let Some(grammar) = load_g4(&text) else { return };
    let shown: usize = (0..grammar.rules.len())
        .map(|at| notation::definition(&grammar, RuleId(at as u32)).len())
        .sum();
    assert!(shown <= text.len() * 4 + 1024, "{shown} bytes of definitions");
    for token in 0..grammar.tokens.len() as u32 {
        grammar.token_name(TokenId(token));
    }
    let Ok(language) = Language::of(Parser::new(grammar), None) else { return };
    used(language, &text);
}

fn load_g4(text: &str) -> Option<Arc<Grammar>> {
    let names: Vec<String> =
        (0..text.matches(NEXT_FILE).count() + 1).map(|at| format!("{at}.g4")).collect();
    let texts: Vec<(&str, &str)> =
        names.iter().map(String::as_str).zip(text.split(NEXT_FILE)).collect();
    match g4::load_texts(&texts) {
        Ok(grammar) => Some(Arc::new(grammar)),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            None
        }
    }
}

/// Parses some texts and works out the shortest ones.
fn used(mut language: Language, text: &str) {
    let own = &text.as_bytes()[..text.len().min(200)];
    for input in [SAMPLE, own, b""] {
        parsed(&mut language, input);
    }
    let strings = language.minimal_strings();
    if let Some(minimal) = strings.of_rule(language.start()) {
        let bytes = minimal.bytes[..minimal.bytes.len().min(4096)].to_vec();
        parsed(&mut language, &bytes);
    }
}

/// Whether the input is valid; `None` if the parse is given up.
fn parsed(language: &mut Language, input: &[u8]) -> Option<bool> {
    let left = Cell::new(MAX_QUESTIONS);
    let keep_going = || {
        left.set(left.get().saturating_sub(1));
        left.get() > 0
    };
    let parsed = language.parse_while(input, &keep_going).ok()?;
    assert_eq!(parsed.tree.render(input), input, "the tree does not give the input back");
    let is_whole = parsed.shortened_predictions == 0;
    is_whole.then_some(parsed.is_valid() && parsed.unread_tokens == 0)
}

/// A grammar in the Fuzzing Book's JSON: loaded, and used on a few inputs.
pub fn fuzzingbook(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Language::of_fuzzingbook("g.json", text, None) {
        Ok(language) => used(language, text),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Sentences that are drawn from a grammar parse by that grammar. The input is a `.g4` grammar, or
/// one in the Fuzzing Book's JSON if it begins with a brace.
pub fn sentences(data: &[u8]) {
    let text = g4::text_of(data.to_vec());
    let language = if text.starts_with('{') {
        Language::of_fuzzingbook("g.json", &text, None).ok()
    } else {
        load_g4(&text).and_then(|grammar| Language::of(Parser::new(grammar), None).ok())
    };
    let Some(mut language) = language else { return };
    let grammar = language.grammar().clone();
    let generator = Generator::new(grammar.clone());
    let start = language.start();
    let mut joiner = if language.has_lexer() { Joiner::new(&grammar) } else { Joiner::plain() };
    for seed in 0..4 {
        let mut dice = Random::new(seed);
        let depth = random_depth(&mut dice);
        let drawn = generator.draw(&mut dice, Symbol::Rule(start), depth);
        assert!(drawn.is_none() || generator.is_finite(Symbol::Rule(start)));
        let Some(sentence) = generator.text(&mut dice, start, depth, &mut joiner) else { continue };
        let is_valid = parsed(&mut language, &sentence);
        let shown = String::from_utf8_lossy(&sentence);
        assert_ne!(is_valid, Some(false), "the grammar does not parse its own sentence {shown:?}");
    }
}

/// A format file of islands, and the loading of the built-in grammars that it names.
pub fn islands(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let format = match IslandsFile::of_text("f.json", text, Path::new("/nowhere")) {
        Ok(format) => format,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let ini = Language::open("ini", None).expect("it is built in");
    let _ = format.replacements(ini.grammar());
    let Ok(islands) = Islands::load(&format, &ini) else { return };
    let with_islands = Substitutes::new(ini).with_islands(islands);
    let input = b"[a]\nkey = {\"b\": [1, 2]}\nother = \"x|y\"\n";
    let tree = with_islands.parse(&mut with_islands.parser(), input).expect("it is short").tree;
    assert_eq!(tree.render(input), input);
    for id in tree.ids() {
        with_islands.text_of(tree.node(id).kind);
        with_islands.language_of(tree.node(id).kind);
    }
}

/// A file of replacements for the built-in JSON grammar.
pub fn replacements(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let json = Language::open("json", None).expect("it is built in");
    let given = match Replacements::read("r.json", text, json.grammar()) {
        Ok(given) => given,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let replaced = Substitutes::new(json).with_replacements(&given);
    let rules = replaced.grammar().rules.len() as u32;
    for rule in 0..rules {
        replaced.text_of(NodeKind::Rule { rule, alternative: 0 });
    }
}

/// A tree-sitter language's `node-types.json`.
pub fn node_types(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let types = match NodeTypes::read(text) {
        Ok(types) => types,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let kinds: Vec<(&str, String)> = types.definitions().collect();
    assert!(types.is_empty() || !kinds.is_empty());
    for (kind, _) in kinds.iter().take(20) {
        assert!(types.fits(kind, kind));
        for (wanted, _) in kinds.iter().take(20) {
            types.fits(kind, wanted);
            types.slot(kind, wanted);
        }
    }
}

/// ASN.1 in DER: read, and each element left out once.
pub fn der(data: &[u8]) {
    structure(&Der, data);
}

/// A PNG image: read, and each chunk left out once.
pub fn png(data: &[u8]) {
    structure(&Png, data);
}

/// The duties of a [`Structure`].
fn structure(structure: &dyn Structure, data: &[u8]) {
    let Some(tree) = structure.parse(data) else { return };
    assert_eq!(tree.render(data), data);
    assert_eq!(rebuild(structure, &tree, data, &[]), data);
    let is_iteration = |id: &NodeId| tree.node(*id).kind == NodeKind::Iteration;
    let count = tree.ids().filter(is_iteration).count();
    for node in tree.ids().filter(is_iteration).take(16) {
        let without = rebuild(structure, &tree, data, &[FieldEdit { node, bytes: Vec::new() }]);
        assert!(without.len() < data.len());
        // An outermost part is left, and something in it.
        let left = count - tree.subtree(node).filter(is_iteration).count();
        assert!(left < 2 || structure.parse(&without).is_some(), "{without:?}");
    }
    let is_free = |id: &NodeId| match tree.node(*id).kind {
        NodeKind::Token(token) => structure.is_free(token),
        _ => false,
    };
    for node in tree.ids().filter(is_free).take(4) {
        let longer = FieldEdit { node, bytes: vec![b'x'; 300] };
        assert!(structure.parse(&rebuild(structure, &tree, data, &[longer])).is_some());
    }
}
