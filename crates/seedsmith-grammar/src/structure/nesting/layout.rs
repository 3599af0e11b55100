//! Whether a text is laid out in brackets or in lines, guessed from the text alone.

/// How a text is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Brackets that nest, with separators between their contents.
    Brackets,
    /// One statement a line.
    Lines,
}

impl Layout {
    /// The likelier layout of a text: lines, if of several lines few lie within brackets.
    ///
    /// Damage may have made a bracket of a letter or a letter of a bracket, so one of any kind
    /// closes the last that is open. One without a partner counts only where it looks like the bracket
    /// of a block: an opener that ends a line, up to the text's end, and a closer that begins one, from
    /// the text's start.
    ///
    /// Cost: once through the text.
    pub fn guess(text: &[u8]) -> Layout {
        // For each line, how many more blocks are around it than around the line before it.
        let mut steps: Vec<isize> = vec![0];
        let mut open: Vec<(usize, bool)> = Vec::new();
        for line in text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii) {
            if line.is_empty() {
                continue;
            }
            let number = steps.len() - 1;
            steps.push(0);
            for (at, byte) in line.iter().enumerate() {
                match byte {
                    b'{' | b'[' | b'(' => open.push((number, at + 1 == line.len())),
                    b'}' | b']' | b')' => {
                        let lone = (at == 0).then_some((0, true));
                        let Some((first, _)) = open.pop().or(lone) else { continue };
                        steps[first] += 1;
                        steps[number] -= 1;
                    }
                    _ => {}
                }
            }
        }
        steps.pop();
        for (first, _) in open.iter().filter(|(_, ends_line)| *ends_line) {
            steps[*first] += 1;
        }
        let mut depth = 0;
        let is_within = |step: &&isize| {
            depth += **step;
            depth > 0
        };
        let within = steps.iter().filter(is_within).count();
        if steps.len() > 2 && within * 4 < steps.len() { Layout::Lines } else { Layout::Brackets }
    }

    /// The other one.
    pub fn other(self) -> Layout {
        match self {
            Layout::Brackets => Layout::Lines,
            Layout::Lines => Layout::Brackets,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_on_lines_of_their_own_are_lines_and_nested_ones_are_not() {
        assert_eq!(Layout::guess(b"[a]\nb = 1\nc = [2]\n"), Layout::Lines);
        assert_eq!(Layout::guess(b"digraph {\n a -> b\n c -> d\n}\n"), Layout::Brackets);
        assert_eq!(Layout::guess(br#"{"a":1}"#), Layout::Brackets);
    }

    #[test]
    fn a_bracket_that_damage_made_or_took_changes_no_layout() {
        let nested = "{\n \"a\": 1,\n \"b\": [2],\n \"c\": 3,\n \"d\": 4\n}\n";
        assert_eq!(Layout::guess(nested.as_bytes()), Layout::Brackets);
        assert_eq!(Layout::guess(nested.replacen('{', "y", 1).as_bytes()), Layout::Brackets);
        assert_eq!(Layout::guess(nested.replacen('}', "", 1).as_bytes()), Layout::Brackets);
        assert_eq!(Layout::guess(nested.replacen('1', "}", 1).as_bytes()), Layout::Brackets);
        let flat = "[a]\nb = 1\nc = 2\n[d]\ne = 3\nf = 4\n";
        assert_eq!(Layout::guess(flat.replacen(']', "", 1).as_bytes()), Layout::Lines);
        assert_eq!(Layout::guess(flat.replacen("= 1", "{ 1", 1).as_bytes()), Layout::Lines);
        assert_eq!(Layout::guess(flat.replacen('2', "}", 1).as_bytes()), Layout::Lines);
    }
}
