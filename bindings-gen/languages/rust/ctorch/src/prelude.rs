//! What the generated files use.

pub(crate) use crate::checkpoint::{call_tensors, TensorsFunction};
pub(crate) use crate::enums::*;
pub(crate) use crate::error::{check, Result};
pub(crate) use crate::plain::{Device, Scalar, Stream};
pub(crate) use crate::support::*;
pub(crate) use crate::tensor::Tensor;
pub(crate) use crate::tensors::{optional_pointers, OptionalTensors, Tensors, TensorsMut};
pub(crate) use crate::texts::{c_string, c_strings, optional_c_string, optional_c_string_ptr};
pub(crate) use crate::value::value_pointers;
