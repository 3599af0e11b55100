//! Causes with a range of values, and with two numbers that are compared: notes of a tune, a shader, prices
//! of a share, and places in a genome.

use crate::draws::{above, chance, extras};
use crate::readers::{is_digits, is_shown, number};
use crate::thirty_fourth::{is_variable, without_ends};
use crate::thirty_third::tokens;
use crate::thirty_third::values::{all, each, object};
use crate::two_sided::{TwoSided, joined, one, shuffled};
use seedsmith_grammar::Random;

/// The pitches of the notes of each track. A pitch and a velocity are a byte each.
fn pitches(input: &str) -> Option<Vec<Vec<u64>>> {
    let byte = |value: &serde_json::Value| value.as_u64().filter(|byte| *byte < 256);
    each(input, "tracks", |track| {
        track["name"].as_str()?;
        all(&track["notes"], |note| {
            note["ticks"].as_u64()?;
            byte(&note["velocity"])?;
            byte(&note["pitch"])
        })
    })
}

/// What comes after the attributes at the start of some tokens. The locations among them are noted.
fn attributes<'a, 't>(all: &'a [&'t str], found: &mut Vec<u32>) -> Option<&'a [&'t str]> {
    let mut rest = all;
    while let ["@", name, inner @ ..] = rest {
        rest = match (*name, inner) {
            ("location", ["(", at, ")", after @ ..]) => {
                found.push(number(at)?);
                after
            }
            ("group" | "binding" | "workgroup_size", ["(", at, ")", after @ ..]) => {
                number(at).map(|_| after)?
            }
            ("builtin", ["(", name, ")", after @ ..]) if is_variable(name) => after,
            ("vertex" | "fragment" | "compute", after) => after,
            _ => return None,
        };
    }
    Some(rest)
}

/// What comes after the type at the start of some tokens.
fn after_type<'a, 't>(all: &'a [&'t str]) -> Option<&'a [&'t str]> {
    let (name, rest) = all.split_first()?;
    is_variable(name).then_some(())?;
    let ["<", inner @ ..] = rest else { return Some(rest) };
    let mut rest = inner;
    loop {
        let is_number = number(rest.first()?).is_some();
        match if is_number { &rest[1..] } else { after_type(rest)? } {
            [">", after @ ..] => return Some(after),
            [",", after @ ..] => rest = after,
            _ => return None,
        }
    }
}

/// What comes after the members at the start of some tokens, and the sign that ends them.
fn after_members<'a, 't>(
    all: &'a [&'t str],
    end: &str,
    found: &mut Vec<u32>,
) -> Option<&'a [&'t str]> {
    let mut rest = all;
    while *rest.first()? != end {
        let [name, ":", kind @ ..] = attributes(rest, found)? else { return None };
        let after = after_type(kind).filter(|_| is_variable(name))?;
        let is_last = after.first() == Some(&end);
        rest = if is_last { after } else { after.strip_prefix(&[","])? };
    }
    Some(&rest[1..])
}

/// The locations in a shader.
fn locations(input: &str) -> Option<Vec<u32>> {
    let text = without_ends(input, "//");
    let (all, mut found) = (tokens(&text, "_.")?, Vec::new());
    let mut rest = &all[..];
    while !rest.is_empty() {
        match attributes(rest, &mut found)? {
            ["struct", name, "{", members @ ..] if is_variable(name) => {
                rest = after_members(members, "}", &mut found)?;
            }
            ["var", "<", after @ ..] => {
                let size = after.iter().position(|token| *token == ">")?;
                let [name, ":", kind @ ..] = &after[size + 1..] else { return None };
                rest = after_type(kind).filter(|_| is_variable(name))?.strip_prefix(&[";"])?;
            }
            ["const", name, "=", value, ";", after @ ..] if is_variable(name) => {
                rest = Some(after).filter(|_| value.parse::<f32>().is_ok())?;
            }
            ["fn", name, "(", members @ ..] if is_variable(name) => {
                let mut after = after_members(members, ")", &mut found)?;
                if let ["-", ">", kind @ ..] = after {
                    after = after_type(attributes(kind, &mut found)?)?;
                }
                let body = after.strip_prefix(&["{"])?;
                let size = body.iter().position(|token| *token == "}")?;
                let is_right = !body[..size].iter().any(|token| ["@", "{"].contains(token));
                rest = Some(&body[size + 1..]).filter(|_| is_right)?;
            }
            _ => return None,
        }
    }
    Some(found)
}

/// A price in cents.
fn cents(text: &str) -> Option<u32> {
    let (whole, part) = text.split_once('.')?;
    let is_right = part.len() == 2 && is_digits(part) && number(whole).is_some();
    text.replace('.', "").parse().ok().filter(|_| is_right)
}

/// The highest and the lowest price of each day.
fn days(input: &str) -> Option<Vec<(u32, u32)>> {
    let mut lines = input.strip_suffix('\n').unwrap_or(input).split('\n');
    (lines.next()? == "date,open,high,low,close,volume").then_some(())?;
    let days = lines.map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let [date, open, high, low, close, volume] = cells[..] else { return None };
        let is_date = date.len() == 10 && date.split('-').all(is_digits);
        number(volume).and(cents(open)).and(cents(close)).filter(|_| is_date)?;
        cents(high).zip(cents(low))
    });
    days.collect()
}

/// The start and the end of each feature of a genome.
fn features(input: &str) -> Option<Vec<(u32, u32)>> {
    let mut found = Vec::new();
    for line in input.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        is_shown(&line.replace('\t', " ")).then_some(())?;
        if line.starts_with("track ") || line.starts_with("browser ") {
            continue;
        }
        let columns: Vec<&str> = line.split('\t').collect();
        let [chromosome, start, end, others @ ..] = &columns[..] else { return None };
        let name = chromosome.strip_prefix("chr")?;
        let is_name =
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let is_right = others.iter().enumerate().all(|(at, text)| match at {
            0 => !text.is_empty(),
            1 => number(text).is_some_and(|score| score <= 1000),
            2 => ["+", "-", "."].contains(text),
            3 | 4 => number(text).is_some(),
            _ => false,
        });
        found.push(number(start).zip(number(end)).filter(|_| is_name && is_right)?);
    }
    Some(found)
}

/// The causes.
pub const RANGES: &[TwoSided] = &[
    TwoSided {
        name: "forty-eighth: json: tune: a note with a pitch of 128 or more",
        grammar: "@json",
        input: concat!(
            r#"{"title":"Étude 130","tempo":144,"division":480,"tracks":[{"name":"piano","channel":0,"notes":["#,
            r#"{"pitch":60,"velocity":100,"ticks":480},{"pitch":64,"velocity":127,"ticks":240},{"velocity":64,"#,
            r#""pitch":127,"ticks":960}]},{"name":"drums","channel":9,"notes":[{"pitch":36,"velocity":180,"ticks":"#,
            r#"120},{"ticks":120,"pitch":140,"velocity":90,"tie":true},{"pitch":42,"velocity":0,"ticks":1920}]},"#,
            r#"{"name":"rest","notes":[]}]}"#
        ),
        valid: |input| pitches(input).is_some(),
        fails: |input| {
            let all = pitches(input).unwrap_or_default();
            all.concat().iter().any(|pitch| *pitch >= 128)
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let tracks = joined(dice, count, ",", |dice| {
                let count = dice.below(5);
                let notes = joined(dice, count, ",", |dice| {
                    let high = [128, 129, 255, 128 + dice.below(128)][dice.below(4)];
                    let usual = [127, 126, 36, 21 + dice.below(88), dice.below(128)];
                    let pitch = if chance(dice, 13) { high } else { usual[dice.below(5)] };
                    let velocity = [0, 64, 127, 128, dice.below(256)][dice.below(5)];
                    let ticks = one(dice, &["60", "120", "240", "480", "1920"]);
                    let pairs = [
                        format!("\"pitch\":{pitch}"),
                        format!("\"velocity\":{velocity}"),
                        format!("\"ticks\":{ticks}"),
                    ];
                    object(dice, &pairs, &["\"tie\":true", "\"lyric\":\"la\"", "\"start\":960"])
                });
                let name = one(dice, &["piano", "drums", "bass", "choir aahs"]);
                let pairs = [format!("\"name\":\"{name}\""), format!("\"notes\":[{notes}]")];
                object(dice, &pairs, &["\"channel\":9", "\"program\":128", "\"mute\":false"])
            });
            let others = ["\"title\":\"Étude 130\"", "\"tempo\":144", "\"division\":480"];
            object(dice, &[format!("\"tracks\":[{tracks}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-eighth: plain: wgsl: a @location of 16 or more",
        grammar: "",
        input: concat!(
            "// Instanced sprites.\nstruct Camera {\n  view: mat4x4<f32>,\n  lights: array<vec4<f32>, 32>,\n}\n\n",
            "struct Instance {\n  @location(0) position: vec2<f32>,\n  @location(5) tint: vec4<f32>,\n",
            "  @location(17) layer: u32, // the last one\n}\n\n@group(0) @binding(0) var<uniform> camera: Camera;\n",
            "@group(1) @binding(20) var<storage, read> tints: array<vec4<f32>>;\n\n@vertex\n",
            "fn vs_main(in: Instance, @builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {\n",
            "  let corner = vec2<f32>(0.5, 16.0);\n  return camera.view * vec4<f32>(corner, 0.0, 1.0);\n}\n\n",
            "@fragment\nfn fs_main(@location(1) uv: vec2<f32>) -> @location(0) vec4<f32> {\n  return tints[20];\n}\n"
        ),
        valid: |input| locations(input).is_some(),
        fails: |input| locations(input).is_some_and(|all| all.iter().any(|at| *at >= 16)),
        draw: |dice| {
            let location = |dice: &mut Random| {
                let high = [16, 16, 17, 16 + dice.below(48)][dice.below(4)];
                let usual = [0, 1, 15, dice.below(16), dice.below(8)];
                let at = if chance(dice, 11) { high } else { usual[dice.below(5)] };
                format!("@location({at})")
            };
            let others = [
                "struct Camera {\n  view: mat4x4<f32>,\n  lights: array<vec4<f32>, 32>,\n}\n",
                "@group(0) @binding(0) var<uniform> camera: Camera;\n",
                "@group(1) @binding(20) var<storage, read> tints: array<vec4<f32>>;\n",
                "const SIZE = 16.0;\n",
                "// One per instance.\n",
                "@compute @workgroup_size(64)\nfn cull(@builtin(global_invocation_id) id: vec3<u32>) {\n  return;\n}\n",
            ];
            let mut parts = extras(dice, &others);
            for name in ["VertexIn", "Instance", "VertexOut"] {
                if chance(dice, 40) {
                    continue;
                }
                let mut members = extras(dice, &["@builtin(position) clip: vec4<f32>"]);
                for field in ["pos", "normal", "uv", "tint"] {
                    if chance(dice, 50) {
                        let kind = one(dice, &["vec2<f32>", "vec4<f32>", "u32", "vec3<f32>"]);
                        members.push(format!("{} {field}: {kind}", location(dice)));
                    }
                }
                members.push("layer: u32".to_owned());
                let members = members.join(",\n  ");
                parts.push(format!("struct {name} {{\n  {members}{}\n}}\n", one(dice, &["", ","])));
            }
            if chance(dice, 60) {
                let [at, out] = [location(dice), location(dice)];
                parts.push(format!(
                    "@fragment\nfn fs_main({at} uv: vec2<f32>) -> {out} vec4<f32> {{\n  let a = uv.x * 16.0;\n  return vec4<f32>(uv, a, 1.0);\n}}\n"
                ));
            }
            shuffled(dice, parts).join(one(dice, &["", "\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-eighth: csv: share: a day whose low is above its high",
        grammar: "@csv",
        input: concat!(
            "date,open,high,low,close,volume\n2024-03-01,100.10,102.55,99.80,101.00,412000\n",
            "2024-03-04,101.00,101.00,101.00,101.00,0\n2024-03-05,101.20,99.95,100.40,99.90,388120\n",
            "2024-03-06,103.00,100.75,98.60,100.75,91500\n2024-03-07,98.00,9.99,9.05,9.10,1204\n"
        ),
        valid: |input| days(input).is_some(),
        fails: |input| days(input).is_some_and(|all| all.iter().any(|(high, low)| low > high)),
        draw: |dice| {
            let mut text = "date,open,high,low,close,volume\n".to_owned();
            let middle = [900, 9_950, 25_000][dice.below(3)];
            for _ in 0..1 + dice.below(6) {
                let price = |cents: usize| format!("{}.{:02}", cents / 100, cents % 100);
                let mut near = || middle + dice.below(300);
                let [high, open, close, step] = [near(), near(), near(), near()];
                let low = match dice.below(16) {
                    0 | 1 => high + 1 + (step - middle),
                    2 => high + 1,
                    3 => high,
                    _ => high - 1 - (step - middle),
                };
                let day = 10 + dice.below(19);
                let prices = [open, high, low, close].map(price).join(",");
                text += &format!("2024-03-{day},{prices},{}\n", dice.below(500_000));
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-eighth: plain: bed: a feature that starts after its end",
        grammar: "",
        input: concat!(
            "browser position chr7:127471196-127495720\n# chr7\t900\t100\n",
            "track name=pairs description=\"Clones 9 to 4\"\nchr7\t127471196\t127472363\tPos1\t0\t+\n",
            "chr7\t127472363\t127473530\tPos2\t960\t-\t127473000\t127472400\nchrX\t5000\t5000\tsite\n",
            "chr22\t20000\t19750\tcloneB\t900\t-\nchr22_random\t1000\t5000\n"
        ),
        valid: |input| features(input).is_some(),
        fails: |input| {
            features(input).is_some_and(|all| all.iter().any(|(start, end)| start > end))
        },
        draw: |dice| {
            let others = [
                "browser position chr7:127471196-127495720\n",
                "# chr7\t900\t100\n",
                "track name=pairs description=\"Clones 9 to 4\"\n",
            ];
            let mut text = extras(dice, &others).concat();
            for _ in 0..1 + dice.below(5) {
                let end = [dice.below(900), 5_000 + dice.below(20_000), 127_471_196][dice.below(3)];
                let start = above(dice, end, 18);
                let place = |dice: &mut _| {
                    let at: &str = one(dice, &["0", "5100", "127471300"]);
                    at.to_owned()
                };
                let columns = [
                    one(dice, &["Pos1", "cloneB", "site", "5000"]).to_owned(),
                    one(dice, &["0", "960", "1000"]).to_owned(),
                    one(dice, &["+", "-", "."]).to_owned(),
                    place(dice),
                    place(dice),
                ];
                let columns = columns[..[0, 1, 3, 5][dice.below(4)]].iter();
                let columns: String = columns.map(|column| format!("\t{column}")).collect();
                let name = one(dice, &["chr7", "chrX", "chr22", "chr22_random"]);
                text += &format!("{name}\t{start}\t{end}{columns}\n");
            }
            text
        },
        patterns: &[],
    },
];
