//! Loading a model from a hub: file by file, going on where it stopped, checked before it is used.
//!
//! Files wait beside the installed models until all of them are there and the weights have the
//! checksum that the hub names. What a broken line, a full disk or a crash leaves is used next time.

use std::io::Read;
use std::time::Duration;

use memory_core::Progress;
use memory_files::Spot;
use memory_http::{Client, HeaderMap, Uri};
use sha2::{Digest, Sha256};

use crate::encoder::{OTHER_BYTES, WEIGHT_BYTES};
use crate::http::{Answer, bare, client, unreachable};
use crate::store::{Installed, ModelName, ModelStore};
use crate::{Known, ModelError};

/// A file of a model.
struct File {
    name: &'static str,
    is_needed: bool,
    /// A longer one is refused.
    most_bytes: u64,
}

impl File {
    const fn of(name: &'static str, is_needed: bool, most_bytes: u64) -> Self {
        File {
            name,
            is_needed,
            most_bytes,
        }
    }
}

/// What a folder of a hub has; configuration and weights must be there, and one of the vocabularies.
const FILES: &[File] = &[
    File::of("config.json", true, MEGABYTE),
    File::of("vocab.txt", false, 16 * MEGABYTE),
    File::of("tokenizer.json", false, OTHER_BYTES),
    File::of("tokenizer_config.json", false, 4 * MEGABYTE),
    File::of("1_Pooling/config.json", false, MEGABYTE),
    File::of("sentence_bert_config.json", false, MEGABYTE),
    File::of("config_sentence_transformers.json", false, MEGABYTE),
    File::of(WEIGHTS, true, WEIGHT_BYTES),
];
/// Hosts from which Hugging Face and its mirrors give large files, and hosts below them.
const STORES: [&str; 2] = ["hf.co", "huggingface.co"];
/// Notes which weights were installed first, beside the models.
const DIGEST_ENDING: &str = ".sha256";
const DIGEST_BYTES: u64 = 4096;
const WEIGHTS: &str = "model.safetensors";
/// Bytes that are loaded before they are kept.
const CHUNK: usize = 4 << 20;
const REDIRECTS: usize = 6;
const MEGABYTE: u64 = 1 << 20;

/// A server that has models, laid out as Hugging Face lays them out.
#[derive(Debug, Clone)]
pub struct Hub {
    base_url: String,
    patience: Duration,
}

impl Hub {
    /// Returns the hub at a URL such as `https://huggingface.co`.
    pub fn new(base_url: &str) -> Self {
        Hub {
            base_url: base_url.trim_end_matches('/').to_owned(),
            patience: Duration::from_secs(30),
        }
    }
}

/// What is to be loaded.
#[derive(Debug, Clone)]
pub struct Wanted {
    pub name: ModelName,
    pub repository: String,
    /// The checksum of the weights, if the user knows it; else the hub's is used.
    pub sha256: Option<String>,
}

impl Wanted {
    /// Returns a model that we know, under its own name.
    pub fn known(known: &Known) -> Result<Self, ModelError> {
        let name = ModelName::parse(known.name)?;
        Ok(Wanted {
            name,
            repository: known.repository.to_owned(),
            sha256: known.sha256.map(str::to_owned),
        })
    }
}

impl ModelStore {
    /// Loads a model and installs it.
    pub fn download(
        &self,
        hub: &Hub,
        wanted: &Wanted,
        progress: &dyn Progress,
    ) -> Result<Installed, ModelError> {
        let waiting = self.waiting(&wanted.name);
        self.files.ensure_folder(&waiting)?;
        let lock = waiting.join(".lock");
        let busy = || ModelError::Busy {
            name: wanted.name.as_str().to_owned(),
        };
        let _held = self.files.try_lock(&lock)?.ok_or_else(busy)?;
        let client = client(hub.patience).map_err(|error| unreachable(&hub.base_url, &error))?;
        let loader = Loader {
            store: self,
            client,
            hub,
            waiting: &waiting,
            progress,
        };
        // The weights come last.
        let mut weights = String::new();
        for file in FILES {
            let url = format!(
                "{}/{}/resolve/main/{}",
                hub.base_url, wanted.repository, file.name
            );
            let sum = if file.name == WEIGHTS {
                wanted.sha256.as_deref()
            } else {
                None
            };
            match loader.load(&url, file, sum) {
                Err(ModelError::Refused { status: 404, .. }) if !file.is_needed => {}
                other => weights = other?,
            }
        }
        self.compare_with_first(wanted, &weights)?;
        let installed = self.install_folder(&wanted.name, &waiting.path())?;
        let digest = self.digest(&wanted.name);
        self.files.replace(
            &digest,
            format!("{weights} {}\n", wanted.repository).as_bytes(),
        )?;
        loader.clean();
        Ok(installed)
    }

    /// Fails if other weights were installed from this repository before, unless the user knows the sum of
    /// these.
    fn compare_with_first(&self, wanted: &Wanted, weights: &str) -> Result<(), ModelError> {
        let seen = self.files.read(&self.digest(&wanted.name), DIGEST_BYTES)?;
        let noted = seen.map(|seen| String::from_utf8_lossy(&seen.bytes).trim().to_owned());
        let first = noted.as_deref().and_then(|noted| noted.split_once(' '));
        match first.filter(|(_, repository)| *repository == wanted.repository) {
            Some((first, _)) if first != weights && wanted.sha256.is_none() => {
                Err(ModelError::Changed {
                    repository: wanted.repository.clone(),
                    first: first.to_owned(),
                    now: weights.to_owned(),
                })
            }
            _ => Ok(()),
        }
    }

    fn digest(&self, name: &ModelName) -> Spot {
        self.beside(name, DIGEST_ENDING)
    }
}

struct Loader<'a> {
    store: &'a ModelStore,
    client: Client,
    hub: &'a Hub,
    waiting: &'a Spot,
    progress: &'a dyn Progress,
}

/// What a server says of a file before it is loaded.
struct Promise {
    /// Changes with the file's content; none when it can't be told.
    tag: Option<String>,
    size: Option<u64>,
    sha256: Option<String>,
}

impl Loader<'_> {
    /// Loads one file, or the rest of it, and checks it; returns its checksum.
    fn load(&self, url: &str, file: &File, sha256: Option<&str>) -> Result<String, ModelError> {
        let promise = self.promise(url)?;
        if promise.size.is_some_and(|size| size > file.most_bytes) {
            return Err(too_large(file));
        }
        let at = self.waiting.join(file.name);
        if let Some(folder) = at.parent() {
            self.store.files.ensure_folder(&folder)?;
        }
        let has = self.part_of(&at, &promise)?;
        if promise.size != Some(has) || has == 0 {
            self.fetch(url, &at, has, promise.size, file)?;
        }
        let expected = sha256.map(str::to_ascii_lowercase).or(promise.sha256);
        let sum = self.sum(&at)?;
        if expected.is_none_or(|expected| sum == expected) {
            Ok(sum)
        } else {
            self.store.files.remove(&at)?;
            Err(ModelError::BadChecksum {
                file: file.name.to_owned(),
            })
        }
    }

    fn promise(&self, url: &str) -> Result<Promise, ModelError> {
        let answer = bare("HEAD", url, &[]).and_then(|request| self.client.send(request));
        let answer = answer.map_err(|error| unreachable(url, &error))?;
        let status = answer.status();
        if !status.is_success() && !status.is_redirection() {
            return Err(ModelError::Refused {
                url: url.to_owned(),
                status: status.as_u16(),
            });
        }
        let said = |name: &str| {
            header(answer.headers(), name).map(|value| value.trim_matches('"').to_owned())
        };
        // A redirect has no length of its own, but the hub tells that of what it leads to.
        let own_size = || {
            if status.is_success() {
                said("content-length")
            } else {
                None
            }
        };
        let linked = said("x-linked-etag");
        let is_sum =
            |tag: &String| tag.len() == 64 && tag.bytes().all(|byte| byte.is_ascii_hexdigit());
        Ok(Promise {
            sha256: linked.clone().filter(is_sum),
            tag: linked.or_else(|| said("etag")),
            size: said("x-linked-size")
                .or_else(own_size)
                .and_then(|size| size.parse().ok()),
        })
    }

    /// Returns how much of the promised file is there already; what belongs to another goes.
    fn part_of(&self, at: &Spot, promise: &Promise) -> Result<u64, ModelError> {
        let files = &self.store.files;
        let note = beside(at, "tag");
        let noted = files.read(&note, 4096)?.map(|seen| seen.bytes);
        let has = files.stamp(at)?.map_or(0, |stamp| stamp.size);
        let is_same =
            promise.tag.is_some() && noted.as_deref() == promise.tag.as_deref().map(str::as_bytes);
        if is_same && promise.size.is_none_or(|size| has <= size) {
            return Ok(has);
        }
        files.remove(at)?;
        files.replace(&note, promise.tag.as_deref().unwrap_or_default().as_bytes())?;
        Ok(0)
    }

    fn fetch(
        &self,
        url: &str,
        at: &Spot,
        has: u64,
        size: Option<u64>,
        file: &File,
    ) -> Result<(), ModelError> {
        let mut answer = self.get(url, has)?;
        let has = match answer.status().as_u16() {
            206 => has,
            _ => {
                // The server begins anew, so we do too.
                self.store.files.remove(at)?;
                0
            }
        };
        let total = has
            + header(answer.headers(), "content-length")
                .and_then(|n| n.parse().ok())
                .unwrap_or(0);
        let done = self.keep(url, &mut answer, (at, file), has, size.unwrap_or(total))?;
        if size.is_none_or(|size| done == size) {
            Ok(())
        } else {
            Err(unreachable(url, &"the connection ended early"))
        }
    }

    /// Asks for a file from an offset, following redirects.
    fn get(&self, url: &str, from: u64) -> Result<Answer, ModelError> {
        let mut here = url.to_owned();
        for _ in 0..REDIRECTS {
            let range = format!("bytes={from}-");
            let headers: &[(&str, &str)] = if from > 0 { &[("range", &range)] } else { &[] };
            let answer = bare("GET", &here, headers).and_then(|request| self.client.send(request));
            let answer = answer.map_err(|error| unreachable(url, &error))?;
            let status = answer.status();
            match header(answer.headers(), "location") {
                Some(there) if status.is_redirection() => here = self.next(&here, there)?,
                _ if status.is_success() => return Ok(answer),
                _ => {
                    return Err(ModelError::Refused {
                        url: url.to_owned(),
                        status: status.as_u16(),
                    });
                }
            }
        }
        Err(unreachable(url, &"too many redirects"))
    }

    /// Returns where a redirect leads: to the hub itself, or encrypted to a host that is known for its files.
    fn next(&self, here: &str, there: &str) -> Result<String, ModelError> {
        let next = next_url(here, there);
        if is_allowed(&self.hub.base_url, &next) {
            Ok(next)
        } else {
            Err(ModelError::Elsewhere {
                url: here.to_owned(),
                next,
            })
        }
    }

    fn keep(
        &self,
        url: &str,
        answer: &mut Answer,
        (at, file): (&Spot, &File),
        has: u64,
        total: u64,
    ) -> Result<u64, ModelError> {
        let reader = answer.body_mut();
        let name = at.name().to_string_lossy().into_owned();
        let mut done = has;
        loop {
            let mut chunk = Vec::new();
            let read = reader.by_ref().take(CHUNK as u64).read_to_end(&mut chunk);
            if done + chunk.len() as u64 > file.most_bytes {
                self.store.files.remove(at)?;
                return Err(too_large(file));
            }
            if !chunk.is_empty() {
                self.store.files.append(at, &chunk)?;
                done += chunk.len() as u64;
                self.progress.advance(
                    (done / MEGABYTE) as usize,
                    (total / MEGABYTE) as usize,
                    &name,
                );
            }
            read.map_err(|error| unreachable(url, &error))?;
            if chunk.is_empty() {
                return Ok(done);
            }
        }
    }

    fn sum(&self, at: &Spot) -> Result<String, ModelError> {
        let file = self.store.files.map(at)?.ok_or(ModelError::Damaged)?;
        let sum = Sha256::digest(&*file)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        if file.is_broken() {
            Err(ModelError::Damaged)
        } else {
            Ok(sum)
        }
    }

    /// Removes what has been installed. It is no failure when something stays.
    fn clean(&self) {
        for file in FILES {
            let at = self.waiting.join(file.name);
            let _ = self.store.files.remove(&beside(&at, "tag"));
            let _ = self.store.files.remove(&at);
        }
        let _ = self.store.files.remove(&self.waiting.join("1_Pooling"));
        let _ = self.store.files.remove(&self.waiting.join(".lock"));
        let _ = self.store.files.remove(self.waiting);
    }
}

fn beside(at: &Spot, ending: &str) -> Spot {
    let name = format!("{}.{ending}", at.name().to_string_lossy());
    at.parent()
        .map_or_else(|| at.join(&name), |folder| folder.join(&name))
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn too_large(file: &File) -> ModelError {
    ModelError::TooLarge {
        file: file.name.to_owned(),
        limit: file.most_bytes,
    }
}

/// Says whether files of a hub may come from a URL.
fn is_allowed(hub: &str, url: &str) -> bool {
    let parts = |url: &str| {
        let uri: Uri = url.parse().ok()?;
        let authority = uri.authority()?;
        let host = authority.host().to_ascii_lowercase();
        let has_user = authority.as_str().contains('@');
        (!has_user).then(|| {
            (
                uri.scheme_str().map(str::to_owned),
                host,
                authority.port_u16(),
            )
        })
    };
    let Some(next) = parts(url) else { return false };
    let is_store = |host: &str| {
        STORES.iter().any(|store| {
            host.strip_suffix(store)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        })
    };
    let (scheme, host, port) = &next;
    let is_known =
        scheme.as_deref() == Some("https") && port.is_none_or(|port| port == 443) && is_store(host);
    is_known || parts(hub) == Some(next)
}

/// Returns where a redirect leads, which may be said from the server's root.
fn next_url(here: &str, there: &str) -> String {
    let host_end = || {
        let from = here.find("://").map_or(0, |at| at + 3);
        here[from..].find('/').map_or(here.len(), |at| from + at)
    };
    if there.starts_with('/') {
        format!("{}{there}", &here[..host_end()])
    } else {
        there.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_lead_to_the_hub_or_encrypted_to_known_hosts() {
        let check =
            |hub: &str, next: &str, expected| assert_eq!(is_allowed(hub, next), expected, "{next}");
        let hub = "https://huggingface.co";
        for next in [
            "https://huggingface.co/api/resolve-cache/x",
            "https://cdn-lfs.huggingface.co/x",
            "https://cas-bridge.xethub.hf.co/x?y=z",
        ] {
            check(hub, next, true);
        }
        for next in [
            "http://huggingface.co/x",
            "http://cdn-lfs.hf.co/x",
            "https://evil.example/x",
            "https://evilhf.co/x",
            "https://hf.co.evil.example/x",
            "https://hf.co@evil.example/x",
            "https://u@hf.co/x",
            "https://hf.co:8443/x",
            "file:///etc/passwd",
            "//evil.example/x",
        ] {
            check(hub, next, false);
        }
        check("http://127.0.0.1:8080", "http://127.0.0.1:8080/store", true);
        check("http://127.0.0.1:8080", "http://127.0.0.1:22/", false);
        check(
            "http://127.0.0.1:8080",
            "http://169.254.169.254/latest",
            false,
        );
        check("https://models.lan:8443", "https://models.lan:8443/x", true);
    }
}
