//! Draws a living tree: `tree INPUT ANSWER FEEDBACK_DIR [ARGUMENT]… < OUTPUT`.
//!
//! A frame shows a generation. If there are few generations up to the last query, each of them gets a
//! frame; otherwise only those of the queries. A ring marks the nodes of the queries: green if the output
//! is right, red if it is wrong. A list of these queries is next to the tree. For a large tree, the
//! program draws only the first nodes in breadth-first order. It writes the frames to
//! `judgeimage-000.svg`, `judgeimage-001.svg` and so on in the feedback folder, and exits with 42.

use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;

/// The limits on frames, on nodes in a frame, and on nodes × generations to simulate.
const MAX_FRAMES: usize = 60;
const MAX_DRAWN: usize = 255;
const MAX_WORK: usize = 500_000_000;

const WIDE: f64 = 960.0;
const HIGH: f64 = 540.0;
const SIDE: f64 = 250.0;

#[derive(Default)]
struct Node {
    alive: bool,
    parent: Option<usize>,
    children: Option<[usize; 2]>,
    /// The rank from left to right.
    place: usize,
    level: usize,
}

struct Query {
    clock: usize,
    path: String,
    node: usize,
}

/// Reads the tree, with the nodes from left to right. Returns the nodes and the root.
fn parse_tree(text: &str) -> Option<(Vec<Node>, usize)> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut open: Vec<Vec<usize>> = Vec::new();
    for symbol in text.chars().filter(|symbol| !symbol.is_whitespace()) {
        let part = match symbol {
            '(' => {
                open.push(Vec::new());
                continue;
            }
            ')' => {
                let parts = open.pop().filter(|parts| parts.len() == 3)?;
                let me = parts[1];
                nodes[me].children = Some([parts[0], parts[2]]);
                nodes[parts[0]].parent = Some(me);
                nodes[parts[2]].parent = Some(me);
                me
            }
            _ => {
                let inner = open.last().is_some_and(|parts| parts.len() == 1);
                let level = open.len() - usize::from(inner);
                nodes.push(Node {
                    alive: symbol == 'X',
                    place: nodes.len(),
                    level,
                    ..Node::default()
                });
                nodes.len() - 1
            }
        };
        match open.last_mut() {
            Some(parts) => parts.push(part),
            None => return Some((nodes, part)),
        }
    }
    None
}

fn find(nodes: &[Node], root: usize, path: &str) -> usize {
    path.chars().fold(root, |node, turn| {
        nodes[node].children.map_or(node, |[left, right]| if turn == '<' { left } else { right })
    })
}

fn parse(input: &str) -> Option<(u32, Vec<Node>, usize, Vec<Query>)> {
    let mut lines = input.lines();
    let rule = lines.next()?.trim().parse().ok()?;
    let (nodes, root) = parse_tree(lines.next()?)?;
    let count: usize = lines.next()?.trim().parse().ok()?;
    let (mut clock, mut queries) = (0i64, Vec::new());
    for _ in 0..count {
        let (step, path) = lines.next()?.split_once('[')?;
        clock += step.trim().parse::<i64>().ok()?;
        let path = path.trim_end().trim_end_matches(']').to_string();
        queries.push(Query {
            clock: usize::try_from(clock).ok()?,
            node: find(&nodes, root, &path),
            path,
        });
    }
    Some((rule, nodes, root, queries))
}

/// Computes the next generation.
fn advance(rule: u32, nodes: &mut [Node]) {
    let alive = |node: Option<usize>| node.is_some_and(|node| nodes[node].alive);
    let next: Vec<bool> = nodes
        .iter()
        .map(|node| {
            let [left, right] = node.children.map_or([None, None], |children| children.map(Some));
            let [parent, left, right] =
                [node.parent, left, right].map(|node| u32::from(alive(node)));
            rule >> (8 * parent + 4 * left + 2 * u32::from(node.alive) + right) & 1 == 1
        })
        .collect();
    for (node, alive) in nodes.iter_mut().zip(next) {
        node.alive = alive;
    }
}

/// The nodes to draw, in breadth-first order, each with its coordinates.
fn layout(nodes: &[Node], root: usize) -> Vec<(usize, f64, f64)> {
    let mut shown = vec![root];
    let mut at = 0;
    while at < shown.len() && shown.len() + 2 <= MAX_DRAWN {
        if let Some(children) = nodes[shown[at]].children {
            shown.extend(children);
        }
        at += 1;
    }
    let deepest = shown.iter().map(|&node| nodes[node].level).max().unwrap_or(0);
    let mut places: Vec<usize> = shown.iter().map(|&node| nodes[node].place).collect();
    places.sort_unstable();
    let across = WIDE / places.len() as f64;
    let down = (HIGH / (deepest + 1) as f64).min(90.0);
    let top = 76.0 + (HIGH - down * (deepest + 1) as f64) / 2.0;
    let locate = |&node: &usize| {
        let place = places.binary_search(&nodes[node].place).unwrap_or(0);
        (node, 20.0 + across * (place as f64 + 0.5), top + down * (nodes[node].level as f64 + 0.5))
    };
    shown.iter().map(locate).collect()
}

struct Picture<'a> {
    nodes: &'a [Node],
    layout: &'a [(usize, f64, f64)],
    queries: &'a [Query],
    /// The output and the answer, one character per query; `?` if it is not `X` or `.`.
    printed: Vec<char>,
    right: Vec<char>,
}

impl Picture<'_> {
    fn draw(&self, rule: u32, clock: usize) -> String {
        let across = WIDE / self.layout.len() as f64;
        let radius = (across * 0.75).clamp(2.5, 20.0);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"Helvetica, Arial, sans-serif\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#f7f5f0\"/>\n\
             <text x=\"28\" y=\"44\" font-size=\"26\" font-weight=\"600\" fill=\"#26323f\">generation {clock}</text>\n\
             <text x=\"{}\" y=\"44\" font-size=\"18\" text-anchor=\"end\" fill=\"#66717d\">rule {rule}, {} of {} nodes alive{}</text>\n",
            WIDE + SIDE + 40.0,
            HIGH + 100.0,
            WIDE + 16.0,
            self.nodes.iter().filter(|node| node.alive).count(),
            self.nodes.len(),
            if self.layout.len() < self.nodes.len() {
                format!(", {} drawn", self.layout.len())
            } else {
                String::new()
            },
        );
        self.branches(&mut svg, radius);
        for &(node, x, y) in self.layout {
            let (fill, edge) = if self.nodes[node].alive {
                ("#2f9e6e", "#1d6b4a")
            } else {
                ("#ffffff", "#a9b1ba")
            };
            let thick = (radius / 8.0).max(0.4);
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"{thick:.1}\"/>"
            );
        }
        self.queries(&mut svg, clock, radius);
        svg + "</svg>\n"
    }

    fn branches(&self, svg: &mut String, radius: f64) {
        let mut places = vec![None; self.nodes.len()];
        for &(node, x, y) in self.layout {
            places[node] = Some((x, y));
        }
        let thick = (radius / 6.0).clamp(0.5, 2.5);
        for &(node, x, y) in self.layout {
            if let Some((to_x, to_y)) = self.nodes[node].parent.and_then(|parent| places[parent]) {
                let _ = writeln!(
                    svg,
                    "<path d=\"M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}\" stroke=\"#b9b2a3\" stroke-width=\"{thick:.1}\"/>"
                );
            }
        }
    }

    /// Marks the nodes of this generation's queries, and lists the queries.
    fn queries(&self, svg: &mut String, clock: usize, radius: f64) {
        let now: Vec<usize> =
            (0..self.queries.len()).filter(|&query| self.queries[query].clock == clock).collect();
        let colour = |query: usize| {
            if self.printed[query] == self.right[query] { "#1d8a5b" } else { "#d23b3b" }
        };
        for &query in &now {
            for &(_, x, y) in self.layout.iter().filter(|drawn| drawn.0 == self.queries[query].node)
            {
                let ring = radius + (radius / 3.0).max(2.5);
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{ring:.1}\" fill=\"none\" stroke=\"{}\" stroke-width=\"3\"/>",
                    colour(query)
                );
            }
        }
        let left = WIDE + 40.0;
        let title = if now.is_empty() { "nothing is asked now" } else { "asked now" };
        let _ = writeln!(
            svg,
            "<text x=\"{left}\" y=\"44\" font-size=\"18\" fill=\"#66717d\">{title}</text>"
        );
        for (line, &query) in now.iter().take(20).enumerate() {
            let path = &self.queries[query].path;
            let short: String = path
                .chars()
                .take(14)
                .map(|turn| if turn == '<' { "&lt;" } else { "&gt;" })
                .collect();
            let dots = if path.len() > 14 { "…" } else { "" };
            let (printed, right) = (self.printed[query], self.right[query]);
            let verdict = if printed == right {
                format!("{right}")
            } else {
                format!("{printed} instead of {right}")
            };
            let _ = writeln!(
                svg,
                "<text x=\"{left}\" y=\"{:.0}\" font-size=\"17\" fill=\"{}\">{}. [{short}{dots}]  {verdict}</text>",
                78.0 + 26.0 * line as f64,
                colour(query),
                query + 1,
            );
        }
        if now.len() > 20 {
            let _ = writeln!(
                svg,
                "<text x=\"{left}\" y=\"606\" font-size=\"17\" fill=\"#66717d\">and {} more</text>",
                now.len() - 20
            );
        }
    }
}

/// The generations to draw.
fn moments(nodes: usize, queries: &[Query]) -> Vec<usize> {
    let mut asked: Vec<usize> = queries.iter().map(|query| query.clock).collect();
    asked.sort_unstable();
    asked.dedup();
    let latest = asked.last().copied().unwrap_or(0);
    if latest < MAX_FRAMES {
        return (0..=latest).collect();
    }
    asked.truncate(MAX_FRAMES);
    asked.retain(|&moment| moment.saturating_mul(nodes) <= MAX_WORK);
    asked
}

fn draw(arguments: &[String], output: &str) -> Result<(), String> {
    let [input, answer, folder, ..] = arguments else {
        return Err("usage: tree INPUT ANSWER FEEDBACK_DIR < OUTPUT".into());
    };
    let read =
        |path: &String| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let (rule, mut nodes, root, queries) =
        parse(&read(input)?).ok_or_else(|| format!("{input}: no tree"))?;
    let layout = layout(&nodes, root);
    let marks = |text: &str| -> Vec<char> {
        let words = text
            .split_ascii_whitespace()
            .map(|word| if matches!(word, "X" | ".") { word.chars().next() } else { None });
        words
            .map(|mark| mark.unwrap_or('?'))
            .chain(std::iter::repeat('?'))
            .take(queries.len())
            .collect()
    };
    let (printed, right) = (marks(output), marks(&read(answer)?));
    let mut clock = 0;
    for (number, moment) in moments(nodes.len(), &queries).into_iter().enumerate() {
        while clock < moment {
            advance(rule, &mut nodes);
            clock += 1;
        }
        let picture = Picture {
            nodes: &nodes,
            layout: &layout,
            queries: &queries,
            printed: printed.clone(),
            right: right.clone(),
        };
        let path = Path::new(folder).join(format!("judgeimage-{number:03}.svg"));
        std::fs::write(&path, picture.draw(rule, clock))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut output = Vec::new();
    let drawn = std::io::stdin().read_to_end(&mut output).map_err(|error| error.to_string());
    match drawn.and_then(|_| draw(&arguments, &String::from_utf8_lossy(&output))) {
        Ok(()) => std::process::exit(42),
        Err(message) => {
            eprintln!("error: {message}");
            std::process::exit(1);
        }
    }
}
