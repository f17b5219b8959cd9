//! The paths, and the life of the door.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::access;
use crate::lines::HttpLine;
use crate::streaming::answers;
use crate::{HttpAddress, HttpSettings, LineService, Shared};

/// How often the door looks whether it is to close.
const LOOK: Duration = Duration::from_millis(50);

/// How long clients may take to read what is left, after the door closed.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why the door cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// The address cannot be used.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// As it was given.
        address: String,
        /// Why.
        source: io::Error,
    },
    /// The runtime cannot be started.
    #[error("cannot start the threads of the server: {0}")]
    Runtime(io::Error),
    /// A connection cannot be taken.
    #[error("the server failed: {0}")]
    Serve(io::Error),
}

/// Opens the door until `is_over`. `opened` is called with the address once connections are taken.
///
/// # Errors
/// If it cannot be opened.
pub fn serve(
    settings: HttpSettings,
    service: Arc<dyn LineService>,
    opened: impl FnOnce(&str),
    is_over: impl Fn() -> bool + Send + Sync + 'static,
) -> Result<(), HttpError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(HttpError::Runtime)?;
    let address = settings.address.clone();
    let places = Arc::new(Semaphore::new(settings.connections));
    let shared = Arc::new(Shared { settings, places, service });
    let served = runtime.block_on(async {
        let is_over = Arc::new(is_over);
        let over = until(Arc::clone(&is_over));
        let router = router(shared);
        match &address {
            HttpAddress::Tcp(wanted) => {
                let refused = |source| HttpError::Listen { address: wanted.to_string(), source };
                let listener = TcpListener::bind(wanted).await.map_err(refused)?;
                let address = listener.local_addr().map_err(refused)?;
                opened(&format!("http://{address}"));
                let server = axum::serve(listener, router).with_graceful_shutdown(over);
                ended(server.into_future(), is_over).await
            }
            HttpAddress::Unix(path) => {
                let refused =
                    |source| HttpError::Listen { address: path.display().to_string(), source };
                let socket = Socket::bind(path).map_err(refused)?;
                let listener = UnixListener::bind(&socket.path).map_err(refused)?;
                only_for_this_user(path).map_err(refused)?;
                opened(&format!("unix:{}", path.display()));
                let server = axum::serve(listener, router).with_graceful_shutdown(over);
                ended(server.into_future(), is_over).await
            }
        }
    });
    runtime.shutdown_timeout(Duration::from_millis(100));
    served
}

/// Waits for the server. A client that does not read does not keep the door open.
async fn ended(
    server: impl Future<Output = io::Result<()>>,
    is_over: Arc<impl Fn() -> bool + Send + Sync + 'static>,
) -> Result<(), HttpError> {
    let too_late = async {
        until(is_over).await;
        tokio::time::sleep(PATIENCE).await;
    };
    tokio::select! {
        end = server => end.map_err(HttpError::Serve),
        () = too_late => Ok(()),
    }
}

async fn until(is_over: Arc<impl Fn() -> bool + Send + Sync + 'static>) {
    while !is_over() {
        tokio::time::sleep(LOOK).await;
    }
}

/// The file of a socket, which is removed at the end.
struct Socket {
    path: PathBuf,
}

impl Socket {
    /// Removes the socket of a server that is gone.
    fn bind(path: &Path) -> io::Result<Self> {
        use std::os::unix::fs::FileTypeExt as _;
        let is_socket = path.symlink_metadata().is_ok_and(|found| found.file_type().is_socket());
        if is_socket && std::os::unix::net::UnixStream::connect(path).is_err() {
            std::fs::remove_file(path)?;
        }
        Ok(Self { path: path.to_path_buf() })
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

fn only_for_this_user(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/v1/judge", post(judge))
        .route("/run_code", post(run_code))
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .layer(from_fn_with_state(Arc::clone(&shared), admit))
        .with_state(shared)
}

async fn admit(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    // Whether the server lives is no secret, and those who ask have no token.
    let is_health = request.uri().path() == "/health";
    let token = shared.settings.token.as_deref().filter(|_| !is_health);
    let checked = match (is_health, shared.settings.token.is_some()) {
        (true, true) => Ok(()),
        _ => access::check(request.headers(), token),
    };
    match checked {
        Ok(()) => next.run(request).await,
        Err((status, why)) => (status, format!("{why}\n")).into_response(),
    }
}

async fn judge(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Body) -> Response {
    let Some(place) = place(&shared) else { return busy() };
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_one = kind.is_some_and(|kind| kind.starts_with("application/json"));
    if is_one {
        return one(shared, body).await;
    }
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    (kind, answers(shared, body, place)).into_response()
}

fn place(shared: &Shared) -> Option<OwnedSemaphorePermit> {
    Arc::clone(&shared.places).try_acquire_owned().ok()
}

fn busy() -> Response {
    let why = "the server answers as many requests as it may; ask again\n";
    (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "1")], why).into_response()
}

/// One request, whose text may have several lines.
async fn one(shared: Arc<Shared>, body: Body) -> Response {
    let Ok(text) = to_bytes(body, shared.settings.longest).await else {
        let why = format!("the request has more than {} bytes\n", shared.settings.longest);
        return (StatusCode::PAYLOAD_TOO_LARGE, why).into_response();
    };
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let taken = tokio::task::spawn_blocking(move || {
        let reply = move |text| {
            let _ = sender.send(text);
        };
        let line = HttpLine { number: 1, text: Ok(text.to_vec()) };
        shared.service.take(line, Box::new(reply));
    });
    let _ = taken.await;
    match receiver.await {
        Ok(answer) => json(StatusCode::OK, answer),
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, "internal error\n").into_response(),
    }
}

async fn run_code(State(shared): State<Arc<Shared>>, body: Body) -> Response {
    let Some(_place) = place(&shared) else { return busy() };
    let Ok(text) = to_bytes(body, shared.settings.longest).await else {
        return (StatusCode::PAYLOAD_TOO_LARGE, "the request is too large\n").into_response();
    };
    let ran = tokio::task::spawn_blocking(move || shared.service.run_code(text.to_vec())).await;
    match ran {
        Ok((status, answer)) => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            json(status, answer)
        }
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, "internal error\n").into_response(),
    }
}

async fn health(State(shared): State<Arc<Shared>>) -> Response {
    json(StatusCode::OK, shared.service.health())
}

async fn metrics(State(shared): State<Arc<Shared>>) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (kind, shared.service.metrics()).into_response()
}

fn json(status: StatusCode, text: String) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], text).into_response()
}
