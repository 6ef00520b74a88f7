//! Tensors: making them, reading them.

use std::fmt;
use std::os::raw::c_void;

use crate::callback::{destroy, with_payload};
use crate::enums::{Dtype, ErrorKind};
use crate::error::{check, Error, Result};
use crate::plain::Device;
use crate::support::*;
use crate::{Indices, Scalar};

shared_handle!(
    /// A reference to an n-dimensional array. `clone()` is another reference; `aten::clone` copies.
    ///
    /// Operators that change a tensor take `&mut`. Two references may still see the same memory, as in PyTorch; hence
    /// a tensor stays on its thread, as an `Rc` does. [`Parcel`](crate::Parcel) takes a copy to another one.
    ///
    /// ```compile_fail,E0277
    /// let mut x = ctorch::Tensor::scalar(1.0).unwrap();
    /// let y = x.clone();
    /// // While one thread resizes, the other one would read what is given back.
    /// std::thread::spawn(move || ctorch::aten::resize_(&mut x, &[1000]).call());
    /// y.to_vec::<f32>();
    /// ```
    ///
    /// ```compile_fail,E0277
    /// let x = ctorch::Tensor::scalar(1.0).unwrap();
    /// // The other thread could clone it.
    /// std::thread::scope(|scope| scope.spawn(|| x.numel()).join());
    /// ```
    Tensor,
    sys::ctorch_tensor,
    sys::ctorch_tensor_release,
    sys::ctorch_tensor_retain
);

/// A Rust type that is the element of a tensor.
///
/// # Safety
/// `DTYPE` has the size and layout of the type, and every bit pattern is a value of it, but for `bool`, whose bytes are
/// made 0 and 1.
pub unsafe trait Element: Copy + Default + Send + Sync + 'static {
    const DTYPE: Dtype;
}

macro_rules! elements {
    ($($type:ty = $dtype:ident),*) => {
        $(unsafe impl Element for $type {
            const DTYPE: Dtype = Dtype::$dtype;
        })*
    };
}

elements!(u8 = UINT8, u16 = UINT16, u32 = UINT32, u64 = UINT64, i8 = INT8, i16 = INT16, i32 = INT32, i64 = INT64);
elements!(f32 = FLOAT32, f64 = FLOAT64, bool = BOOL);

impl Tensor {
    /// What stands where there is no tensor: None in Python.
    pub const fn undefined() -> Tensor {
        Tensor(std::ptr::null_mut())
    }

    /// Whether there is a tensor.
    pub fn defined(&self) -> bool {
        !self.0.is_null()
    }

    /// A tensor with a copy of row-major data. Fails unless there are as many elements as the shape says.
    pub fn from_slice<T: Element>(data: &[T], shape: &[i64]) -> Result<Tensor> {
        let mut out = std::ptr::null_mut();
        check(unsafe {
            sys::ctorch_tensor_from_data(
                &mut out,
                data.as_ptr().cast(),
                std::mem::size_of_val(data),
                shape.as_ptr(),
                shape.len(),
                T::DTYPE.0,
            )
        })?;
        Ok(Tensor(out))
    }

    /// A tensor that takes over row-major data without copying it.
    pub fn from_vec<T: Element>(data: Vec<T>, shape: &[i64]) -> Result<Tensor> {
        let mut count = 1i64;
        for size in shape {
            count = count.saturating_mul(*size);
        }
        if count < 0 || count as usize != data.len() {
            let text = format!("{} elements for a tensor of shape {:?}", data.len(), shape);
            return Err(Error::new(ErrorKind::INVALID_ARGUMENT, &text));
        }
        let mut data = data;
        let address = data.as_mut_ptr().cast::<c_void>();
        let mut out = std::ptr::null_mut();
        with_payload(data, |payload| unsafe {
            sys::ctorch_tensor_from_buffer(
                &mut out,
                address,
                shape.as_ptr(),
                shape.len(),
                std::ptr::null(),
                0,
                T::DTYPE.0,
                Some(destroy::<Vec<T>>),
                payload,
            )
        })?;
        Ok(Tensor(out))
    }

    /// A tensor without dimensions, of the dtype that Python would choose.
    pub fn scalar(value: impl Into<Scalar>) -> Result<Tensor> {
        Tensor::from_scalar(value, None)
    }

    /// A copy of all elements in row-major order, from any device. `T` must be the tensor's dtype.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        let mut data = vec![T::default(); self.numel() as usize];
        self.copy_to_slice(&mut data)?;
        Ok(data)
    }

    /// Copy all elements in row-major order. `data` has as many elements as the tensor, of its dtype.
    pub fn copy_to_slice<T: Element>(&self, data: &mut [T]) -> Result<()> {
        let (bytes, nbytes) = (data.as_mut_ptr().cast::<u8>(), std::mem::size_of_val(data));
        check(unsafe { sys::ctorch_tensor_copy_to_buffer(self.0, bytes.cast(), nbytes, T::DTYPE.0) })?;
        if T::DTYPE == Dtype::BOOL {
            // To LibTorch a byte that is not 0 is true, and `view_dtype` makes such; to Rust only 1 is.
            for i in 0..nbytes {
                unsafe { *bytes.add(i) = u8::from(*bytes.add(i) != 0) };
            }
        }
        Ok(())
    }

    /// The shape; empty for a tensor without dimensions, an undefined and a nested one.
    ///
    /// A copy: an operator such as `aten::resize_` may change the shape through another reference.
    pub fn shape(&self) -> Vec<i64> {
        self.numbers(sys::ctorch_tensor_sizes)
    }

    /// The strides in elements; empty for a tensor that has none.
    pub fn strides(&self) -> Vec<i64> {
        self.numbers(sys::ctorch_tensor_strides)
    }

    fn numbers(&self, get: unsafe extern "C" fn(*const sys::ctorch_tensor) -> *const i64) -> Vec<i64> {
        let numbers = unsafe { get(self.0) };
        if numbers.is_null() {
            return Vec::new();
        }
        unsafe { std::slice::from_raw_parts(numbers, self.ndim() as usize) }.to_vec()
    }

    /// Address of the first element, for reading. It may lie on a device, and is valid while the tensor is not resized.
    pub fn const_data(&self) -> Result<*const c_void> {
        let mut out = std::ptr::null();
        check(unsafe { sys::ctorch_tensor_const_data(&mut out, self.0) })?;
        Ok(out)
    }

    /// Address of the first element, for reading and writing.
    pub fn data(&mut self) -> Result<*mut c_void> {
        let mut out = std::ptr::null_mut();
        check(unsafe { sys::ctorch_tensor_data(&mut out, self.0) })?;
        Ok(out)
    }

    /// Compute the gradients of a tensor with one element and add them to the `grad` of the leaves.
    pub fn backward(&self) -> Result<()> {
        check(unsafe { sys::ctorch_tensor_backward(self.0, std::ptr::null(), std::ptr::null(), false) })
    }

    /// The same for a tensor of any shape, given the gradient of the objective by it (None for 1); the graph may be
    /// kept for another pass, and the pass itself may be recorded.
    pub fn backward_with(&self, gradient: Option<&Tensor>, retain_graph: bool, create_graph: bool) -> Result<()> {
        let gradient = gradient.map_or(std::ptr::null_mut(), |g| g.0);
        check(unsafe { sys::ctorch_tensor_backward(self.0, gradient, &retain_graph, create_graph) })
    }

    /// The accumulated gradient.
    pub fn grad(&self) -> Result<Option<Tensor>> {
        let mut out = std::ptr::null_mut();
        check(unsafe { sys::ctorch_tensor_grad(&mut out, self.0) })?;
        Ok((!out.is_null()).then(|| Tensor(out)))
    }

    /// Replace the accumulated gradient.
    pub fn set_grad<'a>(&mut self, grad: impl Into<Option<&'a Tensor>>) -> Result<()> {
        let grad = grad.into().map_or(std::ptr::null_mut(), |g| g.0);
        check(unsafe { sys::ctorch_tensor_set_grad(self.0, grad) })
    }

    /// The tensor with another dtype.
    pub fn to_dtype(&self, dtype: Dtype) -> Result<Tensor> {
        self.to(false, false).dtype(dtype).call()
    }

    /// The tensor on another device.
    pub fn to_device(&self, device: Device) -> Result<Tensor> {
        self.to(false, false).device(device).call()
    }

    /// `self[index]` of Python: `x.index((1, 2..5, ..))`, `x.index((IndexItem::Ellipsis, 0))`, `x.index(&mask)`.
    pub fn index<'a>(&self, index: impl Indices<'a>) -> Result<Tensor> {
        let index = index.build()?;
        let mut out = std::ptr::null_mut();
        check(unsafe { sys::ctorch_tensor_index(&mut out, self.0, index.0) })?;
        Ok(Tensor(out))
    }

    /// `self[index] = value`
    pub fn index_put<'a>(&mut self, index: impl Indices<'a>, value: &Tensor) -> Result<()> {
        let index = index.build()?;
        check(unsafe { sys::ctorch_tensor_index_put(self.0, index.0, value.0) })
    }

    /// `self[index] = number`
    pub fn index_put_scalar<'a>(&mut self, index: impl Indices<'a>, value: impl Into<Scalar>) -> Result<()> {
        let (index, value) = (index.build()?, value.into());
        check(unsafe { sys::ctorch_tensor_index_put_scalar(self.0, index.0, value.as_ptr()) })
    }
}

impl Default for Tensor {
    /// The undefined tensor.
    fn default() -> Tensor {
        Tensor::undefined()
    }
}

/// As Python prints it.
impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.defined() {
            return f.write_str("None");
        }
        match self.repr().call() {
            Ok(text) => f.write_str(&text),
            Err(error) => write!(f, "<tensor that cannot be printed: {}>", error),
        }
    }
}

/// What it looks like, without its elements.
impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.defined() {
            return f.write_str("Tensor(undefined)");
        }
        write!(f, "Tensor({:?}, {})", self.shape(), self.dtype().name())
    }
}
