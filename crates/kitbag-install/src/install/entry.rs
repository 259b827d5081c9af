//! The entry that starts Kitbag, in the form that each agent needs.

use serde_json::{Map, Value, json};

/// The name of the server in every configuration. Agents put it before the names of the tools.
pub const NAME: &str = "kitbag";

/// Keys and values, in the order in which they are written.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub pairs: Vec<(&'static str, Value)>,
}

/// The program and its arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Launch {
    pub command: String,
    pub args: Vec<String>,
}

/// The forms of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `command`, `args`.
    Plain,
    /// The same with `"type": "stdio"`.
    Stdio,
    /// The same with `"tools": ["*"]`: without it no tool is offered.
    StdioAllTools,
    /// `"type": "local"`, one list for program and arguments, `"enabled": true`.
    Local,
}

/// Keys of a server that is reached by URL; with a `command` they are a contradiction.
const ADDRESSES: [&str; 3] = ["url", "httpUrl", "serverUrl"];

impl Entry {
    pub fn new(shape: Shape, launch: &Launch) -> Entry {
        let (command, args) = (json!(launch.command), json!(launch.args));
        let kind = ("type", json!("stdio"));
        let pairs = match shape {
            Shape::Plain => vec![("command", command), ("args", args)],
            Shape::Stdio => vec![kind, ("command", command), ("args", args)],
            Shape::StdioAllTools => vec![
                kind,
                ("command", command),
                ("args", args),
                ("tools", json!(["*"])),
            ],
            Shape::Local => {
                let whole: Vec<&String> = std::iter::once(&launch.command).chain(&launch.args).collect();
                vec![
                    ("type", json!("local")),
                    ("command", json!(whole)),
                    ("enabled", json!(true)),
                ]
            }
        };
        Entry { pairs }
    }

    pub fn to_value(&self) -> Value {
        let pairs = self
            .pairs
            .iter()
            .map(|(key, value)| ((*key).to_owned(), value.clone()));
        Value::Object(pairs.collect::<Map<_, _>>())
    }

    /// Whether `found` has all of these values; it may have others, which are the user's.
    pub fn is_in(&self, found: &Value) -> bool {
        !self.is_replaced_by(|key| found.get(key).is_some())
            && self
                .pairs
                .iter()
                .all(|(key, value)| found.get(key) == Some(value))
    }

    /// Whether an entry with such keys cannot be updated and is replaced.
    pub(super) fn is_replaced_by(&self, has: impl Fn(&str) -> bool) -> bool {
        ADDRESSES.into_iter().any(has)
    }

    /// The same keys with the existing values, if all exist.
    pub(super) fn as_found(&self, found: &Value) -> Option<Entry> {
        let pairs = self
            .pairs
            .iter()
            .map(|(key, _)| Some((*key, found.get(key)?.clone())));
        pairs.collect::<Option<_>>().map(|pairs| Entry { pairs })
    }
}

/// What an entry of this shape starts.
pub fn launch_of(found: &Value) -> Option<Launch> {
    let texts = |value: &Value| -> Option<Vec<String>> {
        let values = value.as_array()?.iter();
        values.map(|value| value.as_str().map(str::to_owned)).collect()
    };
    match found.get("command")? {
        Value::String(command) => Some(Launch {
            command: command.clone(),
            args: found.get("args").map_or(Some(Vec::new()), texts)?,
        }),
        list => {
            let mut words = texts(list)?.into_iter();
            Some(Launch {
                command: words.next()?,
                args: words.collect(),
            })
        }
    }
}
