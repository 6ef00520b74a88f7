//! What stands between the brackets of Python's `x[…]`.

use std::ops::{Range, RangeFrom, RangeFull, RangeTo};

use crate::error::{check, Result};
use crate::support::{optional_ptr, sys};
use crate::{Index, Tensor};

/// One item of an index.
#[derive(Clone, Copy, Debug)]
pub enum IndexItem<'a> {
    /// One position; negative counts from the end. The dimension is gone.
    Int(i64),
    /// `start:stop:step`
    Slice(Option<i64>, Option<i64>, Option<i64>),
    /// A new dimension of size 1.
    NewAxis,
    /// As many whole dimensions as the other items leave.
    Ellipsis,
    /// A new dimension, of size 1 for true and 0 for false.
    Bool(bool),
    /// Positions, or a mask of dtype bool.
    Tensor(&'a Tensor),
    Ints(&'a [i64]),
    Bools(&'a [bool]),
}

macro_rules! item_from {
    ($($type:ty => |$x:pat_param| $item:expr;)*) => {
        $(impl<'a> From<$type> for IndexItem<'a> {
            fn from($x: $type) -> Self {
                $item
            }
        })*
    };
}

item_from! {
    i32 => |x| IndexItem::Int(x.into());
    i64 => |x| IndexItem::Int(x);
    bool => |x| IndexItem::Bool(x);
    RangeFull => |_| IndexItem::Slice(None, None, None);
    Range<i64> => |x| IndexItem::Slice(Some(x.start), Some(x.end), None);
    RangeFrom<i64> => |x| IndexItem::Slice(Some(x.start), None, None);
    RangeTo<i64> => |x| IndexItem::Slice(None, Some(x.end), None);
    &'a Tensor => |x| IndexItem::Tensor(x);
    &'a [i64] => |x| IndexItem::Ints(x);
    &'a [bool] => |x| IndexItem::Bools(x);
}

impl IndexItem<'_> {
    fn push(self, index: &mut Index) -> Result<()> {
        match self {
            IndexItem::Int(value) => index.push_int(value),
            IndexItem::Slice(start, stop, step) => check(unsafe {
                let (start, stop, step) = (optional_ptr(&start), optional_ptr(&stop), optional_ptr(&step));
                sys::ctorch_index_push_slice(index.0, start, stop, step)
            }),
            IndexItem::NewAxis => index.push_none(),
            IndexItem::Ellipsis => index.push_ellipsis(),
            IndexItem::Bool(value) => index.push_bool(value),
            IndexItem::Tensor(value) => index.push_tensor(value),
            IndexItem::Ints(values) => index.push_ints(values),
            IndexItem::Bools(values) => index.push_bools(values),
        }
    }
}

/// An index: one item, a tuple of up to six, or a slice of [`IndexItem`]s.
pub trait Indices<'a> {
    fn build(self) -> Result<Index>;
}

macro_rules! single {
    ($($type:ty),*) => {
        $(impl<'a> Indices<'a> for $type {
            fn build(self) -> Result<Index> {
                let mut index = Index::new()?;
                IndexItem::from(self).push(&mut index)?;
                Ok(index)
            }
        })*
    };
}

single!(i32, i64, bool, RangeFull, Range<i64>, RangeFrom<i64>, RangeTo<i64>, &'a Tensor, &'a [i64], &'a [bool]);
single!(IndexItem<'a>);

impl<'a> Indices<'a> for &[IndexItem<'a>] {
    fn build(self) -> Result<Index> {
        let mut index = Index::new()?;
        for item in self {
            item.push(&mut index)?;
        }
        Ok(index)
    }
}

macro_rules! tuples {
    ($($name:ident)+) => {
        impl<'a, $($name: Into<IndexItem<'a>>),+> Indices<'a> for ($($name,)+) {
            #[allow(non_snake_case)]
            fn build(self) -> Result<Index> {
                let ($($name,)+) = self;
                let items = [$($name.into()),+];
                items[..].build()
            }
        }
    };
}

tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);
