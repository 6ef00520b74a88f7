//! DLPack: tensors on their way to and from other libraries, without a copy.

use crate::error::{check, Result};
use crate::support::{optional_ptr, sys};
use crate::{Device, Tensor};

/// A tensor on its way: a `DLManagedTensorVersioned *`, released if nobody takes it.
///
/// It shares memory with the tensor that it was made of, so it stays on that tensor's thread.
pub struct Dlpack(*mut sys::DLManagedTensorVersioned);

impl Drop for Dlpack {
    fn drop(&mut self) {
        unsafe { sys::ctorch_dlpack_release(self.0) }
    }
}

impl Dlpack {
    /// For a consumer, which calls the structure's deleter when it is done.
    pub fn into_raw(self) -> *mut sys::DLManagedTensorVersioned {
        std::mem::ManuallyDrop::new(self).0
    }

    /// From a producer.
    ///
    /// # Safety
    /// It is a live structure as DLPack defines it, nobody else takes it, and the memory that it describes is as it
    /// says.
    pub unsafe fn from_raw(managed: *mut sys::DLManagedTensorVersioned) -> Dlpack {
        Dlpack(managed)
    }
}

impl Tensor {
    /// Hand the tensor to another library, which shares its memory.
    ///
    /// C: `ctorch_tensor_to_dlpack`.
    pub fn to_dlpack(&mut self) -> Result<Dlpack> {
        self.to_dlpack_with(None, None, None, false)
    }

    /// The same for a stream of the consumer, a device, with a copy (None: if need be), and for reading only.
    pub fn to_dlpack_with(
        &mut self,
        stream: Option<i64>,
        device: Option<Device>,
        copy: Option<bool>,
        read_only: bool,
    ) -> Result<Dlpack> {
        let mut out = std::ptr::null_mut();
        check(unsafe {
            sys::ctorch_tensor_to_dlpack(
                &mut out,
                self.0,
                optional_ptr(&stream),
                optional_ptr(&device),
                optional_ptr(&copy),
                read_only,
            )
        })?;
        Ok(Dlpack(out))
    }

    /// A tensor that shares the memory of another library's.
    ///
    /// C: `ctorch_tensor_from_dlpack`.
    pub fn from_dlpack(managed: Dlpack) -> Result<Tensor> {
        let (mut out, mut flags) = (std::ptr::null_mut(), 0);
        check(unsafe { sys::ctorch_tensor_from_dlpack(&mut out, &mut flags, managed.into_raw()) })?;
        Ok(Tensor(out))
    }
}
