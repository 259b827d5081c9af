//! What can be said to `history`, `related` and `tests`.

use clap::Args;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag history src/parser.rs
  kitbag history Parser::next
  kitbag history src/parser.rs:40-60                who wrote these lines, and the commits that changed them
  kitbag history src/parser.rs --json | jq -r '.commits[].subject'")]
pub(crate) struct History {
    /// PATH, PATH:LINE, PATH:LINE-LINE, or the name of a definition.
    #[arg(value_name = "PLACE")]
    pub(crate) of: String,
    /// At most this many commits, 1 to 100.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10)]
    pub(crate) limit: usize,
    /// Print the commits without what they changed.
    #[arg(long)]
    pub(crate) short: bool,
    /// Use the index as it is.
    #[arg(long)]
    pub(crate) no_update: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag related src/parser.rs:40
  kitbag related Parser::next --limit 3
  kitbag related Parser::next --json | jq '.related[] | select(.certain)'")]
pub(crate) struct Related {
    /// PATH:LINE, PATH:LINE-LINE, PATH, or the name of a definition.
    #[arg(value_name = "PLACE")]
    pub(crate) of: String,
    /// At most this many of each kind, 1 to 100.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 8)]
    pub(crate) limit: usize,
    /// Use the index as it is.
    #[arg(long)]
    pub(crate) no_update: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag tests --diff                               tests for what is not committed
  kitbag tests --diff main...                       tests for this branch
  kitbag tests src/parser.rs
  kitbag tests Parser::next --limit 3
  pytest $(kitbag tests --diff --files)")]
pub(crate) struct Tests {
    /// PATH, PATH:LINE, PATH:LINE-LINE, or the name of a definition.
    #[arg(value_name = "PLACE", required_unless_present = "diff")]
    pub(crate) of: Option<String>,
    /// Tests for a change: the working tree against this revision, or against the last commit; `a..b` one commit against another.
    #[arg(long, value_name = "REV", num_args = 0..=1, default_missing_value = "")]
    pub(crate) diff: Option<String>,
    /// At most this many test files, 1 to 100.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10)]
    pub(crate) limit: usize,
    /// Print only the paths of the files, best first.
    #[arg(long, short = 'l')]
    pub(crate) files: bool,
    /// Only tests that certainly use the code.
    #[arg(long)]
    pub(crate) certain: bool,
    /// Use the index as it is.
    #[arg(long)]
    pub(crate) no_update: bool,
}
