//! Words that open and close something: `if` and `fi`, `<b>` and `</b>`, and lines that do it with braces: `host owl {` and `}`.
//!
//! They are looked for in the bytes of an input, so that edits find them in any language. A word is one of a few kinds: it begins a line and
//! belongs to another one (`CLOSING`), it begins a line after `end`, it is in a tag, or it is the first word of a line that ends with a brace.
//! Two pairs of words (`INLINE`) may be anywhere in a line, as in `initial begin fork join end`: a hardware description nests its blocks by them.

use std::ops::Range;

use super::braces::braces;

/// Words that begin a line and close what others have begun, each with those words. `end` and `stop` close the words in `OPENING`, and a
/// word after `end` closes the same word, so that neither is here.
const CLOSING: [(&str, &[&str]); 12] = [
    ("endif", &["if", "ifdef", "ifndef", "ifeq", "ifneq"]),
    ("fi", &["if"]),
    ("done", &["for", "while", "until", "select", "do"]),
    ("esac", &["case"]),
    ("od", &["do"]),
    ("next", &["for"]),
    ("wend", &["while"]),
    ("until", &["repeat"]),
    ("loop", &["do"]),
    ("pop", &["push"]),
    ("leave", &["enter"]),
    ("close", &["open"]),
];
/// Words that `end` closes in some language, because `end` alone does not say which one it closes.
const OPENING: [&str; 30] = [
    "begin", "block", "box", "case", "class", "def", "do", "enter", "for", "fork", "function",
    "group", "if", "let", "loop", "macro", "module", "object", "open", "package", "proc", "record",
    "repeat", "section", "start", "sub", "subgraph", "switch", "task", "while",
];
/// Words that close those in `OPENING`.
const ENDS: [&str; 4] = ["end", "stop", "finish", "exit"];
/// Words that open and close something within lines in hardware description and older languages, each with the word that closes it.
const INLINE: [(&str, &[&str]); 2] = [("end", &["begin"]), ("join", &["fork"])];
/// Bodies of one input, a bound on the time because each has the features of a rule.
const MAX_BODIES: usize = 64;

/// The text from a word that opens something to the one that closes it.
///
/// All places are offsets of bytes.
pub(in crate::generalize::predicate) struct Body<'t> {
    /// The word that opens it.
    pub word: &'t [u8],
    /// The place of the line or the tag that opens it.
    pub open: Range<usize>,
    /// The place of the line or the tag that closes it.
    pub close: Range<usize>,
}

/// A word that opens or closes something, where it is.
///
/// Most words do neither. They are marks too, because any word may be closed by one after `end`.
pub(super) struct Mark<'t> {
    /// The word, without `end` before it.
    pub(super) word: &'t [u8],
    /// What it may close; nothing if it opens something.
    pub(super) closes: Option<Closes>,
    /// The line that it begins, or the tag.
    pub(super) span: Range<usize>,
    /// What it is. One of a kind closes only one of the same.
    pub(super) kind: Kind,
    /// Whether it is a directive, with a mark before the word: `.rept`.
    pub(super) is_directive: bool,
}

impl Mark<'_> {
    /// Whether it is a brace that closes something.
    fn closes_braces(&self) -> bool {
        self.kind == Kind::Brace && self.closes.is_some()
    }

    /// Whether it closes what another one opens.
    ///
    /// `.endr` closes `.rept`: the end of a directive may have the first letters of its word alone.
    fn is_end_of(&self, opening: &Mark<'_>) -> bool {
        let Some(closes) = self.closes.filter(|_| self.kind == opening.kind) else { return false };
        let are_directives = self.is_directive && opening.is_directive;
        let may_be_short =
            are_directives && matches!(closes, Closes::Same) && !self.word.is_empty();
        let beginning = opening.word.get(..self.word.len()).filter(|_| may_be_short);
        beginning.is_some_and(|word| word.eq_ignore_ascii_case(self.word))
            || closes.has(self.word, opening.word)
    }
}

/// Where a word is that opens or closes something.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// At the beginning of a line.
    Line,
    /// In a tag.
    Tag,
    /// At the beginning of a line with a brace.
    Brace,
    /// Anywhere in a line.
    Inline,
}

/// Which words a closing one closes.
#[derive(Clone, Copy)]
pub(super) enum Closes {
    /// The same word.
    Same,
    /// One of these.
    OneOf(&'static [&'static str]),
    /// Whatever the line with the opening brace begins with.
    Any,
}

impl Closes {
    /// Whether one word closes another one.
    ///
    /// Upper and lower case are the same, as in BASIC.
    fn has(self, closing: &[u8], opening: &[u8]) -> bool {
        match self {
            Closes::Same => closing.eq_ignore_ascii_case(opening),
            Closes::Any => true,
            Closes::OneOf(words) => {
                words.iter().any(|word| word.as_bytes().eq_ignore_ascii_case(opening))
            }
        }
    }
}

/// The bodies of an input, outer ones first. A word that is not closed opens nothing, but a brace that is not is closed by the next one.
///
/// Cost: one pass over the input.
pub(in crate::generalize::predicate) fn bodies(input: &[u8]) -> Vec<Body<'_>> {
    let marks = marks(input);
    let mut open: Vec<&Mark<'_>> = Vec::new();
    let mut found = Vec::new();
    for mark in &marks {
        match open.iter().rposition(|opening| mark.is_end_of(opening)) {
            Some(at) => {
                let Mark { word, span, .. } = open[at];
                found.push(Body { word, open: span.clone(), close: mark.span.clone() });
                open.truncate(at);
            }
            // `loop` closes `do` in one language and begins something in another.
            None => open.push(mark),
        }
    }
    // A program that looks for the next brace that closes something does not see that another one is missing.
    let closing: Vec<&Range<usize>> =
        marks.iter().filter(|mark| mark.closes_braces()).map(|mark| &mark.span).collect();
    for Mark { word, span, .. } in
        open.into_iter().filter(|mark| mark.kind == Kind::Brace && mark.closes.is_none())
    {
        let next = closing.get(closing.partition_point(|close| close.start < span.end));
        found.extend(next.map(|close| Body { word, open: span.clone(), close: (*close).clone() }));
    }
    found.sort_by_key(|body| (body.open.start, std::cmp::Reverse(body.close.end)));
    found.truncate(MAX_BODIES);
    found
}

/// The words that open or close something, in order; nothing if none closes anything.
///
/// A word that begins a line stands for the whole line: its condition or its name belong to it.
fn marks(input: &[u8]) -> Vec<Mark<'_>> {
    let mut marks = tags(input);
    marks.extend(braces(input));
    let inline = inline_words(input);
    let is_inline = |word: &[u8]| !inline.is_empty() && inline_word(word).is_some();
    let mut start = 0;
    for line in input.split(|byte| *byte == b'\n') {
        let mut words =
            line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
        let span = start..start + line.trim_ascii_end().len();
        start += line.len() + 1;
        let (first, second) = (words.next().unwrap_or_default(), words.next());
        // `BEGIN:VEVENT` and `END:VEVENT`.
        if let Some((word, closes)) = word_after_colon(first).filter(|_| second.is_none()) {
            let (kind, is_directive) = (Kind::Line, false);
            marks.push(Mark { word, closes, span, kind, is_directive });
            continue;
        }
        // A key with its value.
        if second.is_some_and(|second| second.starts_with(b"=") || second.starts_with(b":")) {
            continue;
        }
        // `#if` and `.end` are words with a mark before them, and `done;` is one with a mark after it.
        let directive = first.strip_prefix(b"#").or(first.strip_prefix(b"."));
        let first = directive.unwrap_or(first);
        let first = before_value(first.strip_suffix(b";").unwrap_or(first));
        if is_word(first) && !is_inline(first) {
            let (word, closes) = line_word(first, second.filter(|word| is_word(word)));
            let (kind, is_directive) = (Kind::Line, directive.is_some());
            marks.push(Mark { word, closes, span, kind, is_directive });
        }
    }
    marks.extend(inline);
    if marks.iter().all(|mark| mark.closes.is_none()) {
        return Vec::new();
    }
    marks.sort_by_key(|mark| mark.span.start);
    marks
}

/// The words of tags, whatever is in them besides: `\begin{b}` and `\end{b}`, `<b>` and `</b>`, `[b]` and `[/b]`, `{{#each}}` and `{{/each}}`, `{% if %}` and `{% endif %}`.
fn tags(input: &[u8]) -> Vec<Mark<'_>> {
    let tag = |at: usize| {
        let (marks, end): (&[&[u8]], u8) = match input[at] {
            b'<' => (&[b"/"], b'>'),
            b'[' => (&[b"/"], b']'),
            b'{' => (&[b"/", b"#", b"%"], b'}'),
            b'\\' => (&[b"begin{", b"end{"], b'}'),
            _ => return None,
        };
        let rest = &input[at + 1..];
        let mark = marks.iter().find(|mark| rest.starts_with(mark)).copied().unwrap_or_default();
        let word = rest[mark.len()..].trim_ascii_start();
        let length = word.iter().position(|byte| !byte.is_ascii_alphanumeric());
        let word = &word[..length.unwrap_or(word.len())];
        // `{# if #}` is a remark, unlike `{{#if}}`.
        let is_remark = mark == b"#" && rest[mark.len()..].starts_with(b" ");
        let is_told = !is_remark && (b"<[".contains(&input[at]) || !mark.is_empty());
        if !is_told || !word.first().is_some_and(u8::is_ascii_alphabetic) {
            return None;
        }
        let length = rest.iter().position(|byte| *byte == end)?;
        let more = rest[length..].iter().take_while(|byte| **byte == b'}').count();
        let before = input[..at].iter().rev().take_while(|byte| **byte == b'{').count();
        let span = at - before..at + 1 + length + more.max(1);
        let (word, closes) = match mark {
            b"/" | b"end{" => (word, Some(Closes::Same)),
            b"%" if word.starts_with(b"end") => (&word[b"end".len()..], Some(Closes::Same)),
            _ => (word, None),
        };
        Some(Mark { word, closes, span, kind: Kind::Tag, is_directive: false })
    };
    (0..input.len()).filter_map(tag).collect()
}

/// Words that open and close something within lines: `initial begin fork join end`. None if each of them begins its line, as in most languages.
///
/// Those in texts in quotation marks are none.
fn inline_words(input: &[u8]) -> Vec<Mark<'_>> {
    let (mut found, mut are_inside, mut in_quotes) = (Vec::new(), false, false);
    let is_of_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut at = 0;
    while at < input.len() {
        let length = input[at..].iter().take_while(|byte| is_of_word(**byte)).count();
        if length == 0 {
            in_quotes = input[at] != b'\n' && in_quotes != (input[at] == b'"');
            at += 1;
            continue;
        }
        let (word, span) = (&input[at..at + length], at..at + length);
        at += length;
        // `\begin{b}` is a tag.
        let is_command = input[..span.start].ends_with(b"\\");
        if let Some(closes) = inline_word(word).filter(|_| !in_quotes && !is_command) {
            let line = input[..span.start].iter().rev().take_while(|byte| **byte != b'\n');
            are_inside |= { line }.any(|byte| !byte.is_ascii_whitespace());
            found.push(Mark { word, closes, span, kind: Kind::Inline, is_directive: false });
        }
    }
    if are_inside { found } else { Vec::new() }
}

/// What a word within a line closes, if it opens or closes something.
fn inline_word(word: &[u8]) -> Option<Option<Closes>> {
    let is = |known: &str| known.as_bytes() == word;
    INLINE.iter().find_map(|(closing, opening)| match opening.iter().any(|word| is(word)) {
        true => Some(None),
        false => is(closing).then_some(Some(Closes::OneOf(opening))),
    })
}

/// The first word of a line that begins with a letter, or with a mark and a letter.
pub(super) fn first_word(line: &[u8]) -> Option<&[u8]> {
    let line = line.trim_ascii_start();
    let from = usize::from(line.first()?.is_ascii_punctuation());
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let length = line[from..].iter().take_while(|byte| is_of_word(byte)).count();
    let word = &line[from..from + length];
    word.first()?.is_ascii_alphabetic().then_some(word)
}

/// Whether a text is a word of letters.
///
/// With a digit or a mark in it, it is a name or a value.
fn is_word(text: &[u8]) -> bool {
    let is_of_word = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    !text.is_empty() && text.iter().all(is_of_word)
}

/// The word that a text begins with, if a value in quotation marks or brackets is right after it: `menu"Net"`, `endif()`; else all of it.
///
/// A minimized input has no blank before the value where the language needs none.
fn before_value(text: &[u8]) -> &[u8] {
    let word = text.iter().position(|byte| b"\"'(".contains(byte)).map(|at| &text[..at]);
    word.filter(|word| is_word(word)).unwrap_or(text)
}

/// What the word that begins a line is: the word without `end` before it, and what it closes. `second` is the word after it.
fn line_word<'t>(word: &'t [u8], second: Option<&'t [u8]>) -> (&'t [u8], Option<Closes>) {
    let is = |known: &str| known.as_bytes().eq_ignore_ascii_case(word);
    if let Some((_, opening)) = CLOSING.iter().find(|(closing, _)| is(closing)) {
        return (word, Some(Closes::OneOf(opening)));
    }
    let is_end = is_end(word);
    match second {
        Some(second) if is_end => (second, Some(Closes::Same)),
        _ if is_end => (word, Some(Closes::OneOf(&OPENING))),
        _ => match after_end(word) {
            Some(rest) => (rest.strip_prefix(b"_").unwrap_or(rest), Some(Closes::Same)),
            None => (word, None),
        },
    }
}

/// Whether a line is one word that ends the lines above it, whatever has begun them: `end`, `endchar`.
pub(in crate::generalize::predicate::read) fn is_end_alone(line: &[u8]) -> bool {
    let word = line.strip_suffix(b";").unwrap_or(line);
    is_word(word) && (is_end(word) || after_end(word).is_some())
}

/// Whether a word closes those in `OPENING`.
fn is_end(word: &[u8]) -> bool {
    ENDS.iter().any(|end| end.as_bytes().eq_ignore_ascii_case(word))
}

/// The rest of a word that begins with `end`.
fn after_end(word: &[u8]) -> Option<&[u8]> {
    word.split_at_checked(3).filter(|(end, _)| end.eq_ignore_ascii_case(b"end")).map(|two| two.1)
}

/// A word after `BEGIN:` or `END:`, and what it closes.
///
/// Calendars and cards are written like this: an event begins with `BEGIN:VEVENT` and ends with `END:VEVENT`.
fn word_after_colon(text: &[u8]) -> Option<(&[u8], Option<Closes>)> {
    let at = text.iter().position(|byte| *byte == b':')?;
    let (key, word) = (&text[..at], &text[at + 1..]);
    let closes = match key {
        key if key.eq_ignore_ascii_case(b"begin") => None,
        key if key.eq_ignore_ascii_case(b"end") => Some(Closes::Same),
        _ => return None,
    };
    is_word(word).then_some((word, closes))
}

/// Whether a word closes something where another one has opened it.
///
/// A condition that is about bodies needs no word for that.
pub(in crate::generalize::predicate) fn may_close(word: &[u8]) -> bool {
    line_word(word, None).1.is_some()
}
