//! Causes with three decimals beside a negative number: solids, and a page that is drawn.

use crate::draws::{are_negative_and_fine, chance, extras};
use crate::forty_eighth::{indented, measure};
use crate::readers::{is_shown, signed_decimals};
use crate::thirty_fourth::{is_variable, without_ends};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, joined, one, shuffled};
use seedsmith_grammar::Random;

/// For each list of numbers: whether each number is negative, and how many decimals it has.
type Measures = Vec<Vec<(bool, usize)>>;

/// What comes after the value at the start of some tokens. The numbers of vectors are noted.
fn after_value<'a, 't>(all: &'a [&'t str], found: &mut Measures) -> Option<&'a [&'t str]> {
    let (first, after) = all.split_first()?;
    if *first != "[" {
        let is_name = is_variable(first.strip_prefix('$').unwrap_or(first));
        return (is_name || is_text(first) || signed_decimals(first).is_some()).then_some(after);
    }
    let (mut rest, mut numbers) = (after, Vec::new());
    while *rest.first()? != "]" {
        numbers.extend(signed_decimals(rest[0]));
        let after = after_value(rest, found)?;
        let is_last = after.first() == Some(&"]");
        rest = if is_last { after } else { after.strip_prefix(&[","])? };
    }
    found.push(numbers);
    Some(&rest[1..])
}

/// What comes after the arguments and their brackets at the start of some tokens.
fn after_arguments<'a, 't>(all: &'a [&'t str], found: &mut Measures) -> Option<&'a [&'t str]> {
    let mut rest = all.strip_prefix(&["("])?;
    while *rest.first()? != ")" {
        if let [key, "=", after @ ..] = rest {
            let is_key = is_variable(key.strip_prefix('$').unwrap_or(key));
            rest = Some(after).filter(|_| is_key)?;
        }
        let after = after_value(rest, found)?;
        let is_last = after.first() == Some(&")");
        rest = if is_last { after } else { after.strip_prefix(&[","])? };
    }
    Some(&rest[1..])
}

/// What comes after the statement at the start of some tokens.
fn after_statement<'a, 't>(all: &'a [&'t str], found: &mut Measures) -> Option<&'a [&'t str]> {
    match all {
        ["module", name, rest @ ..] if is_variable(name) => {
            let after = after_arguments(rest, found)?;
            after_statement(after, found).filter(|_| after[0] == "{")
        }
        ["{", inner @ ..] => {
            let mut rest = inner;
            while *rest.first()? != "}" {
                rest = after_statement(rest, found)?;
            }
            Some(&rest[1..])
        }
        [name, "=", rest @ ..] if is_variable(name.strip_prefix('$').unwrap_or(name)) => {
            after_value(rest, found)?.strip_prefix(&[";"])
        }
        [name, rest @ ..] if is_variable(name) => match after_arguments(rest, found)? {
            [";", after @ ..] => Some(after),
            after => after_statement(after, found).filter(|_| after.get(1) != Some(&"=")),
        },
        _ => None,
    }
}

/// The numbers of each vector of some solids.
fn vectors(input: &str) -> Option<Measures> {
    let text = without_ends(input, "//");
    let (all, mut found) = (tokens(&text, "_.$-")?, Vec::new());
    let mut rest = &all[..];
    while !rest.is_empty() {
        (rest[0] != "{").then_some(())?;
        rest = after_statement(rest, &mut found)?;
    }
    Some(found)
}

/// The numbers of each array ([...]) of a page.
fn arrays(input: &str) -> Option<Measures> {
    let (mut found, mut open): (Measures, Vec<(char, Vec<_>)>) = Default::default();
    let mut rest = input;
    while let Some(first) = rest.chars().next() {
        let size = match first {
            '%' => rest.find('\n').unwrap_or(rest.len()),
            '(' => {
                let size = rest.find(')')?;
                (!rest[1..size].contains(['(', '\\'])).then_some(size + 1)?
            }
            '[' | '{' => {
                open.push((first, Vec::new()));
                1
            }
            ']' | '}' => {
                let (sign, numbers) = open.pop()?;
                ((sign == '[') == (first == ']')).then_some(())?;
                found.extend(Some(numbers).filter(|_| sign == '['));
                1
            }
            ' ' | '\n' => 1,
            _ => {
                let size = rest.find(|c| " \n%()[]{}".contains(c)).unwrap_or(rest.len());
                let word = &rest[..size];
                let measured = signed_decimals(word);
                let name = word.strip_prefix('/').unwrap_or(word);
                let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '-';
                let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
                    && name.chars().all(is_inside);
                (measured.is_some() || is_name).then_some(())?;
                if let Some((_, numbers)) = open.last_mut() {
                    numbers.extend(measured);
                }
                size
            }
        };
        is_shown(&rest[..size].replace('\n', " ")).then_some(())?;
        rest = &rest[size..];
    }
    open.is_empty().then_some(found)
}

/// A grammar of solids.
const SCAD: &str = r#"
grammar Scad;
file : statement* EOF ;
statement : definition | assignment | call ;
definition : 'module' ID '(' arguments? ')' block ;
assignment : ID '=' value ';' ;
call : ID '(' arguments? ')' (';' | block | call) ;
block : '{' statement* '}' ;
arguments : argument (',' argument)* ;
argument : (ID '=')? value ;
value : NUMBER | STRING | ID | vector ;
vector : '[' (value (',' value)*)? ']' ;
NUMBER : '-'? [0-9]+ ('.' [0-9]+)? ;
STRING : '"' ~["\r\n]* '"' ;
ID : '$'? [a-zA-Z_] [a-zA-Z0-9_]* ;
COMMENT : '//' ~[\r\n]* -> skip ;
WS : [ \t\r\n]+ -> skip ;
"#;

/// The causes.
pub const FIGURES: &[TwoSided] = &[
    TwoSided {
        name: concat!(
            "forty-eighth: scad: solids: a vector with a negative number and one of exactly three ",
            "decimals"
        ),
        grammar: SCAD,
        input: concat!(
            "// Bracket, [-1, 0.125, 3]\n$fn = 64;\nwall = 2.125;\noffset = -4;\n\n",
            "module arm(size = [40, 8.5, 3], turn = -90) {\n  rotate([0, turn, 0]) cube(size, center = true);\n",
            "  translate([-12, 0.5, 1.0625]) cylinder(h = 12.375, r = 3);\n}\n\ndifference() {\n",
            "  arm(turn = 45);\n  translate([-0.75, 8, 10.375])\n    sphere(r = wall);\n",
            "  polygon(points = [[0, 0], [12.125, 4], [-6, 3]]);\n}\ncolor(\"red\") text(\"-1 0.125\");\n"
        ),
        valid: |input| vectors(input).is_some(),
        fails: |input| {
            let all = vectors(input).unwrap_or_default();
            all.iter().any(|numbers| are_negative_and_fine(numbers))
        },
        draw: |dice| {
            let vector = |dice: &mut Random| {
                let count = 2 + dice.below(2);
                format!("[{}]", joined(dice, count, ", ", measure))
            };
            let mut parts = Vec::new();
            for _ in 0..1 + dice.below(3) {
                let (at, size) = (vector(dice), vector(dice));
                let solid = match dice.below(5) {
                    0 => "sphere(r = 2.125);".to_owned(),
                    1 => format!("cube({size}, center = true);"),
                    2 => format!("polygon(points = [{}, [0, 0], {}]);", size, vector(dice)),
                    3 => "cylinder(h = 12.375, r = -3, $fn = 32);".to_owned(),
                    _ => "text(\"-1 0.125\");".to_owned(),
                };
                let moved = match dice.below(4) {
                    0 => solid,
                    1 => format!("rotate([0, -90, 0]) {solid}"),
                    2 => format!("translate({at})\n  {solid}"),
                    _ => format!("translate({at}) rotate([0, 45, 0]) {solid}"),
                };
                parts.push(format!("{moved}\n"));
            }
            if chance(dice, 50) {
                let inner = indented(dice, &parts.concat());
                let name = one(dice, &["difference()", "union()", "module arm(turn = -90)"]);
                parts = vec![format!("{name} {{\n{inner}}}\n")];
            }
            let others = [
                "// Bracket, [-1, 0.125, 3]\n",
                "$fn = 64;\n",
                "wall = 2.125;\n",
                "offset = -4;\n",
                "size = [40, 8.5, 3];\n",
            ];
            parts.extend(extras(dice, &others));
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "forty-eighth: plain: postscript: an array ([...]) with a negative number and one of ",
            "exactly three decimals"
        ),
        grammar: "",
        input: concat!(
            "%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: -4 0 200 100\n/inch {72 mul} def\ngsave\n[4 2.125] 0 setdash\n",
            "[1 0 0 -1 0 792.5] concat\n/Helvetica findfont 12.375 scalefont setfont\n-20 40.125 moveto\n",
            "(Owls [-1 0.125]) show\n[0.125 0 0 -0.5 20 792] concat % flip\nnewpath\n12.5 -30.0625 lineto\n",
            "{ [-1 /box 0.25] pop } exec\nstroke\ngrestore\nshowpage\n"
        ),
        valid: |input| arrays(input).is_some(),
        fails: |input| {
            let all = arrays(input).unwrap_or_default();
            all.iter().any(|numbers| are_negative_and_fine(numbers))
        },
        draw: |dice| {
            let others = [
                "/inch {72 mul} def\n",
                "-20 40.125 moveto\n",
                "/Helvetica findfont 12.375 scalefont setfont\n",
                "(Owls [-1 0.125]) show\n",
                "% [-1 0.125]\n",
                "newpath\n",
                "12.5 -30.0625 lineto\nstroke\n",
                "{ [-1 /box 0.25] pop } exec\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let line = match dice.below(4) {
                    0 => format!("[{}] 0 setdash\n", joined(dice, 2, " ", measure)),
                    1 => format!("/m [{}] def\n", joined(dice, 3, " ", measure)),
                    2 => format!("[{} 0 0 {} 0 0] concat\n", measure(dice), measure(dice)),
                    _ => format!("[{}] concat\n", joined(dice, 6, " ", measure)),
                };
                parts.push(line);
            }
            let parts = shuffled(dice, parts).concat();
            let start =
                one(dice, &["%!PS\n", "%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: -4 0 200 100\n"]);
            match chance(dice, 50) {
                true => format!("{start}gsave\n{parts}grestore\nshowpage\n"),
                false => format!("{start}{parts}showpage\n"),
            }
        },
        patterns: &[],
    },
];
