//! Texts for C, which end with NUL and have none inside.

use std::ffi::CString;
use std::os::raw::c_char;

use crate::error::{Error, Result};
use crate::ErrorKind;

pub(crate) fn c_string(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::new(ErrorKind::INVALID_ARGUMENT, "a text for C cannot have a NUL inside"))
}

pub(crate) fn optional_c_string(text: Option<&str>) -> Result<Option<CString>> {
    text.map(c_string).transpose()
}

pub(crate) fn optional_c_string_ptr(text: &Option<CString>) -> *const c_char {
    text.as_ref().map_or(std::ptr::null(), |t| t.as_ptr())
}

/// Texts and the array of pointers that C reads them through.
pub(crate) struct CStrings {
    _texts: Vec<CString>,
    pointers: Vec<*const c_char>,
}

impl CStrings {
    /// NULL for none: to C a list that is there and empty may be another thing, as the second text of a pair.
    pub(crate) fn as_ptr(&self) -> *const *const c_char {
        if self.pointers.is_empty() {
            return std::ptr::null();
        }
        self.pointers.as_ptr()
    }

    pub(crate) fn len(&self) -> usize {
        self.pointers.len()
    }
}

pub(crate) fn c_strings(texts: &[&str]) -> Result<CStrings> {
    let texts = texts.iter().map(|t| c_string(t)).collect::<Result<Vec<_>>>()?;
    let pointers = texts.iter().map(|t| t.as_ptr()).collect();
    Ok(CStrings { _texts: texts, pointers })
}
