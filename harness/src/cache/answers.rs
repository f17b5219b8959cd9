//! Small answers that took long to find: a file of JSON for each.

use std::fs;
use std::io;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Cache, Part};

impl Cache {
    /// The answer under `key`, if it was kept.
    pub(crate) fn answer<T: DeserializeOwned>(&self, part: Part, key: &str) -> Option<T> {
        let file = self.part(part).join(format!("{key}.json"));
        serde_json::from_slice(&fs::read(file).ok()?).ok()
    }

    /// Keeps an answer under `key`. Best effort: what cannot be kept is found again.
    pub(crate) fn keep_answer<T: Serialize>(&self, part: Part, key: &str, answer: &T) {
        let write = || -> io::Result<()> {
            let folder = self.part(part);
            fs::create_dir_all(&folder)?;
            // It appears whole or not at all.
            let temporary = tempfile::NamedTempFile::new_in(&folder)?;
            serde_json::to_writer(&temporary, answer)?;
            temporary.persist(folder.join(format!("{key}.json")))?;
            Ok(())
        };
        write().ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_kept_under_its_key_and_a_damaged_one_is_none() {
        let cache = Cache::temporary(None).unwrap();
        assert_eq!(cache.answer::<u32>(Part::Toolchains, "a"), None);
        cache.keep_answer(Part::Toolchains, "a", &3);
        assert_eq!(cache.answer(Part::Toolchains, "a"), Some(3));
        assert_eq!(cache.answer::<u32>(Part::TimeLimits, "a"), None);
        let file = cache.part(Part::Toolchains).join("a.json");
        fs::write(file, "{").unwrap();
        assert_eq!(cache.answer::<u32>(Part::Toolchains, "a"), None);
    }
}
