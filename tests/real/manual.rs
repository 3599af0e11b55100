//! The manual pages, read by groff, with which `man` formats pages.

use std::process::Command;

#[test]
fn groff_reads_every_manual_page_without_a_warning_and_shows_the_options() {
    let folder = tempfile::tempdir().unwrap();
    let mut seedsmith = Command::new(env!("CARGO_BIN_EXE_seedsmith"));
    let written = seedsmith.arg("manual").arg(folder.path()).output().unwrap();
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    let mut pages = 0;
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let page = entry.unwrap().path();
        let mut groff = Command::new("groff");
        let output = groff.args(["-ww", "-man", "-Tutf8", "-P-cbou"]).arg(&page).output();
        let output = output.expect("groff is installed: scripts/test does that");
        let (shown, warnings) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && warnings.is_empty(), "{}: {warnings}", page.display());
        assert!(shown.contains("SYNOPSIS") && shown.contains("Print help"), "{shown}");
        pages += 1;
    }
    assert!(pages >= 9, "{pages} pages");
}
