//! What the other files are made with: handles, texts that C lends, pointers to what may be left out.

pub(crate) use crate::sys;

use std::ffi::CStr;
use std::os::raw::c_char;

/// A handle: the pointer that C gave, released when it is dropped.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $raw:ty, $release:path) => {
        $(#[$doc])*
        #[repr(transparent)]
        // The pointer makes it neither Send nor Sync, like Rc: another handle to the same object, or to another tensor
        // that shares its memory, can be had in safe code, and what is changed through one is read through the other.
        pub struct $name(pub(crate) *mut $raw);

        impl Drop for $name {
            #[inline]
            fn drop(&mut self) {
                unsafe { $release(self.0) }
            }
        }

        impl $name {
            /// The handle for C, which stays this value's.
            #[inline]
            pub fn as_raw(&self) -> *mut $raw {
                self.0
            }

            /// The handle for C, which is to release it.
            pub fn into_raw(self) -> *mut $raw {
                std::mem::ManuallyDrop::new(self).0
            }

            /// Take over a handle.
            ///
            /// # Safety
            /// It is a live handle of this type, or NULL, and the caller owns a reference to it.
            pub unsafe fn from_raw(raw: *mut $raw) -> Self {
                $name(raw)
            }

            /// Whether there is no object behind it.
            pub fn is_null(&self) -> bool {
                self.0.is_null()
            }
        }
    };
}

/// A handle whose references are counted.
macro_rules! shared_handle {
    ($(#[$doc:meta])* $name:ident, $raw:ty, $release:path, $retain:path) => {
        handle!($(#[$doc])* $name, $raw, $release);

        impl Clone for $name {
            /// Another reference to the same object.
            #[inline]
            fn clone(&self) -> Self {
                unsafe { $retain(self.0) };
                $name(self.0)
            }
        }
    };
}

/// A handle of something that never changes, and may be given back on any thread.
macro_rules! immutable_handle {
    ($name:ident) => {
        unsafe impl Send for $name {}
        unsafe impl Sync for $name {}
    };
}

/// Printed by its address.
macro_rules! opaque_handle {
    ($name:ident) => {
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({:?})"), self.0)
            }
        }
    };
}

pub(crate) use {handle, immutable_handle, opaque_handle, shared_handle};

/// A text that C lends; "" for NULL.
///
/// # Safety
/// It ends with NUL and lives as long as the caller says.
#[inline]
pub(crate) unsafe fn text<'a>(c: *const c_char) -> &'a str {
    if c.is_null() {
        return "";
    }
    CStr::from_ptr(c).to_str().unwrap_or("")
}

/// A text of the library's own; "" for NULL.
///
/// # Safety
/// It is ASCII that ends with NUL and stays for good.
#[inline]
pub(crate) unsafe fn static_text(c: *const c_char) -> &'static str {
    if c.is_null() {
        return "";
    }
    std::str::from_utf8_unchecked(CStr::from_ptr(c).to_bytes())
}

/// A text that C hands over.
pub(crate) fn string(owned: *mut sys::ctorch_string) -> String {
    unsafe {
        let data = sys::ctorch_string_data(owned).cast::<u8>();
        let copy = if data.is_null() {
            String::new()
        } else {
            let bytes = std::slice::from_raw_parts(data, sys::ctorch_string_len(owned));
            String::from_utf8_lossy(bytes).into_owned()
        };
        sys::ctorch_string_release(owned);
        copy
    }
}

/// A pointer to what is given, as C sees it; NULL for nothing.
#[inline]
pub(crate) fn optional_ptr<T, C>(value: &Option<T>) -> *const C {
    value.as_ref().map_or(std::ptr::null(), |v| (v as *const T).cast())
}

/// An empty slice has an address too, which tells it from None.
#[inline]
pub(crate) fn slice_ptr<T>(slice: Option<&[T]>) -> *const T {
    slice.map_or(std::ptr::null(), |s| s.as_ptr())
}

#[inline]
pub(crate) fn slice_len<T>(slice: Option<&[T]>) -> usize {
    slice.map_or(0, |s| s.len())
}
