//! Causes in JSON.

use serde_json::Value;

use crate::draws::{
    above, are_negative_and_fine, are_uneven, chance, counted, extras, figure, has_twins, lengths,
    picked, steps,
};
use crate::readers::{are_in_order, numbers, signed_decimals};
use crate::thirty_third::values::{all, each, each_named, object, text, texts};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// How many servers each group should have, and how many it may have.
fn groups(input: &str) -> Option<Vec<(u64, u64)>> {
    each(input, "groups", |group| {
        group["name"].as_str()?;
        Some((group["desired"].as_u64()?, group["max"].as_u64()?))
    })
}

/// How deep unions and cuts are in each other in a solid. One that is moved has another one in it, too.
fn solid_depth(solid: &Value) -> Option<usize> {
    let known = ["union", "cut", "of", "sphere", "box"];
    let kinds: Vec<&str> = known.into_iter().filter(|kind| solid.get(kind).is_some()).collect();
    let [kind] = kinds[..] else { return None };
    match kind {
        "union" | "cut" => {
            let inner = all(&solid[kind], solid_depth)?;
            Some(1 + inner.into_iter().max().unwrap_or(0))
        }
        "of" => {
            all(&solid["move"], Value::as_f64).filter(|place| place.len() == 3)?;
            solid_depth(&solid["of"])
        }
        _ => solid[kind].is_number().then_some(0),
    }
}

/// Whether each feature flag has a default.
fn have_defaults(input: &str) -> Option<Vec<bool>> {
    each_named(input, "flags", |flag| {
        let default = flag.as_object()?.get("default");
        let is_right = default.is_none_or(|value| value.is_boolean() || value.is_string());
        is_right.then_some(default.is_some())
    })
}

/// The numbers that describe the orbit of each satellite: whether each is negative, and how many decimals
/// it has. The last decimal of a number has to say something.
fn orbits(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let is_short = |number: &&str| !number.contains('.') || !number.ends_with('0');
    numbers(input).iter().all(is_short).then_some(())?;
    each(input, "satellites", |satellite| {
        satellite["name"].as_str()?;
        all(&satellite["orbit"], |number| signed_decimals(&number.as_number()?.to_string()))
    })
}

/// How many disks each array needs, and how many it has.
fn arrays(input: &str) -> Option<Vec<(u64, usize)>> {
    each(input, "arrays", |array| {
        array["name"].as_str()?;
        let disks = all(&array["disks"], text)?;
        Some((array["needs"].as_u64()?, disks.len()))
    })
}

/// The events of each vending machine.
fn machines(input: &str) -> Option<Vec<Vec<String>>> {
    each(input, "machines", |machine| {
        machine["place"].as_str()?;
        all(&machine["events"], text)
    })
}

/// What each client may do. Its scope is a text, with a blank between two things.
fn scopes(input: &str) -> Option<Vec<Vec<String>>> {
    each(input, "clients", |client| {
        client["id"].as_str()?;
        let is_inside = |c: char| c.is_ascii_alphanumeric() || ":._-".contains(c);
        let scope: Vec<&str> = client["scope"].as_str()?.split(' ').collect();
        let are_right = scope.iter().all(|one| !one.is_empty() && one.chars().all(is_inside));
        are_right.then(|| scope.iter().map(|one| one.to_string()).collect())
    })
}

/// How many lamps the rows of each frame for a wall of lamps have. Each lamp is a letter or a point.
fn frames(input: &str) -> Option<Vec<Vec<usize>>> {
    each(input, "frames", |frame| {
        frame["at"].as_u64()?;
        all(&frame["rows"], |row| {
            let row = row.as_str()?;
            let are_lamps = row.chars().all(|c| c.is_ascii_lowercase() || c == '.');
            (are_lamps && !row.is_empty()).then_some(row.len())
        })
    })
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "thirty-sixth: json: autoscaler: a group with more servers desired than its max",
        grammar: "@json",
        input: concat!(
            r#"{"region":"max 4","desired":9,"groups":[{"name":"web","min":2,"desired":4,"max":8,"zones":"#,
            r#"["a","b"]},{"max":6,"spot":{"desired":3,"max":1},"name":"batch","desired":7,"#,
            r#""cooldown":300},{"desired":2,"max":2,"name":"max","min":1},{"name":"mail","desired":0,"#,
            r#""max":40}],"max":5}"#
        ),
        valid: |input| groups(input).is_some(),
        fails: |input| groups(input).is_some_and(|all| all.iter().any(|(some, max)| some > max)),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let groups = joined(dice, count, ",", |dice| {
                let max = [1 + dice.below(9), 10 + dice.below(90), 6][dice.below(3)];
                let desired = above(dice, max, 24);
                let name = one(dice, &["web", "batch", "max", "mail"]);
                let pairs = [
                    format!("\"name\":\"{name}\""),
                    format!("\"desired\":{desired}"),
                    format!("\"max\":{max}"),
                ];
                let others = [
                    "\"min\":2",
                    "\"zones\":[\"a\",\"b\"]",
                    "\"spot\":{\"desired\":3,\"max\":1}",
                    "\"cooldown\":300",
                ];
                object(dice, &pairs, &others)
            });
            let others = ["\"region\":\"max 4\"", "\"desired\":9", "\"max\":5"];
            object(dice, &[format!("\"groups\":[{groups}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-sixth: json: solids: unions and cuts in each other, five deep or more",
        grammar: "@json",
        input: concat!(
            r#"{"part":"cut","solids":[{"box":4,"name":"union"},{"union":[{"sphere":2},{"name":"hinge","#,
            r#""cut":[{"move":[0,4,-2],"of":{"union":[{"box":12},{"cut":[{"cut":[{"sphere":1}],"#,
            r#""color":"red"},{"union":[]}]}]}},{"box":3}]}]},{"cut":[{"sphere":7}]}],"#,
            r#""layers":[[[[[["union"]]]]]],"unit":"mm"}"#
        ),
        valid: |input| each(input, "solids", solid_depth).is_some(),
        fails: |input| {
            let all = each(input, "solids", solid_depth);
            all.is_some_and(|all| all.iter().any(|depth| *depth >= 5))
        },
        draw: |dice| {
            let leaves =
                ["{\"sphere\":2}", "{\"box\":4,\"name\":\"union\"}", "{\"cut\":[{\"sphere\":7}]}"];
            let mut solid = leaves[dice.below(2)].to_owned();
            for _ in 0..3 + dice.below(6) {
                let mut inner = extras(dice, &leaves[..2]);
                inner.truncate(1);
                let pairs = match dice.below(5) {
                    0 => vec!["\"move\":[0,4,-2]".to_owned(), format!("\"of\":{solid}")],
                    kind => {
                        inner.push(solid);
                        let inner = shuffled(dice, inner).join(",");
                        vec![format!("\"{}\":[{inner}]", ["union", "cut"][kind % 2])]
                    }
                };
                solid = object(dice, &pairs, &["\"color\":\"red\""]);
            }
            let mut solids = extras(dice, &leaves);
            solids.push(solid);
            let solids = shuffled(dice, solids).join(",");
            let others =
                ["\"part\":\"cut\"", "\"layers\":[[[[[[\"union\"]]]]]]", "\"unit\":\"mm\""];
            object(dice, &[format!("\"solids\":[{solids}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-sixth: json: flags: a feature flag without a default",
        grammar: "@json",
        input: concat!(
            r#"{"project":"default","default":true,"flags":{"dark-mode":{"default":false,"owner":"ada"},"#,
            r#""search":{"owner":"default","rules":[{"country":"NO","default":true}],"percent":20},"#,
            r#""default":{"tags":["default"],"default":"blue"}},"old":{"default":{}},"version":12}"#
        ),
        valid: |input| have_defaults(input).is_some(),
        fails: |input| have_defaults(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let known = ["dark-mode", "search", "default", "beta", "new-cart"];
            let mut flags = picked(dice, &known, 4, 0);
            for flag in &mut flags {
                let mut pairs = Vec::new();
                if chance(dice, 75) {
                    let default = one(dice, &["true", "false", "\"blue\"", "\"\""]);
                    pairs.push(format!("\"default\":{default}"));
                }
                let others = [
                    "\"owner\":\"default\"",
                    "\"rules\":[{\"country\":\"NO\",\"default\":true}]",
                    "\"percent\":20",
                    "\"tags\":[\"default\"]",
                ];
                *flag = format!("\"{flag}\":{}", object(dice, &pairs, &others));
            }
            let flags = flags.join(",");
            let others =
                ["\"project\":\"default\"", "\"default\":true", "\"old\":{\"default\":{}}"];
            object(dice, &[format!("\"flags\":{{{flags}}}")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-sixth: json: orbits: a satellite whose orbit has a negative number and one of ",
            "exactly three decimals"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"epoch":"2024 -0.125","drift":-1.125,"satellites":[{"name":"owl -4","orbit":[6878.125,"#,
            r#"51.5,12]},{"mass":2.375,"orbit":[-12.5,0.0625,98],"name":"wren-2"},{"name":"finch","#,
            r#""signal":[-90,0.125],"orbit":[7021,-3.25,97.625,0.5]},{"orbit":[],"name":"lost"}],"#,
            r#""station":[59.375,-4]}"#
        ),
        valid: |input| orbits(input).is_some(),
        fails: |input| {
            orbits(input).is_some_and(|all| all.iter().any(|one| are_negative_and_fine(one)))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let satellites = joined(dice, count, ",", |dice| {
                let name = one(dice, &["owl -4", "wren-2", "finch"]);
                let count = 1 + dice.below(4);
                let orbit = joined(dice, count, ",", figure);
                let pairs = [format!("\"name\":\"{name}\""), format!("\"orbit\":[{orbit}]")];
                let others = ["\"mass\":2.375", "\"signal\":[-90,0.125]", "\"offset\":-3"];
                object(dice, &pairs, &others)
            });
            let others =
                ["\"epoch\":\"2024 -0.125\"", "\"drift\":-1.125", "\"station\":[59.375,-4]"];
            object(dice, &[format!("\"satellites\":[{satellites}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-sixth: json: raid: an array with exactly as many disks as it needs",
        grammar: "@json",
        input: concat!(
            r#"{"host":"needs 2","needs":1,"arrays":[{"name":"md0","needs":2,"disks":["sda","sdb","sdc"]},"#,
            r#"{"level":5,"disks":["sdd","sde","sdf"],"spares":["sdx","sdy"],"needs":3,"name":"md1"},"#,
            r#"{"name":"md2","needs":4,"disks":["sdg"],"size":1}],"disks":["sda"]}"#
        ),
        valid: |input| arrays(input).is_some(),
        fails: |input| {
            let all = arrays(input).unwrap_or_default();
            all.iter().any(|(needs, count)| *needs as usize == *count)
        },
        draw: |dice| {
            let arrays = 1 + dice.below(3);
            let arrays = joined(dice, arrays, ",", |dice| {
                let count = dice.below(6);
                let known = ["sda", "sdb", "sdc", "sdd", "nvme0", "md0"];
                let disks: Vec<&str> = (0..count).map(|_| one(dice, &known)).collect();
                let needs = counted(dice, count, 30);
                let name = one(dice, &["md0", "md1", "md2"]);
                let pairs = [
                    format!("\"name\":\"{name}\""),
                    format!("\"needs\":{needs}"),
                    format!("\"disks\":{}", texts(&disks)),
                ];
                let others = ["\"level\":5", "\"spares\":[\"sdx\",\"sdy\"]", "\"size\":1"];
                object(dice, &pairs, &others)
            });
            let others = ["\"host\":\"needs 2\"", "\"needs\":1", "\"disks\":[\"sda\"]"];
            object(dice, &[format!("\"arrays\":[{arrays}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-sixth: json: vending: a machine with a coin, then a jam, and then a refund",
        grammar: "@json",
        input: concat!(
            r#"{"town":"jam","machines":[{"place":"refund","events":["jam","coin","refund","coin"]},"#,
            r#"{"stock":["coin","jam","refund"],"events":["refund","coin","pick","jam","pick","coin","#,
            r#""refund","drop"],"place":"hall 2"},{"place":"coin","events":["refund","door"],"#,
            r#""last":"jam"}],"events":["coin","jam","refund"]}"#
        ),
        valid: |input| machines(input).is_some(),
        fails: |input| {
            machines(input).is_some_and(|all| {
                all.iter().any(|events| {
                    let events: Vec<&str> = events.iter().map(|event| &event[..]).collect();
                    are_in_order(&events, &["coin", "jam", "refund"])
                })
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let machines = joined(dice, count, ",", |dice| {
                let wanted = ["coin", "jam", "refund"];
                let others = ["pick", "drop", "door", "coin", "refund", "jam"];
                let mut events = steps(dice, wanted, &others);
                if chance(dice, 30) {
                    events.remove(dice.below(events.len()));
                }
                let place = one(dice, &["hall 2", "coin", "refund"]);
                let pairs =
                    [format!("\"place\":\"{place}\""), format!("\"events\":{}", texts(&events))];
                let others = ["\"stock\":[\"coin\",\"jam\",\"refund\"]", "\"last\":\"jam\""];
                object(dice, &pairs, &others)
            });
            let others = ["\"town\":\"jam\"", "\"events\":[\"coin\",\"jam\",\"refund\"]"];
            object(dice, &[format!("\"machines\":[{machines}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-sixth: json: oauth: a client whose scope has the same thing twice",
        grammar: "@json",
        input: concat!(
            r#"{"issuer":"mail mail","scope":"mail mail","clients":[{"id":"web","scope":"openid mail"},"#,
            r#"{"grants":["code","code"],"scope":"files:read openid files mail openid","id":"app-2"},"#,
            r#"{"id":"mail","scope":"openid","note":"openid openid"},{"scope":"mail mail:send email","#,
            r#""id":"bot","public":true}]}"#
        ),
        valid: |input| scopes(input).is_some(),
        fails: |input| scopes(input).is_some_and(|all| all.iter().any(|one| has_twins(one))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let clients = joined(dice, count, ",", |dice| {
                let known =
                    ["openid", "mail", "email", "mail:send", "files", "files:read", "profile"];
                let scope = picked(dice, &known, 5, 28).join(" ");
                let id = one(dice, &["web", "app-2", "mail", "bot"]);
                let pairs = [format!("\"id\":\"{id}\""), format!("\"scope\":\"{scope}\"")];
                let others = [
                    "\"grants\":[\"code\",\"code\"]",
                    "\"note\":\"openid openid\"",
                    "\"public\":true",
                ];
                object(dice, &pairs, &others)
            });
            let others = ["\"issuer\":\"mail mail\"", "\"scope\":\"mail mail\"", "\"version\":2"];
            object(dice, &[format!("\"clients\":[{clients}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-sixth: json: lights: a frame whose rows do not all have the same number ",
            "of lamps"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"show":"rr,r","rows":["rg","r"],"frames":[{"at":0,"rows":["r.g","...","gbr"]},{"fade":40,"#,
            r#""rows":["rrrr","r..r","r..","bbbb"],"at":120},{"at":240,"rows":["wwwwww"],"text":["hi","#,
            r#""you"]},{"rows":[],"at":300}],"loop":true}"#
        ),
        valid: |input| frames(input).is_some(),
        fails: |input| frames(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let frames = joined(dice, count, ",", |dice| {
                let more = dice.below(4);
                let mut rows = Vec::new();
                for length in lengths(dice, 1, 38) {
                    rows.push(joined(dice, length + more, "", |dice| {
                        one(dice, &["r", "g", "b", ".", "w"]).to_owned()
                    }));
                }
                let at = [0, 40 * dice.below(30), 300][dice.below(3)];
                let pairs = [format!("\"at\":{at}"), format!("\"rows\":{}", texts(&rows))];
                let others = ["\"fade\":40", "\"text\":[\"hi\",\"you\"]", "\"note\":\"r.g\""];
                object(dice, &pairs, &others)
            });
            let others = ["\"show\":\"rr,r\"", "\"rows\":[\"rg\",\"r\"]", "\"loop\":true"];
            object(dice, &[format!("\"frames\":[{frames}]")], &others)
        },
        patterns: &[],
    },
];
