//! Patterns of planted bugs and of the papers' examples, letter by letter.

#[path = "generalize/planted.rs"]
mod planted;

use std::sync::Arc;

use planted::{PLANTED, Planted};
use seedsmith::generalize::language::Language;
use seedsmith::generalize::{Generalized, Options, Way, generalize};
use seedsmith::grammar::{fuzzingbook, g4};
use seedsmith::oracle::{Oracle, budget::Budget, judge::Hunt};
use seedsmith::sameness::Sameness;
use seedsmith::signature::{Kind, Signature};
use seedsmith::target::closure::ClosureTarget;

fn language(grammar: &str) -> Option<Language> {
    if grammar.is_empty() {
        return None;
    }
    let (grammar, start) = if grammar.starts_with('{') {
        let (grammar, start) = fuzzingbook::load_text("planted", grammar).unwrap();
        (grammar, Some(start))
    } else {
        (g4::load_texts(&[("planted.g4", grammar)]).unwrap(), None)
    };
    Some(Language::new(Arc::new(grammar), start).unwrap())
}

fn run(planted: &Planted, way: Way, jobs: usize, input: &[u8]) -> Generalized {
    let target = ClosureTarget::failing_if(planted.fails);
    let hunt = Hunt { signature: Signature::of_kind(Kind::Command), sameness: Sameness::default() };
    let mut oracle = Oracle::new(&target, hunt, jobs, Budget::default()).unwrap();
    let options = Options { way, ..Options::default() };
    generalize(&mut oracle, input.to_vec(), language(planted.grammar), &options).unwrap()
}

#[test]
fn try_it() {
    for planted in PLANTED {
        for way in [Options::default().way, Way::Published { checks: 100 }] {
            let found = run(planted, way, 1, planted.input.as_bytes());
            println!(
                "{}\n   {:?}\n   {:?}\n   {:?} {:?} {:?}",
                planted.name,
                found.pattern.compact(),
                planted.pattern,
                found.claim,
                found.counts,
                found.misfit
            );
        }
    }
}
