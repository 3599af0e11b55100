//! What a candidate costs on a libFuzzer executable: the time of one run after the other, in
//! workers as a search has them.
//!
//! ```text
//! cargo run --release -p seedsmith-engine --example cost -- EXECUTABLE INPUT... [--runs 300]
//! ```
//!
//! A line for each input: microseconds a run, what was observed, the input.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use seedsmith_engine::InjectedTarget;
use seedsmith_engine::Observation;
use seedsmith_engine::internal::InjectedOptions;
use seedsmith_engine::{Limits, Notifier, Request, Slot, Target, TargetError};

/// Candidates under way at once: as many as hide the hand-off.
const AHEAD: u64 = 32;

fn main() -> ExitCode {
    let mut runs = 300;
    let mut words = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--runs" => match arguments.next().and_then(|count| count.parse().ok()) {
                Some(count) => runs = count,
                None => return usage(),
            },
            _ => words.push(argument),
        }
    }
    let [executable, inputs @ ..] = words.as_slice() else { return usage() };
    for input in inputs {
        let told = std::fs::read(input)
            .map_err(|error| error.to_string())
            .and_then(|bytes| cost(executable, &bytes, runs).map_err(|error| error.to_string()));
        match told {
            Ok((time, observation)) => {
                println!("{:.1}\t{}\t{input}", time.as_secs_f64() * 1e6, in_words(&observation));
            }
            Err(error) => {
                eprintln!("cost: {input}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("cost EXECUTABLE INPUT... [--runs 300]");
    ExitCode::from(2)
}

fn cost(
    executable: &str,
    candidate: &[u8],
    runs: u64,
) -> Result<(Duration, Observation), TargetError> {
    let target = InjectedTarget::new(Path::new(executable), InjectedOptions::default())?;
    let notifier = Notifier::new()?;
    let mut slot = target.open(&notifier)?;
    slot.set_limits(Limits::default());
    // The first ones wait for the zygote.
    run(&mut *slot, &notifier, candidate, 3)?;
    let began = Instant::now();
    let observation = run(&mut *slot, &notifier, candidate, runs)?;
    Ok((began.elapsed() / u32::try_from(runs).unwrap_or(u32::MAX), observation))
}

/// Runs `candidate` so often; what was observed last.
fn run(
    slot: &mut dyn Slot,
    notifier: &Notifier,
    candidate: &[u8],
    runs: u64,
) -> Result<Observation, TargetError> {
    let (mut pushed, mut done, mut last) = (0, 0, Observation::Lost);
    while done < runs {
        while pushed < runs
            && pushed - done < AHEAD
            && slot.push(pushed, candidate, Request::default())?
        {
            pushed += 1;
        }
        let seen_count = notifier.count();
        slot.request_notification();
        match slot.take()? {
            Some(report) => {
                last = report.observation;
                done += 1;
            }
            None => {
                notifier.wait(seen_count, Duration::from_millis(5));
                if notifier.count() == seen_count {
                    slot.tend()?;
                }
            }
        }
    }
    Ok(last)
}

fn in_words(observation: &Observation) -> String {
    match observation {
        Observation::Returned(_) | Observation::Complained(_) => "returned".to_owned(),
        Observation::Failed(signature) => signature.kind.to_string(),
        Observation::Unresolved | Observation::Lost => "lost".to_owned(),
    }
}
