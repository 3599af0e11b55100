//! Causes in texts without a grammar: a template, translations, and a calendar.

use super::{named, quoted};
use crate::draws::{chance, extras, foreign};
use crate::readers::{is_digits, is_shown};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

use seedsmith_grammar::Random;

/// How deep the blocks of a template are in each other.
fn block_depth(input: &str) -> Option<usize> {
    let (mut rest, mut open, mut deepest) = (input, Vec::new(), 0);
    while let Some((_, after)) = rest.split_once("{{") {
        if let Some(raw) = after.strip_prefix('{') {
            let (inner, after) = raw.split_once("}}}")?;
            (!inner.trim().is_empty() && !inner.contains(['{', '}'])).then_some(())?;
            rest = after;
            continue;
        }
        let (inner, after) = after.split_once("}}")?;
        rest = after;
        if inner.starts_with('!') {
            continue;
        }
        let inner = inner.trim();
        (!inner.is_empty() && !inner.contains(['{', '}'])).then_some(())?;
        if let Some(block) = inner.strip_prefix('#') {
            let (name, _) = block.split_once(' ')?;
            open.push(Some(name).filter(|it| ["if", "each", "unless", "with"].contains(it))?);
            deepest = deepest.max(open.len());
        } else if let Some(name) = inner.strip_prefix('/') {
            (open.pop()? == name).then_some(())?;
        } else if inner == "else" {
            open.last()?;
        }
    }
    open.is_empty().then_some(deepest)
}

/// A block of a template with this number of levels.
fn block(dice: &mut Random, levels: usize) -> String {
    if levels == 0 {
        let known = [
            "{{name}}",
            "<p>{{this.title}}</p>",
            "{{{body}}}",
            "{{> footer}}",
            "<b>none</b>",
            "{{! #if #each }}",
            "<a href=\"{{url}}\">more</a>",
        ];
        return one(dice, &known).to_owned() + one(dice, &["", "\n"]);
    }
    let kind = one(dice, &["if", "if", "each", "each", "unless", "with"]);
    let argument = named(dice, &["user", "items", "this.tags", "order.lines", "admin"]);
    let mut parts = vec![block(dice, levels - 1)];
    for _ in 0..dice.below(3) {
        let levels = dice.below(levels).min(dice.below(3));
        parts.push(block(dice, levels));
    }
    let by = one(dice, &["", "\n", "\n  "]);
    let inner = shuffled(dice, parts).join(by);
    let end = if chance(dice, 20) { "{{else}}<i>no</i>" } else { "" };
    format!("{{{{#{kind} {argument}}}}}{by}{inner}{by}{end}{{{{/{kind}}}}}")
}

/// The original texts of some translations.
fn sources(input: &str) -> Option<Vec<String>> {
    let (mut found, mut key): (Vec<String>, &str) = (Vec::new(), "");
    for line in input.lines().filter(|line| !line.starts_with('#')) {
        if line.trim().is_empty() {
            (!["msgid", "msgctxt"].contains(&key)).then_some(())?;
            key = "";
            continue;
        }
        let (name, text) = line.split_once('"')?;
        let name = name.trim_end();
        let (text, "") = quoted(text)? else { return None };
        match (name, key) {
            ("", "msgid") => found.last_mut()?.push_str(text),
            ("", "msgid_plural" | "msgstr" | "msgctxt") => {}
            ("msgctxt", "" | "msgstr") => key = "msgctxt",
            ("msgid", "" | "msgctxt" | "msgstr") => {
                found.push(text.to_owned());
                key = "msgid";
            }
            ("msgid_plural", "msgid") => key = "msgid_plural",
            ("msgstr", "msgid") => key = "msgstr",
            ("msgstr[0]" | "msgstr[1]", "msgid_plural" | "msgstr") => key = "msgstr",
            _ => return None,
        }
    }
    ["", "msgstr"].contains(&key).then_some(found)
}

/// Whether each event of a calendar has a UID.
fn have_ids(input: &str) -> Option<Vec<bool>> {
    let (mut open, mut found): (Vec<(&str, bool)>, _) = (Vec::new(), Vec::new());
    let mut is_done = false;
    for line in input.lines().filter(|line| !line.starts_with(' ')) {
        let (name, value) = line.split_once(':').filter(|_| !is_done && is_shown(line))?;
        let name = name.split(';').next()?;
        match name {
            "BEGIN" => {
                let is_first = open.is_empty();
                open.push(Some((value, false)).filter(|_| is_first == (value == "VCALENDAR"))?);
            }
            "END" => {
                let (kind, has_id) = open.pop().filter(|(kind, _)| *kind == value)?;
                found.extend((kind == "VEVENT").then_some(has_id));
                is_done = open.is_empty();
            }
            name => {
                let is_inside =
                    |c: char| c.is_ascii_uppercase() || c == '-' || is_digits(&c.to_string());
                (!name.is_empty() && name.chars().all(is_inside)).then_some(())?;
                let last = open.last_mut()?;
                last.1 |= name == "UID";
            }
        }
    }
    is_done.then_some(found)
}

/// The causes.
pub const TEXTS: &[TwoSided] = &[
    TwoSided {
        name: "forty-seventh: plain: handlebars: blocks nested five deep or more",
        grammar: "",
        input: concat!(
            "<html>\n<head><title>{{title}}</title></head>\n{{! #if #each #if #each #if }}\n<body>\n",
            "{{> header}}\n{{#if user}}\n<p>Hello {{user.name}}</p>\n{{else}}\n<a href=\"/login\">Log in</a>\n{{/if}}\n",
            "{{#each orders}}\n<h2>Order {{number}}</h2>\n  {{#if lines}}\n  <ul>\n    {{#each lines}}\n",
            "    <li>{{name}}, {{count}}\n      {{#with discount}}\n        {{#unless expired}}<b>{{percent}} %</b>{{/unless}}\n",
            "      {{/with}}\n    </li>\n    {{/each}}\n  </ul>\n  {{/if}}\n{{/each}}\n",
            "{{#unless orders}}<p>Nothing yet.</p>{{/unless}}\n{{{footer}}}\n</body>\n</html>\n"
        ),
        valid: |input| block_depth(input).is_some(),
        fails: |input| block_depth(input).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let others = [
                "<h1>{{title}}</h1>\n",
                "{{! #if #each #if #each #if }}\n",
                "{{> header}}\n",
                "{{#if user}}<p>Hello {{user.name}}</p>{{else}}<i>Log in</i>{{/if}}\n",
                "{{#if a}}x{{/if}}{{#if b}}{{#each c}}y{{/each}}{{/if}}\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(2) {
                let levels = [1, 2, 3, 4, 4, 4, 5, 5, 6, 7][dice.below(10)];
                parts.push(block(dice, levels) + "\n");
            }
            let parts = shuffled(dice, parts).concat();
            match chance(dice, 30) {
                true => format!("<body>\n{parts}</body>\n"),
                false => parts,
            }
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-seventh: plain: gettext: a msgid with a character that is not ASCII",
        grammar: "",
        input: concat!(
            "# Übersetzung für den Laden.\nmsgid \"\"\nmsgstr \"\"\n\"Language: de\"\n\"Content-Type: text/plain; charset=UTF-8\"\n\n",
            "#: src/cart.c:41\nmsgid \"Your cart is empty.\"\nmsgstr \"Ihr Warenkorb ist leer – schade.\"\n\n",
            "#: src/cart.c:77\nmsgid \"%d item\"\nmsgid_plural \"%d items\"\nmsgstr[0] \"%d Stück\"\nmsgstr[1] \"%d Stücke\"\n\n",
            "#. Größe\n#: src/size.c:12\nmsgctxt \"size\"\nmsgid \"Large\"\nmsgstr \"Groß\"\n\n",
            "#: src/menu.c:9\nmsgid \"\"\n\"Coffee, tea and \"\n\"crème brûlée\"\nmsgstr \"Kaffee, Tee und Crème brûlée\"\n\n",
            "#: src/menu.c:30\n#, fuzzy\nmsgid \"Back\"\nmsgstr \"Zurück\"\n"
        ),
        valid: |input| sources(input).is_some(),
        fails: |input| sources(input).is_some_and(|all| all.iter().any(|text| !text.is_ascii())),
        draw: |dice| {
            let text = |dice: &mut Random, percent| {
                let count = 1 + dice.below(4);
                let mut words: Vec<String> = (0..count)
                    .map(|_| named(dice, &["Large", "Back", "%d item", "open."]))
                    .collect();
                if chance(dice, percent) {
                    words.push(foreign(dice));
                }
                shuffled(dice, words).join(" ")
            };
            let mut entries = Vec::new();
            for _ in 0..1 + dice.below(5) {
                let others = ["#. Größe\n", "#: src/cart.c:41\n", "#, fuzzy\n"];
                let mut entry = extras(dice, &others).concat();
                if chance(dice, 15) {
                    entry += &format!("msgctxt \"{}\"\n", named(dice, &["size", "menu", "Größe"]));
                }
                let source = text(dice, 16);
                entry += &match source.split_once(' ') {
                    Some((first, rest)) if chance(dice, 25) => {
                        format!("msgid \"\"\n\"{first} \"\n\"{rest}\"\n")
                    }
                    _ => format!("msgid \"{source}\"\n"),
                };
                let translated = text(dice, 50);
                entry += &match chance(dice, 15) {
                    true => {
                        let other = text(dice, 50);
                        format!(
                            "msgid_plural \"items\"\nmsgstr[0] \"{translated}\"\nmsgstr[1] \"{other}\"\n"
                        )
                    }
                    false => format!("msgstr \"{translated}\"\n"),
                };
                entries.push(entry);
            }
            let head =
                ["# Übersetzung für den Laden.\nmsgid \"\"\nmsgstr \"\"\n\"Language: de\"\n"];
            let mut all = extras(dice, &head);
            all.extend(entries);
            all.join("\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-seventh: plain: icalendar: a VEVENT without a UID",
        grammar: "",
        input: concat!(
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Office//Calendar 3.1//EN\r\nX-WR-CALNAME:Team UID\r\n",
            "BEGIN:VTODO\r\nSUMMARY:Order chairs\r\nDUE:20240612\r\nEND:VTODO\r\n",
            "BEGIN:VEVENT\r\nUID:8841@office.example\r\nDTSTAMP:20240601T080000Z\r\nDTSTART:20240603T090000Z\r\n",
            "DTEND:20240603T093000Z\r\nSUMMARY:Stand-up\r\nEND:VEVENT\r\n",
            "BEGIN:VEVENT\r\nDTSTAMP:20240601T080000Z\r\nDTSTART;TZID=Europe/Lisbon:20240605T140000\r\n",
            "DTEND;TZID=Europe/Lisbon:20240605T160000\r\nSUMMARY:Review of the plans\r\n",
            "DESCRIPTION:Bring the plans\\, please. UID:12\r\nLOCATION:Room 4\r\n",
            "BEGIN:VALARM\r\nUID:alarm-1@office.example\r\nTRIGGER:-PT15M\r\nACTION:DISPLAY\r\nEND:VALARM\r\nEND:VEVENT\r\n",
            "BEGIN:VEVENT\r\nDTSTART:20240610\r\nUID:8850@office.example\r\nSUMMARY:Holiday\r\nEND:VEVENT\r\n",
            "END:VCALENDAR\r\n"
        ),
        valid: |input| have_ids(input).is_some(),
        fails: |input| have_ids(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let others = [
                "BEGIN:VTODO\r\nSUMMARY:Order chairs\r\nEND:VTODO\r\n",
                "BEGIN:VTODO\r\nUID:77@office.example\r\nDUE:20240612\r\nEND:VTODO\r\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let others = [
                    "DTSTAMP:20240601T080000Z\r\n",
                    "LOCATION:Room 4\r\n",
                    "DESCRIPTION:Bring the UID:12\r\n",
                    "RRULE:FREQ=WEEKLY;COUNT=4\r\n",
                    "CATEGORIES:WORK,UID\r\n",
                    "X-UID:4\r\n",
                ];
                let mut lines = extras(dice, &others);
                let (day, hour) = (10 + dice.below(20), 10 + dice.below(14));
                let zone = one(dice, &["", "", ";TZID=Europe/Lisbon"]);
                lines.push(format!("DTSTART{zone}:202406{day}T{hour}0000\r\n"));
                let count = 1 + dice.below(3);
                let title = joined(dice, count, " ", |dice| word(dice, 8));
                lines.push(format!("SUMMARY:{title}\r\n"));
                if chance(dice, 78) {
                    let host = named(dice, &["office", "mail"]);
                    lines.push(format!("UID:{}@{host}.example\r\n", dice.below(9000)));
                }
                let lines = shuffled(dice, lines).concat();
                let id = one(dice, &["", "UID:alarm-1@office.example\r\n"]);
                let alarm = match chance(dice, 30) {
                    true => format!("BEGIN:VALARM\r\n{id}TRIGGER:-PT15M\r\nEND:VALARM\r\n"),
                    false => String::new(),
                };
                parts.push(format!("BEGIN:VEVENT\r\n{lines}{alarm}END:VEVENT\r\n"));
            }
            let start = ["PRODID:-//Office//EN\r\n", "X-WR-CALNAME:Team UID\r\n", "UID:4411\r\n"];
            let start = extras(dice, &start).concat();
            let parts = shuffled(dice, parts).concat();
            format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{start}{parts}END:VCALENDAR\r\n")
        },
        patterns: &[],
    },
];
