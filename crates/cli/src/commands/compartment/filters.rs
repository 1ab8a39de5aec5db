//! Which entries are meant, as `get` and `clear` are told.

/// The filters of entries.
#[derive(Debug, clap::Args)]
pub(super) struct FilterArgs {
    /// The entry of this id
    #[arg(long)]
    pub(super) id: Option<String>,
    /// Entries of this category
    #[arg(short, long)]
    pub(super) category: Option<String>,
    /// Entries that have any of these tags
    #[arg(short, long, value_delimiter = ',', value_name = "TAG,…")]
    pub(super) tags: Option<Vec<String>>,
}
