//! How well does each of some texts answer a question, word piece by word piece, by a table of their meanings?
//!
//! The mean of a text's rows forgets what stood beside what. Here each piece of the question looks for the piece of
//! a text that is closest to it: the same word, or one that means nearly the same. It is late interaction without a
//! transformer, quick enough to be made anew for every question.

use crate::Closeness;
use crate::dots::dots_of_row;

/// What each e-fold of different pieces in a text is worth by chance: a long text has more tries. On turns, long
/// turns, sessions and abstracts alike, the closest pieces came nearer by 0.09 to 0.12.
const TRIES: f32 = 0.1;

/// A row of the table: numbers of eight bits, and what one step of them is worth.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) steps: &'a [u8],
    pub(crate) scale: f32,
}

/// The pieces of a question, and how close each piece of a text that was met is to each of them.
pub(crate) struct Asked {
    /// The question's rows one after the other, each of length one in steps of 1/2047.
    rows: Vec<i16>,
    /// Rare pieces have long rows, and count for more.
    weights: Vec<f32>,
    /// For each piece of the vocabulary where its closenesses begin; texts have many pieces in common.
    known: Vec<u32>,
    closenesses: Vec<f32>,
    sums: Vec<i32>,
}

const UNKNOWN: u32 = u32::MAX;
const ONE: f32 = 2047.0;

impl Asked {
    /// Takes the rows of a question's pieces, out of a vocabulary of so many.
    pub(crate) fn new<'a>(rows: impl Iterator<Item = Row<'a>>, vocabulary: usize) -> Self {
        let mut asked = Asked {
            rows: Vec::new(),
            weights: Vec::new(),
            known: vec![UNKNOWN; vocabulary],
            closenesses: Vec::new(),
            sums: Vec::new(),
        };
        for row in rows {
            let length = length(row.steps);
            let one =
                |step: &u8| (f32::from(step.cast_signed()) * ONE / length.max(1.0)).round() as i16;
            asked.rows.extend(row.steps.iter().map(one));
            asked.weights.push((row.scale * length).powi(2));
        }
        asked
    }

    /// Returns how well a text of these different pieces answers: the mean over the question's pieces of the
    /// closest. None when one of the two has no pieces.
    pub(crate) fn closeness<'a>(
        &mut self,
        pieces: &[u32],
        row: impl Fn(u32) -> Option<Row<'a>>,
    ) -> Option<Closeness> {
        let mut closest = vec![0.0_f32; self.weights.len()];
        for piece in pieces {
            let of_piece = self.of_piece(*piece, &row);
            closest
                .iter_mut()
                .zip(of_piece)
                .for_each(|(closest, value)| *closest = closest.max(*value));
        }
        let sum: f32 = closest
            .iter()
            .zip(&self.weights)
            .map(|(closest, weight)| closest * weight)
            .sum();
        let weight: f32 = self.weights.iter().sum();
        let is_any = weight > 0.0 && !pieces.is_empty();
        let by_chance = TRIES * (pieces.len() as f32).ln();
        is_any.then(|| Closeness {
            found: sum / weight,
            beyond_chance: sum / weight - by_chance,
        })
    }

    /// Returns how close a piece is to each of the question's.
    fn of_piece<'a>(&mut self, piece: u32, row: impl Fn(u32) -> Option<Row<'a>>) -> &[f32] {
        let count = self.weights.len();
        let Some(known) = self.known.get_mut(piece as usize) else {
            return &[];
        };
        if *known == UNKNOWN {
            *known = self.closenesses.len() as u32;
            let steps = row(piece).map_or(&[][..], |row| row.steps);
            let whole = ONE * length(steps).max(1.0);
            dots_of_row(steps, &self.rows, &mut self.sums);
            self.sums.resize(count, 0);
            self.closenesses
                .extend(self.sums.iter().map(|sum| *sum as f32 / whole));
        }
        let begin = *known as usize;
        &self.closenesses[begin..begin + count]
    }
}

fn length(steps: &[u8]) -> f32 {
    let squares = steps
        .iter()
        .map(|step| i32::from(step.cast_signed()).pow(2));
    (squares.sum::<i32>() as f32).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three pieces: the first two mean nearly the same, the third something else.
    const ROWS: [[i8; 2]; 3] = [[100, 0], [90, 30], [0, 50]];

    fn closeness(question: &[u32], text: &[u32]) -> Option<Closeness> {
        let steps: Vec<[u8; 2]> = ROWS.iter().map(|row| row.map(i8::cast_unsigned)).collect();
        let row = |piece: u32| {
            Some(Row {
                steps: steps.get(piece as usize)?,
                scale: 0.01,
            })
        };
        Asked::new(question.iter().filter_map(|piece| row(*piece)), 3).closeness(text, row)
    }

    #[test]
    fn the_same_word_is_closest_then_one_that_means_nearly_the_same() {
        let of = |text| closeness(&[0], text).unwrap().found;
        assert!((of(&[0]) - 1.0).abs() < 0.001);
        assert!((of(&[1]) - 0.949).abs() < 0.002);
        assert!(of(&[2]).abs() < 0.001);
    }

    #[test]
    fn each_piece_of_the_question_counts_by_how_rare_it_is() {
        // The third has half the length of the first: a quarter of its weight.
        assert!((closeness(&[0, 2], &[0]).unwrap().found - 0.8).abs() < 0.001);
    }

    #[test]
    fn a_text_of_more_pieces_must_come_closer() {
        let (short, long) = (
            closeness(&[0], &[0]).unwrap(),
            closeness(&[0], &[0, 2]).unwrap(),
        );
        assert_eq!(short.found, long.found);
        assert!((short.beyond_chance - long.beyond_chance - TRIES * 2f32.ln()).abs() < 0.001);
    }

    #[test]
    fn nothing_to_compare_is_nothing() {
        assert_eq!((closeness(&[], &[0]), closeness(&[0], &[])), (None, None));
    }
}
