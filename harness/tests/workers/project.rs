//! What of a project reaches the workers.

use super::{assert_accepted, submit};
use crate::support::Repo;
use crate::support::nats::{Background, NatsServer};

#[test]
fn a_link_that_leads_nowhere_is_left_out_and_files_of_a_program_are_in_its_working_folder() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let repo = Repo::with_sum();
    repo.file("solutions/sum/accepted/two/main.sh", ". ./add.sh\n")
        .file("solutions/sum/accepted/two/add.sh", "read a b; echo $((a + b))\n");
    std::os::unix::fs::symlink("nowhere", repo.path("cases/sum/figure.png")).unwrap();
    server.prepare(&repo);
    let worker = Background::worker(&repo, &server, "only", &[]);
    assert_accepted(&repo, submit(&repo, &server, &[]), &worker);
}
