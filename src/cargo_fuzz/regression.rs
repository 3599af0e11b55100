//! How a regression test calls the code that failed.

use std::path::{Path, PathBuf};

use crate::generalize::export::Reach;
use crate::session::target::Origin;

/// How a regression test at `test` reaches the code.
pub fn reach(origin: &Origin, test: &Path) -> Reach {
    let words = |argv: &[std::ffi::OsString]| {
        argv.iter().map(|word| word.to_string_lossy().into_owned()).collect()
    };
    match origin {
        Origin::FuzzTarget { folder, name, .. } => {
            let target = folder.join("fuzz_targets").join(format!("{name}.rs"));
            let path = std::path::absolute(&target).unwrap_or(target);
            // Cargo looks from the test's folder.
            let from = std::path::absolute(test).unwrap_or_else(|_| test.to_owned());
            let path = relative(&path, from.parent().unwrap_or(Path::new("/")));
            Reach::FuzzTarget { path }
        }
        Origin::Command(argv) => Reach::Command { argv: words(argv), zero_fails: true },
        Origin::Executable(executable) => Reach::Command {
            argv: vec![executable.to_string_lossy().into_owned(), "{}".to_owned()],
            zero_fails: false,
        },
        Origin::Linked(name) | Origin::Unknown(name) => {
            Reach::FuzzTarget { path: format!("../fuzz_targets/{name}.rs") }
        }
    }
}

/// `path` as seen from `folder`; both absolute.
fn relative(path: &Path, folder: &Path) -> String {
    let (mut to, mut from) = (path.components().peekable(), folder.components().peekable());
    while to.peek().is_some() && to.peek() == from.peek() {
        to.next();
        from.next();
    }
    let mut out = PathBuf::new();
    from.for_each(|_| out.push(".."));
    out.extend(to);
    out.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::relative;
    use std::path::Path;

    #[test]
    fn a_path_is_told_from_the_tests_folder() {
        let target = Path::new("/p/fuzz/fuzz_targets/a.rs");
        assert_eq!(relative(target, Path::new("/p/fuzz/tests")), "../fuzz_targets/a.rs");
        assert_eq!(relative(target, Path::new("/p/fuzz/fuzz_targets")), "a.rs");
    }
}
