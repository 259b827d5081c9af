//! A configuration file as text, in any format: find, add and remove the entry.
//!
//! Every edit is checked: the new text is parsed again, and every value other than the entry must be unchanged. An edit that fails
//! this is refused. This makes editing by splicing safe.

#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

use super::entry::Entry;
pub use super::splice::Refusal;
use super::{json, toml};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// With comments and trailing commas, if the agent allows them.
    Json,
    Toml,
}

/// The place of the entry: `container.name`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    pub format: Format,
    /// The key under which an agent keeps its servers.
    pub container: &'static str,
    pub name: &'static str,
}

/// The existing entry.
pub fn find(text: &str, slot: Slot) -> Result<Option<Value>, Refusal> {
    let document = value(text, slot)?;
    Ok(document
        .get(slot.container)
        .and_then(|servers| servers.get(slot.name))
        .cloned())
}

/// Whether there is a container for servers, even an empty one.
pub fn has_container(text: &str, slot: Slot) -> Result<bool, Refusal> {
    Ok(value(text, slot)?.get(slot.container).is_some())
}

/// The text with the entry in it.
pub fn set(text: &str, slot: Slot, entry: &Entry) -> Result<String, Refusal> {
    let after = match slot.format {
        Format::Json => json::set(text, slot.container, slot.name, entry)?,
        Format::Toml => toml::set(text, slot.container, slot.name, entry)?,
    };
    let is_in = find(&after, slot).is_ok_and(|found| found.is_some_and(|found| entry.is_in(&found)));
    if is_in {
        checked(text, after, slot)
    } else {
        Err(unsafe_to_edit())
    }
}

/// The text without the entry. A container that becomes empty is removed too, unless it is to be kept.
pub fn remove(text: &str, slot: Slot, keep_container: bool) -> Result<String, Refusal> {
    let after = match slot.format {
        Format::Json => json::remove(text, slot.container, slot.name, keep_container)?,
        Format::Toml => toml::remove(text, slot.container, slot.name)?,
    };
    let is_gone = find(&after, slot).is_ok_and(|found| found.is_none());
    if is_gone {
        checked(text, after, slot)
    } else {
        Err(unsafe_to_edit())
    }
}

/// Whether it contains no values: then the file can be removed.
pub fn is_blank(text: &str, format: Format) -> bool {
    let text = text.trim();
    match format {
        Format::Json => {
            let inside = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
            text.is_empty() || inside.is_some_and(|inside| inside.trim().is_empty())
        }
        Format::Toml => text.is_empty(),
    }
}

fn value(text: &str, slot: Slot) -> Result<Value, Refusal> {
    let value = match slot.format {
        Format::Json => json::value(text)?,
        Format::Toml => toml::value(text)?,
    };
    Ok(value.unwrap_or_else(|| Value::Object(Map::new())))
}

fn checked(before: &str, after: String, slot: Slot) -> Result<String, Refusal> {
    let others = |text: &str| value(text, slot).map(|value| others(value, slot));
    if others(before)? == others(&after).map_err(|_| unsafe_to_edit())? {
        Ok(after)
    } else {
        Err(unsafe_to_edit())
    }
}

/// Everything except the entry; an empty container equals a missing one.
fn others(mut document: Value, slot: Slot) -> Value {
    if let Some(root) = document.as_object_mut()
        && let Some(Value::Object(servers)) = root.get_mut(slot.container)
    {
        servers.remove(slot.name);
        if servers.is_empty() {
            root.remove(slot.container);
        }
    }
    document
}

fn unsafe_to_edit() -> Refusal {
    Refusal::new(
        0,
        "it cannot be edited without changing other parts; add the entry by hand",
    )
}
