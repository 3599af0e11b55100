//! What a slot with a zygote is made of, and how it starts.

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::os::fd::OwnedFd;
use std::process::Child;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use memmap2::{MmapOptions, MmapRaw};

use super::plan::{Plan, launch, prepare};
use crate::exec::arena::Arena;
use crate::exec::death::ProcessEnd;
use crate::exec::memory::anonymous_file;
use crate::exec::modules::Modules;
use crate::exec::protocol::{ARENA_BYTES, MAPPING_BYTES, Shared};
use crate::exec::watch::Watch;
use crate::exec::{Bell, Limits, TargetError, sys};
use crate::signature::Signature;

/// Deaths from outside that one candidate may meet before it is given up.
pub(super) const MAX_LOST: u32 = 3;

/// A candidate that was pushed and whose report was not taken yet.
pub(super) struct Queued {
    pub sequence: u32,
    /// `None` once it is cancelled.
    pub ticket: Option<u64>,
    /// Where its bytes begin in the arena.
    pub offset: usize,
    pub wants_frames: bool,
}

/// A slot whose worker is forked by a zygote.
pub(super) struct ZygoteSlot {
    pub plan: Rc<Plan>,
    pub variation: Option<u32>,
    pub bell: Bell,
    pub mapping: MmapRaw,
    pub shared_file: OwnedFd,
    pub stderr: File,
    pub zygote: Child,
    pub born: Instant,
    pub queue: VecDeque<Queued>,
    pub posted: u32,
    pub arena: Arena,
    pub generation: u32,
    pub limits: Limits,
    pub watch: Watch,
    pub killed_for: Option<ProcessEnd>,
    /// When the worker was last ended; of use only while `killed_for` says why.
    pub killed_at: Instant,
    /// What was posted before this number is no longer waited for.
    pub cancelled: u32,
    pub lost: u32,
    pub modules: Option<Modules>,
    /// Signatures by place and message, so that a panic seen before is the same allocation.
    pub panics: HashMap<(String, String), Arc<Signature>>,
}

impl ZygoteSlot {
    /// Starts the zygote. What goes wrong while it starts is told by [`Slot::tend`].
    ///
    /// `variation` is that of [`Target::open_elsewhere`](super::Target::open_elsewhere).
    pub fn start(plan: Rc<Plan>, bell: &Bell, variation: Option<u32>) -> Result<Self, TargetError> {
        let shared_file = anonymous_file(c"seedsmith-slot", MAPPING_BYTES as u64)?;
        let mapping = MmapOptions::new()
            .len(MAPPING_BYTES)
            .no_reserve_swap()
            .map_raw(&shared_file)
            .map_err(|error| TargetError::system("map a slot", error))?;
        let stderr = anonymous_file(c"seedsmith-stderr", 0)?;
        nix::fcntl::fcntl(&stderr, nix::fcntl::F_SETFL(nix::fcntl::OFlag::O_APPEND))
            .map_err(|errno| TargetError::system("prepare a worker's stderr", errno))?;
        prepare(&shared_of(&mapping), &plan);
        let zygote = launch(&plan, &shared_file, bell, &stderr, variation)?;
        let mut slot = ZygoteSlot {
            plan,
            variation,
            bell: bell.clone(),
            mapping,
            shared_file,
            stderr: File::from(stderr),
            zygote,
            born: Instant::now(),
            queue: VecDeque::new(),
            posted: 0,
            arena: Arena::new(ARENA_BYTES),
            generation: 1,
            limits: Limits::default(),
            watch: Watch::default(),
            killed_for: None,
            killed_at: Instant::now(),
            cancelled: 0,
            lost: 0,
            modules: None,
            panics: HashMap::new(),
        };
        slot.activate(1);
        Ok(slot)
    }

    pub(super) fn shared(&self) -> Shared {
        shared_of(&self.mapping)
    }

    /// Lets worker number `generation` work.
    pub(super) fn activate(&mut self, generation: u32) {
        self.generation = generation;
        self.watch = Watch::default();
        self.killed_for = None;
        let shared = self.shared();
        let header = shared.header();
        header.worker_pid.store(0, Ordering::Relaxed);
        header.go.0.store(generation, Ordering::SeqCst);
        sys::futex_wake(&header.go.0);
    }
}

fn shared_of(mapping: &MmapRaw) -> Shared {
    // SAFETY: the mapping is MAPPING_BYTES long and page-aligned; `Shared` values are made for
    // one call each and never outlive the slot.
    unsafe { Shared::new(mapping.as_mut_ptr()) }
}
