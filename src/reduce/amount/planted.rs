//! Planted recursions that are too deep, of many notations, reduced by the default strategy: each
//! has to end at the least depth that fails, in few tests.

use crate::reduce::testing::{Found, reduce_by};
use crate::reduce::{Cause, Options, Polish, minimize};

/// The depth at which the planted recursions fail.
const LIMIT: usize = 700;

/// Minimizes `input`, which has to nest [`LIMIT`] levels by `depth`, and checks that the result
/// nests at most 2 % deeper than is needed and took less than 9,000 tests.
fn minimized(input: &[u8], depth: fn(&[u8]) -> Option<usize>) -> Found {
    let options = Options { cause: Cause::Amount, polish: Polish::Tests(0), ..Options::default() };
    let fails = move |bytes: &[u8]| depth(bytes).is_some_and(|depth| depth >= LIMIT);
    let mut costs = Vec::new();
    let found = reduce_by(input, fails, |search| {
        minimize(search, &options)?;
        let expensive = search.stats().iter().filter(|one| one.counts.tests > 100);
        costs.extend(expensive.map(|one| (one.reducer.clone(), one.counts.tests, one.bytes_after)));
        Ok(())
    });
    let deep = depth(&found.best).unwrap();
    let shown = String::from_utf8_lossy(&found.best).chars().take(200).collect::<String>();
    assert!(deep * 100 <= LIMIT * 102, "{deep} levels, {} tests: {shown}", found.tests);
    assert!(found.tests < 9000, "{} tests, {costs:?}: {shown}", found.tests);
    found
}

/// How deep a document of arrays, objects and numbers nests; `None` if it is none.
fn strict_depth(text: &[u8]) -> Option<usize> {
    let mut open: Vec<u8> = Vec::new();
    let (mut deepest, mut at) = (0, 0);
    let mut wants_value = true;
    while let Some(byte) = text.get(at) {
        at += 1;
        match (byte, wants_value) {
            (b' ' | b'\n', _) => {}
            (b'[', true) => open.push(b']'),
            (b'{', true) => {
                let key = text[at..].iter().position(|byte| *byte == b':')?;
                let is_key = text[at..at + key]
                    .iter()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'"' | b'_'));
                if !is_key || key < 2 || text[at] != b'"' || text[at + key - 1] != b'"' {
                    return None;
                }
                at += key + 1;
                open.push(b'}');
            }
            (b'0'..=b'9', true) => {
                wants_value = text.get(at).is_some_and(u8::is_ascii_digit);
            }
            (b']' | b'}', _) if open.pop() == Some(*byte) => wants_value = false,
            (b',', false) if open.last() == Some(&b']') => wants_value = true,
            _ => return None,
        }
        deepest = deepest.max(open.len());
    }
    open.is_empty().then_some(deepest)
}

#[test]
fn brackets_that_take_turns_with_text_between() {
    let open: String = (0..1500).map(|level| format!("[{level}, 17, {{\"key{level}\": ")).collect();
    let input = format!("[1, [2, 3],\n{open}0{}, 5]\n", "}, 4]".repeat(1500));
    let found = minimized(input.as_bytes(), strict_depth);
    assert!(found.best.len() <= 2 * LIMIT + 8, "{} bytes", found.best.len());
}

#[test]
fn brackets_that_are_never_closed() {
    fn depth(text: &[u8]) -> Option<usize> {
        // Gives up at the first sign that it doesn't know.
        let known = text.iter().take_while(|byte| b"[x, \n\"".contains(byte));
        Some(known.filter(|byte| **byte == b'[').count())
    }
    let input = "[\"xx\", ".repeat(2000) + "\n# and so on\n";
    assert_eq!(minimized(input.as_bytes(), depth).best, "[".repeat(LIMIT).as_bytes());
}

#[test]
fn words_that_begin_and_end() {
    fn depth(text: &[u8]) -> Option<usize> {
        let text = std::str::from_utf8(text).ok()?;
        let body = text.strip_prefix("program p;\n")?.strip_suffix('.')?;
        let (mut depth, mut deepest) = (0_usize, 0);
        for word in body.split_whitespace() {
            match word {
                "begin" => depth += 1,
                "end" | "end;" => depth = depth.checked_sub(1)?,
                word if word.ends_with(';') => {}
                _ => return None,
            }
            deepest = deepest.max(depth);
        }
        (depth == 0).then_some(deepest)
    }
    let open: String = (0..1500).map(|level| format!("begin\n  x{level}:=1;\n")).collect();
    let input = format!("program p;\n{open}{}.", "end;\ny:=2;\n".repeat(1500));
    minimized(input.as_bytes(), depth);
}

#[test]
fn tags_with_names_and_attributes() {
    fn depth(text: &[u8]) -> Option<usize> {
        let text = std::str::from_utf8(text).ok()?;
        let mut rest = text.strip_prefix("<?xml?>")?;
        let mut open = Vec::new();
        let mut deepest = 0;
        while let Some(at) = rest.find('<') {
            let (tag, behind) = rest[at + 1..].split_once('>')?;
            match tag.strip_prefix('/') {
                Some(name) if open.pop() == Some(name) => {}
                Some(_) => return None,
                None => open.push(tag.split(' ').next().filter(|name| !name.is_empty())?),
            }
            deepest = deepest.max(open.len());
            rest = behind;
        }
        open.is_empty().then_some(deepest)
    }
    let names = ["alpha", "beta", "gamma", "delta", "omega", "section", "item"];
    let name = |level: usize| names[level * level % 7];
    let open: String =
        (0..1200).map(|level| format!("<{} id=\"{level}\">text {level}", name(level))).collect();
    let close: String = (0..1200).rev().map(|level| format!("</{}>\n", name(level))).collect();
    minimized(format!("<?xml?>\n<doc>{open}{close}</doc>").as_bytes(), depth);
}

#[test]
fn records_with_lengths() {
    fn depth(bytes: &[u8]) -> Option<usize> {
        let mut deepest = 0;
        let mut inside = vec![(bytes, 0)];
        while let Some((mut rest, depth)) = inside.pop() {
            deepest = deepest.max(depth);
            while let [tag, high, low, behind @ ..] = rest {
                let (body, next) =
                    behind.split_at_checked(usize::from(*high) << 8 | usize::from(*low))?;
                if *tag == 0xA5 {
                    inside.push((body, depth + 1));
                }
                rest = next;
            }
            if !rest.is_empty() {
                return None;
            }
        }
        Some(deepest)
    }
    let record = |tag: u8, body: &[u8]| {
        [&[tag, (body.len() >> 8) as u8, body.len() as u8][..], body].concat()
    };
    let mut input = record(0x01, b"core");
    for level in 0..1500_usize {
        let before = record(0x02, &level.to_be_bytes()[6..]);
        input = record(0xA5, &[before, input, record(0x03, b"")].concat());
    }
    let input = [record(0x07, b"header"), input, record(0x08, b"trailer")].concat();
    minimized(&input, depth);
}

#[test]
fn a_sum_that_is_read_by_recursion() {
    fn depth(text: &[u8]) -> Option<usize> {
        let text = std::str::from_utf8(text).ok()?;
        let terms = text.strip_prefix("let x = ")?.strip_suffix(";\n")?.split('+');
        let is_term = |term: &str| {
            let term = term.trim();
            !term.is_empty() && term.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        let terms: Vec<&str> = terms.collect();
        terms.iter().all(|term| is_term(term)).then_some(terms.len())
    }
    let terms: Vec<String> = (0..1500).map(|term| format!("value{} ", term * 7 % 1000)).collect();
    minimized(format!("let x = {};\n", terms.join("+ ")).as_bytes(), depth);
}

#[test]
fn bytes_that_each_announce_one_more_level() {
    fn depth(bytes: &[u8]) -> Option<usize> {
        let rest = bytes.strip_prefix(b"\xd9\xd9\xf7")?;
        let deep = rest.iter().take_while(|byte| **byte == 0x81).count();
        (rest.get(deep)? < &0x18).then_some(deep)
    }
    let input = [&b"\xd9\xd9\xf7"[..], &[0x81; 5000], &[0x05, 1, 2, 3]].concat();
    assert_eq!(minimized(&input, depth).best.len(), LIMIT + 4);
}
