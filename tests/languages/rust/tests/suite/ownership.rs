//! Handles are given back, once.

use crate::Test;
use ctorch::{aten, Tensor};

#[test]
fn a_clone_is_the_same_tensor() -> Test {
    let mut a = Tensor::from_slice(&[1.0], &[1])?;
    let b = a.clone();
    aten::fill__scalar(&mut a, 5)?;
    drop(a);
    assert_eq!(b.item_double()?, 5.0);
    Ok(())
}

#[test]
fn raw_handles_go_out_and_come_in() -> Test {
    let raw = Tensor::from_slice(&[1.0], &[1])?.into_raw();
    let back = unsafe { Tensor::from_raw(raw) };
    assert_eq!(back.as_raw(), raw);
    assert_eq!(back.item_double()?, 1.0);
    Ok(())
}

#[test]
fn a_tensor_is_as_big_as_a_pointer() {
    assert_eq!(std::mem::size_of::<Tensor>(), std::mem::size_of::<*const ()>());
    assert_eq!(std::mem::size_of::<ctorch::Result<Tensor>>(), 2 * std::mem::size_of::<*const ()>());
}

/// A payload that a failing call was to keep is dropped, and one that it kept is dropped with the tensor.
#[test]
fn what_a_tensor_takes_over_is_dropped_once() -> Test {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::Arc;
    struct Counts(Arc<AtomicUsize>);
    impl Drop for Counts {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let drops = Arc::new(AtomicUsize::new(0));
    let mut leaf = crate::autograd::leaf(&[1.0]);
    let counts = Counts(Arc::clone(&drops));
    leaf.register_hook(move |_| {
        let _ = &counts;
        Ok(None)
    })?;
    assert_eq!(drops.load(Ordering::SeqCst), 0);
    drop(leaf);
    assert_eq!(drops.load(Ordering::SeqCst), 1);
    let counts = Counts(Arc::clone(&drops));
    let refused = Tensor::scalar(1.0)?.register_hook(move |_| {
        let _ = &counts;
        Ok(None)
    });
    assert!(refused.is_err());
    assert_eq!(drops.load(Ordering::SeqCst), 2);
    Ok(())
}
