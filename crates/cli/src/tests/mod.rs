//! Tests of the whole program in one process: all kinds, recall, the hook and maintenance together.
//! The reference of the documentation is generated here as well.

mod costs;
mod reference;
mod year;
