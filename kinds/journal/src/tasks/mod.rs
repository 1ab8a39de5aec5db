//! What the journal does unasked: one file a task.

mod archive;

use std::sync::Arc;

use memory_core::Task;

use crate::store::Store;

pub(crate) fn all(store: &Arc<Store>) -> Vec<Task> {
    vec![archive::task(store.clone())]
}
