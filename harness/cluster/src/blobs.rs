//! Files, named by the BLAKE3 digest of their content, in the form of a NATS object store.
//!
//! The names make every operation repeatable: what exists is not sent again, and what is fetched is checked. The server
//! drops a blob when its lifetime is over, so one that has less than half of it left is sent again.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use async_nats::HeaderMap;
use async_nats::header::{NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, NATS_MESSAGE_ID, NATS_ROLLUP};
use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::message::StreamMessage;
use async_nats::jetstream::stream::DeleteMessageErrorKind;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;
use futures_util::TryStreamExt as _;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::connection::Cluster;
use crate::error::{ClusterError, Doing};
use crate::queue::is_token;
use crate::streams::BLOBS;
use crate::table::stored_at;

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

const DESCRIPTIONS: &str = "$O.rejudge_blobs.M.";
const PIECES: &str = "$O.rejudge_blobs.C.";

fn description(name: &str) -> String {
    format!("{DESCRIPTIONS}{}", URL_SAFE.encode(name))
}

fn pieces(nuid: &str) -> String {
    format!("{PIECES}{nuid}")
}

/// A description that is on the server.
struct Described {
    info: ObjectInfo,
    sequence: u64,
    used: SystemTime,
}

/// A stored file.
#[derive(Debug, Clone)]
pub struct StoredBlob {
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// When somebody last stored it, or wanted to.
    pub used: SystemTime,
    sequence: u64,
    nuid: String,
}

/// What is stored in all.
#[derive(Debug, Clone, Copy)]
pub struct BlobTotal {
    /// The bytes that the server stores.
    pub bytes: u64,
    /// How long a file is kept. `None`: for ever.
    pub lifetime: Option<Duration>,
}

impl Cluster {
    /// The name of the bytes.
    #[must_use]
    pub fn blob_name(bytes: &[u8]) -> String {
        blake3::hash(bytes).to_hex().to_string()
    }

    /// Stores the bytes under their name, unless they are stored and stay for at least half of the `lifetime`. Whether they were
    /// sent.
    ///
    /// # Panics
    /// Never: a description is always JSON.
    pub fn put_blob(&self, bytes: &[u8], lifetime: Option<Duration>) -> Result<bool, ClusterError> {
        let name = Self::blob_name(bytes);
        while let Some(known) = self.described(&name)? {
            if !self.stays(&known.info.nuid, lifetime)? {
                break;
            }
            // If it was removed just now, it must be sent.
            if self.describe(&known.info, Some(known.sequence))? {
                return Ok(false);
            }
        }
        let chunks: Vec<&[u8]> = bytes.chunks(CHUNK.min(self.room())).collect();
        // What an interrupted attempt left must not stay between the pieces.
        let nuid = format!("{}-{}", &name[..32], unique());
        let subject = pieces(&nuid);
        for (index, piece) in chunks.iter().enumerate() {
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
            chunks: chunks.len() as u64,
            digest: format!("SHA-256={}", URL_SAFE.encode(Sha256::digest(bytes))),
            bucket: "rejudge_blobs".to_owned(),
            mtime: "0001-01-01T00:00:00Z".to_owned(),
            deleted: false,
            nuid,
            name,
        };
        self.describe(&info, None)?;
        Ok(true)
    }

    /// Stores a description in place of the one with the number `known`, or of any. Whether that one was still there.
    fn describe(&self, info: &ObjectInfo, known: Option<u64>) -> Result<bool, ClusterError> {
        let mut headers = HeaderMap::new();
        headers.insert(NATS_ROLLUP, "sub");
        if let Some(known) = known {
            headers.insert(NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, known.to_string());
        }
        let text = serde_json::to_vec(info).expect("a description is always JSON");
        let subject = description(&info.name);
        self.stubborn(|| {
            let publish = self.publish(Doing::Sending, &subject, Some(headers.clone()), &text);
            self.block_on(publish)
        })
    }

    /// Whether the pieces stay for at least half of the lifetime.
    fn stays(&self, nuid: &str, lifetime: Option<Duration>) -> Result<bool, ClusterError> {
        let Some(lifetime) = lifetime else {
            return Ok(true);
        };
        // The oldest.
        let Some(piece) = self.next(BLOBS, &pieces(nuid), 0)? else {
            return Ok(false);
        };
        let age = SystemTime::now().duration_since(stored_at(&piece));
        Ok(age.is_ok_and(|age| age < lifetime / 2))
    }

    /// The size and the lifetime of all that is stored.
    pub fn blob_total(&self) -> Result<BlobTotal, ClusterError> {
        let doing = Doing::Reading;
        self.stubborn(|| {
            self.block_on(async {
                let stream = self.stream(doing, BLOBS).await?;
                let info = stream.get_info().await.map_err(|error| self.lost(doing, &error))?;
                let age = info.config.max_age;
                Ok(BlobTotal {
                    bytes: info.state.bytes,
                    lifetime: (age > Duration::ZERO).then_some(age),
                })
            })
        })
    }

    /// The files that are stored.
    pub fn blobs(&self) -> Result<Vec<StoredBlob>, ClusterError> {
        let all = format!("{DESCRIPTIONS}>");
        let mut blobs = Vec::new();
        let mut after = 0;
        while let Some(message) = self.next(BLOBS, &all, after)? {
            after = message.sequence;
            if let Some(Described { info, sequence, used }) = read_description(&message) {
                blobs.push(StoredBlob {
                    name: info.name,
                    size: info.size,
                    used,
                    sequence,
                    nuid: info.nuid,
                });
            }
        }
        Ok(blobs)
    }

    /// Removes a stored file, unless somebody stored it again since it was listed. Whether it was removed.
    pub fn remove_blob(&self, blob: &StoredBlob) -> Result<bool, ClusterError> {
        // First the description: whoever stores the file from now on sends it.
        let deleted = self.stubborn(|| {
            self.block_on(async {
                let stream = self.stream(Doing::Removing, BLOBS).await?;
                match stream.delete_message(blob.sequence).await {
                    Ok(deleted) => Ok(deleted),
                    Err(error) => match error.kind() {
                        DeleteMessageErrorKind::JetStream(reply) if is_gone(&reply) => Ok(false),
                        DeleteMessageErrorKind::JetStream(reply) => {
                            Err(ClusterError::of_reply(Doing::Removing, &reply))
                        }
                        _ => Err(self.lost(Doing::Removing, &error)),
                    },
                }
            })
        })?;
        if deleted {
            self.remove_pieces(&blob.nuid)?;
        }
        Ok(deleted)
    }

    fn remove_pieces(&self, nuid: &str) -> Result<(), ClusterError> {
        let doing = Doing::Removing;
        let filter = pieces(nuid);
        self.stubborn(|| {
            self.block_on(async {
                let stream = self.stream(doing, BLOBS).await?;
                let purged = stream.purge().filter(&filter).await;
                purged.map(drop).map_err(|error| self.lost(doing, &error))
            })
        })
    }

    /// Removes the pieces of files without a description, which a submitter that was killed left, if none was stored after
    /// `before`. `dry`: only counts. Returns their number.
    pub fn remove_remains(
        &self,
        before: Option<SystemTime>,
        dry: bool,
    ) -> Result<usize, ClusterError> {
        let subjects = self.piece_subjects()?;
        // After the pieces: a file is described when all of its pieces are there.
        let known: HashSet<String> = self.blobs()?.into_iter().map(|blob| blob.nuid).collect();
        let mut removed = 0;
        for nuid in subjects.iter().filter(|nuid| !known.contains(*nuid)) {
            let last = self.last(BLOBS, &pieces(nuid))?;
            let is_old = |at| before.is_none_or(|before| at < before);
            if last.is_some_and(|last| is_old(stored_at(&last))) {
                removed += 1;
                if !dry {
                    self.remove_pieces(nuid)?;
                }
            }
        }
        Ok(removed)
    }

    /// The subjects of the pieces, without their common start.
    fn piece_subjects(&self) -> Result<Vec<String>, ClusterError> {
        let doing = Doing::Reading;
        let all = pieces(">");
        let subjects = self.stubborn(|| {
            self.block_on(async {
                let stream = self.stream(doing, BLOBS).await?;
                let info = stream.info_with_subjects(&all).await;
                let info = info.map_err(|error| self.lost(doing, &error))?;
                let subjects: Result<Vec<(String, usize)>, _> = info.try_collect().await;
                subjects.map_err(|error| self.lost(doing, &error))
            })
        })?;
        let nuids = subjects.into_iter().filter_map(|(subject, _)| {
            let nuid = subject.strip_prefix(PIECES)?;
            nuid.split('-').all(is_token).then(|| nuid.to_owned())
        });
        Ok(nuids.collect())
    }

    /// The bytes with this name, of which there are at most `most`. They have the name's digest.
    pub fn blob(&self, name: &str, most: u64) -> Result<Vec<u8>, ClusterError> {
        let damaged = |why: String| ClusterError::Damaged { name: name.to_owned(), why };
        let Described { info, .. } =
            self.described(name)?.ok_or_else(|| damaged("it does not exist".to_owned()))?;
        if info.size > most {
            return Err(damaged(format!("it has {} bytes, above {most}", info.size)));
        }
        let subject = pieces(&info.nuid);
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

    fn described(&self, name: &str) -> Result<Option<Described>, ClusterError> {
        let found = self.last(BLOBS, &description(name))?;
        Ok(found.as_ref().and_then(read_description))
    }
}

/// Whether a message could not be deleted because it is not there any more.
fn is_gone(reply: &async_nats::jetstream::Error) -> bool {
    matches!(
        reply.error_code(),
        ErrorCode::SEQUENCE_NOT_FOUND
            | ErrorCode::NO_MESSAGE_FOUND
            | ErrorCode::STREAM_MESSAGE_DELETE_FAILED
    )
}

/// `None`: another program wrote it, or removed the object.
fn read_description(message: &StreamMessage) -> Option<Described> {
    let info: ObjectInfo = serde_json::from_slice(&message.payload).ok()?;
    let is_token = info.nuid.split('-').all(is_token);
    (is_token && !info.deleted).then(|| Described {
        info,
        sequence: message.sequence,
        used: stored_at(message),
    })
}

/// A number that no other attempt on any machine has.
fn unique() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let now = now.unwrap_or_default().as_nanos();
    format!("{now:x}-{:x}", std::process::id())
}
