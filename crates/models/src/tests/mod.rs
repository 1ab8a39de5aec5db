//! Models as the rest of the house meets them: installed, chosen, asked over a wire.

mod choosing;
mod downloads;
mod endpoints;
