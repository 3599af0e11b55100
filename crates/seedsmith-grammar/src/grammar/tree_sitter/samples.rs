//! A valid text in each compiled-in language, and a damaged one.

/// Language, valid text, damaged text.
///
/// The name of the language, the valid text and the damaged one.
pub const SAMPLES: [(&str, &str, &str); 20] = [
    (
        "bash",
        "#!/bin/sh\nset -eu\nfor name in one two \"three $x\"; do\n  if [ -f \"$name\" ]; then\n    \
         echo \"$name\" | wc -l > out.txt\n  else\n    exit 1\n  fi\ndone\n",
        "if true; then\n  echo )) (\nfi\n",
    ),
    (
        "c",
        "#include <stdio.h>\n/* adds */\nstatic int add(int a, int b) { return a + b; }\n\
         int main(void) {\n  int x = add(1, 2), y;\n  if (x > 2) { printf(\"%d\\n\", x); } else x--;\n  \
         for (int i = 0; i < 3; i++) y += i;\n  return 0;\n}\n",
        "int main(void) {\n  int x = (1 + ;\n  return 0;\n}\n",
    ),
    (
        "cpp",
        "namespace shop {\ntemplate <typename T> class Box : public Base {\npublic:\n  \
         explicit Box(T value) : value_(value) {}\n  const T& get() const { return value_; }\n\
         private:\n  T value_;\n};\n}\nint main() { auto f = [](int a) { return a * 2; }; return f(1); }\n",
        "class Box { public: int get( { return 1; } };\n",
    ),
    (
        "css",
        "@import url(\"a.css\");\n/* head */\nh1, .title > a:hover {\n  color: #f00;\n  \
         margin: 0 auto 2px;\n}\n@media (max-width: 600px) { p { width: calc(1px + 2em) } }\n",
        "h1 { color: ; } } p { margin 0 }\n",
    ),
    (
        "dtd",
        "<!ELEMENT note (to,from,body?)>\n<!ATTLIST note id CDATA #REQUIRED lang CDATA \"en\">\n\
         <!ENTITY who \"me\">\n",
        "<!ELEMENT note (to,>\n<!ATTLIST note>\n",
    ),
    (
        "go",
        "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\ntype point struct {\n\tx, y int\n}\n\n\
         func sum(values ...int) (total int, err error) {\n\tfor _, v := range values {\n\t\ttotal += v\n\t}\n\t\
         return\n}\n\nfunc main() {\n\tfmt.Println(sum(1, 2), os.Args[1:])\n}\n",
        "package main\n\nfunc main() {\n\tx := (1 +\n}\n",
    ),
    (
        "html",
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><title>Hello</title></head>\n<body>\n  \
         <p class=\"a b\" id=x>Some <b>bold</b> text &amp; more<br></p>\n  <ul><li>one<li>two</ul>\n\
         </body>\n</html>\n",
        "<p class=\"a\"><b>bold</i></p></div>\n",
    ),
    (
        "java",
        "package shop;\nimport java.util.List;\n\npublic final class Cart<T extends Item> implements Box {\n  \
         private int total = 0, count;\n  @Override public int sum(List<T> items, int factor) throws Exception {\n    \
         for (T item : items) { total += item.price() * factor; }\n    if (total > 10) return total; else return 0;\n  }\n}\n",
        "class Cart { int sum( { return 1 } }\n",
    ),
    (
        "javascript",
        "import { a, b as c } from './m.js';\n// greets\nasync function greet(name, ...rest) {\n  \
         const who = name || `nobody ${rest.length}`;\n  let x, y = [1, 2, 3], o = { k: 1, 'l': 2, m };\n  \
         if (x) { return who; } else { await c(y[0], o.k); }\n  for (const i of y) x += i;\n}\n\
         class A extends B { static f() { return super.f() ? 1 : -2; } }\n",
        "function f( { return [1, 2; }\nlet x = ;\n",
    ),
    (
        "json",
        "{\n  \"item\": \"Apple\",\n  \"price\": 3.45,\n  \"tags\": [\"a\", \"b\\n\", null, true, [], {}]\n}\n",
        "{ \"item\": \"Apple\", \"price\": **3.45 }\n",
    ),
    (
        "lua",
        "local t = { 1, 2, x = 3, [\"y\"] = 4 }\n-- sums\nlocal function sum(a, b, ...)\n  \
         if a > b then return a - b elseif a == b then return 0 else return a .. b end\nend\n\
         for i = 1, #t do print(t[i], sum(i, 2)) end\nwhile true do break end\n",
        "local function f(a,\n  return (a\nend end\n",
    ),
    (
        "python",
        "import os, sys as system\nfrom typing import List\n\n\n@cached\nclass A(B, metaclass=M):\n    \
         \"\"\"Doc.\"\"\"\n    x: int = 1\n\n    def f(self, a, b=2, *args, **kw) -> int:\n        \
         if a and not b:\n            return [i for i in args if i]\n        elif b:\n            pass\n        \
         else:\n            raise ValueError(f\"bad {a}\", b)\n        return a + b\n",
        "def f(a, b:\n    return (a +\n\nx = = 2\n",
    ),
    ("regex", "^(?<year>\\d{4})-([0-9a-f]+|x*?)[^\\s]\\b(?:a|b)?$", "(a|b{2,1]+"),
    (
        "rust",
        "//! Doc.\nuse std::fmt::{self, Display};\n\n#[derive(Clone, Debug)]\npub struct Pair<'a, T: Copy> {\n    \
         left: &'a T,\n    pub right: Option<T>,\n}\n\nimpl<'a, T: Copy> Pair<'a, T> {\n    \
         pub fn get(&self, at: usize) -> Option<T> {\n        match at {\n            0 => Some(*self.left),\n            \
         1 if true => self.right,\n            _ => None,\n        }\n    }\n}\n\nfn main() {\n    \
         let mut v = vec![1, 2];\n    for x in &mut v { *x += 1; }\n    println!(\"{v:?}\");\n}\n",
        "fn main( {\n    let x = (1 + ;\n}\n",
    ),
    (
        "sql",
        "CREATE TABLE items (id INT PRIMARY KEY, name TEXT NOT NULL, price DECIMAL(10, 2));\n\
         INSERT INTO items (id, name) VALUES (1, 'apple'), (2, 'pear');\n\
         SELECT DISTINCT name, price * 2 AS double FROM items i WHERE price > 1 AND name LIKE 'a%' \
         GROUP BY name ORDER BY name DESC LIMIT 10;\n",
        "SELECT name, FROM WHERE ((;\n",
    ),
    (
        "toml",
        "# top\ntitle = \"x\"\n\n[owner]\nname = 'Tom'\ndob = 1979-05-27T07:32:00Z\n\n[[points]]\n\
         at = { x = 1, y = -2.5 }\nlist = [1, 2,\n  3]\n",
        "title = \n[owner\nname = 'Tom'\n",
    ),
    (
        "tsx",
        "type P = { name: string; age?: number };\nexport const Hello = ({ name }: P) => (\n  \
         <div className=\"a\" id={name}>\n    Hello {name} <br/>\n    <b>bold</b>\n  </div>\n);\n",
        "const a = <div className=><b></div>;\n",
    ),
    (
        "typescript",
        "interface Shape { readonly name: string; area(): number; size?: [number, number] }\n\
         enum Color { Red, Green = 2 }\nexport class Square<T = any> implements Shape {\n  \
         constructor(private side: number, public name = \"square\") {}\n  area(): number { return this.side ** 2; }\n}\n\
         function id<T>(x: T, y?: string | null): T { return x as T; }\n",
        "interface Shape { name: ; area( number }\nlet x: = 2;\n",
    ),
    (
        "xml",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- shop -->\n<shop name=\"a\" open='yes'>\n  \
         <item id=\"1\">Apple &amp; <b>pear</b></item>\n  <item id=\"2\"/>\n  <![CDATA[raw < text]]>\n</shop>\n",
        "<shop name=\"a\"><item id=1>Apple</shop>\n",
    ),
    (
        "yaml",
        "# top\nname: shop\nitems:\n  - id: 1\n    tags: [a, \"b\", c]\n  - id: 2\n    price: {eur: 1, usd: 2}\n\
         text: |\n  two\n  lines\nnone: ~\n",
        "name: [a, b\nitems: }: x\n  - \"open\n",
    ),
];
