//! Causes in XML, templates and Markdown.

use seedsmith_grammar::Random;

use super::is_identifier;
use crate::draws::{chance, extras, has_twins, lengths};
use crate::two_sided::{TwoSided, any, joined, one, shuffled};

/// An element: the names of those that it is in and its own, and its attributes.
struct Element<'t> {
    path: Vec<&'t str>,
    attributes: Vec<(&'t str, &'t str)>,
}

/// Whether a text has no sign `&` that is not the start of a character's name.
fn is_escaped(text: &str) -> bool {
    let names = ["amp;", "lt;", "gt;", "quot;", "apos;"];
    text.split('&').skip(1).all(|rest| names.iter().any(|name| rest.starts_with(name)))
}

/// Whether a text is a name in XML.
fn is_xml_name(text: &str) -> bool {
    is_identifier(&text.replace(['-', '.', ':'], "_"))
}

/// The name and the attributes in a tag; nothing if they are odd.
fn tag(text: &str) -> Option<Element<'_>> {
    let size = text.find(char::is_whitespace).unwrap_or(text.len());
    let (name, mut rest) = text.split_at(size);
    let mut attributes: Vec<(&str, &str)> = Vec::new();
    while !rest.trim().is_empty() {
        rest.starts_with(char::is_whitespace).then_some(())?;
        let (key, after) = rest.trim_start().split_once('=')?;
        let quote = after.chars().next().filter(|c| ['"', '\''].contains(c))?;
        let (value, after) = after[1..].split_once(quote)?;
        let is_new = attributes.iter().all(|(other, _)| *other != key);
        let is_right = is_xml_name(key) && is_escaped(value) && !value.contains('<');
        (is_new && is_right).then(|| attributes.push((key, value)))?;
        rest = after;
    }
    is_xml_name(name).then_some(Element { path: vec![name], attributes })
}

/// Where a tag ends, which is not in quotes.
fn tag_size(text: &str) -> Option<usize> {
    let mut quote = None;
    text.find(|c: char| {
        match quote {
            Some(open) if c == open => quote = None,
            None if ['"', '\''].contains(&c) => quote = Some(c),
            _ => {}
        }
        c == '>' && quote.is_none()
    })
}

/// The elements of XML; nothing if it is not well-formed.
fn elements(input: &str) -> Option<Vec<Element<'_>>> {
    let (mut found, mut open): (Vec<Element>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut rest = input.trim();
    if rest.starts_with("<?xml ") {
        rest = rest.split_once("?>")?.1;
    }
    while let Some((text, after)) = rest.split_once('<') {
        (is_escaped(text) && (!open.is_empty() || text.trim().is_empty())).then_some(())?;
        if let Some(remark) = after.strip_prefix("!--") {
            rest = remark.split_once("-->")?.1;
            continue;
        }
        let size = tag_size(after)?;
        rest = &after[size + 1..];
        if let Some(name) = after[..size].strip_prefix('/') {
            (open.pop()? == name.trim_end()).then_some(())?;
            continue;
        }
        let inner = after[..size].strip_suffix('/');
        let mut element = tag(inner.unwrap_or(&after[..size]))?;
        (found.is_empty() || !open.is_empty()).then_some(())?;
        element.path.splice(0..0, open.iter().copied());
        if inner.is_none() {
            open = element.path.clone();
        }
        found.push(element);
    }
    (!found.is_empty() && open.is_empty() && rest.trim().is_empty()).then_some(found)
}

/// How many elements for bold and italic text are in each other at most.
fn style_depth(input: &str) -> usize {
    let all = elements(input).unwrap_or_default();
    let is_style = |name: &&&str| ["b", "i"].contains(*name);
    all.iter().map(|element| element.path.iter().filter(is_style).count()).max().unwrap_or(0)
}

/// The `id` attributes of all elements.
fn ids(input: &str) -> Vec<&str> {
    let all = elements(input).unwrap_or_default();
    let pairs = all.into_iter().flat_map(|element| element.attributes);
    pairs.filter(|(key, _)| *key == "id").map(|(_, id)| id).collect()
}

/// A styled text with some elements for bold and italic text in each other, and maybe others between them.
fn styled(dice: &mut Random, depth: usize) -> String {
    let mut text = one(dice, &["word", "x", "now &amp; then", ""]).to_owned();
    for _ in 0..depth {
        if chance(dice, 20) {
            let name = one(dice, &["span", "em", "u"]);
            text = format!("<{name}>{text}</{name}>");
        }
        let name = one(dice, &["b", "i"]);
        let before = one(dice, &["", "", "see ", "<i/>", "<b>a</b> "]);
        text = format!("<{name}>{before}{text}</{name}>");
    }
    text
}

/// How many blocks of a template are in each other at most; nothing if its tags are odd.
fn block_depth(input: &str) -> Option<usize> {
    let (mut open, mut deepest, mut rest) = (Vec::new(), 0, input);
    let is_path = |text: &str| text.split('.').all(is_identifier);
    while let Some(at) = rest.find('{') {
        let text = &rest[at..];
        rest = &text[1..];
        if let Some(after) = text.strip_prefix("{#") {
            rest = after.split_once("#}")?.1;
        } else if let Some(after) = text.strip_prefix("{{") {
            let (name, next) = after.split_once("}}")?;
            rest = is_path(name.trim()).then_some(next)?;
        } else if let Some(after) = text.strip_prefix("{%") {
            let (tag, next) = after.split_once("%}")?;
            rest = next;
            match &tag.split_whitespace().collect::<Vec<&str>>()[..] {
                ["if", name] | ["if", "not", name] if is_path(name) => open.push("if"),
                ["for", item, "in", list] if is_identifier(item) && is_path(list) => {
                    open.push("for");
                }
                ["else"] if open.last() == Some(&"if") => {}
                ["endif"] => (open.pop()? == "if").then_some(())?,
                ["endfor"] => (open.pop()? == "for").then_some(())?,
                _ => return None,
            }
            deepest = deepest.max(open.len());
        }
    }
    open.is_empty().then_some(deepest)
}

/// Some blocks of a template in each other.
fn blocks(dice: &mut Random, depth: usize) -> String {
    let mut text = one(dice, &["{{ user.name }}", "text", "", "{# {% if a %} #}"]).to_owned();
    for _ in 0..depth {
        let before = ["", "", "\n  ", "{% if a %}b{% endif %}", "{{ count }} "];
        text = format!("{}{text}", one(dice, &before));
        text = match dice.below(3) {
            0 => format!("{{% for item in items %}}{text}{{% endfor %}}"),
            1 => format!("{{% if user.active %}}{text}{{% endif %}}"),
            _ => format!("{{% if not done %}}{text}{{% else %}}none{{% endif %}}"),
        };
    }
    text
}

/// The cells of a line of a table in Markdown; nothing if it is no such line.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    Some(inner.split('|').map(str::trim).collect())
}

/// Whether some cells are the line below the head of a table.
fn is_rule(cells: &[&str]) -> bool {
    let is_dashes = |text: &str| !text.is_empty() && text.chars().all(|c| c == '-');
    cells.iter().all(|cell| is_dashes(cell.trim_matches(':')))
}

/// Whether a table in Markdown, which is not in a fence, has a row with another number of cells than its head.
fn has_uneven_table(input: &str) -> bool {
    let (mut last, mut columns, mut is_fenced) = (None, None, false);
    for line in input.lines() {
        is_fenced ^= line.trim_start().starts_with("```");
        let row = cells(line).filter(|_| !is_fenced);
        let size = row.as_ref().map(Vec::len);
        match columns {
            Some(count) if size.is_some_and(|size| size != count) => return true,
            Some(_) if size.is_none() => columns = None,
            None if row.is_some_and(|row| is_rule(&row)) && size == last => columns = size,
            _ => {}
        }
        last = size;
    }
    false
}

/// A table in Markdown.
fn table(dice: &mut Random) -> String {
    let sizes = lengths(dice, 2, 38);
    let mut text = String::new();
    for (at, size) in sizes.iter().enumerate() {
        let row = joined(dice, *size, " | ", |dice| {
            one(dice, &["name", "`x`", "12", "", "a, b", "**yes**"]).to_owned()
        });
        text += &format!("| {row} |\n");
        if at == 0 {
            text += &format!("|{}|\n", vec![one(dice, &["---", ":-:", " --- "]); *size].join("|"));
        }
    }
    text
}

/// The causes.
pub const MARKUP: &[TwoSided] = &[
    TwoSided {
        name: "forty-second: xml: text: b and i elements in each other, five deep or more",
        grammar: "@xml",
        input: concat!(
            "<?xml version=\"1.0\"?>\n<doc lang=\"en\">\n  <title>The <b>long</b> way</title>\n",
            "  <p>It was <i>a <b>very, <i>very <span><b>dark <i>and</i> stormy</b></span></i></b></i> night.</p>\n",
            "  <p class=\"end\">Rain &amp; wind <b><i>fell</i></b>.<br/></p>\n  <!-- <b><i><b> -->\n</doc>\n"
        ),
        valid: |input| elements(input).is_some(),
        fails: |input| style_depth(input) >= 5,
        draw: |dice| {
            let others = ["<title>The <b>way</b></title>", "<br/>", "<!-- <b><i> -->", "rain"];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(2) {
                let depth = [0, 1, 2, 3, 4, 4, 5, 5, 6, 8][dice.below(10)];
                let text = styled(dice, depth);
                let start = one(dice, &["<p>", "<p class=\"end\">"]);
                parts.push(format!("{start}It {text} was.</p>"));
            }
            let end = one(dice, &["", "\n"]);
            format!("<doc>{}</doc>{end}", shuffled(dice, parts).join(one(dice, &["", "\n  "])))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-second: xml: form: two elements with the same id",
        grammar: "@xml",
        input: concat!(
            "<form id=\"login\" action=\"/in\">\n  <label for=\"user\">Name</label>\n",
            "  <input id=\"user\" type=\"text\"/>\n  <label for=\"user\" id=\"hint\">login</label>\n",
            "  <group name=\"more\">\n    <input type=\"password\" id=\"pass\" name=\"more\"/>\n",
            "    <button id=\"hint\">Go</button>\n  </group>\n</form>\n"
        ),
        valid: |input| elements(input).is_some(),
        fails: |input| has_twins(&ids(input)),
        draw: |dice| {
            let known = ["user", "pass", "hint", "user2", "User", "end"];
            let mut text = String::new();
            for _ in 0..1 + dice.below(4) {
                let name = one(dice, &["input", "label", "button", "img"]);
                let id = format!(" id=\"{}\"", one(dice, &known));
                let others = [" for=\"user\"", " name=\"more\"", " type=\"text\""];
                let mut attributes = extras(dice, &others);
                if chance(dice, 85) {
                    attributes.push(id);
                }
                let attributes = shuffled(dice, attributes).concat();
                let element = match chance(dice, 50) {
                    true => format!("<{name}{attributes}/>"),
                    false => format!("<{name}{attributes}>user</{name}>"),
                };
                text = match chance(dice, 25) {
                    true => format!("<group name=\"more\">{text}{element}</group>"),
                    false => format!("{text}\n  {element}"),
                };
            }
            format!("<form{}>{text}\n</form>\n", one(dice, &["", " id=\"form\"", " id=\"end\""]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-second: plain: template: if and for blocks in each other, five deep or more",
        grammar: "",
        input: concat!(
            "<h1>{{ title }}</h1>\n{% if user.active %}\n  Hello {{ user.name }}!\n{% else %}\n  Please log in.\n",
            "{% endif %}\n{# orders {% if %} #}\n{% for order in orders %}\n  {% if order.open %}\n",
            "    {% for line in order.lines %}\n      {% if line.note %}{{ line.note }}{% endif %}\n",
            "      {% if not line.sent %}{% for tag in line.tags %}[{{ tag }}]{% endfor %}{% endif %}\n",
            "    {% endfor %}\n  {% endif %}\n{% endfor %}\n<p>{ bye }</p>\n"
        ),
        valid: |input| block_depth(input).is_some(),
        fails: |input| block_depth(input).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let others = ["<h1>{{ title }}</h1>", "{# {% for a in b %} #}", "{ bye }"];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(2) {
                let depth = [0, 1, 2, 3, 4, 4, 5, 5, 6, 8][dice.below(10)];
                parts.push(blocks(dice, depth));
            }
            shuffled(dice, parts).join("\n") + one(dice, &["", "\n"])
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-second: plain: markdown: a table row with another number of cells than the head",
        grammar: "",
        input: concat!(
            "# Options\n\nThese are | all of them:\n\n| name | type | default |\n|------|:----:|---------|\n",
            "| `size` | number | 10 |\n| `mode` | text |\n| `path` | text | |\n\n",
            "Another table:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\n| x | y |\n|---|---|\n| z |\n```\n"
        ),
        valid: any,
        fails: has_uneven_table,
        draw: |dice| {
            let others = [
                "# Options\n",
                "These are | all of them:\n",
                "```\n| x | y |\n|---|---|\n| z |\n```\n",
                "| a | b |\n| c |\n",
                "- item\n- other | item\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(2) {
                parts.push(table(dice));
            }
            shuffled(dice, parts).join("\n")
        },
        patterns: &[],
    },
];
