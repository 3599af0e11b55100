//! Causes in JSON: the notes of a song, places on a map, and the queues of a broker.

use seedsmith_grammar::Random;

use super::{object, written};
use crate::draws::{are_negative_and_fine, around, chance, counted, figure};
use crate::readers::{is_json, items};
use crate::two_sided::{TwoSided, any, joined, one, read_json};

/// The pitch of each note of a song.
fn pitches(input: &str) -> Option<Vec<u64>> {
    let song = read_json(input);
    let mut found = Vec::new();
    for track in song.get("tracks")?.as_array().filter(|_| is_json(input))? {
        for note in track.get("notes")?.as_array()? {
            let pitch = note.get("pitch")?.as_u64().filter(|pitch| *pitch < 128);
            found.push(pitch?);
        }
    }
    Some(found)
}

/// The numbers of each position of a map: of each list without others in it that is in some coordinates.
fn positions(input: &str) -> Vec<Vec<(bool, usize)>> {
    let (mut found, mut open, mut key) = (Vec::new(), Vec::new(), "");
    let (mut text, mut start, mut before) = ("", None, 0);
    for (place, part) in input.split('"').enumerate() {
        if place % 2 == 1 {
            text = part;
        } else {
            for (index, c) in part.char_indices() {
                let at = before + index;
                match c {
                    ':' => key = text,
                    '[' | '{' => {
                        open.push(key);
                        start = Some(at + 1).filter(|_| c == '[');
                    }
                    ']' | '}' => {
                        key = open.pop().unwrap_or("");
                        if let Some(start) = start.take().filter(|_| key == "coordinates") {
                            let numbers = input[start..at].split(',');
                            found.extend(
                                numbers.map(|one| written(one.trim())).collect::<Option<_>>(),
                            );
                        }
                    }
                    _ => {}
                }
            }
        }
        before += part.len() + 1;
    }
    found
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "forty-sixth: json: song: a note with a pitch from 108 to 119",
        grammar: "@json",
        input: r#"{
  "title": "Pitch 110",
  "tempo": 112,
  "tracks": [
    {"name": "Bass", "channel": 1, "notes": [
      {"pitch": 40, "start": 0, "velocity": 110},
      {"pitch": 43, "start": 480, "velocity": 96, "length": 119}
    ]},
    {"name": "Lead", "volume": 118, "notes": [
      {"start": 0, "pitch": 76, "velocity": 112},
      {"start": 108, "length": 240, "pitch": 113},
      {"pitch": 120, "start": 960, "tie": {"pitch": 115}}
    ]},
    {"notes": [], "name": "108"}
  ],
  "pitch": 109
}
"#,
        valid: |input| pitches(input).is_some(),
        fails: |input| pitches(input).is_some_and(|all| all.iter().any(|p| (108..120).contains(p))),
        draw: |dice| {
            let tracks = 1 + dice.below(3);
            let tracks = joined(dice, tracks, ",\n    ", |dice| {
                let notes = dice.below(4);
                let notes = joined(dice, notes, ",\n      ", |dice| {
                    let pitch = around(dice, [108, 119], 22);
                    let pitch = if pitch > 127 { pitch % 128 } else { pitch };
                    let others = [
                        "\"velocity\": 112",
                        "\"length\": 119",
                        "\"tie\": {\"pitch\": 115}",
                        "\"accent\": true",
                    ];
                    let start = 108 * dice.below(12);
                    let pairs = [format!("\"pitch\": {pitch}"), format!("\"start\": {start}")];
                    object(dice, &pairs, &others)
                });
                let name = one(dice, &["Bass", "Lead", "108", "Pitch 110"]);
                let pairs = [format!("\"name\": \"{name}\""), format!("\"notes\": [{notes}]")];
                object(dice, &pairs, &["\"channel\": 1", "\"volume\": 118", "\"pan\": 64"])
            });
            let others =
                ["\"title\": \"Pitch 110\"", "\"tempo\": 112", "\"pitch\": 109", "\"loop\": []"];
            object(dice, &[format!("\"tracks\": [{tracks}]")], &others) + one(dice, &["", "\n"])
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "forty-sixth: json: map: a position of some coordinates with a negative number and one of ",
            "exactly three decimals"
        ),
        grammar: "@json",
        input: r#"{
  "type": "FeatureCollection",
  "bbox": [-71.125, 41.5, 12.25, 60],
  "features": [
    {"type": "Feature", "id": -4, "geometry": {"type": "Point", "coordinates": [-71.5, 42.36]}},
    {
      "type": "Feature",
      "properties": {"name": "-1, 0.125", "height": -0.375},
      "geometry": {
        "type": "LineString",
        "coordinates": [[12.125, 55.6], [12.5, -8], [-0.1278, 51.507, 11], [7.3125, 43]]
      }
    },
    {"type": "Feature", "geometry": {"type": "Point", "coordinates": [2.352, 48]}, "offset": [-1, 0.125]}
  ]
}
"#,
        valid: any,
        fails: |input| {
            is_json(input) && positions(input).iter().any(|numbers| are_negative_and_fine(numbers))
        },
        draw: |dice| {
            let features = 1 + dice.below(3);
            let features = joined(dice, features, ",\n    ", |dice| {
                let place = |dice: &mut Random| {
                    let count = 2 + usize::from(chance(dice, 33));
                    format!("[{}]", joined(dice, count, ", ", figure))
                };
                let (kind, places) = match dice.below(3) {
                    0 => {
                        let count = 1 + dice.below(3);
                        ("LineString", format!("[{}]", joined(dice, count, ", ", place)))
                    }
                    _ => ("Point", place(dice)),
                };
                let pairs = [format!("\"type\": \"{kind}\""), format!("\"coordinates\": {places}")];
                let geometry = object(dice, &pairs, &[]);
                let others = [
                    "\"id\": -4",
                    "\"offset\": [-1, 0.125]",
                    "\"properties\": {\"name\": \"-1, 0.125\", \"height\": -0.375}",
                ];
                let pairs =
                    ["\"type\": \"Feature\"".to_owned(), format!("\"geometry\": {geometry}")];
                object(dice, &pairs, &others)
            });
            let others = ["\"bbox\": [-71.125, 41.5, 12.25, 60]", "\"name\": \"coordinates\""];
            let pairs = [
                "\"type\": \"FeatureCollection\"".to_owned(),
                format!("\"features\": [{features}]"),
            ];
            object(dice, &pairs, &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-sixth: json: broker: a queue with exactly as many items as its capacity",
        grammar: "@json",
        input: r#"{
  "broker": "eu-2",
  "capacity": 3,
  "items": ["a", "b", "c"],
  "queues": [
    {"name": "mail", "capacity": 8, "items": ["m1", "m2"], "dead": ["m0"]},
    {"name": "thumbnails", "items": [], "capacity": 4, "durable": true},
    {
      "name": "capacity",
      "items": [{"id": 7, "items": [1]}, "retry", 12],
      "workers": 2,
      "capacity": 3
    },
    {"capacity": 1, "name": "audit", "dead": ["x"], "items": ["a1", "a2", "a3"]}
  ]
}
"#,
        valid: any,
        fails: |input| {
            let value = read_json(input);
            let queues = value.get("queues").map_or(&[][..], items);
            is_json(input)
                && queues.iter().any(|queue| {
                    let held = queue.get("items").and_then(|all| all.as_array()).map(Vec::len);
                    let capacity = queue.get("capacity").and_then(|number| number.as_u64());
                    held.is_some() && held.map(|count| count as u64) == capacity
                })
        },
        draw: |dice| {
            let queues = 1 + dice.below(4);
            let queues = joined(dice, queues, ",\n    ", |dice| {
                let count = dice.below(6);
                let list = joined(dice, count, ", ", |dice| {
                    let known = ["\"retry\"", "12", "\"m1\"", "{\"id\": 7, \"items\": [1]}", "[]"];
                    one(dice, &known).to_owned()
                });
                let capacity = counted(dice, count, 24);
                let name = one(dice, &["mail", "audit", "capacity", "thumbnails"]);
                let pairs = [
                    format!("\"name\": \"{name}\""),
                    format!("\"items\": [{list}]"),
                    format!("\"capacity\": {capacity}"),
                ];
                object(dice, &pairs, &["\"dead\": [\"x\"]", "\"durable\": true", "\"workers\": 2"])
            });
            let others = [
                "\"broker\": \"eu-2\"",
                "\"capacity\": 3",
                "\"items\": [\"a\", \"b\", \"c\"]",
                "\"spare\": {\"capacity\": 1, \"items\": [4]}",
            ];
            object(dice, &[format!("\"queues\": [{queues}]")], &others)
        },
        patterns: &[],
    },
];
