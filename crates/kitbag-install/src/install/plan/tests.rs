//! What would be done to files, and that removal restores the bytes from before, whoever wrote in between (MCP-6).

use kitbag_testkit::TempTree;

use super::*;
use crate::install::agents::AGENTS;

fn launch(args: &[&str]) -> Launch {
    Launch {
        command: "kitbag".to_owned(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
    }
}

fn target(tree: &TempTree, id: &str, args: &[&str], project: bool) -> Target {
    let variables = vec![("HOME".to_owned(), tree.root().display().to_string())];
    let agents: Vec<&Agent> = AGENTS.iter().filter(|agent| agent.id == id).collect();
    let project = project.then_some(tree.root());
    targets(&agents, project, &launch(args), &variables).0.remove(0)
}

fn text(tree: &TempTree, path: &str) -> Option<String> {
    std::fs::read_to_string(tree.path(path)).ok()
}

#[track_caller]
fn run(target: &Target, plan: fn(&Target) -> Step, state: StepState) {
    let step = plan(target);
    assert_eq!(step.state, state, "{step:?}");
    apply(target, &step).expect("it can be written");
}

#[test]
fn mcp_6_taking_back_gives_the_bytes_from_before() {
    for before in [
        "",
        "{}",
        "{ }\n",
        "{\"mcpServers\": {}}",
        "{\n  \"mcpServers\": {\n  }\n}",
        "\u{feff}{\r\n}\r\n",
    ] {
        for project in [false, true] {
            let tree = TempTree::empty();
            tree.write(".cursor/mcp.json", before);
            let target = target(&tree, "cursor", &["mcp"], project);
            run(&target, install, StepState::Add);
            assert_ne!(text(&tree, ".cursor/mcp.json").as_deref(), Some(before));
            run(&target, install, StepState::AlreadyThere);
            run(&target, uninstall, StepState::Remove);
            assert_eq!(text(&tree, ".cursor/mcp.json").as_deref(), Some(before));
            assert!(!tree.path(".cursor/mcp.json.kitbag-backup").exists());
            run(&target, uninstall, StepState::NotThere);
        }
    }
}

#[test]
fn mcp_6_what_others_wrote_in_between_stays() {
    let tree = TempTree::empty();
    tree.write(".claude.json", "{\n  \"n\": 1,\n  \"mcpServers\": {}\n}\n");
    let target = target(&tree, "claude-code", &["mcp"], false);
    run(&target, install, StepState::Add);
    let grown = text(&tree, ".claude.json")
        .unwrap()
        .replace("\"n\": 1", "\"n\": 2");
    tree.write(".claude.json", &grown);
    run(&target, uninstall, StepState::Remove);
    assert_eq!(
        text(&tree, ".claude.json").as_deref(),
        Some("{\n  \"n\": 2,\n  \"mcpServers\": {}\n}\n"),
        "the empty container was there before, the backup knows"
    );
}

#[test]
fn mcp_6_the_backup_stays_the_file_without_kitbag() {
    let tree = TempTree::empty();
    let before = "model = \"o\"\n";
    tree.write(".codex/config.toml", before);
    run(&target(&tree, "codex", &["mcp"], false), install, StepState::Add);
    let other = target(&tree, "codex", &["mcp", "--tools", "all"], false);
    run(&other, install, StepState::Change);
    assert_eq!(
        text(&tree, ".codex/config.toml.kitbag-backup").as_deref(),
        Some(before)
    );
    run(
        &target(&tree, "codex", &["mcp"], false),
        uninstall,
        StepState::Remove,
    );
    assert_eq!(text(&tree, ".codex/config.toml").as_deref(), Some(before));
}

#[test]
fn mcp_6_a_file_we_made_goes_and_its_folder_with_it() {
    let tree = TempTree::empty();
    let target = target(&tree, "kiro", &["mcp"], false);
    run(&target, install, StepState::Add);
    assert!(
        !tree.path(".kiro/settings/mcp.json.kitbag-backup").exists(),
        "there was nothing to keep"
    );
    run(&target, uninstall, StepState::Remove);
    assert!(!tree.path(".kiro").exists());
}

#[test]
fn mcp_6_no_litter_in_a_project_unless_bytes_depend_on_it() {
    let tree = TempTree::empty();
    tree.write(".mcp.json", "{\n  \"mcpServers\": {\n    \"a\": {}\n  }\n}\n");
    run(
        &target(&tree, "claude-code", &["mcp"], true),
        install,
        StepState::Add,
    );
    assert!(!tree.path(".mcp.json.kitbag-backup").exists());
}

#[test]
fn mcp_6_agents_that_share_a_file_share_a_target() {
    let tree = TempTree::empty();
    let agents: Vec<&Agent> = AGENTS.iter().collect();
    let (targets, without) = targets(&agents, Some(tree.root()), &launch(&["mcp"]), &Vec::new());
    let shared = targets
        .iter()
        .find(|target| target.path.ends_with(".mcp.json"))
        .unwrap();
    let ids: Vec<&str> = shared.agents.iter().map(|agent| agent.id).collect();
    assert_eq!(ids, ["claude-code", "copilot"]);
    let ids: Vec<&str> = without.iter().map(|agent| agent.id).collect();
    assert_eq!(ids, ["antigravity", "windsurf"]);
}

#[test]
fn mcp_6_instructions_go_where_agents_look() {
    let names = |tree: &TempTree, ids: &[&str]| -> Vec<String> {
        let agents: Vec<&Agent> = AGENTS.iter().filter(|agent| ids.contains(&agent.id)).collect();
        let targets = instruction_targets(tree.root(), &agents);
        let name = |target: &Target| target.path.file_name().unwrap().to_str().unwrap().to_owned();
        targets.iter().map(name).collect()
    };
    let tree = TempTree::empty();
    assert_eq!(names(&tree, &["codex", "claude-code"]), ["AGENTS.md"]);
    assert_eq!(names(&tree, &["claude-code"]), ["CLAUDE.md"]);
    tree.write("CLAUDE.md", "# C\n");
    assert_eq!(names(&tree, &["codex"]), ["CLAUDE.md"]);
    tree.write("AGENTS.md", "# A\n");
    assert_eq!(names(&tree, &["codex"]), ["AGENTS.md", "CLAUDE.md"]);
    std::fs::remove_file(tree.path("CLAUDE.md")).unwrap();
    std::os::unix::fs::symlink("AGENTS.md", tree.path("CLAUDE.md")).unwrap();
    assert_eq!(names(&tree, &["codex"]), ["AGENTS.md"], "one file, one block");
}
