//! Errors: what a failed call hands over.

use std::fmt;

use crate::support::{sys, text};
use crate::thrown::{thrown, BoxError};
use crate::{Device, Dtype, ErrorKind};

pub type Result<T> = std::result::Result<T, Error>;

/// A failed call: a kind to branch on, a message for people, and what did not fit, where PyTorch tells it.
///
/// An error that a closure of yours returned comes out of the outer call with that very error as its
/// [`source`](std::error::Error::source); [`downcast`](Error::downcast) takes it out.
pub struct Error(Box<Failure>);

struct Failure {
    raw: *mut sys::ctorch_error,
    source: Option<BoxError>,
}

// Nothing in an error changes, and it may be given back on any thread.
unsafe impl Send for Failure {}
unsafe impl Sync for Failure {}

impl Drop for Failure {
    fn drop(&mut self) {
        unsafe { sys::ctorch_error_release(self.raw) }
    }
}

/// What C answered, as a Result.
#[inline]
pub(crate) fn check(raw: *mut sys::ctorch_error) -> Result<()> {
    if raw.is_null() {
        Ok(())
    } else {
        Err(failed(raw))
    }
}

#[cold]
fn failed(raw: *mut sys::ctorch_error) -> Error {
    let source = thrown(raw);
    Error(Box::new(Failure { raw, source }))
}

impl Error {
    /// An error of your own. A NUL in the message ends it.
    pub fn new(kind: ErrorKind, message: &str) -> Error {
        let message = message.split('\0').next().unwrap_or("");
        let c_message = std::ffi::CString::new(message).unwrap_or_default();
        let mut raw = std::ptr::null_mut();
        let failure = unsafe { sys::ctorch_error_new(&mut raw, kind.0, c_message.as_ptr()) };
        let raw = if failure.is_null() { raw } else { failure };
        Error(Box::new(Failure { raw, source: None }))
    }

    /// What went wrong, to branch on.
    pub fn kind(&self) -> ErrorKind {
        ErrorKind(unsafe { sys::ctorch_error_kind_of(self.0.raw) })
    }

    /// The number of the kind.
    pub fn code(&self) -> i32 {
        self.kind().0
    }

    /// The name of the kind: "SHAPE_MISMATCH".
    pub fn code_name(&self) -> &'static str {
        unsafe { text(sys::ctorch_error_kind_name(self.code())) }
    }

    /// PyTorch's own text, or one line of ctorch's.
    pub fn message(&self) -> &str {
        unsafe { text(sys::ctorch_error_message(self.0.raw)) }
    }

    /// The C function that failed: "ctorch_aten_add_Tensor"; "" for an error of your own.
    pub fn function(&self) -> &str {
        unsafe { text(sys::ctorch_error_function(self.0.raw)) }
    }

    /// Where in LibTorch it was thrown, a frame per line. Made when first asked for, which takes milliseconds.
    pub fn backtrace(&self) -> &str {
        unsafe { text(sys::ctorch_error_backtrace(self.0.raw)) }
    }

    /// The shape that would have fitted.
    pub fn expected_shape(&self) -> Option<&[i64]> {
        self.shape(sys::ctorch_error_expected_shape)
    }

    /// The shape that was given, as far as PyTorch's message tells it.
    pub fn got_shape(&self) -> Option<&[i64]> {
        self.shape(sys::ctorch_error_got_shape)
    }

    fn shape(
        &self,
        get: unsafe extern "C" fn(*const sys::ctorch_error, *mut *const i64, *mut usize) -> bool,
    ) -> Option<&[i64]> {
        let (mut dims, mut len) = (std::ptr::null(), 0);
        if !unsafe { get(self.0.raw, &mut dims, &mut len) } {
            return None;
        }
        Some(if len == 0 { &[] } else { unsafe { std::slice::from_raw_parts(dims, len) } })
    }

    /// The device that would have fitted.
    pub fn expected_device(&self) -> Option<Device> {
        let mut out = Device::CPU;
        unsafe { sys::ctorch_error_expected_device(self.0.raw, out.as_mut_ptr()) }.then_some(out)
    }

    /// The device that was given.
    pub fn got_device(&self) -> Option<Device> {
        let mut out = Device::CPU;
        unsafe { sys::ctorch_error_got_device(self.0.raw, out.as_mut_ptr()) }.then_some(out)
    }

    /// The dtype that would have fitted.
    pub fn expected_dtype(&self) -> Option<Dtype> {
        let mut out = 0;
        unsafe { sys::ctorch_error_expected_dtype(self.0.raw, &mut out) }.then_some(Dtype(out))
    }

    /// The dtype that was given.
    pub fn got_dtype(&self) -> Option<Dtype> {
        let mut out = 0;
        unsafe { sys::ctorch_error_got_dtype(self.0.raw, &mut out) }.then_some(Dtype(out))
    }

    /// The size of the allocation that failed.
    pub fn requested_bytes(&self) -> Option<u64> {
        let mut out = 0;
        unsafe { sys::ctorch_error_requested_bytes(self.0.raw, &mut out) }.then_some(out)
    }

    /// The memory that was left.
    pub fn available_bytes(&self) -> Option<u64> {
        let mut out = 0;
        unsafe { sys::ctorch_error_available_bytes(self.0.raw, &mut out) }.then_some(out)
    }

    /// The error that a closure returned, if it is an `E`.
    pub fn downcast<E: std::error::Error + 'static>(mut self) -> std::result::Result<E, Error> {
        match self.0.source.take().map(|source| source.downcast::<E>()) {
            Some(Ok(error)) => Ok(*error),
            Some(Err(other)) => {
                self.0.source = Some(other);
                Err(self)
            }
            None => Err(self),
        }
    }

    /// The object for C, which is to release it, and the error of a closure that belongs to it.
    pub(crate) fn into_parts(mut self) -> (*mut sys::ctorch_error, Option<BoxError>) {
        (std::mem::replace(&mut self.0.raw, std::ptr::null_mut()), self.0.source.take())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code_name(), self.message())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut s = f.debug_struct("Error");
        s.field("kind", &self.kind()).field("message", &self.message()).field("function", &self.function());
        if let Some(shape) = self.expected_shape() {
            s.field("expected_shape", &shape);
        }
        if let Some(shape) = self.got_shape() {
            s.field("got_shape", &shape);
        }
        if let Some(source) = &self.0.source {
            s.field("source", source);
        }
        s.finish()
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_deref().map(|e| e as _)
    }
}
