//! A client that speaks the protocol of NATS line by line, independently of rejudge's: for what its client never does.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use super::nats::NatsServer;

/// A message of the server.
#[derive(Debug, Default)]
pub(crate) struct WireMessage {
    pub(crate) subject: String,
    pub(crate) reply: String,
    pub(crate) head: String,
    pub(crate) bytes: Vec<u8>,
}

impl WireMessage {
    /// The subject of a stored message, from its head.
    pub(crate) fn stored_subject(&self) -> String {
        let line = self.head.lines().find_map(|line| line.strip_prefix("Nats-Subject: "));
        line.unwrap_or_default().to_owned()
    }

    /// How often a unit was delivered, including this time: a part of the subject for its acknowledgement.
    pub(crate) fn delivery(&self) -> u32 {
        self.reply.split('.').nth(4).unwrap().parse().unwrap()
    }

    /// The place of a unit in the stream, in the same way.
    fn sequence(&self) -> u32 {
        self.reply.split('.').nth(5).unwrap().parse().unwrap()
    }

    /// The text of the message.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

/// A worker that is listed and takes no units. Its row disappears some time after this is dropped.
pub(crate) struct ListedWorker(Option<Sender<()>>, Option<JoinHandle<()>>);

impl ListedWorker {
    /// The row of `listed` is that of the worker `known`, changed. It is written again and again, because the server removes
    /// it after 45 s, and a busy machine takes longer for a test.
    pub(crate) fn like(
        server: &NatsServer,
        (known, listed): (&str, &str),
        change: impl Fn(String) -> String,
    ) -> Self {
        let mut wire = WireClient::connect(server);
        let row = |name: &str| format!("$KV.rejudge_workers.{name}");
        let text = change(wire.stored("KV_rejudge_workers", &row(known)).text());
        let subject = row(listed);
        wire.publish(&subject, text.as_bytes());
        let (stop, stopped) = channel();
        let thread = std::thread::spawn(move || {
            while stopped.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                wire.publish(&subject, text.as_bytes());
            }
        });
        Self(Some(stop), Some(thread))
    }
}

impl Drop for ListedWorker {
    fn drop(&mut self) {
        drop(self.0.take());
        let ended = self.1.take().map(JoinHandle::join);
        assert!(ended.is_none_or(|ended| ended.is_ok()) || std::thread::panicking());
    }
}

/// A connection that speaks the protocol itself.
pub(crate) struct WireClient {
    stream: BufReader<TcpStream>,
    /// The subject of replies.
    inbox: String,
    /// What the server refused.
    pub(crate) refusals: Vec<String>,
}

impl WireClient {
    /// Connects to a server without accounts.
    pub(crate) fn connect(server: &NatsServer) -> Self {
        Self::with(server, "", "_INBOX.t")
    }

    /// Connects as a user with a password, which reads the replies of its role.
    pub(crate) fn connect_as(server: &NatsServer, user: &str, password: &str) -> Self {
        let who = format!(r#","user":"{user}","pass":"{password}""#);
        Self::with(server, &who, &format!("_INBOX.{user}.t"))
    }

    fn with(server: &NatsServer, who: &str, inbox: &str) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(100))).unwrap();
        let mut client =
            Self { stream: BufReader::new(stream), inbox: inbox.to_owned(), refusals: Vec::new() };
        client.line();
        let options = format!(r#"{{"verbose":false,"headers":true,"no_responders":true{who}}}"#);
        client.write(format!("CONNECT {options}\r\nSUB {inbox} 1\r\n").as_bytes());
        client
    }

    fn write(&mut self, bytes: &[u8]) {
        self.stream.get_mut().write_all(bytes).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Publishes, and waits until the server has it.
    pub(crate) fn publish(&mut self, subject: &str, bytes: &[u8]) {
        self.write(format!("PUB {subject} {}\r\n", bytes.len()).as_bytes());
        self.write(&[bytes, b"\r\n"].concat());
        self.settle();
    }

    /// Subscribes, and waits until the server has done so.
    pub(crate) fn subscribe(&mut self, subject: &str) {
        self.write(format!("SUB {subject} 2\r\n").as_bytes());
        self.settle();
    }

    /// Waits until the server has read everything.
    fn settle(&mut self) {
        self.write(b"PING\r\n");
        loop {
            match self.line() {
                line if line == "PONG" => return,
                line if line.starts_with("-ERR") => self.refusals.push(line),
                line if line.starts_with("MSG") || line.starts_with("HMSG") => {
                    self.message(&line);
                }
                _ => {}
            }
        }
    }

    /// Publishes, and returns the answer.
    pub(crate) fn request(&mut self, subject: &str, bytes: &[u8]) -> WireMessage {
        self.write(format!("PUB {subject} {} {}\r\n", self.inbox, bytes.len()).as_bytes());
        self.write(&[bytes, b"\r\n"].concat());
        loop {
            let line = self.line();
            if line.starts_with("MSG") || line.starts_with("HMSG") {
                return self.message(&line);
            }
            if line == "PING" {
                self.write(b"PONG\r\n");
            }
            assert!(!line.starts_with("-ERR"), "{line}");
        }
    }

    /// `MSG subject sid [reply] size` or `HMSG subject sid [reply] head size`, and what follows.
    fn message(&mut self, line: &str) -> WireMessage {
        let words: Vec<&str> = line.split(' ').collect();
        let has_head = words[0] == "HMSG";
        let sizes = words.len() - 1 - usize::from(has_head);
        let number = |at: usize| words[at].parse::<usize>().unwrap();
        let head = if has_head { number(sizes) } else { 0 };
        let mut bytes = vec![0; number(words.len() - 1) + 2];
        self.stream.read_exact(&mut bytes).unwrap();
        bytes.truncate(bytes.len() - 2);
        let body = bytes.split_off(head);
        WireMessage {
            subject: words[1].to_owned(),
            reply: words[3..sizes].concat(),
            head: String::from_utf8(bytes).unwrap(),
            bytes: body,
        }
    }

    /// Takes the next unit off the queue of all workers, as the worker with this name.
    pub(crate) fn take(&mut self, worker: &str) -> WireMessage {
        let next = "$JS.API.CONSUMER.MSG.NEXT.REJUDGE_WORK.workers";
        let unit = self.request(next, br#"{"batch":1,"expires":15000000000}"#);
        assert!(unit.reply.starts_with("$JS.ACK."), "{unit:?}");
        let delivery = unit.delivery();
        let note =
            format!(r#"{{"kind":"taken","worker":"{worker}","key":"","delivery":{delivery}}}"#);
        let place = unit.subject.strip_prefix("rejudge.work.any.").unwrap();
        self.publish(
            &format!("rejudge.claim.{place}.{}.{delivery}", unit.sequence()),
            note.as_bytes(),
        );
        unit
    }

    /// Loses a unit: the queue gives it to the next worker, as after the end of a lease.
    pub(crate) fn lose(&mut self, unit: &WireMessage) {
        self.publish(&unit.reply, b"-NAK");
    }

    /// What the server knows about a stream. A stream that does not exist has no messages.
    pub(crate) fn stream(&mut self, stream: &str) -> serde_json::Value {
        let info = self.request(&format!("$JS.API.STREAM.INFO.{stream}"), b"");
        serde_json::from_slice(&info.bytes).unwrap()
    }

    /// Number of messages in a stream.
    pub(crate) fn messages(&mut self, stream: &str) -> u64 {
        self.stream(stream)["state"]["messages"].as_u64().unwrap_or(0)
    }

    /// Whether units wait or are judged, and workers can ask for them.
    pub(crate) fn has_work(&mut self) -> bool {
        self.messages("REJUDGE_WORK") > 0
    }

    /// The last message of a subject.
    pub(crate) fn stored(&mut self, stream: &str, subject: &str) -> WireMessage {
        self.request(&format!("$JS.API.DIRECT.GET.{stream}.{subject}"), b"")
    }

    /// Number of messages that a stream ever had.
    pub(crate) fn published(&mut self, stream: &str) -> u64 {
        self.stream(stream)["state"]["last_seq"].as_u64().unwrap_or(0)
    }

    /// The last message of a stream; an empty one if there is none.
    fn last(&mut self, stream: &str) -> WireMessage {
        let last = self.published(stream);
        let wanted = format!("{{\"seq\":{last}}}");
        match last {
            0 => WireMessage::default(),
            _ => self.request(&format!("$JS.API.DIRECT.GET.{stream}"), wanted.as_bytes()),
        }
    }

    /// The last note about a unit.
    pub(crate) fn last_note(&mut self) -> String {
        self.last("REJUDGE_CLAIMS").text()
    }

    /// The subject of the last message of a stream.
    pub(crate) fn last_of(&mut self, stream: &str) -> String {
        self.last(stream).stored_subject()
    }

    /// The run that was written to the table of runs last.
    pub(crate) fn last_run(&mut self) -> String {
        let subject = self.last_of("KV_rejudge_runs");
        subject.rsplit('.').next().unwrap().to_owned()
    }
}
