//! A package's `build`, which may do anything, with every back end.

use std::fs;

use rejudge::sandbox::Protection;

use crate::left_behind::workbench::{Workbench, shapes};

/// The access that the script needs for its attack.
#[derive(Clone, Copy, PartialEq)]
enum AttackReach {
    /// Access to its own folder.
    Within,
    /// Access to files outside, which it opens.
    Files,
    /// Access to properties of files outside, which it changes without opening the files.
    Paths,
}
use AttackReach::{Files, Paths, Within};

/// The attack, the access that it needs, the possible results (a part of the reason for the
/// failure, or of the output of `run`), and the script. `$H` is the home of the judge's user.
const TABLE: [(&str, AttackReach, &[&str], &str); 23] = [
    ("nothing", Within, &["good"], ""),
    (
        "links with the names of files that are written later",
        Within,
        &["is a symbolic link"],
        "for n in manifest.json files whole work program build testlib.h submission; do rm -rf $n; ln -s $H/.bashrc $n; done",
    ),
    ("run is a link", Within, &["created no file `run`"], "rm run; ln -s $H/tool run"),
    (
        "a link to nothing",
        Within,
        &["`manifest.json`, which is a symbolic link"],
        "ln -s $H/new manifest.json",
    ),
    ("a link to a folder", Within, &["`sub`, which is a symbolic link"], "ln -s $H sub"),
    ("the scratch folder is a link", Within, &["good"], "rm -rf tmp; ln -s $H tmp"),
    ("the scratch folder is a file", Within, &["good"], "rm -rf tmp; echo > tmp"),
    ("a FIFO", Within, &["neither a file nor a folder", "good"], "mkfifo pipe"),
    ("a FIFO for the program", Within, &["created no file `run`"], "rm run; mkfifo run"),
    (
        "a socket",
        Within,
        &["neither a file nor a folder", "good"],
        "perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => \"socket\", Listen => 1)'",
    ),
    ("devices", Within, &["good", "neither"], "mknod null c 1 3; mknod disk b 8 0"),
    (
        "set-id bits and attributes",
        Within,
        &["good"],
        "cp run other; chmod 6777 run other; mkdir sub; chmod 7777 sub; chmod +t .\n\
         python3 -c 'import os; os.setxattr(\"run\", \"user.x\", b\"1\")'",
    ),
    (
        "large holes",
        Within,
        &["more than 1 GiB", "of memory", "file size"],
        "truncate -s 600M a; truncate -s 600M b",
    ),
    (
        "a deep tree",
        Within,
        &["nested too deeply", "exceeded the limit on the number"],
        "i=0; while [ $i -lt 300 ]; do mkdir d; cd d; i=$((i+1)); done",
    ),
    (
        "a name of two lines",
        Within,
        &["`a\\nb`, which is not a name"],
        "echo > \"$(printf 'a\\nb')\"",
    ),
    ("a name that is no text", Within, &["which is not a name"], "echo > \"$(printf '\\377')\""),
    (
        "files and folders that nobody may read",
        Within,
        &["good", "cannot be read"],
        "mkdir closed; echo > closed/x; chmod 0 closed; echo > zero; chmod 0 zero",
    ),
    (
        "folders that nobody may write to",
        Within,
        &["good"],
        "mkdir sub; echo > sub/x; chmod 500 sub tmp .",
    ),
    ("its own folder is closed", Within, &["good"], "chmod 0 ."),
    (
        "names of the judge's files",
        Files,
        &["good", "elsewhere"],
        "ln $H/.bashrc hard; ln $H/.ssh/id hard2",
    ),
    (
        "writes outside",
        Files,
        &["good"],
        "echo x >> $H/.bashrc; echo > $H/new; mv $H/.profile $H/moved; rm -rf $H/.ssh; mkdir $H/made\n\
         cd ..; ln -s $H whole; ln -s $H files; echo > manifest.json; ln -s $H ../new-x; mv work gone",
    ),
    (
        "new names for what is outside",
        Files,
        &["good"],
        "mv ../../../home taken; ln -s $H ../work2",
    ),
    (
        "modes, times and attributes of what is outside",
        Paths,
        &["good"],
        "chmod 0 $H/.bashrc; touch -d 2000-01-01 $H/.bashrc $H; chown 12345 $H/tool; chmod 777 ../.. $H\n\
         python3 -c 'import os, sys; os.setxattr(sys.argv[1], \"user.x\", b\"1\")' $H/.bashrc",
    ),
];

#[test]
fn no_build_changes_anything_outside_its_folder() {
    for shape in shapes() {
        let mut workbench = Workbench::new(&shape);
        for (number, (attack, reach, results, script)) in TABLE.into_iter().enumerate() {
            let tried = match reach {
                Within => true,
                Files => workbench.is_isolated(),
                Paths => workbench.has(Protection::MountNamespace),
            };
            if !tried {
                eprintln!("not tried under {}: {attack}", shape.name);
                continue;
            }
            let program = workbench.world.path(&format!("repository/{number}"));
            fs::create_dir(&program).unwrap();
            let home = workbench.world.path("home");
            let text = format!(
                "#!/bin/sh\nexec 2>/dev/null\nH={}\nprintf '#!/bin/sh\\necho good\\n' > run\n{script}\nexit 0\n",
                home.display()
            );
            fs::write(program.join("build"), text).unwrap();
            let before = workbench.world.own(true);
            let built = workbench.build(&program);
            let what = format!("{attack} under {}", shape.name);
            assert_eq!(workbench.world.own(true), before, "{what}: {built:?}");
            let words = built.unwrap_or_else(|why| why);
            assert!(results.iter().any(|results| words.contains(results)), "{what}: {words}");
        }
        workbench.end(shape.name);
    }
}
