//! What the banks do unasked: one file a task.

mod expire;

use std::sync::Arc;

use memory_core::Task;

use crate::scopes::Scopes;

pub(crate) fn all(scopes: &Arc<Scopes>) -> Vec<Task> {
    vec![expire::task(scopes.clone())]
}
