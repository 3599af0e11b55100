//! Random texts of tokens, from the lexer's rules.
//!
//! A text follows one of the rules that make the token; whether a longer or an earlier rule wins
//! over it is for the lexer to say, later and with everything around. Most characters are plain
//! ones, because people write these and they are easy to read in a pattern.

use super::dice::Dice;
use crate::grammar::analysis::minimal::MinimalStrings;
use crate::grammar::charset::CharSet;
use crate::grammar::lexer::{LexemeKind, Lexer};
use crate::grammar::model::{
    Bounds, Command, Grammar, LexerAlternative, LexerRuleId, LexerTerm, TokenId,
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Lexer rules inside each other, at most.
///
/// A guess, not measured: it bounds the recursion; deeper texts are given up and the next try
/// begins.
const MAX_DEPTH: usize = 24;
/// Characters of one token, at most, beyond those that the token's rule requires.
///
/// A guess, not measured: longer names and numbers are hard to read in a report.
const MAX_TEXT_CHARS: usize = 48;
/// Choices for one token, at most: rules that double each other, and empty loops inside loops, need
/// any number.
const MAX_STEPS: usize = 10_000;
/// Texts tried before the shortest is taken.
/// A guess, not measured.
const MAX_TRIES: usize = 8;

/// Spells tokens.
#[derive(Clone, Debug)]
pub(crate) struct Speller {
    /// The grammar with the lexer rules.
    grammar: Arc<Grammar>,
    /// By token: the rules that make it in one go, and the mode of the first.
    makers: Vec<Vec<LexerRuleId>>,
    /// By token, its shortest text.
    shortest: Vec<Option<Vec<u8>>>,
    lexer: Option<SharedLexer>,
}

/// A lexer that several threads may use, one after the other. It keeps its automaton between texts, which changes no result. A copy has an automaton
/// itself, so that it waits for no other one.
#[derive(Debug)]
struct SharedLexer(Mutex<Lexer>);

impl SharedLexer {
    /// The lexer, after those who have it. One that panicked with it has left nothing that matters.
    fn lock(&self) -> MutexGuard<'_, Lexer> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for SharedLexer {
    fn clone(&self) -> Self {
        SharedLexer(Mutex::new(self.lock().clone()))
    }
}

impl Speller {
    /// A speller for the tokens of `grammar`.
    pub(crate) fn new(grammar: &Arc<Grammar>) -> Self {
        let mut makers = vec![Vec::new(); grammar.tokens.len()];
        for rule in grammar.modes.iter().flat_map(|mode| &mode.rules) {
            let body = grammar.lexer_rule(*rule);
            let commands = body.alternatives.iter().flat_map(|one| &one.commands);
            let (mut token, mut is_whole) = (body.token, true);
            for command in commands {
                match command {
                    Command::Type(other) => token = Some(*other),
                    Command::More | Command::Skip => is_whole = false,
                    Command::Channel(channel) if *channel != 0 => is_whole = false,
                    _ => {}
                }
            }
            if let (Some(token), true) = (token, is_whole)
                && !makers[token.index()].contains(rule)
            {
                makers[token.index()].push(*rule);
            }
        }
        let is_flat = grammar.lexer_rules.is_empty();
        let mut lexer = Lexer::new(grammar);
        let strings = MinimalStrings::new(grammar, &mut lexer);
        let shortest = (0..grammar.tokens.len() as u32)
            .map(|token| strings.of_token(TokenId(token)).map(<[u8]>::to_vec))
            .collect();
        let lexer = (!is_flat).then(|| SharedLexer(Mutex::new(lexer)));
        Speller { grammar: grammar.clone(), makers, shortest, lexer }
    }

    /// Whether the token has a text.
    pub(crate) fn can_spell(&self, token: TokenId) -> bool {
        self.shortest.get(token.index()).is_some_and(Option::is_some)
    }

    /// A text of the token; the choices made for it are added to `choices`. In the lexer's first
    /// mode it is a text that, alone, is read as this token; in other modes only reading the whole
    /// text can show that.
    pub(crate) fn spell(
        &self,
        dice: &mut dyn Dice,
        token: TokenId,
        choices: &mut Vec<u32>,
    ) -> Option<Vec<u8>> {
        let shortest = self.shortest.get(token.index())?.as_ref()?;
        let makers = &self.makers[token.index()];
        if makers.is_empty() {
            return Some(shortest.clone());
        }
        let known = choices.len();
        for _ in 0..MAX_TRIES {
            let maker = makers[dice.below(makers.len())];
            let body = &self.grammar.lexer_rule(maker).alternatives;
            choices.truncate(known);
            let mut spelling = Spelling {
                grammar: &self.grammar,
                dice,
                text: String::new(),
                choices,
                steps: MAX_STEPS,
            };
            if spelling.alternatives(body, 0, SpelledPart(maker.0).inside(u32::MAX)).is_some() {
                let text = spelling.text;
                let mut chars = text.chars();
                if let (Some(c), None) = (chars.next(), chars.next()) {
                    // Alone it may be blank, or nothing at all, to who reads it.
                    choices.extend(sort_of(c).map(|sort| SpelledPart(maker.0).inside(sort).0));
                }
                if self.is_read_back(token, maker, text.as_bytes()) {
                    return Some(text.into_bytes());
                }
            }
        }
        choices.truncate(known);
        Some(shortest.clone())
    }

    /// Whether the lexer reads a text as the token. In other modes than the first this cannot be
    /// asked of the text alone: there every text with a byte counts.
    fn is_read_back(&self, token: TokenId, maker: LexerRuleId, text: &[u8]) -> bool {
        let is_first_mode = self.grammar.modes[0].rules.contains(&maker);
        if text.is_empty() || !is_first_mode {
            return !text.is_empty();
        }
        let Some(lexer) = &self.lexer else { return true };
        let lexemes = lexer.lock().lex(text);
        matches!(lexemes.as_slice(), [only] if only.kind == LexemeKind::Token && only.token == token.0)
    }
}

/// A place in the lexer's rules, as a number that is the same for every text.
#[derive(Clone, Copy)]
struct SpelledPart(u32);

impl SpelledPart {
    /// The place numbered `number` inside this one. The multiplier is 2^32 divided by the golden
    /// ratio, which spreads small numbers (Knuth, TAOCP 3, section 6.4); two places with one number
    /// would only make two choices look alike.
    fn inside(self, number: u32) -> SpelledPart {
        SpelledPart((self.0 ^ number.wrapping_add(1)).wrapping_mul(0x9E37_79B1).rotate_left(11))
    }
}

/// One text in the making.
struct Spelling<'s> {
    /// The grammar with the lexer rules.
    grammar: &'s Grammar,
    /// The dice that make every choice.
    dice: &'s mut dyn Dice,
    /// The text so far.
    text: String,
    /// Where the choices are noted.
    choices: &'s mut Vec<u32>,
    steps: usize,
}

impl Spelling<'_> {
    /// One of the alternatives of a rule or group; `None` if the bounds on depth or steps are
    /// reached.
    fn alternatives(
        &mut self,
        body: &[LexerAlternative],
        depth: usize,
        place: SpelledPart,
    ) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.steps = self.steps.checked_sub(1)?;
        let at = self.dice.below(body.len());
        let place = place.inside(at as u32);
        if body.len() > 1 {
            self.choices.push(place.0);
        }
        let terms = body.get(at)?.terms.iter().enumerate();
        terms
            .into_iter()
            .try_for_each(|(number, term)| self.term(term, depth, place.inside(number as u32)))
    }

    /// The characters of one term.
    fn term(&mut self, term: &LexerTerm, depth: usize, place: SpelledPart) -> Option<()> {
        match term {
            LexerTerm::Chars(set) => {
                let c = random_char(self.dice, set)?;
                // A rare character is a choice of another kind than one more letter.
                self.choices.extend(sort_of(c).map(|sort| place.inside(sort).0));
                self.text.push(c);
            }
            LexerTerm::Eof => {}
            LexerTerm::Rule(rule) => {
                let body = &self.grammar.lexer_rule(*rule).alternatives;
                return self.alternatives(body, depth + 1, place.inside(rule.0));
            }
            LexerTerm::Group(body) => return self.alternatives(body, depth + 1, place),
            LexerTerm::Repeat { bounds, body, .. } => {
                let most = bounds.max().map_or(MAX_TEXT_CHARS, |most| most as usize);
                let mut count = bounds.min() as usize;
                // A third ends it: two more on average.
                let chance = if *bounds == Bounds::Optional { 2 } else { 3 };
                while count < most
                    && self.text.len() < MAX_TEXT_CHARS
                    && self.dice.below(chance) != 0
                {
                    count += 1;
                }
                for _ in 0..count {
                    self.alternatives(body, depth + 1, place)?;
                }
            }
        }
        Some(())
    }
}

/// A number for characters that few people write: each sort is another thing than one more letter.
fn sort_of(c: char) -> Option<u32> {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' => None,
        // Every quote and every bracket inside other text is a separate sort.
        ' '..='~' => Some(2 + c as u32),
        '\0'..='\x7f' => Some(0),
        _ => Some(1),
    }
}

/// Characters that begin, end or part something in one language or another.
const SPECIAL: &[u8] = b"\"'`\\/<>&;:,.#%$@!?=|*-_()[]{} \t\n\r\0";

/// A member of the set: mostly a letter or a digit, sometimes another printable one, seldom any;
/// with wild dice often a special one.
pub(crate) fn random_char(dice: &mut dyn Dice, set: &CharSet) -> Option<char> {
    let members = |wanted: &dyn Fn(&char) -> bool| -> Vec<char> {
        let ascii = set.ranges().iter().take_while(|range| range.0 < 128);
        ascii
            .flat_map(|&(low, high)| low..=high.min(127))
            .filter_map(char::from_u32)
            .filter(wanted)
            .collect()
    };
    let is_plain = |c: &char| c.is_ascii_alphanumeric();
    let is_printable = |c: &char| c.is_ascii_graphic() || *c == ' ';
    let is_special = |c: &char| u8::try_from(*c).is_ok_and(|c| SPECIAL.contains(&c));
    let wanted: [&dyn Fn(&char) -> bool; 3] = [&is_plain, &is_printable, &is_special];
    let throw = dice.below(16);
    let tried = match throw {
        0..5 if dice.is_wild() => &wanted[2..],
        0..10 => &wanted[..2],
        10..15 => &wanted[1..2],
        _ => &[],
    };
    for wanted in tried {
        let found = members(wanted);
        if !found.is_empty() {
            return Some(found[dice.below(found.len())]);
        }
    }
    any_char(dice, set)
}

/// Any member but surrogates; each range is as likely as the others.
fn any_char(dice: &mut dyn Dice, set: &CharSet) -> Option<char> {
    for _ in 0..8 {
        let (low, high) = *set.ranges().get(dice.below(set.ranges().len()))?;
        let code_point = low + dice.below((high - low) as usize + 1) as u32;
        if let Some(c) = char::from_u32(code_point) {
            return Some(c);
        }
    }
    set.plainest_char()
}
