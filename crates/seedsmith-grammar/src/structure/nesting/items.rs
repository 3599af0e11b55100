//! Items: the parts between two separators on one level of brackets.
//!
//! Elements of a list, members of an object, arguments, statements, alternatives. An item comes
//! with one of its separators, since in most languages neither can go without the other.

use std::ops::Range;

use crate::structure::nesting::pairs::{brackets, quotes};

/// The separator that an item is taken to own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separator {
    /// The one after it: `a, b` is `a,` and ` b`.
    Behind,
    /// The one before it: `a, b` is `a` and `, b`.
    Before,
}

/// An item and the number of brackets around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListItem {
    /// The item with its separator.
    pub span: Range<usize>,
    /// How many brackets are around it.
    pub depth: usize,
}

/// A bracket that is open, or the whole input.
struct Level {
    /// Where the current item begins.
    item_start: usize,
    /// Where the bracket closes; the end of the input outside all of them.
    end: usize,
    /// Whether a separator was met on this level.
    has_separator: bool,
}

/// Every item of every bracket that holds a separator (`,`, `;` or `|`), in no certain order.
/// Those of one depth are disjoint. Quoted text is not looked into.
///
/// Cost: a reading of the input for brackets, one for quotation marks, and one for the items.
pub fn items(bytes: &[u8], separator: Separator) -> Vec<ListItem> {
    let mut found = Vec::new();
    let mut pairs = brackets(bytes).into_iter().peekable();
    let mut quoted = quotes(bytes).into_iter().peekable();
    let mut levels = vec![Level { item_start: 0, end: bytes.len(), has_separator: false }];
    let mut at = 0;
    while at <= bytes.len() {
        while let Some(level) = levels.pop_if(|level| level.end == at) {
            if level.has_separator {
                found.push(ListItem { span: level.item_start..at, depth: levels.len() });
            }
        }
        let Some(byte) = bytes.get(at) else { break };
        while quoted.next_if(|pair| (pair.open.start as usize) < at).is_some() {}
        if let Some(quote) = quoted.next_if(|pair| pair.open.start as usize == at) {
            let end = quote.close.end as usize;
            // A mark that is alone, such as an apostrophe, must not hide a bracket's end.
            if levels.last().is_none_or(|level| end <= level.end) {
                while pairs.next_if(|pair| (pair.open.start as usize) < end).is_some() {}
                at = end;
                continue;
            }
        }
        let depth = levels.len() - 1;
        if let Some(pair) = pairs.next_if(|pair| pair.open.start as usize == at) {
            let end = pair.close.start as usize;
            levels.push(Level { item_start: at + 1, end, has_separator: false });
        } else if matches!(byte, b',' | b';' | b'|')
            && let Some(level) = levels.last_mut()
        {
            let (end, next) = match separator {
                Separator::Behind => (at + 1, at + 1),
                Separator::Before => (at, at),
            };
            if end > level.item_start {
                found.push(ListItem { span: level.item_start..end, depth });
            }
            level.item_start = next;
            level.has_separator = true;
        }
        at += 1;
    }
    found.retain(|item| !item.span.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, separator: Separator) -> Vec<(usize, &str)> {
        let found = items(text.as_bytes(), separator);
        found.into_iter().map(|item| (item.depth, &text[item.span])).collect()
    }

    #[test]
    fn an_item_owns_one_separator() {
        let text = r#"{"a,":[1,2],"b":f(x)}"#;
        assert_eq!(
            texts(text, Separator::Behind),
            [(2, "1,"), (2, "2"), (1, r#""a,":[1,2],"#), (1, r#""b":f(x)"#)]
        );
        assert_eq!(
            texts(text, Separator::Before),
            [(2, "1"), (2, ",2"), (1, r#""a,":[1,2]"#), (1, r#","b":f(x)"#)]
        );
    }

    #[test]
    fn brackets_without_a_separator_hold_no_items() {
        assert_eq!(texts("(a)[b]", Separator::Behind), []);
        assert_eq!(
            texts("it's;(a|b)", Separator::Behind),
            [(0, "it's;"), (1, "a|"), (1, "b"), (0, "(a|b)")]
        );
    }
}
