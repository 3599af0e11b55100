//! Causes in texts without a grammar: lists of a document, translations, and tables of tests.

use super::indented;
use crate::draws::{are_uneven, chance, extras, foreign, lengths};
use crate::readers::is_word;
use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

/// How deep itemize and enumerate are in each other. Other environments may be around them and in them.
fn list_depth(input: &str) -> Option<usize> {
    let (mut open, mut deepest): (Vec<&str>, usize) = (Vec::new(), 0);
    let mut rest = input;
    while let Some(at) = rest.find(['\\', '%']) {
        let after = &rest[at..];
        if after.starts_with('%') {
            rest = after.split_once('\n').map_or("", |(_, after)| after);
        } else if let Some(inner) = after.strip_prefix("\\begin{") {
            let (name, after) = inner.split_once('}')?;
            if name == "verbatim" {
                rest = after.split_once("\\end{verbatim}")?.1;
                continue;
            }
            open.push(Some(name).filter(|name| is_word(name))?);
            let is_list = |name: &&&str| ["itemize", "enumerate"].contains(*name);
            deepest = deepest.max(open.iter().filter(is_list).count());
            rest = after;
        } else if let Some(inner) = after.strip_prefix("\\end{") {
            let (name, after) = inner.split_once('}')?;
            (open.pop()? == name).then_some(())?;
            rest = after;
        } else {
            let mut sign = after.chars();
            sign.nth(1)?;
            rest = sign.as_str();
        }
    }
    open.is_empty().then_some(deepest)
}

/// The texts of each msgid, which may go over several lines.
fn message_ids(input: &str) -> Option<Vec<&str>> {
    let (mut found, mut key) = (Vec::new(), "");
    for line in input.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        if line.is_empty() {
            key = "";
            continue;
        }
        let mut text = line;
        if !line.starts_with('"') {
            (key, text) = line.split_once(' ')?;
            let is_known = ["msgctxt", "msgid", "msgstr"].contains(&key);
            is_known.then_some(())?;
        }
        let inner = text.trim_start().strip_prefix('"')?.strip_suffix('"')?;
        let is_closed = !inner.replace("\\\"", "").contains('"') && !inner.ends_with('\\');
        (is_closed && !key.is_empty()).then_some(())?;
        if key == "msgid" {
            found.push(inner);
        }
    }
    Some(found)
}

/// How many cells the rows of each table have. Remarks and empty lines may be between rows.
fn tables(input: &str) -> Vec<Vec<usize>> {
    let (mut found, mut is_open, mut is_text): (Vec<Vec<usize>>, bool, bool) =
        (Vec::new(), false, false);
    for line in input.lines().map(str::trim) {
        if line.starts_with("\"\"\"") {
            is_text = !is_text;
            is_open = false;
        } else if !is_text && line.starts_with('|') {
            if !is_open {
                found.push(Vec::new());
            }
            is_open = true;
            let bars = line.replace("\\|", "").matches('|').count();
            found.last_mut().unwrap().push(bars - 1);
        } else if !line.is_empty() && !line.starts_with('#') {
            is_open = false;
        }
    }
    found
}

/// The causes.
pub const TEXT: &[TwoSided] = &[
    TwoSided {
        name: "forty-sixth: plain: latex: itemize and enumerate in each other, five deep or more",
        grammar: "",
        input: r"% \begin{itemize}\begin{itemize}\begin{itemize}\begin{itemize}\begin{itemize}
\section{Steps, at most 90\% of them}
\begin{enumerate}
\item Mix \begin{itemize} \item salt \item oil \end{itemize}
\end{enumerate}
\begin{quote}
\begin{itemize}
  \item Bake
  \begin{enumerate}
    \item \textbf{Heat}
    \begin{center}
      \begin{enumerate}
        \item 200
        \begin{itemize}
          \item fan \\
          \begin{verbatim}
          \begin{itemize}
          \end{verbatim}
          \begin{itemize}
            \item half
          \end{itemize}
        \end{itemize}
      \end{enumerate}
    \end{center}
  \end{enumerate}
\end{itemize}
\end{quote}
",
        valid: |input| list_depth(input).is_some(),
        fails: |input| list_depth(input).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let mut part =
                one(dice, &["Bake", "\\textbf{Heat}", "90\\% % \\end{itemize}"]).to_owned();
            part.push('\n');
            for _ in 0..3 + dice.below(5) {
                let name = match dice.below(8) {
                    0 => "center",
                    1 => "quote",
                    2..5 => "itemize",
                    _ => "enumerate",
                };
                let others = [
                    "\\item salt\n",
                    "\\begin{enumerate}\n\\item oil\n\\end{enumerate}\n",
                    "\\begin{verbatim}\n\\begin{itemize}\n\\end{verbatim}\n",
                ];
                let mut inner = extras(dice, &others);
                inner.truncate(1);
                inner.push(format!("\\item {part}"));
                let inner = indented(&shuffled(dice, inner).concat(), 2 * dice.below(2));
                part = format!("\\begin{{{name}}}\n{inner}\\end{{{name}}}\n");
            }
            let others = [
                "\\section{Steps}\n",
                "% \\begin{itemize}\\begin{itemize}\\begin{itemize}\\begin{itemize}\n",
                "\\begin{itemize}\n\\item salt\n\\end{itemize}\n",
            ];
            let mut parts = extras(dice, &others);
            parts.push(part);
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-sixth: plain: po: a msgid with a character that is not ASCII",
        grammar: "",
        input: r#"# Überblick für Zoë
msgid ""
msgstr ""
"Language: de\n"
"Last-Translator: Jörg\n"

#: src/menu.c:41
msgctxt "Menü"
msgid "Open file"
msgstr "Datei öffnen"

#, fuzzy
msgid "The msgid \"%s\" is "
"not saved – save it?"
msgstr "%s speichern?"

msgid "Quit"
msgstr ""
"Schließen"
"#,
        valid: |input| message_ids(input).is_some(),
        fails: |input| {
            message_ids(input).is_some_and(|all| !all.iter().all(|text| text.is_ascii()))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let entries = joined(dice, count, "\n", |dice| {
                let mut text = match chance(dice, 24) {
                    true => foreign(dice),
                    false => word(dice, 7),
                };
                let other = word(dice, 6);
                text = match dice.below(5) {
                    0 => format!("\"{other} {text} %s\""),
                    1 => format!("\"{other} \"\n\"{text}\""),
                    2 => format!("\"\"\n\"{text}\\n\"\n\"{other}\""),
                    _ => format!("\"{text}\""),
                };
                let starts = ["", "", "# Für Zoë\n", "#: src/menu.c:41\n", "msgctxt \"Menü\"\n"];
                let start = one(dice, &starts);
                let translated = match dice.below(3) {
                    0 => word(dice, 8),
                    1 => String::new(),
                    _ => format!("{} {}", word(dice, 4), foreign(dice)),
                };
                format!("{start}msgid {text}\nmsgstr \"{translated}\"\n")
            });
            let heads = ["", "msgid \"\"\nmsgstr \"\"\n\"Last-Translator: Jörg\\n\"\n\n"];
            format!("{}{entries}", one(dice, &heads))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-sixth: plain: gherkin: a table whose rows do not all have the same number of cells",
        grammar: "",
        input: r#"Feature: Carts | prices
  # | a | b |
  Background:
    Given the users
      | name | role  |
      | ann  | admin |

  @slow
  Scenario: Pay
    Given a cart with
      | item  | price | left |
      | lamp  | 12    | yes  |
      # sold out
      | chair | 40    |
      | a\|b  |       | no   |
    When I send
      """
      | a | b |
      | c |
      """
    Then I pay 52 | 0

  Scenario Outline: Add <item>
    Given <item>
    Examples:
      | item |
      | lamp |
"#,
        valid: any,
        fails: |input| tables(input).iter().any(|rows| are_uneven(rows)),
        draw: |dice| {
            let mut text = "Feature: Carts | prices\n".to_owned();
            let others = [
                "  # | a | b |\n",
                "    Then I pay 52 | 0\n",
                "    When I send\n      \"\"\"\n      | a | b |\n      | c |\n      \"\"\"\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let mut table = one(
                    dice,
                    &["    Given a cart with\n", "    Examples:\n", "    And the users\n"],
                )
                .to_owned();
                for length in lengths(dice, 1, 38) {
                    let cells = joined(dice, length, " | ", |dice| {
                        let cells = ["lamp", "12", "", "a\\|b", "yes", "the chair"];
                        one(dice, &cells).to_owned()
                    });
                    table += &format!("      | {cells} |\n");
                    if chance(dice, 8) {
                        table += "      # sold out\n";
                    }
                }
                parts.push(table);
            }
            text += "  Scenario: Pay\n";
            text += &shuffled(dice, parts).concat();
            text
        },
        patterns: &[],
    },
];
