//! System calls for processes that share the launcher's memory and run at the same time.
//!
//! The C library stores the error of a call in memory that such a process shares with the launcher. These calls store
//! nothing. `rustix` does the same, unless it was built to use the C library: then its error numbers are as wide as
//! those of the C library, and this does not compile.

#![expect(unsafe_code, reason = "system calls")]

use std::ffi::{c_int, c_long, c_void};
use std::ptr;
use std::sync::atomic::AtomicU32;
use std::time::{Duration, Instant};

use rustix::event::Timespec;
use rustix::io::Errno;

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
compile_error!(
    "the sandbox makes system calls of its own, and knows how on x86_64 and aarch64 only"
);

const _: () = assert!(
    size_of::<Errno>() == size_of::<u16>(),
    "the sandbox needs the `rustix` that makes its own system calls: processes that share memory would share the C \
     library's `errno`; build without `--cfg rustix_use_libc` and without rustix's feature `use-libc`"
);

/// Makes a system call; missing arguments are zero.
///
/// # Safety
///
/// As for every system call: the arguments must be what the kernel expects.
pub(super) unsafe fn call<const N: usize>(
    number: c_long,
    arguments: [usize; N],
) -> Result<usize, Errno> {
    let mut all = [0; 6];
    all[..N].copy_from_slice(&arguments);
    // As wide as the pointers are.
    let number = usize::try_from(number).map_err(|_| Errno::NOSYS)?;
    // SAFETY: the caller guarantees it: see above.
    let result = unsafe { trap(number, all) };
    // The last page of the address space stands for errors.
    match i32::try_from(result) {
        Ok(error @ -4095..0) => Err(Errno::from_raw_os_error(-error)),
        _ => Ok(result.cast_unsigned()),
    }
}

/// The result of the kernel.
#[cfg(target_arch = "x86_64")]
unsafe fn trap(number: usize, arguments: [usize; 6]) -> isize {
    let mut result = number.cast_signed();
    // SAFETY: the calling convention of the architecture. The caller guarantees what the system call requires.
    unsafe {
        std::arch::asm!(
            "syscall",
            inlateout("rax") result,
            in("rdi") arguments[0], in("rsi") arguments[1], in("rdx") arguments[2],
            in("r10") arguments[3], in("r8") arguments[4], in("r9") arguments[5],
            lateout("rcx") _, lateout("r11") _,
            options(nostack)
        );
    }
    result
}

/// The result of the kernel.
#[cfg(target_arch = "aarch64")]
unsafe fn trap(number: usize, arguments: [usize; 6]) -> isize {
    let result;
    // SAFETY: the calling convention of the architecture. The caller guarantees what the system call requires.
    unsafe {
        std::arch::asm!(
            "svc 0",
            in("x8") number,
            inlateout("x0") arguments[0] => result,
            in("x1") arguments[1], in("x2") arguments[2], in("x3") arguments[3],
            in("x4") arguments[4], in("x5") arguments[5],
            options(nostack)
        );
    }
    result
}

/// Nanoseconds on the monotonic clock, as the kernel tells them to everybody: what the C library calls for this may be
/// looked up when it is first needed, in memory that we share.
pub(super) fn now() -> u64 {
    read(libc::CLOCK_MONOTONIC)
}

/// The CPU time of the calling process in nanoseconds, up to this call.
pub(super) fn own_cpu() -> u64 {
    read(libc::CLOCK_PROCESS_CPUTIME_ID)
}

fn read(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let arguments = [int(clock), at(&raw mut time)];
    // SAFETY: a system call that writes to a live structure; these clocks are always there.
    let _ = unsafe { call(libc::SYS_clock_gettime, arguments) };
    let seconds = time.tv_sec.cast_unsigned();
    seconds * 1_000_000_000 + time.tv_nsec.cast_unsigned()
}

/// The time that was `nanos` on that clock. Not for processes that share our memory.
pub(super) fn moment(nanos: u64) -> Instant {
    let since = Duration::from_nanos(now().saturating_sub(nanos));
    let now = Instant::now();
    now.checked_sub(since).unwrap_or(now)
}

/// Starts a process that shares our memory, not our descriptors. It calls `entry` with `argument`, on `stack`, and ends
/// when that returns. The kernel puts a descriptor of it into `pidfd` if the flags ask for one.
///
/// # Safety
///
/// As long as the process runs, what it touches must live, and must not be touched by us but atomically; it must not
/// allocate, panic, or call the C library for more than arithmetic. The stack must be its own.
pub(super) unsafe fn start(
    entry: extern "C" fn(*mut c_void) -> c_int,
    argument: *mut c_void,
    stack: *mut c_void,
    flags: c_int,
    pidfd: &mut c_int,
) -> Result<libc::pid_t, Errno> {
    let flags = int(flags | libc::CLONE_VM);
    let request = [flags, at(stack), at(ptr::from_mut(pidfd)), 0, 0];
    // SAFETY: a live number of the kernel's size. The caller guarantees the rest: see above.
    number_of(unsafe { branch(libc::SYS_clone, request, entry, argument) })
}

/// Like [`start`], but the process gets this number in the pid namespace of our next children, and the kernel's counter
/// of that namespace stays as it is. Fails without the right to choose numbers, if the number is taken, and before
/// Linux 5.5.
///
/// # Safety
///
/// As for [`start`].
pub(super) unsafe fn start_as(
    number: libc::pid_t,
    entry: extern "C" fn(*mut c_void) -> c_int,
    argument: *mut c_void,
    stack: *mut c_void,
    flags: c_int,
    pidfd: &mut c_int,
) -> Result<libc::pid_t, Errno> {
    /// The kernel only checks that this part of the stack is a part of the address space.
    const TOP: usize = 4096;
    // SAFETY: all bytes zero are valid: nothing is requested.
    let mut request: libc::clone_args = unsafe { std::mem::zeroed() };
    request.flags = u64::from((flags | libc::CLONE_VM).cast_unsigned());
    request.pidfd = at(ptr::from_mut(pidfd)) as u64;
    request.stack = at(stack.wrapping_byte_sub(TOP)) as u64;
    request.stack_size = TOP as u64;
    request.set_tid = at(&raw const number) as u64;
    request.set_tid_size = 1;
    let request = [at(&raw const request), size_of_val(&request), 0, 0, 0];
    // SAFETY: a live structure of the kernel's layout. The caller guarantees the rest: see above.
    number_of(unsafe { branch(libc::SYS_clone3, request, entry, argument) })
}

/// Starts a thread of this process, with descriptors and a working folder of its own. It calls `entry`, which must end it
/// by [`own_process::end_thread`](super::own_process::end_thread). Then the kernel sets `alive` to zero and wakes who
/// waits for that.
///
/// # Safety
///
/// As for [`start`].
pub(super) unsafe fn start_thread(
    entry: extern "C" fn(*mut c_void) -> c_int,
    argument: *mut c_void,
    stack: *mut c_void,
    alive: &AtomicU32,
) -> Result<libc::pid_t, Errno> {
    let flags =
        libc::CLONE_VM | libc::CLONE_SIGHAND | libc::CLONE_THREAD | libc::CLONE_CHILD_CLEARTID;
    let alive = at(alive.as_ptr());
    // The last two are in another order on each architecture.
    let request = if cfg!(target_arch = "x86_64") {
        [int(flags), at(stack), 0, alive, 0]
    } else {
        [int(flags), at(stack), 0, 0, alive]
    };
    // SAFETY: a live number of the kernel's size. The caller guarantees the rest: see above.
    number_of(unsafe { branch(libc::SYS_clone, request, entry, argument) })
}

/// Makes one of the calls that create a process. The new one calls `entry` on its own stack, and exits with the result.
unsafe fn branch(
    number: c_long,
    request: [usize; 5],
    entry: extern "C" fn(*mut c_void) -> c_int,
    argument: *mut c_void,
) -> isize {
    let result;
    // The registers are named, because the compiler could choose the one for the frame, which is cleared.
    // SAFETY: the calling conventions of the kernel and of C. The new process never gets to the end of this code.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "xor ebp, ebp",
            "mov rdi, r12",
            "call r13",
            "mov edi, eax",
            "mov eax, {exit}",
            "syscall",
            "ud2",
            "2:",
            exit = const libc::SYS_exit_group,
            in("r12") argument,
            in("r13") entry,
            inout("rax") number => result,
            in("rdi") request[0],
            in("rsi") request[1],
            in("rdx") request[2],
            in("r10") request[3],
            in("r8") request[4],
            out("rcx") _,
            out("r11") _,
        );
    }
    // SAFETY: as above.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        std::arch::asm!(
            "svc 0",
            "cbnz x0, 2f",
            "mov x29, xzr",
            "mov x0, x20",
            "blr x21",
            "mov x8, {exit}",
            "svc 0",
            "brk 1",
            "2:",
            exit = const libc::SYS_exit_group,
            in("x20") argument,
            in("x21") entry,
            in("x8") number,
            inout("x0") request[0] => result,
            in("x1") request[1],
            in("x2") request[2],
            in("x3") request[3],
            in("x4") request[4],
        );
    }
    result
}

/// The number of a new process, or the error.
fn number_of(result: isize) -> Result<libc::pid_t, Errno> {
    match i32::try_from(result) {
        Ok(error @ ..0) => Err(Errno::from_raw_os_error(-error)),
        Ok(pid) => Ok(pid),
        Err(_) => Err(Errno::RANGE),
    }
}

/// Waits while the number is `value`, for this time at most; may return earlier. `whole`: the kernel itself changes it, and
/// wakes all processes that share it.
pub(super) fn wait_while(number: &AtomicU32, value: u32, whole: bool, most: Option<Duration>) {
    let private = if whole { 0 } else { libc::FUTEX_PRIVATE_FLAG };
    let most = most.and_then(|most| Timespec::try_from(most).ok());
    let wait = [
        at(number.as_ptr()),
        int(libc::FUTEX_WAIT | private),
        value as usize,
        most.as_ref().map_or(0, |most| at(ptr::from_ref(most))),
    ];
    // SAFETY: a system call on a live number of the kernel's size, with a live structure or none.
    let _ = unsafe { call(libc::SYS_futex, wait) };
}

/// Wakes who waits for the number to change.
pub(super) fn wake(number: &AtomicU32) {
    let wake = [at(number.as_ptr()), int(libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG), 1];
    // SAFETY: a system call on a live number of the kernel's size.
    let _ = unsafe { call(libc::SYS_futex, wake) };
}

/// The number of a pointer, as system calls take it.
pub(super) fn at<T>(pointer: *const T) -> usize {
    pointer.expose_provenance()
}

/// A number as system calls take it.
pub(super) fn int(number: c_int) -> usize {
    (number as isize).cast_unsigned()
}
