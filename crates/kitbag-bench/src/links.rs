//! `kitbag-bench links --root DIR --store DIR [--language NAME]`: every link of a project with what it leads to, one JSON object
//! per line, in order of path and line. The index is brought up to date first. What measures certain links (docs/quality.md)
//! reads this, not the store.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use kitbag_engine::api;

use crate::setup;

pub(crate) fn print(arguments: &[String]) -> ExitCode {
    let mut root: Option<PathBuf> = None;
    let mut store: Option<PathBuf> = None;
    let mut language: Option<String> = None;
    for pair in arguments.chunks(2) {
        match pair {
            [flag, value] if flag == "--root" => root = Some(value.into()),
            [flag, value] if flag == "--store" => store = Some(value.into()),
            [flag, value] if flag == "--language" => language = Some(value.clone()),
            _ => return usage(),
        }
    }
    let (Some(root), Some(store)) = (root, store) else {
        return usage();
    };
    match print_links(&root, &store, language.as_deref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    println!("usage: kitbag-bench links --root DIR --store DIR [--language NAME]");
    ExitCode::from(2)
}

fn print_links(root: &Path, store: &Path, language: Option<&str>) -> Result<(), String> {
    let engine = setup::engine(root, store);
    let request = api::IndexRequest {
        wait: true,
        thorough: false,
        stop: None,
    };
    api::index(&engine, request, &mut |_| {}, setup::now()).map_err(|error| error.to_string())?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut failed = None;
    let mut each = |link: &api::LinkReply| {
        if language.is_some_and(|language| language != link.language) || failed.is_some() {
            return;
        }
        let line = serde_json::to_string(link).map_err(|error| error.to_string());
        let written = line.and_then(|line| writeln!(out, "{line}").map_err(|error| error.to_string()));
        failed = written.err();
    };
    api::links(&engine, &mut each).map_err(|error| error.to_string())?;
    failed.map_or(Ok(()), Err)
}
