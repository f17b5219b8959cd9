//! How many units a second a server carries, if workers answer without judging.

use std::thread;
use std::time::{Duration, Instant};

use rejudge_benches::is_test;
use rejudge_cluster::{
    Access, Cluster, Purpose, Queue, SigningKey, Stored, Trouble, Unit, WorkerIdentity, signed_by,
};

use crate::server::BenchServer;

/// The promise, in units a second, where submitter, workers and server share two processors. Each unit and each result is
/// signed and checked, which takes a third of the time.
const PROMISE: f64 = 900.0;

/// Bytes of a unit, and of the result of twenty accepted cases.
const SIZES: (usize, usize) = (150, 700);

fn connect(url: &str, name: &str) -> Cluster {
    let access = Access { url: url.to_owned(), name: name.to_owned(), ..Access::default() };
    let connected = Cluster::connect(&access, |trouble| {
        if let Trouble::Waiting(error) = trouble {
            eprintln!("{error}");
        }
        true
    });
    connected.expect("the server is there")
}

/// Answers units until there are none. Returns their number.
fn answer(url: &str, worker: &str) -> usize {
    let cluster = connect(url, worker);
    let worker = WorkerIdentity { name: worker.to_owned(), key: SigningKey::generate() };
    let result = vec![b'x'; SIZES.1];
    let mut units = 0;
    loop {
        let claimed = cluster.claim(&Queue::Any, &worker, Duration::from_millis(500));
        let Some(claim) = claimed.expect("the queue is there") else {
            return units;
        };
        let signed = signed_by(&claim.bytes, Purpose::Unit, &claim.unit);
        signed.expect("the submitter signed it");
        let holds = cluster.holds(&claim, &worker);
        assert!(holds.expect("the server is there"));
        let stored = cluster.store(&claim, &worker, &result);
        assert_eq!(stored.expect("there is space"), Stored::First);
        cluster.done(&claim).expect("the server is there");
        units += 1;
    }
}

#[expect(clippy::cast_precision_loss, reason = "a rate for people")]
fn rate(units: usize, time: Duration) -> f64 {
    units as f64 / time.as_secs_f64()
}

/// Submits units, lets this number of workers answer, and reads the results. Returns the units a second of submitting,
/// and of answering and reading.
fn rates(server: &BenchServer, units: usize, workers: usize) -> (f64, f64) {
    let url = &server.url;
    let cluster = connect(url, "submitter");
    cluster.prepare().expect("the server is ours");
    let run = format!("carried-{workers}");
    let key = SigningKey::generate();
    let unit = |number| Unit { run: run.clone(), number };
    let started = Instant::now();
    let order = [b'x'; SIZES.0];
    let orders: Vec<(usize, Vec<u8>)> =
        (0..units).map(|number| (number, key.sign(Purpose::Unit, &unit(number), &order))).collect();
    let submitted = cluster.submit(&Queue::Any, &run, &orders);
    submitted.expect("the server is there");
    let submitting = rate(units, started.elapsed());
    let started = Instant::now();
    let answering = thread::scope(|scope| {
        let answering: Vec<_> = (0..workers)
            .map(|number| scope.spawn(move || answer(url, &format!("worker-{number}"))))
            .collect();
        let (mut after, mut read) = (0, 0);
        while read < units {
            // As a submitter reads them.
            let mut results = Vec::new();
            while results.len() < 32 {
                let next = cluster.next_result(&run, after);
                let Some(next) = next.expect("the server is there") else {
                    break;
                };
                after = next.sequence;
                results.push(next);
            }
            let messages: Vec<_> =
                results.iter().map(|one| (unit(one.unit), one.kind, &*one.bytes)).collect();
            let opened = cluster.opened_all(&messages);
            for opened in opened.expect("the server is there") {
                opened.expect("a worker that held it signed it");
            }
            read += results.len();
            if results.is_empty() {
                thread::sleep(Duration::from_millis(5));
            }
        }
        let answering_rate = rate(units, started.elapsed());
        let counts = answering.into_iter().map(|one| one.join().expect("no panic"));
        assert_eq!(counts.sum::<usize>(), units, "every unit has one result");
        answering_rate
    });
    (submitting, answering)
}

/// Measures and prints.
pub(crate) fn print(server: &BenchServer) {
    let units = if is_test() { 200 } else { 20_000 };
    let mut best = 0.0_f64;
    for workers in [1, 2, 4] {
        let (submitting, answering) = rates(server, units, workers);
        best = best.max(answering);
        println!(
            "{units} units, workers that answer without judging: {workers}; submitted at {submitting:.0} units/s, answered and read at {answering:.0} units/s"
        );
    }
    println!(
        "one server carries {best:.0} units/s (target: at least {PROMISE:.0}): {}",
        if best >= PROMISE { "met" } else { "MISSED" }
    );
}
