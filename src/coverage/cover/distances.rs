//! Ascending numbers in about a byte each.

/// Instead of a distance: the next four bytes are the distance.
const IS_LONG: u8 = u8::MAX;

/// Ascending numbers: the distance of each from the one before, less one, in a byte.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Distances {
    bytes: Vec<u8>,
    /// The last number and 1 more.
    next: u32,
}

impl Distances {
    /// No numbers, with room for about as many.
    pub(super) fn with_room(count: usize) -> Self {
        Distances { bytes: Vec::with_capacity(count), next: 0 }
    }

    /// Appends a number that is larger than the last one.
    pub(super) fn push(&mut self, number: u32) {
        let distance = number - self.next;
        match u8::try_from(distance) {
            Ok(short) if short != IS_LONG => self.bytes.push(short),
            _ => {
                self.bytes.push(IS_LONG);
                self.bytes.extend(distance.to_le_bytes());
            }
        }
        self.next = number + 1;
    }

    /// The numbers in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let mut bytes = self.bytes.iter();
        let mut next = 0;
        std::iter::from_fn(move || {
            let distance = match *bytes.next()? {
                IS_LONG => {
                    let long = bytes.as_slice().first_chunk().expect("`push` writes four bytes");
                    bytes.nth(size_of::<u32>() - 1);
                    u32::from_le_bytes(*long)
                }
                short => u32::from(short),
            };
            let number = next + distance;
            next = number + 1;
            Some(number)
        })
    }
}

impl FromIterator<u32> for Distances {
    fn from_iter<I: IntoIterator<Item = u32>>(ascending: I) -> Self {
        let mut list = Distances::default();
        ascending.into_iter().for_each(|number| list.push(number));
        list.bytes.shrink_to_fit();
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_any_size_are_read_as_they_were_written() {
        let list = [0, 1, 255, 510, 511, 767, 70_000, 70_001, 1 << 30];
        assert_eq!(list.into_iter().collect::<Distances>().iter().collect::<Vec<_>>(), list);
    }
}
