//! `cargo run --bin tmin crash-…` in this folder: finds, builds and runs the target itself.

fn main() -> std::process::ExitCode {
    seedsmith::cli::tmin_main()
}
