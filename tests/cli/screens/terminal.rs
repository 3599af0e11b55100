//! A terminal for programs under test: a pseudo terminal of some width, and the contents of its
//! screen.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::pty::{Winsize, openpty};
use nix::unistd::Pid;
use std::os::fd::AsFd;

/// A program that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(300);

/// The screen after a program has written to a terminal.
pub struct Screen {
    pub code: Option<i32>,
    /// Every byte, progress too.
    pub raw: String,
    /// The lines on the screen after the program has ended, with those that have scrolled away.
    pub lines: Vec<String>,
    /// Lines that the terminal itself has broken, since they are wider than it.
    pub broken: Vec<String>,
}

/// A program that runs on a terminal.
pub struct Terminal {
    child: Child,
    master: File,
    raw: Vec<u8>,
    deadline: Instant,
}

impl Terminal {
    /// Starts a program on a terminal of that many columns and rows.
    pub fn start((columns, rows): (u16, u16), command: &mut Command) -> Self {
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let ends = openpty(Some(&size), None).unwrap();
        let stream = || Stdio::from(ends.slave.try_clone().unwrap());
        command.stdin(stream()).stdout(stream()).stderr(stream());
        let child = command.spawn().unwrap();
        // A command keeps its streams, which are the terminal's other end.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let deadline = Instant::now() + PATIENCE;
        Terminal { child, master: File::from(ends.master), raw: Vec::new(), deadline }
    }

    /// The process.
    pub fn pid(&self) -> Pid {
        Pid::from_raw(self.child.id().try_into().unwrap())
    }

    /// Types keys.
    pub fn press(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).unwrap();
    }

    /// Reads until the program has written `text`.
    pub fn wait_for(&mut self, text: &str) {
        while !self.written().contains(text) {
            assert!(self.read(), "it ended without {text:?}: {}", self.written());
        }
    }

    fn written(&self) -> String {
        String::from_utf8_lossy(&self.raw).into_owned()
    }

    /// Reads to the end. Returns the exit code and all that was written.
    pub fn finish(mut self) -> (Option<i32>, String) {
        while self.read() {}
        let code = self.child.wait().unwrap().code();
        (code, String::from_utf8(self.raw).unwrap())
    }

    /// Reads what is there, or waits for it. Returns whether there may be more.
    fn read(&mut self) -> bool {
        let mut buffer = [0; 4096];
        loop {
            if Instant::now() > self.deadline {
                self.child.kill().unwrap();
                panic!("it does not end: {}", self.written());
            }
            let wait = PollTimeout::from(1000u16);
            if poll(&mut [PollFd::new(self.master.as_fd(), PollFlags::POLLIN)], wait).unwrap() == 0
            {
                continue;
            }
            return match self.master.read(&mut buffer) {
                Ok(count) if count > 0 => {
                    self.raw.extend_from_slice(&buffer[..count]);
                    true
                }
                // Nobody has the other end any more.
                _ => false,
            };
        }
    }
}

/// Runs a program on a terminal that is `columns` wide.
pub fn on_terminal(columns: u16, command: &mut Command) -> Screen {
    command.env("TERM", "xterm-256color");
    let (code, raw) = Terminal::start((columns, 24), command).finish();
    let (lines, broken) = shown(&raw, usize::from(columns));
    Screen { code, raw, lines, broken }
}

/// The screen of a terminal after `raw`: it reads as much of ECMA-48 as the programs use.
fn shown(raw: &str, columns: usize) -> (Vec<String>, Vec<String>) {
    let mut rows: Vec<Vec<char>> = vec![Vec::new()];
    let mut broken = Vec::new();
    let (mut row, mut column) = (0_usize, 0);
    let mut rest = raw.chars();
    while let Some(c) = rest.next() {
        match c {
            '\r' => column = 0,
            '\n' => row += 1,
            '\x1b' => match rest.next() {
                Some('[') => {
                    let mut number = String::new();
                    let end = loop {
                        match rest.next() {
                            Some(c) if c.is_ascii_digit() || c == ';' || c == '?' => number.push(c),
                            end => break end.expect("a sequence has an end"),
                        }
                    };
                    let count = number.parse().unwrap_or(1).max(1);
                    match (end, number.as_str()) {
                        ('A', _) => row = row.saturating_sub(count),
                        ('B', _) => row += count,
                        ('K', "2") => rows[row].clear(),
                        ('K', _) => rows[row].truncate(column),
                        ('J', _) => rows.truncate(row + 1),
                        ('m' | 'h' | 'l', _) => {}
                        other => panic!("the sequence {other:?} is not known"),
                    }
                }
                Some(']') => while !matches!(rest.next(), Some('\x07' | '\\') | None) {},
                other => panic!("an escape before {other:?}"),
            },
            c => {
                let wide =
                    if ('\u{1100}'..'\u{a4cf}').contains(&c) && c > '\u{2e7f}' { 2 } else { 1 };
                if column + wide > columns {
                    broken.push(rows[row].iter().collect());
                    (row, column) = (row + 1, 0);
                }
                rows.resize(rows.len().max(row + 1), Vec::new());
                let cells = &mut rows[row];
                cells.resize(cells.len().max(column + 1), ' ');
                cells[column] = c;
                column += wide;
            }
        }
        rows.resize(rows.len().max(row + 1), Vec::new());
    }
    let text = |row: &Vec<char>| row.iter().collect::<String>().trim_end().to_owned();
    let mut lines: Vec<String> = rows.iter().map(text).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    (lines, broken)
}

#[test]
fn a_screen_shows_what_is_not_cleared_and_breaks_what_is_too_wide() {
    let raw = "\x1b[1mab\x1b[0mc\r\n50 %\r\x1b[2Kdone\r\n123456\r\n";
    let (lines, broken) = shown(raw, 5);
    assert_eq!(lines, ["abc", "done", "12345", "6"]);
    assert_eq!(broken, ["12345"]);
}
