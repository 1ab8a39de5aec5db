//! How fast a model is here, and what it makes of the lines of standard input.
//!
//!     cargo run --release -p memory-models --example measure -- built-in < lines
//!     cargo run --release -p memory-models --example measure -- FOLDER_OF_A_HUB [OUT.f32] < lines
//!
//! With a second argument the vectors are written there, as 32-bit floats one after the other.

#![allow(clippy::disallowed_methods, clippy::print_stdout)] // a tool for the people who work on this

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use memory_core::{Ids, Result};
use memory_files::{Files, RealDisk, Spot};
use memory_models::{Embed, ModelName, ModelStore, StaticModel};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut text = String::new();
    let _ = std::io::stdin().read_to_string(&mut text);
    let lines: Vec<&str> = text.lines().collect();
    let wanted = arguments.first().map_or("built-in", String::as_str);
    let (model, opened) = open(wanted)?;
    let first = model.question("When did we move to Berlin?")?;
    println!(
        "{} from opening to the first vector: {:?}, {} numbers",
        model.id(),
        opened.elapsed(),
        first.len()
    );
    let started = Instant::now();
    for _ in 0..20 {
        model.question(
            "the quick brown fox jumps over the lazy dog and then it sleeps in the warm sun",
        )?;
    }
    println!("one question: {:?}", started.elapsed() / 20);
    let started = Instant::now();
    let vectors = model.documents(&lines)?;
    let each = vectors.len() as f64 / started.elapsed().as_secs_f64();
    println!("{} lines, {each:.0} a second", vectors.len());
    if let Some(tokens) = model.tokens() {
        let kept = tokens.document_tokens(&lines[..lines.len().min(100)])?;
        let bytes: usize = kept.iter().map(|pieces| pieces.values.len()).sum();
        println!(
            "pieces for comparing late: {} bytes a line",
            bytes / kept.len().max(1)
        );
    }
    if let Some(out) = arguments.get(1) {
        let bytes: Vec<u8> = vectors
            .iter()
            .flatten()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        let _ = std::fs::write(out, bytes);
    }
    Ok(())
}

fn open(wanted: &str) -> Result<(Arc<dyn Embed>, Instant)> {
    if wanted == "built-in" {
        let opened = Instant::now();
        return Ok((Arc::new(StaticModel::built_in()?), opened));
    }
    let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
    let store = ModelStore::new(
        files,
        &Spot::anchor(std::env::temp_dir().join("memory-measure")),
    );
    let folder = Path::new(wanted);
    let name = ModelName::parse(&folder.file_name().unwrap_or_default().to_string_lossy())?;
    let started = Instant::now();
    let installed = store.install_folder(&name, folder)?;
    println!(
        "installed {} ({} bytes) in {:?}",
        installed.id,
        installed.bytes,
        started.elapsed()
    );
    let opened = Instant::now();
    Ok((Arc::new(store.embedder(&name)?), opened))
}
