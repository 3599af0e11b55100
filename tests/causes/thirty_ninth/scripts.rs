//! Causes in texts without a grammar: jobs of a cluster, rules for who may run what, rules of a firewall,
//! and a script that plots data.

use seedsmith_grammar::Random;

use crate::draws::{are_uneven, chance, counted, extras, has_twins, lengths, picked, statements};
use crate::readers::{is_name, is_shown, number};
use crate::thirty_fourth::is_variable;
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// How many tasks (NumTasks) each job of a cluster has, and how many nodes (NodeList).
fn jobs(input: &str) -> Option<Vec<(u32, usize)>> {
    let jobs = statements(input, "#").map(|line| {
        let (mut keys, mut tasks, mut nodes) = (Vec::new(), None, None);
        for pair in line.split_whitespace() {
            let (key, value) = pair.split_once('=')?;
            keys.push(Some(key).filter(|key| is_variable(key) && is_shown(value))?);
            match key {
                "JobId" => number(value).map(|_| ())?,
                "NumTasks" => tasks = Some(number(value)?),
                "NodeList" => {
                    let all: Vec<&str> = value.split(',').filter(|_| !value.is_empty()).collect();
                    nodes = Some(all.len()).filter(|_| all.iter().all(|node| is_name(node)));
                }
                _ => {}
            }
        }
        let is_right = keys.first() == Some(&"JobId") && !has_twins(&keys);
        is_right.then_some((tasks?, nodes?))
    });
    jobs.collect()
}

/// Whether a text is a name of an alias.
fn is_alias(text: &str) -> bool {
    is_variable(text) && text.chars().all(|c| !c.is_ascii_lowercase())
}

/// The commands that each rule lets someone run.
fn allowed(input: &str) -> Option<Vec<Vec<String>>> {
    let (text, mut found) = (input.replace("\\\n", " "), Vec::new());
    for line in statements(&text, "#") {
        let (first, rest) = line.split_once(' ').filter(|_| is_shown(line))?;
        if first == "Defaults" {
            continue;
        }
        let (middle, list) = rest.split_once('=')?;
        let list = list.trim();
        if first.ends_with("_Alias") {
            (is_alias(middle.trim()) && !list.is_empty()).then_some(())?;
            continue;
        }
        let user = first.strip_prefix('%').unwrap_or(first);
        let host = middle.trim();
        let are_right = [user, host].iter().all(|name| is_name(name) || is_alias(name));
        let list = match list.strip_prefix('(') {
            Some(rest) => rest.split_once(')')?.1.trim_start(),
            None => list,
        };
        let list = list.strip_prefix("NOPASSWD:").unwrap_or(list);
        let commands = list.split(',').map(|command| {
            let words: Vec<&str> = command.split_whitespace().collect();
            let command = words.join(" ");
            (command.starts_with('/') || is_alias(&command)).then_some(command)
        });
        found.push(commands.collect::<Option<Vec<String>>>().filter(|_| are_right)?);
    }
    Some(found)
}

/// Where the rules of a firewall jump to (-j), those that jump.
fn targets(input: &str) -> Option<Vec<String>> {
    let (mut found, mut is_inside) = (Vec::new(), false);
    let is_chain = |name: &str| name.starts_with(|c: char| c.is_ascii_alphabetic());
    for line in statements(input, "#") {
        is_shown(line).then_some(())?;
        if let Some(table) = line.strip_prefix('*') {
            is_inside = (is_name(table) && !is_inside).then_some(true)?;
        } else if line == "COMMIT" {
            is_inside = is_inside.then_some(false)?;
        } else if let Some(chain) = line.strip_prefix(':') {
            let words: Vec<&str> = chain.split_whitespace().collect();
            let [name, policy, count] = words[..] else { return None };
            let is_policy = ["ACCEPT", "DROP", "-"].contains(&policy);
            (is_chain(name) && is_policy && count.starts_with('[') && is_inside).then_some(())?;
        } else {
            let all = tokens(line, "-_./:,")?;
            let ["-A", chain, rest @ ..] = &all[..] else { return None };
            (is_chain(chain) && is_inside).then_some(())?;
            let (mut rest, mut target) = (rest, None);
            while !rest.is_empty() {
                rest = match rest {
                    ["!", after @ ..] if after.first() != Some(&"!") => after,
                    ["-j", name, after @ ..] if target.is_none() && is_chain(name) => {
                        target = Some(name.to_string());
                        after
                    }
                    [key, value, after @ ..] if key.starts_with('-') && *key != "-j" => {
                        let is_value = value.starts_with(|c: char| c.is_ascii_alphanumeric());
                        (is_value || is_text(value)).then_some(after)?
                    }
                    _ => return None,
                };
            }
            found.extend(target);
        }
    }
    (!is_inside).then_some(found)
}

/// How many columns the rows of each block of data have. A remark may come after them.
fn data_blocks(input: &str) -> Option<Vec<Vec<usize>>> {
    let (mut lines, mut found) = (statements(input, "#"), Vec::new());
    while let Some(line) = lines.next() {
        is_shown(line).then_some(())?;
        if let Some(rest) = line.strip_prefix('$') {
            let (name, end) = rest.split_once(" << ")?;
            (is_variable(name) && is_variable(end)).then_some(())?;
            let mut rows = Vec::new();
            loop {
                let row = lines.next().filter(|row| is_shown(row))?;
                if row == end {
                    break;
                }
                let (cells, _) = row.split_once('#').unwrap_or((row, ""));
                rows.push(cells.split_whitespace().count());
            }
            found.push(rows);
        } else {
            let command = line.split(' ').next()?;
            ["set", "unset", "plot", "replot", "print", "pause"].contains(&command).then_some(())?;
        }
    }
    Some(found)
}

/// The causes.
pub const SCRIPTS: &[TwoSided] = &[
    TwoSided {
        name: concat!(
            "thirty-ninth: plain: cluster: a job with exactly as many nodes (NodeList) as tasks ",
            "(NumTasks)"
        ),
        grammar: "",
        input: concat!(
            "# JobId=1 NumTasks=2 NodeList=a,b\nJobId=410 JobName=owl NumTasks=4 NodeList=oak,elm,fir State=RUNNING\n",
            "JobId=411 ReqNodes=2 NumTasks=2 NodeList= JobName=nest ExcNodes=oak,elm\n\n",
            "JobId=3 NodeList=ash,yew-2,elm NumCPUs=12 NumTasks=3 State=RUNNING\n",
            "JobId=412 NumTasks=1 NumCPUs=2 NodeList=oak,fir\n"
        ),
        valid: |input| jobs(input).is_some(),
        fails: |input| {
            let all = jobs(input).unwrap_or_default();
            all.iter().any(|(tasks, count)| *tasks as usize == *count)
        },
        draw: |dice| {
            let mut lines = extras(dice, &["# JobId=1 NumTasks=2 NodeList=a,b\n"]);
            for _ in 0..1 + dice.below(4) {
                let mut nodes = picked(dice, &["oak", "elm", "fir", "ash", "yew-2"], 5, 0);
                if chance(dice, 10) {
                    nodes.clear();
                }
                let tasks = counted(dice, nodes.len(), 24);
                let others =
                    ["JobName=owl", "State=RUNNING", "ReqNodes=2", "ExcNodes=oak,elm", "NumCPUs=3"];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("NumTasks={tasks}"));
                pairs.push(format!("NodeList={}", nodes.join(",")));
                let pairs = shuffled(dice, pairs).join(" ");
                lines.push(format!("JobId={} {pairs}\n", 1 + dice.below(500)));
            }
            lines.join(one(dice, &["", "", "\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-ninth: plain: sudoers: a rule with the same command twice",
        grammar: "",
        input: concat!(
            "# ada ALL = /bin/ls, /bin/ls\nDefaults env_reset, env_reset\n",
            "Cmnd_Alias FILES = /bin/ls, /bin/cat, /bin/ls\nada ALL = (root) /bin/ls, /bin/cat\n",
            "%owls oak = (ALL) ALL\nbo ALL = (root) NOPASSWD: /bin/cat, FILES, \\\n",
            "    /sbin/reboot -f, /sbin/reboot, /bin/cat\nOWLS elm = /bin/ls -l, /bin/ls\n"
        ),
        valid: |input| allowed(input).is_some(),
        fails: |input| allowed(input).is_some_and(|all| all.iter().any(|one| has_twins(one))),
        draw: |dice| {
            let others = [
                "# ada ALL = /bin/ls, /bin/ls\n",
                "Defaults env_reset, env_reset\n",
                "Cmnd_Alias FILES = /bin/ls, /bin/cat, /bin/ls\n",
                "User_Alias OWLS = ada, bo, ada\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let known = [
                    "/bin/ls",
                    "/bin/ls -l",
                    "/bin/cat",
                    "/usr/bin/cat",
                    "FILES",
                    "/sbin/reboot",
                    "/sbin/reboot -f",
                ];
                let commands = picked(dice, &known, 5, 28);
                let commands = commands.join(one(dice, &[", ", ", ", ", \\\n    "]));
                let user = one(dice, &["ada", "bo", "%owls", "OWLS"]);
                let host = one(dice, &["ALL", "oak", "elm"]);
                let before = one(dice, &["", "(root) ", "(ALL) NOPASSWD: "]);
                parts.push(format!("{user} {host} = {before}{commands}\n"));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-ninth: plain: iptables: a rule that jumps (-j) to REJECT, MARK or QUEUE",
        grammar: "",
        input: concat!(
            "# -A INPUT -j REJECT\n*filter\n:INPUT DROP [4:120]\n:QUEUE-2 - [0:0]\n",
            "-A INPUT -p tcp --dport 22 -j ACCEPT\n-A INPUT ! -s 10.0.0.4 -g MARK\n",
            "-A QUEUE-2 -p udp -m comment --comment \"-j REJECT\" -j DROP\n",
            "-A INPUT -j QUEUE-2 -i eth0\n-A QUEUE-2 -d 10.0.0.0/8 -j REJECT --reject-with tcp-reset\n",
            "-A MARK -m limit\nCOMMIT\n"
        ),
        valid: |input| targets(input).is_some(),
        fails: |input| {
            let all = targets(input).unwrap_or_default();
            all.iter().any(|target| ["REJECT", "MARK", "QUEUE"].contains(&&target[..]))
        },
        draw: |dice| {
            let start = one(dice, &["", "# -A INPUT -j REJECT\n"]);
            let chains = extras(dice, &[":INPUT DROP [4:120]\n", ":QUEUE-2 - [0:0]\n"]).concat();
            let mut rules = String::new();
            for _ in 0..1 + dice.below(4) {
                let others = [
                    "-p tcp",
                    "--dport 22",
                    "! -s 10.0.0.4",
                    "-i eth0",
                    "--comment \"-j REJECT\"",
                    "--set MARK",
                ];
                let mut options = extras(dice, &others);
                let target = match chance(dice, 26) {
                    true => one(dice, &["REJECT", "MARK", "QUEUE"]),
                    false => one(dice, &["ACCEPT", "DROP", "QUEUE-2", "NFQUEUE", "LOG", "MARKED"]),
                };
                options.push(match chance(dice, 88) {
                    true => format!("-j {target}"),
                    false => format!("-g {}", one(dice, &["MARK", "QUEUE", "REJECT"])),
                });
                let chain = one(dice, &["INPUT", "QUEUE-2", "MARK"]);
                rules += &format!("-A {chain} {}\n", shuffled(dice, options).join(" "));
            }
            format!("{start}*filter\n{chains}{rules}COMMIT\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-ninth: plain: gnuplot: a block of data whose rows do not all have the same ",
            "number of columns"
        ),
        grammar: "",
        input: concat!(
            "set title \"1 2 3\"\n# $old << EOD\n$rain << EOD\n1 12.5 wet\n2 0 -\nEOD\n",
            "set xrange [1:4]\n$wind << END\n# day knots from\n1 4 N\n2 7 NW\n\n3 12 # gusts\n4 9 W late\nEND\n",
            "plot $rain using 1:2 with lines, $wind\n$none << EOD\nEOD\npause 4\n"
        ),
        valid: |input| data_blocks(input).is_some(),
        fails: |input| {
            data_blocks(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows)))
        },
        draw: |dice| {
            let cell = |dice: &mut Random| {
                let known = ["1", "12.5", "wet", "-", "40", "N"];
                one(dice, &known).to_owned()
            };
            let others = [
                "set title \"1 2 3\"\n",
                "# $old << EOD\n",
                "set xrange [1:4]\n",
                "plot $rain using 1:2 with lines, $wind\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let mut rows = Vec::new();
                for length in lengths(dice, 1, 38) {
                    let end = one(dice, &["", "", "", " # gusts"]);
                    rows.push(joined(dice, length, " ", cell) + end + "\n");
                }
                if chance(dice, 40) {
                    rows.insert(1, one(dice, &["\n", "# day knots from\n"]).to_owned());
                }
                let name = one(dice, &["rain", "wind", "none"]);
                let end = one(dice, &["EOD", "END"]);
                parts.push(format!("${name} << {end}\n{}{end}\n", rows.concat()));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
];
