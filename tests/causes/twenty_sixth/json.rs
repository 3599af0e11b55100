//! Causes in JSON.

use seedsmith_grammar::Random;
use serde_json::Value;

use super::{extras, foreign, lengths, near_number, near_range, object, rarely, steps};
use crate::readers::{are_in_order, has_short_numbers, is_json, items};
use crate::two_sided::{TwoSided, any, joined, one, read_json as read, word};

/// The wind at each lift; nothing if one does not say it, or says more than 200.
fn winds(input: &str) -> Option<Vec<u64>> {
    let all = read(input);
    let lifts = all["lifts"].as_array()?.iter();
    lifts.map(|lift| lift["wind"].as_u64().filter(|wind| *wind <= 200)).collect()
}

/// What the odometer said before and after each rental; nothing if a rental lacks one of them.
fn odometers(input: &str) -> Option<Vec<(u64, u64)>> {
    let all = read(input);
    let rentals = all["rentals"].as_array()?.iter();
    rentals.map(|rental| Some((rental["km_out"].as_u64()?, rental["km_back"].as_u64()?))).collect()
}

/// Whether each medicine has a date. What is no object is not looked at.
fn have_dates(input: &str) -> Vec<bool> {
    let all = read(input);
    let medicines = items(&all["medicines"]).iter().filter_map(Value::as_object);
    medicines.map(|medicine| medicine.contains_key("expires")).collect()
}

/// The growers of the wines; nothing if a wine has none, or no year.
fn growers(input: &str) -> Option<Vec<String>> {
    let all = read(input);
    let wines = all["wines"].as_array()?.iter().map(|wine| {
        wine["year"].as_u64()?;
        wine["grower"].as_str().map(str::to_owned)
    });
    wines.collect()
}

/// How many ride in each car, and how many seats it has. Those without either are left out.
fn rides(input: &str) -> Vec<(u64, u64)> {
    let all = read(input);
    let rides = items(&all["rides"]).iter().filter_map(|ride| {
        let riders = ride["riders"].as_array()?.len() as u64;
        Some((riders, ride["seats"].as_u64()?))
    });
    rides.collect()
}

/// Whether one of the parcels was scanned as loaded, then as held, and then as delivered.
fn is_held_on_the_way(input: &str) -> bool {
    let all = read(input);
    items(&all["parcels"]).iter().any(|parcel| {
        let scans: Vec<&str> = items(&parcel["scans"]).iter().filter_map(Value::as_str).collect();
        are_in_order(&scans, &["loaded", "held", "delivered"])
    })
}

/// The paper of each print job.
fn papers(input: &str) -> Vec<String> {
    let all = read(input);
    let jobs = items(&all["jobs"]).iter().filter_map(|job| job["paper"].as_str());
    jobs.map(str::to_owned).collect()
}

/// Whether one of the icons has rows of different widths.
fn has_ragged_icon(input: &str) -> bool {
    let all = read(input);
    items(&all["icons"]).iter().any(|icon| {
        let rows = items(&icon["rows"]).iter().filter_map(Value::as_str);
        let widths: Vec<usize> = rows.map(|row| row.chars().count()).collect();
        widths.iter().any(|width| *width != widths[0])
    })
}

/// A rental.
fn rental(dice: &mut Random) -> String {
    let out = [dice.below(200), 9000 + dice.below(2000), dice.below(90_000)][dice.below(3)];
    // Most cars have to be right, for one of several that is not is enough.
    let back = if rarely(dice, 3) { out + 40 + dice.below(900) } else { near_number(dice, out) };
    let mut pairs = extras(dice, &["\"days\":3", "\"car\":\"km 4\"", "\"km_free\":100"]);
    pairs.extend([format!("\"km_out\":{out}"), format!("\"km_back\":{back}")]);
    object(dice, pairs)
}

/// A car with riders, some of whom may be one too many.
fn ride(dice: &mut Random) -> String {
    let riders = dice.below(6);
    let seats = match dice.below(5) {
        0 | 1 => riders,
        2 => riders + 1,
        3 => riders.max(1) - 1,
        _ => riders + 2 + dice.below(5),
    };
    let mut pairs = extras(dice, &["\"car\":\"van 4\"", "\"bags\":3", "\"by\":[\"Ada\",\"Bo\"]"]);
    let riders =
        joined(dice, riders, ",", |dice| format!("\"{}\"", one(dice, &["Ada", "Bo", "Cy", "4"])));
    pairs.extend([format!("\"seats\":{seats}"), format!("\"riders\":[{riders}]")]);
    object(dice, pairs)
}

/// A parcel.
fn parcel(dice: &mut Random) -> String {
    let scans = steps(dice, ["loaded", "held", "delivered"], &["sent", "sorted", "unloaded"]);
    let mut pairs = extras(dice, &["\"id\":\"P4\"", "\"next\":\"delivered\"", "\"held\":2"]);
    pairs.push(format!("\"scans\":[\"{}\"]", scans.join("\",\"")));
    object(dice, pairs)
}

/// A row of an icon.
fn pixels(dice: &mut Random, width: usize) -> String {
    format!("\"{}\"", joined(dice, width, "", |dice| one(dice, &["o", "."]).to_owned()))
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "twenty-sixth: json: a ski lift with a wind from 50 to 70",
        grammar: "@json",
        input: concat!(
            r#"{"area":"Tofte 60","wind":55,"lifts":[{"name":"T-bar","wind":12},"#,
            r#"{"gust":88,"open":true,"wind":64,"name":"North"},{"wind":71,"cabins":60,"#,
            r#""name":"Ridge"}],"snow":[60,52]}"#
        ),
        valid: |input| is_json(input) && has_short_numbers(input) && winds(input).is_some(),
        fails: |input| winds(input).is_some_and(|all| all.iter().any(|w| (50..=70).contains(w))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let lifts = joined(dice, count, ",", |dice| {
                let mut pairs = extras(dice, &["\"gust\":60", "\"open\":true", "\"cabins\":55"]);
                pairs.push(format!("\"name\":\"{}\"", one(dice, &["T-bar", "60", "wind"])));
                pairs.push(format!("\"wind\":{}", near_range(dice, 50, 70, 200)));
                object(dice, pairs)
            });
            let mut pairs = extras(dice, &["\"wind\":55", "\"area\":\"Tofte\"", "\"snow\":[60]"]);
            pairs.push(format!("\"lifts\":[{lifts}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-sixth: json: a rented car that comes back with fewer kilometers than it left with",
        grammar: "@json",
        input: concat!(
            r#"{"branch":"Moss","km_back":4,"km_out":9,"rentals":[{"car":"e4","km_out":41200,"#,
            r#""km_back":41890},{"km_out":9077,"days":2,"km_back":977,"km_free":300},"#,
            r#"{"km_back":610,"km_out":610}]}"#
        ),
        valid: |input| is_json(input) && has_short_numbers(input) && odometers(input).is_some(),
        fails: |input| odometers(input).is_some_and(|all| all.iter().any(|(out, back)| back < out)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let rentals = joined(dice, count, ",", rental);
            let others = ["\"km_out\":9", "\"km_back\":4", "\"branch\":\"Moss\""];
            let mut pairs = extras(dice, &others);
            pairs.push(format!("\"rentals\":[{rentals}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-sixth: json: a medicine without a date at which it expires",
        grammar: "@json",
        input: concat!(
            r#"{"cabinet":"hall","expires":"2027-04","medicines":[{"name":"Ibuprofen","mg":400,"#,
            r#""expires":"2026-11"},{"mg":20,"name":"expires","note":{"expires":"soon"}},"#,
            r#"{"expires":"2028-01","name":"Iodine"}]}"#
        ),
        valid: any,
        fails: |input| have_dates(input).contains(&false),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let medicines = joined(dice, count, ",", |dice| {
                let others = ["\"mg\":400", "\"note\":{\"expires\":\"soon\"}", "\"opened\":\"4\""];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("\"name\":\"{}\"", one(dice, &["Iodine", "expires", "x"])));
                if !rarely(dice, 4) {
                    let date = one(dice, &["2026-11", "2027-04", "", "soon"]);
                    pairs.push(format!("\"expires\":\"{date}\""));
                }
                object(dice, pairs)
            });
            let others =
                ["\"expires\":\"2027-04\"", "\"cabinet\":\"hall\"", "\"old\":[{\"mg\":4}]"];
            let mut pairs = extras(dice, &others);
            pairs.push(format!("\"medicines\":[{medicines}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-sixth: json: a wine whose grower has a character that is not ASCII",
        grammar: "@json",
        input: concat!(
            r#"{"cellar":"Küche","wines":[{"name":"Rosé","year":2019,"grower":"Hill 4"},"#,
            r#"{"year":2021,"grower":"Château Ker","liters":0.75},{"grower":"Bo & Son","#,
            r#""year":1998,"region":"Rhône"}]}"#
        ),
        valid: |input| is_json(input) && has_short_numbers(input) && growers(input).is_some(),
        fails: |input| growers(input).is_some_and(|all| all.iter().any(|name| !name.is_ascii())),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let wines = joined(dice, count, ",", |dice| {
                let grower = match dice.below(7) {
                    0 | 1 => foreign(dice),
                    2 => word(dice, 7),
                    _ => one(dice, &["Hill 4", "Bo & Son", "", "O'Neill", "Rose-Marie"]).to_owned(),
                };
                let others = ["\"name\":\"Rosé\"", "\"region\":\"Rhône\"", "\"liters\":0.75"];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("\"grower\":\"{grower}\""));
                pairs.push(format!("\"year\":{}", 1980 + dice.below(45)));
                object(dice, pairs)
            });
            let mut pairs = extras(dice, &["\"cellar\":\"Küche\"", "\"grower\":\"Bü\""]);
            pairs.push(format!("\"wines\":[{wines}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-sixth: json: a car with exactly as many riders as seats",
        grammar: "@json",
        input: concat!(
            r#"{"day":"Friday","seats":2,"riders":["Ada","Bo"],"rides":[{"seats":5,"#,
            r#""riders":["Ada","Bo"]},{"car":"van 4","riders":["Cy","Di","Ed"],"seats":3},"#,
            r#"{"seats":1,"bags":1,"riders":[]}]}"#
        ),
        valid: any,
        fails: |input| rides(input).iter().any(|(riders, seats)| riders == seats),
        draw: |dice| {
            let count = 1 + dice.below(2);
            let rides = joined(dice, count, ",", ride);
            let others = ["\"day\":\"Friday\"", "\"seats\":2", "\"riders\":[\"Ada\",\"Bo\"]"];
            let mut pairs = extras(dice, &others);
            pairs.push(format!("\"rides\":[{rides}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-sixth: json: a parcel that is loaded, then held, and then delivered",
        grammar: "@json",
        input: concat!(
            r#"{"depot":"held","parcels":[{"id":"P1","scans":["held","loaded","delivered"]},"#,
            r#"{"scans":["sent","loaded","sorted","held","loaded","delivered"],"kg":4},"#,
            r#"{"id":"P3","scans":[]}]}"#
        ),
        valid: any,
        fails: is_held_on_the_way,
        draw: |dice| {
            let count = 1 + dice.below(2);
            let parcels = joined(dice, count, ",", parcel);
            let others = ["\"depot\":\"held\"", "\"scans\":[\"loaded\",\"held\",\"delivered\"]"];
            let mut pairs = extras(dice, &others);
            pairs.push(format!("\"parcels\":[{parcels}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-sixth: json: a print job on the paper A3, B4 or tabloid",
        grammar: "@json",
        input: concat!(
            r#"{"printer":"A3","jobs":[{"file":"tabloid","paper":"A4","copies":2},"#,
            r#"{"paper":"B4","duplex":true,"file":"map"},{"file":"B4","paper":"legal"}],"#,
            r#""trays":["A4","A3"]}"#
        ),
        valid: any,
        fails: |input| {
            papers(input).iter().any(|paper| ["A3", "B4", "tabloid"].contains(&paper.as_str()))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let jobs = joined(dice, count, ",", |dice| {
                let large = rarely(dice, 4);
                let papers: &[&str] = match large {
                    true => &["A3", "B4", "tabloid"],
                    false => &["A4", "B5", "B3", "legal", "A33", "tab", "A", "letter"],
                };
                let mut pairs = extras(dice, &["\"copies\":3", "\"tray\":\"A3\""]);
                pairs.push(format!("\"paper\":\"{}\"", one(dice, papers)));
                pairs.push(format!("\"file\":\"{}\"", one(dice, &["map", "B4", "tabloid", "A4"])));
                object(dice, pairs)
            });
            let others = ["\"printer\":\"A3\"", "\"trays\":[\"A4\",\"A3\"]", "\"paper\":\"B4\""];
            let mut pairs = extras(dice, &others);
            pairs.push(format!("\"jobs\":[{jobs}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-sixth: json: an icon whose rows are not all equally wide",
        grammar: "@json",
        input: concat!(
            r#"{"theme":"tide","rows":["o","o.o"],"icons":[{"name":"dot","rows":["oo","oo"]},"#,
            r#"{"rows":["..o..","oo.o","o...o"],"name":"bell"},{"name":"bar","#,
            r#""rows":["o.o"],"tags":["a","bcd"]}]}"#
        ),
        valid: any,
        fails: has_ragged_icon,
        draw: |dice| {
            let count = 1 + dice.below(2);
            let icons = joined(dice, count, ",", |dice| {
                let widths = lengths(dice);
                let rows: Vec<String> = widths.iter().map(|width| pixels(dice, *width)).collect();
                let mut pairs = extras(dice, &["\"name\":\"bell\"", "\"tags\":[\"a\",\"bcd\"]"]);
                pairs.push(format!("\"rows\":[{}]", rows.join(",")));
                object(dice, pairs)
            });
            let mut pairs = extras(dice, &["\"theme\":\"tide\"", "\"rows\":[\"o\",\"o.o\"]"]);
            pairs.push(format!("\"icons\":[{icons}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
];
