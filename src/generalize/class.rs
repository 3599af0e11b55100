//! Classes of bytes, for places of which no grammar knows anything.

use std::sync::LazyLock;

use seedsmith_grammar::grammar::generate::Dice;

/// A set of bytes with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Any of the 256.
    Any,
    /// What can be seen on paper, and the blank.
    Printable,
    /// Letters, digits and `_`.
    Word,
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
}

impl Class {
    /// All in the order of their numbers, none before one that holds it.
    pub const ALL: [Class; 8] = [
        Class::Any,
        Class::Printable,
        Class::Word,
        Class::Letter,
        Class::Lower,
        Class::Upper,
        Class::Digit,
        Class::Space,
    ];

    /// The name in patterns.
    pub fn name(self) -> &'static str {
        match self {
            Class::Any => "any byte",
            Class::Printable => "printable",
            Class::Word => "word",
            Class::Letter => "letter",
            Class::Lower => "lower",
            Class::Upper => "upper",
            Class::Digit => "digit",
            Class::Space => "space",
        }
    }

    /// The class of that name.
    pub fn named(name: &str) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.name() == name)
    }

    /// Whether it holds the byte.
    pub fn contains(self, byte: u8) -> bool {
        match self {
            Class::Any => true,
            Class::Printable => byte.is_ascii_graphic() || byte == b' ',
            Class::Word => byte.is_ascii_alphanumeric() || byte == b'_',
            Class::Letter => byte.is_ascii_alphabetic(),
            Class::Lower => byte.is_ascii_lowercase(),
            Class::Upper => byte.is_ascii_uppercase(),
            Class::Digit => byte.is_ascii_digit(),
            Class::Space => matches!(byte, b' ' | b'\t' | b'\n' | b'\r'),
        }
    }

    /// All of its bytes, ascending.
    fn members(self) -> &'static [u8] {
        static MEMBERS: LazyLock<[Vec<u8>; Class::ALL.len()]> = LazyLock::new(|| {
            Class::ALL.map(|class| (0..=255).filter(|&byte| class.contains(byte)).collect())
        });
        &MEMBERS[self as usize]
    }

    /// The classes that hold all of `bytes`, the widest first.
    pub fn of(bytes: &[u8]) -> impl Iterator<Item = Class> + '_ {
        Class::ALL.into_iter().filter(|class| bytes.iter().all(|&byte| class.contains(byte)))
    }

    /// A member. Of any byte at all, half the draws are printable.
    pub fn draw(self, dice: &mut dyn Dice) -> u8 {
        if self == Class::Any && dice.below(2) == 0 {
            return Class::Printable.draw(dice);
        }
        let members = self.members();
        members[dice.below(members.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wider_classes_come_first() {
        let classes: Vec<Class> = Class::of(b"ab").collect();
        assert_eq!(
            classes,
            [Class::Any, Class::Printable, Class::Word, Class::Letter, Class::Lower]
        );
        assert!(Class::ALL.iter().all(|&class| Class::named(class.name()) == Some(class)));
    }
}
