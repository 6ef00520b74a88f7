//! Each kind of error that a CPU can raise, with its details.

use crate::Test;
use ctorch::{aten, Device, Dtype, Error, ErrorKind, Library, Tensor, Value};

fn zeros(shape: &[i64]) -> Tensor {
    aten::zeros(shape).call().unwrap()
}

fn expect<T: std::fmt::Debug>(kind: ErrorKind, result: Result<T, Error>) -> Error {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), kind, "{:?}", error);
    assert!(!error.message().is_empty());
    assert_eq!(error.to_string(), format!("{}: {}", error.code_name(), error.message()));
    error
}

#[test]
fn one_of_each_kind() -> Test {
    let x = zeros(&[2, 2]);
    expect(ErrorKind::RUNTIME, x.backward());
    expect(ErrorKind::INDEX, x.size(5));
    expect(ErrorKind::VALUE, aten::cat(&[] as &[Tensor]).call());
    expect(ErrorKind::TYPE, Value::from_string("x")?.to_int());
    expect(ErrorKind::NOT_IMPLEMENTED, x.to_device(Device::META)?.to_device(Device::CPU));
    expect(ErrorKind::LINALG, aten::linalg_inv(&x));
    expect(ErrorKind::SYNTAX, Library::new("rust_errors")?.define("not a schema"));
    expect(ErrorKind::NULL_ARGUMENT, aten::relu(&Tensor::undefined()));
    expect(ErrorKind::INVALID_ARGUMENT, Tensor::from_slice(&[1.0], &[-1]));
    expect(ErrorKind::UNSUPPORTED, ctorch::Op::find("aten::no_such_operator", None));
    expect(ErrorKind::BUFFER, crate::autograd::leaf(&[1.0]).to_dlpack().map(|_| ()));
    let error = expect(ErrorKind::FORMAT, Err::<(), _>(Error::new(ErrorKind::FORMAT, "of my own")));
    assert_eq!((error.message(), error.function()), ("of my own", ""));
    Ok(())
}

#[test]
fn shapes_devices_dtypes_and_bytes() -> Test {
    let error = expect(ErrorKind::SHAPE_MISMATCH, aten::mm(&zeros(&[2, 3]), &zeros(&[4, 5])));
    assert_eq!((error.expected_shape(), error.got_shape()), (Some(&[3, 5][..]), Some(&[4, 5][..])));
    assert_eq!(error.function(), "ctorch_aten_mm");
    assert_eq!((error.expected_device(), error.expected_dtype(), error.requested_bytes()), (None, None, None));

    let meta = zeros(&[2, 2]).to_device(Device::META)?;
    let error = expect(ErrorKind::DEVICE_MISMATCH, aten::set__source_tensor(&mut zeros(&[2, 2]), &meta));
    let mut devices = [error.expected_device().unwrap().to_string(), error.got_device().unwrap().to_string()];
    devices.sort();
    assert_eq!(devices, ["cpu", "meta"]);

    let error = expect(ErrorKind::DTYPE_MISMATCH, aten::mm(&zeros(&[2, 2]), &zeros(&[2, 2]).to_dtype(Dtype::FLOAT64)?));
    let mut dtypes = [error.expected_dtype().unwrap().name(), error.got_dtype().unwrap().name()];
    dtypes.sort_unstable();
    assert_eq!(dtypes, ["float32", "float64"]);

    let error = expect(ErrorKind::OUT_OF_MEMORY, aten::empty_memory_format(&[1 << 50]).dtype(Dtype::UINT8).call());
    assert_eq!(error.requested_bytes(), Some(1 << 50));
    Ok(())
}

#[test]
fn an_error_travels() {
    fn is_error<T: std::error::Error + Send + Sync + 'static>() {}
    is_error::<Error>();
    let error = std::thread::spawn(|| aten::linalg_inv(&zeros(&[2, 2])).unwrap_err()).join().unwrap();
    assert_eq!(error.code_name(), "LINALG");
    assert!(format!("{:?}", error).contains("ErrorKind::LINALG"));
    let boxed: Box<dyn std::error::Error> = error.into();
    assert_eq!(boxed.downcast_ref::<Error>().unwrap().kind(), ErrorKind::LINALG);
}
