//! Causes in texts without a grammar, and one in binary data.

use seedsmith_grammar::Random;

use super::{
    accented, are_both, are_doubled, asides, chosen, differ, exceeding, happens, lines, sizes,
    stated,
};
use crate::readers::{is_digits, is_name, is_shown, is_word, number, records, text_of};
use crate::two_sided::{TwoSided, any, joined, one, shuffled};

/// The number of each step of a build, and how many steps it has. Other lines are not looked at.
fn build_steps(input: &str) -> Vec<(u32, u32)> {
    let steps = input.lines().filter_map(|line| {
        let (step, _) = line.strip_prefix('[')?.split_once(']')?;
        let (step, all) = step.split_once('/')?;
        Some((number(step.trim_start())?, number(all)?))
    });
    steps.collect()
}

/// The types of the records of a song; nothing if one is none of the five.
fn song(input: &str) -> Option<Vec<u8>> {
    let all = records(input.strip_prefix("SONG")?)?;
    all.into_iter().map(|(kind, _)| (1..=5).contains(&kind).then_some(kind)).collect()
}

/// Who sends each message of a diagram, and to whom. It has also participants and notes.
fn messages(input: &str) -> Option<Vec<(&str, &str)>> {
    let mut found = Vec::new();
    for line in lines(input, "%%") {
        let head = line.split(':').next()?;
        let words: Vec<&str> = head.split_whitespace().collect();
        match words[..] {
            ["participant", name] | ["note", "over" | "by", name] if is_word(name) => {}
            [from, "->" | "-->", to] if is_word(from) && is_word(to) => found.push((from, to)),
            _ => return None,
        }
    }
    Some(found)
}

/// The tags of the headings of an outline, which are at the end of their lines.
fn tags(input: &str) -> Vec<&str> {
    let is_tag = |tag: &str| {
        !tag.is_empty() && tag.chars().all(|c| c.is_alphanumeric() || "_@#%".contains(c))
    };
    let headings = input.lines().filter(|line| {
        let text = line.trim_start_matches('*');
        text != *line && text.starts_with(' ')
    });
    let lists = headings.filter_map(|line| {
        let (_, last) = line.trim_end().rsplit_once(' ')?;
        let list = last.strip_prefix(':')?.strip_suffix(':')?;
        list.split(':').all(is_tag).then_some(list)
    });
    lists.flat_map(|list| list.split(':')).collect()
}

/// Whether a number is negative, and whether it has an exponent; nothing if it is none, or zero with
/// a minus.
fn coordinate(text: &str) -> Option<(bool, bool)> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = digits.split_once('e').unwrap_or((digits, "0"));
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let exponent = exponent.strip_prefix('-').unwrap_or(exponent);
    let is_right = [whole, decimals, exponent].iter().all(|part| is_digits(part));
    let is_zero = mantissa.chars().all(|c| "0.".contains(c));
    let is_negative = digits != text;
    (is_right && !(is_negative && is_zero)).then_some((is_negative, digits.contains('e')))
}

/// The coordinates of each atom of a molecule. A line may be a bond between two atoms instead.
fn atoms(input: &str) -> Option<Vec<Vec<(bool, bool)>>> {
    let mut found = Vec::new();
    for line in lines(input, "#") {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["bond", from, to] => drop((number(from)?, number(to)?)),
            ["atom", element, x, y, z] if element.chars().all(|c| c.is_ascii_alphanumeric()) => {
                found.push([x, y, z].into_iter().map(coordinate).collect::<Option<_>>()?);
            }
            _ => return None,
        }
    }
    Some(found)
}

/// How many slots each ring has, and how many of them are used.
fn rings(input: &str) -> Option<Vec<(u32, usize)>> {
    let mut found = Vec::new();
    for line in lines(input, "#") {
        if let Some(head) = line.strip_prefix("ring ") {
            let (name, size) = head.split_once('(')?;
            let size = number(size.strip_suffix("slots)")?.trim())?;
            found.push(Some((size, 0)).filter(|_| is_name(name.trim()))?);
        } else {
            let (key, values) = line.split_once(':')?;
            let values: Vec<&str> = values.split_whitespace().collect();
            let last = found.last_mut()?;
            (is_name(key) && values.iter().all(|value| is_digits(value))).then_some(())?;
            last.1 += if key == "used" { values.len() } else { 0 };
        }
    }
    Some(found)
}

/// The owners of each path in a list.
fn owners(input: &str) -> Option<Vec<Vec<&str>>> {
    let rules = lines(input, "#").map(|line| {
        let mut words = line.split_whitespace();
        is_shown(words.next()?).then_some(())?;
        words.map(|word| word.strip_prefix('@').filter(|name| is_name(name))).collect()
    });
    rules.collect()
}

/// How many channels the rows of each pattern of a song have.
fn channels(input: &str) -> Option<Vec<Vec<usize>>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    for line in lines(input, ";") {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["pattern", name] => found.push(number(name).map(|_| Vec::new())?),
            ["speed" | "order", ..] if words[1..].iter().all(|word| is_digits(word)) => {}
            _ => {
                let are_right = line.split('|').all(|cell| {
                    let cell = cell.trim();
                    cell == "---"
                        || (cell.starts_with(|c| ('A'..='G').contains(&c)) && cell.len() > 2)
                });
                (are_right && is_shown(line)).then_some(())?;
                found.last_mut()?.push(line.split('|').count());
            }
        }
    }
    Some(found)
}

/// A number of a molecule.
fn measure(dice: &mut Random) -> String {
    let whole = [0, 1 + dice.below(9), 10 + dice.below(60)][dice.below(3)];
    let number = format!("{whole}.{}{}", dice.below(10), 1 + dice.below(9));
    match dice.below(9) {
        0 | 1 => format!("-{number}"),
        2 => format!("{number}e{}", 1 + dice.below(5)),
        3 => format!("{number}e-{}", 1 + dice.below(12)),
        4 => one(dice, &["0", "0.0", "-2.5e2", "3", "-1"]).to_owned(),
        _ => number,
    }
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "twenty-ninth: plain: build log: a step with a number above that of all steps",
        grammar: "",
        input: concat!(
            "build started, 9/4 jobs\n[1/12] configure\n[2/12] compile owl.c\n  note: [8/3] unused\n",
            "[12/12] link owl\n\n[13/12] compile late/2/1.c\nwarning: 2 of 1\n[done] 13/12\n"
        ),
        valid: any,
        fails: |input| build_steps(input).iter().any(|(step, all)| step > all),
        draw: |dice| {
            let others =
                ["build started, 9/4 jobs\n", "  note: [8/3] unused\n", "\n", "[done] 3/2\n"];
            let mut all = asides(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let most = [dice.below(12), 1 + dice.below(300), 10][dice.below(3)];
                let step = exceeding(dice, most, 25);
                let action = one(dice, &["configure", "compile owl.c", "link 2/1", "late/9/4.c"]);
                all.push(format!("[{step}/{most}] {action}\n"));
            }
            shuffled(dice, all).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-ninth: plain: binary: a song without a record of its tempo (of type 2)",
        grammar: "",
        input: concat!(
            "SONG\u{1}\u{8}Low Tide\u{3}\u{5}\u{2}\u{1}\u{78}\u{2}\u{3c}\u{4}\u{0}\u{3}\u{3}\u{40}",
            "\u{43}\u{7f}\u{5}\u{2}\u{2}\u{1}"
        ),
        valid: |input| song(input).is_some(),
        fails: |input| song(input).is_some_and(|kinds| !kinds.contains(&2)),
        draw: |dice| {
            let count = dice.below(5);
            let mut all: Vec<String> = Vec::new();
            for _ in 0..count {
                let data = [vec![2, 1, 120], vec![], vec![64, 67, 127, 2], vec![2], vec![60, 2, 2]];
                let data = &data[dice.below(5)];
                let kind = [1, 3, 3, 4, 5][dice.below(5)];
                all.push(text_of(&[&[kind, data.len() as u8], &data[..]].concat()));
            }
            if happens(dice, 50) {
                let tempo = [text_of(&[2, 1, 120]), text_of(&[2, 2, 1, 44]), text_of(&[2, 0])];
                all.push(tempo[dice.below(3)].clone());
            }
            format!("SONG{}", shuffled(dice, all).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-ninth: plain: diagram: a message from someone to the same one",
        grammar: "",
        input: concat!(
            "%% shop -> shop\nparticipant buyer\nparticipant shop\nbuyer -> shop: order for buyer\n",
            "note over shop: shop -> shop\nshop -> bank: charge, or shop\nbank --> bank: check\n\n",
            "bank --> shop: paid\nshop --> buyer: done\nnote by bank: bank\n"
        ),
        valid: |input| messages(input).is_some(),
        fails: |input| messages(input).is_some_and(|all| all.iter().any(|(from, to)| from == to)),
        draw: |dice| {
            let others = [
                "%% shop -> shop\n",
                "participant shop\n",
                "note over shop: shop -> shop\n",
                "note by bank: bank\n",
            ];
            let mut all = asides(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let names = chosen(dice, &["buyer", "shop", "bank", "shops"], 1, 25);
                let other = one(dice, &["mail", "bank", "sho"]).to_owned();
                let [from, to] = [&names[0], names.get(1).unwrap_or(&other)];
                let text = one(dice, &["order", "shop -> shop", "paid", "for buyer"]);
                all.push(format!("{from} {} {to}: {text}\n", one(dice, &["->", "-->"])));
            }
            shuffled(dice, all).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-ninth: plain: outline: a heading with a tag that has a character that is not ASCII",
        grammar: "",
        input: concat!(
            "#+title: Gärten :größe:\n* TODO Büro aufräumen :home:\n  See the :übung: and the notes.\n",
            "** Buy Äpfel, 2 kg    :garden:größe:\n*** DONE Call zoë :phone:2024:\n- Ärger :é:\n",
            "* Plan: näher\n*née :née:\n"
        ),
        valid: any,
        fails: |input| tags(input).iter().any(|tag| !tag.is_ascii()),
        draw: |dice| {
            let others =
                ["- Ärger :é:\n", "  See the :übung: here\n", "*née :née:\n", "#+title: Ü\n"];
            let mut all = asides(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let mut tags = chosen(dice, &["home", "garden", "2024", "@phone"], 3, 0);
                tags.truncate(dice.below(4));
                if happens(dice, 22) {
                    tags.insert(dice.below(tags.len() + 1), accented(dice));
                }
                let stars = one(dice, &["*", "**", "***"]);
                let title = one(dice, &["Büro", "TODO Call zoë", "Plan: x", "DONE Äpfel, 2 kg"]);
                let tags = match tags.is_empty() {
                    true => one(dice, &["", " an:der:Ü", " näher"]).to_owned(),
                    false => format!("{}:{}:", one(dice, &[" ", "    "]), tags.join(":")),
                };
                all.push(format!("{stars} {title}{tags}\n"));
            }
            shuffled(dice, all).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-ninth: plain: molecule: an atom with a coordinate with an exponent and a negative one",
        grammar: "",
        input: concat!(
            "# atom X -1.5 2e3 0\natom C1 0.0 1.25 -0.75\natom C2 1.5e-3 0.12 2.8\n\n",
            "atom O 4.02e2 0.5 -1.31\natom H1 3.75 12.5 0.01\nbond 1 2\nbond 2 3\natom e2 -7.5 -0.25 1\n"
        ),
        valid: |input| atoms(input).is_some(),
        fails: |input| atoms(input).is_some_and(|all| all.iter().any(|atom| are_both(atom))),
        draw: |dice| {
            let mut all = asides(dice, &["# atom X -1.5 2e3 0\n", "bond 1 2\n", "\n"]);
            for _ in 0..1 + dice.below(3) {
                let element = one(dice, &["C1", "O", "H1", "e2"]);
                all.push(format!("atom {element} {}\n", joined(dice, 3, " ", measure)));
            }
            shuffled(dice, all).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-ninth: plain: ring: a ring with exactly as many slots used as it has",
        grammar: "",
        input: concat!(
            "# ring old (2 slots)\nring rx0 (8 slots)\n  used: 3 4 5\n  next: 6\nring tx0 (4 slots)\n",
            "  free: 9\n  used: 0 1 2 3\n  next: 0\n\nring rx-3 (3 slots)\nring tx1 (2 slots)\n",
            "  free: 0 1\n  used:\n"
        ),
        valid: |input| rings(input).is_some(),
        fails: |input| {
            let all = rings(input).unwrap_or_default();
            all.iter().any(|(size, used)| *size as usize == *used)
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "", |dice| {
                let count = dice.below(7);
                let first = dice.below(30);
                let used: String = (first..first + count).map(|id| format!(" {id}")).collect();
                let mut all = asides(dice, &["  next: 6\n", "  free: 0 1\n", "# used: 2\n"]);
                all.push(format!("  used:{used}\n"));
                let name = one(dice, &["rx0", "tx0", "rx-3", "used"]);
                let size = stated(dice, count, 28);
                format!("ring {name} ({size} slots)\n{}", shuffled(dice, all).concat())
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-ninth: plain: owners: a path with the same owner twice",
        grammar: "",
        input: concat!(
            "# docs @ann @ann\n*.md @ann @bo\n\nsrc/@bo/@bo.c @bo @cy-2\n",
            "src/net/ @cy @eve @ann @cy\ntests/ @dee\n  old/@ann/*  @ann\nLICENSE\n"
        ),
        valid: |input| owners(input).is_some(),
        fails: |input| owners(input).is_some_and(|all| all.iter().any(|one| are_doubled(one))),
        draw: |dice| {
            let mut all = asides(dice, &["# docs @ann @ann\n", "\n", "LICENSE\n"]);
            for _ in 0..1 + dice.below(4) {
                let path = one(dice, &["*.md", "src/net/", "src/@bo/@bo.c", "ann/", "tests/"]);
                let known = ["@ann", "@bo", "@cy", "@cy-2", "@eve"];
                let owners = chosen(dice, &known, 4, 25).join(one(dice, &[" ", " ", "  "]));
                all.push(format!("{path} {owners}\n"));
            }
            shuffled(dice, all).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-ninth: plain: tracker: a pattern whose rows do not all have the same number of channels",
        grammar: "",
        input: concat!(
            "; A-1 | B-2\nspeed 6\norder 0 1 0 2\npattern 0\nC-4 01 | --- | E-3 02\n--- | G#3 | ---\n",
            "pattern 1\nA-2 04 | C-5\nA-2 | --- | F-4 11\n\nB-2 | D-5\npattern 2\nC-3\npattern 3\n"
        ),
        valid: |input| channels(input).is_some(),
        fails: |input| channels(input).is_some_and(|all| all.iter().any(|rows| differ(rows))),
        draw: |dice| {
            let mut text =
                asides(dice, &["; A-1 | B-2\n", "speed 6\n", "order 0 1 0 2\n"]).concat();
            for name in 0..1 + dice.below(3) {
                text += &format!("pattern {name}\n");
                for size in sizes(dice, 42) {
                    text += &joined(dice, size, " | ", |dice| {
                        one(dice, &["---", "C-4", "G#3", "A-2 04", "E-3 12"]).to_owned()
                    });
                    text += one(dice, &["\n", "\n", "\n", "\n\n"]);
                }
            }
            text
        },
        patterns: &[],
    },
];
