//! A bank's JSON Schema: is it one, and does a value satisfy it?
//!
//! References to other documents are not followed: a schema reaches neither files nor network.

mod cost;

use jsonschema::Validator;
use memory_core::{Json, printable};
use serde_json::Value;

use self::cost::Graph;
use crate::{BankError, BankName};

/// Accepts a schema that can be used.
pub(crate) fn accept(bank: &BankName, text: &Json) -> Result<(), BankError> {
    compile(bank, text).map(|_| ()).map_err(|error| match error {
        BankError::Schema { problem, .. } => BankError::BadArgument {
            problem: format!("This is not a JSON Schema: {problem}"),
            hint: Some(
                "A schema is an object such as {\"type\": \"object\", \"required\": [\"name\"]}".into(),
            ),
        },
        other => other,
    })
}

/// A bank's schema, ready to be held against values.
pub(crate) struct Rules<'a> {
    bank: &'a BankName,
    compiled: Option<(Value, Validator)>,
}

impl<'a> Rules<'a> {
    /// Makes a bank's schema ready; without one, everything is allowed.
    pub(crate) fn of(bank: &'a BankName, schema: Option<&Json>) -> Result<Self, BankError> {
        let compiled = schema.map(|schema| compile(bank, schema)).transpose()?;
        Ok(Rules { bank, compiled })
    }

    /// Refuses a value that the schema does not allow.
    pub(crate) fn check(&self, value: &str) -> Result<(), BankError> {
        self.checker().check(value)
    }

    /// Returns what checks many values.
    pub(crate) fn checker(&self) -> Checker<'_> {
        let ready = self
            .compiled
            .as_ref()
            .map(|(schema, validator)| (Graph::new(schema), validator));
        Checker {
            bank: self.bank,
            ready,
        }
    }
}

/// A bank's schema, its references read.
pub(crate) struct Checker<'r> {
    bank: &'r BankName,
    ready: Option<(Graph<'r>, &'r Validator)>,
}

impl Checker<'_> {
    /// Refuses a value that the schema does not allow.
    pub(crate) fn check(&self, value: &str) -> Result<(), BankError> {
        let Some((graph, validator)) = &self.ready else {
            return Ok(());
        };
        let violation = |problem: String| BankError::Schema {
            bank: self.bank.clone(),
            problem,
        };
        let value = Json::parse(value).and_then(|json| json.read::<Value>());
        let value = value.map_err(|flaw| violation(flaw.to_string()))?;
        graph
            .check_value(&value)
            .map_err(|cost| too_costly(self.bank, cost))?;
        let problems: Vec<String> = validator
            .iter_errors(&value)
            .take(3)
            .map(|e| say(&e))
            .collect();
        if problems.is_empty() {
            Ok(())
        } else {
            Err(violation(problems.join("; ")))
        }
    }
}

/// Makes a schema ready, unless it is none or too much work.
fn compile(bank: &BankName, schema: &Json) -> Result<(Value, Validator), BankError> {
    let flawed = |problem: String| BankError::Schema {
        bank: bank.clone(),
        problem,
    };
    let schema: Value = schema.read().map_err(|flaw| flawed(flaw.to_string()))?;
    Graph::new(&schema)
        .check_size()
        .map_err(|cost| too_costly(bank, cost))?;
    let validator =
        jsonschema::validator_for(&schema).map_err(|error| flawed(error.to_string()))?;
    Ok((schema, validator))
}

fn too_costly(bank: &BankName, cost: cost::TooCostly) -> BankError {
    BankError::SchemaTooCostly {
        bank: bank.clone(),
        problem: cost.problem(),
    }
}

fn say(error: &jsonschema::ValidationError<'_>) -> String {
    let place = error.instance_path().to_string();
    let what: String = printable(&error.to_string()).chars().take(200).collect();
    if place.is_empty() {
        what
    } else {
        format!("{what} (at {place})")
    }
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
        let schema =
            json(r#"{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}"#);
        accept(&bank, &schema).unwrap();
        let rules = Rules::of(&bank, Some(&schema)).unwrap();
        rules.check(r#"{"n":1}"#).unwrap();
        Rules::of(&bank, None).unwrap().check("1").unwrap();
        let error = rules.check(r#"{"n":"x"}"#).unwrap_err();
        assert_eq!(error.code().as_str(), "SCHEMA_VIOLATION");
        assert!(error.to_string().contains("at /n"), "{error}");
    }

    #[test]
    fn what_is_no_schema_or_reaches_out_is_refused() {
        let bank = BankName::parse("a").unwrap();
        for text in [
            r#"{"type":"nonsense"}"#,
            r#"{"$ref":"file:///etc/passwd"}"#,
            r#"{"$ref":"http://127.0.0.1/x"}"#,
            "3",
        ] {
            assert!(accept(&bank, &json(text)).is_err(), "{text}");
        }
    }

    /// Returns a schema of so many levels, each of which refers to the next one so many times.
    fn ladder(levels: usize, times: usize, keyword: &str) -> Json {
        let mut parts = serde_json::Map::new();
        for level in 0..levels {
            let next = serde_json::json!({"$ref": format!("#/$defs/l{}", level + 1)});
            parts.insert(
                format!("l{level}"),
                serde_json::json!({keyword: vec![next; times]}),
            );
        }
        parts.insert(format!("l{levels}"), serde_json::json!({"type": "string"}));
        Json::of(&serde_json::json!({"$ref": "#/$defs/l0", "$defs": parts})).unwrap()
    }

    #[track_caller]
    fn check_too_costly(result: Result<(), BankError>) {
        let error = memory_core::Error::from(result.unwrap_err());
        assert_eq!(error.code.as_str(), "LIMIT_EXCEEDED", "{error}");
        assert!(
            error
                .hint
                .is_some_and(|hint| hint.contains("schema a clear"))
        );
    }

    #[test]
    fn a_schema_whose_references_multiply_is_refused() {
        let bank = BankName::parse("a").unwrap();
        for keyword in ["allOf", "anyOf", "oneOf", "prefixItems"] {
            check_too_costly(accept(&bank, &ladder(12, 10, keyword)));
            check_too_costly(Rules::of(&bank, Some(&ladder(60, 2, keyword))).map(|_| ()));
        }
        check_too_costly(accept(&bank, &ladder(20_000, 1, "allOf")));
        accept(&bank, &ladder(4, 10, "anyOf")).unwrap();
        accept(&bank, &ladder(60, 1, "allOf")).unwrap();
        let named = r##"{"$ref":"b.json","$defs":{"a":{"$id":"http://x/a.json","allOf":[{"$ref":"#c"}]},
            "b":{"$id":"http://x/b.json","$anchor":"c","type":"string"}}}"##;
        Graph::new(&serde_json::from_str(named).unwrap())
            .check_size()
            .unwrap();
    }

    #[test]
    fn a_schema_that_refers_to_itself_is_bounded_by_the_value() {
        let bank = BankName::parse("a").unwrap();
        let tree =
            json(r##"{"properties":{"left":{"$ref":"#"},"right":{"$ref":"#"}},"type":"object"}"##);
        let rules = Rules::of(&bank, Some(&tree)).unwrap();
        rules
            .check(r#"{"left":{"left":{},"right":{}},"right":{}}"#)
            .unwrap();
        assert!(matches!(
            rules.check(r#"{"left":{"right":3}}"#),
            Err(BankError::Schema { .. })
        ));
        let double = json(
            r##"{"anyOf":[{"properties":{"a":{"$ref":"#"}}},{"properties":{"a":{"$ref":"#"}}}]}"##,
        );
        let rules = Rules::of(&bank, Some(&double)).unwrap();
        rules.check(r#"{"a":{"a":{"a":1}}}"#).unwrap();
        check_too_costly(rules.check(&format!("{}1{}", r#"{"a":"#.repeat(100), "}".repeat(100))));
        let endless = json(r##"{"$ref":"#"}"##);
        check_too_costly(
            Graph::new(&endless.read().unwrap())
                .check_value(&Value::Null)
                .map_err(|cost| too_costly(&bank, cost)),
        );
    }

    #[test]
    fn counting_the_parts_of_a_schema_takes_linear_time() {
        let check = |input: &dyn Fn(usize) -> Json, most: usize| {
            let growth = memory_steps::Growth::of(most, input, |schema| {
                let schema: Value = schema.read().unwrap();
                let _ = Graph::new(&schema).check_size();
            });
            assert!(growth.is_linear(), "{growth:?}");
        };
        check(&|levels| ladder(levels, 1, "allOf"), 5_000);
        check(&|levels| ladder(levels, 10, "anyOf"), 5_000);
        check(&|times| ladder(3, times, "allOf"), 10);
        let wide = |n: usize| {
            Json::of(&serde_json::json!({"anyOf": vec![serde_json::json!({}); n]})).unwrap()
        };
        check(&wide, 5_000);
        let rules = serde_json::json!({"items": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/n"}]}, "$defs": {"n": {}}});
        let values = |n: usize| Value::from(vec![1; n]);
        let growth = memory_steps::Growth::of(1_000, values, |value| {
            Graph::new(&rules).check_value(&value).unwrap()
        });
        assert!(growth.is_linear(), "{growth:?}");
    }
}
