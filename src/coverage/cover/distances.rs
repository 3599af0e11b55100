//! Ascending numbers in about a byte each.
//!
//! A list that grows at its end while others do is [`Distances`]; lists that are made once, one after the other, are [`Lists`],
//! without an allocation for each.

/// Instead of a distance: the next four bytes are the distance.
const IS_LONG: u8 = u8::MAX;

/// The bytes of a long distance.
const CODE_BYTES: usize = 1 + size_of::<u32>();

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
        let (code, length) = coded(number - self.next);
        // Nearly all take a byte, and to append a slice is a call.
        match length {
            1 => self.bytes.push(code[0]),
            _ => self.bytes.extend(&code[..length]),
        }
        self.next = number + 1;
    }

    /// The numbers in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        read(&self.bytes)
    }
}

/// The bytes of a distance, and how many they are.
fn coded(distance: u32) -> ([u8; CODE_BYTES], usize) {
    let mut code = [IS_LONG; CODE_BYTES];
    match u8::try_from(distance) {
        Ok(short) if short != IS_LONG => {
            code[0] = short;
            (code, 1)
        }
        _ => {
            code[1..].copy_from_slice(&distance.to_le_bytes());
            (code, CODE_BYTES)
        }
    }
}

/// The numbers that were written, in ascending order.
fn read(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    let mut bytes = bytes.iter();
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

/// Lists of ascending numbers, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    /// The list that grows is at the end.
    written: Distances,
    /// Where each list ends.
    ends: Vec<usize>,
}

impl Lists {
    /// Appends a number to the list that grows: larger than its last one.
    pub(super) fn push(&mut self, number: u32) {
        self.written.push(number);
    }

    /// Ends the list that grows, and begins another one.
    pub(super) fn end(&mut self) {
        self.ends.push(self.written.bytes.len());
        self.written.next = 0;
    }

    /// Appends empty lists. Not while a list grows.
    pub(super) fn end_all(&mut self, count: usize) {
        self.ends.resize(self.ends.len() + count, self.written.bytes.len());
    }

    /// Appends the lists of `others`.
    pub(super) fn append(&mut self, others: &Lists) {
        let begin = self.written.bytes.len();
        self.written.bytes.extend(&others.written.bytes);
        self.ends.extend(others.ends.iter().map(|end| begin + end));
    }

    /// The numbers of a list, ascending.
    pub(super) fn get(&self, list: usize) -> impl Iterator<Item = u32> + '_ {
        let begin = list.checked_sub(1).map_or(0, |before| self.ends[before]);
        read(&self.written.bytes[begin..self.ends[list]])
    }

    /// How many lists have ended.
    pub(super) fn count(&self) -> usize {
        self.ends.len()
    }

    /// For each number below `count`, the lists that have it.
    ///
    /// Costs two passes over all lists.
    pub(super) fn holders(&self, count: usize) -> Self {
        let mut next = vec![0; count];
        let mut ends = vec![0; count];
        for list in 0..self.count() {
            for number in self.get(list) {
                let (next, bytes) = (&mut next[number as usize], &mut ends[number as usize]);
                *bytes += coded(list as u32 - *next).1;
                *next = list as u32 + 1;
            }
        }
        // Where each list begins, and with the numbers written, where it ends.
        let mut length = 0;
        for end in &mut ends {
            (*end, length) = (length, length + *end);
        }
        let mut bytes = vec![0; length];
        next.fill(0);
        for list in 0..self.count() {
            for number in self.get(list) {
                let (next, end) = (&mut next[number as usize], &mut ends[number as usize]);
                let (code, length) = coded(list as u32 - *next);
                bytes[*end..*end + length].copy_from_slice(&code[..length]);
                *end += length;
                *next = list as u32 + 1;
            }
        }
        Lists { written: Distances { bytes, next: 0 }, ends }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_any_size_are_read_as_they_were_written() {
        let list = [0, 1, 255, 510, 511, 767, 70_000, 70_001, 1 << 30];
        let mut distances = Distances::default();
        list.into_iter().for_each(|number| distances.push(number));
        assert_eq!(distances.iter().collect::<Vec<_>>(), list);
    }

    #[test]
    fn lists_in_a_row_are_read_as_they_were_written_and_say_who_has_a_number() {
        // The last number is in lists that are further apart than a byte says.
        let lists: Vec<Vec<u32>> = (0..1200)
            .map(|list| (0..20).filter(|number| list % (number * number + 1) == 0).collect())
            .collect();
        let written = |lists: &[Vec<u32>]| {
            let mut written = Lists::default();
            for list in lists {
                list.iter().for_each(|number| written.push(*number));
                written.end();
            }
            written
        };
        let mut all = written(&lists[..500]);
        all.append(&written(&lists[500..]));
        let read = (0..all.count()).map(|list| all.get(list).collect::<Vec<_>>());
        assert_eq!(read.collect::<Vec<_>>(), lists);
        let holders = all.holders(21);
        for number in 0..21 {
            let having = (0..).zip(&lists).filter(|(_, list)| list.contains(&number));
            let having: Vec<u32> = having.map(|(list, _)| list).collect();
            assert_eq!(holders.get(number as usize).collect::<Vec<_>>(), having);
        }
    }
}
