//! Random grammars, random inputs of theirs, some of them damaged, and failures that they show.
//!
//! Half of the grammars are ANTLR's, with quantified parts, recursion and hidden text, half are in
//! the Fuzzing Book's format, one in six of which has more than 500 rules. All depends on the seed.

use std::cell::RefCell;
use std::fmt::Write;
use std::sync::Arc;

use seedsmith_grammar::Generator;
use seedsmith_grammar::Language;
use seedsmith_grammar::Parser;
use seedsmith_grammar::Random;
use seedsmith_grammar::internal::Joiner;
use seedsmith_grammar::internal::Substitutes;
use seedsmith_grammar::internal::g4;
use seedsmith_grammar::internal::{Symbol, random_depth};

/// A grammar, an input, and the condition for a failing candidate.
pub(super) struct Pair {
    pub grammar: String,
    pub language: Arc<Substitutes>,
    pub input: Vec<u8>,
    failure: Failure,
}

#[derive(Clone)]
struct Failure {
    /// Pieces that a failing candidate contains.
    needed: Vec<Vec<u8>>,
    /// Whether it parses without an error.
    is_strict: bool,
    /// Whether a quarter of all other candidates doesn't fail, whatever they contain.
    is_moody: bool,
    input: Vec<u8>,
}

/// Longer inputs take longer and show nothing else.
const MOST_BYTES: usize = 160;
/// Of shorter inputs little can go, so they are rare.
const FEW_BYTES: usize = 12;

impl Pair {
    /// The pair of a seed; every seed has one.
    pub(super) fn of(seed: u64) -> Pair {
        let mut random = Random::new(seed);
        loop {
            let (grammar, language) = match seed % 12 {
                0 => {
                    let rules = 501 + random.below(200);
                    random_fuzzingbook(&mut random, rules)
                }
                even if even % 2 == 0 => {
                    let rules = 1 + random.below(30);
                    random_fuzzingbook(&mut random, rules)
                }
                _ => random_g4(&mut random),
            };
            let Some(language) = language else { continue };
            let Some(mut input) = random_input(&language, &mut random) else { continue };
            let is_short = input.len() < FEW_BYTES && random.below(8) > 0;
            if input.is_empty() || input.len() > MOST_BYTES || is_short {
                continue;
            }
            let is_damaged = random.below(4) == 0;
            if is_damaged {
                damage(&mut input, &mut random);
            }
            let language = Arc::new(Substitutes::new(language));
            let pieces = random.below(3);
            let needed = (0..pieces).map(|_| piece(&input, &mut random)).collect();
            let is_valid = language
                .parse(&mut language.parser(), &input)
                .is_ok_and(|parsed| parsed.is_valid());
            let failure = Failure {
                needed,
                is_strict: is_valid && random.below(3) == 0,
                is_moody: random.below(4) == 0,
                input: input.clone(),
            };
            return Pair { grammar, language, input, failure };
        }
    }

    /// The failure.
    pub(super) fn fails(&self) -> impl Fn(&[u8]) -> bool + 'static {
        let (failure, language) = (self.failure.clone(), self.language.clone());
        let parser = RefCell::new(language.parser());
        move |text: &[u8]| {
            let has = |piece: &Vec<u8>| text.windows(piece.len()).any(|part| part == piece);
            let is_valid = |text: &[u8]| {
                let parsed = language.parse(&mut parser.borrow_mut(), text);
                parsed.is_ok_and(|parsed| parsed.is_valid())
            };
            failure.needed.iter().all(has)
                && (!failure.is_strict || is_valid(text))
                && (!failure.is_moody || text == failure.input || mood(text) != 0)
        }
    }

    /// The text that a failed assertion shows.
    pub(super) fn shown(&self) -> String {
        let needed: Vec<_> =
            self.failure.needed.iter().map(|piece| String::from_utf8_lossy(piece)).collect();
        format!(
            "{:?} with {needed:?}{}{}\n{}",
            String::from_utf8_lossy(&self.input),
            if self.failure.is_strict { ", valid" } else { "" },
            if self.failure.is_moody { ", moody" } else { "" },
            &self.grammar[..self.grammar.len().min(4000)]
        )
    }
}

fn mood(text: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(text) % 4
}

fn piece(input: &[u8], random: &mut Random) -> Vec<u8> {
    let length = (1 + random.below(3)).min(input.len());
    let start = random.below(input.len() - length + 1);
    input[start..start + length].to_vec()
}

/// One to three bytes dropped, doubled or changed.
fn damage(input: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let at = random.below(input.len());
        match random.below(3) {
            0 if input.len() > 1 => drop(input.remove(at)),
            1 => input.insert(at, input[at]),
            _ => input[at] = b"(;~\xff 0"[random.below(6)],
        }
    }
}

fn random_input(language: &Language, random: &mut Random) -> Option<Vec<u8>> {
    let grammar = language.grammar();
    let generator = Generator::new(grammar.clone());
    let depth = random_depth(random) + 2 + random.below(6);
    if !language.has_lexer() {
        let drawn = generator.draw(random, Symbol::Rule(language.start()), depth)?;
        return Some(drawn.plain_text());
    }
    let text = generator.text(random, language.start(), depth, &mut Joiner::new(grammar))?;
    // Hidden text between the tokens.
    let mut parser = language.clone();
    let mut input = Vec::new();
    let mut at = 0;
    for (_, span) in parser.tokens(&text) {
        input.extend_from_slice(&text[at..span.start]);
        if random.below(3) == 0 {
            let hidden = [" ", "\n", "\t \n", "/* c */", " // d\n", " /**/ ", "  "];
            input.extend_from_slice(hidden[random.below(hidden.len())].as_bytes());
        }
        input.extend_from_slice(&text[span.clone()]);
        at = span.end;
    }
    input.extend_from_slice(&text[at..]);
    Some(input)
}

/// A grammar of ANTLR's with two to eight rules; no language if it is refused.
fn random_g4(random: &mut Random) -> (String, Option<Language>) {
    let count = 2 + random.below(7);
    let mut text = String::from("grammar R; s: r0 EOF;\n");
    for rule in 0..count {
        let alternatives: Vec<String> = (0..=random.below(3))
            .map(|at| {
                // Of the first alternatives, none goes back, so that every rule ends.
                let from = if at == 0 { rule + 1 } else { 0 };
                sequence(random, from..count, 2)
            })
            .collect();
        let _ = writeln!(text, "r{rule}: {};", alternatives.join(" | "));
    }
    let hidden = ["skip", "channel(HIDDEN)"][random.below(2)];
    let _ = write!(
        text,
        "ID: [a-z]+; N: [0-9]+; S: '\"' ~[\"\\n]* '\"'; W: [ \\t\\n]+ -> {hidden};
        L: '//' ~[\\n]* '\\n' -> {hidden}; C: '/*' .*? '*/' -> {hidden};"
    );
    let grammar = g4::load_texts(&[("r.g4", &text)]).ok();
    let language =
        grammar.and_then(|grammar| Language::of(Parser::new(Arc::new(grammar)), Some("s")).ok());
    (text, language)
}

fn sequence(random: &mut Random, rules: std::ops::Range<usize>, depth: usize) -> String {
    let terms: Vec<String> =
        (0..=random.below(3)).map(|_| term(random, rules.clone(), depth)).collect();
    terms.join(" ")
}

fn term(random: &mut Random, rules: std::ops::Range<usize>, depth: usize) -> String {
    const TOKENS: [&str; 12] =
        ["ID", "N", "S", "'('", "')'", "','", "';'", "'+'", "'let'", "'=='", "'='", "'a'"];
    let token = TOKENS[random.below(TOKENS.len())].to_owned();
    match random.below(6) {
        0 | 1 => token,
        2 | 3 if !rules.is_empty() => format!("r{}", rules.start + random.below(rules.len())),
        4 | 5 if depth > 0 => {
            let sign = ["?", "*", "+", ""][random.below(4)];
            format!("({}){sign}", sequence(random, rules, depth - 1))
        }
        _ => token,
    }
}

/// A grammar in the Fuzzing Book's format, with `count` rules and a start rule.
fn random_fuzzingbook(random: &mut Random, count: usize) -> (String, Option<Language>) {
    let mut text = String::from("{\"<start>\": [\"<r0>\"]");
    for rule in 0..count {
        let mut expansions = Vec::new();
        for at in 0..=random.below(3) {
            let mut expansion = String::new();
            for _ in 0..random.below(4) {
                const PIECES: [&str; 10] = ["a", "b", "0", "7", "(", ")", "+", " ", "xyz", "--"];
                let near = rule + 1 + random.below(12);
                match random.below(5) {
                    // One rule in the first expansion, and further on, so that every rule ends.
                    0 | 1 if near < count && !(at == 0 && expansion.contains('<')) => {
                        let _ = write!(expansion, "<r{near}>");
                    }
                    2 if at > 0 => {
                        let _ = write!(expansion, "<r{}>", random.below(count));
                    }
                    _ => expansion.push_str(PIECES[random.below(PIECES.len())]),
                }
            }
            expansions.push(format!("\"{expansion}\""));
        }
        let _ = write!(text, ",\n\"<r{rule}>\": [{}]", expansions.join(", "));
    }
    text.push('}');
    let language = Language::of_fuzzingbook("r.json", &text, None).ok();
    (text, language)
}
