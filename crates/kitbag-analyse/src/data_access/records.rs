//! Files of record: data files whose name stands in the code and that the program reads or writes. A table of values (CSV, Parquet, JSON
//! lines) always counts; a document (JSON, YAML, XML) only if the program writes it too, since others are settings.

use std::collections::BTreeSet;

use kitbag_types::{FactKind, Value};

use super::Access;
use super::chains::Reader;
use super::verbs::Operation;
use crate::code::{At, last_name, positional};

pub(super) const STORE: &str = "file";

/// Calls that are handed the name of a file: languages, what stands before, the calls that read, those that write.
type Row = (
    &'static [&'static str],
    &'static [&'static str],
    &'static [&'static str],
    &'static [&'static str],
);

#[rustfmt::skip]
const CALLS: &[Row] = &[
    (&["javascript", "typescript", "tsx"], &["fs", "fsp", "promises", "fsPromises"], &["readFile", "readFileSync", "createReadStream"], &["writeFile", "writeFileSync", "appendFile", "appendFileSync", "createWriteStream"]),
    (&["javascript", "typescript", "tsx"], &["Deno", "Bun"], &["readTextFile", "readTextFileSync", "file"], &["writeTextFile", "writeTextFileSync", "write"]),
    (&["go"], &["os", "ioutil"], &["ReadFile", "Open"], &["WriteFile", "Create"]),
    (&["rust"], &["fs", "File"], &["read_to_string", "read", "open"], &["write", "create"]),
    (&["ruby"], &["File", "CSV", "IO"], &["read", "foreach", "readlines"], &["write", "binwrite"]),
    (&["php"], &[""], &["file_get_contents", "file"], &["file_put_contents"]),
    (&["csharp"], &["File"], &["ReadAllText", "ReadAllLines", "ReadAllTextAsync", "OpenRead"], &["WriteAllText", "WriteAllTextAsync", "AppendAllText", "OpenWrite"]),
    (&["elixir"], &["File"], &["read", "read!", "stream!"], &["write", "write!"]),
];
/// Calls of libraries for tables of values, whatever stands before them.
const PANDAS: &[&str] = &["csv", "parquet", "json", "excel", "feather", "pickle"];
const TABLES: &[&str] = &[
    "arrow", "avro", "csv", "db", "feather", "jsonl", "ndjson", "parquet", "pickle", "pkl", "sqlite",
    "sqlite3", "tsv", "xlsx",
];
const DOCUMENTS: &[&str] = &["json", "xml", "yaml", "yml"];

impl Reader<'_, '_> {
    pub(super) fn record(&self, at: At) -> Option<Access> {
        let operation = self.file_operation(at)?;
        let fact = self.code.fact(at);
        let value = match &fact.receiver {
            // `Path("data.json").read_text()`.
            Some(Value::Fact(inner)) if fact.name.ends_with("_text") || fact.name.ends_with("_bytes") => {
                positional(&self.code.files[at.file].facts[*inner as usize].arguments, 0)
            }
            _ => positional(&fact.arguments, 0),
        };
        let path = self.file_path(at, value?)?;
        let name = path.rsplit(['/', '\\']).next().unwrap_or(&path);
        let ending = name.rsplit_once('.').map(|(_, ending)| ending)?;
        let is_data = TABLES.contains(&ending) || DOCUMENTS.contains(&ending);
        let is_plain = name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-'));
        (is_data && is_plain && !path.contains("://")).then(|| Access {
            tables: BTreeSet::from([name.to_owned()]),
            reads: operation.reads,
            writes: operation.writes,
            store: STORE,
        })
    }

    fn file_operation(&self, at: At) -> Option<Operation> {
        let fact = self.code.fact(at);
        let language = self.code.source(at).language.as_str();
        let name = fact.name.as_str();
        let made = |writes: bool| {
            Some(Operation {
                reads: !writes,
                writes,
            })
        };
        if language == "python" {
            let is_made = matches!(fact.receiver, Some(Value::Fact(_)));
            return match name {
                "open" if fact.receiver.is_none() => {
                    let mode = match positional(&fact.arguments, 1) {
                        Some(Value::Text(mode)) => mode.as_str(),
                        _ => "r",
                    };
                    made(mode.contains(['w', 'a', 'x', '+']))
                }
                "read_text" | "read_bytes" if is_made => made(false),
                "write_text" | "write_bytes" if is_made => made(true),
                name => {
                    let is_table = |rest: &str| PANDAS.contains(&rest);
                    let reads = name.strip_prefix("read_").is_some_and(is_table);
                    let writes = name.strip_prefix("to_").is_some_and(is_table);
                    (reads || writes).then_some(Operation { reads, writes })
                }
            };
        }
        let before = match &fact.receiver {
            Some(Value::Name(path)) => last_name(path),
            None => "",
            Some(_) => return None,
        };
        let row = CALLS
            .iter()
            .filter(|row| row.0.contains(&language) && row.1.contains(&before));
        row.into_iter()
            .find_map(|row| match (row.2.contains(&name), row.3.contains(&name)) {
                (true, _) => made(false),
                (_, true) => made(true),
                _ => None,
            })
    }

    /// The text of a path, or the last part of one that is put together: `path.join(folder, "data.json")`.
    fn file_path(&self, at: At, value: &Value) -> Option<String> {
        match value {
            Value::Fact(call) => {
                let fact = &self.code.files[at.file].facts[*call as usize];
                let is_join = matches!(
                    last_name(&fact.name),
                    "join" | "resolve" | "Join" | "Combine" | "Path" | "new"
                );
                match fact.arguments.last() {
                    Some(Value::Text(text)) if is_join && fact.kind == FactKind::Call => Some(text.clone()),
                    _ => None,
                }
            }
            value => self.code.text(at, value),
        }
    }
}

/// Documents that nothing writes are settings.
pub(super) fn retain_records(found: &mut Vec<(At, Access)>) {
    let written: BTreeSet<String> = found
        .iter()
        .filter(|(_, access)| access.store == STORE && access.writes)
        .flat_map(|(_, access)| access.tables.iter().cloned())
        .collect();
    let is_table = |name: &String| {
        name.rsplit_once('.')
            .is_some_and(|(_, ending)| TABLES.contains(&ending))
    };
    found.retain(|(_, access)| {
        access.store != STORE
            || access
                .tables
                .iter()
                .any(|name| is_table(name) || written.contains(name))
    });
}
