//! The unsafe Rust of the safe crate under Miri, which interprets no C: what C does here is written in Rust, as little as
//! each test needs. `cargo +nightly miri test --test miri`; nothing without Miri.
#![cfg(miri)]

use std::os::raw::{c_char, c_void};
use std::sync::atomic::{AtomicI64, Ordering};

use ctorch::sys::*;
use ctorch::{aten, BoxError, Randomness, Tensor, TensorList, ThreadBound};

static HANDLES: AtomicI64 = AtomicI64::new(0);

struct Fake {
    references: AtomicI64,
    bytes: Vec<u8>,
    foreign: Option<(Destroy, *mut c_void)>,
}

type Destroy = unsafe extern "C" fn(*mut c_void);

fn fake(bytes: Vec<u8>, foreign: Option<(Destroy, *mut c_void)>) -> *mut ctorch_tensor {
    HANDLES.fetch_add(1, Ordering::Relaxed);
    Box::into_raw(Box::new(Fake { references: AtomicI64::new(1), bytes, foreign })).cast()
}

unsafe fn bytes_of<'a>(tensor: *const ctorch_tensor) -> &'a [u8] {
    &(&*tensor.cast::<Fake>()).bytes
}

#[no_mangle]
unsafe extern "C" fn ctorch_tensor_retain(tensor: *const ctorch_tensor) {
    if !tensor.is_null() {
        (*tensor.cast::<Fake>()).references.fetch_add(1, Ordering::Relaxed);
    }
}

#[no_mangle]
unsafe extern "C" fn ctorch_tensor_release(tensor: *mut ctorch_tensor) {
    if !tensor.is_null() && (*tensor.cast::<Fake>()).references.fetch_sub(1, Ordering::AcqRel) == 1 {
        HANDLES.fetch_sub(1, Ordering::Relaxed);
        if let Some((destroy, payload)) = Box::from_raw(tensor.cast::<Fake>()).foreign {
            destroy(payload);
        }
    }
}

#[no_mangle]
unsafe extern "C" fn ctorch_tensor_numel(tensor: *const ctorch_tensor) -> i64 {
    bytes_of(tensor).len() as i64
}

#[no_mangle]
unsafe extern "C" fn ctorch_tensor_from_data(
    out: *mut *mut ctorch_tensor,
    data: *const c_void,
    nbytes: usize,
    _: *const i64,
    _: usize,
    _: i32,
) -> *mut ctorch_error {
    *out = fake(std::slice::from_raw_parts(data.cast::<u8>(), nbytes).to_vec(), None);
    std::ptr::null_mut()
}

#[no_mangle]
unsafe extern "C" fn ctorch_tensor_from_buffer(
    out: *mut *mut ctorch_tensor,
    data: *mut c_void,
    sizes: *const i64,
    _: usize,
    _: *const i64,
    _: usize,
    _: i32,
    destroy: Option<Destroy>,
    payload: *mut c_void,
) -> *mut ctorch_error {
    if *sizes == 3 {
        return error("refused"); // the payload stays the caller's
    }
    *data.cast::<u8>() += 1;
    *out = fake(std::slice::from_raw_parts(data.cast::<u8>(), *sizes as usize).to_vec(), destroy.map(|d| (d, payload)));
    std::ptr::null_mut()
}

#[no_mangle]
unsafe extern "C" fn ctorch_tensor_copy_to_buffer(
    tensor: *const ctorch_tensor,
    data: *mut c_void,
    nbytes: usize,
    _: i32,
) -> *mut ctorch_error {
    std::ptr::copy_nonoverlapping(bytes_of(tensor).as_ptr(), data.cast(), nbytes);
    std::ptr::null_mut()
}

/// As many bytes as there are tensors, each the first of its tensor.
#[no_mangle]
unsafe extern "C" fn ctorch_aten_cat(
    out: *mut *mut ctorch_tensor,
    tensors: *const *const ctorch_tensor,
    len: usize,
    _: i64,
) -> *mut ctorch_error {
    *out = fake((0..len).map(|i| bytes_of(*tensors.add(i))[0]).collect(), None);
    std::ptr::null_mut()
}

struct List(Vec<*const ctorch_tensor>);

#[no_mangle]
unsafe extern "C" fn ctorch_tensor_list_new(
    out: *mut *mut ctorch_tensor_list,
    tensors: *const *const ctorch_tensor,
    len: usize,
) -> *mut ctorch_error {
    let tensors: Vec<_> = (0..len).map(|i| *tensors.add(i)).collect();
    tensors.iter().for_each(|t| ctorch_tensor_retain(*t));
    HANDLES.fetch_add(1, Ordering::Relaxed);
    *out = Box::into_raw(Box::new(List(tensors))).cast();
    std::ptr::null_mut()
}

#[no_mangle]
unsafe extern "C" fn ctorch_tensor_list_data(list: *const ctorch_tensor_list) -> *const *const ctorch_tensor {
    (*list.cast::<List>()).0.as_ptr()
}

#[no_mangle]
unsafe extern "C" fn ctorch_tensor_list_len(list: *const ctorch_tensor_list) -> usize {
    (*list.cast::<List>()).0.len()
}

#[no_mangle]
unsafe extern "C" fn ctorch_tensor_list_release(list: *mut ctorch_tensor_list) {
    HANDLES.fetch_sub(1, Ordering::Relaxed);
    Box::from_raw(list.cast::<List>()).0.iter().for_each(|t| ctorch_tensor_release(*t as *mut _));
}

/// Calls the closure once, with the inputs.
#[no_mangle]
unsafe extern "C" fn ctorch_func_vmap(
    out: *mut *mut ctorch_tensor_list,
    function: ctorch_tensors_callback,
    payload: *mut c_void,
    inputs: *const *const ctorch_tensor,
    len: usize,
    _: *const i64,
    _: usize,
    _: *const i64,
    _: usize,
    _: i32,
    _: *const i64,
) -> *mut ctorch_error {
    let (mut list, mut failure) = (std::ptr::null_mut(), std::ptr::null_mut());
    if function.unwrap()(&mut list, inputs, len, &mut failure, payload) == CTORCH_CALLBACK_OK {
        *out = list;
        return std::ptr::null_mut();
    }
    failure
}

fn error(message: &str) -> *mut ctorch_error {
    HANDLES.fetch_add(1, Ordering::Relaxed);
    Box::into_raw(Box::new(std::ffi::CString::new(message).unwrap())).cast()
}

#[no_mangle]
unsafe extern "C" fn ctorch_error_new(
    out: *mut *mut ctorch_error,
    _: i32,
    message: *const c_char,
) -> *mut ctorch_error {
    *out = error(std::ffi::CStr::from_ptr(message).to_str().unwrap());
    std::ptr::null_mut()
}

#[no_mangle]
unsafe extern "C" fn ctorch_error_message(error: *const ctorch_error) -> *const c_char {
    (*error.cast::<std::ffi::CString>()).as_ptr()
}

#[no_mangle]
unsafe extern "C" fn ctorch_error_release(error: *mut ctorch_error) {
    if !error.is_null() {
        HANDLES.fetch_sub(1, Ordering::Relaxed);
        drop(Box::from_raw(error.cast::<std::ffi::CString>()));
    }
}

fn bytes(first: u8) -> Tensor {
    Tensor::from_slice(&[first, 0], &[2]).unwrap()
}

#[test]
fn all_of_it() {
    bools();
    lists();
    memory_that_is_taken_over();
    closures();
    bound_values();
    assert_eq!(HANDLES.load(Ordering::Relaxed), 0);
}

fn bools() {
    let x = Tensor::from_slice(&[2u8, 0, 255], &[3]).unwrap();
    assert_eq!(x.to_vec::<bool>().unwrap(), [true, false, true]);
    assert_eq!(Tensor::from_slice::<u8>(&[], &[0]).unwrap().to_vec::<bool>().unwrap(), []);
}

fn lists() {
    let many: Vec<Tensor> = (0..20).map(bytes).collect();
    let borrowed: Vec<&Tensor> = many.iter().collect();
    let expected: Vec<u8> = (0..20).collect();
    let read = |x: ctorch::Result<Tensor>| x.unwrap().to_vec::<u8>().unwrap();
    assert_eq!(read(aten::cat(&many).call()), expected);
    assert_eq!(read(aten::cat(&borrowed).call()), expected);
    assert_eq!(read(aten::cat(&borrowed[..8]).call()), expected[..8]);
    assert_eq!(read(aten::cat(&[&many[3], &many[3].clone()]).call()), [3, 3]);
    let list = TensorList::new(&many).unwrap();
    drop(many);
    assert_eq!(read(aten::cat(&list).call()), expected);
    assert_eq!(list.iter().map(|t| t.to_vec::<u8>().unwrap()[0]).collect::<Vec<_>>(), expected);
}

fn memory_that_is_taken_over() {
    assert_eq!(Tensor::from_vec(vec![4u8, 5], &[2]).unwrap().to_vec::<u8>().unwrap(), [5, 5]);
    assert_eq!(Tensor::from_vec(vec![1u8, 2, 3], &[3]).unwrap_err().message(), "refused");
}

fn closures() {
    let x = bytes(7);
    let twice = |inputs: &[Tensor]| -> Result<Vec<Tensor>, BoxError> { Ok(vec![inputs[0].clone(), inputs[0].clone()]) };
    let out = ctorch::func_vmap(&twice, &[&x], Randomness::ERROR).call().unwrap();
    assert_eq!((out.len(), out[1].to_vec::<u8>().unwrap()), (2, vec![7, 0]));
    let fails = |_: &[Tensor]| -> Result<Vec<Tensor>, BoxError> { Err(Box::new(std::fmt::Error)) };
    let error = ctorch::func_vmap(&fails, &[&x], Randomness::ERROR).call().unwrap_err();
    assert_eq!(error.downcast::<std::fmt::Error>().unwrap(), std::fmt::Error);
    let panics = |_: &[Tensor]| -> Result<Vec<Tensor>, BoxError> { std::panic::resume_unwind(Box::new(5)) };
    let call = || ctorch::func_vmap(&panics, &[&x], Randomness::ERROR).call();
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).unwrap_err();
    assert_eq!(panic.downcast_ref::<i32>(), Some(&5));
}

fn bound_values() {
    let bound = std::sync::Arc::new(ThreadBound::new(std::cell::RefCell::new(vec![bytes(1)])));
    bound.borrow_mut().push(bytes(2));
    let other = std::sync::Arc::clone(&bound);
    assert!(std::thread::spawn(move || other.borrow().len()).join().is_err());
    assert_eq!(bound.borrow().len(), 2);
}
