//! Prints the terms of each line of standard input, or with `--speed` how many it reads in a second.

#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use std::io::Read;
use std::time::Instant;

use memory_text::terms;

fn main() -> std::io::Result<()> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    if std::env::args().any(|argument| argument == "--speed") {
        let (start, mut count) = (Instant::now(), 0usize);
        text.lines()
            .for_each(|line| terms::each_term(line, |_, _| count += 1));
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{:.0} terms/s, {:.1} MB/s",
            count as f64 / seconds,
            text.len() as f64 / seconds / 1e6
        );
    } else {
        text.lines()
            .for_each(|line| println!("{}", terms::terms(line).join(" ")));
    }
    Ok(())
}
