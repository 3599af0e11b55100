//! Causes in texts without a grammar: a system's log, intervals of a genome, templates and hosts to
//! reach.

use seedsmith_grammar::Random;

use super::is_label;
use crate::draws::{above, around, chance, extras, statements};
use crate::readers::{is_digits, is_name, is_shown, number};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// The priority of each message of a log.
fn priorities(input: &str) -> Option<Vec<u32>> {
    let months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
    let priority = |line: &str| {
        let (priority, rest) = line.strip_prefix('<')?.split_once('>')?;
        let mut words = rest.split_whitespace();
        let [month, day, time, host, tag] = std::array::from_fn(|_| words.next());
        months.split(' ').any(|known| Some(known) == month).then_some(())?;
        number(day?).filter(|day| (1..32).contains(day))?;
        let parts: Vec<&str> = time?.split(':').collect();
        let is_time =
            parts.len() == 3 && parts.iter().all(|part| part.len() == 2 && is_digits(part));
        let tag = tag?.strip_suffix(':')?;
        let (name, id) = tag.split_once('[').unwrap_or((tag, "1]"));
        let are_names = is_name(host?) && is_name(name) && is_digits(id.strip_suffix(']')?);
        (is_time && are_names && is_shown(line)).then_some(())?;
        number(priority).filter(|priority| *priority < 192)
    };
    input.lines().filter(|line| !line.is_empty()).map(priority).collect()
}

/// Some messages of a log.
fn draw_log(dice: &mut Random) -> String {
    let count = 1 + dice.below(5);
    let lines = joined(dice, count, "\n", |dice| {
        let priority = around(dice, [128, 135], 22).min(191);
        let (day, second) = (1 + dice.below(31), 10 + dice.below(50));
        let month = one(dice, &["Jan", "Mar", "Nov"]);
        let host = one(dice, &["web-1", "gate", "db130"]);
        let tag = one(dice, &["sshd[130]", "cron", "kernel", "app[77]"]);
        let end = one(dice, &["session <132> opened", "took 131 ms", "ok", "", "135"]);
        format!("<{priority}>{month} {day} 04:13:{second} {host} {tag}: {end}")
    });
    lines + "\n"
}

/// The start and the end of each interval of a genome.
fn intervals(input: &str) -> Option<Vec<(u32, u32)>> {
    let is_plain = |line: &&str| !line.starts_with("track ") && !line.starts_with("browser ");
    let interval = |line: &str| {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let [place, start, end, rest @ ..] = &cells[..] else { return None };
        let is_right = match rest {
            [] | [_] => true,
            [_, score] => number(score).is_some(),
            [_, score, strand] => number(score).is_some() && ["+", "-", "."].contains(strand),
            _ => false,
        };
        (is_right && is_shown(&line.replace('\t', " "))).then_some(())?;
        (place.starts_with("chr") && is_label(place)).then(|| number(start).zip(number(end)))?
    };
    statements(input, "#").filter(is_plain).map(interval).collect()
}

/// Some intervals of a genome.
fn draw_intervals(dice: &mut Random) -> String {
    let mut lines =
        extras(dice, &["# 90 to 12", "track name=genes start=90 end=12", "browser hide all"]);
    for _ in 0..1 + dice.below(5) {
        let by = one(dice, &["\t", "\t", "  "]);
        let end = [1 + dice.below(50), 100 + dice.below(900), 5000][dice.below(3)];
        let start = above(dice, end, 22);
        let place = one(dice, &["chr1", "chr22", "chrX"]);
        let mut cells = vec![place.to_owned(), start.to_string(), end.to_string()];
        let others =
            [one(dice, &["exon", "geneA", "7"]), one(dice, &["0", "900"]), one(dice, &["+", "-"])];
        let kept = dice.below(4);
        cells.extend(others.iter().take(kept).map(|other| other.to_string()));
        lines.push(cells.join(by));
    }
    shuffled(dice, lines).join("\n") + "\n"
}

/// How deep the `if` and `for` of a template are in each other.
fn template_depth(input: &str) -> Option<usize> {
    let (mut rest, mut open, mut deepest): (&str, Vec<&str>, usize) = (input, Vec::new(), 0);
    while let Some((_, inner)) = rest.split_once('{') {
        let close = match inner.chars().next() {
            Some('%') => "%}",
            Some('{') => "}}",
            Some('#') => "#}",
            _ => {
                rest = inner;
                continue;
            }
        };
        let (body, after) = inner[1..].split_once(close)?;
        rest = after;
        let words: Vec<&str> = body.trim_matches('-').split_whitespace().collect();
        match &words[..] {
            _ if close == "#}" => {}
            _ if words.is_empty() || body.contains(['{', '}']) => return None,
            _ if close == "}}" => {}
            ["if", _, ..] | ["filter", _] => open.push(words[0]),
            ["for", name, "in", _] if is_label(name) => open.push("for"),
            ["else"] | ["elif", _, ..] => {
                matches!(open.last(), Some(&"if" | &"for")).then_some(())?;
            }
            ["set", name, "=", _] if is_label(name) => {}
            [end] => (open.pop()? == end.strip_prefix("end")?).then_some(())?,
            _ => return None,
        }
        deepest = deepest.max(open.iter().filter(|kind| **kind != "filter").count());
    }
    open.is_empty().then_some(deepest)
}

/// Parts of a template in each other that many deep, maybe with others between them.
fn nested_parts(dice: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return one(dice, &["{{ item.name }}", "Hello", "{# if #}", "{ x }"]).to_owned();
    }
    let inner = nested_parts(dice, depth - 1);
    let inner = match dice.below(6) {
        0 => format!("{{% filter upper %}}{inner}{{% endfilter %}}"),
        1 => format!("{{% if a %}}b{{% endif %}}\n{inner}"),
        _ => inner,
    };
    match dice.below(4) {
        0 => format!("{{% if user.name %}}{inner}{{% endif %}}"),
        1 => format!("{{% if total > 4 %}}\n{inner}\n{{% else %}}none{{% endif %}}"),
        2 => format!("{{%- for item in items -%}}{inner}{{%- endfor -%}}"),
        _ => format!("{{% for row in table.rows %}}\n<p>{inner}</p>\n{{% endfor %}}"),
    }
}

/// A template of some parts.
fn draw_template(dice: &mut Random) -> String {
    let others = [
        "{% set page = 4 %}",
        "{# {% if a %}{% if b %}{% for c in d %} #}",
        "<h1>{{ title }}</h1>",
        "{% filter trim %}{% filter upper %}{% if a %}{{ a }}{% endif %}{% endfilter %}{% endfilter %}",
    ];
    let mut parts = extras(dice, &others);
    for _ in 0..1 + dice.below(2) {
        let depth = if chance(dice, 34) { 5 + dice.below(2) } else { 1 + dice.below(4) };
        parts.push(nested_parts(dice, depth));
    }
    shuffled(dice, parts).join("\n") + "\n"
}

/// The keys of each host to reach.
fn host_keys(input: &str) -> Option<Vec<Vec<&str>>> {
    let known =
        ["HostName", "User", "Port", "IdentityFile", "ProxyJump", "ForwardAgent", "Compression"];
    let mut found: Vec<Vec<&str>> = vec![Vec::new()];
    for line in statements(input, "#") {
        let (key, value) = line.split_once([' ', '\t'])?;
        is_shown(value).then_some(())?;
        if key == "Host" {
            found.push(Vec::new());
            continue;
        }
        let is_right = known.contains(&key) && (key != "Port" || number(value.trim()).is_some());
        found.last_mut()?.push(Some(key).filter(|_| is_right)?);
    }
    Some(found.split_off(1))
}

/// Some hosts to reach.
fn draw_hosts(dice: &mut Random) -> String {
    let start =
        extras(dice, &["Compression yes\n", "# Host x without HostName\n", "User HostName\n"]);
    let mut hosts = Vec::new();
    for _ in 0..1 + dice.below(4) {
        let others = [
            "User git",
            "Port 2222",
            "IdentityFile ~/.ssh/HostName",
            "ProxyJump Host",
            "# HostName gate",
            "ForwardAgent no",
        ];
        let mut lines = extras(dice, &others);
        if chance(dice, 75) {
            lines.push(format!("HostName {}", one(dice, &["10.0.0.4", "gate.example.org", "h2"])));
        }
        let (by, mut text) = (one(dice, &["  ", "  ", "    ", "\t"]), String::new());
        for line in shuffled(dice, lines) {
            text += &format!("{by}{line}\n");
        }
        let name = one(dice, &["gate", "*.example.org", "web1 web2", "HostName"]);
        hosts.push(format!("Host {name}\n{text}"));
    }
    start.concat() + &hosts.join(one(dice, &["", "\n"]))
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "forty-fourth: plain: syslog: a message with a priority from 128 to 135",
        grammar: "",
        input: concat!(
            "<34>Nov 3 04:13:11 gate sshd[130]: session <132> opened\n<13>Nov 3 04:13:12 web-1 cron: ok\n",
            "<131>Nov 3 04:13:40 db130 app[77]: took 135 ms\n<165>Nov 4 00:00:07 gate kernel: link up\n",
            "<120>Nov 4 00:02:19 web-1 app[77]: 131\n"
        ),
        valid: |input| priorities(input).is_some(),
        fails: |input| {
            priorities(input).is_some_and(|all| all.iter().any(|one| (128..136).contains(one)))
        },
        draw: draw_log,
        patterns: &[],
    },
    TwoSided {
        name: "forty-fourth: plain: genome: an interval whose start is above its end",
        grammar: "",
        input: concat!(
            "browser hide all\ntrack name=genes start=90 end=12\n# 90 to 12\nchr1\t100\t250\texon\t0\t+\n",
            "chr1\t250\t900\tgeneA\nchr22\t7000\t5000\t7\t900\t-\nchrX\t12\t12\nchrX\t9\t1040\texon\t0\t-\n"
        ),
        valid: |input| intervals(input).is_some(),
        fails: |input| {
            intervals(input).is_some_and(|all| all.iter().any(|(start, end)| start > end))
        },
        draw: draw_intervals,
        patterns: &[],
    },
    TwoSided {
        name: "forty-fourth: plain: template: if and for in each other, five deep or more",
        grammar: "",
        input: concat!(
            "{% set page = 4 %}\n<h1>{{ title }}</h1>\n{# {% if a %} #}\n{% for row in table.rows %}\n",
            "  {% if row.shown %}\n    {% filter upper %}{{ row.name }}{% endfilter %}\n",
            "    {% for cell in row %}<td>\n      {%- if cell -%}{% if cell.link %}<a>{{ cell }}</a>\n",
            "      {% else %}{{ cell }}{% endif %}{%- endif -%}\n    </td>{% endfor %}\n  {% endif %}\n",
            "{% endfor %}\n{% if user.name %}Hello { x }{% endif %}\n"
        ),
        valid: |input| template_depth(input).is_some(),
        fails: |input| template_depth(input).is_some_and(|depth| depth >= 5),
        draw: draw_template,
        patterns: &[],
    },
    TwoSided {
        name: "forty-fourth: plain: ssh: a Host without a HostName",
        grammar: "",
        input: concat!(
            "# hosts\nCompression yes\n\nHost gate\n  HostName gate.example.org\n  Port 2222\n\n",
            "Host web1 web2\n  User git\n  IdentityFile ~/.ssh/HostName\n  # HostName 10.0.0.9\n",
            "  ForwardAgent no\n\nHost HostName\n  ProxyJump gate\n  HostName 10.0.0.4\n  User ops\n"
        ),
        valid: |input| host_keys(input).is_some(),
        fails: |input| {
            host_keys(input).is_some_and(|all| all.iter().any(|keys| !keys.contains(&"HostName")))
        },
        draw: draw_hosts,
        patterns: &[],
    },
];
