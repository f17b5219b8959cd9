//! Bytes of any kind, and messages that were tampered with: they decode to what they say, or not at all.

use std::path::PathBuf;
use std::time::Duration;

use proptest::prelude::*;
use rejudge_quantity::Bytes;

use super::*;
use crate::back_end::BackEnd;
use crate::contention::Contention;
use crate::execution::LimitKind;
use crate::facts::{Facts, ProtectionState};
use crate::job::{Job, Preload, WorkDir};
use crate::limits::Limits;

fn text() -> impl Strategy<Value = String> {
    "[^\\x00]{0,12}"
}

fn any_limits() -> impl Strategy<Value = Limits> {
    let times = (any::<Duration>(), any::<Duration>(), any::<Duration>());
    let sizes = (any::<u64>(), any::<u64>(), any::<u64>(), any::<u64>());
    (times, sizes, any::<u32>(), any::<bool>()).prop_map(|(times, sizes, processes, one_core)| {
        Limits {
            cpu_time: times.0,
            cpu_kill: times.1,
            wall_time: times.2,
            memory: Bytes(sizes.0),
            output: Bytes(sizes.1),
            stack: Bytes(sizes.2),
            processes,
            file_size: Bytes(sizes.3),
            one_core,
        }
    })
}

fn any_job() -> impl Strategy<Value = Job> {
    let texts = || proptest::collection::vec(text(), 0..4);
    let pairs = proptest::collection::vec((text(), text()), 0..4);
    let work_dir = proptest::option::of(text());
    let preload = proptest::option::of(texts().prop_map(|modules| Preload { modules }));
    (texts(), pairs, work_dir, texts(), any_limits(), preload).prop_map(
        |(argv, env, work_dir, readable, limits, preload)| Job {
            argv: argv.into_iter().map(Into::into).collect(),
            env: env.into_iter().map(|(name, value)| (name.into(), value.into())).collect(),
            work_dir: work_dir.map_or(WorkDir::Fresh, |path| WorkDir::At(path.into())),
            readable: readable.into_iter().map(PathBuf::from).collect(),
            limits,
            preload,
        },
    )
}

fn any_reply() -> impl Strategy<Value = Reply> {
    let exit = prop_oneof![
        any::<i32>().prop_map(Exit::Code),
        any::<i32>().prop_map(Exit::Signal),
        Just(Exit::Killed(LimitKind::Memory)),
        Just(Exit::Stopped),
    ];
    let usage = (any::<Duration>(), any::<Duration>(), any::<u64>());
    let usage = usage.prop_map(|(cpu_user, wall, peak)| Usage {
        cpu_user,
        wall,
        peak_memory: Bytes(peak),
        memory_enforced: peak % 2 == 0,
        preloaded: peak % 3 == 0,
        contention: Contention {
            starved: wall,
            others: cpu_user,
            processors: 7,
            ..Contention::default()
        },
        ..Usage::default()
    });
    let facts = text().prop_map(|why| Facts {
        back_end: BackEnd::Plain,
        protections: vec![(crate::Protection::Seccomp, ProtectionState::Missing { why })],
        ..Facts::none()
    });
    prop_oneof![
        facts.prop_map(Reply::Ready),
        (exit, usage).prop_map(|(exit, usage)| Reply::Ended { exit, usage: Box::new(usage) }),
        any::<i32>().prop_map(|errno| Reply::Setup { step: Step::Exec, errno }),
        text().prop_map(Reply::Fault),
    ]
}

/// What was found decodes again to the same, if it is anything.
fn holds(bytes: &[u8]) {
    if let Ok(request) = JudgeRequest::decode(bytes) {
        assert_eq!(JudgeRequest::decode(&request.encode()), Ok(request));
    }
    if let Ok(reply) = Reply::decode(bytes) {
        assert_eq!(Reply::decode(&reply.encode()), Ok(reply));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn messages_arrive_as_they_were_sent(job in any_job(), asker: u32, at_once: u32, own_processor: Option<u32>, alike: bool, reply in any_reply()) {
        let program = Box::new(ProgramSpec::new(&job).unwrap());
        let request = JudgeRequest::Run { program, asker, at_once, own_processor, alike };
        prop_assert_eq!(JudgeRequest::decode(&request.encode()), Ok(request));
        prop_assert_eq!(Reply::decode(&reply.encode()), Ok(reply));
    }

    #[test]
    fn any_bytes_decode_or_are_refused(kind in 0..6_u8, mut bytes: Vec<u8>) {
        holds(&bytes);
        bytes.insert(0, kind);
        holds(&bytes);
    }

    #[test]
    fn tampered_messages_decode_or_are_refused(
        job in any_job(), reply in any_reply(), at: prop::sample::Index, byte: u8, cut: prop::sample::Index,
    ) {
        let program = Box::new(ProgramSpec::new(&job).unwrap());
        let request = JudgeRequest::Run { program, asker: 7, at_once: 2, own_processor: Some(1), alike: false };
        for mut bytes in [request.encode(), reply.encode()] {
            let place = at.index(bytes.len());
            bytes[place] = byte;
            holds(&bytes);
            bytes.truncate(cut.index(bytes.len()));
            holds(&bytes);
        }
    }
}
