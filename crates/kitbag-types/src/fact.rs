//! Facts: what one file says besides its definitions and links. They are annotations on definitions, calls with their
//! arguments, bindings, imports, and errors raised and caught. They form a forest in the order of the text: each fact knows
//! the fact around it, so that a call inside a block (`scope "/admin" do`) can be read in its context.
//!
//! Facts hold names and literals as written. `kitbag-analyse` decides what they mean.

use crate::bytes::{ByteReader, ByteWriter};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FactKind {
    /// A class, struct, interface, module or `impl`. Its arguments are the types it inherits from.
    Type,
    /// A function or method with a name. Its annotation is its return type.
    Function,
    /// A function without a name: a closure, a lambda, the block of a call.
    Block,
    /// A decorator, annotation or attribute. Its parent is the definition that it is on.
    Mark,
    /// A call, or the creation of an object.
    Call,
    /// A name that is declared or assigned: a variable, a field, an export.
    Bind,
    Parameter,
    /// An imported name. Its annotation is the module, its argument the name in that module.
    Import,
    /// An error that is raised.
    Raise,
    /// An error that is handled.
    Catch,
    /// A loop over values.
    Loop,
}

impl FactKind {
    pub const ALL: [Self; 11] = [
        Self::Type,
        Self::Function,
        Self::Block,
        Self::Mark,
        Self::Call,
        Self::Bind,
        Self::Parameter,
        Self::Import,
        Self::Raise,
        Self::Catch,
        Self::Loop,
    ];

    /// Also the capture word in a query file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Function => "function",
            Self::Block => "block",
            Self::Mark => "mark",
            Self::Call => "call",
            Self::Bind => "bind",
            Self::Parameter => "parameter",
            Self::Import => "import",
            Self::Raise => "raise",
            Self::Catch => "catch",
            Self::Loop => "loop",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// A value as far as it is a literal, a name or another fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A string or symbol, without its quotes.
    Text(String),
    /// A name, a path of names, or a number.
    Name(String),
    /// A call or block, by its index among the facts of the file.
    Fact(u32),
    List(Vec<Self>),
    Pair(String, Box<Self>),
    /// A string composed of these.
    Joined(Vec<Self>),
    /// Anything else.
    Other,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    pub kind: FactKind,
    /// Of a call: the last name (`get` of `app.router.get`).
    pub name: String,
    /// Of a call or mark: what is before the name. Of a function: the type that it is a method of, unless that type encloses
    /// it.
    pub receiver: Option<Value>,
    pub arguments: Vec<Value>,
    /// The type of a binding, parameter or result; type arguments of a call; the module of an import.
    pub annotation: String,
    /// Modifiers before the name (`export async`, `public static`).
    pub words: String,
    /// Index of the fact around it.
    pub parent: Option<u32>,
    /// Lines counted from 1, both included: of the name, and of the end.
    pub line: u32,
    pub end_line: u32,
}

/// The facts of one file as bytes: each name once, then numbers.
pub fn to_bytes(facts: &[Fact]) -> Vec<u8> {
    let mut names = Names::default();
    let mut body = ByteWriter::default();
    for fact in facts {
        body.0.push(fact.kind as u8);
        names.put(&mut body, &fact.name);
        match &fact.receiver {
            Some(value) => {
                body.0.push(1);
                put_value(&mut names, &mut body, value);
            }
            None => body.0.push(0),
        }
        put_number(&mut body, fact.arguments.len() as u64);
        for value in &fact.arguments {
            put_value(&mut names, &mut body, value);
        }
        names.put(&mut body, &fact.annotation);
        names.put(&mut body, &fact.words);
        put_number(&mut body, fact.parent.map_or(0, |parent| u64::from(parent) + 1));
        put_number(&mut body, u64::from(fact.line));
        put_number(&mut body, u64::from(fact.end_line));
    }
    let mut out = ByteWriter::default();
    put_number(&mut out, names.list.len() as u64);
    for name in &names.list {
        put_number(&mut out, name.len() as u64);
        out.0.extend_from_slice(name.as_bytes());
    }
    put_number(&mut out, facts.len() as u64);
    out.0.extend_from_slice(&body.0);
    out.0
}

/// Reads what [`to_bytes`] wrote; `None` if the bytes are malformed. Indices of parents and of facts in values are in range.
pub fn from_bytes(bytes: &[u8]) -> Option<Vec<Fact>> {
    let mut input = ByteReader(bytes);
    let n_names = number(&mut input)?;
    let mut names: Vec<&str> = Vec::new();
    for _ in 0..n_names {
        let n_bytes = usize::try_from(number(&mut input)?).ok()?;
        names.push(std::str::from_utf8(input.take(n_bytes)?).ok()?);
    }
    let n_facts = number(&mut input)?;
    let name = |input: &mut ByteReader<'_>| -> Option<String> {
        let idx = usize::try_from(number(input)?).ok()?;
        names.get(idx).map(|name| (*name).to_owned())
    };
    let mut facts = Vec::new();
    for _ in 0..n_facts {
        let [kind] = input.take(1)? else { return None };
        let kind = *FactKind::ALL.get(usize::from(*kind))?;
        let own = name(&mut input)?;
        let receiver = match input.take(1)? {
            [0] => None,
            _ => Some(value(&mut input, &names, n_facts, 0)?),
        };
        let n_arguments = number(&mut input)?;
        let mut arguments = Vec::new();
        for _ in 0..n_arguments {
            arguments.push(value(&mut input, &names, n_facts, 0)?);
        }
        facts.push(Fact {
            kind,
            name: own,
            receiver,
            arguments,
            annotation: name(&mut input)?,
            words: name(&mut input)?,
            parent: match number(&mut input)? {
                0 => None,
                parent if parent <= n_facts => Some(u32::try_from(parent - 1).ok()?),
                _ => return None,
            },
            line: u32::try_from(number(&mut input)?).ok()?,
            end_line: u32::try_from(number(&mut input)?).ok()?,
        });
    }
    Some(facts)
}

/// The deepest nesting of literals that is read; deeper bytes are malformed.
const MAX_DEPTH: u32 = 40;

#[derive(Default)]
struct Names {
    list: Vec<String>,
    places: std::collections::BTreeMap<String, u64>,
}

impl Names {
    fn put(&mut self, out: &mut ByteWriter, name: &str) {
        let place = match self.places.get(name) {
            Some(place) => *place,
            None => {
                let place = self.list.len() as u64;
                self.list.push(name.to_owned());
                self.places.insert(name.to_owned(), place);
                place
            }
        };
        put_number(out, place);
    }
}

fn put_value(names: &mut Names, out: &mut ByteWriter, value: &Value) {
    let many = |names: &mut Names, out: &mut ByteWriter, tag: u8, items: &[Value]| {
        out.0.push(tag);
        put_number(out, items.len() as u64);
        for item in items {
            put_value(names, out, item);
        }
    };
    match value {
        Value::Text(text) => {
            out.0.push(0);
            names.put(out, text);
        }
        Value::Name(name) => {
            out.0.push(1);
            names.put(out, name);
        }
        Value::Fact(idx) => {
            out.0.push(2);
            put_number(out, u64::from(*idx));
        }
        Value::List(items) => many(names, out, 3, items),
        Value::Pair(key, value) => {
            out.0.push(4);
            names.put(out, key);
            put_value(names, out, value);
        }
        Value::Joined(items) => many(names, out, 5, items),
        Value::Other => out.0.push(6),
    }
}

fn value(input: &mut ByteReader<'_>, names: &[&str], n_facts: u64, depth: u32) -> Option<Value> {
    if depth > MAX_DEPTH {
        return None;
    }
    let [tag] = input.take(1)? else { return None };
    let name = |input: &mut ByteReader<'_>| -> Option<String> {
        let idx = usize::try_from(number(input)?).ok()?;
        names.get(idx).map(|name| (*name).to_owned())
    };
    let many = |input: &mut ByteReader<'_>| -> Option<Vec<Value>> {
        let n_items = number(input)?;
        (0..n_items)
            .map(|_| value(input, names, n_facts, depth + 1))
            .collect()
    };
    Some(match tag {
        0 => Value::Text(name(input)?),
        1 => Value::Name(name(input)?),
        2 => {
            let idx = number(input).filter(|idx| *idx < n_facts)?;
            Value::Fact(u32::try_from(idx).ok()?)
        }
        3 => Value::List(many(input)?),
        4 => {
            let key = name(input)?;
            Value::Pair(key, Box::new(value(input, names, n_facts, depth + 1)?))
        }
        5 => Value::Joined(many(input)?),
        6 => Value::Other,
        _ => return None,
    })
}

/// A variable-length number: seven bits per byte, the lowest first. Most numbers take one byte.
fn put_number(out: &mut ByteWriter, mut number: u64) {
    while number >= 0x80 {
        out.0.push((number as u8 & 0x7f) | 0x80);
        number >>= 7;
    }
    out.0.push(number as u8);
}

fn number(input: &mut ByteReader<'_>) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..63).step_by(7) {
        let [byte] = input.take(1)? else { return None };
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests;
