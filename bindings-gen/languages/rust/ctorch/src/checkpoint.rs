//! Functions of tensors that C calls: those of transforms, and checkpoints.

use crate::callback::{destroy, with_payload};
use crate::error::Result;
use crate::stubs;
use crate::support::sys;
use crate::thrown::BoxError;
use crate::{Tensor, TensorList, Tensors};

/// A function of tensors, for transforms such as [`crate::func_grad`].
pub type TensorsFunction<'a> = &'a dyn Fn(&[Tensor]) -> std::result::Result<Vec<Tensor>, BoxError>;

/// The callback of functions that need theirs during the call only.
pub(crate) fn call_tensors() -> sys::ctorch_tensors_callback {
    stubs::tensors(|function: &TensorsFunction, inputs| function(inputs))
}

/// Run a function without keeping what its backward needs: that is computed again
/// (`torch.utils.checkpoint.checkpoint`).
///
/// C: `ctorch_checkpoint`.
pub fn checkpoint<'a, F>(function: F, inputs: impl Into<Tensors<'a>>) -> Result<TensorList>
where
    F: Fn(&[Tensor]) -> std::result::Result<Vec<Tensor>, BoxError> + Send + Sync + 'static,
{
    let inputs = inputs.into();
    let inputs = inputs.pointers();
    let mut out = std::ptr::null_mut();
    with_payload(function, |payload| unsafe {
        sys::ctorch_checkpoint(
            &mut out,
            stubs::tensors(|f: &F, inputs| f(inputs)),
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
