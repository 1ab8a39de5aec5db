//! From a text to the numbers of its pieces, as models of the BERT family were taught to read.

mod pieces;
mod script;
mod wordpiece;

pub(crate) use pieces::{PieceTable, WrittenPieces, write_pieces};
pub(crate) use script::Script;
pub(crate) use wordpiece::WordPiece;
