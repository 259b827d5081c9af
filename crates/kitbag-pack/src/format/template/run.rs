//! A parsed template and what a pack holds in, text out. Each step and each byte that is read or written counts against the
//! effort of the pack, so however a template nests its loops, it ends soon; and it ends at once when nobody waits any more.

use std::borrow::Cow;
use std::cell::Cell;

use kitbag_types::Stop;

use super::BadTemplate;
use super::parse::{Comparison, Expression, Filter, Node, Path, wrong};

/// What a template can name.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Data {
    Nothing,
    Bool(bool),
    Whole(u64),
    Decimal(f64),
    Text(String),
    List(Vec<Data>),
    Fields(Vec<(&'static str, Data)>),
}

/// Why there is no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unwritten {
    Bad(BadTemplate),
    Stopped,
}

impl From<BadTemplate> for Unwritten {
    fn from(bad: BadTemplate) -> Self {
        Self::Bad(bad)
    }
}

/// The effort that a template may take for one pack, all rounds together. The unit is one byte read.
pub(crate) struct Effort<'s> {
    stop: Stop<'s>,
    left: Cell<u64>,
}

/// About half a second.
const UNITS: u64 = 1 << 29;
/// The cost of one step of a template, in bytes read.
const STEP: usize = 64;
/// The cost of one byte of output: it is written, then its tokens are counted. All rounds together may write 16 MB.
const WRITTEN: usize = 32;

impl<'s> Effort<'s> {
    pub(crate) fn new(stop: Stop<'s>) -> Self {
        Self {
            stop,
            left: Cell::new(UNITS),
        }
    }

    /// Returns true once nobody waits any more.
    pub(crate) fn check(&self) -> Result<(), Unwritten> {
        self.stop.check().map_err(|_| Unwritten::Stopped)
    }

    fn spend(&self, n_units: usize) -> Result<(), Unwritten> {
        self.check()?;
        let left = self.left.get().checked_sub(n_units as u64);
        self.left.set(left.unwrap_or(0));
        match left {
            Some(_) => Ok(()),
            None => Err(BadTemplate(
                "it takes too long or writes too much; it may go over what it is given a few times"
                    .to_owned(),
            )
            .into()),
        }
    }
}

/// The text that `nodes` write of `top`.
pub(super) fn run(nodes: &[Node], top: &Data, effort: &Effort<'_>) -> Result<String, Unwritten> {
    let mut run = Run {
        top,
        loops: Vec::new(),
        text: String::new(),
        effort,
    };
    run.nodes(nodes)?;
    Ok(run.text)
}

struct Run<'v> {
    top: &'v Data,
    /// Innermost last.
    loops: Vec<Loop<'v>>,
    text: String,
    effort: &'v Effort<'v>,
}

struct Loop<'v> {
    name: &'v str,
    item: &'v Data,
    idx: usize,
    n_items: usize,
}

type Value<'v> = Cow<'v, Data>;

impl<'v> Run<'v> {
    fn nodes(&mut self, nodes: &'v [Node]) -> Result<(), Unwritten> {
        for node in nodes {
            self.effort.spend(STEP)?;
            match node {
                Node::Text(text) => self.write(text)?,
                Node::Print { line, value } => {
                    let value = self.value(*line, value)?;
                    let text = shown(*line, &value)?;
                    self.write(&text)?;
                }
                Node::For {
                    line,
                    name,
                    list,
                    body,
                    otherwise,
                } => match self.path(*line, list)? {
                    Cow::Borrowed(Data::List(items)) if !items.is_empty() => {
                        self.each(name, items, body)?;
                    }
                    Cow::Borrowed(Data::List(_) | Data::Nothing) => self.nodes(otherwise)?,
                    other => {
                        let what = format!("`{}` is {}, not a list", list.0.join("."), kind(&other));
                        return Err(wrong(*line, &what).into());
                    }
                },
                Node::If {
                    line,
                    arms,
                    otherwise,
                } => {
                    let mut taken = otherwise;
                    for (condition, body) in arms {
                        let is_met = self.value(*line, condition)?;
                        if holds(&is_met) {
                            taken = body;
                            break;
                        }
                    }
                    self.nodes(taken)?;
                }
            }
        }
        Ok(())
    }

    fn each(&mut self, name: &'v str, items: &'v [Data], body: &'v [Node]) -> Result<(), Unwritten> {
        for (idx, item) in items.iter().enumerate() {
            self.effort.spend(STEP)?;
            let n_items = items.len();
            self.loops.push(Loop {
                name,
                item,
                idx,
                n_items,
            });
            self.nodes(body)?;
            self.loops.pop();
        }
        Ok(())
    }

    fn write(&mut self, text: &str) -> Result<(), Unwritten> {
        self.effort.spend(text.len() * WRITTEN)?;
        self.text.push_str(text);
        Ok(())
    }

    fn value(&self, line: usize, expression: &'v Expression) -> Result<Value<'v>, Unwritten> {
        self.effort.spend(STEP)?;
        Ok(match expression {
            Expression::Literal(data) => Cow::Borrowed(data),
            Expression::Path(path) => self.path(line, path)?,
            Expression::Filter(of, filter) => {
                let value = self.value(line, of)?;
                self.filtered(line, value, filter)?
            }
            Expression::Not(of) => {
                let value = self.value(line, of)?;
                of_bool(!holds(&value))
            }
            // As in Jinja: the side that decides is the value.
            Expression::And(left, right) => {
                let left = self.value(line, left)?;
                if holds(&left) {
                    self.value(line, right)?
                } else {
                    left
                }
            }
            Expression::Or(left, right) => {
                let left = self.value(line, left)?;
                if holds(&left) {
                    left
                } else {
                    self.value(line, right)?
                }
            }
            Expression::Compare(left, comparison, right) => {
                let (left, right) = (self.value(line, left)?, self.value(line, right)?);
                of_bool(self.compared(line, &left, *comparison, &right)?)
            }
        })
    }

    fn path(&self, line: usize, Path(names): &Path) -> Result<Value<'v>, Unwritten> {
        self.effort.spend(STEP * names.len())?;
        let (first, fields) = names.split_first().expect("a path has a name");
        let known = self.loops.iter().rev().find(|known| known.name == first);
        let mut data = match known {
            Some(known) => known.item,
            None if first == "loop" => return self.of_loop(line, fields),
            None => field(line, "the template", self.top, first)?,
        };
        let mut of = first.as_str();
        for name in fields {
            data = field(line, of, data, name)?;
            of = name;
        }
        Ok(Cow::Borrowed(data))
    }

    /// `loop.index` and its like.
    fn of_loop(&self, line: usize, fields: &[String]) -> Result<Value<'v>, Unwritten> {
        let Some(inner) = self.loops.last() else {
            return Err(wrong(line, "`loop` stands inside {% for %}").into());
        };
        let data = match fields.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["index"] => Data::Whole(inner.idx as u64 + 1),
            ["index0"] => Data::Whole(inner.idx as u64),
            ["first"] => Data::Bool(inner.idx == 0),
            ["last"] => Data::Bool(inner.idx + 1 == inner.n_items),
            ["length"] => Data::Whole(inner.n_items as u64),
            _ => {
                let what = "`loop` has index, index0, first, last and length";
                return Err(wrong(line, what).into());
            }
        };
        Ok(Cow::Owned(data))
    }

    fn filtered(&self, line: usize, value: Value<'v>, filter: &Filter) -> Result<Value<'v>, Unwritten> {
        let of_text = |change: &dyn Fn(&str) -> String| -> Result<Value<'v>, Unwritten> {
            let text = shown(line, &value)?;
            // The result is at most six times as long.
            self.effort.spend(6 * text.len())?;
            Ok(Cow::Owned(Data::Text(change(&text))))
        };
        match filter {
            Filter::Upper => of_text(&str::to_uppercase),
            Filter::Lower => of_text(&str::to_lowercase),
            Filter::Trim => of_text(&|text| text.trim().to_owned()),
            Filter::Escape => of_text(&escaped),
            Filter::Length => {
                let n = match &*value {
                    Data::Text(text) => {
                        self.effort.spend(text.len())?;
                        text.chars().count()
                    }
                    Data::List(items) => items.len(),
                    other => return Err(not_a_list(line, other)),
                };
                Ok(Cow::Owned(Data::Whole(n as u64)))
            }
            Filter::First => one_of(line, value, &|items| items.first()),
            Filter::Last => one_of(line, value, &|items| items.last()),
            Filter::Join(separator) => {
                let Data::List(items) = &*value else {
                    return Err(not_a_list(line, &value));
                };
                let mut joined = String::new();
                for (idx, item) in items.iter().enumerate() {
                    let text = shown(line, item)?;
                    let separator = if idx == 0 { "" } else { separator };
                    // Counted as if it were written: the result may be longer than the input.
                    self.effort.spend((separator.len() + text.len()) * WRITTEN)?;
                    joined.push_str(separator);
                    joined.push_str(&text);
                }
                Ok(Cow::Owned(Data::Text(joined)))
            }
        }
    }

    fn compared(
        &self,
        line: usize,
        left: &Data,
        comparison: Comparison,
        right: &Data,
    ) -> Result<bool, Unwritten> {
        use std::cmp::Ordering;
        let order = |left: &Data, right: &Data| -> Result<Option<Ordering>, Unwritten> {
            self.effort.spend(STEP + length(left).min(length(right)))?;
            Ok(match (left, right) {
                (Data::Text(left), Data::Text(right)) => Some(left.cmp(right)),
                (Data::Bool(left), Data::Bool(right)) => Some(left.cmp(right)),
                (Data::Nothing, Data::Nothing) => Some(Ordering::Equal),
                (Data::List(_) | Data::Fields(_), _) | (_, Data::List(_) | Data::Fields(_)) => {
                    return Err(wrong(line, "lists cannot be compared").into());
                }
                _ => number(left)
                    .zip(number(right))
                    .and_then(|(left, right)| left.partial_cmp(&right)),
            })
        };
        let is_in = || -> Result<bool, Unwritten> {
            match (left, right) {
                (Data::Text(part), Data::Text(whole)) => {
                    self.effort.spend(part.len() + whole.len())?;
                    Ok(whole.contains(part.as_str()))
                }
                (_, Data::List(items)) => {
                    for item in items {
                        if order(left, item)? == Some(Ordering::Equal) {
                            return Ok(true);
                        }
                    }
                    Ok(false)
                }
                _ => Err(wrong(line, "`in` looks for a text in a text, or in a list").into()),
            }
        };
        // Values of two kinds are not equal and have no order.
        Ok(match comparison {
            Comparison::Equal => order(left, right)? == Some(Ordering::Equal),
            Comparison::Unequal => order(left, right)? != Some(Ordering::Equal),
            Comparison::Less => order(left, right)? == Some(Ordering::Less),
            Comparison::Greater => order(left, right)? == Some(Ordering::Greater),
            Comparison::AtMost => order(left, right)?.is_some_and(Ordering::is_le),
            Comparison::AtLeast => order(left, right)?.is_some_and(Ordering::is_ge),
            Comparison::In => is_in()?,
            Comparison::NotIn => !is_in()?,
        })
    }
}

fn of_bool<'v>(is_so: bool) -> Value<'v> {
    Cow::Owned(Data::Bool(is_so))
}

/// The value of `data.name`; `of` is the path to `data`, for messages.
fn field<'v>(line: usize, of: &str, data: &'v Data, name: &str) -> Result<&'v Data, Unwritten> {
    let Data::Fields(fields) = data else {
        let what = format!("`{of}` is {}, and has no `{name}`", kind(data));
        return Err(wrong(line, &what).into());
    };
    match fields.iter().find(|(known, _)| *known == name) {
        Some((_, data)) => Ok(data),
        None => {
            let known: Vec<&str> = fields.iter().map(|(known, _)| *known).collect();
            let what = format!("`{of}` has no `{name}`; it has {}", known.join(", "));
            Err(wrong(line, &what).into())
        }
    }
}

/// The first or the last; nothing of an empty list.
fn one_of<'v>(
    line: usize,
    value: Value<'v>,
    pick: &dyn Fn(&[Data]) -> Option<&Data>,
) -> Result<Value<'v>, Unwritten> {
    match value {
        Cow::Borrowed(Data::List(items)) => Ok(pick(items).map_or(Cow::Owned(Data::Nothing), Cow::Borrowed)),
        other => Err(not_a_list(line, &other)),
    }
}

fn not_a_list(line: usize, data: &Data) -> Unwritten {
    wrong(line, &format!("expected a list, found {}", kind(data))).into()
}

fn kind(data: &Data) -> &'static str {
    match data {
        Data::Nothing => "nothing",
        Data::Bool(_) => "true or false",
        Data::Whole(_) | Data::Decimal(_) => "a number",
        Data::Text(_) => "a text",
        Data::List(_) => "a list",
        Data::Fields(_) => "something with fields",
    }
}

fn holds(data: &Data) -> bool {
    match data {
        Data::Nothing => false,
        Data::Bool(is_so) => *is_so,
        Data::Whole(whole) => *whole != 0,
        Data::Decimal(decimal) => *decimal != 0.0,
        Data::Text(text) => !text.is_empty(),
        Data::List(items) => !items.is_empty(),
        Data::Fields(_) => true,
    }
}

fn number(data: &Data) -> Option<f64> {
    match data {
        Data::Whole(whole) => Some(*whole as f64),
        Data::Decimal(decimal) => Some(*decimal),
        _ => None,
    }
}

fn length(data: &Data) -> usize {
    match data {
        Data::Text(text) => text.len(),
        _ => 0,
    }
}

/// The value as text. A missing value is an empty text.
fn shown(line: usize, data: &Data) -> Result<Cow<'_, str>, Unwritten> {
    Ok(match data {
        Data::Nothing => Cow::Borrowed(""),
        Data::Bool(is_so) => Cow::Owned(is_so.to_string()),
        Data::Whole(whole) => Cow::Owned(whole.to_string()),
        // With a dot, always: 1.0.
        Data::Decimal(decimal) => Cow::Owned(format!("{decimal:?}")),
        Data::Text(text) => Cow::Borrowed(text),
        Data::List(_) | Data::Fields(_) => {
            let what = format!(
                "{} cannot be written as it is; go over it with {{% for %}}, or name a field",
                kind(data)
            );
            return Err(wrong(line, &what).into());
        }
    })
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#x27;"),
            c => out.push(c),
        }
    }
    out
}
