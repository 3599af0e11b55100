//! Generated documents, each with a predicate on its text: a valid document of its language that
//! has to contain something.

use seedsmith_grammar::Language;

/// A generated document.
pub struct Document {
    pub name: &'static str,
    pub grammar: &'static str,
    pub write: fn(&mut Dice) -> String,
    pub fails: fn(&str) -> bool,
}

pub const DOCUMENTS: [Document; 6] = [
    Document { name: "own-json", grammar: "json", write: write_json, fails: json_fails },
    Document { name: "own-xml", grammar: "xml", write: write_xml, fails: xml_fails },
    Document { name: "own-css", grammar: "css", write: write_css, fails: css_fails },
    Document { name: "own-lua", grammar: "lua", write: write_lua, fails: lua_fails },
    Document { name: "own-js", grammar: "javascript", write: write_js, fails: js_fails },
    Document { name: "own-sql", grammar: "sql", write: write_sql, fails: sql_fails },
];

/// A random generator whose numbers are the same everywhere.
pub struct Dice(pub u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) % bound
    }

    fn word(&mut self) -> String {
        const SYLLABLES: [&str; 8] = ["ba", "lo", "mi", "ter", "quo", "ne", "sa", "ru"];
        (0..2 + self.below(2)).map(|_| SYLLABLES[self.below(8) as usize]).collect()
    }
}

fn is_valid(grammar: &str, text: &str) -> bool {
    thread_local!(static PARSERS: std::cell::RefCell<Vec<(String, Language)>> = const {
        std::cell::RefCell::new(Vec::new())
    });
    PARSERS.with_borrow_mut(|parsers| {
        if !parsers.iter().any(|(name, _)| name == grammar) {
            let language = Language::open(grammar, None).expect("it comes with the program");
            parsers.push((grammar.to_owned(), language));
        }
        let (_, language) =
            parsers.iter_mut().find(|(name, _)| name == grammar).expect("it was just put there");
        language.parse_while(text.as_bytes(), &|| true).is_ok_and(|parsed| parsed.is_valid())
    })
}

fn write_json(dice: &mut Dice) -> String {
    fn value(dice: &mut Dice, depth: u32) -> String {
        let sides = if depth == 0 { 3 } else { 5 };
        match dice.below(sides) {
            0 => dice.below(100_000).to_string(),
            1 => format!("\"{} {}\"", dice.word(), dice.word()),
            2 => ["true", "false", "null"][dice.below(3) as usize].to_owned(),
            3 => {
                let items: Vec<_> =
                    (0..1 + dice.below(5)).map(|_| value(dice, depth - 1)).collect();
                format!("[{}]", items.join(", "))
            }
            _ => {
                let items: Vec<_> = (0..1 + dice.below(5))
                    .map(|_| format!("\"{}\": {}", dice.word(), value(dice, depth - 1)))
                    .collect();
                format!("{{{}}}", items.join(",\n "))
            }
        }
    }
    let mut items: Vec<String> = (0..60).map(|_| value(dice, 4)).collect();
    items.insert(
        37,
        "{\"name\": \"x\", \"parts\": [{\"owner\": {\"ids\": [4, null, 6]}}]}".to_owned(),
    );
    format!("[{}]", items.join(",\n"))
}

/// Valid, and somewhere `ids` is a list with a null in it.
fn json_fails(text: &str) -> bool {
    fn has(value: &serde_json::Value) -> bool {
        match value {
            serde_json::Value::Array(items) => items.iter().any(has),
            serde_json::Value::Object(fields) => fields.iter().any(|(name, value)| {
                let is_it = name == "ids"
                    && value.as_array().is_some_and(|items| items.iter().any(|one| one.is_null()));
                is_it || has(value)
            }),
            _ => false,
        }
    }
    serde_json::from_str(text).is_ok_and(|value| has(&value))
}

fn write_xml(dice: &mut Dice) -> String {
    fn element(dice: &mut Dice, depth: u32, out: &mut String) {
        let name = dice.word();
        *out += &format!("<{name} {}=\"{}\">", dice.word(), dice.below(1000));
        if depth > 0 {
            for _ in 0..1 + dice.below(4) {
                element(dice, depth - 1, out);
            }
        } else {
            *out += &format!("{} &amp; {}\n", dice.word(), dice.word());
        }
        *out += &format!("</{name}>\n");
    }
    let mut text = "<?xml version=\"1.0\"?>\n<root>\n".to_owned();
    for place in 0..12 {
        element(dice, 3, &mut text);
        if place == 7 {
            text += "<a b='1'><group k='2'><c/><item ref='12' n='3'>text</item></group></a>";
        }
    }
    text + "</root>\n"
}

/// Well-formed, tags closed by their names, and an `item` with a `ref` is in a `group`.
fn xml_fails(text: &str) -> bool {
    let mut open: Vec<&str> = Vec::new();
    let mut has_it = false;
    for (at, _) in text.match_indices('<') {
        let rest = &text[at + 1..];
        let Some(end) = rest.find('>') else { return false };
        let tag = &rest[..end];
        if tag.starts_with(['?', '!']) {
            continue;
        }
        if let Some(closed) = tag.strip_prefix('/') {
            if open.pop() != Some(closed.trim_end()) {
                return false;
            }
            continue;
        }
        let name = tag.split([' ', '\n', '/']).next().unwrap_or_default();
        has_it |= name == "item" && tag.contains("ref=") && open.contains(&"group");
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    has_it && open.is_empty() && is_valid("xml", text)
}

fn write_css(dice: &mut Dice) -> String {
    let mut text = String::new();
    let rule = |dice: &mut Dice| {
        let properties: String = (0..1 + dice.below(5))
            .map(|_| format!("  {}: {}px {};\n", dice.word(), dice.below(99), dice.word()))
            .collect();
        format!(".{}, #{} > {} {{\n{properties}}}\n", dice.word(), dice.word(), dice.word())
    };
    for place in 0..70 {
        text += &rule(dice);
        if place == 40 {
            let (before, behind) = (rule(dice), rule(dice));
            text += &format!(
                "@media screen and (min-width: 30px) {{\n{before}a:hover {{ width: calc(1px + \
                 (2 * 3)); top: 0 }}\n{behind}}}\n"
            );
        }
    }
    text
}

/// Well-formed, with a sum in `calc` inside `@media`.
fn css_fails(text: &str) -> bool {
    let Some((_, inside)) = text.split_once("@media") else { return false };
    let sum = inside
        .split_once("calc(")
        .is_some_and(|(_, sum)| sum.split_once(';').map_or(sum, |(sum, _)| sum).contains(" + "));
    sum && inside.contains('{') && is_valid("css", text)
}

/// How a language writes the parts of a program.
struct Dialect {
    /// In front of a new name.
    declare: &'static str,
    /// Behind a statement.
    end: &'static str,
    call: fn(&mut Dice) -> String,
    condition: fn(&mut Dice) -> String,
    behind_condition: &'static str,
    function: fn(&mut Dice) -> String,
    behind_function: &'static str,
}

/// Some statements, nested at most `depth` deep.
fn block(dialect: &Dialect, dice: &mut Dice, depth: u32, out: &mut String) {
    for _ in 0..1 + dice.below(3) {
        let sides = if depth == 0 { 2 } else { 4 };
        match dice.below(sides) {
            0 => {
                let (name, other, number) = (dice.word(), dice.word(), dice.below(9));
                *out +=
                    &format!("{} {name} = {other} + {number}{}\n", dialect.declare, dialect.end);
            }
            1 => *out += &(dialect.call)(dice),
            2 => {
                *out += &(dialect.condition)(dice);
                block(dialect, dice, depth - 1, out);
                *out += dialect.behind_condition;
            }
            _ => {
                *out += &(dialect.function)(dice);
                block(dialect, dice, depth - 1, out);
                *out += dialect.behind_function;
            }
        }
    }
}

const LUA: Dialect = Dialect {
    declare: "local",
    end: "",
    call: |dice| format!("{}(\"{}\", {{1, 2}})\n", dice.word(), dice.word()),
    condition: |dice| format!("if {} == {} then\n", dice.word(), dice.below(99)),
    behind_condition: "end\n",
    function: |dice| format!("local function {}(a, b)\n", dice.word()),
    behind_function: "return a * b end\n",
};

const JAVASCRIPT: Dialect = Dialect {
    declare: "const",
    end: ";",
    call: |dice| format!("{}(\"{}\", [1, 2], {{a: 3}});\n", dice.word(), dice.word()),
    condition: |dice| format!("if ({} === {}) {{\n", dice.word(), dice.below(99)),
    behind_condition: "} else { return; }\n",
    function: |dice| format!("function {}(a, b) {{\n", dice.word()),
    behind_function: "return a * b;\n}\n",
};

fn write_lua(dice: &mut Dice) -> String {
    let mut text = String::new();
    for place in 0..25 {
        block(&LUA, dice, 4, &mut text);
        if place == 15 {
            text += "local function scan(list, n)\n  for i = 1, #list do\n    if list[i] == n then \
                     break end\n    print(list[i])\n  end\n  return nil\nend\n";
        }
    }
    text
}

/// Valid, with a numeric `for` in a function, and a length taken.
fn lua_fails(text: &str) -> bool {
    let Some((_, inside)) = text.split_once("function") else { return false };
    inside.split_once("for ").is_some_and(|(_, body)| body.contains("#") && body.contains("break"))
        && is_valid("lua", text)
}

fn write_js(dice: &mut Dice) -> String {
    let mut text = "function main() {\n".to_owned();
    for place in 0..25 {
        block(&JAVASCRIPT, dice, 4, &mut text);
        if place == 12 {
            text += "class Tree extends Base {\n  constructor(a) { super(a); this.left = null; }\n  \
                     walk(visit) { return [this.left].map((x) => visit(x, ...this.rest)); }\n}\n";
        }
    }
    text + "}\n"
}

/// Valid, with an arrow function that spreads, inside a class.
fn js_fails(text: &str) -> bool {
    let Some((_, inside)) = text.split_once("class ") else { return false };
    inside.split_once("=>").is_some_and(|(_, body)| body.contains("..."))
        && is_valid("javascript", text)
}

fn write_sql(dice: &mut Dice) -> String {
    let mut text = String::new();
    for place in 0..60 {
        text += &match dice.below(3) {
            0 => format!(
                "INSERT INTO {} ({}, {}) VALUES ({}, '{}');\n",
                dice.word(),
                dice.word(),
                dice.word(),
                dice.below(99),
                dice.word()
            ),
            1 => format!(
                "SELECT {}, {} FROM {} WHERE {} > {} AND {} IN (1, 2, {}) ORDER BY {};\n",
                dice.word(),
                dice.word(),
                dice.word(),
                dice.word(),
                dice.below(999),
                dice.word(),
                dice.below(9),
                dice.word()
            ),
            _ => {
                format!("DELETE FROM {} WHERE {} = {};\n", dice.word(), dice.word(), dice.below(9))
            }
        };
        if place == 33 {
            text += "SELECT a.x, count(*), max(b.y + 1) FROM orders a LEFT JOIN items b ON a.id = \
                     b.id WHERE a.x > (SELECT min(c) FROM limits WHERE d < 5) GROUP BY a.x HAVING \
                     count(*) > 2 ORDER BY a.x;\n";
        }
    }
    text
}

/// Valid, with a join that is grouped and a query inside.
fn sql_fails(text: &str) -> bool {
    let has = |rest: &str, word: &str| rest.find(word).map(|at| at + word.len());
    let Some(join) = has(text, "JOIN") else { return false };
    let Some(inner) = has(&text[join..], "(SELECT") else { return false };
    has(&text[join + inner..], "GROUP BY").is_some() && is_valid("sql", text)
}
