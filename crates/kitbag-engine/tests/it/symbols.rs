//! `symbol`: definitions, callers, callees, implementors.

use kitbag_engine::Stop;
use kitbag_engine::api::{self, SymbolReply, SymbolRequest};

use crate::world::{NOW, World};

fn symbol(world: &World, name: &str) -> SymbolReply {
    let request = SymbolRequest {
        name: name.into(),
        limit: Some(50),
        update: true,
        stop: Stop::never(),
        ..SymbolRequest::new("")
    };
    api::symbol(&world.engine(), &request, &mut |_| {}, NOW).unwrap()
}

fn world() -> World {
    World::new(
        r#"
//- src/shape.py
class Shape:
    """A shape."""

    def area(self):
        raise NotImplementedError


class Square(Shape):
    def area(self):
        return multiply(self.side, self.side)


def multiply(a, b):
    return a * b
//- src/report.py
from src.shape import multiply


def report():
    return multiply(2, 3)
//- src/other.py
def multiply(x, y):
    return 0


def use():
    return multiply(1, 1)
//- tests/test_shape.py
from src.shape import multiply


def test_multiply():
    assert multiply(2, 2) == 4
"#,
    )
}

#[test]
fn ret_11_definition_callers_callees_implementors() {
    let world = world();
    let reply = symbol(&world, "Shape");
    assert_eq!(reply.definitions.len(), 1);
    assert_eq!(
        (
            reply.definitions[0].path.as_str(),
            reply.definitions[0].line_start
        ),
        ("src/shape.py", 1)
    );
    assert_eq!(reply.definitions[0].doc, "A shape.");
    assert_eq!(
        reply
            .implementors
            .iter()
            .map(|user| user.name.as_str())
            .collect::<Vec<_>>(),
        ["Square"]
    );

    let reply = symbol(&world, "multiply");
    assert_eq!(reply.definitions.len(), 2);
    let callers: Vec<(&str, u32, &str)> = reply
        .callers
        .iter()
        .map(|user| (user.path.as_str(), user.line, user.by.as_ref()))
        .collect();
    assert_eq!(
        callers,
        [
            ("src/other.py", 6, "scope"),
            ("src/report.py", 5, "import"),
            ("src/shape.py", 10, "scope"),
        ]
    );
    assert_eq!(
        reply
            .tests
            .iter()
            .map(|user| user.name.as_str())
            .collect::<Vec<_>>(),
        ["test_multiply"]
    );

    let reply = symbol(&world, "Square::area");
    let callees: Vec<(&str, &str)> = reply
        .callees
        .iter()
        .map(|user| (user.path.as_str(), user.name.as_str()))
        .collect();
    assert_eq!(callees, [("src/shape.py", "multiply")]);
}

#[test]
fn what_is_not_there_gets_names_like_it() {
    let world = world();
    let reply = symbol(&world, "multipyl");
    assert!(reply.definitions.is_empty());
    assert_eq!(reply.similar, ["multiply"]);
    let request = SymbolRequest {
        name: " ".into(),
        limit: Some(5),
        update: true,
        stop: Stop::never(),
        ..SymbolRequest::new("")
    };
    assert!(api::symbol(&world.engine(), &request, &mut |_| {}, NOW).is_err());
}

#[test]
fn idx_22_what_is_used_most_is_central() {
    let world = World::new(
        r#"
//- config.py
def load_config():
    return {}
//- a.py
def run_a():
    return load_config()
//- b.py
def run_b():
    return load_config()
//- c.py
def run_c():
    run_a()
    return load_config()
"#,
    );
    let stats = api::project_stats(&world.engine(), &mut |_| {}, NOW).unwrap();
    assert_eq!(stats.central[0].path, "config.py");
    assert_eq!(stats.central[1].path, "a.py");
    assert_eq!(stats.languages[0].language, "python");
    assert_eq!((stats.files, stats.lines), (4, 9));
}

/// One project in several languages, each with its own way to qualify a name.
fn polyglot() -> World {
    World::new(
        r#"
//- http/Cargo.toml
[package]
name = "web-http"
//- http/src/routing/mod.rs
/// Leads requests.
pub struct Router {
    pub routes: Vec<String>,
}

impl Router {
    pub fn new() -> Self {
        Self { routes: Vec::new() }
    }

    pub fn push(&mut self, route: String) {
        self.routes.push(route);
    }
}
//- other/src/lib.rs
pub struct Router;
//- tests/router.rs
pub struct Router;
//- priv/static/router.rs
pub struct Router;
//- lib/chat/channel.ex
defmodule Chat.Channel do
  def push(socket, event), do: {socket, event}
end
//- assets/chat/channel.js
export class Channel {
  push(event) {
    return event;
  }
}
//- js/index.ts
import * as z from "./schemas/external.js";
export * from "./schemas/external.js";
export * as tiny from "./mini/strings.js";
export { z };
//- js/schemas/external.ts
export * from "./strings.js";
//- js/schemas/strings.ts
export function ulid(text: string): boolean {
  return text.length === 26;
}
//- js/mini/strings.ts
export function ulid(text: string): boolean {
  return text.length > 0;
}
//- app/Models/User.php
<?php
namespace App\Models;

class User
{
    public function find(int $id): ?User
    {
        return null;
    }
}
//- go.mod
module example.com/team/gopkg
//- context.go
package gopkg

// Context is one request.
type Context struct {
	index int
}

func Default() *Context {
	return nil
}
//- next.go
package gopkg

func (c *Context) Next() {
	c.index++
}
"#,
    )
}

#[test]
fn ret_11_a_name_is_qualified_as_its_language_writes_it() {
    let world = polyglot();
    for (asked, expected) in [
        ("http::Router", vec!["http/src/routing/mod.rs"]),
        ("web_http::Router", vec!["http/src/routing/mod.rs"]),
        ("web_http::routing::Router", vec!["http/src/routing/mod.rs"]),
        ("Router::push", vec!["http/src/routing/mod.rs"]),
        ("Router#push", vec!["http/src/routing/mod.rs"]),
        ("Chat.Channel.push", vec!["lib/chat/channel.ex"]),
        ("Chat.Channel.push/2", vec!["lib/chat/channel.ex"]),
        ("z.ulid", vec!["js/schemas/strings.ts"]),
        ("tiny.ulid", vec!["js/mini/strings.ts"]),
        ("\\App\\Models\\User", vec!["app/Models/User.php"]),
        ("User::find", vec!["app/Models/User.php"]),
        ("User->find()", vec!["app/Models/User.php"]),
        ("gopkg.Default", vec!["context.go"]),
        ("example.com/team/gopkg.Context", vec!["context.go"]),
        ("Context.Next", vec!["next.go"]),
    ] {
        let reply = symbol(&world, asked);
        let paths: Vec<&str> = reply
            .definitions
            .iter()
            .map(|definition| definition.path.as_str())
            .collect();
        assert_eq!(paths, expected, "{asked}");
        assert!(reply.elsewhere.is_empty(), "{asked}");
    }
}

#[test]
fn ret_11_a_qualifier_that_fits_nothing_says_where_the_name_is() {
    let world = polyglot();
    let reply = symbol(&world, "Wrong::push");
    assert!(reply.definitions.is_empty() && reply.callers.is_empty());
    assert_eq!(reply.totals.elsewhere, 3);
    assert_eq!(
        reply.said_elsewhere().unwrap(),
        "no `push` in `Wrong`; it is defined in `Channel` (assets/chat/channel.js:2), `Router` (http/src/routing/mod.rs:11), \
         `Chat::Channel` (lib/chat/channel.ex:2)"
    );
    assert_eq!(symbol(&world, "Wrong::psuh").said_elsewhere(), None);
}

#[test]
fn ret_11_code_comes_before_tests_before_build_artefacts() {
    let reply = symbol(&polyglot(), "Router");
    let paths: Vec<&str> = reply
        .definitions
        .iter()
        .map(|definition| definition.path.as_str())
        .collect();
    assert_eq!(
        paths,
        [
            "http/src/routing/mod.rs",
            "other/src/lib.rs",
            "tests/router.rs",
            "priv/static/router.rs"
        ]
    );
}

#[test]
fn ret_11_a_type_lists_its_members() {
    let world = polyglot();
    let members = |asked: &str| -> Vec<(String, String, u32)> {
        let reply = symbol(&world, asked);
        let definition = &reply.definitions[0];
        assert_eq!(definition.members_total, definition.members.len());
        let members = definition.members.iter();
        members
            .map(|member| (member.name.clone(), member.kind.to_string(), member.line))
            .collect()
    };
    let of = |name: &str, kind: &str, line: u32| (name.to_owned(), kind.to_owned(), line);
    assert_eq!(
        members("http::Router"),
        [
            of("routes", "field", 3),
            of("new", "method", 7),
            of("push", "method", 11)
        ]
    );
    // Of the other `Router`s nothing.
    assert_eq!(members("other::Router"), []);
    // In another file of the package.
    assert_eq!(
        members("Context"),
        [of("index", "field", 5), of("Next", "method", 3)]
    );
}

#[test]
fn ret_11_every_list_has_its_total() {
    let mut text = String::from("//- lib.py\ndef target():\n    return 1\n");
    for n in 0..30 {
        text.push_str(&format!(
            "//- use_{n}.py\nfrom lib import target\n\n\ndef use_{n}():\n    return target()\n"
        ));
    }
    text.push_str("//- many.py\nclass Many:\n");
    for n in 0..25 {
        text.push_str(&format!("    def m_{n}(self):\n        return {n}\n\n"));
    }
    let world = World::new(&text);
    let ask = |name: &str, limit: usize| {
        let request = SymbolRequest {
            name: name.into(),
            limit: Some(limit),
            update: true,
            stop: Stop::never(),
            ..SymbolRequest::new("")
        };
        api::symbol(&world.engine(), &request, &mut |_| {}, NOW).unwrap()
    };
    let reply = ask("target", 20);
    assert_eq!((reply.callers.len(), reply.totals.callers), (20, 30));
    assert_eq!((reply.definitions.len(), reply.totals.definitions), (1, 1));
    assert_eq!(ask("target", 30).callers.len(), 30);
    let reply = ask("Many", 20);
    let definition = &reply.definitions[0];
    assert_eq!((definition.members.len(), definition.members_total), (20, 25));
}

#[test]
fn ret_11_a_letter_is_found_as_a_name() {
    let world = World::new(
        r#"
//- globals.py
from local import LocalProxy

_no_app_msg = "There is no application context here, and nothing to work with."

g: AppGlobals = LocalProxy(
    lambda: None,
    unbound_message=_no_app_msg,
)
//- words.py
def explain(what):
    """What is this, and what is it used for?"""
    return what
//- other.py
def area(w, h):
    g = w * h
    return g


class Point:
    x = 1
    y = 2
"#,
    );
    let reply = symbol(&world, "g");
    let paths: Vec<&str> = reply
        .definitions
        .iter()
        .map(|definition| definition.path.as_str())
        .collect();
    assert_eq!(paths, ["globals.py"]);
    let find = |query: &str| {
        let request = api::SearchRequest::new(query);
        api::search(&world.engine(), &request, &mut |_| {}, NOW)
            .unwrap()
            .results
    };
    for query in ["g", "what is g", "what is g?", "where is `g` used"] {
        let hits = find(query);
        assert_eq!(
            hits.first().map(|hit| hit.path.as_str()),
            Some("globals.py"),
            "{query}"
        );
    }
}

#[test]
fn idx_18_a_hit_says_which_part_of_what_it_is() {
    let mut text = String::from("//- job.py\nimport x\n\n\n@x.task\ndef long_job(total):\n");
    for n in 0..200 {
        text.push_str(&format!("    total = total + compute_value(total, {n})\n"));
    }
    text.push_str(
        "    zebra_marker(total)\n    return total\n\n\ndef short_job():\n    return yak_marker()\n",
    );
    let world = World::new(&text);
    let find = |query: &str| {
        let request = api::SearchRequest::new(query);
        api::search(&world.engine(), &request, &mut |_| {}, NOW)
            .unwrap()
            .results
            .remove(0)
    };
    let hit = find("zebra_marker");
    let [part, n_parts] = hit.part.unwrap();
    assert!(part == n_parts && n_parts > 1, "{part} of {n_parts}");
    assert_eq!(
        hit.label_with_part(),
        format!("long_job (part {n_parts} of {n_parts})")
    );
    assert_eq!(
        hit.definition.unwrap(),
        api::Whole {
            line_start: 4,
            line_end: 207,
            head_line: 5,
            signature: "def long_job(total)".into()
        }
    );
    let hit = find("yak_marker");
    assert_eq!((hit.part, hit.definition.is_none()), (None, true));
    // A class is found by its kind (IDX-18).
    let request = api::SearchRequest {
        kinds: vec!["code_class".into()],
        ..api::SearchRequest::new("EmailChecker")
    };
    let world = World::new(
        "//- check.py\nclass EmailChecker:\n    message = \"bad\"\n\n    def check(self, text):\n        return \"@\" in text\n\n\ndef check_email(text):\n    return EmailChecker().check(text)\n",
    );
    let reply = api::search(&world.engine(), &request, &mut |_| {}, NOW).unwrap();
    let hits: Vec<(&str, u32)> = reply
        .results
        .iter()
        .map(|hit| (hit.label.as_str(), hit.line_start))
        .collect();
    assert_eq!(hits, [("EmailChecker", 1)]);
}

#[test]
fn idx_23_callers_of_a_method_are_not_those_of_its_namesake_in_the_same_file() {
    let world = World::new(
        r#"
//- pets.py
class Cat:
    def speak(self):
        pass


class Dog:
    def speak(self):
        pass


def walk():
    dog = Dog()
    dog.speak()


def pet():
    cat = Cat()
    cat.speak()
    cat.speak()


def meet(guest):
    guest.speak()


def count(names: dict):
    names.speak()
"#,
    );
    let reply = symbol(&world, "Cat::speak");
    let callers: Vec<(&str, &str, bool, u32, Option<String>)> = reply
        .callers
        .iter()
        .map(|user| {
            (
                user.name.as_str(),
                user.by.as_ref(),
                user.certain,
                user.targets,
                user.doubt(),
            )
        })
        .collect();
    let doubt = Some("by name, 1 of 2".to_owned());
    assert_eq!(
        callers,
        [("pet", "type", true, 1, None), ("meet", "name", false, 2, doubt)]
    );
    assert_eq!(reply.callers[0].count, 2);
}

#[test]
fn sec_4_no_list_is_asked_for_that_shows_nothing() {
    let world = World::new("//- a.py\ndef one():\n    return 1\n");
    for limit in [0, 1_000_000] {
        let request = SymbolRequest {
            name: "one".into(),
            limit: Some(limit),
            update: true,
            stop: Stop::never(),
            ..SymbolRequest::new("")
        };
        let refused = api::symbol(&world.engine(), &request, &mut |_| {}, NOW).unwrap_err();
        assert_eq!(refused.code(), "INVALID_LIMIT");
    }
}
