//! Which documents stand beside each other: those of threads, in the order of threads and places.

use std::ops::Range;

use super::facts::Columns;
use crate::bytes::Part;

/// The documents that stand in threads, sorted.
#[derive(Debug)]
pub(crate) struct Threads {
    order: Part,
}

impl Threads {
    pub(crate) fn new(order: Part) -> Self {
        Threads { order }
    }

    /// Returns the documents of a thread with places in a range, in their order.
    pub(crate) fn within<'a>(
        &'a self,
        columns: &'a Columns,
        thread: u64,
        places: Range<u64>,
    ) -> impl Iterator<Item = (u64, u32)> + use<'a> {
        let standing = move |n: usize| columns.standing(self.order.u32(n).unwrap_or(u32::MAX) as usize);
        let (mut low, mut high) = (0, self.order.len() / 4);
        while low < high {
            let middle = low.midpoint(high);
            match standing(middle) < (thread, places.start) {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        (low..self.order.len() / 4)
            .map(move |n| (standing(n), self.order.u32(n).unwrap_or(u32::MAX)))
            .take_while(move |((found, place), _)| *found == thread && *place < places.end)
            .map(|((_, place), document)| (place, document))
    }
}

/// Returns the order of documents as bytes, from the thread and place of each.
pub(crate) fn write(standings: impl Iterator<Item = (u64, u64)>) -> Vec<u8> {
    let mut order: Vec<(u64, u64, u32)> = standings
        .enumerate()
        .filter(|(_, (thread, _))| *thread != 0)
        .map(|(n, (thread, place))| (thread, place, n as u32))
        .collect();
    order.sort_unstable();
    order.iter().flat_map(|(_, _, document)| document.to_le_bytes()).collect()
}
