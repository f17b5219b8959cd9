//! The units that a worker holds. A background task extends their leases while there is progress.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::{AckKind, Message};

/// The time between two extensions of a lease.
const EXTENSION: Duration = Duration::from_secs(10);

/// How long a lease is extended without a sign of progress. A single run may take long.
const PATIENCE: Duration = Duration::from_secs(900);

/// The units that are held.
#[derive(Default)]
pub(crate) struct Held(Mutex<HashMap<u64, HeldUnit>>);

struct HeldUnit {
    message: Arc<Message>,
    progress: Instant,
}

impl Held {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, HeldUnit>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a unit that was taken just now, and returns its key.
    pub(crate) fn insert(&self, message: &Arc<Message>) -> u64 {
        let mut held = self.lock();
        let key = held.keys().max().map_or(0, |last| last + 1);
        let unit = HeldUnit { message: Arc::clone(message), progress: Instant::now() };
        held.insert(key, unit);
        key
    }

    /// Lets the lease of a unit go on.
    pub(crate) fn note_progress(&self, key: u64) {
        if let Some(held) = self.lock().get_mut(&key) {
            held.progress = Instant::now();
        }
    }

    /// Extends the lease of a unit no more.
    pub(crate) fn remove(&self, key: u64) {
        self.lock().remove(&key);
    }

    /// Extends all leases now and then, for ever.
    pub(crate) async fn extend_all(held: Arc<Self>) {
        loop {
            tokio::time::sleep(EXTENSION).await;
            let current: Vec<Arc<Message>> = held
                .lock()
                .values()
                .filter(|one| one.progress.elapsed() < PATIENCE)
                .map(|one| Arc::clone(&one.message))
                .collect();
            for message in current {
                // If it fails, the lease may end, and another worker judges the unit too.
                let _ = message.ack_with(AckKind::Progress).await;
            }
        }
    }
}
