//! Deals with a slot's dead workers: why each died, and which worker is next.

use std::fs::File;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use nix::fcntl::{FallocateFlags, fallocate};

use crate::exec::death::{ProcessEnd, SignalRecord, classify, without_length};
use crate::exec::executable::modules::Modules;
use crate::exec::os::sys;
use crate::exec::os::watch::has_ended;
use crate::exec::slot::state::{KillReason, MAX_LOST, ZygoteSlot};
use crate::exec::workers::protocol::{
    Entry, FLAG_FRAMES, MAX_FRAMES, MAX_TEXT, RETIRED, is_before,
};
use crate::exec::workers::seal::Stage;
use crate::observation::Observation;
use crate::signature::{Kind, Message, Signature};

/// Bytes of stderr that are looked at after a death: its end. A report of a sanitizer has some 10 KB.
const MAX_STDERR_BYTES: u64 = 128 * 1024;
/// Memory that stderr may take before all but its end is given back.
const MAX_STDERR_HELD_BYTES: u64 = 4 << 20;
/// Signatures of caught panics that are shared: a guess, some hundred bytes each; a target that panics
/// in more ways makes new ones.
const MAX_KNOWN_PANICS: usize = 4096;
/// In which the system counts the blocks of a file (stat(2)).
const BLOCK_BYTES: u64 = 512;

impl ZygoteSlot {
    /// How the current worker ended, if it is dead or dying.
    ///
    /// A worker says that it is dying before it dies; the exit status is not known then and counts
    /// as 0, and the rest is in its entry.
    pub(super) fn death(&self) -> Option<ProcessEnd> {
        let front = self.queue.front().and_then(|front| self.stage(front));
        if matches!(front, Some((Stage::Dying, _))) {
            return Some(ProcessEnd::Exited(0));
        }
        let shared = self.shared();
        let zygote_page = shared.zygote_page();
        if is_before(zygote_page.dead.0.load(Ordering::SeqCst), self.generation) {
            return None;
        }
        let status = zygote_page.dead_status.load(Ordering::Relaxed);
        Some(if zygote_page.dead_code.load(Ordering::Relaxed) == sys::CLD_EXITED {
            ProcessEnd::Exited(status)
        } else {
            ProcessEnd::Signalled(status)
        })
    }

    /// Deals with a dead worker: the observation of the candidate that it died of, if it died of
    /// one, and lets the spare work.
    ///
    /// Gives the number of candidates that the worker had run before, too. `None` where the
    /// candidate is run again by the next worker, or where the worker died between two candidates.
    pub(super) fn reap(&mut self, end: ProcessEnd) -> Option<(Observation, u32)> {
        let killed_for = self.killed_for.take();
        let reaped = match self.queue.front().map(|front| self.stage(front)) {
            Some(Some((_, runs_before))) => {
                let sequence = self.queue[0].sequence;
                self.cause(end, killed_for, sequence, runs_before)
                    .map(|observation| (observation, runs_before))
            }
            // It was not begun, and its worker does not just make room for a new one.
            Some(None) if end != ProcessEnd::Exited(RETIRED) => {
                self.lose().then_some((Observation::Lost, 0))
            }
            _ => None,
        };
        if reaped.is_some()
            && let Some(front) = self.queue.front()
        {
            self.finish(front, Stage::Skipped);
        }
        self.stderr.set_len(0).ok();
        self.activate(self.generation.wrapping_add(1));
        reaped
    }

    /// Counts a run that was cut short: whether that has happened too often to try again.
    fn lose(&mut self) -> bool {
        self.lost += 1;
        self.lost >= MAX_LOST
    }

    /// The observation that is reported for the candidate under way; `None` if it is run again.
    ///
    /// `sequence` is its number, `runs_before` how many candidates the worker had run before it. A
    /// SIGKILL that the driver did not send says nothing of the candidate: the system, or a person,
    /// ended the worker.
    fn cause(
        &mut self,
        end: ProcessEnd,
        killed_for: Option<KillReason>,
        sequence: u32,
        runs_before: u32,
    ) -> Option<Observation> {
        let end = match (end, killed_for) {
            (_, Some(KillReason::Unwanted)) => return Some(Observation::Lost),
            (ProcessEnd::Signalled(sys::SIGKILL), None) => {
                return self.lose().then_some(Observation::Lost);
            }
            // A worker that retires at a candidate that it has begun ran out of memory.
            (ProcessEnd::Exited(RETIRED), _) => ProcessEnd::OutOfMemory,
            (_, Some(KillReason::TimedOut)) => ProcessEnd::TimedOut,
            (_, Some(KillReason::OutOfMemory)) => ProcessEnd::OutOfMemory,
            (end, None) => end,
        };
        let Some(signature) = self.signature_of_death(end, sequence) else {
            return self.lose().then_some(Observation::Lost);
        };
        let observation = Observation::Failed(signature);
        // An abort without a word, in a worker that has run others: one of those may have
        // closed stderr. A new worker runs it again, and its word is final.
        let is_mute = runs_before > 0 && is_mute_abort(&observation, &self.stderr);
        (!is_mute).then_some(observation)
    }

    /// The signature of a death; `None` where its stack is wanted and cannot be read any more.
    ///
    /// Made of three sources: the record that the signal handler wrote into the entry, the text that was
    /// printed on stderr, and how the process ended. Costs a read of the zygote's memory map, once
    /// for each zygote.
    fn signature_of_death(&mut self, end: ProcessEnd, sequence: u32) -> Option<Arc<Signature>> {
        let shared = self.shared();
        let entry = shared.entry(sequence);
        let record = SignalRecord {
            signal: entry.signal.load(Ordering::Acquire),
            code: entry.signal_code.load(Ordering::Relaxed),
            address: entry.address.load(Ordering::Relaxed),
            stack_pointer: entry.stack_pointer.load(Ordering::Relaxed),
            stack_base: shared.worker().stack_base.load(Ordering::Relaxed),
        };
        let stderr = self.read_stderr();
        let wants_frames = self.queue.front().is_some_and(|queued| queued.flags & FLAG_FRAMES != 0);
        let (mut signature, reported) = classify(end, record, &stderr);
        let (place, message) = panic_text(entry);
        if signature.kind == Kind::Abort && !place.is_empty() {
            // A linked target's panic that could not be caught.
            signature.kind = Kind::Panic;
            signature.place = Some(place);
            signature.message = Some(Message::new(&message));
        }
        if signature.kind != Kind::Panic || wants_frames {
            let addresses = raw_frames(entry);
            let plan = self.plan.clone();
            let modules = self.modules()?;
            signature.frames = if reported.is_empty() {
                addresses
                    .into_iter()
                    .map(|address| modules.frame(address, &plan.functions))
                    .collect()
            } else {
                reported
                    .iter()
                    .map(|frame| {
                        modules.reported_frame(&frame.module, frame.offset, &plan.functions)
                    })
                    .collect()
            };
            if !reported.is_empty() && signature.frames.first().is_some_and(|frame| !frame.own) {
                signature.kind = without_length(signature.kind);
            }
        }
        Some(Arc::new(signature))
    }

    /// The zygote's map; `None` if the zygote has ended before it was read. Without it a frame is
    /// no more than an address, and the same failure would look like another.
    fn modules(&mut self) -> Option<&Modules> {
        if self.modules.is_none() {
            let modules = Modules::of(self.zygote.id(), self.plan.has_fixed_address);
            // The map of a process that is ending is empty before it can be waited for.
            if modules.is_empty() && has_ended(self.zygote.id()) {
                return None;
            }
            self.modules = Some(modules);
        }
        self.modules.as_ref()
    }

    /// The signature of a caught panic, from the hook's record in the entry; `None` if its stack
    /// cannot be read any more.
    ///
    /// Without frames, signatures of the same place and message are one allocation.
    pub(super) fn caught_panic(&mut self, sequence: u32) -> Option<Arc<Signature>> {
        let shared = self.shared();
        let entry = shared.entry(sequence);
        let (place, message) = panic_text(entry);
        let addresses = raw_frames(entry);
        if addresses.is_empty()
            && let Some(known) = self.panics.get(&(place.clone(), message.clone()))
        {
            return Some(known.clone());
        }
        let mut signature = Signature {
            kind: Kind::Panic,
            place: Some(place.clone()),
            message: Some(Message::new(&message)),
            frames: Vec::new(),
        };
        if addresses.is_empty() {
            let signature = Arc::new(signature);
            if self.panics.len() < MAX_KNOWN_PANICS {
                self.panics.insert((place, message), signature.clone());
            }
            return Some(signature);
        }
        let plan = self.plan.clone();
        let modules = self.modules()?;
        signature.frames =
            addresses.into_iter().map(|address| modules.frame(address, &plan.functions)).collect();
        Some(Arc::new(signature))
    }

    /// The end of the workers' output since the last death.
    ///
    /// At most [`MAX_STDERR_BYTES`]: a report is printed last.
    pub(super) fn read_stderr(&self) -> Vec<u8> {
        let end = self.stderr.metadata().map_or(0, |metadata| metadata.len());
        let start = end.saturating_sub(MAX_STDERR_BYTES);
        let mut buffer = vec![0; (end - start) as usize];
        let mut length = 0;
        while length < buffer.len() {
            match self.stderr.read_at(&mut buffer[length..], start + length as u64) {
                Ok(count) if count > 0 => length += count,
                _ => break,
            }
        }
        buffer.truncate(length);
        buffer
    }

    /// Gives back the memory of the workers' output, except the end that
    /// [`read_stderr`](Self::read_stderr) looks at: one candidate may print gigabytes.
    pub(super) fn bound_stderr(&self) {
        let Ok(metadata) = self.stderr.metadata() else { return };
        let held = metadata.blocks() * BLOCK_BYTES;
        if held > MAX_STDERR_HELD_BYTES {
            // The length stays, so that a worker that is printing continues where it is.
            let end = metadata.len().saturating_sub(MAX_STDERR_BYTES);
            let flags = FallocateFlags::FALLOC_FL_PUNCH_HOLE | FallocateFlags::FALLOC_FL_KEEP_SIZE;
            // Without success it is tried again, and the memory is given back at the next death.
            let _ = fallocate(&self.stderr, flags, 0, end as i64);
        }
    }
}

/// Whether an abort came without anything on stderr.
fn is_mute_abort(observation: &Observation, stderr: &File) -> bool {
    observation.signature().is_some_and(|signature| signature.kind == Kind::Abort)
        && stderr.metadata().is_ok_and(|metadata| metadata.len() == 0)
}

/// Place and message that a panic hook wrote into the entry; empty if none did.
fn panic_text(entry: &Entry) -> (String, String) {
    let length = (entry.text_length.load(Ordering::Acquire) as usize).min(MAX_TEXT);
    let mut text = [0u8; MAX_TEXT];
    // SAFETY: the source is MAX_TEXT bytes of mapped memory; the worker is past this entry, and a
    // target that scribbles over it can only change the text.
    unsafe {
        std::ptr::copy_nonoverlapping(entry.text.get().cast::<u8>(), text.as_mut_ptr(), length);
    }
    let text = String::from_utf8_lossy(&text[..length]);
    let (place, message) = text.split_once('\n').unwrap_or((&text, ""));
    // A text that did not fit was cut off, perhaps within a character.
    let cut = if length == MAX_TEXT { "…" } else { "" };
    (place.to_owned(), format!("{}{cut}", message.trim_end_matches('\u{fffd}')))
}

/// The return addresses that the worker wrote down, innermost first, at most [`MAX_FRAMES`]
/// whatever the entry says.
fn raw_frames(entry: &Entry) -> Vec<u64> {
    let count = (entry.frame_count.load(Ordering::Acquire) as usize).min(MAX_FRAMES);
    entry.frames[..count].iter().map(|frame| frame.load(Ordering::Relaxed)).collect()
}
