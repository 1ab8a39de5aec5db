//! JSON Schemas of tools, derived from the types of their parameters.
//!
//! The shape is the plainest that says enough: models read it, and some providers refuse a
//! request whole when a schema is fancier (`oneOf` at its top, two types for one field).

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// Returns the schema of a tool's parameters: an object with properties and what is required.
pub fn parameters<P: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|s| {
        s.inline_subschemas = true;
        s.meta_schema = None;
    });
    let derived = settings
        .into_generator()
        .into_root_schema_for::<P>()
        .to_value();
    plain(derived, true)
}

/// What the derivation adds and the specifications do not have.
const LEFT_OUT: [&str; 5] = [
    "title",
    "format",
    "minimum",
    "maximum",
    "additionalProperties",
];

fn plain(schema: Value, is_root: bool) -> Value {
    let Value::Object(fields) = schema else {
        return Value::Object(Map::new());
    };
    let mut out = Map::new();
    for (name, value) in fields {
        match (name.as_str(), value) {
            ("type", Value::Array(types)) => {
                out.extend(types.into_iter().find(|t| t != "null").map(|t| (name, t)));
            }
            ("enum", Value::Array(values)) => {
                out.insert(name, values.into_iter().filter(|v| !v.is_null()).collect());
            }
            ("properties", Value::Object(properties)) => {
                let plain_ones = properties
                    .into_iter()
                    .map(|(name, schema)| (name, plain(schema, false)));
                out.insert(name, Value::Object(plain_ones.collect()));
            }
            ("items", schema) => {
                out.insert(name, plain(schema, false));
            }
            // A default of null or false says nothing; the root's own words are the tool's.
            ("default", Value::Null | Value::Bool(false)) => {}
            ("description", _) if is_root => {}
            (left_out, _) if LEFT_OUT.contains(&left_out) => {}
            (_, value) => {
                out.insert(name, value);
            }
        }
    }
    Value::Object(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Json;

    #[derive(schemars::JsonSchema)]
    #[serde(rename_all = "lowercase")]
    #[allow(dead_code)]
    enum Colour {
        Red,
        Green,
    }

    /// Not part of the schema
    #[derive(schemars::JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Params {
        /// A name
        name: String,
        count: Option<u64>,
        colour: Option<Colour>,
        /// Anything
        value: Option<Json>,
        tags: Option<Vec<String>>,
    }

    #[test]
    fn optional_fields_are_plain_types_that_are_not_required() {
        assert_eq!(
            parameters::<Params>().to_string(),
            concat!(
                r#"{"type":"object","properties":{"#,
                r#""name":{"type":"string","description":"A name"},"count":{"type":"integer"},"#,
                r#""colour":{"type":"string","enum":["red","green"]},"value":{"description":"Anything"},"#,
                r#""tags":{"type":"array","items":{"type":"string"}}},"required":["name"]}"#
            )
        );
    }
}
