//! Which entries are meant, as `get` and `clear` are told.

use super::WhereArgs;

/// A compartment, and the filters of its entries.
#[derive(Debug, clap::Args)]
pub(crate) struct FilterArgs {
    /// run, session or plan
    pub(super) compartment: String,
    /// Only the entry with this id
    #[arg(long)]
    pub(super) id: Option<String>,
    /// Only entries of this category
    #[arg(short, long)]
    pub(super) category: Option<String>,
    /// Only entries that have any of these tags
    #[arg(short, long, value_delimiter = ',', value_name = "TAG,…")]
    pub(super) tags: Option<Vec<String>>,
    #[command(flatten)]
    pub(super) place: WhereArgs,
}
