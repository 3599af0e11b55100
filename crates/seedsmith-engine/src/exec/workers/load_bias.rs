//! Where this process has loaded its executable, and where the calling thread's data of it is. Part of the runtime that is preloaded, so that it
//! depends on nothing but `std`.

#![allow(missing_docs, reason = "names and meanings are the C library's")]

use std::ffi::{c_char, c_int, c_void};

/// `struct dl_phdr_info`.
#[repr(C)]
pub struct ModuleInfo {
    pub base: u64,
    pub name: *const c_char,
    pub headers: *const u8,
    pub header_count: u16,
    pub added: u64,
    pub removed: u64,
    pub thread_module: usize,
    pub thread_block: *mut u8,
}

unsafe extern "C" {
    fn dl_iterate_phdr(
        callback: unsafe extern "C" fn(*mut ModuleInfo, usize, *mut c_void) -> c_int,
        data: *mut c_void,
    ) -> c_int;
}

/// Where the executable was loaded, minus where it was linked to be.
pub fn load_bias() -> u64 {
    unsafe extern "C" fn first(info: *mut ModuleInfo, _size: usize, bias: *mut c_void) -> c_int {
        // SAFETY: the loader passes a valid record, and `load_bias` its own variable. The
        // executable comes first.
        unsafe { *bias.cast::<u64>() = (*info).base };
        1
    }
    let mut bias = 0u64;
    // SAFETY: the callback matches the loader's type, and `bias` outlives the call.
    unsafe { dl_iterate_phdr(first, std::ptr::from_mut(&mut bias).cast()) };
    bias
}

/// Where the executable's thread-local data of this thread is; null where it has none.
pub fn thread_block() -> *mut u8 {
    unsafe extern "C" fn first(info: *mut ModuleInfo, size: usize, block: *mut c_void) -> c_int {
        if size >= size_of::<ModuleInfo>() {
            // SAFETY: the loader passes a valid record of this size, and `thread_block` its own variable. The
            // executable comes first.
            unsafe { *block.cast::<*mut u8>() = (*info).thread_block };
        }
        1
    }
    let mut block = std::ptr::null_mut::<u8>();
    // SAFETY: the callback matches the loader's type, and `block` outlives the call.
    unsafe { dl_iterate_phdr(first, (&raw mut block).cast()) };
    block
}
