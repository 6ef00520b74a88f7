//! Several threads call at once, failing calls included.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use ctorch::{aten, AssertThreadSafe, ErrorKind, Parcel, Tensor, ThreadBound};

/// Whether a type is Send or Sync: the constant of the type itself hides that of the trait, where it is one.
struct Is<T>(std::marker::PhantomData<T>);

trait Otherwise {
    const SEND: bool = false;
    const SYNC: bool = false;
}

impl<T> Otherwise for Is<T> {}

struct IsSync<T>(std::marker::PhantomData<T>);

impl<T> Otherwise for IsSync<T> {}

impl<T: Send> Is<T> {
    const SEND: bool = true;
}

impl<T: Sync> IsSync<T> {
    const SYNC: bool = true;
}

macro_rules! assert_threads {
    ($may:literal: $($type:ty),* $(,)?) => {
        $(assert_eq!((Is::<$type>::SEND, IsSync::<$type>::SYNC), ($may, $may), stringify!($type));)*
    };
}

#[test]
fn what_may_change_stays_on_its_thread() {
    use ctorch::*;
    assert_threads!(false: Tensor, TensorList, Value, Storage, Node, Hook, Index, Generator, AutogradContext, Dlpack,
        VjpFunction, JvpFunction, Library, Graph, Module, Event, Tensors<'static>, Option<Tensor>);
    assert_threads!(true: Error, Op, Warnings, AutogradFunction, ProfilerResult, ProfilerAverages, MemoryStats, Scalar,
        Device, Dtype, Stream, ThreadBound<Tensor>, AssertThreadSafe<Tensor>);
    assert_eq!((Is::<Parcel>::SEND, IsSync::<Parcel>::SYNC), (true, false));
}

#[test]
fn a_parcel_shares_nothing() {
    let mut x = Tensor::from_slice(&[1.0, 2.0, 3.0, 4.0], &[2, 2]).unwrap();
    x.set_requires_grad(true).unwrap();
    let y = aten::t(&x).unwrap() * 2; // in the graph, and not in row-major order
    let parcel = Parcel::copy_of(&y).unwrap();
    std::thread::spawn(move || {
        let mut y = parcel.unpack();
        assert!(y.is_leaf() && y.requires_grad());
        assert_eq!(y.to_vec::<f64>().unwrap(), [2.0, 6.0, 4.0, 8.0]);
        let _guard = ctorch::no_grad().unwrap();
        y += 100;
    })
    .join()
    .unwrap();
    assert_eq!(y.to_vec::<f64>().unwrap(), [2.0, 6.0, 4.0, 8.0]);
    let sparse = aten::to_sparse(&aten::ones(&[2]).call().unwrap()).call().unwrap();
    assert!(Parcel::copy_of(&sparse).is_err());
    assert!(Parcel::copy_of(&Tensor::undefined()).is_err());
    let inside = |inputs: &[Tensor]| -> Result<Vec<Tensor>, ctorch::BoxError> {
        assert!(Parcel::copy_of(&inputs[0]).is_err());
        Ok(vec![inputs[0].clone()])
    };
    ctorch::func_vmap(&inside, &[&x], ctorch::Randomness::ERROR).call().unwrap();
    ctorch::func_grad(&|i| Ok(vec![aten::sum(&inside(i)?[0]).call()?]), &[&x], Some(&[0]), 0).unwrap();
}

#[test]
fn a_bound_value_is_refused_elsewhere() {
    struct Counts(Arc<AtomicUsize>);
    impl Drop for Counts {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let drops = Arc::new(AtomicUsize::new(0));
    let bound = ThreadBound::new(Counts(Arc::clone(&drops)));
    assert!(bound.is_here() && Arc::strong_count(&bound.0) == 2);
    let panics = std::thread::spawn(move || {
        assert!(!bound.is_here());
        let _ = &bound.0;
    });
    assert!(panics.join().is_err());
    assert_eq!(drops.load(Ordering::SeqCst), 0); // leaked, rather than dropped on a thread that is not its own
    drop(ThreadBound::new(Counts(Arc::clone(&drops))));
    assert_eq!(drops.load(Ordering::SeqCst), 1);
}

#[test]
fn each_thread_gets_its_own_error() {
    // Safety: no thread changes it.
    let shared = unsafe { AssertThreadSafe::new(aten::ones(&[3]).call().unwrap()) };
    std::thread::scope(|scope| {
        for thread in 0..8i64 {
            let shared: &AssertThreadSafe<Tensor> = &shared;
            scope.spawn(move || {
                for round in 0..500 {
                    let size = 1000 * (thread + 1) + round;
                    let error = aten::add_tensor(&**shared, &aten::ones(&[size]).call().unwrap()).call().unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::SHAPE_MISMATCH);
                    assert!(error.message().contains(&format!("({})", size)), "{} {}", size, error.message());
                    assert_eq!((&**shared + thread).to_vec::<f32>().unwrap(), [thread as f32 + 1.0; 3]);
                }
            });
        }
    });
}
