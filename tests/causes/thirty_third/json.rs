//! Causes in JSON.

use seedsmith_grammar::Random;
use serde_json::Value;

use super::values::{all, each, each_named, object, text, texts, top};
use crate::draws::{
    above, are_negative_and_fine, are_uneven, around, chance, extras, figure, foreign, has_twins,
    lengths, picked,
};
use crate::readers::{is_shown, numbers, signed_decimals};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// The pulse in each interval of a workout.
fn pulses(input: &str) -> Option<Vec<u64>> {
    each(input, "intervals", |interval| {
        interval["minutes"].as_u64()?;
        interval["pulse"].as_u64()
    })
}

/// How many votes were cast in each district, and how many voters it has.
fn districts(input: &str) -> Option<Vec<(u64, u64)>> {
    each_named(input, "districts", |district| {
        Some((district["cast"].as_u64()?, district["voters"].as_u64()?))
    })
}

/// How deep chests and bags are in each other in a thing.
fn packed_depth(thing: &Value) -> Option<usize> {
    if thing.is_string() {
        return Some(0);
    }
    match ["chest", "bag", "cart"].map(|kind| thing.get(kind)) {
        [Some(inner), None, None] | [None, Some(inner), None] => {
            Some(1 + all(inner, packed_depth)?.into_iter().max().unwrap_or(0))
        }
        [None, None, Some(inner)] => packed_depth(inner),
        _ => None,
    }
}

/// Whether each lesson has a teacher.
fn have_teachers(input: &str) -> Option<Vec<bool>> {
    let days = each_named(input, "days", |day| {
        all(day, |lesson| {
            lesson["subject"].as_str()?;
            lesson.get("teacher").map_or(Some(false), |teacher| teacher.is_string().then_some(true))
        })
    });
    Some(days?.concat())
}

/// The names of the characters of a play.
fn characters(input: &str) -> Option<Vec<String>> {
    each(input, "characters", |character| {
        character["actor"].as_str()?;
        text(&character["name"])
    })
}

/// The guests of a podcast.
fn guests(input: &str) -> Option<Vec<String>> {
    let episodes = each(input, "episodes", |episode| {
        episode["title"].as_str()?;
        all(&episode["guests"], text)
    });
    Some(episodes?.concat())
}

/// The readings of each buoy: whether each is negative, and how many decimals it has. The last decimal
/// of a number has to say something.
fn readings(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let is_short = |number: &&str| !number.contains('.') || !number.ends_with('0');
    numbers(input).iter().all(is_short).then_some(())?;
    each_named(input, "buoys", |buoy| {
        buoy["sea"].as_str()?;
        all(&buoy["readings"], |number| signed_decimals(&number.as_number()?.to_string()))
    })
}

/// How long the rows of each crossword are.
fn crosswords(input: &str) -> Option<Vec<Vec<usize>>> {
    each(input, "crosswords", |puzzle| {
        puzzle["title"].as_str()?;
        all(&puzzle["rows"], |row| row.as_str().filter(|row| is_shown(row)).map(str::len))
    })
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "thirty-third: json: an interval of a workout with a pulse from 150 to 169",
        grammar: "@json",
        input: concat!(
            r#"{"club":"pulse 160","pulse":155,"intervals":[{"minutes":4,"pulse":149},{"watts":152,"#,
            r#""pulse":170,"minutes":8},{"minutes":160,"pulse":112,"after":{"pulse":151}},{"note":"#,
            r#""150 to 169","minutes":3,"pulse":163},{"pulse":94,"minutes":0}],"zones":[150,169]}"#
        ),
        valid: |input| pulses(input).is_some(),
        fails: |input| {
            pulses(input).is_some_and(|all| all.iter().any(|pulse| (150..170).contains(pulse)))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let intervals = joined(dice, count, ",", |dice| {
                let minutes = [3, 4, 8, 160][dice.below(4)];
                let pulse = around(dice, [150, 169], 26);
                let pairs = [format!("\"minutes\":{minutes}"), format!("\"pulse\":{pulse}")];
                let others =
                    ["\"watts\":152", "\"after\":{\"pulse\":151}", "\"note\":\"pulse 160\""];
                object(dice, &pairs, &others)
            });
            let others = ["\"club\":\"pulse 160\"", "\"pulse\":155", "\"zones\":[150,169]"];
            object(dice, &[format!("\"intervals\":[{intervals}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-third: json: a district of an election with more votes cast than voters",
        grammar: "@json",
        input: concat!(
            r#"{"town":"cast 9, voters 4","voters":12,"cast":40,"districts":{"mill":{"voters":840,"#,
            r#""cast":512,"invalid":7},"lake":{"cast":301,"head":"Ada","voters":301},"fort":{"mail":"#,
            r#"900,"cast":415,"voters":407,"last":{"cast":390,"voters":402}},"pier":{"voters":60,"#,
            r#""last":{"voters":55,"cast":58},"cast":0}}}"#
        ),
        valid: |input| districts(input).is_some(),
        fails: |input| {
            districts(input).is_some_and(|all| all.iter().any(|(cast, voters)| cast > voters))
        },
        draw: |dice| {
            let mut districts = Vec::new();
            for name in picked(dice, &["mill", "lake", "fort", "pier"], 4, 0) {
                let voters = [dice.below(20), 20 + dice.below(900), 301][dice.below(3)];
                let cast = above(dice, voters, 27);
                let pairs = [format!("\"voters\":{voters}"), format!("\"cast\":{cast}")];
                let others = [
                    "\"invalid\":7",
                    "\"head\":\"Ada\"",
                    "\"mail\":900",
                    "\"last\":{\"voters\":55,\"cast\":58}",
                ];
                districts.push(format!("\"{name}\":{}", object(dice, &pairs, &others)));
            }
            let others = ["\"town\":\"cast 9, voters 4\"", "\"voters\":12", "\"cast\":40"];
            object(dice, &[format!("\"districts\":{{{}}}", districts.join(","))], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-third: json: chests and bags of a game in each other, four deep or more",
        grammar: "@json",
        input: concat!(
            r#"{"hero":"bag","map":[[[[[4]]]]],"pack":{"bag":["rope",{"chest":["bag",{"cart":{"lock":"#,
            r#"7,"bag":[{"chest":[]},"chest"]}},"lamp"]},{"bag":["coin"],"color":"red"}]},"shop":"#,
            r#"{"chest":[{"bag":["key"]}]},"slots":{"bag":{"chest":{"bag":{"chest":{}}}}}}"#
        ),
        valid: |input| top(input, "pack").is_some_and(|pack| packed_depth(&pack).is_some()),
        fails: |input| top(input, "pack").is_some_and(|pack| packed_depth(&pack) >= Some(4)),
        draw: |dice| {
            let leaf = |dice: &mut Random| {
                one(dice, &["\"rope\"", "\"lamp\"", "\"bag\"", "\"chest\"", "{\"bag\":[]}"])
            };
            let mut pack = leaf(dice).to_owned();
            for _ in 0..1 + dice.below(6) {
                let kind = one(dice, &["chest", "bag"]);
                let inner = match dice.below(6) {
                    0 => {
                        pack = format!("{{\"cart\":{pack}}}");
                        continue;
                    }
                    1 => format!("{pack},{}", leaf(dice)),
                    2 => format!("{},{pack}", leaf(dice)),
                    _ => pack,
                };
                let other = one(dice, &["", "", "\"lock\":7,", "\"color\":\"bag\","]);
                pack = format!("{{{other}\"{kind}\":[{inner}]}}");
            }
            let others = [
                "\"hero\":\"bag\"",
                "\"map\":[[[[[4]]]]]",
                "\"shop\":{\"chest\":[{\"bag\":[\"key\"]}]}",
                "\"slots\":{\"bag\":{\"chest\":{\"bag\":{\"chest\":{}}}}}",
            ];
            object(dice, &[format!("\"pack\":{pack}")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-third: json: a lesson without a teacher",
        grammar: "@json",
        input: concat!(
            r#"{"school":"teacher","days":{"mon":[{"subject":"art","room":4,"teacher":"Finch"},"#,
            r#"{"teacher":"","subject":"maths"}],"tue":[],"wed":[{"subject":"teacher","room":12,"#,
            r#""aide":{"teacher":"Wren"}},{"subject":"music","teacher":"Heron","pupils":[7,9]}],"fri":"#,
            r#"[{"teacher":"Wren","subject":"sport"}]},"clubs":[{"subject":"chess"}]}"#
        ),
        valid: |input| have_teachers(input).is_some(),
        fails: |input| have_teachers(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let mut days = Vec::new();
            for day in picked(dice, &["mon", "tue", "wed", "fri"], 3, 0) {
                let count = dice.below(4);
                let lessons = joined(dice, count, ",", |dice| {
                    let subject = one(dice, &["art", "maths", "music", "teacher"]);
                    let mut pairs = vec![format!("\"subject\":\"{subject}\"")];
                    if chance(dice, 82) {
                        let teacher = one(dice, &["Finch", "Wren", "Heron", ""]);
                        pairs.push(format!("\"teacher\":\"{teacher}\""));
                    } else if chance(dice, 25) {
                        pairs.push("\"teachers\":2".to_owned());
                    }
                    let others =
                        ["\"room\":4", "\"aide\":{\"teacher\":\"Wren\"}", "\"pupils\":[7,9]"];
                    object(dice, &pairs, &others)
                });
                days.push(format!("\"{day}\":[{lessons}]"));
            }
            let others = ["\"school\":\"teacher\"", "\"clubs\":[{\"subject\":\"chess\"}]"];
            object(dice, &[format!("\"days\":{{{}}}", days.join(","))], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-third: json: two characters of a play with the same name",
        grammar: "@json",
        input: concat!(
            r#"{"title":"Owl Hill","characters":[{"name":"Ada","actor":"Raj"},{"lines":40,"name":"#,
            r#""Guard","actor":"Uma"},{"actor":"Uma","name":"Ghost","props":["Ada","Ada"]},{"name":"#,
            r#""Guard","lines":2,"actor":"Bo"},{"actor":"Ghost","name":"Guards"}],"scenes":[{"name":"#,
            r#""Dawn"},{"name":"Dawn"}]}"#
        ),
        valid: |input| characters(input).is_some(),
        fails: |input| characters(input).is_some_and(|names| has_twins(&names)),
        draw: |dice| {
            let mut characters = Vec::new();
            let known = ["Ada", "Guard", "Guards", "guard", "Ghost", "King", "Uma"];
            for name in picked(dice, &known, 5, 50) {
                let actor = one(dice, &["Raj", "Uma", "Bo", "Ghost"]);
                let pairs = [format!("\"name\":\"{name}\""), format!("\"actor\":\"{actor}\"")];
                let others = ["\"lines\":40", "\"props\":[\"Ada\",\"Ada\"]"];
                characters.push(object(dice, &pairs, &others));
            }
            let others = [
                "\"title\":\"Owl Hill\"",
                "\"scenes\":[{\"name\":\"Dawn\"},{\"name\":\"Dawn\"}]",
                "\"author\":{\"name\":\"Ada\"}",
            ];
            object(dice, &[format!("\"characters\":[{}]", characters.join(","))], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-third: json: an episode of a podcast with a guest whose name has a character that ",
            "is not ASCII"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"show":"Café Owl","hosts":["Zoë","Raj"],"episodes":[{"title":"Über uns","guests":"#,
            r#"["Ada Finch"]},{"guests":["Bo","Uma Nyström","Lee"],"title":"Rivers","minutes":48},"#,
            r#"{"title":"Salt","guests":[],"tags":["olé","sea"]},{"editor":"Åse","guests":["Kim"],"#,
            r#""title":"Ice"}]}"#
        ),
        valid: |input| guests(input).is_some(),
        fails: |input| guests(input).is_some_and(|all| all.iter().any(|name| !name.is_ascii())),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let episodes = joined(dice, count, ",", |dice| {
                let count = dice.below(4);
                let guests: Vec<String> = (0..count)
                    .map(|_| {
                        let name = if chance(dice, 20) { foreign(dice) } else { word(dice, 7) };
                        one(dice, &["", "", "Ada "]).to_owned() + &name
                    })
                    .collect();
                let title = one(dice, &["Über uns", "Rivers", "Salt", ""]);
                let pairs =
                    [format!("\"title\":\"{title}\""), format!("\"guests\":{}", texts(&guests))];
                let others = ["\"minutes\":48", "\"tags\":[\"olé\",\"sea\"]", "\"editor\":\"Åse\""];
                object(dice, &pairs, &others)
            });
            let others = ["\"show\":\"Café Owl\"", "\"hosts\":[\"Zoë\",\"Raj\"]"];
            object(dice, &[format!("\"episodes\":[{episodes}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-third: json: a buoy with a negative reading and one of exactly three decimals",
        grammar: "@json",
        input: concat!(
            r#"{"fleet":"north -1.125","drift":-0.375,"buoys":{"b-1":{"sea":"kara","readings":[4,-2.5,"#,
            r#"0.25]},"b-2":{"at":[-3.5,54.125],"sea":"ob","readings":[12.375,3,-7,1.0625]},"b-3":"#,
            r#"{"readings":[0.125,5.5],"sea":"-4","depth":-30},"b-4":{"sea":"white","readings":[]}}}"#
        ),
        valid: |input| readings(input).is_some(),
        fails: |input| {
            readings(input).is_some_and(|all| all.iter().any(|one| are_negative_and_fine(one)))
        },
        draw: |dice| {
            let mut buoys = Vec::new();
            for name in picked(dice, &["b-1", "b-2", "b-3", "b-4"], 3, 0) {
                let count = dice.below(5);
                let readings = joined(dice, count, ",", figure);
                let sea = one(dice, &["kara", "ob", "white", "-4.125"]);
                let pairs = [format!("\"sea\":\"{sea}\""), format!("\"readings\":[{readings}]")];
                let others = ["\"at\":[-3.5,54.125]", "\"depth\":-30", "\"range\":0.125"];
                buoys.push(format!("\"{name}\":{}", object(dice, &pairs, &others)));
            }
            let others = ["\"fleet\":\"north -1.125\"", "\"drift\":-0.375"];
            object(dice, &[format!("\"buoys\":{{{}}}", buoys.join(","))], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-third: json: a crossword whose rows are not all equally long",
        grammar: "@json",
        input: concat!(
            r#"{"paper":"Owl Post","rows":["a","ab"],"crosswords":[{"title":"mini","rows":["owl","w.a","#,
            r#""lap"]},{"rows":["s#ea","oars","p.ie","ten.s"],"clues":["not a bus","row"],"title":"#,
            r#""maxi"},{"title":"rows","level":3,"rows":["x"]},{"title":"soon","rows":[]}]}"#
        ),
        valid: |input| crosswords(input).is_some(),
        fails: |input| crosswords(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let crosswords = joined(dice, count, ",", |dice| {
                let cells = ["a", "e", "o", "s", "t", "#", "."];
                let mut rows = Vec::new();
                for length in lengths(dice, 1, 42) {
                    rows.push((0..length).map(|_| one(dice, &cells)).collect::<String>());
                }
                let title = one(dice, &["mini", "maxi", "rows"]);
                let pairs =
                    [format!("\"title\":\"{title}\""), format!("\"rows\":{}", texts(&rows))];
                object(dice, &pairs, &["\"clues\":[\"not a bus\",\"row\"]", "\"level\":3"])
            });
            let mut parts = vec![crosswords];
            parts.extend(extras(dice, &["{\"title\":\"soon\",\"rows\":[]}"]));
            let parts = shuffled(dice, parts).join(",");
            let others = ["\"paper\":\"Owl Post\"", "\"rows\":[\"a\",\"ab\"]"];
            object(dice, &[format!("\"crosswords\":[{parts}]")], &others)
        },
        patterns: &[],
    },
];
