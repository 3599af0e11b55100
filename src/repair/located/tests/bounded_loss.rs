//! Faults that no edit mends: what a repair loses is the lines that hold them.

use crate::repair::distance::alignment::Alignment;
use crate::repair::validate::{Answer, InPlace};
use crate::repair::{Options, Repair, repair};
use seedsmith_engine::internal::Budget;

fn sum(name: &str) -> u32 {
    name.bytes().map(|byte| u32::from(byte) * 7).sum()
}

/// Lines of `name = sum`, where the sum is that of the name's bytes, between conditions that are closed. Only the
/// right number mends a line.
fn sums(text: &[u8]) -> Result<(), String> {
    let text = std::str::from_utf8(text).map_err(|_| "line 1: no text".to_owned())?;
    let mut open = 0;
    for (number, line) in text.lines().enumerate() {
        let is_good = match line {
            "" => true,
            "#endif" => {
                open -= 1;
                open >= 0
            }
            _ if line.starts_with("#if ") => {
                open += 1;
                true
            }
            _ => line
                .split_once(" = ")
                .is_some_and(|(name, value)| value == sum(name).to_string() && !name.is_empty()),
        };
        if !is_good {
            return Err(format!("line {}: bad", number + 1));
        }
    }
    if open > 0 { Err("line 1: unterminated".to_owned()) } else { Ok(()) }
}

fn rows(count: u32, bad: &[u32]) -> (String, usize) {
    let mut lost = 0;
    let row = |n: u32| {
        let name = format!("name_{}_{n}", ["one", "other", "third"][n as usize % 3]);
        if !bad.contains(&n) {
            return format!("{name} = {}\n", sum(&name));
        }
        let line = format!("{name} = {}{}\n", ["?", "(((", "\"", ""][n as usize % 4], n * 71 + 5);
        lost += line.len();
        line
    };
    ((0..count).map(row).collect(), lost)
}

fn repaired<R: Into<Answer>>(says: impl Fn(&[u8]) -> R, input: &str, max_tests: u64) -> Repair {
    let budget = Budget { max_tests: Some(max_tests), ..Budget::default() };
    let mut validator = InPlace::new(says, budget);
    repair(&mut validator, input.as_bytes(), &Options::default()).unwrap()
}

#[test]
fn faults_that_no_edit_mends_cost_their_lines_and_no_more() {
    let (plain, lost_lines) = rows(90, &[7, 30, 31, 58, 86]);
    // Every prefix of this one is invalid until its condition is closed.
    let guarded = format!("#if A\n{plain}#endif\n");
    // Without messages a neighbour may go with the line.
    for (input, speaks, max_tests) in
        [(&plain, true, 1000), (&plain, true, 500), (&guarded, true, 1000), (&plain, false, 1000)]
    {
        let lost = if speaks { lost_lines } else { 2 * lost_lines };
        let is_valid = |text: &[u8]| {
            let said = sums(text);
            if speaks { said } else { said.map_err(|_| String::new()) }
        };
        let found = repaired(is_valid, input, max_tests).text.unwrap();
        assert!(sums(&found).is_ok());
        let kept = Alignment::of(input.as_bytes(), &found).kept();
        let own = String::from_utf8_lossy(&found);
        assert!(
            kept + lost >= input.len(),
            "{speaks} {max_tests}: {kept} of {} {own}",
            input.len()
        );
    }
}
