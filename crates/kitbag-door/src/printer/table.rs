//! Rows of cells in, aligned columns out. Widths are counted in characters: nearly all file names are ASCII, and a column
//! that is off by one costs less than a table of character widths.

use super::{Page, Style, clean, in_lines};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

/// No column is made narrower than this.
const LEAST: usize = 16;

/// A table without rules. The last column is never padded, so that no line ends in spaces.
pub struct Table {
    columns: Vec<(Align, Option<Style>)>,
    rows: Vec<Vec<String>>,
    indent: usize,
    /// The column that is shortened on a narrow terminal.
    fitted: Option<usize>,
}

impl Table {
    pub fn new(columns: &[(Align, Option<Style>)]) -> Table {
        Table {
            columns: columns.to_vec(),
            rows: Vec::new(),
            indent: 0,
            fitted: None,
        }
    }

    pub fn indented(mut self, indent: usize) -> Table {
        self.indent = indent;
        self
    }

    pub fn row(&mut self, cells: &[&str]) {
        self.rows
            .push(cells.iter().map(|cell| clean(cell).into_owned()).collect());
    }

    /// On a terminal, shortens the cells of this column so that rows fit. Cells lose their beginning, because the end of a
    /// path says more.
    pub fn fit(mut self, column: usize) -> Table {
        self.fitted = Some(column);
        self
    }

    /// The rows, with the fitted column shortened to the width that the others leave.
    fn fitted_rows(&self, width: Option<usize>) -> Vec<Vec<String>> {
        let mut rows = self.rows.clone();
        let Some((width, column)) = width.zip(self.fitted) else {
            return rows;
        };
        let others: usize = (0..self.columns.len())
            .filter(|idx| *idx != column)
            .map(|idx| n_columns(&self.rows, idx) + 2)
            .sum();
        let left = width.saturating_sub(others + self.indent).max(LEAST);
        for cell in rows.iter_mut().filter_map(|row| row.get_mut(column)) {
            let n_chars = cell.chars().count();
            if n_chars > left {
                *cell = format!("…{}", cell.chars().skip(n_chars + 1 - left).collect::<String>());
            }
        }
        rows
    }

    pub fn print(&self, page: &mut Page) {
        let rows = self.fitted_rows(page.width);
        let widths: Vec<usize> = (0..self.columns.len()).map(|idx| n_columns(&rows, idx)).collect();
        let before_last: usize = widths.iter().rev().skip(1).map(|width| width + 2).sum();
        let last_start = self.indent + before_last;
        for row in &rows {
            page.put(&" ".repeat(self.indent));
            // Empty cells at the end of a row do not count.
            let n_cells = row
                .iter()
                .rposition(|cell| !cell.is_empty())
                .map_or(0, |idx| idx + 1);
            for (idx, cell) in row.iter().take(n_cells).enumerate() {
                let (align, style) = self.columns.get(idx).copied().unwrap_or((Align::Left, None));
                let padding = " ".repeat(widths.get(idx).map_or(0, |width| width - cell.chars().count()));
                if idx > 0 {
                    page.put("  ");
                }
                if align == Align::Right {
                    page.put(&padding);
                }
                let is_last = idx + 1 == self.columns.len();
                for (n, line) in lines_of(cell, page.width.filter(|_| is_last), last_start)
                    .iter()
                    .enumerate()
                {
                    if n > 0 {
                        page.end_line().put(&" ".repeat(last_start));
                    }
                    match style {
                        Some(style) => page.styled(style, line),
                        None => page.put(line),
                    };
                }
                if align == Align::Left && idx + 1 < n_cells {
                    page.put(&padding);
                }
            }
            page.end_line();
        }
    }
}

/// A cell of the last column, wrapped where a terminal is too narrow for it.
fn lines_of(cell: &str, width: Option<usize>, start: usize) -> Vec<String> {
    let left = width.map_or(usize::MAX, |width| width.saturating_sub(start));
    if cell.chars().count() <= left || left < LEAST {
        return vec![cell.to_owned()];
    }
    in_lines(cell, left)
}

/// How wide a column is, in characters.
fn n_columns(rows: &[Vec<String>], idx: usize) -> usize {
    let cells = rows.iter().filter_map(|row| row.get(idx));
    cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
}
