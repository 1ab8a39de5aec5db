//! The contract that every kind of memory keeps, and the small values they all share.
//!
//! Nothing here reads a file, prints a line or knows a kind by name. A kind brings [`Tool`]s,
//! [`Task`]s and [`Document`]s; the [`Registry`] carries calls to them, past hooks and events.

#[cfg(not(unix))]
compile_error!(
    "Memory runs on Linux and macOS. On Windows, build and run it in the Windows Subsystem for Linux (WSL)."
);

mod actor;
mod address;
mod broadcast;
mod change;
mod clock;
mod context;
mod document;
mod duration;
mod error;
mod fence;
mod fields;
mod hooks;
mod ids;
mod json;
mod kind;
mod misfit;
mod put_off;
mod recall;
mod registry;
mod schema;
mod secret;
mod session;
mod showing;
mod source;
mod survey;
mod task;
mod text;
mod tool;
mod undo;

pub use actor::Actor;
pub use address::Address;
pub use broadcast::{Broadcast, Heard};
pub use change::{Change, Done};
pub use clock::{Clock, Timestamp, instant, parse_instant};
pub use context::{Context, Piece};
pub use document::{DERIVED, Document, Expiry, Thread, tag_label, tags_of};
pub use duration::Span;
pub use error::{Code, Error, Result};
pub use fence::{Fenced, fence, fence_whole, without_fenced};
pub use fields::{Fields, json_string, leading_json, render_object};
pub use hooks::{Event, Hook, Listener};
pub use ids::Ids;
pub use json::{Json, JsonFlaw, MAX_DEPTH};
pub use kind::{Kind, Rehearsal};
pub use misfit::unknown_parameter;
pub use put_off::PutOff;
pub use recall::{
    Explain, Hit, Question, Recall, Recalled, Strictness, Tuning, asked_part, serialize_score,
};
pub use registry::{Offer, Registry};
pub use schema::parameters;
pub use secret::{find_secret, mask_secrets};
pub use session::Session;
pub use showing::{Argument, Arguments, Content, Prompt, Resource};
pub use source::Source;
pub use survey::{Flaw, Survey};
pub use task::{Cadence, Notice, Report, Task};
pub use text::{is_visible, nearest, printable, printable_lines, visible, visible_lines};
pub use tool::{Call, Declared, Effect, Progress, Silent, Tool, ToolSpec};
pub use undo::{Step, Undone};
