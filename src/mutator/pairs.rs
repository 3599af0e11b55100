//! Which brackets and quotes of a change have no partner in it.
//!
//! A change that opens something has to close it, and one that erased an end has to give it back;
//! this knows pairs and nothing of where they are.

/// Brackets and quotes of a text that have no partner in it.
pub(super) struct Unbalanced {
    /// What would have to be before the text.
    pub openers: Vec<u8>,
    /// What would have to be after it.
    pub closers: Vec<u8>,
    /// The ones that are there, in order.
    pub kept: Vec<u8>,
}

impl Unbalanced {
    /// Looks at the first `most` bytes of `text`.
    pub(super) fn of(text: &[u8], most: usize) -> Self {
        let mut open: Vec<(usize, u8)> = Vec::new();
        let mut openers = Vec::new();
        let mut alone: Vec<(usize, u8)> = Vec::new();
        let mut quote: Option<usize> = None;
        for (index, byte) in text.iter().copied().enumerate().take(most) {
            if byte == b'"' {
                quote = if quote.is_some() { None } else { Some(index) };
                continue;
            }
            if quote.is_some() {
                continue;
            }
            match byte {
                b'(' | b'[' | b'{' | b'<' => open.push((index, byte)),
                b')' | b']' | b'}' | b'>' => match open.pop() {
                    Some((_, opener)) if closer_of(opener) == byte => {}
                    Some(other) => {
                        open.push(other);
                        alone.push((index, byte));
                    }
                    None => {
                        openers.insert(0, opener_of(byte));
                        alone.push((index, byte));
                    }
                },
                _ => {}
            }
        }
        let mut closers: Vec<u8> = Vec::new();
        if let Some(index) = quote {
            closers.push(b'"');
            alone.push((index, b'"'));
        }
        closers.extend(open.iter().rev().map(|(_, opener)| closer_of(*opener)));
        alone.extend(open);
        alone.sort_unstable();
        Unbalanced { openers, closers, kept: alone.into_iter().map(|(_, byte)| byte).collect() }
    }
}

/// The closing byte of an opening one.
fn closer_of(opener: u8) -> u8 {
    match opener {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        _ => b'>',
    }
}

/// The opening byte of a closing one.
fn opener_of(closer: u8) -> u8 {
    match closer {
        b')' => b'(',
        b']' => b'[',
        b'}' => b'{',
        _ => b'<',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_partner_is_left_out() {
        let of = |text: &str| {
            let found = Unbalanced::of(text.as_bytes(), usize::MAX);
            [found.openers, found.closers, found.kept].map(|one| String::from_utf8(one).unwrap())
        };
        assert_eq!(of("a(b)c"), ["", "", ""]);
        assert_eq!(of("([{"), ["", "}])", "([{"]);
        assert_eq!(of(")]"), ["[(", "", ")]"]);
        assert_eq!(of("[\"(\""), ["", "]", "["]);
        assert_eq!(of("\"[a"), ["", "\"", "\""]);
    }
}
