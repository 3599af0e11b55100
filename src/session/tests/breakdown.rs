//! Targets that can no longer be run from some moment on: the results until then are not lost.

use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;

use seedsmith_engine::ClosureTarget;
use seedsmith_engine::StopReason;
use seedsmith_engine::{Limits, Notifier, Request, RunReport, Slot, Target, TargetError};

use super::super::ended::Remark;
use super::super::error::SessionError;
use super::super::generalize;
use super::super::minimize::Options as Minimize;
use super::super::target::OpenTarget;
use super::super::{End, OpenSession, Options};
use crate::event::Silent;
use crate::generalize::{Explains, Method, Options as Pattern};
use crate::reduce::UnitKind;

/// A closure that runs `left` times; after that no process can be forked any more.
struct BreaksDown {
    inner: ClosureTarget<'static>,
    left: Rc<Cell<u32>>,
}

impl Target for BreaksDown {
    fn name(&self) -> &str {
        "closure"
    }

    fn is_synchronous(&self) -> bool {
        true
    }

    fn open(&self, notifier: &Notifier) -> Result<Box<dyn Slot + '_>, TargetError> {
        Ok(Box::new(BreaksDownSlot { inner: self.inner.open(notifier)?, left: self.left.clone() }))
    }
}

struct BreaksDownSlot<'s> {
    inner: Box<dyn Slot + 's>,
    left: Rc<Cell<u32>>,
}

impl Slot for BreaksDownSlot<'_> {
    fn push(
        &mut self,
        ticket: u64,
        candidate: &[u8],
        request: Request,
    ) -> Result<bool, TargetError> {
        self.inner.push(ticket, candidate, request)
    }

    fn take(&mut self) -> Result<Option<RunReport>, TargetError> {
        let report = self.inner.take()?;
        if report.is_some() {
            let left = self.left.get().checked_sub(1);
            self.left.set(left.ok_or_else(|| {
                TargetError::system("fork a worker", std::io::Error::from_raw_os_error(11))
            })?);
        }
        Ok(report)
    }

    fn request_notification(&mut self) {
        self.inner.request_notification();
    }

    fn cancel(&mut self) -> Vec<u64> {
        self.inner.cancel()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.inner.set_limits(limits);
    }

    fn tend(&mut self) -> Result<(), TargetError> {
        self.inner.tend()
    }
}

const INPUT: &[u8] = b"some text with BUG in it";

fn breaks_down_after(runs: u32) -> OpenTarget {
    let inner = ClosureTarget::failing_if(|bytes| bytes.windows(3).any(|part| part == b"BUG"));
    OpenTarget::new(Box::new(BreaksDown { inner, left: Rc::new(Cell::new(runs)) }))
}

/// The end of a session's task for every moment at which the target breaks down: the error or the
/// stop.
fn for_every_moment<T>(
    task: impl Fn(OpenSession<'_>) -> Result<T, SessionError>,
    mut check: impl FnMut(u32, Result<T, SessionError>),
) {
    for runs in (0..400).chain([u32::MAX]) {
        let target = breaks_down_after(runs);
        let opened =
            OpenSession::open(&target, Path::new("in"), INPUT, &Options::default(), &mut Silent);
        match opened {
            Err(error) => assert!(matches!(error, SessionError::Target { .. }), "{runs}: {error}"),
            Ok(session) => check(runs, task(session)),
        }
    }
}

#[test]
fn a_target_that_breaks_down_costs_no_result_that_was_found() {
    let (mut kept, mut lost, mut complete) = (0, 0, 0);
    for_every_moment(
        |mut session| session.minimize(&Minimize::default(), None, &mut Silent),
        |runs, ended| match ended {
            Err(SessionError::Target { source, .. }) => {
                assert_eq!(source.to_string(), "fork a worker");
                lost += 1;
            }
            Err(error) => panic!("{runs}: {error}"),
            Ok(minimized) if minimized.stopped.is_none() => {
                assert_eq!(
                    (minimized.end, minimized.best.as_slice()),
                    (End::Complete, &b"BUG"[..])
                );
                complete += 1;
            }
            Ok(minimized) => {
                assert_eq!(minimized.end, End::Stopped(StopReason::Target), "{runs}");
                assert!(minimized.best.windows(3).any(|part| part == b"BUG"), "{runs}");
                let is_explained = minimized.remarks.iter().any(|remark| match remark {
                    Remark::TargetLost(why) | Remark::NotConfirmed(Some(why)) => {
                        why.contains("fork a worker")
                    }
                    _ => false,
                });
                assert!(is_explained, "{runs}: {:?}", minimized.remarks);
                kept += 1;
            }
        },
    );
    assert!(kept > 0 && lost > 0 && complete > 0, "{kept}, {lost}, {complete}");
}

#[test]
fn a_target_that_breaks_down_costs_no_pattern_and_no_difference_that_was_found() {
    let stops = |runs, ended: Result<Option<StopReason>, SessionError>| match ended {
        Err(SessionError::Target { .. }) | Ok(None) => 0,
        Err(error) => panic!("{runs}: {error}"),
        Ok(Some(reason)) => {
            assert_eq!(reason, StopReason::Target, "{runs}");
            1
        }
    };
    let mut kept = 0;
    for_every_moment(
        |session| {
            let options = generalize::Options {
                pattern: Pattern {
                    method: Method::Published { checks: 5 },
                    seed: 1,
                    explains: Explains::Nothing,
                    ..Pattern::default()
                },
                reduces: true,
                inputs: 3,
                wants_untested: false,
                wants_examples: false,
                wants_kit: false,
            };
            Ok(session.generalize(None, &options, &mut Silent)?.stopped)
        },
        |runs, ended| kept += stops(runs, ended),
    );
    assert!(kept > 0, "no pattern was kept");
    let mut kept = 0;
    for_every_moment(
        |mut session| {
            let passing = b"some text without it, and more of it";
            Ok(session.isolate(passing, UnitKind::Bytes, &mut Silent)?.stopped)
        },
        |runs, ended| kept += stops(runs, ended),
    );
    assert!(kept > 0, "no difference was kept");
}
