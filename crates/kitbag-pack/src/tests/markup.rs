//! XML, JSON, plain text and templates (PACK-70, PACK-71, SEC-3), each read by a parser of its own.

use kitbag_testkit::random::Random;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde_json::{Value, json};

use super::read::{
    check_body, check_clean, check_items, copies, note_of, one_line, own_range, part_of, parts, range, seen,
    short_label, span, title,
};
use super::world::{SMALL, World, options, packed_sometimes_again, words, world};
use crate::{Format, Item, Pack, SeenBefore, clean_text};

/// Packs of odd worlds in one format.
fn each_pack(format: Format, n_worlds: u64, check: &dyn Fn(&World, &Pack, bool)) {
    for seed in 0..n_worlds {
        let random = &mut Random::new(seed);
        let world = world(random, SMALL);
        let budget = random.pick(&[80, 200, 600, 1_500, 6_000]);
        let mut options = options(random, budget);
        (options.style.format, options.style.template) = (format, None);
        let pack = packed_sometimes_again(random, &world, &options, &words);
        check_clean(&pack.text);
        check_items(&world, &pack);
        if pack.text.is_empty() {
            assert!(pack.items.is_empty());
        } else {
            check(&world, &pack, options.style.line_numbers);
        }
    }
}

/// An element: name, attributes in order, all its text.
type Element = (String, Vec<(String, String)>, String);

/// Reads a document to its end; panics on anything that is not well-formed.
fn elements(text: &str) -> Vec<Element> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_comments = true;
    let mut elements: Vec<Element> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    loop {
        match reader
            .read_event()
            .unwrap_or_else(|error| panic!("{error}: {text}"))
        {
            Event::Start(tag) => {
                open.push(elements.len());
                elements.push(element(&tag));
            }
            Event::Empty(tag) => elements.push(element(&tag)),
            Event::End(_) => {
                open.pop();
            }
            Event::Text(more) => match open.last() {
                Some(idx) => elements[*idx].2.push_str(&more.decode().unwrap()),
                None => assert_eq!(more.decode().unwrap().trim(), "", "text outside: {text}"),
            },
            Event::CData(more) => elements[open[open.len() - 1]].2.push_str(&more.decode().unwrap()),
            Event::GeneralRef(name) => {
                let more = match &*name.decode().unwrap() {
                    "amp" => "&",
                    "lt" => "<",
                    "gt" => ">",
                    other => panic!("&{other}; in {text}"),
                };
                elements[open[open.len() - 1]].2.push_str(more);
            }
            Event::Eof => break,
            other => panic!("{other:?} in {text}"),
        }
    }
    assert!(open.is_empty(), "{text}");
    elements
}

fn element(tag: &BytesStart<'_>) -> Element {
    let attributes = tag.attributes().map(|attribute| {
        let attribute = attribute.unwrap();
        assert!(!attribute.value.contains(&b'<'));
        let key = String::from_utf8(attribute.key.as_ref().to_vec()).unwrap();
        (key, attribute.unescape_value().unwrap().into_owned())
    });
    let attributes = attributes.collect();
    (
        String::from_utf8(tag.name().as_ref().to_vec()).unwrap(),
        attributes,
        String::new(),
    )
}

fn attribute<'e>(element: &'e Element, key: &str) -> Option<&'e str> {
    let found = element.1.iter().find(|(known, _)| known == key);
    found.map(|(_, value)| value.as_str())
}

/// The shown text in an element, without the line break that the tag stands on.
fn check_snippet(world: &World, item: &Item, found: &Element, line_numbers: bool) {
    let body = found.2.strip_prefix('\n').unwrap_or_else(|| panic!("{found:?}"));
    check_body(world, &[item], body, line_numbers);
}

fn check_seen(item: &Item, found: &Element) {
    let said = attribute(found, "delivered").map(|answers| format!(" delivered in {answers}"));
    let changed = attribute(found, "changed").map(|since| format!(" changed {since}"));
    assert_eq!(said.or(changed).unwrap_or_default(), seen(item));
}

#[test]
fn pack_71_sec_3_xml_is_well_formed_and_gives_back_the_text() {
    each_pack(Format::Xml, 800, &|world, pack, line_numbers| {
        let found = &mut elements(&pack.text).into_iter();
        let mut next = |name: &str| {
            let element = found
                .next()
                .unwrap_or_else(|| panic!("no <{name}>: {}", pack.text));
            assert_eq!(element.0, name, "{}", pack.text);
            element
        };
        assert_eq!(attribute(&next("pack"), "task"), Some(&*title(&world.task)));
        for part in parts(pack) {
            assert_eq!(attribute(&next("section"), "name"), Some(part.section.as_str()));
            for file in &part.files {
                assert_eq!(
                    attribute(&next("file"), "path"),
                    Some(&*clean_text(&file[0].piece.path))
                );
                for item in file {
                    let snippet = next("snippet");
                    assert_eq!(attribute(&snippet, "id"), Some(item.citation.as_str()));
                    assert_eq!(attribute(&snippet, "rank"), Some(item.rank.to_string().as_str()));
                    assert_eq!(attribute(&snippet, "name"), Some(short_label(item).as_str()));
                    assert_eq!(attribute(&snippet, "note").unwrap_or(""), item.piece.note);
                    assert_eq!(attribute(&snippet, "lines"), Some(range(item).as_str()));
                    assert_eq!(attribute(&snippet, "resolution"), Some(item.resolution.as_str()));
                    assert_eq!(attribute(&snippet, "truncated"), item.truncated.then_some("true"));
                    check_seen(item, &snippet);
                    check_snippet(world, item, &snippet, line_numbers);
                }
            }
            for item in &part.named {
                let reference = next("reference");
                check_seen(item, &reference);
                assert_eq!(attribute(&reference, "id"), Some(item.citation.as_str()));
                assert_eq!(
                    attribute(&reference, "path"),
                    Some(&*clean_text(&item.piece.path))
                );
                assert_eq!(
                    attribute(&reference, "name"),
                    Some(&*clean_text(&item.piece.label))
                );
            }
        }
        for hint in &pack.hints {
            assert_eq!(next("hint").2, one_line(hint));
        }
        assert_eq!(found.next(), None);
    });
}

#[test]
fn pack_71_sec_3_a_project_context_is_well_formed_and_gives_back_the_text() {
    each_pack(Format::ProjectContext, 800, &|world, pack, line_numbers| {
        let found = elements(&pack.text);
        assert_eq!(found[0].0, "project_context");
        let expected: Vec<&Item> = parts(pack)
            .into_iter()
            .flat_map(|part| {
                part.files
                    .into_iter()
                    .flatten()
                    .chain(part.named)
                    .collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(found.len(), 1 + expected.len() + pack.hints.len());
        for (item, snippet) in expected.iter().zip(&found[1..]) {
            assert_eq!(snippet.0, "snippet");
            assert_eq!(attribute(snippet, "path"), Some(&*clean_text(&item.piece.path)));
            assert_eq!(attribute(snippet, "label"), Some(&*clean_text(&item.piece.label)));
            assert_eq!(attribute(snippet, "kind"), Some(item.piece.kind.as_str()));
            assert_eq!(attribute(snippet, "id"), Some(item.citation.as_str()));
            let score: f64 = attribute(snippet, "score").unwrap().parse().unwrap();
            assert!((score - item.score).abs() < 0.006);
            check_seen(item, snippet);
            if item.lines.is_empty() {
                assert_eq!(snippet.2, "");
            } else {
                check_snippet(world, item, snippet, line_numbers);
            }
        }
        for (hint, element) in pack.hints.iter().zip(&found[1 + expected.len()..]) {
            assert_eq!(
                (element.0.as_str(), element.2.as_str()),
                ("hint", one_line(hint).as_str())
            );
        }
    });
}

#[test]
fn pack_71_json_parses_and_gives_back_the_text() {
    each_pack(Format::Json, 800, &|world, pack, line_numbers| {
        let found: Value =
            serde_json::from_str(&pack.text).unwrap_or_else(|error| panic!("{error}: {}", pack.text));
        assert_eq!(found["task"], title(&world.task).as_str());
        let hints: Vec<&str> = found["hints"]
            .as_array()
            .unwrap()
            .iter()
            .map(|hint| hint.as_str().unwrap())
            .collect();
        assert_eq!(hints, pack.hints);
        let expected: Vec<&Item> = parts(pack)
            .into_iter()
            .flat_map(|part| {
                part.files
                    .into_iter()
                    .flatten()
                    .chain(part.named)
                    .collect::<Vec<_>>()
            })
            .collect();
        let items = found["items"].as_array().unwrap();
        assert_eq!(items.len(), expected.len());
        for (item, value) in expected.iter().zip(items) {
            assert_eq!(value["citation"], item.citation.as_str());
            assert_eq!(value["rank"], item.rank);
            assert_eq!(value["note"].as_str().unwrap_or(""), item.piece.note);
            assert_eq!(value["section"], item.section.as_str());
            assert_eq!(value["path"], item.piece.path.as_str());
            assert_eq!(value["label"], item.piece.label.as_str());
            assert_eq!(value["lines"][0], item.piece.lines.start());
            assert_eq!(value["lines"][1], item.piece.lines.end());
            assert_eq!(value["resolution"], item.resolution.as_str());
            assert_eq!(value["truncated"].as_bool().unwrap_or(false), item.truncated);
            assert_eq!(value["n_copies"].as_u64().unwrap_or(0), item.copies.len() as u64);
            let n_like = value["n_like"].as_u64().unwrap_or(0);
            assert!(n_like == item.like.len() as u64 || item.copies.len() >= 3);
            let part = item
                .piece
                .part
                .map_or(Value::Null, |(part, of)| json!([part, of]));
            assert_eq!(value["part"], part);
            let (delivered, changed) = match &item.seen {
                Some(SeenBefore::Delivered { answers, .. }) => (json!(answers), Value::Null),
                Some(SeenBefore::Changed { since }) if !item.lines.is_empty() => (Value::Null, json!(since)),
                _ => (Value::Null, Value::Null),
            };
            assert_eq!(
                (&value["delivered_in"], &value["changed_since"]),
                (&delivered, &changed)
            );
            match value["text"].as_str() {
                Some(text) => check_body(world, &[item], text, line_numbers),
                None => assert!(item.lines.is_empty()),
            }
        }
    });
}

#[test]
fn pack_70_sec_3_plain_text_indents_source_and_nothing_else() {
    each_pack(Format::Plain, 800, &|world, pack, line_numbers| {
        let text = &pack.text;
        let rows: Vec<&str> = text.strip_suffix('\n').unwrap().split('\n').collect();
        let mut bodies: Vec<String> = Vec::new();
        let mut said: Vec<&str> = Vec::new();
        let mut in_body = false;
        for row in rows {
            match row.strip_prefix(' ') {
                Some(source) => {
                    if !in_body {
                        bodies.push(String::new());
                    }
                    let body = bodies.last_mut().unwrap();
                    body.push_str(source);
                    body.push('\n');
                }
                None => said.push(row),
            }
            in_body = row.starts_with(' ');
        }
        let parts = parts(pack);
        let files: Vec<_> = parts.iter().flat_map(|part| &part.files).collect();
        assert_eq!(bodies.len(), files.len(), "{text}");
        for (file, body) in files.iter().zip(&bodies) {
            check_body(world, file, body, line_numbers);
        }
        let mut expected: Vec<String> = Vec::new();
        let task = Some(title(&world.task)).filter(|title| !title.is_empty());
        expected.extend(task.map(|task| format!("context for: {task}")));
        for part in &parts {
            expected.push(format!("{}:", part.section.title()));
            for file in &part.files {
                let (start, end) = span(file);
                let mut line = format!("{}:{start}-{end}", one_line(&file[0].piece.path).trim_start());
                for item in file {
                    let truncated = if item.truncated { " truncated" } else { "" };
                    let copies = copies(item, &|copy| copy);
                    let (part, note, seen) = (part_of(item), note_of(item), seen(item));
                    let lines = own_range(item, (start, end));
                    line += &format!(
                        " {} [{}] {}{lines}{part}{note}{truncated}{seen}{copies}",
                        item.rank,
                        item.citation,
                        short_label(item)
                    );
                }
                expected.push(line);
            }
            for item in &part.named {
                let place = format!(
                    "{}:{} {}",
                    one_line(&item.piece.path),
                    range(item),
                    one_line(&item.piece.label)
                );
                let (part, note, seen) = (part_of(item), note_of(item), seen(item));
                let copies = copies(item, &|copy| copy);
                expected.push(format!(
                    "{} [{}]{part}{note}{seen}{copies}",
                    place.trim(),
                    item.citation
                ));
            }
        }
        expected.extend(
            pack.hints
                .iter()
                .map(|hint| format!("hint: {}", one_line(hint).trim())),
        );
        let said: Vec<&str> = said
            .into_iter()
            .filter(|row| !row.is_empty())
            .map(str::trim_end)
            .collect();
        assert_eq!(
            said,
            expected.iter().map(|line| line.trim_end()).collect::<Vec<_>>(),
            "{text}"
        );
    });
}
