//! The arguments of `memory`, `thread` and `feedback`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag memory add \"Prices are whole cents, never floats\" --kind decision --cite src/cart.rs#Cart::add
  kitbag memory list \"how are prices rounded\"
  kitbag memory check                              which memories the code has left behind, and since when
  kitbag memory import                             from ADRs, AGENTS.md, CLAUDE.md, CONTRIBUTING and trailers of commits
  kitbag memory export > MEMORIES.md && git add MEMORIES.md
  kitbag memory merge 4 9 12                       three that say the same become the first")]
pub(crate) struct Memory {
    #[command(subcommand)]
    pub(crate) action: MemoryAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MemoryAction {
    /// Keep something about this project.
    Add(AddMemory),
    /// List memories: all, or those that concern a question, best first.
    List(ListMemories),
    /// Show one memory with all that is known about it.
    Show { id: i64 },
    /// Check memories against the code: what changed, and since which commit.
    Check {
        /// Without ids: all.
        ids: Vec<i64>,
    },
    /// Delete a memory, or only take it out of answers.
    Forget {
        id: i64,
        /// Keep it, but do not tell it any more.
        #[arg(long, conflicts_with = "restore")]
        archive: bool,
        /// Tell it again.
        #[arg(long)]
        restore: bool,
    },
    /// Read memories from documents, commits, or a file that `export` wrote.
    Import {
        /// Without files: decision records, AGENTS.md, CLAUDE.md, CONTRIBUTING, and trailers of commits.
        files: Vec<PathBuf>,
        /// Only say what would be kept.
        #[arg(long)]
        dry_run: bool,
    },
    /// Print memories as a text that merges well in git.
    Export,
    /// Make one memory of several.
    Merge {
        /// The first is kept, the others are deleted.
        #[arg(required = true, num_args = 2..)]
        ids: Vec<i64>,
        /// What it says then.
        #[arg(long, value_name = "TEXT")]
        content: Option<String>,
    },
}

#[derive(Args, Debug)]
pub(crate) struct AddMemory {
    /// One fact, in a sentence or two.
    pub(crate) content: String,
    /// decision, tribal, convention or semantic.
    #[arg(long, value_name = "KIND", default_value = "semantic", value_parser = ["decision", "tribal", "convention", "semantic"])]
    pub(crate) kind: String,
    /// What it is about, so that it can be checked: PATH, PATH:FIRST-LAST, PATH#SYMBOL or SYMBOL; may be repeated.
    #[arg(long = "cite", value_name = "PLACE")]
    pub(crate) cites: Vec<String>,
    /// May be repeated.
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// How sure you are, 0 to 1 [default: 0.8].
    #[arg(long, value_name = "SHARE")]
    pub(crate) confidence: Option<f64>,
    /// For nobody else who uses this project's server.
    #[arg(long)]
    pub(crate) private: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ListMemories {
    /// What they should concern; without it, all.
    pub(crate) query: Option<String>,
    /// About this path; may be repeated.
    #[arg(long = "file", value_name = "PATH")]
    pub(crate) files: Vec<String>,
    /// About this name; may be repeated.
    #[arg(long = "symbol", value_name = "NAME")]
    pub(crate) symbols: Vec<String>,
    #[arg(long, value_name = "INTENT")]
    pub(crate) intent: Option<String>,
    /// At most this many.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 50)]
    pub(crate) limit: usize,
    /// Also those whose code is gone, archived ones and those that nobody is sure of.
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag thread add billing --text \"why is the invoice rounded twice\"
  kitbag thread attach billing src/invoice.rs:10-40
  kitbag thread pack billing \"and where is tax added\" > prompt.md
  kitbag thread show billing")]
pub(crate) struct Thread {
    #[command(subcommand)]
    pub(crate) action: ThreadAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ThreadAction {
    /// Append a message.
    Add {
        thread: String,
        #[arg(long)]
        text: String,
        /// user, assistant, system or tool.
        #[arg(long, default_value = "user", value_parser = ["user", "assistant", "system", "tool"])]
        role: String,
    },
    /// Attach files, or lines of them.
    Attach {
        thread: String,
        #[arg(required = true, value_name = "PLACE")]
        places: Vec<String>,
        /// They were only opened: candidates of less weight.
        #[arg(long)]
        opened: bool,
    },
    /// Pack what a message needs: references, files, code that is found, and what was said.
    Pack {
        thread: String,
        message: String,
        /// All that the model is sent [default: 4000].
        #[arg(long, value_name = "TOKENS")]
        budget: Option<usize>,
        /// Of that, for the system prompt [default: 500].
        #[arg(long, value_name = "TOKENS")]
        system: Option<usize>,
    },
    /// Show a thread.
    Show { thread: String },
    /// List the threads, the last used first.
    List,
    /// Delete a thread.
    Delete { thread: String },
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag feedback useful fn-ab12 src/cart.rs:10-24
  kitbag feedback useless doc-77c1
  kitbag feedback list                 what was said, and what it does to later answers
  kitbag feedback undo 12")]
pub(crate) struct Feedback {
    #[command(subcommand)]
    pub(crate) action: FeedbackAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum FeedbackAction {
    /// These items were of use.
    Useful {
        /// Citations of the last packs, or PATH:FIRST-LAST.
        #[arg(required = true)]
        items: Vec<String>,
    },
    /// These items were not.
    Useless {
        /// Citations of the last packs, or PATH:FIRST-LAST.
        #[arg(required = true)]
        items: Vec<String>,
    },
    /// List what was said, and what it does to later answers.
    List,
    /// Take feedback back.
    Undo {
        #[arg(required_unless_present = "all")]
        id: Option<i64>,
        /// All of it.
        #[arg(long, conflicts_with = "id")]
        all: bool,
    },
}
