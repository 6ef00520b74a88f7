//! Hooks: closures that backward calls when a gradient is there.
//!
//! They run on the thread that calls backward, or for an accelerator on one of LibTorch's; [`crate::ThreadBound`] lets
//! one hold tensors.

use crate::callback::{destroy, with_payload};
use crate::error::Result;
use crate::stubs;
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
        let mut out = std::ptr::null_mut();
        with_payload(hook, |payload| unsafe {
            sys::ctorch_tensor_register_hook(
                &mut out,
                self.0,
                stubs::tensor_hook(|f: &F, grad| f(grad)),
                Some(destroy::<F>),
                payload,
            )
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
        let mut out = std::ptr::null_mut();
        with_payload(hook, |payload| unsafe {
            sys::ctorch_tensor_register_post_accumulate_grad_hook(
                &mut out,
                self.0,
                stubs::post_accumulate_grad_hook(|f: &F, tensor| f(tensor)),
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
        let mut out = std::ptr::null_mut();
        with_payload(hook, |payload| unsafe {
            sys::ctorch_node_register_prehook(
                &mut out,
                self.0,
                stubs::node_prehook(|f: &F, grads| f(grads)),
                Some(destroy::<F>),
                payload,
            )
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
        let mut out = std::ptr::null_mut();
        with_payload(hook, |payload| unsafe {
            sys::ctorch_node_register_hook(
                &mut out,
                self.0,
                stubs::node_hook(|f: &F, inputs, outputs| f(inputs, outputs)),
                Some(destroy::<F>),
                payload,
            )
        })?;
        Ok(Hook(out))
    }
}
