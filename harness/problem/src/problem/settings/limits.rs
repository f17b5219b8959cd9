//! `limits`: times, sizes and margins, each checked against its bounds.

use std::time::Duration;

use rejudge_quantity::Bytes;

use super::{DAY, MarginSettings, PackageSettings, SettingsReader};
use crate::problem::Format;
use crate::problem::yaml::{Node, Value};

const LIMIT_KEYS: [&str; 15] = [
    "time_limit",
    "time_resolution",
    "time_multipliers",
    "memory",
    "output",
    "code",
    "compilation_time",
    "compilation_memory",
    "validation_time",
    "validation_memory",
    "validation_output",
    "validation_passes",
    // Legacy.
    "time_multiplier",
    "time_safety_margin",
    "time_limit_multiplier",
];

const TIB_IN_MIB: f64 = 1_048_576.0;

impl SettingsReader<'_> {
    pub(super) fn limits(&mut self, node: &Node, settings: &mut PackageSettings) {
        let PackageSettings { limits, margins, format, dialect, other_names, .. } = settings;
        let entries = match &node.value {
            Value::Map(entries) => entries,
            Value::Null => return,
            other => {
                let got = other.kind();
                self.fault(node.place, &format!("`limits` must be a table, got {got}"));
                return;
            }
        };
        for (key, node) in entries {
            let name = key.name.as_str();
            let full = format!("limits.{name}");
            if let Some(instead) = dialect.instead_of(&full) {
                other_names.add(full, instead);
                continue;
            }
            match name {
                "time_limit" => limits.cpu_time = self.seconds(name, node),
                "memory" => limits.memory = self.size(name, "MiB", Bytes::mib, node),
                "output" => limits.output = self.size(name, "MiB", Bytes::mib, node),
                "code" => limits.code = self.size(name, "KiB", Bytes::kib, node),
                "compilation_time" => limits.compilation_time = self.seconds(name, node),
                "compilation_memory" => {
                    limits.compilation_memory = self.size(name, "MiB", Bytes::mib, node);
                }
                "validation_time" => limits.validation_time = self.seconds(name, node),
                "validation_memory" => {
                    limits.validation_memory = self.size(name, "MiB", Bytes::mib, node);
                }
                "validation_output" => {
                    limits.validation_output = self.size(name, "MiB", Bytes::mib, node);
                }
                "time_resolution" => {
                    margins.resolution = self.number(name, "a number of seconds", DAY, node);
                }
                "time_multiplier" => margins.below = self.factor(name, node),
                "time_safety_margin" => margins.above = self.factor(name, node),
                "validation_passes" => limits.validation_passes = self.passes(node),
                // The legacy format does not have this key. A table is read all the same: it can only mean that of 2025-09.
                "time_multipliers"
                    if *format == Format::Legacy && !matches!(node.value, Value::Map(_)) =>
                {
                    self.unknown(key, "limits.", &[]);
                }
                "time_multipliers" => self.multipliers(node, margins),
                _ if LIMIT_KEYS.contains(&name) => {}
                _ => self.unknown(key, "limits.", &LIMIT_KEYS),
            }
        }
    }

    fn multipliers(&mut self, node: &Node, margins: &mut MarginSettings) {
        const KNOWN: [&str; 2] = ["ac_to_time_limit", "time_limit_to_tle"];
        let Value::Map(entries) = &node.value else {
            let got = node.value.kind();
            let message = format!("`limits.time_multipliers` must be a table, got {got}");
            self.fault(node.place, &message);
            return;
        };
        for (key, node) in entries {
            let name = format!("time_multipliers.{}", key.name);
            if key.name == KNOWN[0] {
                margins.below = self.factor(&name, node);
            } else if key.name == KNOWN[1] {
                margins.above = self.factor(&name, node);
            } else {
                self.unknown(key, "limits.time_multipliers.", &KNOWN);
            }
        }
    }

    /// A margin, at least 1.
    fn factor(&mut self, name: &str, node: &Node) -> Option<f64> {
        let number = self.number(name, "a number", DAY, node)?;
        if number < 1.0 {
            let message = format!("`limits.{name}` must be at least 1, got `{number}`");
            self.fault(node.place, &message);
            return None;
        }
        Some(number)
    }

    fn seconds(&mut self, name: &str, node: &Node) -> Option<Duration> {
        let seconds = self.number(name, "a number of seconds", DAY, node)?;
        // Less than half a nanosecond would round to zero, which is not a valid limit.
        Some(Duration::from_secs_f64(seconds).max(Duration::from_nanos(1)))
    }

    fn size(
        &mut self,
        name: &str,
        unit: &str,
        bytes: fn(u64) -> Bytes,
        node: &Node,
    ) -> Option<Bytes> {
        let what = format!("a whole number of {unit}");
        let number = self.number(name, &what, TIB_IN_MIB, node)?;
        if number.fract() != 0.0 {
            let message = format!("`limits.{name}` must be {what}, got `{number}`");
            self.fault(node.place, &message);
            return None;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole, positive and bounded by the line above"
        )]
        let whole = number as u64;
        Some(bytes(whole))
    }

    /// The largest number of passes on one case of a multi-pass problem.
    fn passes(&mut self, node: &Node) -> Option<u32> {
        match node.value {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "whole and in the range"
            )]
            Value::Number(number) if number.fract() == 0.0 && (2.0..=1e6).contains(&number) => {
                Some(number as u32)
            }
            _ => {
                let got = node.value.kind();
                let message = format!(
                    "`limits.validation_passes` must be a whole number of at least 2, got {got}"
                );
                self.fault(node.place, &message);
                None
            }
        }
    }

    fn number(&mut self, name: &str, what: &str, most: f64, node: &Node) -> Option<f64> {
        let Value::Number(number) = node.value else {
            let got = node.value.kind();
            let message = format!("`limits.{name}` must be {what}, got {got}");
            self.fault(node.place, &message);
            return None;
        };
        let fault = if number.is_nan() || number <= 0.0 {
            "must be greater than zero".to_owned()
        } else if number > most {
            format!("must be at most {most}")
        } else {
            return Some(number);
        };
        let message = format!("`limits.{name}` {fault}, got `{number}`");
        self.fault(node.place, &message);
        None
    }
}
