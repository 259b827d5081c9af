//! Prompts for common tasks (MCP-5), which clients show as commands. Each is a template with one argument, because people do
//! not type more.

use rmcp::model::{ErrorData, GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};

struct Row {
    name: &'static str,
    description: &'static str,
    argument: &'static str,
    means: &'static str,
    /// `{}` is the argument.
    text: &'static str,
}

const PROMPTS: &[Row] = &[
    Row {
        name: "add_feature",
        description: "Plan and build a feature with the context it needs",
        argument: "feature",
        means: "What is to be built",
        text: "Build this: {}\n\nFirst call build_context_pack with the task. Follow the conventions that the pack shows, name the files \
               you will change before you change them, and add tests next to the existing ones.",
    },
    Row {
        name: "fix_bug",
        description: "Find the cause of a bug and fix it",
        argument: "problem",
        means: "What goes wrong; errors and traces help",
        text: "Fix this: {}\n\nFirst call build_context_pack with the problem, errors included. Find the cause before you change anything, \
               say where it is (path:line), then mend it and add a test that fails without the fix.",
    },
    Row {
        name: "review_change",
        description: "Review a change against the code around it",
        argument: "change",
        means: "What changed: files, a commit or a description",
        text: "Review this change: {}\n\nCall build_context_pack with it, and locate_symbol for each changed name to see who depends on it. \
               Report real defects first, each with path:line and a way to mend it.",
    },
    Row {
        name: "understand",
        description: "Explain how a part of this repository works",
        argument: "part",
        means: "A file, a name or a question",
        text: "Explain how this works: {}\n\nCall query_context with it, then locate_symbol for the names that matter. Answer with the flow of \
               data, citing path:line for each step.",
    },
    Row {
        name: "write_tests",
        description: "Write tests in the manner of this repository",
        argument: "subject",
        means: "What is to be tested",
        text: "Write tests for: {}\n\nCall build_context_pack with \"tests for\" and the subject. Use the helpers and the style of the tests \
               it shows, and cover the edges that the code itself handles.",
    },
];

pub(super) fn list() -> Vec<Prompt> {
    let prompt = |row: &Row| {
        let argument = PromptArgument::new(row.argument)
            .with_description(row.means)
            .with_required(true);
        Prompt::new(row.name, Some(row.description), Some(vec![argument]))
    };
    PROMPTS.iter().map(prompt).collect()
}

pub(super) fn get(name: &str, arguments: JsonObject) -> Result<GetPromptResult, ErrorData> {
    let Some(row) = PROMPTS.iter().find(|row| row.name == name) else {
        let known: Vec<&str> = PROMPTS.iter().map(|row| row.name).collect();
        let message = format!("unknown prompt `{name}`; known are {}", known.join(", "));
        return Err(ErrorData::invalid_params(message, None));
    };
    let given = arguments.get(row.argument).and_then(|value| value.as_str());
    let Some(given) = given.filter(|text| !text.trim().is_empty()) else {
        let message = format!("`{name}` needs the argument `{}`: {}", row.argument, row.means);
        return Err(ErrorData::invalid_params(message, None));
    };
    let message = PromptMessage::new_text(Role::User, row.text.replace("{}", given));
    Ok(GetPromptResult::new(vec![message]).with_description(row.description))
}
