//! Causes in four formats: CSV, TOML, INI and URL.

use crate::draws::{above, chance, extras, has_twins, link, picked, steps};
use crate::readers::{
    are_in_order, is_name, is_shown, number, query_of, sections, toml_statements,
};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, one, shuffled};

/// How many cars are on each trip of a ferry, and for how many there is room.
fn trips(input: &str) -> Option<Vec<(u32, u32)>> {
    let mut lines = input.strip_suffix('\n').unwrap_or(input).split('\n');
    (lines.next()? == "trip,from,cars,room,note").then_some(())?;
    let trips = lines.map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let [trip, from, cars, room, note] = cells[..] else { return None };
        let are_right = number(trip).is_some() && is_name(from) && is_shown(note);
        let is_right = are_right && !note.contains('"');
        Some((number(cars)?, number(room)?)).filter(|_| is_right)
    });
    trips.collect()
}

/// Whether some tokens are a value of a setting: a text, a number, true or false, or a list of texts. The last
/// text of a list may have a comma after it.
fn is_setting(value: &[&str]) -> bool {
    match value {
        [one] => is_text(one) || number(one).is_some() || ["true", "false"].contains(one),
        ["[", "]"] => true,
        ["[", inner @ .., "]"] => {
            let inner = inner.strip_suffix(&[","]).unwrap_or(inner);
            let mut parts = inner.split(|token| *token == ",");
            parts.all(|part| matches!(part, [text] if is_text(text)))
        }
        _ => false,
    }
}

/// Whether each package of a lock file has a checksum.
fn have_checksums(input: &str) -> Option<Vec<bool>> {
    let statements = toml_statements(input)?;
    let mut tables = vec![("", Vec::new())];
    for statement in &statements {
        match &tokens(statement, "_-")?[..] {
            [] => {}
            ["[", "[", "package", "]", "]"] => tables.push(("package", Vec::new())),
            ["[", name, "]"] if is_name(name) => tables.push(("", vec![format!("[{name}]")])),
            [key, "=", value @ ..] if is_name(key) && is_setting(value) => {
                let keys = &mut tables.last_mut()?.1;
                (!keys.contains(&key.to_string())).then(|| keys.push(key.to_string()))?;
            }
            _ => return None,
        }
    }
    let others = tables.iter().filter(|(name, keys)| name.is_empty() && !keys.is_empty());
    let names: Vec<&String> = others.map(|(_, keys)| &keys[0]).collect();
    (!has_twins(&names)).then_some(())?;
    let packages = tables.iter().filter(|(name, _)| *name == "package").map(|(_, keys)| {
        let has = |wanted: &str| keys.iter().any(|key| key == wanted);
        has("name").then(|| has("checksum"))
    });
    packages.collect()
}

/// The steps of each program that waters a garden, which is a section.
fn programs(input: &str) -> Option<Vec<Vec<&str>>> {
    let all = sections(input)?;
    let programs = all[1..].iter().map(|(_, pairs)| {
        let (_, steps) = pairs.iter().find(|(key, _)| *key == "steps")?;
        let steps: Vec<&str> = steps.split(',').map(|step| step.trim_matches(' ')).collect();
        steps.iter().all(|step| is_name(step)).then_some(steps)
    });
    programs.collect()
}

/// The format that a link asks for, if it asks for one.
fn format_of(input: &str) -> Option<Option<&str>> {
    match query_of(input)?.into_iter().find(|(key, _)| *key == "format") {
        Some((_, format)) => is_name(format).then_some(Some(format)),
        None => Some(None),
    }
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "thirty-ninth: csv: ferry: a trip with more cars than room for them",
        grammar: "@csv",
        input: concat!(
            "trip,from,cars,room,note\n4,oban,38,40,room for 2\n12,craignure,40,40,full\n",
            "7,mallaig,0,16,900 birds\n90,oban,43,40,cars 43 and a van\n15,tiree,9,12,\n",
            "6,armadale,12,60,late\n"
        ),
        valid: |input| trips(input).is_some(),
        fails: |input| trips(input).is_some_and(|all| all.iter().any(|(cars, room)| cars > room)),
        draw: |dice| {
            let mut text = "trip,from,cars,room,note\n".to_owned();
            for _ in 0..1 + dice.below(5) {
                let room = [12, 40, 1 + dice.below(90)][dice.below(3)];
                let cars = above(dice, room, 22);
                let trip = 1 + dice.below(90);
                let from = one(dice, &["oban", "craignure", "mallaig", "tiree"]);
                let note = one(dice, &["", "full", "room for 2", "900 birds", "late"]);
                text += &format!("{trip},{from},{cars},{room},{note}\n");
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-ninth: toml: lock file: a package without a checksum",
        grammar: "@toml",
        input: concat!(
            "# checksum = \"7f3a\"\nversion = 4\nchecksum = \"e0\"\n\n[[package]]\nname = \"owl\"\n",
            "version = \"1.4.0\"\nchecksum = \"c04e\"\n\n[[package]]\nversion = \"0.9.2\"\n",
            "name = \"checksum\"\ndependencies = [\n  \"checksum\",\n  \"owl\", # checksum = 4\n]\n\n",
            "[metadata]\nkind = \"checksum\"\n\n[[package]]\nchecksum = \"\"\nname = \"nest\"\n"
        ),
        valid: |input| have_checksums(input).is_some(),
        fails: |input| have_checksums(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let others = ["# checksum = \"7f3a\"\n", "version = 4\n", "checksum = \"e0\"\n"];
            let start = extras(dice, &others).concat();
            let others = ["[metadata]\nkind = \"checksum\"\n", "[patch]\nowl = \"1.4.0\"\n"];
            let mut tables = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let others = [
                    "version = \"1.4.0\"\n",
                    "dependencies = [\n  \"checksum\",\n  \"owl\", # checksum = 4\n]\n",
                    "source = \"checksum\"\n",
                    "checksum-old = \"9b\"\n",
                    "# checksum = \"9b\"\n",
                ];
                let mut pairs = extras(dice, &others);
                let name = one(dice, &["owl", "checksum", "nest", "egg-2"]);
                pairs.push(format!("name = \"{name}\"\n"));
                if chance(dice, 72) {
                    let checksum = one(dice, &["7f3a", "c04e", "9b", ""]);
                    pairs.push(format!("checksum = \"{checksum}\"\n"));
                }
                tables.push(format!("[[package]]\n{}", shuffled(dice, pairs).concat()));
            }
            let tables = shuffled(dice, tables).join(one(dice, &["", "\n"]));
            format!("{start}{tables}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-ninth: ini: garden: a program that flushes, then feeds, and then drains",
        grammar: "@ini",
        input: concat!(
            "name=flush, feed, drain\npump=feed\nlast=drain\n\n[lawn]\nsteps=feed, flush, drain\nat=600\n\n",
            "[flush]\nnote=feed, then drain\nsteps=soak,flush\nat=drain\n\n[roses]\nat=2100\n",
            "steps=feed, flush, soak, drain-half, feed, wait, drain\nnext=lawn\n\n[beans]\nsteps=drain\n"
        ),
        valid: |input| programs(input).is_some(),
        fails: |input| {
            let all = programs(input).unwrap_or_default();
            all.iter().any(|steps| are_in_order(steps, &["flush", "feed", "drain"]))
        },
        draw: |dice| {
            let others = ["name=flush, feed, drain\n", "pump=feed\n", "last=drain\n", "\n"];
            let start = extras(dice, &others).concat();
            let mut programs = picked(dice, &["lawn", "flush", "roses", "beans"], 2, 0);
            for program in &mut programs {
                let others = ["soak", "wait", "drain-half", "flush", "feed", "drain"];
                let mut all = steps(dice, ["flush", "feed", "drain"], &others);
                if chance(dice, 50) {
                    all.remove(dice.below(all.len()));
                }
                let all = all.join(one(dice, &[", ", ","]));
                let others = ["note=feed, then drain\n", "at=600\n", "next=flush\n", "end=drain\n"];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("steps={all}\n"));
                *program = format!("[{program}]\n{}", shuffled(dice, pairs).concat());
            }
            format!("{start}{}", programs.join(one(dice, &["", "\n"])))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-ninth: url: export: a link with the format pdf, odt or epub",
        grammar: "@url",
        input: concat!(
            "https://docs.pdf.owl.example/export/epub/report-4.odt?page=12&from=odt&",
            "output-format=pdf&sizes=a4,a5&format=odt&name=bird.epub&color=no#format=pdf"
        ),
        valid: |input| format_of(input).is_some(),
        fails: |input| {
            let format = format_of(input).flatten();
            format.is_some_and(|format| ["pdf", "odt", "epub"].contains(&format))
        },
        draw: |dice| {
            let others = [
                "page=12",
                "from=odt",
                "output-format=pdf",
                "sizes=a4,a5",
                "name=bird.epub",
                "color=no",
            ];
            let mut pairs = extras(dice, &others);
            if chance(dice, 94) {
                let format = match chance(dice, 54) {
                    true => one(dice, &["pdf", "odt", "epub"]),
                    false => one(dice, &["html", "txt", "docx", "pdf-a", "ods", "epub3", "md"]),
                };
                pairs.push(format!("format={format}"));
            }
            let paths = ["", "export/epub/report-4.odt", "pdf", "export"];
            let ends = ["", "", "#format=pdf", "#top"];
            link(dice, pairs, ["docs.pdf.owl.example", "owl.example"], (&paths, &ends))
        },
        patterns: &[],
    },
];
