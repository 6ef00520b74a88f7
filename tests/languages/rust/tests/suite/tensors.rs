//! Making, reading, indexing; operators; DLPack.

use crate::Test;
use ctorch::{aten, Dlpack, Dtype, ErrorKind, IndexItem, Tensor};

fn count(shape: &[i64]) -> Tensor {
    aten::reshape(&aten::arange(shape.iter().product::<i64>()).call().unwrap(), shape).unwrap()
}

#[test]
fn data_goes_in_and_comes_out() -> Test {
    let x = Tensor::from_slice(&[1i32, 2, 3, 4, 5, 6], &[2, 3])?;
    assert_eq!((x.shape(), x.strides(), x.dtype(), x.numel(), x.ndim()), (vec![2, 3], vec![3, 1], Dtype::INT32, 6, 2));
    assert_eq!(aten::t(&x)?.to_vec::<i32>()?, [1, 4, 2, 5, 3, 6]);
    assert_eq!(x.to_vec::<f32>().unwrap_err().kind(), ErrorKind::DTYPE_MISMATCH);
    assert_eq!(Tensor::from_slice(&[1i32], &[2]).unwrap_err().kind(), ErrorKind::INVALID_ARGUMENT);
    assert_eq!(Tensor::from_slice::<f32>(&[], &[0])?.to_vec::<f32>()?, []);
    assert_eq!(x.to_dtype(Dtype::FLOAT64)?.to_vec::<f64>()?, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    Ok(())
}

#[test]
fn a_vec_is_taken_over_without_a_copy() -> Test {
    let data = vec![1.0f32, 2.0];
    let address = data.as_ptr();
    let mut x = Tensor::from_vec(data, &[2])?;
    assert_eq!(x.const_data()?.cast(), address);
    unsafe { *x.data()?.cast::<f32>() = 5.0 };
    assert_eq!(x.to_vec::<f32>()?, [5.0, 2.0]);
    assert_eq!(Tensor::from_vec(vec![1u8], &[-1]).unwrap_err().kind(), ErrorKind::INVALID_ARGUMENT);
    assert_eq!(Tensor::from_vec(vec![1u8; 4], &[1 << 40, 1 << 40]).unwrap_err().kind(), ErrorKind::INVALID_ARGUMENT);
    Ok(())
}

/// What an operator changes is borrowed mutably, so that it need not be returned.
#[test]
fn arguments_that_an_operator_writes_to() -> Test {
    let x = Tensor::from_slice(&[2i32, 1], &[2])?;
    let (mut values, mut indices) = (Tensor::from_slice::<i32>(&[], &[0])?, Tensor::from_slice::<i64>(&[], &[0])?);
    let () = aten::sort_values(&x, &mut values, &mut indices).call()?;
    assert_eq!((values.to_vec::<i32>()?, indices.to_vec::<i64>()?), (vec![1, 2], vec![1, 0]));
    Ok(())
}

#[test]
fn a_list_of_strides_has_a_length_of_its_own() -> Test {
    let mut storage = ctorch::Storage::from_tensor(&Tensor::from_slice(&[0i32, 1, 2, 3, 4, 5], &[6])?)?;
    let x = Tensor::from_storage(&mut storage, 0, &[2, 3], Some(&[1, 2]), Dtype::INT32)?;
    assert_eq!((x.to_vec::<i32>()?, x.strides()), (vec![0, 2, 4, 1, 3, 5], vec![1, 2]));
    assert_eq!(Tensor::from_storage(&mut storage, 0, &[2, 3], None, Dtype::INT32)?.strides(), [3, 1]);
    for strides in [&[][..], &[1], &[1, 2, 1]] {
        let error = Tensor::from_storage(&mut storage, 0, &[2, 3], Some(strides), Dtype::INT32).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::INVALID_ARGUMENT);
        assert!(error.message().contains(&format!("{} strides for 2 sizes", strides.len())));
    }
    Ok(())
}

#[test]
fn indices() -> Test {
    let x = count(&[2, 3, 4]);
    assert_eq!(x.index(1)?.shape(), [3, 4]);
    assert_eq!(x.index((.., 1, 1..3))?.to_vec::<i64>()?, [5, 6, 17, 18]);
    assert_eq!(x.index((IndexItem::Ellipsis, -1))?.to_vec::<i64>()?, [3, 7, 11, 15, 19, 23]);
    assert_eq!(x.index((0, IndexItem::NewAxis, ..2))?.shape(), [1, 2, 4]);
    assert_eq!(x.index((0, 0, IndexItem::Slice(None, None, Some(2))))?.to_vec::<i64>()?, [0, 2]);
    assert_eq!(x.index((0, 0, &[0i64, 3][..]))?.to_vec::<i64>()?, [0, 3]);
    assert_eq!(x.index(&aten::gt_scalar(&x, 21)?)?.to_vec::<i64>()?, [22, 23]);
    assert_eq!(x.index(5).unwrap_err().kind(), ErrorKind::INDEX);
    assert_eq!(x.index_text("%d, ..., -1", &[1], &[] as &[Tensor])?.to_vec::<i64>()?, [15, 19, 23]);
    let mut y = count(&[2, 2]);
    y.index_put_scalar((.., 0), 9)?;
    y.index_put((1, 1), &Tensor::scalar(7)?)?;
    assert_eq!(y.to_vec::<i64>()?, [9, 1, 9, 7]);
    Ok(())
}

#[test]
fn operators_on_tensors_and_numbers() -> Test {
    let (a, b) = (Tensor::from_slice(&[1.0, 2.0], &[2])?, Tensor::from_slice(&[4.0, 8.0], &[2])?);
    assert_eq!((&a + &b).to_vec::<f64>()?, [5.0, 10.0]);
    assert_eq!(((&a - &b) * 2 / 3.0).to_vec::<f64>()?, [-2.0, -4.0]);
    assert_eq!((1 / &b).to_vec::<f64>()?, [0.25, 0.125]);
    assert_eq!((10.0 - &a).to_vec::<f64>()?, [9.0, 8.0]);
    assert_eq!((-&a % 3).to_vec::<f64>()?, [2.0, 1.0]);
    let mut c = aten::clone(&a).call()?;
    c += &b;
    c *= 10;
    assert_eq!(c.to_vec::<f64>()?, [50.0, 100.0]);
    let bits = Tensor::from_slice(&[6u8, 3], &[2])?;
    assert_eq!((&bits & &(!&bits)).to_vec::<u8>()?, [0, 0]);
    assert_eq!((Tensor::from_slice(&[1i16], &[1])? * 2).dtype(), Dtype::INT16); // the number does not promote
    Ok(())
}

#[test]
#[should_panic(expected = "SHAPE_MISMATCH")]
fn an_operator_that_fails_panics_with_the_error() {
    let _ = count(&[2]) + count(&[3]);
}

#[test]
fn printing() -> Test {
    let x = Tensor::from_slice(&[1.0f32, 2.5], &[2])?;
    assert_eq!(x.to_string(), "tensor([1.0000, 2.5000])");
    assert_eq!(format!("{:?}", x), "Tensor([2], float32)");
    assert_eq!(format!("{} {:?}", Tensor::undefined(), Tensor::undefined()), "None Tensor(undefined)");
    assert_eq!(x.repr().precision(1).call()?, "tensor([1.0, 2.5])");
    Ok(())
}

#[test]
fn dlpack_shares_memory() -> Test {
    let mut x = Tensor::from_slice(&[1.0f32, 2.0], &[2])?;
    let mut y = Tensor::from_dlpack(x.to_dlpack()?)?;
    assert_eq!(x.const_data()?, y.const_data()?);
    aten::fill__scalar(&mut y, 7)?;
    assert_eq!(x.to_vec::<f32>()?, [7.0, 7.0]);
    let raw = x.to_dlpack()?.into_raw();
    drop(x);
    let z = Tensor::from_dlpack(unsafe { Dlpack::from_raw(raw) })?;
    assert_eq!(z.to_vec::<f32>()?, [7.0, 7.0]);
    drop(y.to_dlpack()?); // nobody takes it
    Ok(())
}

#[test]
fn what_there_is_to_know_of_the_library() {
    assert!(ctorch::version().starts_with("0.") && !ctorch::version_torch().is_empty());
    assert!(ctorch::threads_num() > 0);
}

/// LibTorch takes any byte but 0 for true; Rust knows 0 and 1 alone.
#[test]
fn a_bool_is_0_or_1() -> Test {
    let x = aten::view_dtype(&Tensor::from_slice(&[2u8, 0, 255, 1], &[4])?, Dtype::BOOL)?;
    let values = x.to_vec::<bool>()?;
    let bytes = unsafe { std::slice::from_raw_parts(values.as_ptr().cast::<u8>(), 4) };
    assert_eq!(bytes, [1, 0, 1, 1]);
    let mut room = [false; 4];
    x.copy_to_slice(&mut room)?;
    assert_eq!(unsafe { std::slice::from_raw_parts(room.as_ptr().cast::<u8>(), 4) }, [1, 0, 1, 1]);
    assert_eq!(x.index(0)?.item()?.as_bool(), Some(true));
    Ok(())
}

#[test]
fn what_panics_as_an_operator_is_an_error_as_a_method() -> Test {
    let (mut a, b) = (Tensor::from_slice(&[6i64, 7], &[2])?, Tensor::from_slice(&[2i64, 3, 4], &[3])?);
    let c = Tensor::from_slice(&[4i64, 2], &[2])?;
    for error in [
        a.try_add(&b).unwrap_err(),
        a.try_sub(&b).unwrap_err(),
        a.try_mul(&b).unwrap_err(),
        a.try_div(&b).unwrap_err(),
        a.try_rem(&b).unwrap_err(),
        a.try_bitand(&b).unwrap_err(),
        a.try_bitor(&b).unwrap_err(),
        a.try_bitxor(&b).unwrap_err(),
        a.try_add_assign(&b).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::SHAPE_MISMATCH);
    }
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| &a + &b)).is_err());
    assert!(Tensor::scalar(1.5)?.try_not().is_err() && Tensor::scalar(true)?.try_neg().is_err());
    assert_eq!(a.try_add(&c)?.to_vec::<i64>()?, [10, 9]);
    assert_eq!(a.try_sub(1)?.to_vec::<i64>()?, [5, 6]);
    assert_eq!(a.try_mul(0.5)?.to_vec::<f32>()?, [3.0, 3.5]);
    assert_eq!(a.try_div(&c)?.to_vec::<f32>()?, [1.5, 3.5]);
    assert_eq!(a.try_rem(4u8)?.to_vec::<i64>()?, [2, 3]);
    assert_eq!(a.try_bitand(&c)?.to_vec::<i64>()?, [4, 2]);
    assert_eq!(a.try_bitor(&c)?.to_vec::<i64>()?, [6, 7]);
    assert_eq!(a.try_bitxor(&c)?.to_vec::<i64>()?, [2, 5]);
    assert_eq!((a.try_neg()?.to_vec::<i64>()?, a.try_not()?.to_vec::<i64>()?), (vec![-6, -7], vec![-7, -8]));
    a.try_mul_assign(&c)?;
    a.try_sub_assign(4)?;
    assert_eq!(a.to_vec::<i64>()?, [20, 10]);
    Ok(())
}
