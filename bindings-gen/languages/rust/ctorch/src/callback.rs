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
use crate::{ErrorKind, Module, Native, Tensor, TensorList, Value, ValueIterator};

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

/// What a closure returns, for C.
pub(crate) trait Give<T> {
    /// Hand it over.
    ///
    /// # Safety
    /// `out` is where C wants it.
    unsafe fn give(self, out: *mut T) -> Result<()>;
}

/// Nothing leaves what is there.
impl<T, G: Give<T>> Give<T> for Option<G> {
    unsafe fn give(self, out: *mut T) -> Result<()> {
        self.map_or(Ok(()), |value| value.give(out))
    }
}

macro_rules! give {
    ($($what:ty => $c:ty, |$value:ident| $made:expr;)*) => {$(
        impl Give<$c> for $what {
            unsafe fn give(self, out: *mut $c) -> Result<()> {
                let $value = self;
                *out = $made;
                Ok(())
            }
        }
    )*};
}

give! {
    Module => *mut sys::ctorch_module, |module| module.into_raw();
    Native => *mut sys::ctorch_value, |native| Value::from_native(&native)?.into_raw();
    Tensor => *mut sys::ctorch_tensor, |tensor| tensor.into_raw();
    Value => *mut sys::ctorch_value, |value| value.into_raw();
    ValueIterator => *mut sys::ctorch_iterator, |values| values.into_raw();
    Vec<Tensor> => *mut sys::ctorch_tensor_list, |tensors| TensorList::new(&tensors)?.into_raw();
    f64 => f64, |number| number;
}

/// What `saved_tensors_hooks` packs.
impl<T> Give<*mut c_void> for Box<T> {
    unsafe fn give(self, out: *mut *mut c_void) -> Result<()> {
        *out = Box::into_raw(self).cast();
        Ok(())
    }
}

/// A closure that captures nothing: its type is enough to call it.
pub(crate) struct Body<B>(std::marker::PhantomData<B>);

impl<B> Body<B> {
    pub(crate) fn of(body: B) {
        assert_eq!(std::mem::size_of::<B>(), 0, "a body captures nothing");
        std::mem::forget(body);
    }

    /// # Safety
    /// `of` was given one, which is still there: it has no bytes.
    pub(crate) unsafe fn get<'a>() -> &'a B {
        std::ptr::NonNull::dangling().as_ref()
    }
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
