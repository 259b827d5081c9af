//! Rows of cells in, aligned columns out. Widths are counted in characters: names of files are ASCII nearly always, and
//! being a column off for the rest costs less than a table of widths.

use super::{Page, Style, clean};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

/// A column is not made narrower than this.
const LEAST: usize = 16;

/// A table without lines. The last column is never padded, so that nothing ends in spaces.
pub struct Table {
    columns: Vec<(Align, Option<Style>)>,
    rows: Vec<Vec<String>>,
    indent: usize,
}

impl Table {
    pub fn new(columns: &[(Align, Option<Style>)]) -> Table {
        Table {
            columns: columns.to_vec(),
            rows: Vec::new(),
            indent: 0,
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

    /// Shortens the cells of one column so that rows fit a terminal; the end of a path says more than its beginning.
    pub fn fit(mut self, width: Option<usize>, column: usize) -> Table {
        let Some(width) = width else { return self };
        let others: usize = (0..self.columns.len())
            .filter(|idx| *idx != column)
            .map(|idx| self.width(idx) + 2)
            .sum();
        let left = width.saturating_sub(others + self.indent).max(LEAST);
        for cell in self.rows.iter_mut().filter_map(|row| row.get_mut(column)) {
            let n_chars = cell.chars().count();
            if n_chars > left {
                *cell = format!("…{}", cell.chars().skip(n_chars + 1 - left).collect::<String>());
            }
        }
        self
    }

    /// Of a column, in characters.
    fn width(&self, idx: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(idx));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    }

    pub fn print(&self, page: &mut Page) {
        let widths: Vec<usize> = (0..self.columns.len()).map(|idx| self.width(idx)).collect();
        for row in &self.rows {
            page.put(&" ".repeat(self.indent));
            // Empty cells at the end of a row are no cells.
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
                match style {
                    Some(style) => page.styled(style, cell),
                    None => page.put(cell),
                };
                if align == Align::Left && idx + 1 < n_cells {
                    page.put(&padding);
                }
            }
            page.end_line();
        }
    }
}
