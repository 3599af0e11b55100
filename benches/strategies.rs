//! The default strategy beside the published ones that go along a tree: sizes, and how many tests
//! it takes until the default is as small as each of them in the end.
//!
//! Six generated documents with a predicate on the text each (the language has to be kept, and
//! something has to be in it), and with `--bins DIR`, a folder of fuzz targets' executables, the
//! committed crashes in a language for which there is a grammar.
//!
//! `cargo bench --bench strategies -- [--bins DIR] [NAME…]`

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use seedsmith::event::Event;
use seedsmith::grammar::builtin;
use seedsmith::grammar::language::Language;
use seedsmith::grammar::substitutes::Substitutes;
use seedsmith::observation::Observation;
use seedsmith::oracle::{Oracle, budget::Budget, judge::Hunt};
use seedsmith::reduce::{Options, Strategy, minimize};
use seedsmith::sameness::{Rule, Sameness};
use seedsmith::search::Search;
use seedsmith::signature::{Kind, Signature};
use seedsmith::target::injected::{InjectedOptions, InjectedTarget};
use seedsmith::target::linked::{self, LinkedTarget};
use seedsmith::target::{Request, Target};

/// Which document's predicate the linked target is.
const VARIABLE: &str = "SEEDSMITH_BENCH_DOCUMENT";
/// A strategy that takes longer is stopped there.
const LIMIT: Duration = Duration::from_secs(10);

/// A document of one's own making.
struct Document {
    name: &'static str,
    grammar: &'static str,
    write: fn(&mut Dice) -> String,
    fails: fn(&str) -> bool,
}

const DOCUMENTS: [Document; 6] = [
    Document { name: "own-json", grammar: "json", write: write_json, fails: json_fails },
    Document { name: "own-xml", grammar: "xml", write: write_xml, fails: xml_fails },
    Document { name: "own-css", grammar: "css", write: write_css, fails: css_fails },
    Document { name: "own-lua", grammar: "lua", write: write_lua, fails: lua_fails },
    Document { name: "own-js", grammar: "javascript", write: write_js, fails: js_fails },
    Document { name: "own-sql", grammar: "sql", write: write_sql, fails: sql_fails },
];

/// Crashes by target, with the grammar of their inputs.
const CRASHES: [(&str, &str); 8] = [
    ("toml_header", "toml"),
    ("ini_escape", "ini"),
    ("sql_infix", "sql"),
    ("regex_flags", "regex"),
    ("xml_comment", "xml"),
    ("js_bigint", "javascript"),
    ("lua_backtick", "lua"),
    ("css_calc", "css"),
];

const STRATEGIES: [Strategy; 8] = [
    Strategy::Auto,
    Strategy::Ddmin,
    Strategy::Hdd,
    Strategy::HddPlus,
    Strategy::HddStar,
    Strategy::Hddr,
    Strategy::Picireny,
    Strategy::Perses,
];

/// A random generator whose numbers are the same everywhere.
struct Dice(u64);

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

/// Well-formed, tags closed by their names, and an `item` with a `ref` stands in a `group`.
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

fn write_lua(dice: &mut Dice) -> String {
    fn block(dice: &mut Dice, depth: u32, out: &mut String) {
        for _ in 0..1 + dice.below(3) {
            let sides = if depth == 0 { 2 } else { 4 };
            match dice.below(sides) {
                0 => {
                    *out +=
                        &format!("local {} = {} + {}\n", dice.word(), dice.word(), dice.below(9))
                }
                1 => *out += &format!("{}(\"{}\", {{1, 2}})\n", dice.word(), dice.word()),
                2 => {
                    *out += &format!("if {} == {} then\n", dice.word(), dice.below(99));
                    block(dice, depth - 1, out);
                    *out += "end\n";
                }
                _ => {
                    *out += &format!("local function {}(a, b)\n", dice.word());
                    block(dice, depth - 1, out);
                    *out += "return a * b end\n";
                }
            }
        }
    }
    let mut text = String::new();
    for place in 0..25 {
        block(dice, 4, &mut text);
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
    fn block(dice: &mut Dice, depth: u32, out: &mut String) {
        for _ in 0..1 + dice.below(3) {
            let sides = if depth == 0 { 2 } else { 4 };
            match dice.below(sides) {
                0 => {
                    *out +=
                        &format!("const {} = {} + {};\n", dice.word(), dice.word(), dice.below(9))
                }
                1 => *out += &format!("{}(\"{}\", [1, 2], {{a: 3}});\n", dice.word(), dice.word()),
                2 => {
                    *out += &format!("if ({} === {}) {{\n", dice.word(), dice.below(99));
                    block(dice, depth - 1, out);
                    *out += "} else { return; }\n";
                }
                _ => {
                    *out += &format!("function {}(a, b) {{\n", dice.word());
                    block(dice, depth - 1, out);
                    *out += "return a * b;\n}\n";
                }
            }
        }
    }
    let mut text = "function main() {\n".to_owned();
    for place in 0..25 {
        block(dice, 4, &mut text);
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

fn body(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let name = std::env::var(VARIABLE).unwrap_or_default();
    let document = DOCUMENTS.iter().find(|document| document.name == name);
    assert!(!document.is_some_and(|document| (document.fails)(text)), "found");
}

/// What a strategy did.
struct Run {
    strategy: Strategy,
    result: Vec<u8>,
    tests: u64,
    /// Sizes on the way, with the tests until then.
    path: Vec<(u64, usize)>,
    elapsed: Duration,
    stats: Vec<String>,
}

impl Run {
    /// Tests until the best was no larger than `size`.
    fn tests_to(&self, size: usize) -> Option<u64> {
        self.path.iter().find(|(_, bytes)| *bytes <= size).map(|(tests, _)| *tests)
    }
}

fn run(target: &dyn Target, language: &Arc<Substitutes>, input: &[u8], strategy: Strategy) -> Run {
    let started = Instant::now();
    let nobody =
        Hunt { signature: Signature::of_kind(Kind::Command), sameness: Sameness::default() };
    let signature = {
        let mut oracle =
            Oracle::new(target, nobody, 1, Budget::default()).expect("the target can be run");
        match oracle
            .observe(input, Request { fresh: true, frames: true })
            .expect("the target can be run")
        {
            Observation::Failed(signature) => (*signature).clone(),
            other => panic!("the input gave {other:?}"),
        }
    };
    let hunt = Hunt { signature, sameness: Sameness { rule: Rule::Auto, pattern: None } };
    let budget = Budget { max_time: Some(LIMIT), ..Budget::default() };
    let mut oracle = Oracle::new(target, hunt, 1, budget).expect("the target can be run");
    let mut path = Vec::new();
    let mut listener = |event: &Event<'_>| {
        if let Event::Reduced { best, counts, .. } = event {
            path.push((counts.tests, best.len()));
        }
    };
    let mut search = Search::new(&mut oracle, input.to_vec(), &mut listener);
    let options = Options { strategy, language: Some(language.clone()), ..Options::default() };
    let ended = minimize(&mut search, &options);
    let result = search.best().to_vec();
    let tests = search.counts().tests;
    let stats = search
        .stats()
        .iter()
        .filter(|stats| stats.counts.tests > 0)
        .map(|stats| {
            format!(
                "{} {}t {}->{}",
                stats.reducer, stats.counts.tests, stats.bytes_before, stats.bytes_after
            )
        })
        .collect();
    if ended.is_err() {
        println!("  ({strategy} was stopped after {} s)", LIMIT.as_secs());
    }
    drop(search);
    Run { strategy, result, tests, path, elapsed: started.elapsed(), stats }
}

/// Pairs of the default and a named strategy, over all inputs.
#[derive(Default)]
struct Sums {
    pairs: usize,
    within: usize,
    log_tests: f64,
    larger: usize,
    inputs: usize,
    log_size: f64,
}

fn compare(name: &str, target: &dyn Target, grammar: &str, input: &[u8], sums: &mut Sums) {
    let parser = builtin::find(grammar).expect("it comes with the program").parser();
    let language = Language::of(parser, None).expect("tests start every grammar");
    let language = Arc::new(Substitutes::new(language));
    let started = Instant::now();
    let parsed = language.parse(&mut language.parser(), input);
    println!(
        "{name}: {} bytes, parsed once in {:.1} ms: {}",
        input.len(),
        started.elapsed().as_secs_f64() * 1e3,
        parsed.map_or_else(
            |error| error.to_string(),
            |parsed| format!(
                "{} nodes, {} levels, {} bytes in error nodes",
                parsed.tree.len(),
                parsed.tree.height(),
                parsed.tree.error_bytes()
            )
        )
    );
    let started = Instant::now();
    let found = builtin::recognise(builtin::Hint::default(), input);
    println!(
        "  recognised in {:.1} ms: {:?}",
        started.elapsed().as_secs_f64() * 1e3,
        found.map(|(found, clue)| (found.name, clue))
    );
    let runs: Vec<Run> =
        STRATEGIES.iter().map(|strategy| run(target, &language, input, *strategy)).collect();
    let auto = &runs[0];
    for run in &runs {
        let to = auto.tests_to(run.result.len());
        let ratio = to.map_or(f64::INFINITY, |to| to.max(1) as f64 / run.tests.max(1) as f64);
        println!(
            "  {:<9} {:>6} bytes {:>7} tests {:>7.0} ms   auto is there after {:>6} ({:.2})  {}",
            run.strategy.to_string(),
            run.result.len(),
            run.tests,
            run.elapsed.as_secs_f64() * 1e3,
            to.map_or_else(|| "never".to_owned(), |to| to.to_string()),
            ratio,
            String::from_utf8_lossy(&run.result[..run.result.len().min(60)]).escape_debug(),
        );
        if run.strategy != Strategy::Auto {
            sums.pairs += 1;
            sums.within += usize::from(ratio <= 1.2);
            sums.larger += usize::from(to.is_none());
            sums.log_tests += ratio.min(100.0).ln();
        }
    }
    if std::env::var_os("SEEDSMITH_BENCH_STATS").is_some() {
        println!("    {}", auto.stats.join("; "));
    }
    let best = runs[1..].iter().map(|run| run.result.len()).min().unwrap_or(0);
    sums.inputs += 1;
    sums.log_size += (auto.result.len().max(1) as f64 / best.max(1) as f64).ln();
}

fn crash_of(target: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora/crashes").join(target);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    files.into_iter().find(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("crash-"))
    })
}

fn main() {
    linked::serve(body);
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let (mut bins, mut names) = (None, Vec::new());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--bins" => bins = arguments.next().map(PathBuf::from),
            _ => names.push(argument),
        }
    }
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let mut sums = Sums::default();
    for (index, document) in DOCUMENTS.iter().enumerate() {
        if !is_wanted(document.name) {
            continue;
        }
        // SAFETY: this program has one thread; zygotes inherit the variable.
        unsafe { std::env::set_var(VARIABLE, document.name) };
        let text = (document.write)(&mut Dice(index as u64 + 1));
        assert!((document.fails)(&text), "{} doesn't show what it was made for", document.name);
        let target = LinkedTarget::new("strategies").expect("this program can be read");
        compare(document.name, &target, document.grammar, text.as_bytes(), &mut sums);
    }
    if let Some(bins) = bins {
        for (name, grammar) in CRASHES.iter().filter(|(name, _)| is_wanted(name)) {
            let path = crash_of(name).expect("every target has a crash");
            let input = std::fs::read(path).expect("it can be read");
            let target = InjectedTarget::new(&bins.join(name), InjectedOptions::default())
                .expect("it is a libFuzzer executable");
            compare(name, &target, grammar, &input, &mut sums);
        }
    }
    println!(
        "auto: larger on {} of {} pairs; size to the best named, geometric mean {:.2}; tests to \
         the other's size <= 1.2 times its tests on {} of {}, geometric mean {:.2}",
        sums.larger,
        sums.pairs,
        (sums.log_size / sums.inputs.max(1) as f64).exp(),
        sums.within,
        sums.pairs,
        (sums.log_tests / sums.pairs.max(1) as f64).exp(),
    );
}
