//! A stack for people: a recursion of hundreds of frames becomes one line.

use crate::report::show;
use crate::session::stack::StackLine;

/// Functions that may call each other in one recursion. A parser's chain from expression to primary
/// expression has about ten.
const MAX_PERIOD: usize = 16;
/// Repetitions from which on a recursion is one line; fewer are shown as they are.
const MIN_REPETITIONS: usize = 3;

/// The lines of a stack, each recursion folded into one.
pub fn folded(stack: &[StackLine]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = stack;
    while !rest.is_empty() {
        match recursion(rest) {
            Some((period, length)) => {
                lines.push(in_one_line(&rest[..period], length / period));
                rest = &rest[length..];
            }
            None => {
                lines.push(rest[0].to_string());
                rest = &rest[1..];
            }
        }
    }
    lines
}

/// The recursion that `stack` begins with: how many lines repeat, and how many lines they fill.
fn recursion(stack: &[StackLine]) -> Option<(usize, usize)> {
    (1..=MAX_PERIOD.min(stack.len())).find_map(|period| {
        let pairs = stack.iter().zip(&stack[period..]);
        let repeated = pairs.take_while(|(one, next)| one.function == next.function).count();
        let length = period + repeated;
        (length >= period * MIN_REPETITIONS).then_some((period, length))
    })
}

fn in_one_line(repeated: &[StackLine], depth: usize) -> String {
    let mut names: Vec<&str> = Vec::new();
    for line in repeated {
        if names.last() != Some(&line.function.as_str()) {
            names.push(&line.function);
        }
    }
    let place = repeated[0].place().map(|place| format!(" at {place}")).unwrap_or_default();
    let verb = if names.len() == 1 { "recurs" } else { "recur" };
    let depth = show::number(depth as u64);
    format!("{} {verb}, about {depth} deep,{place}", names.join(" ↔ "))
        .trim_end_matches(',')
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(functions: &[&str]) -> Vec<StackLine> {
        let line = |function: &&str| StackLine {
            function: (*function).to_owned(),
            file: Some(format!("{function}.rs")),
            line: Some(1),
            column: None,
            own: true,
        };
        functions.iter().map(line).collect()
    }

    #[test]
    fn functions_that_call_each_other_again_and_again_are_one_line() {
        let inner = ["query", "primary"].repeat(240);
        let all = [&["peek"][..], &inner, &["query", "main"]].concat();
        assert_eq!(
            folded(&stack(&all)),
            [
                "peek at peek.rs:1",
                "query ↔ primary recur, about 240 deep, at query.rs:1",
                "main at main.rs:1"
            ]
        );
    }

    #[test]
    fn a_function_that_calls_itself_recurs() {
        let no_place = |function: &str| StackLine { file: None, ..stack(&[function])[0].clone() };
        let all: Vec<StackLine> = (0..5).map(|_| no_place("walk")).collect();
        assert_eq!(folded(&all), ["walk recurs, about 5 deep"]);
    }

    #[test]
    fn two_calls_are_no_recursion() {
        let all = ["a", "a", "b", "c", "b", "c", "main"];
        let lines: Vec<String> = all.iter().map(|name| format!("{name} at {name}.rs:1")).collect();
        assert_eq!(folded(&stack(&all)), lines);
        assert_eq!(folded(&[]), [""; 0]);
    }
}
