//! Causes in four formats: CSV, INI, TOML and URL.

use crate::draws::{above, chance, counted, extras, link, picked};
use crate::readers::{is_name, is_shown, number, query_of, sections};
use crate::thirty_fourth::without_ends;
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, one, shuffled};

/// How many parts each piece of a choir has, and how many singers.
fn pieces(input: &str) -> Option<Vec<(u32, usize)>> {
    let mut lines = input.strip_suffix('\n').unwrap_or(input).split('\n');
    (lines.next()? == "piece,parts,singers,note").then_some(())?;
    let pieces = lines.map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let [piece, parts, singers, note] = cells[..] else { return None };
        let are_shown = is_shown(piece) && is_shown(note) && !line.contains('"');
        let singers: Vec<&str> = singers.split(';').filter(|_| !singers.is_empty()).collect();
        let are_right = are_shown && singers.iter().all(|singer| is_name(singer));
        number(parts).filter(|parts| *parts > 0 && are_right).map(|parts| (parts, singers.len()))
    });
    pieces.collect()
}

/// Whether each peer of a tunnel, which is a section, has a keepalive.
fn have_keepalives(input: &str) -> Option<Vec<bool>> {
    let all = sections(input)?;
    let peers = all[1..].iter().map(|(_, pairs)| {
        let has = |wanted| pairs.iter().any(|(key, _)| *key == wanted);
        has("endpoint").then(|| has("keepalive"))
    });
    peers.collect()
}

/// Whether a text is a value of a setting: a text, a number, yes or no, or a list of texts.
fn is_setting(value: &str) -> Option<bool> {
    Some(match &tokens(value, "_-.")?[..] {
        [one] => is_text(one) || number(one).is_some() || ["true", "false"].contains(one),
        ["[", inner @ .., "]"] => {
            inner.split(|token| *token == ",").all(|part| matches!(part, [text] if is_text(text)))
        }
        _ => false,
    })
}

/// From which value on each rule warns, and from which on it calls for help.
fn rules(input: &str) -> Option<Vec<(u32, u32)>> {
    let text = without_ends(input, "#");
    let mut tables = vec![("", Vec::new())];
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line == "[[rule]]" {
            tables.push(("rule", Vec::new()));
        } else if let Some(name) = line.strip_prefix('[') {
            let name = name.strip_suffix(']').filter(|name| is_name(name) && *name != "rule")?;
            tables.iter().all(|(other, _)| *other != name).then_some(())?;
            tables.push((name, Vec::new()));
        } else {
            let (key, value) = line.split_once('=')?;
            let [key, value] = [key, value].map(str::trim);
            let pairs = &mut tables.last_mut()?.1;
            let is_new = pairs.iter().all(|(other, _)| *other != key);
            (is_new && is_name(key) && is_setting(value)?).then(|| pairs.push((key, value)))?;
        }
    }
    let rules = tables.iter().filter(|(name, _)| *name == "rule").map(|(_, pairs)| {
        let value = |wanted| pairs.iter().find(|(key, _)| *key == wanted).map(|(_, value)| *value);
        Some((number(value("warn")?)?, number(value("crit")?)?))
    });
    rules.collect()
}

/// The keys of the query of a link.
fn query_keys(input: &str) -> Option<Vec<&str>> {
    Some(query_of(input)?.into_iter().map(|(key, _)| key).collect())
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "thirty-seventh: csv: choir: a piece with exactly as many singers as parts",
        grammar: "@csv",
        input: concat!(
            "piece,parts,singers,note\nAve verum,4,ada;bo;cy,3;3;3\nRound 2,3,,no singers\n",
            "Evening song,2,eve;ivy;dan;max,2 or 4\nThe owl,3,bo;eve;fay,in May\n",
            "Four birds,4,max;bo,ada;cy\nMarch,1,ada;bo,\n"
        ),
        valid: |input| pieces(input).is_some(),
        fails: |input| {
            let all = pieces(input).unwrap_or_default();
            all.iter().any(|(parts, count)| *parts as usize == *count)
        },
        draw: |dice| {
            let mut text = "piece,parts,singers,note\n".to_owned();
            for _ in 0..1 + dice.below(4) {
                let known = ["ada", "bo", "cy", "eve", "ivy", "dan", "max"];
                let mut singers = picked(dice, &known, 6, 0);
                if chance(dice, 10) {
                    singers.clear();
                }
                let parts = counted(dice, singers.len(), 26).max(1);
                let piece = one(dice, &["Ave verum", "Round 2", "The owl", "Four birds", "March"]);
                let note = one(dice, &["", "", "3;3;3", "in May", "ada;cy"]);
                text += &format!("{piece},{parts},{},{note}\n", singers.join(";"));
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-seventh: ini: vpn: a peer without a keepalive",
        grammar: "@ini",
        input: concat!(
            "name=keepalive\nkeepalive=25\nport=51820\n\n[oak]\nendpoint=oak.example:51820\n",
            "keepalive=25\nroutes=10.4.0.0/16\n\n[keepalive]\nkeepalive-old=25\n",
            "endpoint=192.0.2.7:4500\nroutes=10.7.0.0/24, keepalive\nnote=keepalive=0\n\n[elm-2]\n",
            "key=k7f3a9\nkeepalive=0\nendpoint=elm.example:51820\n"
        ),
        valid: |input| have_keepalives(input).is_some(),
        fails: |input| have_keepalives(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let others = ["name=keepalive\n", "keepalive=25\n", "port=51820\n", "\n"];
            let start = extras(dice, &others).concat();
            let mut peers = picked(dice, &["oak", "elm-2", "keepalive", "ash", "fir"], 4, 0);
            for peer in &mut peers {
                let others = [
                    "routes=10.7.0.0/24, keepalive\n",
                    "keepalive-old=25\n",
                    "note=keepalive=0\n",
                    "key=k7f3a9\n",
                    "mtu=1420\n",
                ];
                let mut pairs = extras(dice, &others);
                let host = one(dice, &["oak.example:51820", "192.0.2.7:4500", "keepalive:25"]);
                pairs.push(format!("endpoint={host}\n"));
                if chance(dice, 76) {
                    let value = one(dice, &["25", "0", "40", "off"]);
                    pairs.push(format!("keepalive={value}\n"));
                }
                *peer = format!("[{peer}]\n{}", shuffled(dice, pairs).concat());
            }
            format!("{start}{}", peers.join(one(dice, &["", "\n"])))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-seventh: toml: alarms: a rule with a warn above its crit",
        grammar: "@toml",
        input: concat!(
            "# warn = 9, crit = 4\nname = \"warn 90, crit 80\"\n\n[default]\nwarn = 90\ncrit = 40\n\n",
            "[[rule]]\nmetric = \"disk\"\nwarn = 80\ncrit = 95\n\n[[rule]]\ncrit = 60\nhosts = [\"warn\", ",
            "\"oak\"]\nwarn = 75  # was 50\nmetric = \"load\"\n\n[[rule]]\nmetric = \"crit\"\nevery = 120\n",
            "crit = 12\nwarn = 12\n"
        ),
        valid: |input| rules(input).is_some(),
        fails: |input| rules(input).is_some_and(|all| all.iter().any(|(warn, crit)| warn > crit)),
        draw: |dice| {
            let start = extras(dice, &["# warn = 9, crit = 4\n", "name = \"warn 90, crit 80\"\n"]);
            let mut tables = extras(dice, &["[default]\nwarn = 90\ncrit = 40\n"]);
            for _ in 0..1 + dice.below(3) {
                let crit = [1 + dice.below(20), 10 + dice.below(90), 95][dice.below(3)];
                let warn = above(dice, crit, 28);
                let others = [
                    "metric = \"disk\"\n",
                    "hosts = [\"warn\", \"oak\"]\n",
                    "every = 120\n",
                    "# crit = 4\n",
                ];
                let mut lines = extras(dice, &others);
                let end = one(dice, &["", "", "  # was 50"]);
                lines.push(format!("warn = {warn}{end}\n"));
                lines.push(format!("crit = {crit}\n"));
                tables.push(format!("[[rule]]\n{}", shuffled(dice, lines).concat()));
            }
            let tables = shuffled(dice, tables).join(one(dice, &["", "\n"]));
            format!("{}{tables}", start.concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-seventh: url: tracking: a link with a gclid or an fbclid",
        grammar: "@url",
        input: concat!(
            "https://www.gclid.owl.example/shop/fbclid/boots-4?utm_source=fbclid&color=red,blue&",
            "gclid-old=Cj0K&fbclid=IwAR0k3-4x&page=12&ref=gclid&size=42#gclid=Cj0K"
        ),
        valid: |input| query_keys(input).is_some(),
        fails: |input| {
            let all = query_keys(input).unwrap_or_default();
            all.iter().any(|key| ["gclid", "fbclid"].contains(key))
        },
        draw: |dice| {
            let others = [
                "utm_source=fbclid",
                "color=red,blue",
                "gclid-old=Cj0K",
                "page=12",
                "ref=gclid",
                "msclkid=7f3a",
                "wbraid=fbclid",
            ];
            let mut pairs = extras(dice, &others);
            if chance(dice, 50) {
                let key = one(dice, &["gclid", "fbclid"]);
                let value = one(dice, &["Cj0K", "IwAR0k3-4x", "", "12"]);
                pairs.push(format!("{key}={value}"));
            }
            let paths = ["", "shop/fbclid/boots-4", "gclid", "boots"];
            let ends = ["", "", "#gclid=Cj0K", "#top"];
            link(dice, pairs, ["www.gclid.owl.example", "owl.example"], (&paths, &ends))
        },
        patterns: &[],
    },
];
