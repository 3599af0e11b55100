//! The function that `benches/overhead.rs` measures: a strict reader of JSON, built apart from the
//! rest so that it alone has the coverage that cargo-fuzz gives to a fuzz target.
//!
//! The callbacks of that coverage belong to libFuzzer; here they are empty.

/// Whether the bytes are one JSON value; -1 if not.
#[unsafe(no_mangle)]
extern "C" fn instrumented(data: *const u8, size: usize) -> i32 {
    // SAFETY: the caller gives a pointer and the number of bytes it points to.
    let mut reader = Reader { rest: unsafe { std::slice::from_raw_parts(data, size) } };
    let is_read = reader.value(0) && reader.rest.is_empty();
    if is_read { 0 } else { -1 }
}

struct Reader<'t> {
    rest: &'t [u8],
}

impl Reader<'_> {
    fn takes(&mut self, text: &[u8]) -> bool {
        let is_there = self.rest.starts_with(text);
        if is_there {
            self.rest = &self.rest[text.len()..];
        }
        is_there
    }

    fn value(&mut self, depth: usize) -> bool {
        match self.rest.first() {
            Some(b'{') => depth < 100 && self.list(b"{", b"}", depth, true),
            Some(b'[') => depth < 100 && self.list(b"[", b"]", depth, false),
            Some(b'"') => self.string(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.takes(b"true") || self.takes(b"false") || self.takes(b"null"),
        }
    }

    fn list(&mut self, open: &[u8], close: &[u8], depth: usize, is_named: bool) -> bool {
        self.takes(open);
        if self.takes(close) {
            return true;
        }
        loop {
            if is_named && !(self.string() && self.takes(b":")) || !self.value(depth + 1) {
                return false;
            }
            if self.takes(close) {
                return true;
            }
            if !self.takes(b",") {
                return false;
            }
        }
    }

    fn string(&mut self) -> bool {
        if !self.takes(b"\"") {
            return false;
        }
        while let Some((first, rest)) = self.rest.split_first() {
            self.rest = rest;
            match first {
                b'"' => return true,
                b'\\' => self.rest = rest.get(1..).unwrap_or_default(),
                0..=31 => return false,
                _ => {}
            }
        }
        false
    }

    fn number(&mut self) -> bool {
        self.takes(b"-");
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.rest = &self.rest[digits..];
        digits > 0
    }
}

macro_rules! empty_callbacks {
    ($($name:ident)*) => {
        $(
            #[unsafe(no_mangle)]
            extern "C" fn $name() {}
        )*
    };
}

empty_callbacks! {
    __sanitizer_cov_8bit_counters_init
    __sanitizer_cov_pcs_init
    __sanitizer_cov_trace_cmp1
    __sanitizer_cov_trace_cmp2
    __sanitizer_cov_trace_cmp4
    __sanitizer_cov_trace_cmp8
    __sanitizer_cov_trace_const_cmp1
    __sanitizer_cov_trace_const_cmp2
    __sanitizer_cov_trace_const_cmp4
    __sanitizer_cov_trace_const_cmp8
    __sanitizer_cov_trace_switch
    __sanitizer_cov_trace_pc_indir
}
