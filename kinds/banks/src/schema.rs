//! A bank's JSON Schema: is it one, and does a value satisfy it?
//!
//! References to other documents are not followed: a schema reaches neither files nor network.

use jsonschema::Validator;
use memory_core::{Json, printable};
use serde_json::Value;

use crate::{BankError, BankName};

/// Accepts a schema that can be used.
pub(crate) fn accept(text: &Json) -> Result<(), BankError> {
    compile(text).map(|_| ()).map_err(|problem| BankError::BadArgument {
        problem: format!("This is not a JSON Schema: {problem}"),
        hint: Some("A schema is an object such as {\"type\": \"object\", \"required\": [\"name\"]}".into()),
    })
}

/// A bank's schema, ready to be held against values.
pub(crate) struct Rules<'a> {
    bank: &'a BankName,
    validator: Option<Validator>,
}

impl<'a> Rules<'a> {
    /// Makes a bank's schema ready; without one, everything is allowed.
    pub(crate) fn of(bank: &'a BankName, schema: Option<&Json>) -> Result<Self, BankError> {
        let validator = schema.map(compile).transpose();
        let validator = validator.map_err(|problem| BankError::Schema { bank: bank.clone(), problem })?;
        Ok(Rules { bank, validator })
    }

    /// Refuses a value that the schema does not allow.
    pub(crate) fn check(&self, value: &str) -> Result<(), BankError> {
        let Some(validator) = &self.validator else { return Ok(()) };
        let violation = |problem: String| BankError::Schema { bank: self.bank.clone(), problem };
        let value = Json::parse(value).and_then(|json| json.read::<Value>());
        let value = value.map_err(|flaw| violation(flaw.to_string()))?;
        let problems: Vec<String> = validator.iter_errors(&value).take(3).map(|e| say(&e)).collect();
        match problems.is_empty() {
            true => Ok(()),
            false => Err(violation(problems.join("; "))),
        }
    }
}

fn compile(schema: &Json) -> Result<Validator, String> {
    let schema: Value = schema.read().map_err(|e| e.to_string())?;
    jsonschema::validator_for(&schema).map_err(|e| e.to_string())
}

fn say(error: &jsonschema::ValidationError<'_>) -> String {
    let place = error.instance_path().to_string();
    let what: String = printable(&error.to_string()).chars().take(200).collect();
    if place.is_empty() { what } else { format!("{what} (at {place})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        Json::parse(text).unwrap()
    }

    #[test]
    fn values_are_held_against_the_schema() {
        let bank = BankName::parse("a").unwrap();
        let schema = json(r#"{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}"#);
        accept(&schema).unwrap();
        let rules = Rules::of(&bank, Some(&schema)).unwrap();
        rules.check(r#"{"n":1}"#).unwrap();
        Rules::of(&bank, None).unwrap().check("1").unwrap();
        let error = rules.check(r#"{"n":"x"}"#).unwrap_err();
        assert_eq!(error.code().as_str(), "SCHEMA_VIOLATION");
        assert!(error.to_string().contains("at /n"), "{error}");
    }

    #[test]
    fn what_is_no_schema_or_reaches_out_is_refused() {
        for text in [
            r#"{"type":"nonsense"}"#,
            r#"{"$ref":"file:///etc/passwd"}"#,
            r#"{"$ref":"http://127.0.0.1/x"}"#,
            "3",
        ] {
            assert!(accept(&json(text)).is_err(), "{text}");
        }
    }
}
