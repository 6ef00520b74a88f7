//! Gradients, modes, transforms.

use crate::Test;
use ctorch::{aten, guard, no_grad, AutogradContext, AutogradFunction, BoxError, Differentiable, ErrorKind, Tensor};

pub fn leaf(data: &[f64]) -> Tensor {
    let mut x = Tensor::from_slice(data, &[data.len() as i64]).unwrap();
    x.set_requires_grad(true).unwrap();
    x
}

#[test]
fn backward_gives_the_closed_form() -> Test {
    let mut x = leaf(&[1.0, 2.0, 3.0]);
    assert!(x.grad()?.is_none());
    aten::sum(&(&x * &x)).call()?.backward()?;
    assert_eq!(x.grad()?.unwrap().to_vec::<f64>()?, [2.0, 4.0, 6.0]);
    let y = aten::sum(&x).call()?;
    y.backward_with(Some(&Tensor::scalar(10.0)?.to_dtype(ctorch::Dtype::FLOAT64)?), true, false)?;
    y.backward()?;
    assert_eq!(x.grad()?.unwrap().to_vec::<f64>()?, [13.0, 15.0, 17.0]);
    x.set_grad(None)?;
    assert!(x.grad()?.is_none());
    let grads = ctorch::autograd_grad(&[&aten::sum(&(&x * 3)).call()?], &[&x], false, false, false).call()?;
    assert_eq!(grads[0].to_vec::<f64>()?, [3.0; 3]);
    Ok(())
}

#[test]
fn a_guard_is_a_mode_of_this_thread() -> Test {
    let x = leaf(&[1.0]);
    {
        let _off = no_grad()?;
        assert!(!ctorch::grad_mode_enabled() && !(&x * 2).requires_grad());
        let on = guard::enable_grad()?;
        assert!((&x * 2).requires_grad());
        on.end()?;
        assert!(!ctorch::grad_mode_enabled());
        assert!(std::thread::spawn(ctorch::grad_mode_enabled).join().unwrap());
    }
    assert!(ctorch::grad_mode_enabled());
    let inference = guard::inference_mode(true)?;
    assert!(aten::is_inference(&(&x * 2))?);
    inference.end()?;
    let _meta = guard::default_device(ctorch::Device::META)?;
    assert_eq!(aten::zeros(&[1]).call()?.device()?, ctorch::Device::META);
    Ok(())
}

#[test]
fn a_guard_ends_in_a_panic_too() {
    let result = std::panic::catch_unwind(|| {
        let _off = no_grad().unwrap();
        panic!("on purpose");
    });
    assert!(result.is_err() && ctorch::grad_mode_enabled());
}

struct Cube;

impl Differentiable for Cube {
    fn forward(&self, context: &mut AutogradContext, inputs: &[Tensor]) -> Result<Vec<Tensor>, BoxError> {
        context.save_for_backward(inputs)?;
        Ok(vec![aten::pow_tensor_scalar(&inputs[0], 3)?])
    }

    fn backward(&self, context: &AutogradContext, grads: &[Tensor]) -> Result<Vec<Tensor>, BoxError> {
        assert!(context.needs_input_grad(0) && context.inputs_len() == 1);
        let saved = context.saved_tensors()?;
        Ok(vec![&grads[0] * &saved[0] * &saved[0] * 3])
    }

    fn jvp(&self, _: &AutogradContext, tangents: &[Tensor]) -> Result<Vec<Tensor>, BoxError> {
        Ok(vec![&tangents[0] * 12])
    }
}

#[test]
fn a_function_with_a_derivative_of_its_own() -> Test {
    let x = leaf(&[2.0]);
    let cube = AutogradFunction::new("Cube", Cube)?;
    assert_eq!(cube.name(), "Cube");
    let y = cube.apply(&[&x])?;
    assert_eq!(y[0].grad_fn()?.name()?, "CubeBackward");
    let first = ctorch::autograd_grad(&[&y[0]], &[&x], true, false, false).call()?;
    assert_eq!(first[0].item_double()?, 12.0);
    let second = ctorch::autograd_grad(&first, &[&x], false, false, false).call()?;
    assert_eq!(second[0].item_double()?, 12.0); // 6 x
    assert!(
        ctorch::gradcheck(
            &|inputs: &[Tensor]| Ok(vec![cube.apply(inputs)?[0].clone()]),
            &[&x],
            0.0,
            false,
            false,
            false,
            false,
            false,
            false
        )
        .call()?
        .0
    );
    let _level = guard::dual_level()?;
    let dual = Tensor::from_slice(&[2.0], &[1])?.make_dual(&Tensor::from_slice(&[1.0], &[1])?, None)?;
    let (_, tangent) = cube.apply(&[&dual])?[0].unpack_dual(None)?;
    assert_eq!(tangent.item_double()?, 12.0);
    Ok(())
}

#[test]
fn transforms_take_closures() -> Test {
    let x = Tensor::from_slice(&[1.0, 2.0], &[2])?;
    let square_sum = |inputs: &[Tensor]| -> Result<Vec<Tensor>, BoxError> {
        Ok(vec![aten::sum(&(&inputs[0] * &inputs[0])).call()?])
    };
    let (gradient, _) = ctorch::func_grad(&square_sum, &[&x], Some(&[0]), 0)?;
    assert_eq!(gradient[0].to_vec::<f64>()?, [2.0, 4.0]);
    let rows = Tensor::from_slice(&[1.0, 2.0, 3.0, 4.0], &[2, 2])?;
    let mapped = ctorch::func_vmap(&square_sum, &[&rows], ctorch::Randomness::ERROR).call()?;
    assert_eq!(mapped[0].to_vec::<f64>()?, [5.0, 25.0]);
    let mut leaf = leaf(&[3.0]);
    leaf.set_grad(None)?;
    let y = ctorch::checkpoint(|inputs| Ok(vec![&inputs[0] * &inputs[0]]), &[&leaf])?;
    y[0].backward()?;
    assert_eq!(leaf.grad()?.unwrap().item_double()?, 6.0);
    Ok(())
}

#[test]
fn backward_twice_is_refused() -> Test {
    let x = leaf(&[1.0]);
    let y = aten::sum(&(&x * &x)).call()?;
    y.backward()?;
    let error = y.backward().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::RUNTIME);
    assert!(error.message().contains("retain_graph"), "{}", error.message());
    Ok(())
}
