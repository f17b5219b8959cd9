//! Results that equal requests take over, in files: the memory of a batch does not grow with what was judged.

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Places for so many results are in memory from the start, so that it does not grow later. More results are possible.
const PREPARED: usize = 1 << 17;

/// The last results, by the digests of their requests. The oldest goes.
#[derive(Debug)]
pub(super) struct SameResults {
    most: usize,
    places: HashMap<ShortDigest, ResultPlace>,
    /// The oldest first.
    order: VecDeque<ShortDigest>,
    files: [ResultFile; 2],
    /// The one of the two files that is written.
    written: u8,
}

/// The first 128 bits of a digest.
type ShortDigest = u128;

/// Where a result is.
#[derive(Debug, Clone, Copy)]
struct ResultPlace {
    offset: u64,
    length: u32,
    file: u8,
}

/// Results, one after the other. The file has no name, and is made for the first one.
#[derive(Debug, Default)]
struct ResultFile {
    file: Option<File>,
    length: u64,
    count: usize,
}

impl SameResults {
    /// For the last `most` results.
    pub(super) fn new(most: usize) -> Self {
        let prepared = most.min(PREPARED);
        let (mut places, mut order) =
            (HashMap::with_capacity(prepared), VecDeque::with_capacity(prepared + 1));
        // Memory counts from the first write to it.
        for number in 0..prepared as u128 {
            places.insert(number, ResultPlace { offset: 0, length: 0, file: 0 });
            order.push_back(number);
        }
        places.clear();
        order.clear();
        Self { most, places, order, files: Default::default(), written: 0 }
    }

    /// The result of a request. `None`: it is not among the last, or cannot be read.
    pub(super) fn find<R: DeserializeOwned>(&self, digest: blake3::Hash) -> Option<R> {
        let place = self.places.get(&short(digest))?;
        let mut text = vec![0; place.length as usize];
        let file = self.files[usize::from(place.file)].file.as_ref()?;
        file.read_exact_at(&mut text, place.offset).ok()?;
        let (whole, result): ([u8; 32], _) = serde_json::from_slice(&text).ok()?;
        (&whole == digest.as_bytes()).then_some(result)
    }

    /// Keeps a result, if the file can be written: without it, an equal request is judged.
    pub(super) fn keep(&mut self, digest: blake3::Hash, result: &impl Serialize) {
        let text =
            serde_json::to_vec(&(digest.as_bytes(), result)).expect("a result is always JSON");
        let digest = short(digest);
        let Ok(place) = self.write(&text) else {
            return;
        };
        if self.places.insert(digest, place).is_none() {
            self.order.push_back(digest);
        }
        if self.order.len() > self.most
            && let Some(oldest) = self.order.pop_front()
        {
            self.places.remove(&oldest);
        }
    }

    /// Once a file has `most` results, those of the other are older than the last `most`.
    fn write(&mut self, text: &[u8]) -> io::Result<ResultPlace> {
        if self.files[usize::from(self.written)].count >= self.most {
            self.written = 1 - self.written;
            self.files[usize::from(self.written)] = ResultFile::default();
        }
        let file = self.written;
        self.files[usize::from(file)].append(text, file)
    }
}

impl ResultFile {
    fn append(&mut self, text: &[u8], number: u8) -> io::Result<ResultPlace> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile()?),
        };
        file.write_all_at(text, self.length)?;
        let length = u32::try_from(text.len()).map_err(io::Error::other)?;
        let place = ResultPlace { offset: self.length, length, file: number };
        self.length += u64::from(length);
        self.count += 1;
        Ok(place)
    }
}

fn short(digest: blake3::Hash) -> ShortDigest {
    let bytes = digest.as_bytes().first_chunk().expect("a digest has 256 bits");
    u128::from_le_bytes(*bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(number: usize) -> blake3::Hash {
        blake3::hash(&number.to_le_bytes())
    }

    #[test]
    fn the_last_ones_are_found_and_the_files_stay_small() {
        let mut results = SameResults::new(3);
        for number in 0..20 {
            results.keep(digest(number), &"x".repeat(number));
            for known in 0..20 {
                let is_among_the_last = known <= number && known + 3 > number;
                let found: Option<String> = results.find(digest(known));
                assert_eq!(found, is_among_the_last.then(|| "x".repeat(known)));
            }
            assert!(results.files.iter().all(|file| file.count <= 3));
        }
    }

    #[test]
    fn the_result_of_another_request_is_never_taken() {
        let mut results = SameResults::new(3);
        results.keep(digest(1), &"one");
        results.keep(digest(2), &"two");
        let place = results.places[&short(digest(2))];
        results.places.insert(short(digest(1)), place);
        assert_eq!(results.find::<String>(digest(1)), None);
        assert_eq!(results.find::<String>(digest(2)), Some("two".to_owned()));
    }
}
