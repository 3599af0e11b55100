//! A result in forms that can be copied: text, hexadecimal digits, base64 and a Rust literal.

use base64ct::{Base64, Encoding};
use maud::{Markup, html};

use crate::report::page::frame::{Blanks, Text, Visible};
use crate::report::show::bytes as size;

/// Results that are in the page in every form. Together they are then some 150 KB; a guess, not measured. Of a
/// larger one the page has the beginning.
const MAX_BYTES: usize = 16 << 10;
/// The bytes of larger ones that are shown. A guess: two screens; not measured.
const BEGINNING_BYTES: usize = 4000;

/// The result in all forms, each with a button that copies it; the page's script shows the buttons. `name` is the
/// file name under which a browser saves the result.
pub(crate) fn forms(result: &[u8], name: &str) -> Markup {
    if result.len() > MAX_BYTES {
        return html! {
            p.meta {
                "The result has " (size(result.len())) ". Its file has all of them; this is the beginning:"
            }
            pre { "\n" (Visible(&result[..BEGINNING_BYTES], Blanks::Bare)) span.gap { "\n…\n" } }
        };
    }
    let base64 = Base64::encode_string(result);
    let is_text = std::str::from_utf8(result).is_ok_and(|text| !text.contains('\0'));
    let digits = base16ct::lower::encode_string(result);
    let literal = format!("b\"{}\"", result.escape_ascii());
    let form = |what: &str, text: &str| {
        html! {
            details.form {
                summary { (what) }
                (button(&format!("Copy {what}")))
                pre { "\n" code { (text) } }
            }
        }
    };
    html! {
        div.form {
            // The script decodes base64 for this one: the shown text has signs for characters that cannot be seen.
            @if is_text { (button("Copy text")) }
            pre { "\n" @if result.is_empty() { i { "(empty)" } } @else { (Visible(result, Blanks::Bare)) } }
        }
        (form("base64", &base64))
        (form("hexadecimal", &digits))
        (form("Rust", &literal))
        p.meta {
            a download=(Text(name)) href={ "data:application/octet-stream;base64," (base64) } {
                "Save the result"
            }
            " as a file. In a shell, " code { "base64 -d > FILE" } " makes the file of the base64 text."
        }
    }
}

/// A button that copies what is in the element around it. It is hidden until the script shows it, because without
/// the script it would do nothing.
pub(crate) fn button(label: &str) -> Markup {
    html! { button.copy type="button" hidden { (label) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_there_as_text_hexadecimal_base64_and_rust() {
        let html = forms(b"<a>\n\"\xff", "crash.min").into_string();
        assert!(html.contains("&lt;a&gt;\n&quot;<i>\\xff</i>"), "{html}");
        assert!(html.contains("3c613e0a22ff") && html.contains(">PGE+CiL/<"), "{html}");
        assert!(html.contains("b&quot;&lt;a&gt;\\n\\&quot;\\xff&quot;"), "{html}");
        assert!(!html.contains("Copy text") && html.contains("Copy base64"), "{html}");
        assert!(html.contains(
            "download=\"crash.min\" href=\"data:application/octet-stream;base64,PGE+CiL/\""
        ));
        assert!(forms(b"text", "a").into_string().contains("Copy text"));
        assert!(forms(b"", "a").into_string().contains("(empty)"));
    }

    #[test]
    fn of_a_large_result_the_page_has_the_beginning() {
        let html = forms(&vec![b'a'; MAX_BYTES + 1], "a").into_string();
        assert!(html.contains("The result has 16,385 bytes"), "{html}");
        assert!(html.len() < 2 * BEGINNING_BYTES);
    }
}
