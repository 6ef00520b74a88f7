//! Rust's values as values of the C API and back: each kind, and what is refused.

use crate::Test;
use ctorch::{aten, BigInt, Device, DeviceType, Dtype, ErrorKind, Generator, Layout, MemoryFormat, Native, Op};
use ctorch::{PythonObject, Storage, Stream, Tensor, Value};

/// Without optimization the comparison and the end of a [`Native`] take about a kilobyte a level themselves.
const STACK: usize = if cfg!(debug_assertions) { 2 << 20 } else { 256 << 10 };

fn list(entries: Vec<Native>) -> Native {
    Native::List(entries)
}

fn dict(entries: Vec<(Native, Native)>) -> Native {
    Native::Dict(entries)
}

fn python(module: &str, name: &str) -> PythonObject {
    PythonObject { module: module.into(), name: name.into(), args: None, items: None, state: None }
}

#[test]
fn a_round_trip_gives_an_equal_value() -> Test {
    const BIG: &str = "1606938044258990275541962092341162602522202993782792835301376"; // 2^200
    let big = |digits: &str| Native::BigInt(digits.parse().unwrap());
    let negative = format!("-{}", BIG);
    let known: Vec<(Native, &str)> = vec![
        (().into(), "None"),
        (true.into(), "True"),
        ((-7).into(), "-7"),
        (i64::MAX.into(), "9223372036854775807"),
        (i64::MIN.into(), "-9223372036854775808"),
        (big("9223372036854775808"), "9223372036854775808"),
        (big("-9223372036854775809"), "-9223372036854775809"),
        (u64::MAX.into(), "18446744073709551615"),
        (i128::MIN.into(), "-170141183460469231731687303715884105728"),
        (big(BIG), BIG),
        (big(&negative), &negative),
        (0.5.into(), "0.5"),
        (2.0.into(), "2.0"),
        (f64::INFINITY.into(), "inf"),
        (Native::Complex(1.0, -2.0), "(1-2j)"),
        ("".into(), "''"),
        ("é 🙂".into(), "'é 🙂'"),
        (Vec::<u8>::new().into(), "b''"),
        (b"a\0b\xff"[..].into(), r"b'a\x00b\xff'"),
        (Dtype::FLOAT32.into(), "torch.float32"),
        (Layout::SPARSE_CSR.into(), "torch.sparse_csr"),
        (MemoryFormat::CHANNELS_LAST.into(), "torch.channels_last"),
        (Device::cuda(1).into(), "device(type='cuda', index=1)"),
        (Native::List(vec![]), "[]"),
        (Native::Tuple(vec![]), "()"),
        (Native::Dict(vec![]), "{}"),
        (Native::Set(vec![]), "set()"),
        (
            list(vec![1.into(), list(vec![2.5.into(), Native::Tuple(vec!["x".into(), ().into()])])]),
            "[1, [2.5, ('x', None)]]",
        ),
        (
            dict(vec![
                ("a".into(), Native::Set(vec![1.into(), 2.into()])),
                (Native::Tuple(vec![1.into(), "b".into()]), list(vec![b"\0"[..].into()])),
                (().into(), true.into()),
            ]),
            r"{'a': {1, 2}, (1, 'b'): [b'\x00'], None: True}",
        ),
    ];
    for (native, text) in known {
        let value = Value::from_native(&native)?;
        assert_eq!(value.repr()?, text);
        assert_eq!(value.to_native()?, native);
    }
    assert_eq!(Value::from_native(&"a\0b".into())?.to_native()?, "a\0b".into());
    let stream = Stream { id: 3, device_type: DeviceType::CPU, device_index: 0 };
    assert_eq!(Value::from_native(&stream.into())?.to_native()?, stream.into());
    assert!(matches!(Value::from_native(&f64::NAN.into())?.to_native()?, Native::Float(x) if x.is_nan()));
    Ok(())
}

#[test]
fn big_integers_are_kept_short() -> Test {
    for number in [0, 1, -1, 127, 128, -128, -129, 255, 256, i64::MIN, i64::MAX] {
        let big = BigInt::from_bytes(&i128::from(number).to_le_bytes());
        assert_eq!((big.to_string(), big.to_i64()), (number.to_string(), Some(number)));
        assert_eq!(number.to_string().parse::<BigInt>()?, big);
        assert_eq!(Native::from(big), number.into());
    }
    let big: BigInt = "18446744073709551616".parse()?;
    assert_eq!(big.as_bytes(), [0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(big.to_i64(), None);
    assert_eq!(BigInt::from_bytes(&[]).to_string(), "0");
    assert_eq!("12x".parse::<BigInt>().unwrap_err().kind(), ErrorKind::VALUE);
    Ok(())
}

#[test]
fn tensors_generators_and_storages_are_shared() -> Test {
    let x = Tensor::from_slice(&[1.0, 2.0], &[2])?;
    let (generator, storage) = (Generator::new(Some(Device::CPU))?, Storage::from_tensor(&x)?);
    let native = list(vec![x.clone().into(), generator.into(), storage.into()]);
    match Value::from_native(&native)?.to_native()? {
        Native::List(entries) => match &entries[..] {
            [Native::Tensor(shared), Native::Generator(_), Native::Storage(storage)] => {
                aten::fill__scalar(&mut shared.clone(), 7.0)?;
                assert_eq!(x.to_vec::<f64>()?, [7.0, 7.0]);
                assert_eq!(storage.nbytes(), 16);
            }
            other => panic!("{:?}", other),
        },
        other => panic!("{:?}", other),
    }
    Ok(())
}

#[test]
fn an_object_of_a_class_of_pythons_is_readable() -> Test {
    let mut size = python("torch", "Size");
    size.args = Some(vec![Native::Tuple(vec![2.into(), 3.into()])]);
    assert_eq!(Value::from_native(&size.clone().into())?.repr()?, "torch.Size([2, 3])");
    let mut net = python("nets", "Net.Inner");
    net.args = Some(vec![]);
    net.items = Some(list(vec![2.into()]));
    net.state = Some(dict(vec![("weight".into(), (1i128 << 70).into())]));
    assert_eq!(net.attribute("weight"), Some(&(1i128 << 70).into()));
    assert_eq!((net.attribute("bias"), size.attribute("weight")), (None, None));
    for object in [size, net, python("builtins", "print")] {
        let native = object.into();
        assert_eq!(Value::from_native(&native)?.to_native()?, native);
    }
    Ok(())
}

#[test]
fn operators_take_values_of_all() -> Test {
    let op = Op::find("aten::add", Some("Tensor"))?;
    let [a, b] = [Tensor::from_slice(&[1.0, 2.0], &[2])?, Tensor::from_slice(&[10.0, 20.0], &[2])?];
    let args = [Value::from_tensor(&a)?, Value::from_tensor(&b)?, Value::from_native(&2.into())?];
    match op.call(&args.iter().collect::<Vec<_>>())?.to_native()? {
        Native::Tensor(sum) => assert_eq!(sum.to_vec::<f64>()?, [21.0, 42.0]),
        other => panic!("{:?}", other),
    }
    Ok(())
}

#[test]
fn what_no_value_can_hold_is_refused() -> Test {
    let kind = |native: Native| Value::from_native(&native).unwrap_err().kind();
    assert_eq!(kind(Native::Set(vec![list(vec![1.into()])])), ErrorKind::TYPE); // a list is no entry of a set
    assert_eq!(kind(dict(vec![(dict(vec![]), 1.into())])), ErrorKind::TYPE);
    assert_eq!(kind(Dtype(99).into()), ErrorKind::INVALID_ARGUMENT);
    assert_eq!(kind(python("a\0", "b").into()), ErrorKind::INVALID_ARGUMENT);
    let mut object = python("a", "b");
    object.state = Some(1.into()); // of a class itself
    assert_eq!(kind(list(vec![object.into()])), ErrorKind::VALUE);
    let nested = |depth| (0..depth).fold(list(vec![]), |inner, _| list(vec![inner]));
    assert_eq!(Value::from_native(&nested(900))?.to_native()?, nested(900));
    let error = Value::from_native(&nested(1500)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::VALUE);
    assert_eq!(error.message(), "Value::from_native: native: nested more than 1000 deep, or contains itself");
    Ok(())
}

/// A thread has 2 MiB of stack by default; where there is less, the limit of nesting is still the one that counts.
#[test]
fn the_deepest_nesting_takes_no_stack() {
    let shapes: [fn(Native) -> Native; 4] = [
        |inner| list(vec![inner, 7.into()]),
        |inner| Native::Tuple(vec![().into(), inner]),
        |inner| dict(vec![("a".into(), inner), ("b".into(), 8.into())]),
        |inner| {
            let mut object = python("module", "Name");
            object.args = Some(vec![]);
            object.state = Some(inner);
            object.into()
        },
    ];
    for shape in shapes {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
            let nested = |depth| (0..depth).fold(Native::from(1), |inner, _| shape(inner));
            let native = nested(1000);
            let value = Value::from_native(&native).unwrap();
            assert!(value.to_native().unwrap() == native);
            let deeper = Native::List(vec![value.into()]);
            let error = Value::from_native(&deeper).unwrap().to_native().unwrap_err();
            assert_eq!(error.message(), "Value::to_native: nested more than 1000 deep, or contains itself");
            let error = Value::from_native(&nested(1001)).unwrap_err();
            assert_eq!(error.message(), "Value::from_native: native: nested more than 1000 deep, or contains itself");
        });
        thread.unwrap().join().unwrap();
    }
}

#[test]
fn what_rust_has_no_form_for_is_told() -> Test {
    let mut list = Value::from_native(&Native::List(vec![]))?;
    let same = list.clone();
    list.list_append(&same)?;
    assert_eq!(list.to_native().unwrap_err().kind(), ErrorKind::RUNTIME);
    list.clear()?;
    list.list_append(&Value::from_native(&7usize.into())?)?;
    let nested = Value::from_native(&Native::Tuple(vec![list.into()]))?; // a value inside is the very one
    assert_eq!(nested.to_native()?, Native::Tuple(vec![Native::List(vec![7.into()])]));
    let text = Value::from_string_data(b"a\xff")?;
    assert_eq!(text.to_native().unwrap_err().kind(), ErrorKind::VALUE);
    assert_eq!(text.to_string_data()?, b"a\xff");
    Ok(())
}

#[test]
fn seeds_threads_and_modes_have_the_names_of_pytorch() -> Test {
    ctorch::manual_seed(1234)?;
    assert_eq!(ctorch::initial_seed()?, 1234);
    {
        let _off = ctorch::no_grad()?;
        assert!(!ctorch::is_grad_enabled());
        let _on = ctorch::enable_grad()?;
        assert!(ctorch::is_grad_enabled());
    }
    let before = ctorch::get_num_threads();
    ctorch::set_num_threads(1)?;
    assert_eq!(ctorch::get_num_threads(), 1);
    ctorch::set_num_threads(before)?;
    Ok(())
}
