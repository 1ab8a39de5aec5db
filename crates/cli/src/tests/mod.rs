//! Tests of the whole program in one process: all kinds, recall, the hook and maintenance together.

mod year;
