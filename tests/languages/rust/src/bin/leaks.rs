//! With CTORCH_DEBUG_HANDLES=1: whatever was made is given back, also on the way of an error and of a panic.

use ctorch::{
    aten, data, nn, optim, AutogradContext, AutogradFunction, BoxError, Dataset, Differentiable, Library, Native,
    Tensor, Trainer, Transform, Value, ValueIterator,
};

struct Fails;

impl Differentiable for Fails {
    fn forward(&self, context: &mut AutogradContext, inputs: &[Tensor]) -> Result<Vec<Tensor>, BoxError> {
        context.save_for_backward(inputs)?;
        Ok(inputs.to_vec())
    }

    fn backward(&self, context: &AutogradContext, _: &[Tensor]) -> Result<Vec<Tensor>, BoxError> {
        let _saved = context.saved_tensors()?;
        Err("on purpose".into())
    }
}

fn work() -> Result<(), BoxError> {
    let mut x = aten::ones(&[4]).call()?;
    x.set_requires_grad(true)?;
    let parts = aten::split_tensor(&x, 2).call()?;
    let kept = parts[1].clone();
    let (values, _indices) = aten::sort(&kept).call()?;
    aten::sum(&values).call()?.backward()?;
    let _ = x.grad()?;
    x.register_hook(|grad| Ok(Some(grad * 2)))?;
    let y = AutogradFunction::new("Fails", Fails)?.apply(&[&x])?;
    assert!(aten::sum(&y[0]).call()?.backward().is_err());
    let fails = |inputs: &[Tensor]| -> Result<Vec<Tensor>, BoxError> { Ok(vec![aten::mm(&inputs[0], &inputs[0])?]) };
    assert!(ctorch::func_vmap(&fails, &[&x], ctorch::Randomness::ERROR).call().is_err());
    let panics = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let panics =
            |_: &[Tensor]| -> Result<Vec<Tensor>, BoxError> { std::panic::resume_unwind(Box::new("on purpose")) };
        ctorch::func_vmap(&panics, &[&x], ctorch::Randomness::ERROR).call()
    }));
    assert!(panics.is_err());
    let mut detached = aten::detach(&x)?;
    let shared = Tensor::from_dlpack(detached.to_dlpack()?)?;
    drop(detached.to_dlpack()?);
    let _ = shared.index((0..2,))?;
    assert!(shared.index((9, 9)).is_err());
    let mut library = Library::new("rust_leaks")?;
    library.define("twice(Tensor x) -> Tensor")?;
    library.implement("twice", "CPU", |args| Ok(vec![Value::from_tensor(&(args[0].to_tensor()? * 2))?]))?;
    ctorch::Op::find("rust_leaks::twice", None)?.call(&[&Value::from_tensor(&shared)?])?;
    let entries = Native::List(vec![shared.into(), Native::Set(vec![b"\0"[..].into()])]);
    let native = Native::Dict(vec![("k".into(), entries.clone()), (2.into(), ctorch::Device::CPU.into())]);
    assert!(Value::from_native(&native)?.to_native()?.get(&"k".into()).is_some());
    assert!(Value::from_native(&Native::Set(vec![entries])).is_err());
    let (_, warnings) = ctorch::collect_warnings(|| ctorch::warning_emit(ctorch::WarningKind::USER, "w"))?;
    assert_eq!(warnings.len(), 1);
    let _ = x.to_string();
    lost_data(&x)
}

/// Loaders that are left early, with callbacks on either side that fail and panic; a trainer whose closure fails.
fn lost_data(x: &Tensor) -> Result<(), BoxError> {
    let row = aten::detach(x)?;
    let rows = Dataset::from_local_fn(40, move |index| match index {
        5 => Err("on purpose".into()),
        _ => Ok((row.clone(), index)),
    })?;
    let twice = Transform::from_local_fn("Twice", |input, _| Ok(Tensor::try_from(input)?.try_mul(2)?))?;
    let doubled = data::transformeddataset(&rows).transform(&twice).call()?;
    for persistent in [false, true] {
        let mut loader = data::dataloader(&doubled).num_workers(2).persistent_workers(persistent).call()?;
        loader.set_local_collate(Ok)?;
        let taken: Vec<_> = loader.iterate()?.take(8).collect();
        assert_eq!(taken.iter().filter(|batch| batch.is_err()).count(), 1);
    }
    let endless = Dataset::from_local_iterable(None, || Ok(ValueIterator::new((0i64..).map(|i| (i, "text")))?))?;
    assert_eq!(data::dataloader(&endless).batch_size(3).num_workers(2).call()?.iterate()?.take(3).count(), 3);
    let panics =
        Dataset::from_fn(9, |_| -> Result<i64, BoxError> { std::panic::resume_unwind(Box::new("on purpose")) })?;
    let mut loader = data::dataloader(&panics).num_workers(2).call()?;
    let taken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| loader.iterate()?.next().transpose()));
    assert!(taken.is_err());
    let mut model = nn::linear(4, 1).call()?;
    let mut optimizer = optim::sgd(&mut model.parameters(true)?).call()?;
    let mut trainer = Trainer::new(&mut model, &mut optimizer)?;
    let kept = x.clone();
    trainer.set_step(move |_, model, _| {
        model.forward(&kept)?;
        Err("on purpose".into())
    })?;
    assert!(trainer.fit(&mut data::dataloader(&doubled).call()?).is_err());
    Ok(())
}

fn main() {
    if ctorch::debug_live_handles() < 0 {
        eprintln!("set CTORCH_DEBUG_HANDLES=1");
        std::process::exit(2);
    }
    work().unwrap();
    let forgotten = std::env::args().nth(1).map(|_| std::mem::forget(Tensor::scalar(1.0).unwrap()));
    println!("{} live handles", ctorch::debug_live_handles());
    std::process::exit(if forgotten.is_none() && ctorch::debug_live_handles() != 0 { 1 } else { 0 });
}
