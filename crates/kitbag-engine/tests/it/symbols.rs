//! `symbol`: definitions, callers, callees, implementors.

use kitbag_engine::api::{self, SymbolReply, SymbolRequest};

use crate::world::{NOW, World};

fn symbol(world: &World, name: &str) -> SymbolReply {
    let request = SymbolRequest {
        name: name.into(),
        limit: 50,
        update: true,
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
        limit: 5,
        update: true,
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
