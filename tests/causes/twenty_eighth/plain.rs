//! Causes in texts without a grammar.

use super::{around, counted, foreign, steps};
use crate::draws::{chance, extras, has_twins, picked};
use crate::readers::{are_in_order, is_digits, is_name, is_shown, is_word, number};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// The lines of a text that are neither empty nor remarks, without the blanks around them.
fn statements<'t>(input: &'t str, remark: &str) -> impl Iterator<Item = &'t str> {
    let lines = input.lines().map(str::trim);
    lines.filter(move |line| !line.is_empty() && !line.starts_with(remark))
}

/// Whether a text is a time of the day, with or without seconds.
fn is_time(text: &str) -> bool {
    let mut parts = text.split(':');
    let are_right = parts.all(|part| part.len() == 2 && is_digits(part));
    are_right && [5, 8].contains(&text.len())
}

/// How long the requests in a log took, as far as it says that.
fn durations(input: &str) -> Option<Vec<u32>> {
    let mut found = Vec::new();
    for line in statements(input, "#") {
        let mut words = line.split_whitespace();
        let (time, host, method) = (words.next()?, words.next()?, words.next()?);
        let is_path = words.next()?.starts_with('/');
        let is_right = is_time(time) && is_name(host) && ["GET", "PUT"].contains(&method);
        (is_right && is_path).then_some(())?;
        for field in words {
            let (key, value) = field.split_once('=')?;
            let value = number(value).filter(|_| is_word(key))?;
            found.extend((key == "took").then_some(value));
        }
    }
    Some(found)
}

/// Whether each image of a template has a text for those who do not see it (alt).
fn have_texts(input: &str) -> Option<Vec<bool>> {
    let (mut pieces, mut found) = (input.split("{{"), Vec::new());
    (!pieces.next()?.contains("}}")).then_some(())?;
    for piece in pieces {
        let (tag, text) = piece.split_once("}}")?;
        let mut words = tag.split_whitespace();
        let is_image = Some(words.next()?).filter(|name| is_name(name))? == "image";
        let pairs: Option<Vec<(&str, &str)>> = words.map(|word| word.split_once('=')).collect();
        let keys: Vec<&str> = pairs?.into_iter().map(|(key, _)| key).collect();
        (keys.iter().all(|key| is_name(key)) && !text.contains("}}")).then_some(())?;
        found.extend(is_image.then_some(keys.contains(&"alt")));
    }
    Some(found)
}

/// The labels of a program for an assembler.
fn labels(input: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    for line in input.lines() {
        let line = line.split(';').next()?.trim();
        let (label, rest) = match line.split_once(':') {
            Some((label, rest)) => (Some(label.trim_end()), rest.trim_start()),
            None => (None, line),
        };
        let (name, values) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let is_value = |value: &str| {
            let value = value.trim();
            let value = value.strip_prefix('#').unwrap_or(value);
            is_digits(value) || is_name(value)
        };
        let are_right = values.is_empty() || values.split(',').all(is_value);
        let is_operation = is_word(name.strip_prefix('.').unwrap_or(name)) && are_right;
        (rest.is_empty() || is_operation).then_some(())?;
        found.extend(label.map(|label| is_name(label).then_some(label)));
    }
    found.into_iter().collect()
}

/// Who wrote each message of a chat. A line that does not begin with a time goes on with a message.
fn nicks(input: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    for line in input.lines() {
        let Some(rest) = line.strip_prefix('[') else { continue };
        let (time, rest) = rest.split_once(']')?;
        is_time(time.trim()).then_some(())?;
        if let Some(rest) = rest.trim_start().strip_prefix('<') {
            let (nick, _) = rest.split_once('>')?;
            found.push(Some(nick.trim()).filter(|nick| !nick.is_empty())?);
        }
    }
    Some(found)
}

/// How many options may be picked in each poll of some minutes, and how many there are.
fn polls(input: &str) -> Option<Vec<(u32, usize)>> {
    let mut found = Vec::new();
    for line in statements(input, ">") {
        if let Some(option) = line.strip_prefix("- ").or(line.strip_prefix("* ")) {
            is_shown(option).then_some(())?;
            found.last_mut().map(|(_, count)| *count += 1)?;
        } else {
            let (_, end) = line.strip_prefix("Poll:")?.rsplit_once('(')?;
            let most = end.strip_suffix(')')?.trim().strip_prefix("pick ")?;
            found.push((number(most.trim_start())?, 0));
        }
    }
    Some(found)
}

/// The figures of each dance. A line without a colon is a heading.
fn dances(input: &str) -> Option<Vec<Vec<&str>>> {
    let lines = input.lines().filter_map(|line| line.split_once(':'));
    let dances = lines.map(|(_, figures)| {
        let figures = figures.split('>').map(str::trim);
        figures.map(|figure| is_name(figure).then_some(figure)).collect()
    });
    dances.collect()
}

/// The folders of each search path that a script sets (PATH).
fn search_paths(input: &str) -> Option<Vec<Vec<&str>>> {
    let mut found = Vec::new();
    for line in statements(input, "#") {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        (is_name(command) && is_shown(rest)).then_some(())?;
        if command == "export" {
            let (name, value) = rest.trim_start().split_once('=')?;
            let inner = value.strip_prefix('"').map_or(Some(value), |v| v.strip_suffix('"'))?;
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "/:$-_.".contains(c);
            let is_right = name.chars().all(|c| c.is_ascii_uppercase()) && !name.is_empty();
            (is_right && inner.chars().all(is_plain)).then_some(())?;
            found.extend((name == "PATH").then(|| inner.split(':').collect()));
        }
    }
    Some(found)
}

/// The languages of the blocks of code in a page.
fn languages(input: &str) -> Option<Vec<&str>> {
    let (mut is_inside, mut found) = (false, Vec::new());
    for line in input.lines() {
        if let Some(rest) = line.trim().strip_prefix("```") {
            let words: Vec<&str> = rest.split_whitespace().collect();
            let is_right = words.len() <= usize::from(!is_inside);
            is_right.then_some(())?;
            found.extend(words);
            is_inside = !is_inside;
        }
    }
    (!is_inside).then_some(found)
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "twenty-eighth: plain: log: a request that took from 1500 to 2999 milliseconds",
        grammar: "",
        input: concat!(
            "# took=1600\n09:14:02 web-1 GET /index status=200 took=84\n",
            "09:14:02 web-2 GET /took/2000 status=404 bytes=1999\n",
            "09:14:05 web-1 PUT /cart/7 took=1730 status=200\n\n",
            "09:15:40 web-2 GET / status=500 took=3000 bytes=1500\n09:16:11 db-1 GET /ping\n"
        ),
        valid: |input| durations(input).is_some(),
        fails: |input| {
            durations(input).is_some_and(|all| all.iter().any(|ms| (1500..3000).contains(ms)))
        },
        draw: |dice| {
            let mut lines = extras(dice, &["# took=1600\n", "\n", "09:16:11 db-1 GET /ping\n"]);
            for _ in 0..1 + dice.below(4) {
                let mut fields = extras(dice, &[" bytes=1999", " status=200", " wait=1500"]);
                if chance(dice, 88) {
                    fields.push(format!(" took={}", around(dice, [1500, 2999], 30)));
                }
                let fields = shuffled(dice, fields).concat();
                let time = format!("09:{}:{}", 10 + dice.below(50), 10 + dice.below(50));
                let host = one(dice, &["web-1", "web-2", "db-1"]);
                let action = one(dice, &["GET /", "GET /took/2000", "PUT /cart/7"]);
                lines.push(format!("{time} {host} {action}{fields}\n"));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-eighth: plain: template: an image without an alt",
        grammar: "",
        input: concat!(
            "alt=none\n# {{title}}\n\nToday in {{town size=2}}: the {{link to=alt alt=fair}}.\n",
            "{{image src=owl.png alt=owl}}\nimage src=a\n{{image width=80 src=alt.png caption=alt}} and ",
            "{{image alt= src=bat.png}}\n\n{{footer alt=x}}\n"
        ),
        valid: |input| have_texts(input).is_some(),
        fails: |input| have_texts(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let others = ["# {{title}}\n", "alt=none\n", "{{link to=alt}}.\n", "image src=a\n"];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let mut pairs = extras(dice, &[" width=80", " caption=alt"]);
                pairs.push(format!(" src={}.png", one(dice, &["owl", "bat", "alt"])));
                if chance(dice, 72) {
                    pairs.push(format!(" alt={}", one(dice, &["owl", "", "image", "x"])));
                }
                let end = one(dice, &["\n", " and ", "\n\n"]);
                parts.push(format!("{{{{image{}}}}}{end}", shuffled(dice, pairs).concat()));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-eighth: plain: assembler: two labels with the same name",
        grammar: "",
        input: concat!(
            "; retry: wait: retry:\n        .org 64\nstart:  lda #5      ; start: here\n        sta count\n",
            "wait:   dec count\n        bne wait\n        jsr send\n        jmp retry\n",
            "retry:\n        lda #0, x\n        beq start\nwait:   rts\nsend:   jmp send\n"
        ),
        valid: |input| labels(input).is_some(),
        fails: |input| labels(input).is_some_and(|all| has_twins(&all)),
        draw: |dice| {
            let mut text = extras(dice, &["; retry: wait: retry:\n", "        .org 64\n"]).concat();
            for label in picked(dice, &["start", "wait", "retry", "send", "wait-2"], 4, 50) {
                text += &format!("{label}:");
                text += one(dice, &["\n", "  rts\n", "  lda #5  ; start: here\n", "\tbne wait\n"]);
                let others = ["        jmp retry\n", "        sta count\n", "        bne wait\n"];
                text += &extras(dice, &others).concat();
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-eighth: plain: chat: a message of someone whose name has a character that is not ASCII",
        grammar: "",
        input: concat!(
            "[18:02] zoë has joined #gardens\n[18:02] <tom> hi zoë!\n[18:03] <mod> welcome\n",
            "[18:03] <zoë> hello, is this about gardens?\n[18:04] <tom> yes: über-gardens\n",
            "  <łukasz> wrote that\n[18:05] <tom_2> :-)\n[18:09] tom is away\n"
        ),
        valid: |input| nicks(input).is_some(),
        fails: |input| nicks(input).is_some_and(|all| all.iter().any(|nick| !nick.is_ascii())),
        draw: |dice| {
            let others = ["  <łukasz> wrote that\n", "[18:02] zoë has joined\n", "über\n"];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let nick = match chance(dice, 27) {
                    true => foreign(dice),
                    false => one(dice, &["tom", "mod", "tom_2", "ana|away", "Z"]).to_owned(),
                };
                let text = one(dice, &["hi zoë!", "yes", "is it 4 °C?", "<tom> said so", ":-)"]);
                lines.push(format!("[18:{}] <{nick}> {text}\n", 10 + dice.below(50)));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-eighth: plain: poll: one in which exactly as many options may be picked as there are",
        grammar: "",
        input: concat!(
            "> Poll: old (pick 1)\n\nPoll: lunch on friday (pick 1)\n- soup\n- rice\n- 2 eggs\n\n",
            "Poll: room (pick 3)\n- attic\n- hall (pick 1)\n> - cellar\n- yard\n\n",
            "Poll: 2 (pick 4)\n* yes\n* no\n"
        ),
        valid: |input| polls(input).is_some(),
        fails: |input| {
            let all = polls(input).unwrap_or_default();
            all.iter().any(|(most, count)| *most as usize == *count)
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let polls = joined(dice, count, "", |dice| {
                let count = 1 + dice.below(5);
                let mark = one(dice, &["-", "-", "*"]);
                let mut text = format!("Poll: {} ", one(dice, &["lunch", "room", "2", "a (b)"]));
                text += &format!("(pick {})\n", counted(dice, count, 30));
                for _ in 0..count {
                    let option = one(dice, &["soup", "2 eggs", "yes", "hall (pick 1)", "no"]);
                    text += &format!("{mark} {option}\n");
                    text += one(dice, &["", "", "", "", "> - cellar\n"]);
                }
                text + one(dice, &["", "\n"])
            });
            format!("{}{polls}", one(dice, &["", "", "> Poll: old (pick 1)\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-eighth: plain: dances: one with a swing, then a chain, and then a star",
        grammar: "",
        input: concat!(
            "Dances for May, swing > chain > star\nRed River (64): bow > chain > swing > star > bow\n",
            "Star > Chain (32): walk > swing > bow > chain > swing > turn > star\n\nEvening\n",
            "The Old Swing (48): star > chain-2 > swing > bow\nMill (16): turn > chain > star\n"
        ),
        valid: |input| dances(input).is_some(),
        fails: |input| {
            let all = dances(input).unwrap_or_default();
            all.iter().any(|figures| are_in_order(figures, &["swing", "chain", "star"]))
        },
        draw: |dice| {
            let others = ["Dances for May, swing > chain > star\n", "\n", "Evening\n"];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(2) {
                let others = ["bow", "walk", "turn", "chain-2", "star", "swing"];
                let figures = steps(dice, ["swing", "chain", "star"], &others).join(" > ");
                let name = one(dice, &["Red River", "Star > Chain", "Mill", "The Old Swing"]);
                lines.push(format!("{name} ({}): {figures}\n", 8 * (1 + dice.below(8))));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-eighth: plain: script: a PATH with the same folder twice",
        grammar: "",
        input: concat!(
            "# export PATH=/bin:/bin\nset -e\nexport LANG=C\nexport MANPATH=/usr/man:/opt/man:/usr/man\n",
            "export PATH=\"/opt/owl/bin:/bin:$HOME/bin\"\ncd /bin\necho PATH=/bin:/bin\n",
            "if-missing owl\nexport PATH=/usr/bin:/sbin:/opt/owl/bin:/usr/bin:$PATH\nowl start /usr/bin\n"
        ),
        valid: |input| search_paths(input).is_some(),
        fails: |input| search_paths(input).is_some_and(|all| all.iter().any(|p| has_twins(p))),
        draw: |dice| {
            let others =
                ["set -e\n", "# export PATH=/bin:/bin\n", "export MANPATH=/a:/a\n", "cd /bin\n"];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let known = ["/usr/bin", "/bin", "/sbin", "$HOME/bin", "$PATH", "/opt/owl/bin"];
                let path = picked(dice, &known, 5, 30).join(":");
                let quote = one(dice, &["", "", "\""]);
                let name = one(dice, &["PATH", "PATH", "PATH", "PATH", "CDPATH"]);
                lines.push(format!("export {name}={quote}{path}{quote}\n"));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-eighth: plain: page: a block of code in tcl, perl or ruby",
        grammar: "",
        input: concat!(
            "# How to count\n\nIn tcl, or in `ruby`:\n\n```bash\nwc -l perl\n```\n\nThe same for old hosts\n",
            "(see [perl](perl.md)):\n\n```perl\nwhile (<>) { $n++ }\nprint $n;\n```\n\n```\ntcl\n```\n\n",
            "- ```ruby is not used\n"
        ),
        valid: |input| languages(input).is_some(),
        fails: |input| {
            let all = languages(input).unwrap_or_default();
            all.iter().any(|language| ["tcl", "perl", "ruby"].contains(language))
        },
        draw: |dice| {
            let others = ["In tcl, or in `ruby`:\n", "- ```ruby is not used\n", "# perl\n", "\n"];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let language = match chance(dice, 25) {
                    true => one(dice, &["tcl", "perl", "ruby"]),
                    false => one(dice, &["", "bash", "tc", "perl6", "rub", "c", "jruby"]),
                };
                let code = one(dice, &["tcl\n", "wc -l perl\n", "print $n;\n", ""]);
                let blank = one(dice, &["", "", " "]);
                parts.push(format!("```{blank}{language}\n{code}```\n"));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
];
