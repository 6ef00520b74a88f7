//! Modules of one's own, and closures that modules call.
//!
//! ```
//! use ctorch::{aten, nn, Module, Tensor};
//!
//! # fn main() -> ctorch::Result<()> {
//! let mut net = Module::custom("Residual", |module, input| {
//!     let inner = module.get_submodule("inner")?.forward(input)?;
//!     Ok(input.try_add(&inner)?)
//! })?;
//! net.register_module("inner", &nn::linear(3, 3).call()?)?;
//! let y = net.forward(&Tensor::from_slice(&[1.0f32, 2.0, 3.0], &[1, 3])?)?;
//! assert_eq!(aten::relu(&y)?.size(1)?, 3);
//! assert_eq!(net.parameters(true)?.len(), 2);
//! # Ok(())
//! # }
//! ```
//!
//! A closure asks the module that it is given for its parts, each time: a copy has others, and so has a module that was
//! loaded or moved. One that held its own module would keep it for ever.

use std::os::raw::c_void;

use crate::callback::{destroy, with_payload};
use crate::error::Result;
use crate::stubs;
use crate::support::sys;
use crate::texts::c_string;
use crate::thrown::BoxError;
use crate::{Hook, Module, Tensor, Value};

type Answer<T> = std::result::Result<T, BoxError>;

impl Module {
    /// A module whose forward is a closure, of one tensor to one.
    ///
    /// It holds nothing yet; `name` is that of its class.
    ///
    /// C: `ctorch_module_new`.
    pub fn custom<F>(name: &str, forward: F) -> Result<Module>
    where
        F: Fn(&mut Module, &Tensor) -> Answer<Tensor> + Send + Sync + 'static,
    {
        let name = c_string(name)?;
        let mut out = std::ptr::null_mut();
        with_payload(forward, |payload| unsafe {
            sys::ctorch_module_new(
                &mut out,
                name.as_ptr(),
                stubs::module_forward(|f: &F, module, input| f(module, input)),
                Some(destroy::<F>),
                payload,
            )
        })?;
        Ok(Module(out))
    }

    /// A module whose forward is a closure, of any values: a tuple of arguments and a dict of those by name.
    ///
    /// C: `ctorch_module_new_of_values`.
    pub fn custom_of_values<F>(name: &str, forward: F) -> Result<Module>
    where
        F: Fn(&mut Module, &Value, &Value) -> Answer<Value> + Send + Sync + 'static,
    {
        let name = c_string(name)?;
        let mut out = std::ptr::null_mut();
        with_payload(forward, |payload| unsafe {
            sys::ctorch_module_new_of_values(
                &mut out,
                name.as_ptr(),
                stubs::module_call(|f: &F, module, args, kwargs| f(module, args, kwargs)),
                Some(destroy::<F>),
                payload,
            )
        })?;
        Ok(Module(out))
    }

    /// A module that only holds others, and has no forward.
    ///
    /// C: `ctorch_module_new_of_values`.
    pub fn holder(name: &str) -> Result<Module> {
        let name = c_string(name)?;
        let mut out = std::ptr::null_mut();
        crate::error::check(unsafe {
            sys::ctorch_module_new_of_values(&mut out, name.as_ptr(), None, None, std::ptr::null_mut())
        })?;
        Ok(Module(out))
    }

    /// Let the text of a module of one's own tell more than its class.
    ///
    /// C: `ctorch_module_set_extra_repr`.
    pub fn set_extra_repr<F>(&mut self, callback: F) -> Result<()>
    where
        F: Fn(&Module) -> Answer<String> + Send + Sync + 'static,
    {
        with_payload(callback, |payload| unsafe {
            sys::ctorch_module_set_extra_repr(
                self.0,
                stubs::module_value(|f: &F, module| Ok(Value::from_native(&f(module)?.as_str().into())?)),
                Some(destroy::<F>),
                payload,
            )
        })
    }

    /// Let [`Module::reset_parameters`] draw the initial values of a module of one's own.
    ///
    /// C: `ctorch_module_set_reset_parameters`.
    pub fn set_reset_parameters<F>(&mut self, callback: F) -> Result<()>
    where
        F: Fn(&mut Module) -> Answer<()> + Send + Sync + 'static,
    {
        with_payload(callback, |payload| unsafe {
            sys::ctorch_module_set_reset_parameters(
                self.0,
                stubs::module(|f: &F, module| f(module)),
                Some(destroy::<F>),
                payload,
            )
        })
    }

    /// Let a state dict have more of a module of one's own than its tensors.
    ///
    /// C: `ctorch_module_set_extra_state`.
    pub fn set_extra_state<G, S>(&mut self, get: G, set: S) -> Result<()>
    where
        G: Fn(&Module) -> Answer<Value> + Send + Sync + 'static,
        S: Fn(&mut Module, &Value) -> Answer<()> + Send + Sync + 'static,
    {
        with_payload((get, set), |payload| unsafe {
            sys::ctorch_module_set_extra_state(
                self.0,
                stubs::module_value(|(get, _): &(G, S), module| get(module)),
                stubs::module_set_value(|(_, set): &(G, S), module, value| set(module, value)),
                Some(destroy::<(G, S)>),
                payload,
            )
        })
    }

    /// Let [`Module::copy`] copy a module of one's own: the closure makes another one of the same kind, which then gets
    /// copies of all that this one holds.
    ///
    /// C: `ctorch_module_set_copy`.
    pub fn set_copy<F>(&mut self, callback: F) -> Result<()>
    where
        F: Fn(&Module) -> Answer<Module> + Send + Sync + 'static,
    {
        with_payload(callback, |payload| unsafe {
            sys::ctorch_module_set_copy(
                self.0,
                stubs::module_copy(|f: &F, module| f(module)),
                Some(destroy::<F>),
                payload,
            )
        })
    }

    /// Call a closure with every module inside, and with this one as the last.
    ///
    /// C: `ctorch_module_apply`.
    pub fn apply<F>(&mut self, function: F) -> Result<()>
    where
        F: Fn(&mut Module) -> Answer<()>,
    {
        crate::error::check(unsafe {
            sys::ctorch_module_apply(
                self.0,
                stubs::module(|f: &F, module| f(module)),
                &function as *const F as *mut c_void,
            )
        })
    }

    /// The value of a module for arguments of any kind, in a tuple.
    ///
    /// C: `ctorch_module_call`.
    pub fn call_with(&mut self, args: &[crate::Native]) -> Result<crate::Native> {
        let args = Value::from_native(&crate::Native::Tuple(args.to_vec()))?;
        self.call(&args, None)?.to_native()
    }

    /// Call a closure with the arguments before this module is applied; what it returns replaces them. With `with_kwargs`
    /// that is a tuple of the arguments and of those by name.
    ///
    /// C: `ctorch_module_register_forward_pre_hook`.
    pub fn register_forward_pre_hook<F>(&mut self, hook: F, with_kwargs: bool, prepend: bool) -> Result<Hook>
    where
        F: Fn(&mut Module, &Value, &Value) -> Answer<Option<Value>> + Send + Sync + 'static,
    {
        let mut out = std::ptr::null_mut();
        with_payload(hook, |payload| unsafe {
            sys::ctorch_module_register_forward_pre_hook(
                &mut out,
                self.0,
                stubs::module_forward_pre_hook(|f: &F, module, args, kwargs| f(module, args, kwargs)),
                with_kwargs,
                prepend,
                Some(destroy::<F>),
                payload,
            )
        })?;
        Ok(Hook(out))
    }

    /// Call a closure with the arguments, those by name, and the result, when this module was applied; what it returns
    /// replaces the result. With `always_call` also when the forward failed: then there is none.
    ///
    /// C: `ctorch_module_register_forward_hook`.
    pub fn register_forward_hook<F>(&mut self, hook: F, always_call: bool, prepend: bool) -> Result<Hook>
    where
        F: Fn(&mut Module, &Value, &Value, Option<&Value>) -> Answer<Option<Value>> + Send + Sync + 'static,
    {
        let mut out = std::ptr::null_mut();
        with_payload(hook, |payload| unsafe {
            sys::ctorch_module_register_forward_hook(
                &mut out,
                self.0,
                stubs::module_forward_hook(|f: &F, module, args, kwargs, output| f(module, args, kwargs, output)),
                always_call,
                prepend,
                Some(destroy::<F>),
                payload,
            )
        })?;
        Ok(Hook(out))
    }

    /// Call a closure with the gradients of the inputs and those of the outputs; what it returns replaces the first.
    ///
    /// C: `ctorch_module_register_backward_hook`.
    pub fn register_full_backward_hook<F>(&mut self, hook: F, prepend: bool) -> Result<Hook>
    where
        F: Fn(&mut Module, &[Tensor], &[Tensor]) -> Answer<Option<Vec<Tensor>>> + Send + Sync + 'static,
    {
        let mut out = std::ptr::null_mut();
        with_payload(hook, |payload| unsafe {
            sys::ctorch_module_register_backward_hook(
                &mut out,
                self.0,
                stubs::module_backward_hook(|f: &F, module, inputs, outputs| f(module, inputs, outputs)),
                prepend,
                Some(destroy::<F>),
                payload,
            )
        })?;
        Ok(Hook(out))
    }
}

impl std::fmt::Debug for Module {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.repr().unwrap_or_else(|error| error.to_string()))
    }
}
