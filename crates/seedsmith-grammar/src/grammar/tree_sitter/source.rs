//! Runs tree-sitter's parser over bytes, whole or with a piece cut out, within a bound that is
//! counted, not timed, so that results don't depend on the machine.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};
use tree_sitter::{InputEdit, Language, LanguageError, ParseOptions, Parser, Point, Tree};

/// An input and the parser for it.
pub(super) struct ParserInput<'a> {
    /// tree-sitter's parser, set to the language.
    parser: Parser,
    /// The bytes.
    input: Cow<'a, [u8]>,
    /// Offset of each row's first byte.
    rows: Vec<usize>,
}

impl<'a> ParserInput<'a> {
    /// Fails if the language was generated for a version of tree-sitter that this one does not
    /// read.
    pub(super) fn new(
        language: &Language,
        input: impl Into<Cow<'a, [u8]>>,
    ) -> Result<Self, LanguageError> {
        let input = input.into();
        let mut parser = Parser::new();
        parser.set_language(language)?;
        let rows = std::iter::once(0).chain(memchr::memchr_iter(b'\n', &input).map(|at| at + 1));
        let rows = rows.collect();
        Ok(ParserInput { parser, input, rows })
    }

    /// Parses all of it; `Err` is the offset at which the effort was used up, or at which
    /// `keep_going` said no.
    pub(super) fn parse(
        &mut self,
        effort: u64,
        keep_going: &dyn Fn() -> bool,
    ) -> Result<Tree, usize> {
        let input = &self.input;
        let bounds = EffortLimit { effort, keep_going };
        bounded(&mut self.parser, bounds, None, &|at| input.get(at..).unwrap_or_default())
    }

    /// Parses the input with `put` in the place of `cut`, reusing the unchanged parts of `tree`
    /// (the whole input's). `None` if the effort is used up.
    pub(super) fn parse_without(
        &mut self,
        tree: &Tree,
        cut: Range<usize>,
        put: &[u8],
        effort: u64,
    ) -> Option<Tree> {
        let mut edited = tree.clone();
        let start_position = self.point(cut.start);
        edited.edit(&InputEdit {
            start_byte: cut.start,
            old_end_byte: cut.end,
            new_end_byte: cut.start + put.len(),
            start_position,
            old_end_position: self.point(cut.end),
            new_end_position: Point {
                row: start_position.row,
                column: start_position.column + put.len(),
            },
        });
        let (input, behind) = (&self.input, cut.start + put.len());
        let read = |at: usize| {
            if at < cut.start {
                &input[at..cut.start]
            } else if at < behind {
                &put[at - cut.start..]
            } else {
                input.get(at - behind + cut.end..).unwrap_or_default()
            }
        };
        let bounds = EffortLimit { effort, keep_going: &|| true };
        bounded(&mut self.parser, bounds, Some(&edited), &read).ok()
    }

    /// The bytes.
    pub(super) fn input(&self) -> &[u8] {
        &self.input
    }

    /// An offset as row and column in bytes, as tree-sitter counts them.
    fn point(&self, offset: usize) -> Point {
        let row = self.rows.partition_point(|&start| start <= offset) - 1;
        Point { row, column: offset - self.rows[row] }
    }
}

/// The limit of a parse. tree-sitter asks every hundred steps whether to continue; `effort` is how
/// often the answer is yes, unless the caller stops the parse.
struct EffortLimit<'a> {
    /// How often the parser may ask.
    effort: u64,
    /// The caller's check.
    keep_going: &'a dyn Fn() -> bool,
}

/// Parses the bytes that `read` returns for each offset.
fn bounded<'t>(
    parser: &mut Parser,
    bounds: EffortLimit<'_>,
    old: Option<&Tree>,
    read: &dyn Fn(usize) -> &'t [u8],
) -> Result<Tree, usize> {
    let mut left = bounds.effort;
    let mut reached = 0;
    let mut progress = |state: &tree_sitter::ParseState| {
        reached = state.current_byte_offset();
        left = left.saturating_sub(1);
        let is_over = left == 0 || !(bounds.keep_going)();
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let tree = parser.parse_with_options(&mut |at, _| read(at), old, Some(options));
    if tree.is_none() {
        // Otherwise the next call would continue with this one.
        parser.reset();
    }
    tree.ok_or(reached)
}
