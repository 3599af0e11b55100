//! Reads the text of a `.g4` file into what was written ([`super::ast`]).
//!
//! Recursive descent whose depth is bounded by [`MAX_NESTING`]; actions, arguments and all that
//! belongs to a target language are passed over.

use super::ast::{AltText, Atom, CommandText, Element, File, FileKind, RuleText, is_token_name};
use super::cursor::Cursor;
use super::escape;
use crate::grammar::error::GrammarError;
use crate::grammar::model::Bounds;
use std::sync::Arc;

/// Brackets may nest this deep in a rule; everything that walks over rules relies on it.
pub const MAX_NESTING: usize = 200;

/// Reads a whole file; `name` is only used for messages.
pub fn file(text: &str, name: &str) -> Result<File, GrammarError> {
    let mut reader = Reader {
        cursor: Cursor::new(text, Arc::from(name)),
        in_lexer: false,
    };
    let mut file = reader.header()?;
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
                file.modes.push(name.clone());
            }
            mode = (name != "DEFAULT_MODE").then_some(name);
            continue;
        }
        let mut rule = reader.rule()?;
        rule.mode.clone_from(&mode);
        file.rules.push(rule);
    }
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    in_lexer: bool,
}

impl Reader<'_> {
    fn header(&mut self) -> Result<File, GrammarError> {
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

    fn names(&mut self) -> Result<Vec<String>, GrammarError> {
        self.cursor.name()?;
        self.cursor.expect("{")?;
        let mut names = Vec::new();
        while !self.cursor.eat("}")? {
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

    fn options(&mut self) -> Result<Vec<(String, String)>, GrammarError> {
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

    fn option_value(&mut self) -> Result<String, GrammarError> {
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
    fn named_action(&mut self) -> Result<(), GrammarError> {
        self.cursor.expect("@")?;
        self.cursor.expect_name("an action's name")?;
        if self.cursor.eat("::")? {
            self.cursor.expect_name("an action's name")?;
        }
        self.code()
    }

    fn code(&mut self) -> Result<(), GrammarError> {
        if !self.cursor.sees("{")? {
            return Err(self.cursor.expected("'{'"));
        }
        self.cursor.skip_code('{', '}')
    }

    fn arguments(&mut self) -> Result<(), GrammarError> {
        if self.cursor.sees("[")? {
            self.cursor.skip_code('[', ']')
        } else {
            Ok(())
        }
    }

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
        Ok(RuleText {
            name,
            place,
            is_fragment,
            mode,
            case_insensitive,
            alternatives,
        })
    }

    /// `catch […] {…}` and `finally {…}`.
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

    fn alternatives(&mut self, depth: usize) -> Result<Vec<AltText>, GrammarError> {
        if depth > MAX_NESTING {
            return Err(self
                .cursor
                .error(format!("more than {MAX_NESTING} nested brackets")));
        }
        let mut alternatives = vec![self.alternative(depth)?];
        while self.cursor.eat("|")? {
            alternatives.push(self.alternative(depth)?);
        }
        Ok(alternatives)
    }

    fn alternative(&mut self, depth: usize) -> Result<AltText, GrammarError> {
        let mut alternative = AltText::default();
        if self.cursor.sees("<")? {
            alternative.right_associative = self.element_options()?;
        }
        loop {
            self.cursor.skip_blanks()?;
            match self.cursor.peek() {
                Some('|' | ')' | ';') => return Ok(alternative),
                Some('#') => {
                    self.cursor.bump();
                    alternative.label = Some(self.cursor.expect_name("a label")?.to_owned());
                }
                Some('-') if self.cursor.eat("->")? => loop {
                    alternative.commands.push(self.command()?);
                    if !self.cursor.eat(",")? {
                        break;
                    }
                },
                None => return Err(self.cursor.expected("';'")),
                _ => alternative.elements.push(self.element(depth)?),
            }
        }
    }

    fn command(&mut self) -> Result<CommandText, GrammarError> {
        let name = self.cursor.expect_name("a lexer command")?.to_owned();
        let place = self.cursor.place();
        let mut argument = None;
        if self.cursor.eat("(")? {
            argument = Some(match self.cursor.name()? {
                Some(name) => name.to_owned(),
                None => self.option_value()?,
            });
            self.cursor.expect(")")?;
        }
        Ok(CommandText {
            name,
            argument,
            place,
        })
    }

    /// `<…>`; tells whether it says `assoc=right`.
    fn element_options(&mut self) -> Result<bool, GrammarError> {
        self.cursor.expect("<")?;
        let mut is_right = false;
        while !self.cursor.eat(">")? {
            let key = self.cursor.expect_name("an option's name")?;
            while self.cursor.eat(".")? {
                self.cursor.expect_name("a name")?;
            }
            if self.cursor.eat("=")? {
                let value = self.option_value()?;
                is_right |= key == "assoc" && value == "right";
            }
            self.cursor.eat(",")?;
        }
        Ok(is_right)
    }

    fn element(&mut self, depth: usize) -> Result<Element, GrammarError> {
        let place = self.cursor.place();
        // A label: `name =` or `name +=`.
        if let Some(name) = self.cursor.peek_name()? {
            let behind = self.cursor.rest()[name.len()..].trim_start();
            let is_label =
                (behind.starts_with('=') && !behind.starts_with("=>")) || behind.starts_with("+=");
            if is_label {
                self.cursor.name()?;
                if !self.cursor.eat("=")? {
                    self.cursor.expect("+=")?;
                }
            }
        }
        let atom = self.atom(depth)?;
        let suffix = match atom {
            Atom::Predicate | Atom::Action => None,
            _ => self.suffix()?,
        };
        Ok(Element {
            atom,
            place,
            suffix,
        })
    }

    fn suffix(&mut self) -> Result<Option<(Bounds, bool)>, GrammarError> {
        let bounds = if self.cursor.eat("?")? {
            Bounds::Optional
        } else if self.cursor.eat("*")? {
            Bounds::Star
        } else if self.cursor.sees("+=")? {
            return Ok(None);
        } else if self.cursor.eat("+")? {
            Bounds::Plus
        } else {
            return Ok(None);
        };
        let is_greedy = !self.cursor.eat("?")?;
        Ok(Some((bounds, is_greedy)))
    }

    fn atom(&mut self, depth: usize) -> Result<Atom, GrammarError> {
        self.cursor.skip_blanks()?;
        let atom = match self.cursor.peek() {
            Some('{') => {
                self.code()?;
                let is_predicate = self.cursor.eat("?")?;
                if is_predicate {
                    // A gated predicate of ANTLR 3: `{…}? =>`.
                    self.cursor.eat("=>")?;
                }
                if self.cursor.sees("<")? {
                    self.element_options()?;
                }
                return Ok(if is_predicate {
                    Atom::Predicate
                } else {
                    Atom::Action
                });
            }
            Some('(') => {
                self.cursor.bump();
                let has_options = self.cursor.peek_name()? == Some("options");
                if has_options {
                    self.options()?;
                    while self.cursor.sees("@")? {
                        self.named_action()?;
                    }
                }
                if has_options || self.cursor.sees(":")? {
                    self.cursor.expect(":")?;
                }
                let alternatives = self.alternatives(depth + 1)?;
                self.cursor.expect(")")?;
                Atom::Block(alternatives)
            }
            Some('~') => {
                self.cursor.bump();
                if depth > MAX_NESTING {
                    return Err(self.cursor.error("too many nested negations"));
                }
                Atom::Not(Box::new(self.atom(depth + 1)?))
            }
            Some('.') => {
                self.cursor.bump();
                Atom::Any
            }
            Some('\'') => self.literal_or_range()?,
            Some('[') if self.in_lexer => {
                let spelling = self.cursor.class()?;
                Atom::Chars(escape::class(spelling).map_err(|e| self.cursor.error(e))?)
            }
            _ => {
                let name = self
                    .cursor
                    .expect_name("a part of a rule, '|' or ';'")?
                    .to_owned();
                if !self.in_lexer {
                    self.arguments()?;
                }
                Atom::Name(name)
            }
        };
        if self.cursor.sees("<")? {
            self.element_options()?;
        }
        Ok(atom)
    }

    fn literal_or_range(&mut self) -> Result<Atom, GrammarError> {
        let text = self.literal()?;
        if !self.cursor.eat("..")? {
            return Ok(Atom::Literal(text));
        }
        let high = self.literal()?;
        let single = |text: &str| {
            let mut chars = text.chars();
            chars
                .next()
                .filter(|_| chars.next().is_none())
                .map(|c| c as u32)
        };
        match (single(&text), single(&high)) {
            (Some(low), Some(high)) if low <= high => Ok(Atom::Range(low, high)),
            _ => Err(self
                .cursor
                .error(format!("'{text}'..'{high}' is not a range"))),
        }
    }

    fn literal(&mut self) -> Result<String, GrammarError> {
        let spelling = self.cursor.quoted()?;
        escape::literal(spelling).map_err(|e| self.cursor.error(e))
    }
}
