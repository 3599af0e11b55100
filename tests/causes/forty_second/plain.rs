//! Causes in formats without a grammar: a shader, properties, a composition of services, a schema, a list of songs
//! and a page of text.

use super::{is_identifier, lexemes};
use crate::draws::{above, around, chance, extras, foreign, has_twins, picked, statements};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};
use seedsmith_grammar::Random;

/// The number in brackets after an attribute of a shader, and what comes after it.
fn attribute<'t>(text: &'t str, name: &str) -> Option<(u32, &'t str)> {
    let (number, rest) = text.strip_prefix(name)?.strip_prefix('(')?.split_once(')')?;
    Some((number.trim().parse().ok()?, rest.trim_start()))
}

/// Whether a text is a type of a shader, as `array<vec4f, 8>`.
fn is_type(text: &str) -> bool {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || "_<>, ".contains(c);
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(is_inside)
}

/// Whether a text declares a variable or a constant of a shader, without the keyword.
fn is_declaration(text: &str) -> bool {
    let parts = text.strip_suffix(';').and_then(|text| text.split_once(':'));
    parts.is_some_and(|(name, after)| {
        let (kind, value) = after.split_once('=').unwrap_or((after, "0"));
        is_identifier(name.trim()) && is_type(kind.trim()) && value.trim().parse::<f32>().is_ok()
    })
}

/// The bindings of a shader's variables.
fn bindings(input: &str) -> Option<Vec<u32>> {
    let mut found = Vec::new();
    for line in statements(input, "//") {
        if let Some(rest) = line.strip_prefix("const ") {
            is_declaration(rest).then_some(())?;
            continue;
        }
        let (_, rest) = attribute(line, "@group")?;
        let (binding, rest) = attribute(rest, "@binding")?;
        let spaces = ["var<uniform> ", "var<storage> ", "var<storage, read_write> ", "var "];
        let rest = spaces.iter().find_map(|space| rest.strip_prefix(space))?;
        is_declaration(rest).then(|| found.push(binding))?;
    }
    Some(found)
}

/// How many connections a pool has at least and at most.
fn pool(input: &str) -> Option<(u32, u32)> {
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for line in statements(input, "#") {
        let (key, value) = line.split_once('=')?;
        let key = Some(key.trim()).filter(|key| key.split('.').all(is_identifier))?;
        let is_new = pairs.iter().all(|(other, _)| *other != key);
        is_new.then(|| pairs.push((key, value.trim())))?;
    }
    let number = |wanted| pairs.iter().find(|(key, _)| *key == wanted)?.1.parse().ok();
    number("pool.min").zip(number("pool.max"))
}

/// Whether each service of a composition has an image; nothing if a line is odd.
fn have_images(input: &str) -> Option<Vec<bool>> {
    let (mut path, mut seen): ([&str; 3], Vec<[&str; 3]>) = ([""; 3], Vec::new());
    let lines = input.lines().map(str::trim_end);
    let is_said = |line: &&str| !line.is_empty() && !line.trim_start().starts_with('#');
    for line in lines.filter(is_said) {
        let text = line.trim_start_matches(' ');
        let depth = (line.len() - text.len()) / 2;
        if depth == 3 && text.starts_with("- ") && !path[2].is_empty() {
            continue;
        }
        let (key, value) = text.split_once(':')?;
        let is_value = value.is_empty() || value.starts_with(' ');
        let is_inside = depth < 3 && path[..depth].iter().all(|key| !key.is_empty());
        let is_right = is_identifier(&key.replace('-', "_")) && is_value && is_inside;
        (is_right && (line.len() - text.len()) % 2 == 0).then_some(())?;
        path[depth] = key;
        path[depth + 1..].fill("");
        (!seen.contains(&path)).then(|| seen.push(path))?;
    }
    let services = seen
        .iter()
        .filter(|[top, name, key]| *top == "services" && !name.is_empty() && key.is_empty());
    Some(services.map(|[top, name, _]| seen.contains(&[top, name, "image"])).collect())
}

/// The names of the fields of each message of a schema.
fn fields(input: &str) -> Option<Vec<Vec<&str>>> {
    let mut all: Vec<Vec<&str>> = Vec::new();
    let mut is_open = false;
    for line in statements(input, "//") {
        let line = line.split("//").next()?;
        match &lexemes(line, '"')?[..] {
            ["syntax", "=", _, ";"] if !is_open => {}
            ["message", name, "{"] if !is_open && is_identifier(name) => {
                all.push(Vec::new());
                is_open = true;
            }
            ["}"] if is_open => is_open = false,
            [kind, name, "=", number, ";"] | ["repeated", kind, name, "=", number, ";"]
                if is_open && is_identifier(kind) && is_identifier(name) =>
            {
                number.parse::<u32>().ok().filter(|number| *number > 0)?;
                all.last_mut()?.push(name);
            }
            _ => return None,
        }
    }
    (!is_open).then_some(all)
}

/// The paths of a list of songs; nothing if it is none.
fn songs(input: &str) -> Option<Vec<&str>> {
    let rest = input.strip_prefix("#EXTM3U\n")?;
    let infos = rest.lines().filter_map(|line| line.strip_prefix("#EXTINF:"));
    let is_info =
        |info: &str| info.split_once(',').is_some_and(|(time, _)| time.parse::<i32>().is_ok());
    infos.into_iter().all(is_info).then(|| statements(rest, "#").collect())
}

/// How wide a page is, and the lines on it.
fn page(input: &str) -> Option<(usize, Vec<&str>)> {
    let (head, body) = input.split_once("\n\n")?;
    let mut width = None;
    for line in head.lines() {
        match line.split_once(": ")? {
            ("width", value) => width = Some(value.parse().ok().filter(|width| *width > 0)?),
            ("align", "left" | "right" | "center") | ("title", _) => {}
            _ => return None,
        }
    }
    Some((width?, body.lines().collect()))
}

/// A line of words that is so long.
fn line(dice: &mut Random, length: usize) -> String {
    let mut text = String::new();
    while text.len() < length {
        text += &format!("{} ", word(dice, 7));
    }
    text.truncate(length);
    let end = text.trim_end().to_owned();
    format!("{end}{}", "s".repeat(length - end.len()))
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "forty-second: plain: shader: a binding from 16 to 31",
        grammar: "",
        input: concat!(
            "// lights of the scene\nconst LIGHTS: u32 = 24;\nconst BIAS: f32 = 0.05;\n\n",
            "@group(0) @binding(0) var<uniform> camera: Camera;\n@group(0) @binding(1) var shadow: texture_2d<f32>;\n",
            "@group(20) @binding(18) var<storage, read_write> lights: array<Light, 24>;\n",
            "@group(1) @binding(40) var<storage> bones: array<mat4x4f>;\n"
        ),
        valid: |input| bindings(input).is_some(),
        fails: |input| {
            bindings(input).is_some_and(|all| all.iter().any(|one| (16..32).contains(one)))
        },
        draw: |dice| {
            let others =
                ["// lights, 20\n", "const LIGHTS: u32 = 24;\n", "const BIAS: f32 = 0.05;\n"];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let binding = around(dice, [16, 31], 24);
                let group = [0, 1, 2, 20][dice.below(4)];
                let space = one(dice, &["<uniform>", "<storage>", "<storage, read_write>", ""]);
                let name = one(dice, &["camera", "lights", "bones", "shadow", "v16"]);
                let kind = one(dice, &["Camera", "array<Light, 24>", "texture_2d<f32>", "vec4f"]);
                lines.push(format!(
                    "@group({group}) @binding({binding}) var{space} {name}: {kind};\n"
                ));
            }
            shuffled(dice, lines).join(one(dice, &["", "\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-second: plain: properties: a pool.min above pool.max",
        grammar: "",
        input: concat!(
            "# database\ndb.host = localhost\ndb.port = 5432\ndb.name = shop\n\npool.min = 12\npool.idle = 3\n",
            "pool.max = 8\npool.timeout = 30\n# pool.max = 100\ncache.min = 1\ncache.max = 64\nlog.level = info\n"
        ),
        valid: |input| pool(input).is_some(),
        fails: |input| pool(input).is_some_and(|(min, max)| min > max),
        draw: |dice| {
            let max = [dice.below(10), dice.below(40), dice.below(900)][dice.below(3)];
            let min = above(dice, max, 50);
            let sign = one(dice, &[" = ", "=", " = "]);
            let others = [
                "db.port = 5432\n",
                "pool.idle = 3\n",
                "pool.timeout = 30\n",
                "# pool.max = 100\n",
                "cache.min = 1\n",
                "log.level = info\n",
                "\n",
            ];
            let mut lines = extras(dice, &others);
            lines.push(format!("pool.min{sign}{min}\n"));
            lines.push(format!("pool.max{sign}{max}\n"));
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-second: plain: yaml: compose: a service without an image",
        grammar: "",
        input: concat!(
            "version: 3\nservices:\n  web:\n    image: nginx\n    ports:\n      - 80\n      - 443\n",
            "  worker:\n    command: run --image\n    restart: always\n  # the last one\n  db:\n    restart: always\n",
            "    image: postgres\nvolumes:\n  data:\n    driver: local\n"
        ),
        valid: |input| have_images(input).is_some(),
        fails: |input| have_images(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let mut services = "services:\n".to_owned();
            for name in picked(dice, &["web", "worker", "db", "image", "cache-2"], 4, 0) {
                let others = [
                    "    restart: always\n",
                    "    ports:\n      - 80\n      - 443\n",
                    "    command: run image\n",
                    "    # image: none\n",
                    "    image-tag: 2\n",
                ];
                let mut lines = extras(dice, &others);
                if chance(dice, 78) {
                    lines.push(format!(
                        "    image: {}\n",
                        one(dice, &["nginx", "postgres", "redis:7"])
                    ));
                }
                services += &format!("  {name}:\n{}", shuffled(dice, lines).concat());
            }
            let others = ["version: 3\n", "volumes:\n  data:\n    driver: local\n", "image: web\n"];
            let mut parts = extras(dice, &others);
            parts.push(services);
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-second: plain: schema: a message with two fields of the same name",
        grammar: "",
        input: concat!(
            "syntax = \"proto3\";\n\n// a person\nmessage Person {\n  string name = 1;\n  int32 id = 2;\n",
            "  repeated string email = 3;\n}\n\nmessage Order {\n  int64 id = 1;\n  Person buyer = 2; // id\n",
            "  string note = 3;\n  repeated int32 id = 4;\n}\n\nmessage Empty {\n}\n"
        ),
        valid: |input| fields(input).is_some(),
        fails: |input| fields(input).is_some_and(|all| all.iter().any(|names| has_twins(names))),
        draw: |dice| {
            let start = one(dice, &["", "syntax = \"proto3\";\n\n"]);
            let count = 1 + dice.below(3);
            let messages = joined(dice, count, "\n", |dice| {
                let names = picked(dice, &["name", "id", "email", "note", "id2", "Name"], 4, 28);
                let name = one(dice, &["Person", "Order", "Item", "id"]);
                let mut text = format!("message {name} {{\n");
                for (at, name) in names.iter().enumerate() {
                    let kind = one(dice, &["string", "int32", "repeated int32", "Person"]);
                    let end = one(dice, &["", "", " // id"]);
                    text += &format!("  {kind} {name} = {};{end}\n", at + 1);
                }
                text + "}\n"
            });
            format!("{start}{messages}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-second: plain: playlist: a path with a character that is not ASCII",
        grammar: "",
        input: concat!(
            "#EXTM3U\n#EXTINF:215,Björk - Jóga\nmusic/bjork/joga.mp3\n\n#EXTINF:183,Nina Simone - Sinnerman\n",
            "music/nina/sinnerman.flac\n# the next one is new\n#EXTINF:-1,Sigur Ros - Hoppipolla\n",
            "music/sigur rós/hoppipolla.mp3\nhttp://radio.example/live?id=7\n"
        ),
        valid: |input| songs(input).is_some(),
        fails: |input| songs(input).is_some_and(|all| all.iter().any(|path| !path.is_ascii())),
        draw: |dice| {
            let mut text = "#EXTM3U\n".to_owned();
            for _ in 0..1 + dice.below(4) {
                if chance(dice, 70) {
                    let title = foreign(dice);
                    let title = one(dice, &["Nina Simone - Sinnerman", &title, "Björk - Jóga"]);
                    text += &format!("#EXTINF:{},{title}\n", dice.below(300) as i64 - 1);
                }
                let name = if chance(dice, 26) { foreign(dice) } else { word(dice, 8) };
                let [start, end] = [["music/", "", "a b/"], [".mp3", "/live?id=7", ".flac"]];
                text += &format!("{}{name}{}\n", one(dice, &start), one(dice, &end));
                text += one(dice, &["", "", "\n", "# próxima\n"]);
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-second: plain: page: a line exactly as long as the width",
        grammar: "",
        input: concat!(
            "title: A short notice\nwidth: 24\nalign: left\n\nThe library is closed\non Monday.\n\n",
            "Please bring your books\nback on the next morning\nor put them into the box at the door.\n\nThanks!\n"
        ),
        valid: |input| page(input).is_some(),
        fails: |input| {
            page(input)
                .is_some_and(|(width, all)| all.iter().any(|line| line.chars().count() == width))
        },
        draw: |dice| {
            let width = 3 + dice.below(28);
            let mut head = extras(dice, &["title: A short notice\n", "align: left\n"]);
            head.push(format!("width: {width}\n"));
            let mut text = format!("{}\n", shuffled(dice, head).concat());
            for _ in 0..1 + dice.below(5) {
                let other = 1 + dice.below(40);
                let sizes = [width, width + 1, width - 1, width - 1, width + 1, other, other];
                let length = sizes[dice.below(sizes.len())];
                text += &format!("{}\n{}", line(dice, length), one(dice, &["", "", "\n"]));
            }
            text
        },
        patterns: &[],
    },
];
