//! The face that a memory shows to search.

use crate::{Address, Timestamp};

/// A memory as search sees it: where it is, what it says, and what else is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    pub address: Address,
    /// A short name for lists.
    pub title: String,
    /// What is searched.
    pub text: String,
    /// Words to filter by: tags, scope, category.
    pub labels: Vec<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// How much it matters beside others that match as well, 1.0 being ordinary.
    pub weight: f32,
}
