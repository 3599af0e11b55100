//! Causes in CSV, XML, TOML and INI, and in small languages.

use crate::readers::{is_free, is_name, sections, spaced};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// What a robot does, some of it again or under a condition.
const ROBOT: &str = "grammar Robot; program: step* EOF;
    step: 'repeat' NUMBER '{' step* '}' | 'if' NAME '{' step* '}' | NAME ';';
    NAME: [a-z]+; NUMBER: [0-9]+; WS: [ \\n]+ -> skip;";

/// The scenes of a story, and where it goes on.
const STORY: &str = "grammar Story; story: scene+ EOF; scene: 'scene' NAME ':' step*;
    step: 'say' NAME ';' | 'go' NAME ';'; NAME: [a-z]+; WS: [ \\n]+ -> skip;";

/// The number of cells of each row; nothing if there is a quotation mark or a blank line, or there are no rows.
fn widths(input: &str) -> Option<Vec<usize>> {
    let is_simple = !input.contains(['"', '\r']) && input.lines().all(|line| !line.is_empty());
    let all = input.lines().map(|line| line.split(',').count()).collect();
    (is_simple && !input.is_empty()).then_some(all)
}

/// Whether a cell in quotation marks has a line break; nothing if a quotation mark is where it must not be.
fn has_break_in_cell(input: &str) -> Option<bool> {
    (!input.contains('\r')).then_some(())?;
    let (mut rest, mut found) = (input, false);
    loop {
        if let Some(mut quoted) = rest.strip_prefix('"') {
            loop {
                let (text, after) = quoted.split_once('"')?;
                found |= text.contains('\n');
                quoted = after;
                let Some(after) = quoted.strip_prefix('"') else { break };
                quoted = after;
            }
            rest = quoted;
        } else {
            let end = rest.find([',', '\n', '"']).unwrap_or(rest.len());
            rest = &rest[end..];
        }
        match rest.chars().next() {
            None => return Some(found),
            Some(',' | '\n') => rest = &rest[1..],
            Some(_) => return None,
        }
    }
}

/// An element: its name, the names of its attributes, and of the elements around it.
struct Element<'t> {
    name: &'t str,
    keys: Vec<&'t str>,
    around: Vec<&'t str>,
}

/// The names of the attributes of a tag; nothing if they are odd, or one is there twice.
fn keys(attributes: &str) -> Option<Vec<&str>> {
    let (mut rest, mut all) = (attributes.trim_end(), Vec::new());
    while !rest.is_empty() {
        let (key, after) = rest.strip_prefix(' ')?.trim_start().split_once("=\"")?;
        let (_, after) = after.split_once('"')?;
        (is_name(key) && !all.contains(&key)).then_some(())?;
        all.push(key);
        rest = after;
    }
    Some(all)
}

/// The elements of a document; nothing if it is not one element, with all that is in it closed as it was opened, or
/// has something that the programs do not know.
fn elements(input: &str) -> Option<Vec<Element<'_>>> {
    let (mut around, mut all) = (Vec::new(), Vec::<Element>::new());
    let (before, _) = input.split_once('<').filter(|_| !input.contains(['!', '?', '&', '\'']))?;
    (input.is_ascii() && before.trim().is_empty()).then_some(())?;
    for rest in input.split('<').skip(1) {
        let (tag, text) = rest.split_once('>').filter(|(_, text)| !text.contains('>'))?;
        if let Some(closed) = tag.strip_prefix('/') {
            (closed.trim_end() == around.pop()?).then_some(())?;
        } else {
            let inner = tag.strip_suffix('/').unwrap_or(tag);
            let (name, attributes) = inner.split_at(inner.find(' ').unwrap_or(inner.len()));
            let is_placed = is_name(name) && (!around.is_empty() || all.is_empty());
            is_placed.then_some(())?;
            all.push(Element { name, keys: keys(attributes)?, around: around.clone() });
            if inner == tag {
                around.push(name);
            }
        }
        (!around.is_empty() || text.trim().is_empty()).then_some(())?;
    }
    around.is_empty().then_some(all)
}

/// Whether a value is a number (false) or a text (true); nothing if it is neither.
fn is_text(value: &str) -> Option<bool> {
    let text = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let is_right = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == ' ');
    let is_number = value.parse::<u32>().is_ok_and(|number| number.to_string() == value);
    match text {
        Some(text) => is_right(text).then_some(true),
        None => is_number.then_some(false),
    }
}

/// Whether a list has both a number and a text; nothing if a value is neither of these nor a list of them.
fn has_mixed_list(input: &str) -> Option<bool> {
    let mut found = false;
    for (_, value) in sections(input)?.into_iter().flat_map(|(_, pairs)| pairs) {
        match value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some("") => {}
            Some(list) => {
                let kinds: Option<Vec<bool>> = list.split(", ").map(is_text).collect();
                let kinds = kinds?;
                found |= kinds.contains(&true) && kinds.contains(&false);
            }
            None => drop(is_text(value)?),
        }
    }
    Some(found)
}

/// Whether a backup is encrypted and has no key file; nothing if a setting is odd or in no section.
fn lacks_key_file(input: &str) -> Option<bool> {
    let all = sections(input)?;
    let is_right = |value: &str| {
        !value.is_empty() && value.chars().all(|c| c.is_ascii_alphanumeric() || "/.".contains(c))
    };
    let mut pairs = all.iter().flat_map(|(_, pairs)| pairs);
    (all[0].1.is_empty() && pairs.all(|(_, value)| is_right(value))).then_some(())?;
    Some(all.iter().any(|(_, pairs)| {
        pairs.contains(&("encrypt", "yes")) && pairs.iter().all(|(key, _)| *key != "keyfile")
    }))
}

/// How deep the blocks of a robot's program are in each other; nothing if it is no program.
fn depth_of_blocks(input: &str) -> Option<usize> {
    let spaced = spaced(input);
    let all: Vec<&str> = spaced.split(' ').filter(|token| !token.is_empty()).collect();
    let (mut rest, mut open, mut most) = (&all[..], 0_usize, 0);
    let is_number = |token: &str| token.chars().all(|c| c.is_ascii_digit());
    let is_free = |token: &str| is_free(token, &["if", "repeat"]);
    while !rest.is_empty() {
        rest = match rest {
            ["}", after @ ..] => {
                open = open.checked_sub(1)?;
                after
            }
            ["repeat", count, "{", after @ ..] if is_number(count) => {
                open += 1;
                after
            }
            ["if", name, "{", after @ ..] if is_free(name) => {
                open += 1;
                after
            }
            [name, ";", after @ ..] if is_free(name) => after,
            _ => return None,
        };
        most = most.max(open);
    }
    (open == 0).then_some(most)
}

/// Whether a story goes on at a scene that it does not have; nothing if it is no story, or has a scene twice.
fn goes_nowhere(input: &str) -> Option<bool> {
    let spaced = spaced(input);
    let all: Vec<&str> = spaced.split(' ').filter(|token| !token.is_empty()).collect();
    let (mut rest, mut scenes, mut targets) = (&all[..], Vec::new(), Vec::new());
    let is_free = |token: &str| is_free(token, &["scene", "say", "go"]);
    while !rest.is_empty() {
        rest = match rest {
            ["scene", name, ":", after @ ..] if is_free(name) && !scenes.contains(name) => {
                scenes.push(*name);
                after
            }
            ["say", name, ";", after @ ..] if !scenes.is_empty() && is_free(name) => after,
            ["go", name, ";", after @ ..] if !scenes.is_empty() && is_free(name) => {
                targets.push(*name);
                after
            }
            _ => return None,
        };
    }
    (!scenes.is_empty()).then_some(targets.iter().any(|name| !scenes.contains(name)))
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "nineteenth: csv: a row with fewer cells than the head",
        grammar: "@csv",
        input: "seed,sown,row,sprouted\ncarrot,march,3,yes\nleek,april,5,\nkale,may\nbean,may,7,no,replanted\nchard,june,2,yes\n",
        valid: |input| widths(input).is_some(),
        fails: |input| widths(input).is_some_and(|all| all.iter().any(|width| *width < all[0])),
        draw: |dice| {
            let usual = 2 + dice.below(3);
            let mut text = ["seed", "sown", "row", "ok"][..usual].join(",") + "\n";
            for _ in 0..1 + dice.below(4) {
                let width = match dice.below(8) {
                    0 => usual + 1,
                    1 => usual - 1,
                    2 => 1 + dice.below(usual),
                    _ => usual,
                };
                let cells = joined(dice, width, ",", |dice| {
                    one(dice, &["kale", "may", "3", "may 5", "yes", "-"]).to_owned()
                });
                text += &format!("{cells}\n");
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "nineteenth: csv: a line break in a cell with quotation marks",
        grammar: "@csv",
        input: "item,room,note\nvase,4,\"blue, chipped\"\nmask,7,\"on loan\nuntil may\"\n\"the \"\"big\"\" urn\",4,\ncoin,2,found 1911\n",
        valid: |input| has_break_in_cell(input).is_some(),
        fails: |input| has_break_in_cell(input) == Some(true),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let rows = joined(dice, count, "\n", |dice| {
                joined(dice, 3, ",", |dice| match dice.below(8) {
                    0 => one(dice, &["\"on loan\nto may\"", "\"\n\"", "\"a, b\n\""]).to_owned(),
                    1 => one(dice, &["\"blue, chipped\"", "\"a \"\"b\"\"\"", "\"\""]).to_owned(),
                    _ => one(dice, &["vase", "7", "found 1911", "", "mask"]).to_owned(),
                })
            });
            format!("{rows}\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "nineteenth: xml: a table inside a footnote",
        grammar: "@xml",
        input: "<chapter><table><row>1<footnote>cf. table 2</footnote></row></table><para>Tides<footnote n=\"2\"><para>see <table><row>low</row></table></para></footnote></para></chapter>",
        valid: |input| elements(input).is_some(),
        fails: |input| {
            let all = elements(input).unwrap_or_default();
            all.iter().any(|one| one.name == "table" && one.around.contains(&"footnote"))
        },
        draw: |dice| {
            let mut text = one(dice, &["", "low", "<table/>", "<footnote/>"]).to_owned();
            for _ in 0..2 + dice.below(4) {
                let name = one(dice, &["table", "footnote", "footnote", "para", "note"]);
                let beside = ["", "", "cf. table", "<table>2</table>", "<footnote>a</footnote>"];
                let before = one(dice, &["", "", "", "see ", "<para/>"]);
                let pair = one(dice, &["", "", " n=\"2\"", " of=\"table\""]);
                text = format!("<{name}{pair}>{before}{text}</{name}>");
                if dice.below(3) == 0 {
                    text += one(dice, &beside);
                }
            }
            format!("<chapter>{text}</chapter>")
        },
        patterns: &[],
    },
    TwoSided {
        name: "nineteenth: xml: an image without an alt text",
        grammar: "@xml",
        input: "<article lang=\"en\"><img src=\"flood.png\" alt=\"a street\"/><p>The alt route <img width=\"80\" src=\"alt.png\"/> is closed.</p><video src=\"a.mp4\"/><img alt=\"\"/></article>",
        valid: |input| elements(input).is_some(),
        fails: |input| {
            let all = elements(input).unwrap_or_default();
            all.iter().any(|one| one.name == "img" && !one.keys.contains(&"alt"))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let parts = joined(dice, count, "", |dice| {
                let name = one(dice, &["img", "img", "img", "video", "image"]);
                let mut pairs = vec![format!(" src=\"{}\"", one(dice, &["a.png", "alt", ""]))];
                if dice.below(3) > 0 {
                    pairs.push(format!(" alt=\"{}\"", one(dice, &["a street", "", "img"])));
                }
                if dice.below(2) == 0 {
                    pairs.push(format!(" {}=\"80\"", one(dice, &["width", "alt2", "al"])));
                }
                let tag = format!("<{name}{}/>", shuffled(dice, pairs).concat());
                match dice.below(3) {
                    0 => format!("<p>the alt {tag} img</p>"),
                    1 => format!("<p alt=\"x\">{tag}</p>"),
                    _ => tag,
                }
            });
            format!("<article>{parts}</article>")
        },
        patterns: &[],
    },
    TwoSided {
        name: "nineteenth: toml: a list with both a number and a text",
        grammar: "@toml",
        input: "school = \"elm street\"\nfloors = [1, 2, 3]\n\n[monday]\nrooms = [101, 204, \"gym\"]\nstart = 8\n\n[tuesday]\nrooms = [\"lab\", \"102\"]\nstart = \"late\"\nclubs = []\n",
        valid: |input| has_mixed_list(input).is_some(),
        fails: |input| has_mixed_list(input) == Some(true),
        draw: |dice| {
            let mut text = one(dice, &["", "school = \"elm\"\n", "floors = [1, 2]\n"]).to_owned();
            let names = ["monday", "tuesday", "friday"].map(str::to_owned).to_vec();
            let mut names = shuffled(dice, names);
            names.truncate(1 + dice.below(2));
            for name in &names {
                let keys = ["rooms", "clubs", "start"].map(str::to_owned).to_vec();
                let mut keys = shuffled(dice, keys);
                keys.truncate(1 + dice.below(3));
                text += &format!("[{name}]\n");
                for key in &keys {
                    let number = |dice: &mut _| one(dice, &["101", "8", "0", "204"]).to_owned();
                    let quoted =
                        |dice: &mut _| one(dice, &["\"gym\"", "\"102\"", "\"\""]).to_owned();
                    let kind = dice.below(5);
                    let items: Vec<String> = (0..dice.below(5))
                        .map(|_| match (kind, dice.below(2)) {
                            (0, _) | (2.., 0) => number(dice),
                            _ => quoted(dice),
                        })
                        .collect();
                    text += &match dice.below(4) {
                        0 => format!("{key} = {}\n", number(dice)),
                        _ => format!("{key} = [{}]\n", items.join(", ")),
                    };
                }
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "nineteenth: ini: a backup that is encrypted and has no key file",
        grammar: "@ini",
        input: "[photos]\nencrypt=yes\nkeyfile=/etc/photos.key\nevery=7\n[mail]\ntarget=/mnt/b\nencrypt=yes\nkeep=30\n[music]\nencrypt=no\n",
        valid: |input| lacks_key_file(input).is_some(),
        fails: |input| lacks_key_file(input) == Some(true),
        draw: |dice| {
            let names = ["photos", "mail", "music", "keyfile"].map(str::to_owned).to_vec();
            let mut names = shuffled(dice, names);
            names.truncate(1 + dice.below(3));
            let sections = names.iter().map(|name| {
                let mut lines = vec![format!("every={}\n", one(dice, &["7", "yes", "keyfile"]))];
                if dice.below(5) > 0 {
                    let encrypt = one(dice, &["yes", "yes", "yes", "no", "never"]);
                    lines.push(format!("encrypt={encrypt}\n"));
                }
                if dice.below(2) == 0 {
                    lines.push(format!("keyfile={}\n", one(dice, &["/etc/a.key", "no", "yes"])));
                }
                if dice.below(3) == 0 {
                    let key = one(dice, &["keyfile2", "verify", "key"]);
                    lines.push(format!("{key}=yes\n"));
                }
                format!("[{name}]\n{}", shuffled(dice, lines).concat())
            });
            sections.collect()
        },
        patterns: &[],
    },
    TwoSided {
        name: "nineteenth: own: ifs and repeats nested five deep or more",
        grammar: ROBOT,
        input: "start; repeat 4 { step; if wall { turn; repeat 2 { if dark { lamp; repeat 30 { blink; } beep; } step; } } } if low { dock; } repeat 3 { beep; }",
        valid: |input| depth_of_blocks(input).is_some(),
        fails: |input| depth_of_blocks(input).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let mut text = one(dice, &["", "step;", "if low { }", "repeat 5 { beep; }"]).to_owned();
            for _ in 0..2 + dice.below(4) {
                let beside = ["", "", "", "turn;", "if wall { step; }", "repeat 9 { if a { } }"];
                let (before, after) = (one(dice, &beside), one(dice, &beside));
                let head = match dice.below(2) {
                    0 => format!("if {}", word(dice, 1)),
                    _ => format!("repeat {}", 1 + dice.below(12)),
                };
                text = format!("{head} {{ {before} {text} {after} }}");
            }
            format!("start; {text}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "nineteenth: own: a go to a scene that is nowhere",
        grammar: STORY,
        input: "scene gate: say hello; say cave; go hall; scene hall: say echo; go tower; go gate; scene attic: say dust; go hall; scene end: say bye;",
        valid: |input| goes_nowhere(input).is_some(),
        fails: |input| goes_nowhere(input) == Some(true),
        draw: |dice| {
            let names = ["gate", "hall", "tower", "attic", "hal"].map(str::to_owned).to_vec();
            let mut names = shuffled(dice, names);
            let spare = names.split_off(1 + dice.below(4));
            let scenes = names.iter().map(|name| {
                let steps: Vec<String> = (0..dice.below(4))
                    .map(|_| match dice.below(7) {
                        0 => format!(" go {};", spare[dice.below(spare.len())]),
                        1 | 2 => format!(" say {};", one(dice, &["hello", "hall", "attic"])),
                        _ => format!(" go {};", names[dice.below(names.len())]),
                    })
                    .collect();
                format!("scene {name}:{}", steps.concat())
            });
            scenes.collect::<Vec<String>>().join(" ")
        },
        patterns: &[],
    },
];
