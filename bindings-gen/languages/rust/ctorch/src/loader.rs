//! Loaders: batches of one's own, what workers are told, and which side is slow.

use crate::callback::{destroy, with_payload};
use crate::error::{check, Result};
use crate::iterator::{len_ptr, Answer, Values};
use crate::stubs;
use crate::support::{opaque_handle, sys};
use crate::threads::{Maker, ThreadBound};
use crate::{Loader, Native, ValueIterator};

opaque_handle!(Loader);

/// The worker of a loader that this thread is, or calls back for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerInfo {
    /// Its number, from 0.
    pub id: i64,
    pub num_workers: i64,
    /// The base seed and its number, added up.
    pub seed: u64,
}

/// What a loader has done in all its iterations. If consumers waited much and workers did not, more workers help; if
/// workers waited, training is the slower side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoaderStatistics {
    /// Batches that were handed out.
    pub batches: i64,
    /// Seconds that consumers waited for a batch, or made it themselves without workers.
    pub consumer_waited: f64,
    /// Seconds that workers were idle, all of them added up.
    pub workers_waited: f64,
    /// Seconds that workers made batches, all of them added up.
    pub workers_worked: f64,
}

impl Loader {
    /// Any source of batches, for [`crate::Trainer::fit`]: the closure begins an epoch. One of
    /// [`ValueIterator::resumable`] can be gone on from.
    ///
    /// C: `ctorch_loader_from_callback`.
    pub fn from_fn<F>(len: Option<i64>, iterate: F) -> Result<Loader>
    where
        F: Fn() -> Answer<ValueIterator> + Send + Sync + 'static,
    {
        let mut out = std::ptr::null_mut();
        with_payload(Maker::new(iterate), |payload| unsafe {
            let (begin, destroy) = (stubs::loader_iterate(Maker::<F>::begin), Some(destroy::<Maker<F>> as _));
            sys::ctorch_loader_from_callback(&mut out, len_ptr(&len), begin, destroy, payload)
        })?;
        Ok(Loader(out))
    }

    /// Let a closure make batches, on any thread, and on several at once. It gets the list of samples, or the one sample
    /// of a loader that makes no batches. Of a worker's tensors the batches are copies.
    ///
    /// C: `ctorch_loader_set_collate`.
    pub fn set_collate<T, F>(&mut self, collate: F) -> Result<()>
    where
        T: Into<Native>,
        F: Fn(Native) -> Answer<T> + Send + Sync + 'static,
    {
        self.collate_by(collate, true)
    }

    /// Let a closure make batches on this thread alone, which then is the one to take them. It may hold tensors.
    ///
    /// C: `ctorch_loader_set_collate`.
    pub fn set_local_collate<T, F>(&mut self, collate: F) -> Result<()>
    where
        T: Into<Native>,
        F: Fn(Native) -> Answer<T> + 'static,
    {
        let collate = ThreadBound::new(collate);
        self.collate_by(move |samples| (*collate)(samples), false)
    }

    fn collate_by<T: Into<Native>, F: Fn(Native) -> Answer<T>>(&mut self, function: F, may_thread: bool) -> Result<()> {
        with_payload(Maker::new(function), |payload| unsafe {
            let collate = stubs::loader_collate(|maker: &Maker<F>, samples| {
                Ok(maker.hand_over(&(maker.function)(samples.to_native()?)?.into())?)
            });
            let destroy = Some(destroy::<Maker<F>> as _);
            sys::ctorch_loader_set_collate(self.0, collate, may_thread, destroy, payload)
        })
    }

    /// Call a closure when a worker begins, on its thread, with its number.
    ///
    /// C: `ctorch_loader_set_worker_init`.
    pub fn set_worker_init<F>(&mut self, worker_init: F) -> Result<()>
    where
        F: Fn(i64) -> Answer<()> + Send + Sync + 'static,
    {
        self.init_by(worker_init, true)
    }

    /// Call a closure when a worker begins, on this thread, which then is the one to take batches.
    ///
    /// C: `ctorch_loader_set_worker_init`.
    pub fn set_local_worker_init<F>(&mut self, worker_init: F) -> Result<()>
    where
        F: Fn(i64) -> Answer<()> + 'static,
    {
        let worker_init = ThreadBound::new(worker_init);
        self.init_by(move |worker| (*worker_init)(worker), false)
    }

    fn init_by<F: Fn(i64) -> Answer<()>>(&mut self, function: F, may_thread: bool) -> Result<()> {
        with_payload(function, |payload| unsafe {
            let (prepare, destroy) = (stubs::loader_worker(|f: &F, worker| f(worker)), Some(destroy::<F> as _));
            sys::ctorch_loader_set_worker_init(self.0, prepare, may_thread, destroy, payload)
        })
    }

    /// The worker that this thread is, or calls back for; None where no worker is at work.
    ///
    /// C: `ctorch_loader_worker_info`.
    pub fn worker_info() -> Result<Option<WorkerInfo>> {
        let (mut id, mut num_workers, mut seed) = (-1, 0, 0);
        check(unsafe { sys::ctorch_loader_worker_info(&mut id, &mut num_workers, &mut seed) })?;
        Ok((id >= 0).then_some(WorkerInfo { id, num_workers, seed }))
    }

    /// Which side is slow.
    ///
    /// C: `ctorch_loader_statistics`.
    pub fn statistics(&self) -> Result<LoaderStatistics> {
        let (mut batches, mut consumer_waited, mut workers_waited, mut workers_worked) = (0, 0.0, 0.0, 0.0);
        check(unsafe {
            sys::ctorch_loader_statistics(
                &mut batches,
                &mut consumer_waited,
                &mut workers_waited,
                &mut workers_worked,
                self.0,
            )
        })?;
        Ok(LoaderStatistics { batches, consumer_waited, workers_waited, workers_worked })
    }
}

/// An epoch.
impl IntoIterator for &mut Loader {
    type Item = Result<Native>;
    type IntoIter = Values;

    fn into_iter(self) -> Values {
        Values(Some(self.iterate()))
    }
}
