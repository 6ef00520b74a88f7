//! Every kind of argument and result that a schema has.

use crate::Test;
use ctorch::{aten, init, nn, Device, Dtype, ErrorKind, Generator, Layout, MemoryFormat, Scalar, Tensor, Value};

fn floats(data: &[f64], shape: &[i64]) -> Tensor {
    Tensor::from_slice(data, shape).unwrap()
}

#[test]
fn a_default_is_that_of_the_schema_and_a_setter_replaces_it() -> Test {
    let (a, b) = (floats(&[1.0, 2.0], &[2]), floats(&[10.0, 20.0], &[2]));
    assert_eq!(aten::add_tensor(&a, &b).call()?.to_vec::<f64>()?, [11.0, 22.0]);
    assert_eq!(aten::add_tensor(&a, &b).alpha(2).call()?.to_vec::<f64>()?, [21.0, 42.0]);
    assert_eq!(aten::add_tensor(&a, &b).alpha(0.5).call()?.to_vec::<f64>()?, [6.0, 12.0]);
    Ok(())
}

#[test]
fn modules_of_schema_files_with_what_python_draws_and_computes_from_the_same_seed() -> Test {
    let ones = Tensor::from_slice(&[1f32; 16], &[1, 1, 4, 4])?;
    ctorch::manual_seed(0)?;
    let mut conv = nn::conv2d(1, 2, &[3, 2]).stride(&[2]).padding(&[1]).call()?;
    let y = conv.forward(&ones)?;
    assert_eq!(y.shape(), [1, 2, 2, 3]);
    assert_eq!((y.to_vec::<f32>()?[11] * 1e6).round(), -438072.0); // the last digits are the processor's
    assert_eq!(conv.parameters(true)?.len(), 2);
    ctorch::manual_seed(0)?;
    let mut conv = nn::conv2d_padding(1, 2, &[3]).padding("same").bias(false).call()?;
    assert_eq!(conv.forward(&ones)?.to_vec::<f32>()?[0], 0.19571614265441895);
    let mut weight = Tensor::from_slice(&[0f32; 4], &[2, 2])?;
    ctorch::manual_seed(0)?;
    init::kaiming_uniform_(&mut weight).nonlinearity("relu").call()?;
    assert_eq!(weight.to_vec::<f32>()?[2], -1.425555944442749);
    let error = nn::conv2d(1, 1, &[1]).groups(0).call().err().unwrap();
    assert_eq!(error.kind(), ErrorKind::VALUE);
    assert_eq!(error.message(), "groups must be positive, got 0");
    Ok(())
}

#[test]
fn numbers_with_defaults() -> Test {
    let x = floats(&[3.0, 1.0, 2.0, 6.0, 5.0, 4.0], &[2, 3]);
    assert_eq!(aten::argsort(&x).call()?.to_vec::<i64>()?, [1, 2, 0, 2, 1, 0]);
    assert_eq!(aten::argsort(&x).dim(0).descending(true).call()?.to_vec::<i64>()?, [1, 1, 1, 0, 0, 0]);
    assert_eq!(aten::sum_dim_intlist(&x).dim(&[1]).keepdim(true).call()?.shape(), [2, 1]);
    assert!(aten::allclose(&x, &(&x + 1e-12)).call()?);
    assert!(!aten::allclose(&x, &(&x + 1e-12)).rtol(0.0).atol(1e-13).call()?);
    Ok(())
}

#[test]
fn a_list_that_is_left_out_an_empty_one_and_a_full_one_differ() -> Test {
    let x = floats(&[1.0, 2.0, 3.0, 4.0], &[2, 2]);
    assert_eq!(aten::max_pool2d(&x.index((ctorch::IndexItem::NewAxis, ..))?, &[2, 2]).call()?.shape(), [1, 1, 1]);
    assert_eq!(
        aten::max_pool2d(&x.index((ctorch::IndexItem::NewAxis, ..))?, &[2, 2])
            .stride(&[1, 1])
            .padding(&[1, 1])
            .call()?
            .shape(),
        [1, 3, 3]
    );
    assert_eq!(aten::amax(&x).call()?.to_vec::<f64>()?, [4.0]); // dim=[]: all of them
    assert_eq!(aten::amax(&x).dim(&[]).call()?.to_vec::<f64>()?, [4.0]);
    assert_eq!(aten::amax(&x).dim(&[0]).call()?.to_vec::<f64>()?, [3.0, 4.0]);
    assert_eq!(aten::zeros(&[]).call()?.shape(), []);
    assert_eq!(aten::zeros(&[0, 3]).call()?.shape(), [0, 3]);
    let none: Option<&[i64]> = None;
    assert_eq!(none, None);
    assert_eq!(aten::cat(&[] as &[Tensor]).call().unwrap_err().kind(), ErrorKind::VALUE);
    Ok(())
}

#[test]
fn dtype_layout_device_and_memory_format() -> Test {
    let x = aten::zeros(&[1, 2, 2, 2]).dtype(Dtype::INT16).device(Device::CPU).layout(Layout::STRIDED).call()?;
    assert_eq!((x.dtype(), x.layout(), x.device()?), (Dtype::INT16, Layout::STRIDED, Device::CPU));
    let meta = aten::empty_memory_format(&[1, 2, 2, 2]).device(Device::META).memory_format(MemoryFormat::CHANNELS_LAST);
    let meta = meta.call()?;
    assert_eq!(meta.device()?, Device::META);
    assert_eq!(meta.strides(), [8, 1, 4, 2]);
    assert_eq!(meta.suggested_memory_format(), MemoryFormat::CHANNELS_LAST);
    assert_eq!(aten::promote_types(Dtype::INT64, Dtype::FLOAT16)?, Dtype::FLOAT16);
    assert_eq!(format!("{:?} {}", Dtype::FLOAT8_E4M3FN, Dtype::BFLOAT16.name()), "Dtype::FLOAT8_E4M3FN bfloat16");
    assert_eq!(Device::cuda(1).to_string(), "cuda:1");
    Ok(())
}

#[test]
fn a_number_without_a_name_is_refused() {
    let error = aten::zeros(&[1]).dtype(Dtype(999)).call().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::INVALID_ARGUMENT);
    assert_eq!(format!("{:?}", Dtype(999)), "Dtype(999)");
}

#[test]
fn texts() -> Test {
    let x = floats(&[7.0, -7.0], &[2]);
    assert_eq!(
        aten::div_tensor_mode(&x, &floats(&[2.0], &[1])).rounding_mode("floor").call()?.to_vec::<f64>()?,
        [3.0, -4.0]
    );
    assert_eq!(
        aten::div_tensor_mode(&x, &floats(&[2.0], &[1])).rounding_mode("trunc").call()?.to_vec::<f64>()?,
        [3.0, -3.0]
    );
    assert_eq!(aten::div_tensor_mode(&x, &floats(&[2.0], &[1])).call()?.to_vec::<f64>()?, [3.5, -3.5]);
    let m = floats(&[1.0, 2.0, 3.0, 4.0], &[2, 2]);
    assert_eq!(aten::einsum("ij,jk->ik", &[&m, &m]).call()?.to_vec::<f64>()?, [7.0, 10.0, 15.0, 22.0]);
    assert_eq!(aten::einsum("i\0j", &[&m]).call().unwrap_err().kind(), ErrorKind::INVALID_ARGUMENT);
    Ok(())
}

#[test]
fn optional_tensors_and_lists_of_them() -> Test {
    let (x, weight) = (floats(&[1.0, 2.0], &[1, 2]), floats(&[3.0, 4.0], &[1, 2]));
    let bias = floats(&[100.0], &[1]);
    assert_eq!(aten::linear(&x, &weight).call()?.to_vec::<f64>()?, [11.0]);
    assert_eq!(aten::linear(&x, &weight).bias(&bias).call()?.to_vec::<f64>()?, [111.0]);
    assert_eq!(aten::linear(&x, &weight).bias(None).call()?.to_vec::<f64>()?, [11.0]);
    let m = floats(&[1.0, 2.0, 3.0, 4.0], &[2, 2]);
    let column = Tensor::from_slice(&[1i64], &[1])?;
    assert_eq!(aten::index_tensor(&m, &[None, Some(&column)])?.to_vec::<f64>()?, [2.0, 4.0]);
    assert_eq!(aten::index_tensor(&m, &[&column])?.to_vec::<f64>()?, [3.0, 4.0]);
    Ok(())
}

#[test]
fn lists_of_tensors_in_every_form() -> Test {
    let (a, b) = (floats(&[1.0], &[1]), floats(&[2.0], &[1]));
    assert_eq!(aten::cat(&[&a, &b]).call()?.to_vec::<f64>()?, [1.0, 2.0]);
    assert_eq!(aten::cat(&vec![a.clone(), b.clone()]).call()?.to_vec::<f64>()?, [1.0, 2.0]);
    let many: Vec<&Tensor> = (0..100).map(|_| &a).collect();
    assert_eq!(aten::cat(&many).dim(0).call()?.numel(), 100);
    let parts = aten::split_tensor(&aten::arange(10).call()?, 4).call()?;
    assert_eq!(parts.iter().map(Tensor::numel).collect::<Vec<_>>(), [4, 4, 2]);
    assert_eq!(aten::cat(&parts).call()?.to_vec::<i64>()?, (0..10).collect::<Vec<i64>>());
    let last = parts[2].clone();
    drop(parts);
    assert_eq!(last.to_vec::<i64>()?, [8, 9]); // an element outlives its list
    let (mut c, mut d) = (floats(&[1.0], &[1]), floats(&[2.0], &[1]));
    aten::_foreach_add__scalar(&mut [&mut c, &mut d], 10)?;
    let mut owned = vec![c.clone(), d.clone()];
    aten::_foreach_mul__scalar(&mut owned, 2)?;
    assert_eq!((c.item_double()?, d.item_double()?), (22.0, 24.0));
    Ok(())
}

#[test]
fn several_results_and_undefined_ones() -> Test {
    let x = floats(&[3.0, 1.0, 2.0], &[3]);
    let (values, indices) = aten::sort(&x).call()?;
    assert_eq!((values.to_vec::<f64>()?, indices.to_vec::<i64>()?), (vec![1.0, 2.0, 3.0], vec![1, 2, 0]));
    let (image, kernel) = (floats(&[1.0; 9], &[1, 1, 3, 3]), floats(&[1.0; 4], &[1, 1, 2, 2]));
    let (input, weight, bias) = aten::convolution_backward(
        &floats(&[1.0; 4], &[1, 1, 2, 2]),
        &image,
        &kernel,
        &[1, 1],
        &[0, 0],
        &[1, 1],
        false,
        &[0, 0],
        1,
        &[false, true, false],
    )
    .call()?;
    assert!(!input.defined() && weight.defined() && !bias.defined());
    assert_eq!(weight.to_vec::<f64>()?, [4.0; 4]);
    Ok(())
}

#[test]
fn integers_of_64_bits_are_exact() -> Test {
    for n in [i64::MIN, i64::MAX, (1 << 53) + 1, -1] {
        assert_eq!(Tensor::from_slice(&[n], &[])?.item_int64()?, n);
        assert_eq!(Tensor::scalar(n)?.item()?.as_i64(), Some(n));
        assert_eq!(aten::full(&[1], n).dtype(Dtype::INT64).call()?.to_vec::<i64>()?, [n]);
        assert_eq!(Value::from_int(n)?.to_int()?, n);
    }
    assert_eq!(Scalar::from(u64::MAX).as_u64(), Some(u64::MAX));
    assert_eq!(Tensor::from_slice(&[u64::MAX], &[])?.item()?.as_u64(), Some(u64::MAX));
    Ok(())
}

#[test]
fn nan_infinity_bool_and_complex_numbers() -> Test {
    let x = floats(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0], &[4]).to_vec::<f64>()?;
    assert!(x[0].is_nan() && x[1] == f64::INFINITY && x[2] == f64::NEG_INFINITY && x[3].is_sign_negative());
    assert!(Tensor::scalar(f64::NAN)?.item_double()?.is_nan());
    assert_eq!(Tensor::scalar(true)?.item()?.as_bool(), Some(true));
    let z = aten::full(&[1], Scalar::complex(1.0, -2.0)).dtype(Dtype::COMPLEX128).call()?;
    assert_eq!(z.item()?.as_complex(), Some((1.0, -2.0)));
    assert_eq!(aten::where_scalar(&Tensor::from_slice(&[true, false], &[2])?, 1, 0)?.to_vec::<i64>()?, [1, 0]);
    Ok(())
}

#[test]
fn a_generator_gives_its_numbers_again() -> Test {
    let mut generator = Generator::new(None)?;
    generator.manual_seed(42)?;
    let first = aten::rand_generator(&[5]).generator(&mut generator).call()?.to_vec::<f32>()?;
    generator.manual_seed(42)?;
    assert_eq!(first, aten::rand_generator(&[5]).generator(&mut generator).call()?.to_vec::<f32>()?);
    assert_eq!(generator.initial_seed()?, 42);
    Ok(())
}

#[test]
fn an_operator_by_name_with_values() -> Test {
    let op = ctorch::Op::find("aten::add", Some("Tensor"))?;
    let x = Value::from_tensor(&floats(&[1.0], &[1]))?;
    assert_eq!(op.call(&[&x, &x])?.to_tensor()?.to_vec::<f64>()?, [2.0]);
    let named = op.call_named(&[&x], &["other", "alpha"], &[&x, &Value::from_int(5)?])?;
    assert_eq!(named.to_tensor()?.to_vec::<f64>()?, [6.0]);
    assert_eq!((op.name(), op.overload(), op.argument_name(2)), ("aten::add", "Tensor", "alpha"));
    assert_eq!(Value::from_string("grüße")?.to_text()?, "grüße");
    assert_eq!(Value::from_bytes(b"a\0\xff")?.to_bytes()?, b"a\0\xff");
    assert_eq!(Value::from_bytes(b"")?.to_bytes()?, b"");
    assert_eq!(Value::from_string_data(b"a\0b")?.to_text()?, "a\0b");
    assert_eq!(Value::from_int_bytes(&[0, 0, 0, 0, 0, 0, 0, 0, 1])?.to_decimal()?, "18446744073709551616");
    assert_eq!(format!("{:?}", Value::from_ints(&[1, 2])?), "[1, 2]");
    Ok(())
}
