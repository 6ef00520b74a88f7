//! The trainer: closures that it calls, and what it knows.
//!
//! ```
//! use ctorch::{data, nn, optim, Tensor, Trainer, TrainerEvent};
//!
//! # fn main() -> ctorch::Result<()> {
//! ctorch::manual_seed(0)?;
//! let x = Tensor::from_slice(&[1.0f32, 2.0, 3.0, 4.0], &[4, 1])?;
//! let mut loader = data::dataloader(&data::tensordataset(&[&x, &(&x * 2)])?).batch_size(2).call()?;
//! let mut model = nn::linear(1, 1).call()?;
//! let mut optimizer = optim::sgd(&mut model.parameters(true)?).lr(0.05).call()?;
//! let mut trainer = Trainer::new(&mut model, &mut optimizer)?;
//! trainer.set_loss(&mut nn::mseloss().call()?)?;
//! trainer.set_length(50, 0)?;
//! trainer.on(TrainerEvent::EPOCH_END, |trainer, _| {
//!     if trainer.history()?.last().map_or(false, |epoch| epoch["loss"] < 1e-3) {
//!         trainer.stop();
//!     }
//!     Ok(())
//! })?;
//! trainer.fit(&mut loader)?;
//! assert!(trainer.evaluate(&mut loader)?["loss"] < 1e-2);
//! # Ok(())
//! # }
//! ```
//!
//! A closure gets the trainer that calls it. One that held it would keep it for ever.

use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::os::raw::c_void;

use crate::callback::{destroy, run, with_payload};
use crate::error::{check, Error, Result};
use crate::iterator::Answer;
use crate::support::sys;
use crate::texts::c_string;
use crate::threads::ThreadBound;
use crate::{ErrorKind, Loader, Module, Native, Tensor, Trainer, TrainerEvent, Value};

unsafe fn lent_value(value: *const sys::ctorch_value) -> ManuallyDrop<Value> {
    ManuallyDrop::new(Value(value as *mut _))
}

impl Trainer {
    /// Let a closure compute the loss of a batch, in training and in validation, on the thread of [`Trainer::fit`]. It
    /// gets the trainer and the model.
    ///
    /// C: `ctorch_trainer_set_step`.
    pub fn set_step<F>(&mut self, step: F) -> Result<()>
    where
        F: Fn(&mut Trainer, &mut Module, Native) -> Answer<Tensor> + 'static,
    {
        unsafe extern "C" fn call<F: Fn(&mut Trainer, &mut Module, Native) -> Answer<Tensor>>(
            out: *mut *mut sys::ctorch_tensor,
            trainer: *mut sys::ctorch_trainer,
            module: *mut sys::ctorch_module,
            batch: *const sys::ctorch_value,
            error: *mut *mut sys::ctorch_error,
            payload: *mut c_void,
        ) -> sys::ctorch_callback_status {
            let (mut trainer, mut module) = (ManuallyDrop::new(Trainer(trainer)), ManuallyDrop::new(Module(module)));
            let batch = lent_value(batch);
            let store = |loss: Tensor| {
                *out = loss.into_raw();
                Ok(())
            };
            let step = &*payload.cast::<ThreadBound<F>>();
            run(error, store, || (**step)(&mut trainer, &mut module, batch.to_native()?))
        }
        with_payload(ThreadBound::new(step), |payload| unsafe {
            sys::ctorch_trainer_set_step(self.0, Some(call::<F>), Some(destroy::<ThreadBound<F>>), payload)
        })
    }

    /// Let a closure compute a metric of what the model gave and of the batch: the mean over its samples.
    ///
    /// C: `ctorch_trainer_add_metric`.
    pub fn add_metric<F>(&mut self, name: &str, metric: F) -> Result<()>
    where
        F: Fn(Native, Native) -> Answer<f64> + 'static,
    {
        unsafe extern "C" fn call<F: Fn(Native, Native) -> Answer<f64>>(
            out: *mut f64,
            output: *const sys::ctorch_value,
            batch: *const sys::ctorch_value,
            error: *mut *mut sys::ctorch_error,
            payload: *mut c_void,
        ) -> sys::ctorch_callback_status {
            let (output, batch) = (lent_value(output), lent_value(batch));
            let store = |metric: f64| {
                *out = metric;
                Ok(())
            };
            let metric = &*payload.cast::<ThreadBound<F>>();
            run(error, store, || (**metric)(output.to_native()?, batch.to_native()?))
        }
        let name = c_string(name)?;
        with_payload(ThreadBound::new(metric), |payload| unsafe {
            let (call, destroy) = (Some(call::<F> as _), Some(destroy::<ThreadBound<F>> as _));
            sys::ctorch_trainer_add_metric(self.0, name.as_ptr(), call, destroy, payload)
        })
    }

    /// The share of targets that are the index of the greatest of the outputs, as a metric "accuracy".
    ///
    /// C: `ctorch_trainer_add_metric`.
    pub fn add_accuracy(&mut self) -> Result<()> {
        let name = c_string("accuracy")?;
        check(unsafe { sys::ctorch_trainer_add_metric(self.0, name.as_ptr(), None, None, std::ptr::null_mut()) })
    }

    /// Call a closure at a point of the loop, with the trainer.
    ///
    /// C: `ctorch_trainer_add_callback`.
    pub fn on<F>(&mut self, event: TrainerEvent, callback: F) -> Result<()>
    where
        F: Fn(&mut Trainer, TrainerEvent) -> Answer<()> + 'static,
    {
        unsafe extern "C" fn call<F: Fn(&mut Trainer, TrainerEvent) -> Answer<()>>(
            trainer: *mut sys::ctorch_trainer,
            event: sys::ctorch_trainer_event,
            error: *mut *mut sys::ctorch_error,
            payload: *mut c_void,
        ) -> sys::ctorch_callback_status {
            let mut trainer = ManuallyDrop::new(Trainer(trainer));
            let callback = &*payload.cast::<ThreadBound<F>>();
            run(error, |()| Ok(()), || (**callback)(&mut trainer, TrainerEvent(event)))
        }
        with_payload(ThreadBound::new(callback), |payload| unsafe {
            let (call, destroy) = (Some(call::<F> as _), Some(destroy::<ThreadBound<F>> as _));
            sys::ctorch_trainer_add_callback(self.0, event.0, call, destroy, payload)
        })
    }

    /// The mean loss and the metrics over a loader, by their names.
    ///
    /// C: `ctorch_trainer_evaluate`.
    pub fn evaluate(&mut self, loader: &mut Loader) -> Result<BTreeMap<String, f64>> {
        let mut out = std::ptr::null_mut();
        check(unsafe { sys::ctorch_trainer_evaluate(&mut out, self.0, loader.0) })?;
        numbers(Value(out).to_native()?)
    }

    /// The metrics of each epoch that is over, with "epoch", "step" and "loss", by their names.
    ///
    /// C: `ctorch_trainer_history`.
    pub fn history(&self) -> Result<Vec<BTreeMap<String, f64>>> {
        let mut out = std::ptr::null_mut();
        check(unsafe { sys::ctorch_trainer_history(&mut out, self.0) })?;
        match Value(out).to_native()? {
            Native::List(epochs) => epochs.into_iter().map(numbers).collect(),
            other => Err(Error::new(ErrorKind::TYPE, &format!("history: {:?} is no list", other))),
        }
    }
}

fn numbers(metrics: Native) -> Result<BTreeMap<String, f64>> {
    match metrics {
        Native::Dict(entries) => {
            entries.into_iter().map(|(name, number)| Ok((name.try_into()?, number.try_into()?))).collect()
        }
        other => Err(Error::new(ErrorKind::TYPE, &format!("metrics: {:?} is no dict", other))),
    }
}

impl std::fmt::Debug for Trainer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trainer").field("epoch", &self.epoch()).field("step", &self.step()).finish()
    }
}
