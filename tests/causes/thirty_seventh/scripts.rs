//! Causes in texts without a grammar: a list of servers of a game, a script that builds a package,
//! settings of a web server and alignments of sequences.

use seedsmith_grammar::Random;

use crate::draws::{are_uneven, chance, counted, extras, has_twins, lengths, picked};
use crate::readers::{is_digits, is_name, is_shown, number};
use crate::thirty_fourth::{is_variable, without_ends};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// How many slots each server of a game has, and how many players.
fn servers(input: &str) -> Option<Vec<(u32, usize)>> {
    let mut found: Vec<(u32, usize)> = Vec::new();
    for line in input.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let words: Vec<&str> = line.split(' ').collect();
        words.iter().all(|word| is_name(word) || is_digits(word)).then_some(())?;
        match words[..] {
            ["region", _] => {}
            ["server", name, ref pairs @ ..] => {
                let mut slots = None;
                for pair in pairs.chunks(2) {
                    match pair {
                        ["slots", count] if slots.is_none() => slots = Some(number(count)?),
                        ["map" | "ping", _] => {}
                        _ => return None,
                    }
                }
                found.push((slots.filter(|slots| *slots > 0 && is_name(name))?, 0));
            }
            ["player", name] | ["player", name, "score", _] => {
                is_name(name).then(|| found.last_mut().map(|server| server.1 += 1))??;
            }
            ["watcher", name] => (is_name(name) && !found.is_empty()).then_some(())?,
            _ => return None,
        }
    }
    Some(found)
}

/// The packages that each depends of a script lists, without quotation marks.
fn dependencies(input: &str) -> Option<Vec<Vec<String>>> {
    let mut lines = input.lines().map(str::trim).filter(|line| !line.is_empty());
    let (mut found, mut is_inside) = (Vec::new(), false);
    while let Some(line) = lines.next() {
        if line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_suffix("() {") {
            is_inside = (!is_inside && is_variable(name)).then_some(true)?;
            continue;
        }
        if line == "}" {
            is_inside.then_some(())?;
            is_inside = false;
            continue;
        }
        let Some((key, value)) = line.split_once('=').filter(|(key, _)| is_variable(key)) else {
            (is_inside && is_shown(line)).then_some(())?;
            continue;
        };
        let Some(first) = value.strip_prefix('(') else {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
            value.chars().all(is_plain).then_some(())?;
            continue;
        };
        let mut inner = first.to_owned();
        while !inner.ends_with(')') {
            inner = format!("{inner} {}", lines.next()?);
        }
        let items = inner[..inner.len() - 1].split_whitespace().map(|item| {
            let bare =
                item.strip_prefix('\'').map_or(Some(item), |rest| rest.strip_suffix('\''))?;
            let is_inside = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
            (!bare.is_empty() && bare.chars().all(is_inside)).then(|| bare.to_owned())
        });
        let items = items.collect::<Option<Vec<String>>>()?;
        if key == "depends" {
            found.push(items);
        }
    }
    (!is_inside).then_some(found)
}

/// What each listen of a web server says, after the address.
fn listens(input: &str) -> Option<Vec<Vec<String>>> {
    let text = without_ends(input, "#");
    (is_shown(&text.replace(['\n', '\t'], " ")) && !text.contains(['"', '\'', '\\']))
        .then_some(())?;
    let (mut rest, mut depth, mut found) = (text.trim_start(), 0, Vec::new());
    while !rest.is_empty() {
        let (start, end) = rest.split_at(rest.find([';', '{', '}'])?);
        let words: Vec<&str> = start.split_whitespace().collect();
        match (&words[..], &end[..1]) {
            ([], "}") => depth = Some(depth).filter(|depth| *depth > 0)? - 1,
            ([name, ..], "{") if is_variable(name) => depth += 1,
            (["listen", _, options @ ..], ";") if depth > 0 => {
                options.iter().all(|option| is_variable(option)).then_some(())?;
                found.push(options.iter().map(|option| option.to_string()).collect());
            }
            ([name, _, ..], ";") if is_variable(name) && *name != "listen" => {}
            _ => return None,
        }
        rest = end[1..].trim_start();
    }
    (depth == 0).then_some(found)
}

/// How long the sequences of each alignment are.
fn alignments(input: &str) -> Option<Vec<Vec<usize>>> {
    let mut lines = input.lines().filter(|line| !line.is_empty());
    let mut found = Vec::new();
    while let Some(head) = lines.next() {
        (head == "# STOCKHOLM 1.0").then_some(())?;
        let (mut names, mut sizes) = (Vec::new(), Vec::new());
        loop {
            let line = lines.next()?;
            if line == "//" {
                break;
            }
            is_shown(line).then_some(())?;
            if ["#=GF ", "#=GC ", "#=GS "].iter().any(|mark| line.starts_with(mark)) {
                continue;
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            let [name, sequence] = words[..] else { return None };
            let are_letters = sequence.chars().all(|c| "ACGU-".contains(c));
            (are_letters && !name.starts_with('#') && !names.contains(&name)).then_some(())?;
            names.push(name);
            sizes.push(sequence.len());
        }
        found.push(sizes);
    }
    Some(found)
}

/// The causes.
pub const SCRIPTS: &[TwoSided] = &[
    TwoSided {
        name: "thirty-seventh: plain: lobby: a server with exactly as many players as slots",
        grammar: "",
        input: concat!(
            "# server old slots 1\n# player ada\nregion slots\n\nserver owl map dust slots 4 ping 12\n",
            "  player ada score 4\n  player bo score 0\n  watcher cy\n\nserver slots-2 slots 3 map pier\n",
            "  player eve\n  watcher ivy\n  player player score 3\n  player max score 12\n",
            "server wren slots 1\n  # player dan\nserver kiwi ping 90 slots 8\n  player fay score 8\n"
        ),
        valid: |input| servers(input).is_some(),
        fails: |input| {
            let all = servers(input).unwrap_or_default();
            all.iter().any(|(slots, count)| *slots as usize == *count)
        },
        draw: |dice| {
            let mut text =
                extras(dice, &["# server old slots 1\n", "region slots\n", "\n"]).concat();
            for _ in 0..1 + dice.below(3) {
                let known = ["ada", "bo", "eve", "player", "max", "slots"];
                let mut players = picked(dice, &known, 5, 0);
                if chance(dice, 12) {
                    players.clear();
                }
                let slots = counted(dice, players.len(), 32).max(1);
                let mut pairs = extras(dice, &["map dust", "ping 12"]);
                pairs.push(format!("slots {slots}"));
                let pairs = shuffled(dice, pairs).join(" ");
                let name = one(dice, &["owl", "slots-2", "wren", "kiwi"]);
                text += &format!("server {name} {pairs}\n");
                let mut lines = extras(dice, &["watcher cy", "watcher ivy", "# player dan"]);
                for name in players {
                    let score = one(dice, &["", " score 0", " score 3", " score 12"]);
                    lines.push(format!("player {name}{score}"));
                }
                for line in shuffled(dice, lines) {
                    text += &format!("  {line}\n");
                }
                text += one(dice, &["", "", "\n"]);
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-seventh: plain: pkgbuild: a depends that lists the same package twice",
        grammar: "",
        input: concat!(
            "# depends=('zlib' 'zlib')\npkgname=owl-tools\npkgver=4.12\narch=('x86_64' 'aarch64')\n",
            "makedepends=('cmake' 'curl' 'cmake')\ndepends=('glibc' 'curl'\n         'zlib-ng' 'curl')\n",
            "source=(owl.tar.gz owl.tar.gz)\n\nbuild() {\n  echo zlib zlib\n  cmake -B build\n}\n\n",
            "package_docs() {\n  depends=('zlib')\n  make install\n}\n"
        ),
        valid: |input| dependencies(input).is_some(),
        fails: |input| {
            dependencies(input).is_some_and(|all| all.iter().any(|names| has_twins(names)))
        },
        draw: |dice| {
            let list = |dice: &mut Random| {
                let known = ["glibc", "curl", "zlib", "zlib-ng", "sqlite", "cmake"];
                let names = picked(dice, &known, 5, 42);
                let names: Vec<String> = match chance(dice, 70) {
                    true => names.iter().map(|name| format!("'{name}'")).collect(),
                    false => names,
                };
                let by = one(dice, &[" ", " ", "\n         "]);
                format!("depends=({})\n", names.join(by))
            };
            let others = [
                "# depends=('zlib' 'zlib')\n",
                "pkgname=owl-tools\n",
                "pkgver=4.12\n",
                "arch=('x86_64' 'aarch64')\n",
                "makedepends=('cmake' 'curl' 'cmake')\n",
                "source=(owl.tar.gz owl.tar.gz)\n",
            ];
            let mut parts = extras(dice, &others);
            parts.push(list(dice));
            let mut text = shuffled(dice, parts).concat();
            if chance(dice, 33) {
                text += "\nbuild() {\n  echo zlib zlib\n  cmake -B build\n}\n";
            }
            if chance(dice, 40) {
                text += &format!("\npackage_docs() {{\n  {}  make install\n}}\n", list(dice));
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-seventh: plain: nginx: a listen with ssl or http2",
        grammar: "",
        input: concat!(
            "# listen 443 ssl;\nuser ssl;\nhttp {\n  sendfile on;\n  server {\n    listen 80;\n",
            "    server_name ssl.owl.example http2;\n    return 301 https://owl.example/ssl;\n  }\n",
            "  server {\n    listen 8080 default_server reuseport; # ssl\n",
            "    listen [::]:443 default_server http2;\n    ssl_certificate /etc/ssl/owl.pem;\n",
            "    location /listen { root /srv/http2; }\n  }\n}\n"
        ),
        valid: |input| listens(input).is_some(),
        fails: |input| {
            let all = listens(input).unwrap_or_default();
            all.iter().flatten().any(|option| ["ssl", "http2"].contains(&&option[..]))
        },
        draw: |dice| {
            let mut text = extras(dice, &["# listen 443 ssl;\n", "user ssl;\n"]).concat();
            text += "http {\n";
            for _ in 0..1 + dice.below(2) {
                let others = [
                    "server_name ssl.owl.example http2;",
                    "return 301 https://owl.example/ssl;",
                    "ssl_certificate /etc/ssl/owl.pem;",
                    "location /listen { root /srv/http2; }",
                    "ssl_protocols TLSv1.3;",
                    "keepalive_timeout 65;",
                ];
                let mut lines = extras(dice, &others);
                for _ in 0..1 + dice.below(2) {
                    let known = ["default_server", "reuseport", "proxy_protocol", "deferred"];
                    let mut options = extras(dice, &known);
                    if chance(dice, 27) {
                        options.push(one(dice, &["ssl", "http2"]).to_owned());
                    }
                    let mut words = shuffled(dice, options);
                    let address = one(dice, &["80", "443", "[::]:443", "127.0.0.1:8080"]);
                    words.insert(0, format!("listen {address}"));
                    let end = one(dice, &["", "", " # ssl"]);
                    lines.push(format!("{};{end}", words.join(" ")));
                }
                let lines = shuffled(dice, lines).join("\n    ");
                text += &format!("  server {{\n    {lines}\n  }}\n");
            }
            text + "}\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-seventh: plain: stockholm: an alignment whose sequences do not all have the ",
            "same length"
        ),
        grammar: "",
        input: concat!(
            "# STOCKHOLM 1.0\n#=GF ID owl-4\n#=GS yeast AC 12\nyeast/1-8   GGAU-CCA\nhuman       GGAUUCCA\n",
            "fly.2       -GAUUCC-\n#=GC SS_cons <<<..>>>\n//\n# STOCKHOLM 1.0\n#=GF CC GGAU, GGA\n",
            "yeast/9-13  UUACG\nhuman       UUAC\nGAUC        U-ACG\n//\n\n# STOCKHOLM 1.0\nfly  AC\n//\n"
        ),
        valid: |input| alignments(input).is_some(),
        fails: |input| alignments(input).is_some_and(|all| all.iter().any(|one| are_uneven(one))),
        draw: |dice| {
            let mut text = String::new();
            for _ in 0..1 + dice.below(3) {
                text += "# STOCKHOLM 1.0\n";
                text += &extras(dice, &["#=GF ID owl-4\n", "#=GF CC GGAU, GGA\n"]).concat();
                let more = dice.below(6);
                let width = [0, 12][dice.below(2)];
                let mut names = picked(dice, &["yeast/1-8", "human", "fly.2", "GAUC"], 1, 0);
                let known = ["yeast/9-13", "mouse", "frog", "fly", "UUA"];
                names.extend(picked(dice, &known, 5, 0));
                for (length, name) in lengths(dice, 1, 42).into_iter().zip(names) {
                    let sequence = joined(dice, length + more, "", |dice| {
                        one(dice, &["A", "C", "G", "U", "-"]).to_owned()
                    });
                    text += &format!("{name:width$} {sequence}\n");
                }
                text += &extras(dice, &["#=GC SS_cons <<<..>>>\n"]).concat();
                text += one(dice, &["//\n", "//\n", "//\n\n"]);
            }
            text
        },
        patterns: &[],
    },
];
