//! Tables as specification 000 draws them: a line of names, then rows, no rules between them.

use std::io::IsTerminal;

use comfy_table::{ContentArrangement, Row, Table, presets};
use memory_core::printable;

/// Below this many columns a table is not made to fit.
const NARROWEST: u16 = 40;

/// Renders rows below their column names. On a terminal, each row is one line of at most its width.
pub(crate) fn table(names: &[&str], rows: &[Vec<String>]) -> String {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(names);
    let width = width();
    for row in rows {
        let mut row = Row::from(row.iter().map(|cell| printable(cell)).collect::<Vec<_>>());
        if width.is_some() {
            // A cell that does not fit is cut with "…".
            row.max_height(1);
        }
        table.add_row(row);
    }
    match width {
        Some(width) => drop(table.set_width(width)),
        None => drop(table.set_content_arrangement(ContentArrangement::Disabled)),
    }
    let last = names.len().saturating_sub(1);
    for (number, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if number == last { 0 } else { 2 }));
    }
    let mut lines: Vec<String> = table
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();
    if let Some(heading) = lines.first_mut()
        && is_coloured()
    {
        *heading = format!("\u{1b}[2m{heading}\u{1b}[0m");
    }
    format!("{}\n", lines.join("\n"))
}

fn is_coloured() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
}

fn width() -> Option<u16> {
    let is_shown = std::io::stdout().is_terminal();
    let width = is_shown
        .then(terminal_size::terminal_size)
        .flatten()
        .map(|(width, _)| width.0);
    // Squeezed into less, a table is harder to read than one that runs over.
    width.filter(|width| *width >= NARROWEST)
}

/// Renders a time for a table: `2024-01-15 14:45:00`, in UTC.
pub(crate) fn time(instant: &str) -> String {
    instant.trim_end_matches('Z').replace('T', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_reads_as_the_specification_draws_it() {
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        let shown = table(
            &["BANK", "KEYS", "UPDATED", "SCOPE"],
            &[
                row(["session", "3", &time("2024-01-15T14:45:00Z"), "project"]),
                row(["\u{1b}[31m", "12", &time("2024-01-15T15:00:00Z"), "user"]),
            ],
        );
        assert_eq!(
            shown,
            "BANK        KEYS  UPDATED              SCOPE\n\
             session     3     2024-01-15 14:45:00  project\n\
             \\u{1b}[31m  12    2024-01-15 15:00:00  user\n"
        );
    }
}
