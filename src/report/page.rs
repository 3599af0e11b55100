//! Pages for a browser: one file, with its style inside and nothing fetched.

/// A page with a heading and a body of HTML.
pub fn page(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n<main>\n<h1>{title}</h1>\n{body}</main>\n</html>\n"
    )
}

const STYLE: &str = "\n:root{color-scheme:light dark;--line:#8884}\n\
    body{font:16px/1.5 system-ui,sans-serif;margin:0}main{max-width:60rem;margin:0 auto;padding:1rem}\n\
    pre,code{font:14px/1.5 ui-monospace,monospace}pre{white-space:pre-wrap;overflow-wrap:anywhere;\
    border:1px solid var(--line);border-radius:6px;padding:.75rem}\n\
    table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;\
    padding:.25rem .75rem .25rem 0;border-bottom:1px solid var(--line)}\n\
    .any{background:#2a85;border-radius:3px}.same{background:#29d5;border-radius:3px}\n\
    .unknown{background:#da25;border-radius:3px}.required{font-weight:600}\n\
    ul.tree{list-style:none;padding-left:1.2rem;border-left:1px solid var(--line)}\n";

/// A text as HTML shows it.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}
