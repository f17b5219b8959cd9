//! The report as an SVG image: CPU time and memory against the size, on logarithmic axes.

use std::fmt::Write as _;

use rejudge_statistics::{median, quantile};

use super::chart::bounds;
use super::text::{bytes, rounded, seconds};
use super::{Growth, ScaleReport, SizeMeasurement};
use crate::printable::is_hazardous;

const WIDTH: f64 = 720.0;
const PANEL: f64 = 320.0;
const HEAD: f64 = 44.0;
/// The drawing area within a panel: left, top, right, bottom.
const AREA: (f64, f64, f64, f64) = (84.0, 34.0, 612.0, 276.0);

const STYLE: &str = "text{font:13px sans-serif;fill:#333}.t{font-weight:bold;font-size:15px}.s{fill:#666}\
.g{stroke:#ddd}.b{stroke:#1864ab;stroke-width:1.5}.d{fill:#1864ab}.f{fill:none;stroke:#d9480f;stroke-width:2}\
.o{fill:none;stroke:#d9480f;stroke-dasharray:5 4;opacity:.6}.l{stroke:#c92a2a;stroke-dasharray:2 3}";

/// A diagram of one figure against the size.
struct Panel<'a> {
    title: &'a str,
    growth: &'a Growth,
    figures: fn(&SizeMeasurement) -> &[f64],
    unit: fn(f64) -> String,
    marks: fn(&Axis) -> Vec<f64>,
    limit: Option<f64>,
}

/// The whole image; `None` if nothing was fitted.
pub(crate) fn svg(report: &ScaleReport) -> Option<String> {
    let panels = panels(report)?;
    let height = HEAD + PANEL * panels.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\">\n<style>{STYLE}</style>\n<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    let _ = writeln!(
        svg,
        "<text class=\"t\" x=\"{}\" y=\"28\">{}</text>",
        AREA.0,
        escaped(&report.solution)
    );
    draw(&panels, HEAD, report, &mut svg);
    svg.push_str("</svg>\n");
    Some(svg)
}

/// The diagrams as an element of a page in HTML, which has their style; `None` if nothing was fitted.
pub(super) fn element(report: &ScaleReport) -> Option<String> {
    let panels = panels(report)?;
    let height = PANEL * panels.len() as f64;
    let names: Vec<String> =
        panels.iter().map(|panel| format!("{}: {}", panel.title, panel.growth)).collect();
    let mut svg = format!(
        "<svg class=\"curves\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">\n",
        names.join("; ")
    );
    draw(&panels, 0.0, report, &mut svg);
    svg.push_str("</svg>\n");
    Some(svg)
}

fn panels(report: &ScaleReport) -> Option<Vec<Panel<'_>>> {
    let mut panels = vec![Panel {
        title: "CPU time",
        growth: report.cpu.as_ref()?,
        figures: |measured| &measured.cpu,
        unit: seconds,
        marks: Axis::decimal,
        limit: Some(report.limit.as_secs_f64()),
    }];
    panels.extend(report.memory.as_ref().map(|growth| Panel {
        title: "peak memory",
        growth,
        figures: |measured| &measured.memory,
        unit: bytes,
        marks: Axis::binary,
        limit: None,
    }));
    Some(panels)
}

/// Draws the diagrams below each other, from `head` on.
fn draw(panels: &[Panel<'_>], head: f64, report: &ScaleReport, svg: &mut String) {
    for (index, panel) in panels.iter().enumerate() {
        let top = head + PANEL * index as f64;
        let _ = writeln!(svg, "<g transform=\"translate(0 {top})\">");
        panel.draw(report, svg);
        svg.push_str("</g>\n");
    }
}

/// A logarithmic axis: maps the figures `low..high` to the pixels `from..to`.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// The position of a value in pixels. A value below the axis, such as a time of zero from a coarse clock, is drawn at
    /// the start of the axis.
    fn position(&self, value: f64) -> f64 {
        let share = (value.max(self.low) / self.low).ln() / (self.high / self.low).ln();
        self.from + (self.to - self.from) * share
    }

    /// Marks at powers of ten; if there are fewer than two, also at twice and five times the powers.
    fn decimal(&self) -> Vec<f64> {
        let (first, last) = (self.low.log10().floor(), self.high.log10().ceil());
        let powers = || (first as i32..=last as i32).map(|power| 10_f64.powi(power));
        let more = powers().flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * power));
        self.at_least_two(powers().collect(), more.collect())
    }

    /// Marks at powers of 16; if there are fewer than two, at powers of 2.
    fn binary(&self) -> Vec<f64> {
        let powers = |step: usize| (0..=60).step_by(step).map(|power| 2_f64.powi(power)).collect();
        self.at_least_two(powers(4), powers(1))
    }

    /// The coarse marks on the axis if there are at least two, otherwise the fine ones.
    fn at_least_two(&self, mut coarse: Vec<f64>, mut fine: Vec<f64>) -> Vec<f64> {
        let within = |value: &f64| (self.low..=self.high).contains(value);
        coarse.retain(within);
        fine.retain(within);
        if coarse.len() > 1 { coarse } else { fine }
    }
}

impl Panel<'_> {
    fn draw(&self, report: &ScaleReport, svg: &mut String) {
        let (left, top, right, bottom) = AREA;
        let measured: Vec<&SizeMeasurement> = report.measured().collect();
        let (low, high) = bounds(measured.iter().map(|one| one.n as f64));
        let across = Axis { low, high, from: left, to: right };
        let ends = self.growth.fits().iter().flat_map(|fit| [fit.at(low), fit.at(high)]);
        let values = measured.iter().flat_map(|one| (self.figures)(one).iter().copied());
        let (least, most) = bounds(values.chain(ends).filter(|value| *value > 0.0));
        let limit = self.limit.filter(|limit| *limit < most * 20.0);
        let most = most.max(limit.unwrap_or(0.0));
        // A flat line needs a margin with marks.
        let room = if most < 4.0 * least { 2.0 } else { 1.2 };
        let up = Axis { low: least / room, high: most * room, from: bottom, to: top };
        self.axes(svg, &across, &up);
        if let Some(limit) = limit.filter(|limit| *limit > up.low) {
            let y = up.position(limit);
            let _ = writeln!(
                svg,
                "<line class=\"l\" x1=\"{left}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text class=\"s\" x=\"{}\" y=\"{:.1}\">limit</text>",
                right + 6.0,
                y + 4.0
            );
        }
        self.curves(svg, &across, &up);
        for one in measured {
            self.dot(svg, one, (&across, &up));
        }
    }

    fn axes(&self, svg: &mut String, across: &Axis, up: &Axis) {
        let (left, top, right, bottom) = AREA;
        let _ = writeln!(
            svg,
            "<text class=\"t\" x=\"{left}\" y=\"20\">{}: {}</text>",
            self.title, self.growth
        );
        for value in across.decimal() {
            let x = across.position(value);
            let _ = writeln!(
                svg,
                "<line class=\"g\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{top}\" y2=\"{bottom}\"/>\
                 <text class=\"s\" text-anchor=\"middle\" x=\"{x:.1}\" y=\"{}\">{}</text>",
                bottom + 18.0,
                rounded(value as u64)
            );
        }
        for value in (self.marks)(up) {
            let y = up.position(value);
            let _ = writeln!(
                svg,
                "<line class=\"g\" x1=\"{left}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text class=\"s\" text-anchor=\"end\" x=\"{}\" y=\"{:.1}\">{}</text>",
                left - 8.0,
                y + 4.0,
                (self.unit)(value)
            );
        }
        let _ = writeln!(
            svg,
            "<text class=\"s\" x=\"{}\" y=\"{}\">n</text>",
            right + 8.0,
            bottom + 18.0
        );
    }

    fn curves(&self, svg: &mut String, across: &Axis, up: &Axis) {
        const STEPS: u32 = 120;
        let best = self.growth.best();
        for fit in self.growth.fits() {
            let mut path = String::new();
            for step in 0..=STEPS {
                let n = across.low
                    * (across.high / across.low).powf(f64::from(step) / f64::from(STEPS));
                let value = fit.at(n);
                if value >= up.low {
                    let word = if path.is_empty() { "M" } else { "L" };
                    let _ =
                        write!(path, "{word}{:.1} {:.1}", across.position(n), up.position(value));
                }
            }
            let class = if fit == best { "f" } else { "o" };
            let _ = writeln!(svg, "<path class=\"{class}\" d=\"{path}\"/>");
        }
        // Only the best curve has a label: the labels of others would overlap it.
        let y = up.position(best.at(across.high).max(up.low));
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{:.1}\">{}</text>",
            AREA.2 + 6.0,
            y + 4.0,
            best.family
        );
    }

    fn dot(&self, svg: &mut String, one: &SizeMeasurement, (across, up): (&Axis, &Axis)) {
        let figures = (self.figures)(one);
        let at = |fraction| quantile(figures, fraction).ok();
        let (Some(low), Ok(middle), Some(high)) = (at(0.25), median(figures), at(0.75)) else {
            return;
        };
        let x = across.position(one.n as f64);
        let _ = writeln!(
            svg,
            "<line class=\"b\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{:.1}\"/>\
             <circle class=\"d\" cx=\"{x:.1}\" cy=\"{:.1}\" r=\"3.5\"><title>n = {}: {}</title></circle>",
            up.position(low),
            up.position(high),
            up.position(middle),
            one.n,
            (self.unit)(middle)
        );
    }
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.chars().filter(|c| !is_hazardous(*c)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Asserted;
    use super::*;

    #[test]
    fn a_name_cannot_inject_markup() {
        assert_eq!(escaped("a<b>&\x1b[2Jc"), "a&lt;b&gt;&amp;[2Jc");
    }

    #[test]
    fn a_time_of_zero_is_drawn_at_a_finite_position() {
        let measured = |size: u32| {
            let n = 1000 << size;
            let cpu = 1e-6 * n as f64;
            SizeMeasurement {
                n,
                input: n,
                cpu: vec![0.0, cpu, cpu],
                memory: vec![1e6; 3],
                over: None,
            }
        };
        let series = (0..8).map(measured).collect();
        let limit = std::time::Duration::from_secs(1);
        let report = ScaleReport::new(String::new(), series, limit, Asserted::default());
        let picture = svg(&report).unwrap();
        assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
    }

    #[test]
    fn an_axis_has_at_least_two_marks() {
        let axis = |low, high| Axis { low, high, from: 0.0, to: 1.0 };
        assert_eq!(axis(900.0, 1.1e6).decimal(), [1e3, 1e4, 1e5, 1e6]);
        assert_eq!(axis(3.0, 60.0).decimal(), [5.0, 10.0, 20.0, 50.0]);
        assert_eq!(axis(5e6, 2e7).binary(), [8_388_608.0, 16_777_216.0]);
        assert_eq!(axis(1e6, 1e9).binary(), [1_048_576.0, 16_777_216.0, 268_435_456.0]);
    }
}
