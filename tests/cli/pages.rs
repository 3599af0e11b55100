//! Pages of `tmin --html` and `triage --html`: what they hold, and what they never replace.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::planted::planted;
use crate::scratch::{Ended, Scratch};

/// Elements without an end.
const VOID: [&str; 4] = ["meta", "br", "input", "!doctype"];

fn tmin(scratch: &Scratch, arguments: &[&str]) -> Ended {
    let options = ["--html", "page.html", "--polish", "0", "--binary", planted().to_str().unwrap()];
    scratch.run(&[arguments, &options].concat())
}

fn triage(scratch: &Scratch, arguments: &[&str]) -> Ended {
    let options = ["--html", "page.html", "--binary", planted().to_str().unwrap()];
    scratch.plain_seedsmith(&[&["triage"], arguments, &options].concat())
}

/// The page in the folder. Each element is closed in its place, no identifier is there twice, each link within the
/// page leads somewhere, and nothing comes from a network.
fn whole_page(scratch: &Scratch) -> String {
    let page = scratch.read("page.html");
    let (head, rest) = page.split_once("<style>").expect("it has a style");
    let (body, script) = rest.split_once("</style>").unwrap().1.split_once("<script>").unwrap();
    assert!(script.ends_with("</script></body></html>\n"), "{script}");
    assert!(head.contains("default-src 'none'"), "{head}");
    let shown = format!("{head}{body}");
    let mut open = Vec::new();
    for tag in shown.split('<').skip(1).map(|rest| rest.split_once('>').expect("a tag ends").0) {
        let name = tag.split(' ').next().unwrap();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "{tag}: {shown}"),
            None if VOID.contains(&name) || name.starts_with("!--") => {}
            None => open.push(name),
        }
    }
    assert_eq!(open, ["html", "body"]);
    let values = |name: &str| -> Vec<&str> {
        let rest = shown.split(name).skip(1);
        rest.map(|rest| rest.split('"').next().unwrap()).collect()
    };
    let ids = values(" id=\"");
    for (at, id) in ids.iter().enumerate() {
        assert!(!ids[..at].contains(id), "{id} is there twice");
    }
    for link in values(" href=\"") {
        match link.strip_prefix('#') {
            Some(id) => assert!(ids.contains(&id), "{link} leads nowhere"),
            None => assert!(link.starts_with("data:") || !link.contains(':'), "{link}"),
        }
    }
    assert!(values(" src=\"").is_empty() && !shown.contains("://"), "{shown}");
    page
}

#[test]
fn the_page_of_a_minimized_input_has_everything_that_a_bug_report_needs() {
    let scratch = Scratch::new();
    scratch.write("crash", "some words\nand foo! here\n");
    let ended = tmin(&scratch, &["crash"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(scratch.read("crash.min"), "foo!");
    let page = whole_page(&scratch);
    for part in [
        "<title>crash: 25 → 4 bytes · seedsmith</title>",
        "<dt>command</dt><dd><code>tmin crash --html page.html",
        " UTC by seedsmith 0.",
        "<del>some words\nand </del><mark>foo!</mark><del> here\n</del>",
        "<code>Zm9vIQ==</code>",
        "<code>666f6f21</code>",
        "<code>b&quot;foo!&quot;</code>",
        "download=\"crash.min\" href=\"data:application/octet-stream;base64,Zm9vIQ==\"",
        "25 → 4 bytes in ",
        "found foo",
        "planted crash.min</code>",
        "<table class=\"reducers\">",
        "Size over tests: from 25 bytes to 4 bytes in ",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    // A later run replaces its own page.
    assert_eq!(tmin(&scratch, &["crash"]).code, Some(0));
    whole_page(&scratch);
    assert!(!scratch.names().iter().any(|name| name.ends_with(".part")), "{:?}", scratch.names());
}

#[test]
fn pages_of_hostile_inputs_are_whole_and_hold_them_as_text() {
    let scratch = Scratch::new();
    let long = "<i>".repeat(20_000);
    let inputs: [(&[u8], &str); 5] = [
        (b"</pre><script>alert(1)</script>foo!", "&lt;/pre&gt;&lt;script&gt;alert(1)"),
        (b"\xff\xfe\x00\x01\x02\x03\x80foo!\xc3", "<span class=\"offset\">00000000</span>"),
        ("\u{202e}\u{2066}מילים foo! \u{200f}".as_bytes(), "<i>\\u{202e}\\u{2066}</i>מילים"),
        (&[long.as_bytes(), b"foo!", long.as_bytes()].concat(), "bytes deleted"),
        (&[&[0xee; 5000][..], b"foo!", &[0xee; 5000]].concat(), "rows deleted"),
    ];
    for (number, (input, shown)) in inputs.into_iter().enumerate() {
        let name = format!("crash-{number}");
        scratch.write(&name, input);
        let ended = tmin(&scratch, &[&name]);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let page = whole_page(&scratch);
        assert!(page.contains(shown), "{shown}: {page}");
        assert!(page.contains("<mark>foo!</mark>") && !page.contains("alert(1)</script>foo"));
        assert!(page.len() < 200_000, "{}", page.len());
    }
}

#[test]
fn a_name_that_is_no_text_is_shown_and_linked() {
    let scratch = Scratch::new();
    let name = OsStr::from_bytes(b"d/\xff<b> \"x");
    std::fs::create_dir(scratch.path().join("d")).unwrap();
    std::fs::write(scratch.path().join(name), "foo!").unwrap();
    assert_eq!(triage(&scratch, &["d"]).code, Some(1));
    let page = whole_page(&scratch);
    assert!(page.contains("href=\"d/%FF%3Cb%3E%20%22x\""), "{page}");
    assert!(page.contains("d/<i>\\xff</i>&lt;b&gt; &quot;x"), "{page}");
}

#[test]
fn the_page_of_many_inputs_has_a_table_and_a_part_for_each_result() {
    let scratch = Scratch::new();
    scratch.write("d/1", "some words and foo! here");
    scratch.write("d/2", "and foo! there");
    scratch.write("d/3", "b is the first letter");
    scratch.write("d/4", "fine");
    let ended = tmin(&scratch, &["d", "-o", "out"]);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let page = whole_page(&scratch);
    assert!(page.contains("4 inputs: 3 fail in 2 ways, 1 doesn't fail"), "{page}");
    assert_eq!(page.matches("<section class=\"row good\" id=\"input-").count(), 2);
    for part in [
        "<a href=\"#input-1\">",
        "<a href=\"#input-2\">",
        "href=\"out/2.min\"",
        "1 input does not fail",
        "href=\"d/4\"",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn the_page_of_failures_has_their_counts_stacks_and_smallest_inputs() {
    let scratch = Scratch::new();
    scratch.write("d/1", "some words and foo! here");
    scratch.write("d/2", "and foo! there");
    scratch.write("d/3", "b is the first letter");
    scratch.write("d/fine", "fine");
    let first = triage(&scratch, &["d", "--json"]);
    assert_eq!(first.code, Some(1), "{}", first.stderr);
    let page = whole_page(&scratch);
    assert!(page.contains("4 inputs: 3 fail in 2 ways, 1 doesn't fail"), "{page}");
    assert_eq!(page.matches("<section class=\"row bad\"").count(), 2);
    assert!(page.contains("data-files=\"2\" data-bytes=\"14\""), "{page}");
    assert!(page.contains("the smallest has 14 bytes: <a href=\"d/2\"><code>d/2</code></a>"));
    // One failure is fixed, and one is new.
    scratch.write("first.jsonl", &first.stdout);
    std::fs::remove_file(scratch.path().join("d/3")).unwrap();
    scratch.write("d/5", "has an x");
    let second = triage(&scratch, &["d", "--join", "first.jsonl"]);
    assert_eq!(second.code, Some(1), "{}", second.stderr);
    let page = whole_page(&scratch);
    for state in ["new", "known", "fixed"] {
        assert_eq!(page.matches(&format!("data-state=\"{state}\"")).count(), 1, "{state}");
        assert!(page.contains(&format!("<option value=\"{state}\">")), "{page}");
    }
    // Nothing fails any more.
    scratch.write("all/1", "fine");
    assert_eq!(triage(&scratch, &["all"]).code, Some(0));
    assert!(!whole_page(&scratch).contains("<section"));
}

#[test]
fn the_page_of_repairs_has_what_the_validator_says_of_the_input() {
    let scratch = Scratch::new();
    scratch.write("in/a", "one ! two");
    let validator =
        r#"if grep -q '!' "$1"; then echo "line 1: <b>!</b> is not allowed" >&2; exit 1; fi"#;
    let options =
        ["in", "-o", "out", "--html", "page.html", "--", "sh", "-c", validator, "sh", "{}"];
    let ended = scratch.repair_with(&options);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let page = whole_page(&scratch);
    assert!(page.contains("line 1: &lt;b&gt;!&lt;/b&gt; is not allowed</pre>"), "{page}");
    assert!(page.contains("<dt>command</dt><dd><code>seedsmith repair in -o out"), "{page}");
}

#[test]
fn a_page_replaces_no_input_and_no_other_file_and_is_refused_before_the_search() {
    let scratch = Scratch::new();
    scratch.write("crash", "and foo! there");
    scratch.write("notes", "notes");
    scratch.write("d/1", "foo!");
    let refused = |arguments: &[&str], code: i32, why: &str| {
        let binary = planted().to_str().unwrap();
        let ended = scratch.plain_seedsmith(&[arguments, &["--binary", binary]].concat());
        assert_eq!(ended.code, Some(code), "{arguments:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(why), "{why}: {}", ended.stderr);
    };
    for (command, input) in [("tmin", "crash"), ("triage", "crash"), ("tmin", "d")] {
        refused(&[command, input, "--html", "notes"], 6, "notes is there and no page of ours");
        refused(&[command, input, "--html", "."], 6, "is no file");
        refused(&[command, input, "--html", "no/page.html"], 6, "failed to write no/page.html");
    }
    refused(&["tmin", "crash", "--html", "crash"], 2, "which is never replaced");
    refused(&["triage", "d", "--html", "d/1"], 2, "which is never replaced");
    refused(&["tmin", "crash", "--isolate", "--html", "page.html"], 2, "cannot be used with");
    assert_eq!(scratch.names(), ["crash", "d", "notes"]);
    assert_eq!(scratch.read("notes"), "notes");
}
