//! One value after another: what a loader gives are batches, what a sampler gives are indices.

use std::sync::Mutex;

use crate::callback::{destroy, with_payload};
use crate::error::{check, Result};
use crate::stubs;
use crate::support::{opaque_handle, sys};
use crate::threads::{Maker, ThreadBound};
use crate::thrown::BoxError;
use crate::{Native, Value, ValueIterator};

pub(crate) type Answer<T> = std::result::Result<T, BoxError>;

opaque_handle!(ValueIterator);

/// An iterator of one's own that knows where it is, so that a run can go on after a snapshot.
pub trait Resumable: Iterator<Item = Answer<Native>> {
    /// Where it is.
    fn state_dict(&self) -> Answer<Native>;

    /// Go to where another one was.
    fn load_state_dict(&mut self, state: Native) -> Answer<()>;
}

/// What C has as a payload: it is used on the thread that it came from.
type Kept<I> = ThreadBound<Mutex<I>>;

/// An iterator may hold the very handle that it serves, so that it could be asked inside of its own answer.
fn with_kept<I, T>(kept: &Kept<I>, call: impl FnOnce(&mut I) -> Answer<T>) -> Answer<T> {
    match kept.try_lock() {
        Ok(mut iterator) => call(&mut iterator),
        Err(std::sync::TryLockError::Poisoned(poisoned)) => call(&mut poisoned.into_inner()),
        Err(std::sync::TryLockError::WouldBlock) => Err("an iterator asks itself for a value".into()),
    }
}

fn next<I: Iterator<Item = Answer<Native>>>() -> sys::ctorch_iterator_next_callback {
    stubs::iterator_next(|kept: &Kept<I>| with_kept(kept, |iterator| iterator.next().transpose()))
}

impl ValueIterator {
    /// The values of an iterator of Rust's. It stays on its thread.
    ///
    /// ```
    /// use ctorch::{Native, ValueIterator};
    ///
    /// # fn main() -> ctorch::Result<()> {
    /// let squares = ValueIterator::new((0..4i64).map(|i| i * i))?;
    /// let squares = squares.collect::<ctorch::Result<Vec<Native>>>()?;
    /// assert_eq!(squares, [0.into(), 1.into(), 4.into(), 9.into()]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// C: `ctorch_iterator_from_callback`.
    pub fn new<I>(values: I) -> Result<ValueIterator>
    where
        I: IntoIterator,
        I::IntoIter: 'static,
        I::Item: Into<Native>,
    {
        ValueIterator::fallible(values.into_iter().map(|value| Ok(value.into())))
    }

    /// The values of an iterator of Rust's that may fail. An error is not the end: whoever likes asks again.
    ///
    /// C: `ctorch_iterator_from_callback`.
    pub fn fallible<I>(values: I) -> Result<ValueIterator>
    where
        I: Iterator<Item = Answer<Native>> + 'static,
    {
        let mut out = std::ptr::null_mut();
        with_payload(ThreadBound::new(Mutex::new(values)), |payload| unsafe {
            sys::ctorch_iterator_from_callback(&mut out, next::<I>(), Some(destroy::<Kept<I>>), payload)
        })?;
        Ok(ValueIterator(out))
    }

    /// The values of an iterator that knows where it is: [`ValueIterator::state_dict`] and
    /// [`ValueIterator::load_state_dict`] ask it.
    ///
    /// C: `ctorch_iterator_from_stateful_callback`.
    pub fn resumable<I: Resumable + 'static>(values: I) -> Result<ValueIterator> {
        let mut out = std::ptr::null_mut();
        with_payload(ThreadBound::new(Mutex::new(values)), |payload| unsafe {
            let save = stubs::iterator_save(|kept: &Kept<I>| with_kept(kept, |iterator| iterator.state_dict()));
            let load = stubs::iterator_load(|kept: &Kept<I>, state| {
                with_kept(kept, |iterator| iterator.load_state_dict(state.to_native()?))
            });
            let destroy = Some(destroy::<Kept<I>> as _);
            sys::ctorch_iterator_from_stateful_callback(&mut out, next::<I>(), save, load, destroy, payload)
        })?;
        Ok(ValueIterator(out))
    }
}

/// An error is not the end: the next value is the one behind it.
///
/// C: `ctorch_iterator_next`.
impl Iterator for ValueIterator {
    type Item = Result<Native>;

    fn next(&mut self) -> Option<Result<Native>> {
        let mut out = std::ptr::null_mut();
        match check(unsafe { sys::ctorch_iterator_next(&mut out, self.0) }) {
            Err(error) => Some(Err(error)),
            Ok(()) if out.is_null() => None,
            Ok(()) => Some(Value(out).to_native()),
        }
    }
}

/// What a `for` goes through: the values, or the error of beginning to.
#[derive(Debug)]
pub struct Values(pub(crate) Option<Result<ValueIterator>>);

impl Iterator for Values {
    type Item = Result<Native>;

    fn next(&mut self) -> Option<Result<Native>> {
        match &mut self.0 {
            Some(Ok(values)) => values.next(),
            _ => self.0.take().map(|failed| failed.and(Ok(Native::None))),
        }
    }
}

/// What an iterator on a worker's thread gives, as copies.
struct Copies(ValueIterator);

impl Iterator for Copies {
    type Item = Answer<Native>;

    fn next(&mut self) -> Option<Answer<Native>> {
        let copy = |value: Result<Native>| Ok(Value::copy_of(&value?)?.to_native()?);
        self.0.next().map(copy)
    }
}

impl Resumable for Copies {
    fn state_dict(&self) -> Answer<Native> {
        Ok(self.0.state_dict()?.to_native()?)
    }

    fn load_state_dict(&mut self, state: Native) -> Answer<()> {
        Ok(self.0.load_state_dict(&Value::from_native(&state)?)?)
    }
}

impl<F: Fn() -> Answer<ValueIterator>> Maker<F> {
    /// An iterator for C, which gives copies if it is made on another thread.
    pub(crate) fn begin(&self) -> Answer<ValueIterator> {
        let values = (self.function)()?;
        Ok(if self.is_here() { values } else { ValueIterator::resumable(Copies(values))? })
    }
}

pub(crate) fn len_ptr(len: &Option<i64>) -> *const i64 {
    crate::support::optional_ptr(len)
}
