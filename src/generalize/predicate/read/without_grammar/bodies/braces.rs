//! Braces with a word before them: `host owl {` and `}`, on several lines or in one.

use super::pairs::{Closes, Kind, Mark, first_word};

/// What the lines of remarks begin with, in which a brace opens nothing.
const REMARKS: [&[u8]; 4] = [b"#", b"//", b";", b"--"];
/// What may be after a brace that closes something.
const AFTER_BRACE: &[u8] = b";,)";
/// What ends the words before a brace that are not about it.
const BEFORE_HEAD: &[u8] = b"{};";
/// Marks right before a brace that is no body's: `${a}`, `{{a}}`, `\\{`, and a text in quotation marks.
const NO_HEAD: &[u8] = b"{$\"'\\#%";
/// Marks right after a brace that begins a tag of a template: `{{a}}`, `{% if %}`.
const IN_TAGS: &[u8] = b"{%#!/&^>$";

/// The braces of each line that have no partner in it, with the word that the line begins with: `host owl {`, `}`, `3 }`; and those that have one, each with
/// the first word before it: `host owl { port 80 }`.
///
/// Braces in remarks and in texts in quotation marks are none. Cost: one pass over the input.
pub(super) fn braces(input: &[u8]) -> Vec<Mark<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in input.split(|byte| *byte == b'\n') {
        let (from, text) = (start, line.trim_ascii());
        let (begin, end) =
            (from + line.len() - line.trim_ascii_start().len(), from + line.trim_ascii_end().len());
        start += line.len() + 1;
        if REMARKS.iter().any(|mark| text.starts_with(mark)) {
            continue;
        }
        let mut mark = |word, closes, span| {
            let (kind, is_directive) = (Kind::Brace, false);
            found.push(Mark { word, closes, span, kind, is_directive });
        };
        let is_last = |at: usize| text[at + 1..].iter().all(|byte| AFTER_BRACE.contains(byte));
        // What is after a brace that closes something: `} else {`.
        let (mut open, mut place): (Vec<usize>, usize) = (Vec::new(), 0);
        for at in (0..text.len()).filter(|at| b"{}".contains(&text[*at])) {
            if text[at] == b'{' {
                open.push(at);
                continue;
            }
            let after = if is_last(at) { end } else { begin + at + 1 };
            match open.pop() {
                Some(first) => {
                    if let Some((head, word)) = head(text, first) {
                        let head = if head == 0 { from } else { begin + head };
                        mark(word, None, head..begin + first + 1);
                        mark(b"}", Some(Closes::Any), begin + at..after);
                        // Another body may begin right after it.
                        if open.is_empty() && text.get(at + 1).is_some_and(u8::is_ascii_alphabetic)
                        {
                            place = at + 1;
                        }
                    }
                }
                None => {
                    mark(b"}", Some(Closes::Any), if at == 0 { from } else { begin + at }..after);
                    place = at + 1;
                }
            }
        }
        // A path may begin a body, and is no word.
        let rest = &text[place..];
        let path =
            || rest.split(u8::is_ascii_whitespace).next().filter(|path| path.starts_with(b"/"));
        let Some(word) = first_word(rest).or_else(path) else { continue };
        if let Some(&open) = open.first().filter(|open| **open >= place) {
            mark(word, None, if place == 0 { from } else { begin + place }..begin + open + 1);
        }
    }
    found
}

/// Where the words before a brace begin that has a partner in its line, and the first of them. Nothing if it is no body's.
fn head(line: &[u8], brace: usize) -> Option<(usize, &[u8])> {
    let before = &line[..brace];
    let start = before.iter().rposition(|byte| BEFORE_HEAD.contains(byte)).map_or(0, |at| at + 1);
    let is_text = before.iter().filter(|byte| **byte == b'"').count() % 2 == 1;
    let is_remark = before.windows(2).any(|two| two == b"//" || two == b" #");
    // The argument of a command of TeX is no body: `\\item \\begin{itemize}`.
    let is_argument = before.contains(&b'\\');
    let is_tag = line.get(brace + 1).is_some_and(|byte| IN_TAGS.contains(byte));
    let is_other = is_tag || before.last().is_none_or(|byte| NO_HEAD.contains(byte));
    let is_told = !(is_text || is_remark || is_argument || is_other);
    Some((start, first_word(&before[start..])?)).filter(|_| is_told)
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::super::pairs::bodies;

    #[test]
    fn a_brace_has_its_partner_in_its_line_or_in_another_one() {
        let found = |input: &str| -> Vec<String> {
            let text = |range: Range<usize>| input[range].to_owned();
            let all = bodies(input.as_bytes());
            let inner = all.iter().map(|body| text(body.open.end..body.close.start));
            let words = all.iter().map(|body| String::from_utf8_lossy(body.word).into_owned());
            words.zip(inner).map(|(word, inner)| format!("{word}:{inner}")).collect()
        };
        assert_eq!(found("host owl { port 80 }"), ["host: port 80 "]);
        assert_eq!(found("ball {\n  <1, 2>, 3 }\nbox {\n}\n"), ["ball:\n  <1, 2>, 3 ", "box:\n"]);
        assert_eq!(
            found("ball { <1, 2>\n  look { red } }"),
            ["ball: <1, 2>\n  look { red } ", "look: red "]
        );
        assert_eq!(found("if a {\nb\n} else {\nc\n}"), ["if:\nb\n", "else:\nc\n"]);
        assert_eq!(found("/var/log {\ndaily\n}"), ["var:\ndaily\n"]);
        assert_eq!(found("/ {\n}"), ["/:\n"]);
        assert_eq!(found("box A{}ball B{c\nd}box C{}"), ["box:", "ball:c\nd", "box:"]);
        assert_eq!(found("# a {\n}\n\\item \\begin{b}"), [""; 0]);
        assert_eq!(found("if a{% for b %}\nsize {{ a }}"), [""; 0]);
    }
}
