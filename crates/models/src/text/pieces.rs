//! The vocabulary of a model as a table that is searched where it lies.
//!
//! Three tensors: the pieces' texts one after the other, where each ends, and an open-addressed
//! hash table of numbers, each one more than the piece's, 0 where there is none. So a vocabulary of
//! thirty thousand pieces costs nothing before the first word is looked up.

use safetensors::Dtype;

use crate::ModelError;
use crate::bytes::{Part, Tensors, u16_at, u32_at};

/// Marks a piece that goes on with a word.
const INSIDE: &[u8] = b"##";

/// A vocabulary, ready to be searched.
#[derive(Debug, Clone)]
pub(crate) struct PieceTable {
    text: Part,
    ends: Part,
    slots: Part,
    is_wide: bool,
    mask: usize,
}

/// A vocabulary as it is searched: where its three parts lie is looked up once and not for each word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpenTable<'a> {
    text: &'a [u8],
    ends: &'a [u8],
    slots: &'a [u8],
    is_wide: bool,
    mask: usize,
}

impl PieceTable {
    /// Finds the vocabulary among a model's tensors.
    pub(crate) fn of(tensors: &Tensors<'_>) -> Result<Self, ModelError> {
        let text = tensors.part("pieces.text", Dtype::U8, None)?;
        let ends = tensors.part("pieces.ends", Dtype::U32, None)?;
        let (width, dtype) = slot_shape(ends.len() / 4);
        let slots = tensors.part("pieces.slots", dtype, None)?;
        let count = slots.len() / width;
        if !count.is_power_of_two() || count <= ends.len() / 4 {
            return Err(ModelError::Damaged);
        }
        Ok(PieceTable {
            text,
            ends,
            slots,
            is_wide: width == 4,
            mask: count - 1,
        })
    }

    /// Returns the number of a piece that begins a word, or is one.
    pub(crate) fn find(&self, piece: &str) -> Option<u32> {
        self.open().look_up(
            Hash::of_start().over(piece.as_bytes()),
            piece.as_bytes(),
            false,
        )
    }

    /// Returns how many pieces there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len() / 4
    }

    /// Opens the vocabulary to be searched.
    pub(crate) fn open(&self) -> OpenTable<'_> {
        let PieceTable {
            text,
            ends,
            slots,
            is_wide,
            mask,
        } = self;
        OpenTable {
            text,
            ends,
            slots,
            is_wide: *is_wide,
            mask: *mask,
        }
    }
}

impl OpenTable<'_> {
    /// Returns the number of the piece with this hash, if there is one.
    pub(crate) fn look_up(&self, hash: Hash, piece: &[u8], inside: bool) -> Option<u32> {
        let mut slot = hash.slot(self.mask);
        // A table that is damaged so that it has no empty slot must not hold us.
        for _ in 0..=self.mask {
            let number = if self.is_wide {
                u32_at(self.slots, slot)
            } else {
                u16_at(self.slots, slot)
            };
            let id = number?.checked_sub(1)?;
            let text = self.piece(id)?;
            let is_same = if inside {
                text.strip_prefix(INSIDE) == Some(piece)
            } else {
                text == piece
            };
            if is_same {
                return Some(id);
            }
            slot = (slot + 1) & self.mask;
        }
        None
    }

    fn piece(&self, id: u32) -> Option<&[u8]> {
        let id = id as usize;
        let from = if id == 0 {
            0
        } else {
            u32_at(self.ends, id - 1)?
        };
        self.text
            .get(from as usize..u32_at(self.ends, id)? as usize)
    }
}

/// Returns how wide a slot is, in bytes, for a vocabulary of so many pieces.
fn slot_shape(pieces: usize) -> (usize, Dtype) {
    if pieces < usize::from(u16::MAX) {
        (2, Dtype::U16)
    } else {
        (4, Dtype::U32)
    }
}

/// FNV-1a, which can be carried on byte by byte: one pass over a word hashes all its beginnings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hash(u64);

impl Hash {
    /// Begins a piece that begins a word.
    pub(crate) fn of_start() -> Self {
        Hash(0xcbf2_9ce4_8422_2325)
    }

    /// Begins a piece that goes on with a word.
    pub(crate) fn of_inside() -> Self {
        Hash::of_start().over(INSIDE)
    }

    pub(crate) fn over(self, bytes: &[u8]) -> Self {
        let step =
            |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        Hash(bytes.iter().fold(self.0, step))
    }

    fn slot(self, mask: usize) -> usize {
        ((self.0 >> 32) ^ self.0) as usize & mask
    }
}

/// The three tensors of a vocabulary.
pub(crate) struct WrittenPieces {
    pub(crate) text: Vec<u8>,
    pub(crate) ends: Vec<u8>,
    pub(crate) slots: Vec<u8>,
    pub(crate) slot_type: Dtype,
}

/// Lays a vocabulary out as [`PieceTable`] reads it.
pub(crate) fn write_pieces<'a>(pieces: impl Iterator<Item = &'a str> + Clone) -> WrittenPieces {
    let count = pieces.clone().count();
    let mask = (count * 3 / 2 + 1).next_power_of_two() - 1;
    let mut slots = vec![0u32; mask + 1];
    let (mut text, mut ends) = (Vec::new(), Vec::new());
    for (piece, number) in pieces.zip(1u32..) {
        text.extend_from_slice(piece.as_bytes());
        ends.extend_from_slice(&(text.len() as u32).to_le_bytes());
        let mut slot = Hash::of_start().over(piece.as_bytes()).slot(mask);
        while slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        slots[slot] = number;
    }
    let (width, slot_type) = slot_shape(count);
    let slots = slots
        .iter()
        .flat_map(|slot| slot.to_le_bytes().into_iter().take(width))
        .collect();
    WrittenPieces {
        text,
        ends,
        slots,
        slot_type,
    }
}
