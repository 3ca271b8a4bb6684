//! One index that others write: the engine of its newest generation, for a commit that stays.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use pincite_query::Engine;
use pincite_shared::failure::Failure;
use pincite_shared::ids::Oid;
use pincite_shared::index_format::layout;

/// How long a generation is taken for the newest one without a look.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The engine for one commit, opened again whenever a new generation is published.
pub struct IndexSource {
    index: PathBuf,
    /// Fixed by the first engine: what is indexed later never moves the pin.
    commit: Oid,
    engine: RwLock<Arc<Engine>>,
    look: Mutex<Look>,
}

/// What the last look at the pointer found.
struct Look {
    at: Instant,
    pointer: Vec<u8>,
    failed: u64,
}

impl IndexSource {
    /// Keeps an engine up to date with its index directory.
    pub fn new(engine: Engine) -> Self {
        let index = engine.index_directory().to_owned();
        // When the pointer names a newer generation already, the first look opens that.
        let own = format!(" {} ", layout::generation_name(engine.generation_number()));
        let pointer = fs::read(index.join(layout::CURRENT)).unwrap_or_default();
        let pointer = if String::from_utf8_lossy(&pointer).contains(&own) { pointer } else { Vec::new() };
        let at = Instant::now();
        Self {
            index,
            commit: engine.pin().commit,
            engine: RwLock::new(Arc::new(engine)),
            look: Mutex::new(Look { at, pointer, failed: 0 }),
        }
    }

    /// The engine as it is, without a look at the index.
    pub fn current(&self) -> Arc<Engine> {
        Arc::clone(&self.engine.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The engine of the newest generation, as of at most a second ago. Blocks while a new one is opened.
    ///
    /// A generation that can not answer for the commit is counted and passed over: the files of the older one stay
    /// mapped, so its answers stay right.
    pub fn newest(&self) -> Arc<Engine> {
        // Whoever finds another one looking goes on with what there is.
        let Ok(mut look) = self.look.try_lock() else { return self.current() };
        if look.at.elapsed() >= LOOK_EVERY {
            look.at = Instant::now();
            if let Ok(pointer) = fs::read(self.index.join(layout::CURRENT))
                && pointer != look.pointer
            {
                match self.open() {
                    Ok(engine) => {
                        *self.engine.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(engine);
                    }
                    Err(_) => look.failed += 1,
                }
                look.pointer = pointer;
            }
        }
        drop(look);
        self.current()
    }

    fn open(&self) -> Result<Engine, Failure> {
        let current = self.current();
        let repository = current.repository().reopen()?;
        let engine = Engine::open(repository, &self.index, Some(self.commit), current.settings().clone())?;
        Ok(match current.interpretation() {
            Some(interpretation) => engine.with_interpretation(interpretation.clone()),
            None => engine,
        })
    }

    /// Generations that could not be opened for the commit.
    pub fn failed(&self) -> u64 {
        self.look.lock().unwrap_or_else(PoisonError::into_inner).failed
    }
}
