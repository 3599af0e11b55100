//! What closes a text that is cut off: besides brackets a comment or a string of several lines, and conditions of the
//! C preprocessor.
//!
//! Separate from `closing`, which is about brackets alone and is used for parts of a line too.

use memchr::memmem::find;

use super::closing;

/// The text that closes all that is open at the end of `text`, the innermost first: a comment or a string of several
/// lines, brackets, then `#endif` for each `#if`.
///
/// Empty if nothing is open. Cost: three passes.
pub(in crate::repair::located) fn closing_all(text: &[u8]) -> Vec<u8> {
    let mut new = Vec::new();
    match open_delimiter(text) {
        Some((at, delimiter)) => {
            new.extend_from_slice(delimiter);
            new.extend(closing(&text[..at]));
        }
        None => new.extend(closing(text)),
    }
    for _ in 0..open_conditions(text) {
        if !text.ends_with(b"\n") || !new.is_empty() {
            new.push(b'\n');
        }
        new.extend_from_slice(b"#endif");
    }
    new
}

/// Where a comment or a string of several lines begins that is open at the end, and what closes it.
fn open_delimiter(text: &[u8]) -> Option<(usize, &'static [u8])> {
    // In languages without such comments the two bytes are an operator or a part of a path.
    let has_comments = find(text, b"*/").is_some() || find(text, b"/* ").is_some();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let delimiters: Option<(usize, &'static [u8])> = match rest[0] {
            b'/' if has_comments && rest.starts_with(b"/*") => Some((2, b"*/")),
            b'"' if rest.starts_with(b"\"\"\"") => Some((3, b"\"\"\"")),
            b'\'' if rest.starts_with(b"'''") => Some((3, b"'''")),
            _ => None,
        };
        at = match delimiters {
            Some((length, close)) => match find(&rest[length..], close) {
                Some(end) => at + length + end + close.len(),
                None => return Some((at, close)),
            },
            None => match rest[0] {
                b'"' | b'\'' => super::string_end(text, at).unwrap_or(at + 1),
                _ => at + 1,
            },
        };
    }
    None
}

/// How many conditions of the C preprocessor are open at the end.
fn open_conditions(text: &[u8]) -> usize {
    let lines = || text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_start);
    // After a blank it may be a comment of another language.
    if !lines().any(|line| line.starts_with(b"#if")) {
        return 0;
    }
    lines().filter_map(directive).fold(0usize, |open, name| match name {
        b"if" | b"ifdef" | b"ifndef" => open + 1,
        b"endif" => open.saturating_sub(1),
        _ => open,
    })
}

/// The name of the directive that a line is.
pub(in crate::repair) fn directive(line: &[u8]) -> Option<&[u8]> {
    let name = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start();
    let end = name.iter().position(|byte| !byte.is_ascii_lowercase());
    Some(&name[..end.unwrap_or(name.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_strings_brackets_and_conditions_are_closed_in_this_order() {
        let closed = |text: &str| String::from_utf8(closing_all(text.as_bytes())).unwrap();
        assert_eq!(closed("#ifndef A\n#define A\nint a;\n"), "#endif");
        assert_eq!(closed("#if A\n# ifdef B\nvoid f(void) {\n  g(1"), ")}\n#endif\n#endif");
        assert_eq!(closed("#if A\n#endif\nint a; /* two (lines\n"), "*/");
        assert_eq!(closed("x = [\n'''it's (open\n"), "''']");
        assert_eq!(closed("# if you like\nkey: value\n"), "");
    }
}
