//! The bytes that a target gets.
//!
//! Compiled twice, see [`super::sys`].

use std::ffi::{c_int, c_void};

use super::sys;

/// A candidate in an allocation that ends with it, so that a sanitizer sees reads past its end.
pub(crate) struct Copy {
    block: *mut u8,
    begin: usize,
    length: usize,
}

impl Copy {
    /// The `length` bytes at `candidate`; `None` if there is no room.
    ///
    /// Code that searches memory with wide registers, such as `memchr`, takes another path by where a candidate begins, and
    /// that depends on what was freed before. So a candidate whose coverage is read begins where `place` says: at a
    /// multiple of the first number of bytes, and the second number after it.
    ///
    /// # Safety
    /// The bytes are readable, and no one writes to them meanwhile.
    pub(crate) unsafe fn of(
        candidate: *const u8,
        length: usize,
        place: Option<(usize, usize)>,
    ) -> Option<Self> {
        unsafe extern "C" {
            fn posix_memalign(place: *mut *mut c_void, alignment: usize, length: usize) -> c_int;
        }
        let mut block = std::ptr::null_mut();
        let begin = place.map_or(0, |(_, begin)| begin);
        // SAFETY: plain calls of the C library, for which `block` takes the address; the block has room for all.
        unsafe {
            match place {
                None => block = sys::malloc(length),
                Some((alignment, _)) => {
                    let bytes = (begin + length).max(1);
                    if posix_memalign(&mut block, alignment, bytes) != 0 {
                        return None;
                    }
                }
            }
            let block = block.cast::<u8>();
            if block.is_null() {
                return None;
            }
            std::ptr::copy_nonoverlapping(candidate, block.add(begin), length);
            Some(Copy { block, begin, length })
        }
    }

    /// The candidate.
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: by `of`, for as long as this value exists.
        unsafe { std::slice::from_raw_parts(self.block.add(self.begin), self.length) }
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        // SAFETY: the allocation is this value's.
        unsafe { sys::free(self.block.cast::<c_void>()) };
    }
}
