//! Unicode properties, as written in `\p{…}`, to sets of code points.
//!
//! The tables are regex-syntax's; the caller refuses properties that it doesn't have (blocks, some
//! emoji properties of ANTLR) and names them.

use super::charset::CharSet;
use regex_syntax::hir::{Class, HirKind};

/// The code points that have the property, or `None` if it isn't known.
///
/// `name` is the text between the braces: a general category (`Lu`, `Letter`), a script (`Greek`,
/// `Script=Greek`), a binary property (`White_Space`).
pub(crate) fn property(name: &str) -> Option<CharSet> {
    let known = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '=' | ' ');
    if name.is_empty() || !name.chars().all(known) {
        return None;
    }
    // ANTLR's own enumeration, in the terms of the standard's binary properties.
    match name {
        "EmojiPresentation=EmojiDefault" => return property("Emoji_Presentation"),
        "EmojiPresentation=TextDefault" => {
            let others = property("Emoji_Presentation")?.complement();
            return Some(property("Emoji")?.intersection(&others));
        }
        "EmojiPresentation=Text" => return Some(property("Emoji")?.complement()),
        _ => {}
    }
    let hir = regex_syntax::parse(&format!("\\p{{{name}}}")).ok()?;
    let class = match hir.kind() {
        HirKind::Class(Class::Unicode(class)) => class,
        // A property of a single character comes as that character.
        HirKind::Literal(literal) => {
            let mut chars = std::str::from_utf8(&literal.0).ok()?.chars();
            let c = chars.next().filter(|_| chars.next().is_none())? as u32;
            return Some(CharSet::range(c, c));
        }
        _ => return None,
    };
    let ranges = class.iter().map(|range| (range.start() as u32, range.end() as u32));
    Some(CharSet::from_ranges(ranges))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_scripts_and_binary_properties_are_known() {
        for name in ["Lu", "Letter", "Script=Greek", "White_Space", "ID_Start", "Emoji"] {
            assert!(property(name).is_some_and(|set| !set.is_empty()), "{name}");
        }
        assert!(property("InNowhere").is_none());
        assert!(property("}").is_none());
    }
}
