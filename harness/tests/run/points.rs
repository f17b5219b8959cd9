//! `--csv`: the points of persons.

use std::fs;

use crate::support::Repo;
use crate::support::{SUM, does};

#[test]
fn the_points_of_each_person_are_a_row() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/ada.rs", SUM);
    repo.file("solutions/sum/bo.rs", does("println!(\"3\");"));
    repo.file("solutions/sum/cy.rs", "fn main() {");
    let table = "name,sum,total\r\nada,100,100\r\nbo,50,50\r\ncy,0,0\r\n";
    let ran = repo.run(&["--csv", "points.csv", "--json", "run.jsonl"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    assert_eq!(fs::read_to_string(repo.path("points.csv")).unwrap(), table);
    let ran = repo.run(&["report", "run.jsonl", "--csv", "again.csv"]);
    assert_eq!(fs::read_to_string(repo.path("again.csv")).unwrap(), table, "{}", ran.all());
    let ran = repo.run(&["--csv", "nowhere/points.csv"]);
    assert!(ran.stderr.contains("nowhere") && ran.status == 2, "{}", ran.all());
}
