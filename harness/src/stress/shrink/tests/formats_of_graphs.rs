//! Graphs, trees and points.

#![expect(
    clippy::cast_possible_wrap,
    clippy::too_many_lines,
    reason = "texts are short, and the formats are a table"
)]

use std::collections::BTreeSet;

use super::{Numbers, ShrunkFormat, numbers};
use crate::bench::RandomSource;

/// The number of vertices and the edges, if the text is a graph without loops and double edges.
fn graph(text: &str, width: usize) -> Option<(i64, Vec<Vec<i64>>)> {
    let lines = numbers(text)?;
    let (head, edges) = lines.split_first()?;
    let [vertices, count] = head[..] else {
        return None;
    };
    let mut seen = BTreeSet::new();
    let right = edges.iter().all(|edge| {
        let [one, two, ..] = edge[..] else {
            return false;
        };
        let inside = |vertex: i64| (1..=vertices).contains(&vertex);
        edge.len() == width
            && inside(one)
            && inside(two)
            && one != two
            && seen.insert((one.min(two), one.max(two)))
    });
    (right && edges.len() as i64 == count && vertices > 0).then(|| (vertices, edges.to_vec()))
}

fn edges_of(lines: &Numbers) -> BTreeSet<(i64, i64)> {
    let pairs = lines[1..].iter().map(|edge| (edge[0].min(edge[1]), edge[0].max(edge[1])));
    pairs.collect()
}

fn large(random: &mut RandomSource, vertices: u64, count: usize, weight: bool) -> String {
    let mut edges = BTreeSet::new();
    while edges.len() < count {
        let (one, two) = (1 + random.below(vertices), 1 + random.below(vertices));
        if one != two {
            edges.insert((one.min(two), one.max(two)));
        }
    }
    let mut edges: Vec<_> = edges.into_iter().collect();
    random.shuffle(&mut edges);
    let mut line = |(one, two): (u64, u64)| {
        if weight {
            format!("{one} {two} {}\n", 1 + random.below(1_000_000))
        } else {
            format!("{one} {two}\n")
        }
    };
    let lines: String = edges.into_iter().map(&mut line).collect();
    format!("{vertices} {count}\n{lines}")
}

pub(super) fn all() -> Vec<ShrunkFormat> {
    vec![
        ShrunkFormat {
            name: "graph",
            is_valid: |text| graph(text, 2).is_some(),
            // Three vertices with an edge between any two.
            fails: |lines| {
                let edges = edges_of(lines);
                edges.iter().any(|(one, two)| {
                    edges
                        .range((*two, 0)..(two + 1, 0))
                        .any(|(_, three)| edges.contains(&(*one, *three)))
                })
            },
            large: |random| large(random, 30, 70, false),
            smallest: "3 3\n1 2\n1 3\n2 3\n",
        },
        ShrunkFormat {
            name: "tree",
            is_valid: |text| {
                let Some((head, rest)) = text.split_once('\n') else {
                    return false;
                };
                let Some((vertices, edges)) =
                    graph(&format!("{head} {}\n{rest}", rest.lines().count()), 2)
                else {
                    return false;
                };
                let mut parts: Vec<i64> = (0..=vertices).collect();
                for edge in &edges {
                    let [one, two] =
                        [edge[0], edge[1]].map(|vertex| parts[usize::try_from(vertex).unwrap()]);
                    parts.iter_mut().filter(|part| **part == one).for_each(|part| *part = two);
                }
                edges.len() as i64 == vertices - 1
                    && parts[1..].iter().all(|part| *part == parts[1])
            },
            // A vertex with three neighbours.
            fails: |lines| {
                (1..=lines[0][0]).any(|vertex| {
                    lines[1..].iter().filter(|edge| edge.contains(&vertex)).count() > 2
                })
            },
            large: |random| {
                let mut labels: Vec<u64> = (1..=45).collect();
                random.shuffle(&mut labels);
                let mut edge = |child: usize| {
                    format!(
                        "{} {}\n",
                        labels[child],
                        labels[usize::try_from(random.below(child as u64)).unwrap()]
                    )
                };
                format!("45\n{}", (1..45).map(&mut edge).collect::<String>())
            },
            smallest: "4\n1 2\n1 3\n1 4\n",
        },
        ShrunkFormat {
            name: "weighted graph",
            is_valid: |text| {
                graph(text, 3).is_some_and(|(_, edges)| {
                    edges.iter().all(|edge| (1..=1_000_000).contains(&edge[2]))
                })
            },
            // The path with the fewest edges is not the cheapest one from the first vertex to the last.
            fails: |lines| {
                let path = |cost: fn(&[i64]) -> (i64, i64)| {
                    let most = (i64::MAX / 4, i64::MAX / 4);
                    let vertices = usize::try_from(lines[0][0]).unwrap();
                    let mut best = vec![most; vertices + 1];
                    best[1] = (0, 0);
                    for _ in 0..vertices {
                        for edge in &lines[1..] {
                            let ends = [edge[0], edge[1]].map(|end| usize::try_from(end).unwrap());
                            let (first, second) = cost(edge);
                            for (from, to) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                                let new = (best[from].0 + first, best[from].1 + second);
                                best[to] = best[to].min(new);
                            }
                        }
                    }
                    best[vertices]
                };
                let by_edges = path(|edge| (1, edge[2])).1;
                let by_weight = path(|edge| (edge[2], 0)).0;
                by_weight < i64::MAX / 8 && by_edges > by_weight
            },
            large: |random| large(random, 18, 40, true),
            smallest: "3 3\n1 2 1\n1 3 3\n2 3 1\n",
        },
        ShrunkFormat {
            name: "dag",
            is_valid: |text| {
                graph(text, 2).is_some_and(|(_, edges)| edges.iter().all(|edge| edge[0] < edge[1]))
            },
            // Two paths from the first vertex to the last.
            fails: |lines| {
                let vertices = usize::try_from(lines[0][0]).unwrap();
                let mut paths = vec![0_i64; vertices + 1];
                paths[1] = 1;
                for (one, two) in edges_of(lines) {
                    let from = paths[usize::try_from(one).unwrap()];
                    let to = &mut paths[usize::try_from(two).unwrap()];
                    *to = to.saturating_add(from);
                }
                paths[vertices] > 1
            },
            large: |random| large(random, 25, 60, false),
            smallest: "3 3\n1 2\n1 3\n2 3\n",
        },
        ShrunkFormat {
            name: "points",
            is_valid: |text| {
                let Some(lines) = numbers(text) else {
                    return false;
                };
                let Some((head, points)) = lines.split_first() else {
                    return false;
                };
                let distinct: BTreeSet<&Vec<i64>> = points.iter().collect();
                head.len() == 1
                    && head[0] == points.len() as i64
                    && distinct.len() == points.len()
                    && points.iter().all(|point| {
                        point.len() == 2 && point.iter().all(|value| value.abs() <= 1_000_000)
                    })
            },
            // Three points on a line.
            fails: |lines| {
                let points = &lines[1..];
                let on_a_line = |a: &[i64], b: &[i64], c: &[i64]| {
                    (b[0] - a[0]) * (c[1] - a[1]) == (c[0] - a[0]) * (b[1] - a[1])
                };
                let count = points.len();
                (0..count).any(|a| {
                    (a + 1..count).any(|b| {
                        (b + 1..count).any(|c| on_a_line(&points[a], &points[b], &points[c]))
                    })
                })
            },
            large: |random| {
                let mut points = BTreeSet::new();
                while points.len() < 30 {
                    points.insert((random.below(60), random.below(60)));
                }
                let lines =
                    points.into_iter().map(|(x, y)| format!("{} {}\n", x * 17 + 5, y * 19 + 3));
                format!("30\n{}", lines.collect::<String>())
            },
            smallest: "3\n0 0\n0 1\n0 2\n",
        },
    ]
}
