//! What crosses threads, since tensors themselves do not: copies, closures, and what you answer for.

use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::thread::{current, ThreadId};

use crate::error::Result;
use crate::{aten, guard, Native, Storage, Tensor, Value};

/// A tensor on its way to another thread: a copy that nothing else refers to.
///
/// ```
/// # fn main() -> ctorch::Result<()> {
/// use ctorch::{aten, Parcel};
///
/// let x = aten::arange(3).call()?;
/// let parcel = Parcel::copy_of(&x)?;
/// let doubled = std::thread::spawn(move || Parcel::copy_of(&(parcel.unpack() * 2)));
/// assert_eq!(doubled.join().unwrap()?.unpack().to_vec::<i64>()?, [0, 2, 4]);
/// # Ok(())
/// # }
/// ```
pub struct Parcel(Tensor);

// Nobody else has a handle to the tensor or to its memory: `copy_of` made both.
unsafe impl Send for Parcel {}

impl Parcel {
    /// A copy with memory of its own, outside the graph, on the same device. It requires grad if the tensor does.
    ///
    /// Fails for a tensor without memory that could be copied: a sparse one, or one inside a transform such as vmap.
    pub fn copy_of(tensor: &Tensor) -> Result<Parcel> {
        Storage::from_tensor(tensor)?;
        let mut copy = {
            let _no_grad = guard::no_grad()?;
            aten::clone(&aten::detach(tensor)?).call()?
        };
        if tensor.requires_grad() {
            copy.set_requires_grad(true)?;
        }
        Ok(Parcel(copy))
    }

    /// The tensor, which from here on stays on this thread.
    pub fn unpack(self) -> Tensor {
        self.0
    }
}

/// A value that stays on its thread in something that may leave it, such as a closure that LibTorch calls: hooks and
/// differentiable functions run on the thread that calls backward, or for an accelerator on one of LibTorch's.
///
/// Using it on another thread is a panic. Dropped on another thread, the value is leaked.
///
/// ```
/// # fn main() -> ctorch::Result<()> {
/// use std::{cell::RefCell, sync::Arc};
/// use ctorch::{Tensor, ThreadBound};
///
/// let mut x = Tensor::scalar(2.0)?;
/// x.set_requires_grad(true)?;
/// let seen = Arc::new(ThreadBound::new(RefCell::new(Vec::new())));
/// let gradients = Arc::clone(&seen);
/// x.register_hook(move |grad| {
///     gradients.borrow_mut().push(grad.clone());
///     Ok(None)
/// })?;
/// (&x * &x).backward()?;
/// assert_eq!(seen.borrow()[0].item_double()?, 4.0);
/// # Ok(())
/// # }
/// ```
pub struct ThreadBound<T> {
    value: ManuallyDrop<T>,
    thread: ThreadId,
}

// The value is reached, also to drop it, on the thread that it came from alone.
unsafe impl<T> Send for ThreadBound<T> {}
unsafe impl<T> Sync for ThreadBound<T> {}

impl<T> ThreadBound<T> {
    /// Bind a value to this thread.
    pub fn new(value: T) -> ThreadBound<T> {
        ThreadBound { value: ManuallyDrop::new(value), thread: current().id() }
    }

    /// Whether this is the thread that it is bound to.
    pub fn is_here(&self) -> bool {
        current().id() == self.thread
    }

    #[track_caller]
    fn check(&self) {
        assert!(self.is_here(), "a value that is bound to another thread");
    }
}

impl<T> Deref for ThreadBound<T> {
    type Target = T;

    #[track_caller]
    fn deref(&self) -> &T {
        self.check();
        &self.value
    }
}

impl<T> DerefMut for ThreadBound<T> {
    #[track_caller]
    fn deref_mut(&mut self) -> &mut T {
        self.check();
        &mut self.value
    }
}

impl<T> Drop for ThreadBound<T> {
    fn drop(&mut self) {
        if self.is_here() {
            unsafe { ManuallyDrop::drop(&mut self.value) }
        }
    }
}

/// A closure that C keeps, which may make values on other threads than the one that uses them: that one made the closure.
pub(crate) struct Maker<F> {
    pub(crate) function: F,
    thread: ThreadId,
}

impl<F> Maker<F> {
    pub(crate) fn new(function: F) -> Maker<F> {
        Maker { function, thread: current().id() }
    }

    pub(crate) fn is_here(&self) -> bool {
        current().id() == self.thread
    }

    /// The value for C of what the closure made. From another thread only copies of tensors go, since what stays there,
    /// such as a `thread_local`, may have other references.
    pub(crate) fn hand_over(&self, native: &Native) -> Result<Value> {
        if self.is_here() {
            Value::from_native(native)
        } else {
            Value::copy_of(native)
        }
    }
}

/// Something with tensors in it that you know to be safe on several threads, without a copy: the weights of a model that
/// all threads only read, a model that is moved as a whole.
///
/// ```
/// # fn main() -> ctorch::Result<()> {
/// use ctorch::{aten, AssertThreadSafe};
///
/// // Safety: no thread changes the weight, or anything that shares its memory, while it is shared.
/// let weight = unsafe { AssertThreadSafe::new(aten::ones(&[3]).call()?) };
/// std::thread::scope(|scope| {
///     for factor in 0..4 {
///         let weight = &weight;
///         scope.spawn(move || assert_eq!((&**weight * factor).to_vec::<f32>().unwrap(), [factor as f32; 3]));
///     }
/// });
/// # Ok(())
/// # }
/// ```
pub struct AssertThreadSafe<T>(T);

unsafe impl<T> Send for AssertThreadSafe<T> {}
unsafe impl<T> Sync for AssertThreadSafe<T> {}

impl<T> AssertThreadSafe<T> {
    /// # Safety
    /// While a thread changes a tensor that is reached through the value (in place, its shape, its gradient, by
    /// backward), no other thread uses that tensor or one that shares its memory or its graph.
    pub unsafe fn new(value: T) -> AssertThreadSafe<T> {
        AssertThreadSafe(value)
    }

    /// The value. The promise goes on for what still shares with it.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for AssertThreadSafe<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for AssertThreadSafe<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
