//! Reads what stands between a rule's colon and its semicolon.

use super::ast::{AltText, Atom, CommandText, Element};
use super::escape;
use super::read::{MAX_ALTERNATIVES, MAX_NESTING, Reader};
use crate::grammar::error::GrammarError;
use crate::grammar::model::Bounds;

impl Reader<'_> {
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
        Ok(CommandText { name, argument, place })
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
        Ok(Element { atom, place, suffix })
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

    fn literal(&mut self) -> Result<String, GrammarError> {
        let spelling = self.cursor.quoted()?;
        escape::literal(spelling).map_err(|e| self.cursor.error(e))
    }
}
