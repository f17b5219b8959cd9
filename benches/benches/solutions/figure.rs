//! The figure that criterion records: the sandbox's measurement of the program, not the time of the loop around it.

use std::env;

use criterion::Throughput;
use criterion::measurement::{Measurement, ValueFormatter};
use rejudge::bench::{RunMeasurement, formatted};
use rejudge::statistics::Quantity;

/// A figure of a run, summed over runs.
pub(crate) struct Figure(pub(crate) Quantity);

/// The quantity that `REJUDGE_BENCH` selects.
pub(crate) fn quantity_from_environment() -> Quantity {
    match env::var("REJUDGE_BENCH").as_deref() {
        Err(_) | Ok("" | "cpu") => Quantity::CpuTime,
        Ok("wall") => Quantity::WallTime,
        Ok("memory") => Quantity::Memory,
        Ok("instructions") => Quantity::Instructions,
        Ok(other) => {
            panic!("invalid REJUDGE_BENCH `{other}`: expected cpu, wall, memory or instructions")
        }
    }
}

/// The name of the quantity in the names of benchmarks.
pub(crate) fn quantity_name(quantity: Quantity) -> &'static str {
    rejudge::bench::quantity_key(quantity)
}

impl Figure {
    /// The figure in nanoseconds (criterion's unit of time), bytes or instructions.
    pub(crate) fn value(measurement: &RunMeasurement, quantity: Quantity) -> f64 {
        let unit = match quantity {
            Quantity::CpuTime | Quantity::WallTime => 1e9,
            Quantity::Memory | Quantity::Instructions => 1.0,
        };
        measurement.of(quantity) * unit
    }
}

impl Measurement for Figure {
    type Intermediate = ();
    type Value = f64;

    fn start(&self) {}

    /// Never used: all benchmarks call `iter_custom`, which supplies its own values.
    fn end(&self, (): ()) -> f64 {
        0.0
    }

    fn add(&self, a: &f64, b: &f64) -> f64 {
        a + b
    }

    fn zero(&self) -> f64 {
        0.0
    }

    fn to_f64(&self, value: &f64) -> f64 {
        *value
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        self
    }
}

impl Figure {
    /// A suitable unit for `typical`: its size in the stored unit, and its name.
    fn scale(&self, typical: f64) -> (f64, &'static str) {
        let steps: &[(f64, &'static str)] = match self.0 {
            Quantity::CpuTime | Quantity::WallTime => {
                &[(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns")]
            }
            Quantity::Memory => &[(1_048_576.0, "MiB"), (1024.0, "KiB"), (1.0, "B")],
            Quantity::Instructions => {
                &[(1e9, "G instr."), (1e6, "M instr."), (1e3, "k instr."), (1.0, "instr.")]
            }
        };
        let fits = steps.iter().find(|(unit, _)| typical >= *unit);
        *fits.unwrap_or(&steps[steps.len() - 1])
    }
}

impl ValueFormatter for Figure {
    fn format_value(&self, value: f64) -> String {
        let unit = match self.0 {
            Quantity::CpuTime | Quantity::WallTime => 1e-9,
            Quantity::Memory | Quantity::Instructions => 1.0,
        };
        formatted(self.0, value * unit).to_string()
    }

    fn scale_values(&self, typical: f64, values: &mut [f64]) -> &'static str {
        let (unit, name) = self.scale(typical);
        for value in values {
            *value /= unit;
        }
        name
    }

    fn scale_throughputs(&self, typical: f64, _: &Throughput, values: &mut [f64]) -> &'static str {
        self.scale_values(typical, values)
    }

    fn scale_for_machines(&self, _: &mut [f64]) -> &'static str {
        match self.0 {
            Quantity::CpuTime | Quantity::WallTime => "ns",
            Quantity::Memory => "B",
            Quantity::Instructions => "instructions",
        }
    }
}
