//! Causes in two languages with a grammar of their own: sums, and matrices.

use super::name;
use crate::draws::{are_uneven, chance, lengths};
use crate::readers::{is_word, signed_decimals};
use crate::two_sided::{TwoSided, joined, one};

/// What reads sums from some tokens, and how deep the brackets in what it has read are.
struct Sums<'t> {
    rest: &'t [String],
    deepest: usize,
}

impl Sums<'_> {
    /// Takes a token if it is this one.
    fn takes(&mut self, token: &str) -> bool {
        let is_next = self.rest.first().is_some_and(|next| next == token);
        self.rest = &self.rest[usize::from(is_next)..];
        is_next
    }

    /// Reads a sum up to what does not belong to it.
    fn sum(&mut self, depth: usize) -> Option<()> {
        self.deepest = self.deepest.max(depth);
        loop {
            if self.takes("(") {
                self.sum(depth + 1)?;
                self.takes(")").then_some(())?;
            } else {
                let (value, rest) = self.rest.split_first()?;
                let is_value = value.chars().all(|c| c.is_ascii_alphanumeric());
                self.rest = Some(rest).filter(|_| is_value)?;
                if is_word(value) && self.takes("[") {
                    self.sum(depth + 1)?;
                    self.takes("]").then_some(())?;
                }
            }
            if !["+", "-", "*", "/"].iter().any(|sign| self.takes(sign)) {
                return Some(());
            }
        }
    }
}

/// Names, numbers and signs; nothing if something else is there.
fn tokens(input: &str) -> Option<Vec<String>> {
    let mut all: Vec<String> = Vec::new();
    let mut last = ' ';
    for c in input.chars() {
        let is_same =
            |kind: fn(&char) -> bool| kind(&c) && kind(&last) && !last.is_ascii_whitespace();
        let is_inner = is_same(char::is_ascii_lowercase) || is_same(char::is_ascii_digit);
        let is_known =
            c.is_ascii_lowercase() || c.is_ascii_digit() || "+-*/()[]=; \t\r\n".contains(c);
        is_known.then_some(())?;
        match all.last_mut() {
            Some(token) if is_inner => token.push(c),
            _ if c.is_ascii_whitespace() => {}
            _ => all.push(c.to_string()),
        }
        last = c;
    }
    Some(all)
}

/// How deep the brackets of a program are; nothing if it is none.
fn depth(input: &str) -> Option<usize> {
    let all = tokens(input)?;
    let mut sums = Sums { rest: &all, deepest: 0 };
    (!all.is_empty()).then_some(())?;
    while let Some((name, rest)) = sums.rest.split_first() {
        sums.rest = Some(rest).filter(|_| is_word(name))?;
        sums.takes("=").then_some(())?;
        sums.sum(0)?;
        sums.takes(";").then_some(())?;
    }
    Some(sums.deepest)
}

/// How many numbers the rows of each matrix have.
fn matrices(input: &str) -> Option<Vec<Vec<usize>>> {
    let mut found = Vec::new();
    let lines = input.strip_suffix('\n')?.split('\n').filter(|line| !line.starts_with('%'));
    for line in lines {
        let (name, value) = line.strip_suffix(';')?.split_once(" = ")?;
        is_word(name).then_some(())?;
        let Some(inner) = value.strip_prefix('[') else {
            signed_decimals(value)?;
            continue;
        };
        let rows = inner.strip_suffix(']')?.split("; ").map(|row| {
            let numbers = row.split(' ').map(signed_decimals).collect::<Option<Vec<_>>>();
            numbers.map(|numbers| numbers.len())
        });
        found.push(rows.collect::<Option<Vec<usize>>>()?);
    }
    Some(found)
}

/// The causes.
pub const OWN: &[TwoSided] = &[
    TwoSided {
        name: "forty-fifth: antlr: sums: parentheses and index brackets in each other, five deep or more",
        grammar: "grammar Sums;
program : statement+ EOF ;
statement : NAME '=' sum ';' ;
sum : product (('+' | '-') product)* ;
product : value (('*' | '/') value)* ;
value : NUMBER | NAME | NAME '[' sum ']' | '(' sum ')' ;
NAME : [a-z]+ ;
NUMBER : [0-9]+ ;
WS : [ \\t\\r\\n]+ -> skip ;
",
        input: concat!(
            "width = 120;\nheight = (width + 8) * 2;\narea = width * height - (4 + (2 * 3));\n",
            "row = table[width / 2];\ncell = table[row + 1] + list[(row - 4) * 2];\n",
            "best = 2 * (cell + list[table[(row + map[area - 1]) / 3] + 7]);\n",
            "last = ((best));\nnext = list[0] + (list[1]) + (list[2] * (3)) - 9;\n"
        ),
        valid: |input| depth(input).is_some(),
        fails: |input| depth(input).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let mut text = String::new();
            for _ in 0..1 + dice.below(3) {
                let mut sum = one(dice, &["row", "7", "area", "12"]).to_owned();
                let most = if chance(dice, 60) { 7 } else { 4 };
                for _ in 0..dice.below(most) + usize::from(most == 7) {
                    let other = one(dice, &["width", "4", "(row)", "list[2]"]);
                    sum = match dice.below(4) {
                        0 => sum,
                        1 => format!("{sum} + {other}"),
                        _ => format!("{other} * {sum}"),
                    };
                    sum = match dice.below(2) {
                        0 => format!("({sum})"),
                        _ => format!("{}[{sum}]", one(dice, &["table", "list", "map"])),
                    };
                }
                let name = one(dice, &["width", "cell", "best", "last"]);
                text += &format!("{name} = {sum};\n");
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-fifth: antlr: matrices: a matrix whose rows do not all have the same number of numbers",
        grammar: "grammar Matrices;
script : line+ EOF ;
line : NAME ' = ' value ';' '\\n' | REMARK '\\n' ;
value : NUMBER | matrix ;
matrix : '[' row ('; ' row)* ']' ;
row : NUMBER (' ' NUMBER)* ;
REMARK : '%' ~[\\n]* ;
NAME : [a-z]+ ;
NUMBER : '-'? ('0' | [1-9] [0-9]*) ('.' [0-9]+)? ;
",
        input: concat!(
            "% a small model [1 2; 3]\nstep = 0.25;\nstart = [1 0 0];\n",
            "rotate = [0 -1; 1 0];\nweights = [0.5 0.25 1; 2 3 4; 7 8; 1 1 1];\nbias = [1; 2; 3];\n",
            "limit = 400;\nsingle = [4];\n% end\n"
        ),
        valid: |input| matrices(input).is_some(),
        fails: |input| matrices(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let mut text = one(dice, &["", "% [1 2; 3]\n", "step = 0.25;\n"]).to_owned();
            for _ in 0..1 + dice.below(3) {
                let mut rows = Vec::new();
                for length in lengths(dice, 1, 38) {
                    rows.push(joined(dice, length, " ", |dice| match dice.below(4) {
                        0 => format!("-{}", 1 + dice.below(9)),
                        1 => format!("{}.5", dice.below(20)),
                        _ => dice.below(500).to_string(),
                    }));
                }
                let name = name(dice).trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
                text += &format!("{name} = [{}];\n", rows.join("; "));
            }
            text + one(dice, &["", "limit = 400;\n", "start = [1 0 0];\n"])
        },
        patterns: &[],
    },
];
