//! Settings of this thread that last as long as a guard: `let _guard = no_grad()?;`.

use std::marker::PhantomData;
use std::os::raw::c_void;

use crate::callback::{destroy, with_payload};
use crate::error::{check, Error, Result};
use crate::stubs;
use crate::support::{optional_ptr, sys};
use crate::texts::{c_string, optional_c_string, optional_c_string_ptr};
use crate::thrown::BoxError;
use crate::{Device, DeviceType, Dtype, Stream, Tensor};

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

/// Keep what `pack` makes of a tensor that backward needs, and give `unpack` of that to backward
/// (`torch.autograd.graph.saved_tensors_hooks`).
///
/// `pack` runs on this thread, `unpack` on the thread of backward, once each time the tensor is needed. What is packed is
/// dropped on whichever thread lets go of the graph; [`crate::ThreadBound`] and [`crate::Parcel`] let it hold tensors.
///
/// ```
/// # fn main() -> ctorch::Result<()> {
/// use ctorch::{guard, Dtype, Tensor};
///
/// let mut x = Tensor::from_slice(&[1.5, 2.0], &[2])?;
/// x.set_requires_grad(true)?;
/// let y = {
///     let _in_half = guard::saved_tensors_hooks(
///         |tensor| Ok(tensor.to_dtype(Dtype::FLOAT16)?.to_dtype(Dtype::FLOAT32)?.to_vec::<f32>()?),
///         |packed| Ok(Tensor::from_slice(packed, &[2])?.to_dtype(Dtype::FLOAT64)?),
///     )?;
///     &x * &x
/// };
/// y.backward_with(Some(&ctorch::aten::ones_like(&y).call()?), false, false)?;
/// assert_eq!(x.grad()?.unwrap().to_vec::<f64>()?, [3.0, 4.0]);
/// # Ok(())
/// # }
/// ```
///
/// C: `ctorch_saved_tensors_hooks_push`.
pub fn saved_tensors_hooks<P, Pack, Unpack>(pack: Pack, unpack: Unpack) -> Result<Guard>
where
    P: Send + Sync + 'static,
    Pack: Fn(&Tensor) -> std::result::Result<P, BoxError> + Send + Sync + 'static,
    Unpack: Fn(&P) -> std::result::Result<Tensor, BoxError> + Send + Sync + 'static,
{
    unsafe extern "C" fn destroy_one<P>(packed: *mut c_void, _payload: *mut c_void) {
        if !packed.is_null() {
            destroy::<P>(packed)
        }
    }
    with_payload((pack, unpack), |payload| unsafe {
        sys::ctorch_saved_tensors_hooks_push(
            stubs::saved_tensors_pack(|(pack, _): &(Pack, Unpack), tensor| Ok(Box::new(pack(tensor)?))),
            stubs::saved_tensors_unpack(|(_, unpack): &(Pack, Unpack), packed| unpack(&*packed.cast::<P>())),
            Some(destroy_one::<P>),
            Some(destroy::<(Pack, Unpack)>),
            payload,
        )
    })?;
    Ok(Guard { pop: sys::ctorch_saved_tensors_hooks_pop, _of_this_thread: PhantomData })
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
