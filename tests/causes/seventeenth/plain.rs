//! Causes in texts without a grammar, and one in binary data.

use crate::readers::{picture, text_of};
use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

/// The greatest depth of brackets; nothing if they are not closed as they were opened.
fn depth(input: &str) -> Option<usize> {
    let (mut open, mut most) = (Vec::new(), 0);
    for c in input.chars() {
        match c {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' => (open.pop()? == c).then_some(())?,
            _ => {}
        }
        most = most.max(open.len());
    }
    open.is_empty().then_some(most)
}

/// The length that each stream of a document has by its own words, and the true one; nothing if it is no document.
fn streams(input: &str) -> Option<Vec<(usize, usize)>> {
    let (mut all, mut rest) = (Vec::new(), input);
    (input.is_ascii() && !input.contains('\r')).then_some(())?;
    while !rest.is_empty() {
        let (object, after) = rest.split_once("\nendstream\nendobj\n")?;
        let (head, data) = object.split_once("\nstream\n")?;
        let (number, keys) = head.split_once(" 0 obj\n<< ")?;
        let is_digits =
            |text: &str| (1..5).contains(&text.len()) && text.chars().all(|c| c.is_ascii_digit());
        let words: Vec<&str> = keys.strip_suffix(" >>")?.split(' ').collect();
        let is_pair = |pair: &[&str]| {
            pair.len() == 2 && pair[0].starts_with('/') && !pair[1].contains(['<', '>', '\n'])
        };
        (is_digits(number) && words.chunks(2).all(is_pair)).then_some(())?;
        let mut lengths = words.chunks(2).filter(|pair| pair[0] == "/Length");
        let length = lengths.next().filter(|pair| is_digits(pair[1]))?[1];
        lengths.next().is_none().then_some(())?;
        all.push((length.parse().ok()?, data.len()));
        rest = after;
    }
    Some(all)
}

/// Whether a table is dropped in a transaction that is rolled back; nothing if a line is no statement.
fn drops_in_vain(input: &str) -> Option<bool> {
    // In a transaction, whether it has dropped a table.
    let (mut inside, mut found) = (None, false);
    for line in input.lines() {
        let statement = line.strip_suffix(';').filter(|text| !text.contains(';'))?;
        let starts = ["INSERT INTO ", "UPDATE ", "DELETE FROM ", "SELECT "];
        match statement {
            "BEGIN" if inside.is_none() => inside = Some(false),
            "COMMIT" if inside.is_some() => inside = None,
            "ROLLBACK" => found |= inside.take()?,
            _ => match statement.strip_prefix("DROP TABLE ") {
                Some(name) => {
                    (!name.trim().is_empty()).then_some(())?;
                    inside = inside.map(|_| true);
                }
                None => starts.iter().any(|start| statement.starts_with(start)).then_some(())?,
            },
        }
    }
    Some(found)
}

/// The postal codes of a list of addresses; nothing if a line is none.
fn postal_codes(input: &str) -> Option<Vec<&str>> {
    let lines = input.lines().map(|line| match line.split(", ").collect::<Vec<&str>>()[..] {
        [name, street, place] => {
            let (code, city) = place.split_once(' ')?;
            let is_number = !code.is_empty() && code.chars().all(|c| c.is_ascii_digit());
            let has_blank = [name, street, city].iter().any(|part| part.trim().is_empty());
            (is_number && !has_blank).then_some(code)
        }
        _ => None,
    });
    lines.collect()
}

/// The variable that a text begins with.
fn variable(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    if text.starts_with(|c: char| c.is_ascii_digit()) { "" } else { &text[..end] }
}

/// The attributes of each cookie; nothing if a line is no header, or one of a cookie is odd.
fn cookies(input: &str) -> Option<Vec<Vec<&str>>> {
    let mut all = Vec::new();
    for line in input.lines() {
        let (key, value) = line.split_once(": ")?;
        let is_name = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
        let is_cookie = key == "Set-Cookie";
        (is_name && is_cookie == key.eq_ignore_ascii_case("set-cookie")).then_some(())?;
        if is_cookie {
            let mut parts = value.split("; ");
            let (name, _) = parts.next()?.split_once('=')?;
            (!variable(name).is_empty()).then_some(())?;
            let attributes: Vec<&str> = parts.collect();
            let names: Vec<&str> =
                attributes.iter().map(|one| one.split('=').next().unwrap_or("")).collect();
            let is_known = |attribute: &&str| match attribute.split_once('=') {
                Some(("Path", path)) => path.starts_with('/') && !path.contains([' ', ';']),
                Some(("SameSite", value)) => ["None", "Lax", "Strict"].contains(&value),
                Some(_) => false,
                None => ["Secure", "HttpOnly"].contains(attribute),
            };
            let is_new = (0..names.len()).all(|at| !names[..at].contains(&names[at]));
            (is_new && attributes.iter().all(is_known)).then_some(())?;
            all.push(attributes);
        }
    }
    Some(all)
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "seventeenth: plain: round, square and curly brackets nested five deep or more",
        grammar: "",
        input: "let sum = add(1, [2, 3]);\nlet best = pick({a: [f(x, {b: y}), 2], c: (4)});\nprint(sum, [best, {}]);\n# done\n",
        valid: |input| depth(input).is_some(),
        fails: |input| depth(input).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, "", |dice| {
                let mut text = word(dice, 2);
                for _ in 0..2 + dice.below(4) {
                    let beside = one(dice, &["", "", "", "[1], ", "f(x), ", "2 + ", "{}, "]);
                    let after = one(dice, &["", "", "", ", (3)", ", 4", " + [[]]"]);
                    let (open, close) = [("(", ")"), ("[", "]"), ("{a: ", "}")][dice.below(3)];
                    text = format!("{open}{beside}{text}{after}{close}");
                }
                format!("let {} = {text};\n", word(dice, 3))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventeenth: plain: mail: an address with a character before its @ that is not ASCII",
        grammar: "",
        input: "From: Zoë <zoe@tea.org>\nTo: bo@café.org, renée.li@mail.net, cy@cups.io\nSubject: Größe der Kanne\n\nWrite to ann@tea.org, näher am Fluß.\n",
        valid: any,
        fails: |input| {
            let ends = |c: char| c.is_whitespace() || [',', '<', '>'].contains(&c);
            let mut addresses = input.split(ends).filter_map(|word| word.split_once('@'));
            addresses.any(|(name, _)| !name.is_ascii())
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let addresses = joined(dice, count, ", ", |dice| {
                let name = match dice.below(4) {
                    0 => one(dice, &["renée", "zoë.li", "łu", "é", "東京", "a-ñ"]),
                    _ => one(dice, &["bo", "cy.li", "ann", "zoe", "a"]),
                };
                let place = one(dice, &["tea.org", "café.org", "x.io", "münchen.de"]);
                match dice.below(3) {
                    0 => format!("{} <{name}@{place}>", one(dice, &["Zoë", "Ann", "Łu Li"])),
                    _ => format!("{name}@{place}"),
                }
            });
            let subject = one(dice, &["Größe", "tea", "é at 5", "two cups"]);
            let body = one(dice, &["", "näher\n", "to bo@tea.org\n", "für ann@x.io, ë\n"]);
            format!("To: {addresses}\nSubject: {subject}\n\n{body}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventeenth: plain: pdf: a stream whose length is not the one it says",
        grammar: "",
        input: "4 0 obj\n<< /Type /Page /Length 9 >>\nstream\n0 0 m 5 l\nendstream\nendobj\n7 0 obj\n<< /Length 21 /Font /F1 /Size 12 >>\nstream\nBT (green tea) Tj ET\nendstream\nendobj\n",
        valid: |input| streams(input).is_some(),
        fails: |input| streams(input).is_some_and(|all| all.iter().any(|(said, is)| said != is)),
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, "", |dice| {
                let count = 1 + dice.below(5);
                let data = joined(dice, count, " ", |dice| {
                    one(dice, &["BT", "ET", "(tea)", "Tj", "5", "0", "12", "l"]).to_owned()
                });
                let length = data.len();
                let said = match dice.below(8) {
                    0 => length + 1,
                    1 => length - 1,
                    2 => dice.below(30),
                    _ => length,
                };
                let pairs = vec![
                    format!("/Length {said}"),
                    format!("/Type {}", one(dice, &["/Page", "/Font", "/Length"])),
                    format!("/Size {}", dice.below(30)),
                ];
                let keys = shuffled(dice, pairs).join(" ");
                let number = 1 + dice.below(20);
                format!("{number} 0 obj\n<< {keys} >>\nstream\n{data}\nendstream\nendobj\n")
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventeenth: plain: sql: a table that is dropped in a transaction that is rolled back",
        grammar: "",
        input: "INSERT INTO cups VALUES (1);\nBEGIN;\nUPDATE cups SET size = 2;\nDROP TABLE old;\nINSERT INTO log VALUES (7);\nROLLBACK;\nDROP TABLE tmp;\nBEGIN;\nDELETE FROM cups;\nCOMMIT;\n",
        valid: |input| drops_in_vain(input).is_some(),
        fails: |input| drops_in_vain(input) == Some(true),
        draw: |dice| {
            let (mut text, mut is_inside) = (String::new(), false);
            for _ in 0..5 + dice.below(6) {
                let statement = match dice.below(4) {
                    0 if is_inside => one(dice, &["ROLLBACK", "ROLLBACK", "COMMIT"]),
                    0 | 1 if !is_inside => "BEGIN",
                    1 => "DROP TABLE old",
                    2 => one(dice, &["DROP TABLE cups", "SELECT 1", "DELETE FROM old"]),
                    _ => one(dice, &["INSERT INTO log VALUES (7)", "UPDATE cups SET a = 2"]),
                };
                match statement {
                    "BEGIN" => is_inside = true,
                    "COMMIT" | "ROLLBACK" => is_inside = false,
                    _ => {}
                }
                text += &format!("{statement};\n");
            }
            if is_inside {
                text += one(dice, &["COMMIT;\n", "ROLLBACK;\n", ""]);
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventeenth: plain: a postal code of four digits",
        grammar: "",
        input: "Ann Lee, Elm Street 1204, 80331 Munich\nBo Berg, Am Markt 3, 1067 Dresden\nCy Oak, Kai 21 b, 20457 Hamburg\nDi Fox, Post Box 4410, 99084 Erfurt\n",
        valid: |input| postal_codes(input).is_some(),
        fails: |input| {
            postal_codes(input).is_some_and(|all| all.iter().any(|code| code.len() == 4))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            joined(dice, count, "", |dice| {
                let digits = [5, 5, 5, 5, 4, 4, 3, 6][dice.below(8)];
                let code: String = (0..digits).map(|_| dice.below(10).to_string()).collect();
                let name = one(dice, &["Ann Lee", "Bo", "Cy 2000", "Di Fox"]);
                let street = one(dice, &["Elm Street 1204", "Kai 21 b", "4410", "Am Markt 3"]);
                let city = one(dice, &["Munich", "Dresden", "Box 1234", "Ulm"]);
                format!("{name}, {street}, {code} {city}\n")
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventeenth: plain: shell: a variable that is used and set in no line",
        grammar: "",
        input: "#!/bin/sh\ndir=/srv/tea\nkeep=7\ntarget_host=cup\ncp $dir/menu $target/menu\necho kept $keep of target\nrm -r $dir/old\n",
        valid: any,
        fails: |input| {
            let mut used = input.split('$').skip(1).map(variable).filter(|name| !name.is_empty());
            let is_set = |name: &str| {
                let mut lines = input.lines();
                lines.any(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with('=')))
            };
            used.any(|name| !is_set(name))
        },
        draw: |dice| {
            let names = ["dir", "keep", "to", "to_host"];
            let set = names.iter().filter(|_| dice.below(4) > 0);
            let set: Vec<&&str> = set.collect();
            let lines = set.iter().map(|name| format!("{name}={}\n", word(dice, 4)));
            let mut lines: Vec<String> = lines.collect();
            for _ in 0..1 + dice.below(4) {
                let command = one(dice, &["echo", "rm -r", "cp a", "test"]);
                let dollar = if dice.below(4) == 0 { "" } else { "$" };
                let after = one(dice, &["", "/old", " dir", "=1"]);
                lines.push(format!("{command} {dollar}{}{after}\n", one(dice, &names)));
            }
            let text = if dice.below(3) == 0 { shuffled(dice, lines) } else { lines };
            format!("#!/bin/sh\n{}", text.concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventeenth: plain: cookie: a cookie for all sites that is not secure",
        grammar: "",
        input: "Server: shop\nSet-Cookie: id=a7; Path=/; Secure; SameSite=None\nSet-Cookie: cart=3; SameSite=None; HttpOnly; Path=/cart\nX-Mode: Secure\nSet-Cookie: lang=en; SameSite=Lax\n",
        valid: |input| cookies(input).is_some(),
        fails: |input| {
            let all = cookies(input).unwrap_or_default();
            all.iter().any(|one| one.contains(&"SameSite=None") && !one.contains(&"Secure"))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "", |dice| {
                if dice.below(4) == 0 {
                    let values = ["Secure", "SameSite=None", "shop", "no-cache"];
                    return format!("X-Mode: {}\n", one(dice, &values));
                }
                let mut parts = Vec::new();
                if dice.below(3) > 0 {
                    parts.push(one(dice, &["Path=/", "Path=/Secure"]).to_owned());
                }
                if dice.below(2) > 0 {
                    parts.push("Secure".to_owned());
                }
                if dice.below(3) == 0 {
                    parts.push("HttpOnly".to_owned());
                }
                if dice.below(8) > 0 {
                    let sites = ["None", "None", "None", "None", "Lax", "Strict"];
                    parts.push(format!("SameSite={}", one(dice, &sites)));
                }
                let mut all = vec![one(dice, &["id=a7", "cart=Secure", "None=3"]).to_owned()];
                all.extend(shuffled(dice, parts));
                format!("Set-Cookie: {}\n", all.join("; "))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventeenth: binary: a palette record after a record of pixels",
        grammar: "",
        input: "PIC1H\u{4}\u{0}\u{10}\u{0}\u{8}T\u{1a}drawn by ann in the gardenP\u{3}\u{ff}\u{80}\u{0}D\u{10}0123456789abcdefT\u{18}second page, not printedP\u{6}\u{0}\u{40}\u{ff}\u{7f}\u{20}\u{1}E\u{0}",
        valid: |input| picture(input).is_some(),
        fails: |input| {
            let all = picture(input).unwrap_or_default();
            all.iter().skip_while(|kind| **kind != b'D').any(|kind| *kind == b'P')
        },
        draw: |dice| {
            let mut all = b"PIC1".to_vec();
            for _ in 0..2 + dice.below(5) {
                let kind = b"HTPPPDDD"[dice.below(8)];
                let data: Vec<u8> = match dice.below(3) {
                    0 => word(dice, 6).into_bytes(),
                    1 => b"DPTE"[..dice.below(5)].to_vec(),
                    _ => (0..dice.below(6)).map(|_| dice.below(256) as u8).collect(),
                };
                all.extend([kind, data.len() as u8]);
                all.extend(data);
            }
            if dice.below(2) == 0 {
                all.extend(b"E\0");
            }
            text_of(&all)
        },
        patterns: &[],
    },
];
