//! Causes in JSON.

use seedsmith_grammar::Random;
use serde_json::Value;

use crate::readers::{is_json, items};
use crate::two_sided::{TwoSided, joined, one, read_json as read, shuffled, word};

/// The status of each request that has one; nothing if one of these is no whole number.
fn statuses(input: &str) -> Option<Vec<u64>> {
    let all = read(input);
    let values = items(&all["requests"]).iter().filter_map(|one| one.get("status"));
    values.map(Value::as_u64).collect()
}

/// How much of each article is in stock, and how much is reserved; nothing if an article does not say both.
fn articles(input: &str) -> Option<Vec<(u64, u64)>> {
    let all = read(input);
    let articles = all["articles"].as_array()?.iter();
    articles.map(|one| Some((one["stock"].as_u64()?, one["reserved"].as_u64()?))).collect()
}

/// The names of the columns of each table; nothing if a table has no list of them, or a column has no name.
fn columns(input: &str) -> Option<Vec<Vec<String>>> {
    let all = read(input);
    let tables = all["tables"].as_array()?.iter().map(|table| {
        let columns = table["columns"].as_array()?.iter();
        columns.map(|one| one["name"].as_str().map(str::to_owned)).collect()
    });
    tables.collect()
}

/// The length of each value of a form, and the longest that it may have; nothing if a field does not have both.
fn fields(input: &str) -> Option<Vec<(u64, u64)>> {
    let all = read(input);
    let fields = all["fields"].as_array().filter(|_| input.is_ascii())?.iter();
    fields.map(|one| Some((one["value"].as_str()?.len() as u64, one["max"].as_u64()?))).collect()
}

/// How many options each poll has; nothing if a poll has no list of them.
fn options(input: &str) -> Option<Vec<usize>> {
    let all = read(input);
    let polls = all["polls"].as_array()?.iter();
    polls.map(|one| one["options"].as_array().map(Vec::len)).collect()
}

/// Whether each parcel is fragile, and how much it weighs; nothing if it has no weight, or says something else.
fn parcels(input: &str) -> Option<Vec<(bool, u64)>> {
    let all = read(input);
    let parcels = all["parcels"].as_array()?.iter().map(|one| {
        let is_fragile = match one.get("fragile") {
            Some(value) => value.as_bool()?,
            None => false,
        };
        Some((is_fragile, one["weight"].as_u64()?))
    });
    parcels.collect()
}

/// Whether a task needs one that is not there; nothing if a task has no name, or its needs are no list of texts.
fn lacks_need(input: &str) -> Option<bool> {
    let all = read(input);
    let (mut names, mut needs) = (Vec::new(), Vec::new());
    for task in all["tasks"].as_array()? {
        names.push(task["id"].as_str()?);
        if let Some(list) = task.get("needs") {
            for need in list.as_array()? {
                needs.push(need.as_str()?);
            }
        }
    }
    Some(needs.iter().any(|need| !names.contains(need)))
}

/// The roles of each user; nothing if a user has no list of texts as roles.
fn roles(input: &str) -> Option<Vec<Vec<String>>> {
    let all = read(input);
    let users = all["users"].as_array()?.iter().map(|user| {
        let roles = user["roles"].as_array()?.iter();
        roles.map(|one| one.as_str().map(str::to_owned)).collect()
    });
    users.collect()
}

/// A table with columns, two of which may have one name.
fn table(dice: &mut Random) -> String {
    let names = ["id", "name", "email", "mail", "age", "ids"].map(str::to_owned).to_vec();
    let mut names = shuffled(dice, names);
    names.truncate(1 + dice.below(4));
    if dice.below(3) == 0 {
        let again = names[dice.below(names.len())].clone();
        names.insert(dice.below(names.len() + 1), again);
    }
    let mut columns = Vec::new();
    for name in &names {
        let mut pairs = vec![format!("\"name\":\"{name}\"")];
        if dice.below(3) > 0 {
            pairs.push(format!("\"type\":\"{}\"", one(dice, &["int", "text", "id", "name"])));
        }
        columns.push(format!("{{{}}}", shuffled(dice, pairs).join(",")));
    }
    let mut pairs = vec![format!("\"columns\":[{}]", columns.join(","))];
    if dice.below(3) > 0 {
        pairs.push(format!("\"name\":\"{}\"", one(dice, &["people", "id", "name", "orders"])));
    }
    format!("{{{}}}", shuffled(dice, pairs).join(","))
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "twentieth: json: a request with a status from 500 to 599",
        grammar: "@json",
        input: r#"{"host":"api-3","status":520,"requests":[{"path":"/login","status":200,"ms":31},{"status":404,"path":"/500"},{"ms":540,"path":"/cart","status":503},{"path":"/ping"}],"port":8080}"#,
        valid: |input| is_json(input) && statuses(input).is_some(),
        fails: |input| {
            statuses(input).is_some_and(|all| all.iter().any(|one| (500..=599).contains(one)))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let requests = joined(dice, count, ",", |dice| {
                let inside = ["500", "501", "502", "503", "550", "598", "599"];
                let outside = ["0", "50", "100", "200", "404", "499", "600", "601", "999", "5000"];
                let status =
                    if dice.below(3) == 0 { one(dice, &inside) } else { one(dice, &outside) };
                let mut pairs =
                    vec![format!("\"path\":\"{}\"", one(dice, &["/login", "/500", "status", ""]))];
                if dice.below(6) > 0 {
                    pairs.push(format!("\"status\":{status}"));
                }
                if dice.below(2) == 0 {
                    pairs.push(format!("\"ms\":{}", 450 + dice.below(200)));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let pairs = vec![
                format!("\"requests\":[{requests}]"),
                format!("\"{}\":{}", one(dice, &["status", "port"]), 450 + dice.below(200)),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twentieth: json: an article with more reserved than in stock",
        grammar: "@json",
        input: r#"{"depot":"east","articles":[{"sku":"bolt m8","stock":40,"reserved":40},{"reserved":15,"sku":"hinge","stock":12,"aisle":9},{"stock":7,"sku":"hook","reserved":0}],"stock":3,"reserved":88}"#,
        valid: |input| is_json(input) && articles(input).is_some(),
        fails: |input| {
            articles(input).is_some_and(|all| all.iter().any(|(stock, held)| held > stock))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let articles = joined(dice, count, ",", |dice| {
                let stock = dice.below(30);
                let held = [stock, stock, stock + 1, stock / 2, stock.max(1) - 1, dice.below(40)];
                let held = held[dice.below(6)];
                let mut pairs = vec![format!("\"stock\":{stock}"), format!("\"reserved\":{held}")];
                if dice.below(2) == 0 {
                    pairs.push(format!("\"sku\":\"{}\"", one(dice, &["hook", "stock", "bolt 9"])));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"aisle\":{}", dice.below(30)));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let mut pairs = vec![format!("\"articles\":[{articles}]")];
            if dice.below(2) == 0 {
                pairs.push(format!("\"stock\":{}", dice.below(30)));
                pairs.push(format!("\"reserved\":{}", dice.below(30)));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twentieth: json: a table with two columns of the same name",
        grammar: "@json",
        input: r#"{"name":"shop","tables":[{"name":"orders","columns":[{"name":"id","type":"int"},{"name":"date"}]},{"columns":[{"name":"id"},{"type":"text","name":"email"},{"name":"age","type":"int"},{"name":"email","type":"name"}],"name":"people"}],"version":2}"#,
        valid: |input| is_json(input) && columns(input).is_some(),
        fails: |input| {
            let all = columns(input).unwrap_or_default();
            all.iter().any(|list| (1..list.len()).any(|at| list[..at].contains(&list[at])))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let tables = joined(dice, count, ",", table);
            let mut pairs = vec![format!("\"tables\":[{tables}]")];
            if dice.below(2) == 0 {
                pairs.push(format!("\"name\":\"{}\"", one(dice, &["shop", "id", "name"])));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twentieth: json: a form field whose value is exactly as long as its max",
        grammar: "@json",
        input: r#"{"form":"signup","fields":[{"label":"city","max":20,"value":"porto"},{"value":"AB-12-CD","label":"plate","max":8,"min":4},{"max":3,"value":"","label":"age"}],"max":6,"value":"signup"}"#,
        valid: |input| is_json(input) && fields(input).is_some(),
        fails: |input| {
            fields(input).is_some_and(|all| all.iter().any(|(length, max)| length == max))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let fields = joined(dice, count, ",", |dice| {
                let value = match dice.below(3) {
                    0 => one(dice, &["", "porto", "AB-12-CD", "a b", "1", "12"]).to_owned(),
                    _ => word(dice, 9),
                };
                let length = value.len();
                let longest = [length, length + 1, length.max(1) - 1, length + 4, dice.below(12)];
                let max = longest[dice.below(5)];
                let mut pairs = vec![format!("\"value\":\"{value}\""), format!("\"max\":{max}")];
                if dice.below(2) == 0 {
                    pairs.push(format!("\"label\":\"{}\"", one(dice, &["city", "max", "age"])));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"min\":{}", [length, 0, 1][dice.below(3)]));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let pairs = vec![
                format!("\"form\":\"{}\"", word(dice, 5)),
                format!("\"fields\":[{fields}]"),
                format!("\"max\":{}", dice.below(8)),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twentieth: json: a poll with exactly one option",
        grammar: "@json",
        input: r#"{"club":"chess","polls":[{"text":"new board?","options":["yes","no","later"]},{"options":["friday"],"text":"which day?","votes":[7]},{"text":"ideas","options":[]}],"options":["public"]}"#,
        valid: |input| is_json(input) && options(input).is_some(),
        fails: |input| options(input).is_some_and(|all| all.contains(&1)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let polls = joined(dice, count, ",", |dice| {
                let count = [0, 1, 1, 2, 2, 3, 4][dice.below(7)];
                let options = joined(dice, count, ",", |dice| {
                    one(dice, &["\"yes\"", "\"a, b\"", "\"\"", "12", "[3,4]", "null"]).to_owned()
                });
                let mut pairs = vec![format!("\"options\":[{options}]")];
                if dice.below(3) > 0 {
                    pairs.push(format!("\"text\":\"{}\"", one(dice, &["day?", "options", ""])));
                }
                if dice.below(2) == 0 {
                    pairs.push(format!("\"votes\":[{}]", one(dice, &["", "7", "7,1"])));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let outer = one(dice, &["", "\"public\"", "\"public\",\"open\""]);
            let pairs = vec![format!("\"polls\":[{polls}]"), format!("\"options\":[{outer}]")];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twentieth: json: a parcel that is fragile or weighs more than 30",
        grammar: "@json",
        input: r#"{"truck":"b 7","parcels":[{"to":"lima","weight":12,"fragile":false},{"weight":30,"to":"quito"},{"fragile":false,"to":"cusco","weight":31},{"weight":2,"to":"fragile"}],"weight":75,"fragile":true}"#,
        valid: |input| is_json(input) && parcels(input).is_some(),
        fails: |input| {
            let all = parcels(input).unwrap_or_default();
            all.iter().any(|(is_fragile, weight)| *is_fragile || *weight > 30)
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let parcels = joined(dice, count, ",", |dice| {
                let weight = match dice.below(5) {
                    0 => one(dice, &["31", "32", "35", "40", "100", "300"]),
                    _ => one(dice, &["0", "2", "3", "12", "28", "29", "30", "30"]),
                };
                let mut pairs = vec![format!("\"weight\":{weight}")];
                if dice.below(2) == 0 {
                    let fragile = one(dice, &["true", "false", "false"]);
                    pairs.push(format!("\"fragile\":{fragile}"));
                }
                if dice.below(3) > 0 {
                    pairs.push(format!("\"to\":\"{}\"", one(dice, &["lima", "fragile", "true"])));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"insured\":{}", one(dice, &["true", "false", "90"])));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let mut pairs = vec![format!("\"parcels\":[{parcels}]")];
            if dice.below(2) == 0 {
                pairs.push(format!("\"fragile\":{}", one(dice, &["true", "false"])));
                pairs.push(format!("\"weight\":{}", dice.below(60)));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twentieth: json: a task that needs a task that is not there",
        grammar: "@json",
        input: r#"{"pipeline":"nightly","tasks":[{"id":"fetch","image":"base"},{"needs":["fetch"],"id":"build"},{"id":"deploy","needs":["build","lint"],"image":"deploy"},{"id":"docs","needs":[]}],"needs":["cache"]}"#,
        valid: |input| is_json(input) && lacks_need(input).is_some(),
        fails: |input| lacks_need(input) == Some(true),
        draw: |dice| {
            let names = ["fetch", "build", "lint", "docs", "doc"].map(str::to_owned).to_vec();
            let mut names = shuffled(dice, names);
            let spare = names.split_off(1 + dice.below(4));
            let mut tasks = Vec::new();
            for name in &names {
                let needs: Vec<String> = (0..dice.below(3))
                    .map(|_| match dice.below(5) {
                        0 => format!("\"{}\"", spare[dice.below(spare.len())]),
                        _ => format!("\"{}\"", names[dice.below(names.len())]),
                    })
                    .collect();
                let mut pairs = vec![format!("\"id\":\"{name}\"")];
                if !needs.is_empty() || dice.below(2) == 0 {
                    pairs.push(format!("\"needs\":[{}]", needs.join(",")));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"image\":\"{}\"", one(dice, &["base", "lint", "doc"])));
                }
                tasks.push(format!("{{{}}}", shuffled(dice, pairs).join(",")));
            }
            let outer = one(dice, &["", "\"cache\"", "\"build\",\"docs\""]);
            let pairs =
                vec![format!("\"tasks\":[{}]", tasks.join(",")), format!("\"needs\":[{outer}]")];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twentieth: json: a user with both the role admin and the role guest",
        grammar: "@json",
        input: r#"{"team":"ops","users":[{"login":"guest","roles":["admin"]},{"roles":["guest","editor"],"login":"ines"},{"login":"tomo","roles":["guest","audit","admin"],"active":true},{"roles":[],"login":"admin"}],"roles":["admin","guest"]}"#,
        valid: |input| is_json(input) && roles(input).is_some(),
        fails: |input| {
            let all = roles(input).unwrap_or_default();
            let has = |list: &[String], name: &str| list.iter().any(|role| role == name);
            all.iter().any(|list| has(list, "admin") && has(list, "guest"))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let users = joined(dice, count, ",", |dice| {
                let mut roles = Vec::new();
                for name in ["admin", "guest", "editor", "guests"] {
                    let is_rare = name == "editor" || name == "guests";
                    if dice.below(if is_rare { 4 } else { 2 }) == 0 {
                        roles.push(format!("\"{name}\""));
                    }
                }
                let roles = shuffled(dice, roles).join(",");
                let mut pairs = vec![format!("\"roles\":[{roles}]")];
                if dice.below(2) == 0 {
                    pairs.push(format!("\"login\":\"{}\"", one(dice, &["ines", "admin", "guest"])));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let outer = one(dice, &["", "\"admin\"", "\"admin\",\"guest\""]);
            let pairs = vec![format!("\"users\":[{users}]"), format!("\"roles\":[{outer}]")];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
];
