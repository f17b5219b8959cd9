use std::fs;

use tempfile::TempDir;

use super::*;

const MIB: u64 = 1 << 20;

/// The files of a group, as the kernel would show them.
struct TestGroup(TempDir, bool);

impl TestGroup {
    fn new(v2: bool) -> Self {
        let group = Self(TempDir::new().unwrap(), v2);
        group.write(["max", "limit_in_bytes"], "0");
        group.write(["events", "oom_control"], "low 0\noom 0\noom_kill 3");
        group.write(["events.local", "failcnt"], "0");
        group.holds(MIB, 0, 0, 1024);
        group
    }

    fn path(&self, [second, first]: [&str; 2]) -> std::path::PathBuf {
        let name = if self.1 { second } else { first };
        self.0.path().join(format!("memory.{name}"))
    }

    fn write(&self, names: [&str; 2], text: &str) {
        fs::write(self.path(names), text).unwrap();
    }

    fn peak(&self, bytes: u64) {
        self.write(["peak", "max_usage_in_bytes"], &bytes.to_string());
    }

    fn limit(&self) -> u64 {
        let text = fs::read_to_string(self.path(["max", "limit_in_bytes"])).unwrap();
        text.parse().unwrap()
    }

    /// `own` bytes of processes and the kernel, of files, of files in memory, and charged in advance.
    fn holds(&self, own: u64, files: u64, in_memory: u64, advance: u64) {
        let usage = own + files + in_memory + advance;
        self.write(["current", "usage_in_bytes"], &usage.to_string());
        let (both, kernel) = (files + in_memory, own / 4);
        let processes = own - kernel;
        let text = if self.1 {
            format!("anon {processes}\nfile {both}\nkernel {kernel}\nshmem {in_memory}")
        } else {
            format!("total_cache {both}\ntotal_rss {processes}\ntotal_shmem {in_memory}")
        };
        self.write(["stat", "stat"], &text);
        if !self.1 {
            self.write(["", "kmem.usage_in_bytes"], &kernel.to_string());
        }
    }
}

#[test]
fn a_program_may_have_its_limit_above_what_is_ours_and_cannot_be_taken_back() {
    for v2 in [false, true] {
        let group = TestGroup::new(v2);
        let mut memory = Memory::open(group.0.path()).unwrap();
        assert_eq!(memory.is_version_2(), v2);
        memory.begin(64 * MIB, 0, None).unwrap();
        assert_eq!(group.limit(), 65 * MIB);
        // Pages of files and charges in advance give nobody more.
        group.holds(MIB, 40 * MIB, 0, 100 << 10);
        memory.begin(64 * MIB, 0, None).unwrap();
        assert_eq!(group.limit(), 65 * MIB);
        // What was taken into memory for the program is not its own, and ours may grow.
        group.holds(2 * MIB, 0, 7 * MIB, 0);
        memory.begin(64 * MIB, 7 * MIB, None).unwrap();
        assert_eq!(group.limit(), 73 * MIB);
        group.holds(MIB, 0, 0, 0);
        memory.begin(64 * MIB, 0, None).unwrap();
        assert_eq!(group.limit(), 65 * MIB);
    }
}

#[test]
fn what_is_freed_soon_takes_nothing_from_a_program_with_a_small_limit() {
    for v2 in [false, true] {
        let group = TestGroup::new(v2);
        let mut memory = Memory::open(group.0.path()).unwrap();
        memory.begin(64 * MIB, 0, None).unwrap();
        let later = MIB + IN_TRANSIT;
        group.holds(later, 0, 0, in_advance());
        memory.begin(64 * MIB, 0, None).unwrap();
        assert_eq!(group.limit(), 65 * MIB);
        memory.begin(12 * MIB, 0, None).unwrap();
        assert_eq!(group.limit(), 12 * MIB + later);
    }
}

/// A file in memory of this many MiB, and another descriptor of it.
fn output(mib: u64) -> (File, Option<OutputMemory>) {
    use rustix::fs::{FallocateFlags, MemfdFlags, fallocate, memfd_create};
    let file = memfd_create("output", MemfdFlags::CLOEXEC).unwrap();
    if mib > 0 {
        fallocate(&file, FallocateFlags::empty(), 0, mib * MIB).unwrap();
    }
    let memory = OutputMemory::of(&file);
    (File::from(file), memory)
}

#[test]
fn the_output_of_the_program_before_is_in_the_limit_until_it_is_freed() {
    for v2 in [false, true] {
        let group = TestGroup::new(v2);
        group.peak(0);
        let mut memory = Memory::open(group.0.path()).unwrap();
        let (first, held) = output(3);
        memory.begin(64 * MIB, 0, held).unwrap();
        assert!(!memory.is_wide());
        group.holds(MIB, 0, 3 * MIB, 0);
        memory.begin(64 * MIB, 0, output(0).1).unwrap();
        assert!(memory.is_wide() && !memory.narrow().unwrap());
        assert_eq!(group.limit(), 68 * MIB);
        group.peak(14 * MIB);
        first.set_len(0).unwrap();
        assert!(!memory.narrow().unwrap());
        assert!(!memory.is_wide());
        assert_eq!(group.limit(), 65 * MIB);
        // Ten MiB above what was there, and then less above what is there.
        group.peak(4 * MIB);
        assert_eq!(memory.peak(MIB).unwrap(), Some(10 * MIB));
        // The small one of the last program is not.
        group.holds(MIB, 0, 0, 0);
        memory.begin(64 * MIB, 0, None).unwrap();
        assert!(!memory.is_wide());
    }
}

#[test]
fn the_peak_is_without_the_output() {
    for v2 in [false, true] {
        let group = TestGroup::new(v2);
        group.peak(0);
        let mut memory = Memory::open(group.0.path()).unwrap();
        let (_file, held) = output(20);
        memory.begin(64 * MIB, 0, held).unwrap();
        group.peak(31 * MIB + 1024);
        assert_eq!(memory.peak(9 * MIB).unwrap(), None);
        assert_eq!(memory.peak(2 * MIB).unwrap(), Some(10 * MIB));
    }
}

#[test]
fn the_peak_is_of_the_account_that_decides() {
    for v2 in [false, true] {
        let group = TestGroup::new(v2);
        group.peak(0);
        let mut memory = Memory::open(group.0.path()).unwrap();
        memory.begin(64 * MIB, 0, None).unwrap();
        let peak = |group_peak: u64, resident: u64| {
            group.peak(group_peak);
            memory.peak(resident).unwrap()
        };
        // One process, whose own figure is more precise.
        assert_eq!(peak(11 * MIB, 10 * MIB), None);
        // Several.
        assert_eq!(peak(31 * MIB + 1024, 10 * MIB), Some(30 * MIB));
        // Part of it was pages of files, which are no memory of the program's.
        assert_eq!(peak(65 * MIB, 66 * MIB), Some(64 * MIB));
        assert_eq!(peak(5 * MIB, 66 * MIB), Some(4 * MIB));
        // Those that are there still are known.
        group.holds(MIB, 15 * MIB, 5 * MIB, 0);
        assert_eq!(peak(31 * MIB + 1024, 10 * MIB), Some(15 * MIB));
    }
}

#[test]
fn where_the_kernel_tells_no_peak_the_limit_bounds_the_figure() {
    let group = TestGroup::new(true);
    let mut memory = Memory::open(group.0.path()).unwrap();
    memory.begin(64 * MIB, 0, None).unwrap();
    assert_eq!(memory.peak(10 * MIB).unwrap(), None);
    assert_eq!(memory.peak(66 * MIB).unwrap(), Some(64 * MIB));
}
