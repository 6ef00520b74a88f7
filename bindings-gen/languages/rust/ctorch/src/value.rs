//! Values of any type: texts, and the names of the other handles for Debug.

use crate::error::{check, Result};
use crate::support::{opaque_handle, sys};
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
