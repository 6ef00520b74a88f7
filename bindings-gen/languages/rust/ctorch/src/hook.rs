//! Hooks: closures that backward calls when a gradient is there.
//!
//! They run on the thread that calls backward, or for an accelerator on one of LibTorch's; [`crate::ThreadBound`] lets
//! one hold tensors.

use std::mem::ManuallyDrop;
use std::os::raw::c_void;

use crate::callback::{borrowed, destroy, run, store_list, with_payload};
use crate::error::Result;
use crate::support::sys;
use crate::thrown::BoxError;
use crate::{Hook, Node, Tensor};

impl Tensor {
    /// Call a closure each time the gradient of this tensor was computed. It may return another gradient.
    ///
    /// The hook stays until [`Hook::remove`] or until the tensor is gone, whatever becomes of the returned value.
    ///
    /// C: `ctorch_tensor_register_hook`.
    pub fn register_hook<F>(&mut self, hook: F) -> Result<Hook>
    where
        F: Fn(&Tensor) -> std::result::Result<Option<Tensor>, BoxError> + Send + Sync + 'static,
    {
        unsafe extern "C" fn call<F: Fn(&Tensor) -> std::result::Result<Option<Tensor>, BoxError>>(
            out: *mut *mut sys::ctorch_tensor,
            grad: *const sys::ctorch_tensor,
            error: *mut *mut sys::ctorch_error,
            payload: *mut c_void,
        ) -> sys::ctorch_callback_status {
            let grad = ManuallyDrop::new(Tensor(grad as *mut _));
            let store = |replacement: Option<Tensor>| {
                if let Some(tensor) = replacement {
                    *out = tensor.into_raw();
                }
                Ok(())
            };
            run(error, store, || (*payload.cast::<F>())(&grad))
        }
        let mut out = std::ptr::null_mut();
        with_payload(hook, |payload| unsafe {
            sys::ctorch_tensor_register_hook(&mut out, self.0, Some(call::<F>), Some(destroy::<F>), payload)
        })?;
        Ok(Hook(out))
    }

    /// Call a closure each time a gradient was accumulated into this leaf.
    ///
    /// C: `ctorch_tensor_register_post_accumulate_grad_hook`.
    pub fn register_post_accumulate_grad_hook<F>(&mut self, hook: F) -> Result<Hook>
    where
        F: Fn(&mut Tensor) -> std::result::Result<(), BoxError> + Send + Sync + 'static,
    {
        unsafe extern "C" fn call<F: Fn(&mut Tensor) -> std::result::Result<(), BoxError>>(
            tensor: *mut sys::ctorch_tensor,
            error: *mut *mut sys::ctorch_error,
            payload: *mut c_void,
        ) -> sys::ctorch_callback_status {
            let mut tensor = ManuallyDrop::new(Tensor(tensor));
            run(error, |()| Ok(()), || (*payload.cast::<F>())(&mut tensor))
        }
        let mut out = std::ptr::null_mut();
        with_payload(hook, |payload| unsafe {
            sys::ctorch_tensor_register_post_accumulate_grad_hook(
                &mut out,
                self.0,
                Some(call::<F>),
                Some(destroy::<F>),
                payload,
            )
        })?;
        Ok(Hook(out))
    }
}

type Gradients = std::result::Result<Option<Vec<Tensor>>, BoxError>;

impl Node {
    /// Call a closure with the gradients that go into this node, before it runs. It may return others, as many; an
    /// undefined tensor stands for none.
    ///
    /// C: `ctorch_node_register_prehook`.
    pub fn register_prehook<F>(&mut self, hook: F) -> Result<Hook>
    where
        F: Fn(&[Tensor]) -> Gradients + Send + Sync + 'static,
    {
        unsafe extern "C" fn call<F: Fn(&[Tensor]) -> Gradients>(
            out: *mut *mut sys::ctorch_tensor_list,
            grad_outputs: *const *const sys::ctorch_tensor,
            grad_outputs_len: usize,
            error: *mut *mut sys::ctorch_error,
            payload: *mut c_void,
        ) -> sys::ctorch_callback_status {
            let store = |grads: Option<Vec<Tensor>>| grads.map_or(Ok(()), |g| store_list(out, g));
            run(error, store, || (*payload.cast::<F>())(borrowed(grad_outputs, grad_outputs_len)))
        }
        let mut out = std::ptr::null_mut();
        with_payload(hook, |payload| unsafe {
            sys::ctorch_node_register_prehook(&mut out, self.0, Some(call::<F>), Some(destroy::<F>), payload)
        })?;
        Ok(Hook(out))
    }

    /// Call a closure with the gradients that came out of this node and those that went in. It may return others in
    /// place of those that came out, as many; an undefined tensor stands for none.
    ///
    /// C: `ctorch_node_register_hook`.
    pub fn register_hook<F>(&mut self, hook: F) -> Result<Hook>
    where
        F: Fn(&[Tensor], &[Tensor]) -> Gradients + Send + Sync + 'static,
    {
        unsafe extern "C" fn call<F: Fn(&[Tensor], &[Tensor]) -> Gradients>(
            out: *mut *mut sys::ctorch_tensor_list,
            grad_inputs: *const *const sys::ctorch_tensor,
            grad_inputs_len: usize,
            grad_outputs: *const *const sys::ctorch_tensor,
            grad_outputs_len: usize,
            error: *mut *mut sys::ctorch_error,
            payload: *mut c_void,
        ) -> sys::ctorch_callback_status {
            let store = |grads: Option<Vec<Tensor>>| grads.map_or(Ok(()), |g| store_list(out, g));
            let (inputs, outputs) = (borrowed(grad_inputs, grad_inputs_len), borrowed(grad_outputs, grad_outputs_len));
            run(error, store, || (*payload.cast::<F>())(inputs, outputs))
        }
        let mut out = std::ptr::null_mut();
        with_payload(hook, |payload| unsafe {
            sys::ctorch_node_register_hook(&mut out, self.0, Some(call::<F>), Some(destroy::<F>), payload)
        })?;
        Ok(Hook(out))
    }
}
