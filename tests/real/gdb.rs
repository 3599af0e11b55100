//! `tmin --gdb` with gdb itself, which runs a commands file and ends.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::built::tmin;

/// A script in `folder` that is gdb, but asks nothing and ends after a backtrace.
fn batch(folder: &Path) -> std::path::PathBuf {
    let script = folder.join("batch-gdb");
    // `-ex run --args PROGRAM FILE` are the words that it gets.
    let words = r#"exec gdb -batch -nx "$1" "$2" -ex bt "$3" "$4" "$5" 2>&1"#;
    let text = format!("#!/bin/sh\n{words}\n");
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    script
}

#[test]
fn gdb_stops_a_program_where_it_crashes_on_the_result() {
    let scratch = tempfile::tempdir().unwrap();
    let path = |name: &str| scratch.path().join(name);
    let source = "#include <stdio.h>\n#include <string.h>\n\
        static void crash_here(void) { *(volatile int *)8 = 1; }\n\
        int main(int count, char **words) {\n  char text[64] = {0};\n  \
        FILE *file = fopen(words[1], \"r\");\n  if (!file) return 2;\n  \
        fread(text, 1, 63, file);\n  if (strstr(text, \"<<\")) crash_here();\n  return 0;\n}\n";
    std::fs::write(path("parse.c"), source).unwrap();
    std::fs::write(path("crash"), "a << b").unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-g", "-O0", "-o"]).arg(path("parse")).arg(path("parse.c"));
    assert!(compiler.status().unwrap().success());
    let output = tmin()
        .arg(path("crash"))
        .args(["--gdb", "--debugger"])
        .arg(batch(scratch.path()))
        .arg("--")
        .arg(path("parse"))
        .arg("{}")
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(shown.contains("SIGSEGV") && shown.contains("crash_here ()"), "{shown}{told}");
    assert_eq!(std::fs::read(path("crash.min")).unwrap(), b"<<");
}
