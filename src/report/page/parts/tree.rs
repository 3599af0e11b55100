//! A derivation tree as nested lists.

use std::iter::Peekable;
use std::slice::Iter;

use maud::{Markup, html};

use crate::event::{PatternPart, TreeRow};
use crate::report::page::frame::Text;
use crate::report::show;

/// Characters of a part of the tree that are shown. A guess: a line of a screen; not measured.
const TREE_TEXT_CHARS: usize = 80;

/// The tree. `rows` are in the order of the input, and the depth of the first is 0.
pub(crate) fn tree(rows: &[TreeRow]) -> Markup {
    list(&mut rows.iter().peekable(), 0)
}

/// The class by which the style sheet colours a part.
/// `page.css` defines the four names, and the legend of a pattern uses them.
pub(crate) fn class(part: PatternPart) -> &'static str {
    match part {
        PatternPart::Required => "required",
        PatternPart::Any => "any",
        PatternPart::Same(_) => "same",
        PatternPart::Unknown => "unknown",
    }
}

/// The rows from the next on that are inside of as many others as `depth` says, as nested lists. It calls
/// itself at most as often as a tree is deep, and the depth of a tree is bounded.
fn list(rows: &mut Peekable<Iter<'_, TreeRow>>, depth: usize) -> Markup {
    html! {
        ul.tree {
            @while let Some(row) = rows.next_if(|row| row.depth >= depth) {
                li {
                    (label(row))
                    @if !row.is_leaf { (list(rows, depth + 1)) }
                }
            }
        }
    }
}

/// The names of a row and the text of its part. Of a required part the text has the colour, of others the names.
fn label(row: &TreeRow) -> Markup {
    let names = html! {
        @for (at, (name, is_known)) in row.names.iter().enumerate() {
            @if at > 0 { " › " }
            @if *is_known { (Text(name)) } @else { span.unknown { (Text(name)) } }
        }
    };
    let Some((part, bytes)) = &row.part else { return names };
    let text = tree_text(bytes);
    let code = html! { code { (Text(&text)) } };
    let blank = if row.names.is_empty() { "" } else { " " };
    match part {
        PatternPart::Required => html! { (names) (blank) span.required { (code) } },
        part => html! { span class=(class(*part)) { (names) } " " (code) },
    }
}

/// The bytes of a part on one line, quoted and shortened.
pub(crate) fn tree_text(bytes: &[u8]) -> String {
    show::shortened(&show::escaped(bytes), TREE_TEXT_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(depth: usize, name: &str, is_leaf: bool) -> TreeRow {
        let part = is_leaf.then(|| (PatternPart::Required, b"x".to_vec()));
        TreeRow { depth, names: vec![(name.to_owned(), true)], part, is_leaf }
    }

    #[test]
    fn rows_become_lists_in_lists() {
        let rows = [
            row(0, "a", false),
            row(1, "b", false),
            row(2, "c", true),
            row(1, "d", true),
            row(0, "e", false),
        ];
        let html = list(&mut rows.iter().peekable(), 0).into_string();
        let leaf = |name: &str| {
            format!("<li>{name} <span class=\"required\"><code>&quot;x&quot;</code></span></li>")
        };
        let (c, d) = (leaf("c"), leaf("d"));
        assert_eq!(
            html.replace("<ul class=\"tree\">", "<ul>"),
            format!("<ul><li>a<ul><li>b<ul>{c}</ul></li>{d}</ul></li><li>e<ul></ul></li></ul>")
        );
    }
}
