//! Causes without a grammar in code: two in WGSL, and one in C.

use super::{mixed, name, without_remarks};
use crate::draws::{around, chance, counted, extras, has_twins, picked};
use crate::two_sided::{TwoSided, any, one, word};

/// The numbers of the bindings of a shader.
fn bindings(input: &str) -> Vec<u64> {
    let text = without_remarks(input, "//");
    let inner = text.split("@binding(").skip(1).filter_map(|rest| rest.split_once(')'));
    inner.filter_map(|(number, _)| number.trim().parse().ok()).collect()
}

/// The names of the members of each struct of a shader.
fn structs(input: &str) -> Vec<Vec<String>> {
    let text = without_remarks(input, "//");
    let parts = text.split("struct ").skip(1).filter_map(|rest| {
        let inner = rest.split_once('{')?.1;
        inner.split_once('}')
    });
    let names = |(inner, _): (&str, &str)| {
        let members = inner.split(',').filter_map(|member| member.split_once(':'));
        let names = members.filter_map(|(before, _)| before.split_whitespace().last());
        names.map(str::to_owned).collect()
    };
    parts.map(names).collect()
}

/// The size of each array of characters of a program, and how many are in its text.
fn texts(input: &str) -> Vec<(u64, usize)> {
    let text = without_remarks(input, "//");
    let read = |(at, _): (usize, &str)| {
        let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let before = text[..at].trim_end_matches(is_inside);
        let is_array = before.len() < at && before.trim_end().ends_with("char");
        let (size, rest) = text[at + 1..].split_once(']').filter(|_| is_array)?;
        let rest = rest.trim_start().strip_prefix('=')?.trim_start().strip_prefix('"')?;
        let (inner, _) = rest.split_once('"')?;
        Some((size.trim().parse().ok()?, inner.len()))
    };
    text.match_indices('[').filter_map(read).collect()
}

/// The causes.
pub const CODE: &[TwoSided] = &[
    TwoSided {
        name: "forty-fifth: plain: bindings: WGSL with a @binding of 16 or more",
        grammar: "",
        input: concat!(
            "// the @binding(20) of old\nstruct Params {\n  @size(16) scale: f32,\n  count: u32,\n}\n\n",
            "@group(0) @binding(0) var<uniform> params: Params;\n",
            "@group(0) @binding(1) var<storage, read> source: array<f32, 64>;\n",
            "@group(1) @binding(18) var<storage, read_write> sink: array<f32>;\n",
            "@group(30) @binding(3) var image: texture_2d<f32>;\n\n@compute @workgroup_size(64)\n",
            "fn main(@builtin(global_invocation_id) id: vec3<u32>) {\n  sink[id.x] = source[id.x] * 20.0;\n}\n"
        ),
        valid: any,
        fails: |input| bindings(input).iter().any(|binding| *binding >= 16),
        draw: |dice| {
            let mut lines = Vec::new();
            for _ in 0..1 + dice.below(4) {
                let group = [dice.below(4), dice.below(40)][dice.below(2)];
                let binding = match chance(dice, 30) {
                    true => around(dice, [16, 40], 60),
                    false => [dice.below(16), dice.below(16), 15][dice.below(3)],
                };
                let kinds = [
                    "var<uniform> a: Params",
                    "var<storage, read> source: array<f32, 64>",
                    "var image: texture_2d<f32>",
                    "var<storage, read_write> sink: array<u32>",
                ];
                let kind = one(dice, &kinds);
                lines.push(match dice.below(5) {
                    0 => format!("@binding({binding}) @group({group}) {kind};\n"),
                    _ => format!("@group({group}) @binding({binding}) {kind};\n"),
                });
            }
            let others = [
                "// @binding(20)\n",
                "const SIZE = 64;\n",
                "struct Params {\n  @size(32) scale: f32,\n}\n",
                "@compute @workgroup_size(64)\nfn main() {\n  sink[0] = 20u;\n}\n",
            ];
            mixed(dice, lines, &others).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-fifth: plain: members: WGSL with a struct that has two members of the same name",
        grammar: "",
        input: concat!(
            "struct Vertex {\n  @location(0) position: vec3<f32>,\n  @location(1) color: vec4<f32>,\n}\n\n",
            "struct Light {\n  color: vec3<f32>,\n  // range: f32,\n  range: f32,\n  position: vec3<f32>,\n",
            "  angles: array<f32, 4>,\n  range: u32,\n}\n\n@group(0) @binding(0) var<uniform> light: Light;\n\n",
            "@vertex\nfn main(vertex: Vertex) -> @builtin(position) vec4<f32> {\n",
            "  let color = vertex.color;\n  return vec4<f32>(vertex.position, color.a);\n}\n"
        ),
        valid: any,
        fails: |input| structs(input).iter().any(|names| has_twins(names)),
        draw: |dice| {
            let mut parts = Vec::new();
            for at in 0..1 + dice.below(3) {
                let known = ["position", "color", "range", "color2", "uv", "normal", "weight"];
                let mut members = picked(dice, &known, 5, 32);
                for (at, member) in members.iter_mut().enumerate() {
                    let kind = one(dice, &["f32", "u32", "vec3<f32>", "array<f32, 4>"]);
                    let start = match dice.below(3) {
                        0 => format!("@location({at}) "),
                        _ => String::new(),
                    };
                    *member = format!("{start}{member}: {kind}");
                }
                let by = one(dice, &[",\n  ", ",\n  ", ", ", ",\n  // range: f32,\n  "]);
                let name = one(dice, &["Vertex", "Light", "Params"]);
                let members = members.join(by);
                parts.push(format!("struct {name}{at} {{\n  {members},\n}}\n"));
            }
            let others = [
                "@group(0) @binding(0) var<uniform> light: Light0;\n",
                "fn f(color: f32) -> f32 {\n  let range: f32 = color;\n  return range;\n}\n",
                "fn g() {\n  var uv: u32 = 4;\n  var weight: u32 = uv;\n}\n",
                "// struct Old { uv: f32, uv: f32 }\n",
            ];
            mixed(dice, parts, &others).join(one(dice, &["", "\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-fifth: plain: strings: C with a char array of exactly as many characters as its text",
        grammar: "",
        input: concat!(
            "#include <stdio.h>\n\n// char old[3] = \"old\";\nint sizes[4] = {1, 2, 3, 4};\n",
            "static const char title[16] = \"seed smith\";\nchar unit[4] = \"ms\";\n",
            "char magic[6] = \"GIF89a\";\nconst char *mode = \"rb\";\nchar path[64];\n\n",
            "int main(void) {\n    char name[] = \"four\";\n    printf(\"%s %s\\n\", title, name);\n",
            "    return sizes[2];\n}\n"
        ),
        valid: any,
        fails: |input| texts(input).iter().any(|(size, count)| *size == *count as u64),
        draw: |dice| {
            let mut lines = Vec::new();
            for _ in 0..1 + dice.below(4) {
                let mut text = word(dice, 8);
                if chance(dice, 30) {
                    text = format!("{text} {}", word(dice, 4));
                }
                let size = counted(dice, text.len(), 24);
                let start = one(dice, &["char ", "char ", "static char ", "const char "]);
                let name = name(dice);
                lines.push(format!("{start}{name}[{size}] = \"{text}\";\n"));
            }
            let others = [
                "#include <stdio.h>\n",
                "// char old[3] = \"old\";\n",
                "int sizes[4] = {1, 2, 3, 4};\n",
                "const char *mode = \"rb\";\n",
                "char path[64];\n",
            ];
            let end = extras(dice, &["int main(void) {\n    return sizes[2];\n}\n"]).concat();
            mixed(dice, lines, &others).concat() + &end
        },
        patterns: &[],
    },
];
