//! Which models are active, by what is wished and what is installed.

use memory_testkit::Home;

use crate::encoder::tests::{files, write_hub_folder};
use crate::{ModelName, ModelStore, Reranker, Wishes, choose};

struct Place {
    home: Home,
    store: ModelStore,
}

fn place() -> Place {
    let home = Home::new();
    let store = ModelStore::new(files(), &home.spot());
    Place { home, store }
}

impl Place {
    fn install(&self, name: &str, architecture: &str) {
        let folder = Home::new();
        write_hub_folder(folder.path(), architecture);
        self.store
            .install_folder(&ModelName::parse(name).unwrap(), folder.path())
            .unwrap();
    }

    /// Returns the embedding model, the reranker and how many wishes could not be met.
    fn choose(&self, embedding: &str, reranker: &str) -> (String, String, usize) {
        let wishes = Wishes {
            embedding: embedding.to_owned(),
            reranker: reranker.to_owned(),
            endpoint: None,
        };
        let chosen = choose(&wishes, Some(&self.store));
        let name = |id: &str| id.split('@').next().unwrap_or_default().to_owned();
        let reranker = match &chosen.reranker {
            Reranker::None => "none".to_owned(),
            Reranker::Late => "late".to_owned(),
            Reranker::Cross(model) => name(model.id()),
        };
        let embedder = chosen
            .embedder
            .as_ref()
            .map_or("none".to_owned(), |model| name(model.id()));
        (embedder, reranker, chosen.troubles.len())
    }

    #[track_caller]
    fn check(&self, wishes: (&str, &str), expected: (&str, &str, usize)) {
        let (embedder, reranker, troubles) = self.choose(wishes.0, wishes.1);
        assert_eq!((embedder.as_str(), reranker.as_str(), troubles), expected);
    }
}

#[test]
fn with_nothing_installed_the_model_inside_the_program_is_used() {
    let place = place();
    place.check(("auto", "auto"), ("built-in-1", "none", 0));
    place.check(("none", "auto"), ("none", "none", 0));
    place.check(("arctic-embed-s", "auto"), ("built-in-1", "none", 1));
    place.check(("openai:x", "late"), ("built-in-1", "none", 2));
    place.check(("../x", "none"), ("built-in-1", "none", 1));
}

#[test]
fn what_is_installed_is_used_and_what_is_named_goes_first() {
    let place = place();
    place.install("mine", "BertModel");
    place.install("bge-small-zh", "BertModel");
    place.check(("auto", "auto"), ("mine", "none", 0));
    place.install("arctic-embed-s", "BertModel");
    place.check(("auto", "auto"), ("arctic-embed-s", "late", 0));
    place.install("cross", "BertForSequenceClassification");
    place.check(("auto", "auto"), ("arctic-embed-s", "late", 0));
    place.check(("mine", "auto"), ("mine", "cross", 0));
    place.check(("built-in", "cross"), ("built-in-1", "cross", 0));
    place.check(("bge-small-zh", "none"), ("bge-small-zh", "none", 0));
    place.check(("cross", "mine"), ("built-in-1", "none", 2));
}

#[test]
fn a_damaged_model_is_listed_and_passed_over() {
    let place = place();
    place.install("mine", "BertModel");
    let file = place.home.path().join(".models/mine.safetensors");
    #[allow(clippy::disallowed_methods)] // a test looks behind the door's back
    std::fs::write(file, "no model").unwrap();
    assert_eq!(place.store.installed().unwrap()[0].task, None);
    place.check(("auto", "auto"), ("built-in-1", "none", 0));
    place.check(("mine", "auto"), ("built-in-1", "none", 1));
    place
        .store
        .remove(&ModelName::parse("mine").unwrap())
        .unwrap();
    assert!(place.store.installed().unwrap().is_empty());
}
