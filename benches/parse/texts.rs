//! Texts to parse, put together at random from a few sentences a language.
//!
//! `$name` in a sentence is replaced by one of the sentences of that name, the first where the
//! nesting has to end; `$word` and `$number` by a word and a number; `$` before anything else means
//! itself.

/// The parts from which the texts of a language are made.
pub struct Language {
    /// Its name.
    pub name: &'static str,
    head: &'static str,
    between: &'static str,
    tail: &'static str,
    /// By name; a text is pieces of the first name.
    sentences: &'static [(&'static str, &'static [&'static str])],
}

/// Sentences nest no deeper.
const DEEPEST: u32 = 7;

/// A random generator whose numbers are the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % bound
    }
}

impl Language {
    /// A text of `length` bytes or one piece more, the same each time.
    pub fn write(&self, length: usize) -> String {
        let mut dice = Dice(7);
        let mut text = self.head.to_owned();
        let piece = format!("${}", self.sentences[0].0);
        self.expand(&piece, 0, &mut dice, &mut text);
        while text.len() < length {
            text += self.between;
            self.expand(&piece, 0, &mut dice, &mut text);
        }
        text + self.tail
    }

    fn expand(&self, sentence: &str, depth: u32, dice: &mut Dice, text: &mut String) {
        const SYLLABLES: [&str; 8] = ["ba", "lo", "mi", "ter", "quo", "ne", "sa", "ru"];
        let mut parts = sentence.split('$');
        text.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let end = part.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(part.len());
            let (name, rest) = part.split_at(end);
            match name {
                "" => text.push('$'),
                "word" => (0..2 + dice.below(2)).for_each(|_| *text += SYLLABLES[dice.below(8)]),
                "number" => *text += &(1 + dice.below(10_000)).to_string(),
                _ => {
                    let found = self.sentences.iter().find(|(known, _)| *known == name);
                    let (_, ways) = found.expect("a sentence names sentences of its language");
                    let way = if depth < DEEPEST { dice.below(ways.len()) } else { 0 };
                    self.expand(ways[way], depth + 1, dice, text);
                }
            }
            text.push_str(rest);
        }
    }
}

/// All languages that are measured.
pub const LANGUAGES: [Language; 8] = [
    Language {
        name: "json",
        head: "[",
        between: ",\n",
        tail: "]\n",
        sentences: &[
            ("record", &["{\"id\": $number, \"$word\": $value, \"$word\": $value}"]),
            (
                "value",
                &[
                    "$number",
                    "\"$word $word\"",
                    "-$number.25e3",
                    "true",
                    "null",
                    "[$value, $value, $value]",
                    "{\"$word\": $value,\n  \"$word\": $value}",
                ],
            ),
        ],
    },
    Language {
        name: "xml",
        head: "<?xml version=\"1.0\"?>\n<root>\n",
        between: "\n",
        tail: "\n</root>\n",
        sentences: &[
            (
                "element",
                &[
                    "<$word/>",
                    "<$word $word=\"$number\">$content</$word>",
                    "<$word>$content\n$content</$word>",
                ],
            ),
            (
                "content",
                &["$word &amp; $word", "$element\n$element", "<!-- $word -->", "$element$word"],
            ),
        ],
    },
    Language {
        name: "css",
        head: "",
        between: "\n",
        tail: "\n",
        sentences: &[
            (
                "rule",
                &[
                    "$selector { $property }",
                    "$selector,\n$selector {\n  $property\n  $property\n}",
                    "@media (min-width: $number$unit) {\n$rule\n$rule\n}",
                ],
            ),
            ("unit", &["px", "em", "%"]),
            (
                "selector",
                &[".$word", "#$word > $word", "$word[$word=\"$word\"]:hover", "$word $selector"],
            ),
            (
                "property",
                &[
                    "$word: $number$unit;",
                    "$word: rgb($number, 2, 3);",
                    "$word: calc(1px + $number%) $word;",
                    "color: #a0b1c2;",
                    "$property\n  $property",
                ],
            ),
        ],
    },
    Language {
        name: "toml",
        head: "",
        between: "\n",
        tail: "\n",
        sentences: &[
            ("table", &["[$word.$word$number]\n$entry\n$entry\n$entry"]),
            ("entry", &["$word = $value", "$word.$word = $value # $word"]),
            (
                "value",
                &[
                    "$number",
                    "\"$word $word\"",
                    "'$word'",
                    "true",
                    "1979-05-27T07:32:00Z",
                    "[$value, $value]",
                    "{ $word = $value, $word = $value }",
                ],
            ),
        ],
    },
    Language {
        name: "lua",
        head: "",
        between: "\n",
        tail: "\n",
        sentences: &[
            (
                "statement",
                &[
                    "local $word = $value",
                    "$word($value, $value)",
                    "if $value then\n $statement\nelse\n $statement\nend",
                    "for i = 1, $number do\n $statement\n $statement\nend",
                    "function $word($word, ...)\n $statement\n return $value\nend",
                    "$word.$word[$value] = $value",
                ],
            ),
            (
                "value",
                &[
                    "$number",
                    "\"$word $word\"",
                    "$word.$word",
                    "$value + $value * $number",
                    "not ($value == $value)",
                    "{ $word = $value, $value; }",
                    "function($word) return $value end",
                    "$word:$word($value)",
                ],
            ),
        ],
    },
    Language {
        name: "sql",
        head: "",
        between: "\n",
        tail: "\n",
        sentences: &[
            (
                "statement",
                &[
                    "SELECT $value, $word.$word AS $word FROM $word WHERE $value;",
                    "SELECT * FROM $word LEFT JOIN $word ON $value ORDER BY $word DESC LIMIT $number;",
                    "INSERT INTO $word ($word, $word) VALUES ($value, $value), ($value, NULL);",
                    "CREATE TABLE $word ($word INTEGER PRIMARY KEY, $word VARCHAR(20) NOT NULL);",
                ],
            ),
            (
                "value",
                &[
                    "$number",
                    "'$word $word'",
                    "$word.$word",
                    "$value + $value * $number",
                    "($value = $value)",
                    "$value AND NOT $value",
                    "count($value)",
                    "($word IN ($value, $value))",
                    "CASE WHEN $value THEN $value ELSE $value END",
                ],
            ),
        ],
    },
    Language {
        name: "javascript",
        head: "",
        between: "\n",
        tail: "\n",
        sentences: &[
            (
                "statement",
                &[
                    "$word = $value;",
                    "var $word = $value, $word;",
                    "if ($value) {\n $statement\n} else {\n $statement\n}",
                    "for (let i = 0; i < $number; i++) {\n $statement\n $statement\n}",
                    "function $word($word, $word = $value) {\n $statement\n return $value;\n}",
                    "$word.$word[$value] += $value;",
                    "$word($value, $value).$word();",
                    "class $word extends $word {\n $word() { $statement }\n static get $word() { return 1; }\n}",
                    "switch ($value) { case $value: $statement break; default: $statement }",
                ],
            ),
            (
                "value",
                &[
                    "$number",
                    "\"$word $word\"",
                    "$word.$word",
                    "$value + $value * $number",
                    "!($value === $value)",
                    "{ $word: $value, $word }",
                    "[$value, ...$word]",
                    "(($word, $word) => $value)",
                    "function($word) { $statement return $value; }",
                    "`$word ${$value}`",
                    "($value ? $value : $value)",
                    "new $word($value)",
                    "$value && $value || $word",
                ],
            ),
        ],
    },
    Language {
        name: "java",
        head: "package seed;\nimport java.util.*;\n",
        between: "\n",
        tail: "\n",
        sentences: &[
            (
                "class",
                &[
                    "public final class $word extends $word implements $word {\n$member\n$member\n$member\n$member\n}",
                ],
            ),
            (
                "member",
                &[
                    "  private final int $word = $value;",
                    "  @Override\n  public $type $word(int $word, $type $word) throws Exception {\n    \
                     $statement\n    $statement\n    return $value;\n  }",
                    "  static final $type $word = new $word<>($value);",
                    "  $word(String $word) {\n    this.$word = $value;\n    $statement\n  }",
                ],
            ),
            ("type", &["int", "List<String>", "Map<String, $type>", "String[]", "$word"]),
            (
                "statement",
                &[
                    "$word.$word($value);",
                    "int $word = $value;",
                    "$type $word = $value;",
                    "if ($value) {\n $statement\n } else {\n $statement\n }",
                    "for (int i = 0; i < $number; i++) {\n $statement\n $statement\n }",
                    "while (!$word.$word()) $word[$value] += $value;",
                    "try { $statement } catch (Exception e) { throw new $word($value); }",
                    "switch ($value) { case $number: $statement break; default: $statement }",
                    "for (String s : $word) { $statement }",
                ],
            ),
            (
                "value",
                &[
                    "$number",
                    "\"$word $word\"",
                    "$word.$word",
                    "$value + $value * $number",
                    "($value == $value)",
                    "$word.$word($value, $value)",
                    "new int[] { $value, $value }",
                    "(($word, s) -> $value)",
                    "($value ? $value : $value)",
                    "(int) $word[$value]",
                    "new $word($value)",
                    "$word instanceof $word && $word || $word",
                ],
            ),
        ],
    },
];
