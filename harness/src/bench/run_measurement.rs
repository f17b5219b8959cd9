//! The figures of one run of a program, and their names and units.

use std::fmt;
use std::time::Duration;

use rejudge_quantity::Bytes;
use rejudge_statistics::Quantity;

/// The resources that one run used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunMeasurement {
    /// User plus system CPU time.
    pub cpu: Duration,
    /// Wall time.
    pub wall: Duration,
    /// Peak memory.
    pub memory: Bytes,
    /// Instructions, if they were counted. The other figures then include the cost of counting.
    pub instructions: Option<u64>,
}

impl RunMeasurement {
    /// The figure for `quantity`, in its unit; zero if it was not measured.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "no measured program needs 2^53 bytes or instructions"
    )]
    pub fn of(&self, quantity: Quantity) -> f64 {
        match quantity {
            Quantity::CpuTime => self.cpu.as_secs_f64(),
            Quantity::WallTime => self.wall.as_secs_f64(),
            Quantity::Memory => self.memory.get() as f64,
            Quantity::Instructions => self.instructions.unwrap_or_default() as f64,
        }
    }
}

/// The human-readable name.
#[must_use]
pub const fn quantity_name(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::CpuTime => "CPU time",
        Quantity::WallTime => "wall time",
        Quantity::Memory => "peak memory",
        Quantity::Instructions => "instructions",
    }
}

/// The name in JSON.
#[must_use]
pub const fn quantity_key(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::CpuTime => "cpu",
        Quantity::WallTime => "wall",
        Quantity::Memory => "memory",
        Quantity::Instructions => "instructions",
    }
}

/// A value in a human-readable form.
#[must_use]
pub const fn formatted(quantity: Quantity, value: f64) -> FormattedFigure {
    FormattedFigure { quantity, value }
}

/// Displays three digits and a unit: `41.2 ms`, `3.50 MiB`, `263 M`.
#[derive(Debug, Clone, Copy)]
pub struct FormattedFigure {
    quantity: Quantity,
    value: f64,
}

impl fmt::Display for FormattedFigure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units: &[(f64, &str)] = match self.quantity {
            Quantity::CpuTime | Quantity::WallTime => {
                &[(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")]
            }
            Quantity::Memory => {
                &[(1_073_741_824.0, "GiB"), (1_048_576.0, "MiB"), (1024.0, "KiB"), (1.0, "B")]
            }
            Quantity::Instructions => &[(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")],
        };
        let size = self.value.abs();
        let last = units[units.len() - 1];
        let (unit, name) = *units.iter().find(|(unit, _)| size >= *unit).unwrap_or(&last);
        let value = self.value / unit;
        let decimals = match value.abs() {
            value if value >= 100.0 => 0,
            value if value >= 10.0 => 1,
            _ => 2,
        };
        let gap = if name.is_empty() { "" } else { " " };
        f.pad(&format!("{value:.decimals$}{gap}{name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_three_digits_and_a_unit() {
        let table = [
            (Quantity::CpuTime, 0.041_234, "41.2 ms"),
            (Quantity::WallTime, 1.5, "1.50 s"),
            (Quantity::CpuTime, 0.000_812, "812 µs"),
            (Quantity::CpuTime, 0.0, "0.00 ns"),
            (Quantity::Memory, 3_670_016.0, "3.50 MiB"),
            (Quantity::Instructions, 263_100_000.0, "263 M"),
            (Quantity::Instructions, 12.0, "12.0"),
        ];
        for (quantity, value, expected) in table {
            assert_eq!(formatted(quantity, value).to_string(), expected);
        }
    }
}
