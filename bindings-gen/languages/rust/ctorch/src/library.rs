//! Operators of your own.

use std::mem::ManuallyDrop;
use std::os::raw::c_void;

use crate::callback::{destroy, run, with_payload};
use crate::error::{Error, Result};
use crate::support::sys;
use crate::texts::c_string;
use crate::thrown::BoxError;
use crate::{ErrorKind, Library, Value};

impl Library {
    /// Give a defined operator a kernel for a dispatch key ("CPU", "CompositeImplicitAutograd", …). The closure gets
    /// the arguments in the order of the schema and returns as many results as the schema has.
    ///
    /// C: `ctorch_library_implement`.
    pub fn implement<F>(&mut self, name: &str, dispatch_key: &str, kernel: F) -> Result<()>
    where
        F: Fn(&[Value]) -> std::result::Result<Vec<Value>, BoxError> + Send + Sync + 'static,
    {
        unsafe extern "C" fn call<F: Fn(&[Value]) -> std::result::Result<Vec<Value>, BoxError>>(
            results: *mut *mut sys::ctorch_value,
            results_len: usize,
            args: *const *const sys::ctorch_value,
            args_len: usize,
            error: *mut *mut sys::ctorch_error,
            payload: *mut c_void,
        ) -> sys::ctorch_callback_status {
            // A Value is the pointer that the array holds; nothing here releases it.
            let args: &[ManuallyDrop<Value>] =
                if args_len == 0 { &[] } else { std::slice::from_raw_parts(args.cast(), args_len) };
            let args = &*(args as *const [ManuallyDrop<Value>] as *const [Value]);
            let store = |values: Vec<Value>| {
                if values.len() != results_len {
                    let text = format!("the kernel returned {} values, its schema has {}", values.len(), results_len);
                    return Err(Error::new(ErrorKind::CALLBACK, &text));
                }
                for (i, value) in values.into_iter().enumerate() {
                    *results.add(i) = value.into_raw();
                }
                Ok(())
            };
            run(error, store, || (*payload.cast::<F>())(args))
        }
        let (name, dispatch_key) = (c_string(name)?, c_string(dispatch_key)?);
        with_payload(kernel, |payload| unsafe {
            sys::ctorch_library_implement(
                self.0,
                name.as_ptr(),
                dispatch_key.as_ptr(),
                Some(call::<F>),
                Some(destroy::<F>),
                payload,
            )
        })
    }
}
