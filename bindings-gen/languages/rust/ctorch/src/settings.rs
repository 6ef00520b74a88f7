//! Seeds and threads, by the names that users of PyTorch know. The modes are in [`crate::guard`].

use crate::error::Result;

/// Seed the default generators of the CPU and of every device (`torch.manual_seed`).
///
/// C: `ctorch_random_manual_seed`.
pub fn manual_seed(seed: u64) -> Result<()> {
    crate::random_manual_seed(seed)
}

/// What the default generator of the CPU was last seeded with (`torch.initial_seed`).
///
/// C: `ctorch_random_initial_seed`.
pub fn initial_seed() -> Result<u64> {
    crate::random_initial_seed(None)
}

/// Whether this thread records operators for backward (`torch.is_grad_enabled`).
///
/// C: `ctorch_grad_mode_enabled`.
pub fn is_grad_enabled() -> bool {
    crate::grad_mode_enabled()
}

/// How many threads an operator may use on the CPU (`torch.set_num_threads`).
///
/// C: `ctorch_threads_set_num`.
pub fn set_num_threads(number: i32) -> Result<()> {
    crate::threads_set_num(number)
}

/// How many threads an operator uses on the CPU (`torch.get_num_threads`).
///
/// C: `ctorch_threads_num`.
pub fn get_num_threads() -> i32 {
    crate::threads_num()
}
