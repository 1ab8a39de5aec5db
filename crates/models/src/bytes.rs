//! Where the numbers of a model lie: in the program, or in a file that is mapped.
//!
//! Both are safetensors: a JSON header that names tensors, and their bytes. Nothing is copied or
//! parsed at start but the header.

use std::ops::{Deref, Range};
use std::sync::Arc;

use memory_files::Mapping;
use safetensors::{Dtype, SafeTensors};

use crate::ModelError;

/// The bytes of a whole model.
#[derive(Debug, Clone)]
pub(crate) enum Bytes {
    BuiltIn(&'static [u8]),
    Mapped(Arc<Mapping>),
    /// Bytes that are about to become a file.
    Owned(Arc<[u8]>),
}

impl Bytes {
    /// Fails if the model's file was cut while it was read.
    pub(crate) fn require_whole(&self) -> Result<(), ModelError> {
        match self {
            Bytes::Mapped(mapping) if mapping.is_broken() => Err(ModelError::Damaged),
            _ => Ok(()),
        }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::BuiltIn(bytes) => bytes,
            Bytes::Mapped(mapping) => mapping,
            Bytes::Owned(bytes) => bytes,
        }
    }
}

/// One tensor's bytes, seen where they lie.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    whole: Bytes,
    range: Range<usize>,
}

impl Deref for Part {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // The range was taken from a slice of these bytes, which never change.
        self.whole.get(self.range.clone()).unwrap_or_default()
    }
}

/// Names of tensors, and where each lies.
pub(crate) struct Tensors<'a> {
    whole: &'a Bytes,
    header: SafeTensors<'a>,
}

impl<'a> Tensors<'a> {
    /// Reads the header of a model's bytes.
    pub(crate) fn of(whole: &'a Bytes) -> Result<Self, ModelError> {
        let header = SafeTensors::deserialize(whole).map_err(|_| ModelError::Damaged)?;
        Ok(Tensors { whole, header })
    }

    /// Returns the bytes of a tensor that must have this many numbers of this type.
    pub(crate) fn part(
        &self,
        name: &str,
        dtype: Dtype,
        count: Option<usize>,
    ) -> Result<Part, ModelError> {
        let view = self.header.tensor(name).map_err(|_| ModelError::Damaged)?;
        let has: usize = view.shape().iter().product();
        if view.dtype() != dtype || count.is_some_and(|count| count != has) {
            return Err(ModelError::Damaged);
        }
        let from = view.data().as_ptr().addr() - self.whole.as_ptr().addr();
        Ok(Part {
            whole: self.whole.clone(),
            range: from..from + view.data().len(),
        })
    }

    /// Returns a tensor of numbers, copied.
    pub(crate) fn floats(&self, name: &str, count: usize) -> Result<Vec<f32>, ModelError> {
        let part = self.part(name, Dtype::F32, Some(count))?;
        Ok(part
            .as_chunks::<4>()
            .0
            .iter()
            .map(|four| f32::from_le_bytes(*four))
            .collect())
    }

    /// Returns the shape of a tensor; none when there is no such tensor.
    pub(crate) fn shape(&self, name: &str) -> Option<Vec<usize>> {
        self.header
            .tensor(name)
            .ok()
            .map(|view| view.shape().to_vec())
    }
}

/// Returns the `n`th number of a table of 32 bits each.
pub(crate) fn u32_at(table: &[u8], n: usize) -> Option<u32> {
    let four = table.as_chunks::<4>().0.get(n)?;
    Some(u32::from_le_bytes(*four))
}

/// Returns the `n`th number of a table of 16 bits each.
pub(crate) fn u16_at(table: &[u8], n: usize) -> Option<u32> {
    let two = table.as_chunks::<2>().0.get(n)?;
    Some(u16::from_le_bytes(*two).into())
}
