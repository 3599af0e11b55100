//! One frame: figures, the size over time, the reducers, the best, and the keys.
//!
//! A terminal of 60 columns and 16 lines or more has all of it, a smaller one the figures, the best and the keys.
//! Everything that an input or a target wrote is escaped here.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::Marker;
use ratatui::text::Line;
use ratatui::widgets::{Axis, Block, Chart, Dataset, GraphType, Paragraph, Row, Table};
use unicode_width::UnicodeWidthChar;

use super::keys::{HELP, SHORT_HELP};
use super::sizes::{height, size_at};
use super::state::ViewState;
use crate::report::figures::seconds;
use crate::report::show;
use crate::report::terminal::progress::in_words;

/// The smallest terminal that has a place for chart and reducers: a guess at what can still be read.
const MIN_WHOLE: (u16, u16) = (60, 16);
/// With this many columns the best is beside the chart, with fewer it is below.
const MIN_WIDE_COLUMNS: u16 = 100;
/// Columns for the labels of sizes and for the numbers of a reducer: `1,234,567`.
const NUMBER_COLUMNS: u16 = 9;
/// Columns of a reducer's name: as many as the longest, `simplify-roughly`. A longer one of a caller is cut.
const NAME_COLUMNS: u16 = 16;

/// How things look: nothing has a colour where the user wants none.
#[derive(Clone, Copy)]
struct Colors(bool);

impl Colors {
    /// A foreground colour, if there are colours.
    fn of(self, color: Color) -> Style {
        if self.0 { Style::new().fg(color) } else { Style::new() }
    }
}

/// Draws the state into the whole frame, whatever its size.
///
/// Times increase between events, so two frames of one state can differ. Cells that are not drawn are blank.
pub(super) fn draw(frame: &mut Frame<'_>, state: &ViewState, has_colors: bool) {
    let colors = Colors(has_colors);
    let area = frame.area();
    if area.width < MIN_WHOLE.0 || area.height < MIN_WHOLE.1 {
        return draw_small(frame, state, colors);
    }
    let [head, middle, message, keys] = Layout::vertical([
        Constraint::Length(3),
        Constraint::Fill(1),
        Constraint::Length(1),
        Constraint::Length(1),
    ])
    .areas(area);
    let figures = figures(state, true);
    let title = format!("{} on {}", state.input, state.target);
    let lines = vec![
        Line::styled(title, Style::new().add_modifier(Modifier::BOLD)),
        Line::styled(escaped(&state.failure), colors.of(Color::Red)),
        Line::raw(figures),
    ];
    frame.render_widget(Paragraph::new(lines), head);
    let (chart, reducers, best) = if area.width >= MIN_WIDE_COLUMNS {
        let [left, best] =
            Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]).areas(middle);
        let [chart, reducers] =
            Layout::vertical([Constraint::Fill(1), Constraint::Fill(1)]).areas(left);
        (chart, reducers, best)
    } else {
        let [upper, best] =
            Layout::vertical([Constraint::Fill(1), Constraint::Fill(1)]).areas(middle);
        let [chart, reducers] =
            Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]).areas(upper);
        (chart, reducers, best)
    };
    draw_chart(frame, state, chart, colors);
    draw_reducers(frame, state, reducers, colors);
    draw_best(frame, state, best);
    frame.render_widget(Line::styled(escaped(&state.message), colors.of(Color::Yellow)), message);
    frame.render_widget(Line::styled(HELP, Style::new().add_modifier(Modifier::REVERSED)), keys);
}

/// Sizes, time, failure, what runs, the best, and the keys.
///
/// Four lines of figures, one for a message if there is one, and one of keys; the best gets the rest, without a frame
/// around it.
fn draw_small(frame: &mut Frame<'_>, state: &ViewState, colors: Colors) {
    let rows = if state.message.is_empty() { 4 } else { 5 };
    let [head, best, keys] =
        Layout::vertical([Constraint::Length(rows), Constraint::Fill(1), Constraint::Length(1)])
            .areas(frame.area());
    let what = match in_words(&state.figures.reducer) {
        "" => String::new(),
        words => format!("{} ({words})", state.figures.reducer),
    };
    let lines = vec![
        Line::raw(state.figures.sizes()),
        Line::raw(figures(state, false)),
        Line::styled(escaped(&state.failure), colors.of(Color::Red)),
        Line::raw(escaped(&what)),
        Line::styled(escaped(&state.message), colors.of(Color::Yellow)),
    ];
    frame.render_widget(Paragraph::new(lines), head);
    frame.render_widget(Paragraph::new(best_text(state, best)), best);
    let style = Style::new().add_modifier(Modifier::REVERSED);
    frame.render_widget(Line::styled(SHORT_HELP, style), keys);
}

/// Sizes, time, rate and counts on one line; without the sizes if they are shown elsewhere.
fn figures(state: &ViewState, has_sizes: bool) -> String {
    let figures = &state.figures;
    let mut fields = vec![
        seconds(state.elapsed()),
        figures.rate(),
        show::counted(figures.counts.tests, "test", "tests"),
    ];
    if has_sizes {
        fields.insert(0, figures.sizes());
        fields.push(figures.since_success(state.elapsed()));
    }
    if state.other_failures > 0 {
        let count = state.other_failures as u64;
        fields.push(show::counted(count, "other failure", "other failures"));
    }
    fields.retain(|field| !field.is_empty());
    fields.join("  ")
}

/// The size over time, by its logarithm.
///
/// The time goes from 0 to now, and the size from 0 to that of the input. The label in the middle is the size at half
/// of the height, which is about the root of the input's.
fn draw_chart(frame: &mut Frame<'_>, state: &ViewState, area: Rect, colors: Colors) {
    let elapsed = state.elapsed();
    let corners = state.sizes.corners(elapsed);
    let top = height(state.sizes.largest()).max(1.0);
    let label = |high: f64| {
        let size = show::number(size_at(high) as u64);
        format!("{size:>width$}", width = usize::from(NUMBER_COLUMNS))
    };
    let dataset = Dataset::default()
        .marker(Marker::Braille)
        .graph_type(GraphType::Line)
        .style(colors.of(Color::Cyan))
        .data(&corners);
    // A search of microseconds needs a width too.
    let last = elapsed.as_secs_f64().max(0.001);
    let chart = Chart::new(vec![dataset])
        .block(Block::bordered().title("bytes over time"))
        .x_axis(Axis::default().bounds([0.0, last]).labels(["0 s".to_owned(), seconds(elapsed)]))
        .y_axis(Axis::default().bounds([0.0, top]).labels([
            label(0.0),
            label(top / 2.0),
            label(top),
        ]));
    frame.render_widget(chart, area);
}

/// A line for each reducer that has made a test, and for the one that runs.
///
/// The one that runs is the first and has a mark. Reducers that ran longest ago are cut off where there is no place.
fn draw_reducers(frame: &mut Frame<'_>, state: &ViewState, area: Rect, colors: Colors) {
    let right = |text: String| Line::raw(text).right_aligned();
    let rows = state.reducers().into_iter().map(|row| {
        let style = match row.is_running {
            true => colors.of(Color::Green).add_modifier(Modifier::BOLD),
            false => Style::new(),
        };
        let mark = if row.is_running { "> " } else { "  " };
        Row::new([
            Line::raw(format!("{mark}{}", escaped(&row.name))),
            right(show::number(row.tests)),
            right(show::number(row.removed as u64)),
            right(show::time(row.elapsed)),
        ])
        .style(style)
    });
    let widths = [
        Constraint::Length(NAME_COLUMNS + 2),
        Constraint::Fill(1),
        Constraint::Fill(1),
        Constraint::Fill(1),
    ];
    let head = ["  reducer", "tests", "bytes", "time"].map(Line::raw);
    let [name, numbers @ ..] = head;
    let head = std::iter::once(name).chain(numbers.map(Line::right_aligned));
    let head = Row::new(head).style(Style::new().add_modifier(Modifier::DIM));
    let table = Table::new(rows, widths).header(head).block(Block::bordered().title("reducers"));
    frame.render_widget(table, area);
}

/// The beginning of the best.
fn draw_best(frame: &mut Frame<'_>, state: &ViewState, area: Rect) {
    let block = Block::bordered();
    let inside = block.inner(area);
    let title = match state.figures.last_success {
        Some(_) => format!("best: {}", show::bytes(state.figures.best_bytes)),
        None => "best: the input, nothing smaller yet".to_owned(),
    };
    let text = best_text(state, inside);
    frame.render_widget(Paragraph::new(text).block(block.title(title)), area);
}

/// As much of the best as may fit: its lines if it is text, else rows of hexadecimal.
///
/// A long line continues in the next row. Of a large best only the first 16 KiB are known.
fn best_text(state: &ViewState, area: Rect) -> Vec<Line<'static>> {
    let (columns, rows) = (usize::from(area.width), usize::from(area.height));
    let best = &state.figures.best;
    if !show::is_text(best) {
        return show::hexdump(&best[..best.len().min(rows * show::HEXDUMP_ROW_BYTES)])
            .lines()
            .map(|line| Line::raw(line.to_owned()))
            .collect();
    }
    // A character has a byte at least, so this many bytes fill the area.
    let lines = best.split(|byte| *byte == b'\n');
    let escaped = lines.map(|line| show::plain(&line[..line.len().min(columns * rows)]));
    escaped.flat_map(|line| broken(&line, columns)).take(rows).map(Line::raw).collect()
}

/// A line in rows of at most `columns` columns, broken between any two characters: an input is no prose.
fn broken(line: &str, columns: usize) -> Vec<String> {
    let (mut rows, mut used) = (vec![String::new()], 0);
    for char in line.chars() {
        let wide = char.width().unwrap_or(0);
        if used + wide > columns && used > 0 {
            rows.push(String::new());
            used = 0;
        }
        rows.last_mut().expect("there is one from the beginning").push(char);
        used += wide;
    }
    rows
}

/// A text on one line, with what a terminal would obey escaped.
fn escaped(text: &str) -> String {
    show::plain(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;
    use crate::event::{Counts, Event, NoteKind, ReducerStats, Subject};
    use seedsmith_engine::{Kind, Message, Signature};

    fn counts(tests: u64) -> Counts {
        Counts { tests, ..Counts::default() }
    }

    /// A search that has come from 1,000 bytes to `best`, in whose failure and note are escape sequences.
    fn searching(best: &[u8]) -> ViewState {
        let mut state = ViewState::default();
        let signature = Signature {
            place: Some("src/lib.rs:3:5".to_owned()),
            message: Some(Message::new("no \x1b[2J way")),
            ..Signature::of_kind(Kind::Panic)
        };
        let second = Duration::from_secs(1);
        let lines = ReducerStats {
            reducer: "lines".to_owned(),
            counts: counts(90),
            bytes_before: 1_000,
            bytes_after: 300,
            elapsed: second,
        };
        let subject = Subject { input: Path::new("crash-1"), target: "order" };
        for event in [
            Event::Subject(subject),
            Event::Started { bytes: 1_000, signature: &signature },
            Event::ReducerStarted { reducer: "lines" },
            Event::Reduced { best: &[b'x'; 300], counts: counts(90), elapsed: second },
            Event::ReducerEnded(&lines),
            Event::ReducerStarted { reducer: "tokens" },
            Event::Reduced { best, counts: counts(120), elapsed: 2 * second },
            Event::Note(NoteKind::Reduction, "a\x1b[31mnote"),
        ] {
            state.follow(&event);
        }
        state
    }

    fn drawn(state: &ViewState, (columns, rows): (u16, u16)) -> Vec<String> {
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        terminal.draw(|frame| draw(frame, state, true)).unwrap();
        let buffer = terminal.backend().buffer().clone();
        let cells = buffer.content().chunks(usize::from(columns.max(1)));
        cells.map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect()).collect()
    }

    #[test]
    fn a_usual_terminal_shows_figures_chart_reducers_best_and_keys() {
        for size in [(80, 24), (120, 40)] {
            let rows = drawn(&searching(b"{\n  \"a\": \x07 1\n}"), size);
            let all = rows.join("\n");
            assert!(rows[0].starts_with("crash-1 on order"), "{all}");
            assert!(rows[1].starts_with("panic at src/lib.rs:3:5: no \\x1b[2J way"), "{all}");
            assert!(rows[2].starts_with("1,000 → 14 bytes  2 s"), "{all}");
            assert!(rows[2].contains("120 tests"), "{all}");
            for text in ["bytes over time", "> tokens", "  lines", "best: 14 bytes", "\\x07 1"] {
                assert!(all.contains(text), "{text} is not in\n{all}");
            }
            let running = rows.iter().find(|row| row.contains("> tokens")).unwrap();
            assert!(running.contains(" 30 ") && running.contains(" 286 "), "{running}");
            let ended = rows.iter().find(|row| row.contains("  lines")).unwrap();
            assert!(ended.contains(" 90 ") && ended.contains(" 700 "), "{ended}");
            // The curve goes from the upper left to the lower right.
            assert!(all.chars().any(|c| ('\u{2801}'..='\u{28ff}').contains(&c)), "{all}");
            assert!(rows[rows.len() - 2].contains("a\\x1b[31mnote"), "{all}");
            assert!(rows.last().unwrap().starts_with(HELP), "{all}");
        }
    }

    #[test]
    fn a_small_terminal_shows_figures_best_and_keys() {
        let rows = drawn(&searching(b"some text that is longer than forty columns are"), (40, 10));
        assert!(rows[0].starts_with("1,000 → 47 bytes"), "{rows:#?}");
        assert!(rows[1].contains("120 tests"), "{rows:#?}");
        assert!(rows[3].starts_with("tokens (deleting tokens)"), "{rows:#?}");
        assert!(rows[4].contains("a\\x1b[31mnote"), "{rows:#?}");
        assert!(rows[5].starts_with("some text that is longer"), "{rows:#?}");
        assert!(rows[6].starts_with("mns are"), "{rows:#?}");
        assert!(rows[9].starts_with(SHORT_HELP), "{rows:#?}");
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_in_hexadecimal() {
        let rows = drawn(&searching(&[0, 1, 2, 0xff, 0xfe, 0x41]), (100, 30));
        let all = rows.join("\n");
        assert!(all.contains("0000  0001 02ff fe41"), "{all}");
    }

    #[test]
    fn nothing_is_drawn_outside_and_no_size_is_too_small() {
        for columns in [0, 1, 2, 5, 59, 60, 61, 200] {
            for rows in [0, 1, 2, 3, 15, 16, 17, 60] {
                for best in
                    [&b""[..], b"a", &[0xff; 5_000], "\u{6f22}\u{5b57}".repeat(500).as_bytes()]
                {
                    drawn(&searching(best), (columns, rows));
                }
            }
        }
    }

    #[test]
    fn before_anything_is_known_there_is_a_frame() {
        let all = drawn(&ViewState::default(), (80, 24)).join("\n");
        assert!(all.contains("nothing smaller yet"), "{all}");
    }
}
