//! `+ - * / %`, `& | ^ !` and their assigning forms.
//!
//! They panic with the error's text if PyTorch refuses the operands, as the standard library's operators do.
//! [`Tensor::try_add`] and its kind return it.

use std::ops::*;

use crate::{aten, Result, Scalar, Tensor};

#[track_caller]
fn unwrap(result: Result<Tensor>) -> Tensor {
    match result {
        Ok(tensor) => tensor,
        Err(error) => panic!("{}", error),
    }
}

macro_rules! binary {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign_method:ident, |$a:ident, $b:ident| $call:expr, $assign:expr) => {
        impl $trait<&Tensor> for &Tensor {
            type Output = Tensor;

            #[track_caller]
            fn $method(self, other: &Tensor) -> Tensor {
                let ($a, $b) = (self, other);
                unwrap($call)
            }
        }

        impl $trait<Tensor> for &Tensor {
            type Output = Tensor;

            #[track_caller]
            fn $method(self, other: Tensor) -> Tensor {
                $trait::$method(self, &other)
            }
        }

        impl $trait<&Tensor> for Tensor {
            type Output = Tensor;

            #[track_caller]
            fn $method(self, other: &Tensor) -> Tensor {
                $trait::$method(&self, other)
            }
        }

        impl $trait<Tensor> for Tensor {
            type Output = Tensor;

            #[track_caller]
            fn $method(self, other: Tensor) -> Tensor {
                $trait::$method(&self, &other)
            }
        }

        impl $assign_trait<&Tensor> for Tensor {
            #[track_caller]
            fn $assign_method(&mut self, other: &Tensor) {
                let ($a, $b) = (self, other);
                if let Err(error) = $assign {
                    panic!("{}", error)
                }
            }
        }
    };
}

binary!(Add, add, AddAssign, add_assign, |a, b| aten::add_tensor(a, b).call(), aten::add__tensor(a, b).call());
binary!(Sub, sub, SubAssign, sub_assign, |a, b| aten::sub_tensor(a, b).call(), aten::sub__tensor(a, b).call());
binary!(Mul, mul, MulAssign, mul_assign, |a, b| aten::mul_tensor(a, b), aten::mul__tensor(a, b));
binary!(Div, div, DivAssign, div_assign, |a, b| aten::div_tensor(a, b), aten::div__tensor(a, b));
binary!(Rem, rem, RemAssign, rem_assign, |a, b| aten::remainder_tensor(a, b), aten::remainder__tensor(a, b));
binary!(
    BitAnd,
    bitand,
    BitAndAssign,
    bitand_assign,
    |a, b| aten::bitwise_and_tensor(a, b),
    aten::bitwise_and__tensor(a, b)
);
binary!(BitOr, bitor, BitOrAssign, bitor_assign, |a, b| aten::bitwise_or_tensor(a, b), aten::bitwise_or__tensor(a, b));
binary!(
    BitXor,
    bitxor,
    BitXorAssign,
    bitxor_assign,
    |a, b| aten::bitwise_xor_tensor(a, b),
    aten::bitwise_xor__tensor(a, b)
);

// One type of integers and one of floats, so that the compiler knows what `x * 2` is without being told.
// A number becomes a tensor that takes part in type promotion like the number.
macro_rules! with_numbers {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign_method:ident; $($number:ty),*) => {
        $(
            impl $trait<$number> for &Tensor {
                type Output = Tensor;

                #[track_caller]
                fn $method(self, number: $number) -> Tensor {
                    $trait::$method(self, &unwrap(Tensor::wrapped_number(Scalar::from(number))))
                }
            }

            impl $trait<$number> for Tensor {
                type Output = Tensor;

                #[track_caller]
                fn $method(self, number: $number) -> Tensor {
                    $trait::$method(&self, number)
                }
            }

            impl $trait<&Tensor> for $number {
                type Output = Tensor;

                #[track_caller]
                fn $method(self, tensor: &Tensor) -> Tensor {
                    $trait::$method(&unwrap(Tensor::wrapped_number(Scalar::from(self))), tensor)
                }
            }

            impl $trait<Tensor> for $number {
                type Output = Tensor;

                #[track_caller]
                fn $method(self, tensor: Tensor) -> Tensor {
                    $trait::$method(self, &tensor)
                }
            }

            impl $assign_trait<$number> for Tensor {
                #[track_caller]
                fn $assign_method(&mut self, number: $number) {
                    $assign_trait::$assign_method(self, &unwrap(Tensor::wrapped_number(Scalar::from(number))))
                }
            }
        )*
    };
}

with_numbers!(Add, add, AddAssign, add_assign; i64, f64);
with_numbers!(Sub, sub, SubAssign, sub_assign; i64, f64);
with_numbers!(Mul, mul, MulAssign, mul_assign; i64, f64);
with_numbers!(Div, div, DivAssign, div_assign; i64, f64);
with_numbers!(Rem, rem, RemAssign, rem_assign; i64, f64);

impl Neg for &Tensor {
    type Output = Tensor;

    #[track_caller]
    fn neg(self) -> Tensor {
        unwrap(aten::neg(self))
    }
}

impl Neg for Tensor {
    type Output = Tensor;

    #[track_caller]
    fn neg(self) -> Tensor {
        -&self
    }
}

impl Not for &Tensor {
    type Output = Tensor;

    #[track_caller]
    fn not(self) -> Tensor {
        unwrap(aten::bitwise_not(self))
    }
}

impl Not for Tensor {
    type Output = Tensor;

    #[track_caller]
    fn not(self) -> Tensor {
        !&self
    }
}

/// What stands on the right of an operator: a tensor, or a number, which takes part in type promotion as a number.
#[derive(Clone, Copy, Debug)]
pub enum Operand<'a> {
    Tensor(&'a Tensor),
    Number(Scalar),
}

impl<'a> From<&'a Tensor> for Operand<'a> {
    fn from(tensor: &'a Tensor) -> Self {
        Operand::Tensor(tensor)
    }
}

impl From<Scalar> for Operand<'_> {
    fn from(number: Scalar) -> Self {
        Operand::Number(number)
    }
}

macro_rules! operand_from {
    ($($number:ty),*) => {
        $(impl From<$number> for Operand<'_> {
            fn from(number: $number) -> Self {
                Operand::Number(number.into())
            }
        })*
    };
}

operand_from!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, bool);

impl Operand<'_> {
    fn with<T>(self, call: impl FnOnce(&Tensor) -> Result<T>) -> Result<T> {
        match self {
            Operand::Tensor(tensor) => call(tensor),
            Operand::Number(number) => call(&Tensor::wrapped_number(number)?),
        }
    }
}

macro_rules! fallible {
    ($($sign:literal $name:ident $assign:ident |$a:ident, $b:ident| $call:expr, $change:expr;)*) => {
        impl Tensor {
            $(
                #[doc = concat!("`self ", $sign, " other`, or the error in place of a panic. `other` is a `&Tensor` or a number.")]
                pub fn $name<'a>(&self, other: impl Into<Operand<'a>>) -> Result<Tensor> {
                    let $a = self;
                    other.into().with(|$b| $call)
                }

                #[doc = concat!("`self ", $sign, "= other`, or the error in place of a panic.")]
                pub fn $assign<'a>(&mut self, other: impl Into<Operand<'a>>) -> Result<()> {
                    let $a = self;
                    other.into().with(|$b| $change)
                }
            )*
        }
    };
}

fallible! {
    "+" try_add try_add_assign |a, b| aten::add_tensor(a, b).call(), aten::add__tensor(a, b).call();
    "-" try_sub try_sub_assign |a, b| aten::sub_tensor(a, b).call(), aten::sub__tensor(a, b).call();
    "*" try_mul try_mul_assign |a, b| aten::mul_tensor(a, b), aten::mul__tensor(a, b);
    "/" try_div try_div_assign |a, b| aten::div_tensor(a, b), aten::div__tensor(a, b);
    "%" try_rem try_rem_assign |a, b| aten::remainder_tensor(a, b), aten::remainder__tensor(a, b);
    "&" try_bitand try_bitand_assign |a, b| aten::bitwise_and_tensor(a, b), aten::bitwise_and__tensor(a, b);
    "|" try_bitor try_bitor_assign |a, b| aten::bitwise_or_tensor(a, b), aten::bitwise_or__tensor(a, b);
    "^" try_bitxor try_bitxor_assign |a, b| aten::bitwise_xor_tensor(a, b), aten::bitwise_xor__tensor(a, b);
}

impl Tensor {
    /// `-self`, or the error in place of a panic.
    pub fn try_neg(&self) -> Result<Tensor> {
        aten::neg(self)
    }

    /// `!self`, or the error in place of a panic.
    pub fn try_not(&self) -> Result<Tensor> {
        aten::bitwise_not(self)
    }

    /// The same data outside the graph.
    pub fn detach(&self) -> Result<Tensor> {
        aten::detach(self)
    }
}
