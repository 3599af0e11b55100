//! Causes in four formats: CSV, sexp, HTTP and URL.

use seedsmith_grammar::Random;
use serde_json::{Value, json};

use super::tokens;
use crate::draws::{around, chance, extras, has_twins, picked};
use crate::readers::{is_digits, is_name, is_shown, items, number};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// How deep each sample of a table was taken, in the column `depth`.
fn depths(input: &str) -> Option<Vec<u32>> {
    let lines = input.lines().filter(|line| !line.trim().is_empty());
    let mut rows = lines.map(|line| line.split(',').map(str::trim).collect::<Vec<&str>>());
    let head = rows.next()?;
    let are_right = head.iter().all(|name| is_name(name)) && !has_twins(&head);
    let column = head.iter().position(|name| *name == "depth").filter(|_| are_right)?;
    let depths = rows.map(|row| {
        let are_right = row.iter().all(|cell| is_shown(cell) && !cell.contains('"'));
        (are_right && row.len() == head.len()).then_some(())?;
        number(row[column])
    });
    depths.collect()
}

/// How deep ands and ors are in each other in a condition.
fn condition_depth(condition: &Value) -> Option<usize> {
    let (kind, inner) = items(condition).split_first()?;
    match (kind.as_str()?, inner) {
        ("not", [inner]) => condition_depth(inner),
        ("not", _) => None,
        ("and" | "or", inner) => {
            let depths: Option<Vec<usize>> = inner.iter().map(condition_depth).collect();
            Some(1 + depths?.into_iter().max().unwrap_or(0))
        }
        (_, inner) => inner.iter().all(Value::is_string).then_some(0),
    }
}

/// How deep they are in the condition of each rule for mails.
fn rules(input: &str) -> Option<Vec<usize>> {
    let mut open = vec![Vec::new()];
    for token in tokens(input, "-_")? {
        match token {
            "(" => open.push(Vec::new()),
            ")" => {
                let list = open.pop()?;
                open.last_mut()?.push(Value::Array(list));
            }
            _ if is_name(token) || number(token).is_some() => open.last_mut()?.push(json!(token)),
            _ => return None,
        }
    }
    let [filters] = &open.pop()?[..] else { return None };
    (open.is_empty() && filters[0] == "filters").then_some(())?;
    let rules = items(filters).iter().filter(|entry| entry[0] == "rule");
    let depths = rules.map(|rule| {
        rule[1].as_str()?;
        (rule[2][0] == "when" && items(&rule[2]).len() == 2).then_some(())?;
        condition_depth(&rule[2][1])
    });
    depths.collect()
}

/// Whether each header `Forwarded` of a request has a proto.
fn have_protos(input: &str) -> Option<Vec<bool>> {
    let (mut lines, mut hosts, mut found) = (input.lines(), 0, Vec::new());
    let mut words = lines.next()?.split(' ');
    let is_method = ["GET", "HEAD", "DELETE"].contains(&words.next()?);
    let is_path = words.next()?.starts_with('/');
    (is_method && is_path && words.eq(["HTTP/1.1"])).then_some(())?;
    for line in lines.by_ref().take_while(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').filter(|_| is_shown(line))?;
        let name = name.to_ascii_lowercase();
        is_name(&name).then_some(())?;
        hosts += usize::from(name == "host");
        if name == "forwarded" {
            let pairs = value.split(';').map(|pair| pair.trim().split_once('='));
            let pairs: Vec<(&str, &str)> = pairs.collect::<Option<_>>()?;
            let keys: Vec<&str> = pairs.into_iter().map(|(key, _)| key).collect();
            let are_known = keys.iter().all(|key| ["by", "for", "host", "proto"].contains(key));
            (are_known && !has_twins(&keys)).then_some(())?;
            found.push(keys.contains(&"proto"));
        }
    }
    // There is no body.
    let is_right = hosts == 1 && lines.next().is_none() && input.ends_with("\n\r\n");
    is_right.then_some(found)
}

/// The tags that a query asks for.
fn tags(input: &str) -> Option<Vec<&str>> {
    let rest = input.strip_prefix("https://").or(input.strip_prefix("http://"))?;
    let (rest, _) = rest.split_once('#').unwrap_or((rest, ""));
    let (place, query) = rest.split_once('?')?;
    let (server, path) = place.split_once('/')?;
    let (host, port) = server.split_once(':').unwrap_or((server, "80"));
    let is_inside = |c: char| c.is_ascii_alphanumeric() || "-._~+/".contains(c);
    let are_names = host.split('.').all(is_name);
    (are_names && is_digits(port) && path.chars().all(is_inside)).then_some(())?;
    let (mut keys, mut found) = (Vec::new(), Vec::new());
    for pair in query.split('&') {
        let (key, value) = pair.split_once('=')?;
        let is_right = value.chars().all(|c| is_inside(c) || c == ',');
        keys.push(Some(key).filter(|key| is_name(key) && is_right)?);
        if key == "tags" {
            found = value.split(',').collect();
        }
    }
    (!has_twins(&keys)).then_some(found)
}

/// A condition in which nothing is deep.
fn test(dice: &mut Random) -> String {
    let tests = ["(from shop)", "(size 40)", "(to me)", "(subject and or)", "(and)", "(list or)"];
    one(dice, &tests).to_owned()
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "thirtieth: csv: a sample whose depth is from 200 to 249",
        grammar: "@csv",
        input: concat!(
            "station,year,depth,pressure,salinity,note\nkara-4,2019,180,183,34.9,calm\n",
            "kara-5,2019,232,236,35.0,200 m of line\nlaptev,2021,250,254,33.2,\n",
            "ob,2021,199,203,12.4,swell\nyenisei,2022,40,41,8.1,depth 215\n"
        ),
        valid: |input| depths(input).is_some(),
        fails: |input| {
            depths(input).is_some_and(|all| all.iter().any(|depth| (200..250).contains(depth)))
        },
        draw: |dice| {
            let with_year = chance(dice, 70);
            let columns = dice.below(3);
            let mut text =
                String::from(if with_year { "station,year,depth" } else { "station,depth" });
            text += ["", ",pressure", ",pressure,note"][columns];
            text += "\n";
            for _ in 0..1 + dice.below(4) {
                text += one(dice, &["kara-4", "laptev", "ob", "200", "depth 215"]);
                if with_year {
                    text += &format!(",{}", [2019, 2021, 225][dice.below(3)]);
                }
                let depth = around(dice, [200, 249], 27);
                text += &format!(",{depth}");
                if columns > 0 {
                    text += &format!(",{}", depth + 1 + dice.below(6));
                }
                if columns > 1 {
                    text += one(dice, &[",", ",calm", ",200 m of line", ",231"]);
                }
                text += "\n";
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirtieth: sexp: ands and ors in each other in a rule, five deep or more",
        grammar: "@sexp",
        input: concat!(
            "(filters (version 3) (folders (in (and (or (and (or (and)))))))\n",
            "  (rule or (when (and (from boss) (or (to me) (list or)))) (flag 1))\n",
            "  (rule shop (when (or (from shop) (and (size 40) (or (and (to me) (not\n",
            "    (or (subject win) (and (list ads) (to all)) (and))))))))\n    (move junk) (stop))\n",
            "  (rule and (when (subject and or)) (move and)))\n"
        ),
        valid: |input| rules(input).is_some(),
        fails: |input| rules(input).is_some_and(|all| all.iter().any(|depth| *depth >= 5)),
        draw: |dice| {
            let mut parts = extras(dice, &["(version 3)", "(folders (and (or (and (or (and))))))"]);
            for _ in 0..1 + dice.below(2) {
                let mut condition = test(dice);
                for _ in 0..1 + dice.below(8) {
                    let kind = one(dice, &["and", "or"]);
                    condition = match dice.below(6) {
                        0 => format!("(not {condition})"),
                        1 | 2 => format!("({kind} {condition} {})", test(dice)),
                        3 => format!("({kind} {} {condition})", test(dice)),
                        _ => format!("({kind} {condition})"),
                    };
                }
                let name = one(dice, &["shop", "or", "and"]);
                let actions = extras(dice, &[" (move junk)", " (flag 1)", " (stop)"]).concat();
                parts.push(format!("(rule {name} (when {condition}){actions})"));
            }
            format!("(filters {})", shuffled(dice, parts).join(" "))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirtieth: http: a Forwarded without a proto",
        grammar: "@http",
        input: concat!(
            "GET /orders/17?proto=https HTTP/1.1\r\nHost: shop.example\r\n",
            "User-Agent: owl/2.1 (proto)\r\nAccept: text/html, */*\r\n",
            "Forwarded: for=10.0.0.7;proto=https;by=edge-2\r\nForwarded: by=proto;for=172.16.4.9\r\n",
            "X-Forwarded: for=10.0.0.9\r\nForwarded: proto=http\r\nX-Proto: https\r\n\r\n"
        ),
        valid: |input| have_protos(input).is_some(),
        fails: |input| have_protos(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let others = [
                "User-Agent: owl/2.1 (proto)\r\n",
                "Accept: text/html, */*\r\n",
                "X-Forwarded: for=10.0.0.9\r\n",
                "X-Proto: https\r\n",
            ];
            let mut headers = extras(dice, &others);
            headers.push("Host: shop.example\r\n".to_owned());
            for _ in 0..1 + dice.below(4) {
                let others = ["by=edge-2", "by=proto", "host=proto.example"];
                let mut pairs = vec![format!("for=10.0.0.{}", dice.below(200))];
                if chance(dice, 50) {
                    pairs.push(one(dice, &others).to_owned());
                }
                if chance(dice, 74) {
                    pairs.push(format!("proto={}", one(dice, &["https", "http", ""])));
                }
                if chance(dice, 10) && pairs.len() > 1 {
                    pairs.remove(0);
                }
                headers.push(format!("Forwarded: {}\r\n", shuffled(dice, pairs).join(";")));
            }
            let path = one(dice, &["/", "/orders/17?proto=https", "/forwarded"]);
            let method = one(dice, &["GET", "HEAD", "DELETE"]);
            format!("{method} {path} HTTP/1.1\r\n{}\r\n", shuffled(dice, headers).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirtieth: url: a query with the same tag twice in its tags",
        grammar: "@url",
        input: concat!(
            "https://books.example:8443/catalog/owl/owl?q=red+owl+owl&lang=en,de,en&year=1998&",
            "tags=poetry,short,owl,signed,short,new&shops=4,17,4&sort=price&similar-tags=new,new&",
            "view=list&page=12#tags=a,a"
        ),
        valid: |input| tags(input).is_some(),
        fails: |input| tags(input).is_some_and(|all| has_twins(&all)),
        draw: |dice| {
            let others = [
                "q=red+owl+owl",
                "lang=en,de,en",
                "year=1998",
                "shops=4,17,4",
                "similar-tags=new,new",
                "sort=price",
            ];
            let mut pairs = extras(dice, &others);
            if chance(dice, 94) {
                let known = ["poetry", "short", "owl", "new", "news", "Owl", "red-owl"];
                pairs.push(format!("tags={}", picked(dice, &known, 6, 54).join(",")));
            }
            pairs.push(format!("page={}", dice.below(40)));
            let query = shuffled(dice, pairs).join("&");
            let host = joined(dice, 2, ".", |dice| format!("s{}", word(dice, 6)));
            let port = one(dice, &["", "", ":8443"]);
            let path = one(dice, &["", "catalog", "catalog/owl/owl"]);
            let end = one(dice, &["", "", "#top", "#tags=a,a"]);
            format!("https://{host}{port}/{path}?{query}{end}")
        },
        patterns: &[],
    },
];
