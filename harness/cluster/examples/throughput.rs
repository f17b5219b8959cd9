//! How many units a second a server carries, if the workers answer without judging.
//!
//! ```sh
//! cargo run --release --package rejudge-cluster --example throughput -- nats://127.0.0.1:4222 10000 4
//! ```
//!
//! The arguments are the address, the number of units, and the number of threads that answer.

use std::error::Error;
use std::thread;
use std::time::{Duration, Instant};

use rejudge_cluster::{Access, Cluster, Queue, Stored, Trouble};

fn connect(url: &str, name: &str) -> Result<Cluster, Box<dyn Error>> {
    let access = Access {
        url: url.to_owned(),
        name: name.to_owned(),
        ..Access::default()
    };
    Ok(Cluster::connect(&access, |trouble| {
        if let Trouble::Waiting(error) = trouble {
            eprintln!("{error}");
        }
        true
    })?)
}

/// Answers units until there are none.
fn answer(url: &str, worker: &str) -> usize {
    let cluster = connect(url, worker).expect("the server is there");
    let mut units = 0;
    while let Some(claim) = cluster
        .claim(&Queue::Any, worker, Duration::from_millis(500))
        .expect("the queue is there")
    {
        // As large as the result of twenty accepted cases.
        let result = vec![b'x'; 700];
        let stored = cluster.store(&claim.unit.run, claim.unit.number, &result);
        let stored = stored.expect("a result is stored");
        assert_eq!(stored, Stored::First, "every unit has one result");
        cluster.done(&claim).expect("the queue is told");
        units += 1;
    }
    units
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, url, units, threads] = args.as_slice() else {
        return Err("usage: throughput URL UNITS THREADS".into());
    };
    let (units, threads): (usize, usize) = (units.parse()?, threads.parse()?);
    let cluster = connect(url, "submitter")?;
    cluster.prepare()?;
    let run = format!("throughput-{}", std::process::id());
    let orders: Vec<(usize, Vec<u8>)> = (0..units).map(|unit| (unit, vec![b'x'; 150])).collect();
    let started = Instant::now();
    cluster.submit(&Queue::Any, &run, &orders)?;
    let submitted = started.elapsed();
    let from_here = Instant::now();
    let counts: Vec<usize> = thread::scope(|scope| {
        let run = &run;
        let answering: Vec<_> = (0..threads)
            .map(|number| scope.spawn(move || answer(url, &format!("worker-{number}"))))
            .collect();
        let (mut after, mut read) = (0, 0);
        while read < units {
            match cluster.next_result(run, after).expect("results are read") {
                Some(result) => (after, read) = (result.sequence, read + 1),
                None => thread::sleep(Duration::from_millis(5)),
            }
        }
        let total = from_here.elapsed();
        #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
        let rate = units as f64 / total.as_secs_f64();
        println!(
            "{units} units: submitted in {submitted:.2?}, answered and read in {total:.2?} by {threads} threads: {rate:.0} units/s"
        );
        let joined = answering.into_iter().map(thread::ScopedJoinHandle::join);
        joined.map(|count| count.expect("no panic")).collect()
    });
    assert_eq!(counts.iter().sum::<usize>(), units);
    Ok(())
}
