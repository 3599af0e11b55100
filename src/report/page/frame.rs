//! The frame of every page: one file, with its style inside and nothing fetched.
//!
//! Inputs are made by a fuzzer and may be anything, so nothing of an input becomes markup: pages are
//! made of `maud`'s `Markup`, and text becomes that only by being escaped. Should some of it become
//! markup all the same, a content security policy stops it: the browser runs only the script and applies
//! only the style whose SHA-256 the policy names.

use std::fmt::Write;
use std::path::Path;
use std::time::SystemTime;

use base64ct::{Base64, Encoding};
use maud::{Escaper, Markup, PreEscaped, Render, html};
use seedsmith_grammar::escape_control_chars;
use sha2::{Digest, Sha256};

use crate::report::show::date;

/// How every page begins: who may replace a page knows one by this.
/// The comment names no version, so that a newer program replaces an older one's page.
pub(super) const HEAD: &str = "<!doctype html>\n<!-- made by seedsmith -->\n";

/// It is put into the page as it is, since the page may load nothing; its hash is in the policy.
const STYLE: &str = include_str!("page.css");

/// The script of all pages, so that there is one hash to look at in a test: it searches, filters and sorts rows, and copies results. Without it a page shows all
/// there is, in order.
pub(super) const SCRIPT: &str = include_str!("page.js");

/// A page with a heading. `script` is trusted: it is part of this program. `body` is markup, so its texts are escaped
/// already.
pub(super) fn page(title: &str, script: Option<&str>, body: &Markup) -> Markup {
    let script_source = script.map_or_else(|| "'none'".to_owned(), policy_source);
    let policy = format!(
        "default-src 'none'; style-src {}; script-src {script_source}; base-uri 'none'; \
         form-action 'none'",
        policy_source(STYLE)
    );
    html! { (PreEscaped(HEAD)) html lang="en" { head { meta charset="utf-8"; title { (Text(title)) " · seedsmith" } meta name="viewport" content="width=device-width, initial-scale=1"; meta http-equiv="Content-Security-Policy" content=(policy); style { (PreEscaped(STYLE)) } } body { main { h1 { (Text(title)) } "\n" (body) } @if let Some(script) = script { script { (PreEscaped(script)) } } } } "\n" }
}

/// What made a page. It is shown at the top, so that a page explains itself wherever it is sent.
///
/// The command line makes it: nothing below it reads arguments. It is the only thing in a page that is different in
/// each run on the same input, besides times.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    /// The command, as it was typed.
    pub command: String,
    /// The version of the program.
    pub version: &'static str,
    /// When the page was begun.
    pub when: SystemTime,
}

impl Made {
    /// The rows at the top of a page: those of the caller first, such as target and time, then the command, and when
    /// and by which version the page was made. The features of the program are left out.
    pub(super) fn header(&self, rows: &[(&str, Markup)]) -> Markup {
        let version = self.version.split(" features:").next().unwrap_or_default();
        let row = |name: &str, value: &Markup| html! { div { dt { (name) } dd { (value) } } };
        html! {
            dl.made {
                @for (name, value) in rows { (row(name, value)) }
                (row("command", &html! { code { (Text(&self.command)) } }))
                (row("made", &html! { (date(self.when)) " UTC by seedsmith " (Text(version)) }))
            }
            "\n"
        }
    }
}

/// A heading of that level, from 2 to 4: a part of a page of many inputs is one level deeper than in a page of one.
pub(super) fn heading(level: u8, text: &str) -> Markup {
    match level {
        2 => html! { h2 { (Text(text)) } },
        3 => html! { h3 { (Text(text)) } },
        _ => html! { h4 { (Text(text)) } },
    }
}

/// A path as text. A name may hold anything: what cannot be seen is shown by a sign.
pub(super) fn name(path: &Path) -> Markup {
    Visible(path.as_os_str().as_encoded_bytes(), Blanks::OneLine).render()
}

/// How a content security policy names an element by the text between its tags.
fn policy_source(text: &str) -> String {
    format!("'sha256-{}'", Base64::encode_string(&Sha256::digest(text)))
}

/// A place in a page whose contents are written later.
pub(super) struct Hole;

/// No text has this: it would be escaped.
const HOLE: char = '\0';

impl Render for Hole {
    fn render_to(&self, out: &mut String) {
        out.push(HOLE);
    }
}

/// The parts of a page between its holes, which are one fewer.
/// Panics if the page does not have exactly `COUNT` minus one holes.
pub(super) fn parts<const COUNT: usize>(page: &Markup) -> [String; COUNT] {
    let parts: Vec<String> = page.0.split(HOLE).map(str::to_owned).collect();
    parts.try_into().expect("the caller knows its holes")
}

/// A text, with control characters escaped.
pub(super) struct Text<'t>(pub &'t str);

impl Render for Text<'_> {
    fn render_to(&self, out: &mut String) {
        escape(&escape_control_chars(self.0, &['\n', '\t']), out);
    }
}

/// Writes a text with the four characters escaped that can begin markup or end an attribute.
fn escape(text: &str, out: &mut String) {
    Escaper::new(out).write_str(text).expect("writing to a string does not fail");
}

/// Which of the things that can't be seen are shown by a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blanks {
    /// None of blanks, tabs and newlines: the text stays as it is.
    Bare,
    /// All of them, and newlines break the line too.
    Signed,
    /// Newlines and tabs, and nothing breaks the line: a name.
    OneLine,
}

/// Bytes as text. Everything without a shape is an escape inside `<i>`, so that it can't be mistaken for text
/// that looks like one. That holds for bytes that are no text, for control characters, and for those
/// that hide their neighbours or reverse them.
pub(super) struct Visible<'b>(pub &'b [u8], pub Blanks);

impl Render for Visible<'_> {
    fn render_to(&self, out: &mut String) {
        let Visible(bytes, blanks) = *self;
        let (mut plain, mut signs) = (String::new(), String::new());
        for chunk in bytes.utf8_chunks() {
            for c in chunk.valid().chars() {
                match sign(c, blanks) {
                    Some(sign) => {
                        flush_plain(&mut plain, out);
                        signs.push_str(&sign);
                    }
                    None => {
                        flush_signs(&mut signs, out);
                        plain.push(c);
                    }
                }
                if matches!((c, blanks), ('\n' | '\t', Blanks::Signed)) {
                    flush_signs(&mut signs, out);
                    plain.push(c);
                }
            }
            for byte in chunk.invalid() {
                flush_plain(&mut plain, out);
                let _ = write!(signs, "\\x{byte:02x}");
            }
        }
        flush_plain(&mut plain, out);
        flush_signs(&mut signs, out);
    }
}

/// The sign for a character that cannot be seen; `None` for one that can.
fn sign(c: char, blanks: Blanks) -> Option<String> {
    match (c, blanks) {
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
    }
}

/// Writes the text that was collected.
fn flush_plain(plain: &mut String, out: &mut String) {
    escape(plain, out);
    plain.clear();
}

/// Writes the signs that were collected, together in one element.
fn flush_signs(signs: &mut String, out: &mut String) {
    if !signs.is_empty() {
        html!(i { (signs) }).render_to(out);
        signs.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visible(bytes: &[u8], blanks: Blanks) -> String {
        Visible(bytes, blanks).render().into_string()
    }

    #[test]
    fn nothing_of_a_text_becomes_markup() {
        let text = |text| Text(text).render().into_string();
        assert_eq!(text("<\u{202e}\x1b\n\0"), "&lt;\\u{202e}\\x1b\n\\x00");
        assert_eq!(
            html!(b title=(Text("\"<&")) {}).into_string(),
            "<b title=\"&quot;&lt;&amp;\"></b>"
        );
        assert_eq!(
            visible(b"<b>\xff\x00</b>", Blanks::Bare),
            "&lt;b&gt;<i>\\xff\\x00</i>&lt;/b&gt;"
        );
    }

    #[test]
    fn a_page_is_cut_at_its_holes() {
        let page = page("T", None, &html! { p { (Hole) } p { (Text("a\0b")) (Hole) } });
        let [begin, middle, end] = parts(&page);
        assert!(begin.starts_with(HEAD) && begin.ends_with("<h1>T</h1>\n<p>"), "{begin}");
        assert_eq!(middle, "</p><p>a\\x00b");
        assert_eq!(end, "</p></main></body></html>\n");
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
        let html = page("Rows", Some(script), &html! {}).into_string();
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
        assert_eq!(policy(&page("No script", None, &html! {}).into_string()), wanted("'none'"));
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
