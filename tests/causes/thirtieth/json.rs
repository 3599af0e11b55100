//! Causes in JSON.

use seedsmith_grammar::Random;
use serde_json::Value;

use crate::draws::{
    above, are_negative_and_fine, chance, counted, extras, figure, foreign, has_twins, picked,
};
use crate::readers::{has_short_numbers, is_json, is_shown, numbers, signed_decimals};
use crate::two_sided::{TwoSided, joined, one, read_json, shuffled, word};

/// What is read of each thing in a list; nothing if one is odd.
fn all<T>(list: &Value, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    list.as_array()?.iter().map(read).collect()
}

/// What is read of each thing in a list of an input; nothing if the input is odd.
fn each<T>(input: &str, list: &str, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    let is_right = is_json(input) && has_short_numbers(input);
    let value = Some(read_json(input)).filter(|_| is_right)?;
    all(&value[list], read)
}

/// Where each chapter of a recording starts and ends.
fn chapters(input: &str) -> Option<Vec<(u64, u64)>> {
    each(input, "chapters", |one| {
        one["title"].as_str()?;
        Some((one["start"].as_u64()?, one["end"].as_u64()?))
    })
}

/// Whether each container has limits.
fn have_limits(input: &str) -> Option<Vec<bool>> {
    each(input, "containers", |container| {
        container["image"].as_str()?;
        let limits = container.get("limits");
        let is_right = |limits: &Value| {
            limits.as_object().is_some_and(|pairs| pairs.values().all(Value::is_u64))
        };
        limits.is_none_or(is_right).then_some(limits.is_some())
    })
}

/// The names of the dishes of each section of a menu.
fn dishes(input: &str) -> Option<Vec<Vec<String>>> {
    each(input, "sections", |section| {
        all(&section["dishes"], |dish| {
            dish["price"].as_u64()?;
            dish["name"].as_str().map(str::to_owned)
        })
    })
}

/// The authors of some books.
fn authors(input: &str) -> Option<Vec<String>> {
    each(input, "books", |book| {
        book["title"].as_str()?;
        book["author"].as_str().map(str::to_owned)
    })
}

/// The numbers of where each joint is: whether each is negative, and how many decimals it has. The
/// last decimal has to say something.
fn joints(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let is_short = |number: &&str| !number.contains('.') || !number.ends_with('0');
    numbers(input).iter().all(is_short).then_some(())?;
    each(input, "joints", |joint| {
        joint["name"].as_str()?;
        all(&joint["at"], |number| signed_decimals(&number.as_number()?.to_string()))
    })
}

/// How long the value of each field of a form may be, and how long it is.
fn fields(input: &str) -> Option<Vec<(u64, usize)>> {
    each(input, "fields", |field| {
        let value = field["value"].as_str().filter(|value| is_shown(value))?;
        Some((field["maxlength"].as_u64()?, value.len()))
    })
}

/// The tracks of each playlist.
fn playlists(input: &str) -> Option<Vec<Vec<u64>>> {
    each(input, "playlists", |playlist| all(&playlist["tracks"], Value::as_u64))
}

/// Whether each dependency comes from a repository.
fn are_from_repositories(input: &str) -> Option<Vec<bool>> {
    each(input, "dependencies", |dependency| {
        dependency["name"].as_str()?;
        let mut pairs = dependency.as_object()?.iter();
        Some(pairs.any(|(key, _)| ["git", "hg", "svn"].contains(&&key[..])))
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

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "thirtieth: json: a chapter of a recording whose end is below its start",
        grammar: "@json",
        input: concat!(
            r#"{"album":"whales","start":90,"end":40,"chapters":[{"title":"calf","start":0,"end":"#,
            r#"312,"loud":4},{"end":700,"title":"end 20","start":312},{"title":"deep","start":845,"#,
            r#""notes":["start",9],"end":844},{"title":"coda","start":910,"end":910}],"rate":48000}"#
        ),
        valid: |input| chapters(input).is_some(),
        fails: |input| chapters(input).is_some_and(|all| all.iter().any(|(from, to)| to < from)),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let chapters = joined(dice, count, ",", |dice| {
                let end = [dice.below(30), dice.below(900), 312][dice.below(3)];
                let mut pairs = extras(dice, &["\"loud\":4", "\"notes\":[\"start\",9]"]);
                pairs.push(format!("\"title\":\"{}\"", one(dice, &["calf", "end 20", ""])));
                // The end is below the start as often as the start is above the end.
                let start = above(dice, end, 27);
                pairs.push(format!("\"start\":{start}"));
                pairs.push(format!("\"end\":{end}"));
                object(dice, pairs)
            });
            let others = ["\"album\":\"whales\"", "\"start\":90", "\"end\":40"];
            around_list(dice, "chapters", chapters, &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirtieth: json: a container without limits",
        grammar: "@json",
        input: concat!(
            r#"{"pod":"shop","limits":{"cpu":8},"containers":[{"image":"web:1.4","limits":{"cpu":"#,
            r#"2,"memory":512},"ports":[80,443]},{"image":"limits:2","env":{"limits":"none"},"#,
            r#""requests":{"cpu":1}},{"ports":[],"image":"log:0.9","limits":{}}],"init":[{"image":"#,
            r#""chown"}]}"#
        ),
        valid: |input| have_limits(input).is_some(),
        fails: |input| have_limits(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let containers = joined(dice, count, ",", |dice| {
                let others = [
                    "\"ports\":[80,443]",
                    "\"env\":{\"limits\":\"no\"}",
                    "\"requests\":{\"cpu\":1}",
                ];
                let mut pairs = extras(dice, &others);
                if chance(dice, 74) {
                    let limits = one(dice, &["\"cpu\":2", "\"cpu\":1,\"memory\":512", ""]);
                    pairs.push(format!("\"limits\":{{{limits}}}"));
                }
                let image = one(dice, &["web", "limits", "log"]);
                pairs.push(format!("\"image\":\"{image}:{}\"", dice.below(9)));
                object(dice, pairs)
            });
            let others =
                ["\"pod\":\"shop\"", "\"limits\":{\"cpu\":8}", "\"init\":[{\"image\":\"a\"}]"];
            around_list(dice, "containers", containers, &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirtieth: json: a section of a menu with two dishes of the same name",
        grammar: "@json",
        input: concat!(
            r#"{"cafe":"leek","sections":[{"title":"soups","dishes":[{"name":"leek","price":6},"#,
            r#"{"name":"pea","price":6}]},{"title":"mains","dishes":[{"name":"pie","price":12},"#,
            r#"{"price":11,"name":"leek","with":["rice","rice"]},{"name":"pie","hot":true,"price":"#,
            r#"14}]},{"dishes":[],"title":"pie"},{"title":"pie","dishes":[{"name":"ice","#,
            r#""price":4}]}]}"#
        ),
        valid: |input| dishes(input).is_some(),
        fails: |input| dishes(input).is_some_and(|all| all.iter().any(|names| has_twins(names))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let sections = joined(dice, count, ",", |dice| {
                let mut dishes = Vec::new();
                for name in picked(dice, &["leek", "pea", "pie", "ice", "Pie", "pie 2"], 3, 31) {
                    let mut pairs = extras(dice, &["\"hot\":true", "\"with\":[\"rice\",\"rice\"]"]);
                    pairs.push(format!("\"name\":\"{name}\""));
                    pairs.push(format!("\"price\":{}", 4 + dice.below(4)));
                    dishes.push(object(dice, pairs));
                }
                let mut pairs = extras(dice, &["\"name\":\"pie\"", "\"from\":11"]);
                pairs.push(format!("\"title\":\"{}\"", one(dice, &["soups", "mains", "pie"])));
                pairs.push(format!("\"dishes\":[{}]", dishes.join(",")));
                object(dice, pairs)
            });
            around_list(dice, "sections", sections, &["\"cafe\":\"leek\"", "\"name\":\"pie\""])
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirtieth: json: a book whose author has a character that is not ASCII",
        grammar: "@json",
        input: concat!(
            r#"{"library":"Bücherei Nord","books":[{"title":"L'Écume","author":"B. Vian","year":"#,
            r#"1947},{"author":"Karel Čapek","title":"Robots","lent":["Zoë"]},{"title":"Żar","#,
            r#""author":"anon","shelf":{"name":"é","author":"ü"}},{"year":1908,"title":"Room","#,
            r#""author":""}],"author":"Łucja"}"#
        ),
        valid: |input| authors(input).is_some(),
        fails: |input| authors(input).is_some_and(|all| all.iter().any(|name| !name.is_ascii())),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let books = joined(dice, count, ",", |dice| {
                let others =
                    ["\"year\":1947", "\"lent\":[\"Zoë\"]", "\"shelf\":{\"author\":\"ü\"}"];
                let mut pairs = extras(dice, &others);
                let surname = match chance(dice, 27) {
                    true => foreign(dice),
                    false => one(dice, &["Vian", "O'Hara", "anon", ""]).to_owned(),
                };
                let start = one(dice, &["", "", "B. "]);
                pairs.push(format!("\"author\":\"{start}{surname}\""));
                let title = if chance(dice, 40) { foreign(dice) } else { word(dice, 6) };
                pairs.push(format!("\"title\":\"{title}\""));
                object(dice, pairs)
            });
            let others = ["\"library\":\"Bücherei Nord\"", "\"author\":\"Łucja\""];
            around_list(dice, "books", books, &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirtieth: json: a joint at a negative number and one of exactly three decimals",
        grammar: "@json",
        input: concat!(
            r#"{"rig":"fox-0.125","offset":-0.625,"joints":[{"name":"hip","at":[0.5,-1.25,4]},"#,
            r#"{"name":"knee -2","at":[0.125,7.0625,3],"turn":-4},{"at":[-2,0.875,11.5],"parent":"#,
            r#""hip","name":"paw"},{"name":"tail","at":[]}],"bounds":[-1.5,2.375],"frames":24}"#
        ),
        valid: |input| joints(input).is_some(),
        fails: |input| {
            joints(input).is_some_and(|all| all.iter().any(|at| are_negative_and_fine(at)))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let joints = joined(dice, count, ",", |dice| {
                let count = [3, 3, dice.below(5)][dice.below(3)];
                let at = joined(dice, count, ",", figure);
                let mut pairs = extras(dice, &["\"turn\":-4", "\"length\":0.125"]);
                pairs.push(format!("\"name\":\"{}\"", one(dice, &["hip", "paw", "knee -2"])));
                pairs.push(format!("\"at\":[{at}]"));
                object(dice, pairs)
            });
            let others = ["\"rig\":\"fox-0.125\"", "\"offset\":-0.625", "\"bounds\":[-1.5,2.375]"];
            around_list(dice, "joints", joints, &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirtieth: json: a field of a form whose value is exactly as long as its maxlength",
        grammar: "@json",
        input: concat!(
            r#"{"form":"visit","maxlength":5,"value":"guest","fields":[{"label":"first name","#,
            r#""maxlength":20,"value":"Ida"},{"value":"Berlin","label":"city","maxlength":6,"hint":"#,
            r#""maxlength 9"},{"label":"room","maxlength":4,"value":"12","options":["12","114b"]},"#,
            r#"{"maxlength":2,"value":"none","label":"no"}]}"#
        ),
        valid: |input| fields(input).is_some(),
        fails: |input| {
            fields(input).is_some_and(|all| all.iter().any(|(most, size)| *most == *size as u64))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let fields = joined(dice, count, ",", |dice| {
                let value = match dice.below(4) {
                    0 => one(dice, &["", "12", "114b", "two words", "a, b"]).to_owned(),
                    1 => "x".repeat(dice.below(16)),
                    _ => word(dice, 9),
                };
                let mut pairs = extras(dice, &["\"hint\":\"maxlength 9\"", "\"options\":[\"12\"]"]);
                pairs.push(format!("\"label\":\"{}\"", one(dice, &["city", "no", "first name"])));
                pairs.push(format!("\"maxlength\":{}", counted(dice, value.len(), 26)));
                pairs.push(format!("\"value\":\"{value}\""));
                object(dice, pairs)
            });
            let others = ["\"form\":\"visit\"", "\"maxlength\":5", "\"value\":\"guest\""];
            around_list(dice, "fields", fields, &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirtieth: json: a playlist with the same track twice",
        grammar: "@json",
        input: concat!(
            r#"{"user":417,"queue":[8,8],"playlists":[{"name":"run","tracks":[31,8,120,44]},"#,
            r#"{"tracks":[17,203,44,9,203],"name":"rain","plays":[5,5,9]},{"name":"8, 8","tracks":"#,
            r#"[8]},{"name":"rain","shared":true,"tracks":[]},{"tracks":[44,4,440],"name":"new"}]}"#
        ),
        valid: |input| playlists(input).is_some(),
        fails: |input| playlists(input).is_some_and(|all| all.iter().any(|list| has_twins(list))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let playlists = joined(dice, count, ",", |dice| {
                let known = ["8", "31", "44", "4", "440", "203", "120"];
                let mut tracks = picked(dice, &known, 5, 32);
                if chance(dice, 8) {
                    tracks.clear();
                }
                let mut pairs = extras(dice, &["\"shared\":true", "\"plays\":[5,5,9]"]);
                pairs.push(format!("\"name\":\"{}\"", one(dice, &["run", "rain", "8, 8"])));
                pairs.push(format!("\"tracks\":[{}]", tracks.join(",")));
                object(dice, pairs)
            });
            around_list(dice, "playlists", playlists, &["\"user\":417", "\"queue\":[8,8]"])
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirtieth: json: a dependency with a git, an hg or an svn",
        grammar: "@json",
        input: concat!(
            r#"{"package":"kite","git":"https://kite.example/git","dependencies":[{"name":"git","#,
            r#""version":"2.1"},{"name":"wire","hg":"https://wire.example/","branch":"svn"},"#,
            r#"{"version":"0.4","name":"rope","features":{"svn":true}},{"name":"knot","path":"#,
            r#""../hg"}],"tools":[{"name":"reel","svn":"https://reel.example"}]}"#
        ),
        valid: |input| are_from_repositories(input).is_some(),
        fails: |input| are_from_repositories(input).is_some_and(|all| all.contains(&true)),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let dependencies = joined(dice, count, ",", |dice| {
                let key = match chance(dice, 26) {
                    true => one(dice, &["git", "hg", "svn"]),
                    false => one(dice, &["path", "url", "git-lfs", "cvs", "hgweb", "bzr", "g"]),
                };
                let others = ["\"branch\":\"svn\"", "\"version\":\"0.4\"", "\"extra\":{\"svn\":1}"];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("\"name\":\"{}\"", one(dice, &["git", "wire", "hg", "knot"])));
                if chance(dice, 90) {
                    let value = one(dice, &["https://wire.example/", "../hg", "git", ""]);
                    pairs.push(format!("\"{key}\":\"{value}\""));
                }
                object(dice, pairs)
            });
            let others = ["\"package\":\"kite\"", "\"git\":\"git\"", "\"tools\":[{\"svn\":\"a\"}]"];
            around_list(dice, "dependencies", dependencies, &others)
        },
        patterns: &[],
    },
];
