//! Validates lines of JSON against the schemas in `harness/schema`.
//!
//! It knows the keywords that these schemas have, and refuses a schema with another one.

use std::path::PathBuf;

use serde_json::{Map, Value};

/// Keywords that restrict nothing.
const NOTES: [&str; 6] = ["$schema", "$defs", "title", "description", "default", "format"];

/// The schemas of a command: what its options write.
pub(crate) struct LineSchema {
    root: Value,
}

impl LineSchema {
    /// The schema in `NAME.schema.json`.
    pub(crate) fn of(name: &str) -> Self {
        let path = folder().join(format!("{name}.schema.json"));
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self { root: serde_json::from_str(&text).unwrap() }
    }

    /// Why the line is not valid. The schemas of the other types of lines say nothing about it.
    pub(crate) fn fault(&self, line: &Value) -> Option<String> {
        let kinds = self.root["anyOf"].as_array().unwrap();
        let of_type = |kind: &&Value| {
            let branches =
                kind["oneOf"].as_array().cloned().unwrap_or_else(|| vec![(*kind).clone()]);
            branches.iter().any(|one| one["properties"]["type"]["const"] == line["type"])
        };
        match kinds.iter().find(of_type) {
            Some(kind) => self.check(kind, line, "the line").err(),
            None => Some(format!("no line has the type {}", line["type"])),
        }
    }

    fn check(&self, schema: &Value, value: &Value, place: &str) -> Result<(), String> {
        let Value::Object(schema) = schema else {
            assert_eq!(schema, &Value::Bool(true), "at {place}");
            return Ok(());
        };
        for (keyword, wanted) in schema {
            let holds = match keyword.as_str() {
                "type" => types(wanted).any(|name| is_a(name, value)),
                "const" => wanted == value,
                "enum" => wanted.as_array().unwrap().contains(value),
                // These concern only numbers, and only arrays.
                "minimum" => value.as_f64().is_none_or(|one| Some(one) >= wanted.as_f64()),
                "maximum" => value.as_f64().is_none_or(|one| Some(one) <= wanted.as_f64()),
                "minItems" => items(value).is_none_or(|count| Some(count) >= wanted.as_u64()),
                "maxItems" => items(value).is_none_or(|count| Some(count) <= wanted.as_u64()),
                "$ref" => {
                    self.check(self.definition(wanted), value, place)?;
                    true
                }
                "required" => {
                    let missing = strings(wanted).find(|key| value.get(key).is_none());
                    if let Some(key) = missing {
                        return Err(format!("{place} has no `{key}`"));
                    }
                    true
                }
                "properties" => {
                    self.check_properties(wanted.as_object().unwrap(), value, place)?;
                    true
                }
                "additionalProperties" => {
                    let named = schema.get("properties").and_then(Value::as_object);
                    for (key, value) in value.as_object().into_iter().flatten() {
                        if !named.is_some_and(|named| named.contains_key(key)) {
                            self.check(wanted, value, &format!("`{key}` of {place}"))?;
                        }
                    }
                    true
                }
                "items" => {
                    for item in value.as_array().into_iter().flatten() {
                        self.check(wanted, item, &format!("an item of {place}"))?;
                    }
                    true
                }
                "anyOf" => self.holding(wanted, value, place) > 0,
                "oneOf" => self.holding(wanted, value, place) == 1,
                note if NOTES.contains(&note) => true,
                other => panic!("unknown keyword `{other}` at {place}"),
            };
            if !holds {
                return Err(format!("{place}: `{keyword}` must be {wanted}, not {value}"));
            }
        }
        Ok(())
    }

    fn check_properties(
        &self,
        properties: &Map<String, Value>,
        value: &Value,
        place: &str,
    ) -> Result<(), String> {
        for (key, schema) in properties {
            if let Some(value) = value.get(key) {
                self.check(schema, value, &format!("`{key}` of {place}"))?;
            }
        }
        Ok(())
    }

    /// The number of the schemas that hold.
    fn holding(&self, schemas: &Value, value: &Value, place: &str) -> usize {
        let schemas = schemas.as_array().unwrap().iter();
        let held = schemas.filter(|schema| self.check(schema, value, place).is_ok());
        held.count()
    }

    fn definition(&self, reference: &Value) -> &Value {
        let pointer = reference.as_str().unwrap().strip_prefix('#').unwrap();
        self.root.pointer(pointer).expect(pointer)
    }
}

/// The folder of the schemas.
pub(crate) fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/schema"))
}

fn items(value: &Value) -> Option<u64> {
    Some(value.as_array()?.len() as u64)
}

fn strings(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().unwrap().iter().map(|one| one.as_str().unwrap())
}

/// The names in the keyword `type`: one, or several.
fn types(wanted: &Value) -> Box<dyn Iterator<Item = &str> + '_> {
    match wanted.as_str() {
        Some(one) => Box::new(std::iter::once(one)),
        None => Box::new(strings(wanted)),
    }
}

fn is_a(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        // A whole number of type f64 is an integer, too.
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        other => panic!("unknown type `{other}`"),
    }
}
