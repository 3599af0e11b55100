//! Islands: tokens whose text, or parts of it, is in another grammar: JSON inside a string of an
//! INI file. (R. Hodován and Á. Kiss, "Modernizing Hierarchical Delta Debugging", A-TEST 2016.)
//!
//! The parts that a regular expression's named groups match are parsed on their own and hang
//! below the token in its tree, spans shifted; the rest of the token stays as it is. Rules, tokens
//! and quantifiers of the islands' grammars are numbered behind those of the grammar around
//! ([`NumberOffsets`]), so that a tree of several grammars is a tree like any other. Where an island can't
//! be parsed the plain token stays. Which grammar is inside which is a hierarchy: a circle is
//! refused when the file is loaded.

mod format;

pub use format::IslandsFile;

use super::error::{GrammarError, SourceLine};
use super::language::Language;
use super::replacements::Replacements;
use super::substitutes::Substitutes;
use crate::digest::Digest;
use crate::structure::trees::builder::TreeBuilder;
use crate::structure::trees::tree::{NodeId, NodeKind, Tree};
use format::IslandPattern;
use std::collections::BTreeMap;
use std::ops::Range;

/// How many rules, tokens and quantifiers come before those of a grammar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NumberOffsets {
    /// Rules.
    pub rules: u32,
    /// Tokens.
    pub tokens: u32,
    /// Quantifiers.
    pub quantifiers: u32,
}

impl NumberOffsets {
    fn behind(self, language: &Language) -> NumberOffsets {
        let grammar = language.grammar();
        NumberOffsets {
            rules: self.rules + grammar.rules.len() as u32,
            tokens: self.tokens + grammar.tokens.len() as u32,
            quantifiers: self.quantifiers + grammar.quantifiers.len() as u32,
        }
    }

    /// A grammar's own number as one of all.
    fn shifted(self, kind: NodeKind) -> NodeKind {
        match kind {
            NodeKind::Rule { rule, alternative } => {
                NodeKind::Rule { rule: rule + self.rules, alternative }
            }
            NodeKind::Token(token) => NodeKind::Token(token + self.tokens),
            NodeKind::Trivia(token) => NodeKind::Trivia(token + self.tokens),
            NodeKind::Missing(token) => NodeKind::Missing(token + self.tokens),
            NodeKind::Quantifier(id) => NodeKind::Quantifier(id + self.quantifiers),
            NodeKind::Root | NodeKind::Error | NodeKind::Iteration | NodeKind::Fixed => kind,
        }
    }

    /// Whether a node's number is one of this grammar or of one behind it; nothing where it has
    /// none.
    pub(super) fn is_at_or_before(self, kind: NodeKind) -> Option<bool> {
        match kind {
            NodeKind::Rule { rule, .. } => Some(rule >= self.rules),
            NodeKind::Token(token) | NodeKind::Trivia(token) | NodeKind::Missing(token) => {
                Some(token >= self.tokens)
            }
            NodeKind::Quantifier(id) => Some(id >= self.quantifiers),
            NodeKind::Root | NodeKind::Error | NodeKind::Iteration | NodeKind::Fixed => None,
        }
    }
}

/// A grammar of islands.
#[derive(Clone, Debug)]
pub(super) struct IslandLanguage {
    pub base: NumberOffsets,
    pub substitutes: Substitutes,
}

/// What a token of some number may hold.
#[derive(Clone, Debug)]
struct Island {
    pattern: IslandPattern,
    /// For each group of the pattern, in its order: a part and the language from the rule named.
    languages: Vec<(usize, Language)>,
}

/// The islands of one grammar, and of those inside them.
#[derive(Clone, Debug)]
pub struct Islands {
    /// The digest of the format file and of the grammars that it names for islands.
    pub(super) source: Digest,
    pub(super) parts: Vec<IslandLanguage>,
    of_token: BTreeMap<u32, Island>,
}

impl Islands {
    /// Loads the grammars that the format names for islands inside `main`.
    pub fn load(format: &IslandsFile, main: &Language) -> Result<Self, GrammarError> {
        let mut loading = Loading { format, parts: Vec::new(), numbers: BTreeMap::new() };
        let mut base = NumberOffsets::default().behind(main);
        let order = loading.order(format.main_name(), &mut Vec::new())?;
        for name in order.iter().filter(|name| *name != format.main_name()) {
            let substitutes = loading.substitutes(name)?;
            let behind = base.behind(&substitutes.parser());
            loading.numbers.insert(name.clone(), loading.parts.len());
            loading.parts.push(IslandLanguage { base, substitutes });
            base = behind;
        }
        let mut of_token = loading.islands(format.main_name(), NumberOffsets::default(), main)?;
        for name in order.iter().filter(|name| *name != format.main_name()) {
            let part = &loading.parts[loading.numbers[name]];
            of_token.extend(loading.islands(name, part.base, &part.substitutes.parser())?);
        }
        let parts = loading.parts.iter().map(|part| part.substitutes.grammar().source);
        let source = Digest::of_digests([format.source].into_iter().chain(parts));
        Ok(Islands { source, parts: loading.parts, of_token })
    }

    /// The tree with the islands of its tokens below them. `input` are the bytes that it is of.
    pub(super) fn plugged(&self, tree: &Tree, input: &[u8], keep_going: &dyn Fn() -> bool) -> Tree {
        let mut builder = TreeBuilder::new();
        self.copy(tree, input, NumberOffsets::default(), 0, &mut builder, keep_going);
        builder.finish(tree.node(NodeId::ROOT).end)
    }

    /// Copies a tree without its root. Calls itself no deeper than the grammars are nested.
    fn copy(
        &self,
        tree: &Tree,
        input: &[u8],
        base: NumberOffsets,
        shift: u32,
        builder: &mut TreeBuilder,
        keep_going: &dyn Fn() -> bool,
    ) {
        let mut open: Vec<u32> = Vec::new();
        for id in tree.ids().skip(1) {
            while open.last().is_some_and(|behind| *behind <= id.0) {
                builder.close();
                open.pop();
            }
            let node = *tree.node(id);
            let (start, end) = (node.start + shift, node.end + shift);
            let kind = base.shifted(node.kind);
            if !tree.children(id).is_empty() {
                builder.open(kind, start);
                open.push(node.subtree_end);
                continue;
            }
            let text = &input[start as usize..end as usize];
            let island = match kind {
                NodeKind::Token(token) => self.of_token.get(&token),
                _ => None,
            };
            let trees = island.map(|island| island.trees(text, keep_going)).unwrap_or_default();
            if trees.is_empty() {
                builder.leaf(kind, start, end);
                continue;
            }
            builder.open(kind, start);
            let mut at = start;
            for (part, span, inner) in &trees {
                let (from, to) = (start + span.start as u32, start + span.end as u32);
                if at < from {
                    builder.leaf(NodeKind::Fixed, at, from);
                }
                self.copy(inner, input, self.parts[*part].base, from, builder, keep_going);
                at = to;
            }
            if at < end {
                builder.leaf(NodeKind::Fixed, at, end);
            }
            builder.close();
        }
        for _ in open {
            builder.close();
        }
    }
}

impl Island {
    /// The islands in a token's text that could be parsed, left to right.
    fn trees(
        &self,
        text: &[u8],
        keep_going: &dyn Fn() -> bool,
    ) -> Vec<(usize, Range<usize>, Tree)> {
        let mut found: Vec<(Range<usize>, usize)> = Vec::new();
        for captures in self.pattern.regex.captures_iter(text) {
            for (index, (group, ..)) in self.pattern.groups.iter().enumerate() {
                let span = captures.name(group).map(|matched| matched.range());
                found.extend(span.filter(|span| !span.is_empty()).map(|span| (span, index)));
            }
        }
        found.sort_by_key(|(span, _)| (span.start, span.end));
        let mut trees = Vec::new();
        let mut behind = 0;
        for (span, index) in found {
            let (part, language) = &self.languages[index];
            if span.start < behind {
                continue;
            }
            if let Ok(parsed) = language.clone().parse_while(&text[span.clone()], keep_going) {
                behind = span.end;
                trees.push((*part, span, parsed.tree));
            }
        }
        trees
    }
}

struct Loading<'f> {
    format: &'f IslandsFile,
    parts: Vec<IslandLanguage>,
    numbers: BTreeMap<String, usize>,
}

impl Loading<'_> {
    fn refused(&self, line: u32, message: String) -> GrammarError {
        let place = SourceLine { file: self.format.file.clone(), line };
        GrammarError::Syntax { place, rule: None, message }
    }

    /// The grammars that are needed, each once, the outer ones first.
    fn order(&self, name: &str, around: &mut Vec<String>) -> Result<Vec<String>, GrammarError> {
        let mut all = vec![name.to_owned()];
        let Some(entry) = self.format.grammars.get(name) else { return Ok(all) };
        around.push(name.to_owned());
        for (token, pattern) in &entry.islands {
            for (_, inner, rule) in &pattern.groups {
                if let Some(at) = around.iter().position(|outer| outer == inner) {
                    let shown = |name: &String| match name.as_str() {
                        "" => "the unnamed grammar".to_owned(),
                        name => name.to_owned(),
                    };
                    let circle: Vec<String> =
                        around[at..].iter().chain([inner]).map(shown).collect();
                    let message = format!(
                        "the islands in {token} go in a circle: {}; an island's grammar can't be \
                         one around it",
                        circle.join(" -> ")
                    );
                    return Err(self.refused(pattern.line, message));
                }
                if !self.format.grammars.contains_key(inner) {
                    let message = format!("no grammar {inner:?} is described for {inner}:{rule}");
                    return Err(self.refused(pattern.line, message));
                }
                for name in self.order(inner, around)? {
                    if !all.contains(&name) {
                        all.push(name);
                    }
                }
            }
        }
        around.pop();
        Ok(all)
    }

    fn substitutes(&self, name: &str) -> Result<Substitutes, GrammarError> {
        let entry = &self.format.grammars[name];
        if entry.said.is_empty() {
            return Err(self.refused(entry.line, format!("the grammar {name:?} has no files")));
        }
        let language = Language::open(&entry.said, None)?;
        let replacements =
            Replacements::of(&self.format.file, &entry.replacements, language.grammar())?;
        Ok(Substitutes::new(language).with_replacements(&replacements))
    }

    /// The islands in a grammar's tokens, by the numbers that these have in the whole.
    fn islands(
        &self,
        name: &str,
        base: NumberOffsets,
        language: &Language,
    ) -> Result<BTreeMap<u32, Island>, GrammarError> {
        let mut islands = BTreeMap::new();
        let entry = self.format.grammars.get(name);
        for (token, pattern) in entry.into_iter().flat_map(|entry| &entry.islands) {
            let Some(number) = language.grammar().token_named(token) else {
                let message = format!("{} has no token {token}", language.grammar().name);
                return Err(self.refused(pattern.line, message));
            };
            let mut languages = Vec::new();
            for (_, inner, rule) in &pattern.groups {
                let part = self.numbers[inner];
                let language = self.parts[part].substitutes.parser().starting_with(rule)?;
                languages.push((part, language));
            }
            let island = Island { pattern: pattern.clone(), languages };
            islands.insert(base.tokens + number.0, island);
        }
        Ok(islands)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::g4;
    use crate::grammar::parser::Parser;
    use std::path::Path;
    use std::sync::Arc;

    const ENTRIES: &str = "grammar K; file: entry* EOF; entry: NAME '=' TEXT; NAME: [a-z]+;
        TEXT: '\\'' ~'\\''* '\\''; WS: [ \\n]+ -> skip;";

    fn entries() -> Language {
        let grammar = g4::load_texts(&[("K.g4", ENTRIES)]).unwrap();
        Language::of(Parser::new(Arc::new(grammar)), None).unwrap()
    }

    fn load(format: &str) -> Result<Substitutes, GrammarError> {
        let format = IslandsFile::of_text("f.json", format, Path::new(""))?;
        let islands = Islands::load(&format, &entries())?;
        Ok(Substitutes::new(entries()).with_islands(islands))
    }

    const JSON: &str = r#"{"grammars": {
        "": {"islands": {"TEXT": "'(?P<json:value>[^|]*)(?:[|](?P<inner:pair>[^|]*))?'"}},
        "json": {"files": ["json"], "islands": {"STRING": "\"<(?P<inner:document>.*)>\""}},
        "inner": {"files": ["json"], "replacements": {"pair": "\"k\":0"}}}}"#;

    #[test]
    fn an_island_hangs_below_its_token_and_every_byte_is_in_the_tree() {
        let language = load(JSON).unwrap();
        let mut parser = language.parser();
        let input = br#"a = '[1, {"x": 2}]|"y":[]' b='"<[3]>"' c='?' d='' "#;
        let tree = &language.parse(&mut parser, input).unwrap().tree;
        assert_eq!(tree.render(input), input);
        let shown = |id: NodeId| String::from_utf8_lossy(&input[tree.span(id)]).into_owned();
        let texts = |is_it: &dyn Fn(NodeId) -> bool| -> Vec<String> {
            tree.ids().filter(|&id| is_it(id)).map(shown).collect()
        };
        // Outside, in the string, and in the string of the string's JSON.
        let is_rule = |name: &str, place: usize| {
            let part = language.languages().nth(place).unwrap();
            let rule = part.grammar().rule_named(name).unwrap().0;
            let before = language.languages().take(place);
            let base: usize = before.map(|one| one.grammar().rules.len()).sum();
            rule + base as u32
        };
        let of_rule = |name: &str, place| {
            let number = is_rule(name, place);
            texts(&move |id| tree.rule(id) == Some(number))
        };
        assert_eq!(of_rule("entry", 0).len(), 4);
        assert_eq!(of_rule("pair", 1), [r#""x": 2"#]);
        assert_eq!(of_rule("pair", 2), [r#""y":[]"#]);
        assert_eq!(of_rule("value", 2), ["[]", "[3]", "3"]);
        let fixed = texts(&|id| tree.node(id).kind == NodeKind::Fixed);
        assert_eq!(fixed, ["'", "|", "'", "'", "\"<", ">\"", "'", "'", "'"]);
        let pair = NodeKind::Rule { rule: is_rule("pair", 2), alternative: 0 };
        assert_eq!(
            (language.text_of(pair), language.language_of(pair)),
            (&b"\"k\":0"[..], Some(2))
        );
    }

    #[test]
    fn islands_and_replacements_have_digests_of_what_they_were_read_from() {
        let plain = Substitutes::new(entries());
        assert_eq!((plain.islands_source(), plain.replacements_source()), (None, None));
        let islands = |format: &str| load(format).unwrap().islands_source().unwrap();
        assert_eq!(islands(JSON), islands(JSON));
        assert_ne!(islands(JSON), islands(&JSON.replace("[|]", "[;]")));
        assert_ne!(islands(JSON), islands(&JSON.replace("\"k\\\":0", "\"m\\\":0")));
        let replaced = |text: &str| {
            let given = Replacements::read("r.json", text, entries().grammar()).unwrap();
            plain.clone().with_replacements(&given).replacements_source().unwrap()
        };
        assert_eq!(replaced(r#"{"NAME": "x"}"#), replaced(r#" {"NAME": "x"}"#));
        assert_ne!(replaced(r#"{"NAME": "x"}"#), replaced(r#"{"NAME": "y"}"#));
    }

    #[test]
    fn what_cannot_be_used_is_refused_with_its_place_and_a_reason() {
        let refused = |format: &str| load(format).unwrap_err().to_string();
        let circle = r#"{"grammars": {"": {"islands": {"TEXT": "(?P<a:document>.*)"}},
            "a": {"files": ["json"], "islands": {"STRING": "(?P<b:document>.*)"}},
            "b": {"files": ["json"], "islands": {"STRING": "(?P<a:value>.*)"}}}}"#;
        assert_eq!(
            refused(circle),
            "f.json:3: the islands in STRING go in a circle: a -> b -> a; an island's grammar \
             can't be one around it"
        );
        let itself =
            r#"{"start": "k:file", "grammars": {"k": {"islands": {"TEXT": "(?P<k:file>.*)"}}}}"#;
        assert!(refused(itself).contains("go in a circle: k -> k;"), "{}", refused(itself));
        let token = JSON.replace("TEXT", "STRING");
        assert_eq!(refused(&token), "f.json:2: K has no token STRING");
        let rule = JSON.replace("inner:pair", "inner:member");
        assert_eq!(refused(&rule), "grammar Json has no rule member to start with");
        let grammar = JSON.replace("inner:pair", "xml:pair");
        assert_eq!(refused(&grammar), "f.json:2: no grammar \"xml\" is described for xml:pair");
        let regex = JSON.replace(".*", "(?P=x)");
        assert!(refused(&regex).starts_with("f.json:3: not a regular expression: "));
        assert_eq!(refused("{\"start\": []}"), "f.json:1: expected a string");
        assert_eq!(refused("{\"begin\": \"\"}"), "f.json:1: expected start or grammars");
    }
}
