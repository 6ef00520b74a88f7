//! What closures have failed with: it waits in a table until the error object that C got in its place comes out of the
//! outer call, on whichever thread that is.

use std::any::Any;
use std::panic::resume_unwind;
use std::sync::Mutex;

use crate::support::{sys, text};

/// What a closure may fail with: anything that `?` turns into this.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

pub(crate) enum Thrown {
    Error(BoxError),
    Panic(Box<dyn Any + Send>),
}

struct Waiting {
    error: usize,
    message: String,
    thrown: Thrown,
}

// An error that C swallows (it tries again, or fails with another one) leaves its entry behind: hence the limit.
const LIMIT: usize = 256;
static WAITING: Mutex<Vec<Waiting>> = Mutex::new(Vec::new());

fn waiting() -> std::sync::MutexGuard<'static, Vec<Waiting>> {
    WAITING.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The error that belongs to an error object, if a closure returned it; if the closure panicked, that panic goes on.
pub(crate) fn thrown(raw: *mut sys::ctorch_error) -> Option<BoxError> {
    let mut table = waiting();
    if table.is_empty() {
        return None;
    }
    let message = unsafe { text(sys::ctorch_error_message(raw)) };
    // The object itself comes out, perhaps with the place where it arose before its message, or a copy of it where several
    // calls fail of one callback.
    let place = table
        .iter()
        .rposition(|w| w.error == raw as usize && message.ends_with(&w.message))
        .or_else(|| table.iter().rposition(|w| w.message == message))?;
    let waiting = table.remove(place);
    drop(table);
    match waiting.thrown {
        Thrown::Error(error) => Some(error),
        Thrown::Panic(panic) => {
            unsafe { sys::ctorch_error_release(raw) };
            resume_unwind(panic)
        }
    }
}

/// Keep what a closure has failed with for the error object that stands for it.
pub(crate) fn wait_for(error: *mut sys::ctorch_error, message: String, thrown: Thrown) {
    let mut table = waiting();
    table.retain(|w| w.error != error as usize);
    if table.len() == LIMIT {
        table.remove(0);
    }
    table.push(Waiting { error: error as usize, message, thrown });
}
