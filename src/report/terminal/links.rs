//! Links to source files (OSC 8): which terminals show them, and where they lead.
//!
//! A terminal that does not know them may print rubbish, so there is a list of those that do.

use std::path::Path;
use std::sync::OnceLock;

use crate::report::show::uri_path;

/// Whether a stream shows links. `variable` looks a name up in the environment; `FORCE_HYPERLINK` is 1
/// for always and 0 for never.
pub(super) fn are_shown(is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> bool {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    if let Some(value) = variable("FORCE_HYPERLINK").filter(|value| !value.is_empty()) {
        return value != "0";
    }
    if !is_terminal || is_set("CI") || is_set("TMUX") || is_set("STY") {
        return false;
    }
    let term = variable("TERM").unwrap_or_default();
    let program = variable("TERM_PROGRAM").unwrap_or_default();
    let vte = variable("VTE_VERSION").and_then(|version| version.parse::<u32>().ok());
    ["kitty", "alacritty", "ghostty", "foot", "wezterm", "contour"]
        .iter()
        .any(|name| term.contains(name))
        || ["iTerm.app", "WezTerm", "Hyper", "vscode", "ghostty", "Tabby", "rio"]
            .contains(&program.as_str())
        // Earlier versions crash on them.
        || vte.is_some_and(|version| version >= 5000)
        || is_set("WT_SESSION")
        || is_set("KONSOLE_VERSION")
        || is_set("DOMTERM")
}

/// The address of a file, if there is one at `path`: `file://HOST/absolute/path`, percent-encoded.
pub(super) fn address(path: &Path) -> Option<String> {
    let path = path.canonicalize().ok()?;
    Some(format!("file://{}{}", host_name(), uri_path(path.as_os_str().as_encoded_bytes())))
}

/// The machine's name: with it a terminal on another machine does not open its own file of that name.
fn host_name() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
        Some(name.trim()).filter(|name| name.chars().all(is_plain)).unwrap_or_default().to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(is_terminal: bool, variables: &[(&str, &str)]) -> bool {
        are_shown(is_terminal, |name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn links_are_for_terminals_that_are_known_to_show_them() {
        assert!(shown(true, &[("TERM", "xterm-kitty")]));
        assert!(shown(true, &[("TERM", "xterm-256color"), ("VTE_VERSION", "7006")]));
        assert!(!shown(true, &[("TERM", "xterm-256color")]));
        assert!(!shown(true, &[("VTE_VERSION", "4800")]));
        assert!(!shown(false, &[("TERM", "xterm-kitty")]));
        assert!(!shown(true, &[("TERM", "xterm-kitty"), ("CI", "true")]));
        assert!(!shown(true, &[("TERM_PROGRAM", "WezTerm"), ("TMUX", "/tmp/tmux-0/default")]));
        assert!(shown(false, &[("FORCE_HYPERLINK", "1")]));
        assert!(!shown(true, &[("FORCE_HYPERLINK", "0"), ("TERM", "xterm-kitty")]));
    }

    #[test]
    fn an_address_holds_no_character_that_a_terminal_would_obey() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a b\x1b\\é.rs");
        std::fs::write(&path, "").unwrap();
        let address = address(&path).unwrap();
        assert!(address.starts_with("file://") && address.ends_with("/a%20b%1B%5C%C3%A9.rs"));
        assert_eq!(super::address(&folder.path().join("none.rs")), None);
    }
}
