//! Settings of this thread that last as long as a guard: `let _guard = no_grad()?;`.

use std::marker::PhantomData;

use crate::error::{check, Error, Result};
use crate::support::{optional_ptr, sys};
use crate::texts::{c_string, optional_c_string, optional_c_string_ptr};
use crate::{Device, DeviceType, Dtype, Stream};

/// Returns to the setting before when it is dropped. It stays on its thread, and guards go in the reverse order of
/// their making, as local variables do.
#[must_use = "the setting ends with the guard: `let _guard = …`"]
pub struct Guard {
    pop: unsafe extern "C" fn() -> *mut sys::ctorch_error,
    _of_this_thread: PhantomData<*mut ()>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        let error = unsafe { (self.pop)() };
        if !error.is_null() {
            unsafe { sys::ctorch_error_release(error) };
        }
    }
}

impl Guard {
    fn new(pushed: *mut sys::ctorch_error, pop: unsafe extern "C" fn() -> *mut sys::ctorch_error) -> Result<Guard> {
        check(pushed)?;
        Ok(Guard { pop, _of_this_thread: PhantomData })
    }

    /// End it now, and hear whether that failed.
    pub fn end(self) -> std::result::Result<(), Error> {
        let pop = self.pop;
        std::mem::forget(self);
        check(unsafe { pop() })
    }
}

/// Record nothing for backward (`torch.no_grad`).
pub fn no_grad() -> Result<Guard> {
    grad_mode(false)
}

/// Record for backward again, within [`no_grad`] (`torch.enable_grad`).
pub fn enable_grad() -> Result<Guard> {
    grad_mode(true)
}

/// Whether operators are recorded (`torch.set_grad_enabled`).
pub fn grad_mode(enabled: bool) -> Result<Guard> {
    Guard::new(unsafe { sys::ctorch_grad_mode_push(enabled) }, sys::ctorch_grad_mode_pop)
}

/// Make tensors that never take part in backward (`torch.inference_mode`).
pub fn inference_mode(enabled: bool) -> Result<Guard> {
    Guard::new(unsafe { sys::ctorch_inference_mode_push(enabled) }, sys::ctorch_inference_mode_pop)
}

/// Whether backward may use other threads.
pub fn multithreading_mode(enabled: bool) -> Result<Guard> {
    Guard::new(unsafe { sys::ctorch_multithreading_mode_push(enabled) }, sys::ctorch_multithreading_mode_pop)
}

/// Whether accumulated gradients get the strides of their tensor.
pub fn grad_layout_policy(enabled: bool) -> Result<Guard> {
    Guard::new(unsafe { sys::ctorch_grad_layout_policy_push(enabled) }, sys::ctorch_grad_layout_policy_pop)
}

/// Look for the operator at fault when backward fails (`torch.autograd.detect_anomaly`).
pub fn anomaly_mode(enabled: bool, check_nan: bool) -> Result<Guard> {
    Guard::new(unsafe { sys::ctorch_anomaly_mode_push(enabled, check_nan) }, sys::ctorch_anomaly_mode_pop)
}

/// Compute in a lower precision where that is safe (`torch.autocast`).
pub fn autocast(
    device_type: DeviceType,
    enabled: bool,
    dtype: Option<Dtype>,
    cache_enabled: Option<bool>,
) -> Result<Guard> {
    let pushed = unsafe {
        sys::ctorch_autocast_push(device_type.0, enabled, optional_ptr(&dtype), optional_ptr(&cache_enabled))
    };
    Guard::new(pushed, sys::ctorch_autocast_pop)
}

/// The device that tensors are made on (`with torch.device(…)`).
pub fn default_device(device: Device) -> Result<Guard> {
    Guard::new(unsafe { sys::ctorch_defaults_device_push(device.as_ptr()) }, sys::ctorch_defaults_device_pop)
}

/// The current device of its type (`torch.cuda.device`).
pub fn device(device: Device) -> Result<Guard> {
    Guard::new(unsafe { sys::ctorch_device_push(device.as_ptr()) }, sys::ctorch_device_pop)
}

/// The current stream of its device (`torch.cuda.stream`).
pub fn stream(stream: Stream) -> Result<Guard> {
    Guard::new(unsafe { sys::ctorch_stream_push(stream.as_ptr()) }, sys::ctorch_stream_pop)
}

/// A level of forward-mode differentiation (`torch.autograd.forward_ad.dual_level`).
pub fn dual_level() -> Result<Guard> {
    Guard::new(unsafe { sys::ctorch_dual_level_push() }, sys::ctorch_dual_level_pop)
}

/// Keep what backward needs in CPU memory (`torch.autograd.graph.save_on_cpu`).
pub fn save_on_cpu(pin_memory: bool) -> Result<Guard> {
    Guard::new(
        unsafe { sys::ctorch_saved_tensors_hooks_push_save_on_cpu(pin_memory) },
        sys::ctorch_saved_tensors_hooks_pop,
    )
}

/// A named region in a profile (`torch.profiler.record_function`).
pub fn record_function(name: &str, args: Option<&str>) -> Result<Guard> {
    let (name, args) = (c_string(name)?, optional_c_string(args)?);
    let pushed = unsafe { sys::ctorch_record_function_push(name.as_ptr(), optional_c_string_ptr(&args)) };
    Guard::new(pushed, sys::ctorch_record_function_pop)
}

/// Remember the state of the generators of the CPU and of some devices (None: of all), and return to it
/// (`torch.random.fork_rng`).
pub fn rng_fork(devices: Option<&[Device]>) -> Result<Guard> {
    let (data, len) = devices.map_or((std::ptr::null(), 0), |d| (d.as_ptr().cast(), d.len()));
    Guard::new(unsafe { sys::ctorch_random_fork(data, len) }, sys::ctorch_random_join)
}
