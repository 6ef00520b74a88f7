//! Closures that LibTorch calls.
//!
//! C sees a function that answers OK or hands over an error object. What a closure really failed with, an error of any
//! type or a panic, waits in a table until that error object comes out of the outer call, on whichever thread that is.

use std::any::Any;
use std::os::raw::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};

use crate::error::{check, Error, Result};
use crate::support::sys;
use crate::thrown::{wait_for, BoxError, Thrown};
use crate::{ErrorKind, Tensor, TensorList, Tensors};

/// A function of tensors, for transforms such as [`crate::func_grad`].
pub type TensorsFunction<'a> = &'a dyn Fn(&[Tensor]) -> std::result::Result<Vec<Tensor>, BoxError>;

fn hand_over(out: *mut *mut sys::ctorch_error, error: Error, thrown: Option<Thrown>) {
    let message = error.message().to_string();
    let (raw, source) = error.into_parts();
    if let Some(thrown) = thrown.or_else(|| source.map(Thrown::Error)) {
        wait_for(raw, message, thrown);
    }
    unsafe { *out = raw };
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| s.to_string()).or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panicked: {}", text.as_deref().unwrap_or("a value that is no text"))
}

/// Run a closure for C: its value goes to `store`, its error or panic to `error`.
pub(crate) fn run<T>(
    error: *mut *mut sys::ctorch_error,
    store: impl FnOnce(T) -> Result<()>,
    closure: impl FnOnce() -> std::result::Result<T, BoxError>,
) -> sys::ctorch_callback_status {
    let outcome = catch_unwind(AssertUnwindSafe(|| closure().and_then(|value| store(value).map_err(BoxError::from))));
    match outcome {
        Ok(Ok(())) => return sys::CTORCH_CALLBACK_OK,
        Ok(Err(failure)) => match failure.downcast::<Error>() {
            Ok(own) => hand_over(error, *own, None),
            Err(other) => {
                let object = Error::new(ErrorKind::CALLBACK, &other.to_string());
                hand_over(error, object, Some(Thrown::Error(other)))
            }
        },
        Err(panic) => {
            let object = Error::new(ErrorKind::CALLBACK, &panic_message(panic.as_ref()));
            hand_over(error, object, Some(Thrown::Panic(panic)))
        }
    }
    0
}

/// Tensors that C lends.
///
/// # Safety
/// The array lives as long as the caller says.
pub(crate) unsafe fn borrowed<'a>(tensors: *const *const sys::ctorch_tensor, len: usize) -> &'a [Tensor] {
    if len == 0 {
        &[]
    } else {
        std::slice::from_raw_parts(tensors.cast::<Tensor>(), len)
    }
}

/// Hand a list over to C.
pub(crate) fn store_list(out: *mut *mut sys::ctorch_tensor_list, tensors: Vec<Tensor>) -> Result<()> {
    let list = TensorList::new(&tensors)?;
    unsafe { *out = list.into_raw() };
    Ok(())
}

/// Drop a payload: the `destroy` of C.
pub(crate) unsafe extern "C" fn destroy<T>(payload: *mut c_void) {
    // A destructor that panics must not unwind into C; there is nobody to tell.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(Box::from_raw(payload.cast::<T>()))));
}

/// Call C with a payload that it keeps if it succeeds.
pub(crate) fn with_payload<T>(payload: T, call: impl FnOnce(*mut c_void) -> *mut sys::ctorch_error) -> Result<()> {
    let pointer = Box::into_raw(Box::new(payload));
    let error = call(pointer.cast());
    if !error.is_null() {
        drop(unsafe { Box::from_raw(pointer) });
    }
    check(error)
}

/// The callback of functions that need theirs during the call only.
pub(crate) unsafe extern "C" fn call_tensors(
    out: *mut *mut sys::ctorch_tensor_list,
    inputs: *const *const sys::ctorch_tensor,
    inputs_len: usize,
    error: *mut *mut sys::ctorch_error,
    payload: *mut c_void,
) -> sys::ctorch_callback_status {
    let function = *(payload as *const TensorsFunction);
    run(error, |list| store_list(out, list), || function(borrowed(inputs, inputs_len)))
}

/// Run a function without keeping what its backward needs: that is computed again
/// (`torch.utils.checkpoint.checkpoint`).
///
/// C: `ctorch_checkpoint`.
pub fn checkpoint<'a, F>(function: F, inputs: impl Into<Tensors<'a>>) -> Result<TensorList>
where
    F: Fn(&[Tensor]) -> std::result::Result<Vec<Tensor>, BoxError> + Send + Sync + 'static,
{
    unsafe extern "C" fn call<F: Fn(&[Tensor]) -> std::result::Result<Vec<Tensor>, BoxError>>(
        out: *mut *mut sys::ctorch_tensor_list,
        inputs: *const *const sys::ctorch_tensor,
        inputs_len: usize,
        error: *mut *mut sys::ctorch_error,
        payload: *mut c_void,
    ) -> sys::ctorch_callback_status {
        let function = &*payload.cast::<F>();
        run(error, |list| store_list(out, list), || function(borrowed(inputs, inputs_len)))
    }
    let inputs = inputs.into();
    let inputs = inputs.pointers();
    let mut out = std::ptr::null_mut();
    with_payload(function, |payload| unsafe {
        sys::ctorch_checkpoint(
            &mut out,
            Some(call::<F>),
            inputs.as_ptr(),
            inputs.len(),
            std::ptr::null(),
            std::ptr::null(),
            std::ptr::null(),
            Some(destroy::<F>),
            payload,
        )
    })?;
    Ok(TensorList(out))
}
