//! Causes in XML, CSV and ini files, read by the built-in grammars.

use super::{Third, has_twins};

/// A start tag, or a tag of an empty element.
struct Start<'t> {
    name: &'t str,
    attributes: Vec<(&'t str, &'t str)>,
    /// The names of the elements that it is in.
    inside: Vec<&'t str>,
}

/// The start tags of a document, and whether each end tag has its start tag's name.
fn starts(input: &str) -> (Vec<Start<'_>>, bool) {
    let (mut found, mut open, mut is_matched) = (Vec::new(), Vec::new(), true);
    let mut rest = input;
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")];
        if let Some((begin, end)) = skipped.iter().find(|(begin, _)| rest.starts_with(begin)) {
            let tail = &rest[begin.len()..];
            rest = tail.find(end).map_or("", |at| &tail[at + end.len()..]);
            continue;
        }
        let mut quote = None;
        let end = rest.find(|c: char| match quote {
            Some(open) if open == c => {
                quote = None;
                false
            }
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                false
            }
            None => c == '>',
            Some(_) => false,
        });
        let Some(end) = end else { break };
        let tag = &rest[1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            is_matched &= open.pop() == Some(name.trim());
            continue;
        }
        let (tag, is_empty) = match tag.strip_suffix('/') {
            Some(tag) => (tag, true),
            None => (tag, false),
        };
        let name = tag.split(char::is_whitespace).next().unwrap_or("");
        let attributes = attributes(&tag[name.len()..]);
        found.push(Start { name, attributes, inside: open.clone() });
        if !is_empty {
            open.push(name);
        }
    }
    (found, is_matched)
}

fn attributes(mut text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    while let Some((name, rest)) = text.split_once('=') {
        let rest = rest.trim_start();
        let Some(quote) = rest.chars().next().filter(|c| ['"', '\''].contains(c)) else { break };
        let Some((value, rest)) = rest[1..].split_once(quote) else { break };
        found.push((name.trim(), value));
        text = rest;
    }
    found
}

fn any_start(input: &str, is_meant: impl Fn(&Start<'_>) -> bool) -> bool {
    starts(input).0.iter().any(is_meant)
}

/// The values of all attributes of a name.
fn all_of<'t>(input: &'t str, wanted: &str) -> Vec<&'t str> {
    let all = starts(input).0.into_iter().flat_map(|start| start.attributes);
    all.filter(|(name, _)| *name == wanted).map(|(_, value)| value).collect()
}

/// The rows of a CSV file without quotes.
fn rows(input: &str) -> Vec<Vec<&str>> {
    let lines = input.split('\n').map(|line| line.trim_end_matches('\r'));
    lines.map(|line| line.split(',').collect()).collect()
}

fn titles(input: &str) -> Vec<&str> {
    let lines = input.lines().map(str::trim);
    lines.filter_map(|line| line.strip_prefix('[')?.split(']').next()).collect()
}

/// The causes.
pub const MARKUP: &[Third] = &[
    Third {
        name: "xml: two attributes of one element with equal values",
        grammar: "@xml",
        input: r#"<r a="1" b="2"><s x="7" y="8" z="7"/><t a="2"/></r>"#,
        fails: |input| {
            any_start(input, |start| {
                has_twins(start.attributes.iter().map(|attribute| attribute.1).collect())
            })
        },
        failing: &[
            r#"<a b="" c=""/>"#,
            r#"<a><b x="1" y="2" z="1"/></a>"#,
            r#"<a p="q" r="s"><b/><c t="uu" v="w" x="uu">y</c></a>"#,
        ],
        passing: &[
            r#"<a x="1" y="2"/>"#,
            r#"<a x="1"><b x="1"/></a>"#,
            r#"<a x="1" y="2"><b x="2" y="1"/></a>"#,
            "<a/>",
        ],
        patterns: &[r#"<<<name> <name>=<$string1> <name>=<$string1>/>"#],
    },
    Third {
        name: "xml: an attribute at an element three levels down or more",
        grammar: "@xml",
        input: r#"<a><b x="y"><c><d k="1" onload="z">t</d></c></b></a>"#,
        fails: |input| {
            any_start(input, |start| {
                start.inside.len() >= 3 && start.attributes.iter().any(|one| one.0 == "onload")
            })
        },
        failing: &[
            r#"<a><a><a><a onload="1"/></a></a></a>"#,
            r#"<r><s/><t><u><v w="x"/><y onload=""/></u></t></r>"#,
            r#"<a><b><c><d><e onload="q">x</e></d></c></b></a>"#,
        ],
        passing: &[
            r#"<a onload="1"/>"#,
            r#"<a><b><c onload="1"/></b></a>"#,
            r#"<a><b onload="1"><c><d/></c></b></a>"#,
            r#"<a><b><c><d load="1"/></c></b></a>"#,
        ],
        patterns: &[
            r#"<<<name>><<<name>><<<name>><<<name> onload=<string>/><</<name>><</<name>><</<name>>"#,
        ],
    },
    Third {
        name: "xml: an end tag of another name",
        grammar: "@xml",
        input: "<a><b>text</c><d/></a>",
        fails: |input| !starts(input).1,
        failing: &["<a></b>", "<a><b></a></b>", "<x y=\"1\"><z></z></w>"],
        passing: &["<a></a>", "<a><b></b></a>", "<a/>", "<a><a></a><b/></a>"],
        patterns: &[],
    },
    Third {
        name: "xml: an id that is used twice",
        grammar: "@xml",
        input: r#"<r><a id="p1" k="v"/><b id="p2"/><c id="p1">x</c></r>"#,
        fails: |input| has_twins(all_of(input, "id")),
        failing: &[
            r#"<a id="1"><b id="1"/></a>"#,
            r#"<a><b id="x"/><c/><d e="f" id="x"/></a>"#,
            r#"<a id="q"><b><c id="q"/></b></a>"#,
        ],
        passing: &[
            r#"<a id="1"><b id="2"/></a>"#,
            r#"<a id="1"><b x="1"/></a>"#,
            r#"<a x="1"><b x="1"/></a>"#,
        ],
        patterns: &[
            r#"<<<name> id=<$string1>><<<name> id=<$string1>/><</<name>>"#,
            r#"<<<name> id=<$STRING1>><<<name> id=<$STRING1>/><</<name>>"#,
        ],
    },
    Third {
        name: "xml: a paragraph in a paragraph",
        grammar: "@xml",
        input: "<r><p>x<b><p/></b></p></r>",
        fails: |input| any_start(input, |start| start.name == "p" && start.inside.contains(&"p")),
        failing: &["<p><p/></p>", "<p><a><b><p>x</p></b></a></p>", "<a><p><b/><p/></p></a>"],
        passing: &["<p/>", "<a><p/><p/></a>", "<p><a/></p>", "<a><p/><b><p/></b></a>"],
        patterns: &["<<p><<p/><</<name>>", "<<p><<p/><</p>"],
    },
    Third {
        name: "xml: six attributes of one element",
        grammar: "@xml",
        input: r#"<a x="1"><b c="1" d="1" e="1" f="2" g="3" h="1" i="2"/></a>"#,
        fails: |input| any_start(input, |start| start.attributes.len() >= 6),
        failing: &[
            r#"<a b="" c="" d="" e="" f="" g=""/>"#,
            r#"<r><s a="1" b="2" c="3" d="4" e="5" f="6" g="7"/></r>"#,
            r#"<r a="1" b="2" c="3" d="4" e="5" f="6">x</r>"#,
        ],
        passing: &[
            r#"<a b="" c="" d="" e="" f=""/>"#,
            r#"<a b="" c="" d=""><a b="" c="" d=""/></a>"#,
            "<a/>",
        ],
        patterns: &[
            "<<<name> <attribute> <attribute> <attribute> <attribute> <attribute> <attribute>/>",
        ],
    },
    Third {
        name: "xml: a reference to an id that is nowhere",
        grammar: "@xml",
        input: r#"<r><a id="p1"/><b ref="p2"/><c ref="p1"/></r>"#,
        fails: |input| {
            let ids = all_of(input, "id");
            all_of(input, "ref").iter().any(|name| !ids.contains(name))
        },
        failing: &[
            r#"<a ref="x"/>"#,
            r#"<a id="y"><b ref="x"/></a>"#,
            r#"<a id="1"><b ref="1"/><c ref="2"/></a>"#,
        ],
        passing: &[
            r#"<a id="x"><b ref="x"/></a>"#,
            r#"<a id="x"/>"#,
            r#"<a><b ref="1"/><c id="1"/></a>"#,
            r#"<a x="y"/>"#,
        ],
        patterns: &[],
    },
    Third {
        name: "csv: rows of unequal length",
        grammar: "@csv",
        input: "a,b,c\n1,2\n3,4,5",
        fails: |input| {
            let rows = rows(input);
            !input.contains('"') && rows.iter().any(|row| row.len() != rows[0].len())
        },
        failing: &["a\nb,c", "a,b\nc,d\ne", "x,y,z\n1,2,3\n4,5"],
        passing: &["a,b\nc,d", "a\nb", "a,b,c"],
        patterns: &[],
    },
    Third {
        name: "csv: a column name that is there twice",
        grammar: "@csv",
        input: "id,name,id\n1,x,2\n3,y,4",
        fails: |input| {
            let names: Vec<&str> = rows(input).swap_remove(0);
            !input.contains('"') && has_twins(names.into_iter().filter(|n| !n.is_empty()).collect())
        },
        failing: &["a,a", "x,y,z,y\n1,2,3,4", "a,b,a\n1,2,3"],
        passing: &["a,b\na,b", "a,b\n1,1", "id,name\nx,x"],
        patterns: &["<$text1>,<$text1>", "<$TEXT1>,<$TEXT1>", "<$field1>,<$field1>"],
    },
    Third {
        name: "ini: a section that is there twice",
        grammar: "@ini",
        input: "[core]\nx=1\n[user]\nname=me\n[core]\ny=2\n",
        fails: |input| has_twins(titles(input)),
        failing: &["[a]\n[a]\n", "[x]\nk=v\n[y]\n[x]\n", "[b]\n[c]\nq=r\n[c]\n"],
        passing: &["[a]\n[b]\n", "[a]\na=a\n", "x=1\nx=1\n"],
        patterns: &["[<$title1>][<$title1>]", "[<$TITLE1>][<$TITLE1>]"],
    },
    Third {
        name: "ini: an entry before the first section",
        grammar: "@ini",
        input: "k=v\n[core]\nx=1\n[user]\n",
        fails: |input| {
            let before = input.split('[').next().unwrap_or("");
            before.lines().any(|line| line.contains('=')) && input.contains('[')
        },
        failing: &["a=b\n[c]\n", "x=1\ny=2\n[z]\nq=3\n", "n=\n[m]\n"],
        passing: &["[a]\nb=c\n", "a=b\n", "[a]\n"],
        patterns: &["<entry>\n<section>"],
    },
];
