//! Signed messages: who gives work, and who judged it. The permissions of the server are not relied on.
//!
//! A message is a line with the public key and the signature, and then the bytes that are signed, exactly as they travel. The
//! signature also covers what kind of message it is, and the run and the number of its unit: it is valid in no other place.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use nkeys::{KeyPair, KeyPairType};

use crate::Unit;
use crate::error::ClusterError;
use crate::replies::chain;

/// The longest first line of a message, in bytes.
const MOST_HEAD: usize = 256;

/// The largest file with a key, in bytes.
const MOST_FILE: u64 = 64 << 10;

/// What a message is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A unit of work, from a submitter.
    Unit,
    /// The result of a unit, from a worker.
    Result,
    /// A note about a result that came again, from a worker.
    Again,
    /// A request to judge a unit on another machine, from a worker.
    Elsewhere,
}

impl Purpose {
    /// What is signed: the place of the message, and its bytes.
    fn signed(self, unit: &Unit, bytes: &[u8]) -> Vec<u8> {
        let purpose = match self {
            Self::Unit => "unit",
            Self::Result => "result",
            Self::Again => "again",
            Self::Elsewhere => "elsewhere",
        };
        let place = format!("rejudge {purpose} {} {}\n", unit.run, unit.number);
        [place.as_bytes(), bytes].concat()
    }
}

/// A key that signs.
pub struct SigningKey(KeyPair);

impl std::fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("SigningKey").field(&self.public()).finish()
    }
}

impl SigningKey {
    /// A new key. It is of the kind of an account, with which no client proves to a server who it is: a server chooses what
    /// its clients sign for that.
    #[must_use]
    pub fn generate() -> Self {
        Self(KeyPair::new_account())
    }

    /// A new key in a new file, which only its owner can read.
    pub fn create(path: &Path) -> Result<Self, ClusterError> {
        let key = Self::generate();
        let seed = key.0.seed().map_err(|error| unusable(path, chain(&error)))?;
        let created = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(path)
            .and_then(|mut file| writeln!(file, "{seed}\n{}", key.public()));
        match created {
            Ok(()) => Ok(key),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                Err(ClusterError::KeyExists { path: path.to_path_buf() })
            }
            Err(error) => Err(unusable(path, error.to_string())),
        }
    }

    /// Reads the file of a key.
    pub fn read(path: &Path) -> Result<Self, ClusterError> {
        let of_system = |error: std::io::Error| unusable(path, error.to_string());
        let file = fs::File::open(path).map_err(of_system)?;
        let mode = file.metadata().map_err(of_system)?.permissions().mode();
        if mode & 0o077 != 0 {
            return Err(ClusterError::OpenKey { path: path.to_path_buf(), mode: mode & 0o777 });
        }
        let mut text = String::new();
        file.take(MOST_FILE).read_to_string(&mut text).map_err(of_system)?;
        let seed = text.lines().map(str::trim).find(|line| line.starts_with("SA"));
        let key = seed.and_then(|seed| KeyPair::from_seed(seed).ok());
        let key = key.filter(|key| key.key_pair_type() == KeyPairType::Account);
        key.map(Self).ok_or_else(|| {
            let why = "it has no line with the seed of a key that signs, which starts with `SA`";
            unusable(path, why.to_owned())
        })
    }

    /// Its public part, which others trust.
    #[must_use]
    pub fn public(&self) -> String {
        self.0.public_key()
    }

    /// The message about a unit with these bytes.
    ///
    /// # Panics
    /// Never: the key has its secret part.
    #[must_use]
    pub fn sign(&self, purpose: Purpose, unit: &Unit, bytes: &[u8]) -> Vec<u8> {
        let signature = self.0.sign(&purpose.signed(unit, bytes));
        let signature = URL_SAFE_NO_PAD.encode(signature.expect("the key has its secret part"));
        let head = format!("{} {signature}\n", self.public());
        [head.as_bytes(), bytes].concat()
    }
}

fn unusable(path: &Path, why: String) -> ClusterError {
    ClusterError::File { path: path.to_path_buf(), why }
}

/// Whether the text is the public part of a key that signs.
#[must_use]
pub fn is_public_key(text: &str) -> bool {
    public_key(text).is_some()
}

fn public_key(text: &str) -> Option<KeyPair> {
    let key = KeyPair::from_public_key(text).ok()?;
    (key.key_pair_type() == KeyPairType::Account).then_some(key)
}

/// The public key of a message, and the bytes that it signed. `None`: the message is not signed, or not for this purpose and this
/// unit. Whether the key may sign it is for the caller to decide.
#[must_use]
pub fn signed_by<'a>(
    message: &'a [u8],
    purpose: Purpose,
    unit: &Unit,
) -> Option<(&'a str, &'a [u8])> {
    let start = &message[..message.len().min(MOST_HEAD)];
    let end = start.iter().position(|&byte| byte == b'\n')?;
    let (name, signature) = std::str::from_utf8(&start[..end]).ok()?.split_once(' ')?;
    let bytes = &message[end + 1..];
    let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
    let key = public_key(name)?;
    key.verify(&purpose.signed(unit, bytes), &signature).ok()?;
    Some((name, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(run: &str, number: usize) -> Unit {
        Unit { run: run.to_owned(), number }
    }

    #[test]
    fn a_signature_is_valid_for_its_bytes_its_purpose_and_its_unit() {
        let key = SigningKey::generate();
        let (own, bytes) = (unit("r", 1), b"bytes\nmore");
        let message = key.sign(Purpose::Unit, &own, bytes);
        let read = signed_by(&message, Purpose::Unit, &own).expect("its signature");
        assert_eq!(read, (&*key.public(), &bytes[..]));
        for other in [unit("r", 2), unit("s", 1), unit("r 1", 1)] {
            assert_eq!(signed_by(&message, Purpose::Unit, &other), None, "{other:?}");
        }
        assert_eq!(signed_by(&message, Purpose::Result, &own), None);
        for place in 0..message.len() {
            let mut altered = message.clone();
            altered[place] ^= 1;
            assert_eq!(signed_by(&altered, Purpose::Unit, &own), None, "{place}");
            assert_eq!(signed_by(&message[..place], Purpose::Unit, &own), None);
        }
        assert_eq!(signed_by(&vec![b'x'; 1 << 20], Purpose::Unit, &own), None);
    }

    #[test]
    fn only_its_owner_can_read_a_new_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        let made = SigningKey::create(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(SigningKey::read(&path).unwrap().public(), made.public());
        assert!(is_public_key(&made.public()));
        let again = SigningKey::create(&path).unwrap_err();
        assert!(matches!(again, ClusterError::KeyExists { .. }), "{again}");
        assert_eq!(SigningKey::read(&path).unwrap().public(), made.public());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let open = SigningKey::read(&path).unwrap_err();
        assert!(matches!(open, ClusterError::OpenKey { .. }), "{open}");
    }

    #[test]
    fn a_key_that_proves_who_connects_does_not_sign() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        let user = KeyPair::new_user();
        fs::write(&path, user.seed().unwrap()).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        assert!(SigningKey::read(&path).is_err());
        assert!(!is_public_key(&user.public_key()));
        assert!(!is_public_key("A"));
    }
}
