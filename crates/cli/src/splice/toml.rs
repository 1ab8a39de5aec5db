//! One table of a TOML file, put or taken while the rest of the text stays.

use serde_json::{Map, Value};
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, value};

use super::Refusal;

/// Returns a table two names deep as JSON; none when it is not there.
pub(crate) fn read(text: &str, path: [&str; 2]) -> Result<Option<Value>, Refusal> {
    let document = parse(text)?;
    let found = document.get(path[0]).and_then(|above| above.as_table_like()?.get(path[1]));
    Ok(found.and_then(Item::as_table_like).map(to_json))
}

/// Returns the text with these fields in a table two names deep; its other fields stay.
pub(crate) fn put(text: &str, path: [&str; 2], fields: &Map<String, Value>) -> Result<String, Refusal> {
    let mut document = parse(text)?;
    let above = document.entry(path[0]).or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let above = above.as_table_like_mut().ok_or_else(|| blocked(path[0]))?;
    if !above.contains_key(path[1]) {
        let is_inline = above.is_empty_inline();
        let fresh = if is_inline {
            Item::Value(toml_edit::InlineTable::new().into())
        } else {
            Item::Table(Table::new())
        };
        above.insert(path[1], fresh);
    }
    let table = above.get_mut(path[1]).and_then(Item::as_table_like_mut);
    let table = table.ok_or_else(|| blocked(&path.join(".")))?;
    for (name, field) in fields {
        set(table, name, field);
    }
    sure(text, document.to_string(), path)
}

/// Sets a field; what stands around its value stays.
fn set(table: &mut dyn TableLike, name: &str, field: &Value) {
    if table.get(name).is_some_and(|item| item_to_json(item) == *field) {
        return;
    }
    let mut item = to_toml(field);
    let decor = table.get(name).and_then(Item::as_value).map(|value| value.decor().clone());
    if let (Some(decor), Some(value)) = (decor, item.as_value_mut()) {
        *value.decor_mut() = decor;
    }
    table.insert(name, item);
}

/// Returns the text without a table two names deep, and without the one above if it is empty then.
pub(crate) fn take(text: &str, path: [&str; 2]) -> Result<String, Refusal> {
    let mut document = parse(text)?;
    if read(text, path)?.is_none() {
        return Ok(text.to_owned());
    }
    remove(&mut document, path);
    sure(text, document.to_string(), path)
}

fn remove(document: &mut DocumentMut, path: [&str; 2]) {
    let Some(above) = document.get_mut(path[0]).and_then(Item::as_table_like_mut) else { return };
    above.remove(path[1]);
    if above.is_empty() {
        document.remove(path[0]);
    }
}

/// Hands a text out if, but for the one table, it is the text that was there.
fn sure(before: &str, after: String, path: [&str; 2]) -> Result<String, Refusal> {
    let rest = |text: &str| {
        let mut document = parse(text)?;
        remove(&mut document, path);
        Ok(document.to_string().trim_end().to_owned())
    };
    match rest(before)? == rest(&after)? {
        true => Ok(after),
        false => Err(Refusal::Unsure),
    }
}

fn parse(text: &str) -> Result<DocumentMut, Refusal> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        let at = error.span().map_or(0, |span| span.start).min(text.len());
        let line = 1 + text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count();
        Refusal::Broken { line, what: error.message().to_owned() }
    })
}

fn blocked(place: &str) -> Refusal {
    Refusal::Blocked { place: format!("'{place}'"), what: "is not a table".to_owned() }
}

/// Whether new tables in a table must stand on its line.
trait Inline {
    fn is_empty_inline(&self) -> bool;
}

impl Inline for dyn TableLike + '_ {
    fn is_empty_inline(&self) -> bool {
        // Only a table with brackets of its own can have others below it.
        self.get_values().len() == self.len() && !self.is_empty()
    }
}

fn to_toml(field: &Value) -> Item {
    match field {
        Value::Array(items) => {
            let texts = items.iter().filter_map(Value::as_str);
            value(texts.collect::<Array>())
        }
        Value::Bool(switch) => value(*switch),
        other => value(other.as_str().unwrap_or_default()),
    }
}

fn to_json(table: &dyn TableLike) -> Value {
    let fields = table.iter().map(|(name, item)| (name.to_owned(), item_to_json(item)));
    Value::Object(fields.collect())
}

fn item_to_json(item: &Item) -> Value {
    match (item.as_str(), item.as_bool(), item.as_array(), item.as_table_like()) {
        (Some(text), ..) => text.into(),
        (_, Some(switch), ..) => switch.into(),
        (_, _, Some(items), _) => items.iter().filter_map(|item| item.as_str()).collect(),
        (_, _, _, Some(table)) => to_json(table),
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PLACE: [&str; 2] = ["mcp_servers", "memory"];

    fn fields(value: &Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap()
    }

    #[track_caller]
    fn check(before: &str, after: &str) {
        let entry = fields(&json!({"command": "/bin/memory", "args": ["mcp"]}));
        assert_eq!(put(before, PLACE, &entry).unwrap(), after);
        assert_eq!(put(after, PLACE, &entry).unwrap(), after, "again");
        assert_eq!(take(after, PLACE).unwrap(), before, "taken back");
    }

    #[test]
    fn a_table_comes_and_goes_and_the_rest_stays() {
        const ENTRY: &str = "[mcp_servers.memory]\ncommand = \"/bin/memory\"\nargs = [\"mcp\"]\n";
        check("", ENTRY);
        let before = "# mine\nmodel = 'o4'   # quick\n\n[features]\nhooks=true\n";
        check(before, &format!("{before}\n{ENTRY}"));
        let before = "[mcp_servers.docs]\nurl = \"https://x\"\n\n[mcp_servers.docs.env]\nA = \"1\"\n";
        check(before, &format!("{before}\n{ENTRY}"));
        check(
            "mcp_servers = { docs = { command = \"d\" } }\n",
            "mcp_servers = { docs = { command = \"d\" } , memory = { command = \"/bin/memory\", args = [\"mcp\"] } }\n",
        );
    }

    #[test]
    fn fields_that_the_user_added_stay() {
        let before =
            "[mcp_servers.memory]\ncommand = \"/old/memory\"\nargs = [\"mcp\"]\nenabled = true # yes\n";
        let after = put(before, PLACE, &fields(&json!({"command": "/new/memory"}))).unwrap();
        assert_eq!(after, before.replace("/old", "/new"));
        assert_eq!(read(&after, PLACE).unwrap().unwrap()["enabled"], true);
    }

    #[test]
    fn what_is_no_toml_is_told_with_its_line() {
        let refusal = put("a = 1\nb = [\n", PLACE, &Map::new()).unwrap_err();
        assert!(matches!(refusal, Refusal::Broken { line: 2 | 3, .. }), "{refusal}");
        let refusal = put("mcp_servers = 3\n", PLACE, &Map::new()).unwrap_err();
        assert_eq!(refusal.to_string(), "'mcp_servers' is not a table");
    }
}
