//! Causes in JSON: trucks, subscriptions, formulas, releases, commits, shards, reviews and pictures.

use serde_json::Value;

use crate::draws::{above, around, chance, counted, extras, foreign, picked, steps};
use crate::readers::are_in_order;
use crate::thirty_third::values::{all, each, object, text};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// How many psi the tires of each truck have.
fn tires(input: &str) -> Option<Vec<Vec<u64>>> {
    each(input, "trucks", |truck| {
        truck["plate"].as_str()?;
        all(&truck["tires"], Value::as_u64)
    })
}

/// How many seats of each subscription are used, and how many are bought.
fn seats(input: &str) -> Option<Vec<(u64, u64)>> {
    each(input, "subscriptions", |subscription| {
        subscription["team"].as_str()?;
        let seats = &subscription["seats"];
        Some((seats["used"].as_u64()?, seats["bought"].as_u64()?))
    })
}

/// How deep fractions and roots are in each other in a term. A sum has other terms in it, too.
fn term_depth(term: &Value) -> Option<usize> {
    let deepest = |terms: &Value, least: usize| {
        let depths = all(terms, term_depth).filter(|depths| depths.len() >= least)?;
        depths.into_iter().max()
    };
    let (kind, inner) = term.as_object().filter(|pairs| pairs.len() == 1)?.iter().next()?;
    match &kind[..] {
        "fraction" => deepest(inner, 2).filter(|_| inner[2].is_null()).map(|depth| depth + 1),
        "root" => term_depth(inner).map(|depth| depth + 1),
        "sum" => deepest(inner, 1),
        "value" => (inner.is_string() || inner.is_u64()).then_some(0),
        _ => None,
    }
}

/// How deep fractions and roots are in each other in each formula.
fn formulas(input: &str) -> Option<Vec<usize>> {
    each(input, "formulas", |formula| {
        formula["name"].as_str()?;
        term_depth(&formula["term"])
    })
}

/// Whether each file of each release has a checksum.
fn have_checksums(input: &str) -> Option<Vec<Vec<bool>>> {
    each(input, "releases", |release| {
        release["version"].as_str()?;
        all(&release["files"], |file| {
            file["name"].as_str()?;
            let checksum = file.get("checksum");
            checksum.is_none_or(Value::is_string).then_some(checksum.is_some())
        })
    })
}

/// The name of the author of each commit.
fn authors(input: &str) -> Option<Vec<String>> {
    each(input, "commits", |commit| {
        commit["id"].as_str()?;
        text(&commit["author"]["name"])
    })
}

/// The quorum of each shard, and how many copies it has.
fn shards(input: &str) -> Option<Vec<(u64, usize)>> {
    each(input, "shards", |shard| {
        shard["id"].as_u64()?;
        let copies = shard["copies"].as_object()?;
        let are_right = copies.values().all(Value::is_u64);
        Some((shard["quorum"].as_u64().filter(|_| are_right)?, copies.len()))
    })
}

/// What happens to each change, in order. Each event is a list of what it is and who did it.
fn reviews(input: &str) -> Option<Vec<Vec<String>>> {
    each(input, "changes", |change| {
        change["id"].as_u64()?;
        all(&change["events"], |event| {
            let [kind, by] = &event.as_array()?[..] else { return None };
            text(kind).filter(|_| by.is_string())
        })
    })
}

/// The formats of the files of each picture.
fn file_formats(input: &str) -> Option<Vec<Vec<String>>> {
    each(input, "pictures", |picture| {
        picture["title"].as_str()?;
        all(&picture["files"], |file| {
            file["width"].as_u64()?;
            text(&file["format"])
        })
    })
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "thirty-eighth: json: fleet: a truck with a tire that has 70 to 79 psi",
        grammar: "@json",
        input: concat!(
            r#"{"depot":"70 to 79","tires":[75,75],"trucks":[{"plate":"OWL-4","tires":[82,80,69,91]},"#,
            r#"{"tires":[88,80],"plate":"KIW-72","seats":[74,2]},{"axles":3,"plate":"FIN-9","spare":75,"#,
            r#""tires":[84,90,68,73,102,80]},{"plate":"WRN-1","tires":[],"load":78}],"psi":71}"#
        ),
        valid: |input| tires(input).is_some(),
        fails: |input| tires(input).is_some_and(|all| all.concat().iter().any(|psi| psi / 10 == 7)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let trucks = joined(dice, count, ",", |dice| {
                let count = [0, 2, 4, 6][dice.below(4)];
                let mut tires = Vec::new();
                for _ in 0..count {
                    let psi = match chance(dice, 50) {
                        true => 80 + dice.below(25),
                        false => around(dice, [70, 79], 22),
                    };
                    tires.push(psi.to_string());
                }
                let plate = one(dice, &["OWL-4", "KIW-72", "FIN-9", "WRN-1"]);
                let tires = format!("\"tires\":[{}]", tires.join(","));
                let others = ["\"spare\":75", "\"seats\":[74,2]", "\"axles\":3", "\"load\":78"];
                object(dice, &[format!("\"plate\":\"{plate}\""), tires], &others)
            });
            let others = ["\"depot\":\"70 to 79\"", "\"tires\":[75,75]", "\"psi\":71"];
            object(dice, &[format!("\"trucks\":[{trucks}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-eighth: json: billing: a subscription with more seats used than bought",
        grammar: "@json",
        input: concat!(
            r#"{"plan":"used 9, bought 4","seats":{"used":9,"bought":4},"subscriptions":[{"team":"owls","#,
            r#""seats":{"bought":20,"used":17}},{"seats":{"used":12,"free":0,"bought":12},"team":"used"},"#,
            r#"{"team":"kiwis","price":40,"seats":{"used":31,"bought":25},"since":2019},{"trial":{"used":"#,
            r#"5,"bought":2},"seats":{"bought":100,"used":8},"team":"wrens"}]}"#
        ),
        valid: |input| seats(input).is_some(),
        fails: |input| seats(input).is_some_and(|all| all.iter().any(|(used, most)| used > most)),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let subscriptions = joined(dice, count, ",", |dice| {
                let bought = [1 + dice.below(12), 5 * dice.below(21), 100][dice.below(3)];
                let used = above(dice, bought, 24);
                let pairs = [format!("\"used\":{used}"), format!("\"bought\":{bought}")];
                let seats = object(dice, &pairs, &["\"free\":0", "\"unused\":4"]);
                let team = one(dice, &["owls", "used", "kiwis", "wrens"]);
                let pairs = [format!("\"team\":\"{team}\""), format!("\"seats\":{seats}")];
                let others =
                    ["\"price\":40", "\"trial\":{\"used\":5,\"bought\":2}", "\"since\":2019"];
                object(dice, &pairs, &others)
            });
            let others = ["\"plan\":\"used 9, bought 4\"", "\"seats\":{\"used\":9,\"bought\":4}"];
            object(dice, &[format!("\"subscriptions\":[{subscriptions}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-eighth: json: formulas: fractions and roots of a formula in each other, five ",
            "deep or more"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"sheet":"root root","formulas":[{"name":"mean","term":{"fraction":[{"sum":[{"value":"a"},"#,
            r#"{"root":{"value":4}}]},{"value":2}]}},{"page":12,"term":{"root":{"fraction":[{"value":1},"#,
            r#"{"sum":[{"value":"root"},{"root":{"fraction":[{"root":{"value":"x"}},{"value":7}]}}]}]}},"#,
            r#""name":"fraction"}],"boxes":[[[[[["root"]]]]]]}"#
        ),
        valid: |input| formulas(input).is_some(),
        fails: |input| formulas(input).is_some_and(|all| all.iter().any(|depth| *depth >= 5)),
        draw: |dice| {
            let leaves = ["{\"value\":4}", "{\"value\":\"root\"}", "{\"value\":\"x\"}"];
            let mut term = one(dice, &leaves).to_owned();
            for _ in 0..3 + dice.below(5) {
                let other = one(dice, &[&leaves[..], &["{\"root\":{\"value\":2}}"]].concat());
                let both = shuffled(dice, vec![term.clone(), other.to_owned()]).join(",");
                term = match dice.below(5) {
                    0 => format!("{{\"sum\":[{both}]}}"),
                    1 | 2 => format!("{{\"fraction\":[{both}]}}"),
                    _ => format!("{{\"root\":{term}}}"),
                };
            }
            let name = one(dice, &["mean", "fraction", "area 2"]);
            let pairs = [format!("\"name\":\"{name}\""), format!("\"term\":{term}")];
            let flat = "{\"name\":\"sum\",\"term\":{\"root\":{\"fraction\":[{\"value\":1},{\"value\":2}]}}}";
            let mut formulas = extras(dice, &[flat, "{\"name\":\"x\",\"term\":{\"value\":\"x\"}}"]);
            formulas.push(object(dice, &pairs, &["\"page\":12", "\"roots\":[[[[[\"root\"]]]]]"]));
            let formulas = shuffled(dice, formulas).join(",");
            let others = ["\"sheet\":\"root root\"", "\"boxes\":[[[[[[\"root\"]]]]]]"];
            object(dice, &[format!("\"formulas\":[{formulas}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-eighth: json: downloads: a file of a release without a checksum",
        grammar: "@json",
        input: concat!(
            r#"{"project":"checksum","checksum":"7f3a","releases":[{"version":"1.4","files":[{"name":"#,
            r#""owl.zip","checksum":"c04e"},{"checksum":"","name":"owl.txt","bytes":12}]},{"files":[{"#,
            r#""name":"checksum","checksums":["a1"],"bytes":4096},{"checksum":"9b","name":"owl.deb"}],"#,
            r#""version":"1.5","checksum":"e0"},{"version":"2.0","files":[]}]}"#
        ),
        valid: |input| have_checksums(input).is_some(),
        fails: |input| have_checksums(input).is_some_and(|all| all.concat().contains(&false)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let releases = joined(dice, count, ",", |dice| {
                let count = dice.below(4);
                let files = joined(dice, count, ",", |dice| {
                    let name = one(dice, &["owl.zip", "owl.txt", "checksum", "owl.deb"]);
                    let mut pairs = vec![format!("\"name\":\"{name}\"")];
                    if chance(dice, 78) {
                        let checksum = one(dice, &["7f3a", "c04e", "9b", ""]);
                        pairs.push(format!("\"checksum\":\"{checksum}\""));
                    }
                    let others = ["\"bytes\":4096", "\"checksums\":[\"a1\"]", "\"sum\":\"9b\""];
                    object(dice, &pairs, &others)
                });
                let version = one(dice, &["1.4", "1.5", "2.0"]);
                let pairs = [format!("\"version\":\"{version}\""), format!("\"files\":[{files}]")];
                object(dice, &pairs, &["\"checksum\":\"e0\"", "\"draft\":true"])
            });
            let others = ["\"project\":\"checksum\"", "\"checksum\":\"7f3a\"", "\"stars\":12"];
            object(dice, &[format!("\"releases\":[{releases}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-eighth: json: commits: a commit whose author has a name with a character that ",
            "is not ASCII"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"branch":"größe","author":{"name":"Zoë"},"commits":[{"id":"7f3a","author":{"name":"Ada Lane","#,
            r#""mail":"ada@owl.example"},"message":"Naïve fix"},{"author":{"mail":"bo@mål.example","name":"#,
            r#""Bo Sørensen"},"id":"c04e"},{"id":"9b12","committer":{"name":"Renée"},"author":{"name":""}}],"#,
            r#""tags":["é"]}"#
        ),
        valid: |input| authors(input).is_some(),
        fails: |input| authors(input).is_some_and(|all| all.iter().any(|name| !name.is_ascii())),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let commits = joined(dice, count, ",", |dice| {
                let name = match dice.below(12) {
                    0 => foreign(dice),
                    1 => format!("{} {}", word(dice, 6), foreign(dice)),
                    2 => format!("{} ({})", foreign(dice), word(dice, 4)),
                    3..6 => one(dice, &["Ada Lane", "", "R. Hill (bot)"]).to_owned(),
                    count => joined(dice, count / 4, " ", |dice| word(dice, 8)),
                };
                let others = ["\"mail\":\"ada@owl.example\"", "\"mail2\":\"bo@mål.example\""];
                let author = object(dice, &[format!("\"name\":\"{name}\"")], &others);
                let id = one(dice, &["7f3a", "c04e", "9b12"]);
                let pairs = [format!("\"id\":\"{id}\""), format!("\"author\":{author}")];
                let others = [
                    "\"message\":\"Naïve fix\"",
                    "\"committer\":{\"name\":\"Renée\"}",
                    "\"files\":4",
                ];
                object(dice, &pairs, &others)
            });
            let others =
                ["\"branch\":\"größe\"", "\"author\":{\"name\":\"Zoë\"}", "\"tags\":[\"é\"]"];
            object(dice, &[format!("\"commits\":[{commits}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-eighth: json: cluster: a shard with exactly as many copies as its quorum",
        grammar: "@json",
        input: concat!(
            r#"{"cluster":"quorum 2","quorum":3,"shards":[{"id":4,"quorum":2,"copies":{"oak":12,"elm":9,"#,
            r#""fir":12}},{"copies":{"ash":7},"id":1,"quorum":3,"lost":{"oak":1,"elm":2,"yew":3}},{"id":9,"#,
            r#""copies":{"yew":2,"elm":2},"quorum":2,"keys":410},{"quorum":1,"id":3,"copies":{}}],"#,
            r#""copies":{"oak":4}}"#
        ),
        valid: |input| shards(input).is_some(),
        fails: |input| {
            let all = shards(input).unwrap_or_default();
            all.iter().any(|(quorum, count)| *quorum == *count as u64)
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let shards = joined(dice, count, ",", |dice| {
                let mut copies = picked(dice, &["oak", "elm", "fir", "ash", "yew"], 5, 0);
                if chance(dice, 8) {
                    copies.clear();
                }
                let quorum = counted(dice, copies.len(), 24);
                for copy in &mut copies {
                    *copy = format!("\"{copy}\":{}", dice.below(20));
                }
                let id = dice.below(13);
                let pairs = [
                    format!("\"id\":{id}"),
                    format!("\"quorum\":{quorum}"),
                    format!("\"copies\":{{{}}}", copies.join(",")),
                ];
                object(dice, &pairs, &["\"keys\":410", "\"lost\":{\"oak\":1,\"elm\":2}"])
            });
            let others = ["\"cluster\":\"quorum 2\"", "\"quorum\":3", "\"copies\":{\"oak\":4}"];
            object(dice, &[format!("\"shards\":[{shards}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-eighth: json: reviews: a change that is approved, then rebased, and then ",
            "merged"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"project":"approved","changes":[{"id":4,"events":[["rebased","ada"],["approved","bo"],"#,
            r#"["merged","bo"]]},{"events":[["opened","rebased"],["approved","ada"],["checked","bot"],"#,
            r#"["rebased","cy"],["labeled","bot"],["merged","ada"]],"id":7,"branch":"merged"}],"bots":"#,
            r#"[["approved","rebased"],["merged","bot"]]}"#
        ),
        valid: |input| reviews(input).is_some(),
        fails: |input| {
            reviews(input).is_some_and(|all| {
                all.iter().any(|kinds| {
                    let kinds: Vec<&str> = kinds.iter().map(|kind| &kind[..]).collect();
                    are_in_order(&kinds, &["approved", "rebased", "merged"])
                })
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let changes = joined(dice, count, ",", |dice| {
                let others = ["opened", "checked", "labeled", "approved", "rebased", "merged"];
                let mut kinds = steps(dice, ["approved", "rebased", "merged"], &others);
                if chance(dice, 50) {
                    kinds.remove(dice.below(kinds.len()));
                }
                let mut events = Vec::new();
                for kind in kinds {
                    let by = one(dice, &["ada", "bo", "cy", "bot", "rebased"]);
                    events.push(format!("[\"{kind}\",\"{by}\"]"));
                }
                let id = 1 + dice.below(20);
                let pairs = [format!("\"id\":{id}"), format!("\"events\":[{}]", events.join(","))];
                object(dice, &pairs, &["\"branch\":\"merged\"", "\"next\":\"rebased\""])
            });
            let others = ["\"project\":\"approved\"", "\"bots\":[[\"merged\",\"bot\"]]"];
            object(dice, &[format!("\"changes\":[{changes}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-eighth: json: gallery: a file of a picture in heic, avif or jxl",
        grammar: "@json",
        input: concat!(
            r#"{"gallery":"avif","format":"jxl","pictures":[{"title":"Pier","files":[{"format":"jpeg","#,
            r#""width":1200},{"width":90,"format":"webp","from":"heic"}]},{"files":[{"width":640,"format":"#,
            r#""png"},{"format":"avif","width":320},{"format":"avifs","width":64}],"title":"heic"},"#,
            r#"{"title":"Owl","formats":["jxl"],"files":[]}]}"#
        ),
        valid: |input| file_formats(input).is_some(),
        fails: |input| {
            let all = file_formats(input).unwrap_or_default().concat();
            all.iter().any(|format| ["heic", "avif", "jxl"].contains(&&format[..]))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let pictures = joined(dice, count, ",", |dice| {
                let count = dice.below(4);
                let files = joined(dice, count, ",", |dice| {
                    let format = match chance(dice, 20) {
                        true => one(dice, &["heic", "avif", "jxl"]),
                        false => one(dice, &["jpeg", "png", "webp", "avifs", "heif", "jxr", "gif"]),
                    };
                    let width = [64, 320, dice.below(2000)][dice.below(3)];
                    let pairs = [format!("\"format\":\"{format}\""), format!("\"width\":{width}")];
                    object(dice, &pairs, &["\"from\":\"heic\"", "\"alpha\":false"])
                });
                let title = one(dice, &["Pier", "heic", "Owl", "avif 2"]);
                let pairs = [format!("\"title\":\"{title}\""), format!("\"files\":[{files}]")];
                object(dice, &pairs, &["\"formats\":[\"jxl\"]", "\"likes\":12"])
            });
            let others = ["\"gallery\":\"avif\"", "\"format\":\"jxl\"", "\"page\":4"];
            object(dice, &[format!("\"pictures\":[{pictures}]")], &others)
        },
        patterns: &[],
    },
];
