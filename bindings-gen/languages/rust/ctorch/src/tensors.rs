//! Lists of tensors: as arguments, and as results.

use crate::support::sys;
use crate::{Tensor, TensorList};

type Pointer = *const sys::ctorch_tensor;

/// A list argument. It is made of `&[a, b]`, `&[&a, &b]`, a `&Vec` of either, or a [`TensorList`].
#[derive(Clone, Copy)]
pub enum Tensors<'a> {
    Owned(&'a [Tensor]),
    Borrowed(&'a [&'a Tensor]),
}

/// A list argument whose tensors are changed. It is made of `&mut [a, b]`, `&mut [&mut a, &mut b]`, a `&mut Vec` or a
/// `&mut` [`TensorList`].
pub enum TensorsMut<'a> {
    Owned(&'a mut [Tensor]),
    Borrowed(&'a mut [&'a mut Tensor]),
    List(&'a mut TensorList),
}

/// A list argument that may have gaps. It is made of `&[Some(&a), None]`, or of what [`Tensors`] are made of.
#[derive(Clone, Copy)]
pub enum OptionalTensors<'a> {
    All(Tensors<'a>),
    Some(&'a [Option<&'a Tensor>]),
}

macro_rules! from_lists {
    ($target:ident, $variant:path, [$($reference:tt)*], $element:ty) => {
        impl<'a> From<$($reference)* [$element]> for $target<'a> {
            #[inline]
            fn from(list: $($reference)* [$element]) -> Self {
                $variant(list)
            }
        }

        impl<'a, const N: usize> From<$($reference)* [$element; N]> for $target<'a> {
            #[inline]
            fn from(list: $($reference)* [$element; N]) -> Self {
                $variant(list)
            }
        }

        impl<'a> From<$($reference)* Vec<$element>> for $target<'a> {
            #[inline]
            fn from(list: $($reference)* Vec<$element>) -> Self {
                $variant(list)
            }
        }
    };
}

from_lists!(Tensors, Tensors::Owned, [&'a], Tensor);
from_lists!(Tensors, Tensors::Borrowed, [&'a], &'a Tensor);
from_lists!(TensorsMut, TensorsMut::Owned, [&'a mut], Tensor);
from_lists!(TensorsMut, TensorsMut::Borrowed, [&'a mut], &'a mut Tensor);
from_lists!(OptionalTensors, OptionalTensors::Some, [&'a], Option<&'a Tensor>);

impl<'a> From<&'a TensorList> for Tensors<'a> {
    fn from(list: &'a TensorList) -> Self {
        Tensors::Owned(list)
    }
}

impl<'a> From<&'a mut TensorList> for TensorsMut<'a> {
    fn from(list: &'a mut TensorList) -> Self {
        TensorsMut::List(list)
    }
}

impl<'a, T> From<T> for OptionalTensors<'a>
where
    T: Into<Tensors<'a>>,
    T: NotOptional,
{
    fn from(list: T) -> Self {
        OptionalTensors::All(list.into())
    }
}

/// What may be given in place of a list with gaps.
pub trait NotOptional {}
impl NotOptional for Tensors<'_> {}
impl NotOptional for &[Tensor] {}
impl NotOptional for &[&Tensor] {}
impl<const N: usize> NotOptional for &[Tensor; N] {}
impl<const N: usize> NotOptional for &[&Tensor; N] {}

/// The array of pointers that C reads. A `Tensor` is such a pointer, so a slice of them is the array already.
pub(crate) enum Pointers {
    None,
    Array(*const Pointer, usize),
    Few([Pointer; Pointers::FEW], usize),
    Many(Vec<Pointer>),
}

impl Pointers {
    const FEW: usize = 8;

    #[inline]
    fn collect(pointers: impl ExactSizeIterator<Item = Pointer>) -> Pointers {
        let len = pointers.len();
        if len > Pointers::FEW {
            return Pointers::Many(pointers.collect());
        }
        let mut few = [std::ptr::null(); Pointers::FEW];
        for (place, pointer) in few.iter_mut().zip(pointers) {
            *place = pointer;
        }
        Pointers::Few(few, len)
    }

    /// For `const ctorch_tensor *const *` and for `ctorch_tensor *const *`.
    #[inline]
    pub(crate) fn as_ptr<P>(&self) -> *const P {
        match self {
            Pointers::None => std::ptr::null(),
            Pointers::Array(array, _) => array.cast(),
            Pointers::Few(few, _) => few.as_ptr().cast(),
            Pointers::Many(many) => many.as_ptr().cast(),
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        match self {
            Pointers::None => 0,
            Pointers::Array(_, len) | Pointers::Few(_, len) => *len,
            Pointers::Many(many) => many.len(),
        }
    }
}

pub(crate) trait HasPointers {
    fn pointers(&self) -> Pointers;
}

/// NULL for a list that is not given.
#[inline]
pub(crate) fn optional_pointers(list: Option<impl HasPointers>) -> Pointers {
    list.map_or(Pointers::None, |l| l.pointers())
}

impl Tensors<'_> {
    #[inline]
    pub(crate) fn pointers(&self) -> Pointers {
        match self {
            Tensors::Owned(list) => Pointers::Array(list.as_ptr().cast(), list.len()),
            Tensors::Borrowed(list) => Pointers::collect(list.iter().map(|t| t.0 as Pointer)),
        }
    }
}

impl HasPointers for Tensors<'_> {
    #[inline]
    fn pointers(&self) -> Pointers {
        self.pointers()
    }
}

impl TensorsMut<'_> {
    #[inline]
    pub(crate) fn pointers(&self) -> Pointers {
        match self {
            TensorsMut::Owned(list) => Pointers::Array(list.as_ptr().cast(), list.len()),
            TensorsMut::Borrowed(list) => Pointers::collect(list.iter().map(|t| t.0 as Pointer)),
            TensorsMut::List(list) => Pointers::Array(list.as_ptr().cast(), list.len()),
        }
    }
}

impl OptionalTensors<'_> {
    #[inline]
    pub(crate) fn pointers(&self) -> Pointers {
        match self {
            OptionalTensors::All(list) => list.pointers(),
            OptionalTensors::Some(list) => {
                Pointers::collect(list.iter().map(|t| t.map_or(std::ptr::null(), |t| t.0 as Pointer)))
            }
        }
    }
}

impl HasPointers for OptionalTensors<'_> {
    #[inline]
    fn pointers(&self) -> Pointers {
        self.pointers()
    }
}

/// A list is used like a slice: `list[0]`, `list.len()`, `for tensor in list.iter()`.
impl std::ops::Deref for TensorList {
    type Target = [Tensor];

    fn deref(&self) -> &[Tensor] {
        unsafe { crate::callback::borrowed(sys::ctorch_tensor_list_data(self.0), sys::ctorch_tensor_list_len(self.0)) }
    }
}

impl<'a> IntoIterator for &'a TensorList {
    type Item = &'a Tensor;
    type IntoIter = std::slice::Iter<'a, Tensor>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
