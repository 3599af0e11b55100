//! How a search ends before its reducers do.

use std::sync::atomic::Ordering;

use super::*;
use seedsmith_engine::ClosureTarget;
use seedsmith_engine::SameFailure;
use seedsmith_engine::Sameness;
use seedsmith_engine::internal::Budget;
use seedsmith_engine::{Kind, Signature};

#[test]
fn a_stream_of_candidates_that_are_not_admitted_ends_with_the_budget() {
    let target = ClosureTarget::failing_if(|_: &[u8]| true);
    let judge =
        SameFailure { signature: Signature::of_kind(Kind::Command), sameness: Sameness::default() };
    let budget = Budget::default();
    let interrupt = budget.interrupt.clone();
    let mut oracle = Oracle::new(&target, judge, 1, budget).unwrap();
    let mut quiet = |_: &Event<'_>| {};
    let mut search = Search::new(&mut oracle, b"input".to_vec(), &mut quiet);
    search.take_only(Box::new(|_| false));
    // Endless: nothing but the budget ends it.
    let mut proposed = 0;
    let ended = search.first(|buffer| {
        proposed += 1;
        interrupt.store(proposed == 10, Ordering::Relaxed);
        buffer.push(b'x');
        Some(())
    });
    assert!(matches!(ended, Err(Stopped::Early(StopReason::Interrupted))));
    assert_eq!(proposed, 10);
}

#[test]
fn a_skipped_reducer_keeps_what_it_found_and_the_search_goes_on() {
    let target = ClosureTarget::failing_if(|bytes: &[u8]| bytes.starts_with(b"x"));
    let judge =
        SameFailure { signature: Signature::of_kind(Kind::Command), sameness: Sameness::default() };
    let mut oracle = Oracle::new(&target, judge, 1, Budget::default()).unwrap();
    let mut notes = Vec::new();
    let mut hear = |event: &Event<'_>| {
        if let Event::Note(_, text) = event {
            notes.push((*text).to_owned());
        }
    };
    let mut search = Search::new(&mut oracle, b"xxxxxx".to_vec(), &mut hear);
    let wishes = Wishes::default();
    search.heed(wishes.clone());
    // Pressed before the reducer began: meant for another one.
    wishes.skip_reducer();
    let ended = search.run_unless_skipped("first", |search| {
        assert!(search.fails(b"xxx")?);
        wishes.skip_reducer();
        search.fails(b"x")?;
        panic!("it was skipped");
    });
    assert!(ended.is_ok());
    assert_eq!((search.best(), search.skipped()), (&b"xxx"[..], 1));
    search.claim(Minimality::OneMinimal);
    assert_eq!(search.minimality(), Minimality::None);
    // The next one is not skipped, and neither are tests between reducers.
    let ended = search.run_unless_skipped("second", |search| search.fails(b"xx").map(|_| ()));
    wishes.skip_reducer();
    assert!(ended.is_ok() && search.fails(b"x").unwrap());
    search.claim(Minimality::Global);
    assert_eq!(search.minimality(), Minimality::Global);
    drop(search);
    assert_eq!(notes, ["first was skipped: the result may be larger than need be"]);
}

#[test]
fn an_endless_stream_ends_when_its_reducer_is_skipped() {
    let target = ClosureTarget::failing_if(|_: &[u8]| false);
    let judge =
        SameFailure { signature: Signature::of_kind(Kind::Command), sameness: Sameness::default() };
    let mut oracle = Oracle::new(&target, judge, 1, Budget::default()).unwrap();
    let mut quiet = |_: &Event<'_>| {};
    let mut search = Search::new(&mut oracle, b"input".to_vec(), &mut quiet);
    let wishes = Wishes::default();
    search.heed(wishes.clone());
    let mut proposed = 0_u32;
    let ended = search.run_unless_skipped("endless", |search| {
        let found = search.first(|buffer| {
            proposed += 1;
            if proposed == 10 {
                wishes.skip_reducer();
            }
            buffer.extend_from_slice(&proposed.to_le_bytes());
            Some(())
        });
        found.map(|_| ())
    });
    assert!(ended.is_ok());
    assert_eq!(search.skipped(), 1);
}
