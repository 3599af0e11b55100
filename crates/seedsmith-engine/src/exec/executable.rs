//! Facts read from an executable: whether libFuzzer's interface is in it, which sanitizer, its
//! build id, and which of its functions are the user's.

pub(super) mod image;
mod kind;
pub(super) mod modules;
pub(crate) mod symbolize;

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use object::{Object, ObjectKind, ObjectSection, ObjectSymbol, SymbolKind};

use super::TargetError;
use crate::exec::workers::protocol::{
    CALLBACKS, COMPARE_CALLBACKS, LEAK_FUNCTIONS, OTHER_CALLBACKS,
};
use image::Image;
pub use kind::ExecutableKind;

/// Facts read from an executable.
#[derive(Clone, Debug)]
pub struct Executable {
    /// Its path.
    pub path: PathBuf,
    /// How it can be run.
    pub kind: ExecutableKind,
    /// `address`, `memory`, `thread` or `leak`, if it was built with that sanitizer.
    pub sanitizer: Option<&'static str>,
    /// The build id in hexadecimal, if the linker left one.
    pub build_id: Option<String>,
    /// Whether its `main` chooses the function that `LLVMFuzzerTestOneInput` calls, as bolero's
    /// tests do: then calling `LLVMFuzzerTestOneInput` alone runs nothing.
    pub has_several_tests: bool,
    pub(crate) test_one_input: u64,
    pub(crate) initialize: u64,
    pub(crate) leak_functions: LeakFunctions,
    pub(crate) callbacks: [u64; CALLBACKS],
    pub(crate) hash_keys: [u64; 2],
    pub(crate) lowest_stack: [u64; 2],
    pub(crate) code: [u64; 2],
    pub(crate) has_fixed_address: bool,
}

/// Link-time addresses of [`LEAK_FUNCTIONS`]; 0 for those that the executable lacks.
pub(crate) type LeakFunctions = [u64; LEAK_FUNCTIONS.len()];

impl Executable {
    /// Whether compares can be features: it was built with traced compares, and runs on x86-64.
    pub(crate) fn has_traced_compares(&self) -> bool {
        let compares = &self.callbacks[..COMPARE_CALLBACKS.len()];
        cfg!(target_arch = "x86_64") && compares.iter().any(|address| *address != 0)
    }

    /// Whether a sanitizer that finds leaks is in it.
    pub fn can_find_leaks(&self) -> bool {
        self.leak_functions.iter().all(|address| *address != 0)
    }
}

/// Reads the facts from the executable at `path`. Costs a scan of its symbol table: milliseconds.
pub fn inspect(path: &Path) -> Result<Executable, TargetError> {
    let data = Image::read(path)
        .map_err(|error| TargetError::system(format!("read {}", path.display()), error))?;
    let object = Elf::parse(&*data).map_err(|error| TargetError::NotExecutable {
        path: path.to_owned(),
        reason: error.to_string(),
    })?;
    let mut test_one_input = 0;
    let mut initialize = 0;
    let mut has_several_tests = false;
    let mut leak_functions = LeakFunctions::default();
    let mut callbacks = [0; CALLBACKS];
    let (mut hash_keys, mut lowest_stack) = ([0; 2], [0; 2]);
    let mut sanitizer = None;
    for symbol in object.symbols().chain(object.dynamic_symbols()) {
        // For thread-local data that is always said to be no definition.
        if symbol.is_undefined() || (!symbol.is_definition() && symbol.kind() != SymbolKind::Tls) {
            continue;
        }
        match symbol.name_bytes() {
            // honggfuzz's library has a weak one, which does nothing.
            Ok(b"LLVMFuzzerTestOneInput") if !symbol.is_weak() => {
                test_one_input = symbol.address();
            }
            Ok(b"LLVMFuzzerStartTest") => has_several_tests = true,
            Ok(b"LLVMFuzzerInitialize") => initialize = symbol.address(),
            Ok(b"__sancov_lowest_stack") if symbol.kind() == SymbolKind::Tls => {
                lowest_stack = [symbol.address(), symbol.size()];
            }
            Ok(b"__asan_init") => sanitizer = Some("address"),
            Ok(b"__msan_init") => sanitizer = Some("memory"),
            Ok(b"__tsan_init") => sanitizer = Some("thread"),
            // AddressSanitizer has this one in it too.
            Ok(b"__lsan_init") => sanitizer = sanitizer.or(Some("leak")),
            Ok(name) => {
                let found = LEAK_FUNCTIONS.iter().position(|one| one.as_bytes() == name);
                if let Some(index) = found {
                    leak_functions[index] = symbol.address();
                } else if let Some(index) = callback(name) {
                    // A jump takes that many bytes; one without it cannot note compares.
                    let has_room = index >= COMPARE_CALLBACKS.len() || symbol.size() >= JUMP_BYTES;
                    callbacks[index] = if has_room { symbol.address() } else { 0 };
                } else if symbol.kind() == SymbolKind::Tls && is_hash_seed(name) {
                    hash_keys = [symbol.address(), symbol.size()];
                }
            }
            Err(_) => {}
        }
    }
    let code = object.section_by_name(".text");
    let code = code.map_or([0; 2], |text| [text.address(), text.address() + text.size()]);
    let is_static = object.section_by_name(".interp").is_none();
    let is_stripped = object.symbol_table().is_none() || object.symbols().next().is_none();
    let kind = match () {
        () if is_static => ExecutableKind::Static,
        () if test_one_input != 0 => ExecutableKind::LibFuzzer,
        () if is_stripped => ExecutableKind::Stripped,
        () => ExecutableKind::Other,
    };
    let build_id = object
        .build_id()
        .ok()
        .flatten()
        .map(|id| id.iter().map(|byte| format!("{byte:02x}")).collect());
    Ok(Executable {
        path: path.to_owned(),
        kind,
        sanitizer,
        build_id,
        has_several_tests,
        test_one_input,
        initialize,
        leak_functions,
        callbacks,
        hash_keys,
        lowest_stack,
        code,
        has_fixed_address: object.kind() == ObjectKind::Executable,
    })
}

/// Bytes of the jump that replaces the beginning of a callback.
const JUMP_BYTES: u64 = 12;

/// Which callback of the instrumentation this is, if it is one.
fn callback(name: &[u8]) -> Option<usize> {
    let name = name.strip_prefix(b"__sanitizer_cov_trace_").map(|_| name)?;
    COMPARE_CALLBACKS.iter().chain(&OTHER_CALLBACKS).position(|one| one.as_bytes() == name)
}

/// Whether this is what the standard library keeps a thread's seed for `HashMap` in, in either way of mangling:
/// `std::hash::random::RandomState::new::KEYS`.
fn is_hash_seed(name: &[u8]) -> bool {
    let finds = |part: &[u8]| memchr::memmem::find(name, part).is_some();
    finds(b"11RandomState3new4KEYS") && finds(b"VAL")
}

/// The format of executables and libraries on this system. The type that reads all formats would
/// link their readers into every fuzzer, which scans a counter for each of their blocks.
pub(super) type Elf<'d> = object::read::elf::ElfFile64<'d>;

/// Whether each of some texts is in the data or the symbols of an executable.
pub fn mentions(path: &Path, texts: &[&str]) -> bool {
    let Ok(data) = Image::read(path) else { return false };
    let Ok(object) = Elf::parse(&*data) else { return false };
    let sections: Vec<&[u8]> =
        object.sections().filter_map(|section| section.data().ok()).collect();
    texts.iter().all(|text| {
        let finder = memchr::memmem::Finder::new(text);
        sections.iter().any(|section| finder.find(section).is_some())
    })
}

/// Which function an address of an executable is in, and whose that is.
///
/// The table is read when it is first asked, and names are left in the file until one is wanted:
/// an executable has tens of thousands.
pub(crate) struct Functions {
    path: PathBuf,
    readable: fn(&str) -> String,
    table: OnceCell<Option<Table>>,
    known: RefCell<HashMap<u64, bool>>,
}

struct Table {
    file: Image,
    /// Sorted by address.
    functions: Vec<Function>,
}

struct Function {
    start: u64,
    end: u64,
    /// Where in the file the name is.
    name: Range<usize>,
}

impl Functions {
    pub(crate) fn of(path: &Path) -> Self {
        Functions::with_names(path, |name| format!("{:#}", rustc_demangle::demangle(name)))
    }

    /// The same with the linker's names for everything, for a fuzzer: the code that makes them
    /// readable is not linked, as each counter of that code would cost time in each run.
    #[cfg(feature = "mutator")]
    pub(crate) fn with_mangled_names(path: &Path) -> Self {
        Functions::with_names(path, str::to_owned)
    }

    fn with_names(path: &Path, readable: fn(&str) -> String) -> Self {
        Functions {
            path: path.to_owned(),
            readable,
            table: OnceCell::new(),
            known: RefCell::new(HashMap::new()),
        }
    }

    /// Whether the code at `offset` is the user's or a crate's. Code without a name counts as
    /// theirs: it is better to compare a frame too much.
    pub(crate) fn is_own(&self, offset: u64) -> bool {
        *self
            .known
            .borrow_mut()
            .entry(offset)
            .or_insert_with(|| self.name(offset).is_none_or(|name| !is_runtime(&name)))
    }

    /// The readable name of the function at `offset`.
    pub(crate) fn name(&self, offset: u64) -> Option<String> {
        let name = std::str::from_utf8(self.mangled(offset).next()?).ok()?;
        Some((self.readable)(name))
    }

    /// The names of the function at `offset` as the linker knows them: several, where functions
    /// were folded into one.
    pub(crate) fn mangled(&self, offset: u64) -> impl Iterator<Item = &[u8]> {
        let table = self.table.get_or_init(|| Table::read(&self.path)).as_ref();
        table.into_iter().flat_map(move |table| {
            let after = table.functions.partition_point(|function| function.start <= offset);
            let last = table.functions[..after].last().filter(|found| offset < found.end);
            let start = last.map(|last| last.start);
            let all = table.functions[..after].iter().rev();
            all.take_while(move |function| Some(function.start) == start)
                .map(|function| &table.file[function.name.clone()])
        })
    }
}

impl Table {
    fn read(path: &Path) -> Option<Self> {
        let file = Image::read(path).ok()?;
        let object = Elf::parse(&*file).ok()?;
        let begin = file.as_ptr() as usize;
        let mut functions: Vec<Function> = object
            .symbols()
            .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition())
            .filter_map(|symbol| {
                let name = symbol.name_bytes().ok()?;
                let at = name.as_ptr() as usize - begin;
                Some(Function {
                    start: symbol.address(),
                    end: symbol.address().saturating_add(symbol.size().max(1)),
                    name: at..at + name.len(),
                })
            })
            .collect();
        // Functions that were folded into one share an address: the order in the file decides.
        functions.sort_unstable_by_key(|function| (function.start, function.name.start));
        Some(Table { file, functions })
    }
}

/// Whether a function belongs to the language's, the sanitizer's or the fuzzer's runtime.
pub(crate) fn is_runtime(name: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "std::",
        "core::",
        "alloc::",
        "rust_",
        "__rust",
        "__rustc",
        "_Unwind",
        "__asan",
        "__ubsan",
        "__lsan",
        "__msan",
        "__tsan",
        "__sanitizer",
        "__interceptor",
        "___interceptor",
        "__interception",
        "fuzzer::",
        "LLVMFuzzerRunDriver",
        "LLVMFuzzerMutate",
        "libfuzzer_sys::",
        "seedsmith::",
        "_start",
        "__libc",
        "compiler_builtins::",
        "__cxa",
        "gsignal",
        "raise",
        "abort",
    ];
    // The functions of the C library that a sanitizer replaces, and C++'s `new`, `delete`.
    const NAMES: &[&str] = &[
        "malloc", "calloc", "realloc", "free", "memcpy", "memmove", "memset", "memcmp", "strlen",
        "strcmp", "strcpy",
    ];
    const ALLOCATION: &[&str] =
        &["_Znw", "_Zna", "_Zdl", "_Zda", "operator new", "operator delete"];
    // `<core::iter::Map<…> as Iterator>::fold` belongs to core as well.
    let name = name.trim_start_matches('<').trim_start_matches('&').trim_start_matches("mut ");
    NAMES.contains(&name)
        || PREFIXES.iter().chain(ALLOCATION).any(|prefix| name.starts_with(prefix))
}
