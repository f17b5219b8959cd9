//! Numbers, texts and tables.

#![expect(
    clippy::cast_possible_wrap,
    clippy::too_many_lines,
    reason = "texts are short, and the formats are a table"
)]

use super::{Numbers, ShrunkFormat, numbers};
use crate::bench::RandomSource;

fn below(random: &mut RandomSource, bound: u64) -> i64 {
    i64::try_from(random.below(bound)).unwrap()
}

fn row(count: u64, mut value: impl FnMut() -> i64) -> String {
    let words: Vec<String> = (0..count).map(|_| value().to_string()).collect();
    words.join(" ")
}

fn is_within(values: &[i64], least: i64, most: i64) -> bool {
    values.iter().all(|value| (least..=most).contains(value))
}

/// The lines of each test, of a text with the number of tests and two lines for each.
fn tests(text: &str) -> Option<Vec<[Vec<i64>; 2]>> {
    let lines = numbers(text)?;
    let (head, rest) = lines.split_first()?;
    let pairs = rest.chunks_exact(2);
    let tests = pairs.map(|pair| [pair[0].clone(), pair[1].clone()]);
    (!rest.is_empty() && *head == [rest.len() as i64 / 2] && rest.len() % 2 == 0)
        .then(|| tests.collect())
}

/// `n`, and a line of `n` values up to a thousand million.
fn array(text: &str) -> Option<Numbers> {
    let lines = numbers(text)?;
    let [head, values] = lines.as_slice() else {
        return None;
    };
    let right = head.len() == 1
        && head[0] == values.len() as i64
        && is_within(values, -1_000_000_000, 1_000_000_000);
    right.then_some(lines)
}

pub(super) fn all() -> Vec<ShrunkFormat> {
    vec![
        ShrunkFormat {
            name: "numbers",
            is_valid: |text| array(text).is_some(),
            // The second largest value is not updated by a value below the largest.
            fails: |lines| {
                let (mut largest, mut second) = (i64::MIN, i64::MIN);
                for value in &lines[1] {
                    if *value > largest {
                        second = largest;
                        largest = *value;
                    }
                }
                let mut sorted = lines[1].clone();
                sorted.sort_unstable();
                sorted.len() > 1 && sorted[sorted.len() - 2] != second
            },
            large: |random| {
                format!("60\n{}\n", row(60, || below(random, 2_000_000_000) - 1_000_000_000))
            },
            smallest: "2\n0 0\n",
        },
        ShrunkFormat {
            name: "tests",
            is_valid: |text| {
                tests(text).is_some_and(|tests| {
                    tests.iter().all(|[head, values]| {
                        head.len() == 1
                            && head[0] == values.len() as i64
                            && is_within(values, 0, 1_000_000)
                    })
                })
            },
            // The largest value is not reset between tests.
            fails: |lines| {
                let most: Vec<i64> =
                    lines[1..].chunks(2).map(|pair| *pair[1].iter().max().unwrap()).collect();
                most.windows(2).any(|pair| pair[1] < pair[0])
            },
            large: |random| {
                let test = |random: &mut RandomSource| {
                    let count = 1 + random.below(12);
                    format!("{count}\n{}\n", row(count, || below(random, 1_000_000)))
                };
                format!("20\n{}", (0..20).map(|_| test(random)).collect::<String>())
            },
            smallest: "2\n1\n1\n1\n0\n",
        },
        ShrunkFormat {
            name: "grid",
            // Two cells that touch at a corner only.
            is_valid: |text| {
                let Some((head, rest)) = text.split_once('\n') else {
                    return false;
                };
                let Some(size) = numbers(&format!("{head}\n")) else {
                    return false;
                };
                let [height, width] = size[0][..] else {
                    return false;
                };
                let rows: Vec<&[u8]> = rest.lines().map(str::as_bytes).collect();
                let right = rows.len() as i64 == height
                    && rest.ends_with('\n')
                    && rows.iter().all(|row| {
                        row.len() as i64 == width && row.iter().all(|cell| b".#".contains(cell))
                    });
                right
                    && rows.windows(2).any(|pair| {
                        (1..pair[0].len()).any(|at| {
                            let cells =
                                [pair[0][at - 1], pair[0][at], pair[1][at - 1], pair[1][at]];
                            cells == *b".##." || cells == *b"#..#"
                        })
                    })
            },
            fails: |_| true,
            large: |random| {
                let mut row = || {
                    (0..15)
                        .map(|_| if random.below(3) == 0 { '#' } else { '.' })
                        .collect::<String>()
                        + "\n"
                };
                format!("12 15\n{}", (0..12).map(|_| row()).collect::<String>())
            },
            smallest: "2 2\n#.\n.#\n",
        },
        ShrunkFormat {
            name: "queries",
            is_valid: |text| {
                let Some(lines) = numbers(text) else {
                    return false;
                };
                let [head, values, queries @ ..] = lines.as_slice() else {
                    return false;
                };
                head.len() == 2
                    && head[0] == values.len() as i64
                    && head[1] == queries.len() as i64
                    && !queries.is_empty()
                    && is_within(values, 0, 1_000_000)
                    && queries.iter().all(|query| {
                        query.len() == 2
                            && 1 <= query[0]
                            && query[0] <= query[1]
                            && query[1] <= head[0]
                    })
            },
            // The first value of a query is forgotten, unless it is the first one of all.
            fails: |lines| {
                lines[2..].iter().any(|query| {
                    query[0] > 1 && lines[1][usize::try_from(query[0]).unwrap() - 1] != 0
                })
            },
            large: |random| {
                let values = row(40, || below(random, 1_000_000));
                let mut query = || {
                    let (one, two) = (1 + random.below(40), 1 + random.below(40));
                    format!("{} {}\n", one.min(two), one.max(two))
                };
                format!("40 30\n{values}\n{}", (0..30).map(|_| query()).collect::<String>())
            },
            smallest: "2 1\n0 1\n2 2\n",
        },
        ShrunkFormat {
            name: "permutation",
            is_valid: |text| {
                let Some(lines) = array(text) else {
                    return false;
                };
                let mut sorted = lines[1].clone();
                sorted.sort_unstable();
                sorted.into_iter().eq(1..=lines[0][0])
            },
            // Three values of which the last is the smallest and the middle one the largest.
            fails: |lines| {
                let p = &lines[1];
                let triple = |i: usize, j: usize, k: usize| p[k] < p[i] && p[i] < p[j];
                (0..p.len())
                    .any(|i| (i + 1..p.len()).any(|j| (j + 1..p.len()).any(|k| triple(i, j, k))))
            },
            large: |random| {
                let mut values: Vec<i64> = (1..=30).collect();
                random.shuffle(&mut values);
                format!("30\n{}\n", row(30, || values.pop().unwrap()))
            },
            smallest: "3\n2 3 1\n",
        },
        ShrunkFormat {
            name: "string",
            // Two equal letters with another one between.
            is_valid: |text| {
                let lines: Vec<&str> = text.lines().collect();
                let [length, word] = lines[..] else {
                    return false;
                };
                let word = word.as_bytes();
                length == word.len().to_string()
                    && word.iter().all(u8::is_ascii_lowercase)
                    && word.windows(3).any(|three| three[0] == three[2] && three[0] != three[1])
            },
            fails: |_| true,
            large: |random| {
                let letter = |_| char::from(b'a' + u8::try_from(random.below(26)).unwrap());
                format!("80\n{}\n", (0..80).map(letter).collect::<String>())
            },
            smallest: "3\naba\n",
        },
        ShrunkFormat {
            name: "matrix",
            is_valid: |text| {
                let Some(lines) = numbers(text) else {
                    return false;
                };
                let [head, rows @ ..] = lines.as_slice() else {
                    return false;
                };
                head.len() == 2
                    && head[0] == rows.len() as i64
                    && head[1] > 0
                    && rows.iter().all(|row| {
                        row.len() as i64 == head[1] && is_within(row, -1_000_000, 1_000_000)
                    })
            },
            // The first row and the first column are all that is looked at.
            fails: |lines| {
                let rest = || lines.iter().skip(2).flat_map(|row| row.iter().skip(1));
                let border = lines
                    .get(1)
                    .into_iter()
                    .flatten()
                    .chain(lines.iter().skip(2).filter_map(|row| row.first()));
                rest().max() > border.max()
            },
            large: |random| {
                let rows = (0..9).map(|_| row(11, || below(random, 2_000_000) - 1_000_000) + "\n");
                format!("9 11\n{}", rows.collect::<String>())
            },
            smallest: "2 2\n0 0\n0 1\n",
        },
        ShrunkFormat {
            name: "bounded sum",
            is_valid: |text| {
                let Some(tests) = tests(text) else {
                    return false;
                };
                let sum: i64 = tests.iter().map(|[head, _]| head[0]).sum();
                sum <= 200
                    && tests.iter().all(|[head, values]| {
                        head.len() == 2
                            && head[0] == values.len() as i64
                            && is_within(&head[1..], 1, head[0])
                            && is_within(values, 1, 1_000_000)
                    })
            },
            // A window of two or more that does not end at the first values.
            fails: |lines| {
                lines[1..].chunks(2).any(|pair| {
                    let (size, values) = (usize::try_from(pair[0][1]).unwrap(), &pair[1]);
                    let sums: Vec<i64> =
                        values.windows(size).map(|window| window.iter().sum()).collect();
                    size > 1 && sums.iter().max() != sums.first()
                })
            },
            large: |random| {
                let test = |random: &mut RandomSource| {
                    let count = 1 + random.below(14);
                    let size = 1 + random.below(count);
                    format!("{count} {size}\n{}\n", row(count, || 1 + below(random, 999_999)))
                };
                format!("12\n{}", (0..12).map(|_| test(random)).collect::<String>())
            },
            smallest: "1\n3 2\n1 1 2\n",
        },
        ShrunkFormat {
            name: "decimals",
            // Two numbers of which each is nearer to the next whole number.
            is_valid: |text| {
                let lines: Vec<&str> = text.lines().collect();
                let [count, values] = lines[..] else {
                    return false;
                };
                let values: Vec<&str> = values.split(' ').collect();
                let digits =
                    |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
                let is_number = |word: &&str| match word.split_once('.') {
                    Some((whole, rest)) => {
                        digits(whole)
                            && digits(rest)
                            && rest.len() < 5
                            && (whole == "0" || !whole.starts_with('0'))
                    }
                    None => digits(word) && (*word == "0" || !word.starts_with('0')),
                };
                let rounds_up = |word: &&&str| {
                    word.split_once('.').is_some_and(|(_, rest)| rest.as_bytes()[0] >= b'5')
                };
                count == values.len().to_string()
                    && values.iter().all(is_number)
                    && values.iter().filter(rounds_up).count() > 1
            },
            fails: |_| true,
            large: |random| {
                let words: Vec<String> = (0..30)
                    .map(|_| format!("{}.{:03}", random.below(900), random.below(1000)))
                    .collect();
                format!("30\n{}\n", words.join(" "))
            },
            smallest: "2\n0.5 0.5\n",
        },
        ShrunkFormat {
            name: "interactive",
            is_valid: |text| {
                let Some(lines) = numbers(text) else {
                    return false;
                };
                let [[size, secret]] = lines.iter().map(Vec::as_slice).collect::<Vec<_>>()[..]
                else {
                    return false;
                };
                (1..=1_000_000_000).contains(size) && (1..=*size).contains(secret)
            },
            // The number before the last one is never guessed.
            fails: |lines| lines[0][0] > 2 && lines[0][1] == lines[0][0] - 1,
            large: |random| {
                let size = 1000 + random.below(900_000_000);
                format!("{size} {}\n", size - 1)
            },
            smallest: "3 2\n",
        },
    ]
}
