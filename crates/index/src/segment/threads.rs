//! Which documents stand beside each other: those of threads, in the order of threads and places.

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

    /// Returns the documents of a thread from a place on, with their places, in their order.
    pub(crate) fn from<'a>(
        &'a self,
        columns: &'a Columns,
        thread: u64,
        place: u64,
    ) -> impl Iterator<Item = (u64, u32)> + use<'a> {
        let begin = self.first_not_before(columns, (thread, place));
        self.of(columns, thread, begin..self.count())
    }

    /// Returns the documents of a thread before a place, the nearest first.
    pub(crate) fn before<'a>(
        &'a self,
        columns: &'a Columns,
        thread: u64,
        place: u64,
    ) -> impl Iterator<Item = (u64, u32)> + use<'a> {
        let end = self.first_not_before(columns, (thread, place));
        self.of(columns, thread, (0..end).rev())
    }

    /// Returns the documents at some places of the order, for as long as they are of a thread.
    fn of<'a>(
        &'a self,
        columns: &'a Columns,
        thread: u64,
        order: impl Iterator<Item = usize> + 'a,
    ) -> impl Iterator<Item = (u64, u32)> + 'a {
        let standing = |n: usize| {
            (
                columns.standing(self.document(n) as usize),
                self.document(n),
            )
        };
        order
            .map(standing)
            .take_while(move |((found, _), _)| *found == thread)
            .map(|((_, place), document)| (place, document))
    }

    fn first_not_before(&self, columns: &Columns, standing: (u64, u64)) -> usize {
        let (mut low, mut high) = (0, self.count());
        while low < high {
            let middle = low.midpoint(high);
            if columns.standing(self.document(middle) as usize) < standing {
                low = middle + 1
            } else {
                high = middle
            }
        }
        low
    }

    fn document(&self, n: usize) -> u32 {
        self.order.u32(n).unwrap_or(u32::MAX)
    }

    fn count(&self) -> usize {
        self.order.len() / 4
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
    order
        .iter()
        .flat_map(|(_, _, document)| document.to_le_bytes())
        .collect()
}
