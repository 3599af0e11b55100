//! Causes in JSON.

use seedsmith_grammar::Random;
use serde_json::Value;

use super::{above, are_negative_and_fine, are_uneven, around, counted, figure, lengths};
use crate::draws::{chance, extras, has_twins, picked};
use crate::readers::{has_short_numbers, is_json, numbers, signed_decimals};
use crate::two_sided::{TwoSided, joined, one, read_json, shuffled, word};

/// What is read of each thing in a list of an input; nothing if the input is odd.
fn each<T>(input: &str, list: &str, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    let is_right = is_json(input) && has_short_numbers(input);
    let all = Some(read_json(input)).filter(|_| is_right)?;
    all[list].as_array()?.iter().map(read).collect()
}

/// The texts in a list.
fn texts(list: &Value) -> Option<Vec<String>> {
    list.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}

/// For how many minutes each zone of a garden is watered.
fn minutes(input: &str) -> Option<Vec<u64>> {
    each(input, "zones", |zone| zone["minutes"].as_u64())
}

/// The load of each elevator, and the one it is rated for.
fn loads(input: &str) -> Option<Vec<(u64, u64)>> {
    each(input, "elevators", |one| Some((one["load"].as_u64()?, one["rated"].as_u64()?)))
}

/// How deep sums and products are in each other in a formula.
fn formula_depth(formula: &Value) -> Option<usize> {
    let Value::Object(pairs) = formula else {
        return (formula.is_number() || formula.is_string()).then_some(0);
    };
    let (kind, inner) = pairs.iter().next().filter(|_| pairs.len() == 1)?;
    match &kind[..] {
        "round" => formula_depth(inner),
        "sum" | "product" => {
            let depths: Option<Vec<usize>> = inner.as_array()?.iter().map(formula_depth).collect();
            Some(1 + depths?.into_iter().max().unwrap_or(0))
        }
        _ => None,
    }
}

/// How deep they are in the price of each tariff.
fn price_depths(input: &str) -> Option<Vec<usize>> {
    each(input, "tariffs", |tariff| formula_depth(&tariff["price"]))
}

/// Whether each hook has a secret.
fn have_secrets(input: &str) -> Option<Vec<bool>> {
    each(input, "hooks", |hook| {
        hook["url"].as_str()?;
        let secret = hook.get("secret");
        secret.is_none_or(Value::is_string).then_some(secret.is_some())
    })
}

/// The coefficients of each curve: whether each is negative, and how many decimals it has. The last
/// decimal has to say something.
fn curves(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let is_short = |number: &&str| !number.contains('.') || !number.ends_with('0');
    numbers(input).iter().all(is_short).then_some(())?;
    each(input, "curves", |curve| {
        let all = curve["coefficients"].as_array()?.iter();
        all.map(|number| signed_decimals(&number.as_number()?.to_string())).collect()
    })
}

/// The quorum of each committee, and how many members it has.
fn committees(input: &str) -> Option<Vec<(u64, usize)>> {
    each(input, "committees", |committee| {
        Some((committee["quorum"].as_u64()?, texts(&committee["members"])?.len()))
    })
}

/// The colors of each theme.
fn themes(input: &str) -> Option<Vec<Vec<String>>> {
    each(input, "themes", |theme| texts(&theme["colors"]))
}

/// How long the rows of each kernel are.
fn kernels(input: &str) -> Option<Vec<Vec<usize>>> {
    each(input, "filters", |filter| {
        let rows = filter["kernel"].as_array()?.iter().map(|row| {
            let row = row.as_array()?;
            row.iter().all(Value::is_number).then_some(row.len())
        });
        rows.collect()
    })
}

/// An object with these pairs in any order.
fn object(dice: &mut Random, pairs: Vec<String>) -> String {
    format!("{{{}}}", shuffled(dice, pairs).join(","))
}

/// An input with a list and some other pairs.
fn around_list(dice: &mut Random, name: &str, list: String, others: &[&str]) -> String {
    let mut pairs = extras(dice, others);
    pairs.push(format!("\"{name}\":[{list}]"));
    object(dice, pairs)
}

/// A formula in which nothing is deep.
fn term(dice: &mut Random) -> String {
    match dice.below(7) {
        0 => "{\"sum\":[]}".to_owned(),
        1 => format!("{{\"product\":[{},\"kwh\"]}}", dice.below(30)),
        2 => "{\"round\":\"days\"}".to_owned(),
        3 | 4 => format!("\"{}\"", one(dice, &["kwh", "days", "sum", "[[product]]"])),
        _ => dice.below(300).to_string(),
    }
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "twenty-eighth: json: a sprinkler zone that is watered for 45 to 59 minutes",
        grammar: "@json",
        input: concat!(
            r#"{"garden":"north 50","minutes":52,"zones":[{"name":"lawn","minutes":20,"days":["#,
            r#""mon","thu"]},{"name":"roses","days":["tue"],"minutes":51},{"minutes":75,"#,
            r#""name":"minutes 48"},{"name":"hedge","minutes":60,"pressure":47}],"pump":55}"#
        ),
        valid: |input| minutes(input).is_some(),
        fails: |input| minutes(input).is_some_and(|all| all.iter().any(|m| (45..60).contains(m))),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let zones = joined(dice, count, ",", |dice| {
                let mut pairs = extras(dice, &["\"pressure\":47", "\"days\":[\"mon\",\"thu\"]"]);
                pairs.push(format!("\"minutes\":{}", around(dice, [45, 59], 27)));
                let name = one(dice, &["lawn", "roses", "hedge", "minutes 48", ""]);
                pairs.push(format!("\"name\":\"{name}\""));
                object(dice, pairs)
            });
            around_list(dice, "zones", zones, &["\"garden\":\"north 50\"", "\"minutes\":52"])
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-eighth: json: an elevator whose load is above the one it is rated for",
        grammar: "@json",
        input: concat!(
            r#"{"tower":"east","load":900,"rated":850,"elevators":[{"id":"A","floor":14,"load":"#,
            r#"310,"rated":630},{"id":"B","rated":1000,"doors":2,"load":1075},{"rated":630,"#,
            r#""load":630,"id":"load 700","floor":2},{"id":"C","load":0,"rated":450}]}"#
        ),
        valid: |input| loads(input).is_some(),
        fails: |input| loads(input).is_some_and(|all| all.iter().any(|(load, most)| load > most)),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let elevators = joined(dice, count, ",", |dice| {
                let rated = [dice.below(40), 50 * (1 + dice.below(30)), 630][dice.below(3)];
                let mut pairs = extras(dice, &["\"floor\":14", "\"doors\":2", "\"id\":\"B\""]);
                pairs.push(format!("\"load\":{}", above(dice, rated, 25)));
                pairs.push(format!("\"rated\":{rated}"));
                object(dice, pairs)
            });
            let others = ["\"tower\":\"east\"", "\"load\":900", "\"rated\":850"];
            around_list(dice, "elevators", elevators, &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-eighth: json: sums and products in each other in a price, four deep or more",
        grammar: "@json",
        input: concat!(
            r#"{"utility":"sum","levels":[[[[[4]]]]],"tariffs":[{"name":"day","price":{"sum":[12,"#,
            r#"{"product":["kwh",3]}]}},{"price":{"product":["days",{"round":{"sum":[8,{"sum":[]},"#,
            r#"{"product":[{"sum":["kwh",1]},2]}]}}]},"name":"product"},{"name":"flat","#,
            r#""price":40}]}"#
        ),
        valid: |input| price_depths(input).is_some(),
        fails: |input| price_depths(input).is_some_and(|all| all.iter().any(|depth| *depth >= 4)),
        draw: |dice| {
            let count = 1 + dice.below(2);
            let tariffs = joined(dice, count, ",", |dice| {
                let mut price = term(dice);
                for _ in 0..dice.below(6) {
                    let kind = one(dice, &["sum", "product"]);
                    price = match dice.below(5) {
                        0 => format!("{{\"round\":{price}}}"),
                        1 => format!("{{\"{kind}\":[{price},{}]}}", term(dice)),
                        2 => format!("{{\"{kind}\":[{},{price}]}}", term(dice)),
                        _ => format!("{{\"{kind}\":[{price}]}}"),
                    };
                }
                let mut pairs = extras(dice, &["\"name\":\"product\"", "\"since\":[[[[5]]]]"]);
                pairs.push(format!("\"price\":{price}"));
                object(dice, pairs)
            });
            let others = ["\"utility\":\"sum\"", "\"levels\":[[[[[4]]]]]"];
            around_list(dice, "tariffs", tariffs, &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-eighth: json: a web hook without a secret",
        grammar: "@json",
        input: concat!(
            r#"{"app":"ledger","secret":"q8","hooks":[{"url":"https://a.example/in","secret":"k3"},"#,
            r#"{"retries":4,"url":"https://b.example/secret","proxy":{"secret":"z"},"on":["paid","#,
            r#""secret"]},{"secret":"","url":"https://c.example/","retries":0}],"secrets":[]}"#
        ),
        valid: |input| have_secrets(input).is_some(),
        fails: |input| have_secrets(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let hooks = joined(dice, count, ",", |dice| {
                let others =
                    ["\"retries\":4", "\"proxy\":{\"secret\":\"z\"}", "\"on\":[\"secret\"]"];
                let mut pairs = extras(dice, &others);
                if chance(dice, 75) {
                    pairs.push(format!("\"secret\":\"{}\"", one(dice, &["k3", "", "secret"])));
                }
                let path = one(dice, &["in", "secret", ""]);
                pairs.push(format!("\"url\":\"https://{}.example/{path}\"", word(dice, 3)));
                object(dice, pairs)
            });
            around_list(dice, "hooks", hooks, &["\"app\":\"ledger\"", "\"secret\":\"q8\""])
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-eighth: json: a curve with a negative coefficient and one of exactly four decimals",
        grammar: "@json",
        input: concat!(
            r#"{"probe":"ph-0.0125","zero":-0.0625,"curves":[{"ion":"na","coefficients":[1.5,"#,
            r#"-0.25,12]},{"ion":"k","span":-3,"coefficients":[0.0125,4]},{"coefficients":[58,"#,
            r#"-2.5,0.0307,0.125],"ion":"cl"},{"coefficients":[],"ion":"f"}],"drift":[-1,0.0004]}"#
        ),
        valid: |input| curves(input).is_some(),
        fails: |input| {
            curves(input).unwrap_or_default().iter().any(|all| are_negative_and_fine(all, 4))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let curves = joined(dice, count, ",", |dice| {
                let count = dice.below(5);
                let all = joined(dice, count, ",", |dice| figure(dice, &[0, 1, 2, 3, 4, 4, 4, 5]));
                let mut pairs = extras(dice, &["\"ion\":\"na\"", "\"span\":-3", "\"gain\":0.0125"]);
                pairs.push(format!("\"coefficients\":[{all}]"));
                object(dice, pairs)
            });
            let others = ["\"probe\":\"ph-0.0125\"", "\"zero\":-0.0625", "\"drift\":[-1,0.0004]"];
            around_list(dice, "curves", curves, &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-eighth: json: a committee with exactly as many members as its quorum",
        grammar: "@json",
        input: concat!(
            r#"{"club":"rowing","quorum":2,"members":["ines","tom"],"committees":[{"name":"#,
            r#""finance","quorum":2,"members":["ines","raj","tom"]},{"members":["mia","raj","ben","#,
            r#""ines"],"chair":"mia","name":"boats","quorum":4},{"quorum":3,"name":"quorum 1","#,
            r#""members":["tom"]}]}"#
        ),
        valid: |input| committees(input).is_some(),
        fails: |input| {
            let all = committees(input).unwrap_or_default();
            all.iter().any(|(quorum, members)| *quorum == *members as u64)
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let committees = joined(dice, count, ",", |dice| {
                let count = dice.below(6);
                let names = ["\"ines\"", "\"raj\"", "\"tom\"", "\"mia\"", "\"ben\"", "\"lea\""];
                let mut members = shuffled(dice, names.map(str::to_owned).to_vec());
                members.truncate(count);
                let mut pairs = extras(dice, &["\"chair\":\"mia\"", "\"name\":\"boats\""]);
                pairs.push(format!("\"quorum\":{}", counted(dice, count, 28)));
                pairs.push(format!("\"members\":[{}]", members.join(",")));
                object(dice, pairs)
            });
            let others = ["\"club\":\"rowing\"", "\"quorum\":2", "\"members\":[\"a\",\"b\"]"];
            around_list(dice, "committees", committees, &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-eighth: json: a theme with the same color twice",
        grammar: "@json",
        input: concat!(
            r##"{"editor":"quill","recent":["teal","teal"],"themes":[{"name":"dusk","colors":["##,
            r##""#1b2a41","teal","gold"]},{"dark":true,"colors":["coral","#f4d35e","navy","coral"##,
            r##"","#1b2a41"],"name":"reef"},{"name":"teal","colors":["teal"]},{"name":"teal","##,
            r##""colors":[]}]}"##
        ),
        valid: |input| themes(input).is_some(),
        fails: |input| themes(input).is_some_and(|all| all.iter().any(|theme| has_twins(theme))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let themes = joined(dice, count, ",", |dice| {
                let known = ["teal", "gold", "#1b2a41", "coral", "#f4d35e", "teal 2", "Gold"];
                let colors = picked(dice, &known, 5, 28).join("\",\"");
                let mut pairs = extras(dice, &["\"dark\":true", "\"old\":[\"gold\",\"gold\"]"]);
                pairs.push(format!("\"name\":\"{}\"", one(dice, &["dusk", "reef", "teal"])));
                pairs.push(format!("\"colors\":[\"{colors}\"]"));
                object(dice, pairs)
            });
            let others = ["\"editor\":\"quill\"", "\"recent\":[\"teal\",\"teal\"]"];
            around_list(dice, "themes", themes, &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-eighth: json: a filter of pictures with a kernel whose rows are not all equally long",
        grammar: "@json",
        input: concat!(
            r#"{"lab":"optics","crop":[[0,0],[640]],"filters":[{"name":"blur","kernel":[[1,2,1],"#,
            r#"[2,4,2],[1,2,1]]},{"kernel":[[0,-1,0],[-1,5],[0,-1,0]],"name":"sharpen","scale":1},"#,
            r#"{"name":"shift","kernel":[[0,1]]},{"name":"none","scale":2,"kernel":[]}]}"#
        ),
        valid: |input| kernels(input).is_some(),
        fails: |input| kernels(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let filters = joined(dice, count, ",", |dice| {
                let mut rows = Vec::new();
                for length in lengths(dice, 38) {
                    let number = |dice: &mut Random| format!("{}", dice.below(12) as i32 - 3);
                    rows.push(format!("[{}]", joined(dice, length, ",", number)));
                }
                let mut pairs = extras(dice, &["\"scale\":1", "\"offsets\":[[0,1],[2]]"]);
                pairs.push(format!("\"name\":\"{}\"", one(dice, &["blur", "edge", "kernel"])));
                pairs.push(format!("\"kernel\":[{}]", rows.join(",")));
                object(dice, pairs)
            });
            around_list(dice, "filters", filters, &["\"lab\":\"optics\"", "\"crop\":[[0,0],[640]]"])
        },
        patterns: &[],
    },
];
