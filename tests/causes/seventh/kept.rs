//! Eight causes that were kept: they were written with the others, and run once, after the changes.

use crate::two_sided::{TwoSided, any, joined, one, read_json as read, shuffled, word};

const QUERIES: &str = "grammar Queries; text: query* EOF; query: verb NAME where? ';';
    verb: 'delete' | 'update' | 'select'; where: 'where' NAME '=' N; NAME: [a-z]+; N: [0-9]+;
    WS: [ \\n]+ -> skip;";

/// The causes.
pub const KEPT: &[TwoSided] = &[
    TwoSided {
        name: "kept: json: a discount above the price",
        grammar: "@json",
        input: r#"{"cart":[{"price":20,"discount":3},{"price":5,"discount":9,"id":1}]}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            all["cart"].as_array().into_iter().flatten().any(|item| {
                let price = item["price"].as_i64();
                item["discount"]
                    .as_i64()
                    .is_some_and(|less| price.is_some_and(|price| less > price))
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let items = joined(dice, count, ",", |dice| {
                let price = 1 + dice.below(30);
                let discount = [dice.below(12), price, price + 1][dice.below(3)];
                let mut pairs =
                    vec![format!("\"price\":{price}"), format!("\"discount\":{discount}")];
                if dice.below(3) == 0 {
                    pairs.push(format!("\"id\":{}", dice.below(9)));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            format!("{{\"cart\":[{items}]}}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "kept: json: no user who is an admin",
        grammar: "@json",
        input: r#"{"users":[{"role":"guest","id":1},{"role":"user"}],"open":true}"#,
        valid: |input| {
            let all = read(input);
            all["users"]
                .as_array()
                .is_some_and(|users| users.iter().all(|user| user["role"].is_string()))
        },
        fails: |input| {
            let all = read(input);
            !all["users"].as_array().into_iter().flatten().any(|user| user["role"] == "admin")
        },
        draw: |dice| {
            let count = dice.below(4);
            let users = joined(dice, count, ",", |dice| {
                let role = one(dice, &["admin", "guest", "user", "guest"]);
                format!("{{\"role\":\"{role}\",\"id\":{}}}", dice.below(9))
            });
            let pairs = vec![
                format!("\"users\":[{users}]"),
                format!("\"note\":\"{}\"", one(dice, &["admin", "x"])),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "kept: own: a delete or an update of everything",
        grammar: QUERIES,
        input: "select a where b = 1; update c; delete d where e = 2; select f;",
        valid: any,
        fails: |input| {
            input.split(';').any(|query| {
                let mut words = query.split_whitespace();
                let is_change = matches!(words.next(), Some("delete" | "update"));
                is_change && words.nth(1).is_none()
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, " ", |dice| {
                let verb = one(dice, &["delete", "update", "select", "select"]);
                let rest = one(dice, &["", " where k = 1", " where id = 20"]);
                format!("{verb} {}{rest};", word(dice, 3))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "kept: own: xml: an image of no width or no height",
        grammar: "@xml",
        input: r#"<p><img width="4" height="0"/><b width="0"/></p>"#,
        valid: |input| !input.contains(['!', '?', '&', '\'']),
        fails: |input| {
            input
                .split("<img")
                .skip(1)
                .filter_map(|tag| tag.split('>').next())
                .any(|tag| tag.contains(" width=\"0\"") || tag.contains(" height=\"0\""))
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let images = joined(dice, count, "", |dice| {
                let (width, height) =
                    (one(dice, &["0", "4", "10", "7"]), one(dice, &["0", "5", "20", "3"]));
                let name = one(dice, &["img", "img", "b"]);
                let pairs = vec![format!(" width=\"{width}\""), format!(" height=\"{height}\"")];
                format!("<{name}{}/>", shuffled(dice, pairs).concat())
            });
            format!("<p>{images}</p>")
        },
        patterns: &[],
    },
    TwoSided {
        name: "kept: plain: a setting before the first section",
        grammar: "",
        input: "; x\nuser=a\n[one]\nb=2\n",
        valid: any,
        fails: |input| {
            let mut before = input.lines().take_while(|line| !line.starts_with('['));
            before.any(|line| line.contains('=') && !line.starts_with(';'))
        },
        draw: |dice| {
            let mut lines = vec!["[one]", "a=1", "; c=2"];
            if dice.below(2) == 0 {
                lines.push("[two]");
            }
            let lines = lines.iter().map(|line| (*line).to_owned()).collect();
            shuffled(dice, lines).join("\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "kept: plain: a parameter that is given twice",
        grammar: "",
        input: "/find?from=1&to=9&q=x&from=4",
        valid: |input| input.starts_with("/find?") && !input.contains(['\n', ' ']),
        fails: |input| {
            let pairs = input["/find?".len()..].split('&').filter_map(|one| one.split_once('='));
            let mut names: Vec<&str> = pairs.map(|pair| pair.0).collect();
            names.sort_unstable();
            names.windows(2).any(|pair| pair[0] == pair[1])
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let pairs = joined(dice, count, "&", |dice| {
                let value = one(dice, &["a", "from", "1", "22", ""]);
                format!("{}={value}", one(dice, &["a", "from", "to", "q", "page", "b"]))
            });
            format!("/find?{pairs}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "kept: plain: a payment in euros below nothing",
        grammar: "",
        input: "4.50 EUR tea\n-20 USD shoes\n-3 EUR milk\n",
        valid: any,
        fails: |input| {
            input.lines().any(|line| {
                let mut words = line.split(' ');
                let amount = words.next().and_then(|word| word.parse::<f64>().ok());
                amount.is_some_and(|amount| amount < 0.0) && words.next() == Some("EUR")
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let sign = one(dice, &["-", ""]);
                let unit = one(dice, &["EUR", "EUR", "USD", "CHF"]);
                format!("{sign}{} {unit} {}", 1 + dice.below(30), one(dice, &["EUR", "a", "tea"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "kept: binary: a chunk that is longer than what is left",
        grammar: "",
        input: "K1\u{0}\u{30}abc",
        valid: |input| input.starts_with("K1") && input.chars().count() >= 4,
        fails: |input| {
            let all: Vec<u8> = input.chars().map(|c| c as u8).collect();
            usize::from(u16::from_be_bytes([all[2], all[3]])) > all.len() - 4
        },
        draw: |dice| {
            let body = word(dice, 12);
            let (near, any) = ((body.len() + dice.below(3)).saturating_sub(1), dice.below(20));
            let said = [near, near, any, 256 + any][dice.below(4)] as u16;
            let bytes = [b"K1", &said.to_be_bytes()[..], body.as_bytes()].concat();
            bytes.iter().map(|byte| char::from(*byte)).collect()
        },
        patterns: &[],
    },
];
