//! Causes in eight formats: Lua, URL, SQL, sexp, DOT, CSS, HTTP and TOML.

use seedsmith_grammar::Random;

use super::{extras, has_equals, measure, names, near_number, near_range, rarely};
use crate::readers::{
    is_name, is_shown, is_word, lowered_tokens, number, sections, signed_decimals,
};
use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

/// How deep loops are in each other in a program in Lua; nothing if a block is not closed as it was
/// opened, or there are texts or remarks, which could have such words in them.
fn loop_depth(input: &str) -> Option<usize> {
    let has_other = input.contains(['"', '\'', '[', '\\']) || input.contains("--");
    (!has_other && input.is_ascii()).then_some(())?;
    let (mut open, mut deepest) = (Vec::new(), 0);
    for word in input.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        match word {
            "while" | "for" => open.push("head"),
            "do" if open.last() == Some(&"head") => *open.last_mut()? = "loop",
            "do" | "if" | "function" | "repeat" => open.push(word),
            "end" => {
                ["loop", "do", "if", "function"].contains(&open.pop()?).then_some(())?;
            }
            "until" => (open.pop()? == "repeat").then_some(())?,
            _ => {}
        }
        let loops = open.iter().filter(|block| ["loop", "repeat"].contains(block));
        deepest = deepest.max(loops.count());
    }
    open.is_empty().then_some(deepest)
}

/// The names of the fields of the query of an address.
fn fields(input: &str) -> Vec<&str> {
    let address = input.split('#').next().unwrap_or("");
    let query = address.split_once('?').map_or("", |(_, query)| query);
    let names = query.split('&').filter_map(|field| field.split('=').next());
    names.filter(|name| !name.is_empty()).collect()
}

/// The ends of each BETWEEN of a query.
fn ranges(input: &str) -> Vec<(u32, u32)> {
    let tokens = lowered_tokens(input, &["between", "and"]);
    let ranges = tokens.windows(4).filter_map(|tokens| {
        let is_range = tokens[0] == "between" && tokens[2] == "and";
        Some((number(&tokens[1]).filter(|_| is_range)?, number(&tokens[3])?))
    });
    ranges.collect()
}

/// The numbers of each lens of a camera: whether each is negative, and how many decimals it has;
/// nothing if it is no system of lenses, stops and names.
fn lenses(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let spaced = input.replace('(', " ( ").replace(')', " ) ");
    let (mut open, mut found) = (Vec::new(), Vec::new());
    let (mut is_head, mut is_done) = (false, false);
    for token in spaced.split_whitespace() {
        match (token, is_head) {
            ("(", false) => {
                (!is_done).then_some(())?;
                is_head = true;
            }
            (")", false) => {
                open.pop()?;
                is_done = open.is_empty();
            }
            (name, true) => {
                let is_right = match open[..] {
                    [] => name == "camera",
                    ["camera"] => ["lens", "stop", "name"].contains(&name),
                    ["camera", "lens"] => is_name(name),
                    _ => false,
                };
                is_right.then_some(())?;
                open.push(name);
                is_head = false;
                found.extend((open[1..] == ["lens"]).then(Vec::new));
            }
            (value, false) => {
                let number = signed_decimals(value);
                (open.len() >= 2 && (number.is_some() || is_name(value))).then_some(())?;
                if open[1] == "lens" {
                    found.last_mut()?.extend(number);
                }
            }
        }
    }
    is_done.then_some(found)
}

/// Whether a text is the name of a node.
fn is_node(text: &str) -> bool {
    let keywords = ["node", "edge", "graph", "digraph", "subgraph", "strict"];
    is_word(text.trim()) && !keywords.contains(&text.trim())
}

/// The kind and the nodes of each rank of a graph; nothing if it has other things than edges, nodes
/// and ranks.
fn ranks(input: &str) -> Option<Vec<(&str, Vec<&str>)>> {
    let (name, rest) = input.trim().strip_prefix("digraph ")?.split_once('{')?;
    (name.trim().is_empty() || is_node(name)).then_some(())?;
    let mut found = Vec::new();
    let are_edges = |text: &str| {
        let mut statements = text.split(';').filter(|text| !text.trim().is_empty());
        statements.all(|statement| statement.split("->").all(is_node))
    };
    let mut parts = rest.strip_suffix('}')?.split('{');
    are_edges(parts.next()?).then_some(())?;
    for part in parts {
        let (rank, edges) = part.split_once('}')?;
        let mut statements = rank.split(';').map(str::trim).filter(|text| !text.is_empty());
        let (key, kind) = statements.next()?.split_once('=')?;
        let nodes: Vec<&str> = statements.collect();
        let is_right = key.trim() == "rank" && is_node(kind) && are_edges(edges);
        (is_right && nodes.iter().all(|node| is_node(node))).then_some(())?;
        found.push((kind.trim(), nodes));
    }
    Some(found)
}

/// The layers that the rules of a sheet are in.
fn layers(input: &str) -> Vec<u32> {
    let bodies = input.split('}').filter_map(|rule| rule.rsplit_once('{'));
    let pairs = bodies.flat_map(|(_, body)| body.split(';'));
    let layers = pairs.filter_map(|pair| {
        let (name, value) = pair.split_once(':')?;
        number(value.trim()).filter(|_| name.trim() == "z-index")
    });
    layers.collect()
}

/// The names of the headers of a request for a web socket; nothing if it is none, or has a header
/// twice.
fn headers(input: &str) -> Option<Vec<String>> {
    let mut lines = input.strip_suffix("\r\n\r\n")?.split("\r\n");
    let path = lines.next()?.strip_prefix("GET /")?.strip_suffix(" HTTP/1.1")?;
    path.chars().all(|c| c.is_ascii_graphic()).then_some(())?;
    let (mut names, mut is_upgrade) = (Vec::new(), false);
    for line in lines {
        let (name, value) = line.split_once(": ")?;
        let is_right = name.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
        (is_right && !value.trim().is_empty() && is_shown(value)).then_some(())?;
        let name = name.to_ascii_lowercase();
        is_upgrade |= name == "upgrade" && value == "websocket";
        names.push(name);
    }
    let is_right = is_upgrade && names.iter().any(|name| name == "host");
    (is_right && !has_equals(&names)).then_some(names)
}

/// The shells of the tasks; nothing if a value is neither a number nor a simple text.
fn shells(input: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    for (name, pairs) in sections(input)? {
        for (key, value) in pairs {
            let text = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            let text = text.filter(|text| is_shown(text) && !text.contains(['"', '\\']));
            (text.is_some() || number(value).is_some()).then_some(())?;
            if key == "shell" && !name.is_empty() {
                found.extend(text);
            }
        }
    }
    Some(found)
}

/// Statements in Lua that are no loop, or one that has nothing in it but such a statement.
fn small_code(dice: &mut Random) -> String {
    let name = word(dice, 3) + "x";
    match dice.below(6) {
        0 => format!("{name} = {}", dice.below(40)),
        1 => format!("if {name} > 4 then {name}() end"),
        2 => format!("for i = 1, {} do {name}(i) end", dice.below(9)),
        3 => format!("while {name} do {name}() end"),
        4 => format!("repeat {name}() until {name} == 4"),
        _ => format!("{name}({})", dice.below(9)),
    }
}

/// A block in Lua around a code, most often a loop.
fn block(dice: &mut Random, inner: &str) -> String {
    match dice.below(9) {
        0..=2 => format!("for i = 1, {} do\n{inner}\nend", 1 + dice.below(40)),
        3..=5 => format!("while {} < 9 do\n{inner}\nend", word(dice, 2) + "x"),
        6 | 7 => format!("repeat\n{inner}\nuntil {} > 4", word(dice, 2) + "x"),
        _ => format!("if {} then\n{inner}\nend", word(dice, 2) + "x"),
    }
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "twenty-sixth: lua: for, while and repeat in each other, four deep or more",
        grammar: "@lua",
        input: concat!(
            "depth = 4\nwhile depth do depth = f(4) end\nfor i = 1, 12 do\n  if i > 4 then\n",
            "    repeat\n      g(i)\n      while a < 9 do\n        for k = 1, 3 do h(k) end\n",
            "      end\n    until x > 4\n  end\nend\nrepeat h(2) until depth == 4\n"
        ),
        valid: |input| loop_depth(input).is_some(),
        fails: |input| loop_depth(input).is_some_and(|depth| depth >= 4),
        draw: |dice| {
            let mut code = small_code(dice);
            for _ in 0..2 + dice.below(4) {
                code = block(dice, &code);
                if rarely(dice, 3) {
                    code = format!("{code}\n{}", small_code(dice));
                }
                if rarely(dice, 3) {
                    code = format!("{}\n{code}", small_code(dice));
                }
            }
            code + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-sixth: url: a query with two fields of the same name",
        grammar: "@url",
        input: concat!(
            "https://ferry.example.org/from/from/list?from=moss&class=2&to=from&pages=2&page=2",
            "&class=4#to-class"
        ),
        valid: any,
        fails: |input| has_equals(&fields(input)),
        draw: |dice| {
            let mut query = Vec::new();
            for name in names(dice, &["from", "to", "page", "pages", "class"], 5, 2) {
                let value = one(dice, &["2", "moss", "from", "page", "40"]);
                query.push(format!("{name}={value}"));
            }
            let host = one(dice, &["localhost", "ferry.example.org", "page.page.org"]);
            let path = one(dice, &["", "/", "/from/from", "/list"]);
            let end = one(dice, &["", "", "#page", "#x"]);
            format!("{}://{host}{path}?{}{end}", one(dice, &["http", "https"]), query.join("&"))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-sixth: sql: a BETWEEN whose first number is above its second one",
        grammar: "@sql",
        input: concat!(
            "SELECT name, height FROM trees WHERE planted BETWEEN 12 AND 1990 AND ",
            "height BETWEEN 30 AND 7 AND age = 4 ORDER BY height, name LIMIT 20"
        ),
        valid: |input| !input.contains(['\'', '"', '-', '/', '`', '[']),
        fails: |input| ranges(input).iter().any(|(low, high)| low > high),
        draw: |dice| {
            let mut filters = extras(dice, &["age = 4", "planted > 40", "height < 9"]);
            for column in ["planted", "height"] {
                let low = [dice.below(60), 9, 100, dice.below(2000)][dice.below(4)];
                let above = low + dice.below(90);
                let high = if rarely(dice, 3) { above } else { near_number(dice, low) };
                if !rarely(dice, 4) {
                    filters.push(format!("{column} BETWEEN {low} AND {high}"));
                }
            }
            filters.push(format!("width = {}", dice.below(30)));
            let filters = shuffled(dice, filters).join(" AND ");
            let what = one(dice, &["name", "name, height", "planted, age, name"]);
            let end = one(dice, &["", " ORDER BY name", " LIMIT 20", " ORDER BY age LIMIT 2"]);
            format!("SELECT {what} FROM trees WHERE {filters}{end}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-sixth: sexp: a lens with a negative number and one of exactly three decimals",
        grammar: "@sexp",
        input: concat!(
            "(camera (name kelp) (lens (radius -42) (thick 2.5)) (stop 0.125) ",
            "(lens (thick 3.375) (glass bk7) (radius 18 -60.25)) (lens (radius 4.001 9)))"
        ),
        valid: |input| lenses(input).is_some(),
        fails: |input| {
            lenses(input).unwrap_or_default().iter().any(|numbers| {
                let is_long = numbers.iter().any(|(_, decimals)| *decimals == 3);
                is_long && numbers.iter().any(|(is_negative, _)| *is_negative)
            })
        },
        draw: |dice| {
            let mut parts = extras(dice, &["(name kelp)", "(stop -0.125)", "(stop 4)"]);
            for _ in 0..1 + dice.below(3) {
                let mut values = extras(dice, &["(glass bk7)", "(radius 4 9)"]);
                for _ in 0..1 + dice.below(4) {
                    let name = one(dice, &["radius", "thick", "tilt", "at"]);
                    values.push(format!("({name} {})", measure(dice)));
                }
                parts.push(format!("(lens {})", shuffled(dice, values).join(" ")));
            }
            format!("(camera {})", shuffled(dice, parts).join(" "))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-sixth: dot: a group of nodes of the same rank (rank=same) that lists a node twice",
        grammar: "@dot",
        input: concat!(
            "digraph mill { barn -> well; barn -> well; { rank=same; mill; barn; } well -> mill; ",
            "{ rank=same; well; dam; mill; well; } { rank=min; dam; dam; } dam -> dam; }"
        ),
        valid: |input| ranks(input).is_some(),
        fails: |input| {
            let all = ranks(input).unwrap_or_default();
            all.iter().any(|(kind, nodes)| *kind == "same" && has_equals(nodes))
        },
        draw: |dice| {
            let edges = ["barn -> well;", "well -> mill;", "dam -> dam;", "barn -> well;", "dam;"];
            let mut parts = extras(dice, &edges);
            for _ in 0..1 + dice.below(3) {
                let nodes = names(dice, &["barn", "well", "mill", "dam", "da"], 4, 2).join("; ");
                let kind = one(dice, &["same", "same", "same", "same", "min", "max"]);
                parts.push(format!("{{ rank={kind}; {nodes}; }}"));
            }
            let name = one(dice, &["farm", "barn", "same"]);
            format!("digraph {name} {{ {} }}", shuffled(dice, parts).join(" "))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-sixth: css: a rule with a z-index from 1000 to 1999",
        grammar: "@css",
        input: concat!(
            ".menu, .z-1500 { z-index: 20; width: 1200px } p { top: 4px } #box { color: navy; ",
            "z-index: 1250; left: 2px; } .tip { z-index: 2000; order: 1500 }"
        ),
        valid: any,
        fails: |input| layers(input).iter().any(|layer| (1000..=1999).contains(layer)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, " ", |dice| {
                let others = ["width: 1200px", "order: 1500", "color: navy", "z-order: 1001"];
                let mut pairs = extras(dice, &others);
                if !rarely(dice, 7) {
                    pairs.push(format!("z-index: {}", near_range(dice, 1000, 1999, 9000)));
                }
                pairs.push(format!("top: {}px", dice.below(40)));
                let selector = one(dice, &["p", ".menu, .z-1500", "#box", "h1"]);
                let pairs = shuffled(dice, pairs).join("; ");
                format!("{selector} {{ {pairs}{} }}", one(dice, &["", ";"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-sixth: http: a request for a web socket without a Sec-WebSocket-Key",
        grammar: "@http",
        input: concat!(
            "GET /chat/Sec-WebSocket-Key?key=4 HTTP/1.1\r\nSec-WebSocket-Version: 13\r\n",
            "Host: chat.example.org\r\nUpgrade: websocket\r\nX-Key: Sec-WebSocket-Key\r\n",
            "Connection: Upgrade\r\n\r\n"
        ),
        valid: |input| headers(input).is_some(),
        fails: |input| {
            headers(input)
                .is_some_and(|names| !names.iter().any(|name| name == "sec-websocket-key"))
        },
        draw: |dice| {
            let others = [
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Protocol: chat",
                "X-Key: Sec-WebSocket-Key",
                "Connection: Upgrade",
                "Key: dGhlIHNhbXBsZQ==",
            ];
            let mut lines = extras(dice, &others);
            lines.push("Upgrade: websocket".to_owned());
            lines.push(format!("Host: {}", one(dice, &["chat.example.org", "localhost"])));
            if rarely(dice, 2) {
                let key = one(dice, &["dGhlIHNhbXBsZQ==", "x", "kelp4", "websocket"]);
                lines.push(format!("Sec-WebSocket-Key: {key}"));
            }
            let path = one(dice, &["", "chat", "Sec-WebSocket-Key", "chat?key=4"]);
            format!("GET /{path} HTTP/1.1\r\n{}\r\n\r\n", shuffled(dice, lines).join("\r\n"))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-sixth: toml: a task whose shell is fish, nu or pwsh",
        grammar: "@toml",
        input: concat!(
            "shell = \"fish\"\njobs = 4\n\n[lint]\nrun = \"nu\"\nshell = \"bash\"\n\n[pack]\n",
            "timeout = 40\nshell = \"pwsh\"\nrun = \"tar fish\"\n\n[nu]\nshell = \"sh\"\n"
        ),
        valid: |input| shells(input).is_some(),
        fails: |input| {
            let all = shells(input).unwrap_or_default();
            all.iter().any(|shell| ["fish", "nu", "pwsh"].contains(shell))
        },
        draw: |dice| {
            let mut text = extras(dice, &["shell = \"fish\"\n", "jobs = 4\n"]).concat();
            let tasks = ["lint", "pack", "nu", "shell"].map(str::to_owned).to_vec();
            let mut tasks = shuffled(dice, tasks);
            tasks.truncate(1 + dice.below(3));
            for task in tasks {
                let mut lines = extras(dice, &["run = \"tar fish\"\n", "timeout = 40\n"]);
                let shell = match dice.below(3) {
                    0 => one(dice, &["fish", "nu", "pwsh"]),
                    _ => one(dice, &["bash", "sh", "zsh", "nush", "fis", "pwsh7", ""]),
                };
                if !rarely(dice, 6) {
                    lines.push(format!("shell = \"{shell}\"\n"));
                }
                text += &format!("[{task}]\n{}", shuffled(dice, lines).concat());
            }
            text
        },
        patterns: &[],
    },
];
