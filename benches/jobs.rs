//! One worker beside two: the whole reduction of one input, in turn, medians of five.
//!
//! The target works for a given time on every input, whatever its size. Results have to be the
//! same bytes. With short tests a second worker must not cost; with long ones it has to pay.
//!
//! `cargo bench --bench jobs`

use std::time::{Duration, Instant};

use seedsmith::Event;
use seedsmith::Search;
use seedsmith::internal::reduce::{Options, minimize};
use seedsmith_engine::LinkedTarget;
use seedsmith_engine::SameFailure;
use seedsmith_engine::internal::linked;
use seedsmith_engine::internal::{Budget, Oracle};
use seedsmith_engine::{Kind, Signature};
use seedsmith_engine::{Rule, Sameness};

/// The first byte says how long a test takes, in units of 50 µs.
fn body(input: &[u8]) {
    let work = Duration::from_micros(50) * u32::from(unit());
    let started = Instant::now();
    while started.elapsed() < work {
        std::hint::spin_loop();
    }
    let has = |word: &[u8]| input.windows(word.len()).any(|window| window == word);
    assert!(!(has(b"needle") && has(b"<hay>") && has(b"{stack}")), "found");
}

/// How long a test takes, in units of 50 µs, from the environment.
fn unit() -> u8 {
    std::env::var("SEEDSMITH_BENCH_WORK").ok().and_then(|work| work.parse().ok()).unwrap_or(0)
}

fn input() -> Vec<u8> {
    let mut text = String::new();
    for line in 0..400 {
        text += &format!("line {line} of a text with (some) [brackets] and numbers {}\n", line * 7);
        text += match line {
            50 => "a needle\n",
            200 => "under <hay>\n",
            350 => "in a {stack}\n",
            _ => "",
        };
    }
    text.into_bytes()
}

fn reduce(target: &LinkedTarget, jobs: usize) -> (Duration, Vec<u8>) {
    let judge = SameFailure {
        signature: Signature::of_kind(Kind::Panic),
        sameness: Sameness { rule: Rule::Kind, pattern: None },
    };
    let started = Instant::now();
    let mut oracle = Oracle::new(target, judge, jobs, Budget::default()).expect("it can be run");
    let mut listener = |_: &Event<'_>| {};
    let mut search = Search::new(&mut oracle, input(), &mut listener);
    minimize(&mut search, &Options::default()).expect("nothing stops it");
    let best = search.best().to_vec();
    (started.elapsed(), best)
}

fn main() {
    linked::serve(body);
    println!("{:>10} {:>10} {:>10} {:>8}", "a test", "-j 1", "-j 2", "ratio");
    for work in ["0", "1", "4", "10"] {
        // SAFETY: this program has one thread; zygotes inherit the variable.
        unsafe { std::env::set_var("SEEDSMITH_BENCH_WORK", work) };
        let target = LinkedTarget::new("jobs").expect("this program can be read");
        let mut times = [Vec::new(), Vec::new()];
        let mut results = Vec::new();
        for _ in 0..5 {
            for (jobs, times) in [1, 2].into_iter().zip(&mut times) {
                let (time, best) = reduce(&target, jobs);
                times.push(time);
                results.push(best);
            }
        }
        assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "-j changes only speed");
        let [one, two] = times.map(|mut times| {
            times.sort();
            times[times.len() / 2]
        });
        println!(
            "{:>7} µs {:>7} ms {:>7} ms {:>8.2}",
            work.parse::<u32>().unwrap_or(0) * 50,
            one.as_millis(),
            two.as_millis(),
            one.as_secs_f64() / two.as_secs_f64()
        );
    }
}
