//! Causes in texts without a grammar: settings of a scanner, a log of an orchard, a list of books and
//! a shader.

use crate::draws::{
    above, are_negative_and_fine, around, chance, extras, figure, has_twins, picked, statements,
};
use crate::readers::{is_name, is_shown, is_word, number, signed_decimals};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// The dpi of each page that is to be scanned.
fn resolutions(input: &str) -> Option<Vec<u32>> {
    let (mut list, mut heads, mut all) = ("", Vec::new(), Vec::<(&str, Vec<(&str, &str)>)>::new());
    for line in input.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (key, value) = line.trim_start_matches([' ', '-']).split_once(':')?;
        let value = value.trim();
        (is_name(key) && is_shown(value)).then_some(())?;
        if line.starts_with(key) {
            heads.push(key);
            list = if value.is_empty() { key } else { "" };
            continue;
        }
        if line.starts_with("  - ") {
            all.push((list, Vec::new()));
        }
        let pairs = &mut all.last_mut()?.1;
        let is_new = pairs.iter().all(|(other, _)| *other != key);
        let (indent, rest) = line.split_at_checked(4)?;
        let is_indented = ["  - ", "    "].contains(&indent) && rest.starts_with(key);
        pairs.push(Some((key, value)).filter(|_| is_new && is_indented && !list.is_empty())?);
        (!value.is_empty()).then_some(())?;
    }
    let pages = all.iter().filter(|(list, _)| *list == "pages");
    let dpi = pages.map(|(_, pairs)| {
        let (_, dpi) = pairs.iter().find(|(key, _)| *key == "dpi")?;
        number(dpi)
    });
    dpi.collect::<Option<Vec<u32>>>().filter(|_| !has_twins(&heads))
}

/// How many crates each entry says were sold, and how many were picked.
fn harvests(input: &str) -> Option<Vec<(u32, u32)>> {
    let mut found = Vec::new();
    for line in statements(input, "*") {
        let (day, rest) = line.strip_prefix('[')?.split_once("] ")?;
        let (field, rest) = rest.split_once(": ")?;
        let (counts, note) = rest.split_once(" (").unwrap_or((rest, ")"));
        let note = note.strip_suffix(')')?;
        (is_word(day) && is_name(field) && is_shown(note)).then_some(())?;
        let counts = counts.split(", ").map(|count| {
            let (kind, count) = count.split_once(' ')?;
            Some((Some(kind).filter(|kind| is_word(kind))?, number(count)?))
        });
        let counts: Vec<(&str, u32)> = counts.collect::<Option<_>>()?;
        let kinds: Vec<&str> = counts.iter().map(|(kind, _)| *kind).collect();
        let count =
            |wanted| counts.iter().find(|(kind, _)| *kind == wanted).map(|(_, count)| *count);
        (!has_twins(&kinds)).then_some(())?;
        found.push((count("sold")?, count("picked")?));
    }
    Some(found)
}

/// Whether each book has a date. There is an empty line between two of them.
fn have_dates(input: &str) -> Option<Vec<bool>> {
    let mut found = Vec::new();
    for entry in input.split("\n\n") {
        let mut marks = Vec::new();
        for line in entry.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (mark, value) = line.split_once(' ')?;
            let is_known = ["%A", "%D", "%K", "%N", "%P", "%T"].contains(&mark);
            (is_known && is_shown(value) && !value.is_empty()).then_some(())?;
            (mark == "%A" || !marks.contains(&mark)).then(|| marks.push(mark))?;
        }
        if !marks.is_empty() {
            marks.contains(&"%T").then(|| found.push(marks.contains(&"%D")))?;
        }
    }
    Some(found)
}

/// The numbers of each vec3 of a shader: whether each is negative, and how many decimals it has.
fn vectors(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let mut found = Vec::new();
    for line in statements(input, "//") {
        let line = line.strip_suffix(';')?;
        let (start, value) = line.strip_prefix("uniform ").unwrap_or(line).split_once(" = ")?;
        let (kind, name) = start.split_once(' ')?;
        let count = [("float", 1), ("vec2", 2), ("vec3", 3)];
        let (_, count) = count.iter().find(|(other, _)| *other == kind)?;
        let inner = match kind {
            "float" => value,
            _ => value.strip_prefix(kind)?.strip_prefix('(')?.strip_suffix(')')?,
        };
        let all = inner.split(',').map(|part| signed_decimals(part.trim()));
        let all = all.collect::<Option<Vec<_>>>()?;
        (is_name(name) && all.len() == *count).then_some(())?;
        if kind == "vec3" {
            found.push(all);
        }
    }
    Some(found)
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "thirty-third: plain: scans: a page with a dpi from 400 to 599",
        grammar: "",
        input: concat!(
            "# dpi: 450\nscanner: attic 500\ndpi: 480\n\npages:\n  - title: deed\n    dpi: 600\n",
            "    crop: 420\n  - dpi: 399\n    title: dpi 500\n  - gray: yes\n    dpi: 520\n",
            "    title: map\n  - dpi: 150\ncovers:\n  - title: front\n    dpi: 450\nowner: Ada\n"
        ),
        valid: |input| resolutions(input).is_some(),
        fails: |input| {
            resolutions(input).is_some_and(|all| all.iter().any(|dpi| (400..600).contains(dpi)))
        },
        draw: |dice| {
            let others = [
                "# dpi: 450\n",
                "scanner: attic 500\n",
                "dpi: 480\n",
                "covers:\n  - title: front\n    dpi: 450\n",
                "owner: Ada\n",
            ];
            let mut parts = extras(dice, &others);
            let mut pages = "pages:\n".to_owned();
            for _ in 0..1 + dice.below(4) {
                let mut pairs = extras(dice, &["crop: 420\n", "gray: yes\n", "rotate: 90\n"]);
                pairs.push(format!("dpi: {}\n", around(dice, [400, 599], 27)));
                if chance(dice, 60) {
                    pairs.push(format!("title: {}\n", one(dice, &["deed", "map", "dpi 500"])));
                }
                pages += &format!("  - {}", shuffled(dice, pairs).join("    "));
            }
            parts.push(pages);
            shuffled(dice, parts).join(one(dice, &["", "\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-third: plain: orchard: an entry with more crates sold than picked",
        grammar: "",
        input: concat!(
            "* picked 10, sold 90 last year\n[mon] north: picked 40, sold 12, spoiled 55 (rain)\n",
            "[tue] hill: sold 31, picked 31\n\n[tue] picked: picked 8, spoiled 1, sold 9 (sold 2)\n",
            "[wed] north: picked 25, gifts 30, sold 24\n* sold out\n[fri] hill: sold 0, picked 17\n"
        ),
        valid: |input| harvests(input).is_some(),
        fails: |input| {
            harvests(input).is_some_and(|all| all.iter().any(|(sold, most)| sold > most))
        },
        draw: |dice| {
            let others = ["* picked 10, sold 90 last year\n", "* sold out\n", "\n"];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let picked = [dice.below(10), 10 + dice.below(90), 31][dice.below(3)];
                let mut counts = extras(dice, &["spoiled 55", "gifts 30"]);
                counts.push(format!("picked {picked}"));
                counts.push(format!("sold {}", above(dice, picked, 27)));
                let counts = shuffled(dice, counts).join(", ");
                let day = one(dice, &["mon", "tue", "wed", "fri"]);
                let field = one(dice, &["north", "hill", "picked", "field-40"]);
                let note = one(dice, &["", "", "", " (rain)", " (sold 200)"]);
                lines.push(format!("[{day}] {field}: {counts}{note}\n"));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-third: plain: books: a book without a date (%D)",
        grammar: "",
        input: concat!(
            "# %D 2001\n%T Birds of the Fen\n%A Ada Finch\n%D 1998\n%P 40-52\n\n%D 2011\n",
            "%T On %D and others\n%K date 1998\n\n%A Raj Wren\n%A Bo Heron\n%T A Year of Tides\n",
            "# no date?\n%N see %D 1998\n%P 1998\n\n%T Owls\n%D spring 1987\n"
        ),
        valid: |input| have_dates(input).is_some(),
        fails: |input| have_dates(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let books = joined(dice, count, "\n", |dice| {
                let others = [
                    "%A Ada Finch\n",
                    "%A Raj Wren\n",
                    "%K date 1998\n",
                    "%N see %D 1998\n",
                    "%P 1998\n",
                    "# %D 2001\n",
                ];
                let mut lines = extras(dice, &others);
                let title = one(dice, &["Birds of the Fen", "On %D and others", "Owls"]);
                lines.push(format!("%T {title}\n"));
                if chance(dice, 75) {
                    lines.push(format!("%D {}\n", one(dice, &["1998", "2011", "spring 1987"])));
                }
                shuffled(dice, lines).concat()
            });
            one(dice, &["", "", "# %D 2001\n\n"]).to_owned() + &books
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-third: plain: shader: a vec3 with a negative number and one of exactly three ",
            "decimals"
        ),
        grammar: "",
        input: concat!(
            "// vec3(-1, 0.125, 2)\nuniform float gain = -0.125;\nvec2 at = vec2(-0.375, 4);\n",
            "vec3 sky = vec3(0.5, 1, 2.125);\n\nuniform vec3 sun = vec3(12.375, -1.25, 3);\n",
            "float far = 40.625;\nvec3 fog = vec3(-2, 0.25, 0.0625);\nvec3 up = vec3(0, 1, 0);\n"
        ),
        valid: |input| vectors(input).is_some(),
        fails: |input| {
            vectors(input).is_some_and(|all| all.iter().any(|one| are_negative_and_fine(one)))
        },
        draw: |dice| {
            let others = [
                "// vec3(-1, 0.125, 2)\n",
                "uniform float gain = -0.125;\n",
                "vec2 at = vec2(-0.375, 4);\n",
                "float far = 40.625;\n",
                "vec3 up = vec3(0, 1, 0);\n",
                "\n",
            ];
            let mut lines = extras(dice, &others);
            for name in picked(dice, &["sky", "sun", "fog", "sea"], 4, 0) {
                let start = one(dice, &["", "", "uniform "]);
                let numbers = joined(dice, 3, ", ", figure);
                lines.push(format!("{start}vec3 {name} = vec3({numbers});\n"));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
];
