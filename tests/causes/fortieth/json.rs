//! Causes in JSON: cheeses, schemas, apps, bookmarks, crystals, boats, parts of a program and sprites.

use seedsmith_grammar::Random;
use serde_json::Value;

use crate::draws::{are_uneven, around, chance, counted, extras, foreign, lengths, picked};
use crate::readers::{has_short_numbers, is_json, numbers, signed_decimals};
use crate::thirty_third::values::{all, each, object, text, texts};
use crate::two_sided::{TwoSided, joined, one, read_json, shuffled, word};

/// For how many days each wheel of cheese has aged.
fn ages(input: &str) -> Option<Vec<u64>> {
    each(input, "wheels", |wheel| {
        wheel["milk"].as_str()?;
        wheel["days"].as_u64()
    })
}

/// How deep allOf and anyOf are in each other in a schema. A not, items and properties have other schemas
/// in them, too.
fn combined(schema: &Value) -> Option<usize> {
    let mut deepest = 0;
    for (key, value) in schema.as_object()? {
        let depth = match &key[..] {
            "allOf" | "anyOf" => {
                let parts = all(value, combined).filter(|parts| !parts.is_empty())?;
                1 + parts.into_iter().max()?
            }
            "not" | "items" => combined(value)?,
            "properties" => {
                let parts = value.as_object()?.values().map(combined);
                parts.collect::<Option<Vec<usize>>>()?.into_iter().max().unwrap_or(0)
            }
            "type" | "title" | "pattern" => value.as_str().map(|_| 0)?,
            "minimum" | "maxLength" => value.as_u64().map(|_| 0)?,
            "required" | "enum" => all(value, text).map(|_| 0)?,
            _ => return None,
        };
        deepest = deepest.max(depth);
    }
    Some(deepest)
}

/// How deep allOf and anyOf are in each other in an input.
fn schema_depth(input: &str) -> Option<usize> {
    let is_right = is_json(input) && has_short_numbers(input);
    combined(&read_json(input)).filter(|_| is_right)
}

/// Whether each icon of an app has sizes.
fn have_sizes(input: &str) -> Option<Vec<bool>> {
    each(input, "icons", |icon| {
        icon["src"].as_str()?;
        let sizes = icon.get("sizes");
        sizes.is_none_or(Value::is_string).then_some(sizes.is_some())
    })
}

/// The titles of some bookmarks.
fn titles(input: &str) -> Option<Vec<String>> {
    each(input, "bookmarks", |bookmark| {
        bookmark["url"].as_str()?;
        text(&bookmark["title"])
    })
}

/// The site of each atom of a crystal: whether each of its three numbers is negative, and how many
/// decimals it has. The last decimal of a number has to say something.
fn sites(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let is_short = |number: &&str| !number.contains('.') || !number.ends_with('0');
    numbers(input).iter().all(is_short).then_some(())?;
    each(input, "atoms", |atom| {
        atom["element"].as_str()?;
        let site = all(&atom["site"], |value| signed_decimals(&value.as_number()?.to_string()));
        site.filter(|site| site.len() == 3)
    })
}

/// Whether a number is negative, and a number (maybe the same one) has exactly two decimals.
fn are_negative_and_in_cents(numbers: &[(bool, usize)]) -> bool {
    let is_in_cents = numbers.iter().any(|(_, decimals)| *decimals == 2);
    is_in_cents && numbers.iter().any(|(is_negative, _)| *is_negative)
}

/// A number that is not zero, maybe negative, and often with two decimals. The last decimal is not zero.
fn share(dice: &mut Random) -> String {
    let sign = if chance(dice, 25) { "-" } else { "" };
    let whole = [0, 0, dice.below(12)][dice.below(3)];
    let last = 1 + dice.below(9);
    match [0, 0, 1, 1, 2, 2, 3][dice.below(7)] {
        0 => format!("{sign}{}", whole + 1),
        1 => format!("{sign}{whole}.{last}"),
        2 => format!("{sign}{whole}.{}{last}", dice.below(10)),
        _ => format!("{sign}{whole}.{}{last}", 10 + dice.below(90)),
    }
}

/// How many oars each boat has, and how many rowers.
fn crews(input: &str) -> Option<Vec<(u64, usize)>> {
    each(input, "boats", |boat| {
        boat["name"].as_str()?;
        Some((boat["oars"].as_u64()?, all(&boat["rowers"], text)?.len()))
    })
}

/// The license of each component of a program.
fn licenses(input: &str) -> Option<Vec<String>> {
    each(input, "components", |component| {
        component["name"].as_str()?;
        text(&component["license"])
    })
}

/// How many pixels the rows of each sprite have.
fn pixels(input: &str) -> Option<Vec<Vec<usize>>> {
    each(input, "sprites", |sprite| {
        sprite["name"].as_str()?;
        all(&sprite["pixels"], |row| {
            let is_pixel = |pixel: &Value| pixel.is_u64() || pixel.is_null();
            row.as_array().filter(|row| row.iter().all(is_pixel)).map(Vec::len)
        })
    })
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "fortieth: json: cheese: a wheel that has aged for 60 to 89 days",
        grammar: "@json",
        input: concat!(
            r#"{"dairy":"days 60 to 89","days":75,"wheels":[{"milk":"goat","days":90,"kg":4},{"turned":61,"#,
            r#""days":59,"milk":"ewe"},{"kg":70,"milk":"cow","rind":{"days":80},"days":412},{"days":73,"#,
            r#""milk":"days","shelf":"b-66"},{"milk":"cow","days":0}],"washed":[62,84]}"#
        ),
        valid: |input| ages(input).is_some(),
        fails: |input| {
            ages(input).is_some_and(|all| all.iter().any(|days| (60..90).contains(days)))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let wheels = joined(dice, count, ",", |dice| {
                let days = around(dice, [60, 89], 24);
                let milk = one(dice, &["goat", "ewe", "cow", "days"]);
                let pairs = [format!("\"milk\":\"{milk}\""), format!("\"days\":{days}")];
                let others = ["\"kg\":70", "\"turned\":61", "\"rind\":{\"days\":80}"];
                object(dice, &pairs, &others)
            });
            let others = ["\"dairy\":\"days 60 to 89\"", "\"days\":75", "\"washed\":[62,84]"];
            object(dice, &[format!("\"wheels\":[{wheels}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "fortieth: json: validator: allOf and anyOf in each other, five deep or more",
        grammar: "@json",
        input: concat!(
            r#"{"title":"allOf anyOf","type":"object","properties":{"owl":{"anyOf":[{"type":"null"},{"#,
            r#""allOf":[{"minimum":4}]}]},"nest":{"allOf":[{"required":["anyOf"]},{"title":"eggs","anyOf":[{"#,
            r#""type":"string"},{"not":{"anyOf":[{"maxLength":12},{"items":{"allOf":[{"type":"array"},{"#,
            r#""anyOf":[{"enum":["allOf"]}]}]}}]}}]}]}}}"#
        ),
        valid: |input| schema_depth(input).is_some(),
        fails: |input| schema_depth(input).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let leaves = [
                "{\"type\":\"null\"}",
                "{\"minimum\":4}",
                "{\"enum\":[\"allOf\"]}",
                "{\"anyOf\":[{\"maxLength\":12}]}",
            ];
            let mut part =
                one(dice, &["{}", "{\"type\":\"string\"}", "{\"minimum\":0}"]).to_owned();
            for _ in 0..3 + dice.below(5) {
                let mut inner = extras(dice, &leaves);
                inner.truncate(2);
                inner.push(part.clone());
                let inner = shuffled(dice, inner).join(",");
                let pair = match dice.below(6) {
                    0 => format!("\"not\":{part}"),
                    1 => format!("\"properties\":{{\"owl\":{part}}}"),
                    2 | 3 => format!("\"allOf\":[{inner}]"),
                    _ => format!("\"anyOf\":[{inner}]"),
                };
                let others = ["\"title\":\"anyOf\"", "\"required\":[\"allOf\"]"];
                part = object(dice, &[pair], &others);
            }
            let others = [
                "\"eggs\":{\"allOf\":[{\"anyOf\":[{\"minimum\":4}]}]}",
                "\"nest\":{\"title\":\"allOf anyOf\"}",
            ];
            let inner = object(dice, &[format!("\"top\":{part}")], &others);
            object(dice, &[format!("\"properties\":{inner}")], &["\"type\":\"object\""])
        },
        patterns: &[],
    },
    TwoSided {
        name: "fortieth: json: app: an icon without sizes",
        grammar: "@json",
        input: concat!(
            r#"{"name":"sizes","sizes":"48x48","icons":[{"src":"owl.png","sizes":"48x48"},{"sizes":"any","#,
            r#""type":"svg","src":"sizes.svg"},{"src":"nest.png","purpose":"sizes","size":"96x96"},{"#,
            r#""purpose":"any","src":"owl-2.png","sizes":""}],"screenshots":[{"src":"a.png"},{"src":"b.png","#,
            r#""sizes":"640x480"}],"display":"standalone"}"#
        ),
        valid: |input| have_sizes(input).is_some(),
        fails: |input| have_sizes(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let icons = joined(dice, count, ",", |dice| {
                let src = one(dice, &["owl.png", "sizes.svg", "nest.png"]);
                let mut pairs = vec![format!("\"src\":\"{src}\"")];
                if chance(dice, 76) {
                    let sizes = one(dice, &["48x48", "any", "96x96 192x192", ""]);
                    pairs.push(format!("\"sizes\":\"{sizes}\""));
                }
                let others = ["\"purpose\":\"sizes\"", "\"size\":\"96x96\"", "\"type\":\"svg\""];
                object(dice, &pairs, &others)
            });
            let others = [
                "\"name\":\"sizes\"",
                "\"sizes\":\"48x48\"",
                "\"screenshots\":[{\"src\":\"a.png\"}]",
                "\"display\":\"standalone\"",
            ];
            object(dice, &[format!("\"icons\":[{icons}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "fortieth: json: bookmarks: a title with a character that is not ASCII",
        grammar: "@json",
        input: concat!(
            r#"{"profile":"Zoë","title":"Lesezeichen für Zoë","bookmarks":[{"title":"Owls of Oslo","url":"#,
            r#""https://owl.example/å"},{"url":"https://nest.example/","tags":["größe"],"title":"Nests (4)","#,
            r#""folder":"Vögel"},{"added":412,"title":"Ein Kauz im März","url":"https://kauz.example/"},{"#,
            r#""url":"","title":""}],"folders":["Vögel","news"]}"#
        ),
        valid: |input| titles(input).is_some(),
        fails: |input| titles(input).is_some_and(|all| all.iter().any(|title| !title.is_ascii())),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let bookmarks = joined(dice, count, ",", |dice| {
                let title = match dice.below(12) {
                    0 => foreign(dice),
                    1 => format!("The {}", foreign(dice)),
                    2 => format!("{} ({})", foreign(dice), word(dice, 4)),
                    3..6 => one(dice, &["Owls of Oslo", "", "Nests (4)"]).to_owned(),
                    count => joined(dice, count / 4, " ", |dice| word(dice, 8)),
                };
                let url = one(dice, &["https://owl.example/å", "https://nest.example/", ""]);
                let pairs = [format!("\"title\":\"{title}\""), format!("\"url\":\"{url}\"")];
                let others = ["\"tags\":[\"größe\"]", "\"folder\":\"Vögel\"", "\"added\":412"];
                object(dice, &pairs, &others)
            });
            let others =
                ["\"profile\":\"Zoë\"", "\"title\":\"Für Zoë\"", "\"folders\":[\"Vögel\"]"];
            object(dice, &[format!("\"bookmarks\":[{bookmarks}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "fortieth: json: crystal: an atom whose site has a negative number and one of exactly ",
            "two decimals"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"crystal":"-0.25","cell":[-4,5.64,90],"site":[-1,0.25,2],"atoms":[{"element":"Na","site":"#,
            r#"[0.25,0.75,1.5]},{"site":[-0.5,1,0.125],"mass":22.99,"element":"Cl"},{"charge":-1,"element":"#,
            r#""Cl","site":[0.75,2,-0.5]},{"element":"Na","site":[3,0.5,1],"spin":{"axis":[-1,0.25]}}]}"#
        ),
        valid: |input| sites(input).is_some(),
        fails: |input| {
            sites(input).is_some_and(|all| all.iter().any(|site| are_negative_and_in_cents(site)))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let atoms = joined(dice, count, ",", |dice| {
                let element = one(dice, &["Na", "Cl", "-0.25"]);
                let site = joined(dice, 3, ",", share);
                let pairs = [format!("\"element\":\"{element}\""), format!("\"site\":[{site}]")];
                let others = ["\"mass\":22.99", "\"charge\":-1", "\"spin\":{\"axis\":[-1,0.25]}"];
                object(dice, &pairs, &others)
            });
            let others = ["\"crystal\":\"-0.25\"", "\"cell\":[-4,5.64,90]", "\"site\":[-1,0.25,2]"];
            object(dice, &[format!("\"atoms\":[{atoms}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "fortieth: json: regatta: a boat with exactly as many rowers as oars",
        grammar: "@json",
        input: concat!(
            r#"{"race":"oars 4","oars":1,"rowers":["ada"],"boats":[{"name":"Owl","oars":4,"rowers":["ada","bo"]},"#,
            r#"{"rowers":["eve","cy","oars"],"seats":["a","b"],"name":"Wren","oars":3},{"name":"Rook","cox":"bo","#,
            r#""oars":8,"rowers":["dan","fay","gus"]},{"oars":2,"lane":1,"rowers":[],"name":"rowers"}]}"#
        ),
        valid: |input| crews(input).is_some(),
        fails: |input| {
            let all = crews(input).unwrap_or_default();
            all.iter().any(|(oars, count)| *oars == *count as u64)
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let boats = joined(dice, count, ",", |dice| {
                let mut rowers = picked(dice, &["ada", "bo", "cy", "eve", "oars", "gus"], 6, 0);
                if chance(dice, 10) {
                    rowers.clear();
                }
                let oars = counted(dice, rowers.len(), 22);
                let name = one(dice, &["Owl", "Wren", "Rook", "rowers"]);
                let pairs = [
                    format!("\"name\":\"{name}\""),
                    format!("\"oars\":{oars}"),
                    format!("\"rowers\":{}", texts(&rowers)),
                ];
                object(dice, &pairs, &["\"seats\":[\"a\",\"b\"]", "\"cox\":\"bo\"", "\"lane\":1"])
            });
            let others = ["\"race\":\"oars 4\"", "\"oars\":1", "\"rowers\":[\"ada\"]"];
            object(dice, &[format!("\"boats\":[{boats}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "fortieth: json: bill of materials: a component whose license is gpl-3.0, agpl-3.0 or ",
            "sspl-1.0"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"license":"gpl-3.0","tool":"sspl-1.0","components":[{"name":"owl","version":"3.0","license":"#,
            r#""mit"},{"license":"lgpl-3.0","name":"gpl-3.0","declared":"agpl-3.0"},{"name":"nest","hash":"#,
            r#""7f3a","license":"agpl-3.0","version":"1.0"},{"license":"gpl-2.0","name":"egg","parents":["#,
            r#""sspl-1.0"]}],"serial":412}"#
        ),
        valid: |input| licenses(input).is_some(),
        fails: |input| {
            let all = licenses(input).unwrap_or_default();
            all.iter().any(|license| ["gpl-3.0", "agpl-3.0", "sspl-1.0"].contains(&&license[..]))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let components = joined(dice, count, ",", |dice| {
                let license = match chance(dice, 24) {
                    true => one(dice, &["gpl-3.0", "agpl-3.0", "sspl-1.0"]),
                    false => {
                        one(dice, &["mit", "gpl-2.0", "lgpl-3.0", "apache-2.0", "zlib", "gpl"])
                    }
                };
                let name = one(dice, &["owl", "nest", "egg", "gpl-3.0"]);
                let pairs = [format!("\"name\":\"{name}\""), format!("\"license\":\"{license}\"")];
                let others = [
                    "\"version\":\"3.0\"",
                    "\"declared\":\"agpl-3.0\"",
                    "\"parents\":[\"sspl-1.0\"]",
                ];
                object(dice, &pairs, &others)
            });
            let others = ["\"license\":\"gpl-3.0\"", "\"tool\":\"sspl-1.0\"", "\"serial\":412"];
            object(dice, &[format!("\"components\":[{components}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "fortieth: json: sprites: a sprite whose rows do not all have the same number of ",
            "pixels"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"sheet":"[[0],[1,2]]","pixels":[[0],[1,2]],"sprites":[{"name":"owl","pixels":[[0,4,0],[4,4,4]]},"#,
            r#"{"pixels":[[7,7],[7,null],[7],[0,7]],"name":"wren","hot":[1,0]},{"name":"egg","frames":4,"pixels":"#,
            r#"[[12]]},{"name":"none","pixels":[]}],"palette":[[255,0,0],[12]]}"#
        ),
        valid: |input| pixels(input).is_some(),
        fails: |input| pixels(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let sprites = joined(dice, count, ",", |dice| {
                let mut rows = Vec::new();
                for length in lengths(dice, 1, 38) {
                    let cell = |dice: &mut Random| one(dice, &["0", "4", "12", "null"]).to_owned();
                    rows.push(format!("[{}]", joined(dice, length, ",", cell)));
                }
                let name = one(dice, &["owl", "wren", "[0],[1,2]"]);
                let rows = format!("\"pixels\":[{}]", rows.join(","));
                let others = ["\"hot\":[1,0]", "\"frames\":4"];
                object(dice, &[format!("\"name\":\"{name}\""), rows], &others)
            });
            let others = [
                "\"sheet\":\"[[0],[1,2]]\"",
                "\"pixels\":[[0],[1,2]]",
                "\"palette\":[[255,0,0],[12]]",
            ];
            object(dice, &[format!("\"sprites\":[{sprites}]")], &others)
        },
        patterns: &[],
    },
];
