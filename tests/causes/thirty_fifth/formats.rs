//! Causes in four formats: INI, TOML, HTTP and URL.

use crate::draws::{chance, counted, extras, has_twins, picked, steps};
use crate::readers::{are_in_order, is_digits, is_name, is_shown, number, sections};
use crate::thirty_fourth::without_ends;
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// The quorum of each shard of a database, which is a section, and how many replicas it has.
fn shards(input: &str) -> Option<Vec<(u32, usize)>> {
    let all = sections(input)?;
    let shards = all[1..].iter().map(|(_, pairs)| {
        let value = |wanted| pairs.iter().find(|(key, _)| *key == wanted).map(|(_, value)| *value);
        let replicas: Vec<&str> = value("replicas")?.split(',').map(str::trim).collect();
        let are_names = replicas.iter().all(|replica| is_name(replica));
        are_names.then_some((number(value("quorum")?)?, replicas.len()))
    });
    shards.collect()
}

/// The texts of a list, or nothing for another value; nothing at all if it is none. A list may end with
/// a comma.
fn list(value: &str) -> Option<Option<Vec<String>>> {
    let all = tokens(value, "-_.")?;
    match &all[..] {
        [one] => {
            let is_plain = is_text(one) || number(one).is_some() || ["true", "false"].contains(one);
            is_plain.then_some(None)
        }
        ["[", "]"] => Some(Some(Vec::new())),
        ["[", inner @ .., "]"] => {
            let parts = inner.strip_suffix(&[","]).unwrap_or(inner).split(|token| *token == ",");
            let texts = parts.map(|part| match part {
                [text] if is_text(text) => Some(text.to_string()),
                _ => None,
            });
            texts.collect::<Option<Vec<String>>>().map(Some)
        }
        _ => None,
    }
}

/// What each feature of a package turns on.
fn features(input: &str) -> Option<Vec<Vec<String>>> {
    let text = without_ends(input, "#");
    let (mut tables, mut found) = (vec![("", Vec::new())], Vec::new());
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    while let Some(line) = lines.next() {
        if let Some(head) = line.strip_prefix('[') {
            let head = head.strip_suffix(']')?;
            let is_new = tables.iter().all(|(other, _)| *other != head);
            tables.push((Some(head).filter(|_| is_new && is_name(head))?, Vec::new()));
            continue;
        }
        let (key, value) = line.split_once('=')?;
        let mut value = value.trim().to_owned();
        while value.starts_with('[') && !value.ends_with(']') {
            value += lines.next()?;
        }
        let (table, keys) = tables.last_mut()?;
        let key = key.trim_end();
        keys.push(Some(key).filter(|key| is_name(key) && !keys.contains(key))?);
        match (*table, list(&value)?) {
            ("features", all) => found.push(all?),
            ("", _) => return None,
            _ => {}
        }
    }
    Some(found)
}

/// The names of the fields of a request, in small letters.
fn field_names(input: &str) -> Option<Vec<String>> {
    let (first, fields) = input.strip_suffix("\r\n\r\n")?.split_once("\r\n")?;
    let [method, path, "HTTP/1.1"] = first.split(' ').collect::<Vec<&str>>()[..] else {
        return None;
    };
    let is_known = ["GET", "HEAD", "PUT", "DELETE"].contains(&method);
    (is_known && path.starts_with('/') && is_shown(path)).then_some(())?;
    let names = fields.split("\r\n").map(|field| {
        let (name, value) = field.split_once(':')?;
        let name = name.to_ascii_lowercase();
        let is_right = is_name(&name) && is_shown(value) && !value.trim().is_empty();
        is_right.then_some(name)
    });
    let names = names.collect::<Option<Vec<String>>>()?;
    (!has_twins(&names) && names.iter().any(|name| name == "host")).then_some(names)
}

/// What is done to a picture: what the parts of the path of its address say, before the name of its
/// file.
fn operations(input: &str) -> Option<Vec<&str>> {
    let rest = input.strip_prefix("https://").or(input.strip_prefix("http://"))?;
    let (rest, end) = rest.split_once('#').unwrap_or((rest, ""));
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let is_inside = |c: char| c.is_ascii_alphanumeric() || "-._~=&,+".contains(c);
    (query.chars().all(is_inside) && end.chars().all(is_inside)).then_some(())?;
    let parts: Vec<&str> = place.split('/').collect();
    let [host, operations @ .., file] = &parts[..] else { return None };
    let (name, kind) = file.rsplit_once('.')?;
    let is_picture = is_name(name) && ["png", "jpg", "webp"].contains(&kind);
    (is_picture && host.split('.').all(is_name)).then_some(())?;
    let operations = operations.iter().map(|part| {
        let (name, value) = part.split_once('_').unwrap_or((part, "0"));
        let is_right = is_name(name) && (is_digits(value) || is_name(value));
        is_right.then_some(name)
    });
    operations.collect()
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "thirty-fifth: ini: shards: one with exactly as many replicas as its quorum",
        grammar: "@ini",
        input: concat!(
            "name=quorum 3\nquorum=2\nreplicas=a, b\n\n[shard-1]\nquorum=4\nreplicas=oak, elm\n",
            "port=7002\n\n[shard-2]\nlearners=fir, yew\nreplicas=ash, oak-2, fir\nweight=2\nquorum=3\n\n",
            "[quorum]\nreplicas=elm, ash, oak, yew\nquorum=3\nzones=a,b,c\n"
        ),
        valid: |input| shards(input).is_some(),
        fails: |input| {
            let all = shards(input).unwrap_or_default();
            all.iter().any(|(quorum, count)| *quorum as usize == *count)
        },
        draw: |dice| {
            let others = ["name=quorum 3\n", "quorum=2\n", "replicas=a, b\n", "\n"];
            let start = extras(dice, &others).concat();
            let mut shards = picked(dice, &["shard-1", "shard-2", "quorum", "shard-12"], 3, 0);
            for shard in &mut shards {
                let known = ["oak", "elm", "ash", "fir", "yew", "oak-2"];
                let replicas = picked(dice, &known, 5, 0);
                let quorum = counted(dice, replicas.len(), 32);
                let others = ["learners=fir, yew\n", "weight=2\n", "zones=a,b,c\n", "port=7002\n"];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("quorum={quorum}\n"));
                pairs.push(format!("replicas={}\n", replicas.join(one(dice, &[",", ", "]))));
                *shard = format!("[{shard}]\n{}", shuffled(dice, pairs).concat());
            }
            format!("{start}{}", shards.join(one(dice, &["", "\n"])))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fifth: toml: crate: a feature that turns the same thing on twice",
        grammar: "@toml",
        input: concat!(
            "# default = [\"std\", \"std\"]\n[package]\nname = \"owl\"\nkeywords = [\"std\", \"std\"]\n\n",
            "[features]\ndefault = [\"std\", \"log\"]\nstd = []\nfull = [\"std\", \"log\", \"serde/std\", ",
            "\"net\", \"log\"]  # log, net\nnet = [\n  \"dep:mio\",\n  \"log\",\n]\n\n[dependencies]\n",
            "mio = \"1.1\"\nlog = \"0.4\"\n"
        ),
        valid: |input| features(input).is_some(),
        fails: |input| features(input).is_some_and(|all| all.iter().any(|one| has_twins(one))),
        draw: |dice| {
            let others = [
                "# default = [\"std\", \"std\"]\n",
                "[package]\nname = \"owl\"\nkeywords = [\"std\", \"std\"]\n",
                "[dependencies]\nmio = \"1.1\"\nlog = \"0.4\"\n",
                "[badges]\nusers = [\"log\", \"net\", \"log\"]\n",
            ];
            let mut parts = extras(dice, &others);
            let mut lines = "[features]\n".to_owned();
            for name in picked(dice, &["default", "std", "full", "net"], 4, 0) {
                let known = ["std", "log", "serde/std", "net", "dep:mio", "serde", "no-std"];
                let things = match chance(dice, 12) {
                    true => String::new(),
                    false => format!("\"{}\"", picked(dice, &known, 5, 30).join("\", \"")),
                };
                lines += &match dice.below(4) {
                    0 => format!("{name} = [\n  {things}\n]\n"),
                    1 => format!("{name} = [{things}]  # log, log\n"),
                    _ => format!("{name} = [{things}]\n"),
                };
            }
            parts.push(lines);
            shuffled(dice, parts).join(one(dice, &["", "\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fifth: http: conditions: a request with an If-Match or an If-None-Match",
        grammar: "@http",
        input: concat!(
            "PUT /pages/if-match?v=4 HTTP/1.1\r\nHost: wiki.owl.example\r\nX-If-Match: \"a4\"\r\n",
            "User-Agent: If-Match/2.1\r\nIf-None-Match: \"7f3a\", W/\"12\"\r\n",
            "If-Unmodified-Since: Sat, 04 May 2024 09:12:44 GMT\r\nVary: If-Match, Accept\r\n",
            "Content-Length: 0\r\n\r\n"
        ),
        valid: |input| field_names(input).is_some(),
        fails: |input| {
            let all = field_names(input).unwrap_or_default();
            all.iter().any(|name| ["if-match", "if-none-match"].contains(&&name[..]))
        },
        draw: |dice| {
            let others = [
                "X-If-Match: \"a4\"\r\n",
                "If-Modified-Since: Sat, 04 May 2024 09:12:44 GMT\r\n",
                "If-Range: \"7f3a\"\r\n",
                "Match: 4\r\n",
                "Vary: If-Match, Accept\r\n",
                "User-Agent: If-None-Match/2.1\r\n",
            ];
            let mut fields = extras(dice, &others);
            let host = one(dice, &["wiki.owl.example", "owl.example", "match.example"]);
            fields.push(format!("Host: {host}\r\n"));
            if chance(dice, 50) {
                let name = one(dice, &["If-Match", "If-None-Match"]);
                let value = one(dice, &["*", "\"7f3a\"", "\"7f3a\", W/\"12\""]);
                fields.push(format!("{name}: {value}\r\n"));
            }
            let method = one(dice, &["GET", "HEAD", "PUT", "DELETE"]);
            let path = one(dice, &["/", "/pages/if-match?v=4", "/pages/4"]);
            format!("{method} {path} HTTP/1.1\r\n{}\r\n", shuffled(dice, fields).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fifth: url: picture: a crop, then a blur, and then a frame",
        grammar: "@url",
        input: concat!(
            "https://frame.owl.example/blur_2/sepia/crop_40/width_300/blur_12/crop/gray/frame_red/",
            "round_4/blur-crop.webp?then=crop,frame&v=12&name=blur#frame"
        ),
        valid: |input| operations(input).is_some(),
        fails: |input| {
            operations(input).is_some_and(|all| are_in_order(&all, &["crop", "blur", "frame"]))
        },
        draw: |dice| {
            let others = ["sepia", "width", "gray", "blur", "crop", "frames"];
            let mut path = String::new();
            for operation in steps(dice, ["crop", "blur", "frame"], &others) {
                let value = one(dice, &["", "", "_4", "_40", "_red", "_12"]);
                path += &format!("/{operation}{value}");
            }
            let host = joined(dice, 2, ".", |dice| format!("p{}", word(dice, 6)));
            let host = one(dice, &[&host, "frame.owl.example", "crop.example"]);
            let file = one(dice, &["cat.png", "blur-crop.webp", "frame.jpg"]);
            let mut pairs = extras(dice, &["then=crop,frame", "v=12", "name=blur"]).join("&");
            if !pairs.is_empty() {
                pairs.insert(0, '?');
            }
            let end = one(dice, &["", "", "#frame"]);
            format!("https://{host}{path}/{file}{pairs}{end}")
        },
        patterns: &[],
    },
];
