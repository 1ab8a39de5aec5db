//! The YAML head of a Markdown file: where it ends, and which lines belong to which field.
//!
//! Fields are kept as the lines they were written in. Whoever knows a field reads its lines with
//! [`crate::yaml`]; whoever does not can put them back as they were.

use memory_steps::count;

use crate::yaml;

/// A Markdown file, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts<'a> {
    /// The lines between the two fences; none when the file has no head.
    pub head: Option<&'a str>,
    /// What follows the head: the content.
    pub body: &'a str,
}

/// One top-level field: its name, and its lines with their line ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field<'a> {
    pub name: &'a str,
    pub lines: &'a str,
}

const FENCE: &str = "---";

/// Takes a Markdown file apart.
///
/// A head begins in the first line with `---` and ends with the next line that is `---` or `...`.
/// A file whose head never ends has none: a rule at the top of a text is no head.
pub fn split(text: &str) -> Parts<'_> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let whole = Parts {
        head: None,
        body: text,
    };
    let Some(first) = text
        .split_inclusive('\n')
        .next()
        .filter(|line| line.trim_end() == FENCE)
    else {
        return whole;
    };
    let begin = first.len();
    let mut at = begin;
    for line in text[begin..].split_inclusive('\n') {
        count(line.len());
        if matches!(line.trim_end(), FENCE | "...") {
            return Parts {
                head: Some(&text[begin..at]),
                body: &text[at + line.len()..],
            };
        }
        at += line.len();
    }
    whole
}

/// Returns the fields of a head in their order.
///
/// Lines that belong to no field (comments, blank lines, what is no YAML) have an empty name, so
/// that nothing is lost with a field that is rewritten.
pub fn fields(head: &str) -> Vec<Field<'_>> {
    let mut fields = Vec::new();
    let (mut begin, mut at, mut name) = (0, 0, "");
    let lines: Vec<&str> = head.split_inclusive('\n').collect();
    let belongs = lines_that_belong(&lines);
    for (line, belongs) in lines.iter().zip(belongs) {
        count(line.len());
        // A blank line belongs to the field if the field goes on after it.
        let goes_on = !name.is_empty() && belongs;
        if !goes_on {
            if at > begin {
                fields.push(Field {
                    name,
                    lines: &head[begin..at],
                });
            }
            (begin, name) = (at, field_name(line).unwrap_or_default());
        }
        at += line.len();
    }
    if at > begin {
        fields.push(Field {
            name,
            lines: &head[begin..at],
        });
    }
    fields
}

/// Reads a field's scalar; none when it is not there or null, a problem when it is something else.
///
/// What is not understood would be lost when the file is written again. The last of several fields of
/// a name counts.
pub fn read<T>(
    fields: &[Field<'_>],
    name: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, String> {
    let Some(field) = fields.iter().rev().find(|field| field.name == name) else {
        return Ok(None);
    };
    let Some(text) = yaml::scalar(field.lines) else {
        let is_nothing = yaml::list(field.lines).is_some_and(|items| items.is_empty());
        return if is_nothing {
            Ok(None)
        } else {
            Err(format!("its {name} has an unsupported format"))
        };
    };
    read(&text)
        .map(Some)
        .ok_or_else(|| format!("its {name} cannot be '{text}'"))
}

/// Returns the lines of all fields but the known ones, as they were written.
pub fn others(fields: &[Field<'_>], known: &[&str]) -> String {
    let mut lines: String = fields
        .iter()
        .filter(|field| !known.contains(&field.name))
        .map(|field| field.lines)
        .collect();
    if !lines.is_empty() && !lines.ends_with('\n') {
        lines.push('\n');
    }
    lines
}

/// Returns a body's content: the newline that ends a file is not part of it, nor is a blank line after
/// the head.
pub fn content(body: &str) -> &str {
    let body = body
        .strip_suffix('\n')
        .map_or(body, |body| body.strip_suffix('\r').unwrap_or(body));
    let first = body
        .strip_prefix("\r\n")
        .or_else(|| body.strip_prefix('\n'));
    first.unwrap_or(body)
}

/// Renders a file of a head's lines and a content, so that [`content`] gives the content back.
pub fn join(head: &str, content: &str) -> String {
    let gap = if content.starts_with(['\n', '\r']) {
        "\n"
    } else {
        ""
    };
    let end = if content.ends_with('\r') {
        "\r\n"
    } else {
        "\n"
    };
    format!("{FENCE}\n{head}{FENCE}\n{gap}{content}{end}")
}

/// Returns the name of the field that a line begins, if it begins one.
/// Says of each line whether it, or the next one that is not blank, is indented or an item of a list.
fn lines_that_belong(lines: &[&str]) -> Vec<bool> {
    let mut belong = vec![false; lines.len()];
    let mut next = false;
    for (line, belongs) in lines.iter().zip(&mut belong).rev() {
        count(line.len());
        if !line.trim().is_empty() {
            next = line.starts_with([' ', '\t', '-']);
        }
        *belongs = next;
    }
    belong
}

fn field_name(line: &str) -> Option<&str> {
    let starts_well =
        line.starts_with(|c: char| !c.is_whitespace() && !matches!(c, '#' | '-' | '{' | '['));
    if !starts_well {
        return None;
    }
    let (name, rest) = line.split_once(':')?;
    let ends_well = rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']);
    let name = name.trim_end().trim_matches(['"', '\'']);
    (ends_well && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_ends_at_the_next_fence_and_the_content_may_have_more() {
        let parts = split("---\nid: a\n---\none\n---\ntwo\n");
        assert_eq!(
            parts,
            Parts {
                head: Some("id: a\n"),
                body: "one\n---\ntwo\n"
            }
        );
        let parts = split("\u{feff}---\r\nid: a\r\n---\r\nbody");
        assert_eq!(
            parts,
            Parts {
                head: Some("id: a\r\n"),
                body: "body"
            }
        );
        assert_eq!(
            split("---\n---\n"),
            Parts {
                head: Some(""),
                body: ""
            }
        );
    }

    #[test]
    fn a_file_without_a_whole_head_is_all_content() {
        for text in [
            "",
            "hello",
            "---",
            "---\nid: a\n",
            "----\na: b\n---\n",
            " ---\na: b\n---\n",
            "a\n---\nb: c\n---\n",
        ] {
            assert_eq!(
                split(text),
                Parts {
                    head: None,
                    body: text
                },
                "{text:?}"
            );
        }
    }

    #[test]
    fn each_line_belongs_to_one_field() {
        let head = "# a comment\nid: 1\ntags:\n  - a: b\n\n- c\n\n\"odd name\": x\nurl: http://x\nnested:\n  deep: 1\n";
        let found = fields(head);
        let names: Vec<&str> = found.iter().map(|field| field.name).collect();
        assert_eq!(names, ["", "id", "tags", "", "odd name", "url", "nested"]);
        assert_eq!(found[2].lines, "tags:\n  - a: b\n\n- c\n");
        assert_eq!(
            found.iter().map(|field| field.lines).collect::<String>(),
            head
        );
    }

    #[test]
    fn a_field_is_read_or_its_problem_told_and_others_come_back() {
        let fields = fields("a: 1\na: 2\nb: {x: y}\nc: []\nd: x");
        let number = |name| read(&fields, name, |text| text.parse::<u8>().ok());
        assert_eq!(number("a"), Ok(Some(2)));
        assert_eq!((number("c"), number("e")), (Ok(None), Ok(None)));
        assert_eq!(number("b"), Err("its b has an unsupported format".into()));
        assert_eq!(number("d"), Err("its d cannot be 'x'".into()));
        assert_eq!(others(&fields, &["a", "c"]), "b: {x: y}\nd: x\n");
    }

    proptest::proptest! {
        #[test]
        fn any_content_comes_back(text in "[\r\n]{0,2}\\PC{0,5}[\r\n]{0,3}") {
            let file = join("a: b\n", &text);
            assert_eq!(content(split(&file).body), text);
        }

        #[test]
        fn nothing_is_lost_by_taking_apart(text in "(---\n)?([a-z]{0,3}:? ?[-#a-z\"]{0,4}\r?\n){0,6}(---\n)?\\PC{0,20}") {
            let parts = split(&text);
            let head = parts.head.unwrap_or_default();
            assert_eq!(fields(head).iter().map(|field| field.lines).collect::<String>(), head);
            assert!(text.ends_with(parts.body));
        }
    }
}
