//! Warnings of LibTorch.

use std::os::raw::{c_char, c_void};

use crate::callback::{destroy, run, with_payload};
use crate::error::{check, Result};
use crate::support::{sys, text};
use crate::thrown::BoxError;
use crate::{WarningKind, Warnings};

/// Collect the warnings that this thread raises while a closure runs, instead of showing them.
pub fn collect_warnings<T>(closure: impl FnOnce() -> T) -> Result<(T, Warnings)> {
    struct Collecting;
    impl Drop for Collecting {
        fn drop(&mut self) {
            unsafe { sys::ctorch_error_release(sys::ctorch_warnings_pop(std::ptr::null_mut())) }
        }
    }
    check(unsafe { sys::ctorch_warnings_push() })?;
    let collecting = Collecting; // for a panic
    let value = closure();
    std::mem::forget(collecting);
    let mut out = std::ptr::null_mut();
    check(unsafe { sys::ctorch_warnings_pop(&mut out) })?;
    Ok((value, Warnings(out)))
}

/// Hand the warnings of the whole process to a closure: kind and message. It cannot stop the operator: its error is
///
/// printed on stderr.
///
/// C: `ctorch_warning_set_callback`.
pub fn set_warning_callback<F>(callback: F) -> Result<()>
where
    F: Fn(WarningKind, &str) -> std::result::Result<(), BoxError> + Send + Sync + 'static,
{
    unsafe extern "C" fn call<F: Fn(WarningKind, &str) -> std::result::Result<(), BoxError>>(
        kind: sys::ctorch_warning_kind,
        message: *const c_char,
        _file: *const c_char,
        _function: *const c_char,
        _line: u32,
        error: *mut *mut sys::ctorch_error,
        payload: *mut c_void,
    ) -> sys::ctorch_callback_status {
        run(error, |()| Ok(()), || (*payload.cast::<F>())(WarningKind(kind), text(message)))
    }
    with_payload(callback, |payload| unsafe {
        sys::ctorch_warning_set_callback(Some(call::<F>), Some(destroy::<F>), payload)
    })
}
