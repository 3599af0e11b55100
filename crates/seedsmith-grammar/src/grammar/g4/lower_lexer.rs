//! Turns the lexer rules of a `.g4` file into [`LexerRule`]s and modes.
//!
//! Numbers of lexer rules follow their order in the file, with the literals of parser rules first:
//! of equally long matches the first rule wins, and ANTLR puts these literals before all other
//! rules. A rule's commands are kept as they are written; the lexer runs them.

use super::ast::{AltText, Atom, CommandText, Element, File, RuleText};
use super::read::MAX_NAMES;
use super::vocabulary::Vocabulary;
use crate::grammar::charset::CharSet;
use crate::grammar::error::{GrammarError, Notice};
use crate::grammar::model::{
    Command, LexerAlternative, LexerRule, LexerRuleId, LexerTerm, Mode, TokenId,
};
use std::collections::BTreeMap;

/// The lexer half of a grammar.
pub(super) struct LoweredLexer {
    /// All lexer rules, fragments included, literals of parser rules first.
    pub rules: Vec<LexerRule>,
    /// The modes, the default mode first.
    pub modes: Vec<Mode>,
    /// The names of the channels, by number.
    pub channels: Vec<String>,
    /// Commands that are not known, and so not run.
    pub notices: Vec<Notice>,
}

/// Lowers the lexer rules of `file`; `implicit` are literals of parser rules, which come first.
///
/// Fails at rules that are defined twice, at references to rules that do not exist, at negations of
/// something longer than one character, and at commands with a token or a mode that does not exist.
pub(super) fn lower(
    file: &File,
    implicit: &[String],
    vocabulary: &mut Vocabulary,
) -> Result<LoweredLexer, GrammarError> {
    let texts: Vec<&RuleText> = file.rules.iter().filter(|rule| rule.is_lexer_rule()).collect();
    let mut names: BTreeMap<&str, LexerRuleId> = BTreeMap::new();
    for (at, rule) in texts.iter().enumerate() {
        let id = LexerRuleId((implicit.len() + at) as u32);
        if let Some(first) = names.insert(&rule.name, id) {
            let first = texts[first.index() - implicit.len()].place.clone();
            let (place, name) = (rule.place.clone(), rule.name.clone());
            return Err(GrammarError::Duplicate { place, first, name });
        }
    }
    let is_folded = file.option("caseInsensitive") == Some("true");
    let mut channels = vec!["DEFAULT_TOKEN_CHANNEL".to_owned(), "HIDDEN".to_owned()];
    channels.extend(file.channels.iter().cloned());
    let mut lowering = Lowering {
        names,
        vocabulary,
        modes: file.modes.clone(),
        channels,
        notices: Vec::new(),
        is_folded,
    };
    let mut rules = Vec::new();
    for text in implicit {
        let token = lowering.vocabulary.declare_literal(text);
        let alternative = LexerAlternative { terms: lowering.chars(text), commands: Vec::new() };
        rules.push(LexerRule {
            name: format!("'{text}'"),
            place: file.place.clone(),
            is_fragment: false,
            token: Some(token),
            alternatives: vec![alternative],
        });
    }
    for rule in &texts {
        lowering.is_folded = rule.case_insensitive.unwrap_or(is_folded);
        let alternatives = lowering.alternatives(rule, &rule.alternatives)?;
        let token = (!rule.is_fragment).then(|| lowering.vocabulary.declare(&rule.name));
        let (name, place) = (rule.name.clone(), rule.place.clone());
        rules.push(LexerRule { name, place, is_fragment: rule.is_fragment, token, alternatives });
    }
    for (at, rule) in rules.iter().enumerate() {
        if let Some(token) = rule.token {
            lowering.vocabulary.tokens[token.index()].rule = Some(LexerRuleId(at as u32));
        }
    }
    let mut modes = vec![Mode { name: "DEFAULT_MODE".into(), rules: Vec::new() }];
    modes[0].rules.extend((0..implicit.len()).map(|at| LexerRuleId(at as u32)));
    modes.extend(lowering.modes.iter().map(|name| Mode { name: name.clone(), rules: Vec::new() }));
    for (at, rule) in texts.iter().enumerate().filter(|(_, rule)| !rule.is_fragment) {
        let mode = rule.mode.as_ref().and_then(|name| lowering.mode_number(name)).unwrap_or(0);
        modes[mode as usize].rules.push(LexerRuleId((implicit.len() + at) as u32));
    }
    Ok(LoweredLexer { rules, modes, channels: lowering.channels, notices: lowering.notices })
}

/// The data that the lowering of lexer rules reads and adds to.
struct Lowering<'a> {
    /// The numbers of the lexer rules, by name.
    names: BTreeMap<&'a str, LexerRuleId>,
    vocabulary: &'a mut Vocabulary,
    /// The names of the modes, without the default mode.
    modes: Vec<String>,
    channels: Vec<String>,
    notices: Vec<Notice>,
    /// Whether the current rule matches letters in either case (`caseInsensitive`).
    is_folded: bool,
}

impl Lowering<'_> {
    /// The number of a mode; 0 is the default mode.
    fn mode_number(&self, name: &str) -> Option<u32> {
        if name == "DEFAULT_MODE" {
            return Some(0);
        }
        self.modes.iter().position(|mode| mode == name).map(|at| at as u32 + 1)
    }

    /// The set with the other cases of its letters, if the current rule asks for that.
    fn folded(&self, set: CharSet) -> CharSet {
        if self.is_folded { set.fold_case() } else { set }
    }

    /// A text as a sequence of sets of one character, or of its cases.
    ///
    /// Literals of parser rules and of lexer rules are matched character by character, so that a
    /// prefix of one can be another token.
    fn chars(&self, text: &str) -> Vec<LexerTerm> {
        let one = |c: char| LexerTerm::Chars(self.folded(CharSet::range(c as u32, c as u32)));
        text.chars().map(one).collect()
    }

    /// The alternatives of a rule or of a group in it, with their commands.
    fn alternatives(
        &mut self,
        rule: &RuleText,
        texts: &[AltText],
    ) -> Result<Vec<LexerAlternative>, GrammarError> {
        let mut alternatives = Vec::with_capacity(texts.len());
        for text in texts {
            let mut lowered = LexerAlternative::default();
            for element in &text.elements {
                self.element(rule, element, &mut lowered.terms)?;
            }
            for command in &text.commands {
                lowered.commands.extend(self.command(rule, command)?);
            }
            alternatives.push(lowered);
        }
        Ok(alternatives)
    }

    /// Adds the terms of one part, with its suffix. A literal gives a term for each character,
    /// every other part one. Predicates and actions give none.
    ///
    /// A group with a suffix becomes the body of the repetition itself; any other term is put into
    /// a new group.
    fn element(
        &mut self,
        rule: &RuleText,
        element: &Element,
        terms: &mut Vec<LexerTerm>,
    ) -> Result<(), GrammarError> {
        let single = match &element.atom {
            Atom::Predicate | Atom::Action => return Ok(()),
            Atom::Name(name) if name == "EOF" => vec![LexerTerm::Eof],
            Atom::Name(name) => match self.names.get(name.as_str()) {
                Some(&id) => vec![LexerTerm::Rule(id)],
                None => {
                    let (place, name) = (element.place.clone(), name.clone());
                    return Err(GrammarError::Undefined { place, rule: rule.name.clone(), name });
                }
            },
            Atom::Literal(text) => self.chars(text),
            Atom::Block(body) => vec![LexerTerm::Group(self.alternatives(rule, body)?)],
            atom => match self.set(atom) {
                Some(set) => vec![LexerTerm::Chars(set)],
                None => {
                    let (place, rule) = (element.place.clone(), Some(rule.name.clone()));
                    let message = "only characters and sets of them can be negated".into();
                    return Err(GrammarError::Syntax { place, rule, message });
                }
            },
        };
        let Some((bounds, greedy)) = element.suffix else {
            terms.extend(single);
            return Ok(());
        };
        let body = match <[LexerTerm; 1]>::try_from(single) {
            Ok([LexerTerm::Group(body)]) => body,
            Ok(one) => vec![LexerAlternative { terms: one.into(), commands: Vec::new() }],
            Err(terms) => vec![LexerAlternative { terms, commands: Vec::new() }],
        };
        terms.push(LexerTerm::Repeat { bounds, greedy, body });
        Ok(())
    }

    /// The code points that an atom matches, if it always matches exactly one.
    ///
    /// Blocks are sets if each of their alternatives is one: `('a' | 'b')` after `~`, as ANTLR
    /// allows it.
    fn set(&self, atom: &Atom) -> Option<CharSet> {
        match atom {
            Atom::Any => Some(CharSet::any()),
            Atom::Range(low, high) => Some(self.folded(CharSet::range(*low, *high))),
            Atom::Chars(set) => Some(self.folded(set.clone())),
            Atom::Literal(text) => {
                let mut chars = text.chars();
                let c = chars.next().filter(|_| chars.next().is_none())? as u32;
                Some(self.folded(CharSet::range(c, c)))
            }
            Atom::Not(inner) => self.set(inner).map(|set| set.complement()),
            Atom::Block(body) => {
                let mut all = CharSet::new();
                for alternative in body {
                    let [Element { atom, suffix: None, .. }] = alternative.elements.as_slice()
                    else {
                        return None;
                    };
                    all = all.union(&self.set(atom)?);
                }
                Some(all)
            }
            _ => None,
        }
    }

    /// A lexer command; nothing, and a notice, for one that is not known.
    ///
    /// `type(7)` names a token by its number, `type(NAME)` declares a token without a rule. `mode`
    /// and `pushMode` need a mode that the file has.
    fn command(
        &mut self,
        rule: &RuleText,
        command: &CommandText,
    ) -> Result<Option<Command>, GrammarError> {
        let wrong = |message: String| {
            let (place, rule) = (command.place.clone(), Some(rule.name.clone()));
            Err(GrammarError::Syntax { place, rule, message })
        };
        let argument = command.argument.as_deref();
        Ok(Some(match (command.name.as_str(), argument) {
            ("skip", None) => Command::Skip,
            ("more", None) => Command::More,
            ("popMode", None) => Command::PopMode,
            ("type", Some(name)) => match name.parse() {
                Ok(number) if (number as usize) < self.vocabulary.tokens.len() => {
                    Command::Type(TokenId(number))
                }
                Ok(_) => return wrong(format!("there is no token {name}")),
                Err(_) => Command::Type(self.vocabulary.declare(name)),
            },
            ("channel", Some(name)) => Command::Channel(self.channel(name)),
            ("mode" | "pushMode", Some(name)) => {
                let Some(mode) = self.mode_number(name) else {
                    return wrong(format!("there is no mode {name}"));
                };
                if command.name == "mode" { Command::Mode(mode) } else { Command::PushMode(mode) }
            }
            (name, _) => {
                let place = command.place.clone();
                let message = format!("rule {}: unknown lexer command {name}", rule.name);
                self.notices.push(Notice::Other { place, message });
                return Ok(None);
            }
        }))
    }

    /// A channel's number; one that isn't declared is made, since all but 0 are alike here.
    ///
    /// More than [`MAX_NAMES`] are not kept apart: the number of a channel only says whether the
    /// parser sees the token.
    fn channel(&mut self, name: &str) -> u32 {
        if let Ok(number) = name.parse() {
            return number;
        }
        if let Some(at) = self.channels.iter().position(|channel| channel == name) {
            return at as u32;
        }
        if self.channels.len() > MAX_NAMES {
            // The hidden one will do.
            return 1;
        }
        self.channels.push(name.to_owned());
        self.channels.len() as u32 - 1
    }
}
