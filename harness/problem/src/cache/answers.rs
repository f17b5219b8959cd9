//! Small results that took long to compute: a JSON file for each.

use std::fs;
use std::io;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Cache, Part};

impl Cache {
    /// The stored result for `key`, if there is one.
    pub fn answer<T: DeserializeOwned>(&self, part: Part, key: &str) -> Option<T> {
        let file = self.part(part).join(format!("{key}.json"));
        serde_json::from_slice(&fs::read(file).ok()?).ok()
    }

    /// Stores a result for `key`. A failure is ignored, because the result can be computed again.
    pub fn keep_answer<T: Serialize>(&self, part: Part, key: &str, answer: &T) {
        let write = || -> io::Result<()> {
            let folder = self.part(part);
            fs::create_dir_all(&folder)?;
            // The file appears whole or not at all.
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
    fn a_stored_result_is_found_by_its_key_and_a_damaged_one_is_ignored() {
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
