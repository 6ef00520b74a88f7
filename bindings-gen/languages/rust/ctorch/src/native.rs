//! Rust's values as values of the C API, and back.

use std::str::FromStr;

use crate::error::{Error, Result};
use crate::support::sys;
use crate::{
    Device, Dtype, ErrorKind, Generator, Layout, MemoryFormat, Module, Parcel, Storage, Stream, Tensor, TensorList,
    Transform, Value, ValueKind,
};

const DEEPEST: usize = 1000;

/// What a [`Value`] holds, in Rust: what operators called by name and custom operators exchange.
///
/// ```
/// use ctorch::{Native, Value};
///
/// # fn main() -> ctorch::Result<()> {
/// let options = Native::Dict(vec![("lr".into(), 0.1.into()), (2.into(), Native::Set(vec![b"\0".to_vec().into()]))]);
/// let value = Value::from_native(&options)?;
/// assert_eq!(format!("{:?}", value), r"{'lr': 0.1, 2: {b'\x00'}}");
/// assert_eq!(value.to_native()?, options);
/// # Ok(())
/// # }
/// ```
///
/// Tensors, generators, storages, modules and transforms are shared with the value; they are equal if they are one handle.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Native {
    None,
    Bool(bool),
    Int(i64),
    /// An int beyond 64 bits.
    BigInt(BigInt),
    Float(f64),
    /// Real and imaginary part.
    Complex(f64, f64),
    Str(String),
    Bytes(Vec<u8>),
    List(Vec<Native>),
    Tuple(Vec<Native>),
    /// A tuple whose fields have names too, as a model in TorchScript returns one. As a value it is a plain tuple.
    NamedTuple(Box<NamedTuple>),
    /// In the order of its entries.
    Dict(Vec<(Native, Native)>),
    /// In the order of its entries.
    Set(Vec<Native>),
    Dtype(Dtype),
    Layout(Layout),
    MemoryFormat(MemoryFormat),
    Device(Device),
    Stream(Stream),
    Tensor(Tensor),
    Generator(Generator),
    Storage(Storage),
    Module(Module),
    Transform(Transform),
    PythonObject(Box<PythonObject>),
    /// What has no form in Rust: TorchScript's objects and modules, futures.
    Object(Value),
}

/// A NamedTuple of TorchScript.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedTuple {
    pub name: String,
    /// As many as entries.
    pub fields: Vec<String>,
    pub entries: Vec<Native>,
}

impl NamedTuple {
    /// The value of a field.
    pub fn get(&self, field: &str) -> Option<&Native> {
        self.entries.get(self.fields.iter().position(|name| name == field)?)
    }
}

/// An object of a class of Python's as a file describes it: `module.name(*args)`, then its items, then its state. Nothing
/// is imported or called.
#[derive(Clone, Debug, PartialEq)]
pub struct PythonObject {
    pub module: String,
    pub name: String,
    /// None for the class or function itself.
    pub args: Option<Vec<Native>>,
    /// A list, dict or set; None if there is none.
    pub items: Option<Native>,
    /// Mostly a dict of attributes; None if there is none.
    pub state: Option<Native>,
}

impl PythonObject {
    /// An entry of the state, if that is a dict.
    pub fn attribute(&self, name: &str) -> Option<&Native> {
        self.state.as_ref()?.get(&name.into())
    }
}

/// An int of any size: two's complement with the lowest byte first, in as few bytes as hold it. `"123".parse()` makes one,
/// `to_string()` gives its digits.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BigInt(Vec<u8>);

impl BigInt {
    /// From two's complement with the lowest byte first, of any length.
    pub fn from_bytes(bytes: &[u8]) -> BigInt {
        let mut bytes = bytes.to_vec();
        if bytes.is_empty() {
            bytes.push(0);
        }
        while let [.., before, last] = bytes[..] {
            // The last byte says no more than the sign that the one before it has.
            if (last == 0 && before < 128) || (last == 255 && before >= 128) {
                bytes.pop();
            } else {
                break;
            }
        }
        BigInt(bytes)
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The number, if it has no more than 64 bits.
    pub fn to_i64(&self) -> Option<i64> {
        let sign = if self.0[self.0.len() - 1] < 128 { 0 } else { 255 };
        let mut bytes = [sign; 8];
        bytes.get_mut(..self.0.len())?.copy_from_slice(&self.0);
        Some(i64::from_le_bytes(bytes))
    }
}

impl FromStr for BigInt {
    type Err = Error;

    fn from_str(digits: &str) -> Result<BigInt> {
        Ok(BigInt(Value::from_decimal(digits)?.to_int_bytes()?.to_bytes()?))
    }
}

impl std::fmt::Display for BigInt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits =
            Value::from_int_bytes(&self.0).and_then(|value| value.to_decimal()).map_err(|_| std::fmt::Error)?;
        f.pad_integral(!digits.starts_with('-'), "", digits.trim_start_matches('-'))
    }
}

impl std::fmt::Debug for BigInt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self)
    }
}

impl PartialEq for Native {
    fn eq(&self, other: &Native) -> bool {
        use Native::*;
        match (self, other) {
            (None, None) => true,
            (Bool(a), Bool(b)) => a == b,
            (Int(a), Int(b)) => a == b,
            (BigInt(a), BigInt(b)) => a == b,
            (Float(a), Float(b)) => a == b,
            (Complex(a, b), Complex(c, d)) => (a, b) == (c, d),
            (Str(a), Str(b)) => a == b,
            (Bytes(a), Bytes(b)) => a == b,
            (List(a), List(b)) | (Tuple(a), Tuple(b)) | (Set(a), Set(b)) => a == b,
            (NamedTuple(a), NamedTuple(b)) => a == b,
            (Dict(a), Dict(b)) => a == b,
            (Dtype(a), Dtype(b)) => a == b,
            (Layout(a), Layout(b)) => a == b,
            (MemoryFormat(a), MemoryFormat(b)) => a == b,
            (Device(a), Device(b)) => a == b,
            (Stream(a), Stream(b)) => a == b,
            (Tensor(a), Tensor(b)) => a.as_raw() == b.as_raw(),
            (Generator(a), Generator(b)) => a.as_raw() == b.as_raw(),
            (Storage(a), Storage(b)) => a.as_raw() == b.as_raw(),
            (Module(a), Module(b)) => a.as_raw() == b.as_raw(),
            (Transform(a), Transform(b)) => a.as_raw() == b.as_raw(),
            (PythonObject(a), PythonObject(b)) => a == b,
            (Object(a), Object(b)) => a.as_raw() == b.as_raw(),
            _ => false,
        }
    }
}

impl Native {
    /// The value of a key of a dict.
    pub fn get(&self, key: &Native) -> Option<&Native> {
        match self {
            Native::Dict(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// What it consists of, in the order in which [`Native::build`] takes the values of them.
    fn parts(&self) -> Vec<&Native> {
        match self {
            Native::List(entries) | Native::Tuple(entries) | Native::Set(entries) => entries.iter().collect(),
            Native::NamedTuple(x) => x.entries.iter().collect(),
            Native::Dict(entries) => {
                entries.iter().map(|(key, _)| key).chain(entries.iter().map(|(_, value)| value)).collect()
            }
            Native::PythonObject(x) => x.args.iter().flatten().chain(&x.items).chain(&x.state).collect(),
            _ => Vec::new(),
        }
    }

    fn build(&self, parts: &[&Value]) -> Result<Value> {
        match self {
            Native::None => Value::from_none(),
            Native::Bool(x) => Value::from_bool(*x),
            Native::Int(x) => Value::from_int(*x),
            Native::BigInt(x) => Value::from_int_bytes(&x.0),
            Native::Float(x) => Value::from_double(*x),
            Native::Complex(re, im) => Value::from_complex(*re, *im),
            Native::Str(x) => Value::from_string_data(x.as_bytes()),
            Native::Bytes(x) => Value::from_bytes(x),
            Native::List(_) => Value::from_list(parts),
            Native::Tuple(_) | Native::NamedTuple(_) => Value::from_tuple(parts),
            Native::Set(_) => Value::from_set(parts),
            Native::Dict(entries) => Value::from_dict(&parts[..entries.len()], &parts[entries.len()..]),
            Native::Dtype(x) => Value::from_dtype(*x),
            Native::Layout(x) => Value::from_layout(*x),
            Native::MemoryFormat(x) => Value::from_memory_format(*x),
            Native::Device(x) => Value::from_device(*x),
            Native::Stream(x) => Value::from_stream(*x),
            Native::Tensor(x) => Value::from_tensor(x),
            Native::Generator(x) => Value::from_generator(x),
            Native::Storage(x) => Value::from_storage(x),
            Native::Module(x) => Value::from_module(x),
            Native::Transform(x) => Value::from_transform(x),
            Native::PythonObject(x) => x.build(parts),
            Native::Object(x) => Ok(x.clone()),
        }
    }
}

impl Native {
    fn build_copy(&self, parts: &[&Value]) -> Result<Value> {
        let kind = match self {
            Native::Tensor(x) => return Value::from_tensor(&Parcel::copy_of(x)?.unpack()),
            Native::Generator(_) => "generator",
            Native::Storage(_) => "storage",
            Native::Module(_) => "module",
            Native::Transform(_) => "transform",
            Native::Object(_) => "object",
            _ => return self.build(parts),
        };
        let message =
            format!("a {} stays on its thread: a closure on a worker's gives tensors, which are copied", kind);
        Err(Error::new(ErrorKind::TYPE, &message))
    }
}

impl PythonObject {
    fn build(&self, parts: &[&Value]) -> Result<Value> {
        let (args, parts) = parts.split_at(self.args.as_ref().map_or(0, Vec::len));
        let args = self.args.as_ref().map(|_| Value::from_tuple(args)).transpose()?;
        let mut parts = parts.iter().copied();
        let mut call = Value::from_python_object(&self.module, &self.name);
        if let Some(args) = &args {
            call = call.args(args);
        }
        if let Some(items) = self.items.as_ref().and_then(|_| parts.next()) {
            call = call.items(items);
        }
        if let Some(state) = self.state.as_ref().and_then(|_| parts.next()) {
            call = call.state(state);
        }
        call.call()
    }
}

fn too_deep(kind: ErrorKind, place: &str) -> Error {
    Error::new(kind, &format!("{}: nested more than {} deep, or contains itself", place, DEEPEST))
}

/// What is left to do of a conversion. A thread of Rust's has 2 MiB of stack, so what is nested waits in a list.
enum Step<'a> {
    Visit(&'a Native, usize),
    /// The parts, so many, are done.
    Build(&'a Native, usize),
}

/// A container that is being read, and what was read of it.
struct Reading {
    container: Container,
    parts: std::vec::IntoIter<Value>,
    /// Those of which each entry is a part too, and the next of them.
    lists: std::vec::IntoIter<Value>,
    list: Option<(Value, usize)>,
    read: Vec<Native>,
}

enum Container {
    List,
    Tuple,
    NamedTuple(Value),
    Set,
    Dict,
    PythonObject { value: Value, args: bool, items: bool, state: bool },
}

impl Reading {
    fn lists(container: Container, lists: Vec<Value>) -> Reading {
        let capacity = lists.iter().map(Value::len).sum();
        let read = Vec::with_capacity(capacity);
        Reading { container, parts: Vec::new().into_iter(), lists: lists.into_iter(), list: None, read }
    }

    fn next(&mut self) -> Result<Option<Value>> {
        loop {
            if let Some((list, next)) = &mut self.list {
                if *next < list.len() {
                    *next += 1;
                    return list.get(*next - 1).map(Some);
                }
            }
            match self.lists.next() {
                Some(list) => self.list = Some((list, 0)),
                None => return Ok(self.parts.next()),
            }
        }
    }

    fn finish(self) -> Native {
        let mut read = self.read;
        match self.container {
            Container::List => Native::List(read),
            Container::Tuple => Native::Tuple(read),
            Container::NamedTuple(value) => Native::NamedTuple(Box::new(NamedTuple {
                name: value.tuple_name().to_string(),
                fields: (0..read.len()).map(|index| value.field_name(index).to_string()).collect(),
                entries: read,
            })),
            Container::Set => Native::Set(read),
            Container::Dict => {
                let values = read.split_off(read.len() / 2);
                Native::Dict(read.into_iter().zip(values).collect())
            }
            Container::PythonObject { value, args, items, state } => {
                let state = if state { read.pop() } else { None };
                let items = if items { read.pop() } else { None };
                Native::PythonObject(Box::new(PythonObject {
                    module: value.python_module().to_string(),
                    name: value.python_name().to_string(),
                    args: if args { Some(read) } else { None },
                    items,
                    state,
                }))
            }
        }
    }
}

impl Value {
    /// A value that holds what `native` does.
    pub fn from_native(native: &Native) -> Result<Value> {
        Value::convert(native, Native::build)
    }

    /// A value that shares nothing with `native`, for another thread: its tensors are copies. What cannot be copied, such
    /// as a generator, is an error TYPE.
    pub(crate) fn copy_of(native: &Native) -> Result<Value> {
        Value::convert(native, Native::build_copy)
    }

    fn convert(native: &Native, build: fn(&Native, &[&Value]) -> Result<Value>) -> Result<Value> {
        let (mut steps, mut done) = (vec![Step::Visit(native, 0)], Vec::new());
        while let Some(step) = steps.pop() {
            match step {
                Step::Visit(_, depth) if depth > DEEPEST => {
                    return Err(too_deep(ErrorKind::VALUE, "Value::from_native: native"));
                }
                Step::Visit(native, depth) => {
                    let parts = native.parts();
                    steps.push(Step::Build(native, parts.len()));
                    steps.extend(parts.into_iter().rev().map(|part| Step::Visit(part, depth + 1)));
                }
                Step::Build(native, parts) => {
                    let parts = done.split_off(done.len() - parts);
                    done.push(build(native, &parts.iter().collect::<Vec<_>>())?);
                }
            }
        }
        Ok(done.remove(0))
    }

    /// What the value holds. Lists, dicts and sets are copied, tensors shared. A text that is not UTF-8 is an error; with
    /// [`Value::to_string_data`] it can be read.
    pub fn to_native(&self) -> Result<Native> {
        let mut containers: Vec<Reading> = Vec::new();
        let mut value = self.clone();
        loop {
            if containers.len() > DEEPEST {
                return Err(too_deep(ErrorKind::RUNTIME, "Value::to_native"));
            }
            let mut finished = match value.open()? {
                Some(container) => {
                    containers.push(container);
                    None
                }
                None => Some(value.read()?),
            };
            // What is finished is a part of what is read around it, and may be the last.
            value = loop {
                if let Some(native) = finished.take() {
                    match containers.last_mut() {
                        Some(around) => around.read.push(native),
                        None => return Ok(native),
                    }
                }
                match containers.last_mut().map(Reading::next).transpose()?.flatten() {
                    Some(part) => break part,
                    None => finished = containers.pop().map(Reading::finish),
                }
            };
        }
    }

    /// The bytes of a text, which need not be UTF-8.
    ///
    /// C: `ctorch_value_to_string`.
    pub fn to_string_data(&self) -> Result<Vec<u8>> {
        let (mut data, mut len) = (std::ptr::null(), 0);
        crate::error::check(unsafe { sys::ctorch_value_to_string(&mut data, &mut len, self.as_raw()) })?;
        Ok(unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) }.to_vec())
    }

    /// What has parts, to be read one after the other.
    fn open(&self) -> Result<Option<Reading>> {
        if self.is_null() {
            return Ok(None);
        }
        Ok(Some(match self.kind_of() {
            ValueKind::LIST => Reading::lists(Container::List, vec![self.clone()]),
            ValueKind::TUPLE if self.tuple_name().is_empty() => Reading::lists(Container::Tuple, vec![self.clone()]),
            ValueKind::TUPLE => Reading::lists(Container::NamedTuple(self.clone()), vec![self.clone()]),
            ValueKind::SET => Reading::lists(Container::Set, vec![self.set_values()?]),
            ValueKind::DICT => Reading::lists(Container::Dict, vec![self.dict_keys()?, self.dict_values()?]),
            ValueKind::PYTHON_OBJECT => {
                let (args, items, state) = (self.python_args()?, self.python_items()?, self.python_state()?);
                let has = |part: &Value| !part.is_null();
                let container = Container::PythonObject {
                    value: self.clone(),
                    args: has(&args),
                    items: has(&items),
                    state: has(&state),
                };
                let lists = Some(args).into_iter().filter(has).collect();
                let parts: Vec<_> = vec![items, state].into_iter().filter(has).collect();
                Reading { parts: parts.into_iter(), ..Reading::lists(container, lists) }
            }
            _ => return Ok(None),
        }))
    }

    /// What has no parts.
    fn read(&self) -> Result<Native> {
        if self.is_null() {
            return Ok(Native::None);
        }
        Ok(match self.kind_of() {
            ValueKind::NONE => Native::None,
            ValueKind::TENSOR => Native::Tensor(self.to_tensor()?),
            ValueKind::INT => self.read_int()?,
            ValueKind::DOUBLE => Native::Float(self.to_double()?),
            ValueKind::BOOL => Native::Bool(self.to_bool()?),
            ValueKind::COMPLEX => {
                let (re, im) = self.to_complex()?;
                Native::Complex(re, im)
            }
            ValueKind::STRING => Native::Str(String::from_utf8(self.to_string_data()?).map_err(|e| {
                Error::new(ErrorKind::VALUE, &format!("Value::to_native: a text that is not UTF-8: {}", e.utf8_error()))
            })?),
            ValueKind::DEVICE => Native::Device(self.to_device()?),
            ValueKind::STREAM => Native::Stream(self.to_stream()?),
            ValueKind::GENERATOR => Native::Generator(self.to_generator()?),
            ValueKind::STORAGE => Native::Storage(self.to_storage()?),
            ValueKind::MODULE => Native::Module(self.to_module()?),
            ValueKind::TRANSFORM => Native::Transform(self.to_transform()?),
            ValueKind::BYTES => Native::Bytes(self.to_bytes()?),
            ValueKind::DTYPE => Native::Dtype(self.to_dtype()?),
            ValueKind::LAYOUT => Native::Layout(self.to_layout()?),
            ValueKind::MEMORY_FORMAT => Native::MemoryFormat(self.to_memory_format()?),
            _ => Native::Object(self.clone()),
        })
    }

    fn read_int(&self) -> Result<Native> {
        self.to_int().map(Native::Int).or_else(|_| {
            // More than 64 bits, or what this says as well.
            Ok(Native::BigInt(BigInt(self.to_int_bytes()?.to_bytes()?)))
        })
    }
}

macro_rules! native_from {
    ($($type:ty),* => |$x:ident| $make:expr) => {
        $(impl From<$type> for Native {
            fn from($x: $type) -> Native {
                $make
            }
        })*
    };
}

native_from!(() => |_x| Native::None);
native_from!(bool => |x| Native::Bool(x));
native_from!(i8, i16, i32, i64, u8, u16, u32 => |x| Native::Int(x.into()));
native_from!(u64 => |x| i128::from(x).into());
native_from!(usize => |x| (x as u64).into());
native_from!(i128 => |x| BigInt::from_bytes(&x.to_le_bytes()).into());
native_from!(BigInt => |x| x.to_i64().map(Native::Int).unwrap_or(Native::BigInt(x)));
native_from!(f32, f64 => |x| Native::Float(x.into()));
native_from!(&str, String => |x| Native::Str(x.into()));
native_from!(&[u8], Vec<u8> => |x| Native::Bytes(x.into()));
native_from!(Vec<Native> => |x| Native::List(x));
native_from!(&[Tensor], &Vec<Tensor>, &TensorList => |x| Native::List(x.iter().cloned().map(Native::Tensor).collect()));
native_from!(Dtype => |x| Native::Dtype(x));
native_from!(Layout => |x| Native::Layout(x));
native_from!(MemoryFormat => |x| Native::MemoryFormat(x));
native_from!(Device => |x| Native::Device(x));
native_from!(Stream => |x| Native::Stream(x));
native_from!(Tensor => |x| Native::Tensor(x));
native_from!(Generator => |x| Native::Generator(x));
native_from!(Storage => |x| Native::Storage(x));
native_from!(Module => |x| Native::Module(x));
native_from!(Transform => |x| Native::Transform(x));
native_from!(Value => |x| Native::Object(x));
native_from!(PythonObject => |x| Native::PythonObject(Box::new(x)));

impl<T: Into<Native>> From<Option<T>> for Native {
    fn from(x: Option<T>) -> Native {
        x.map_or(Native::None, Into::into)
    }
}

/// Pairs, such as the samples that are an input and a target, are tuples.
impl<A: Into<Native>, B: Into<Native>> From<(A, B)> for Native {
    fn from((a, b): (A, B)) -> Native {
        Native::Tuple(vec![a.into(), b.into()])
    }
}

fn no(wanted: &str, native: Native) -> Error {
    let given = match native {
        Native::Tensor(_) => "a tensor".to_string(),
        other => format!("{:?}", other),
    };
    Error::new(ErrorKind::TYPE, &format!("expected {}, got {}", wanted, given))
}

macro_rules! native_into {
    ($($type:ty, $wanted:expr, $($form:pat_param)|+ => $value:expr;)*) => {
        $(impl TryFrom<Native> for $type {
            type Error = Error;

            fn try_from(native: Native) -> Result<$type> {
                match native {
                    $($form)|+ => Ok($value),
                    other => Err(no($wanted, other)),
                }
            }
        })*
    };
}

native_into! {
    Tensor, "a tensor", Native::Tensor(x) => x;
    bool, "a bool", Native::Bool(x) => x;
    i64, "an int", Native::Int(x) => x;
    String, "a text", Native::Str(x) => x;
}

impl TryFrom<Native> for Vec<Native> {
    type Error = Error;

    fn try_from(native: Native) -> Result<Vec<Native>> {
        match native {
            Native::List(x) | Native::Tuple(x) => Ok(x),
            Native::NamedTuple(x) => Ok(x.entries),
            other => Err(no("a list or tuple", other)),
        }
    }
}

/// An int is a number too.
impl TryFrom<Native> for f64 {
    type Error = Error;

    fn try_from(native: Native) -> Result<f64> {
        match native {
            Native::Float(x) => Ok(x),
            Native::Int(x) => Ok(x as f64),
            other => Err(no("a number", other)),
        }
    }
}

/// A list or tuple of two, as batches are: `let (images, labels): (Tensor, Tensor) = batch?.try_into()?`.
impl<A, B> TryFrom<Native> for (A, B)
where
    A: TryFrom<Native, Error = Error>,
    B: TryFrom<Native, Error = Error>,
{
    type Error = Error;

    fn try_from(native: Native) -> Result<(A, B)> {
        match <[Native; 2]>::try_from(Vec::try_from(native)?) {
            Ok([a, b]) => Ok((a.try_into()?, b.try_into()?)),
            Err(parts) => Err(no("two parts", Native::List(parts))),
        }
    }
}
