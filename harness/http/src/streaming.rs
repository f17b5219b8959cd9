//! A body of lines, and the answers to them.

use std::sync::Arc;

use axum::body::{Body, BodyDataStream, Bytes};
use futures_util::StreamExt as _;
use futures_util::stream;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::Shared;
use crate::lines::{HttpLine, LineSplitter};

/// An answer, and the place that it has until it is read.
struct HeldAnswer {
    text: String,
    _place: OwnedSemaphorePermit,
}

/// The body with the answers to the lines of `body`, as they come. It has its `place` until its end.
pub(crate) fn answers(shared: Arc<Shared>, body: Body, place: OwnedSemaphorePermit) -> Body {
    let (sender, receiver) = unbounded_channel();
    tokio::spawn(read(shared, body.into_data_stream(), sender));
    Body::from_stream(stream::unfold((receiver, place), next))
}

/// The next answer. The channel ends when the last line is answered.
async fn next(
    (mut receiver, place): OpenAnswers,
) -> Option<(Result<Bytes, std::convert::Infallible>, OpenAnswers)> {
    let answer = receiver.recv().await?;
    Some((Ok(Bytes::from(answer.text)), (receiver, place)))
}

/// The answers that are to come, and the place of their request.
type OpenAnswers = (UnboundedReceiver<HeldAnswer>, OwnedSemaphorePermit);

/// Hands on the lines while there are places for their answers, and the client is there.
async fn read(shared: Arc<Shared>, mut body: BodyDataStream, answers: UnboundedSender<HeldAnswer>) {
    let places = Arc::new(Semaphore::new(shared.settings.waiting));
    let mut splitter = LineSplitter::new(shared.settings.longest);
    loop {
        let piece = tokio::select! {
            piece = body.next() => piece,
            () = answers.closed() => return,
        };
        let (lines, is_over) = match piece {
            Some(Ok(piece)) => (splitter.feed(&piece), false),
            // A line that was cut off is no request.
            Some(Err(_)) => return,
            None => (splitter.end().into_iter().collect(), true),
        };
        for line in lines {
            let place = tokio::select! {
                place = Arc::clone(&places).acquire_owned() => place,
                () = answers.closed() => return,
            };
            let Ok(place) = place else { return };
            submit(&shared, line, place, answers.clone()).await;
        }
        if is_over {
            return;
        }
    }
}

async fn submit(
    shared: &Arc<Shared>,
    line: HttpLine,
    place: OwnedSemaphorePermit,
    answers: UnboundedSender<HeldAnswer>,
) {
    let service = Arc::clone(&shared.service);
    let taken = tokio::task::spawn_blocking(move || {
        let reply = move |text| {
            // The client may be gone.
            let _ = answers.send(HeldAnswer { text, _place: place });
        };
        service.take(line, Box::new(reply));
    });
    // A service that panics answers nobody; the connection ends with the other answers.
    let _ = taken.await;
}
