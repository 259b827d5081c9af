//! `locate_symbol`: where a name is defined, what uses it and what it uses, in a few lines.

use kitbag_engine::Scope;
use kitbag_engine::api::{self, SymbolReply, SymbolRequest, Use};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::super::call::{Call, MOST_TOKENS, OperationReply};
use super::super::operation::arguments;
use super::super::project::AnswerSource;
use super::super::{Operation, Project, Set, answer, lean};
use super::answer_size::{LEAST_TOKENS, budget, fitting};
use super::packages::PackageScope;
use kitbag_door::failure::Failure;

const NAME: &str = "locate_symbol";
const DEFAULT_TOKENS: usize = 1_000;
/// The most entries of each list: definitions, members, callers, callees, implementors and tests.
const MOST_USES: usize = 30;

pub(super) const OPERATION: Operation = Operation {
    name: NAME,
    set: Set::Core,
    description: "Where a function, type or constant is defined (path, lines, signature), who calls it, what it calls, who \
                  implements it and which tests use it. Use it instead of grep for a name.",
    read_only: true,
    destructive: false,
    idempotent: true,
    cached: true,
    schema: lean::<Arguments>,
    reply: answer::<SymbolReply>,
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// `name`, or qualified as the language writes it: `Container::name`, `pkg.Func`.
    name: String,
    /// Default 1000.
    #[serde(default)]
    #[schemars(range(min = LEAST_TOKENS, max = MOST_TOKENS))]
    max_tokens: Option<usize>,
    /// Per list; default 30.
    #[serde(default)]
    #[schemars(range(min = 1, max = 10_000))]
    limit: Option<usize>,
    /// Name or folder.
    #[serde(default)]
    package: Option<String>,
    #[serde(default)]
    scope: Option<PackageScope>,
}

fn run(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: Arguments = arguments(NAME, given)?;
    let open = project.current();
    let answer_source = project.answer_source(&open, asked);
    let note = project.note(&open);
    let tokens = budget(given.max_tokens, DEFAULT_TOKENS, note.as_deref(), &open);
    let AnswerSource::Index { update, .. } = answer_source else {
        let text = "Names are not known before the index is. Use query_context, which looks at the files themselves.".to_owned();
        return Ok(OperationReply {
            note,
            ..OperationReply::new(text, &Value::Null)
        });
    };
    let request = SymbolRequest {
        limit: Some(given.limit.unwrap_or(MOST_USES)),
        packages: given.package.into_iter().collect(),
        scope: given.scope.map(Scope::from),
        update,
        stop: asked.stopping(),
        ..SymbolRequest::new(given.name)
    };
    let reply = api::symbol(&open.engine, &request, &mut |_| {}, asked.now)?;
    let count = |text: &str| open.tokenizer.count(text).tokens;
    Ok(OperationReply {
        note,
        ..OperationReply::new(fitting(&lines(&reply), tokens, &count), &reply)
    })
}

pub(super) fn lines(reply: &SymbolReply) -> Vec<String> {
    if let Some(said) = reply.said_elsewhere() {
        let mut chars = said.chars();
        let first = chars.next().map(|first| first.to_ascii_uppercase());
        return vec![first.into_iter().chain(chars).chain(['.']).collect()];
    }
    if reply.definitions.is_empty() {
        let similar = if reply.similar.is_empty() {
            "query_context finds code by what it does".to_owned()
        } else {
            format!("similar names: {}", reply.similar.join(", "))
        };
        return vec![format!("No definition of `{}`; {similar}.", reply.name)];
    }
    let mut lines = Vec::new();
    for one in &reply.definitions {
        lines.push(format!(
            "{}:{}-{} {} {}",
            one.path, one.line_start, one.line_end, one.kind, one.name
        ));
        lines.extend(one.signature.lines().map(|line| format!("    {line}")));
        lines.extend(one.doc.lines().next().map(|line| format!("    // {line}")));
        for member in &one.members {
            let place = match member.path == one.path {
                true => member.line.to_string(),
                false => format!("{}:{}", member.path, member.line),
            };
            lines.push(format!("    {place} {} {}", member.kind, member.name));
        }
        lines.extend(more("    ", one.members.len(), one.members_total));
    }
    let totals = &reply.totals;
    lines.extend(more("", reply.definitions.len(), totals.definitions));
    let groups: [(&str, &[Use], usize); 4] = [
        ("callers", &reply.callers, totals.callers),
        ("callees", &reply.callees, totals.callees),
        ("implementors", &reply.implementors, totals.implementors),
        ("tests", &reply.tests, totals.tests),
    ];
    for (name, uses, total) in groups {
        if !uses.is_empty() {
            lines.push(format!("{name}:"));
        }
        for one in uses {
            let doubt = one.doubt().map_or(String::new(), |doubt| format!(" ({doubt})"));
            lines.push(format!("  {}:{} {}{doubt}", one.path, one.line, one.name));
        }
        lines.extend(more("  ", uses.len(), total));
    }
    lines
}

/// How many entries are not shown, and how to see them.
fn more(indent: &str, n_shown: usize, total: usize) -> Option<String> {
    (total > n_shown).then(|| format!("{indent}… {} more: limit {total}", total - n_shown))
}
