//! The choice of units, as `--format` names it.

use std::fmt;
use std::str::FromStr;

use crate::structure::units::Units;
use crate::structure::units::lines::lines;
use crate::structure::units::tokens::tokens;

/// The units that an input is divided into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum UnitKind {
    /// Whatever pays.
    #[default]
    Auto,
    /// Bytes without further structure.
    Bytes,
    /// Lines.
    Lines,
    /// Words, numbers, blanks and characters.
    Tokens,
    /// Tokens, and openers with their closers.
    Brackets,
}

/// The names, as users write them.
const NAMES: [(&str, UnitKind); 5] = [
    ("auto", UnitKind::Auto),
    ("bytes", UnitKind::Bytes),
    ("lines", UnitKind::Lines),
    ("tokens", UnitKind::Tokens),
    ("brackets", UnitKind::Brackets),
];

/// A name that no [`UnitKind`] has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is none of auto, bytes, lines, tokens, brackets")]
pub struct UnknownUnitKind {
    /// The name.
    pub name: String,
}

impl FromStr for UnitKind {
    type Err = UnknownUnitKind;

    fn from_str(text: &str) -> Result<Self, UnknownUnitKind> {
        let named = NAMES.iter().find(|(name, _)| *name == text);
        named.map(|(_, kind)| *kind).ok_or_else(|| UnknownUnitKind { name: text.to_owned() })
    }
}

impl fmt::Display for UnitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = NAMES.iter().find(|(_, format)| format == self);
        f.write_str(named.map_or("auto", |(name, _)| name))
    }
}

/// The units of `bytes` in a format; bytes for [`UnitKind::Auto`] and for inputs longer than 4 GiB.
///
/// Cost: once through the bytes, and nothing for bytes.
pub fn split(bytes: &[u8], format: UnitKind) -> Units {
    match format {
        _ if u32::try_from(bytes.len()).is_err() => Units::bytes(bytes.len()),
        UnitKind::Auto | UnitKind::Bytes => Units::bytes(bytes.len()),
        UnitKind::Lines => lines(bytes),
        UnitKind::Tokens | UnitKind::Brackets => tokens(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_spelled_as_it_is_read() {
        for (name, format) in NAMES {
            assert_eq!(name.parse(), Ok(format));
            assert_eq!(format.to_string(), name);
        }
        assert!("xml".parse::<UnitKind>().is_err());
    }
}
