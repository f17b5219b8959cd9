//! Holds the JSON Schemas in `harness/schema/`: they are what the types that write the lines say.
//!
//! To write them again, run the unit tests with the variable `REJUDGE_WRITE_SCHEMAS` set.

use std::path::Path;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::json_line::SCHEMA;

fn plain_line<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// Adds the keys that all lines have.
fn in_envelope(mut line: Value) -> Value {
    line["type"] = "object".into();
    line["properties"]["schema"] = json!({ "const": SCHEMA });
    match &mut line["required"] {
        Value::Array(required) => required.push("schema".into()),
        missing => *missing = json!(["schema"]),
    }
    line
}

/// The schema of a type of line, with the definitions that it refers to.
pub(crate) fn of_line<T: JsonSchema>() -> Value {
    in_envelope(plain_line::<T>())
}

/// The schema of a line that also reports of earlier versions have. Keys that some of them do not have are optional:
/// those are the ones that have a default when a report is read.
pub(crate) fn of_line_of_every_version<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    in_envelope(settings.into_generator().into_root_schema_for::<T>().to_value())
}

/// The schema of a line whose key `type` is a plain text in Rust.
pub(crate) fn of_line_called<T: JsonSchema>(kind: &str) -> Value {
    let mut schema = of_line::<T>();
    schema["properties"]["type"] = json!({ "const": kind });
    schema
}

/// The schemas of the lines of an enum whose tag is the key `type`. The first has the definitions that all refer to.
pub(crate) fn of_lines<T: JsonSchema>() -> Vec<Value> {
    let mut schema = plain_line::<T>();
    let definitions = schema["$defs"].take();
    let mut kinds = match schema["oneOf"].take() {
        Value::Array(kinds) => kinds,
        other => panic!("the type is not an enum of several lines: {other}"),
    };
    kinds[0]["$defs"] = definitions;
    kinds.into_iter().map(in_envelope).collect()
}

/// Makes keys optional that 0.1.0 did not write.
pub(crate) fn later_than_0_1_0(mut kinds: Vec<Value>, keys: &[&str]) -> Vec<Value> {
    for kind in &mut kinds {
        if let Some(Value::Array(required)) = kind.get_mut("required") {
            required.retain(|key| !keys.iter().any(|later| key == later));
        }
    }
    kinds
}

/// Compares the schema of the lines that `--json` of a command writes with its file.
pub(crate) fn is_up_to_date(command: &str, lines: Vec<Value>) {
    compare(command, &format!("rejudge {command} --json"), lines);
}

/// Compares the schema of the lines that another option of a command writes with its file.
pub(crate) fn is_of_option_up_to_date(command: &str, option: &str, lines: Vec<Value>) {
    let name = format!("{command}-{option}");
    compare(&name, &format!("rejudge {command} --{option}"), lines);
}

/// Compares the schema of what a command reads with its file.
pub(crate) fn is_of_input_up_to_date<T: JsonSchema>(command: &str) {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    let line = settings.into_generator().into_root_schema_for::<T>().to_value();
    let (name, reader) =
        (format!("{command}-request"), format!("the input of `rejudge {command}`"));
    compare(&name, &reader, vec![line]);
}

/// Compares the schema of the lines that a command writes without an option with its file.
pub(crate) fn is_of_output_up_to_date(command: &str, lines: Vec<Value>) {
    compare(command, &format!("rejudge {command}"), lines);
}

fn compare(name: &str, writer: &str, lines: Vec<Value>) {
    let schema = of_writer(writer, lines);
    let mut text = serde_json::to_string_pretty(&schema).unwrap();
    text.push('\n');
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema");
    let path = folder.join(format!("{name}.schema.json"));
    if std::env::var_os("REJUDGE_WRITE_SCHEMAS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        stored, text,
        "run the test again with REJUDGE_WRITE_SCHEMAS=1, and look at what changed"
    );
}

fn of_writer(writer: &str, lines: Vec<Value>) -> Value {
    let mut definitions = Map::new();
    let mut kinds = Vec::new();
    for mut line in lines {
        let object = line.as_object_mut().unwrap();
        for key in ["$schema", "title", "description"] {
            object.remove(key);
        }
        if let Some(Value::Object(found)) = object.remove("$defs") {
            definitions.extend(found);
        }
        kinds.push(line);
    }
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("A line of `{writer}`"),
        "description": "A later version may add keys and types of lines, but never changes the meaning of a key.",
        "anyOf": kinds,
    });
    if !definitions.is_empty() {
        schema["$defs"] = definitions.into();
    }
    schema
}
