"""The figures of the house style: `tokens` reads Rust, `paths` finds what a file names, `modules` knows the
files and what they import, `figures` measures. `scripts/check-house` prints and has the limits."""
