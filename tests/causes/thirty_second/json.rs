//! Causes in JSON.

use seedsmith_grammar::Random;
use serde_json::Value;

use super::values::{all, around_pair, keyed, object, text, value};
use crate::draws::{above, chance, counted, extras, foreign, has_twins, picked, steps};
use crate::readers::{are_in_order, is_shown};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// The reserve and the estimate of each lot of an auction.
fn lots(input: &str) -> Option<Vec<(u64, u64)>> {
    all(&value(input)?, |lot| {
        lot["title"].as_str()?;
        Some((lot["reserve"].as_u64()?, lot["estimate"].as_u64()?))
    })
}

/// How deep rows and columns are in each other in a part of a window.
fn layout_depth(part: &Value) -> Option<usize> {
    match part["type"].as_str()? {
        "label" | "button" => part["text"].is_string().then_some(0),
        "frame" => layout_depth(&part["child"]),
        "row" | "column" => {
            Some(1 + all(&part["children"], layout_depth)?.into_iter().max().unwrap_or(0))
        }
        _ => None,
    }
}

/// Whether each pet has a chip.
fn have_chips(input: &str) -> Option<Vec<bool>> {
    let owners = all(&value(input)?["owners"], |owner| {
        owner["name"].as_str()?;
        all(&owner["pets"], |pet| {
            pet["kind"].as_str()?;
            pet.get("chip").map_or(Some(false), |chip| chip.is_string().then_some(true))
        })
    });
    Some(owners?.concat())
}

/// The street of each delivery.
fn streets(input: &str) -> Option<Vec<String>> {
    keyed(&value(input)?["deliveries"], |delivery| {
        delivery["city"].as_str()?;
        text(&delivery["street"])
    })
}

/// How wide each sign is, and how long its text is.
fn signs(input: &str) -> Option<Vec<(u64, usize)>> {
    all(&value(input)?["signs"], |sign| {
        let shown = sign["text"].as_str().filter(|text| is_shown(text))?;
        Some((sign["width"].as_u64()?, shown.len()))
    })
}

/// What happened to each order.
fn orders(input: &str) -> Option<Vec<Vec<String>>> {
    all(&value(input)?["orders"], |order| {
        order["customer"].as_str()?;
        all(&order["events"], |event| {
            event["day"].as_u64()?;
            text(&event["state"])
        })
    })
}

/// The roles of each user.
fn roles(input: &str) -> Option<Vec<Vec<String>>> {
    keyed(&value(input)?["users"], |user| {
        user["mail"].as_str()?;
        all(&user["roles"], text)
    })
}

/// The currency of each invoice.
fn currencies(input: &str) -> Option<Vec<String>> {
    all(&value(input)?["invoices"], |invoice| {
        invoice["number"].as_u64()?;
        invoice["total"]["amount"].as_u64()?;
        text(&invoice["total"]["currency"])
    })
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "thirty-second: json: a lot whose reserve is above its estimate",
        grammar: "@json",
        input: concat!(
            r#"[{"title":"oak chair","estimate":120,"reserve":80,"bids":[900,40]},{"reserve":60,"#,
            r#""title":"reserve 90","estimate":60,"last":{"reserve":90,"estimate":45}},{"title":"#,
            r#""brass lamp","fee":25,"reserve":350,"sold":false,"estimate":300},{"estimate":75,"#,
            r#""reserve":0,"title":""}]"#
        ),
        valid: |input| lots(input).is_some(),
        fails: |input| {
            lots(input).is_some_and(|all| all.iter().any(|(reserve, most)| reserve > most))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let lots = joined(dice, count, ",", |dice| {
                let others = [
                    "\"bids\":[900,40]",
                    "\"last\":{\"reserve\":90,\"estimate\":45}",
                    "\"fee\":25",
                    "\"sold\":false",
                ];
                let mut pairs = extras(dice, &others);
                let estimate = [dice.below(20), 20 + dice.below(400), 60][dice.below(3)];
                let title = one(dice, &["oak chair", "reserve 90", "brass lamp", ""]);
                pairs.push(format!("\"title\":\"{title}\""));
                pairs.push(format!("\"estimate\":{estimate}"));
                pairs.push(format!("\"reserve\":{}", above(dice, estimate, 27)));
                object(dice, pairs)
            });
            format!("[{lots}]")
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-second: json: rows and columns of a window in each other, four deep or more",
        grammar: "@json",
        input: concat!(
            r#"{"title":"row","size":[640,480],"content":{"type":"column","gap":4,"children":["#,
            r#"{"type":"label","text":"column"},{"type":"row","children":[{"type":"button","text":"#,
            r#""Save"},{"type":"frame","child":{"type":"row","children":[{"children":[{"text":"","#,
            r#""type":"label"}],"type":"column"}]}}]},{"type":"row","children":[]}]},"grid":[[[[["#,
            r#"5]]]]],"menu":{"type":"row","children":[{"type":"column"}]}}"#
        ),
        valid: |input| value(input).is_some_and(|all| layout_depth(&all["content"]).is_some()),
        fails: |input| value(input).is_some_and(|all| layout_depth(&all["content"]) >= Some(4)),
        draw: |dice| {
            let leaf = |dice: &mut Random| {
                let kind = one(dice, &["label", "button"]);
                let text = one(dice, &["Save", "row", "column", ""]);
                format!("{{\"type\":\"{kind}\",\"text\":\"{text}\"}}")
            };
            let mut part = leaf(dice);
            for _ in 0..1 + dice.below(7) {
                let kind = one(dice, &["row", "column"]);
                let children = match dice.below(5) {
                    0 => {
                        part = format!("{{\"type\":\"frame\",\"child\":{part}}}");
                        continue;
                    }
                    1 => format!("{part},{}", leaf(dice)),
                    2 => format!("{},{part}", leaf(dice)),
                    _ => part,
                };
                let other = one(dice, &["", "", ",\"gap\":4", ",\"name\":\"row\""]);
                part = format!("{{\"type\":\"{kind}\"{other},\"children\":[{children}]}}");
            }
            let others = [
                "\"title\":\"row\"",
                "\"size\":[640,480]",
                "\"grid\":[[[[[5]]]]]",
                "\"menu\":{\"type\":\"row\",\"children\":[{\"type\":\"column\"}]}",
            ];
            around_pair(dice, format!("\"content\":{part}"), &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-second: json: a pet without a chip",
        grammar: "@json",
        input: concat!(
            r#"{"vet":"chip","owners":[{"name":"Ada","pets":[{"kind":"dog","chip":"27609"},{"age":"#,
            r#"4,"chip":"","kind":"cat"}],"phone":"555"},{"chip":"none","pets":[{"kind":"chip","#,
            r#""tag":{"chip":"27610"},"age":2},{"chip":"27611","kind":"parrot","shots":[2,5]}],"#,
            r#""name":"Raj"},{"pets":[],"name":"Bo"}],"readers":[{"kind":"wand"}]}"#
        ),
        valid: |input| have_chips(input).is_some(),
        fails: |input| have_chips(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let owners = joined(dice, count, ",", |dice| {
                let count = dice.below(4);
                let pets = joined(dice, count, ",", |dice| {
                    let others = ["\"age\":4", "\"tag\":{\"chip\":\"27610\"}", "\"shots\":[2,5]"];
                    let mut pairs = extras(dice, &others);
                    let kind = one(dice, &["dog", "cat", "parrot", "chip"]);
                    pairs.push(format!("\"kind\":\"{kind}\""));
                    if chance(dice, 80) {
                        pairs.push(format!("\"chip\":\"{}\"", one(dice, &["27609", "27611", ""])));
                    } else if chance(dice, 25) {
                        pairs.push("\"chipped\":false".to_owned());
                    }
                    object(dice, pairs)
                });
                let mut pairs = extras(dice, &["\"phone\":\"555\"", "\"chip\":\"none\""]);
                pairs.push(format!("\"name\":\"{}\"", one(dice, &["Ada", "Raj", "Bo", "chip"])));
                pairs.push(format!("\"pets\":[{pets}]"));
                object(dice, pairs)
            });
            let others = ["\"vet\":\"chip\"", "\"readers\":[{\"kind\":\"wand\"}]"];
            around_pair(dice, format!("\"owners\":[{owners}]"), &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-second: json: a delivery to a street with a character that is not ASCII",
        grammar: "@json",
        input: concat!(
            r#"{"depot":{"street":"Jägerweg 2","city":"Köln"},"deliveries":{"d-1":{"street":"Mill "#,
            r#"Lane 4","city":"Münster"},"d-2":{"to":"Zoë","city":"Bonn","boxes":2,"street":"#,
            r#""Am Weiher 11"},"d-3":{"street":"Rosenstraße 7","city":"Bonn","sender":{"street":"#,
            r#""Allée 9"}},"d-4":{"city":"Ulm","note":"über den Hof","street":""}},"van":"é"}"#
        ),
        valid: |input| streets(input).is_some(),
        fails: |input| streets(input).is_some_and(|all| all.iter().any(|one| !one.is_ascii())),
        draw: |dice| {
            let mut deliveries = Vec::new();
            for at in 0..1 + dice.below(4) {
                let others = [
                    "\"to\":\"Zoë\"",
                    "\"boxes\":2",
                    "\"sender\":{\"street\":\"Allée 9\"}",
                    "\"note\":\"über den Hof\"",
                ];
                let mut pairs = extras(dice, &others);
                let name = if chance(dice, 27) { foreign(dice) } else { word(dice, 7) };
                let [start, end] = [["", "", "Am "], [" 4", " 11", ""]];
                let street = format!("{}{name}{}", one(dice, &start), one(dice, &end));
                pairs.push(format!("\"street\":\"{street}\""));
                pairs.push(format!("\"city\":\"{}\"", one(dice, &["Münster", "Bonn", "Ulm"])));
                deliveries.push(format!("\"d-{}\":{}", at + 1, object(dice, pairs)));
            }
            let others = ["\"depot\":{\"street\":\"Jägerweg 2\"}", "\"van\":\"é\""];
            around_pair(dice, format!("\"deliveries\":{{{}}}", deliveries.join(",")), &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-second: json: a sign whose text is exactly as long as its width",
        grammar: "@json",
        input: concat!(
            r#"{"station":"owl hill","width":8,"signs":[{"text":"Platform 4","width":24},{"width":"#,
            r#"5,"font":"bold5","text":"No entry"},{"text":"Way out","lines":["width","7 wide"],"#,
            r#""width":7,"lit":true},{"text":"","width":12},{"lit":false,"text":"width 12","#,
            r#""width":9}]}"#
        ),
        valid: |input| signs(input).is_some(),
        fails: |input| {
            signs(input).is_some_and(|all| all.iter().any(|(most, size)| *most == *size as u64))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let signs = joined(dice, count, ",", |dice| {
                let shown = match dice.below(4) {
                    0 => one(dice, &["Platform 4", "Way out", "width 12", ""]).to_owned(),
                    1 => format!("{} {}", word(dice, 7), word(dice, 7)),
                    2 => "To gates ".to_owned() + &"7".repeat(1 + dice.below(9)),
                    _ => word(dice, 12),
                };
                let others = ["\"font\":\"bold5\"", "\"lines\":[\"7 wide\"]", "\"lit\":true"];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("\"width\":{}", counted(dice, shown.len(), 26)));
                pairs.push(format!("\"text\":\"{shown}\""));
                object(dice, pairs)
            });
            let others = ["\"station\":\"owl hill\"", "\"width\":8", "\"text\":\"Exit\""];
            around_pair(dice, format!("\"signs\":[{signs}]"), &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-second: json: an order that is paid, then shipped, and then refunded",
        grammar: "@json",
        input: concat!(
            r#"{"shop":"paid","states":["paid","shipped","refunded"],"orders":[{"customer":"Uma","#,
            r#""events":[{"day":1,"state":"paid"},{"day":2,"state":"refunded"},{"day":4,"state":"#,
            r#""shipped"}]},{"events":[{"state":"placed","day":1},{"state":"paid","day":1},{"day":"#,
            r#"3,"state":"shipped","by":"van"},{"day":5,"state":"opened"},{"day":9,"state":"#,
            r#""refunded"}],"customer":"shipped","gift":true},{"customer":"Bo","events":[]}]}"#
        ),
        valid: |input| orders(input).is_some(),
        fails: |input| {
            orders(input).is_some_and(|all| {
                all.iter().any(|states| {
                    let states: Vec<&str> = states.iter().map(|one| &one[..]).collect();
                    are_in_order(&states, &["paid", "shipped", "refunded"])
                })
            })
        },
        draw: |dice| {
            let mut orders = Vec::new();
            for at in 0..1 + dice.below(3) {
                let others = ["placed", "opened", "paid", "refunded", "unpaid", "packed"];
                let states = match at {
                    0 => steps(dice, ["paid", "shipped", "refunded"], &others),
                    _ => (0..dice.below(4)).map(|_| one(dice, &others)).collect(),
                };
                let mut events = Vec::new();
                for (day, state) in states.iter().enumerate() {
                    let pair = format!("\"state\":\"{state}\",\"day\":{}", day + 1);
                    events.push(around_pair(dice, pair, &["\"by\":\"van\""]));
                }
                let mut pairs = extras(dice, &["\"gift\":true", "\"tags\":[\"paid\",\"shipped\"]"]);
                let customer = one(dice, &["Uma", "Bo", "shipped", "paid"]);
                pairs.push(format!("\"customer\":\"{customer}\""));
                pairs.push(format!("\"events\":[{}]", events.join(",")));
                orders.push(object(dice, pairs));
            }
            let orders = shuffled(dice, orders).join(",");
            let others = ["\"shop\":\"paid\"", "\"states\":[\"paid\",\"shipped\",\"refunded\"]"];
            around_pair(dice, format!("\"orders\":[{orders}]"), &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-second: json: a user with the same role twice",
        grammar: "@json",
        input: concat!(
            r#"{"realm":"wiki","roles":["edit","edit"],"users":{"anna":{"mail":"a@owl.example","#,
            r#""roles":["edit","admin"]},"raj":{"roles":["read","edit","audit","read"],"mail":"","#,
            r#""seen":40},"bo":{"mail":"edit","roles":[],"groups":["read","read"]},"zoe":{"roles":"#,
            r#"["read","Read","reader"],"mail":"z@owl.example"}}}"#
        ),
        valid: |input| roles(input).is_some(),
        fails: |input| roles(input).is_some_and(|all| all.iter().any(|list| has_twins(list))),
        draw: |dice| {
            let mut users = Vec::new();
            for name in picked(dice, &["anna", "raj", "bo", "zoe"], 3, 0) {
                let known = ["read", "Read", "reader", "edit", "admin", "audit"];
                let mut roles = Vec::new();
                for role in picked(dice, &known, 5, 32) {
                    roles.push(format!("\"{role}\""));
                }
                if chance(dice, 8) {
                    roles.clear();
                }
                let mut pairs = extras(dice, &["\"seen\":40", "\"groups\":[\"read\",\"read\"]"]);
                pairs.push(format!("\"mail\":\"{}\"", one(dice, &["a@owl.example", "edit", ""])));
                pairs.push(format!("\"roles\":[{}]", roles.join(",")));
                users.push(format!("\"{name}\":{}", object(dice, pairs)));
            }
            let others = ["\"realm\":\"wiki\"", "\"roles\":[\"edit\",\"edit\"]"];
            around_pair(dice, format!("\"users\":{{{}}}", users.join(",")), &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-second: json: an invoice whose total is in JPY, KRW or VND",
        grammar: "@json",
        input: concat!(
            r#"{"company":"JPY Ltd","currency":"KRW","invoices":[{"number":17,"total":{"amount":"#,
            r#"940,"currency":"EUR"}},{"note":"VND","number":18,"total":{"currency":"jpy","amount":"#,
            r#"12}},{"total":{"tax":9,"currency":"KRW","amount":88000},"number":19,"lines":["usb"#,
            r#" hub"]},{"number":20,"total":{"amount":3,"currency":"USD"},"paid":{"currency":"#,
            r#""JPY"}}],"rates":["JPY","VND"]}"#
        ),
        valid: |input| currencies(input).is_some(),
        fails: |input| {
            currencies(input).is_some_and(|all| {
                all.iter().any(|currency| ["JPY", "KRW", "VND"].contains(&&currency[..]))
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let invoices = joined(dice, count, ",", |dice| {
                let currency = match chance(dice, 26) {
                    true => one(dice, &["JPY", "KRW", "VND"]),
                    false => one(dice, &["EUR", "USD", "GBP", "KPW", "jpy", "VES", "JMD"]),
                };
                let total = format!("\"amount\":{},\"currency\":\"{currency}\"", dice.below(900));
                let total = around_pair(dice, total, &["\"tax\":9"]);
                let others = ["\"note\":\"VND\"", "\"paid\":{\"currency\":\"JPY\"}"];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("\"number\":{}", 1 + dice.below(40)));
                pairs.push(format!("\"total\":{total}"));
                object(dice, pairs)
            });
            let others =
                ["\"company\":\"JPY Ltd\"", "\"currency\":\"KRW\"", "\"rates\":[\"JPY\",\"VND\"]"];
            around_pair(dice, format!("\"invoices\":[{invoices}]"), &others)
        },
        patterns: &[],
    },
];
