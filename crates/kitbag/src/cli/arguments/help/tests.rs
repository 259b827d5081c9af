//! Every command has its place on the first page, and the page fits a terminal.

use std::collections::BTreeSet;

use super::*;

#[test]
fn cli_5_every_command_stands_in_one_group() {
    let grouped: Vec<&str> = GROUPS
        .iter()
        .flat_map(|(_, names)| names.iter().copied())
        .collect();
    let once: BTreeSet<&str> = grouped.iter().copied().collect();
    assert_eq!(once.len(), grouped.len(), "one stands twice");
    let command = Arguments::command();
    let known: BTreeSet<&str> = command.get_subcommands().map(Command::get_name).collect();
    assert_eq!(once, known);
}

#[test]
fn cli_5_the_first_page_is_grouped_and_fits() {
    let page = command().render_help().to_string();
    let everyday = page.find("Everyday:").expect("a heading");
    assert!(everyday < page.find("Index:").expect("a heading"), "{page}");
    let command = Arguments::command();
    for line in list(&command).lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}
