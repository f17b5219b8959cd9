//! Programs of 32 bits: no system call of theirs is permitted, and the error says so. `int 0x80` from a program of 64 bits is among
//! the attacks.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use rejudge_sandbox::Protection::Seccomp;
use rejudge_sandbox::{Exit, Input, Isolation, SandboxError};

use crate::fixture::Fixture;
use crate::{shape, support};

/// A program for i386 that exits with 7, or halts if it cannot.
fn program() -> Vec<u8> {
    const ADDRESS: u32 = 0x0804_8000;
    const HEADERS: u32 = 52 + 32;
    // mov eax, 1; mov ebx, 7; int 0x80; hlt
    let code = b"\xb8\x01\x00\x00\x00\xbb\x07\x00\x00\x00\xcd\x80\xf4";
    let length = HEADERS + u32::try_from(code.len()).unwrap();
    let mut file = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    // An executable for i386; see elf(5).
    file.extend([2, 0, 3, 0]);
    for word in [1, ADDRESS + HEADERS, 52, 0, 0] {
        file.extend(u32::to_le_bytes(word));
    }
    for half in [52, 32, 1, 40, 0, 0] {
        file.extend(u16::to_le_bytes(half));
    }
    for word in [1, 0, ADDRESS, ADDRESS, length, length, 5, 0x1000] {
        file.extend(u32::to_le_bytes(word));
    }
    file.extend(code);
    file
}

/// Whether the system runs such programs.
fn are_supported(program: &Path) -> bool {
    let status = support::once_written(|| Command::new(program).status());
    let supported = status.is_ok_and(|status| status.code() == Some(7));
    if !supported {
        support::skip(
            "this system runs no programs of 32 bits, so what is said of them is not tested",
        );
    }
    supported
}

#[test]
fn a_program_of_32_bits_is_named_wherever_a_filter_refuses_it() {
    let folder = tempfile::tempdir().unwrap();
    let open = |path: &Path| fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
    open(folder.path());
    let path = folder.path().join("old");
    fs::write(&path, program()).unwrap();
    open(&path);
    if !are_supported(&path) {
        return;
    }
    let shapes = shape::all().into_iter().map(|shape| (shape.name, Fixture::in_shape(&shape)));
    let off = || ("no protection", Fixture::in_isolation(Isolation::Off));
    for (name, mut fixture) in shapes.chain(std::iter::once_with(off)) {
        let mut job = fixture.job("/");
        job.argv = vec![path.clone().into()];
        job.readable.push(folder.path().to_owned());
        let result = fixture.run(&job, Input::Empty);
        if fixture.facts().has(Seccomp) {
            let refused = matches!(&result, Err(SandboxError::Bits32 { program })
                if program.ends_with("/old"));
            assert!(refused, "{name}: {result:?}");
        } else {
            assert_eq!(result.unwrap().exit, Exit::Code(7), "{name}");
        }
        fixture.is_clean(name);
    }
}
