//! A slot's dead workers: what they died of, and who goes on.

use std::fs::File;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use nix::fcntl::{FallocateFlags, fallocate};

use super::state::{MAX_LOST, ZygoteSlot};
use crate::exec::death::{ProcessEnd, Record, classify, without_length};
use crate::exec::modules::Modules;
use crate::exec::protocol::{Entry, MAX_FRAMES, MAX_TEXT, RETIRED, is_before};
use crate::exec::sys;
use crate::observation::Observation;
use crate::signature::{Kind, Signature, normalise};

/// Stderr that is looked at after a death: its end.
const MAX_STDERR: u64 = 128 * 1024;
/// Memory that stderr may take before all but its end is given back.
const MAX_STDERR_HELD: u64 = 4 << 20;
/// In which the system counts the blocks of a file.
const BLOCK_BYTES: u64 = 512;

impl ZygoteSlot {
    /// What became of the worker at work, if it is dead or dying.
    pub(super) fn death(&self) -> Option<ProcessEnd> {
        let shared = self.shared();
        let header = shared.header();
        if header.dying.load(Ordering::SeqCst) == self.generation {
            return Some(ProcessEnd::Exited(0));
        }
        if is_before(header.dead.0.load(Ordering::SeqCst), self.generation) {
            return None;
        }
        let status = header.dead_status.load(Ordering::Relaxed);
        Some(if header.dead_code.load(Ordering::Relaxed) == sys::CLD_EXITED {
            ProcessEnd::Exited(status)
        } else {
            ProcessEnd::Signalled(status)
        })
    }

    /// Deals with a dead worker: the observation of the candidate that it died of, if it died of
    /// one, and lets the spare work.
    pub(super) fn bury(&mut self, end: ProcessEnd) -> Option<(Observation, u32)> {
        let shared = self.shared();
        let header = shared.header();
        let tail = header.tail.0.load(Ordering::SeqCst);
        let was_running = header.started.load(Ordering::SeqCst) != tail;
        let killed_for = self.killed_for.take();
        let mut buried = None;
        if was_running {
            let entry = shared.entry(tail);
            let runs_before = entry.runs_before.load(Ordering::Relaxed);
            let is_from_outside =
                killed_for.is_none() && end == ProcessEnd::Signalled(sys::SIGKILL);
            if is_from_outside && self.lost + 1 < MAX_LOST {
                self.lost += 1;
            } else {
                let is_unwanted = killed_for == Some(ProcessEnd::Unwanted);
                let observation = if is_from_outside || is_unwanted {
                    Observation::Lost
                } else {
                    let end = match end {
                        ProcessEnd::Exited(RETIRED) => ProcessEnd::OutOfMemory,
                        end => killed_for.unwrap_or(end),
                    };
                    Observation::Failed(self.autopsy(end, entry))
                };
                // An abort without a word, in a worker that has run others: one of those may have
                // closed stderr. A new worker runs it again, and its word is final.
                let is_mute = runs_before > 0 && is_mute_abort(&observation, &self.stderr);
                if !is_mute {
                    self.lost = 0;
                    header.tail.0.store(tail.wrapping_add(1), Ordering::SeqCst);
                    buried = Some((observation, runs_before));
                }
            }
        }
        let tail = header.tail.0.load(Ordering::SeqCst);
        header.started.store(tail, Ordering::SeqCst);
        self.stderr.set_len(0).ok();
        self.activate(self.generation.wrapping_add(1));
        buried
    }

    fn autopsy(&mut self, end: ProcessEnd, entry: &Entry) -> Arc<Signature> {
        let shared = self.shared();
        let record = Record {
            signal: entry.signal.load(Ordering::Acquire),
            code: entry.signal_code.load(Ordering::Relaxed),
            address: entry.address.load(Ordering::Relaxed),
            stack_pointer: entry.stack_pointer.load(Ordering::Relaxed),
            stack_base: shared.header().stack_base.load(Ordering::Relaxed),
        };
        let stderr = self.read_stderr();
        let wants_frames = self.queue.front().is_some_and(|queued| queued.wants_frames);
        let (mut signature, reported) = classify(end, record, &stderr);
        let (place, message) = panic_text(entry);
        if signature.kind == Kind::Abort && !place.is_empty() {
            // A linked target's panic that could not be caught.
            signature.kind = Kind::Panic;
            signature.place = Some(place);
            signature.message = Some(normalise(&message));
        }
        if signature.kind != Kind::Panic || wants_frames {
            let pid = self.zygote.id();
            let plan = self.plan.clone();
            let modules =
                self.modules.get_or_insert_with(|| Modules::of(pid, plan.has_fixed_address));
            signature.frames = if reported.is_empty() {
                raw_frames(entry)
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
        Arc::new(signature)
    }

    /// The signature of a caught panic, from what the hook wrote into the entry.
    pub(super) fn caught_panic(&mut self, entry: &Entry) -> Arc<Signature> {
        let (place, message) = panic_text(entry);
        let addresses = raw_frames(entry);
        if addresses.is_empty()
            && let Some(known) = self.panics.get(&(place.clone(), message.clone()))
        {
            return known.clone();
        }
        let mut signature = Signature {
            kind: Kind::Panic,
            place: Some(place.clone()),
            message: Some(normalise(&message)),
            frames: Vec::new(),
        };
        if addresses.is_empty() {
            let signature = Arc::new(signature);
            if self.panics.len() < 4096 {
                self.panics.insert((place, message), signature.clone());
            }
            return signature;
        }
        let pid = self.zygote.id();
        let plan = self.plan.clone();
        let modules = self.modules.get_or_insert_with(|| Modules::of(pid, plan.has_fixed_address));
        signature.frames =
            addresses.into_iter().map(|address| modules.frame(address, &plan.functions)).collect();
        Arc::new(signature)
    }

    /// The end of what the workers have printed since the last death.
    pub(super) fn read_stderr(&self) -> Vec<u8> {
        let end = self.stderr.metadata().map_or(0, |metadata| metadata.len());
        let start = end.saturating_sub(MAX_STDERR);
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

    /// Gives back the memory of what the workers have printed, but for the end that
    /// [`read_stderr`](Self::read_stderr) looks at: one candidate may print gigabytes.
    pub(super) fn bound_stderr(&self) {
        let Ok(metadata) = self.stderr.metadata() else { return };
        let held = metadata.blocks() * BLOCK_BYTES;
        if held > MAX_STDERR_HELD {
            // The length stays, so that a worker that is printing goes on where it is.
            let end = metadata.len().saturating_sub(MAX_STDERR);
            let flags = FallocateFlags::FALLOC_FL_PUNCH_HOLE | FallocateFlags::FALLOC_FL_KEEP_SIZE;
            // Without success it is tried again, and the memory is given back at the next death.
            let _ = fallocate(&self.stderr, flags, 0, end as i64);
        }
    }
}

fn is_mute_abort(observation: &Observation, stderr: &File) -> bool {
    observation.signature().is_some_and(|signature| signature.kind == Kind::Abort)
        && stderr.metadata().is_ok_and(|metadata| metadata.len() == 0)
}

/// Place and message that a panic hook wrote into the entry; empty if none did.
fn panic_text(entry: &Entry) -> (String, String) {
    let length = (entry.text_length.load(Ordering::Acquire) as usize).min(MAX_TEXT);
    let mut text = [0u8; MAX_TEXT];
    // SAFETY: the source is MAX_TEXT bytes of mapped memory; the worker is past this entry, and a
    // target that scribbles over it can only change what is read.
    unsafe {
        std::ptr::copy_nonoverlapping(entry.text.get().cast::<u8>(), text.as_mut_ptr(), length);
    }
    let text = String::from_utf8_lossy(&text[..length]);
    let (place, message) = text.split_once('\n').unwrap_or((&text, ""));
    (place.to_owned(), message.to_owned())
}

fn raw_frames(entry: &Entry) -> Vec<u64> {
    let count = (entry.frame_count.load(Ordering::Acquire) as usize).min(MAX_FRAMES);
    entry.frames[..count].iter().map(|frame| frame.load(Ordering::Relaxed)).collect()
}
