//! Reads the text of a `.g4` file into a syntax tree ([`super::ast`]).
//!
//! Recursive descent whose depth is bounded by [`MAX_NESTING`]; actions, arguments and all that
//! belongs to a target language are passed over.
//!
//! The tree keeps the rules as they are written, with names unresolved: [`lower`](super::lower)
//! resolves them. Constructs of ANTLR 3 that old grammars still have (`tokens {A; B;}`, `{…}? =>`,
//! groups with options) are accepted as ANTLR 4 does, or passed over where it would only warn.

use super::ast::{File, FileKind, RuleText, is_token_name};
use super::cursor::Cursor;
use crate::digest::Digest;
use crate::grammar::error::GrammarError;
use std::sync::Arc;

/// Brackets may nest this deep in a rule; everything that walks over rules relies on it. Without
/// optimization 200 levels take more than the 2 MB of a thread.
pub const MAX_NESTING: usize = 64;

/// Rules, and names of tokens or channels, in a file at most. The largest grammars of
/// antlr/grammars-v4 have some 3,000 rules; the steps of some analyses grow with the square of the
/// number of rules.
pub const MAX_NAMES: usize = 20_000;
/// Modes in a file at most.
const MAX_MODES: usize = 1_000;
/// Alternatives of a rule at most: trees number them in 16 bits.
pub const MAX_ALTERNATIVES: usize = u16::MAX as usize - 1;

/// Reads a whole file; `name` is only used for messages.
///
/// Cost: one reading of the text. Fails with [`GrammarError::Syntax`] at the first thing that is
/// not in the notation or beyond one of the limits above.
pub(super) fn file(text: &str, name: &str) -> Result<File, GrammarError> {
    let mut reader = Reader { cursor: Cursor::new(text, Arc::from(name)), in_lexer: false };
    let mut file = reader.header(Digest::of(text.as_bytes()))?;
    reader.prequel(&mut file)?;
    let mut mode = None;
    loop {
        reader.cursor.rule = None;
        reader.cursor.skip_blanks()?;
        if reader.cursor.rest().is_empty() {
            return Ok(file);
        }
        if reader.cursor.peek_name()? == Some("mode") && file.kind != FileKind::Parser {
            reader.cursor.name()?;
            let name = reader.cursor.expect_name("a mode's name")?.to_owned();
            reader.cursor.expect(";")?;
            if name != "DEFAULT_MODE" && !file.modes.contains(&name) {
                if file.modes.len() == MAX_MODES {
                    return Err(reader.cursor.error(format!("more than {MAX_MODES} modes")));
                }
                file.modes.push(name.clone());
            }
            mode = (name != "DEFAULT_MODE").then_some(name);
            continue;
        }
        let mut rule = reader.rule()?;
        rule.mode.clone_from(&mode);
        if file.rules.len() == MAX_NAMES {
            return Err(reader.cursor.error(format!("more than {MAX_NAMES} rules")));
        }
        file.rules.push(rule);
    }
}

/// Where the reading is, and whether in a lexer rule.
pub(super) struct Reader<'a> {
    /// The place in the text.
    pub(super) cursor: Cursor<'a>,
    /// Whether the current rule is a lexer rule: there `[…]` is a set of characters, elsewhere
    /// arguments.
    pub(super) in_lexer: bool,
}

impl Reader<'_> {
    /// The kind and the name of the grammar: `lexer grammar NAME;`. `source` is the digest of the
    /// text.
    fn header(&mut self, source: Digest) -> Result<File, GrammarError> {
        let place = {
            self.cursor.skip_blanks()?;
            self.cursor.place()
        };
        let kind = if self.cursor.eat_word("lexer")? {
            FileKind::Lexer
        } else if self.cursor.eat_word("parser")? {
            FileKind::Parser
        } else {
            FileKind::Combined
        };
        if !self.cursor.eat_word("grammar")? {
            return Err(self.cursor.expected("'grammar'"));
        }
        let name = self.cursor.expect_name("the grammar's name")?.to_owned();
        self.cursor.expect(";")?;
        Ok(File {
            kind,
            name,
            source,
            place,
            options: Vec::new(),
            imports: Vec::new(),
            tokens: Vec::new(),
            channels: Vec::new(),
            rules: Vec::new(),
            modes: Vec::new(),
        })
    }

    /// Options, imports, tokens, channels and named actions, in any order.
    ///
    /// They are read wherever they come before the first rule; ANTLR asks for each at most once,
    /// which is not checked.
    fn prequel(&mut self, file: &mut File) -> Result<(), GrammarError> {
        loop {
            if self.cursor.sees("@")? {
                self.named_action()?;
                continue;
            }
            match self.cursor.peek_name()? {
                Some("options") => {
                    let options = self.options()?;
                    file.options.extend(options);
                }
                Some("import") => {
                    self.cursor.name()?;
                    loop {
                        let mut name = self.cursor.expect_name("a grammar's name")?;
                        if self.cursor.eat("=")? {
                            name = self.cursor.expect_name("a grammar's name")?;
                        }
                        file.imports.push((name.to_owned(), self.cursor.place()));
                        if !self.cursor.eat(",")? {
                            break;
                        }
                    }
                    self.cursor.expect(";")?;
                }
                Some("tokens") => {
                    let names = self.names()?;
                    file.tokens.extend(names);
                }
                Some("channels") => {
                    let names = self.names()?;
                    file.channels.extend(names);
                }
                _ => return Ok(()),
            }
        }
    }

    /// The names in `tokens {…}` or `channels {…}`, of which there may be [`MAX_NAMES`].
    ///
    /// Their order is kept: it is that of the tokens' numbers. Initial texts as in ANTLR 3 (`A =
    /// 'a';`) are dropped.
    fn names(&mut self) -> Result<Vec<String>, GrammarError> {
        self.cursor.name()?;
        self.cursor.expect("{")?;
        let mut names = Vec::new();
        while !self.cursor.eat("}")? {
            if names.len() == MAX_NAMES {
                return Err(self.cursor.error(format!("more than {MAX_NAMES} names")));
            }
            names.push(self.cursor.expect_name("a name")?.to_owned());
            // ANTLR 3 wrote `A; B;` and `A = 'a';` here.
            if self.cursor.eat("=")? {
                self.cursor.quoted()?;
            }
            if !self.cursor.eat(",")? {
                self.cursor.eat(";")?;
            }
        }
        Ok(names)
    }

    /// `options {…}` as keys with their values.
    pub(super) fn options(&mut self) -> Result<Vec<(String, String)>, GrammarError> {
        self.cursor.name()?;
        self.cursor.expect("{")?;
        let mut options = Vec::new();
        while !self.cursor.eat("}")? {
            let key = self.cursor.expect_name("an option's name")?.to_owned();
            self.cursor.expect("=")?;
            let value = self.option_value()?;
            self.cursor.expect(";")?;
            options.push((key, value));
        }
        Ok(options)
    }

    /// The value of an option: a quoted text, a name or number, or `*`. Code in braces is passed
    /// over and gives an empty text.
    pub(super) fn option_value(&mut self) -> Result<String, GrammarError> {
        self.cursor.skip_blanks()?;
        match self.cursor.peek() {
            Some('\'') => Ok(self.cursor.quoted()?.to_owned()),
            Some('{') => {
                self.cursor.skip_code('{', '}')?;
                Ok(String::new())
            }
            _ => {
                let mut value = String::new();
                while let Some(c) = self.cursor.peek() {
                    if !(c.is_alphanumeric() || "_.:-*".contains(c)) {
                        break;
                    }
                    value.push(c);
                    self.cursor.bump();
                }
                if value.is_empty() {
                    return Err(self.cursor.expected("an option's value"));
                }
                Ok(value)
            }
        }
    }

    /// `@name {…}` or `@scope::name {…}`.
    ///
    /// The name and the code are dropped.
    pub(super) fn named_action(&mut self) -> Result<(), GrammarError> {
        self.cursor.expect("@")?;
        self.cursor.expect_name("an action's name")?;
        if self.cursor.eat("::")? {
            self.cursor.expect_name("an action's name")?;
        }
        self.code()
    }

    /// Passes over `{…}` in the target language.
    pub(super) fn code(&mut self) -> Result<(), GrammarError> {
        if !self.cursor.sees("{")? {
            return Err(self.cursor.expected("'{'"));
        }
        self.cursor.skip_code('{', '}')
    }

    /// Passes over `[…]`, if that comes next: arguments of a rule or of a call, in the target
    /// language.
    pub(super) fn arguments(&mut self) -> Result<(), GrammarError> {
        if self.cursor.sees("[")? { self.cursor.skip_code('[', ']') } else { Ok(()) }
    }

    /// A rule from its modifiers to the handlers after its semicolon. Its mode is left open.
    ///
    /// Arguments, `returns`, `locals`, `throws`, options and named actions before the colon are
    /// passed over, but for the option `caseInsensitive`.
    fn rule(&mut self) -> Result<RuleText, GrammarError> {
        let mut is_fragment = false;
        loop {
            match self.cursor.peek_name()? {
                Some("fragment") => is_fragment = true,
                Some("public" | "private" | "protected") => {}
                _ => break,
            }
            self.cursor.name()?;
        }
        let place = self.cursor.place();
        let name = self.cursor.expect_name("a rule")?.to_owned();
        self.in_lexer = is_token_name(&name);
        self.cursor.rule = Some(name.clone());
        let mut case_insensitive = None;
        if !self.in_lexer {
            self.arguments()?;
        }
        loop {
            if self.cursor.sees("@")? {
                self.named_action()?;
            } else {
                match self.cursor.peek_name()? {
                    Some("options") => {
                        for (key, value) in self.options()? {
                            if key == "caseInsensitive" {
                                case_insensitive = Some(value == "true");
                            }
                        }
                    }
                    Some("returns" | "locals") => {
                        self.cursor.name()?;
                        self.arguments()?;
                    }
                    Some("throws") => {
                        self.cursor.name()?;
                        self.cursor.expect_name("an exception's name")?;
                        while self.cursor.eat(",")? || self.cursor.eat(".")? {
                            self.cursor.expect_name("an exception's name")?;
                        }
                    }
                    _ => break,
                }
            }
        }
        self.cursor.expect(":")?;
        let alternatives = self.alternatives(0)?;
        self.cursor.expect(";")?;
        self.handlers()?;
        let mode = None;
        Ok(RuleText { name, place, is_fragment, mode, case_insensitive, alternatives })
    }

    /// `catch […] {…}` and `finally {…}`.
    ///
    /// They belong to generated code, and are passed over.
    fn handlers(&mut self) -> Result<(), GrammarError> {
        loop {
            match self.cursor.peek_name()? {
                Some("catch") => {
                    self.cursor.name()?;
                    self.arguments()?;
                    self.code()?;
                }
                Some("finally") => {
                    self.cursor.name()?;
                    self.code()?;
                }
                _ => return Ok(()),
            }
        }
    }
}
