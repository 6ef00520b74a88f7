//! Files of tensors by their names: one reader for all formats, and a module for each that can be written.

use std::borrow::Borrow;

use crate::error::{check, Result};
use crate::files::to_bytes;
use crate::support::{opaque_handle, sys};
use crate::{runtime, Module, Native, Reader, Tensor, Value, Weights, Writer};

opaque_handle!(Weights);

impl Weights {
    /// Read the table of contents of bytes, which tensors then may share instead of holding copies.
    ///
    /// C: `ctorch_weights_open`.
    pub fn from_bytes(data: impl Into<Vec<u8>>) -> Result<Weights> {
        Weights::open(&Reader::from_bytes(data)?)
    }

    /// The names of all tensors, in the order of the file.
    ///
    /// C: `ctorch_weights_name`.
    pub fn names(&self) -> impl Iterator<Item = &str> + '_ {
        (0..self.len()).map(move |index| self.name(index))
    }

    /// The shape of a tensor, by its number.
    ///
    /// C: `ctorch_weights_shape`.
    pub fn shape(&self, index: usize) -> Result<&[i64]> {
        let (mut sizes, mut len) = (std::ptr::null(), 0);
        check(unsafe { sys::ctorch_weights_shape(&mut sizes, &mut len, self.0, index) })?;
        Ok(if len == 0 { &[] } else { unsafe { std::slice::from_raw_parts(sizes, len) } })
    }

    /// All tensors with their names, in the order of the file. [`Weights::load`] gives them as a [`Value`], for
    /// [`Module::load_state_dict`].
    ///
    /// C: `ctorch_weights_load`.
    pub fn tensors(&self) -> Result<Vec<(String, Tensor)>> {
        self.names().map(|name| Ok((name.to_string(), self.tensor(name)?))).collect()
    }
}

/// A dict of tensors, as the functions for files take one: maps, vectors and arrays of pairs.
fn dict<K: AsRef<str>, T: Borrow<Tensor>>(tensors: impl IntoIterator<Item = (K, T)>) -> Result<Value> {
    let entries = tensors.into_iter().map(|(name, tensor)| (name.as_ref().into(), tensor.borrow().clone().into()));
    Value::from_native(&Native::Dict(entries.collect()))
}

fn texts(metadata: &[(&str, &str)]) -> Result<Option<Value>> {
    if metadata.is_empty() {
        return Ok(None);
    }
    let entries = metadata.iter().map(|(name, text)| ((*name).into(), (*text).into()));
    Value::from_native(&Native::Dict(entries.collect())).map(Some)
}

fn names(list: &Value) -> Result<Vec<String>> {
    (0..list.len()).map(|index| list.get(index)?.to_text()).collect()
}

/// Hugging Face's format for tensors by their names (`safetensors.torch`).
///
/// ```
/// use ctorch::{nn, safetensors, Tensor};
///
/// # fn main() -> ctorch::Result<()> {
/// let bytes = safetensors::save([("x", Tensor::from_slice(&[1.0f32, 2.0], &[2])?)], &[("by", "ctorch")])?;
/// let tensors = safetensors::load(bytes)?;
/// assert_eq!((tensors[0].0.as_str(), tensors[0].1.to_vec::<f32>()?), ("x", vec![1.0, 2.0]));
/// # Ok(())
/// # }
/// ```
pub mod safetensors {
    use super::*;

    /// Write a file. `metadata` may be empty.
    ///
    /// C: `ctorch_safetensors_write_file`.
    pub fn save_file<K, T, I>(tensors: I, path: &str, metadata: &[(&str, &str)]) -> Result<()>
    where
        K: AsRef<str>,
        T: Borrow<Tensor>,
        I: IntoIterator<Item = (K, T)>,
    {
        runtime::safetensors_write_file(&dict(tensors)?, texts(metadata)?.as_ref(), path)
    }

    /// The bytes of a file.
    ///
    /// C: `ctorch_safetensors_write`.
    pub fn save<K, T, I>(tensors: I, metadata: &[(&str, &str)]) -> Result<Vec<u8>>
    where
        K: AsRef<str>,
        T: Borrow<Tensor>,
        I: IntoIterator<Item = (K, T)>,
    {
        to_bytes(|writer| save_to(writer, tensors, metadata))
    }

    /// Write to wherever a writer writes. [`Writer::finish`] is still to be called.
    ///
    /// C: `ctorch_safetensors_write`.
    pub fn save_to<K, T, I>(writer: &mut Writer, tensors: I, metadata: &[(&str, &str)]) -> Result<()>
    where
        K: AsRef<str>,
        T: Borrow<Tensor>,
        I: IntoIterator<Item = (K, T)>,
    {
        runtime::safetensors_write(writer, &dict(tensors)?, texts(metadata)?.as_ref())
    }

    /// All tensors of a file, in its order.
    ///
    /// C: `ctorch_weights_load`.
    pub fn load_file(path: &str) -> Result<Vec<(String, Tensor)>> {
        Weights::open_file(path, true)?.tensors()
    }

    /// All tensors of the bytes of a file, in its order.
    ///
    /// C: `ctorch_weights_load`.
    pub fn load(data: impl Into<Vec<u8>>) -> Result<Vec<(String, Tensor)>> {
        Weights::from_bytes(data)?.tensors()
    }

    /// Write the state dict of a model, and of tensors that share memory one.
    ///
    /// C: `ctorch_safetensors_write_model_file`.
    pub fn save_model(model: &mut Module, path: &str, metadata: &[(&str, &str)]) -> Result<()> {
        runtime::safetensors_write_model_file(model, texts(metadata)?.as_ref(), path)
    }

    /// Load a model from a file of any format. The names that are missing and those that were not expected are given
    /// back; `strict` makes an error of both.
    ///
    /// C: `ctorch_safetensors_load_model_file`.
    pub fn load_model(model: &mut Module, path: &str, strict: bool) -> Result<(Vec<String>, Vec<String>)> {
        let (missing, unexpected) = runtime::safetensors_load_model_file(model, path, strict)?;
        Ok((names(&missing)?, names(&unexpected)?))
    }
}

/// NumPy's files of one array (`numpy.save`, `numpy.load`).
pub mod npy {
    use super::*;

    /// Write a file. Unlike in Python nothing is appended to its name.
    ///
    /// C: `ctorch_npy_write_file`.
    pub fn save_file(tensor: &Tensor, path: &str) -> Result<()> {
        runtime::npy_write_file(tensor, path)
    }

    /// The bytes of a file.
    ///
    /// C: `ctorch_npy_write`.
    pub fn save(tensor: &Tensor) -> Result<Vec<u8>> {
        to_bytes(|writer| runtime::npy_write(writer, tensor))
    }

    /// The tensor of a file.
    ///
    /// C: `ctorch_weights_tensor`.
    pub fn load_file(path: &str) -> Result<Tensor> {
        Weights::open_file(path, false)?.tensor("")
    }

    /// The tensor of the bytes of a file.
    ///
    /// C: `ctorch_weights_tensor`.
    pub fn load(data: impl Into<Vec<u8>>) -> Result<Tensor> {
        Weights::from_bytes(data)?.tensor("")
    }
}

/// NumPy's files of arrays by their names (`numpy.savez`, `numpy.savez_compressed`, `numpy.load`).
pub mod npz {
    use super::*;

    /// Write a file. Unlike in Python nothing is appended to its name.
    ///
    /// C: `ctorch_npz_write_file`.
    pub fn save_file<K, T, I>(tensors: I, compressed: bool, path: &str) -> Result<()>
    where
        K: AsRef<str>,
        T: Borrow<Tensor>,
        I: IntoIterator<Item = (K, T)>,
    {
        runtime::npz_write_file(&dict(tensors)?, compressed, path)
    }

    /// The bytes of a file.
    ///
    /// C: `ctorch_npz_write`.
    pub fn save<K, T, I>(tensors: I, compressed: bool) -> Result<Vec<u8>>
    where
        K: AsRef<str>,
        T: Borrow<Tensor>,
        I: IntoIterator<Item = (K, T)>,
    {
        let tensors = dict(tensors)?;
        to_bytes(|writer| runtime::npz_write(writer, &tensors, compressed))
    }

    /// All tensors of a file, in its order.
    ///
    /// C: `ctorch_weights_load`.
    pub fn load_file(path: &str) -> Result<Vec<(String, Tensor)>> {
        Weights::open_file(path, false)?.tensors()
    }

    /// All tensors of the bytes of a file, in its order.
    ///
    /// C: `ctorch_weights_load`.
    pub fn load(data: impl Into<Vec<u8>>) -> Result<Vec<(String, Tensor)>> {
        Weights::from_bytes(data)?.tensors()
    }
}

/// Tensors in several files and an index, as Hugging Face has them.
pub mod sharded {
    use super::*;

    /// Write to a folder. `format` is "safetensors" or "pt"; 0 bytes for a shard are Hugging Face's 5 GB.
    ///
    /// C: `ctorch_sharded_write`.
    pub fn save<K, T, I>(
        tensors: I,
        path: &str,
        format: &str,
        max_shard_nbytes: usize,
        metadata: &[(&str, &str)],
    ) -> Result<()>
    where
        K: AsRef<str>,
        T: Borrow<Tensor>,
        I: IntoIterator<Item = (K, T)>,
    {
        let (tensors, metadata) = (dict(tensors)?, texts(metadata)?);
        runtime::sharded_write(&tensors, metadata.as_ref(), path, Some(format), max_shard_nbytes)
    }

    /// All tensors that the index of a folder lists.
    ///
    /// C: `ctorch_weights_load`.
    pub fn load(path: &str) -> Result<Vec<(String, Tensor)>> {
        Weights::open_file(path, true)?.tensors()
    }
}
