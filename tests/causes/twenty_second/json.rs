//! Causes in JSON.

use seedsmith_grammar::Random;
use serde_json::Value;

use crate::readers::{are_in_order, has_short_numbers, is_json, is_name};
use crate::two_sided::{TwoSided, joined, one, read_json as read, shuffled, word};

/// How long the value of each field of a form is, and how long it may be; nothing if a field does not have both.
fn fields(input: &str) -> Option<Vec<(u64, u64)>> {
    let all = read(input);
    let fields = all["fields"].as_array()?.iter().map(|one| {
        let value = one["value"].as_str().filter(|value| value.is_ascii())?;
        Some((value.len() as u64, one["max"].as_u64()?))
    });
    fields.collect()
}

/// What each step of a migration does, in order; nothing if one does something that is not known.
fn steps(input: &str) -> Option<Vec<&'static str>> {
    let all = read(input);
    let steps = all["steps"].as_array()?.iter().map(|step| {
        let op = step["op"].as_str()?;
        ["create", "rename", "drop", "index", "fill"].into_iter().find(|known| *known == op)
    });
    steps.collect()
}

/// How many cells the rows of each sheet have; nothing if a sheet has no rows, or a cell has something in it.
fn sheets(input: &str) -> Option<Vec<Vec<usize>>> {
    let all = read(input);
    let length = |row: &Value| {
        let cells = row.as_array()?;
        let is_flat = cells.iter().all(|cell| !cell.is_array() && !cell.is_object());
        is_flat.then_some(cells.len())
    };
    let sheets = all["sheets"].as_array()?.iter();
    sheets.map(|sheet| sheet["rows"].as_array()?.iter().map(length).collect()).collect()
}

/// Whether a job needs itself; nothing if one has no name, or needs what is no list of names.
fn needs_itself(input: &str) -> Option<bool> {
    let (all, mut found) = (read(input), false);
    for job in all["jobs"].as_array()? {
        let name = job["name"].as_str().filter(|name| is_name(name))?;
        let needs = job.get("needs").map_or(Some(&[][..]), |needs| Some(&needs.as_array()?[..]))?;
        (needs.iter().all(|need| need.as_str().is_some_and(is_name))).then_some(())?;
        found |= needs.iter().any(|need| need == name);
    }
    Some(found)
}

/// Whether a parameter is required and its default is null; nothing if one does not say whether it is required, or its
/// default has something in it.
fn has_required_null(input: &str) -> Option<bool> {
    let (all, mut found) = (read(input), false);
    for parameter in all["parameters"].as_array()? {
        let (is_required, default) = (parameter["required"].as_bool()?, parameter.get("default"));
        (!default.is_some_and(|one| one.is_array() || one.is_object())).then_some(())?;
        found |= is_required && default.is_some_and(Value::is_null);
    }
    Some(found)
}

/// How large each file of a backup is; nothing if one does not say it as a whole number.
fn sizes(input: &str) -> Option<Vec<u64>> {
    let all = read(input);
    let files = all["files"].as_array()?.iter();
    files.map(|one| one["size"].as_u64()).collect()
}

/// How many digits each color of a theme has; nothing if one is not a hash sign and 3, 4, 6 or 8 of them.
fn colors(input: &str) -> Option<Vec<usize>> {
    let all = read(input);
    let colors = all["colors"].as_object()?.values().map(|color| {
        let digits = color.as_str()?.strip_prefix('#')?;
        let is_right = digits.chars().all(|c| c.is_ascii_digit() || ('a'..='f').contains(&c));
        Some(digits.len()).filter(|length| is_right && [3, 4, 6, 8].contains(length))
    });
    colors.collect()
}

/// The paths of routes; nothing if one does not begin with a slash, or has two in a row or an odd sign.
fn paths(input: &str) -> Option<Vec<String>> {
    let all = read(input);
    let paths = all["routes"].as_array()?.iter().map(|route| {
        let path = route["path"].as_str().filter(|path| path.starts_with('/'))?;
        let is_right = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_/".contains(c);
        (!path.contains("//") && path.chars().all(is_right)).then(|| path.to_owned())
    });
    paths.collect()
}

/// A job, which may need itself.
fn job(dice: &mut Random) -> String {
    let names = ["lint", "build", "test", "ship", "build-2"];
    let name = one(dice, &names);
    let mut pairs = vec![format!("\"name\":\"{name}\"")];
    if dice.below(5) > 0 {
        let mut needs: Vec<&str> = names.into_iter().filter(|other| *other != name).collect();
        needs.truncate(dice.below(4));
        if dice.below(3) == 0 {
            needs.insert(dice.below(needs.len() + 1), name);
        }
        let needs: Vec<String> = needs.iter().map(|need| format!("\"{need}\"")).collect();
        pairs.push(format!("\"needs\":[{}]", shuffled(dice, needs).join(",")));
    }
    if dice.below(3) == 0 {
        pairs.push(format!("\"image\":\"{}\"", one(dice, &["build", "test", name, "rust:1"])));
    }
    if dice.below(4) == 0 {
        pairs.push(format!("\"skips\":[\"{name}\"]"));
    }
    format!("{{{}}}", shuffled(dice, pairs).join(","))
}

/// A sheet, which may have a row that is longer or shorter than the others.
fn sheet(dice: &mut Random) -> String {
    let (usual, rows) = (1 + dice.below(3), dice.below(4));
    let mut lengths = vec![usual; rows];
    if rows > 0 && dice.below(2) == 0 {
        lengths[dice.below(rows)] = [usual + 1, usual - 1, usual + 2, 0][dice.below(4)];
    }
    let rows = lengths.into_iter().map(|length| {
        let cells = ["4", "0.5", "\"oak\"", "\"1,2\"", "null", "true", "\"\""];
        let cells: Vec<&str> = (0..length).map(|_| one(dice, &cells)).collect();
        format!("[{}]", cells.join(","))
    });
    let rows = format!("\"rows\":[{}]", rows.collect::<Vec<String>>().join(","));
    let mut pairs = vec![rows];
    if dice.below(2) == 0 {
        pairs.push(format!("\"name\":\"{}\"", one(dice, &["may", "rows", "a b"])));
    }
    if dice.below(3) == 0 {
        pairs.push(format!("\"widths\":{}", one(dice, &["[]", "[8]", "[[1,2],[3]]"])));
    }
    format!("{{{}}}", shuffled(dice, pairs).join(","))
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "twenty-second: json: a form field whose value is exactly as long as its maximum",
        grammar: "@json",
        input: r#"{"form":"visa","max":4,"fields":[{"label":"city","value":"Bergen","max":40},{"max":9,"hint":"A1","value":"P-3047716"},{"value":"","max":3},{"label":"note","max":12,"value":"max 13, please"}],"value":"visa"}"#,
        valid: |input| is_json(input) && fields(input).is_some(),
        fails: |input| {
            fields(input).is_some_and(|all| all.iter().any(|(length, max)| length == max))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let fields = joined(dice, count, ",", |dice| {
                let value = match dice.below(5) {
                    0 => one(dice, &["", "a b", "P-3047716", "12"]).to_owned(),
                    _ => word(dice, 12),
                };
                let length = value.len();
                let max = match dice.below(4) {
                    0 => length,
                    1 => [length + 1, length.max(1) - 1][dice.below(2)],
                    _ => [length + 2, length + 10, 40, length / 2][dice.below(4)],
                };
                let mut pairs = vec![format!("\"value\":\"{value}\""), format!("\"max\":{max}")];
                if dice.below(2) == 0 {
                    pairs.push(format!("\"label\":\"{}\"", one(dice, &["city", "max", "value"])));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"min\":{length}"));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let mut pairs = vec![format!("\"fields\":[{fields}]")];
            if dice.below(2) == 0 {
                pairs.push("\"value\":\"visa\"".to_owned());
                pairs.push(format!("\"max\":{}", 3 + dice.below(3)));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-second: json: a create, then a rename, and then a drop in the steps of a migration",
        grammar: "@json",
        input: r#"{"to":41,"steps":[{"op":"drop","table":"old"},{"op":"create","table":"ships","columns":["id","rename"]},{"op":"index","table":"ships"},{"table":"crews","op":"rename","as":"crew"},{"op":"create","table":"ports"},{"op":"drop","table":"create"},{"op":"fill"}],"from":40}"#,
        valid: |input| is_json(input) && steps(input).is_some(),
        fails: |input| {
            steps(input).is_some_and(|all| are_in_order(&all, &["create", "rename", "drop"]))
        },
        draw: |dice| {
            let orders = [
                ["create", "rename", "drop"],
                ["create", "rename", "drop"],
                ["create", "drop", "rename"],
                ["rename", "create", "drop"],
                ["drop", "create", "rename"],
                ["create", "index", "drop"],
            ];
            let mut all = orders[dice.below(6)].to_vec();
            for _ in 0..dice.below(4) {
                let op = one(dice, &["create", "rename", "drop", "index", "index", "fill"]);
                all.insert(dice.below(all.len() + 1), op);
            }
            let steps = all.iter().map(|op| {
                let mut pairs = vec![format!("\"op\":\"{op}\"")];
                if dice.below(2) == 0 {
                    let table = one(dice, &["ships", "crew", "drop", "rename"]);
                    pairs.push(format!("\"table\":\"{table}\""));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let steps = steps.collect::<Vec<String>>().join(",");
            format!("{{\"to\":{},\"steps\":[{steps}]}}", 1 + dice.below(50))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-second: json: a sheet whose rows are not all of one length",
        grammar: "@json",
        input: r#"{"book":"stock","sheets":[{"name":"may","rows":[["oak",4],["ash",11],["1,2",null]]},{"widths":[[8],[9,9]],"rows":[[1,2,3],["fir",true,0.5],["elm",7],["yew","",40]]},{"rows":[]},{"rows":[[3]]}],"rows":[[1],[]]}"#,
        valid: |input| is_json(input) && sheets(input).is_some(),
        fails: |input| {
            let all = sheets(input).unwrap_or_default();
            all.iter().any(|rows| rows.iter().any(|length| *length != rows[0]))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let sheets = joined(dice, count, ",", sheet);
            let mut pairs = vec![format!("\"sheets\":[{sheets}]")];
            if dice.below(3) == 0 {
                pairs.push(format!("\"rows\":[{}]", one(dice, &["", "[1],[]", "[1],[2]"])));
            }
            if dice.below(2) == 0 {
                pairs.push(format!("\"book\":\"{}\"", one(dice, &["stock", "rows"])));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-second: json: a job that needs itself",
        grammar: "@json",
        input: r#"{"name":"nightly","jobs":[{"name":"lint","image":"lint"},{"needs":["lint"],"name":"build","steps":4},{"name":"test","needs":["build","test","lint"],"image":"rust:1"},{"name":"ship","skips":["ship"],"needs":["build","test"]}],"needs":["nightly"]}"#,
        valid: |input| is_json(input) && needs_itself(input).is_some(),
        fails: |input| needs_itself(input) == Some(true),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let mut pairs = vec![format!("\"jobs\":[{}]", joined(dice, count, ",", job))];
            if dice.below(2) == 0 {
                pairs.push(format!("\"name\":\"{}\"", one(dice, &["nightly", "build", "test"])));
                pairs.push(format!("\"needs\":[\"{}\"]", one(dice, &["nightly", "build"])));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-second: json: a parameter that is required and has null as its default",
        grammar: "@json",
        input: r#"{"tool":"crop","default":null,"parameters":[{"name":"in","required":true},{"name":"dpi","default":300,"required":true},{"required":false,"default":null,"name":"required"},{"name":"out","default":null,"unit":null,"required":true},{"required":true,"default":"null"}],"required":true}"#,
        valid: |input| is_json(input) && has_required_null(input).is_some(),
        fails: |input| has_required_null(input) == Some(true),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let parameters = joined(dice, count, ",", |dice| {
                let mut pairs = vec![format!("\"required\":{}", one(dice, &["true", "false"]))];
                if dice.below(5) > 0 {
                    let default = match dice.below(2) {
                        0 => "null",
                        _ => one(dice, &["300", "\"null\"", "\"\"", "false", "0", "true"]),
                    };
                    pairs.push(format!("\"default\":{default}"));
                }
                if dice.below(2) == 0 {
                    pairs.push(format!("\"name\":\"{}\"", one(dice, &["in", "dpi", "default"])));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"unit\":{}", one(dice, &["null", "\"mm\"", "true"])));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let mut pairs = vec![format!("\"parameters\":[{parameters}]")];
            if dice.below(2) == 0 {
                pairs.push(format!("\"required\":{}", one(dice, &["true", "false"])));
                pairs.push(format!("\"default\":{}", one(dice, &["null", "4"])));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-second: json: a file with a size above 2147483647",
        grammar: "@json",
        input: r#"{"host":"attic","total":5905580032,"files":[{"path":"etc/hosts","size":412},{"path":"3000000000","size":2147483647,"blocks":1},{"mode":420,"size":3221225472,"path":"home/tapes.img"},{"size":0}]}"#,
        valid: |input| is_json(input) && has_short_numbers(input) && sizes(input).is_some(),
        fails: |input| sizes(input).is_some_and(|all| all.iter().any(|size| *size > 2_147_483_647)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let files = joined(dice, count, ",", |dice| {
                let size = match dice.below(3) {
                    0 => one(dice, &["2147483648", "2147483649", "2147483650", "3221225472"]),
                    1 => one(dice, &["2147483647", "2147483646", "2147483640", "1999999999"]),
                    _ => one(dice, &["0", "412", "999999999", "214748364", "7340032"]),
                };
                let size = if dice.below(9) == 0 { "10000000000" } else { size };
                let mut pairs = vec![format!("\"size\":{size}")];
                if dice.below(2) == 0 {
                    let path = one(dice, &["etc/hosts", "3000000000", "size"]);
                    pairs.push(format!("\"path\":\"{path}\""));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"blocks\":{}", one(dice, &["1", "4294967296"])));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let mut pairs = vec![format!("\"files\":[{files}]")];
            if dice.below(2) == 0 {
                let key = one(dice, &["total", "size"]);
                pairs.push(format!("\"{key}\":{}", one(dice, &["5905580032", "2147483648", "9"])));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-second: json: a color of four hexadecimal digits",
        grammar: "@json",
        input: r##"{"theme":"dusk","accent":"#08fc","colors":{"text":"#222","back":"#f4f1ea","shade":"#0008","line":"#d0c8b880"},"ids":["#1234","beef"]}"##,
        valid: |input| is_json(input) && colors(input).is_some(),
        fails: |input| colors(input).is_some_and(|all| all.contains(&4)),
        draw: |dice| {
            let names = ["text", "back", "shade", "line", "face"].map(str::to_owned).to_vec();
            let mut names = shuffled(dice, names);
            names.truncate(1 + dice.below(4));
            let colors = names.iter().map(|name| {
                let length = [3, 6, 8, 3, 6, 8, 4][dice.below(7)];
                let digits = "0123456789abcdef".as_bytes();
                let color: String =
                    (0..length).map(|_| char::from(digits[dice.below(16)])).collect();
                format!("\"{name}\":\"#{color}\"")
            });
            let colors = colors.collect::<Vec<String>>().join(",");
            let mut pairs = vec![format!("\"colors\":{{{colors}}}")];
            if dice.below(2) == 0 {
                pairs.push(format!("\"accent\":\"{}\"", one(dice, &["#08fc", "#fff", "beef"])));
            }
            if dice.below(3) == 0 {
                pairs.push(format!("\"ids\":[\"{}\"]", one(dice, &["#1234", "#12", "4"])));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-second: json: a route whose path is more than a slash and ends in one",
        grammar: "@json",
        input: r#"{"site":"harbor","base":"/v2/","routes":[{"path":"/","page":"home/"},{"path":"/berths/free","page":"berths"},{"page":"tides","cache":60,"path":"/tides/today/"},{"path":"/map","alias":"/chart/"}]}"#,
        valid: |input| is_json(input) && paths(input).is_some(),
        fails: |input| {
            let all = paths(input).unwrap_or_default();
            all.iter().any(|path| path.len() > 1 && path.ends_with('/'))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let routes = joined(dice, count, ",", |dice| {
                let count = dice.below(3);
                let parts = joined(dice, count, "", |dice| format!("/{}", word(dice, 5)));
                let end = if count == 0 || dice.below(3) == 0 { "/" } else { "" };
                let mut pairs = vec![format!("\"path\":\"{parts}{end}\"")];
                if dice.below(2) == 0 {
                    pairs.push(format!("\"page\":\"{}\"", one(dice, &["home", "a/", "/b/"])));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"alias\":\"{}\"", one(dice, &["/", "/chart/", "/map"])));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let mut pairs = vec![format!("\"routes\":[{routes}]")];
            if dice.below(2) == 0 {
                pairs.push(format!("\"base\":\"{}\"", one(dice, &["/v2/", "/", "/v2"])));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
];
