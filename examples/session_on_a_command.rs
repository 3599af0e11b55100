//! Minimizes a file that fails on a command, and prints each step.
//!
//! ```text
//! cargo run --example session_on_a_command -- INPUT RESULT COMMAND [ARGUMENT...]
//! ```
//!
//! The argument `{}` is the file with the candidate. The input fails if the command ends with status 0
//! or crashes.

use seedsmith::{Event, MinimizeOptions, Session, Target};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(input), Some(result)) = (arguments.next(), arguments.next()) else {
        return Err("INPUT RESULT COMMAND [ARGUMENT...]".into());
    };
    let target = Target::command(arguments);
    let minimized = Session::new(&target, &std::fs::read(&input)?)
        .named(&input)
        .jobs(2)
        .reporter(|event: &Event<'_>| {
            if let Event::Reduced { best, .. } = event {
                println!("{} bytes", best.len());
            }
        })
        .minimize(&MinimizeOptions::new().output(result))?;
    println!("{minimized}");
    Ok(())
}
