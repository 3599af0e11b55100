//! Causes in texts without a grammar: packages of a distribution, stages of an image, and names of servers.

use super::tokens;
use crate::draws::{chance, extras, has_twins, picked};
use crate::two_sided::{TwoSided, any, one, shuffled};

/// The keys of each paragraph, in small letters.
fn paragraphs(input: &str) -> Vec<Vec<String>> {
    let mut found = vec![Vec::new()];
    for line in input.lines() {
        if line.trim().is_empty() {
            found.push(Vec::new());
        } else if let Some((key, _)) = line.split_once(':')
            && !line.starts_with([' ', '\t', '#'])
        {
            found.last_mut().unwrap().push(key.to_ascii_lowercase());
        }
    }
    found
}

/// The names of the stages of an image, in small letters. A backslash at the end continues a line.
fn stages(input: &str) -> Vec<String> {
    let (mut found, mut statement) = (Vec::new(), String::new());
    for line in input.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        if let Some(start) = line.strip_suffix('\\') {
            statement += start;
            statement.push(' ');
            continue;
        }
        statement += line;
        let lower = statement.to_ascii_lowercase();
        let words: Vec<&str> =
            lower.split_whitespace().filter(|word| !word.starts_with("--")).collect();
        if let ["from", _, "as", name] = words[..] {
            found.push(name.to_owned());
        }
        statement.clear();
    }
    found
}

/// The directives of a server with their arguments; nothing if a block is not closed.
fn directives(input: &str) -> Option<Vec<Vec<String>>> {
    let lines = input.lines().map(|line| line.split('#').next().unwrap_or(line));
    let text: Vec<&str> = lines.collect();
    let text = text.join("\n");
    let (mut found, mut words, mut depth) = (Vec::new(), Vec::new(), 0);
    for token in tokens(&text, "-_./$*~:=,^|()\\?+@!%&'<>", '"')? {
        match token {
            ";" | "{" => {
                (!words.is_empty()).then(|| found.push(std::mem::take(&mut words)))?;
                depth += usize::from(token == "{");
            }
            "}" => {
                (words.is_empty() && depth > 0).then_some(())?;
                depth -= 1;
            }
            _ => words.push(token.to_owned()),
        }
    }
    (words.is_empty() && depth == 0).then_some(found)
}

/// The causes.
pub const PROJECT: &[TwoSided] = &[
    TwoSided {
        name: "forty-sixth: plain: debian: a paragraph with a Package but without an Architecture",
        grammar: "",
        input: "# Package: none
Source: tidy
Maintainer: Ann <ann@example.org>
Build-Depends: debhelper (>= 11),
 cmake

Package: tidy
Architecture: any
Depends: libtidy5 (= 1.0)
Description: checks pages
 Package: is not a field here.

Package: libtidy5
Section: libs
X-Architecture: any
Multi-Arch: same
Description: checks pages, without
 Architecture: any
 .
 This is the library.

Package: tidy-doc
Section: doc
architecture: all
",
        valid: any,
        fails: |input| {
            let has = |keys: &[String], wanted| keys.iter().any(|key| key == wanted);
            let all = paragraphs(input);
            all.iter().any(|keys| has(keys, "package") && !has(keys, "architecture"))
        },
        draw: |dice| {
            let source = "Source: tidy\nMaintainer: Ann <ann@example.org>\n";
            let mut parts = extras(dice, &[source, "# Package: none\n"]);
            for _ in 0..1 + dice.below(4) {
                let others = [
                    "Section: libs\n",
                    "Depends: libtidy5 (= 1.0)\n",
                    "X-Architecture: any\n",
                    "Multi-Arch: same\n",
                    "Description: checks pages\n Architecture: any\n .\n More.\n",
                ];
                let mut lines = extras(dice, &others);
                if chance(dice, 77) {
                    let key = one(dice, &["Architecture", "Architecture", "architecture"]);
                    lines.push(format!("{key}: {}\n", one(dice, &["any", "all", "amd64"])));
                }
                let name = one(dice, &["tidy", "libtidy5", "tidy-doc"]);
                lines.push(format!("Package: {name}\n"));
                parts.push(shuffled(dice, lines).concat());
            }
            parts.join("\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-sixth: plain: docker: two stages of the same name",
        grammar: "",
        input: r#"# FROM alpine AS build
ARG VERSION=1.20
FROM golang:1.20 AS deps
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download

FROM --platform=linux/amd64 golang:1.20 AS build
COPY --from=deps /src /src
RUN echo "FROM golang AS deps" && \
    go build -o /out/app .

FROM node:18 as assets
RUN npm ci

FROM golang:1.20 as Build
RUN go vet ./...

FROM node:18
COPY --from=build /out/app /app
CMD ["/app", "AS", "assets"]
"#,
        valid: any,
        fails: |input| has_twins(&stages(input)),
        draw: |dice| {
            let known = ["build", "deps", "assets", "test", "build-2", "node"];
            let names = picked(dice, &known, 5, 50);
            let mut text =
                extras(dice, &["# FROM alpine AS build\n", "ARG VERSION=1.20\n"]).concat();
            for name in names {
                let image = one(dice, &["golang:1.20", "node:18", "alpine", "build"]);
                let flag = one(dice, &["", "", "--platform=linux/amd64 "]);
                let verb = one(dice, &["AS", "AS", "as"]);
                let name = match chance(dice, 10) {
                    true => name.to_uppercase(),
                    false => name,
                };
                text += &match chance(dice, 15) {
                    true => format!("FROM {flag}{image}\n"),
                    false => format!("FROM {flag}{image} {verb} {name}\n"),
                };
                let others = [
                    "COPY --from=deps /src /src\n",
                    "RUN echo \"FROM golang AS deps\" && \\\n    go build .\n",
                    "WORKDIR /src\n",
                    "CMD [\"/app\", \"AS\", \"assets\"]\n",
                ];
                text += &extras(dice, &others).concat();
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-sixth: plain: nginx: a server_name with the same name twice",
        grammar: "",
        input: r#"user www-data;
# server_name a.example a.example;
http {
    log_format main "$host $host server_name";
    upstream app { server 10.0.0.4:80; server 10.0.0.4:80; }
    server {
        listen 80;
        server_name shop.example www.shop.example;
        index index.html index.html;
    }
    server {
        listen 443 ssl;
        server_name api.example *.api.example old.example
                    api2.example old.example;
        location / { proxy_pass http://app; }
    }
    server { server_name shop.example; return 404; }
}
"#,
        valid: |input| directives(input).is_some(),
        fails: |input| {
            let all = directives(input).unwrap_or_default();
            all.iter().any(|words| words[0] == "server_name" && has_twins(&words[1..]))
        },
        draw: |dice| {
            let others = [
                "# server_name a.example a.example;\n",
                "log_format main \"$host $host server_name\";\n",
                "upstream app { server 10.0.0.4:80; server 10.0.0.4:80; }\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let known =
                    ["shop.example", "www.shop.example", "api.example", "*.api.example", "_"];
                let names = picked(dice, &known, 4, 28).join(one(dice, &[" ", " ", "\n    "]));
                let others = [
                    "listen 80;",
                    "index index.html index.html;",
                    "location / { proxy_pass http://app; }",
                    "return 404;",
                ];
                let mut lines = extras(dice, &others);
                lines.push(format!("server_name {names};"));
                let by = one(dice, &[" ", "\n  "]);
                parts.push(format!("server {{{by}{}{by}}}\n", shuffled(dice, lines).join(by)));
            }
            let parts = shuffled(dice, parts).concat();
            let start = one(dice, &["", "user www-data;\n"]);
            match chance(dice, 60) {
                true => format!("{start}http {{\n{parts}}}\n"),
                false => format!("{start}{parts}"),
            }
        },
        patterns: &[],
    },
];
