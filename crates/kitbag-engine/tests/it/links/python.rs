//! Python: names that are assigned more than once, from further in, or by patterns.

use super::{calls, check};

#[test]
fn idx_23_python_what_is_written_holds_only_while_nothing_else_is_assigned() {
    check(
        r#"
//- a.py
class Old:
    def go(self):
        pass

    def swap(self):
        self = New()
        self.go()


class New:
    def go(self):
        pass


cur = Old()


def written(x: Old, y: Old):
    x = New()
    x.go()
    y = None
    y.go()


def replace():
    global cur
    cur = New()


def outer():
    x = Old()

    def inner():
        nonlocal x
        x = New()

    x.go()
    cur.go()


def counted():
    x = Old()
    x += 1
    x.go()
"#,
        &[
            "a.py:6 New scope a.py:10",
            "a.py:7 go name 2",
            "a.py:15 Old scope a.py:1",
            "a.py:19 New scope a.py:10",
            "a.py:20 go name 2",
            "a.py:22 go type a.py:2",
            "a.py:27 New scope a.py:10",
            "a.py:31 Old scope a.py:1",
            "a.py:35 New scope a.py:10",
            "a.py:37 go name 2",
            "a.py:38 go name 2",
            "a.py:42 Old scope a.py:1",
            "a.py:44 go name 2",
        ],
    );
}

#[test]
fn idx_23_python_names_assigned_over_and_over_do_not_hold_up_the_index() {
    let chain = "    q = q.filter(1)\n".repeat(300);
    let circle = "    x = y\n    y = x\n    x.run()\n".repeat(100);
    let first = "def run():\n    pass\n\n\ndef h():\n    run()\n";
    let found = calls(&format!(
        "\n//- a.py\n{first}\n\ndef f(start):\n    q = start()\n{chain}\n\ndef g():\n{circle}"
    ));
    assert!(found.iter().any(|line| line == "a.py:6 run scope a.py:1"));
}
