//! The files of a kit, and the places where a kit may be written.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use seedsmith_engine::Workplace;
use seedsmith_engine::internal::{Content, Files, FolderFile};
use seedsmith_engine::{Kind, Signature};

use super::file::{KitFile, NAME, SignatureFile, TargetFile, TargetKind, VERSION, WorkplaceFile};
use super::read::{KitError, PATTERN, table};
use crate::generalize::export::{cases, dictionary};
use crate::generalize::file::PatternFile;
use crate::generalize::kit::MAX_ORIGINAL_BYTES;
use crate::regression::{Reach, regression_test};
use crate::session::generalize::Generalization;
use crate::session::saved::pattern::about;
use crate::session::target::{Leaks, OpenTarget, Origin};

/// The parts of a kit that the session's result does not have.
pub struct Parts<'p> {
    /// The original input, and its path.
    pub original: (&'p Path, &'p [u8]),
    /// The target that it fails on.
    pub target: &'p OpenTarget,
    /// How often an input is run before it counts as handled.
    pub runs: u32,
    /// The failure.
    pub signature: &'p Signature,
    /// The failure in words.
    pub failure: String,
    /// The pattern as data.
    pub pattern: &'p PatternFile,
    /// The pattern as a text for people.
    pub text: String,
    /// The condition in words, if there is one.
    pub condition: Option<String>,
    /// The page.
    pub page: String,
    /// How a regression test reaches the target, or why there is none.
    pub reach: Result<&'p Reach, String>,
    /// The command that judges a fix.
    pub judge: &'p str,
}

/// The files of a kit.
pub fn contents(done: &Generalization, parts: &Parts<'_>) -> Files {
    let mut files = Collected::default();
    let (path, original) = parts.original;
    let ending = ending(path);
    let numbered = |folder: &str, at: usize| format!("{folder}/{:02}{ending}", at + 1);
    let minimal = files.add(format!("minimal{ending}"), done.reduced.clone());
    let is_kept = original != done.reduced && original.len() <= MAX_ORIGINAL_BYTES;
    let original = is_kept.then(|| files.add(format!("original{ending}"), original.to_vec()));
    let samples = &done.made.samples;
    let mut add_all = |folder: &str, inputs: &[Vec<u8>]| -> Vec<String> {
        let inputs = inputs.iter().enumerate();
        inputs.map(|(at, input)| files.add(numbered(folder, at), input.clone())).collect()
    };
    let failing = add_all("failing", &samples.failing);
    let passing = add_all("passing", &samples.passing);
    let inputs = files.files.len();

    let mut pattern = parts.pattern.clone();
    if let Some(grammar) = &mut pattern.grammar {
        for source in &mut grammar.source {
            // A file of the user's; a name is of a grammar that comes with the program.
            let path = PathBuf::from(&*source);
            if let Some((name, text)) = path.file_name().zip(fs::read(&path).ok()) {
                *source = files.add(format!("grammar/{}", name.to_string_lossy()), text);
            }
        }
    }
    let json = serde_json::to_string_pretty(&pattern);
    let json = json.expect("the shapes hold nothing that JSON can't");
    files.add_text(PATTERN, &json);
    files.add_text("pattern.txt", &parts.text);
    files.add_text("dictionary", &dictionary(&done.found.pattern));
    files.add_text("index.html", &parts.page);
    let test = match &parts.reach {
        Ok(reach) => {
            let name =
                if matches!(reach, Reach::Rust(_)) { "regression.rs" } else { "regression.sh" };
            let cases = cases(&done.found.pattern, &done.made.examples);
            let test = regression_test(reach, &about(&done.found.pattern), name, &cases);
            for (name, bytes) in test.inputs {
                files.add(name, bytes);
            }
            files.add(name.to_owned(), test.text.into_bytes());
            if test.is_program {
                files.files.last_mut().expect("the test is there").1 = true;
            }
            format!(
                "{name:<16}a regression test: the minimal input, and one for each part of the pattern"
            )
        }
        Err(why) => format!("(no regression test: {why})"),
    };
    files.add_text("README.txt", &readme(done, parts, &test));
    let others: Vec<String> = files.files[inputs..].iter().map(|one| one.0.clone()).collect();
    let table = KitFile {
        seedsmith_kit: VERSION,
        target: target_file(parts.target),
        signature: SignatureFile {
            kind: parts.signature.kind.to_string(),
            place: parts.signature.place.clone(),
            message: parts.signature.message.as_ref().map(|one| one.normalised().to_owned()),
            is_status: parts.signature.kind == Kind::Command,
            stack: done.stack.iter().map(ToString::to_string).collect(),
        },
        runs: parts.runs,
        input_name: path
            .file_name()
            .map_or_else(|| "input".to_owned(), |name| name.to_string_lossy().into_owned()),
        pattern: pattern.pattern.clone(),
        claim: pattern.claim.clone(),
        condition: parts.condition.clone(),
        minimal,
        original,
        failing,
        passing,
        files: others,
    };
    let table = serde_json::to_string_pretty(&table);
    files.add_text(NAME, &table.expect("the shapes hold nothing that JSON can't"));
    files.into_files()
}

/// The files in order, each with whether it is a program.
#[derive(Default)]
struct Collected {
    files: Vec<(String, bool, Vec<u8>)>,
}

impl Collected {
    fn add(&mut self, name: String, bytes: Vec<u8>) -> String {
        self.files.push((name.clone(), false, bytes));
        name
    }

    fn add_text(&mut self, name: &str, text: &str) {
        let text = format!("{}\n", text.trim_end());
        self.add(name.to_owned(), text.into_bytes());
    }

    fn into_files(self) -> Files {
        let file = |(name, is_program, bytes): (String, bool, Vec<u8>)| {
            let mode = if is_program { 0o755 } else { 0o644 };
            FolderFile { path: name.into(), content: Content::Bytes(Arc::from(bytes), mode) }
        };
        let mut files = Files::default();
        files.files = self.files.into_iter().map(file).collect();
        files.files.sort_by(|left, right| left.path.cmp(&right.path));
        files
    }
}

/// The ending of an input's name, which editors know the language by.
fn ending(path: &Path) -> String {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let is_plain = ending.chars().all(|c| c.is_ascii_alphanumeric());
    match ending.len() {
        1..=8 if is_plain => format!(".{ending}"),
        _ => String::new(),
    }
}

fn target_file(target: &OpenTarget) -> TargetFile {
    let words = |argv: &[std::ffi::OsString]| {
        argv.iter().map(|word| word.to_string_lossy().into_owned()).collect()
    };
    let (kind, command, workplace) = match &target.origin {
        Origin::Command { line, .. } => (TargetKind::Command, words(&line.argv), line.workplace),
        Origin::Harness(argv) => (TargetKind::Executable, words(argv), Workplace::Private),
        Origin::Executable(_) => (TargetKind::Executable, Vec::new(), Workplace::Private),
        Origin::FuzzTarget { .. } => (TargetKind::FuzzTarget, Vec::new(), Workplace::Private),
        Origin::Linked(_) | Origin::Unknown(_) => {
            (TargetKind::Function, Vec::new(), Workplace::Private)
        }
    };
    TargetFile {
        name: target.name.clone(),
        kind,
        command,
        workplace: match workplace {
            Workplace::Private => WorkplaceFile::Private,
            Workplace::PrivateWithPaths => WorkplaceFile::PrivateWithPaths,
            Workplace::Shared => WorkplaceFile::Shared,
        },
        needs_sanitizer: target.leaks != Leaks::Unknown,
    }
}

fn readme(done: &Generalization, parts: &Parts<'_>, test: &str) -> String {
    let condition = parts.condition.as_ref();
    let condition = condition.map(|text| format!("Condition: {text}\n")).unwrap_or_default();
    let samples = &done.made.samples;
    format!(
        "What fails: {}\nTarget:     {}\nPattern:    {}\n{condition}\n\
         To judge a fix, build the patched code and run:\n\n    {}\n\n\
         Exit status 0 says that the fix is right: no failing input fails any more, new inputs of the\n\
         pattern do not fail, and every passing input still passes. Exit status 1 says that it is\n\
         not right, and why.\n\n\
         minimal         the smallest input that was found\n\
         original        the input that was given, where it is another one\n\
         failing/        {} other inputs that fail in the same way\n\
         passing/        {} inputs that pass, the nearest to the minimal one first\n\
         pattern.txt     the pattern, for people\n\
         pattern.json    the pattern, for programs\n\
         dictionary      the required parts, as a libFuzzer dictionary\n\
         index.html      the pattern as a page\n\
         {test}\n\
         kit.json        the failure with its stack, the target, and a list of the files\n",
        parts.failure,
        parts.target.name,
        parts.pattern.pattern,
        parts.judge,
        samples.failing.len(),
        samples.passing.len(),
    )
}

/// Why a kit may not be left in a place.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum PlaceError {
    /// Something is there that is no kit.
    #[error("{} is there and no kit of ours; name another folder", folder.display())]
    Foreign {
        /// The place.
        folder: PathBuf,
    },
    /// A kit is there.
    #[error("{} is a kit already", folder.display())]
    Exists {
        /// The place.
        folder: PathBuf,
    },
    /// A kit is there, and a file that is not of the kit.
    #[error("{} holds {}, which is not of the kit; name another folder", folder.display(), file.display())]
    OtherFile {
        /// The place.
        folder: PathBuf,
        /// The other file.
        file: PathBuf,
    },
    /// The folder that it would be in cannot be made, or the place cannot be read.
    #[error("failed to write {}", folder.display())]
    Write {
        /// The place.
        folder: PathBuf,
        /// The system's error.
        #[source]
        source: std::io::Error,
    },
}

/// Makes sure that a kit may be left in `folder`: nothing is there, an empty folder, or with
/// `may_replace` a kit and nothing else.
pub(crate) fn check_place(folder: &Path, may_replace: bool) -> Result<(), PlaceError> {
    let own = || folder.to_owned();
    let failed = |source| PlaceError::Write { folder: own(), source };
    if let Some(parent) = folder.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        fs::create_dir_all(parent).map_err(failed)?;
    }
    match fs::symlink_metadata(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed(error)),
        Ok(found) if !found.is_dir() => return Err(PlaceError::Foreign { folder: own() }),
        Ok(_) => {}
    }
    let mut there = Vec::new();
    let mut waiting = vec![PathBuf::new()];
    while let Some(below) = waiting.pop() {
        for entry in fs::read_dir(folder.join(&below)).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = below.join(entry.file_name());
            match entry.file_type().map_err(failed)?.is_dir() {
                true => waiting.push(name),
                false => there.push(name),
            }
        }
    }
    if there.is_empty() {
        return Ok(());
    }
    let known = match table(folder) {
        Ok(known) => known,
        Err(KitError::Version { .. }) if !may_replace => {
            return Err(PlaceError::Exists { folder: own() });
        }
        Err(_) => return Err(PlaceError::Foreign { folder: own() }),
    };
    if !may_replace {
        return Err(PlaceError::Exists { folder: own() });
    }
    let is_ours = |file: &PathBuf| {
        file == Path::new(NAME) || known.all_files().any(|name| file == Path::new(name))
    };
    match there.into_iter().find(|file| !is_ours(file)) {
        Some(file) => Err(PlaceError::OtherFile { folder: own(), file }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foreign_folder_is_never_a_place_for_a_kit() {
        let scratch = tempfile::tempdir().unwrap();
        let place = scratch.path().join("a/kit");
        check_place(&place, false).unwrap();
        fs::create_dir(&place).unwrap();
        check_place(&place, false).unwrap();
        fs::write(place.join("notes"), "mine").unwrap();
        for may_replace in [false, true] {
            let refused = check_place(&place, may_replace).unwrap_err();
            assert!(matches!(refused, PlaceError::Foreign { .. }), "{refused}");
        }
        let refused = check_place(&place.join("notes"), true).unwrap_err();
        assert!(matches!(refused, PlaceError::Foreign { .. }), "{refused}");
    }

    #[test]
    fn the_ending_of_a_name_is_kept_if_it_is_plain() {
        let endings = ["a/in.json", "crash-da39", "x.tar.gz", "id:0,sig:06", "a.b c"];
        assert_eq!(endings.map(|path| ending(path.as_ref())), [".json", "", ".gz", "", ""]);
    }
}
