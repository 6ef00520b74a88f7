//! Warnings of LibTorch.

use crate::callback::{destroy, with_payload};
use crate::error::{check, Result};
use crate::stubs;
use crate::support::sys;
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
    with_payload(callback, |payload| unsafe {
        sys::ctorch_warning_set_callback(
            stubs::warning(|f: &F, kind, message, _, _, _| f(kind, message)),
            Some(destroy::<F>),
            payload,
        )
    })
}
