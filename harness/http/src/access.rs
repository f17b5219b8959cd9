//! Who may ask.

use axum::http::{HeaderMap, StatusCode, header};

/// Whether a request may be answered. `Err`: why not.
pub(crate) fn check(
    headers: &HeaderMap,
    token: Option<&str>,
) -> Result<(), (StatusCode, &'static str)> {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    if text(header::ORIGIN).is_some() {
        return Err((StatusCode::FORBIDDEN, "web pages are not answered"));
    }
    if let Some(token) = token {
        let sent = text(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        // Digests take the same time to compare, whatever was sent.
        let is_known = sent
            .is_some_and(|sent| blake3::hash(sent.as_bytes()) == blake3::hash(token.as_bytes()));
        return if is_known {
            Ok(())
        } else {
            Err((
                StatusCode::UNAUTHORIZED,
                "the header `Authorization: Bearer TOKEN` is missing or wrong",
            ))
        };
    }
    // A web page may lead its own name to this machine.
    match text(header::HOST) {
        Some(host) if is_local(host) => Ok(()),
        _ => Err((StatusCode::FORBIDDEN, "the name in `Host` is not that of this machine")),
    }
}

fn is_local(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let is_loopback = |ip: std::net::IpAddr| ip.is_loopback();
    name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(is_loopback)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(pairs: &[(&'static str, &str)], token: Option<&str>) -> u16 {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.insert(*name, value.parse().unwrap());
        }
        check(&headers, token).map_or_else(|(status, _)| status.as_u16(), |()| 200)
    }

    #[test]
    fn this_machine_is_answered_and_web_pages_are_not() {
        for host in
            ["localhost", "localhost:80", "127.0.0.1:9", "127.8.8.8", "[::1]:5", "LocalHost"]
        {
            assert_eq!(status(&[("host", host)], None), 200, "{host}");
        }
        for host in ["example.com", "localhost.example.com", "10.0.0.1", "", "[::2]", "0.0.0.0"] {
            assert_eq!(status(&[("host", host)], None), 403, "{host}");
        }
        assert_eq!(status(&[], None), 403);
        assert_eq!(status(&[("host", "localhost"), ("origin", "http://localhost")], None), 403);
    }

    #[test]
    fn a_token_replaces_the_name_of_the_machine() {
        let host = ("host", "judge.example.com");
        assert_eq!(status(&[host, ("authorization", "Bearer right")], Some("right")), 200);
        for wrong in ["Bearer wrong", "Bearer ", "right", "bearer right", "Bearer right "] {
            assert_eq!(status(&[host, ("authorization", wrong)], Some("right")), 401, "{wrong}");
        }
        assert_eq!(status(&[("host", "localhost")], Some("right")), 401);
    }
}
