//! Causes in JSON: probes of a monitor, limits of a scaler, points on a map and the fields of a form.

use seedsmith_grammar::Random;
use serde_json::Value;

use crate::draws::{above, are_negative_and_fine, around, counted, extras, figure};
use crate::readers::{has_short_numbers, is_json, numbers, signed_decimals};
use crate::two_sided::{TwoSided, joined, one, read_json, shuffled, word};

/// What each item of the list under a key is read as.
fn each<T>(input: &str, key: &str, read: fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    is_json(input).then_some(())?;
    read_json(input)[key].as_array()?.iter().map(read).collect()
}

/// An object with some members that are needed and some of the others, in any order.
fn object(dice: &mut Random, needed: &[String], others: &[&str]) -> String {
    let mut all = extras(dice, others);
    all.extend_from_slice(needed);
    let by = one(dice, &[",", ", ", ",\n  "]);
    format!("{{{}}}", shuffled(dice, all).join(by))
}

/// How long each probe waits.
fn timeouts(input: &str) -> Option<Vec<u64>> {
    each(input, "probes", |probe| {
        probe["url"].as_str()?;
        probe["timeout"].as_u64()
    })
}

/// Some probes, and a timeout of their own for all.
fn draw_probes(dice: &mut Random) -> String {
    let count = 1 + dice.below(4);
    let probes = joined(dice, count, ",", |dice| {
        let timeout = around(dice, [30, 59], 25);
        let url = one(dice, &["http://web/health", "tcp://db:45", "https://shop/?timeout=40"]);
        let needed = [format!("\"url\": \"{url}\""), format!("\"timeout\": {timeout}")];
        let others = ["\"every\": 45", "\"retries\": 3", "\"labels\": {\"timeout\": 31}"];
        object(dice, &needed, &others)
    });
    let others = ["\"timeout\": 40", "\"owner\": \"ops 30\"", "\"paused\": false"];
    object(dice, &[format!("\"probes\": [{probes}]")], &others)
}

/// The least and the most copies of each service.
fn copies(input: &str) -> Option<Vec<(u64, u64)>> {
    each(input, "services", |service| {
        service["name"].as_str()?;
        service["minReplicas"].as_u64().zip(service["maxReplicas"].as_u64())
    })
}

/// Some services, and limits for all of them.
fn draw_services(dice: &mut Random) -> String {
    let count = 1 + dice.below(4);
    let services = joined(dice, count, ",", |dice| {
        let most = [1 + dice.below(6), 1 + dice.below(40), 10][dice.below(3)];
        let least = above(dice, most, 25);
        let name = one(dice, &["web", "api", "mailer", "search"]);
        let needed = [
            format!("\"name\": \"{name}\""),
            format!("\"minReplicas\": {least}"),
            format!("\"maxReplicas\": {most}"),
        ];
        object(dice, &needed, &["\"cpu\": 70", "\"cooldown\": 300", "\"zones\": [\"a\", \"b\"]"])
    });
    let others = ["\"minReplicas\": 9", "\"maxReplicas\": 4", "\"region\": \"eu-west\""];
    object(dice, &[format!("\"services\": [{services}]")], &others)
}

/// The numbers of each point on a map: whether they are negative, and how many decimals they have. The last
/// decimal has to say something.
fn points(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let is_short = |number: &&str| !number.contains('.') || !number.ends_with('0');
    (has_short_numbers(input) && numbers(input).iter().all(is_short)).then_some(())?;
    each(input, "features", |feature| {
        (feature["type"] == "Feature").then_some(())?;
        let place = &feature["geometry"];
        (place["type"] == "Point").then_some(())?;
        let all = place["coordinates"].as_array().filter(|all| [2, 3].contains(&all.len()))?;
        all.iter().map(|one| signed_decimals(&one.as_number()?.to_string())).collect()
    })
}

/// A map with some points.
fn draw_map(dice: &mut Random) -> String {
    let count = 1 + dice.below(4);
    let features = joined(dice, count, ",\n", |dice| {
        let count = 2 + dice.below(4) / 3;
        let numbers = joined(dice, count, ", ", figure);
        let place = [format!("\"coordinates\": [{numbers}]"), "\"type\": \"Point\"".to_owned()];
        let place = object(dice, &place, &[]);
        let needed = [format!("\"geometry\": {place}"), "\"type\": \"Feature\"".to_owned()];
        let others = [
            "\"id\": 7",
            "\"properties\": {\"name\": \"pump -1.125\", \"depth\": -4}",
            "\"weight\": 0.375",
        ];
        object(dice, &needed, &others)
    });
    let needed =
        [format!("\"features\": [{features}]"), "\"type\": \"FeatureCollection\"".to_owned()];
    object(dice, &needed, &["\"scale\": 0.125", "\"offset\": -3"])
}

/// How many characters the value of each field of a form has, and how many it may have.
fn fields(input: &str) -> Option<Vec<(usize, u64)>> {
    each(input, "fields", |field| {
        field["name"].as_str()?;
        Some((field["value"].as_str()?.chars().count(), field["maxLength"].as_u64()?))
    })
}

/// A form with some fields.
fn draw_form(dice: &mut Random) -> String {
    let count = 1 + dice.below(4);
    let fields = joined(dice, count, ", ", |dice| {
        let value = match dice.below(4) {
            0 => format!("{} {}", word(dice, 6), word(dice, 6)),
            1 => (100 + dice.below(9000)).to_string(),
            _ => word(dice, 9),
        };
        let most = counted(dice, value.len(), 27);
        let name = one(dice, &["city", "zip", "street", "remark"]);
        let needed = [
            format!("\"name\": \"{name}\""),
            format!("\"value\": \"{value}\""),
            format!("\"maxLength\": {most}"),
        ];
        object(dice, &needed, &["\"label\": \"four\"", "\"required\": true", "\"minLength\": 4"])
    });
    let others = ["\"title\": \"order\"", "\"maxLength\": 5", "\"step\": 2"];
    object(dice, &[format!("\"fields\": [{fields}]")], &others)
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "forty-fourth: json: monitor: a probe with a timeout from 30 to 59",
        grammar: "@json",
        input: concat!(
            "{\n  \"owner\": \"ops 30\",\n  \"timeout\": 40,\n  \"probes\": [\n",
            "    {\"url\": \"http://web/health\", \"timeout\": 10, \"every\": 45},\n",
            "    {\"timeout\": 42, \"url\": \"tcp://db:45\", \"labels\": {\"timeout\": 3}, \"retries\": 3},\n",
            "    {\"url\": \"https://shop/?timeout=40\", \"timeout\": 90}\n  ],\n  \"paused\": false\n}\n"
        ),
        valid: |input| timeouts(input).is_some(),
        fails: |input| {
            timeouts(input).is_some_and(|all| all.iter().any(|one| (30..60).contains(one)))
        },
        draw: draw_probes,
        patterns: &[],
    },
    TwoSided {
        name: "forty-fourth: json: scaler: a service with minReplicas above its maxReplicas",
        grammar: "@json",
        input: concat!(
            "{\"region\": \"eu-west\", \"maxReplicas\": 12, \"services\": [\n",
            "  {\"name\": \"web\", \"minReplicas\": 2, \"maxReplicas\": 10, \"cpu\": 70},\n",
            "  {\"name\": \"mailer\", \"cooldown\": 300, \"maxReplicas\": 4, \"minReplicas\": 6},\n",
            "  {\"minReplicas\": 3, \"name\": \"search\", \"maxReplicas\": 3, \"zones\": [\"a\", \"b\"]}\n]}\n"
        ),
        valid: |input| copies(input).is_some(),
        fails: |input| {
            copies(input).is_some_and(|all| all.iter().any(|(least, most)| least > most))
        },
        draw: draw_services,
        patterns: &[],
    },
    TwoSided {
        name: "forty-fourth: json: map: a point with a negative number and one of three decimals",
        grammar: "@json",
        input: concat!(
            "{\"type\": \"FeatureCollection\", \"features\": [\n",
            "  {\"type\": \"Feature\", \"id\": 7, \"geometry\": {\"type\": \"Point\", \"coordinates\": [12.5, 48.125]}},\n",
            "  {\"type\": \"Feature\", \"geometry\": {\"type\": \"Point\", \"coordinates\": [-3.25, 40.417, 650]},\n",
            "   \"properties\": {\"name\": \"pump -1.125\", \"depth\": -4}},\n",
            "  {\"type\": \"Feature\", \"geometry\": {\"coordinates\": [-70, 4.75], \"type\": \"Point\"}}\n",
            "], \"scale\": 0.125}\n"
        ),
        valid: |input| points(input).is_some(),
        fails: |input| {
            points(input).is_some_and(|all| all.iter().any(|one| are_negative_and_fine(one)))
        },
        draw: draw_map,
        patterns: &[],
    },
    TwoSided {
        name: "forty-fourth: json: form: a field whose value is exactly as long as its maxLength",
        grammar: "@json",
        input: concat!(
            "{\"title\": \"order\", \"fields\": [\n",
            "  {\"name\": \"city\", \"label\": \"four\", \"value\": \"bremen\", \"maxLength\": 20},\n",
            "  {\"name\": \"zip\", \"value\": \"28195\", \"maxLength\": 5, \"required\": true},\n",
            "  {\"maxLength\": 12, \"name\": \"street\", \"value\": \"am wall 4\", \"minLength\": 4},\n",
            "  {\"name\": \"remark\", \"value\": \"\", \"maxLength\": 80}\n], \"step\": 2}\n"
        ),
        valid: |input| fields(input).is_some(),
        fails: |input| {
            fields(input)
                .is_some_and(|all| all.iter().any(|(length, most)| *length as u64 == *most))
        },
        draw: draw_form,
        patterns: &[],
    },
];
