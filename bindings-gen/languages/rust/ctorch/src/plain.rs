//! The flat structs: a number, a device, a stream.

use crate::support::sys;
use crate::{DeviceType, ScalarKind};

/// A Python-like number: `2.into()`, `0.5.into()`, `true.into()`, `Scalar::complex(0.0, 1.0)`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq)]
pub struct Scalar {
    kind: ScalarKind,
    reserved: i32,
    i: i64,
    re: f64,
    im: f64,
}

impl Scalar {
    const fn new(kind: ScalarKind, i: i64, re: f64, im: f64) -> Scalar {
        Scalar { kind, reserved: 0, i, re, im }
    }

    pub const fn complex(re: f64, im: f64) -> Scalar {
        Scalar::new(ScalarKind::COMPLEX, 0, re, im)
    }

    pub fn kind(&self) -> ScalarKind {
        self.kind
    }

    /// The value of an int, or of a bool as 0 or 1. None of others, and of a whole number of 2^63 or more.
    pub fn as_i64(&self) -> Option<i64> {
        matches!(self.kind, ScalarKind::INT | ScalarKind::BOOL).then_some(self.i)
    }

    /// The value of a whole number that is not negative.
    pub fn as_u64(&self) -> Option<u64> {
        match self.kind {
            ScalarKind::UINT => Some(self.i as u64),
            _ => self.as_i64().and_then(|i| i.try_into().ok()),
        }
    }

    /// The value of anything but a complex number.
    pub fn as_f64(&self) -> Option<f64> {
        match self.kind {
            ScalarKind::FLOAT => Some(self.re),
            ScalarKind::UINT => Some(self.i as u64 as f64),
            _ => self.as_i64().map(|i| i as f64),
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        (self.kind == ScalarKind::BOOL).then_some(self.i != 0)
    }

    /// Real and imaginary part.
    pub fn as_complex(&self) -> Option<(f64, f64)> {
        if self.kind == ScalarKind::COMPLEX {
            return Some((self.re, self.im));
        }
        self.as_f64().map(|re| (re, 0.0))
    }

    pub(crate) fn as_ptr(&self) -> *const sys::ctorch_scalar {
        (self as *const Scalar).cast()
    }
}

impl std::fmt::Debug for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind {
            ScalarKind::INT => write!(f, "{}", self.i),
            ScalarKind::UINT => write!(f, "{}", self.i as u64),
            ScalarKind::BOOL => write!(f, "{}", self.i != 0),
            ScalarKind::FLOAT => write!(f, "{:?}", self.re),
            _ => write!(f, "({:?}, {:?})", self.re, self.im),
        }
    }
}

macro_rules! scalar_from {
    ($($type:ty),* => |$x:ident| $make:expr) => {
        $(impl From<$type> for Scalar {
            #[inline]
            fn from($x: $type) -> Scalar {
                $make
            }
        })*
    };
}

scalar_from!(i8, i16, i32, i64, u8, u16, u32 => |x| Scalar::new(ScalarKind::INT, x.into(), 0.0, 0.0));
scalar_from!(f32, f64 => |x| Scalar::new(ScalarKind::FLOAT, 0, x.into(), 0.0));
scalar_from!(bool => |x| Scalar::new(ScalarKind::BOOL, x.into(), 0.0, 0.0));
scalar_from!(u64 => |x| match i64::try_from(x) {
    Ok(i) => i.into(),
    Err(_) => Scalar::new(ScalarKind::UINT, x as i64, 0.0, 0.0),
});

/// A device: type and index. Index -1 is the current device of that type.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Device {
    pub kind: DeviceType,
    pub index: i32,
}

impl Device {
    pub const CPU: Device = Device { kind: DeviceType::CPU, index: -1 };
    /// Tensors that have a shape and no data.
    pub const META: Device = Device { kind: DeviceType::META, index: -1 };

    pub const fn cuda(index: i32) -> Device {
        Device { kind: DeviceType::CUDA, index }
    }

    pub(crate) fn as_ptr(&self) -> *const sys::ctorch_device {
        (self as *const Device).cast()
    }

    pub(crate) fn as_mut_ptr(&mut self) -> *mut sys::ctorch_device {
        (self as *mut Device).cast()
    }
}

/// As PyTorch spells it: "cuda:0".
impl std::fmt::Display for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.kind.name())?;
        if self.index >= 0 {
            write!(f, ":{}", self.index)?;
        }
        Ok(())
    }
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self)
    }
}

/// A queue of work on a device: plain data that owns nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stream {
    pub id: i64,
    pub device_type: DeviceType,
    pub device_index: i32,
}

impl Stream {
    pub(crate) fn as_ptr(&self) -> *const sys::ctorch_stream {
        (self as *const Stream).cast()
    }
}
