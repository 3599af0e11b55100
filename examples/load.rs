fn main() {
    for a in std::env::args().skip(1) {
        match seedsmith::grammar::g4::load(&[&a]) {
            Ok(g) => println!("ok {a} {}", g.rules.len()),
            Err(e) => println!("ERR {e}"),
        }
    }
}
