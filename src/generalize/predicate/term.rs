//! Numbers that are read off an input: what features bound and compare.

use serde::{Deserialize, Serialize};

use super::feature::OF_TYPE;
use super::name::Name;

/// Offsets at which a number of a binary input may begin: few, because a header is rarely longer, and each is five
/// numbers.
const MAX_OFFSET: u8 = 16;

/// A number of an input. A name in quotes is a text of the input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Term {
    /// The number that the first part of that name is.
    First(Name),
    /// The number that the second part is.
    Second(Name),
    /// The greatest number.
    Greatest(Name),
    /// The least number.
    Least(Name),
    /// The sum of all numbers.
    Sum(Name),
    /// The last number.
    Last(Name),
    /// The sum of all numbers but the last.
    SumBefore(Name),
    /// The product of the first two numbers.
    Product(Name),
    /// How many parts of that name there are.
    Count(Name),
    /// How many characters the first part has.
    Length(Name),
    /// How many characters the first part has between its quotes.
    InnerLength(Name),
    /// How many characters the longest part has.
    Longest(Name),
    /// How many bytes of UTF-8 the widest character of all parts takes.
    Widest(Name),
    /// How many digits are after the point in the number that has most.
    Decimals(Name),
    /// The same of the numbers as floating-point ones of 64 bits: `1.10` has one.
    Precision(Name),
    /// How many bytes the input has.
    Bytes,
    /// The number that the bytes at a place are.
    Field(Field),
    /// The product of the numbers at two places, such as a width and a height.
    FieldProduct(Field, Field),
    /// How many bytes there are from that offset on.
    Rest(u8),
}

/// One, two or four bytes at a fixed place of a binary input, which are a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// The offset of its first byte.
    pub(super) offset: u8,
    /// How many bytes it has: 1, 2 or 4.
    pub(super) width: u8,
    /// Whether its first byte is the one of the greatest weight; not if it has one byte.
    pub(super) is_big: bool,
}

/// The number that at most 15 bytes are; with `is_big` the first one has the greatest weight.
pub(super) fn number_of(bytes: &[u8], is_big: bool) -> i128 {
    let step = |value: i128, byte: &u8| value << 8 | i128::from(*byte);
    match is_big {
        true => bytes.iter().fold(0, step),
        false => bytes.iter().rev().fold(0, step),
    }
}

impl Field {
    /// Those at the first offsets.
    pub(super) fn all() -> impl Iterator<Item = Field> {
        let kinds = [(1, false), (2, false), (2, true), (4, false), (4, true)];
        (0..MAX_OFFSET).flat_map(move |offset| {
            kinds.map(move |(width, is_big)| Field { offset, width, is_big })
        })
    }

    /// The offset of the first byte after it.
    pub(super) fn end(self) -> usize {
        usize::from(self.offset) + usize::from(self.width)
    }

    /// The bytes before and after it.
    pub(super) fn neighbours(self) -> impl Iterator<Item = Field> {
        let before = self.offset.checked_sub(1);
        let all = [before, self.offset.checked_add(self.width)].into_iter().flatten();
        all.map(|offset| Field { offset, width: 1, is_big: false })
    }

    /// How many bytes it has.
    pub(super) fn width(self) -> u8 {
        self.width
    }

    /// The greatest number that it may be.
    pub(super) fn greatest(self) -> i128 {
        (1 << (8 * self.width)) - 1
    }

    /// Its number; nothing if the input ends before it.
    pub(super) fn value(self, input: &[u8]) -> Option<i128> {
        let start = usize::from(self.offset);
        let bytes = input.get(start..start + usize::from(self.width))?;
        Some(number_of(bytes, self.is_big))
    }

    /// An input with another number there; nothing if the number does not fit, or the input ends before it.
    pub(super) fn written(self, input: &[u8], number: i128) -> Option<Vec<u8>> {
        let number =
            u32::try_from(number).ok().filter(|number| i128::from(*number) <= self.greatest())?;
        let (start, width) = (usize::from(self.offset), usize::from(self.width));
        let mut input = input.to_vec();
        let place = input.get_mut(start..start + width)?;
        match self.is_big {
            true => place.copy_from_slice(&number.to_be_bytes()[4 - width..]),
            false => place.copy_from_slice(&number.to_le_bytes()[..width]),
        }
        Some(input)
    }

    /// How it is written in a sentence.
    ///
    /// A number of one byte has no order of bytes.
    pub(super) fn phrase(self) -> String {
        let Field { offset, width, is_big } = self;
        match (width, is_big) {
            (1, _) => format!("the byte at offset {offset}"),
            (_, true) => format!("the big-endian number of {width} bytes at offset {offset}"),
            (_, false) => format!("the little-endian number of {width} bytes at offset {offset}"),
        }
    }
}

impl Term {
    /// The name in it.
    pub fn name(&self) -> Option<&Name> {
        match self {
            Term::First(name)
            | Term::Second(name)
            | Term::Greatest(name)
            | Term::Least(name)
            | Term::Sum(name)
            | Term::Last(name)
            | Term::SumBefore(name)
            | Term::Product(name)
            | Term::Count(name)
            | Term::Length(name)
            | Term::InnerLength(name)
            | Term::Decimals(name)
            | Term::Precision(name)
            | Term::Widest(name)
            | Term::Longest(name) => Some(name),
            Term::Bytes | Term::Field(_) | Term::FieldProduct(..) | Term::Rest(_) => None,
        }
    }

    /// Whether it is a number of parts or of characters.
    pub(super) fn is_count_or_length(&self) -> bool {
        matches!(
            self,
            Term::Count(_)
                | Term::Length(_)
                | Term::InnerLength(_)
                | Term::Longest(_)
                | Term::Bytes
        )
    }

    /// How much it asks a reader to take in.
    pub(super) fn weight(&self) -> u32 {
        match self {
            Term::First(name) if is_value(name) => 0,
            Term::Greatest(_) | Term::Least(_) | Term::Bytes | Term::Count(_) => 1,
            Term::First(_)
            | Term::Last(_)
            | Term::Length(_)
            | Term::InnerLength(_)
            | Term::Longest(_) => 2,
            Term::Second(_) | Term::Product(_) | Term::Decimals(_) | Term::Widest(_) => 3,
            Term::Sum(_) | Term::SumBefore(_) | Term::Precision(_) => 4,
            // A number of two bytes has the byte in it that may be the cause.
            Term::Field(field) => u32::from(field.width()),
            // That a number is large comes before that it is larger than what follows.
            Term::Rest(_) => 3,
            Term::FieldProduct(..) => 4,
        }
    }

    /// The same beside another number, where the greatest is harder to take in than the only one.
    pub(super) fn weight_in_difference(&self) -> u32 {
        match self {
            Term::First(name) if !is_value(name) => 1,
            Term::Greatest(_) | Term::Least(_) => 2,
            // The length of a text that happens to be as long as a bound is large.
            Term::Length(_) | Term::InnerLength(_) | Term::Longest(_) => 3,
            // How many values have a mark in them is no number that another one is compared with.
            Term::Count(name) if name.contains(WITH) => 8,
            // Nor is how many tokens of a kind are at a place: `<NUMBER> after "/"`.
            Term::Count(name) if is_of_token(name) && name.contains(' ') => 4,
            term => term.weight(),
        }
    }

    /// How it is written in a sentence.
    pub(super) fn phrase(&self) -> String {
        let the = |what: &str, name: &Name| match is_value(name) {
            true => format!("the {name}"),
            false => format!("the {what}{name}"),
        };
        match self {
            Term::First(name) => the("first ", name),
            Term::Second(name) => format!("the second {name}"),
            Term::Greatest(name) => the("greatest ", name),
            Term::Least(name) => the("least ", name),
            Term::Sum(name) => format!("the sum of the {name}"),
            Term::Last(name) => format!("the last {name}"),
            Term::SumBefore(name) => format!("the sum of the {name} before it"),
            Term::Product(name) => format!("the product of the first two {name}"),
            Term::Count(name) => format!("the number of {name}"),
            Term::Length(name) if is_value(name) => format!("the length of the {name}"),
            Term::Length(name) => format!("the length of {name}"),
            Term::InnerLength(name) if is_value(name) => {
                format!("the length of the {name} without its quotes")
            }
            Term::InnerLength(name) => format!("the length of {name} without its quotes"),
            Term::Longest(name) => format!("the length of the longest {name}"),
            Term::Decimals(name) if is_value(name) => {
                format!("the number of decimals of the {name}")
            }
            Term::Decimals(name) => format!("the greatest number of decimals of a {name}"),
            Term::Precision(name) if is_value(name) => {
                format!("the number of decimals of the {name} as a floating-point number")
            }
            Term::Precision(name) => {
                format!("the greatest number of decimals of a {name} as a floating-point number")
            }
            Term::Widest(name) => format!("the width of the widest character of {name}"),
            Term::Bytes => "the length of the input".to_owned(),
            Term::Field(field) => field.phrase(),
            Term::FieldProduct(one, other) => {
                format!("the product of {} and {}", one.phrase(), other.phrase())
            }
            Term::Rest(from) => format!("the number of bytes from offset {from} on"),
        }
    }
}

/// Whether a name is of a token with many texts, maybe at a place: `<NUMBER> after "/"`.
pub(super) fn is_of_token(name: &str) -> bool {
    let kind = name.split(' ').next().unwrap_or_default();
    kind.starts_with('<') && !kind.contains(|c: char| c.is_ascii_lowercase())
}

/// Whether a name is that of a key's value, of which there is mostly one.
pub(super) fn is_value(name: &str) -> bool {
    name.contains(VALUE_OF)
}

/// Whether a name is of the values of a key that are one kind of token: `<NUMBER> value of "port"`.
pub(super) fn is_typed_value(name: &str) -> bool {
    name.starts_with('<') && is_value(name)
}

/// Whether all parts of a name have the same text, as far as the name says: a word, a line by its words, a value that is one text,
/// and the record of a type.
pub(super) fn has_one_text(name: &str) -> bool {
    let is_by_text = BY_TEXT.iter().any(|words| name.contains(words));
    name.starts_with('"') || name.starts_with(OF_TYPE) || is_by_text
}

/// Whether a name is of parts other than lines by how they begin or end.
pub(super) fn is_affixed(name: &str) -> bool {
    (name.contains(BEGINS_WITH) || name.contains(ENDS_WITH)) && !name.contains("<line>")
}

/// What the name of a key's value begins with.
pub(super) const VALUE_OF: &str = "value of ";

/// What the name of a part ends with that is between two others of its kind which are not empty.
pub(super) const BETWEEN: &str = " between others";

/// The word between the name of a key's value and its text, where that is the name.
pub(super) const IS_WORD: &str = " that is ";

/// What the name of the texts between separators begins with, maybe after a number, where there is no grammar.
pub(super) const FIELD: &str = "<field> between ";

/// What the name of a call begins with that is none of a thing's own functions: `pairs(x)`, and not `cache.pairs(x)`.
pub(super) const CALL_OF: &str = "call of ";

/// The word between the name of a token and the mark that is right after it.
pub(super) const BEFORE: &str = " before ";

/// What the name of a part ends with that is digits alone, though others of its name are not.
pub(super) const OF_DIGITS: &str = " of digits";

/// The words between the name of a part and a text at its beginning.
pub(super) const BEGINS_WITH: &str = " that begins with ";

/// The words between the name of a line that is no remark and the mark that remarks begin with.
pub(super) const IS_NO_REMARK: &str = " that does not begin with ";

/// What the name of the text of a line begins with that is before its first mark of a kind.
pub(super) const TEXT_BEFORE: &str = "<text> before ";

/// What the name of the text before a mark ends with in a line that is not indented, where others are.
pub(super) const UNINDENTED: &str = " without indentation";

/// The words between a text that is in no remark and the mark that remarks begin with.
pub(super) const OUTSIDE: &str = " outside of remarks with ";

/// The name of a section of a text without a grammar: a title in brackets with the lines below it.
pub(super) const SECTION: &str = "<section>";

/// The name of the line that a section begins with.
pub(super) const TITLE: &str = "<title>";

/// The words between the name of a token and the rule that it begins, as a definition begins with a name.
pub(super) const THAT_BEGINS: &str = " that begins ";

/// The words between the name of a part and a text at its end.
pub(super) const ENDS_WITH: &str = " that ends with ";

/// What the name of a line has that is named by its first word.
pub(super) const FIRST_WORD: &str = "first word is ";

/// The words between the number of a word of a line and its text.
pub(super) const WORD_IS: &str = " word is ";

/// The words between a name and a text that its parts are, or that they have at a certain place.
pub(super) const BY_TEXT: [&str; 4] = [BEGINS_WITH, OF_TEXT, WORD_IS, IS_WORD];

/// What the name of a rule begins with that is compared only with those in the same rule.
pub(super) const NEIGHBOURING: &str = "neighbouring ";

/// The word between a kind of parts and the word or mark that is before them.
pub(super) const AFTER: &str = " after ";

/// The name of the text after the first mark of a line that separates a key from a value, where an input has both marks.
pub(super) const AFTER_KEY: &str = "<text> after \":\" or \"=\"";

/// The name of lines without an empty one between them.
///
/// Such lines are a paragraph, a record, a cue of subtitles, the head or the body of a message.
pub(super) const BLOCK: &str = "<block>";

/// The name of what is between a word that opens something and the one that closes it, where there is no grammar.
pub(super) const BODY: &str = "<body>";

/// The names of the parts between the separators right in a body's braces, and of the word before a value there.
pub(super) const MEMBER: &str = "<member>";
pub(super) const KEY: &str = "<key>";

/// What the name of lines begins with that one with a certain first word or mark begins, where there is no grammar.
pub(super) const GROUP: &str = "<group:";

/// The name of numbers where the grammar has several kinds of them.
pub(super) const ANY_NUMBER: &str = "<any number>";

/// The name of a line that is not indented with the indented lines below it.
pub(super) const ENTRY: &str = "<entry>";

/// The name of what is below a line that is indented once, where there is no grammar.
pub(super) const INNER_ENTRY: &str = "<inner entry>";

/// What the names of parts begin with that are right in another one, and in no part of it.
pub(super) const CHILD: &str = "<child>";

/// The words between a line and its whole text.
pub(super) const OF_TEXT: &str = " of the text ";

/// The word between a key and the key that it is under.
pub(super) const OF_KEY: &str = " of ";

/// What the name of keys begins with of which the depth is counted inside the value of another one.
pub(super) const BELOW: &str = "below ";

/// The words between a key and the key of the list that it is in an item of.
pub(super) const OF_ONE: &str = " of one of ";

/// The same where the item is one of a list in the list.
pub(super) const OF_INNER_LIST: &str = " of one in a list of ";

/// What the name of a value has in the place of a key between others that is the name of a thing.
pub(super) const ANY_KEY: &str = "any key";

/// Whether the name of a value is that of its key alone.
pub(super) fn is_plain_key(key: &str) -> bool {
    !key.contains(IS_WORD) && !key.contains(WITH) && !key.contains(OF_KEY)
}

/// The key in the name of its value, in quotation marks; nothing if the name says more.
pub(super) fn plain_key(name: &str) -> Option<&str> {
    name.strip_prefix(VALUE_OF).filter(|key| is_plain_key(key))
}

/// The key in the name of its value, and the keys that it is under: `"hg"` and ` of one of "libs"` of `value of "hg" of one of "libs"`. Nothing
/// for a name of some of its values.
pub(super) fn key_of(name: &str) -> Option<(&str, &str)> {
    let rest = name.strip_prefix(VALUE_OF)?;
    let (key, place) = rest.split_at(quoted_length(rest)?);
    let is_of_all = !place.contains(IS_WORD) && !place.contains(WITH);
    let is_place = place.is_empty() || place.starts_with(OF_KEY);
    (key.starts_with('"') && is_of_all && is_place).then_some((key, place))
}

/// How many bytes the text in quotation marks has that a name begins with; at least two.
pub(super) fn quoted_length(name: &str) -> Option<usize> {
    let is_end = |at: &usize| name[..*at].ends_with('"') && !name[..*at].ends_with("\\\"");
    (2..=name.len()).filter(|at| name.is_char_boundary(*at)).find(is_end)
}

/// The words between the name of a part and the kind that its title begins with.
pub(super) const TITLE_BEGINS: &str = " whose title begins with ";

/// The word between a name and the mark that all parts of a kind have.
pub(super) const WITH: &str = " with ";

/// What the name of the parts of a list in a key's value begins with.
pub(super) const ITEMS_IN: &str = "items in ";

/// What the name of the pairs of keys and values in a key's value begins with.
pub(super) const PAIRS_OF: &str = "pairs of ";

/// How many keys a name has that it has before: one for `value of "a" of "b" of one of "a"`.
///
/// The text of a value is no key.
pub(super) fn repeated_keys(name: &str) -> u32 {
    let path = name.split_once(IS_WORD).map_or(name, |(path, _)| path);
    let keys: Vec<&str> = path.split(OF_KEY).filter(|key| key.starts_with('"')).collect();
    let is_repeated = |at: &usize| keys[..*at].contains(&keys[*at]);
    (0..keys.len()).filter(is_repeated).count() as u32
}

/// Whether a name is of a key's value, or of what is in it.
pub(super) fn is_of_key(name: &str) -> bool {
    is_value(name) || name.starts_with(ITEMS_IN) || name.starts_with(PAIRS_OF)
}

/// The same as `ITEMS_IN` where there is no grammar and the list is what is after a mark in a line.
pub(super) const ITEMS_IN_TEXT: &str = "items in <text> after ";
