//! Makes the built-in embedding model: packages → pairs → table. README.md beside this crate says how to run it.
//!
//! `mine` cuts the source files of packs with the parser of the index and writes pairs of a question and the passage that answers
//! it; `commits` does the same with histories, message by message, and `join` makes one file of them; `vocabulary` turns them into numbers; `train` learns a table; `eval` measures it, and writes the file that the binary carries;
//! `check` refuses data that touches what benchmarks measure on. Everything is a function of its input files and the seed.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool: reads files, tells people"
)]

mod adam;
mod args;
mod batch;
mod bench;
mod bm25;
mod commits;
mod dataset;
mod eval;
mod exclude;
mod learn;
mod mine;
mod model;
mod numbers;
mod packs;
mod pairs;
mod queries;
mod random;
mod record;
mod search;

use args::Args;

fn main() {
    let args = Args::read(std::env::args().skip(1).collect());
    let done = match args.verb.as_str() {
        "mine" => mine::run(&args),
        "commits" => commits::run(&args),
        "tasks" => commits::tasks(&args),
        "join" => commits::join(&args),
        "vocabulary" => dataset::run(&args),
        "train" => learn::run(&args),
        "eval" => eval::run(&args),
        "bench" => bench::run(&args),
        "check" => exclude::run(&args),
        _ => {
            Err("kitbag-train mine|commits|tasks|join|vocabulary|train|eval|bench|check --key value …".into())
        }
    };
    if let Err(message) = done {
        eprintln!("{message}");
        std::process::exit(2);
    }
}
