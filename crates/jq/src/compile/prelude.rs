//! The definitions every filter can call: `prelude.jq`, read once per process.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::syntax::{Definition, parse_definitions};

const TEXT: &str = include_str!("../prelude.jq");

/// The prelude's definitions by name and number of parameters.
pub(super) struct Prelude(HashMap<(&'static str, usize), &'static Definition>);

impl Prelude {
    pub(super) fn get() -> &'static Prelude {
        static DEFINITIONS: OnceLock<Vec<Definition>> = OnceLock::new();
        static PRELUDE: OnceLock<Prelude> = OnceLock::new();
        PRELUDE.get_or_init(|| {
            // A prelude that cannot be read would leave names undefined; a test reads it.
            let definitions =
                DEFINITIONS.get_or_init(|| parse_definitions(TEXT).unwrap_or_default());
            let by_name = |definition: &'static Definition| {
                (
                    (definition.name.as_str(), definition.parameters.len()),
                    definition,
                )
            };
            Prelude(definitions.iter().map(by_name).collect())
        })
    }

    pub(super) fn find(&self, name: &str, arity: usize) -> Option<&'static Definition> {
        self.0.get(&(name, arity)).copied()
    }

    /// The names a filter may call, as `name/arity`.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        self.0
            .keys()
            .filter(|(name, _)| !name.starts_with('_'))
            .map(|(name, arity)| format!("{name}/{arity}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::compile;
    use crate::syntax::parse_program;

    #[test]
    fn the_prelude_can_be_read_and_everything_in_it_compiles() {
        let definitions = parse_definitions(TEXT).unwrap();
        assert_eq!(
            definitions.len(),
            Prelude::get().0.len(),
            "a name is defined twice"
        );
        for definition in definitions
            .iter()
            .filter(|definition| !definition.name.starts_with('_'))
        {
            let arguments = vec!["."; definition.parameters.len()].join(";");
            let call = match arguments.as_str() {
                "" => definition.name.clone(),
                arguments => format!("{}({arguments})", definition.name),
            };
            compile(&parse_program(&call).unwrap()).unwrap();
        }
    }
}
