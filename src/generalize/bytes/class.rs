//! Classes of bytes and characters, for places of which no grammar knows anything.

use seedsmith_grammar::Dice;

/// A set of bytes or of characters, with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Any of the 256 bytes.
    Any,
    /// Any character, written in UTF-8.
    Character,
    /// Any character but line feed and carriage return.
    InLine,
    /// A byte that no ASCII character has.
    HighByte,
    /// Any character that is not ASCII.
    NonAscii,
    /// A character of two bytes.
    TwoBytes,
    /// A character of three bytes.
    ThreeBytes,
    /// A character of four bytes.
    FourBytes,
    /// What can be seen on paper, and the blank.
    Printable,
    /// Letters, digits and `_`.
    Word,
    /// Letters and digits.
    Alphanumeric,
    /// Letters.
    Letter,
    /// Small letters.
    Lower,
    /// Capital letters.
    Upper,
    /// Digits.
    Digit,
    /// Blank, tab, line feed, carriage return.
    Space,
    /// Blank and tab.
    Blank,
}

impl Class {
    /// All, none before one that holds it.
    pub const ALL: [Class; 17] = [
        Class::Any,
        Class::Character,
        Class::InLine,
        Class::HighByte,
        Class::NonAscii,
        Class::TwoBytes,
        Class::ThreeBytes,
        Class::FourBytes,
        Class::Printable,
        Class::Word,
        Class::Alphanumeric,
        Class::Letter,
        Class::Lower,
        Class::Upper,
        Class::Digit,
        Class::Space,
        Class::Blank,
    ];

    /// The name in patterns.
    ///
    /// Patterns and their files have these names, so they are part of the format.
    pub fn name(self) -> &'static str {
        match self {
            Class::Any => "any byte",
            Class::Character => "character",
            Class::InLine => "character in line",
            Class::HighByte => "byte ≥ 80",
            Class::NonAscii => "non-ASCII character",
            Class::TwoBytes => "2-byte character",
            Class::ThreeBytes => "3-byte character",
            Class::FourBytes => "4-byte character",
            Class::Printable => "printable",
            Class::Word => "word",
            Class::Alphanumeric => "alphanumeric",
            Class::Letter => "letter",
            Class::Lower => "lower",
            Class::Upper => "upper",
            Class::Digit => "digit",
            Class::Space => "space",
            Class::Blank => "blank",
        }
    }

    /// The class of that name.
    ///
    /// `None` for a name that no version of the format had.
    pub fn named(name: &str) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.name() == name)
    }

    /// Whether it is made of bytes that need not be characters.
    ///
    /// A text with one of these members may not be UTF-8.
    pub fn is_of_bytes(self) -> bool {
        matches!(self, Class::Any | Class::HighByte)
    }

    /// Whether few tokens are made of nothing else: for a token of which all of the pieces are of
    /// such classes, insertions are looked for too.
    pub fn is_rare(self) -> bool {
        matches!(
            self,
            Class::HighByte
                | Class::NonAscii
                | Class::TwoBytes
                | Class::ThreeBytes
                | Class::FourBytes
                | Class::Space
                | Class::Blank
        )
    }

    /// Whether all of a text is of the class.
    ///
    /// The empty text is of every class but [`Class::HighByte`]. Classes of characters hold no text
    /// that is not UTF-8.
    pub fn holds(self, text: &[u8]) -> bool {
        match self {
            Class::Any => true,
            Class::HighByte => !text.is_empty() && !text.iter().any(u8::is_ascii),
            _ => std::str::from_utf8(text)
                .is_ok_and(|text| text.chars().all(|character| self.contains(character))),
        }
    }

    /// Whether every member of another class is one of this.
    ///
    /// Compared by all characters of ASCII and one of each length in UTF-8; the classes are chosen
    /// so that this decides.
    pub fn includes(self, other: Class) -> bool {
        let wide = ['\u{e9}', '\u{20ac}', '\u{1f600}'];
        let ascii = (0..0x80).map(char::from).chain(wide);
        match (self.is_of_bytes(), other.is_of_bytes()) {
            (true, _) => self == Class::Any || self == other,
            (false, true) => false,
            _ => ascii.filter(|one| other.contains(*one)).all(|one| self.contains(one)),
        }
    }

    /// How many of its members a text is made of.
    ///
    /// Bytes for classes of bytes, characters for the others.
    pub fn count(self, text: &[u8]) -> usize {
        match self.is_of_bytes() {
            true => text.len(),
            false => String::from_utf8_lossy(text).chars().count(),
        }
    }

    /// Whether a character is a member. It decides for classes of characters; [`Class::holds`]
    /// looks at bytes for the others.
    fn contains(self, character: char) -> bool {
        match self {
            Class::Any | Class::Character => true,
            Class::InLine => !matches!(character, '\n' | '\r'),
            Class::HighByte | Class::NonAscii => !character.is_ascii(),
            Class::TwoBytes => character.len_utf8() == 2,
            Class::ThreeBytes => character.len_utf8() == 3,
            Class::FourBytes => character.len_utf8() == 4,
            Class::Printable => character.is_ascii_graphic() || character == ' ',
            Class::Word => character.is_ascii_alphanumeric() || character == '_',
            Class::Alphanumeric => character.is_ascii_alphanumeric(),
            Class::Letter => character.is_ascii_alphabetic(),
            Class::Lower => character.is_ascii_lowercase(),
            Class::Upper => character.is_ascii_uppercase(),
            Class::Digit => character.is_ascii_digit(),
            Class::Space => matches!(character, ' ' | '\t' | '\n' | '\r'),
            Class::Blank => matches!(character, ' ' | '\t'),
        }
    }

    /// The classes that hold all of a text, the widest first.
    ///
    /// There is always one: any byte.
    pub fn of(text: &[u8]) -> impl Iterator<Item = Class> + '_ {
        Class::ALL.into_iter().filter(|class| class.holds(text))
    }

    /// Adds a member to a text. Of wide classes half the draws are printable.
    ///
    /// Each member of a narrow class is as likely as any other. Wide classes draw the length in
    /// UTF-8 first, so that characters of several bytes are found.
    pub fn draw(self, dice: &mut dyn Dice, text: &mut Vec<u8>) {
        let is_wide = matches!(self, Class::Any | Class::Character | Class::InLine);
        if is_wide && dice.below(2) == 0 {
            return Class::Printable.draw(dice, text);
        }
        if self.is_of_bytes() {
            let low = if self == Class::Any { 0 } else { 0x80 };
            text.push((low + dice.below(256 - low)) as u8);
            return;
        }
        let width = match self {
            Class::TwoBytes => 2,
            Class::ThreeBytes => 3,
            Class::FourBytes => 4,
            Class::NonAscii => 2 + dice.below(3),
            Class::Character | Class::InLine => 1 + dice.below(4),
            _ => 1,
        };
        let character = if width == 1 {
            let members: Vec<char> =
                (0..0x80).map(char::from).filter(|&member| self.contains(member)).collect();
            members[dice.below(members.len())]
        } else {
            wide(dice, width)
        };
        let mut bytes = [0; 4];
        text.extend_from_slice(character.encode_utf8(&mut bytes).as_bytes());
    }
}

/// A character of a number of bytes, two at least.
///
/// Half of a surrogate pair is none, so such a draw gives the euro sign.
fn wide(dice: &mut dyn Dice, width: usize) -> char {
    let (low, high) = match width {
        2 => (0x80, 0x800),
        3 => (0x800, 0x1_0000),
        _ => (0x1_0000, 0x11_0000),
    };
    let drawn = (low + dice.below(high - low)) as u32;
    // Half of a surrogate pair is no character.
    char::from_u32(drawn).unwrap_or('\u{20ac}')
}

/// A number for what sort of a character or byte each of a text is: the marks that mean something
/// somewhere are a sort each.
///
/// Letters and digits are one sort each, other ASCII characters are a sort by themselves, and the
/// rest is sorted by length. Draws with new sorts come first.
pub(crate) fn sorts(text: &[u8]) -> Vec<u32> {
    let mut sorts: Vec<u32> = Vec::new();
    for chunk in text.utf8_chunks() {
        sorts.extend(chunk.valid().chars().map(|character| match character {
            'a'..='z' => 0x80,
            'A'..='Z' => 0x81,
            '0'..='9' => 0x82,
            character if character.is_ascii() => character as u32,
            character => 0x90 + character.len_utf8() as u32,
        }));
        sorts.extend(chunk.invalid().iter().map(|byte| 0xa0 + u32::from(*byte >> 4)));
    }
    sorts
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedsmith_grammar::Random;

    #[test]
    fn wider_classes_come_first() {
        let classes: Vec<Class> = Class::of(b"ab").collect();
        let expected = [
            Class::Any,
            Class::Character,
            Class::InLine,
            Class::Printable,
            Class::Word,
            Class::Alphanumeric,
            Class::Letter,
            Class::Lower,
        ];
        assert_eq!(classes, expected);
        assert!(Class::ALL.iter().all(|&class| Class::named(class.name()) == Some(class)));
    }

    #[test]
    fn what_is_drawn_of_a_class_is_of_the_class() {
        for class in Class::ALL {
            for seed in 0..200 {
                let mut text = Vec::new();
                class.draw(&mut Random::new(seed), &mut text);
                assert!(class.holds(&text), "{class:?}: {text:?}");
                assert_eq!(class.count(&text), 1, "{class:?}: {text:?}");
            }
        }
    }

    #[test]
    fn a_class_includes_those_whose_members_it_has() {
        assert!(Class::Any.includes(Class::HighByte));
        assert!(Class::Character.includes(Class::NonAscii));
        assert!(!Class::Printable.includes(Class::Space));
        assert!(!Class::Character.includes(Class::Any));
    }

    #[test]
    fn characters_are_classed_by_their_width() {
        let classes: Vec<Class> = Class::of("é".as_bytes()).filter(|c| !c.is_of_bytes()).collect();
        let expected = [Class::Character, Class::InLine, Class::NonAscii, Class::TwoBytes];
        assert_eq!(classes, expected);
        assert_eq!(Class::of(b"\x80").collect::<Vec<_>>(), [Class::Any, Class::HighByte]);
    }
}
