//! Whatever stands in a file, a table comes and goes without a trace.

use proptest::prelude::*;
use serde_json::json;

use super::*;

const PLACE: [&str; 2] = ["mcp_servers", "memory"];
const ENTRY: &str = "[mcp_servers.memory]\ncommand = \"/bin/memory\"\nargs = [\"mcp\"]\n";

fn fields(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

fn entry() -> Map<String, Value> {
    fields(&json!({"command": "/bin/memory", "args": ["mcp"]}))
}

#[track_caller]
fn check(before: &str, after: &str) {
    assert_eq!(put(before, PLACE, &entry()).unwrap(), after);
    assert_eq!(put(after, PLACE, &entry()).unwrap(), after, "again");
    assert_eq!(take(after, PLACE).unwrap(), before, "taken back");
}

#[test]
fn a_table_comes_and_goes_and_the_rest_stays() {
    check("", ENTRY);
    let before = "# mine\nmodel = 'o4'   # quick\n\n[features]\nhooks=true\n";
    check(before, &format!("{before}\n{ENTRY}"));
    let before = "[mcp_servers.docs]\nurl = \"https://x\"\n\n[mcp_servers.docs.env]\nA = \"1\"\n";
    check(before, &format!("{before}\n{ENTRY}"));
    let before = "[mcp_servers] # my servers\n# keep this\n";
    check(before, &format!("{before}\n{ENTRY}"));
    let before = "mcp_servers.docs.command = 'd'\n";
    check(before, &format!("{before}\n{ENTRY}"));
}

#[test]
fn line_breaks_and_marks_stay_as_they_are() {
    let windows = |text: &str| text.replace('\n', "\r\n");
    check("a = 1\r\n", &windows(&format!("a = 1\n\n{ENTRY}")));
    check("\u{feff}a = 1\n", &format!("\u{feff}a = 1\n\n{ENTRY}"));
    check("\u{feff}", &format!("\u{feff}{ENTRY}"));
    check("a = 1", &format!("a = 1\n\n{}", ENTRY.trim_end()));
    check("\n", &format!("\n\n{ENTRY}"));
}

#[test]
fn an_inline_table_stays_on_its_line() {
    const INLINE: &str = "memory = { command = \"/bin/memory\", args = [\"mcp\"] }";
    check(
        "mcp_servers = { docs = { command = \"d\" } } # mine\n",
        &format!("mcp_servers = {{ docs = {{ command = \"d\" }}, {INLINE} }} # mine\n"),
    );
    check(
        "mcp_servers = { docs.command = \"d\" }",
        &format!("mcp_servers = {{ docs.command = \"d\", {INLINE} }}"),
    );
    check(
        "mcp_servers = {}\na = 1\n",
        &format!("mcp_servers = {{{INLINE}}}\na = 1\n"),
    );
    let first = format!("mcp_servers = {{ {INLINE}, docs = {{}} }}");
    assert_eq!(take(&first, PLACE).unwrap(), "mcp_servers = { docs = {} }");
}

#[test]
fn a_table_goes_in_whichever_way_it_was_written() {
    let check = |before: &str, after: &str| assert_eq!(take(before, PLACE).unwrap(), after);
    check(
        &format!("a = 1\n\n{ENTRY}# of the next\n\n[next]\n"),
        "a = 1\n# of the next\n\n[next]\n",
    );
    check(
        &format!("{ENTRY}\n[next]\n\n[mcp_servers.memory.env]\nA = '1' # one\n\n[last]\n"),
        "\n[next]\n\n[last]\n",
    );
    check(&format!("{ENTRY}[mcp_servers.memory.env]\nA = '1'"), "");
    check(
        "[mcp_servers]\nmemory = { command = 'm' } # ours\nb = {}\n",
        "[mcp_servers]\nb = {}\n",
    );
    check(
        "[mcp_servers]\nmemory.command = 'm'\nb.c = 1\nmemory.args = [\n 'mcp',\n]\n",
        "[mcp_servers]\nb.c = 1\n",
    );
    check("other = 1\n", "other = 1\n");
}

#[test]
fn fields_that_the_user_added_stay() {
    let before = "[mcp_servers.memory]\r\ncommand = \"/old/memory\"\r\nargs = [\"mcp\"]\r\nenabled = true # yes\r\n";
    let after = put(before, PLACE, &fields(&json!({"command": "/new/memory"}))).unwrap();
    assert_eq!(after, before.replace("/old", "/new"));
    assert_eq!(read(&after, PLACE).unwrap().unwrap()["enabled"], true);
}

#[test]
fn what_is_no_toml_is_told_with_its_line() {
    let refusal = put("a = 1\nb = [\n", PLACE, &Map::new()).unwrap_err();
    assert!(
        matches!(refusal, Refusal::Broken { line: 2 | 3, .. }),
        "{refusal}"
    );
    let refusal = put("mcp_servers = 3\n", PLACE, &Map::new()).unwrap_err();
    assert_eq!(refusal.to_string(), "'mcp_servers' is not a table");
}

/// A line as somebody may have typed it.
fn typed() -> impl Strategy<Value = String> {
    let lines = [
        "",
        "  ",
        "# a comment",
        "[other]",
        "[[list]]",
        "[mcp_servers]",
        "[mcp_servers.docs]",
        "key = 1",
        "key = 'x' # c",
        "a.b = \"深\"",
        "many = [\n  1, # one\n]",
        "text = \"\"\"\n[no]\n\"\"\"",
        "mcp_servers = {}",
        "mcp_servers = { docs = { a = 1 } }",
        "mcp_servers.docs.command = 'd'",
    ];
    prop::sample::select(lines.to_vec()).prop_map(str::to_owned)
}

proptest! {
    #[test]
    fn everything_else_stays_byte_for_byte(
        lines in prop::collection::vec(typed(), 0..6),
        line_break in prop::sample::select(vec!["\n", "\r\n"]),
        has_mark: bool,
        has_end: bool,
    ) {
        let body = lines.join("\n") + if has_end { "\n" } else { "" };
        let mark = if has_mark { "\u{feff}" } else { "" };
        let before = format!("{mark}{}", body.replace('\n', line_break));
        prop_assume!(parse(&before).is_ok());
        if let Ok(after) = put(&before, PLACE, &entry()) {
            prop_assert_eq!(read(&after, PLACE).unwrap(), Some(Value::Object(entry())));
            prop_assert_eq!(take(&after, PLACE).unwrap(), before);
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in "(\\[?\\[?mcp_servers|memory|[\\[\\]{}=.,'\"#a1 \r\n]){0,20}") {
        let _ = put(&text, PLACE, &entry());
        let _ = take(&text, PLACE);
    }
}
