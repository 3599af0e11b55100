//! Causes in JSON.

use serde_json::Value;

use crate::draws::{
    above, are_uneven, around, chance, counted, extras, figure, foreign, has_twins, lengths, picked,
};
use crate::thirty_third::values::{all, each, object, text, texts};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// In how many days each certificate expires.
fn days(input: &str) -> Option<Vec<u64>> {
    each(input, "certificates", |certificate| {
        certificate["host"].as_str()?;
        certificate["days"].as_u64()
    })
}

/// How many minutes were spent on each ticket, and how many it was estimated at.
fn tickets(input: &str) -> Option<Vec<(u64, u64)>> {
    each(input, "tickets", |ticket| {
        ticket["key"].as_str()?;
        Some((ticket["spent"].as_u64()?, ticket["estimate"].as_u64()?))
    })
}

/// How deep lists and quotes are in each other in a block of a page. A panel has others in it, too.
fn block_depth(block: &Value) -> Option<usize> {
    let own = match block["type"].as_str()? {
        "list" | "quote" => 1,
        "panel" => 0,
        "text" => return block["text"].as_str().map(|_| 0),
        _ => return None,
    };
    let inner = all(block.get("content")?, block_depth)?;
    Some(own + inner.into_iter().max().unwrap_or(0))
}

/// Whether each webhook has a secret.
fn have_secrets(input: &str) -> Option<Vec<bool>> {
    each(input, "hooks", |hook| {
        hook["url"].as_str()?;
        let secret = hook.get("secret");
        secret.is_none_or(Value::is_string).then_some(secret.is_some())
    })
}

/// The company of each attendee of a conference.
fn companies(input: &str) -> Option<Vec<String>> {
    each(input, "attendees", |attendee| {
        attendee["name"].as_str()?;
        text(&attendee["company"])
    })
}

/// How many signers each petition needs, and how many it has.
fn petitions(input: &str) -> Option<Vec<(u64, usize)>> {
    each(input, "petitions", |petition| {
        let signers = all(&petition["signers"], text)?;
        Some((petition["needs"].as_u64()?, signers.len()))
    })
}

/// The ports of each rule of a firewall.
fn rule_ports(input: &str) -> Option<Vec<Vec<u64>>> {
    each(input, "rules", |rule| {
        rule["action"].as_str()?;
        all(&rule["ports"], |port| port.as_u64().filter(|port| *port < 65_536))
    })
}

/// How many numbers the rows of the weights of each layer of a network have.
fn weights(input: &str) -> Option<Vec<Vec<usize>>> {
    each(input, "layers", |layer| {
        layer["name"].as_str()?;
        all(&layer["weights"], |row| all(row, Value::as_f64).map(|row| row.len()))
    })
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "thirty-fifth: json: certificates: one that expires in 15 to 30 days",
        grammar: "@json",
        input: concat!(
            r#"{"checked":"30 days","days":21,"certificates":[{"host":"owl.example","days":31,"bits":16},"#,
            r#"{"issuer":"Wren CA","chain":[{"days":20},{"days":365}],"days":14,"host":"mail.owl.example"},"#,
            r#"{"days":22,"issuer":"15 to 30","host":"days.example"},{"host":"old.example","days":2}],"#,
            r#""warn":[15,30]}"#
        ),
        valid: |input| days(input).is_some(),
        fails: |input| days(input).is_some_and(|all| all.iter().any(|one| (15..31).contains(one))),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let certificates = joined(dice, count, ",", |dice| {
                let host = one(dice, &["owl.example", "mail.owl.example", "days.example"]);
                let days = around(dice, [15, 30], 26);
                let pairs = [format!("\"host\":\"{host}\""), format!("\"days\":{days}")];
                let others = [
                    "\"bits\":16",
                    "\"issuer\":\"15 to 30\"",
                    "\"chain\":[{\"days\":20},{\"days\":365}]",
                    "\"age\":29",
                ];
                object(dice, &pairs, &others)
            });
            let others = ["\"checked\":\"30 days\"", "\"days\":21", "\"warn\":[15,30]"];
            object(dice, &[format!("\"certificates\":[{certificates}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fifth: json: tracker: a ticket with more minutes spent on it than estimated",
        grammar: "@json",
        input: concat!(
            r#"{"sprint":"spent 40","estimate":90,"spent":130,"tickets":[{"key":"OWL-4","spent":45,"#,
            r#""estimate":60,"points":80},{"estimate":30,"key":"OWL-7","children":[{"spent":40,"#,
            r#""estimate":5}],"spent":30},{"labels":["spent"],"estimate":120,"spent":135,"key":"OWL-120"},"#,
            r#"{"key":"OWL-9","estimate":15,"spent":0}]}"#
        ),
        valid: |input| tickets(input).is_some(),
        fails: |input| {
            tickets(input).is_some_and(|all| all.iter().any(|(spent, estimate)| spent > estimate))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let tickets = joined(dice, count, ",", |dice| {
                let estimate = [5 * dice.below(30), dice.below(200), 60][dice.below(3)];
                let spent = above(dice, estimate, 28);
                let key = one(dice, &["OWL-4", "OWL-7", "OWL-120"]);
                let pairs = [
                    format!("\"key\":\"{key}\""),
                    format!("\"spent\":{spent}"),
                    format!("\"estimate\":{estimate}"),
                ];
                let others = [
                    "\"points\":80",
                    "\"labels\":[\"spent\"]",
                    "\"children\":[{\"spent\":40,\"estimate\":5}]",
                ];
                object(dice, &pairs, &others)
            });
            let others = ["\"sprint\":\"spent 40\"", "\"estimate\":90", "\"spent\":130"];
            object(dice, &[format!("\"tickets\":[{tickets}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fifth: json: wiki: lists and quotes of a page in each other, five deep or more",
        grammar: "@json",
        input: concat!(
            r#"{"title":"list","blocks":[{"type":"list","content":[{"type":"text","text":"quote"}]},"#,
            r#"{"type":"quote","content":[{"content":[{"type":"panel","content":[{"type":"list","content":"#,
            r#"[{"type":"quote","content":[{"content":[{"type":"text","text":"list"}],"type":"list"}]}]}]}],"#,
            r#""type":"list"},{"type":"text","text":"tea"}]}],"tags":[[[[[["quote"]]]]]]}"#
        ),
        valid: |input| each(input, "blocks", block_depth).is_some(),
        fails: |input| {
            let all = each(input, "blocks", block_depth);
            all.is_some_and(|all| all.iter().any(|depth| *depth >= 5))
        },
        draw: |dice| {
            let leaves = [
                "{\"type\":\"text\",\"text\":\"list\"}",
                "{\"text\":\"tea\",\"type\":\"text\"}",
                "{\"type\":\"quote\",\"content\":[]}",
            ];
            let mut block = leaves[dice.below(2)].to_owned();
            for _ in 0..3 + dice.below(7) {
                let mut inner = extras(dice, &leaves[..2]);
                inner.truncate(1);
                inner.push(block);
                let kind = one(dice, &["list", "list", "quote", "quote", "panel"]);
                let inner = shuffled(dice, inner).join(",");
                let pairs = [format!("\"type\":\"{kind}\""), format!("\"content\":[{inner}]")];
                block = object(dice, &pairs, &[]);
            }
            let mut blocks = extras(dice, &leaves);
            blocks.push(block);
            let blocks = shuffled(dice, blocks).join(",");
            let others = ["\"title\":\"list\"", "\"tags\":[[[[[[\"quote\"]]]]]]"];
            object(dice, &[format!("\"blocks\":[{blocks}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fifth: json: webhooks: one without a secret",
        grammar: "@json",
        input: concat!(
            r#"{"owner":"secret","secret":"k9","hooks":[{"url":"https://owl.example/in","secret":"s4t",""#,
            r#"events":["push"]},{"active":true,"url":"https://a.example/secret","old":{"secret":"x"},"#,
            r#""events":["push","secret"],"secrets":["b"]},{"secret":"","url":"https://b.example/"}],"#,
            r#""retries":3}"#
        ),
        valid: |input| have_secrets(input).is_some(),
        fails: |input| have_secrets(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let hooks = joined(dice, count, ",", |dice| {
                let url = one(dice, &["owl.example/in", "a.example/secret", "b.example/"]);
                let mut pairs = vec![format!("\"url\":\"https://{url}\"")];
                if chance(dice, 76) {
                    let secret = one(dice, &["s4t", "", "secret", "k9"]);
                    pairs.push(format!("\"secret\":\"{secret}\""));
                }
                let others = [
                    "\"active\":true",
                    "\"events\":[\"push\",\"secret\"]",
                    "\"old\":{\"secret\":\"x\"}",
                    "\"secrets\":[\"b\"]",
                ];
                object(dice, &pairs, &others)
            });
            let others = ["\"owner\":\"secret\"", "\"secret\":\"k9\"", "\"retries\":3"];
            object(dice, &[format!("\"hooks\":[{hooks}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-fifth: json: badges: an attendee whose company has a character that is not ",
            "ASCII"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"event":"Tübingen","company":"Öko","attendees":[{"name":"Zoë","company":"Wren Ltd"},"#,
            r#"{"company":"Owl & Co","diet":"crêpes","name":"Raj"},{"talk":{"title":"Où?","company":"Ö"},"#,
            r#""company":"Nordlys Drøm AS","name":"Bo"},{"name":"Łucja","company":"ACME 4"}],"#,
            r#""sponsors":["Å"]}"#
        ),
        valid: |input| companies(input).is_some(),
        fails: |input| companies(input).is_some_and(|all| all.iter().any(|one| !one.is_ascii())),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let attendees = joined(dice, count, ",", |dice| {
                let name = one(dice, &["Zoë", "Raj", "Łucja", "Bo"]);
                let company = if chance(dice, 26) { foreign(dice) } else { word(dice, 7) };
                let [start, end] = [["", "Owl "], ["", " & Co"]].map(|all| one(dice, &all));
                let pairs = [
                    format!("\"name\":\"{name}\""),
                    format!("\"company\":\"{start}{company}{end}\""),
                ];
                let others = [
                    "\"diet\":\"crêpes\"",
                    "\"talk\":{\"title\":\"Où?\",\"company\":\"Ö\"}",
                    "\"city\":\"Malmö\"",
                ];
                object(dice, &pairs, &others)
            });
            let others = ["\"event\":\"Tübingen\"", "\"company\":\"Öko\"", "\"sponsors\":[\"Å\"]"];
            object(dice, &[format!("\"attendees\":[{attendees}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fifth: json: petitions: one with exactly as many signers as it needs",
        grammar: "@json",
        input: concat!(
            r#"{"town":"needs 2","needs":2,"petitions":[{"title":"3 benches","needs":5,"signers":["ada","#,
            r#""bo"]},{"signers":["kim","raj","uma"],"closed":false,"needs":3,"title":"a bus"},{"needs":1,"#,
            r#""against":["lee"],"signers":[]}],"signers":["ada","zoe"]}"#
        ),
        valid: |input| petitions(input).is_some(),
        fails: |input| {
            let all = petitions(input).unwrap_or_default();
            all.iter().any(|(needs, count)| *needs as usize == *count)
        },
        draw: |dice| {
            let petitions = 1 + dice.below(3);
            let petitions = joined(dice, petitions, ",", |dice| {
                let count = dice.below(6);
                let names = ["ada", "bo", "kim", "raj", "uma", "needs"];
                let signers: Vec<&str> = (0..count).map(|_| one(dice, &names)).collect();
                let needs = counted(dice, count, 30);
                let pairs =
                    [format!("\"needs\":{needs}"), format!("\"signers\":{}", texts(&signers))];
                let others = [
                    "\"title\":\"3 benches\"",
                    "\"closed\":false",
                    "\"against\":[\"lee\",\"zoe\"]",
                    "\"pages\":2",
                ];
                object(dice, &pairs, &others)
            });
            let others = ["\"town\":\"needs 2\"", "\"needs\":2", "\"signers\":[\"ada\",\"zoe\"]"];
            object(dice, &[format!("\"petitions\":[{petitions}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fifth: json: firewall: a rule with the same port twice",
        grammar: "@json",
        input: concat!(
            r#"{"name":"80,80","ports":[22,22],"rules":[{"action":"allow","ports":[80,443]},{"from":"#,
            r#"["10.0.0.8","10.0.0.8"],"ports":[8080,80,443],"action":"deny"},{"action":"log","ports":"#,
            r#"[53,443,5353,8443,443],"priority":53},{"ports":[22],"action":"allow","hits":[4,4,443]}]}"#
        ),
        valid: |input| rule_ports(input).is_some(),
        fails: |input| rule_ports(input).is_some_and(|all| all.iter().any(|one| has_twins(one))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let rules = joined(dice, count, ",", |dice| {
                let known = ["22", "53", "80", "443", "8080", "8443", "5353"];
                let ports = picked(dice, &known, 5, 34).join(",");
                let ports = if chance(dice, 6) { String::new() } else { ports };
                let action = one(dice, &["allow", "deny", "log"]);
                let pairs = [format!("\"action\":\"{action}\""), format!("\"ports\":[{ports}]")];
                let others = [
                    "\"from\":[\"10.0.0.8\",\"10.0.0.8\"]",
                    "\"priority\":53",
                    "\"hits\":[4,4,443]",
                    "\"note\":\"80, 80\"",
                ];
                object(dice, &pairs, &others)
            });
            let others = ["\"name\":\"80,80\"", "\"ports\":[22,22]", "\"version\":4"];
            object(dice, &[format!("\"rules\":[{rules}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-fifth: json: network: a layer whose rows of weights do not all have the same ",
            "number of numbers"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"model":"dense","inputs":[[1,2],[3]],"layers":[{"name":"dense","weights":[[0.5,-1],[2,"#,
            r#"0.25]],"bias":[1,2,3]},{"shape":[[2],[3,3]],"weights":[[0.125,4,-2],[1,0.5],[3,3,-0.75]],"#,
            r#""name":"out"},{"name":"skip","weights":[[4,1.5,-2,8]]},{"weights":[],"name":"end"}]}"#
        ),
        valid: |input| weights(input).is_some(),
        fails: |input| weights(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let layers = joined(dice, count, ",", |dice| {
                let rows: Vec<String> = lengths(dice, 1, 42)
                    .into_iter()
                    .map(|length| format!("[{}]", joined(dice, length, ",", figure)))
                    .collect();
                let name = one(dice, &["dense", "out", "skip"]);
                let pairs =
                    [format!("\"name\":\"{name}\""), format!("\"weights\":[{}]", rows.join(","))];
                let others = ["\"bias\":[1,2,3]", "\"shape\":[[2],[3,3]]", "\"rate\":0.5"];
                object(dice, &pairs, &others)
            });
            let others = ["\"model\":\"dense\"", "\"inputs\":[[1,2],[3]]", "\"epochs\":12"];
            object(dice, &[format!("\"layers\":[{layers}]")], &others)
        },
        patterns: &[],
    },
];
