//! Causes in texts without a grammar: a table of file systems, measurements of a server, settings for an
//! app and what a weather balloon measured.

use crate::draws::{
    are_negative_and_fine, around, chance, extras, figure, foreign, has_twins, picked,
};
use crate::readers::{is_digits, is_shown, number, signed_decimals};
use crate::thirty_fourth::is_variable;
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// How full each file system is, in percent. Of some this is not known.
fn usages(input: &str) -> Option<Vec<u32>> {
    let mut lines = input.lines().filter(|line| !line.trim().is_empty());
    let head: Vec<&str> = lines.next()?.split_whitespace().collect();
    (head == ["Filesystem", "Size", "Used", "Avail", "Use%", "Mounted", "on"]).then_some(())?;
    let mut found = Vec::new();
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [device, size, used, free, percent, point] = words[..] else { return None };
        let is_size = |size: &str| {
            let digits = size.strip_suffix(['K', 'M', 'G', 'T']).unwrap_or(size);
            digits.split('.').all(is_digits)
        };
        let are_right = [size, used, free].into_iter().all(is_size) && point.starts_with('/');
        (are_right && is_shown(device) && is_shown(point)).then_some(())?;
        if percent != "-" {
            let percent = number(percent.strip_suffix('%')?)?;
            found.push(Some(percent).filter(|percent| *percent <= 100)?);
        }
    }
    Some(found)
}

/// The names of the measurements whose type is said.
fn typed(input: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    for line in input.lines().map(str::trim).filter(|line| !line.is_empty()) {
        is_shown(line).then_some(())?;
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["#", "TYPE", name, kind] => {
                let is_kind = ["counter", "gauge", "histogram"].contains(&kind);
                found.push(Some(name).filter(|name| is_kind && is_variable(name))?);
            }
            ["#", "TYPE", ..] => return None,
            ["#", ..] => {}
            _ => {
                let (start, value) = line.rsplit_once(' ')?;
                let (name, labels) = start.split_once('{').unwrap_or((start, "}"));
                let labels = labels.strip_suffix('}')?;
                let is_label = |label: &str| {
                    label.split_once("=\"").is_some_and(|(key, text)| {
                        let is_ended = text.ends_with('"') && text.matches('"').count() == 1;
                        is_variable(key) && is_ended
                    })
                };
                let are_labels = labels.is_empty() || labels.split(',').all(is_label);
                let is_right = is_variable(name) && signed_decimals(value).is_some();
                (are_labels && is_right).then_some(())?;
            }
        }
    }
    Some(found)
}

/// The values of the settings of an app.
fn values(input: &str) -> Option<Vec<&str>> {
    let lines = input.lines().map(str::trim).filter(|line| !line.is_empty());
    let values = lines.filter(|line| !line.starts_with(['#', '!'])).map(|line| {
        let (key, value) = line.split_once(['=', ':'])?;
        let key = key.trim_end();
        let is_odd = |c: char| c.is_whitespace() || c == '\\';
        (!key.is_empty() && !key.contains(is_odd) && !value.contains('\\')).then(|| value.trim())
    });
    values.collect()
}

/// The numbers of each level that a balloon went through: whether each is negative, and how many decimals
/// it has.
fn levels(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let mut found = Vec::new();
    for line in input.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (kind, rest) = line.split_once(' ')?;
        let numbers = || rest.split_whitespace().map(signed_decimals).collect::<Option<Vec<_>>>();
        match kind {
            "station" | "note" => is_shown(rest).then_some(())?,
            "surface" | "wind" => drop(numbers()?),
            "level" => found.push(numbers()?),
            _ => return None,
        }
    }
    Some(found)
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "thirty-sixth: plain: disks: a file system that is 80 to 89 percent full",
        grammar: "",
        input: concat!(
            "Filesystem      Size  Used Avail Use% Mounted on\n",
            "/dev/sda1        40G  9.5G   31G  24% /\ntmpfs           1.9G     0  1.9G   0% /run/85%\n",
            "/dev/sdb1       916G  770G   86G  84% /srv/films\n",
            "nas:/vol/80     3.6T  3.3T   89G  90% /mnt/nas\n/dev/loop2       82M   82M     0 100% /snap\n",
            "none               0     0     0    - /proc\n"
        ),
        valid: |input| usages(input).is_some(),
        fails: |input| {
            usages(input).is_some_and(|all| all.iter().any(|one| (80..90).contains(one)))
        },
        draw: |dice| {
            let head = "Filesystem      Size  Used Avail Use% Mounted on\n";
            let mut text =
                one(dice, &[head, "Filesystem Size Used Avail Use% Mounted on\n"]).to_owned();
            for _ in 0..1 + dice.below(5) {
                let percent = around(dice, [80, 89], 20).min(100);
                let percent = match dice.below(10) {
                    0 => "-".to_owned(),
                    _ => format!("{percent}%"),
                };
                let device = one(dice, &["/dev/sda1", "tmpfs", "nas:/vol/80", "/dev/loop2"]);
                let [size, used, free] =
                    [(); 3].map(|()| one(dice, &["40G", "9.5G", "82M", "0", "85G", "3.6T", "88K"]));
                let point = one(dice, &["/", "/run/85%", "/srv/films", "/mnt/nas", "/82"]);
                text += &match chance(dice, 60) {
                    true => {
                        format!("{device:15} {size:>4} {used:>5} {free:>5} {percent:>4} {point}\n")
                    }
                    false => format!("{device} {size} {used} {free} {percent} {point}\n"),
                };
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-sixth: plain: metrics: two TYPE lines for the same metric",
        grammar: "",
        input: concat!(
            "# HELP requests_total Requests, by code.\n# TYPE requests_total counter\n",
            "requests_total{code=\"200\",path=\"/\"} 1027\nrequests_total{code=\"500\"} 3\n",
            "# TYPE queue_length gauge\n# HELP queue_length TYPE requests_total\nqueue_length 12\n\n",
            "# TYPE requests histogram\nrequests{le=\"0.5\"} 4.25\n# queue_length is old\n",
            "# TYPE queue_length counter\nqueue_length{host=\"b\"} -1\n"
        ),
        valid: |input| typed(input).is_some(),
        fails: |input| typed(input).is_some_and(|all| has_twins(&all)),
        draw: |dice| {
            let known =
                ["requests", "requests_total", "queue_length", "errors", "errors_total", "gauge"];
            let mut text = String::new();
            for name in picked(dice, &known, 5, 55) {
                let kind = one(dice, &["counter", "gauge", "histogram"]);
                let help = ["Requests, by code.", "TYPE requests_total", "How many."];
                let mut lines = vec![format!("# TYPE {name} {kind}\n")];
                if chance(dice, 33) {
                    lines.push(format!("# HELP {name} {}\n", one(dice, &help)));
                }
                text += &shuffled(dice, lines).concat();
                for _ in 0..dice.below(3) {
                    let known = ["", "{code=\"200\"}", "{code=\"500\",path=\"/\"}", "{host=\"b\"}"];
                    let labels = one(dice, &known);
                    let value = one(dice, &["0", "3", "1027", "4.25", "-1"]);
                    text += &format!("{name}{labels} {value}\n");
                }
                text += one(dice, &["", "", "\n", "# queue_length is old\n"]);
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-sixth: plain: properties: a value with a character that is not ASCII",
        grammar: "",
        input: concat!(
            "# Über die App, © Ada\ntitle=Owl post\nmenu.open = Open ...\n! größe: früher\n",
            "größe=4\nmenu.close: Close (Ctrl+W)\nerror.disk = Not enough room on {0}\n\n",
            "error.café=none\nlanguage = Français\nfont.size: 12\nhelp.url=https://owl.example/?a=4\n"
        ),
        valid: |input| values(input).is_some(),
        fails: |input| values(input).is_some_and(|all| all.iter().any(|value| !value.is_ascii())),
        draw: |dice| {
            let others = ["# Über die App, © Ada", "! größe: früher", "#title=Où?", ""];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(6) {
                let keys = ["title", "menu.open", "größe", "error.café", "font.size", "help.url"];
                let key = one(dice, &keys);
                let value = match dice.below(12) {
                    0 => foreign(dice),
                    1 => format!("{} {}", word(dice, 6), foreign(dice)),
                    2 => format!("{} ({})", foreign(dice), word(dice, 4)),
                    3..6 => {
                        let known = ["Open ...", "12", "https://owl.example/?a=4", "", "{0} = {1}"];
                        one(dice, &known).to_owned()
                    }
                    count => joined(dice, count / 4, " ", |dice| word(dice, 8)),
                };
                lines.push(format!("{key}{}{value}", one(dice, &["=", "=", " = ", ": "])));
            }
            shuffled(dice, lines).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-sixth: plain: sounding: a level with a negative number and one of exactly three ",
            "decimals"
        ),
        grammar: "",
        input: concat!(
            "# 12Z, old: level 1000 -4 0.125\nstation Fjord-4 59.125 N\nsurface 153.375 -2 81\n",
            "level 1000 4.5 2.125 180\nlevel 925 -1.25 -3\nwind -2.125 12.625 -8\n",
            "level 850.125 0.5 -11 4.25\nnote level -12 0.375\nlevel 700 -9.0625 -14.5\n"
        ),
        valid: |input| levels(input).is_some(),
        fails: |input| {
            levels(input).is_some_and(|all| all.iter().any(|one| are_negative_and_fine(one)))
        },
        draw: |dice| {
            let others = [
                "# 12Z, old: level 1000 -4 0.125",
                "station Fjord-4 59.125 N",
                "surface 153.375 -2 81",
                "wind -2.125 12.625 -8",
                "note level -12 0.375",
                "",
            ];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let pressure = one(dice, &["1000", "925", "850.125", "700", "500.5"]);
                let count = 1 + dice.below(3);
                lines.push(format!("level {pressure} {}", joined(dice, count, " ", figure)));
            }
            let lines = shuffled(dice, lines);
            lines.join("\n") + "\n"
        },
        patterns: &[],
    },
];
