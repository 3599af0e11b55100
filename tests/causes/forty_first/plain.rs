//! Causes in texts without a grammar: branches of a repository, settings of a server, rules for building a
//! program, and the tracks of a disc.

use crate::draws::{above, chance, extras, foreign, statements};
use crate::readers::{is_digits, is_name, is_shown, number};
use crate::thirty_fourth::{is_variable, without_ends};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// How far each branch of some listings is ahead of the one it follows and behind it, if it says so. A listing
/// comes after the command that asks for it.
fn branches(input: &str) -> Option<Vec<(u32, u32)>> {
    let (mut found, mut command) = (Vec::new(), "");
    for line in input.lines().filter(|line| !line.is_empty()) {
        is_shown(line).then_some(())?;
        if let Some(asked) = line.strip_prefix("$ git ") {
            command =
                Some(asked).filter(|asked| asked.starts_with(|c: char| c.is_ascii_lowercase()))?;
            continue;
        }
        (!command.is_empty()).then_some(())?;
        if command != "branch -vv" {
            continue;
        }
        let rest = line.strip_prefix("* ").or(line.strip_prefix("  "))?;
        let (name, rest) = rest.split_once(' ')?;
        let (hash, rest) = rest.trim_start().split_once(' ')?;
        let is_hash = hash.len() == 7 && hash.chars().all(|c| c.is_ascii_hexdigit());
        (is_hash && is_name(name)).then_some(())?;
        let Some(rest) = rest.strip_prefix('[') else { continue };
        let (followed, title) = rest.split_once(']')?;
        let (followed, counts) = followed.split_once(": ").unwrap_or((followed, ""));
        let is_right = followed.split('/').all(is_name) && !title.trim().is_empty();
        is_right.then_some(())?;
        if !counts.is_empty() {
            let (ahead, behind) = counts.strip_prefix("ahead ")?.split_once(", behind ")?;
            found.push((number(ahead)?, number(behind)?));
        }
    }
    Some(found)
}

/// How deep IfModule and IfDefine are in each other in some settings. Other sections may be around them and
/// in them.
fn condition_depth(input: &str) -> Option<usize> {
    let is_kind = |kind: &str| ["IfModule", "IfDefine"].contains(&kind);
    let (mut open, mut deepest): (Vec<&str>, usize) = (Vec::new(), 0);
    for line in statements(input, "#") {
        is_shown(line).then_some(())?;
        let Some(rest) = line.strip_prefix('<') else {
            let key = line.split(' ').next()?;
            let is_key = is_variable(key) && key.starts_with(|c: char| c.is_ascii_uppercase());
            is_key.then_some(())?;
            continue;
        };
        let inner = rest.strip_suffix('>').filter(|inner| !inner.contains(['<', '>']))?;
        if let Some(kind) = inner.strip_prefix('/') {
            (open.pop()? == kind).then_some(())?;
            continue;
        }
        let (kind, argument) = inner.split_once(' ')?;
        let is_known = is_kind(kind) || ["VirtualHost", "Directory", "Files"].contains(&kind);
        (is_known && !argument.trim().is_empty()).then(|| open.push(kind))?;
        deepest = deepest.max(open.iter().filter(|kind| is_kind(kind)).count());
    }
    open.is_empty().then_some(deepest)
}

/// What comes after the value at the start of some tokens: a text, a number, True, False, or a list of texts.
fn value<'a, 't>(all: &'a [&'t str]) -> Option<&'a [&'t str]> {
    match all {
        ["glob", "(", inner @ ..] => value(inner)?.strip_prefix(&[")"]),
        ["[", inner @ ..] => {
            let mut rest = inner;
            while rest.first() != Some(&"]") {
                let after = rest.split_first().filter(|(first, _)| is_text(first))?.1;
                let is_last = after.first() == Some(&"]");
                rest = if is_last { after } else { after.strip_prefix(&[","])? };
            }
            Some(&rest[1..])
        }
        [one, after @ ..] => {
            let is_value = is_text(one) || number(one).is_some() || ["True", "False"].contains(one);
            is_value.then_some(after)
        }
        [] => None,
    }
}

/// Whether each cc_library of some rules has a visibility.
fn have_visibility(input: &str) -> Option<Vec<bool>> {
    let text = without_ends(input, "#");
    let (all, mut found) = (tokens(&text, "_")?, Vec::new());
    let mut rest = &all[..];
    while !rest.is_empty() {
        match rest {
            ["load", "(", place, ",", name, ")", after @ ..] if is_text(place) && is_text(name) => {
                rest = after;
                continue;
            }
            [name, "=", after @ ..] if is_variable(name) => {
                rest = value(after)?;
                continue;
            }
            _ => {}
        }
        let [kind, "(", inner @ ..] = rest else { return None };
        let mut keys = Vec::new();
        rest = inner;
        while rest.first() != Some(&")") {
            let [key, "=", after @ ..] = rest else { return None };
            let is_new = is_variable(key) && !keys.contains(key);
            keys.push(Some(*key).filter(|_| is_new)?);
            let after = value(after)?;
            let is_last = after.first() == Some(&")");
            rest = if is_last { after } else { after.strip_prefix(&[","])? };
        }
        rest = &rest[1..];
        match *kind {
            "cc_library" => found.push(keys.contains(&"visibility")),
            kind => {
                ["cc_test", "cc_binary", "filegroup", "package"].contains(&kind).then_some(())?
            }
        }
    }
    Some(found)
}

/// The titles of a disc and its tracks.
fn titles(input: &str) -> Option<Vec<&str>> {
    let (mut found, mut has_file, mut has_track) = (Vec::new(), false, false);
    for line in input.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (key, rest) = line.split_once(' ')?;
        let is_quoted = |text: &str| {
            let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            inner.is_some_and(|inner| {
                !inner.contains(['"', '\\']) && !inner.contains(char::is_control)
            })
        };
        let is_right = match key {
            "REM" => !rest.contains(char::is_control),
            "TITLE" => {
                found.push(rest);
                is_quoted(rest)
            }
            "PERFORMER" | "SONGWRITER" => is_quoted(rest),
            "FILE" => {
                has_file = true;
                rest.strip_suffix(" WAVE").is_some_and(is_quoted)
            }
            "TRACK" => {
                has_track = true;
                has_file && rest.strip_suffix(" AUDIO").is_some_and(is_digits)
            }
            "INDEX" => {
                let (item, time) = rest.split_once(' ')?;
                has_track && is_digits(item) && time.split(':').all(is_digits)
            }
            _ => false,
        };
        is_right.then_some(())?;
    }
    Some(found)
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "forty-first: plain: branches: a branch that is further behind than ahead",
        grammar: "",
        input: concat!(
            "$ git fetch --all\n$ git log --oneline\n7f3a1c2 [origin/owl: ahead 1, behind 4] Add owls\n",
            "$ git branch -vv\n* main  7f3a1c2 [origin/main: ahead 4, behind 4] Add owls\n",
            "  nest  0c4412e [origin/nest] ahead 2, behind 9\n  egg  99ab012 Draw eggs\n",
            "  behind  4e4e812 [ada/owl: ahead 12, behind 2] Merge [wren: ahead 4, behind 7]\n",
            "  wren-4  00d41c9 [origin/wren: ahead 3, behind 40] Sing\n\n$ git status -sb\n",
            "## main...origin/main [ahead 4, behind 5]\n"
        ),
        valid: |input| branches(input).is_some(),
        fails: |input| {
            branches(input).is_some_and(|all| all.iter().any(|(ahead, behind)| behind > ahead))
        },
        draw: |dice| {
            let others = [
                "$ git fetch --all\n",
                "$ git log --oneline\n7f3a1c2 [origin/owl: ahead 1, behind 4] Add owls\n",
                "$ git status -sb\n## main...origin/main [ahead 4, behind 5]\n\n",
            ];
            let mut parts = extras(dice, &others);
            let mut part = "$ git branch -vv\n".to_owned();
            for _ in 0..1 + dice.below(4) {
                let ahead = [4, dice.below(12), dice.below(90)][dice.below(3)];
                let behind = above(dice, ahead, 26);
                let followed = one(dice, &["origin/main", "origin/nest", "ada/owl"]);
                let counts = match dice.below(8) {
                    0 => String::new(),
                    1 => format!("[{followed}] "),
                    _ => format!("[{followed}: ahead {ahead}, behind {behind}] "),
                };
                let start = one(dice, &["* ", "  ", "  "]);
                let name = one(dice, &["main", "nest", "egg", "behind", "wren-4"]);
                let hash = one(dice, &["7f3a1c2", "0c4412e", "99ab012"]);
                let known = ["Add owls", "ahead 2, behind 9", "Merge [wren: ahead 4, behind 7]"];
                let title = one(dice, &known);
                part += &format!("{start}{name} {hash} {counts}{title}\n");
            }
            parts.push(part);
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-first: plain: apache: IfModule and IfDefine in each other, four deep or more",
        grammar: "",
        input: concat!(
            "# <IfModule a><IfDefine b><IfModule c><IfDefine d>\nServerName owl.example\n<IfModule mod_ssl.c>\n",
            "  <IfDefine SSL>\n    Listen 443\n  </IfDefine>\n</IfModule>\n<VirtualHost *:80>\n",
            "  Alias /owl \"/srv/IfDefine\"\n  <IfDefine NEST>\n    <Directory \"/srv/nest\">\n",
            "      <IfModule !mod_egg.c>\n        Require all denied\n        <IfDefine !EGG>\n",
            "          # </IfDefine>\n          <Files \"*.cgi\">\n            <IfModule mod_cgi.c>\n",
            "              Options ExecCGI\n            </IfModule>\n          </Files>\n",
            "        </IfDefine>\n      </IfModule>\n      Options None\n    </Directory>\n  </IfDefine>\n",
            "</VirtualHost>\n<IfDefine OWL>\n</IfDefine>\n"
        ),
        valid: |input| condition_depth(input).is_some(),
        fails: |input| condition_depth(input).is_some_and(|depth| depth >= 4),
        draw: |dice| {
            let leaves = [
                "Options None\n",
                "Alias /owl \"/srv/IfDefine\"\n",
                "# </IfDefine>\n",
                "<IfModule mod_egg.c>\nRequire all denied\n</IfModule>\n",
            ];
            let mut part = one(dice, &["Options ExecCGI\n", "", "Listen 443\n"]).to_owned();
            for _ in 0..2 + dice.below(5) {
                let mut inner = extras(dice, &leaves);
                inner.truncate(2);
                inner.push(part);
                let inner = shuffled(dice, inner).concat();
                let (kind, argument) = match dice.below(7) {
                    0 => ("Directory", "\"/srv/nest\""),
                    1 => ("Files", "\"*.cgi\""),
                    2..4 => ("IfModule", one(dice, &["mod_ssl.c", "!mod_egg.c", "mod_cgi.c"])),
                    _ => ("IfDefine", one(dice, &["SSL", "!EGG", "NEST"])),
                };
                let inner = match chance(dice, 50) {
                    true => inner.lines().map(|line| format!("  {line}\n")).collect(),
                    false => inner,
                };
                part = format!("<{kind} {argument}>\n{inner}</{kind}>\n");
            }
            let others = [
                "# <IfModule a><IfDefine b><IfModule c><IfDefine d>\n",
                "ServerName owl.example\n",
                "<IfDefine OWL>\n<IfModule mod_owl.c>\n</IfModule>\n</IfDefine>\n",
            ];
            let mut parts = extras(dice, &others);
            parts.push(part);
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-first: plain: bazel: a cc_library without a visibility",
        grammar: "",
        input: concat!(
            "# cc_library(name = \"visibility\")\nload(\"//rules:cc.bzl\", \"cc_library\")\n",
            "VISIBILITY = [\"//visibility:public\"]\npackage(licenses = [\"mit\"])\n\ncc_library(\n",
            "    name = \"owl\",\n    srcs = [\"owl.cc\", \"wing.cc\"],\n    visibility = [\"//nest:all\"],\n)\n\n",
            "cc_test(\n    name = \"owl_test\",\n    size = \"small\",\n    deps = [\":owl\"],\n)\n\ncc_library(\n",
            "    name = \"visibility\",\n    hdrs = glob([\"*.h\"]),\n    # visibility = [\"//nest:all\"],\n",
            "    deps = [\":owl\"],\n    tags = [\"visibility\"],\n)\n\ncc_library(name = \"egg\", visibility = [])\n",
            "filegroup(name = \"all\", srcs = [], visibility = [\"//nest:all\"])\n"
        ),
        valid: |input| have_visibility(input).is_some(),
        fails: |input| have_visibility(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let others = [
                "# cc_library(name = \"visibility\")\n",
                "load(\"//rules:cc.bzl\", \"cc_library\")\n",
                "VISIBILITY = [\"//visibility:public\"]\n",
                "cc_test(name = \"owl_test\", size = \"small\")\n",
                "filegroup(name = \"all\", srcs = [], visibility = [\"//nest:all\"])\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let others = [
                    "srcs = [\"owl.cc\", \"wing.cc\"]",
                    "hdrs = glob([\"*.h\"])",
                    "deps = [\":visibility\"]",
                    "tags = [\"visibility\"]",
                    "alwayslink = True",
                ];
                let mut pairs = extras(dice, &others);
                let name = one(dice, &["owl", "nest", "visibility", "egg"]);
                pairs.push(format!("name = \"{name}\""));
                if chance(dice, 77) {
                    let known = ["[\"//nest:all\"]", "[\"//visibility:public\"]", "[]"];
                    pairs.push(format!("visibility = {}", one(dice, &known)));
                }
                let by = one(dice, &[", ", ",\n    ", ",\n    # visibility = [],\n    "]);
                let pairs = shuffled(dice, pairs).join(by);
                parts.push(format!("cc_library({pairs}{})\n", one(dice, &["", ","])));
            }
            shuffled(dice, parts).join(one(dice, &["", "\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-first: plain: disc: a TITLE with a character that is not ASCII",
        grammar: "",
        input: concat!(
            "REM GENRE \"Hörspiel\"\nREM TITLE \"Für Zoë\"\nPERFORMER \"Bo Sørensen\"\nTITLE \"Owls of Oslo\"\n",
            "FILE \"vögel.wav\" WAVE\n  TRACK 01 AUDIO\n    TITLE \"Nests (4)\"\n    PERFORMER \"Zoë\"\n",
            "    INDEX 01 00:00:00\n  TRACK 02 AUDIO\n    SONGWRITER \"TITLE å\"\n    TITLE \"Das Käuzchen\"\n",
            "    INDEX 00 04:12:40\n    INDEX 01 04:14:00\n  TRACK 03 AUDIO\n    TITLE \"\"\n",
            "    INDEX 01 07:30:12\n"
        ),
        valid: |input| titles(input).is_some(),
        fails: |input| titles(input).is_some_and(|all| all.iter().any(|title| !title.is_ascii())),
        draw: |dice| {
            let others = [
                "REM GENRE \"Hörspiel\"\n",
                "REM TITLE \"Für Zoë\"\n",
                "PERFORMER \"Bo Sørensen\"\n",
                "TITLE \"Owls of Oslo\"\n",
            ];
            let start = extras(dice, &others).concat();
            let mut text = format!("{start}FILE \"{}.wav\" WAVE\n", one(dice, &["vögel", "owls"]));
            for track in 0..1 + dice.below(3) {
                let title = match dice.below(12) {
                    0 => foreign(dice),
                    1 => format!("The {}", foreign(dice)),
                    2 => format!("{} ({})", foreign(dice), word(dice, 4)),
                    3..6 => one(dice, &["Owls of Oslo", "", "Nests (4)"]).to_owned(),
                    count => joined(dice, count / 4, " ", |dice| word(dice, 8)),
                };
                let others = [
                    "    PERFORMER \"Zoë\"\n",
                    "    SONGWRITER \"TITLE å\"\n",
                    "    INDEX 00 04:12:40\n",
                ];
                let mut lines = extras(dice, &others);
                lines.push(format!("    TITLE \"{title}\"\n"));
                let lines = shuffled(dice, lines).concat();
                text += &format!("  TRACK 0{} AUDIO\n{lines}    INDEX 01 07:30:12\n", track + 1);
            }
            text
        },
        patterns: &[],
    },
];
