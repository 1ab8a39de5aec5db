//! The flags that choose notes, which list, search and export share.

use memory_notes::{FilterParams, Phase};

#[derive(Debug, clap::Args)]
pub(super) struct FilterArgs {
    /// Only notes of this phase
    #[arg(long)]
    phase: Option<PhaseArg>,
    /// Only notes of this category
    #[arg(long)]
    category: Option<String>,
    /// Only notes of this scope: global or agent:NAME
    #[arg(long)]
    scope: Option<String>,
    /// Only notes from this source, such as claude
    #[arg(long)]
    source: Option<String>,
    /// Only notes with all of these tags
    #[arg(long, value_delimiter = ',', value_name = "TAG,…")]
    tags: Vec<String>,
    /// Match any of the tags instead of all
    #[arg(long, requires = "tags")]
    any_tag: bool,
    /// Only notes created on this day or later
    #[arg(long, value_name = "YYYY-MM-DD")]
    from: Option<String>,
    /// Only notes created on this day or earlier
    #[arg(long, value_name = "YYYY-MM-DD")]
    to: Option<String>,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum PhaseArg {
    Inbox,
    Organized,
}

impl From<FilterArgs> for FilterParams {
    fn from(args: FilterArgs) -> FilterParams {
        FilterParams {
            phase: args.phase.map(|phase| match phase {
                PhaseArg::Inbox => Phase::Inbox,
                PhaseArg::Organized => Phase::Organized,
            }),
            category: args.category,
            scope: args.scope,
            source: args.source,
            tags: args.tags,
            any_tag: args.any_tag,
            from: args.from,
            to: args.to,
            ..FilterParams::default()
        }
    }
}
