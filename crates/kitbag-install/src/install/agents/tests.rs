//! Rules that hold for every row of the table.

use std::collections::BTreeSet;

use super::*;

fn variables(pairs: &[(&str, &str)]) -> Variables {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

#[test]
fn mcp_6_every_agent_has_its_own_place() {
    let names: Vec<&str> = AGENTS.iter().map(|agent| agent.name).collect();
    assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
    let variables = variables(&[("HOME", "/home/me")]);
    let paths: BTreeSet<PathBuf> = AGENTS
        .iter()
        .map(|agent| agent.user_file(&variables).expect("there is a home").path)
        .collect();
    assert_eq!(paths.len(), AGENTS.len(), "no two agents share the user's file");
    assert!(paths.iter().all(|path| path.starts_with("/home/me")));
    let ids: BTreeSet<&str> = AGENTS.iter().map(|agent| agent.id).collect();
    assert_eq!(ids.len(), AGENTS.len());
}

#[test]
fn mcp_6_variables_move_files() {
    let path = |id: &str, pairs: &[(&str, &str)]| {
        let agent = AGENTS.iter().find(|agent| agent.id == id).expect("it is known");
        agent
            .user_file(&variables(pairs))
            .map(|file| file.path.display().to_string())
    };
    let home = ("HOME", "/h");
    assert_eq!(path("claude-code", &[home]).as_deref(), Some("/h/.claude.json"));
    assert_eq!(
        path("claude-code", &[home, ("CLAUDE_CONFIG_DIR", "/c")]).as_deref(),
        Some("/c/.claude.json")
    );
    assert_eq!(path("codex", &[home]).as_deref(), Some("/h/.codex/config.toml"));
    assert_eq!(
        path("codex", &[home, ("CODEX_HOME", "/x")]).as_deref(),
        Some("/x/config.toml")
    );
    assert_eq!(
        path("zed", &[home]).as_deref(),
        Some("/h/.config/zed/settings.json")
    );
    assert_eq!(
        path("zed", &[home, ("XDG_CONFIG_HOME", "/xdg")]).as_deref(),
        Some("/xdg/zed/settings.json")
    );
    assert_eq!(path("cursor", &[]), None, "without a home there is no file");
}
