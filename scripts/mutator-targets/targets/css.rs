//! CSS and its effect on a small document: selectors are matched, declarations cascade and inherit.

#![no_main]

#[path = "harness/mod.rs"]
#[macro_use]
mod harness;

use std::collections::{BTreeMap, HashMap};

use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState, QualifiedRuleParser, RuleBodyItemParser,
    RuleBodyParser, StyleSheetParser, Token,
};

#[derive(Clone, Debug)]
enum Simple {
    Any,
    Type(String),
    Class(String),
    Id(String),
    Attribute { name: String, relation: char, value: String },
    FirstChild,
    LastChild,
    NthChild(i32, i32),
    Empty,
    Root,
    Not(Box<Complex>),
}

/// Compounds from left to right, each with how it follows the one before.
#[derive(Clone, Debug, Default)]
struct Complex(Vec<(char, Vec<Simple>)>);

#[derive(Clone, Debug, PartialEq)]
enum Item {
    Number(f32),
    Length(f32, String),
    Percentage(f32),
    Colour(u8, u8, u8),
    Word(String),
    Text(String),
    Variable(String, Vec<Item>),
    Calculation(Box<Calculation>),
}

#[derive(Clone, Debug, PartialEq)]
enum Calculation {
    Value(Item),
    Both(Box<Calculation>, char, Box<Calculation>),
}

#[derive(Debug)]
struct Declaration {
    name: String,
    value: Vec<Item>,
    is_important: bool,
}

#[derive(Debug)]
enum Rule {
    Style(Vec<Complex>, Vec<Declaration>),
    Media(Vec<(String, f32)>, Vec<Rule>),
    Import(String),
}

type Error = ParseError<()>;

fn unexpected<T>() -> Result<T, Error> {
    Err(ParseError::unexpected_token())
}

fn nth(input: &mut Parser<'_>) -> Result<(i32, i32), Error> {
    Ok(cssparser::parse_nth(input)?)
}

fn complex(input: &mut Parser<'_>) -> Result<Complex, Error> {
    let mut parts = Complex::default();
    let mut compound: Vec<Simple> = Vec::new();
    let mut combinator = ' ';
    let mut is_apart = false;
    loop {
        let before = input.state();
        let token = match input.next_including_whitespace() {
            Ok(token) => token.clone(),
            Err(_) => break,
        };
        let simple = match token {
            Token::WhiteSpace(_) => {
                is_apart = true;
                continue;
            }
            Token::Delim(one @ ('>' | '+' | '~')) if !compound.is_empty() => {
                parts.0.push((combinator, std::mem::take(&mut compound)));
                combinator = one;
                is_apart = false;
                continue;
            }
            Token::Comma => {
                input.reset(&before);
                break;
            }
            Token::Delim('*') => Simple::Any,
            Token::Ident(name) => Simple::Type(name.to_ascii_lowercase()),
            Token::IDHash(name) => Simple::Id(name.to_string()),
            Token::Delim('.') => Simple::Class(input.expect_ident()?.to_string()),
            Token::SquareBracketBlock => input.parse_nested_block(|input| {
                let name = input.expect_ident_cloned()?.to_string();
                if input.is_exhausted() {
                    return Ok(Simple::Attribute { name, relation: ' ', value: String::new() });
                }
                let relation = match input.next()? {
                    Token::Delim('=') => '=',
                    Token::IncludeMatch => '~',
                    Token::DashMatch => '|',
                    Token::PrefixMatch => '^',
                    Token::SuffixMatch => '$',
                    Token::SubstringMatch => '*',
                    _ => return unexpected(),
                };
                let value = input.expect_ident_or_string()?.to_string();
                Ok::<_, Error>(Simple::Attribute { name, relation, value })
            })?,
            Token::Colon => match input.next_including_whitespace()?.clone() {
                Token::Ident(name) => match name.to_ascii_lowercase().as_str() {
                    "first-child" => Simple::FirstChild,
                    "last-child" => Simple::LastChild,
                    "empty" => Simple::Empty,
                    "root" => Simple::Root,
                    _ => return unexpected(),
                },
                Token::Function(name) if name.eq_ignore_ascii_case("nth-child") => {
                    let (step, offset) = input.parse_nested_block(nth)?;
                    Simple::NthChild(step, offset)
                }
                Token::Function(name) if name.eq_ignore_ascii_case("not") => {
                    Simple::Not(Box::new(input.parse_nested_block(complex)?))
                }
                _ => return unexpected(),
            },
            _ => return unexpected(),
        };
        if is_apart && !compound.is_empty() {
            parts.0.push((combinator, std::mem::take(&mut compound)));
            combinator = ' ';
        }
        is_apart = false;
        compound.push(simple);
    }
    if compound.is_empty() {
        return unexpected();
    }
    parts.0.push((combinator, compound));
    Ok(parts)
}

fn calculation(input: &mut Parser<'_>, is_product: bool) -> Result<Calculation, Error> {
    let mut left = if is_product {
        match input.try_parse(|input| input.expect_parenthesis_block()) {
            Ok(()) => input.parse_nested_block(|input| calculation(input, false))?,
            Err(_) => Calculation::Value(item(input)?),
        }
    } else {
        calculation(input, true)?
    };
    loop {
        let before = input.state();
        match input.next().cloned() {
            Ok(Token::Delim(one @ ('*' | '/'))) if is_product => {
                left = Calculation::Both(Box::new(left), one, Box::new(Calculation::Value(item(input)?)));
            }
            Ok(Token::Delim(one @ ('+' | '-'))) if !is_product => {
                left = Calculation::Both(Box::new(left), one, Box::new(calculation(input, true)?));
            }
            _ => {
                input.reset(&before);
                return Ok(left);
            }
        }
    }
}

fn item(input: &mut Parser<'_>) -> Result<Item, Error> {
    Ok(match input.next()?.clone() {
        Token::Number { value, .. } => Item::Number(value),
        Token::Percentage { unit_value, .. } => Item::Percentage(unit_value),
        Token::Dimension { value, unit, .. } => {
            let unit = unit.to_ascii_lowercase();
            match unit.as_str() {
                "px" | "em" | "rem" | "pt" | "cm" | "mm" | "in" | "vw" | "vh" | "deg" | "s" | "ms" => {
                    Item::Length(value, unit)
                }
                _ => return unexpected(),
            }
        }
        Token::Hash(digits) | Token::IDHash(digits) => match cssparser::color::parse_hash_color(digits.as_bytes()) {
            Ok((red, green, blue, _)) => Item::Colour(red, green, blue),
            Err(()) => return unexpected(),
        },
        Token::Ident(word) => match cssparser::color::parse_named_color(&word) {
            Ok((red, green, blue)) => Item::Colour(red, green, blue),
            Err(()) => Item::Word(word.to_ascii_lowercase()),
        },
        Token::QuotedString(text) | Token::UnquotedUrl(text) => Item::Text(text.to_string()),
        Token::Function(name) => {
            let name = name.to_ascii_lowercase();
            input.parse_nested_block(|input| {
                Ok::<_, Error>(match name.as_str() {
                    "rgb" | "rgba" => {
                        let mut parts = Vec::new();
                        while !input.is_exhausted() {
                            if !parts.is_empty() {
                                let _ = input.try_parse(|input| input.expect_comma());
                            }
                            parts.push(match item(input)? {
                                Item::Number(number) => number.clamp(0.0, 255.0) as u8,
                                Item::Percentage(part) => (part.clamp(0.0, 1.0) * 255.0) as u8,
                                _ => return unexpected(),
                            });
                        }
                        match parts[..] {
                            [red, green, blue] | [red, green, blue, _] => Item::Colour(red, green, blue),
                            _ => return unexpected(),
                        }
                    }
                    "calc" => Item::Calculation(Box::new(calculation(input, false)?)),
                    "var" => {
                        let name = input.expect_ident()?.to_string();
                        let otherwise = match input.try_parse(|input| input.expect_comma()) {
                            Ok(()) => items(input)?,
                            Err(_) => Vec::new(),
                        };
                        Item::Variable(name, otherwise)
                    }
                    "url" => Item::Text(input.expect_string()?.to_string()),
                    _ => return unexpected(),
                })
            })?
        }
        _ => return unexpected(),
    })
}

fn items(input: &mut Parser<'_>) -> Result<Vec<Item>, Error> {
    let mut found = Vec::new();
    while !input.is_exhausted() {
        if input.try_parse(|input| input.expect_delim('!')).is_ok() {
            return unexpected();
        }
        let _ = input.try_parse(|input| input.expect_comma());
        found.push(item(input)?);
    }
    Ok(found)
}

struct Declarations;

impl<'i> DeclarationParser<'i> for Declarations {
    type Declaration = Declaration;
    type Error = ();

    fn parse_value(&mut self, name: CowRcStr<'i>, input: &mut Parser<'i>, _: &ParserState) -> Result<Declaration, Error> {
        let mut value = Vec::new();
        let mut is_important = false;
        while !input.is_exhausted() {
            if input.try_parse(cssparser::parse_important).is_ok() {
                is_important = true;
                input.expect_exhausted()?;
                break;
            }
            let _ = input.try_parse(|input| input.expect_comma());
            value.push(item(input)?);
        }
        let name = if name.starts_with("--") { name.to_string() } else { name.to_ascii_lowercase() };
        if value.is_empty() { unexpected() } else { Ok(Declaration { name, value, is_important }) }
    }
}

impl<'i> AtRuleParser<'i> for Declarations {
    type Prelude = ();
    type AtRule = Declaration;
    type Error = ();
}

impl<'i> QualifiedRuleParser<'i> for Declarations {
    type Prelude = ();
    type QualifiedRule = Declaration;
    type Error = ();
}

impl RuleBodyItemParser<'_, Declaration, ()> for Declarations {
    fn parse_declarations(&self) -> bool {
        true
    }

    fn parse_qualified(&self) -> bool {
        false
    }
}

struct Rules {
    depth: usize,
}

enum Prelude {
    Media(Vec<(String, f32)>),
    Import(String),
}

impl<'i> QualifiedRuleParser<'i> for Rules {
    type Prelude = Vec<Complex>;
    type QualifiedRule = Rule;
    type Error = ();

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Result<Vec<Complex>, Error> {
        let mut all = vec![complex(input)?];
        while input.try_parse(|input| input.expect_comma()).is_ok() {
            all.push(complex(input)?);
        }
        Ok(all)
    }

    fn parse_block(&mut self, selectors: Vec<Complex>, _: &ParserState, input: &mut Parser<'i>) -> Result<Rule, Error> {
        let mut declarations = Vec::new();
        for declaration in RuleBodyParser::new(input, &mut Declarations) {
            match declaration {
                Ok(declaration) => declarations.push(declaration),
                Err(_) => return unexpected(),
            }
        }
        Ok(Rule::Style(selectors, declarations))
    }
}

impl<'i> AtRuleParser<'i> for Rules {
    type Prelude = Prelude;
    type AtRule = Rule;
    type Error = ();

    fn parse_prelude(&mut self, name: CowRcStr<'i>, input: &mut Parser<'i>) -> Result<Prelude, Error> {
        match name.to_ascii_lowercase().as_str() {
            "import" => Ok(Prelude::Import(input.expect_url_or_string()?.to_string())),
            "media" => {
                let mut conditions = Vec::new();
                while input.try_parse(|input| input.expect_parenthesis_block()).is_ok() {
                    conditions.push(input.parse_nested_block(|input| {
                        let name = input.expect_ident_cloned()?.to_ascii_lowercase();
                        input.expect_colon()?;
                        match item(input)? {
                            Item::Length(value, unit) => Ok::<_, Error>((name, in_pixels(value, &unit, 16.0))),
                            Item::Number(value) => Ok((name, value)),
                            _ => unexpected(),
                        }
                    })?);
                    if input.try_parse(|input| input.expect_ident_matching("and")).is_err() {
                        break;
                    }
                }
                if conditions.is_empty() { unexpected() } else { Ok(Prelude::Media(conditions)) }
            }
            _ => unexpected(),
        }
    }

    fn rule_without_block(&mut self, prelude: Prelude, _: &ParserState) -> Result<Rule, ()> {
        match prelude {
            Prelude::Import(url) => Ok(Rule::Import(url)),
            Prelude::Media(_) => Err(()),
        }
    }

    fn parse_block(&mut self, prelude: Prelude, _: &ParserState, input: &mut Parser<'i>) -> Result<Rule, Error> {
        match prelude {
            Prelude::Media(conditions) if self.depth < 3 => {
                let inner = rules(input, self.depth + 1)?;
                Ok(Rule::Media(conditions, inner))
            }
            _ => unexpected(),
        }
    }
}

fn rules(input: &mut Parser<'_>, depth: usize) -> Result<Vec<Rule>, Error> {
    let mut all = Vec::new();
    for rule in StyleSheetParser::new(input, &mut Rules { depth }) {
        match rule {
            Ok(rule) => all.push(rule),
            Err(_) => return unexpected(),
        }
    }
    Ok(all)
}

fn in_pixels(value: f32, unit: &str, size: f32) -> f32 {
    value
        * match unit {
            "em" => size,
            "rem" => 16.0,
            "pt" => 96.0 / 72.0,
            "cm" => 96.0 / 2.54,
            "mm" => 96.0 / 25.4,
            "in" => 96.0,
            "vw" => 8.0,
            "vh" => 6.0,
            _ => 1.0,
        }
}

struct Node {
    name: &'static str,
    id: &'static str,
    classes: &'static [&'static str],
    attributes: &'static [(&'static str, &'static str)],
    parent: Option<usize>,
}

const fn node(
    name: &'static str,
    id: &'static str,
    classes: &'static [&'static str],
    attributes: &'static [(&'static str, &'static str)],
    parent: Option<usize>,
) -> Node {
    Node { name, id, classes, attributes, parent }
}

static DOCUMENT: [Node; 9] = [
    node("html", "", &[], &[("lang", "en-GB")], None),
    node("body", "top", &["wide", "dark"], &[], Some(0)),
    node("h1", "", &["title"], &[], Some(1)),
    node("ul", "menu", &["list"], &[("role", "menu bar")], Some(1)),
    node("li", "", &["item"], &[("data-n", "1")], Some(3)),
    node("li", "", &["item", "active"], &[("data-n", "2")], Some(3)),
    node("a", "", &[], &[("href", "https://example.org/a.png")], Some(5)),
    node("p", "", &["note"], &[], Some(1)),
    node("b", "", &[], &[], Some(7)),
];

fn siblings(of: usize) -> Vec<usize> {
    (0..DOCUMENT.len()).filter(|other| DOCUMENT[*other].parent == DOCUMENT[of].parent).collect()
}

fn is_simple(simple: &Simple, of: usize) -> bool {
    let node = &DOCUMENT[of];
    match simple {
        Simple::Any => true,
        Simple::Type(name) => node.name == name,
        Simple::Class(name) => node.classes.contains(&name.as_str()),
        Simple::Id(name) => !name.is_empty() && node.id == name,
        Simple::Root => node.parent.is_none(),
        Simple::Empty => !DOCUMENT.iter().any(|other| other.parent == Some(of)),
        Simple::FirstChild => siblings(of).first() == Some(&of),
        Simple::LastChild => siblings(of).last() == Some(&of),
        Simple::NthChild(step, offset) => {
            let place = siblings(of).iter().position(|other| *other == of).unwrap_or(0) as i32 + 1;
            let rest = place.wrapping_sub(*offset);
            if *step == 0 { rest == 0 } else { rest.wrapping_rem(*step) == 0 && rest.wrapping_div(*step) >= 0 }
        }
        Simple::Not(other) => !is_complex(&other.0, of),
        Simple::Attribute { name, relation, value } => {
            let Some((_, own)) = node.attributes.iter().find(|(own, _)| own == name) else { return false };
            match relation {
                '=' => own == value,
                '~' => own.split(' ').any(|word| word == value),
                '|' => own == value || own.strip_prefix(value.as_str()).is_some_and(|rest| rest.starts_with('-')),
                '^' => !value.is_empty() && own.starts_with(value.as_str()),
                '$' => !value.is_empty() && own.ends_with(value.as_str()),
                '*' => !value.is_empty() && own.contains(value.as_str()),
                _ => true,
            }
        }
    }
}

fn is_complex(parts: &[(char, Vec<Simple>)], of: usize) -> bool {
    let Some(((combinator, compound), before)) = parts.split_last() else { return true };
    if !compound.iter().all(|simple| is_simple(simple, of)) {
        return false;
    }
    if before.is_empty() {
        return true;
    }
    match combinator {
        '>' => DOCUMENT[of].parent.is_some_and(|parent| is_complex(before, parent)),
        '+' | '~' => {
            let earlier: Vec<usize> = siblings(of).into_iter().filter(|other| *other < of).collect();
            let from = if *combinator == '+' { earlier.len().saturating_sub(1) } else { 0 };
            earlier[from..].iter().any(|other| is_complex(before, *other))
        }
        _ => {
            let mut at = DOCUMENT[of].parent;
            while let Some(parent) = at {
                if is_complex(before, parent) {
                    return true;
                }
                at = DOCUMENT[parent].parent;
            }
            false
        }
    }
}

fn specificity(complex: &Complex) -> [u32; 3] {
    let mut sum = [0; 3];
    for simple in complex.0.iter().flat_map(|(_, compound)| compound) {
        match simple {
            Simple::Any => {}
            Simple::Type(_) => sum[2] += 1,
            Simple::Id(_) => sum[0] += 1,
            Simple::Not(other) => {
                for (own, more) in sum.iter_mut().zip(specificity(other)) {
                    *own += more;
                }
            }
            _ => sum[1] += 1,
        }
    }
    sum
}

type Values = BTreeMap<String, Vec<Item>>;

fn calculate(of: &Calculation, size: f32, values: &Values) -> f32 {
    match of {
        Calculation::Value(item) => pixels(std::slice::from_ref(item), size, values, 0).unwrap_or(f32::NAN),
        Calculation::Both(left, sign, right) => {
            let (left, right) = (calculate(left, size, values), calculate(right, size, values));
            match sign {
                '+' => left + right,
                '-' => left - right,
                '*' => left * right,
                _ => left / right,
            }
        }
    }
}

fn pixels(value: &[Item], size: f32, values: &Values, depth: usize) -> Option<f32> {
    match value.first()? {
        Item::Number(number) => Some(*number),
        Item::Length(number, unit) => Some(in_pixels(*number, unit, size)),
        Item::Percentage(part) => Some(part * size),
        Item::Calculation(calculation) => Some(calculate(calculation, size, values)),
        Item::Variable(name, otherwise) if depth < 6 => {
            let value = values.get(name).unwrap_or(otherwise);
            pixels(value, size, values, depth + 1)
        }
        Item::Word(word) => match word.as_str() {
            "thin" => Some(1.0),
            "medium" => Some(3.0),
            "thick" => Some(5.0),
            _ => None,
        },
        _ => None,
    }
}

fn collect<'r>(rules: &'r [Rule], active: &mut Vec<&'r Rule>) {
    for rule in rules {
        match rule {
            Rule::Style(..) => active.push(rule),
            Rule::Import(url) if url.ends_with(".css") => active.push(rule),
            Rule::Import(_) => {}
            Rule::Media(conditions, inner) => {
                let holds = conditions.iter().all(|(name, value)| match name.as_str() {
                    "min-width" => 800.0 >= *value,
                    "max-width" => 800.0 <= *value,
                    "min-height" => 600.0 >= *value,
                    "max-height" => 600.0 <= *value,
                    _ => false,
                });
                if holds {
                    collect(inner, active);
                }
            }
        }
    }
}

fn cascade(rules: &[Rule]) -> Vec<(Values, f32)> {
    let mut active = Vec::new();
    collect(rules, &mut active);
    let mut computed: Vec<(Values, f32)> = Vec::new();
    for (index, node) in DOCUMENT.iter().enumerate() {
        let mut won: HashMap<&str, ((bool, [u32; 3], usize), &Vec<Item>)> = HashMap::new();
        for (order, rule) in active.iter().enumerate() {
            let Rule::Style(selectors, declarations) = rule else { continue };
            let fitting = selectors.iter().filter(|one| is_complex(&one.0, index)).map(specificity).max();
            let Some(specificity) = fitting else { continue };
            for declaration in declarations {
                let rank = (declaration.is_important, specificity, order);
                if won.get(declaration.name.as_str()).is_none_or(|(other, _)| *other <= rank) {
                    won.insert(&declaration.name, (rank, &declaration.value));
                }
            }
        }
        let parent = node.parent.map(|parent| computed[parent].clone());
        let (inherited, outer) = parent.unwrap_or((Values::new(), 16.0));
        let mut values: Values = inherited
            .into_iter()
            .filter(|(name, _)| name.starts_with("--") || matches!(name.as_str(), "color" | "font-size" | "line-height"))
            .collect();
        for (name, (_, value)) in won {
            match value.as_slice() {
                [Item::Word(word)] if word == "inherit" => {}
                [Item::Word(word)] if word == "initial" => drop(values.remove(name)),
                [all @ ..] if matches!(name, "margin" | "padding") => {
                    let side = |number: usize| all.get(number).or(all.get(number.saturating_sub(2))).unwrap_or(&all[0]);
                    for (number, end) in ["top", "right", "bottom", "left"].iter().enumerate() {
                        values.insert(format!("{name}-{end}"), vec![side(number).clone()]);
                    }
                }
                all => drop(values.insert(name.to_owned(), all.to_vec())),
            }
        }
        let size = values.get("font-size").and_then(|value| pixels(value, outer, &values, 0)).unwrap_or(outer);
        let width = values.get("width").and_then(|value| pixels(value, size, &values, 0)).unwrap_or(800.0);
        let used: f32 = ["margin-left", "margin-right", "padding-left", "padding-right", "border-width"]
            .iter()
            .filter_map(|name| values.get(*name).and_then(|value| pixels(value, size, &values, 0)))
            .sum();
        computed.push((values, if used > width { size } else { size.clamp(1.0, 1000.0) }));
    }
    computed
}

fn process(data: &[u8], goes_on: bool) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let Ok(rules) = rules(&mut Parser::new(text), 0) else { return false };
    if rules.is_empty() {
        return false;
    }
    if goes_on {
        harness::after(|| {
            std::hint::black_box(cascade(&rules));
        });
    }
    true
}

target!(process, "css");
