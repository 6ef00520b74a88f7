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

use crate::callback::{destroy, with_payload};
use crate::error::{check, Error, Result};
use crate::iterator::Answer;
use crate::stubs;
use crate::support::sys;
use crate::texts::c_string;
use crate::threads::ThreadBound;
use crate::{ErrorKind, Loader, Module, Native, Tensor, Trainer, TrainerEvent, Value};

impl Trainer {
    /// Let a closure compute the loss of a batch, in training and in validation, on the thread of [`Trainer::fit`]. It
    /// gets the trainer and the model.
    ///
    /// C: `ctorch_trainer_set_step`.
    pub fn set_step<F>(&mut self, step: F) -> Result<()>
    where
        F: Fn(&mut Trainer, &mut Module, Native) -> Answer<Tensor> + 'static,
    {
        with_payload(ThreadBound::new(step), |payload| unsafe {
            sys::ctorch_trainer_set_step(
                self.0,
                stubs::trainer_step(|f: &ThreadBound<F>, trainer, module, batch| {
                    f(trainer, module, batch.to_native()?)
                }),
                Some(destroy::<ThreadBound<F>>),
                payload,
            )
        })
    }

    /// Let a closure compute a metric of what the model gave and of the batch: the mean over its samples.
    ///
    /// C: `ctorch_trainer_add_metric`.
    pub fn add_metric<F>(&mut self, name: &str, metric: F) -> Result<()>
    where
        F: Fn(Native, Native) -> Answer<f64> + 'static,
    {
        let name = c_string(name)?;
        with_payload(ThreadBound::new(metric), |payload| unsafe {
            let (call, destroy) = (
                stubs::trainer_metric(|f: &ThreadBound<F>, output, batch| f(output.to_native()?, batch.to_native()?)),
                Some(destroy::<ThreadBound<F>> as _),
            );
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
        with_payload(ThreadBound::new(callback), |payload| unsafe {
            let (call, destroy) = (
                stubs::trainer_event(|f: &ThreadBound<F>, trainer, event| f(trainer, event)),
                Some(destroy::<ThreadBound<F>> as _),
            );
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
