//! Causes in four formats: INI, SQL, TOML and CSV.

use super::tokens;
use crate::draws::{above, around, chance, counted, extras, has_twins, picked, statements};
use crate::readers::{is_digits, is_free, is_name, is_shown, lowered_tokens, number, sections};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// The quota of each mailbox, which is a section.
fn quotas(input: &str) -> Option<Vec<u32>> {
    let all = sections(input)?;
    let quotas = all[1..].iter().map(|(_, pairs)| {
        let (_, quota) = pairs.iter().find(|(key, _)| *key == "quota")?;
        number(quota)
    });
    quotas.collect()
}

/// The keywords of the queries.
const KEYWORDS: [&str; 11] = [
    "select", "from", "where", "between", "and", "order", "by", "limit", "insert", "into", "values",
];

/// A part of the tokens of a query.
type Tokens<'a, 't> = &'a [&'t str];

/// The range of the condition at the start of some tokens, if it has one, and what comes after it.
fn condition<'a, 't>(all: Tokens<'a, 't>) -> Option<(Option<(u32, u32)>, Tokens<'a, 't>)> {
    let (column, rest) = all.split_first()?;
    is_free(column, &KEYWORDS).then_some(())?;
    match rest {
        ["between", low, "and", high, rest @ ..] => {
            Some((Some((number(low)?, number(high)?)), rest))
        }
        ["=" | "<" | ">", "'", rest @ ..] => {
            let end = rest.iter().position(|token| *token == "'")?;
            Some((None, &rest[end + 1..]))
        }
        ["=" | "<" | ">", value, rest @ ..] => number(value).map(|_| (None, rest)),
        _ => None,
    }
}

/// The numbers of each BETWEEN of some queries.
fn ranges(input: &str) -> Option<Vec<(u32, u32)>> {
    let all = lowered_tokens(input, &KEYWORDS);
    let all: Vec<&str> = all.iter().map(|token| &token[..]).collect();
    let is_column = |token: &str| is_free(token, &KEYWORDS);
    let mut found = Vec::new();
    for query in all.split(|token| *token == ";").filter(|query| !query.is_empty()) {
        if let ["insert", "into", table, "values", "(", values @ .., ")"] = query {
            let mut values = values.split(|token| *token == ",");
            let are_right = values.all(|value| matches!(value, [one] if number(one).is_some()));
            (are_right && is_column(table)).then_some(())?;
            continue;
        }
        let start = query.iter().position(|token| *token == "from")?;
        let columns = query[..start].strip_prefix(&["select"])?;
        let mut columns = columns.split(|token| *token == ",");
        let are_right = columns.all(|part| matches!(part, [one] if *one == "*" || is_column(one)));
        let (table, mut rest) = query[start + 1..].split_first()?;
        (are_right && is_column(table)).then_some(())?;
        let mut before = "where";
        while let Some(after) = rest.strip_prefix(&[before]) {
            let (range, after) = condition(after)?;
            found.extend(range);
            (before, rest) = ("and", after);
        }
        match rest {
            [] => {}
            ["limit", count] => drop(number(count)?),
            ["order", "by", column] => is_column(column).then_some(())?,
            _ => return None,
        }
    }
    Some(found)
}

/// The texts of a list on one line.
fn list(value: &str) -> Option<Vec<&str>> {
    let inner = value.strip_prefix('[')?.strip_suffix(']')?;
    let parts = inner.split(',').filter(|_| !inner.trim().is_empty()).map(str::trim);
    let texts = parts.map(|part| {
        let text = part.strip_prefix('"')?.strip_suffix('"')?;
        text.split('.').all(is_name).then_some(text)
    });
    texts.collect()
}

/// The size of each pool of a balancer, and how many hosts it has.
fn pools(input: &str) -> Option<Vec<(u32, usize)>> {
    let mut tables = vec![("", Vec::new())];
    for line in statements(input, "#") {
        if let Some(head) = line.strip_prefix('[') {
            let head = head.strip_suffix(']')?;
            let is_new = tables.iter().all(|(other, _)| *other != head);
            let name = head.strip_prefix("pools.").unwrap_or(head);
            let is_right = is_new && is_name(name) && head != "pools";
            tables.push((Some(head).filter(|_| is_right)?, Vec::new()));
            continue;
        }
        let (key, value) = line.split_once('=')?;
        let (key, value) = (key.trim_end(), value.trim_start());
        let is_value = match &tokens(value, '"', "")?[..] {
            [one] => number(one).is_some() || one.starts_with('"') || one == "true",
            _ => list(value).is_some(),
        };
        let pairs = &mut tables.last_mut()?.1;
        let is_new = pairs.iter().all(|(other, _)| *other != key);
        pairs.push((Some(key).filter(|key| is_name(key) && is_new && is_value)?, value));
    }
    let pools = tables.iter().filter(|(head, _)| head.starts_with("pools."));
    let pools = pools.map(|(_, pairs)| {
        let value = |wanted| pairs.iter().find(|(key, _)| *key == wanted).map(|(_, value)| *value);
        Some((number(value("size")?)?, list(value("hosts")?)?.len()))
    });
    pools.collect()
}

/// The names of the products of a shop.
fn products(input: &str) -> Option<Vec<&str>> {
    let mut lines = input.strip_suffix('\n').unwrap_or(input).split('\n');
    (lines.next()? == "sku,name,maker,stock").then_some(())?;
    let names = lines.map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let [sku, name, maker, stock] = cells[..] else { return None };
        let are_shown = [sku, name, maker].iter().all(|cell| is_shown(cell) && !cell.is_empty());
        (are_shown && !line.contains('"') && is_digits(stock)).then_some(name)
    });
    names.collect()
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "thirty-second: ini: a mailbox whose quota is from 250 to 499",
        grammar: "@ini",
        input: concat!(
            "domain=owl.example\nquota=300\n\n[anna]\nquota=500\nused=310\nname=Anna\n\n[bo]\n",
            "name=quota 400\nquota=249\n\n[quota]\nused=17\nforward=bo\nquota=320\nwarn=280\n\n",
            "[raj]\nwarn=260\nquota=1000\nname=300\n"
        ),
        valid: |input| quotas(input).is_some(),
        fails: |input| {
            quotas(input).is_some_and(|all| all.iter().any(|mb| (250..500).contains(mb)))
        },
        draw: |dice| {
            let start = extras(dice, &["domain=owl.example\n", "quota=300\n", "\n"]).concat();
            let mut boxes = picked(dice, &["anna", "bo", "quota", "raj"], 4, 0);
            for mailbox in &mut boxes {
                let others = ["used=310\n", "name=quota 400\n", "warn=280\n", "forward=bo\n"];
                let mut lines = extras(dice, &others);
                lines.push(format!("quota={}\n", around(dice, [250, 499], 27)));
                *mailbox = format!("[{mailbox}]\n{}", shuffled(dice, lines).concat());
            }
            format!("{start}{}", boxes.join(one(dice, &["", "\n"])))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-second: sql: a BETWEEN whose first number is above its second",
        grammar: "@sql",
        input: concat!(
            "SELECT name, price FROM plants WHERE price BETWEEN 10 AND 40 ORDER BY price;\n",
            "INSERT INTO beds VALUES (90, 10);\nSELECT * FROM beds;\n",
            "SELECT bed FROM plants WHERE name = 'between 9 and 1' AND height BETWEEN 50 AND 50;\n",
            "SELECT name FROM plants WHERE height > 80 AND age BETWEEN 12 AND 7 AND price < 5;\n",
            "SELECT * FROM seeds WHERE age BETWEEN 0 AND 3 LIMIT 2;\n"
        ),
        valid: |input| ranges(input).is_some(),
        fails: |input| ranges(input).is_some_and(|all| all.iter().any(|(low, high)| low > high)),
        draw: |dice| {
            let others = [
                "INSERT INTO beds VALUES (90, 10);",
                "SELECT * FROM beds;",
                "SELECT bed FROM plants WHERE name = 'between 9 and 1';",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let columns = one(dice, &["*", "name, price", "bed", "name, age, bed"]);
                let table = one(dice, &["plants", "seeds", "beds"]);
                let high = [dice.below(10), 10 + dice.below(90), 50][dice.below(3)];
                let low = above(dice, high, 27);
                let column = one(dice, &["price", "age", "height"]);
                let mut all = extras(dice, &["height > 80", "price < 5", "name = 'fern'"]);
                all.push(format!("{column} BETWEEN {low} AND {high}"));
                let all = shuffled(dice, all).join(" AND ");
                let end = one(dice, &["", "", " ORDER BY price", " LIMIT 2"]);
                parts.push(format!("SELECT {columns} FROM {table} WHERE {all}{end};"));
            }
            let by = one(dice, &[" ", "\n"]);
            shuffled(dice, parts).join(by)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-second: toml: a pool with exactly as many hosts as its size",
        grammar: "@toml",
        input: concat!(
            "# size = 1, hosts = [\"a\"]\nname = \"edge\"\nsize = 3\n\n[pools.web]\nsize = 4\n",
            "hosts = [\"w1\", \"w2\", \"w3\"]\n\n[pools.db]\nbackup = [\"db9.owl.example\"]\n",
            "hosts = [\"db1.owl.example\", \"db2\"]\nretries = 5\nsize = 2\n\n[pools.size]\n",
            "hosts = []\nsize = 1\nlabel = \"size = 0\"\n\n[backup]\nsize = 1\nhosts = [\"b1\"]\n"
        ),
        valid: |input| pools(input).is_some(),
        fails: |input| {
            pools(input).is_some_and(|all| all.iter().any(|(size, count)| *size as usize == *count))
        },
        draw: |dice| {
            let others = ["# size = 1, hosts = [\"a\"]\n", "name = \"edge\"\n", "size = 3\n"];
            let start = extras(dice, &others).concat();
            let mut parts = extras(dice, &["[backup]\nsize = 1\nhosts = [\"b1\"]\n"]);
            for name in picked(dice, &["web", "db", "size", "cache"], 4, 0) {
                let count = dice.below(6);
                let hosts = joined(dice, count, ", ", |dice| {
                    format!("\"{}\"", one(dice, &["w1", "w2", "db1.owl.example", "db2"]))
                });
                let others =
                    ["backup = [\"db9.owl.example\"]\n", "retries = 5\n", "label = \"size = 0\"\n"];
                let mut lines = extras(dice, &others);
                lines.push(format!("size = {}\n", counted(dice, count, 26)));
                lines.push(format!("hosts = [{hosts}]\n"));
                parts.push(format!("[pools.{name}]\n{}", shuffled(dice, lines).concat()));
            }
            let by = one(dice, &["", "\n"]);
            format!("{start}{}", shuffled(dice, parts).join(by))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-second: csv: two products of the same name",
        grammar: "@csv",
        input: concat!(
            "sku,name,maker,stock\na-17,kettle,Finch,40\na-18,teapot,Finch,12\nb-2,Finch,Wren,40\n",
            "a-17,mug,Heron,0\nb-4,teapots,Wren,7\nc-1,teapot,Heron,12\nc-2,mug 2,mug,3\n"
        ),
        valid: |input| products(input).is_some(),
        fails: |input| products(input).is_some_and(|names| has_twins(&names)),
        draw: |dice| {
            let known = ["kettle", "teapot", "teapots", "mug", "Mug", "mug 2", "Finch"];
            let mut text = "sku,name,maker,stock\n".to_owned();
            for name in picked(dice, &known, 6, 50) {
                let sku = one(dice, &["a-17", "a-18", "b-2", "b-4", "c-1", "c-2", "mug"]);
                let maker = one(dice, &["Finch", "Wren", "Heron", "mug"]);
                let stock = [0, 12, 40, dice.below(100)][dice.below(4)];
                text += &format!("{sku},{name},{maker},{stock}\n");
            }
            if chance(dice, 20) {
                text.pop();
            }
            text
        },
        patterns: &[],
    },
];
