//! Metrics by values of Rust's; [`metrics`](crate::metrics) makes them.

use crate::error::Result;
use crate::support::opaque_handle;
use crate::{Logger, Metric, Native, SummaryReader, SummaryWriter, Value};

opaque_handle!(Logger);
opaque_handle!(Metric);
opaque_handle!(SummaryReader);
opaque_handle!(SummaryWriter);

impl Metric {
    /// Accumulate what is no pair of tensors: texts, numbers, a value and its weight.
    ///
    /// C: `ctorch_metric_update_value`.
    pub fn update_with(&mut self, inputs: Vec<Native>) -> Result<()> {
        self.update_value(&Value::from_native(&Native::Tuple(inputs))?)
    }

    /// What [`Metric::compute`] gives: a tensor, or a list or dict of such.
    ///
    /// C: `ctorch_metric_compute`.
    pub fn result(&self) -> Result<Native> {
        self.compute()?.to_native()
    }
}
