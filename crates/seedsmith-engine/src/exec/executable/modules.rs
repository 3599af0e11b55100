//! From raw addresses of a worker to module-relative frames.

use std::collections::HashMap;
use std::sync::Arc;

use crate::exec::executable::Functions;
use crate::signature::Frame;

/// One mapped module.
struct Module {
    /// The first address.
    start: u64,
    /// The address after the last one.
    end: u64,
    /// The offset of its addresses: the lowest address at which the file is mapped.
    bias: u64,
    /// The file's name without its folder.
    name: Arc<str>,
    /// Whether it is the program itself, and not a library.
    is_executable: bool,
}

/// The memory map of a zygote, which its workers share.
pub(crate) struct Modules {
    modules: Vec<Module>,
}

impl Modules {
    /// Reads the map of a running process; empty if that can't be read.
    ///
    /// `has_fixed_address` says that the executable is linked to one address (not a PIE), so that
    /// its addresses are those of the debug information.
    pub(crate) fn of(pid: u32, has_fixed_address: bool) -> Self {
        let text = std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default();
        let executable = std::fs::read_link(format!("/proc/{pid}/exe")).unwrap_or_default();
        let mut biases: HashMap<&str, u64> = HashMap::new();
        let mut modules = Vec::new();
        for line in text.lines() {
            // start-end perms offset device inode path
            let mut fields = line.split_ascii_whitespace();
            let (Some(range), Some(_), Some(_)) = (fields.next(), fields.next(), fields.next())
            else {
                continue;
            };
            let Some(path) = line.find('/').map(|at| &line[at..]) else { continue };
            let Some((start, end)) = range.split_once('-') else { continue };
            let (Ok(start), Ok(end)) =
                (u64::from_str_radix(start, 16), u64::from_str_radix(end, 16))
            else {
                continue;
            };
            let is_executable = executable.to_str() == Some(path);
            let lowest = *biases.entry(path).or_insert(start);
            let bias = if is_executable && has_fixed_address { 0 } else { lowest };
            let name = path.rsplit('/').next().unwrap_or(path).into();
            modules.push(Module { start, end, bias, name, is_executable });
        }
        Modules { modules }
    }

    /// Whether nothing is known: every process that runs has modules.
    pub(crate) fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }

    /// The frame of a raw address; `functions` distinguishes the runtime's code from the user's.
    pub(crate) fn frame(&self, address: u64, functions: &Functions) -> Frame {
        match self.modules.iter().find(|module| (module.start..module.end).contains(&address)) {
            Some(module) => {
                let offset = address.wrapping_sub(module.bias);
                let own = module.is_executable && functions.is_own(offset);
                Frame::at(module.name.clone(), offset, own)
            }
            None => Frame::at("?", address, false),
        }
    }

    /// The module-relative frame that a sanitizer's report names.
    pub(crate) fn reported_frame(&self, path: &str, offset: u64, functions: &Functions) -> Frame {
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_executable =
            self.modules.iter().any(|module| module.is_executable && &*module.name == name);
        Frame::at(name, offset, is_executable && functions.is_own(offset))
    }
}
