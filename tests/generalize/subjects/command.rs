//! Two command lines, in the manner of `find` and `grep`.

use super::{Failure, Said};

/// More than `find` takes: any word can be any argument.
pub const FIND: &str = "grammar Find; command: 'find' path test* EOF; path: '.' | WORD;
    test: '-mtime' argument | '-ctime' argument | '-newer' argument | '-neweraa' argument
        | '-newermt' argument | '-newerca' argument | '-gid' argument? | '-name' argument
        | '-type' argument | '-empty' | '-not' test;
    argument: NUMBER | WORD; NUMBER: [+-]? [0-9]+; WORD: [a-z]+; WS: ' '+ -> skip;";

/// More than `grep` takes: any option beside any other, any file.
pub const GREP: &str = "grammar Grep; command: 'grep' option* '\\'' choice '\\'' file* EOF;
    option: '-E' | '-i' | '-c' | '--include=' file | '--exclude=' file | '--max-count=' NUMBER;
    choice: sequence ('|' sequence)*; sequence: part+; part: atom REPEAT?;
    atom: NAME | '.' | '^' | '$' | '(' choice ')';
    file: NAME; REPEAT: [*+?]; NAME: [a-z]+; NUMBER: [0-9]+; WS: ' '+ -> skip;";

/// The program's verdict on a command line.
pub fn says(text: &str) -> Said {
    let rest = text.trim_start();
    let failures = match (rest.strip_prefix("find"), rest.strip_prefix("grep")) {
        (Some(arguments), _) => find(arguments),
        (_, Some(arguments)) => grep(arguments),
        _ => None,
    };
    failures.map_or(Said::Rejected, Said::Taken)
}

fn find(arguments: &str) -> Option<Vec<Failure>> {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let (path, mut tests) = words.split_first()?;
    if path.starts_with('-') {
        return None;
    }
    let mut failures = Vec::new();
    while let Some((test, rest)) = tests.split_first() {
        tests = rest;
        if ["-empty", "-not"].contains(test) {
            if *test == "-not" && tests.is_empty() {
                return None;
            }
            continue;
        }
        let (argument, rest) = tests.split_first()?;
        if *test == "-gid" && argument.starts_with('-') && argument.len() > 1 {
            let is_option = argument.as_bytes()[1].is_ascii_lowercase();
            failures.extend(is_option.then_some(Failure::GroupWithoutNumber));
            if is_option {
                continue;
            }
        }
        tests = rest;
        let digits = argument.trim_start_matches(['+', '-']);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        match *test {
            "-mtime" | "-ctime" | "-gid" if !is_number => return None,
            "-mtime" if digits == *argument => failures.push(Failure::DaysWithoutSign),
            "-mtime" | "-ctime" | "-gid" | "-name" => {}
            "-type" if !["f", "d", "l"].contains(argument) => return None,
            "-type" => {}
            "-newer" | "-newermt" | "-neweraa" | "-newerca" if is_number => return None,
            "-neweraa" | "-newerca" => failures.push(Failure::NewerAccess),
            "-newer" | "-newermt" => {}
            _ => return None,
        }
    }
    Some(failures)
}

fn grep(arguments: &str) -> Option<Vec<Failure>> {
    let (options, rest) = arguments.split_once('\'')?;
    let (pattern, files) = rest.split_once('\'')?;
    let files: Vec<&str> = files.split_whitespace().collect();
    let mut failures = Vec::new();
    let mut is_extended = false;
    let options = options.replace("= ", "=");
    for option in options.split_whitespace() {
        match option.split_once('=') {
            None if option == "-E" => is_extended = true,
            None if ["-i", "-c"].contains(&option) => {}
            Some(("--include", name)) if files.contains(&name) => {
                failures.push(Failure::IncludedFile);
            }
            Some(("--include" | "--exclude", name)) if !name.is_empty() => {}
            Some(("--max-count", number)) if number.parse::<u32>().is_ok() => {}
            _ => return None,
        }
    }
    if files.is_empty() || pattern.trim().is_empty() {
        return None;
    }
    // A repetition of nothing is invalid in an extended pattern; groups have to be whole.
    let mut open: Vec<bool> = Vec::new();
    let marks: Vec<char> = pattern.chars().filter(|c| *c != ' ').collect();
    for (at, mark) in marks.iter().enumerate() {
        let next = marks.get(at + 1).copied();
        let is_repeated = next.is_some_and(|next| "*+?".contains(next));
        match mark {
            '^' | '$' if is_extended && is_repeated => return None,
            '^' | '$' => open.iter_mut().for_each(|has_anchor| *has_anchor = true),
            '(' => open.push(false),
            ')' => {
                let has_anchor = open.pop()?;
                let is_bad = is_extended && has_anchor && next == Some('*');
                failures.extend(is_bad.then_some(Failure::AnchorInStar));
            }
            _ => {}
        }
    }
    open.is_empty().then_some(failures)
}
