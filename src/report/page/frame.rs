//! The frame of every page: one file, with its style inside and nothing fetched.
//!
//! What is shown was made by a fuzzer and may be anything, so nothing of an input becomes markup.
//! Should some of it become markup all the same, a content security policy stops it: the browser
//! runs only the script and applies only the style whose SHA-256 the policy names.

use std::fmt::Write;

use base64ct::{Base64, Encoding};
use seedsmith_grammar::control_chars::escape_control_chars;
use sha2::{Digest, Sha256};

/// How every page begins: who may replace a page knows one by this.
pub const HEAD: &str = "<!doctype html>\n<!-- made by seedsmith -->\n";

/// The beginning of a page, up to and with its heading. `script` is the one that [`end`] is given.
pub fn begin(title: &str, script: Option<&str>) -> String {
    let title = escape(title);
    let style_source = policy_source(STYLE);
    let script_source = script.map_or_else(|| "'none'".to_owned(), policy_source);
    format!(
        "{HEAD}<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{title} · seedsmith</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src {style_source}; script-src {script_source}; base-uri 'none'; \
         form-action 'none'\">\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>{title}</h1>\n"
    )
}

/// How a content security policy names an element by the text between its tags.
fn policy_source(text: &str) -> String {
    format!("'sha256-{}'", Base64::encode_string(&Sha256::digest(text)))
}

/// The end of a page, with a script if there is one.
pub fn end(script: Option<&str>) -> String {
    let script = script.map(|text| format!("<script>{text}</script>\n"));
    format!("</main>\n{}</body>\n</html>\n", script.unwrap_or_default())
}

/// A page with a heading and a body of HTML.
pub fn page(title: &str, body: &str) -> String {
    format!("{}{body}{}", begin(title, None), end(None))
}

const STYLE: &str = include_str!("page.css");

/// A text as HTML shows it, with control characters escaped.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape_control_chars(text, &['\n', '\t']).chars().for_each(|c| push(c, &mut out));
    out
}

fn push(c: char, out: &mut String) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        '\'' => out.push_str("&#39;"),
        c => out.push(c),
    }
}

/// Which of the things that can't be seen are shown by a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blanks {
    /// None of blanks, tabs and newlines: the text stands as it is.
    Bare,
    /// All of them, and newlines break the line too.
    Signed,
    /// Newlines and tabs, and nothing breaks the line: a name.
    OneLine,
}

/// Bytes as HTML: text as it is, and everything without a shape as an escape inside `<i>`, so that
/// it can't be mistaken for text that looks like one. That holds for bytes that are no text, for
/// control characters, and for those that hide or turn round what stands beside them.
pub fn visible(bytes: &[u8], blanks: Blanks) -> String {
    let mut out = String::with_capacity(bytes.len());
    let mut signs = String::new();
    let flush = |signs: &mut String, out: &mut String| {
        if !signs.is_empty() {
            let _ = write!(out, "<i>{signs}</i>");
            signs.clear();
        }
    };
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            let sign = match (c, blanks) {
                ('\n' | '\t', Blanks::Bare) | (' ', Blanks::Bare | Blanks::OneLine) => None,
                (' ', Blanks::Signed) => Some("·".to_owned()),
                ('\n', Blanks::Signed) => Some("⏎".to_owned()),
                ('\t', Blanks::Signed) => Some("⇥".to_owned()),
                ('\0', _) => Some("\\x00".to_owned()),
                ('"' | '\'' | '\\', _) => None,
                (c, _) if c.is_ascii_control() && !matches!(c, '\n' | '\t' | '\r') => {
                    Some(format!("\\x{:02x}", u32::from(c)))
                }
                (c, _) => {
                    let written = c.escape_debug();
                    (written.len() > 1).then(|| written.collect())
                }
            };
            match sign {
                Some(sign) => signs.push_str(&sign),
                None => {
                    flush(&mut signs, &mut out);
                    push(c, &mut out);
                }
            }
            if matches!((c, blanks), ('\n' | '\t', Blanks::Signed)) {
                flush(&mut signs, &mut out);
                out.push(c);
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(signs, "\\x{byte:02x}");
        }
    }
    flush(&mut signs, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_becomes_markup() {
        assert_eq!(escape("<\u{202e}\x1b\n"), "&lt;\\u{202e}\\x1b\n");
        assert_eq!(escape("<b a=\"'&"), "&lt;b a=&quot;&#39;&amp;");
        assert_eq!(
            visible(b"<b>\xff\x00</b>", Blanks::Bare),
            "&lt;b&gt;<i>\\xff\\x00</i>&lt;/b&gt;"
        );
    }

    /// The text between the tags of the only element of that name.
    fn element<'a>(html: &'a str, name: &str) -> &'a str {
        let (before, rest) = html.split_once(&format!("<{name}>")).unwrap();
        let (text, after) = rest.split_once(&format!("</{name}>")).unwrap();
        assert!(!before.contains(&format!("<{name}")) && !after.contains(&format!("<{name}")));
        text
    }

    #[test]
    fn the_policy_names_exactly_the_style_and_the_script_of_the_page_by_their_hashes() {
        // The example of the specification: Content Security Policy Level 3, section 8.3.
        assert_eq!(
            policy_source("alert('Hello, world.');"),
            "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"
        );
        let script = "let row = 1;\n";
        let html = begin("Rows", Some(script)) + &end(Some(script));
        assert_eq!((element(&html, "style"), element(&html, "script")), (STYLE, script));
        let policy = |html: &str| {
            let (_, rest) = html.split_once("Content-Security-Policy\" content=\"").unwrap();
            rest.split_once('"').unwrap().0.to_owned()
        };
        let (style, script) = (policy_source(STYLE), policy_source(script));
        let wanted = |script: &str| {
            format!(
                "default-src 'none'; style-src {style}; script-src {script}; base-uri 'none'; \
                 form-action 'none'"
            )
        };
        assert_eq!(policy(&html), wanted(&script));
        assert_eq!(policy(&page("No script", "")), wanted("'none'"));
        assert!(!html.contains("nonce"), "a constant nonce is known to everyone");
    }

    #[test]
    fn what_cannot_be_seen_is_shown_by_a_sign() {
        assert_eq!(visible(b"a b\n", Blanks::Bare), "a b\n");
        assert_eq!(visible(b" \n\tx", Blanks::Signed), "<i>·⏎</i>\n<i>⇥</i>\tx");
        assert_eq!(visible(b"a b\n", Blanks::OneLine), "a b<i>\\n</i>");
        assert_eq!(
            visible("a\u{202e}\u{200b}é".as_bytes(), Blanks::Bare),
            "a<i>\\u{202e}\\u{200b}</i>é"
        );
    }
}
