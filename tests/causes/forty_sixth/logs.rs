//! Causes in texts without a grammar: messages of a system log, regions of a genome, and calls of a program.

use crate::draws::{above, around, chance, extras};
use crate::readers::{is_digits, is_shown, number};
use crate::two_sided::{TwoSided, any, joined, one, shuffled};

/// The priority of each message.
fn priorities(input: &str) -> Option<Vec<u32>> {
    let months =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let messages = input.lines().filter(|line| !line.is_empty()).map(|line| {
        let (priority, rest) = line.strip_prefix('<')?.split_once('>')?;
        let words: Vec<&str> = rest.split_whitespace().collect();
        let [month, day, time, host, tag, _, ..] = words[..] else { return None };
        let is_tag = tag.ends_with(':') && !host.is_empty() && is_shown(rest);
        let times: Vec<&str> = time.split(':').collect();
        let is_time =
            times.len() == 3 && times.iter().all(|part| part.len() == 2 && is_digits(part));
        (is_tag && is_time && is_digits(day) && months.contains(&month)).then_some(())?;
        number(priority).filter(|priority| *priority < 192)
    });
    messages.collect()
}

/// The start and the end of each region.
fn regions(input: &str) -> Option<Vec<(u32, u32)>> {
    let is_head =
        |line: &str| ["#", "track ", "browser "].iter().any(|head| line.starts_with(head));
    let lines = input.lines().filter(|line| !line.trim().is_empty() && !is_head(line));
    let found = lines.map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [name, start, end, ref rest @ ..] = cells[..] else { return None };
        let is_place =
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let are_shown = rest.iter().all(|cell| !cell.is_empty() && is_shown(cell));
        let is_score = rest.get(1).is_none_or(|score| number(score).is_some());
        let is_strand = rest.get(2).is_none_or(|strand| ["+", "-", "."].contains(strand));
        (is_place && are_shown && is_score && is_strand && rest.len() < 4).then_some(())?;
        number(start).zip(number(end))
    });
    found.collect()
}

/// The name of the error that each call ends with, if it ends with one.
fn errors(input: &str) -> Vec<&str> {
    let ends = input.lines().filter_map(|line| {
        let (call, result) = line.rsplit_once(" = ")?;
        let error = result.strip_prefix("-1 ")?.split(' ').next()?;
        call.trim_end().ends_with(')').then_some(error)
    });
    ends.collect()
}

/// The causes.
pub const LOGS: &[TwoSided] = &[
    TwoSided {
        name: "forty-sixth: plain: syslog: a message with a priority from 120 to 127",
        grammar: "",
        input: r"<30>Oct 11 22:14:15 db-1 systemd[1]: Started nightly job 121.
<86>Oct 11 22:14:16 db-1 sshd[1204]: Accepted key for root port 125
<13>Oct 11 22:14:16 db-1 backup: <122> is no priority here
<128>Oct 11 22:15:01 web-120 nginx[126]: upstream timed out
<123>Oct 11 22:15:02 web-120 cron[412]: (root) CMD (run-parts)
<119>Oct 11 22:15:09 db-1 ftpd[90]: bye
<165>Oct 12 01:00:00 gw kernel: eth0 up
",
        valid: |input| priorities(input).is_some(),
        fails: |input| {
            priorities(input).is_some_and(|all| all.iter().any(|p| (120..128).contains(p)))
        },
        draw: |dice| {
            let count = 1 + dice.below(6);
            joined(dice, count, "", |dice| {
                let priority = around(dice, [120, 127], 20) % 192;
                let host = one(dice, &["db-1", "web-120", "gw"]);
                let tag = one(dice, &["cron[412]", "sshd[1204]", "kernel", "nginx[126]"]);
                let texts = ["eth0 up", "port 125", "<122> is no priority here", "bye"];
                let (day, minute, text) =
                    (10 + dice.below(18), 10 + dice.below(50), one(dice, &texts));
                format!("<{priority}>Oct {day} 22:{minute}:15 {host} {tag}: {text}\n")
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-sixth: plain: bed: a region that starts after its end",
        grammar: "",
        input: concat!(
            "# chr1\t900\t400\nbrowser position chr7:127471196-127495720\n",
            "track name=genes description=\"from 90 to 12\" score=1\n",
            "chr7\t127471196\t127472363\tPos1\t0\t+\nchr7\t127472363\t127472363\tPos2\t12\t+\n",
            "chrX\t412\t98000\tNeg1\t900\t-\nchr7\t127475864\t127474697\tNeg2\t4\t-\n",
            "chr22_alt\t0\t1000\nchr3\t99\t100\ta-9-4\n"
        ),
        valid: |input| regions(input).is_some(),
        fails: |input| regions(input).is_some_and(|all| all.iter().any(|(start, end)| start > end)),
        draw: |dice| {
            let others = [
                "# chr1\t900\t400\n",
                "browser position chr7:900-400\n",
                "track name=genes description=\"from 90 to 12\"\n",
            ];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(5) {
                let end = [400, dice.below(40), dice.below(90_000)][dice.below(3)];
                let start = above(dice, end, 20);
                let place = one(dice, &["chr7", "chrX", "chr22_alt", "chr3"]);
                let rest = ["", "\tPos1", "\tNeg1\t900\t-", "\ta-9-4\t0\t+", "\tPos2\t12"];
                let rest = one(dice, &rest);
                lines.push(format!("{place}\t{start}\t{end}{rest}\n"));
            }
            lines.concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-sixth: plain: strace: a call that ends with EINTR, EAGAIN or EPIPE",
        grammar: "",
        input: r#"execve("/usr/bin/feed", ["feed", "EPIPE"], 0x7ffd) = 0
openat(AT_FDCWD, "/etc/feed.conf", O_RDONLY) = -1 ENOENT (No such file or directory)
openat(AT_FDCWD, "/tmp/EAGAIN", O_RDONLY) = 3
read(3, "retry = -1 EINTR\n", 4096) = 17
close(3) = 0
[pid 412] poll([{fd=4, events=POLLIN}], 1, 500) = 0 (Timeout)
[pid 412] connect(4, {sa_family=AF_INET}, 16) = -1 EINPROGRESS (Operation now in progress)
--- SIGCHLD {si_signo=SIGCHLD, si_pid=90} ---
[pid 413] recvfrom(4, 0x5581, 8192, 0, NULL, NULL) = -1 EAGAIN (Resource temporarily unavailable)
write(2, "EPIPE\n", 6) = 6
<... futex resumed>) = -1 ETIMEDOUT (Connection timed out)
exit_group(1) = ?
+++ exited with 1 +++
"#,
        valid: any,
        fails: |input| {
            let all = errors(input);
            all.iter().any(|error| ["EINTR", "EAGAIN", "EPIPE"].contains(error))
        },
        draw: |dice| {
            let others = [
                "execve(\"/usr/bin/feed\", [\"feed\", \"EPIPE\"], 0x7ffd) = 0\n",
                "read(3, \"retry = -1 EINTR\\n\", 4096) = 17\n",
                "--- SIGCHLD {si_signo=SIGCHLD, si_pid=90} ---\n",
                "exit_group(1) = ?\n",
                "write(2, \"EPIPE\\n\", 6) = 6\n",
            ];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let result = match dice.below(10) {
                    0 => "-1 EINTR (Interrupted system call)",
                    1 => "-1 EAGAIN (Resource temporarily unavailable)",
                    2 => "-1 EPIPE (Broken pipe)",
                    3 => "-1 ENOENT (No such file or directory)",
                    4 => "-1 EINPROGRESS (Operation now in progress)",
                    5 => "-1 ETIMEDOUT (Connection timed out)",
                    6 => "-1 EIO (Input/output error)",
                    7 => "0",
                    8 => "0 (Timeout)",
                    _ => "412",
                };
                let process = one(dice, &["", "", "[pid 412] "]);
                let calls = [
                    "recvfrom(4, 0x5581, 8192, 0, NULL, NULL)",
                    "openat(AT_FDCWD, \"/tmp/EAGAIN\", O_RDONLY)",
                    "poll([{fd=4, events=POLLIN}], 1, 500)",
                    "<... futex resumed>)",
                    "close(3)",
                ];
                let call = one(dice, &calls);
                lines.push(format!("{process}{call} = {result}\n"));
            }
            if chance(dice, 50) {
                lines = shuffled(dice, lines);
            }
            lines.concat()
        },
        patterns: &[],
    },
];
