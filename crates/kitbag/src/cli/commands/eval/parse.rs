//! Files of queries, told apart by what is in them: our own TOML (`[[query]] ask, files`), JSON lines (`query`,
//! `gold_files`) and the annotations of the published code search benchmark (a JSON array of `query`, `relevant`,
//! `secondary`). What is wrong is said with file, line and column.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;

use kitbag_engine::RepoPath;
use kitbag_engine::api::{EvalGold, EvalQuery, EvalRun};
use serde::{Deserialize, Serialize};

use super::invalid;
use super::place::{place, problem_of_json};
use kitbag_door::failure::Failure;

/// A query and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ParsedQuery {
    pub(super) query: EvalQuery,
    pub(super) place: String,
}

/// All queries of a file; never none.
pub(super) fn queries(path: &Path, text: &str) -> Result<Vec<ParsedQuery>, Failure> {
    let text = text.trim_start_matches('\u{feff}');
    let mut starts = text.chars().filter(|c| !c.is_whitespace());
    let found = match (starts.next(), starts.next()) {
        (None, _) => Vec::new(),
        (Some('{'), _) => json_lines(path, text)?,
        (Some('['), Some('{' | ']')) => annotations(path, text)?,
        _ => own(path, text)?,
    };
    if found.is_empty() {
        return Err(invalid(format!("{} holds no queries", path.display())));
    }
    Ok(found)
}

/// What tells queries apart must do so over all files.
pub(super) fn check_ids(found: &[ParsedQuery]) -> Result<(), Failure> {
    let mut places: BTreeMap<&str, &str> = BTreeMap::new();
    for ParsedQuery { query, place } in found {
        if let Some(first) = places.insert(&query.id, place) {
            let id = &query.id;
            return Err(invalid(format!(
                "{place}: the id {id} is already used at {first}"
            )));
        }
    }
    Ok(())
}

/// A query as a line of JSON: what `--write` writes and what is read again. Other fields are left alone.
#[derive(Debug, Deserialize, Serialize)]
struct Line {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    repo: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    category: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    query: Question,
    gold_files: Vec<GoldPath>,
    /// First and last lines, by path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    gold_lines: BTreeMap<String, Vec<(u32, u32)>>,
    /// False: the project holds no answer, and `gold_files` is empty.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    answerable: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    without: Vec<String>,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Own {
    #[serde(default)]
    query: Vec<OwnQuery>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OwnQuery {
    ask: toml::Spanned<Question>,
    files: Vec<GoldPath>,
    /// Names of definitions in these files that answer it.
    #[serde(default)]
    definitions: Vec<String>,
    category: Option<String>,
}

#[derive(Deserialize)]
struct Annotation {
    query: Question,
    category: Option<String>,
    relevant: Vec<AnnotatedPath>,
    #[serde(default)]
    secondary: Vec<AnnotatedPath>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum AnnotatedPath {
    Whole(GoldPath),
    Lines {
        path: GoldPath,
        start_line: Option<u32>,
        end_line: Option<u32>,
    },
}

/// Checked while it is read, so that the reader says where it stands.
#[derive(Debug, Deserialize, Serialize)]
#[serde(try_from = "String")]
struct Question(String);

impl TryFrom<String> for Question {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.trim().is_empty() {
            true => Err("the query is empty"),
            false => Ok(Self(text)),
        }
    }
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(try_from = "String")]
struct GoldPath(String);

impl TryFrom<String> for GoldPath {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let slashes = text.replace('\\', "/");
        let path = slashes.trim_start_matches("./");
        RepoPath::new(path).map_err(|error| format!("`{text}` is not a path inside the project: {error}"))?;
        Ok(Self(path.to_owned()))
    }
}

impl From<GoldPath> for EvalGold {
    fn from(path: GoldPath) -> Self {
        EvalGold {
            path: path.0,
            lines: None,
        }
    }
}

fn json_lines(path: &Path, text: &str) -> Result<Vec<ParsedQuery>, Failure> {
    let mut found = Vec::new();
    for (line_idx, text_of_line) in text.lines().enumerate() {
        if text_of_line.trim().is_empty() {
            continue;
        }
        let number = line_idx + 1;
        let line: Line = serde_json::from_str(text_of_line).map_err(|error| {
            let failure = invalid(problem_of_json(path, number, &error));
            let mut runs = serde_json::Deserializer::from_str(text).into_iter::<EvalRun>();
            match runs.next() {
                Some(Ok(_)) => invalid(format!("{} is a saved run", path.display()))
                    .with_hint("--report shows its figures, --compare sets it beside another"),
                _ => failure,
            }
        })?;
        let place = format!("{}:{number}", path.display());
        let gold = match line.answerable {
            true => some(line.gold_files, &place, "gold_files")?,
            false => Vec::new(),
        };
        let id = line.id.unwrap_or_else(|| format!("{}:{number}", stem(path)));
        found.push(ParsedQuery {
            query: EvalQuery {
                repo: line.repo,
                category: line.category,
                language: line.language,
                gold_lines: gold_lines(&line.gold_lines),
                answerable: line.answerable,
                without: line.without,
                ..EvalQuery::new(id, line.query.0, gold)
            },
            place,
        });
    }
    Ok(found)
}

fn gold_lines(by_path: &BTreeMap<String, Vec<(u32, u32)>>) -> Vec<EvalGold> {
    let lines = by_path
        .iter()
        .flat_map(|(path, some)| some.iter().map(move |lines| (path, *lines)));
    let gold = lines.map(|(path, lines)| EvalGold {
        path: path.clone(),
        lines: Some(lines),
    });
    gold.collect()
}

fn annotations(path: &Path, text: &str) -> Result<Vec<ParsedQuery>, Failure> {
    let all: Vec<Annotation> =
        serde_json::from_str(text).map_err(|error| invalid(problem_of_json(path, 1, &error)))?;
    let repo = stem(path);
    let all = all.into_iter().enumerate().map(|(idx, annotation)| {
        let place = format!("{}: query {}", path.display(), idx + 1);
        let targets = annotation.relevant.into_iter().chain(annotation.secondary);
        let gold = targets.map(|target| match target {
            AnnotatedPath::Whole(path) => path.into(),
            AnnotatedPath::Lines {
                path,
                start_line,
                end_line,
            } => EvalGold {
                path: path.0,
                lines: start_line.zip(end_line),
            },
        });
        let question = annotation.query.0;
        Ok(ParsedQuery {
            query: EvalQuery {
                repo: repo.clone(),
                category: annotation
                    .category
                    .or_else(|| Some(category(&question).to_owned())),
                path_ends: true,
                ..EvalQuery::new(
                    format!("{repo}#{idx}"),
                    question,
                    some(gold.collect(), &place, "relevant")?,
                )
            },
            place,
        })
    });
    all.collect()
}

/// As the benchmark tells them apart where nothing is said.
fn category(question: &str) -> &'static str {
    let question = question.trim();
    if !question.contains(' ') {
        "symbol"
    } else if question.to_lowercase().starts_with("how ") {
        "architecture"
    } else {
        "semantic"
    }
}

fn own(path: &Path, text: &str) -> Result<Vec<ParsedQuery>, Failure> {
    let own: Own = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        invalid(format!("{}: {}", place(path, text, at), error.message()))
    })?;
    let all = own.query.into_iter().enumerate().map(|(idx, query)| {
        let place = place(path, text, query.ask.span().start);
        Ok(ParsedQuery {
            query: EvalQuery {
                category: query.category,
                any: true,
                gold_names: query.definitions,
                ..EvalQuery::new(
                    format!("{}#{idx}", stem(path)),
                    query.ask.into_inner().0,
                    some(query.files, &place, "files")?,
                )
            },
            place,
        })
    });
    all.collect()
}

fn some<G: Into<EvalGold>>(gold: Vec<G>, place: &str, field: &str) -> Result<Vec<EvalGold>, Failure> {
    match gold.is_empty() {
        true => Err(invalid(format!("{place}: {field} names no file"))),
        false => Ok(gold.into_iter().map(Into::into).collect()),
    }
}

/// Queries as `--write` saves them.
pub(super) fn lines(queries: &[EvalQuery]) -> String {
    let line = |query: &EvalQuery| {
        let line = Line {
            id: Some(query.id.clone()),
            repo: query.repo.clone(),
            category: query.category.clone(),
            language: query.language.clone(),
            query: Question(query.query.clone()),
            gold_files: query
                .gold
                .iter()
                .map(|gold| GoldPath(gold.path.clone()))
                .collect(),
            gold_lines: by_path(&query.gold_lines),
            answerable: query.answerable,
            without: query.without.clone(),
        };
        kitbag_door::printer::json(&line, false)
    };
    queries.iter().map(line).collect()
}

fn by_path(gold: &[EvalGold]) -> BTreeMap<String, Vec<(u32, u32)>> {
    let mut found: BTreeMap<String, Vec<(u32, u32)>> = BTreeMap::new();
    for one in gold {
        found.entry(one.path.clone()).or_default().extend(one.lines);
    }
    found
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or(path.as_os_str());
    stem.to_string_lossy().into_owned()
}
