//! Snapshots of a training run: what is saved of one's own, and how they are printed.

use crate::callback::{destroy, with_payload};
use crate::error::Result;
use crate::stubs;
use crate::support::sys;
use crate::texts::c_string;
use crate::thrown::BoxError;
use crate::{Native, Snapshots};

type Answer<T> = std::result::Result<T, BoxError>;

impl Snapshots {
    /// Save what a closure gives, and hand it to the other one when the run is resumed. Both run on the thread that saves
    /// and resumes.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicI64, Ordering};
    /// use std::sync::Arc;
    /// use ctorch::{Native, Snapshots};
    ///
    /// # fn main() -> ctorch::Result<()> {
    /// # let folder = std::env::temp_dir().join(format!("ctorch_snapshots_{}", std::process::id()));
    /// # let folder = folder.to_str().unwrap();
    /// let mut snapshots = Snapshots::open(folder)?;
    /// let place = Arc::new(AtomicI64::new(41));
    /// let (saved, resumed) = (place.clone(), place.clone());
    /// let save = move || Ok(saved.load(Ordering::SeqCst).into());
    /// snapshots.add_callback("loader", save, move |state| {
    ///     match state {
    ///         Native::Int(number) => resumed.store(number, Ordering::SeqCst),
    ///         other => return Err(format!("{:?} is no place", other).into()),
    ///     }
    ///     Ok(())
    /// })?;
    /// snapshots.save(2, 100, None)?;
    /// place.store(0, Ordering::SeqCst);
    /// assert_eq!(snapshots.resume(None)?, (true, 2, 100));
    /// assert_eq!(place.load(Ordering::SeqCst), 41);
    /// # std::fs::remove_dir_all(folder).unwrap();
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// C: `ctorch_snapshots_add_callback`.
    pub fn add_callback<S, L>(&mut self, name: &str, save: S, load: L) -> Result<()>
    where
        S: Fn() -> Answer<Native> + Send + Sync + 'static,
        L: Fn(Native) -> Answer<()> + Send + Sync + 'static,
    {
        let name = c_string(name)?;
        with_payload((save, load), |payload| unsafe {
            sys::ctorch_snapshots_add_callback(
                self.0,
                name.as_ptr(),
                stubs::snapshots_save(|(save, _): &(S, L)| save()),
                stubs::snapshots_load(|(_, load): &(S, L), state| load(state.to_native()?)),
                Some(destroy::<(S, L)>),
                payload,
            )
        })
    }
}

impl std::fmt::Debug for Snapshots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let steps: Vec<_> = (0..self.len()).map(|index| self.step_of(index)).collect();
        f.debug_struct("Snapshots").field("steps", &steps).finish()
    }
}
