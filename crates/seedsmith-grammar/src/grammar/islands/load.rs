//! Loads the grammars of islands, and finds out which tokens hold text in which grammar.
//!
//! Loading goes in two steps. The grammars are put into an order, outer ones before those inside
//! them, and each gets the numbers after the one before it. Then every pattern is resolved to a
//! token of the grammar that it belongs to and a start rule of another.

use crate::digest::Digest;
use crate::grammar::error::{GrammarError, SourceLine};
use crate::grammar::islands::IslandsFile;
use crate::grammar::islands::plug::{Island, IslandTokens, NumberOffsets};
use crate::grammar::language::Language;
use crate::grammar::replacements::Replacements;
use crate::grammar::substitutes::{IslandLanguage, Substitutes};
use std::collections::BTreeMap;

/// The islands of one grammar, and of those inside them.
#[derive(Clone, Debug)]
pub struct Islands {
    /// The digest of the islands' file and of the grammars that it names for islands.
    source: Digest,
    /// The languages of islands, outer ones first.
    languages: Vec<IslandLanguage>,
    /// The grammar of the text in each token.
    tokens: IslandTokens,
}

impl Islands {
    /// Loads the grammars that the format names for islands inside `main`.
    ///
    /// Fails at a grammar that cannot be read, that is inside itself, that is named and not
    /// described, at a token or rule that does not exist, and at replacements for a part that does
    /// not exist. Cost: that of the shortest texts of each grammar, mostly some milliseconds.
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
        let offsets = loading.parts.iter().map(|part| part.base).collect();
        Ok(Islands { source, languages: loading.parts, tokens: IslandTokens { offsets, of_token } })
    }
}

impl Substitutes {
    /// The same where some tokens hold text in other grammars.
    pub fn with_islands(self, islands: Islands) -> Self {
        self.with_island_languages(islands.source, islands.languages, islands.tokens)
    }
}

/// The state of one load.
struct Loading<'f> {
    format: &'f IslandsFile,
    /// The languages loaded so far.
    parts: Vec<IslandLanguage>,
    /// The place of each grammar in `parts`, by its name in the file.
    numbers: BTreeMap<String, usize>,
}

impl Loading<'_> {
    /// A syntax error at a line of the file.
    ///
    /// All errors of the file itself are of this kind; those of a grammar that it names are that
    /// grammar's.
    fn refused(&self, line: u32, message: String) -> GrammarError {
        let place = SourceLine { file: self.format.file.clone(), line };
        GrammarError::Syntax { place, rule: None, message }
    }

    /// The grammars that are needed, each once, the outer ones first.
    ///
    /// Depth first. `around` has the names of the grammars that this one is inside, to find
    /// circles; the recursion is as deep as the grammars are nested.
    /// Fails at a grammar that is inside itself, and at one that the file does not describe.
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

    /// Loads one grammar, with the replacements that the file has for it.
    ///
    /// A grammar may be loaded for several tokens, and is loaded once.
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
    ///
    /// Fails at a token that the grammar does not have, or at a rule that the inner grammar does
    /// not have.
    ///
    /// The same pattern can be used for several tokens; each has its own entry.
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
    use crate::structure::trees::tree::{NodeId, NodeKind};
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
