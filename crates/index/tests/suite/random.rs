//! Random operations on stores, indexes and disks, against an index that is made anew each time.

use std::sync::Arc;

use memory_files::{Disk, RealDisk};
use memory_index::Index;
use memory_testkit::{Breakage, Brittle, Home};
use proptest::prelude::*;

use crate::common::*;

#[derive(Debug, Clone)]
enum Step {
    /// Writes documents with these texts into a part.
    Put {
        part: u8,
        texts: Vec<String>,
    },
    /// Adds one document to a part.
    Append {
        part: u8,
        text: String,
    },
    /// Takes one document out of a part.
    Drop {
        part: u8,
        n: usize,
    },
    Remove {
        part: u8,
    },
    Rename {
        from: u8,
        to: u8,
    },
    /// Changes the state of a part and nothing in it.
    Touch {
        part: u8,
    },
    /// Looks through one of the two open indexes.
    Look {
        index: usize,
    },
    /// Opens one of the indexes anew.
    Reopen {
        index: usize,
    },
    /// Opens one of the indexes on a disk that breaks, and looks.
    Break {
        index: usize,
        at: usize,
        dies: bool,
    },
    DeleteIndex,
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec("[a-g]{1,2}", 1..6).prop_map(|words| words.join(" "))
}

fn step() -> impl Strategy<Value = Step> {
    let part = 0..6_u8;
    prop_oneof![
        4 => (part.clone(), prop::collection::vec(text(), 0..8)).prop_map(|(part, texts)| Step::Put { part, texts }),
        4 => (part.clone(), text()).prop_map(|(part, text)| Step::Append { part, text }),
        2 => (part.clone(), 0..8_usize).prop_map(|(part, n)| Step::Drop { part, n }),
        2 => part.clone().prop_map(|part| Step::Remove { part }),
        1 => (part.clone(), part.clone()).prop_map(|(from, to)| Step::Rename { from, to }),
        1 => part.prop_map(|part| Step::Touch { part }),
        6 => (0..2_usize).prop_map(|index| Step::Look { index }),
        1 => (0..2_usize).prop_map(|index| Step::Reopen { index }),
        2 => (0..2_usize, 0..12_usize, any::<bool>()).prop_map(|(index, at, dies)| Step::Break { index, at, dies }),
        1 => Just(Step::DeleteIndex),
    ]
}

/// Opens an index; the second one watches.
fn opened(index: usize, disk: Arc<dyn Disk>, home: &Home, fake: &Arc<Fake>) -> Index {
    let opened = open_on(disk, home, &[fake]);
    if index == 1 {
        opened.watching()
    } else {
        opened
    }
}

struct World {
    home: Home,
    fake: Arc<Fake>,
    indexes: [Index; 2],
    made: u64,
}

impl World {
    fn new() -> Self {
        let home = Home::new();
        let folder = home.path().join("parts");
        std::fs::create_dir(&folder).unwrap();
        let fake = Arc::new(Fake {
            folder: Some(folder),
            names_files: true,
            ..Fake::default()
        });
        let indexes =
            [0, 1].map(|index| opened(index, Arc::new(RealDisk::default()), &home, &fake));
        World {
            home,
            fake,
            indexes,
            made: 0,
        }
    }

    /// Has whoever watches hear of a part.
    fn touch(&self, part: u8) {
        let folder = self.fake.folder.as_ref().unwrap();
        std::fs::write(folder.join(format!("part{part}")), "").unwrap();
    }

    fn edit(&mut self, part: u8, edit: impl FnOnce(&mut Vec<memory_core::Document>)) {
        let name = format!("part{part}");
        let mut documents = self
            .fake
            .store
            .lock()
            .unwrap()
            .parts
            .get(&name)
            .map(|part| part.2.clone())
            .unwrap_or_default();
        edit(&mut documents);
        self.made += 1;
        // A part that comes back after it was gone has a state that no one has seen before.
        self.fake
            .store
            .lock()
            .unwrap()
            .parts
            .insert(name, (self.made, false, documents));
        self.touch(part);
    }

    fn new_document(&mut self, part: u8, text: &str) -> memory_core::Document {
        self.made += 1;
        turn(
            &format!("{part}-{}", self.made),
            &format!("thread{}", part % 3),
            self.made,
            text,
        )
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Put { part, texts } => {
                let new: Vec<_> = texts
                    .iter()
                    .map(|text| self.new_document(*part, text))
                    .collect();
                self.edit(*part, |documents| *documents = new);
            }
            Step::Append { part, text } => {
                let new = self.new_document(*part, text);
                self.edit(*part, |documents| documents.push(new));
            }
            Step::Drop { part, n } => self.edit(*part, |documents| {
                if *n < documents.len() {
                    documents.remove(*n);
                }
            }),
            Step::Touch { part } => self.edit(*part, |_| {}),
            Step::Remove { part } => {
                self.fake.remove(&format!("part{part}"));
                self.touch(*part);
            }
            Step::Rename { from, to } => {
                let mut store = self.fake.store.lock().unwrap();
                if let Some(moved) = store.parts.remove(&format!("part{from}")) {
                    store.parts.insert(format!("part{to}"), moved);
                }
                drop(store);
                self.touch(*from);
                self.touch(*to);
            }
            Step::Look { index } => self.check(*index),
            Step::Reopen { index } => {
                self.indexes[*index] = opened(
                    *index,
                    Arc::new(RealDisk::default()),
                    &self.home,
                    &self.fake,
                );
            }
            Step::Break { index, at, dies } => {
                let breakage = if *dies {
                    Breakage::Dies
                } else {
                    Breakage::Fails
                };
                let disk: Arc<dyn Disk> = Arc::new(Brittle::new(breakage, *at));
                self.indexes[*index] = opened(*index, disk, &self.home, &self.fake);
                self.check(*index);
            }
            Step::DeleteIndex => {
                let _ = std::fs::remove_dir_all(self.home.path().join(".index"));
            }
        }
    }

    fn check(&self, index: usize) {
        assert_eq!(see(&look(&self.indexes[index])), see_fresh(&[&self.fake]));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_an_index_finds_what_a_new_one_would(steps in prop::collection::vec(step(), 1..40)) {
        let mut world = World::new();
        steps.iter().for_each(|step| world.take(step));
        world.check(0);
        world.check(1);
    }
}
