//! Datasets and samplers: of one's own, and how one goes through them.
//!
//! ```
//! use ctorch::{data, Dataset, Native, Tensor};
//!
//! # fn main() -> ctorch::Result<()> {
//! let squares = Dataset::from_fn(10, |index| Ok(index * index))?;
//! assert_eq!((squares.len()?, squares.get(-1)?), (10, 81.into()));
//! let mut loader = data::dataloader(&squares).batch_size(4).num_workers(2).call()?;
//! let mut sizes = Vec::new();
//! for batch in &mut loader {
//!     sizes.push(Tensor::try_from(batch?)?.numel());
//! }
//! assert_eq!(sizes, [4, 4, 2]);
//! # Ok(())
//! # }
//! ```

use crate::callback::{destroy, with_payload};
use crate::error::{check, Result};
use crate::iterator::{len_ptr, Answer, Values};
use crate::stubs;
use crate::support::{opaque_handle, sys};
use crate::threads::{Maker, ThreadBound};
use crate::{Dataset, Native, Sampler, Value, ValueIterator};

opaque_handle!(Dataset);
opaque_handle!(Sampler);

/// Samples by index, of one's own. The threads of a loader ask it at once.
pub trait MapDataset: Send + Sync {
    /// How many there are.
    fn len(&self) -> i64;

    /// A sample; `index` is from 0 to below the length.
    fn get(&self, index: i64) -> Answer<Native>;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Dataset {
    /// A dataset of one's own.
    ///
    /// ```
    /// use ctorch::{BoxError, Dataset, MapDataset, Native};
    ///
    /// struct Words(Vec<String>);
    ///
    /// impl MapDataset for Words {
    ///     fn len(&self) -> i64 {
    ///         self.0.len() as i64
    ///     }
    ///
    ///     fn get(&self, index: i64) -> Result<Native, BoxError> {
    ///         Ok(self.0[index as usize].as_str().into())
    ///     }
    /// }
    ///
    /// # fn main() -> ctorch::Result<()> {
    /// let words = Dataset::new(Words(vec!["one".into(), "two".into()]))?;
    /// assert_eq!(words.get(1)?, "two".into());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// C: `ctorch_dataset_from_callback`.
    pub fn new(samples: impl MapDataset + 'static) -> Result<Dataset> {
        Dataset::from_fn(samples.len(), move |index| samples.get(index))
    }

    /// A dataset whose samples a closure makes, on any thread, and on several at once. Of a worker's tensors the samples
    /// are copies, whatever still refers to those.
    ///
    /// C: `ctorch_dataset_from_callback`.
    pub fn from_fn<T, F>(len: i64, get: F) -> Result<Dataset>
    where
        T: Into<Native>,
        F: Fn(i64) -> Answer<T> + Send + Sync + 'static,
    {
        Dataset::of_callback(len, get, true)
    }

    /// A dataset whose samples a closure makes on this thread alone, which then is the one to take batches. It may hold
    /// tensors and what else stays on its thread; the workers of a loader wait for it.
    ///
    /// C: `ctorch_dataset_from_callback`.
    pub fn from_local_fn<T, F>(len: i64, get: F) -> Result<Dataset>
    where
        T: Into<Native>,
        F: Fn(i64) -> Answer<T> + 'static,
    {
        let get = ThreadBound::new(get);
        Dataset::of_callback(len, move |index| (*get)(index), false)
    }

    fn of_callback<T, F>(len: i64, function: F, may_thread: bool) -> Result<Dataset>
    where
        T: Into<Native>,
        F: Fn(i64) -> Answer<T>,
    {
        let mut out = std::ptr::null_mut();
        with_payload(Maker::new(function), |payload| unsafe {
            let (get, destroy) = (
                stubs::dataset_get(|maker: &Maker<F>, index| Ok(maker.hand_over(&(maker.function)(index)?.into())?)),
                Some(destroy::<Maker<F>> as _),
            );
            sys::ctorch_dataset_from_callback(&mut out, len, get, may_thread, destroy, payload)
        })?;
        Ok(Dataset(out))
    }

    /// A dataset of samples one after another: the closure begins anew, for each epoch and on each worker's thread, which
    /// [`crate::Loader::worker_info`] tells apart. Of a worker's tensors the samples are copies.
    ///
    /// C: `ctorch_dataset_from_iterable`.
    pub fn from_iterable<F>(len: Option<i64>, iterate: F) -> Result<Dataset>
    where
        F: Fn() -> Answer<ValueIterator> + Send + Sync + 'static,
    {
        Dataset::of_iterable(len, iterate, true)
    }

    /// [`Dataset::from_iterable`] whose closure and iterators are called on this thread alone.
    ///
    /// C: `ctorch_dataset_from_iterable`.
    pub fn from_local_iterable<F>(len: Option<i64>, iterate: F) -> Result<Dataset>
    where
        F: Fn() -> Answer<ValueIterator> + 'static,
    {
        let iterate = ThreadBound::new(iterate);
        Dataset::of_iterable(len, move || (*iterate)(), false)
    }

    fn of_iterable<F: Fn() -> Answer<ValueIterator>>(len: Option<i64>, call: F, may_thread: bool) -> Result<Dataset> {
        let mut out = std::ptr::null_mut();
        with_payload(Maker::new(call), |payload| unsafe {
            let (begin, destroy) = (stubs::dataset_iterate(Maker::<F>::begin), Some(destroy::<Maker<F>> as _));
            sys::ctorch_dataset_from_iterable(&mut out, len_ptr(&len), begin, may_thread, destroy, payload)
        })?;
        Ok(Dataset(out))
    }

    /// A sample; a negative index counts from the end.
    ///
    /// C: `ctorch_dataset_get`.
    pub fn get(&self, index: i64) -> Result<Native> {
        let mut out = std::ptr::null_mut();
        check(unsafe { sys::ctorch_dataset_get(&mut out, self.0, index) })?;
        Value(out).to_native()
    }

    /// Something that it knows besides its samples, such as the "classes" of `datasets::imagefolder`.
    ///
    /// C: `ctorch_dataset_attribute`.
    pub fn attribute(&self, name: &str) -> Result<Native> {
        let name = crate::texts::c_string(name)?;
        let mut out = std::ptr::null_mut();
        check(unsafe { sys::ctorch_dataset_attribute(&mut out, self.0, name.as_ptr()) })?;
        Value(out).to_native()
    }
}

impl IntoIterator for &Dataset {
    type Item = Result<Native>;
    type IntoIter = Values;

    fn into_iter(self) -> Values {
        Values(Some(self.iterate()))
    }
}

impl Sampler {
    /// An order of one's own: the closure begins one for each epoch, of indices, or of lists of them for a
    /// `batch_sampler`. It is called on the thread that takes batches.
    ///
    /// ```
    /// use ctorch::{data, Dataset, Native, Sampler, Tensor, ValueIterator};
    ///
    /// # fn main() -> ctorch::Result<()> {
    /// let letters = Dataset::from_fn(3, |index| Ok(["a", "b", "c"][index as usize]))?;
    /// let backwards = Sampler::from_fn(Some(3), || Ok(ValueIterator::new((0..3i64).rev())?))?;
    /// let mut loader = data::dataloader(&letters).batch_size(3).sampler(&backwards).call()?;
    /// let batch = loader.iterate()?.next().unwrap()?;
    /// assert_eq!(batch, Native::List(vec!["c".into(), "b".into(), "a".into()]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// C: `ctorch_sampler_from_callback`.
    pub fn from_fn<F>(len: Option<i64>, iterate: F) -> Result<Sampler>
    where
        F: Fn() -> Answer<ValueIterator> + Send + Sync + 'static,
    {
        let mut out = std::ptr::null_mut();
        with_payload(Maker::new(iterate), |payload| unsafe {
            let (begin, destroy) = (stubs::sampler_iterate(Maker::<F>::begin), Some(destroy::<Maker<F>> as _));
            sys::ctorch_sampler_from_callback(&mut out, len_ptr(&len), begin, destroy, payload)
        })?;
        Ok(Sampler(out))
    }
}

impl IntoIterator for &Sampler {
    type Item = Result<Native>;
    type IntoIter = Values;

    fn into_iter(self) -> Values {
        Values(Some(self.iterate()))
    }
}
