//! Markdown, read by a Markdown parser (PACK-70, SEC-3): it finds the headings, citations, fences and names that the items
//! call for, and nothing else, whatever stands in the files.

use kitbag_testkit::random::Random;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::read::{
    check_body, check_clean, check_items, copies, note_of, one_line, own_range, part_of, parts, range, seen,
    short_label, span, title,
};
use super::text::odd_line;
use super::world::{SMALL, World, options, packed, packed_sometimes_again, style, words, world};
use crate::{Format, Item, Pack, PackOptions};

#[derive(Debug, PartialEq)]
enum Block {
    Heading(usize, String),
    Paragraph(String),
    Fence(String, String),
    List(Vec<String>),
}

/// Code spans come as `⟦…⟧`. Anything that a pack has no use for is an error.
fn read(text: &str) -> Vec<Block> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS;
    let mut blocks = Vec::new();
    let mut words = String::new();
    let mut items = Vec::new();
    let mut info = String::new();
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::Heading { .. } | Tag::Paragraph | Tag::List(None) | Tag::Item) => words.clear(),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                words.clear();
                info = language.into_string();
            }
            Event::Text(more) => words.push_str(&more),
            Event::Code(more) => words.push_str(&format!("⟦{more}⟧")),
            Event::End(TagEnd::Heading(level)) => {
                blocks.push(Block::Heading(level as usize, std::mem::take(&mut words)))
            }
            Event::End(TagEnd::Paragraph) => blocks.push(Block::Paragraph(std::mem::take(&mut words))),
            Event::End(TagEnd::CodeBlock) => blocks.push(Block::Fence(
                std::mem::take(&mut info),
                std::mem::take(&mut words),
            )),
            Event::End(TagEnd::Item) => items.push(std::mem::take(&mut words)),
            Event::End(TagEnd::List(_)) => blocks.push(Block::List(std::mem::take(&mut items))),
            other => panic!("{other:?} in {text}"),
        }
    }
    blocks
}

fn check(world: &World, pack: &Pack, line_numbers: bool) {
    let found = &mut read(&pack.text).into_iter();
    let text = &pack.text;
    if text.is_empty() {
        assert!(pack.items.is_empty());
        return;
    }
    let title = title(&world.task).trim().to_owned();
    if !title.is_empty() {
        assert_eq!(found.next(), Some(Block::Heading(1, title)), "{text}");
    }
    for part in parts(pack) {
        assert_eq!(
            found.next(),
            Some(Block::Heading(2, part.section.title().to_owned())),
            "{text}"
        );
        for file in &part.files {
            let (start, end) = span(file);
            let place = format!("⟦{}:{start}-{end}⟧", one_line(&file[0].piece.path));
            assert_eq!(found.next(), Some(Block::Heading(3, place)), "{text}");
            let cited: Vec<String> = file.iter().map(|item| cited(item, (start, end))).collect();
            assert_eq!(found.next(), Some(Block::Paragraph(cited.join(" · "))), "{text}");
            let Some(Block::Fence(_, body)) = found.next() else {
                panic!("no fence: {text}")
            };
            check_body(world, file, &body, line_numbers);
        }
        if !part.named.is_empty() {
            // One line for each file, where its first item stands.
            let mut lines: Vec<(&str, String)> = Vec::new();
            for item in &part.named {
                let path = item.piece.path.as_str();
                let known = lines.iter().position(|(known, _)| *known == path);
                let at = known.unwrap_or_else(|| {
                    lines.push((path, code(&one_line(path))));
                    lines.len() - 1
                });
                lines[at].1 += &named(item);
            }
            let lines = lines.into_iter().map(|(_, line)| line.trim().to_owned());
            assert_eq!(found.next(), Some(Block::List(lines.collect())), "{text}");
        }
    }
    if !pack.hints.is_empty() {
        assert_eq!(
            found.next(),
            Some(Block::Heading(2, "Not in this pack".to_owned())),
            "{text}"
        );
        let hints = pack
            .hints
            .iter()
            .map(|hint| format!("⟦{}⟧", one_line(hint).trim()));
        assert_eq!(found.next(), Some(Block::List(hints.collect())), "{text}");
    }
    assert_eq!(found.next(), None, "{text}");
}

/// Nothing cannot be marked as code.
fn code(text: &str) -> String {
    match text {
        "" => String::new(),
        text => format!("⟦{text}⟧"),
    }
}

fn named(item: &Item) -> String {
    let place = format!("{} {}", range(item), one_line(&item.piece.label));
    let (part, note, seen) = (part_of(item), note_of(item), seen(item));
    let copies = copies(item, &|copy| format!("⟦{copy}⟧"));
    format!(
        " ⟦{}⟧ [{}]{part}{note}{seen}{copies}",
        place.trim_end(),
        item.citation
    )
}

fn cited(item: &Item, span: (u32, u32)) -> String {
    let copies = copies(item, &|copy| format!("⟦{copy}⟧"));
    let truncated = if item.truncated { " truncated" } else { "" };
    let label = short_label(item);
    let is_word = |c: char| c.is_alphanumeric() || "_.:-".contains(c);
    let ends_plain = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let is_plain =
        label.chars().all(is_word) && ends_plain(label.chars().next()) && ends_plain(label.chars().last());
    let label = match label.as_str() {
        "" => String::new(),
        label if is_plain => format!(" {label}"),
        label => format!(" ⟦{label}⟧"),
    };
    format!(
        "{} [{}]{label}{}{}{}{truncated}{}{copies}",
        item.rank,
        item.citation,
        own_range(item, span),
        part_of(item),
        note_of(item),
        seen(item)
    )
}

#[test]
fn pack_70_sec_3_a_markdown_parser_finds_the_items_and_nothing_else() {
    for seed in 0..1500 {
        let random = &mut Random::new(seed);
        let world = world(random, SMALL);
        let budget = random.pick(&[60, 150, 400, 1_000, 4_000]);
        let mut options = options(random, budget);
        (options.style.format, options.style.template) = (Format::Markdown, None);
        let pack = packed_sometimes_again(random, &world, &options, &words);
        check(&world, &pack, options.style.line_numbers);
        check_items(&world, &pack);
        check_clean(&pack.text);
    }
}

#[test]
fn sec_3_a_task_is_a_heading_and_a_hint_is_an_item_of_a_list_whatever_they_say() {
    let odd = [
        "#", "###", "a #", "a ##", "\\#", "# #", "1. x", "1) x", "12", "-", "- x", "+", "=", "    code",
        "\t\tcode", "a  ", "\\", "[ ] x", "~~~", "```", "x\\",
    ];
    let random = &mut Random::new(7);
    let more: Vec<String> = (0..3_000).map(|_| odd_line(random)).collect();
    for line in odd.into_iter().chain(more.iter().map(String::as_str)) {
        let mut world = world(&mut Random::new(3), SMALL);
        world.pieces.truncate(1);
        (world.task, world.hints) = (line.to_owned(), vec![line.to_owned()]);
        let pack = packed(
            &world,
            &PackOptions::new(100_000, style(Format::Markdown)),
            &words,
        );
        check(&world, &pack, false);
    }
}
