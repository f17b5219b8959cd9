//! The results of units. Each is created once; what comes later is noted next to it.

use serde::{Deserialize, Serialize};

use crate::claim::Claim;
use crate::connection::Cluster;
use crate::error::{ClusterError, Doing};
use crate::queue::is_token;
use crate::signed::{Purpose, signed_by};
use crate::streams::RESULTS;
use crate::{Unit, WorkerIdentity};

/// The largest result, in bytes.
const MOST: u64 = 256 << 20;

/// The longest head of a signed result, in bytes.
const MOST_HEAD: usize = 512;

/// The first line of what a worker signs. The bytes follow, unless they are in pieces.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    /// The delivery of the unit: the place of its message in the stream, a dot, and the number of the delivery.
    turn: String,
    /// Where the bytes are, if one message has no room for them.
    pieces: Option<Pieces>,
}

impl Head {
    /// The message of a worker with these bytes.
    fn signed(
        &self,
        purpose: Purpose,
        claim: &Claim,
        worker: &WorkerIdentity,
        bytes: &[u8],
    ) -> Vec<u8> {
        let mut text = serde_json::to_vec(self).expect("a head is always JSON");
        text.push(b'\n');
        text.extend_from_slice(bytes);
        worker.key.sign(purpose, &claim.unit, &text)
    }
}

/// A message that its key signed for its place. Whether its worker held the unit is for the notes to say.
struct SignedResult<'a> {
    unit: &'a Unit,
    key: &'a str,
    head: Head,
    bytes: &'a [u8],
}

impl<'a> SignedResult<'a> {
    fn read(unit: &'a Unit, kind: ResultKind, message: &'a [u8]) -> Result<Self, ClusterError> {
        let signed = signed_by(message, kind.purpose(), unit);
        let (key, text) = signed.ok_or(unsigned("it is not signed for its unit"))?;
        let end = text.iter().take(MOST_HEAD).position(|&byte| byte == b'\n');
        let head = end.and_then(|end| Some((serde_json::from_slice(&text[..end]).ok()?, end)));
        let (head, end): (Head, usize) = head.ok_or(unsigned("it does not say what it is"))?;
        if !head.turn.split('.').all(is_token) {
            return Err(unsigned("it does not name a delivery of its unit"));
        }
        let bytes = &text[end + 1..];
        Ok(Self { unit, key, head, bytes })
    }
}

fn unsigned(why: &'static str) -> ClusterError {
    ClusterError::Unsigned { why }
}

/// Bytes in several messages.
#[derive(Debug, Serialize, Deserialize)]
struct Pieces {
    /// The name of all bytes: see [`Cluster::blob_name`].
    name: String,
    count: usize,
    size: u64,
}

/// What became of a result that was to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stored {
    /// It is the first one.
    First,
    /// There is one: these bytes.
    Known(Vec<u8>),
}

/// The kind of a stored message about a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultKind {
    /// The result.
    First,
    /// A note about a result that came again.
    Again,
    /// A request to judge the unit on a machine of the reference class.
    Elsewhere,
}

impl ResultKind {
    /// What a message is whose subject goes on with `token` after the number of the unit.
    fn of_token(token: Option<&str>) -> Option<Self> {
        match token {
            None => Some(Self::First),
            Some("again") => Some(Self::Again),
            Some("elsewhere") => Some(Self::Elsewhere),
            Some(_) => None,
        }
    }

    /// What its signature is for.
    fn purpose(self) -> Purpose {
        match self {
            Self::First => Purpose::Result,
            Self::Again => Purpose::Again,
            Self::Elsewhere => Purpose::Elsewhere,
        }
    }
}

/// A stored message about a unit.
#[derive(Debug, Clone)]
pub struct StoredResult {
    /// Its place in the stream: later ones have greater numbers.
    pub sequence: u64,
    /// The number of the unit.
    pub unit: usize,
    /// What the bytes are.
    pub kind: ResultKind,
    /// The bytes.
    pub bytes: Vec<u8>,
}

fn piece_subject(subject: &str, name: &str, index: usize) -> String {
    format!("{subject}.piece.{name}.{index}")
}

fn of_unit(unit: &Unit) -> String {
    format!("rejudge.result.{}.{}", unit.run, unit.number)
}

impl Cluster {
    /// Stores the result of a unit that the worker holds, unless there is one.
    pub fn store(
        &self,
        claim: &Claim,
        worker: &WorkerIdentity,
        bytes: &[u8],
    ) -> Result<Stored, ClusterError> {
        let subject = of_unit(&claim.unit);
        let most = self.room();
        let pieces =
            (bytes.len() > most).then(|| self.store_pieces(&subject, bytes, most)).transpose()?;
        let inline = if pieces.is_some() { &[][..] } else { bytes };
        let head = Head { turn: claim.turn(), pieces };
        let message = head.signed(Purpose::Result, claim, worker, inline);
        loop {
            if self.create(Doing::Storing, &subject, &message)? {
                return Ok(Stored::First);
            }
            // It may be our own, if the reply to the first attempt was lost: then its bytes are ours.
            if let Some(known) = self.last(RESULTS, &subject)? {
                let known = known.payload.to_vec();
                return Ok(if known == message { Stored::First } else { Stored::Known(known) });
            }
        }
    }

    /// Stores bytes in messages of at most `most` bytes. The names of their subjects depend on the bytes, so what is stored twice
    /// is equal.
    fn store_pieces(
        &self,
        subject: &str,
        bytes: &[u8],
        most: usize,
    ) -> Result<Pieces, ClusterError> {
        let name = Self::blob_name(bytes);
        let pieces = bytes.chunks(most);
        let count = pieces.len();
        for (index, piece) in pieces.enumerate() {
            self.create(Doing::Storing, &piece_subject(subject, &name, index), piece)?;
        }
        Ok(Pieces { name, count, size: bytes.len() as u64 })
    }

    /// The bytes of a result, or of a note about one, if a worker that held the unit signed them.
    ///
    /// # Panics
    /// Never: there is an answer for each message.
    pub fn opened(
        &self,
        unit: &Unit,
        kind: ResultKind,
        message: &[u8],
    ) -> Result<Vec<u8>, ClusterError> {
        let mut opened = self.opened_all(&[(unit.clone(), kind, message)])?;
        opened.pop().expect("there is an answer for each message")
    }

    /// The same for several messages, for which the server is asked at the same time. The outer error is that of the server.
    pub fn opened_all(
        &self,
        messages: &[(Unit, ResultKind, &[u8])],
    ) -> Result<Vec<Result<Vec<u8>, ClusterError>>, ClusterError> {
        let read =
            messages.iter().map(|(unit, kind, message)| SignedResult::read(unit, *kind, message));
        let read: Vec<Result<SignedResult<'_>, ClusterError>> = read.collect();
        let turns = read.iter().flatten();
        let turns: Vec<(Unit, String)> =
            turns.map(|one| (one.unit.clone(), one.head.turn.clone())).collect();
        let mut holders = self.holders(&turns)?.into_iter();
        let opened = read.into_iter().map(|read| {
            let read = read?;
            if holders.next().flatten().as_deref() != Some(read.key) {
                return Err(unsigned("its worker did not hold the unit"));
            }
            match &read.head.pieces {
                None => Ok(read.bytes.to_vec()),
                Some(pieces) => self.joined(&of_unit(read.unit), pieces),
            }
        });
        Ok(opened.collect())
    }

    fn joined(&self, subject: &str, pieces: &Pieces) -> Result<Vec<u8>, ClusterError> {
        let damaged =
            |why: &str| ClusterError::Damaged { name: pieces.name.clone(), why: why.to_owned() };
        if pieces.size > MOST || pieces.count as u64 > pieces.size || !is_token(&pieces.name) {
            return Err(damaged("it is too large"));
        }
        let mut bytes = Vec::new();
        for index in 0..pieces.count {
            let piece = self.last(RESULTS, &piece_subject(subject, &pieces.name, index))?;
            let piece = piece.ok_or_else(|| damaged("a piece is missing"))?;
            bytes.extend_from_slice(&piece.payload);
            if bytes.len() as u64 > pieces.size {
                break;
            }
        }
        if Self::blob_name(&bytes) != pieces.name {
            return Err(damaged("its content has another digest"));
        }
        Ok(bytes)
    }

    /// Notes that a result came again.
    pub fn note_again(
        &self,
        claim: &Claim,
        worker: &WorkerIdentity,
        bytes: &[u8],
    ) -> Result<(), ClusterError> {
        self.note_result((claim, worker), ("again", Purpose::Again), bytes)
    }

    /// Asks the submitter to let a machine of the reference class judge a unit.
    pub fn request_reference(
        &self,
        claim: &Claim,
        worker: &WorkerIdentity,
    ) -> Result<(), ClusterError> {
        self.note_result((claim, worker), ("elsewhere", Purpose::Elsewhere), &[])
    }

    fn note_result(
        &self,
        (claim, worker): (&Claim, &WorkerIdentity),
        (token, purpose): (&str, Purpose),
        bytes: &[u8],
    ) -> Result<(), ClusterError> {
        let subject = format!("{}.{token}.{}", of_unit(&claim.unit), worker.name);
        let head = Head { turn: claim.turn(), pieces: None };
        let message = head.signed(purpose, claim, worker, bytes);
        self.stubborn(|| self.block_on(self.publish(Doing::Storing, &subject, None, &message)))?;
        Ok(())
    }

    /// The notes about results of the run that came again, from workers that held their units.
    pub fn notes_again(&self, run: &str) -> Result<Vec<Vec<u8>>, ClusterError> {
        let all = format!("rejudge.result.{run}.*.again.*");
        let mut notes = Vec::new();
        let mut after = 0;
        while let Some(message) = self.next(RESULTS, &all, after)? {
            after = message.sequence;
            let number = message.subject.split('.').nth(3).and_then(|number| number.parse().ok());
            let Some(number) = number else { continue };
            let unit = Unit { run: run.to_owned(), number };
            match self.opened(&unit, ResultKind::Again, &message.payload) {
                Ok(note) => notes.push(note),
                Err(ClusterError::Unsigned { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(notes)
    }

    /// The message with the result of a unit, if there is one.
    pub fn result(&self, unit: &Unit) -> Result<Option<Vec<u8>>, ClusterError> {
        let found = self.last(RESULTS, &of_unit(unit))?;
        Ok(found.map(|message| message.payload.to_vec()))
    }

    /// The next message about a unit of the run, after the one with the number `after`. `None`: there is none yet.
    pub fn next_result(&self, run: &str, after: u64) -> Result<Option<StoredResult>, ClusterError> {
        let all = format!("rejudge.result.{run}.>");
        let mut after = after;
        while let Some(message) = self.next(RESULTS, &all, after)? {
            after = message.sequence;
            let mut tokens = message.subject.split('.').skip(3);
            let unit = tokens.next().and_then(|unit| unit.parse().ok());
            let kind = ResultKind::of_token(tokens.next());
            if let (Some(unit), Some(kind)) = (unit, kind) {
                return Ok(Some(StoredResult {
                    sequence: message.sequence,
                    unit,
                    kind,
                    bytes: message.payload.to_vec(),
                }));
            }
        }
        Ok(None)
    }
}
