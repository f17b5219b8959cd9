//! Says at intervals what goes on, where no terminal shows it all the time.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// A thread that prints the current text at intervals. It ends when this is dropped.
pub(crate) struct Ticker {
    /// Dropped to end the thread.
    running: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    /// Prints what `text` returns, if anything, whenever `interval` has passed.
    pub(crate) fn start(
        interval: Duration,
        text: impl Fn() -> Option<String> + Send + 'static,
        mut print: impl FnMut(&str) + Send + 'static,
    ) -> Self {
        let (running, ended) = channel::<()>();
        let thread = std::thread::spawn(move || {
            while ended.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                if let Some(text) = text() {
                    print(&text);
                }
            }
        });
        Self { running: Some(running), thread: Some(thread) }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        drop(self.running.take());
        if let Some(thread) = self.thread.take() {
            // A panic there was already reported, and nothing depends on the thread.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticker_repeats_the_current_text_until_it_is_dropped() {
        let (sender, receiver) = channel();
        let text = || Some("timing".to_owned());
        let ticker = Ticker::start(Duration::from_millis(1), text, move |text| {
            let _ = sender.send(text.to_owned());
        });
        for _ in 0..2 {
            let text = receiver.recv_timeout(Duration::from_secs(60));
            assert_eq!(text.as_deref(), Ok("timing"));
        }
        drop(ticker);
        // The thread has ended, and with it the other end of the channel.
        while receiver.try_recv().is_ok() {}
        assert!(receiver.recv().is_err());
    }
}
