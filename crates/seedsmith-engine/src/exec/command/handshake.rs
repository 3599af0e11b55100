//! The messages between a driver and its fork server or supervisor, over a pair of sockets.
//!
//! Compiled twice, see [`super::sys`].

/// Name of the variable that makes a program a fork server, see [`ForkServerSetup`].
pub(super) const VARIABLE: &str = "SEEDSMITH_FORK_SERVER";
/// The user's value of `LD_PRELOAD`.
pub(super) const PRELOAD_BEFORE: &str = "SEEDSMITH_PRELOAD_BEFORE";

/// Bytes of a message: its kind, and two numbers.
pub(super) const MESSAGE_BYTES: usize = 12;

/// The kind of a message. Numbers are in the byte order of the machine: both ends are on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(super) enum MessageKind {
    /// The server is about to look at its input for the first time, and can be forked.
    CanFork = 1,
    /// It is about to look at its input, and can't be forked: it continues as an ordinary run.
    CannotFork,
    /// To the server: fork. To the supervisor: start the program, with at most this number of megabytes
    /// of private memory (0: no limit). Three descriptors come along, for the child's 0, 1 and 2.
    Run,
    /// A child is at work, or could not be forked: its number, or one below 0.
    Started,
    /// It has ended, and is kept: `si_code` and `si_status`.
    Ended,
    /// Reap it. The supervisor ends everything that it has left over, too, and says [`MessageKind::Swept`].
    Reap,
    /// To the supervisor: end every process that tests have left over, but not the program itself.
    Sweep,
    /// From the supervisor: nothing is left over.
    Swept,
}

/// Writes a message.
///
/// The two numbers depend on the kind; 0 where it has none.
pub(super) fn message(word: MessageKind, first: i32, second: i32) -> [u8; MESSAGE_BYTES] {
    let mut bytes = [0; MESSAGE_BYTES];
    for (place, number) in bytes.chunks_exact_mut(4).zip([word as i32, first, second]) {
        place.copy_from_slice(&number.to_ne_bytes());
    }
    bytes
}

/// Reads the two numbers of a message, if it says `word`.
///
/// `None` for a message of another kind.
pub(super) fn numbers(bytes: &[u8; MESSAGE_BYTES], word: MessageKind) -> Option<(i32, i32)> {
    let number =
        |at: usize| i32::from_ne_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    (number(0) == word as i32).then(|| (number(4), number(8)))
}

/// The value of the variable, for the program that becomes a fork server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ForkServerSetup<'p> {
    /// The server's end of the sockets.
    pub socket: i32,
    /// The descriptor of the preloaded library.
    pub library: i32,
    /// Whose child the program is, the supervisor's, which fills it in. A child of the program's own
    /// inherits the variable, and leaves it alone.
    pub driver: i32,
    /// The inodes of the pipes that the driver made for descriptors 0, 1 and 2.
    pub pipes: [u64; 3],
    /// Whether the program works in the folder that holds its input, which is a new one for each test.
    pub works_beside_input: bool,
    /// The path under which the program is given its input.
    pub path: &'p [u8],
}

impl<'p> ForkServerSetup<'p> {
    /// As the variable's value.
    ///
    /// Numbers with commas between them; the path comes last, so that it may have commas in it.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let [stdin, stdout, stderr] = self.pipes;
        let numbers = format!(
            "{},{},{},{stdin},{stdout},{stderr},{},",
            self.socket,
            self.library,
            self.driver,
            u8::from(self.works_beside_input)
        );
        [numbers.as_bytes(), self.path].concat()
    }

    /// From the variable's value.
    ///
    /// `None` where anything is missing or no number.
    pub(super) fn of_bytes(bytes: &'p [u8]) -> Option<Self> {
        let mut parts = bytes.splitn(8, |byte| *byte == b',');
        let mut number = || std::str::from_utf8(parts.next()?).ok()?.parse::<u64>().ok();
        let mut small = || number().and_then(|number| i32::try_from(number).ok());
        let (socket, library, driver) = (small()?, small()?, small()?);
        let pipes = [number()?, number()?, number()?];
        let works_beside_input = number()? == 1;
        Some(ForkServerSetup {
            socket,
            library,
            driver,
            pipes,
            works_beside_input,
            path: parts.next()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_errand_is_read_as_it_was_written() {
        let setup = ForkServerSetup {
            socket: 3,
            library: 4,
            driver: 99,
            pipes: [7, 8, 9],
            works_beside_input: true,
            path: b"/tmp/a,b",
        };
        assert_eq!(ForkServerSetup::of_bytes(&setup.to_bytes()), Some(setup));
        assert_eq!(ForkServerSetup::of_bytes(b"3,4,5,6,7,8,1"), None);
        assert_eq!(ForkServerSetup::of_bytes(b"3,x,5,6,7,8,1,/tmp"), None);
    }

    #[test]
    fn a_message_is_read_as_the_word_that_it_is_only() {
        let bytes = message(MessageKind::Ended, 1, -3);
        assert_eq!(numbers(&bytes, MessageKind::Ended), Some((1, -3)));
        assert_eq!(numbers(&bytes, MessageKind::Started), None);
    }
}
