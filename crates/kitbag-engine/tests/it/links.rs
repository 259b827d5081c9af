//! What links lead to (IDX-23), as tables: source files, and for each call what it leads to. `path:line name → by target`.

mod go;
mod java;
mod python;
mod typescript;

use kitbag_engine::api::{self, LinkReply};

use crate::world::{NOW, World};

/// Every call of the files: `path:line name by path:line…`, by name as `name n`, what is not of the project as `outside`.
fn calls(files: &str) -> Vec<String> {
    let world = World::new(files);
    let request = api::IndexRequest {
        wait: true,
        thorough: false,
        stop: None,
    };
    api::index(&world.engine(), request, &mut |_| {}, NOW).unwrap();
    let mut found: Vec<LinkReply> = Vec::new();
    api::links(&world.engine(), &mut |link| found.push(link.clone())).unwrap();
    let mut lines = Vec::new();
    for link in found.iter().filter(|link| link.kind == "call") {
        let leads = if link.certain {
            let targets: Vec<String> = link
                .targets
                .iter()
                .map(|target| format!("{}:{}", target.path, target.line))
                .collect();
            format!("{} {}", link.by, targets.join(" "))
        } else if link.outside {
            "outside".to_owned()
        } else {
            format!("name {}", link.n_targets)
        };
        lines.push(format!("{}:{} {} {leads}", link.path, link.line, link.name));
    }
    lines
}

fn check(files: &str, expected: &[&str]) {
    let found = calls(files);
    assert_eq!(found, expected, "\n{}\n", found.join("\n"));
}

#[test]
fn idx_23_python_two_classes_with_one_method_name() {
    check(
        r#"
//- a.py
class Cat:
    def speak(self):
        return self.sound()

    def sound(self):
        return "meow"


class Dog:
    def speak(self):
        return self.sound()

    def sound(self):
        return "woof"


def main(guest):
    dog = Dog()
    dog.speak()
    Cat().speak()
    guest.speak()
"#,
        &[
            "a.py:3 sound self a.py:5",
            "a.py:11 sound self a.py:13",
            "a.py:18 Dog scope a.py:9",
            "a.py:19 speak type a.py:10",
            "a.py:20 Cat scope a.py:1",
            "a.py:20 speak type a.py:2",
            "a.py:21 speak name 2",
        ],
    );
}

#[test]
fn idx_23_python_locals_hide_what_is_outside_of_them() {
    check(
        r#"
//- a.py
def run():
    pass


def shadowed(run):
    run()


def inner():
    def run():
        pass

    run()


def assigned(items):
    run = items[0]
    run()


def free():
    run()


def twice(flag):
    thing = One()
    if flag:
        thing = Two()
    thing.go()


def perhaps(flag):
    thing = None
    if flag:
        thing = Two()
    thing.go()


class One:
    def go(self):
        pass


class Two:
    def go(self):
        pass
"#,
        &[
            "a.py:22 run scope a.py:1",
            "a.py:26 One scope a.py:39",
            "a.py:28 Two scope a.py:44",
            "a.py:29 go name 2",
            "a.py:35 Two scope a.py:44",
            "a.py:36 go type a.py:45",
        ],
    );
}

#[test]
fn idx_23_python_imports_and_what_packages_pass_on() {
    check(
        r#"
//- pkg/__init__.py
from .core import Engine, start as begin
from . import util
//- pkg/core.py
class Engine:
    def turn(self):
        return self


def start():
    return Engine()
//- pkg/util.py
def clean():
    pass
//- pkg/sub/__init__.py
//- pkg/sub/deep.py
from ..core import start
from ..util import *
import pkg.util as u


def go():
    start().turn().turn()
    clean()
    u.clean()
//- main.py
import json
import pkg
import pkg.sub.deep
from pkg import Engine, begin, util


def main():
    Engine().turn()
    begin()
    util.clean()
    pkg.util.clean()
    pkg.sub.deep.go()
    json.dumps({})
    print(len([]))
    from pkg.util import clean as tidy
    tidy()
    json.loads("").turn()
    dict().turn()
"#,
        &[
            "main.py:8 Engine import pkg/core.py:1",
            "main.py:8 turn type pkg/core.py:2",
            "main.py:9 begin import pkg/core.py:6",
            "main.py:10 clean import pkg/util.py:1",
            "main.py:11 clean import pkg/util.py:1",
            "main.py:12 go import pkg/sub/deep.py:6",
            "main.py:13 dumps outside",
            "main.py:14 len outside",
            "main.py:14 print outside",
            "main.py:16 clean import pkg/util.py:1",
            "main.py:17 loads outside",
            "main.py:17 turn name 1",
            "main.py:18 dict outside",
            "main.py:18 turn outside",
            "pkg/core.py:7 Engine scope pkg/core.py:1",
            "pkg/sub/deep.py:7 start import pkg/core.py:6",
            "pkg/sub/deep.py:7 turn type pkg/core.py:2",
            "pkg/sub/deep.py:7 turn type pkg/core.py:2",
            "pkg/sub/deep.py:8 clean import pkg/util.py:1",
            "pkg/sub/deep.py:9 clean import pkg/util.py:1",
        ],
    );
}

#[test]
fn idx_23_python_members_along_bases_attributes_and_properties() {
    check(
        r#"
//- base.py
class Base:
    def save(self):
        pass

    @classmethod
    def make(cls):
        return cls()

    @staticmethod
    def check(self):
        self.save()
//- a.py
from base import Base
from other import Outside


class Left(Base):
    def save(self):
        super().save()


class Right(Base):
    def save(self):
        pass

    def only(self):
        pass


class Both(Left, Right):
    def __init__(self, base: Base, late: "Right", maybe: Base | None = None):
        self.base = base
        self.late = late
        self.maybe = maybe

    @property
    def right(self) -> Right:
        return Right()

    def run(self):
        self.save()
        self.only()
        self.base.save()
        self.late.only()
        self.maybe.save()
        self.right.only()
        self.missing()


class Foreign(Outside, Base):
    def run(self):
        self.save()
        self.other()


def main():
    Both.make().only()
    Left.make().save()
"#,
        &[
            "a.py:7 save inherited base.py:2",
            "a.py:7 super outside",
            "a.py:24 property outside",
            "a.py:26 Right scope a.py:10",
            "a.py:29 save inherited a.py:6",
            "a.py:30 only inherited a.py:14",
            "a.py:31 save type base.py:2",
            "a.py:32 only type a.py:14",
            "a.py:33 save type base.py:2",
            "a.py:34 only type a.py:14",
            "a.py:35 missing name 0",
            "a.py:40 save name 3",
            "a.py:41 other outside",
            "a.py:45 make inherited base.py:6",
            "a.py:45 only inherited a.py:14",
            "a.py:46 make inherited base.py:6",
            "a.py:46 save type a.py:6",
            "base.py:5 classmethod outside",
            "base.py:9 staticmethod outside",
            "base.py:11 save name 3",
        ],
    );
}

#[test]
fn idx_23_java_types_packages_and_overloads() {
    check(
        r#"
//- src/main/java/com/acme/Cart.java
package com.acme;

import com.acme.tax.Rates;
import java.util.ArrayList;
import java.util.List;
import static com.acme.tax.Rates.round;

public class Cart extends Basket implements Priced {
    private final Rates rates = new Rates();
    private final List<Item> items = new ArrayList<>();

    public void add(Item item) { add(item, 1); }

    public void add(Item item, int n) {
        items.add(item);
        item.price();
        price();
        clear();
        rates.of(item).apply();
        this.rates.of(item);
        round(1);
        Rates.round(2);
        Item add = items.get(0);
        add.price();
        var other = new Item();
        other.price();
        Helper.help();
        unknown(n).price();
        Runnable task = new Runnable() {
            public void run() { start(); price(); wait(); }
            void start() { }
        };
        rates.box().of(item);
    }

    public int price() { return 0; }
}
//- src/main/java/com/acme/Basket.java
package com.acme;

public class Basket {
    protected void clear() { }
}
//- src/main/java/com/acme/Item.java
package com.acme;

public class Item {
    int price;
    public int price() { return price; }
}
//- src/main/java/com/acme/Priced.java
package com.acme;

public interface Priced {
    int price();
}
//- src/main/java/com/acme/tax/Rates.java
package com.acme.tax;

import com.acme.*;

public class Rates {
    public Rate of(Item item) { item.price(); return new Rate(); }
    public static int round(int n) { return n; }
    public static class Rate {
        void apply() { round(3); }
    }
}
//- src/test/java/com/acme/CartTest.java
package com.acme;

class CartTest {
    void works() {
        Cart cart = new Cart();
        cart.add(new Item());
        cart.clear();
        Priced priced = cart;
        priced.price();
    }
}
//- src/main/java/com/acme/Helper.java
package com.acme;

class Helper {
    static void help() { }
}
"#,
        &[
            "src/main/java/com/acme/Cart.java:9 Rates import src/main/java/com/acme/tax/Rates.java:5",
            "src/main/java/com/acme/Cart.java:10 ArrayList outside",
            "src/main/java/com/acme/Cart.java:12 add scope src/main/java/com/acme/Cart.java:12 src/main/java/com/acme/Cart.java:14",
            "src/main/java/com/acme/Cart.java:15 add outside",
            "src/main/java/com/acme/Cart.java:16 price type src/main/java/com/acme/Item.java:5",
            "src/main/java/com/acme/Cart.java:17 price scope src/main/java/com/acme/Cart.java:36",
            "src/main/java/com/acme/Cart.java:18 clear inherited src/main/java/com/acme/Basket.java:4",
            "src/main/java/com/acme/Cart.java:19 apply type src/main/java/com/acme/tax/Rates.java:9",
            "src/main/java/com/acme/Cart.java:19 of type src/main/java/com/acme/tax/Rates.java:6",
            "src/main/java/com/acme/Cart.java:20 of type src/main/java/com/acme/tax/Rates.java:6",
            "src/main/java/com/acme/Cart.java:21 round import src/main/java/com/acme/tax/Rates.java:7",
            "src/main/java/com/acme/Cart.java:22 round type src/main/java/com/acme/tax/Rates.java:7",
            "src/main/java/com/acme/Cart.java:23 get outside",
            "src/main/java/com/acme/Cart.java:24 price type src/main/java/com/acme/Item.java:5",
            "src/main/java/com/acme/Cart.java:25 Item package src/main/java/com/acme/Item.java:3",
            "src/main/java/com/acme/Cart.java:26 price type src/main/java/com/acme/Item.java:5",
            "src/main/java/com/acme/Cart.java:27 help type src/main/java/com/acme/Helper.java:4",
            "src/main/java/com/acme/Cart.java:28 price name 4",
            "src/main/java/com/acme/Cart.java:28 unknown outside",
            "src/main/java/com/acme/Cart.java:29 Runnable outside",
            "src/main/java/com/acme/Cart.java:30 price name 4",
            "src/main/java/com/acme/Cart.java:30 wait name 0",
            "src/main/java/com/acme/Cart.java:33 box name 0",
            "src/main/java/com/acme/Cart.java:33 of name 1",
            "src/main/java/com/acme/tax/Rates.java:6 Rate scope src/main/java/com/acme/tax/Rates.java:8",
            "src/main/java/com/acme/tax/Rates.java:6 price type src/main/java/com/acme/Item.java:5",
            "src/main/java/com/acme/tax/Rates.java:9 round scope src/main/java/com/acme/tax/Rates.java:7",
            "src/test/java/com/acme/CartTest.java:5 Cart package src/main/java/com/acme/Cart.java:8",
            "src/test/java/com/acme/CartTest.java:6 Item package src/main/java/com/acme/Item.java:3",
            "src/test/java/com/acme/CartTest.java:6 add type src/main/java/com/acme/Cart.java:12 src/main/java/com/acme/Cart.java:14",
            "src/test/java/com/acme/CartTest.java:7 clear inherited src/main/java/com/acme/Basket.java:4",
            "src/test/java/com/acme/CartTest.java:9 price type src/main/java/com/acme/Priced.java:4",
        ],
    );
}

#[test]
fn idx_23_java_overloads_along_bases_are_certain_only_if_they_take_as_much() {
    check(
        r#"
//- com/acme/Base.java
package com.acme;

class Base {
    void put(Map<String, Integer> one) { }
    void put(int one, int two) { }
    void get(int one) { }
}
//- com/acme/Derived.java
package com.acme;

class Derived extends Base {
    void put(int one) { }
    void get(int one) { }

    void run(Derived other, Base base) {
        put(1);
        other.put(1, 2);
        get(1);
        base.put(1, 2);
        super.get(1);
    }
}
"#,
        &[
            "com/acme/Derived.java:8 put name 3",
            "com/acme/Derived.java:9 put name 3",
            "com/acme/Derived.java:10 get scope com/acme/Derived.java:5",
            "com/acme/Derived.java:11 put type com/acme/Base.java:4 com/acme/Base.java:5",
            "com/acme/Derived.java:12 get inherited com/acme/Base.java:6",
        ],
    );
}

#[test]
fn idx_23_python_star_imports_each_file_once_and_all_must_agree() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let mut files = String::new();
    for name in names {
        files.push_str(&format!("\n//- {name}.py\n"));
        for other in names.iter().filter(|other| **other != name) {
            files.push_str(&format!("from {other} import *\n"));
        }
        if name == "l" {
            files.push_str("def found(): pass\n");
        }
    }
    files.push_str(
        r#"
//- one.py
def both(): pass
def only(): pass
def _private(): pass
//- two.py
def both(): pass
//- use.py
from one import *
from two import *
both()
only()
_private()
missing()
//- use_ring.py
from a import *
found()
missing()
"#,
    );
    check(
        &files,
        &[
            "use.py:3 both name 2",
            "use.py:4 only import one.py:2",
            "use.py:5 _private name 1",
            "use.py:6 missing outside",
            "use_ring.py:2 found import l.py:12",
            "use_ring.py:3 missing outside",
        ],
    );
}

#[test]
fn idx_23_names_that_are_assigned_again_are_by_name() {
    check(
        r#"
//- a.py
def again():
    pass


again = other


class Job:
    def __init__(self, run):
        self.run = run

    def run(self):
        pass

    def stop(self):
        pass

    def use(self):
        self.run()
        self.stop()
        again()
//- b.js
function given() {}
exports.given = given
function twice() {}
var twice = other
class A { go() {} }
class B { go() {} }
class K {
  x = new A()
  y = new A()
  constructor() { this.tick = this.tick.bind(this) }
  tick() {}
  reset() { this.x = new B() }
  use() {
    this.x.go()
    this.y.go()
    this.tick()
    given()
    twice()
  }
}
"#,
        &[
            "a.py:19 run name 1",
            "a.py:20 stop self a.py:15",
            "a.py:21 again name 2",
            "b.js:8 A scope b.js:5",
            "b.js:9 A scope b.js:5",
            "b.js:10 bind name 0",
            "b.js:12 B scope b.js:6",
            "b.js:14 go name 2",
            "b.js:15 go type b.js:5",
            "b.js:16 tick self b.js:11",
            "b.js:17 given scope b.js:1",
            "b.js:18 twice name 2",
        ],
    );
}

/// The law: whatever is certain, the target's file defines the name in the line that is told.
#[test]
fn idx_23_nothing_is_certain_that_its_target_does_not_define() {
    let world = World::sample();
    world.index();
    let mut links: Vec<LinkReply> = Vec::new();
    api::links(&world.engine(), &mut |link| links.push(link.clone())).unwrap();
    assert!(links.iter().any(|link| link.certain));
    for link in links.iter().filter(|link| link.certain) {
        assert!(!link.targets.is_empty(), "{link:?}");
        for target in &link.targets {
            let text = std::fs::read_to_string(world.tree.root().join(&target.path)).unwrap();
            let line = text.lines().nth(target.line as usize - 1).unwrap_or_default();
            let name = target.name.rsplit("::").next().unwrap_or_default();
            assert!(line.contains(name), "{link:?}: {line}");
        }
    }
}
