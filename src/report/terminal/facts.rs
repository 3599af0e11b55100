//! Facts about a result: a column of names, and a column of texts.

use super::{FAINT, Look, Styled};

/// Columns of the names, with the blanks before and after them. Nearly all names have at most ten letters.
const NAME_COLUMNS: usize = 14;
/// On a narrower terminal each name has a separate line: the texts would have less than 46 columns. A guess; not
/// measured.
const NARROW_COLUMNS: usize = 60;
/// Blanks before a text on a narrow terminal: more than before its name.
const NARROW_INDENT: usize = 4;
/// Blanks before the rest of a line that was broken, so that facts can be told from continuations.
const CONTINUATION_INDENT: usize = 2;

/// Facts, each with a name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    facts: Vec<Fact>,
}

#[derive(Clone, Debug)]
struct Fact {
    name: String,
    lines: Vec<Styled>,
    is_prose: bool,
}

impl Facts {
    /// Adds a fact in words; a terminal breaks its lines at blanks. Without text there is no fact.
    pub(crate) fn add(&mut self, name: &str, text: &str) {
        self.add_prose(name, text.lines().map(Styled::plain).collect());
    }

    /// Adds a fact whose lines stay whole, so that they can be copied: a path, a command, an input.
    pub(crate) fn add_whole(&mut self, name: &str, lines: Vec<Styled>) {
        self.push(name, lines, false);
    }

    /// Adds a fact in words that have styles.
    pub(crate) fn add_prose(&mut self, name: &str, lines: Vec<Styled>) {
        self.push(name, lines, true);
    }

    /// The name and the lines of each fact, in order.
    pub(crate) fn each(&self) -> impl Iterator<Item = (&str, &[Styled])> {
        self.facts.iter().map(|fact| (fact.name.as_str(), fact.lines.as_slice()))
    }

    fn push(&mut self, name: &str, lines: Vec<Styled>, is_prose: bool) {
        if !lines.is_empty() {
            self.facts.push(Fact { name: name.to_owned(), lines, is_prose });
        }
    }

    /// The facts without styles, a line each.
    #[cfg(test)]
    pub fn text(&self) -> String {
        self.render(&Look::default())
    }

    /// The facts as a stream shows them.
    pub(crate) fn render(&self, look: &Look) -> String {
        let mut out = String::new();
        let columns = look.prose_columns();
        let is_narrow = columns.is_some_and(|columns| columns < NARROW_COLUMNS);
        let indent = if is_narrow { NARROW_INDENT } else { NAME_COLUMNS };
        for fact in &self.facts {
            let name = Styled::default().with(FAINT, &fact.name).render(look);
            let blanks = indent.saturating_sub(2 + fact.name.len()).max(1);
            let mut before = match is_narrow {
                true => format!("  {name}\n{}", " ".repeat(indent)),
                false => format!("  {name}{}", " ".repeat(blanks)),
            };
            for line in &fact.lines {
                let broken = match columns.filter(|_| fact.is_prose) {
                    // The last column stays free: some terminals break a line that fills it.
                    Some(columns) => {
                        let room = columns.saturating_sub(indent + 1).max(10);
                        line.wrapped(room, room - CONTINUATION_INDENT)
                    }
                    None => vec![line.clone()],
                };
                for (at, line) in broken.iter().enumerate() {
                    let hanging = if at > 0 { CONTINUATION_INDENT } else { 0 };
                    let shown = format!("{before}{}{}", " ".repeat(hanging), line.render(look));
                    out += shown.trim_end_matches(' ');
                    out.push('\n');
                    before = " ".repeat(indent);
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> Facts {
        let mut facts = Facts::default();
        facts.add("failure", "panic at src/lib.rs:3:5: the len is 5 but the index is 17, far away");
        facts.add("nothing", "");
        facts.add_whole(
            "reproduce",
            vec![Styled::plain("tmin --target parse a/very/long/path b c d e f g h")],
        );
        facts
    }

    #[test]
    fn in_a_pipe_lines_are_as_long_as_they_are() {
        assert_eq!(
            facts().text(),
            "  failure     panic at src/lib.rs:3:5: the len is 5 but the index is 17, far away\n  \
               reproduce   tmin --target parse a/very/long/path b c d e f g h\n"
        );
    }

    #[test]
    fn a_terminal_breaks_words_and_leaves_commands_whole() {
        let look = |columns| Look { columns: Some(columns), ..Look::default() };
        assert_eq!(
            facts().render(&look(62)),
            "  failure     panic at src/lib.rs:3:5: the len is 5 but the\n                \
                             index is 17, far away\n  \
               reproduce   tmin --target parse a/very/long/path b c d e f g h\n"
        );
        assert_eq!(
            facts().render(&look(40)),
            "  failure\n    panic at src/lib.rs:3:5: the len is\n      5 but the index is 17, far away\n  \
               reproduce\n    tmin --target parse a/very/long/path b c d e f g h\n"
        );
    }
}
