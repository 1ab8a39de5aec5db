//! `expire`: removes entries past their time to live. The same work as `gc` by hand.

use std::sync::Arc;

use memory_core::{Actor, Cadence, Call, Done, Error, Report, Task};

use crate::scopes::Scopes;
use crate::tools::gc;

pub(crate) fn task(scopes: Arc<Scopes>) -> Task {
    Task::new("expire", Cadence::EveryRound, move |now, how| {
        let params = gc::Params {
            scope: None,
            older_than: None,
            dry_run: how.is_dry(),
        };
        let call = Call {
            by: Actor::Daemon,
            ..Call::alone(now)
        };
        let done = gc::run(&scopes, &call, params).map_err(Error::from)?;
        let line = |gone: &gc::Removed| {
            format!(
                "{}/{} ({}): {}",
                gone.bank, gone.key, gone.scope, gone.reason
            )
        };
        let report = Report::of(done.reply.removed.iter().map(line).collect());
        Ok(Done::changed(report, done.changes))
    })
}
