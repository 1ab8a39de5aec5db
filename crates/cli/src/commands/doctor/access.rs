//! Whether we may read and write what is ours. What may not be changed is not damaged.

use std::path::PathBuf;

use memory_files::{Files, Found, Spot};

use super::Patient;
use super::check::{Check, first_of};
use super::stores::{self, Store};
use crate::house::House;

const REMEDY: &str = "'memory doctor --fix' makes files 0600 and folders 0700";

/// Opens what is closed; returns the paths.
pub(super) fn open(house: &House) -> Vec<PathBuf> {
    let roots = stores::all(house).into_iter().map(|store| store.root);
    roots
        .flat_map(|root| open_below(&house.ground.files, &root))
        .collect()
}

/// Opens folder after folder: what is in a closed one is not seen.
fn open_below(files: &Files, root: &Spot) -> Vec<PathBuf> {
    let mut opened = Vec::new();
    loop {
        let store = Store {
            name: "",
            root: root.clone(),
            found: files.walk(root),
        };
        let closed: Vec<&Found> = store.ours().filter(|one| one.is_closed()).collect();
        let news: Vec<PathBuf> = closed
            .iter()
            .filter(|one| one.open().is_ok())
            .map(|one| one.at.path())
            .collect();
        // A disk that can't be written to lets itself be opened, and stays closed.
        if news.iter().all(|path| opened.contains(path)) {
            return opened;
        }
        opened.extend(news);
    }
}

/// Tells what of a store is closed, and what was.
pub(super) fn check(store: &Store, patient: &Patient<'_>) -> Option<Check> {
    let title = format!("{} access", store.name);
    let closed: Vec<&Found> = store.ours().filter(|one| one.is_closed()).collect();
    let opened: Vec<&PathBuf> = patient
        .opened
        .iter()
        .filter(|path| path.starts_with(store.root.path()))
        .collect();
    let which = first_of(&closed, |one| one.at.path().display().to_string());
    let detail = format!("Not readable and writable: {which}");
    match (closed.is_empty(), patient.fixes) {
        (false, false) => Some(Check::bad(title, detail, REMEDY)),
        (false, true) => Some(Check::bad(
            title,
            detail,
            "Check its owner, and whether the disk is writable",
        )),
        (true, _) if opened.is_empty() => None,
        (true, _) => {
            let which = first_of(&opened, |path| path.display().to_string());
            Some(Check::fixed(
                title,
                format!("Made readable and writable: {which}"),
            ))
        }
    }
}
