//! Values of any type: texts, and the names of the other handles for Debug.

use crate::error::{check, Result};
use crate::support::{immutable_handle, opaque_handle, sys};
use crate::*;

impl Value {
    /// The text in a value. Bytes that are not UTF-8 are replaced.
    ///
    /// C: `ctorch_value_to_string`.
    pub fn to_text(&self) -> Result<String> {
        let (mut data, mut len) = (std::ptr::null(), 0);
        check(unsafe { sys::ctorch_value_to_string(&mut data, &mut len, self.0) })?;
        let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) };
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }

    /// Python's bytes.
    ///
    /// C: `ctorch_value_from_bytes`.
    pub fn from_bytes(data: &[u8]) -> Result<Value> {
        let mut out = std::ptr::null_mut();
        check(unsafe { sys::ctorch_value_from_bytes(&mut out, data.as_ptr().cast(), data.len()) })?;
        Ok(Value(out))
    }

    /// A text of any bytes, NUL among them.
    ///
    /// C: `ctorch_value_from_string_data`.
    pub fn from_string_data(data: &[u8]) -> Result<Value> {
        let mut out = std::ptr::null_mut();
        check(unsafe { sys::ctorch_value_from_string_data(&mut out, data.as_ptr().cast(), data.len()) })?;
        Ok(Value(out))
    }

    /// An int of any size, from two's complement with the lowest byte first.
    ///
    /// C: `ctorch_value_from_int_bytes`.
    pub fn from_int_bytes(data: &[u8]) -> Result<Value> {
        let mut out = std::ptr::null_mut();
        check(unsafe { sys::ctorch_value_from_int_bytes(&mut out, data.as_ptr().cast(), data.len()) })?;
        Ok(Value(out))
    }

    /// A copy of Python's bytes.
    ///
    /// C: `ctorch_value_read_bytes`.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut data = vec![0u8; self.len()];
        check(unsafe { sys::ctorch_value_read_bytes(self.0, data.as_mut_ptr().cast(), data.len()) })?;
        Ok(data)
    }
}

/// As Python's repr prints it.
impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.repr() {
            Ok(text) => f.write_str(&text),
            Err(_) => write!(f, "Value({:?})", self.0),
        }
    }
}

impl std::fmt::Debug for TensorList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

immutable_handle!(AutogradFunction); // its definition is Send and Sync
immutable_handle!(MemoryStats);
immutable_handle!(Op);
immutable_handle!(ProfilerAverages);
immutable_handle!(ProfilerResult);
immutable_handle!(Warnings);

opaque_handle!(Event);
opaque_handle!(AutogradFunction);
opaque_handle!(AutogradContext);
opaque_handle!(Generator);
opaque_handle!(Graph);
opaque_handle!(Hook);
opaque_handle!(Index);
opaque_handle!(JvpFunction);
opaque_handle!(Library);
opaque_handle!(MemoryStats);
opaque_handle!(Node);
opaque_handle!(Op);
opaque_handle!(ProfilerResult);
opaque_handle!(ProfilerAverages);
opaque_handle!(Storage);
opaque_handle!(VjpFunction);
opaque_handle!(Warnings);

pub(crate) fn value_pointers(values: &[&Value]) -> Vec<*const sys::ctorch_value> {
    values.iter().map(|v| v.0 as *const _).collect()
}
