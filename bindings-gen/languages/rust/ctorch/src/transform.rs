//! Transforms: calling them, and those of one's own.
//!
//! ```
//! use ctorch::{aten, transforms, Dtype};
//!
//! # fn main() -> ctorch::Result<()> {
//! let flip = transforms::randomhorizontalflip().p(1.0).call()?;
//! let all = transforms::compose(&[&flip, &transforms::centercrop(&[2, 2])?])?;
//! let image = aten::reshape(&aten::arange(16).dtype(Dtype::FLOAT32).call()?, &[1, 4, 4])?;
//! assert_eq!(all.call_tensor(&image, None)?.to_vec::<f32>()?, [6.0, 5.0, 10.0, 9.0]);
//! assert_eq!(flip.to_string(), "RandomHorizontalFlip(p=1.0)");
//! # Ok(())
//! # }
//! ```

use crate::callback::{destroy, with_payload};
use crate::error::{check, Result};
use crate::iterator::Answer;
use crate::stubs;
use crate::support::sys;
use crate::texts::c_string;
use crate::threads::{Maker, ThreadBound};
use crate::{Generator, Native, Transform, Value};

impl Transform {
    /// A transform by the name of its class: `Transform::by_name("Resize", &[vec![8.into()].into()], &[])`.
    ///
    /// C: `ctorch_transform_create`.
    pub fn by_name(name: &str, args: &[Native], kwargs: &[(&str, Native)]) -> Result<Transform> {
        let args = Value::from_native(&Native::Tuple(args.to_vec()))?;
        Transform::create(name, &args, &crate::optimizer::dict(kwargs)?)
    }

    /// A transform of one's own. The closure gets the sample as it is, and where to draw from: None is the default
    /// generator. It is called on any thread, and on several at once; of a worker's tensors the results are copies. `name`
    /// is that of its class.
    ///
    /// C: `ctorch_transform_from_callback`.
    pub fn from_fn<T, F>(name: &str, function: F) -> Result<Transform>
    where
        T: Into<Native>,
        F: Fn(Native, Option<&mut Generator>) -> Answer<T> + Send + Sync + 'static,
    {
        Transform::of_callback(name, function, true)
    }

    /// A transform of one's own that is called on this thread alone. It may hold tensors; the workers of a loader wait
    /// for it.
    ///
    /// C: `ctorch_transform_from_callback`.
    pub fn from_local_fn<T, F>(name: &str, function: F) -> Result<Transform>
    where
        T: Into<Native>,
        F: Fn(Native, Option<&mut Generator>) -> Answer<T> + 'static,
    {
        let function = ThreadBound::new(function);
        let call = move |input: Native, generator: Option<&mut Generator>| (*function)(input, generator);
        Transform::of_callback(name, call, false)
    }

    fn of_callback<T, F>(name: &str, function: F, may_thread: bool) -> Result<Transform>
    where
        T: Into<Native>,
        F: Fn(Native, Option<&mut Generator>) -> Answer<T>,
    {
        let name = c_string(name)?;
        let mut out = std::ptr::null_mut();
        with_payload(Maker::new(function), |payload| unsafe {
            let call = stubs::transform(|maker: &Maker<F>, input, generator| {
                Ok(maker.hand_over(&(maker.function)(input.to_native()?, generator)?.into())?)
            });
            let destroy = Some(destroy::<Maker<F>> as _);
            sys::ctorch_transform_from_callback(&mut out, name.as_ptr(), call, may_thread, destroy, payload)
        })?;
        Ok(Transform(out))
    }

    /// Apply it to a sample; several of them go in a tuple.
    ///
    /// C: `ctorch_transform_call`.
    pub fn call<'a>(
        &self,
        input: impl Into<Native>,
        generator: impl Into<Option<&'a mut Generator>>,
    ) -> Result<Native> {
        let input = Value::from_native(&input.into())?;
        let generator = generator.into().map_or(std::ptr::null_mut(), |generator| generator.0);
        let mut out = std::ptr::null_mut();
        check(unsafe { sys::ctorch_transform_call(self.0, &mut out, input.0, generator) })?;
        Value(out).to_native()
    }
}

/// As Python prints it: "RandomHorizontalFlip(p=0.5)".
impl std::fmt::Display for Transform {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.repr().map_err(|_| std::fmt::Error)?)
    }
}

impl std::fmt::Debug for Transform {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}
