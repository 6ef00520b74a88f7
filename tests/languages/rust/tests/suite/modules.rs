//! Modules of one's own, and closures that modules call.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use ctorch::{aten, nn, ErrorKind, Module, Native, Tensor, Value};

use crate::Test;

fn tensor(values: &[f32]) -> ctorch::Result<Tensor> {
    Tensor::from_slice(values, &[values.len() as i64])
}

fn scaling() -> ctorch::Result<Module> {
    let mut module =
        Module::custom("Scale", |module, input| Ok(aten::mul_tensor(input, &module.get_parameter("weight")?)?))?;
    let mut weight = tensor(&[3.0, 3.0])?;
    weight.set_requires_grad(true)?;
    module.register_parameter("weight", &mut weight)?;
    Ok(module)
}

#[test]
fn a_closure_is_a_forward_like_any_other() -> Test {
    let mut net = nn::sequential()?;
    net.append(&scaling()?)?;
    net.append(&nn::relu().call()?)?;
    assert_eq!(net.forward(&tensor(&[2.0, -2.0])?)?.to_vec::<f32>()?, [6.0, 0.0]);
    assert_eq!(net.repr()?, "Sequential(\n  (0): Scale()\n  (1): ReLU()\n)");
    assert_eq!(net.parameters(true)?.len(), 1);
    aten::sum(&net.forward(&tensor(&[2.0, 1.0])?)?).call()?.backward()?;
    assert_eq!(net.get_parameter("0.weight")?.grad()?.ok_or("none")?.to_vec::<f32>()?, [2.0, 1.0]);
    Ok(())
}

#[test]
fn any_values_go_in_and_come_out() -> Test {
    let mut module = Module::custom_of_values("Any", |_, args, kwargs| {
        Ok(Value::from_native(&Native::Tuple(vec![args.to_native()?, kwargs.to_native()?]))?)
    })?;
    let kwargs = Value::from_native(&Native::Dict(vec![("bias".into(), true.into())]))?;
    let out = module.call(&Value::from_native(&Native::List(vec![1.into()]))?, &kwargs)?.to_native()?;
    let expected = Native::Dict(vec![("bias".into(), true.into())]);
    assert_eq!(out, Native::Tuple(vec![Native::Tuple(vec![1.into()]), expected]));
    assert_eq!(
        module.call_with(&[2.into()])?,
        Native::Tuple(vec![Native::Tuple(vec![2.into()]), Native::Dict(vec![])])
    );
    let error = Module::holder("Holder")?.forward(&tensor(&[1.0])?).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NOT_IMPLEMENTED);
    Ok(())
}

#[test]
fn its_error_and_its_panic_come_out() -> Test {
    let mut failing = Module::custom("Failing", |_, _| Err("not today".into()))?;
    let error = failing.forward(&tensor(&[1.0])?).unwrap_err();
    assert!(error.to_string().contains("not today"), "{}", error);
    let mut panicking = Module::custom("Panicking", |_, _| panic!("oh"))?;
    let input = tensor(&[1.0])?;
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| panicking.forward(&input)));
    assert_eq!(caught.unwrap_err().downcast_ref::<&str>(), Some(&"oh"));
    Ok(())
}

#[test]
fn text_values_and_state() -> Test {
    let mut module = scaling()?;
    module.set_extra_repr(|module| Ok(format!("parameters={}", module.num_parameters(false)?)))?;
    assert_eq!(module.repr()?, "Scale(parameters=2)");
    module.set_reset_parameters(|module| {
        let _guard = ctorch::no_grad()?;
        aten::fill__scalar(&mut module.get_parameter("weight")?, 7.0)?;
        Ok(())
    })?;
    module.reset_parameters()?;
    assert_eq!(module.get_parameter("weight")?.to_vec::<f32>()?, [7.0, 7.0]);
    let count = Arc::new(AtomicI64::new(42));
    let other = Arc::clone(&count);
    module.set_extra_state(
        move |_| Ok(Value::from_native(&count.load(Ordering::SeqCst).into())?),
        move |_, value| {
            if let Native::Int(number) = value.to_native()? {
                other.store(number + 1, Ordering::SeqCst);
            }
            Ok(())
        },
    )?;
    let (state, _) = module.state_dict(None, false)?;
    module.load_state_dict(&state, None, true, false)?;
    let (state, _) = module.state_dict(None, false)?;
    let Native::Dict(entries) = state.to_native()? else { return Err("no dict".into()) };
    assert_eq!(entries[1], ("_extra_state".into(), 43.into()));
    Ok(())
}

#[test]
fn copies_have_tensors_of_their_own() -> Test {
    let mut module = scaling()?;
    assert_eq!(module.copy().unwrap_err().kind(), ErrorKind::NOT_IMPLEMENTED);
    module.set_copy(|_| Ok(scaling()?))?;
    let mut copy = module.copy()?;
    {
        let _guard = ctorch::no_grad()?;
        aten::zero_(&mut module.get_parameter("weight")?)?;
    }
    assert_eq!(copy.forward(&tensor(&[1.0, 2.0])?)?.to_vec::<f32>()?, [3.0, 6.0]);
    Ok(())
}

#[test]
fn hooks_see_and_replace() -> Test {
    let log = Arc::new(Mutex::new(Vec::new()));
    let mut module = scaling()?;
    let seen = Arc::clone(&log);
    let pre = module.register_forward_pre_hook(
        move |module, args, _| {
            seen.lock().unwrap().push(format!("{} {}", module.name(), args.len()));
            Ok(None)
        },
        false,
        false,
    )?;
    let post = module.register_forward_hook(|_, _, _, output| Ok(output.cloned()), false, false)?;
    let seen = Arc::clone(&log);
    let back = module.register_full_backward_hook(
        move |_, inputs, outputs| {
            seen.lock().unwrap().push(format!("{} {}", inputs.len(), outputs.len()));
            Ok(None)
        },
        false,
    )?;
    let mut input = tensor(&[1.0, 2.0])?;
    input.set_requires_grad(true)?;
    aten::sum(&module.forward(&input)?).call()?.backward()?;
    assert_eq!(*log.lock().unwrap(), ["Scale 1", "1 1"]);
    post.remove();
    drop((pre, back));
    let names = Mutex::new(Vec::new());
    let mut net = nn::sequential()?;
    net.append(&module)?;
    net.apply(|module| {
        names.lock().unwrap().push(module.name().to_string());
        Ok(())
    })?;
    assert_eq!(*names.lock().unwrap(), ["Scale", "Sequential"]);
    Ok(())
}
