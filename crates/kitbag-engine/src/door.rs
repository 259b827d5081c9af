//! Suggestions in the form that the reader of a pack can use (PACK-63): a command in a terminal, a call of a tool over
//! MCP, a request over HTTP. Each can be used as it is written. They are written by hand and not by a serializer, because they
//! are one line each and their tokens count.

use kitbag_pack::json_quoted;
use kitbag_types::LineRange;

/// Where a pack is delivered, which decides what its reader can do next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Door {
    #[default]
    Terminal,
    /// A model with tools.
    Mcp {
        /// The largest budget that the tools take.
        most_tokens: usize,
        /// How the call named its project, if it did.
        project: Option<String>,
    },
    Http,
}

impl Door {
    /// Suggests looking up where a name is defined.
    pub(crate) fn symbol(&self, name: &str) -> String {
        let arguments = [("name", json_quoted(name))];
        match self {
            Self::Terminal => format!("kitbag symbol {}", quoted(name)),
            Self::Mcp { .. } => self.tool("locate_symbol", &arguments),
            Self::Http => request("POST /v1/symbol", &arguments),
        }
    }

    /// Suggests the same pack with a larger budget; `None` if a larger one is not allowed.
    pub(crate) fn more(&self, task: &str, budget: usize) -> Option<String> {
        let wanted = budget.saturating_mul(2).max(1000);
        let arguments = |tokens: usize| [("task", json_quoted(task)), ("max_tokens", tokens.to_string())];
        match self {
            Self::Terminal => Some(format!("kitbag pack {} --budget {wanted}", quoted(task))),
            Self::Mcp { most_tokens, .. } => {
                let tokens = wanted.min(*most_tokens);
                (tokens > budget).then(|| self.tool("build_context_pack", &arguments(tokens)))
            }
            Self::Http => Some(request("POST /v1/pack", &arguments(wanted))),
        }
    }

    /// Suggests a pack that includes this place in any case.
    pub(crate) fn place(&self, task: &str, path: &str, lines: LineRange) -> String {
        let quoted_task = ("task", json_quoted(task));
        match self {
            Self::Terminal => {
                let place = quoted(&format!("{path}:{}-{}", lines.start(), lines.end()));
                format!("kitbag pack --ref={place} -- {}", quoted(task))
            }
            Self::Mcp { .. } => {
                let files = ("files", format!("[{}]", json_quoted(path)));
                self.tool("build_context_pack", &[quoted_task, files])
            }
            Self::Http => {
                let source = format!(
                    "[{{\"kind\":\"reference\",\"path\":{},\"line_start\":{},\"line_end\":{}}}]",
                    json_quoted(path),
                    lines.start(),
                    lines.end()
                );
                request("POST /v1/pack", &[quoted_task, ("sources", source)])
            }
        }
    }

    /// Suggests looking at the progress of the index.
    pub(crate) fn state(&self) -> String {
        match self {
            Self::Terminal => "kitbag status".to_owned(),
            Self::Mcp { .. } => self.tool("get_context_stats", &[]),
            Self::Http => "GET /stats".to_owned(),
        }
    }

    fn tool(&self, name: &str, arguments: &[(&str, String)]) -> String {
        let project = match self {
            Self::Mcp { project, .. } => project
                .as_deref()
                .map(|project| ("project", json_quoted(project))),
            _ => None,
        };
        let arguments: Vec<(&str, String)> = arguments.iter().cloned().chain(project).collect();
        request(name, &arguments)
    }
}

fn request(what: &str, arguments: &[(&str, String)]) -> String {
    let pairs: Vec<String> = arguments
        .iter()
        .map(|(name, value)| format!("\"{name}\":{value}"))
        .collect();
    format!("{what} {{{}}}", pairs.join(","))
}

/// Quoted for a shell.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':');
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests;
