//! An overview of the project for a model: its languages, its central files, and how fresh the index is.

use kitbag_engine::api::{self, StatsReply};

use super::Project;
use kitbag_door::failure::Failure;
use kitbag_door::printer::{counted, grouped};

/// As Markdown. Says so if there is no index yet.
pub(crate) fn overview(project: &Project) -> Result<String, Failure> {
    let open = project.current();
    let name = project
        .root()
        .file_name()
        .map_or_else(|| "project".into(), |name| name.to_string_lossy());
    let mut text = format!("# {name}\n\n");
    if let Some(note) = project.note(&open) {
        text.push_str(&note);
        text.push_str("\n\n");
    }
    if api::index_state(&open.engine)?.is_none() {
        return Ok(text);
    }
    let stats = api::project_stats(&open.engine, &mut |_| {}, project.now())?;
    text.push_str(&described(&stats));
    Ok(text)
}

fn described(stats: &StatsReply) -> String {
    let mut text = format!(
        "{}, {} lines, {} symbols.\n\n## Languages\n",
        counted(stats.files, "file"),
        grouped(stats.lines),
        grouped(stats.symbols)
    );
    for language in &stats.languages {
        text.push_str(&format!(
            "- {}: {}, {} lines\n",
            language.language,
            counted(language.files, "file"),
            grouped(language.lines)
        ));
    }
    text.push_str("\n## Central files\n");
    for file in &stats.central {
        text.push_str(&format!("- `{}`\n", file.path));
    }
    text
}
