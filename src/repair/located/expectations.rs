//! What a message asks for, and which words it quotes.

/// Words after which a message names the missing token.
const ASKING: [&str; 9] = [
    "expected",
    "expecting",
    "expect",
    "missing",
    "unclosed",
    "unterminated",
    "insert",
    "mean",
    "needs",
];
/// Words before the token that was found instead.
const ENDING: [&str; 7] = [" but ", " found", " got ", " before ", " at ", " instead", " in "];
/// Terminals that messages spell in words.
const SPELLED: [(&str, &str); 12] = [
    ("comma", ","),
    ("semicolon", ";"),
    ("colon", ":"),
    ("equals", "="),
    ("quotation mark", "\""),
    ("double quote", "\""),
    ("brace", "}"),
    ("bracket", "]"),
    ("parenthesis", ")"),
    ("parentheses", ")"),
    ("newline", "\n"),
    ("space", " "),
];
/// Longer quotations are not expected terminals, because they are excerpts of the text.
const MAX_EXPECTED_BYTES: usize = 40;

/// The texts that a line of a message says are missing: after words such as `expected` and
/// `missing` its quotations, a terminal that is spelled in words (`comma`), and a bare sign. At
/// most six, each once.
pub(super) fn wishes(line: &str) -> Vec<Vec<u8>> {
    let mut found: Vec<Vec<u8>> = Vec::new();
    let lower = line.to_ascii_lowercase();
    for asking in ASKING {
        for (at, _) in lower.match_indices(asking) {
            let (clause, lower) = (&line[at + asking.len()..], &lower[at + asking.len()..]);
            let end = ENDING.iter().filter_map(|word| lower.find(word)).min();
            let (clause, lower) = match end {
                Some(end) => (&clause[..end], &lower[..end]),
                None => (clause, lower),
            };
            found.extend(quoted(clause));
            found.extend(before_expected(&line[..at], asking));
            if let Some((_, text)) = SPELLED.iter().find(|(name, _)| lower.contains(name)) {
                found.push(text.as_bytes().to_vec());
            }
            // `expected </link>`, `missing =`.
            let bare = clause.trim_start_matches([':', ' ']).split_whitespace().next();
            if let Some(bare) = bare.map(|bare| bare.trim_end_matches([',', '.']))
                && bare.len() <= MAX_EXPECTED_BYTES
                && bare.chars().next().is_some_and(|c| c.is_ascii_punctuation())
                && !bare.starts_with(['\'', '"', '`'])
            {
                found.push(bare.as_bytes().to_vec());
            }
        }
    }
    // Python names the bracket that was never closed.
    if lower.contains("was never closed") {
        found.extend(quoted(line).iter().filter_map(|open| closer(open)));
    }
    let mut seen = Vec::new();
    found.retain(|wish| {
        let is_new = !wish.is_empty() && !seen.contains(wish);
        seen.push(wish.clone());
        is_new
    });
    found.truncate(6);
    found
}

/// The last quotation before `expected`, as in `'do' expected near 'if'` and `')' or ',' expected`.
fn before_expected(before: &str, asking: &str) -> Option<Vec<u8>> {
    let is_after_quotation = before.trim_end().ends_with(['\'', '"', '`', '\u{2019}', '>']);
    let is_wish = asking == "expected" && is_after_quotation;
    quoted(before).pop().filter(|_| is_wish)
}

/// The closing bracket of an opening one, because `was never closed` names the opening one.
fn closer(open: &[u8]) -> Option<Vec<u8>> {
    match open {
        b"(" => Some(b")".to_vec()),
        b"[" => Some(b"]".to_vec()),
        b"{" => Some(b"}".to_vec()),
        _ => None,
    }
}

/// The words that a line names: its quotations, and a last word after a colon or after
/// `named`, as in `no such table: users`.
pub(super) fn words(line: &str) -> Vec<Vec<u8>> {
    let mut found = quoted(line);
    let end = line.trim_end().trim_end_matches(['.', '\'', '"']);
    if let Some((before, last)) = end.rsplit_once(' ')
        && (before.ends_with(':') || before.ends_with("named") || before.ends_with("name"))
        && last.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
    {
        let last = last.rsplit('.').next().unwrap_or(last).as_bytes().to_vec();
        if !last.is_empty() && !found.contains(&last) {
            found.push(last);
        }
    }
    found
}

/// The word of what lacks something: `users` in `table users has no column named age`.
pub(super) fn owner(line: &str) -> Option<Vec<u8>> {
    let (before, _) = line.split_once(" has no ")?;
    let last = before.rsplit(' ').next()?.trim_matches(['\'', '"', '`', '\u{2018}', '\u{2019}']);
    let is_word = !last.is_empty() && last.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_word.then(|| last.as_bytes().to_vec())
}

/// What a line has in quotation marks of any kind, typographic ones and `` `…' `` too. A quotation
/// that does not end, or has more than 40 bytes, is left out.
pub(super) fn quoted(line: &str) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find(['\'', '"', '`', '\u{2018}']) {
        let open = rest[at..].chars().next().expect("a quotation mark was found here");
        let close = match open {
            '\u{2018}' => '\u{2019}',
            '`' if !rest[at + 1..].contains('`') => '\'',
            other => other,
        };
        let inside = &rest[at + open.len_utf8()..];
        // A quotation mark in quotation marks: `'''`.
        let is_quoted = inside.strip_prefix(close).is_some_and(|rest| rest.starts_with(close));
        let skip = if is_quoted { close.len_utf8() } else { 0 };
        match inside[skip..].find(close) {
            Some(end) => {
                let end = end + skip;
                if (1..=MAX_EXPECTED_BYTES).contains(&end) {
                    found.push(inside.as_bytes()[..end].to_vec());
                }
                rest = &inside[end + close.len_utf8()..];
            }
            None => rest = inside,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wished(line: &str) -> Vec<String> {
        wishes(line).into_iter().map(|wish| String::from_utf8(wish).unwrap()).collect()
    }

    #[test]
    fn a_word_after_a_colon_at_the_end_of_a_line_is_named_by_it() {
        for (line, expected) in [
            ("OperationalError: no such table: users", "users"),
            ("table users has no column named age", "age"),
            ("no such column: a.age", "age"),
        ] {
            assert_eq!(words(line), [expected.as_bytes()], "{line}");
        }
        assert!(words("syntax error: something is wrong").is_empty());
        assert_eq!(owner("table users has no column named age"), Some(b"users".to_vec()));
        assert_eq!(
            owner("error: \u{2018}struct s\u{2019} has no member named x"),
            Some(b"s".to_vec())
        );
        assert_eq!(owner("no such column: a.age"), None);
    }

    #[test]
    fn what_is_asked_for_is_read_from_many_spellings() {
        assert_eq!(wished("error: expected ';' before 'return'"), [";"]);
        assert_eq!(wished("SyntaxError: expected ':'"), [":"]);
        assert_eq!(wished("mismatched tag: expected </link>"), ["</link>"]);
        assert_eq!(wished("Expecting ',' delimiter: line 1"), [","]);
        assert_eq!(wished("Expected '=' after a key"), ["="]);
        assert_eq!(wished("missing comma"), [","]);
        assert_eq!(wished("SyntaxError: '(' was never closed"), [")"]);
        assert_eq!(wished("error: expected \u{2018})\u{2019} before x"), [")"]);
        assert_eq!(wished("did you mean 'return'?"), ["return"]);
    }

    #[test]
    fn words_are_read_in_any_quotation_marks() {
        let words = quoted("\u{2018}\u{2019}\u{2019} near \"FORM\": unknown 'itn' and `x' and '''");
        let words: Vec<&str> =
            words.iter().map(|word| std::str::from_utf8(word).unwrap()).collect();
        assert_eq!(words, ["\u{2019}", "FORM", "itn", "x", "'"]);
    }
}
