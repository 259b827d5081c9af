//! Statements, what they touch, and texts that are none.

use super::read;

fn check(text: &str, tables: &[&str], reads: bool, writes: bool) {
    let touches = read(text).unwrap_or_else(|| panic!("not read: {text}"));
    let found: Vec<&str> = touches.tables.iter().map(String::as_str).collect();
    assert_eq!(
        (found.as_slice(), touches.reads, touches.writes),
        (tables, reads, writes),
        "{text}"
    );
}

#[test]
fn ins_5_tables_and_operations_of_statements() {
    check("select * from users where id = $1", &["users"], true, false);
    check(
        "SELECT a.x FROM \"article\" a JOIN public.\"user\" u USING (user_id)",
        &["article", "user"],
        true,
        false,
    );
    check("insert into users (name) values (?)", &["users"], false, true);
    check(
        "update users set name = :name where id = %s returning id",
        &["users"],
        false,
        true,
    );
    check("DELETE FROM `users` WHERE id = {id}", &["users"], false, true);
    check(
        "with made as (insert into article (title) values ($1) returning *) select * from made join \"user\" using (id)",
        &["article", "user"],
        true,
        true,
    );
    check("insert into a select * from b", &["a", "b"], true, true);
    check("SELECT TOP 5 [name] FROM [dbo].[users]", &["users"], true, false);
}

#[test]
fn ins_5_texts_that_only_begin_like_a_statement_are_none() {
    for text in [
        "select an option",
        "Update your profile",
        "delete this?",
        "with love",
        "from",
        "",
        "insert coin",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn ins_5_hostile_statements_are_bounded() {
    let deep = format!(
        "select * from {}a{}",
        "(select * from ".repeat(5_000),
        ")".repeat(5_000)
    );
    assert_eq!(read(&deep), None);
    let nested = format!("select {}1{} from a", "(".repeat(400), ")".repeat(400));
    // Too deep for the parser; the words still say the table.
    let touches = read(&nested).expect("the words are read");
    assert!(!touches.is_parsed && touches.tables.contains("a"));
}

#[test]
fn ins_5_words_of_statements_that_no_parser_reads() {
    let text = "with recent as (select 1 from visits) select sum(extract(epoch from a.ended_at)) from recent join people on $$ ? where {{";
    let touches = read(text).expect("the words are read");
    let tables: Vec<&str> = touches.tables.iter().map(String::as_str).collect();
    assert_eq!((tables, touches.is_parsed), (vec!["people", "visits"], false));
}
