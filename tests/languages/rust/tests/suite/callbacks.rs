//! What a closure fails with is what the outer call fails with.

use std::cell::RefCell;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::Arc;

use crate::autograd::leaf;
use crate::Test;
use ctorch::{
    aten, guard, AutogradContext, AutogradFunction, BoxError, Differentiable, ErrorKind, Library, Tensor, ThreadBound,
    Value,
};

#[derive(Debug, PartialEq)]
struct Mine {
    number: i64,
}

impl std::fmt::Display for Mine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "mine {}", self.number)
    }
}

impl std::error::Error for Mine {}

fn failing_backward(failure: fn() -> BoxError) -> ctorch::Result<()> {
    struct Fails(fn() -> BoxError);
    impl Differentiable for Fails {
        fn forward(&self, _: &mut AutogradContext, inputs: &[Tensor]) -> Result<Vec<Tensor>, BoxError> {
            Ok(vec![&inputs[0] * 1])
        }
        fn backward(&self, _: &AutogradContext, _: &[Tensor]) -> Result<Vec<Tensor>, BoxError> {
            Err(self.0())
        }
    }
    let x = leaf(&[1.0]);
    let y = AutogradFunction::new("Fails", Fails(failure))?.apply(&[&x])?;
    let result = y[0].backward();
    assert!(x.grad()?.is_none());
    result
}

#[test]
fn an_error_of_any_type_comes_out_as_itself() {
    let error = failing_backward(|| Box::new(Mine { number: 7 })).unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::CALLBACK, "mine 7"));
    let source = std::error::Error::source(&error).unwrap();
    assert_eq!(source.downcast_ref::<Mine>(), Some(&Mine { number: 7 }));
    let error = error.downcast::<std::io::Error>().unwrap_err(); // not that
    assert_eq!(error.downcast::<Mine>().unwrap(), Mine { number: 7 });
}

#[test]
fn an_error_of_ctorch_comes_out_with_its_details() {
    let error = failing_backward(|| {
        let (a, b) = (aten::zeros(&[2]).call().unwrap(), aten::zeros(&[3]).call().unwrap());
        aten::add_tensor(&a, &b).call().unwrap_err().into()
    })
    .unwrap_err();
    assert_eq!((error.kind(), error.function()), (ErrorKind::SHAPE_MISMATCH, "ctorch_aten_add_Tensor"));
    assert!(error.expected_shape().is_some() && error.got_shape().is_some());
}

#[test]
fn a_panic_goes_on_with_its_payload() {
    let panic = catch_unwind(|| failing_backward(|| std::panic::panic_any(42u8))).unwrap_err();
    assert_eq!(panic.downcast_ref::<u8>(), Some(&42));
    let panic = catch_unwind(|| failing_backward(|| panic!("text {}", std::process::id()))).unwrap_err();
    assert_eq!(panic.downcast_ref::<String>().unwrap(), &format!("text {}", std::process::id()));
}

#[test]
fn an_error_passes_through_nested_closures() {
    let x = leaf(&[1.0]);
    let outer = |inputs: &[Tensor]| -> Result<Vec<Tensor>, BoxError> {
        let inner = |_: &[Tensor]| -> Result<Vec<Tensor>, BoxError> { Err(Box::new(Mine { number: 3 })) };
        ctorch::func_vmap(&inner, inputs, ctorch::Randomness::ERROR).call()?;
        Ok(vec![])
    };
    let error = ctorch::func_vmap(&outer, &[&aten::zeros(&[2, 2]).call().unwrap()], ctorch::Randomness::ERROR).call();
    assert_eq!(error.unwrap_err().downcast::<Mine>().unwrap(), Mine { number: 3 });
    drop(x);
}

#[test]
fn errors_with_one_text_do_not_mix() {
    std::thread::scope(|scope| {
        for number in 0..8 {
            scope.spawn(move || {
                for round in 0..50 {
                    let expected = number * 1000 + round;
                    let fails = move |_: &[Tensor]| -> Result<Vec<Tensor>, BoxError> {
                        Err(Box::new(Same { number: expected }))
                    };
                    let x = aten::zeros(&[2]).call().unwrap();
                    let error = ctorch::func_vmap(&fails, &[&x], ctorch::Randomness::ERROR).call().unwrap_err();
                    assert_eq!(error.downcast::<Same>().unwrap().number, expected);
                }
            });
        }
    });
}

#[derive(Debug)]
struct Same {
    number: i64,
}

impl std::fmt::Display for Same {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("always the same")
    }
}

impl std::error::Error for Same {}

#[test]
fn hooks_see_and_replace_gradients() -> Test {
    let mut x = leaf(&[1.0, 2.0]);
    let seen = Arc::new(AtomicI64::new(0));
    let count = Arc::clone(&seen);
    let hook = x.register_hook(move |grad| {
        count.fetch_add(1, Ordering::Relaxed);
        Ok(Some(grad * 10))
    })?;
    aten::sum(&x).call()?.backward()?;
    assert_eq!(x.grad()?.unwrap().to_vec::<f64>()?, [10.0, 10.0]);
    hook.remove();
    assert_eq!(Arc::strong_count(&seen), 1); // the closure is gone
    aten::sum(&x).call()?.backward()?;
    assert_eq!(x.grad()?.unwrap().to_vec::<f64>()?, [11.0, 11.0]);
    assert_eq!(seen.load(Ordering::Relaxed), 1);
    x.register_post_accumulate_grad_hook(|x| Ok(x.set_grad(None)?))?;
    aten::sum(&x).call()?.backward()?;
    assert!(x.grad()?.is_none());
    let error = Tensor::scalar(1.0)?.register_hook(|_| Ok(None)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::RUNTIME);
    Ok(())
}

#[test]
fn hooks_of_a_node_see_both_sides() -> Test {
    let x = leaf(&[1.0, 2.0]);
    let y = &x * 3;
    let mut node = y.grad_fn()?;
    let before = node.register_prehook(|grads| Ok(Some(vec![&grads[0] * 10])))?;
    let seen = Arc::new(ThreadBound::new(RefCell::new(Vec::new())));
    let kept = Arc::clone(&seen);
    let after = node.register_hook(move |inputs, outputs| {
        kept.borrow_mut().push((inputs[0].clone(), inputs[1].defined(), outputs[0].clone()));
        Ok(Some(vec![&inputs[0] + 1, Tensor::undefined()]))
    })?;
    aten::sum(&y).call()?.backward_with(None, true, false)?;
    assert_eq!(x.grad()?.unwrap().to_vec::<f64>()?, [31.0, 31.0]);
    {
        let seen = seen.borrow();
        assert_eq!((seen.len(), seen[0].1), (1, false));
        assert_eq!(seen[0].0.to_vec::<f64>()?, [30.0, 30.0]);
        assert_eq!(seen[0].2.to_vec::<f64>()?, [10.0, 10.0]);
    }
    before.remove();
    after.remove();
    assert_eq!(Arc::strong_count(&seen), 1); // the closure is gone
    node.register_prehook(|_| Ok(None))?;
    node.register_hook(|_, _| Err(Box::new(Mine { number: 6 })))?;
    let error = aten::sum(&y).call()?.backward().unwrap_err();
    assert_eq!(error.downcast::<Mine>().unwrap(), Mine { number: 6 });
    Ok(())
}

#[test]
fn saved_tensors_go_through_closures() -> Test {
    struct Packed(Arc<AtomicI64>, Vec<f64>);
    impl Drop for Packed {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Ordering::SeqCst);
        }
    }
    let alive = Arc::new(AtomicI64::new(0));
    let x = leaf(&[3.0]);
    let y = {
        let count = Arc::clone(&alive);
        let _hooks = guard::saved_tensors_hooks(
            move |tensor| {
                count.fetch_add(1, Ordering::SeqCst);
                Ok(Packed(Arc::clone(&count), tensor.to_vec()?))
            },
            |packed: &Packed| Ok(&Tensor::from_slice(&packed.1, &[1])? * 2),
        )?;
        aten::exp(&x)?.try_mul(&x)?
    };
    assert_eq!(alive.load(Ordering::SeqCst), 3); // exp keeps its result, mul both factors
    y.backward()?;
    // d = exp(x) * x: every saved tensor comes back doubled.
    let expected = 2.0 * 3f64.exp() + 2.0 * 3.0 * 2.0 * 3f64.exp();
    assert!((x.grad()?.unwrap().item_double()? - expected).abs() < 1e-9);
    assert_eq!(alive.load(Ordering::SeqCst), 0);
    let _hooks = guard::saved_tensors_hooks(
        |_| -> Result<(), BoxError> { Err(Box::new(Mine { number: 8 })) },
        |()| Ok(Tensor::undefined()),
    )?;
    let error = aten::exp(&x).unwrap_err();
    assert_eq!(error.downcast::<Mine>().unwrap(), Mine { number: 8 });
    Ok(())
}

#[test]
fn a_hook_that_fails_stops_backward() -> Test {
    let mut x = leaf(&[1.0]);
    x.register_hook(|_| Err(Box::new(Mine { number: 5 })))?;
    let y = aten::sum(&x).call()?;
    assert_eq!(y.backward().unwrap_err().downcast::<Mine>().unwrap(), Mine { number: 5 });
    assert!(catch_unwind(AssertUnwindSafe(|| x.grad().unwrap().is_none())).unwrap());
    Ok(())
}

#[test]
fn an_operator_of_ones_own() -> Test {
    let mut library = Library::new("rust_consumer")?;
    library.define("scale(Tensor x, float by=2.0) -> Tensor")?;
    library.implement("scale", "CompositeImplicitAutograd", |args| {
        let by = args[1].to_double()?;
        if by < 0.0 {
            return Err(Box::new(Mine { number: by as i64 }));
        }
        Ok(vec![Value::from_tensor(&(&args[0].to_tensor()? * by))?])
    })?;
    let op = ctorch::Op::find("rust_consumer::scale", None)?;
    let x = Value::from_tensor(&Tensor::from_slice(&[1.5], &[1])?)?;
    assert_eq!(op.call(&[&x])?.to_tensor()?.item_double()?, 3.0);
    let error = op.call(&[&x, &Value::from_double(-4.0)?]).unwrap_err();
    assert_eq!(error.downcast::<Mine>().unwrap(), Mine { number: -4 });
    Ok(())
}

#[test]
fn warnings_are_collected() -> Test {
    let (_, warnings) = ctorch::collect_warnings(|| ctorch::warning_emit(ctorch::WarningKind::USER, "take care"))?;
    assert_eq!((warnings.len(), warnings.message(0)), (1, "take care"));
    Ok(())
}
