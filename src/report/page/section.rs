//! One minimized input as a part of a page.

use std::path::Path;

use maud::{Markup, Render, html};

use super::frame::{Text, heading, name};
use super::parts::chart::{Over, chart};
use super::parts::excerpt::{minimized as marked, pieces};
use super::parts::forms::{button, forms};
use super::parts::hex_rows::hex_rows;
use super::parts::kept::deletions;
use super::parts::tree::tree;
use crate::event::{MinimizedInput, StackLine};
use crate::report::show;
use crate::report::summary::recursion::folded;
use crate::report::summary::reducers::{ReducerTotals, by_reducer};
use crate::report::summary::{facts, headline};
use crate::report::terminal::Styled;

/// Facts of the console that a page shows in places of their own. A fact with a name that is not here is a row of the
/// table, so that a new one is not forgotten.
const ELSEWHERE: [&str; 4] = ["input", "decoded", "stack", "reproduce"];

/// How the best input shrank, as the events of a search say it: the size when it began, and one for each better
/// input. Its memory is bounded, whatever the number of steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Course {
    /// Tests, seconds and size, in the order of the events.
    points: Vec<(u64, f64, usize)>,
    /// Of this many points one is kept.
    step: usize,
    /// Those that were reported since the last one that was kept.
    left_out: usize,
}

/// Points of a course. With more of them every second one is dropped, from then on.
/// A drawing has some hundred places; a guess, not measured.
const MAX_POINTS: usize = 4096;

impl Course {
    /// Adds a size after a number of tests and seconds. A run that continues on another build counts both from 0
    /// again: the points then continue after the last one.
    pub(super) fn add(&mut self, tests: u64, seconds: f64, bytes: usize) {
        let (last_tests, last_seconds) =
            self.points.last().map_or((0, 0.0), |(tests, seconds, _)| (*tests, *seconds));
        self.left_out += 1;
        if self.left_out < self.step {
            return;
        }
        self.left_out = 0;
        self.points.push((tests.max(last_tests), seconds.max(last_seconds), bytes));
        if self.points.len() > MAX_POINTS {
            let mut at = 0;
            self.points.retain(|_| {
                at += 1;
                at % 2 == 1
            });
            self.step = self.step.max(1) * 2;
        }
    }

    /// The curves over tests and over time. The last point is the result, which was confirmed after the search.
    fn charts(&self, finished: &MinimizedInput) -> Markup {
        let (tests, seconds) = (finished.counts.tests, finished.elapsed.as_secs_f64());
        let mut all = self.points.clone();
        all.push((tests, seconds, finished.best.len()));
        all.sort_by_key(|(tests, ..)| *tests);
        let over_tests: Vec<_> =
            all.iter().map(|(tests, _, size)| (*tests as f64, *size)).collect();
        let over_time: Vec<_> = all.iter().map(|(_, seconds, size)| (*seconds, *size)).collect();
        html! {
            div.charts {
                (chart(Over::Tests, &over_tests, tests as f64))
                (chart(Over::Time, &over_time, seconds))
            }
        }
    }
}

/// Everything about a minimization but its name. `level` is that of the headings.
///
/// The order is that of a bug report: the failure and the result first, then the commands that show it, then where
/// the result is from. How the search went comes last. Facts have the words of the console.
pub(super) fn section(finished: &MinimizedInput, course: &Course, level: u8) -> Markup {
    let file_name = finished.output.file_name().unwrap_or_default().to_string_lossy();
    html! {
        p.headline { (text(&headline(finished))) }
        table.facts {
            @for (name, lines) in facts(finished, true).each() {
                @if !ELSEWHERE.contains(&name) {
                    tr { th scope="row" { (name) } td { (all_lines(lines)) } }
                }
            }
        }
        (heading(level, "Result"))
        (forms(&finished.best, &file_name))
        @if let Some(decoded) = &finished.decoded {
            (heading(level, "Result as the target decodes it"))
            pre { "\n" (Text(decoded)) }
        }
        @if !finished.reproduce.is_empty() {
            (heading(level, "Reproduce"))
            div.form {
                (button("Copy commands"))
                pre { "\n" code { (Text(&finished.reproduce.join("\n"))) } }
            }
        }
        (heading(level, "Original"))
        (original(&finished.input, &finished.original, &finished.best))
        (stack(&finished.stack, Some(level)))
        @if let Some(rows) = &finished.tree {
            (heading(level, "Derivation tree of the result"))
            (tree(rows))
        }
        (heading(level, "Search"))
        (course.charts(finished))
        (reducers(finished))
    }
}

/// The original with the deleted parts and the others: as text, or in rows of digits if most of it is no text.
/// The box of the rows can be scrolled, so it can have the focus and has a name.
/// `input` is the path that is named to a screen reader.
pub(super) fn original(input: &Path, original: &[u8], best: &[u8]) -> Markup {
    let changes = deletions(original, best);
    let is_text = show::is_text(original);
    html! {
        p.legend {
            "Text that was " del { "deleted" } ", that was " mark { "kept" }
            @if changes.iter().any(|change| !change.added.is_empty()) { ", or that is " ins { "new" } }
            ", of " (show::bytes(original.len())) "."
        }
        @if original.is_empty() {
            pre { "\n" i { "(empty)" } }
        } @else if is_text {
            pre { "\n" (marked(original, &changes)) }
        } @else {
            section.wide tabindex="0" aria-label=(label("Original in hexadecimal", input)) {
                pre.hex { "\n" (hex_rows(&pieces(original, &changes))) }
            }
        }
    }
}

/// The name of a part that can be scrolled. It has the input in it, because each such name may be in a page once.
fn label(what: &str, input: &Path) -> Markup {
    Text(&format!("{what} of {}", show::path(input))).render()
}

/// The stack, with frames of the runtime folded, and all frames on demand; nothing if there are none.
/// `level` is that of a heading, if there is one.
pub(super) fn stack(stack: &[StackLine], level: Option<u8>) -> Markup {
    let lines = folded(stack, false);
    let all = folded(stack, true);
    let shown = |lines: &[Styled]| html! { pre { "\n" @for line in lines { (text(line)) "\n" } } };
    html! {
        @if !lines.is_empty() {
            @if let Some(level) = level { (heading(level, "Stack")) }
            (shown(&lines))
            @if all != lines {
                details { summary { "All frames" } (shown(&all)) }
            }
        }
    }
}

/// What each reducer did, with its share of all tests, bytes and seconds as bars below the figures. Those that made
/// no test are only counted: the default strategy tries all that could help, and most find nothing to do.
fn reducers(finished: &MinimizedInput) -> Markup {
    let mut rows = by_reducer(&finished.stats);
    let all = rows.len();
    rows.retain(|row| row.counts.tests > 0 || row.bytes_removed > 0);
    let idle = all - rows.len();
    let sum = |part: fn(&ReducerTotals<'_>) -> f64| -> f64 {
        rows.iter().map(part).sum::<f64>().max(f64::MIN_POSITIVE)
    };
    let (tests, bytes, time) = (
        sum(|row| row.counts.tests as f64),
        sum(|row| row.bytes_removed as f64),
        sum(|row| row.elapsed.as_secs_f64()),
    );
    let cell = |shown: &str, share: f64| {
        html! { td { (shown) (bar(share)) } }
    };
    html! {
        @if !rows.is_empty() {
            section.wide tabindex="0" aria-label=(label("Reducers", &finished.input)) { table.reducers {
                thead {
                    tr {
                        th scope="col" { "reducer" } th scope="col" { "tests" }
                        th scope="col" { "bytes removed" } th scope="col" { "time" }
                    }
                }
                tbody {
                    @for row in &rows {
                        tr {
                            th scope="row" { (Text(row.reducer)) }
                            (cell(&show::number(row.counts.tests), row.counts.tests as f64 / tests))
                            (cell(&show::number(row.bytes_removed), row.bytes_removed as f64 / bytes))
                            (cell(&show::time(row.elapsed), row.elapsed.as_secs_f64() / time))
                        }
                    }
                }
            } }
        }
        @if idle > 0 {
            p.meta { (show::counted(idle as u64, "reducer", "reducers")) " made no test." }
        }
    }
}

/// A share, between 0 and 1, as a bar. It says nothing to a screen reader, because the figure is above it.
fn bar(share: f64) -> Markup {
    let width = (share.clamp(0.0, 1.0) * 1000.0).round() / 10.0;
    html! {
        svg.bar viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" {
            rect width=(width) height="4" {}
        }
    }
}

/// A line without its styles. Control characters are escaped in it.
pub(super) fn text(line: &Styled) -> Markup {
    Text(&line.text()).render()
}

/// Lines of one cell, such as those of a message.
fn all_lines(lines: &[Styled]) -> Markup {
    html! {
        @for (at, line) in lines.iter().enumerate() {
            @if at > 0 { br; }
            (text(line))
        }
    }
}

/// A path, and a link to it if there is one: standard input has none.
pub(super) fn linked(path: &Path, link: Option<&str>) -> Markup {
    html! {
        @match link {
            Some(link) => a href=(link) { code { (name(path)) } },
            None => code { (name(path)) },
        }
    }
}
