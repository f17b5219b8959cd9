//! Files, named by the BLAKE3 digest of their content, in the form of a NATS object store.
//!
//! The names make every operation repeatable: what exists is not sent again, and what is fetched is checked.

use async_nats::HeaderMap;
use async_nats::header::{NATS_MESSAGE_ID, NATS_ROLLUP};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::connection::Cluster;
use crate::error::{ClusterError, Doing};
use crate::streams::BLOBS;

/// The size of the pieces of an object.
const CHUNK: usize = 128 << 10;

/// The description of an object.
#[derive(Debug, Serialize, Deserialize)]
struct ObjectInfo {
    name: String,
    bucket: String,
    nuid: String,
    size: u64,
    mtime: String,
    chunks: u64,
    digest: String,
    #[serde(default)]
    deleted: bool,
}

fn description(name: &str) -> String {
    format!("$O.rejudge_blobs.M.{}", URL_SAFE.encode(name))
}

impl Cluster {
    /// The name of the bytes.
    #[must_use]
    pub fn blob_name(bytes: &[u8]) -> String {
        blake3::hash(bytes).to_hex().to_string()
    }

    /// Stores the bytes under their name, unless they are stored. Whether they were sent.
    ///
    /// # Panics
    /// Never: a description is always JSON.
    pub fn put_blob(&self, bytes: &[u8]) -> Result<bool, ClusterError> {
        let name = Self::blob_name(bytes);
        if self.info(&name)?.is_some() {
            return Ok(false);
        }
        let pieces: Vec<&[u8]> = bytes.chunks(CHUNK.min(self.room())).collect();
        // What an interrupted attempt left must not stay between the pieces.
        let nuid = format!("{}-{}", &name[..32], unique());
        let subject = format!("$O.rejudge_blobs.C.{nuid}");
        for (index, piece) in pieces.iter().enumerate() {
            // If a reply is lost, the piece is sent again, and the server drops it.
            let mut headers = HeaderMap::new();
            headers.insert(NATS_MESSAGE_ID, format!("{nuid}-{index}"));
            self.stubborn(|| {
                let publish = self.publish(Doing::Sending, &subject, Some(headers.clone()), piece);
                self.block_on(publish)
            })?;
        }
        let info = ObjectInfo {
            size: bytes.len() as u64,
            chunks: pieces.len() as u64,
            digest: format!("SHA-256={}", URL_SAFE.encode(Sha256::digest(bytes))),
            bucket: "rejudge_blobs".to_owned(),
            mtime: "0001-01-01T00:00:00Z".to_owned(),
            deleted: false,
            nuid,
            name,
        };
        let mut headers = HeaderMap::new();
        headers.insert(NATS_ROLLUP, "sub");
        let text = serde_json::to_vec(&info).expect("a description is always JSON");
        let subject = description(&info.name);
        self.stubborn(|| {
            let publish = self.publish(Doing::Sending, &subject, Some(headers.clone()), &text);
            self.block_on(publish)
        })?;
        Ok(true)
    }

    /// The bytes with this name, of which there are at most `most`. They have the name's digest.
    pub fn blob(&self, name: &str, most: u64) -> Result<Vec<u8>, ClusterError> {
        let damaged = |why: String| ClusterError::Damaged {
            name: name.to_owned(),
            why,
        };
        let info = self
            .info(name)?
            .ok_or_else(|| damaged("it does not exist".to_owned()))?;
        if info.size > most {
            return Err(damaged(format!("it has {} bytes, above {most}", info.size)));
        }
        let subject = format!("$O.rejudge_blobs.C.{}", info.nuid);
        let mut bytes = Vec::new();
        let mut after = 0;
        while (bytes.len() as u64) < info.size {
            let piece = self.next(BLOBS, &subject, after)?;
            let piece = piece.ok_or_else(|| damaged("a piece is missing".to_owned()))?;
            after = piece.sequence;
            bytes.extend_from_slice(&piece.payload);
            if bytes.len() as u64 > most {
                return Err(damaged(format!("it has more than {most} bytes")));
            }
        }
        if Self::blob_name(&bytes) != name {
            return Err(damaged("its content has another digest".to_owned()));
        }
        Ok(bytes)
    }

    fn info(&self, name: &str) -> Result<Option<ObjectInfo>, ClusterError> {
        let found = self.last(BLOBS, &description(name))?;
        let info = found.and_then(|message| {
            let info: ObjectInfo = serde_json::from_slice(&message.payload).ok()?;
            let is_token = info.nuid.split('-').all(crate::is_token);
            (is_token && !info.deleted).then_some(info)
        });
        Ok(info)
    }
}

/// A number that no other attempt on any machine has.
fn unique() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let now = now.unwrap_or_default().as_nanos();
    format!("{now:x}-{:x}", std::process::id())
}
