//! Where files are read from and written to, and what Python's `torch.save` writes and `torch.load` reads.
//!
//! ```
//! use ctorch::{load, load_from, save, save_to_bytes, Device, Native, Reader, Tensor};
//!
//! # fn main() -> ctorch::Result<()> {
//! # let folder = std::env::temp_dir().join(format!("ctorch_files_{}", std::process::id()));
//! # std::fs::create_dir_all(&folder).unwrap();
//! # let path = folder.join("state.pt").to_str().unwrap().to_string();
//! let weight = Tensor::from_slice(&[1.0f32, 2.0], &[2])?;
//! let state = Native::Dict(vec![("weight".into(), weight.into()), ("step".into(), 7.into())]);
//! save(state.clone(), &path)?;
//! let loaded = load(&path).mmap(true).map_location(Device::CPU).call()?;
//! assert_eq!(loaded.get(&"step".into()), Some(&7.into()));
//! let reader = Reader::from_bytes(save_to_bytes(state)?)?;
//! assert_eq!(load_from(&reader).call()?.get(&"step".into()), Some(&7.into()));
//! # std::fs::remove_dir_all(&folder).unwrap();
//! # Ok(())
//! # }
//! ```

use std::io::{Read, Seek, SeekFrom, Write};
use std::os::raw::{c_char, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::callback::{destroy, run, with_payload};
use crate::error::{check, Error, Result};
use crate::plain::Device;
use crate::stubs;
use crate::support::{opaque_handle, sys, text};
use crate::thrown::BoxError;
use crate::{runtime, ErrorKind, Native, Reader, SaveFlags, Value, Writer};

type Answer<T> = std::result::Result<T, BoxError>;

opaque_handle!(Reader);
opaque_handle!(Writer);

impl Reader {
    /// Read bytes, which tensors then may share instead of holding copies.
    ///
    /// C: `ctorch_reader_from_data`.
    pub fn from_bytes(data: impl Into<Vec<u8>>) -> Result<Reader> {
        let mut data = data.into();
        let (address, len) = (data.as_mut_ptr().cast::<c_void>(), data.len());
        let mut out = std::ptr::null_mut();
        with_payload(data, |payload| unsafe {
            sys::ctorch_reader_from_data(&mut out, address, len, Some(destroy::<Vec<u8>>), payload)
        })?;
        Ok(Reader(out))
    }

    /// Read what a closure gives: it fills the bytes from an offset on.
    ///
    /// C: `ctorch_reader_from_callback`.
    pub fn from_function<F>(nbytes: usize, read: F) -> Result<Reader>
    where
        F: Fn(usize, &mut [u8]) -> Answer<()> + Send + Sync + 'static,
    {
        unsafe extern "C" fn call<F: Fn(usize, &mut [u8]) -> Answer<()>>(
            data: *mut c_void,
            nbytes: usize,
            offset: usize,
            error: *mut *mut sys::ctorch_error,
            payload: *mut c_void,
        ) -> sys::ctorch_callback_status {
            // The closure may read what it is to fill, so it is written first.
            std::ptr::write_bytes(data.cast::<u8>(), 0, nbytes);
            let data = std::slice::from_raw_parts_mut(data.cast::<u8>(), nbytes);
            run(error, |()| Ok(()), || (*payload.cast::<F>())(offset, data))
        }
        let mut out = std::ptr::null_mut();
        with_payload(read, |payload| unsafe {
            sys::ctorch_reader_from_callback(&mut out, nbytes, Some(call::<F>), Some(destroy::<F>), payload)
        })?;
        Ok(Reader(out))
    }

    /// Read a stream, from its beginning to its end.
    ///
    /// C: `ctorch_reader_from_callback`.
    pub fn from_stream<S>(mut stream: S) -> Result<Reader>
    where
        S: Read + Seek + Send + 'static,
    {
        let nbytes = stream.seek(SeekFrom::End(0)).map_err(|error| io_error("Reader::from_stream", &error))?;
        let stream = Mutex::new(stream);
        Reader::from_function(nbytes as usize, move |offset, data| {
            let mut stream = stream.lock().unwrap_or_else(PoisonError::into_inner);
            stream.seek(SeekFrom::Start(offset as u64))?;
            Ok(stream.read_exact(data)?)
        })
    }

    /// Fill `data` with the bytes from an offset on.
    ///
    /// C: `ctorch_reader_read`.
    pub fn read(&self, offset: usize, data: &mut [u8]) -> Result<()> {
        check(unsafe { sys::ctorch_reader_read(self.0, offset, data.as_mut_ptr().cast(), data.len()) })
    }

    /// Let a closure hear how many bytes were read, at the latest after each 16 MiB. If it fails, reading does.
    ///
    /// C: `ctorch_reader_set_progress`.
    pub fn set_progress<F>(&mut self, progress: F) -> Result<()>
    where
        F: Fn(usize) -> Answer<()> + Send + Sync + 'static,
    {
        with_payload(progress, |payload| unsafe {
            sys::ctorch_reader_set_progress(
                self.0,
                stubs::reader_progress(|f: &F, nbytes| f(nbytes)),
                Some(destroy::<F>),
                payload,
            )
        })
    }
}

impl Writer {
    /// Hand what is written to a closure, piece by piece.
    ///
    /// C: `ctorch_writer_from_callback`.
    pub fn from_function<F>(write: F) -> Result<Writer>
    where
        F: FnMut(&[u8]) -> Answer<()> + Send + 'static,
    {
        unsafe extern "C" fn call<F: FnMut(&[u8]) -> Answer<()>>(
            data: *const c_void,
            nbytes: usize,
            error: *mut *mut sys::ctorch_error,
            payload: *mut c_void,
        ) -> sys::ctorch_callback_status {
            let data = std::slice::from_raw_parts(data.cast::<u8>(), nbytes);
            let write = &*payload.cast::<Mutex<F>>();
            run(error, |()| Ok(()), || exclusive(write)?(data))
        }
        let mut out = std::ptr::null_mut();
        with_payload(Mutex::new(write), |payload| unsafe {
            sys::ctorch_writer_from_callback(&mut out, Some(call::<F>), Some(destroy::<Mutex<F>>), payload)
        })?;
        Ok(Writer(out))
    }

    /// Write to a stream. Small pieces are put together before, and each that is handed to it is flushed.
    ///
    /// C: `ctorch_writer_from_callback`.
    pub fn from_stream<S: Write + Send + 'static>(mut stream: S) -> Result<Writer> {
        Writer::from_function(move |data| {
            stream.write_all(data)?;
            Ok(stream.flush()?)
        })
    }

    /// A copy of what was written to memory; nothing for a writer to elsewhere.
    ///
    /// C: `ctorch_writer_data`.
    pub fn to_bytes(&self) -> Vec<u8> {
        unsafe {
            let data = sys::ctorch_writer_data(self.0);
            if data.is_null() {
                return Vec::new();
            }
            std::slice::from_raw_parts(data.cast::<u8>(), self.nbytes()).to_vec()
        }
    }

    /// Let a closure hear how many bytes were written, at the latest after each 16 MiB. If it fails, writing does.
    ///
    /// C: `ctorch_writer_set_progress`.
    pub fn set_progress<F>(&mut self, progress: F) -> Result<()>
    where
        F: Fn(usize) -> Answer<()> + Send + Sync + 'static,
    {
        with_payload(progress, |payload| unsafe {
            sys::ctorch_writer_set_progress(
                self.0,
                stubs::writer_progress(|f: &F, nbytes| f(nbytes)),
                Some(destroy::<F>),
                payload,
            )
        })
    }
}

/// C: `ctorch_writer_write`. A failure is an [`Error`] of this crate inside of the other one.
impl Write for Writer {
    fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
        check(unsafe { sys::ctorch_writer_write(self.0, data.as_ptr().cast(), data.len()) })
            .map_err(|error| std::io::Error::new(std::io::ErrorKind::Other, error))?;
        Ok(data.len())
    }

    /// Nothing: [`Writer::finish`] brings all of it to where it goes.
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn io_error(place: &str, error: &std::io::Error) -> Error {
    Error::new(ErrorKind::IO, &format!("{}: {}", place, error))
}

/// A closure may hold the very writer that it serves, so that it could be called inside of its own call.
fn exclusive<T>(closure: &Mutex<T>) -> Answer<MutexGuard<'_, T>> {
    match closure.try_lock() {
        Ok(guard) => Ok(guard),
        Err(std::sync::TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(std::sync::TryLockError::WouldBlock) => Err("the closure of a Writer writes to that Writer".into()),
    }
}

/// Write a file that Python's `torch.load` reads. Of a module its `state_dict` is what can be written.
///
/// C: `ctorch_serialization_save_file`.
pub fn save(value: impl Into<Native>, path: &str) -> Result<()> {
    runtime::serialization_save_file(&Value::from_native(&value.into())?, path)
}

/// The bytes of such a file.
///
/// C: `ctorch_serialization_save`.
pub fn save_to_bytes(value: impl Into<Native>) -> Result<Vec<u8>> {
    to_bytes(|writer| save_to(writer, value, SaveFlags(0)))
}

/// Write such a file to wherever a writer writes. [`Writer::finish`] is still to be called.
///
/// C: `ctorch_serialization_save`.
pub fn save_to(writer: &mut Writer, value: impl Into<Native>, flags: SaveFlags) -> Result<()> {
    runtime::serialization_save(writer, &Value::from_native(&value.into())?, flags)
}

/// What a function writes, in memory.
pub(crate) fn to_bytes(write: impl FnOnce(&mut Writer) -> Result<()>) -> Result<Vec<u8>> {
    let mut writer = Writer::new()?;
    write(&mut writer)?;
    writer.finish()?;
    Ok(writer.to_bytes())
}

/// Read a file that Python's `torch.save` wrote. Nothing in it is run.
///
/// C: `ctorch_serialization_load`, `ctorch_serialization_load_with`.
pub fn load(path: &str) -> Load<'_> {
    Load::new(Source::Path(path))
}

/// Read such a file from wherever a reader reads.
///
/// C: `ctorch_serialization_load`, `ctorch_serialization_load_with`.
pub fn load_from(reader: &Reader) -> Load<'_> {
    Load::new(Source::Reader(reader))
}

enum Source<'a> {
    Path(&'a str),
    Reader(&'a Reader),
}

type MapLocation<'a> = Box<dyn FnMut(&str, Option<Device>) -> Answer<Option<Device>> + 'a>;
type Allow<'a> = Box<dyn FnMut(&str, &str) -> Answer<bool> + 'a>;

/// How [`load`] and [`load_from`] read: `call()` does it.
#[must_use]
pub struct Load<'a> {
    source: Source<'a>,
    mmap: bool,
    device: Option<Device>,
    closures: Closures<'a>,
}

/// What C has as a payload.
#[derive(Default)]
struct Closures<'a> {
    map_location: Option<MapLocation<'a>>,
    allow: Option<Allow<'a>>,
}

impl<'a> Load<'a> {
    fn new(source: Source<'a>) -> Load<'a> {
        Load { source, mmap: false, device: None, closures: Closures::default() }
    }

    /// Whether tensors share a mapping of the file instead of holding copies. Of a reader that was decided before.
    pub fn mmap(mut self, mmap: bool) -> Self {
        self.mmap = mmap;
        self
    }

    /// The device of every tensor.
    pub fn map_location(mut self, device: Device) -> Self {
        self.device = Some(device);
        self.closures.map_location = None;
        self
    }

    /// Let a closure decide where each storage lies. It gets what the file says, and the device which that is, if there
    /// is such a one, and answers with the device, or with None to leave it.
    pub fn map_location_with(
        mut self,
        map_location: impl FnMut(&str, Option<Device>) -> Answer<Option<Device>> + 'a,
    ) -> Self {
        self.closures.map_location = Some(Box::new(map_location));
        self
    }

    /// Let a closure decide whether a class that ctorch does not know, of a module and a name, may be in the file. What
    /// it allows becomes a [`PythonObject`](crate::PythonObject), which runs nothing.
    pub fn allow(mut self, allow: impl FnMut(&str, &str) -> Answer<bool> + 'a) -> Self {
        self.closures.allow = Some(Box::new(allow));
        self
    }

    /// Read, as Rust's own values.
    pub fn call(self) -> Result<Native> {
        self.value()?.to_native()
    }

    /// Read, as a [`Value`], which keeps what Rust's values do not tell: that a dict is an OrderedDict with attributes,
    /// and a tensor a Parameter. For [`Module::load_state_dict`](crate::Module::load_state_dict).
    pub fn value(mut self) -> Result<Value> {
        let opened;
        let reader = match self.source {
            Source::Reader(reader) => reader,
            Source::Path(path) => {
                opened = Reader::open(path, self.mmap)?;
                &opened
            }
        };
        let has_allow = self.closures.allow.is_some();
        if !has_allow && self.closures.map_location.is_none() {
            return runtime::serialization_load(reader, self.device);
        }
        if let (Some(device), None) = (self.device, &self.closures.map_location) {
            self.closures.map_location = Some(Box::new(move |_, _| Ok(Some(device))));
        }
        let has_map_location = self.closures.map_location.is_some();
        let mut out = std::ptr::null_mut();
        check(unsafe {
            sys::ctorch_serialization_load_with(
                &mut out,
                reader.0,
                has_map_location.then_some(map_location as _),
                has_allow.then_some(allow as _),
                (&mut self.closures as *mut Closures).cast(),
            )
        })?;
        Ok(Value(out))
    }
}

unsafe extern "C" fn map_location(
    out: *mut sys::ctorch_device,
    location: *const c_char,
    error: *mut *mut sys::ctorch_error,
    payload: *mut c_void,
) -> sys::ctorch_callback_status {
    let store = |device: Option<Device>| {
        if let Some(device) = device {
            *out.cast::<Device>() = device;
        }
        Ok(())
    };
    let named = if (*out).r#type < 0 { None } else { Some(*out.cast::<Device>()) };
    let closures = &mut *payload.cast::<Closures>();
    let call = || closures.map_location.as_mut().map_or(Ok(None), |decide| decide(text(location), named));
    run(error, store, call)
}

unsafe extern "C" fn allow(
    out: *mut bool,
    module: *const c_char,
    name: *const c_char,
    error: *mut *mut sys::ctorch_error,
    payload: *mut c_void,
) -> sys::ctorch_callback_status {
    let store = |allowed: bool| {
        *out = allowed;
        Ok(())
    };
    let closures = &mut *payload.cast::<Closures>();
    run(error, store, || closures.allow.as_mut().map_or(Ok(false), |decide| decide(text(module), text(name))))
}
