//! Differentiable functions of your own (`torch.autograd.Function`).

use crate::callback::{destroy, with_payload};
use crate::error::{Error, Result};
use crate::stubs;
use crate::support::sys;
use crate::texts::c_string;
use crate::thrown::BoxError;
use crate::{AutogradContext, AutogradFunction, ErrorKind, Tensor, TensorList, Tensors};

/// A function with a derivative of its own. `AutogradFunction::new(name, it)` makes something to apply of it.
///
/// ```
/// use ctorch::{aten, BoxError, Differentiable, AutogradFunction, AutogradContext, Tensor};
///
/// struct Cube;
///
/// impl Differentiable for Cube {
///     fn forward(&self, context: &mut AutogradContext, inputs: &[Tensor]) -> Result<Vec<Tensor>, BoxError> {
///         context.save_for_backward(inputs)?;
///         Ok(vec![aten::pow_tensor_scalar(&inputs[0], 3)?])
///     }
///
///     fn backward(&self, context: &AutogradContext, grads: &[Tensor]) -> Result<Vec<Tensor>, BoxError> {
///         let saved = context.saved_tensors()?;
///         Ok(vec![&grads[0] * &saved[0] * &saved[0] * 3])
///     }
/// }
///
/// # fn main() -> ctorch::Result<()> {
/// let mut x = Tensor::scalar(2.0)?;
/// x.set_requires_grad(true)?;
/// let y = AutogradFunction::new("Cube", Cube)?.apply(&[&x])?;
/// y[0].backward()?;
/// assert_eq!(x.grad()?.unwrap().item_double()?, 12.0);
/// # Ok(())
/// # }
/// ```
pub trait Differentiable: Send + Sync + 'static {
    /// The outputs. An input that was given as `Tensor::undefined()` arrives as such.
    fn forward(&self, context: &mut AutogradContext, inputs: &[Tensor]) -> std::result::Result<Vec<Tensor>, BoxError>;

    /// The gradient of each input, `Tensor::undefined()` for none, from those of the outputs.
    fn backward(&self, context: &AutogradContext, grads: &[Tensor]) -> std::result::Result<Vec<Tensor>, BoxError>;

    /// The tangent of each output from those of the inputs, for forward mode.
    fn jvp(&self, context: &AutogradContext, tangents: &[Tensor]) -> std::result::Result<Vec<Tensor>, BoxError> {
        let _ = (context, tangents);
        Err(Error::new(ErrorKind::NOT_IMPLEMENTED, "the function has no forward mode: it does not define jvp").into())
    }

    /// Whether differentiating the result of `backward` is an error.
    fn once_differentiable(&self) -> bool {
        false
    }
}

impl AutogradFunction {
    /// A function to apply; its node in the graph is called `<name>Backward`.
    ///
    /// C: `ctorch_autograd_function_new`.
    pub fn new<D: Differentiable>(name: &str, definition: D) -> Result<AutogradFunction> {
        let name = c_string(name)?;
        let once = definition.once_differentiable();
        let mut out = std::ptr::null_mut();
        with_payload(definition, |payload| unsafe {
            sys::ctorch_autograd_function_new(
                &mut out,
                name.as_ptr(),
                stubs::autograd_function_forward(|d: &D, context, inputs| d.forward(context, inputs)),
                stubs::autograd_function_backward(|d: &D, context, grads| d.backward(context, grads)),
                stubs::autograd_function_jvp(|d: &D, context, tangents| d.jvp(context, tangents)),
                once,
                Some(destroy::<D>),
                payload,
            )
        })?;
        Ok(AutogradFunction(out))
    }

    /// Call it. The call is recorded if grad mode is on and an input requires grad.
    ///
    /// C: `ctorch_autograd_function_apply`.
    pub fn apply<'a>(&self, inputs: impl Into<Tensors<'a>>) -> Result<TensorList> {
        let inputs = inputs.into();
        let inputs = inputs.pointers();
        let mut out = std::ptr::null_mut();
        crate::error::check(unsafe {
            sys::ctorch_autograd_function_apply(
                &mut out,
                self.0,
                inputs.as_ptr(),
                inputs.len(),
                None,
                std::ptr::null_mut(),
            )
        })?;
        Ok(TensorList(out))
    }
}
