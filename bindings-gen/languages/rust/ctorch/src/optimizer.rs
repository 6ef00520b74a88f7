//! Optimizers: steps with a closure, groups of parameters, hooks; and gradient scaling.
//!
//! ```
//! use ctorch::{aten, nn, optim, Tensor};
//!
//! # fn main() -> ctorch::Result<()> {
//! let mut model = nn::linear(3, 1).call()?;
//! let mut optimizer = optim::adamw(&mut model.parameters(true)?).lr(1e-2).call()?;
//! let x = Tensor::from_slice(&[1.0f32, 2.0, 3.0], &[1, 3])?;
//! for _ in 0..2 {
//!     optimizer.zero_grad(true)?;
//!     aten::sum(&model.forward(&x)?).call()?.backward()?;
//!     optimizer.step()?;
//! }
//! optimizer.set_lr(1e-3)?;
//! assert_eq!(optimizer.param_group(0)?.get("lr")?, 1e-3.into());
//! # Ok(())
//! # }
//! ```

use std::os::raw::c_void;

use crate::callback::{destroy, run, with_payload};
use crate::error::{check, Error, Result};
use crate::stubs;
use crate::support::sys;
use crate::thrown::BoxError;
use crate::{runtime, ErrorKind, GradScaler, Hook, LrScheduler, Native, Optimizer, Tensor, TensorList, Value};

type Answer<T> = std::result::Result<T, BoxError>;

/// A dict from names to values.
pub(crate) fn dict(entries: &[(&str, Native)]) -> Result<Value> {
    let entries = entries.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
    Value::from_native(&Native::Dict(entries))
}

impl Optimizer {
    /// An optimizer by the name of its class. `params` is a list of tensors, of pairs (name, tensor), or of dicts, each a
    /// group with "params" and options of its own; an option may be a tensor where it may in Python.
    ///
    /// C: `ctorch_optim_create`.
    pub fn create(name: &str, params: impl Into<Native>, options: &[(&str, Native)]) -> Result<Optimizer> {
        let args = Value::from_native(&Native::Tuple(vec![params.into()]))?;
        runtime::optim_create(name, &args, &dict(options)?)
    }

    /// Let a closure compute the loss, gradients included, then change the parameters. The closure may be called several
    /// times; what it gave first is the result.
    ///
    /// C: `ctorch_optimizer_step_closure`.
    pub fn step_with<F>(&mut self, mut closure: F) -> Result<Tensor>
    where
        F: FnMut() -> Answer<Tensor>,
    {
        let mut out = std::ptr::null_mut();
        let payload = &mut closure as *mut F as *mut c_void;
        check(unsafe { sys::ctorch_optimizer_step_closure(&mut out, self.0, Some(compute_loss::<F>), payload) })?;
        Ok(Tensor(out))
    }

    /// A group of parameters, by its number.
    pub fn param_group(&self, index: usize) -> Result<ParamGroup> {
        if index >= self.num_groups() {
            let message = format!("Optimizer::param_group: index is {} of {}", index, self.num_groups());
            return Err(Error::new(ErrorKind::INDEX, &message));
        }
        Ok(ParamGroup { optimizer: self.clone(), index })
    }

    /// All groups of parameters.
    pub fn param_groups(&self) -> Vec<ParamGroup> {
        (0..self.num_groups()).map(|index| ParamGroup { optimizer: self.clone(), index }).collect()
    }

    /// One more group of parameters, with those options that are not the optimizer's own.
    ///
    /// C: `ctorch_optimizer_add_param_group`.
    pub fn add_group(&mut self, params: impl Into<Native>, options: &[(&str, Native)]) -> Result<()> {
        let mut group = vec![("params", params.into())];
        group.extend(options.iter().cloned());
        self.add_param_group(&dict(&group)?)
    }

    /// Call a closure before each step.
    ///
    /// C: `ctorch_optimizer_register_step_pre_hook`.
    pub fn register_step_pre_hook<F>(&mut self, hook: F) -> Result<Hook>
    where
        F: Fn(&mut Optimizer) -> Answer<()> + Send + Sync + 'static,
    {
        let mut out = std::ptr::null_mut();
        with_payload(hook, |payload| unsafe {
            let (call, destroy) = (stubs::optimizer(|f: &F, optimizer| f(optimizer)), Some(destroy::<F> as _));
            sys::ctorch_optimizer_register_step_pre_hook(&mut out, self.0, call, destroy, payload)
        })?;
        Ok(Hook(out))
    }

    /// Call a closure after each step.
    ///
    /// C: `ctorch_optimizer_register_step_post_hook`.
    pub fn register_step_post_hook<F>(&mut self, hook: F) -> Result<Hook>
    where
        F: Fn(&mut Optimizer) -> Answer<()> + Send + Sync + 'static,
    {
        let mut out = std::ptr::null_mut();
        with_payload(hook, |payload| unsafe {
            let (call, destroy) = (stubs::optimizer(|f: &F, optimizer| f(optimizer)), Some(destroy::<F> as _));
            sys::ctorch_optimizer_register_step_post_hook(&mut out, self.0, call, destroy, payload)
        })?;
        Ok(Hook(out))
    }

    /// Call a closure before each step of any optimizer, on whichever thread that is.
    ///
    /// C: `ctorch_optimizer_register_step_pre_hook_for_all`.
    pub fn register_step_pre_hook_for_all<F>(hook: F) -> Result<Hook>
    where
        F: Fn(&mut Optimizer) -> Answer<()> + Send + Sync + 'static,
    {
        let mut out = std::ptr::null_mut();
        with_payload(hook, |payload| unsafe {
            let (call, destroy) = (stubs::optimizer(|f: &F, optimizer| f(optimizer)), Some(destroy::<F> as _));
            sys::ctorch_optimizer_register_step_pre_hook_for_all(&mut out, call, destroy, payload)
        })?;
        Ok(Hook(out))
    }

    /// Call a closure after each step of any optimizer, on whichever thread that is.
    ///
    /// C: `ctorch_optimizer_register_step_post_hook_for_all`.
    pub fn register_step_post_hook_for_all<F>(hook: F) -> Result<Hook>
    where
        F: Fn(&mut Optimizer) -> Answer<()> + Send + Sync + 'static,
    {
        let mut out = std::ptr::null_mut();
        with_payload(hook, |payload| unsafe {
            let (call, destroy) = (stubs::optimizer(|f: &F, optimizer| f(optimizer)), Some(destroy::<F> as _));
            sys::ctorch_optimizer_register_step_post_hook_for_all(&mut out, call, destroy, payload)
        })?;
        Ok(Hook(out))
    }

    /// Call a closure before a state dict is made.
    ///
    /// C: `ctorch_optimizer_register_state_dict_pre_hook`.
    pub fn register_state_dict_pre_hook<F>(&mut self, hook: F, prepend: bool) -> Result<Hook>
    where
        F: Fn(&mut Optimizer) -> Answer<()> + Send + Sync + 'static,
    {
        let mut out = std::ptr::null_mut();
        with_payload(hook, |payload| unsafe {
            let (call, destroy) = (stubs::optimizer(|f: &F, optimizer| f(optimizer)), Some(destroy::<F> as _));
            sys::ctorch_optimizer_register_state_dict_pre_hook(&mut out, self.0, call, prepend, destroy, payload)
        })?;
        Ok(Hook(out))
    }

    /// Call a closure with each state dict that is made; what it returns replaces that.
    ///
    /// C: `ctorch_optimizer_register_state_dict_post_hook`.
    pub fn register_state_dict_post_hook<F>(&mut self, hook: F, prepend: bool) -> Result<Hook>
    where
        F: Fn(&mut Optimizer, &mut Value) -> Answer<Option<Value>> + Send + Sync + 'static,
    {
        let mut out = std::ptr::null_mut();
        with_payload(hook, |payload| unsafe {
            let (call, destroy) =
                (stubs::optimizer_state_dict(|f: &F, optimizer, state| f(optimizer, state)), Some(destroy::<F> as _));
            sys::ctorch_optimizer_register_state_dict_post_hook(&mut out, self.0, call, prepend, destroy, payload)
        })?;
        Ok(Hook(out))
    }

    /// Call a closure with each state dict before it is loaded; what it returns replaces that.
    ///
    /// C: `ctorch_optimizer_register_load_state_dict_pre_hook`.
    pub fn register_load_state_dict_pre_hook<F>(&mut self, hook: F, prepend: bool) -> Result<Hook>
    where
        F: Fn(&mut Optimizer, &mut Value) -> Answer<Option<Value>> + Send + Sync + 'static,
    {
        let mut out = std::ptr::null_mut();
        with_payload(hook, |payload| unsafe {
            let (call, destroy) =
                (stubs::optimizer_state_dict(|f: &F, optimizer, state| f(optimizer, state)), Some(destroy::<F> as _));
            sys::ctorch_optimizer_register_load_state_dict_pre_hook(&mut out, self.0, call, prepend, destroy, payload)
        })?;
        Ok(Hook(out))
    }

    /// Call a closure after a state dict was loaded.
    ///
    /// C: `ctorch_optimizer_register_load_state_dict_post_hook`.
    pub fn register_load_state_dict_post_hook<F>(&mut self, hook: F, prepend: bool) -> Result<Hook>
    where
        F: Fn(&mut Optimizer) -> Answer<()> + Send + Sync + 'static,
    {
        let mut out = std::ptr::null_mut();
        with_payload(hook, |payload| unsafe {
            let (call, destroy) = (stubs::optimizer(|f: &F, optimizer| f(optimizer)), Some(destroy::<F> as _));
            sys::ctorch_optimizer_register_load_state_dict_post_hook(&mut out, self.0, call, prepend, destroy, payload)
        })?;
        Ok(Hook(out))
    }
}

impl std::fmt::Debug for Optimizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.repr().unwrap_or_else(|error| error.to_string()))
    }
}

/// Some parameters of an optimizer, with options of their own.
#[derive(Clone, Debug)]
pub struct ParamGroup {
    optimizer: Optimizer,
    index: usize,
}

impl ParamGroup {
    /// The very tensors.
    ///
    /// C: `ctorch_optimizer_params`.
    pub fn params(&self) -> Result<TensorList> {
        self.optimizer.params(self.index)
    }

    /// An option, by Python's name: "lr".
    ///
    /// C: `ctorch_optimizer_get_option`.
    pub fn get(&self, name: &str) -> Result<Native> {
        self.optimizer.get_option(self.index, name)?.to_native()
    }

    /// Change or add an option.
    ///
    /// C: `ctorch_optimizer_set_option`.
    pub fn set(&mut self, name: &str, value: impl Into<Native>) -> Result<()> {
        self.optimizer.set_option(self.index, name, &Value::from_native(&value.into())?)
    }

    /// All options, in a dict.
    ///
    /// C: `ctorch_optimizer_options`.
    pub fn options(&self) -> Result<Native> {
        self.optimizer.options(self.index)?.to_native()
    }
}

impl GradScaler {
    /// A scaler for a type of device, "cuda" or "cpu", with Python's defaults.
    ///
    /// C: `ctorch_grad_scaler_new`.
    pub fn of_device(device: &str) -> Result<GradScaler> {
        GradScaler::new(Some(device), 65536.0, 2.0, 0.5, 2000, true)
    }

    /// A step with a closure, for which a scaler has to be disabled.
    ///
    /// C: `ctorch_grad_scaler_step_closure`.
    pub fn step_with<F>(&mut self, optimizer: &mut Optimizer, mut closure: F) -> Result<Tensor>
    where
        F: FnMut() -> Answer<Tensor>,
    {
        let mut out = std::ptr::null_mut();
        let payload = &mut closure as *mut F as *mut c_void;
        check(unsafe {
            sys::ctorch_grad_scaler_step_closure(&mut out, self.0, optimizer.0, Some(compute_loss::<F>), payload)
        })?;
        Ok(Tensor(out))
    }
}

impl std::fmt::Debug for GradScaler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GradScaler").field("scale", &self.get_scale()).field("enabled", &self.is_enabled()).finish()
    }
}

impl LrScheduler {
    /// The initial learning rate times a factor that a closure computes of the group and the epoch.
    ///
    /// ```
    /// use ctorch::{nn, optim, LrScheduler};
    ///
    /// # fn main() -> ctorch::Result<()> {
    /// let model = nn::linear(3, 1).call()?;
    /// let mut optimizer = optim::sgd(&mut model.parameters(true)?).lr(0.5).call()?;
    /// let mut scheduler = LrScheduler::lambda_lr(&mut optimizer, |_, epoch| Ok(0.5f64.powi(epoch as i32)), -1)?;
    /// optimizer.step()?;
    /// scheduler.step()?;
    /// assert_eq!(scheduler.get_last_lr()?, [0.25]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// C: `ctorch_lr_scheduler_lambda_lr`.
    pub fn lambda_lr<F>(optimizer: &mut Optimizer, lr_lambda: F, last_epoch: i64) -> Result<LrScheduler>
    where
        F: Fn(i64, i64) -> Answer<f64> + Send + Sync + 'static,
    {
        let mut out = std::ptr::null_mut();
        with_payload(lr_lambda, |payload| unsafe {
            let (call, destroy) = (stubs::lr_lambda(|f: &F, group, epoch| f(group, epoch)), Some(destroy::<F> as _));
            sys::ctorch_lr_scheduler_lambda_lr(&mut out, optimizer.0, call, destroy, payload, last_epoch)
        })?;
        Ok(LrScheduler(out))
    }

    /// The learning rate times a factor that a closure computes of the group and the epoch, in each step anew.
    ///
    /// C: `ctorch_lr_scheduler_multiplicative_lr`.
    pub fn multiplicative_lr<F>(optimizer: &mut Optimizer, lr_lambda: F, last_epoch: i64) -> Result<LrScheduler>
    where
        F: Fn(i64, i64) -> Answer<f64> + Send + Sync + 'static,
    {
        let mut out = std::ptr::null_mut();
        with_payload(lr_lambda, |payload| unsafe {
            let (call, destroy) = (stubs::lr_lambda(|f: &F, group, epoch| f(group, epoch)), Some(destroy::<F> as _));
            sys::ctorch_lr_scheduler_multiplicative_lr(&mut out, optimizer.0, call, destroy, payload, last_epoch)
        })?;
        Ok(LrScheduler(out))
    }

    /// Cycles of `2 * step_size` steps between two learning rates, whose height a closure scales by the number of the cycle.
    /// The momentum stays; ctorch_lr_scheduler_cyclic_lr in [`crate::sys`] has the other options.
    ///
    /// C: `ctorch_lr_scheduler_cyclic_lr`.
    pub fn cyclic_lr<F>(
        optimizer: &mut Optimizer,
        base_lr: f64,
        max_lr: f64,
        step_size: i64,
        scale_fn: F,
    ) -> Result<LrScheduler>
    where
        F: Fn(f64) -> Answer<f64> + Send + Sync + 'static,
    {
        let mut out = std::ptr::null_mut();
        with_payload(scale_fn, |payload| unsafe {
            sys::ctorch_lr_scheduler_cyclic_lr(
                &mut out,
                optimizer.0,
                &base_lr,
                1,
                &max_lr,
                1,
                step_size,
                std::ptr::null(),
                stubs::lr_scale(|f: &F, x| f(x)),
                Some(destroy::<F>),
                payload,
                std::ptr::null(),
                false,
                0.8,
                0.9,
                -1,
            )
        })?;
        Ok(LrScheduler(out))
    }

    /// The learning rates that it set last, as numbers.
    ///
    /// C: `ctorch_lr_scheduler_last_lr`.
    pub fn get_last_lr(&self) -> Result<Vec<f64>> {
        let rates = self.last_lr()?;
        (0..rates.len()).map(|i| number(&rates.get(i)?)).collect()
    }
}

fn number(value: &Value) -> Result<f64> {
    match value.to_native()? {
        Native::Tensor(tensor) => tensor.item_double(),
        Native::Int(number) => Ok(number as f64),
        _ => value.to_double(),
    }
}

impl std::fmt::Debug for LrScheduler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}({:?})", self.name(), self.get_last_lr())
    }
}

unsafe extern "C" fn compute_loss<F: FnMut() -> Answer<Tensor>>(
    out: *mut *mut sys::ctorch_tensor,
    error: *mut *mut sys::ctorch_error,
    payload: *mut c_void,
) -> sys::ctorch_callback_status {
    let store = |loss: Tensor| {
        *out = loss.into_raw();
        Ok(())
    };
    run(error, store, || (*payload.cast::<F>())())
}
