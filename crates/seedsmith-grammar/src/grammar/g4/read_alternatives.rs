//! Reads the alternatives between a rule's colon and its semicolon.
//!
//! The alternatives of parser rules and lexer rules are read by the same functions: the notation is
//! the same but for `[…]`, and for commands and labels, which the lowering refuses where they have
//! no meaning.

use super::ast::{AltText, Atom, CommandText, Element};
use super::escape;
use super::read::{MAX_ALTERNATIVES, MAX_NESTING, Reader};
use crate::grammar::error::GrammarError;
use crate::grammar::model::Bounds;

impl Reader<'_> {
    /// Alternatives with `|` between them, up to the `)` or `;` that ends them, which is not taken.
    /// `depth` counts the brackets around; more than [`MAX_NESTING`] are refused, since reading and
    /// everything that walks over a grammar calls itself for each.
    ///
    /// Also refused are more than [`MAX_ALTERNATIVES`], which a tree could not number.
    pub(super) fn alternatives(&mut self, depth: usize) -> Result<Vec<AltText>, GrammarError> {
        if depth > MAX_NESTING {
            return Err(self.cursor.error(format!("more than {MAX_NESTING} nested brackets")));
        }
        let mut alternatives = vec![self.alternative(depth)?];
        while self.cursor.eat("|")? {
            if alternatives.len() == MAX_ALTERNATIVES {
                let message = format!("more than {MAX_ALTERNATIVES} alternatives");
                return Err(self.cursor.error(message));
            }
            alternatives.push(self.alternative(depth)?);
        }
        Ok(alternatives)
    }

    /// One alternative: its elements, with `<assoc=right>` before them and a label (`# name`) or
    /// commands (`-> …`) after them. It can be empty.
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

    /// A lexer command with its argument: `skip`, `type(NAME)`, `channel(2)`. Whether it exists is
    /// found out when it is lowered.
    ///
    /// The argument may be a name, a number or a quoted text.
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
        Ok(CommandText { name, argument, place })
    }

    /// `<…>`; returns whether it says `assoc=right`.
    ///
    /// Other options (`<fail='…'>`, names of node classes) only matter to generated code.
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

    /// An atom with its label and suffix. Labels (`name=`, `name+=`) only matter to generated code
    /// and are dropped.
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
        Ok(Element { atom, place, suffix })
    }

    /// `?`, `*` or `+`, and whether as many iterations as possible are taken; another `?` after it
    /// asks for as few as possible. `+=` is no suffix but belongs to a label.
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

    /// One atom: code, a group, a negation, a set, a literal, a range or a name, with its options
    /// in `<…>`, which are dropped.
    ///
    /// Predicates and actions are kept as such, without their code, so that a notice can say which
    /// rules have them. Outside lexer rules a name can have arguments, which are dropped.
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
                return Ok(if is_predicate { Atom::Predicate } else { Atom::Action });
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
                let name = self.cursor.expect_name("a part of a rule, '|' or ';'")?.to_owned();
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

    /// `'text'`, or a range such as `'a'..'z'`, whose ends have to be one character each.
    fn literal_or_range(&mut self) -> Result<Atom, GrammarError> {
        let text = self.literal()?;
        if !self.cursor.eat("..")? {
            return Ok(Atom::Literal(text));
        }
        let high = self.literal()?;
        let single = |text: &str| {
            let mut chars = text.chars();
            chars.next().filter(|_| chars.next().is_none()).map(|c| c as u32)
        };
        match (single(&text), single(&high)) {
            (Some(low), Some(high)) if low <= high => Ok(Atom::Range(low, high)),
            _ => Err(self.cursor.error(format!("'{text}'..'{high}' is not a range"))),
        }
    }

    /// The text of a quoted literal, its escapes resolved.
    ///
    /// The quotation marks are removed; the text can be empty.
    fn literal(&mut self) -> Result<String, GrammarError> {
        let spelling = self.cursor.quoted()?;
        escape::literal(spelling).map_err(|e| self.cursor.error(e))
    }
}
