//! Keeps seedsmith's own coverage counters out of libFuzzer's sight, in builds of cargo-fuzz.
//!
//! `cargo fuzz` instruments every crate, and libFuzzer clears and scans the counters of all of them
//! for every input: for ours in vain, and they are more than those of a small target (16,000 of the
//! 21,000 counters of `mutate_json`, 2026-11-21, and a sixth of its time). No option keeps the
//! instrumentation out of a dependency. But it announces the counters to libFuzzer when the program is
//! loaded, as ranges, and of a second range with the start of the last one libFuzzer takes no
//! notice. So a function that runs just before that announces the ranges between ours, from the last to the
//! first, which has the start that the instrumentation's own call comes with.
//!
//! The symbol table shows whose a counter is: ours are those of functions with one of our crates in
//! their name, or that were instantiated in one. The crates that we use stay in, as they may be the
//! ones that are fuzzed. Where anything is not as expected (no symbols, another system), all
//! counters stay.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::exec::counters::blocks::Blocks;
use crate::exec::counters::in_process::texts::{Section, Texts};
use crate::exec::counters::in_process::words::Words;
use crate::exec::executable::image::Image;
use crate::exec::executable::{Elf, Functions};
use object::{Object, ObjectSection, Relocation};

/// A gap of so few counters is scanned as fast as it is left out: it is one cache line.
const MIN_GAP_COUNTERS: usize = 64;

/// Our crates, as the compiler writes their names.
const CRATES: [&[u8]; 3] = [b"seedsmith", b"seedsmith_engine", b"seedsmith_grammar"];

/// Whether other crates use our instances of foreign generic functions.
const SHARES_GENERICS: bool = !matches!(env!("SEEDSMITH_OPT_LEVEL").as_bytes(), b"2" | b"3");

/// Makes sure that this module is linked. It does its work before `main`.
pub fn link() {
    #[cfg(all(fuzzing, target_os = "linux", target_pointer_width = "64"))]
    std::hint::black_box(&loading::FIRST);
}

/// Addresses of the counters that are announced to libFuzzer: without ours where that is possible. Empty in a program
/// without counters.
#[cfg(all(fuzzing, target_os = "linux", target_pointer_width = "64"))]
pub(crate) fn counters_of_others() -> Vec<Range<usize>> {
    match loading::TOLD.get() {
        Some(ranges) => ranges.clone(),
        None => loading::all_counters().into_iter().collect(),
    }
}

/// Words that the instrumented code of others compares with, as far as they are in its instructions.
#[cfg(all(fuzzing, target_os = "linux", target_pointer_width = "64"))]
pub(crate) fn words_of_others() -> &'static [Vec<u8>] {
    loading::WORDS.get().map_or(&[], Vec::as_slice)
}

/// Whether a function is ours, by its mangled name.
fn is_ours(name: &[u8]) -> bool {
    // A suffix that a compiler adds after a dot is not part of the name.
    let name = name.split(|byte| *byte == b'.').next().unwrap_or(name);
    let is_at = |at: usize, krate: &[u8]| {
        let (before, behind) = (&name[..at], &name[at + krate.len()..]);
        let Some(before) = before.strip_suffix(krate.len().to_string().as_bytes()) else {
            return false;
        };
        if name.starts_with(b"_R") {
            // `C`, a number in base 62 that distinguishes crates of one name, and the name. At the
            // very end is where it was instantiated.
            let number = before.strip_suffix(b"_").map(|before| {
                let digits = before.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric());
                &before[before.len() - digits.count()..]
            });
            let is_root = before.ends_with(b"C")
                || number.is_some_and(|number| number.windows(2).any(|two| two == b"Cs"));
            return is_root && !(SHARES_GENERICS && behind.is_empty());
        }
        name.starts_with(b"_ZN") && before.last().is_some_and(|byte| !byte.is_ascii_digit())
    };
    // `memmem` is not used: the counters of its code would be scanned for every input.
    CRATES.iter().any(|krate| {
        let mut windows = name.windows(krate.len()).enumerate();
        windows.any(|(at, window)| window == *krate && is_at(at, krate))
    })
}

/// The ranges of those counters that are to stay, in order; of each is known whether it is ours.
fn ranges(ours: &[bool]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (index, is_ours) in ours.iter().enumerate() {
        match ranges.last_mut() {
            // libFuzzer knows the table by its start, so that stays whosever it is.
            None => ranges.push(index..index + 1),
            Some(_) if *is_ours => {}
            Some(last) if index - last.end <= MIN_GAP_COUNTERS => last.end = index + 1,
            Some(_) => ranges.push(index..index + 1),
        }
    }
    ranges
}

/// An executable's instrumented blocks.
#[cfg_attr(not(fuzzing), expect(dead_code, reason = "read when a program for fuzzing is loaded"))]
struct Instrumented {
    /// Their link-time addresses.
    places: Vec<u64>,
    /// Which of them are ours.
    ours: Vec<bool>,
    /// The words that the other blocks compare with.
    words: Vec<Vec<u8>>,
}

/// Reads the blocks of an executable; `None` where it has none or cannot be read.
fn blocks(path: &Path) -> Option<Instrumented> {
    let file = Image::read(path).ok()?;
    let object = Elf::parse(&*file).ok()?;
    let places = Blocks::read(&object).ok()?.places;
    let functions = Functions::with_mangled_names(path);
    // The blocks of a function follow each other: its names are looked at once.
    let mut last: Option<(&[u8], bool)> = None;
    let mut all_ours = |place: &u64| {
        let Some(name) = functions.mangled(*place).next() else { return false };
        match last {
            Some((known, is_ours)) if std::ptr::eq(known, name) => is_ours,
            _ => {
                let all = functions.mangled(*place).all(is_ours);
                last = Some((name, all));
                all
            }
        }
    };
    let ours: Vec<bool> = places.iter().map(&mut all_ours).collect();
    let words = words(path, &object, &places, &ours).unwrap_or_default();
    Some(Instrumented { places, ours, words })
}

/// Bytes of code that are looked at from the start of a block, at most: the last block of a section has
/// no next one that bounds it.
const MAX_BLOCK_BYTES: u64 = 4096;

/// The machine code of an executable and its address. An [`Image`] has zeroes in its place.
fn code(path: &Path, object: &Elf<'_>) -> Option<(Vec<u8>, u64)> {
    let text = object.section_by_name(".text")?;
    let (offset, length) = text.file_range()?;
    let mut code = vec![0; usize::try_from(length).ok()?];
    File::open(path).ok()?.read_exact_at(&mut code, offset).ok()?;
    Some((code, text.address()))
}

/// The words that the blocks that are not ours compare with.
fn words(path: &Path, object: &Elf<'_>, places: &[u64], ours: &[bool]) -> Option<Vec<Vec<u8>>> {
    let mut words = Words::default();
    if cfg!(target_arch = "x86_64") {
        let (code, first) = code(path, object)?;
        let texts = texts(object, Section { bytes: &code, address: first });
        let mut starts: Vec<(u64, bool)> =
            places.iter().copied().zip(ours.iter().copied()).collect();
        starts.sort_unstable();
        for (index, (start, is_ours)) in starts.iter().enumerate() {
            let next = starts.get(index + 1).map_or(u64::MAX, |next| next.0);
            let end =
                next.min(start.saturating_add(MAX_BLOCK_BYTES)).min(first + code.len() as u64);
            if *start >= first && *start < end && !is_ours {
                let bytes = &code[(start - first) as usize..(end - first) as usize];
                words.add(bytes);
                if let Some(texts) = &texts {
                    texts.add_names(Section { bytes, address: *start }, &mut words);
                }
            }
        }
    }
    Some(words.into_words())
}

/// The read-only texts of an executable; `None` where it has no such sections.
fn texts<'d>(object: &Elf<'d>, code: Section<'_>) -> Option<Texts<'d>> {
    let section = |name: &str| {
        let section = object.section_by_name(name)?;
        Some(Section { bytes: section.data().ok()?, address: section.address() })
    };
    let pointer = |(at, relocation): (u64, Relocation)| (at, relocation.addend() as u64);
    let pointers = object.dynamic_relocations()?.map(pointer);
    Some(Texts::new(code, section(".rodata")?, section(".data.rel.ro")?, pointers))
}

/// Whether the table in memory is the one that was read, with all addresses moved by the same.
///
/// Some entries are no addresses and stay as they are: the linker leaves a null for a block of a
/// function that it has dropped, and the compiler a one for a block that it has.
fn is_the_same(table: &[[u64; 2]], places: &[u64]) -> bool {
    let moved = || table.iter().zip(places).map(|(entry, place)| entry[0].wrapping_sub(*place));
    let by = moved().find(|by| *by != 0).unwrap_or(0);
    table.len() == places.len() && moved().all(|one| one == 0 || one == by)
}

#[cfg(all(fuzzing, target_os = "linux", target_pointer_width = "64"))]
mod loading {
    use std::ops::Range;
    use std::path::Path;
    use std::sync::OnceLock;

    use crate::exec::counters::blocks::PC_BYTES;

    /// Addresses of the counters that were announced to libFuzzer, if ours were left out.
    pub static TOLD: OnceLock<Vec<Range<usize>>> = OnceLock::new();

    // Where the counters and the table of their places begin and end: null in a program without.
    core::arch::global_asm!(
        ".pushsection .data.rel.ro,\"aw\",@progbits",
        ".p2align 3",
        ".weak seedsmith_instrumented",
        ".hidden seedsmith_instrumented",
        ".type seedsmith_instrumented, @object",
        ".size seedsmith_instrumented, 32",
        "seedsmith_instrumented:",
        ".quad __start___sancov_cntrs",
        ".quad __stop___sancov_cntrs",
        ".quad __start___sancov_pcs",
        ".quad __stop___sancov_pcs",
        ".weak __start___sancov_cntrs",
        ".weak __stop___sancov_cntrs",
        ".weak __start___sancov_pcs",
        ".weak __stop___sancov_pcs",
        ".popsection",
    );

    unsafe extern "C" {
        static seedsmith_instrumented: [usize; 4];
        fn __sanitizer_cov_8bit_counters_init(start: *mut u8, stop: *mut u8);
        fn __sanitizer_cov_pcs_init(start: *const usize, stop: *const usize);
    }

    /// Called by the loader, before the instrumentation's own calls, which have the number 2. The
    /// sanitizers are ready by then: theirs are in `.preinit_array`, which comes first.
    #[used]
    #[unsafe(link_section = ".init_array.00001")]
    pub static FIRST: extern "C" fn() = leave_out;

    /// Words that code which is not ours compares with.
    pub static WORDS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();

    /// Where all counters are, if there are any.
    pub fn all_counters() -> Option<Range<usize>> {
        // SAFETY: four words that the linker has filled in, and no one writes.
        let [counters, counters_end, ..] = unsafe { seedsmith_instrumented };
        (counters_end > counters).then_some(counters..counters_end)
    }

    extern "C" fn leave_out() {
        // SAFETY: four words that the linker has filled in, and no one writes.
        let [counters, counters_end, table, table_end] = unsafe { seedsmith_instrumented };
        if counters == 0 || table == 0 {
            return;
        }
        let Some(super::Instrumented { places, ours, words }) =
            super::blocks(Path::new("/proc/self/exe"))
        else {
            return;
        };
        let _ = WORDS.set(words);
        let count = counters_end - counters;
        if count == 0 || places.len() != count || table_end - table != count * PC_BYTES {
            return;
        }
        // SAFETY: the table has `count` entries of two words, as was just compared.
        let entries = unsafe { std::slice::from_raw_parts(table as *const [u64; 2], count) };
        if !super::is_the_same(entries, &places) {
            return;
        }
        let ranges = super::ranges(&ours);
        let addresses = ranges.iter().map(|one| counters + one.start..counters + one.end);
        let _ = TOLD.set(addresses.collect());
        for range in ranges.into_iter().rev() {
            let [first, end] = [range.start, range.end].map(|index| table + index * PC_BYTES);
            // SAFETY: both ranges are within those that the instrumentation is about to pass to
            // libFuzzer itself, and are of the same entries.
            unsafe {
                __sanitizer_cov_8bit_counters_init(
                    (counters + range.start) as *mut u8,
                    (counters + range.end) as *mut u8,
                );
                __sanitizer_cov_pcs_init(first as *const usize, end as *const usize);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_are_functions_of_this_crate_and_instances_made_of_its_types() {
        for ours in [
            "_RNvMNtNtCs1mBpKzZwB5Y_9seedsmith7mutator7sessionNtB2_7Session4hand",
            "_RINvNtCs8NwYtU1Mohg_4core3ptr9drop_glueNtNtC9seedsmith7mutator8WorkshopECsaPMqnRS1_4mine",
            "_RNvNtCs1_9seedsmith7mutator4work.llvm.7",
            "_ZN9seedsmith7mutator4work17h0123456789abcdefE",
            "_RNvNtCs1_16seedsmith_engine4exec4work",
            "_RNvNtCs1_17seedsmith_grammar9structure4work",
        ] {
            assert!(is_ours(ours.as_bytes()), "{ours}");
        }
        for theirs in [
            "_RNvCsaPMqnRS18aq_11mutate_json5weigh",
            "_RNvCs1_14seedsmith_fuzz4work",
            "_RNvCs1_4mine9seedsmith",
            "_RNvNvCs1_4mine4work_9seedsmith",
            "_ZN19seedsmith_of_another4work17h0123456789abcdefE",
            "LLVMFuzzerTestOneInput",
            "",
        ] {
            assert!(!is_ours(theirs.as_bytes()), "{theirs}");
        }
    }

    #[test]
    fn an_instance_that_others_may_use_stays() {
        let instance = "_RINvNtCs8NwYtU1Mohg_5alloc3vec4pushhECs1mBpKzZwB5Y_9seedsmith";
        assert_eq!(is_ours(instance.as_bytes()), !SHARES_GENERICS);
    }

    #[test]
    fn the_first_counter_stays_and_what_lies_between_in_large_gaps_goes() {
        assert!(ranges(&[]).is_empty());
        let mut ours = vec![true; 300];
        assert_eq!(ranges(&ours).len(), 1);
        ours[200..210].fill(false);
        ours[250..260].fill(false);
        assert_eq!(ranges(&ours), [0..1, 200..260]);
    }

    #[test]
    fn a_table_is_the_one_that_was_read_if_all_its_addresses_are_moved_by_the_same() {
        let at = |by: u64| [[0, 0], [1, 0], [0x40 + by, 1], [0x52 + by, 0]];
        let places = [0, 1, 0x40, 0x52];
        assert!(is_the_same(&at(0), &places) && is_the_same(&at(0x5000), &places));
        let mut other = at(0x5000);
        other[3][0] += 1;
        assert!(!is_the_same(&other, &places) && !is_the_same(&at(0)[..3], &places));
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    fn uses_a_name() -> usize {
        std::hint::black_box("a-planted-name").len()
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn names_in_a_program_are_found_by_its_machine_code() {
        assert_eq!(uses_a_name(), 14);
        let path = std::env::current_exe().unwrap();
        let file = Image::read(&path).unwrap();
        let object = Elf::parse(&*file).unwrap();
        // Where the function is in the file: a test program has more words than are kept, so only its code is looked at.
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let is_first = |line: &&str| line.ends_with(path.to_str().unwrap());
        let (start, _) = maps.lines().find(is_first).unwrap().split_once('-').unwrap();
        let start = u64::from_str_radix(start, 16).unwrap();
        let places = [uses_a_name as *const () as usize as u64 - start];
        let words_if = |is_ours: bool| words(&path, &object, &places, &[is_ours]).unwrap();
        assert!(words_if(false).contains(&b"a-planted-name".to_vec()));
        assert!(words_if(true).is_empty());
    }

    #[test]
    fn a_program_without_counters_has_nothing_to_leave_out() {
        assert!(blocks(&std::env::current_exe().unwrap()).is_none());
    }
}
