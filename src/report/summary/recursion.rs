//! A stack for people: a recursion of hundreds of frames becomes one line, and so do the frames of a
//! runtime that are next to each other.
//!
//! Functions are compared by name, and not by place. Only functions of the user and of crates form a
//! recursion.

use anstyle::Style;

use crate::event::StackLine;
use crate::report::show;
use crate::report::terminal::{FAINT, Styled};

/// Functions that may call each other in one recursion. A parser's chain from expression to primary
/// expression has about ten.
const MAX_PERIOD_FUNCTIONS: usize = 16;
/// Repetitions from which on a recursion is one line; fewer are shown as they are. A function that calls itself
/// once is often no recursion to a reader, so two are too few; not measured.
const MIN_REPETITIONS: usize = 3;
/// Functions of a recursion that are named. A guess: they fit on one or two lines; not measured.
const MAX_NAMED_FUNCTIONS: usize = 6;

/// The lines of a stack, each recursion folded into one, and frames of the runtime too unless `all` are asked
/// for. The innermost frame is the first line.
///
/// Recursions are folded even with `all`. A recursion that reaches the end of the stack is `at least` so
/// deep, because of a deep stack only the innermost frames are recorded; any other is `about` so deep.
pub(crate) fn folded(stack: &[StackLine], all: bool) -> Vec<Styled> {
    // What a runtime calls in between, such as an iterator, does not hide a recursion.
    let own: Vec<usize> = (0..stack.len()).filter(|at| stack[*at].own).collect();
    let mut lines = Vec::new();
    let (mut next, mut at) = (0, 0);
    while at < own.len() {
        add_foreign(&mut lines, &stack[next..own[at]], all);
        let rest: Vec<&StackLine> = own[at..].iter().map(|at| &stack[*at]).collect();
        let length = match recursion(&rest) {
            Some((period, length)) => {
                // Of a deep stack only the innermost frames are recorded.
                let how = if length == rest.len() { "at least" } else { "about" };
                lines.push(in_one_line(&rest[..period], length / period, how));
                length
            }
            None => {
                lines.push(with_function(Styled::default(), rest[0]));
                1
            }
        };
        next = own[at + length - 1] + 1;
        at += length;
    }
    add_foreign(&mut lines, &stack[next..], all);
    lines
}

/// The line, followed by a function and its place: `parse at src/parse.rs:7`. The column is not shown.
/// Without debug information the function is a module and an offset, and there is no place.
pub(crate) fn with_function(line: Styled, function: &StackLine) -> Styled {
    let line = line.with(Style::new(), &function.function);
    match (function.place(), &function.file) {
        (Some(place), Some(file)) => {
            line.with(Style::new(), " at ").with_place(&show::short_paths(&place), file)
        }
        _ => line,
    }
}

/// Adds frames of the runtime: each if `all` are asked for, or if there is one. Several are `… 12 frames of
/// the runtime`. All of them are faint, so that the user's functions are seen first.
fn add_foreign(lines: &mut Vec<Styled>, foreign: &[StackLine], all: bool) {
    match foreign {
        [] => {}
        [_, _, ..] if !all => {
            let text = format!("… {} frames of the runtime", show::number(foreign.len() as u64));
            lines.push(Styled::default().with(FAINT, &text));
        }
        each => lines.extend(each.iter().map(|line| {
            let text = show::short_paths(&line.to_string());
            Styled::default().with(FAINT, &text)
        })),
    }
}

/// The recursion that `stack` begins with: how many lines repeat, and how many lines they fill. The last
/// repetition may be incomplete. `None` if fewer than 3 repetitions follow each other.
///
/// The shortest period wins. The functions are compared at most 16 times for each line of the stack.
fn recursion(stack: &[&StackLine]) -> Option<(usize, usize)> {
    (1..=MAX_PERIOD_FUNCTIONS.min(stack.len())).find_map(|period| {
        let pairs = stack.iter().zip(&stack[period..]);
        let repeated = pairs.take_while(|(one, next)| one.function == next.function).count();
        let length = period + repeated;
        (length >= period * MIN_REPETITIONS).then_some((period, length))
    })
}

/// A recursion on one line: its functions, and how often they repeat: `a ↔ b recur, about 120 deep, at
/// src/a.rs:7`. The place is that of the innermost call. `how` is `about` or `at least`.
///
/// Of several lines of one function in a row, the name is shown once. Of more than 6 names the rest is
/// `others`, or `another` if it is one.
fn in_one_line(repeated: &[&StackLine], depth: usize, how: &str) -> Styled {
    let mut names: Vec<&str> = Vec::new();
    for line in repeated {
        if names.last() != Some(&line.function.as_str()) {
            names.push(&line.function);
        }
    }
    let verb = if names.len() == 1 { "recurs" } else { "recur" };
    if let Some(more) = names.len().checked_sub(MAX_NAMED_FUNCTIONS).filter(|more| *more > 0) {
        names.truncate(MAX_NAMED_FUNCTIONS);
        names.push(if more == 1 { "another" } else { "others" });
    }
    let depth = show::number(depth as u64);
    let text = format!("{} {verb}, {how} {depth} deep", names.join(" ↔ "));
    let line = Styled::default().with(Style::new(), &text);
    match (repeated[0].place(), &repeated[0].file) {
        (Some(place), Some(file)) => {
            line.with(Style::new(), ", at ").with_place(&show::short_paths(&place), file)
        }
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(function: &str, own: bool) -> StackLine {
        StackLine {
            function: function.to_owned(),
            file: Some(format!("{function}.rs")),
            line: Some(1),
            column: None,
            own,
        }
    }

    fn stack(functions: &[&str]) -> Vec<StackLine> {
        functions.iter().map(|function| line(function, true)).collect()
    }

    fn shown(stack: &[StackLine], all: bool) -> Vec<String> {
        folded(stack, all).iter().map(Styled::text).collect()
    }

    #[test]
    fn functions_that_call_each_other_again_and_again_are_one_line() {
        let inner = ["query", "primary"].repeat(240);
        let all = [&["peek"][..], &inner, &["query", "main"]].concat();
        assert_eq!(
            shown(&stack(&all), false),
            [
                "peek at peek.rs:1",
                "query ↔ primary recur, about 240 deep, at query.rs:1",
                "main at main.rs:1"
            ]
        );
    }

    #[test]
    fn a_function_that_calls_itself_recurs() {
        let no_place = |function: &str| StackLine { file: None, ..line(function, true) };
        let all: Vec<StackLine> = (0..5).map(|_| no_place("walk")).collect();
        assert_eq!(shown(&all, false), ["walk recurs, at least 5 deep"]);
    }

    #[test]
    fn a_recursion_of_many_functions_names_some() {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let text = "a ↔ b ↔ c ↔ d ↔ e ↔ f ↔ others recur, at least 4 deep, at a.rs:1";
        assert_eq!(shown(&stack(&names.repeat(4)), false), [text]);
    }

    #[test]
    fn two_calls_are_no_recursion() {
        let all = ["a", "a", "b", "c", "b", "c", "main"];
        let lines: Vec<String> = all.iter().map(|name| format!("{name} at {name}.rs:1")).collect();
        assert_eq!(shown(&stack(&all), false), lines);
        assert_eq!(shown(&[], false), [""; 0]);
    }

    #[test]
    fn frames_of_the_runtime_are_folded_and_do_not_hide_a_recursion() {
        let mut all = vec![line("raise", false), line("abort", false), line("fail", true)];
        for _ in 0..9 {
            all.extend([line("walk", true), line("next", false), line("fold", false)]);
        }
        all.extend([line("main", true), line("start", false)]);
        let walk = "walk recurs, about 9 deep, at walk.rs:1";
        let top = "… 2 frames of the runtime";
        let start = "start at start.rs:1";
        assert_eq!(
            shown(&all, false),
            [top, "fail at fail.rs:1", walk, top, "main at main.rs:1", start]
        );
        assert_eq!(
            shown(&all, true)[..3],
            ["raise at raise.rs:1", "abort at abort.rs:1", "fail at fail.rs:1"]
        );
        assert_eq!(shown(&all[..2], false), [top]);
    }
}
