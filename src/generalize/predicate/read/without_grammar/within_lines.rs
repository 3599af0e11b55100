//! Keys within lines, where there is no grammar: `pressure=41`, and `bid 15` in `Lot 7: bid 15, reserve 12`.
//!
//! A line may have several keys, none of which begins it. So a value is named by the word before it, if that follows a blank or a mark, and
//! is compared with those of other keys in the line. The values below the heads of a listing have these as keys: `PID USER COMMAND`.

use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::read::Words;
use crate::generalize::predicate::read::outline::{Item, Leaf, Outline, Part, Rule};
use crate::generalize::predicate::term::{AFTER, VALUE_OF};

use super::lines::{BLANKS, Piece, pieces, split};
use super::sections::LINE;

/// Marks after which a key may begin.
const MARKS_BEFORE_KEY: &[u8] = b",;|:(";
/// Marks at the beginning of a line that are a key: as many as a block of code has, since more are a rule across the page.
const MAX_MARKS: usize = 3;
/// Marks that are before and after a text in many formats. An apostrophe is not among them: it is alone in a word.
const QUOTATION_MARKS: [&str; 2] = ["\"", "`"];
/// Texts between quotation marks that are named, because each has a dozen features.
const MAX_QUOTED: usize = 64;
/// The name of a text between two quotation marks, before the mark.
pub(in crate::generalize::predicate::read) const QUOTED: &str = "<text> between ";
/// Columns that a listing has at least: two words are rather a sentence or a key with its value.
const MIN_COLUMNS: usize = 3;

impl<'t> Outline<'t> {
    /// Names the values of keys within lines. Only texts that are read without a grammar have lines.
    pub(in crate::generalize::predicate::read) fn name_pairs_in_lines(&mut self, words: &Words) {
        let mut found: Vec<Item<'t>> = Vec::new();
        let mut heads: Vec<&'t [u8]> = Vec::new();
        for (number, rule) in self.rules.iter().enumerate().filter(|(_, rule)| rule.name == LINE) {
            let line = self.all_of(rule);
            let values = values_below(&heads, line.text);
            let in_columns: Vec<(&[u8], Piece<'t>)> = heads.iter().copied().zip(values).collect();
            if in_columns.is_empty() && !line.text.trim_ascii().is_empty() {
                heads = heads_of_columns(line.text);
            }
            let pairs = pairs_with_marks(line.text)
                .chain(pairs_with_blanks(line.text))
                .chain(pairs_in_brackets(line.text))
                .chain(in_columns);
            let pairs = pairs.filter_map(|(key, value)| Some((words.name(key)?, value)));
            let pairs = pairs.chain(after_marks(line.text));
            found.extend(pairs.flat_map(|(key, (text, at))| {
                let part = self.part_at(text, line.start + at as u32);
                let name = format!("{VALUE_OF}{key}");
                let by_text = words.name_by_text(&name, text).map(|name| (name, true));
                let names = [(name, false)].into_iter().chain(by_text);
                let item = |(name, is_fixed): (String, bool)| Item {
                    name: name.into(),
                    is_fixed,
                    part: part.clone(),
                    rule: Some(number),
                };
                names.map(item).collect::<Vec<_>>()
            }));
        }
        self.add_keyed(found);
    }

    /// Names pairs of words that the failure needs by their text: `"-j DROP"`. One word of it may be anywhere else.
    ///
    /// Cost: a pass over the input for each pair.
    pub(in crate::generalize::predicate::read) fn name_pairs_of_words(&mut self, words: &Words) {
        let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
        let input = self.input;
        let mut found: Vec<Item<'t>> = Vec::new();
        for pair in &words.pairs {
            let name = Name::from(format!("\"{pair}\""));
            for at in memchr::memmem::find_iter(input, pair) {
                let span = at..at + pair.len();
                let before = at.checked_sub(1).and_then(|at| input.get(at));
                if before.is_some_and(is_of_word) || input.get(span.end).is_some_and(is_of_word) {
                    continue;
                }
                let is_around = |rule: &Rule| {
                    rule.span.0 as usize <= span.start && span.end <= rule.span.1 as usize
                };
                let rule = self.rules.iter().rposition(is_around);
                let part = self.part_at(&input[span], at as u32);
                found.push(Item { name: name.clone(), is_fixed: true, part, rule });
            }
        }
        self.items.extend(found);
    }

    /// The texts between quotation marks, where there is no grammar: between the first mark and the second, the third and the
    /// fourth. In one line after a word that the failure needs a text is `<text> after "variable"`.
    pub(in crate::generalize::predicate::read) fn name_quoted(&mut self, words: &Words) {
        let mut found: Vec<Item<'t>> = Vec::new();
        for mark in QUOTATION_MARKS {
            let is_mark = |leaf: &&Leaf<'t>| leaf.is_fixed && leaf.text == mark.as_bytes();
            let marks: Vec<&Leaf<'t>> = self.leaves.iter().filter(is_mark).collect();
            for pair in marks.chunks_exact(2) {
                let (start, end) = (pair[0].start + 1, pair[1].start);
                let text = &self.input[start as usize..end as usize];
                let leaf = self.leaves.partition_point(|leaf| leaf.start < start);
                let part = Part { text, start, leaf, is_text: false };
                let name = format!("{QUOTED}{mark:?}");
                // In one line it is a part of the line.
                let is_around = |rule: &Rule| rule.span.0 < start && end < rule.span.1;
                let mut lines = self.rules.iter().enumerate();
                let line = lines.find(|(_, rule)| rule.name == "<line>" && is_around(rule));
                let rule = Some(line.map_or(0, |(number, _)| number));
                let before = self.leaves.partition_point(|leaf| leaf.start < pair[0].start);
                let is_filled = |leaf: &&Leaf<'t>| !leaf.text.trim_ascii().is_empty();
                let mut filled = self.leaves[..before].iter().rev().filter(is_filled);
                // The title of a thing with braces around it: `file { "/etc/owl": }`.
                let is_brace = |leaf: &&Leaf<'t>| leaf.is_fixed && leaf.text == b"{";
                let word = filled.find(|leaf| !is_brace(leaf));
                let word = word.and_then(|leaf| words.name(leaf.text));
                let word = word.filter(|word| rule != Some(0) && words.is_preferred(word));
                let after = word.map(|word| format!("<text>{AFTER}{word}"));
                found.extend(after.into_iter().chain([name]).map(|name| {
                    let (name, part) = (name.into(), part.clone());
                    Item { name, is_fixed: false, part, rule }
                }));
            }
        }
        found.truncate(MAX_QUOTED);
        self.items.extend(found);
    }
}

/// Keys and values that are fields between blanks with a mark in them: `pressure=41` in a line of a log, after its first field. A bracket that is closed
/// in a value without being opened there is none of it.
fn pairs_with_marks(line: &[u8]) -> impl Iterator<Item = (&[u8], Piece<'_>)> {
    split(line, BLANKS).skip(1).filter_map(|(text, start)| {
        let mark = text.iter().position(|byte| *byte == b'=')?;
        let is_key = text[0].is_ascii_alphabetic();
        let value = &text[mark + 1..];
        let value = &value[..closed_before(value)];
        is_key.then_some((&text[..mark], (value, start + mark + 1)))
    })
}

/// The heads of the columns of a listing, if a line is of such: three words and more that begin with a capital or `%` and have no digits.
///
/// A word without a capital belongs to the head before it, as in `Mounted on`. A sentence has more of these than a listing has columns.
/// Nothing in a text says that a line is such a head, so that a title of three words is taken for one, too; then the lines below it
/// get names that no condition needs.
fn heads_of_columns(line: &[u8]) -> Vec<&[u8]> {
    let is_of_head = |byte: &u8| byte.is_ascii_alphabetic() || b"%-_/#".contains(byte);
    let is_begin = |text: &&[u8]| text[0].is_ascii_uppercase() || text[0] == b'%';
    let words: Vec<&[u8]> = pieces((line, 0)).map(|(text, _)| text).collect();
    let is_of_heads =
        words.first().is_some_and(is_begin) && words.iter().all(|word| word.iter().all(is_of_head));
    let mut heads: Vec<&[u8]> = words.iter().copied().filter(is_begin).collect();
    let is_sentence = words.len() >= heads.len() + MIN_COLUMNS;
    // The second word of two heads: `Local Address` and `Foreign Address`.
    heads.retain(|head| words.iter().filter(|word| *word == head).count() == 1);
    let is_listing = is_of_heads && !is_sentence && heads.len() >= MIN_COLUMNS;
    if is_listing { heads } else { Vec::new() }
}

/// The values of a line of a listing, as many as it has heads; none if the line has fewer. The last one reaches to the end of the line.
///
/// Words are counted from the left: a listing is aligned for people, and where its columns begin differs from line to line. Cost: a pass over the line.
fn values_below<'t>(heads: &[&[u8]], line: &'t [u8]) -> Vec<Piece<'t>> {
    let mut values: Vec<Piece<'t>> = pieces((line, 0)).collect();
    if heads.is_empty() || values.len() < heads.len() {
        return Vec::new();
    }
    values.truncate(heads.len());
    if let Some((text, start)) = values.last_mut() {
        *text = line[*start..].trim_ascii_end();
    }
    values
}

/// The text after the marks that a line begins with, as their value: the language of a block of code after `\`\`\``, the title after `##`. Brackets and
/// quotation marks say nothing without their partners.
fn after_marks(line: &[u8]) -> Option<(Name, Piece<'_>)> {
    let is_mark = |byte: &&u8| byte.is_ascii_punctuation() && !b"()[]{}<\"'\\_".contains(byte);
    let begin = line.len() - line.trim_ascii_start().len();
    let count = line[begin..].iter().take_while(is_mark).count();
    let value = line[begin + count..].trim_ascii();
    let is_told = (1..=MAX_MARKS).contains(&count) && !value.is_empty();
    let marks = std::str::from_utf8(&line[begin..begin + count]).ok().filter(|_| is_told)?;
    let start = line.trim_ascii_end().len() - value.len();
    Some((format!("\"{marks}\"").into(), (value, start)))
}

/// The offset of the first bracket that is closed in a text without being opened there; the end if there is none.
fn closed_before(text: &[u8]) -> usize {
    let mut open = 0usize;
    let is_left_over = |byte: &u8| {
        match byte {
            b'(' | b'[' | b'{' | b'<' => open += 1,
            b')' | b']' | b'}' | b'>' if open == 0 => return true,
            b')' | b']' | b'}' | b'>' => open -= 1,
            _ => {}
        }
        false
    };
    text.iter().position(is_left_over).unwrap_or(text.len())
}

/// Keys and values with a blank between them, after a mark and before the next: `bid 15` in `Lot 7 teapot: bid 15, reserve 12`.
fn pairs_with_blanks(line: &[u8]) -> impl Iterator<Item = (&[u8], Piece<'_>)> {
    split(line, MARKS_BEFORE_KEY).skip(1).filter_map(|part| {
        let mut all = pieces(part);
        let ((key, _), (value, start), None) = (all.next()?, all.next()?, all.next()) else {
            return None;
        };
        let value = value.strip_suffix(b")").unwrap_or(value);
        let is_key = key.first()?.is_ascii_alphabetic() && !value.is_empty();
        is_key.then_some((key, (value, start)))
    })
}

/// The key and the value of a line in brackets, with a text in quotation marks for a value: `[White "Ann"]`.
///
/// The value comes without its quotation marks.
fn pairs_in_brackets(line: &[u8]) -> Option<(&[u8], Piece<'_>)> {
    let inner = line.strip_prefix(b"[")?.trim_ascii_end().strip_suffix(b"]")?.trim_ascii_end();
    let (key, value) = inner.split_at(inner.iter().position(|byte| BLANKS.contains(byte))?);
    let text = value.trim_ascii_start().strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let start = 1 + key.len() + value.len() - 1 - text.len();
    key.first()?.is_ascii_alphabetic().then_some((key, (text, start)))
}

#[cfg(test)]
mod tests {
    use crate::generalize::predicate::bound::Bound;
    use crate::generalize::predicate::feature::{Feature, Features, Term, Words, features};
    use crate::generalize::predicate::plain;

    fn read(text: &str) -> Features {
        let mut language = plain::language().unwrap();
        let (tree, _) = language.read(text.as_bytes()).unwrap();
        features(&tree, text.as_bytes(), &language, &Words::of([text.as_bytes()]))
    }

    #[test]
    fn keys_within_a_line_have_values_that_are_compared() {
        let text = "Lot 7 teapot: bid 15, reserve 12\nLot 8 x: bid 1, reserve 9 or 10 (fee 4)\n";
        let found = read(text);
        let value = |key: &str| Term::First(format!("value of \"{key}\"").into());
        let difference = Feature::Difference(value("bid"), value("reserve"));
        let lines = |at_least| {
            let bounds = vec![(difference.clone(), Bound::AtLeast(at_least))];
            Feature::Parts("<line>".into(), bounds).value(&found)
        };
        assert_eq!([lines(3), lines(4)], [Some(1), Some(0)]);
        assert_eq!(Feature::Value(value("fee")).value(&found), Some(4));
        let found = read("  ``` perl \n```\n#3\n----x\n[a]\n");
        let count = |name: &str| Feature::Count(format!("value of {name}").into()).value(&found);
        assert_eq!(count("\"```\" that is \"perl\""), Some(1));
        assert_eq!(["\"```\"", "\"#\"", "\"----\""].map(count), [Some(1), Some(1), Some(0)]);
        assert_eq!(Feature::Value(value("Lot")).value(&read("Lot 7: a=2 b=x")), None);
        assert_eq!(Feature::Value(value("a")).value(&read("Lot 7: a=2 b=x")), Some(2));
        let listing = "$ ps\n  PID NI COMMAND\n    7 -5 sh -c x\n   12 19 ls\n\nx 3 y\n";
        let number = |term| Feature::Value(term).value(&read(listing));
        assert_eq!(
            [Term::First, Term::Greatest].map(|term| number(term("value of \"NI\"".into()))),
            [Some(-5), Some(19)]
        );
        let listing =
            "Proto Local Address Foreign Address State PID/Program name\ntcp :22 :0 OPEN 3/owl\n";
        let open = Feature::Count("value of \"State\" that is \"OPEN\"".into());
        assert_eq!(open.value(&read(listing)), Some(1));
    }

    #[test]
    fn texts_in_quotation_marks_have_the_name_of_a_needed_word_before_them() {
        let twins = |text: &str| {
            let mut language = plain::language().unwrap();
            let (tree, _) = language.read(text.as_bytes()).unwrap();
            let words = Words::of([text.as_bytes()]).with_preferred(&["\"variable\"".to_owned()]);
            let found = features(&tree, text.as_bytes(), &language, &words);
            Feature::Twins("<text> after \"variable\"".into()).value(&found)
        };
        assert_eq!(twins("variable \"size\" {\n}\nvariable\"size\"{}\n"), Some(1));
        assert_eq!(twins("variable \"size\" {\n}\nvariable \"b\" { c = \"size\" }\n"), Some(0));
        assert_eq!(twins("variable { \"a\": }\nvariable {\"a\": }\n"), Some(1));
    }
}
