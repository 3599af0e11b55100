//! Causes in JSON.

use seedsmith_grammar::Random;
use serde_json::Value;

use super::{again, amount, has_twice, maybe, nearly_in_order, some};
use crate::readers::{are_in_order, has_short_numbers, is_json, items, numbers, signed_decimals};
use crate::two_sided::{TwoSided, any, joined, one, read_json as read, shuffled, word};

/// How hot the oven is in each step of a recipe that needs one; nothing if a step does not say what
/// to do, or the heat is no whole number from 30 to 350.
fn ovens(input: &str) -> Option<Vec<u64>> {
    let (all, mut found) = (read(input), Vec::new());
    for step in all["steps"].as_array()? {
        step["do"].as_str()?;
        if let Some(oven) = step.get("oven") {
            found.push(oven.as_u64().filter(|oven| (30..=350).contains(oven))?);
        }
    }
    Some(found)
}

/// How deep the rules `all` and `any` are in each other; nothing if it is no rule.
fn rule_depth(rule: &Value) -> Option<usize> {
    let pairs = rule.as_object().filter(|pairs| pairs.len() == 1)?;
    let (name, inner) = pairs.iter().next()?;
    match &name[..] {
        "all" | "any" => {
            let depths = inner.as_array()?.iter().map(rule_depth);
            let depths: Vec<usize> = depths.collect::<Option<_>>()?;
            Some(1 + depths.into_iter().max().unwrap_or(0))
        }
        "not" => rule_depth(inner),
        "genre" | "artist" => inner.is_string().then_some(0),
        "year" => inner.is_u64().then_some(0),
        _ => None,
    }
}

/// Whether each seat that is booked has a class; nothing if one lacks a coach or a number, or has a
/// class that is neither 1 nor 2.
fn have_class(input: &str) -> Option<Vec<bool>> {
    let all = read(input);
    let seats = all["seats"].as_array()?.iter().map(|seat| {
        seat["coach"].as_u64()?;
        seat["seat"].as_str()?;
        match seat.get("class") {
            Some(class) => class.as_u64().filter(|class| [1, 2].contains(class)).map(|_| true),
            None => Some(false),
        }
    });
    seats.collect()
}

/// The ids of the sensors of each room. What is something else is not looked at.
fn sensors(input: &str) -> Vec<Vec<String>> {
    let all = read(input);
    let rooms = items(&all["rooms"]).iter().map(|room| {
        let ids = items(&room["sensors"]).iter().filter_map(|sensor| sensor["id"].as_str());
        ids.map(str::to_owned).collect()
    });
    rooms.collect()
}

/// The amounts of each invoice: whether each is negative, and how many decimals it has; nothing if
/// a line has none.
fn amounts(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let all = read(input);
    let invoices = all["invoices"].as_array()?.iter().map(|invoice| {
        let lines = invoice["lines"].as_array()?.iter();
        let amounts = lines.map(|line| {
            let amount = line.get("amount").filter(|amount| amount.is_number())?;
            signed_decimals(&amount.to_string())
        });
        amounts.collect::<Option<Vec<_>>>()
    });
    invoices.collect()
}

/// Whether no number ends with a zero after its point, so that its decimals are those of its value.
fn has_no_idle_zeros(input: &str) -> bool {
    numbers(input).iter().all(|number| !number.contains('.') || !number.ends_with('0'))
}

/// How long the text of each subtitle is, and how long it may be. Those without either are left
/// out.
fn subtitles(input: &str) -> Vec<(u64, u64)> {
    let all = read(input);
    let cues = items(&all["cues"]).iter().filter_map(|cue| {
        let length = cue["text"].as_str()?.chars().count() as u64;
        Some((length, cue["limit"].as_u64()?))
    });
    cues.collect()
}

/// What each program of a washing machine does, in order.
fn programs(input: &str) -> Vec<Vec<String>> {
    let all = read(input);
    let programs = items(&all["programs"]).iter().map(|program| {
        let steps = items(&program["steps"]).iter().filter_map(|step| step["do"].as_str());
        steps.map(str::to_owned).collect()
    });
    programs.collect()
}

/// The numbers of each lottery ticket.
fn tickets(input: &str) -> Vec<Vec<u64>> {
    let all = read(input);
    let tickets = items(&all["tickets"]).iter();
    tickets
        .map(|ticket| items(&ticket["numbers"]).iter().filter_map(Value::as_u64).collect())
        .collect()
}

/// A rule that is not deep.
fn small_rule(dice: &mut Random) -> String {
    let leaf = match dice.below(3) {
        0 => format!("{{\"year\":{}}}", 1950 + dice.below(70)),
        1 => format!("{{\"genre\":\"{}\"}}", one(dice, &["any", "folk", "dub", "all"])),
        _ => format!("{{\"artist\":\"{}\"}}", word(dice, 6)),
    };
    match dice.below(7) {
        0 => format!("{{\"not\":{leaf}}}"),
        1 => format!("{{\"all\":[{leaf}]}}"),
        2 => format!("{{\"any\":[{leaf},{leaf}]}}"),
        _ => leaf,
    }
}

/// An object with these pairs in any order.
fn object(dice: &mut Random, pairs: Vec<String>) -> String {
    format!("{{{}}}", shuffled(dice, pairs).join(","))
}

/// A line of an invoice.
fn invoice_line(dice: &mut Random) -> String {
    let mut pairs = maybe(dice, &["\"tax\":-0.125", "\"item\":\"-4\"", "\"count\":-2"], 4);
    pairs.push(format!("\"amount\":{}", amount(dice)));
    object(dice, pairs)
}

/// A subtitle.
fn cue(dice: &mut Random) -> String {
    let text: String = match dice.below(5) {
        0 => one(dice, &["12", "", "Ahoy there", "9"]).to_owned(),
        _ => {
            let words = 1 + dice.below(3);
            joined(dice, words, " ", |dice| word(dice, 6))
        }
    };
    let length = text.len();
    let near = [length, length, length + 1, length.max(1) - 1][dice.below(4)];
    let limit = [near, length + 9, 24, length / 2][dice.below(4)];
    let mut pairs = vec![format!("\"text\":\"{text}\""), format!("\"limit\":{limit}")];
    if dice.below(2) == 0 {
        pairs.push(format!("\"at\":{}", [length, 40][dice.below(2)]));
    }
    object(dice, pairs)
}

/// A program of a washing machine.
fn program(dice: &mut Random) -> String {
    let others = ["fill", "spin", "soak", "heat"];
    let steps = nearly_in_order(dice, ["heat", "rinse", "drain"], &others);
    let mut found = Vec::new();
    for step in steps {
        let mut pairs = vec![format!("\"do\":\"{step}\"")];
        if dice.below(4) == 0 {
            pairs.push(format!("\"minutes\":{}", 1 + dice.below(40)));
        }
        found.push(object(dice, pairs));
    }
    let mut pairs = maybe(dice, &["\"next\":\"drain\"", "\"then\":[{\"do\":\"drain\"}]"], 4);
    pairs.push(format!("\"steps\":[{}]", found.join(",")));
    object(dice, pairs)
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "twenty-fifth: json: a step of a recipe with an oven from 180 to 220 degrees",
        grammar: "@json",
        input: concat!(
            r#"{"recipe":"Rye loaf","serves":200,"steps":[{"do":"knead","minutes":12},"#,
            r#"{"oven":95,"do":"proof"},{"do":"bake","oven":205,"minutes":190,"rack":2},"#,
            r#"{"do":"cool 200","minutes":40}],"oven":"gas"}"#
        ),
        valid: |input| is_json(input) && has_short_numbers(input) && ovens(input).is_some(),
        fails: |input| ovens(input).is_some_and(|all| all.iter().any(|o| (180..=220).contains(o))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let steps = joined(dice, count, ",", |dice| {
                let oven = match dice.below(6) {
                    0 => [180, 181, 220, 219][dice.below(4)],
                    1 => 180 + dice.below(41),
                    2 => [179, 178, 221, 222][dice.below(4)],
                    3 => [30 + dice.below(150), 221 + dice.below(130)][dice.below(2)],
                    _ => 0,
                };
                let mut pairs = maybe(dice, &["\"minutes\":200", "\"rack\":2"], 3);
                pairs.push(format!("\"do\":\"{}\"", one(dice, &["bake", "rest", "oven 200"])));
                if oven > 0 {
                    pairs.push(format!("\"oven\":{oven}"));
                }
                object(dice, pairs)
            });
            let mut pairs = maybe(dice, &["\"serves\":4", "\"oven\":200", "\"oven2\":210"], 3);
            pairs.push(format!("\"steps\":[{steps}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fifth: json: all and any of a playlist in each other, five deep or more",
        grammar: "@json",
        input: concat!(
            r#"{"title":"all","any":[[[[["all"]]]]],"rule":{"any":[{"genre":"dub"},{"all":["#,
            r#"{"year":1974},{"not":{"any":[{"all":[{"artist":"Kelp"},{"any":[]}]},"#,
            r#"{"genre":"any"}]}}]},{"all":[{"any":[]}]}]},"length":40}"#
        ),
        valid: |input| is_json(input) && rule_depth(&read(input)["rule"]).is_some(),
        fails: |input| rule_depth(&read(input)["rule"]).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let mut rule = small_rule(dice);
            for _ in 0..3 + dice.below(4) {
                if dice.below(5) == 0 {
                    rule = format!("{{\"not\":{rule}}}");
                    continue;
                }
                let mut rules = vec![rule];
                while dice.below(3) == 0 {
                    rules.push(small_rule(dice));
                }
                let name = one(dice, &["all", "any"]);
                rule = format!("{{\"{name}\":[{}]}}", shuffled(dice, rules).join(","));
            }
            let others = ["\"any\":[[[[[\"all\"]]]]]", "\"title\":\"all\"", "\"length\":40"];
            let mut pairs = maybe(dice, &others, 3);
            pairs.push(format!("\"rule\":{rule}"));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fifth: json: a seat in a train that is booked without a class",
        grammar: "@json",
        input: concat!(
            r#"{"train":"IC 41","class":2,"seats":[{"coach":4,"seat":"12a","class":2},"#,
            r#"{"seat":"class","coach":7,"window":true},{"coach":7,"class":1,"seat":"31c"}],"#,
            r#""meals":[{"name":"soup","price":9}]}"#
        ),
        valid: |input| is_json(input) && has_short_numbers(input) && have_class(input).is_some(),
        fails: |input| have_class(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let seats = joined(dice, count, ",", |dice| {
                let fares = ["\"fare\":{\"class\":1}", "\"window\":true", "\"for\":\"class\""];
                let mut pairs = maybe(dice, &fares, 4);
                pairs.push(format!("\"coach\":{}", 1 + dice.below(14)));
                pairs.push(format!("\"seat\":\"{}\"", one(dice, &["12a", "class", "4", "31c"])));
                if dice.below(5) > 0 {
                    pairs.push(format!("\"class\":{}", 1 + dice.below(2)));
                }
                object(dice, pairs)
            });
            let others = ["\"class\":2", "\"train\":\"IC 41\"", "\"meals\":[{\"name\":\"soup\"}]"];
            let mut pairs = maybe(dice, &others, 2);
            pairs.push(format!("\"seats\":[{seats}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fifth: json: a room with two sensors of the same id",
        grammar: "@json",
        input: concat!(
            r#"{"house":"t1","rooms":[{"room":"attic","sensors":[{"id":"t1","unit":"C"},"#,
            r#"{"unit":"C","id":"h1"}]},{"sensors":[{"id":"t2"},{"id":"t1","unit":"%"},"#,
            r#"{"unit":"lx","id":"t2","every":4}],"room":"hall"}],"tests":["h1","h1"]}"#
        ),
        valid: any,
        fails: |input| sensors(input).iter().any(|ids| has_twice(ids)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let rooms = joined(dice, count, ",", |dice| {
                let mut ids = some(dice, &["t1", "t2", "h1", "door", "t10"], 4);
                again(dice, &mut ids, 4);
                let mut all = Vec::new();
                for id in ids {
                    let mut pairs = maybe(dice, &["\"unit\":\"C\"", "\"near\":\"t1\""], 3);
                    pairs.push(format!("\"id\":\"{id}\""));
                    all.push(object(dice, pairs));
                }
                let others = ["\"room\":\"hall\"", "\"id\":\"t1\"", "\"lamps\":[\"t1\",\"t1\"]"];
                let mut pairs = maybe(dice, &others, 3);
                pairs.push(format!("\"sensors\":[{}]", all.join(",")));
                object(dice, pairs)
            });
            let mut pairs = maybe(dice, &["\"house\":\"t1\"", "\"tests\":[\"h1\",\"h1\"]"], 3);
            pairs.push(format!("\"rooms\":[{rooms}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fifth: json: a bill with a negative amount and one of exactly three decimals",
        grammar: "@json",
        input: concat!(
            r#"{"shop":"-1.125","invoices":[{"no":41,"lines":[{"amount":-12.5},{"amount":3}]},"#,
            r#"{"lines":[{"item":"kelp","amount":0.375},{"amount":20},{"item":"back","#,
            r#""amount":-4}],"no":42},{"rate":-1.5,"lines":[{"amount":7.001}]}]}"#
        ),
        valid: |input| {
            let is_right = is_json(input) && has_short_numbers(input) && has_no_idle_zeros(input);
            is_right && amounts(input).is_some()
        },
        fails: |input| {
            amounts(input).unwrap_or_default().iter().any(|all| {
                let is_long = all.iter().any(|(_, decimals)| *decimals == 3);
                is_long && all.iter().any(|(is_negative, _)| *is_negative)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let invoices = joined(dice, count, ",", |dice| {
                let count = 1 + dice.below(4);
                let lines = joined(dice, count, ",", invoice_line);
                let mut pairs = maybe(dice, &["\"rate\":-1.375", "\"no\":41", "\"paid\":-4"], 4);
                pairs.push(format!("\"lines\":[{lines}]"));
                object(dice, pairs)
            });
            let mut pairs = maybe(dice, &["\"shop\":\"-1.125\"", "\"open\":-0.125"], 3);
            pairs.push(format!("\"invoices\":[{invoices}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fifth: json: a subtitle whose text is exactly as long as its limit",
        grammar: "@json",
        input: concat!(
            r#"{"movie":"Low tide","limit":8,"cues":[{"at":10,"text":"Ahoy there","limit":24},"#,
            r#"{"limit":12,"text":"Who is it? 4","at":31,"by":"Ada"},{"text":"Me","limit":40},"#,
            r#"{"at":9,"limit":3,"text":"Too long"}],"language":"en"}"#
        ),
        valid: any,
        fails: |input| subtitles(input).iter().any(|(length, limit)| length == limit),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let cues = joined(dice, count, ",", cue);
            let others = ["\"movie\":\"Low tide\"", "\"limit\":8", "\"text\":\"four\""];
            let mut pairs = maybe(dice, &others, 3);
            pairs.push(format!("\"cues\":[{cues}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fifth: json: a washing program that heats, then rinses, and then drains",
        grammar: "@json",
        input: concat!(
            r#"{"machine":"W4","programs":[{"name":"wool","steps":[{"do":"rinse"},"#,
            r#"{"do":"heat","to":30},{"do":"drain"}]},{"steps":[{"do":"fill"},{"do":"heat"},"#,
            r#"{"do":"spin"},{"do":"rinse","minutes":9},{"do":"drain"}],"name":"linen"}]}"#
        ),
        valid: any,
        fails: |input| {
            programs(input).iter().any(|steps| {
                let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
                are_in_order(&steps, &["heat", "rinse", "drain"])
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let programs = joined(dice, count, ",", program);
            let others = ["\"machine\":\"rinse\"", "\"all\":[\"heat\",\"rinse\",\"drain\"]"];
            let mut pairs = maybe(dice, &others, 3);
            pairs.push(format!("\"programs\":[{programs}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fifth: json: a lottery ticket with the same number twice",
        grammar: "@json",
        input: concat!(
            r#"{"week":7,"drawn":[7,7,4],"tickets":[{"by":"Ada","numbers":[4,8,15,16],"bonus":4},"#,
            r#"{"numbers":[23,7,42,8,7],"bonus":12,"paid":true},{"bonus":3,"numbers":[]},"#,
            r#"{"numbers":[8,42]}]}"#
        ),
        valid: any,
        fails: |input| tickets(input).iter().any(|numbers| has_twice(numbers)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let tickets = joined(dice, count, ",", |dice| {
                let known = ["4", "8", "15", "16", "23", "42", "7", "48"];
                let mut numbers = some(dice, &known, 6);
                let bonus = numbers[0].clone();
                again(dice, &mut numbers, 4);
                let mut pairs = maybe(dice, &["\"paid\":true", "\"by\":\"Ada\""], 3);
                pairs.push(format!("\"numbers\":[{}]", numbers.join(",")));
                if dice.below(2) == 0 {
                    pairs.push(format!("\"bonus\":{bonus}"));
                }
                object(dice, pairs)
            });
            let mut pairs = maybe(dice, &["\"week\":7", "\"drawn\":[7,7,4]", "\"old\":[8]"], 3);
            pairs.push(format!("\"tickets\":[{tickets}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
];
