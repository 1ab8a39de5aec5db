//! Loading a model from a hub that is slow, wrong, gone or cut off.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use memory_core::{Ids, Silent};
use memory_files::{Breakage, Brittle, Disk, Files, RealDisk};
use memory_testkit::Home;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use sha2::{Digest, Sha256};

use crate::encoder::tests::write_hub_folder;
use crate::loopback::{Loopback, Reply, Request};
use crate::{Embed, Hub, ModelError, ModelName, ModelStore, Wanted, known};

/// The files of a small model, by their names.
fn shelf() -> BTreeMap<String, Vec<u8>> {
    let home = Home::new();
    write_hub_folder(home.path(), "BertModel");
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    home.snapshot()
        .into_iter()
        .map(|(path, bytes)| (name(&path), bytes))
        .collect()
}

/// Answers as a hub does: weights are behind a redirect, and their checksum is told.
fn answer(shelf: &BTreeMap<String, Vec<u8>>, request: &Request, sum: Option<&str>) -> Reply {
    let name = request.path.rsplit('/').next().unwrap_or_default();
    let Some(bytes) = shelf.get(name) else {
        return Reply::new(404, "");
    };
    let is_weights = name == "model.safetensors";
    if is_weights && request.path.contains("/resolve/main/") {
        let sum = sum.map_or_else(|| hex(bytes), str::to_owned);
        let redirect = Reply::new(302, "").with("location", format!("/store/{name}"));
        return redirect
            .with("x-linked-etag", format!("\"{sum}\""))
            .with("x-linked-size", bytes.len().to_string());
    }
    let from = request.header("range").and_then(|range| {
        range
            .strip_prefix("bytes=")?
            .strip_suffix('-')?
            .parse()
            .ok()
    });
    match from {
        Some(from) => Reply::new(206, &bytes[from..]),
        None => Reply::new(200, bytes.as_slice()).with("etag", format!("\"{}\"", hex(bytes))),
    }
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn wanted(sha256: Option<&str>) -> Wanted {
    let name = ModelName::parse("small-arctic-embed").unwrap();
    Wanted {
        name,
        repository: "someone/small".to_owned(),
        sha256: sha256.map(str::to_owned),
    }
}

fn store_on(home: &Home, disk: Arc<dyn Disk>) -> ModelStore {
    ModelStore::new(Files::new(disk, Ids::random()), &home.spot())
}

fn store(home: &Home) -> ModelStore {
    store_on(home, Arc::new(RealDisk::default()))
}

#[test]
fn a_model_is_loaded_checked_installed_and_nothing_else_stays() {
    let (home, files) = (Home::new(), shelf());
    let server = Loopback::new(move |request| answer(&files, request, None));
    let installed = store(&home)
        .download(&Hub::new(&server.url), &wanted(None), &Silent)
        .unwrap();
    assert_eq!(installed.dimensions, 32);
    let model = store(&home).embedder(&wanted(None).name).unwrap();
    assert_eq!(model.question("Hello, world!").unwrap().len(), 32);
    let left: Vec<_> = home.snapshot().into_keys().collect();
    assert_eq!(left.len(), 2, "the model and its digest: {left:?}");
}

#[test]
fn a_line_that_breaks_is_taken_up_where_it_broke() {
    let (home, files) = (Home::new(), shelf());
    let whole = files["model.safetensors"].len();
    let breaks = AtomicUsize::new(2);
    let server = Loopback::new(move |request| {
        let mut reply = answer(&files, request, None);
        let is_weights = request.path.starts_with("/store/") && request.method == "GET";
        if is_weights
            && breaks
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1))
                .is_ok()
        {
            reply.cut = Some(10_000);
        }
        reply
    });
    let hub = Hub::new(&server.url);
    for _ in 0..2 {
        let failed = store(&home)
            .download(&hub, &wanted(None), &Silent)
            .unwrap_err();
        assert!(matches!(failed, ModelError::Unreachable { .. }), "{failed}");
        assert!(store(&home).installed().unwrap().is_empty());
    }
    store(&home).download(&hub, &wanted(None), &Silent).unwrap();
    let asked = server.asked();
    let ranges: Vec<_> = asked
        .iter()
        .filter(|r| r.path.starts_with("/store/"))
        .map(|r| r.header("range"))
        .collect();
    assert_eq!(ranges, [None, Some("bytes=10000-"), Some("bytes=20000-")]);
    assert!(whole > 20_000);
}

#[test]
fn weights_with_another_checksum_are_refused_and_loaded_anew() {
    let (home, files) = (Home::new(), shelf());
    let wrong = "0".repeat(64);
    let said = wrong.clone();
    let lying = Loopback::new({
        let files = files.clone();
        move |request| answer(&files, request, Some(&said))
    });
    let failed = store(&home)
        .download(&Hub::new(&lying.url), &wanted(None), &Silent)
        .unwrap_err();
    assert!(matches!(failed, ModelError::BadChecksum { .. }), "{failed}");
    let honest = Loopback::new(move |request| answer(&files, request, None));
    let failed = store(&home)
        .download(&Hub::new(&honest.url), &wanted(Some(&wrong)), &Silent)
        .unwrap_err();
    assert!(matches!(failed, ModelError::BadChecksum { .. }), "{failed}");
    assert!(store(&home).installed().unwrap().is_empty());
    store(&home)
        .download(&Hub::new(&honest.url), &wanted(None), &Silent)
        .unwrap();
}

#[test]
fn what_is_not_there_is_said_with_its_address() {
    let home = Home::new();
    let server = Loopback::new(|_| Reply::new(404, ""));
    let failed = store(&home)
        .download(&Hub::new(&server.url), &wanted(None), &Silent)
        .unwrap_err();
    assert_eq!(
        failed.to_string(),
        format!(
            "{}/someone/small/resolve/main/config.json answered 404",
            server.url
        )
    );
}

#[test]
fn a_disk_that_breaks_at_any_step_leaves_no_half_model_and_the_next_try_works() {
    let files = shelf();
    let server = Loopback::new(move |request| answer(&files, request, None));
    let hub = Hub::new(&server.url);
    for step in (0..).step_by(3) {
        let home = Home::new();
        let brittle = Arc::new(Brittle::new(Breakage::Fails, step));
        let ended = store_on(&home, brittle.clone()).download(&hub, &wanted(None), &Silent);
        let installed = store(&home).installed().unwrap();
        assert!(
            installed.iter().all(|model| model.task.is_some()),
            "step {step}"
        );
        if !brittle.has_broken() {
            ended.unwrap();
            break;
        }
        store(&home).download(&hub, &wanted(None), &Silent).unwrap();
    }
}

#[test]
fn weights_that_are_not_those_of_the_first_time_are_refused_unless_their_sum_is_named() {
    let (home, files) = (Home::new(), shelf());
    let sum = hex(&files["model.safetensors"]);
    let server = Loopback::new(move |request| answer(&files, request, None));
    store(&home)
        .download(&Hub::new(&server.url), &wanted(None), &Silent)
        .unwrap();
    let mut files = shelf();
    *files
        .get_mut("model.safetensors")
        .unwrap()
        .last_mut()
        .unwrap() ^= 1;
    let changed = hex(&files["model.safetensors"]);
    let server = Loopback::new(move |request| answer(&files, request, None));
    store(&home).remove(&wanted(None).name).unwrap();
    let failed = store(&home)
        .download(&Hub::new(&server.url), &wanted(None), &Silent)
        .unwrap_err();
    assert!(
        matches!(&failed, ModelError::Changed { first, .. } if *first == sum),
        "{failed}"
    );
    assert!(store(&home).installed().unwrap().is_empty());
    store(&home)
        .download(&Hub::new(&server.url), &wanted(Some(&changed)), &Silent)
        .unwrap();
    store(&home)
        .download(&Hub::new(&server.url), &wanted(None), &Silent)
        .unwrap();
}

#[test]
fn a_model_whose_weights_are_pinned_is_loaded_with_no_others() {
    let (home, files) = (Home::new(), shelf());
    let server = Loopback::new(move |request| answer(&files, request, None));
    let pinned = Wanted::known(known("all-MiniLM-L6-v2").unwrap()).unwrap();
    let failed = store(&home)
        .download(&Hub::new(&server.url), &pinned, &Silent)
        .unwrap_err();
    assert!(matches!(failed, ModelError::BadChecksum { .. }), "{failed}");
}

#[test]
fn files_that_are_too_large_are_refused_and_not_kept() {
    for announces in [true, false] {
        let (home, mut files) = (Home::new(), shelf());
        files.insert("config.json".to_owned(), vec![b' '; (1 << 20) + 1]);
        let server = Loopback::new(move |request| {
            let mut reply = answer(&files, request, None);
            // A hub that does not say at first how much is to come.
            if !announces && request.method == "HEAD" {
                reply.body.clear();
                reply
                    .headers
                    .push(("x-linked-size".to_owned(), "?".to_owned()));
            }
            reply
        });
        let failed = store(&home)
            .download(&Hub::new(&server.url), &wanted(None), &Silent)
            .unwrap_err();
        assert!(matches!(failed, ModelError::TooLarge { .. }), "{failed}");
        let largest = home
            .snapshot()
            .into_values()
            .map(|bytes| bytes.len())
            .max()
            .unwrap_or(0);
        assert!(largest < 1 << 20);
    }
}

#[test]
fn a_redirect_to_another_host_is_not_followed() {
    let (home, files) = (Home::new(), shelf());
    let other = Loopback::new(|_| Reply::new(200, "x"));
    let there = other.url.clone();
    let server = Loopback::new(move |request| {
        let mut reply = answer(&files, request, None);
        reply
            .headers
            .iter_mut()
            .filter(|(name, _)| name == "location")
            .for_each(|(_, to)| {
                *to = format!("{there}/model.safetensors");
            });
        reply
    });
    let failed = store(&home)
        .download(&Hub::new(&server.url), &wanted(None), &Silent)
        .unwrap_err();
    assert!(matches!(failed, ModelError::Elsewhere { .. }), "{failed}");
    assert!(other.asked().is_empty());
}

#[test]
#[allow(clippy::disallowed_methods)] // a test looks behind the door's back
fn a_folder_with_a_pipe_or_a_device_in_it_is_refused() {
    for file in ["config.json", "vocab.txt", "model.safetensors"] {
        let home = Home::new();
        let folder = home.path().join("model");
        std::fs::create_dir(&folder).unwrap();
        write_hub_folder(&folder, "BertModel");
        std::fs::remove_file(folder.join(file)).unwrap();
        // Not by a program: its process would hold the locks of other tests until it is running.
        let (kind, mode) = (FileType::Fifo, Mode::RUSR | Mode::WUSR);
        mknodat(CWD, folder.join(file), kind, mode, 0).unwrap();
        let failed = store(&home)
            .install_folder(&wanted(None).name, &folder)
            .unwrap_err();
        assert!(
            failed.to_string().contains("not a regular file"),
            "{failed}"
        );
    }
    let home = Home::new();
    let failed = store(&home)
        .install_file(&wanted(None).name, Path::new("/dev/zero"))
        .unwrap_err();
    assert!(
        failed.to_string().contains("not a regular file"),
        "{failed}"
    );
}

#[test]
#[allow(clippy::disallowed_methods)] // a test looks behind the door's back
fn a_model_whose_file_is_cut_while_it_is_open_answers_with_an_error() {
    let (home, files) = (Home::new(), shelf());
    let server = Loopback::new(move |request| answer(&files, request, None));
    store(&home)
        .download(&Hub::new(&server.url), &wanted(None), &Silent)
        .unwrap();
    let model = store(&home).embedder(&wanted(None).name).unwrap();
    let file = home.path().join(".models/small-arctic-embed.safetensors");
    std::fs::File::options()
        .write(true)
        .open(file)
        .unwrap()
        .set_len(0)
        .unwrap();
    assert_eq!(
        model.question("Hello, world!").unwrap_err().code,
        memory_core::Code::Corrupted
    );
}
