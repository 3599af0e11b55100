//! Causes in texts of which no grammar is known.

use super::{Third, has_twins, numbers};

/// The number of a key, one `key=value` a line: the first.
fn value(input: &str, key: &str) -> Option<i128> {
    let mut values = input.lines().filter_map(|line| line.strip_prefix(key)?.strip_prefix('='));
    values.find_map(|value| value.parse().ok())
}

/// The causes.
pub const PLAIN: &[Third] = &[
    Third {
        name: "plain: the least line is above the greatest line",
        grammar: "",
        input: "name=x\nmin=10\nmax=3\n",
        fails: |input| value(input, "min").zip(value(input, "max")).is_some_and(|(a, b)| a > b),
        failing: &["min=1\nmax=0\n", "max=5\nmin=6\n", "a=b\nmin=100\nc\nmax=20\n"],
        passing: &["min=1\nmax=1\n", "min=3\nmax=10\n", "min=10\n", "max=3\nmin=2\n"],
        patterns: &[],
    },
    Third {
        name: "plain: a level of ten or more in the fast mode",
        grammar: "",
        input: "mode=fast\nname=x\nlevel=15\n",
        fails: |input| {
            let is_fast = input.lines().any(|line| line == "mode=fast");
            is_fast && value(input, "level").is_some_and(|level| level >= 10)
        },
        failing: &["mode=fast\nlevel=10\n", "level=99\nmode=fast\n", "mode=fast\na=b\nlevel=12\n"],
        passing: &["mode=fast\nlevel=9\n", "mode=slow\nlevel=15\n", "level=15\n", "mode=fast\n"],
        patterns: &[],
    },
    Third {
        name: "plain: an odd number of quotes",
        grammar: "",
        input: "say \"one\" and \"two",
        fails: |input| input.matches('"').count() % 2 == 1,
        failing: &["\"", "a\"b", "\"a\"b\"", "x \"\" \" y"],
        passing: &["\"\"", "a \"b\" c", "abc", "\"a\" \"b\""],
        patterns: &["<character but \"\\\"\">*\"<character but \"\\\"\">*"],
    },
    Third {
        name: "plain: a port without a host",
        grammar: "",
        input: "user=me\nport=80\n",
        fails: |input| input.contains("port=") && !input.contains("host="),
        failing: &["port=1", "a\nport=x\nb", "[s]\nport=\n"],
        passing: &["host=a\nport=1", "port=1\nhost=a", "user=x", "por=1"],
        patterns: &[],
    },
    Third {
        name: "plain: a blank before a tab",
        grammar: "",
        input: "if x:\n  \ty = 1\n",
        fails: |input| input.contains(" \t"),
        failing: &[" \t", "a \tb", "x\n \t\ty\n"],
        passing: &["\t ", "  ", "\t\t", "a b"],
        patterns: &["<character>* \t<character>*"],
    },
    Third {
        name: "plain: a line of more than twenty characters",
        grammar: "",
        input: "short\nthis line is longer than the others\nend\n",
        fails: |input| input.lines().any(|line| line.chars().count() > 20),
        failing: &[
            "aaaaaaaaaaaaaaaaaaaaa",
            "x\n0123456789 0123456789 0123\ny",
            "a b c d e f g h i j k l m n",
        ],
        passing: &[
            "aaaaaaaaaaaaaaaaaaaa",
            "x\ny\nz\nx\ny\nz\nx\ny\nz\nx\ny\nz\n",
            "aaaaaaaaaaaaaaa\naaaaaaa",
        ],
        patterns: &[],
    },
    Third {
        name: "plain: a variable that no line sets",
        grammar: "",
        input: "home=1\necho $home\necho $user\n",
        fails: |input| {
            let is_word = |c: char| c.is_ascii_alphabetic() || c == '_';
            input.split('$').skip(1).any(|rest| {
                let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                let name = &rest[..end];
                let is_set =
                    |line: &str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with('='));
                end > 0 && !input.lines().any(is_set)
            })
        },
        failing: &["$x", "a=1\necho $b", "a=1\n$a $c\n"],
        passing: &["x=1\n$x", "a=1\necho $a\n", "echo a", "$ 5"],
        patterns: &[],
    },
    Third {
        name: "plain: two equal lines",
        grammar: "",
        input: "red\ngreen\nblue\ngreen\nblack",
        fails: |input| has_twins(input.lines().filter(|line| !line.is_empty()).collect()),
        failing: &["a\na", "one\ntwo\none", "x y\nz\nx y\nw"],
        passing: &["a\nb", "a a", "ab\na\nb", "x\n\n\ny"],
        patterns: &[],
    },
    Third {
        name: "plain: a range of pages from the back to the front",
        grammar: "",
        input: "see pages 97-12 of it",
        fails: |input| {
            let is_digit = |c: char| c.is_ascii_digit();
            input.match_indices('-').any(|(at, _)| {
                let before = &input[..at];
                let first = before.trim_end_matches(is_digit).len();
                let after = &input[at + 1..];
                let last = after.len() - after.trim_start_matches(is_digit).len();
                let (first, last) = (before[first..].parse(), after[..last].parse());
                matches!((first, last), (Ok::<u64, _>(first), Ok::<u64, _>(last)) if first > last)
            })
        },
        failing: &["2-1", "a 30-7 b", "pages 100-99, 3-4"],
        passing: &["1-2", "5-5", "a-b 3", "9 - 5", "7-9 5-6"],
        patterns: &[],
    },
    Third {
        name: "plain: a month after December",
        grammar: "",
        input: "date: 2024-19-05",
        fails: |input| {
            input.strip_prefix("date: ").is_some_and(|date| {
                let parts: Vec<&str> = date.split('-').collect();
                let is_date = parts.len() == 3
                    && parts.iter().all(|part| numbers(part).len() == 1 && part.len() <= 4);
                is_date && numbers(parts[1]) > vec![12] && numbers(parts[1]).len() == 1
            })
        },
        failing: &["date: 1-13-1", "date: 2000-99-01", "date: 0-100-0"],
        passing: &["date: 2024-12-31", "date: 13-1-13", "2024-19-05"],
        patterns: &[
            "date: <digit>{1,4}-<integer 13..9999>-<digit>{1,4}",
            "date: <integer 0..9999>-<integer 13..9999>-<integer 0..9999>",
        ],
    },
];
