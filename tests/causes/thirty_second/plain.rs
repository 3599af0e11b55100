//! Causes in texts without a grammar: a template, a list of tasks, a ledger and a timetable.

use crate::draws::{are_negative_and_fine, chance, extras, figure, foreign, statements, steps};
use crate::readers::{are_in_order, is_digits, is_name, is_shown, number, signed_decimals};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// How deep ifs and fors are in each other in a template for letters.
fn block_depth(input: &str) -> Option<usize> {
    let (mut rest, mut open, mut deepest) = (input, Vec::<&str>::new(), 0);
    while let Some(size) = rest.find(['{', '}']) {
        let (start, after) = rest[size..].split_at_checked(2)?;
        let end = match start {
            "{{" => "}}",
            "{#" => "#}",
            "{%" => "%}",
            _ => return None,
        };
        let (inner, after) = after.split_once(end)?;
        let words: Vec<&str> = inner.split_whitespace().collect();
        match (start, &words[..]) {
            ("{#", _) => {}
            ("{{", [name]) if is_name(name) => {}
            ("{%", ["if", name]) if is_name(name) => open.push("if"),
            ("{%", ["for", name, "in", all]) if is_name(name) && is_name(all) => open.push("for"),
            ("{%", ["block", name]) if is_name(name) => open.push("block"),
            ("{%", [word]) => (open.pop()? == word.strip_prefix("end")?).then_some(())?,
            _ => return None,
        }
        deepest = deepest.max(open.iter().filter(|name| **name != "block").count());
        rest = after;
    }
    open.is_empty().then_some(deepest)
}

/// The projects of all tasks. Each task is done (x) or has a priority.
fn projects(input: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    for line in input.lines().filter(|line| !line.is_empty()) {
        let (mark, task) = line.split_once(' ')?;
        let is_priority = matches!(mark.as_bytes(), [b'(', b'A'..=b'Z', b')']);
        (mark == "x" || is_priority).then_some(())?;
        let projects = task.split(' ').filter_map(|word| word.strip_prefix('+'));
        found.extend(projects.filter(|name| !name.is_empty()));
    }
    Some(found)
}

/// The amounts of each transaction: whether each is negative, and how many decimals it has.
fn transactions(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let mut found: Vec<Vec<(bool, usize)>> = Vec::new();
    let is_date = |text: &str| {
        let parts: Vec<&str> = text.split('-').collect();
        parts.len() == 3 && parts.iter().all(|part| is_digits(part))
    };
    for line in input.lines().filter(|line| !line.is_empty() && !line.starts_with(';')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match &words[..] {
            [account, amount, "EUR" | "USD"] if line.starts_with(' ') => {
                account.split(':').all(is_name).then_some(())?;
                found.last_mut()?.push(signed_decimals(amount)?);
            }
            ["rate", date, "EUR" | "USD", rate] if is_date(date) => drop(signed_decimals(rate)?),
            [date, _, ..] if is_date(date) && !line.starts_with(' ') => found.push(Vec::new()),
            _ => return None,
        }
    }
    Some(found)
}

/// Where each train stops.
fn stops(input: &str) -> Option<Vec<Vec<&str>>> {
    let mut found: Vec<Vec<&str>> = Vec::new();
    for line in statements(input, "--") {
        if let Some(rest) = line.strip_prefix("train ") {
            number(rest.split(' ').next()?)?;
            found.push(Vec::new());
        } else if let Some(note) = line.strip_prefix("note: ") {
            is_shown(note).then_some(())?;
        } else {
            let (time, place) = line.split_once(' ')?;
            let (hour, minute) = time.split_once(':')?;
            let is_time = [hour, minute].iter().all(|part| is_digits(part) && part.len() == 2);
            found.last_mut()?.push(Some(place).filter(|name| is_time && is_name(name))?);
        }
    }
    Some(found)
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "thirty-second: plain: letter: ifs and fors in each other, four deep or more",
        grammar: "",
        input: concat!(
            "{# if for if for #}\nDear {{ name }},\n\n{% block body %}\n{% if late %}\n",
            "Please pay if you can:\n{% for bill in bills %}\n- {{ bill }}\n{% block fees %}\n",
            "{% for fee in fees %}\n  {% if high %}fee: {{ fee }}{% endif %}\n{% endfor %}\n",
            "{% endblock %}\n{% endfor %}\n{% endif %}\n{% endblock %}\n",
            "{% if vip %}{% for gift in gifts %}{{ gift }}, {% endfor %}{% endif %}\n",
            "Waiting for you,\n{{ sender }}\n"
        ),
        valid: |input| block_depth(input).is_some(),
        fails: |input| block_depth(input).is_some_and(|depth| depth >= 4),
        draw: |dice| {
            let others = [
                "{# if for if for #}\n",
                "Dear {{ name }},\n",
                "{% block a %}\n{% block b %}{{ sender }}{% endblock %}\n{% endblock %}\n",
                "{% if vip %}{% for gift in gifts %}{{ gift }}{% endfor %}{% endif %}\n",
                "Please pay if you can:\n",
            ];
            let mut parts = extras(dice, &others);
            let mut text = one(dice, &["{{ fee }}", "fee", "if you can"]).to_owned();
            for _ in 0..2 + dice.below(6) {
                let (start, end) = match dice.below(7) {
                    0 => (one(dice, &["block body", "block fees"]), "endblock"),
                    1..4 => (one(dice, &["if late", "if high"]), "endif"),
                    _ => (one(dice, &["for fee in fees", "for bill in bills"]), "endfor"),
                };
                let before = one(dice, &["", "", "\n", "\n- {{ bill }}\n"]);
                let after = one(dice, &["", "", "\n", " for you\n"]);
                text = format!("{{% {start} %}}{before}{text}{after}{{% {end} %}}");
            }
            parts.push(text + "\n");
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-second: plain: tasks: a project with a character that is not ASCII",
        grammar: "",
        input: concat!(
            "(A) 2024-05-02 Call Zoë about the fence +garden @phone\n",
            "x 2024-05-01 Buy 3½ m of rope +boat @café\n(C) Ask the Müllers +street-party\n\n",
            "(B) Book a table at 8 +noël-2024 @home\nx Tidy up – again @büro\n",
            "(D) Sell the old bike 20 € + lock due:2024-06-01 +garage\n"
        ),
        valid: |input| projects(input).is_some(),
        fails: |input| projects(input).is_some_and(|all| all.iter().any(|name| !name.is_ascii())),
        draw: |dice| {
            let count = 1 + dice.below(5);
            let line = |dice: &mut _| {
                let mark = one(dice, &["(A)", "(B)", "(D)", "x"]);
                let date = one(dice, &["", "", " 2024-05-02"]);
                let start =
                    one(dice, &["Call Zoë", "Buy rope", "Tidy up – again", "Sell it + lock"]);
                let mut words = extras(dice, &[" @phone", " @café", " 20 €", " due:2024-06-01"]);
                if chance(dice, 85) {
                    let name = if chance(dice, 28) { foreign(dice) } else { word(dice, 6) };
                    words.push(format!(" +{name}{}", one(dice, &["", "", "-2024"])));
                }
                let words = shuffled(dice, words).concat();
                format!("{mark}{date} {start}{words}\n{}", one(dice, &["", "", "", "\n"]))
            };
            joined(dice, count, "", line)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-second: plain: ledger: a transaction with a negative amount and one of exactly ",
            "three decimals"
        ),
        grammar: "",
        input: concat!(
            "; checked until -0.125\nrate 2024-05-01 EUR 1.085\n\n2024-05-01 Corner shop -1.250\n",
            "    expenses:food      12.5 EUR\n    assets:cash        -12.5 EUR\n\n",
            "2024-05-03 Fuel\n    expenses:car       40 EUR\n    expenses:fee       0.375 EUR\n",
            "    assets:bank        -40.38 EUR\n; twice?\n2024-05-04 Salary\n",
            "    assets:bank        2100.125 USD\n    income:job         2100 USD\n"
        ),
        valid: |input| transactions(input).is_some(),
        fails: |input| {
            transactions(input).is_some_and(|all| all.iter().any(|one| are_negative_and_fine(one)))
        },
        draw: |dice| {
            let others = [
                "; checked until -0.125\n",
                "rate 2024-05-01 EUR 1.085\n",
                "rate 2024-05-02 USD -0.125\n",
                "\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let title = one(dice, &["Corner shop", "Fuel -1.250", "Salary"]);
                let count = 1 + dice.below(4);
                let postings = joined(dice, count, "", |dice| {
                    let name =
                        one(dice, &["expenses:food", "assets:bank", "income", "expenses:car"]);
                    let by = one(dice, &[" ", "      "]);
                    let currency = one(dice, &["EUR", "USD"]);
                    format!("    {name}{by}{} {currency}\n", figure(dice))
                });
                parts.push(format!("2024-05-0{} {title}\n{postings}", 1 + dice.below(9)));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-second: plain: trains: one that stops at york, then at leeds, and then at hull",
        grammar: "",
        input: concat!(
            "-- york, leeds, hull\ntrain 512 daily\n  07:02 london\n  08:55 leeds\n  09:20 york\n",
            "  10:15 hull\nnote: york to leeds to hull by bus\n\ntrain 77 sundays\n  06:10 durham\n",
            "  07:00 york\n  07:25 selby\n  07:50 leeds\n  08:30 goole\n  09:05 hull\n  09:40 beverley\n",
            "\ntrain 8 york\n  11:00 leeds\n  12:00 hull\ntrain 9\nnote: no service\n"
        ),
        valid: |input| stops(input).is_some(),
        fails: |input| {
            let all = stops(input).unwrap_or_default();
            all.iter().any(|places| are_in_order(places, &["york", "leeds", "hull"]))
        },
        draw: |dice| {
            let others = ["-- york, leeds, hull\n", "note: york to leeds to hull by bus\n", "\n"];
            let mut parts = extras(dice, &others);
            for at in 0..1 + dice.below(3) {
                let others = ["london", "selby", "goole", "york", "hull", "new-york"];
                let places = match at {
                    0 => steps(dice, ["york", "leeds", "hull"], &others),
                    _ => (0..dice.below(4)).map(|_| one(dice, &others)).collect(),
                };
                let when = one(dice, &["", "", " daily", " sundays", " york"]);
                let mut text = format!("train {}{when}\n", 1 + dice.below(600));
                for (hour, place) in places.iter().enumerate() {
                    text += &format!("  {:02}:{:02} {place}\n", 6 + hour, dice.below(60));
                }
                parts.push(text);
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
];
