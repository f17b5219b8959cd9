//! The line from the workers to the thread that listens to them.
//!
//! Waking a thread for every word costs more than all else that the judge does for a short program, so news are left
//! to gather, save those that somebody waits for. It knows nothing of what the news mean.

use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread::{self, Thread};
use std::time::Duration;

use crate::event::CaseResult;
use crate::sandbox::SandboxError;
use crate::sequence::Built;
use crate::verdict::Verdict;

/// How long news may wait to be heard: nobody sees a display change faster.
const GATHER: Duration = Duration::from_millis(10);

/// What workers tell the listening thread.
pub(super) enum News {
    Compiling(usize),
    Running(usize, usize),
    Built(usize, Built),
    Case(usize, usize, Box<CaseResult>),
    Fault(SandboxError),
}

impl News {
    /// Whether what follows from it should follow at once: a failure may end the run.
    fn is_urgent(&self) -> bool {
        match self {
            Self::Compiling(_) | Self::Built(..) | Self::Fault(_) => true,
            Self::Running(..) => false,
            Self::Case(_, _, result) => result.verdict != Verdict::Accepted,
        }
    }
}

/// A worker's end of the line.
#[derive(Clone)]
pub(super) struct Teller {
    /// `None` only while it is dropped.
    news: Option<Sender<News>>,
    listener: Thread,
}

impl Teller {
    /// Never blocks.
    pub(super) fn tell(&self, news: News) {
        let urgent = news.is_urgent();
        if let Some(line) = &self.news {
            // The listener outlives the workers: it ends when the last of them is gone.
            let _ = line.send(news);
        }
        if urgent {
            self.listener.unpark();
        }
    }
}

impl Drop for Teller {
    fn drop(&mut self) {
        self.news = None;
        self.listener.unpark();
    }
}

/// The listening thread's end of the line.
pub(super) struct Listener(Receiver<News>);

/// A line to the calling thread.
pub(super) fn line() -> (Teller, Listener) {
    let (news, heard) = mpsc::channel();
    let teller = Teller {
        news: Some(news),
        listener: thread::current(),
    };
    (teller, Listener(heard))
}

impl Listener {
    /// Hands everything to `on_news`, in order, until the last [`Teller`] is gone.
    pub(super) fn hear(self, mut on_news: impl FnMut(News)) {
        while let Ok(first) = self.0.recv() {
            on_news(first);
            loop {
                match self.0.try_recv() {
                    Ok(news) => on_news(news),
                    Err(TryRecvError::Empty) => break,
                    // Nothing will gather any more.
                    Err(TryRecvError::Disconnected) => return,
                }
            }
            thread::park_timeout(GATHER);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specimen;

    #[test]
    fn everything_is_heard_in_order_and_the_last_teller_ends_it() {
        let (tell, listener) = line();
        let mut heard = Vec::new();
        thread::scope(|scope| {
            scope.spawn(move || {
                let tell = tell.clone();
                for case in 0..100 {
                    tell.tell(News::Running(0, case));
                    let result = specimen::result("1", Verdict::Accepted);
                    tell.tell(News::Case(0, case, Box::new(result)));
                }
            });
            listener.hear(|news| match news {
                News::Running(_, case) => heard.push((case, false)),
                News::Case(_, case, _) => heard.push((case, true)),
                _ => unreachable!("nothing else was told"),
            });
        });
        let expected: Vec<_> = (0..100)
            .flat_map(|case| [(case, false), (case, true)])
            .collect();
        assert_eq!(heard, expected);
    }
}
