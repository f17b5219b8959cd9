//! The part of HTTP/1.1 that is needed to receive one JSON text: a request is read by its length,
//! and the connection is closed after the answer.
//!
//! Every page in a browser can reach a port of this machine, so requests with a web page as their
//! origin are rejected, and so are those for another host, whose name leads here. A request longer than any problem is not read.

use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

/// The maximum length of the head and of the body, in bytes.
const HEAD: usize = 32 << 10;
const BODY: usize = 32 << 20;
/// The time limit for a whole request.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// A rejection: status and reason.
type Rejection = (u16, &'static str);

/// What a request asks for.
#[derive(Debug, PartialEq)]
pub(super) enum HttpRequest {
    /// A JSON text from this origin.
    Text { body: Vec<u8>, origin: Option<String> },
    /// A browser asks whether an extension with this origin may send a JSON text.
    Preflight { origin: Option<String> },
    /// Something else.
    Rejected(Rejection),
}

impl HttpRequest {
    /// Answers the request.
    pub(super) fn answer(&self, stream: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Text { origin, .. } => answer(stream, 200, origin.as_deref()),
            Self::Preflight { origin } => answer(stream, 204, origin.as_deref()),
            Self::Rejected((status, _)) => answer(stream, *status, None),
        }
    }
}

/// Reads a request. The caller answers it.
pub(super) fn receive(stream: &mut (impl Read + Write)) -> io::Result<HttpRequest> {
    let until = Instant::now() + PATIENCE;
    let (head, mut body) = match read_head(stream, until)? {
        Ok(parts) => parts,
        Err(rejection) => return Ok(HttpRequest::Rejected(rejection)),
    };
    let Some(head) = RequestHead::parse(&head) else {
        return Ok(HttpRequest::Rejected((400, "malformed request")));
    };
    if head.is_from_web_page() {
        return Ok(HttpRequest::Rejected((403, "web pages may not send problems")));
    }
    if !head.is_for_this_machine() {
        return Ok(HttpRequest::Rejected((421, "the request is for another host")));
    }
    let origin = head.get("origin").map(str::to_owned);
    if head.method == "OPTIONS" {
        return Ok(HttpRequest::Preflight { origin });
    }
    let length = match head.length() {
        Ok(length) => length,
        Err(rejection) => return Ok(HttpRequest::Rejected(rejection)),
    };
    if head.get("expect").is_some() {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    body.truncate(length);
    let mut rest = stream.take((length - body.len()) as u64);
    let mut chunk = [0; 8192];
    while body.len() < length {
        match rest.read(&mut chunk)? {
            0 => {
                let why = "the connection ended before the whole body arrived";
                return Ok(HttpRequest::Rejected((400, why)));
            }
            count => body.extend_from_slice(&chunk[..count]),
        }
        if Instant::now() > until {
            return Err(io::ErrorKind::TimedOut.into());
        }
    }
    Ok(HttpRequest::Text { body, origin })
}

type HeadAndBody = (Vec<u8>, Vec<u8>);

/// The head of a request, and the part of the body that was read with it.
fn read_head(stream: &mut impl Read, until: Instant) -> io::Result<Result<HeadAndBody, Rejection>> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        if let Some(end) = memchr::memmem::find(&bytes, b"\r\n\r\n") {
            let body = bytes.split_off(end + 4);
            return Ok(Ok((bytes, body)));
        }
        if bytes.len() > HEAD {
            return Ok(Err((431, "the head of the request is too long")));
        }
        if Instant::now() > until {
            return Err(io::ErrorKind::TimedOut.into());
        }
        match stream.read(&mut chunk)? {
            0 => {
                return Ok(Err((400, "the connection ended before the whole head arrived")));
            }
            count => bytes.extend_from_slice(&chunk[..count]),
        }
    }
}

struct RequestHead<'a> {
    method: &'a str,
    path: &'a str,
    /// The header fields; names in any case.
    fields: Vec<(&'a str, &'a str)>,
}

impl<'a> RequestHead<'a> {
    fn parse(bytes: &'a [u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let mut lines = text.split("\r\n");
        let mut first = lines.next()?.split(' ');
        let (method, path) = (first.next()?, first.next()?);
        let version = first.next()?;
        let fields = lines.filter(|line| !line.is_empty()).map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((name, value.trim()))
        });
        let head = Self { method, path, fields: fields.collect::<Option<_>>()? };
        let is_valid = version.starts_with("HTTP/1.") && first.next().is_none();
        (is_valid && head.decides_once()).then_some(head)
    }

    /// Whether no field is repeated that decides on the request: readers differ in which one they take.
    fn decides_once(&self) -> bool {
        let fields = ["host", "origin", "content-type", "content-length", "transfer-encoding"];
        let count = |name: &str| {
            let same = |known: &&(&str, &str)| known.0.eq_ignore_ascii_case(name);
            self.fields.iter().filter(same).count()
        };
        fields.into_iter().all(|name| count(name) <= 1)
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        let same = |known: &&(&str, &str)| known.0.eq_ignore_ascii_case(name);
        self.fields.iter().find(same).map(|(_, value)| *value)
    }

    /// Whether the origin is a web page. Extensions have origins with schemes of their own,
    /// programs have none.
    fn is_from_web_page(&self) -> bool {
        let origin = self.get("origin").unwrap_or_default().to_ascii_lowercase();
        origin == "null" || origin.starts_with("http://") || origin.starts_with("https://")
    }

    /// Whether the host is this machine by one of its own names. Browsers always send one; simple clients may send none.
    fn is_for_this_machine(&self) -> bool {
        let Some(host) = self.get("host") else {
            return true;
        };
        let is_port = |end: &str| end.bytes().all(|byte| byte.is_ascii_digit());
        let name = match host.rsplit_once(':') {
            Some((name, port)) if is_port(port) => name,
            _ => host,
        };
        ["localhost", "127.0.0.1", "[::1]"].iter().any(|own| name.eq_ignore_ascii_case(own))
    }

    /// The length of a valid body.
    fn length(&self) -> Result<usize, Rejection> {
        if self.path != "/" {
            return Err((404, "send problems to `/`"));
        }
        if self.method != "POST" {
            return Err((405, "send problems with POST"));
        }
        let kind = self.get("content-type").unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err((415, "send problems as `application/json`"));
        }
        if self.get("transfer-encoding").is_some() {
            return Err((411, "missing `Content-Length`"));
        }
        let length = self.get("content-length").ok_or((411, "missing `Content-Length`"))?;
        let length: usize = length.parse().map_err(|_| (400, "invalid `Content-Length`"))?;
        if length > BODY {
            return Err((413, "the body is longer than any problem"));
        }
        Ok(length)
    }
}

fn answer(stream: &mut impl Write, status: u16, origin: Option<&str>) -> io::Result<()> {
    let reason = match status {
        200 => "OK",
        204 => "No Content",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        411 => "Length Required",
        413 => "Content Too Large",
        421 => "Misdirected Request",
        415 => "Unsupported Media Type",
        431 => "Request Header Fields Too Large",
        _ => "Bad Request",
    };
    let mut text = format!("HTTP/1.1 {status} {reason}\r\nConnection: close\r\n");
    if status != 204 {
        text.push_str("Content-Length: 0\r\n");
    }
    if let Some(origin) = origin {
        text.push_str("Access-Control-Allow-Origin: ");
        text.push_str(origin);
        text.push_str(
            "\r\nAccess-Control-Allow-Methods: POST\r\n\
             Access-Control-Allow-Headers: Content-Type\r\n\
             Access-Control-Allow-Private-Network: true\r\n",
        );
    }
    text.push_str("\r\n");
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A request that arrives in pieces of a few bytes, and the response.
    struct Wire {
        request: io::Cursor<Vec<u8>>,
        piece: usize,
        answer: Vec<u8>,
    }

    impl Read for Wire {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = self.piece.min(buffer.len());
            self.request.read(&mut buffer[..most])
        }
    }

    impl Write for Wire {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.answer.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn exchange(request: &str, piece: usize) -> (String, HttpRequest) {
        let mut wire = Wire {
            request: io::Cursor::new(request.as_bytes().to_vec()),
            piece,
            answer: Vec::new(),
        };
        let received = receive(&mut wire).unwrap();
        received.answer(&mut wire).unwrap();
        (String::from_utf8(wire.answer).unwrap(), received)
    }

    #[test]
    fn a_body_is_read_by_its_length_in_pieces_of_any_size() {
        let request = "POST / HTTP/1.1\r\nHost: LocalHost:27121\r\ncontent-TYPE: application/json; charset=utf-8\r\n\
             Content-Length: 7\r\n\r\n{\"a\":1}and more";
        for piece in [1, 3, 1000] {
            let (answer, received) = exchange(request, piece);
            let text = HttpRequest::Text { body: b"{\"a\":1}".to_vec(), origin: None };
            assert_eq!(received, text);
            assert!(answer.starts_with("HTTP/1.1 200 OK\r\nConnection: close\r\n"));
        }
    }

    #[test]
    fn other_requests_are_rejected() {
        let json = "Content-Type: application/json\r\nContent-Length: 2\r\n";
        let table = [
            (format!("GET / HTTP/1.1\r\n{json}\r\n{{}}"), 405),
            (format!("POST /x HTTP/1.1\r\n{json}\r\n{{}}"), 404),
            (format!("POST / HTTP/1.1\r\nOrigin: https://a.b\r\n{json}\r\n{{}}"), 403),
            (format!("POST / HTTP/1.1\r\nOrigin: null\r\n{json}\r\n{{}}"), 403),
            (format!("POST / HTTP/1.1\r\nHost: a.b:10043\r\n{json}\r\n{{}}"), 421),
            (format!("POST / HTTP/1.1\r\nHost: 127.0.0.1.a.b\r\n{json}\r\n{{}}"), 421),
            (format!("POST / HTTP/1.1\r\nHost: \r\n{json}\r\n{{}}"), 421),
            ("OPTIONS / HTTP/1.1\r\nOrigin: http://a.b\r\n\r\n".into(), 403),
            ("POST / HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}".into(), 415),
            ("POST / HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{}".into(), 411),
            (
                "POST / HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{}".into(),
                413,
            ),
            (format!("POST / HTTP/1.1\r\nHost: localhost\r\nhost: a.b\r\n{json}\r\n{{}}"), 400),
            (format!("POST / HTTP/1.1\r\nOrigin: chrome-extension://a\r\nOrigin: https://a.b\r\n{json}\r\n{{}}"), 400),
            (format!("POST / HTTP/1.1\r\nContent-Length: 1\r\n{json}\r\n{{}}"), 400),
            ("hello\r\n\r\n".into(), 400),
            ("POST / HTTP/1.1\r\nno colon\r\n\r\n".into(), 400),
            ("POST / HTTP/1.1\r\n".into(), 400),
            (format!("POST / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(HEAD + 9000)), 431),
        ];
        for (request, status) in table {
            let (answer, received) = exchange(&request, 4096);
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{request:.60}: {answer}");
            assert!(matches!(received, HttpRequest::Rejected(_)), "{request:.60}");
        }
    }

    #[test]
    fn an_extension_may_send_a_preflight_request() {
        let request = "OPTIONS / HTTP/1.1\r\nOrigin: chrome-extension://abc\r\n\r\n";
        let (answer, _) = exchange(request, 4096);
        assert!(answer.starts_with("HTTP/1.1 204 No Content\r\n"), "{answer}");
        assert!(answer.contains("Access-Control-Allow-Origin: chrome-extension://abc\r\n"));
        assert!(answer.contains("Access-Control-Allow-Private-Network: true\r\n"));
    }

    proptest::proptest! {
        #[test]
        fn a_request_of_any_bytes_is_answered_or_ends(
            cuts in proptest::collection::vec((0_usize..180, 0_usize..40, "[\\x00-\\xff]{0,40}"), 0..5),
            piece in 1_usize..64,
        ) {
            let mut request = "POST / HTTP/1.1\r\nHost: x\r\nOrigin: chrome-extension://a\r\nExpect: 100-continue\r\n\
                Content-Type: application/json\r\nContent-Length: 7\r\n\r\n{\"a\":1}".as_bytes().to_vec();
            for (at, length, text) in cuts {
                let at = at.min(request.len());
                let to = (at + length).min(request.len());
                request.splice(at..to, text.into_bytes());
            }
            let length = request.len();
            let mut wire = Wire { request: io::Cursor::new(request), piece, answer: Vec::new() };
            if let Ok(request) = receive(&mut wire) {
                request.answer(&mut wire).unwrap();
                proptest::prop_assert!(wire.answer.ends_with(b"\r\n\r\n"));
                if let HttpRequest::Text { body, .. } = request {
                    proptest::prop_assert!(body.len() <= length);
                }
            }
        }
    }
}
