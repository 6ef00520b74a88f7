//! PyTorch's tensors, operators and automatic differentiation, through the C ABI of ctorch.
//!
//! ```
//! use ctorch::{aten, Tensor};
//!
//! # fn main() -> ctorch::Result<()> {
//! let a = Tensor::from_slice(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2])?;
//! let b = aten::add_tensor(&a, &a).alpha(2).call()?;
//! assert_eq!(b.to_vec::<f32>()?, [3.0, 6.0, 9.0, 12.0]);
//! assert_eq!((&a * 2.0).to_vec::<f32>()?, [2.0, 4.0, 6.0, 8.0]);
//! # Ok(())
//! # }
//! ```
//!
//! - Every operator of PyTorch is a function of [`aten`]; what a schema lets you leave out is set on a builder.
//! - Modules are made by [`nn`], and parameters get their initial values from [`init`], in the same way.
//! - Optimizers are made by [`optim`], and what changes their learning rates by [`lr_scheduler`].
//! - Datasets, samplers and loaders are made by [`data`], datasets of files by [`datasets`], what is done to images by
//!   [`transforms`]; a [`Dataset`], [`Sampler`], [`Loader`] or [`Transform`] may be of closures too. [`Trainer`] is the loop.
//! - [`save`] and [`load`] are for files of `torch.save`, [`Weights`] for tensors of files of any format, [`safetensors`],
//!   [`npy`], [`npz`] and [`sharded`] write the others, and [`Snapshots`] keep a whole training run.
//! - A [`Tokenizer`] makes ids of texts, [`metrics`] say how good predictions are, and a [`SummaryWriter`] logs for
//!   TensorBoard.
//! - The other functions of ctorch are methods of the types they are about, and functions of this module.
//! - A failed call is an [`Error`] with a kind, a message and, where PyTorch tells them, shapes, dtypes and devices.
//! - A handle is released when it is dropped; `clone()` is another reference to the same tensor, not a copy.
//! - `a + b` panics if PyTorch refuses the operands; `a.try_add(&b)?` returns the error.
//! - A tensor, and what may refer to one, stays on its thread: it is neither `Send` nor `Sync`. PyTorch's tensors share
//!   memory with clones, views, the graph and DLPack, and resizing one or changing it in place is seen by all of these, so
//!   that two threads would race in safe code. [`Parcel`] takes a copy to another thread, [`ThreadBound`] lets a closure
//!   that LibTorch may call hold a tensor, and [`AssertThreadSafe`] is the `unsafe` way to share without a copy.
//! - Settings of a thread, such as [`no_grad`], last as long as the [`guard::Guard`] that you get.
//! - A [`Value`] holds anything, as PyTorch's do; [`Native`] is what it holds, in Rust.
//! - Closures that LibTorch calls return `Result<_, BoxError>`. Their error, or their panic, is that of the outer call.
//! - [`sys`] has the C declarations for what is not covered.

pub use ctorch_sys as sys;

pub mod aten;
mod callback;
mod checkpoint;
pub mod data;
mod dataset;
pub mod datasets;
mod dlpack;
mod enums;
mod error;
mod files;
mod function;
pub mod functional;
pub mod guard;
mod hook;
mod index;
pub mod init;
mod iterator;
mod library;
mod loader;
pub mod lr_scheduler;
mod metric;
pub mod metrics;
mod module;
mod native;
pub mod nn;
mod operators;
pub mod optim;
mod optimizer;
mod plain;
mod prelude;
mod runtime;
mod settings;
mod snapshots;
mod stubs;
mod support;
mod tensor;
mod tensors;
mod texts;
mod threads;
mod thrown;
mod tokenizer;
mod trainer;
mod transform;
pub mod transforms;
pub mod transforms_functional;
pub mod tv_tensors;
pub mod utils;
mod value;
mod warning;
mod weights;

pub use checkpoint::{checkpoint, TensorsFunction};
pub use dataset::MapDataset;
pub use dlpack::Dlpack;
pub use enums::*;
pub use error::{Error, Result};
pub use files::{load, load_from, save, save_to, save_to_bytes, Load};
pub use function::Differentiable;
pub use guard::{enable_grad, inference_mode, no_grad};
pub use index::{IndexItem, Indices};
pub use iterator::{Resumable, Values};
pub use loader::{LoaderStatistics, WorkerInfo};
pub use native::{BigInt, NamedTuple, Native, PythonObject};
pub use operators::Operand;
pub use optimizer::ParamGroup;
pub use plain::{Device, Scalar, Stream};
pub use runtime::*;
pub use settings::{get_num_threads, initial_seed, is_grad_enabled, manual_seed, set_num_threads};
pub use tensor::{Element, Tensor};
pub use tensors::{OptionalTensors, Tensors, TensorsMut};
pub use threads::{AssertThreadSafe, Parcel, ThreadBound};
pub use thrown::BoxError;
pub use warning::{collect_warnings, set_warning_callback};
pub use weights::{npy, npz, safetensors, sharded};

/// The programs of the README, as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
