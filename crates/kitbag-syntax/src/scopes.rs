//! The captures of the scope query of a language (`queries/<language>/scopes.scm`): scopes, the names they bind and to what, and
//! how expressions are built from other expressions (IDX-23). `scope_lookup` turns them into paths.
//!
//! A *path* says as text how a used name is reached: a root and steps, with every local variable replaced by its value.
//! - Roots: a bare name, to be looked up from its place; `&` the object of a method, `~` its type, `^` the type it inherits from;
//!   `<module:>` a module that a local import names, `<module=item>` an item of it, `<module/>` its first part; `!` a value that is
//!   certainly from outside the project (a literal).
//! - Steps: `.name` a member, `()` the result of a call, `@` an object of the type, `[n]` one of several results.
//!
//! `Foo@.run` is `x.run` where `x: Foo`; `&.app().run` is `self.app().run`. What an import binds is written `local=item`, `local:`
//! (what the path names), `local/` (its first part) or `*` (everything). A declared type begins with `=` if reading the name is
//! enough (a property); several results are separated by `|`; `-` is only null.
//!
//! The capture words:
//! - `@scope.function`, `@scope.block`, `@scope.type`: names bound inside are only known inside. `@scope.object`: a function with
//!   an object of its own, whatever type is around it.
//! - `@bind`: a name that is bound, with `@type` (as written), `@value` (as assigned) or neither (unknown). `(#set! then ".x()")`
//!   appends steps to that. `@this`, `@this.type`: a parameter that is the object or its type. `@this.none`: one that only looks
//!   like it. `@outer`: a name that is bound further out (`nonlocal`), `@outer.file`: at the top of the file (`global`). `@assign`:
//!   a name that is assigned and not declared: it belongs to the next outer scope that declares it. `@dynamic` (the file): a name
//!   may hold anything later, whatever its written type.
//! - `@attribute` with `@attribute.of` (without: of the object), and `@type` or `@value`: an attribute that is assigned.
//! - `@module` with `@bind`, `@item`, `@wildcard`: what an import binds; `(#set! then "x")` is an item that is not written.
//! - `@alias` with `@item`: a second name of something in the file (`export { a as b }`).
//! - `@result`: the written result of the enclosing function, or each of several. `@return`: what it returns. `@opaque`: the name
//!   of a function whose result is not what it returns (decorators). `@yield`: makes the enclosing function a generator.
//!   `@property`: the name of a function that is called by reading it.
//! - `@path.member` (with `@of` and `@member`), `@path.method` (a call in one node: `@member`, and `@of` if present; methods and
//!   variables have separate names), `@path.call`, `@path.instance`, `@path.same` (with `@of`): expressions. `@path.this`,
//!   `@path.this_type`, `@path.super`, `@path.outside`, `@path.nothing` (null): expressions without parts. Of several patterns for
//!   one node the last in the file wins.
//! - `@_anything`: for predicates only.

use std::ops::Range;

use tree_sitter::{Node, QueryMatch};

/// A node: its id in the tree, and its range.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) id: usize,
    pub(crate) bytes: Range<usize>,
}

impl Place {
    fn of(node: Node<'_>) -> Self {
        Self {
            id: node.id(),
            bytes: node.byte_range(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    Function,
    Block,
    Type,
}

/// How an expression is built.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    Member(Place, Range<usize>),
    Call(Place),
    /// A call of a method, on the enclosing object if none is written.
    Method(Option<Place>, Range<usize>),
    Instance(Place),
    Same(Place),
    /// A root, or nothing (`None`).
    Root(Option<char>),
}

impl Form {
    fn of(word: Word, of: Option<Place>, member: Option<Range<usize>>) -> Option<Self> {
        match (word, of, member) {
            (Word::PathMember, Some(of), Some(name)) => Some(Self::Member(of, name)),
            (Word::PathMethod, of, Some(name)) => Some(Self::Method(of, name)),
            (Word::PathCall, Some(of), _) => Some(Self::Call(of)),
            (Word::PathInstance, Some(of), _) => Some(Self::Instance(of)),
            (Word::PathSame, Some(of), _) => Some(Self::Same(of)),
            _ => None,
        }
    }
}

/// Where the value of a name comes from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Unknown,
    /// The appended steps are text of the query.
    Type(Place, Box<str>),
    Value(Place, Box<str>),
    Root(char),
}

pub(crate) struct RawBind {
    pub(crate) name: Range<usize>,
    pub(crate) source: Source,
    /// It declares nothing: the name may belong to an outer scope.
    pub(crate) is_assigned: bool,
}

pub(crate) struct RawAttribute {
    /// The object; `None` if the place implies it (a parameter that is an attribute).
    pub(crate) of: Option<Place>,
    pub(crate) name: Range<usize>,
    pub(crate) source: Source,
}

/// What an import binds. `item`: a name in the module; `None`: the module. `name`: the local name, if it is written.
pub(crate) struct RawModule {
    pub(crate) module: Range<usize>,
    pub(crate) name: Option<Range<usize>>,
    pub(crate) item: Option<Range<usize>>,
    /// An item name that is not written (`default`).
    pub(crate) unwritten: Option<Box<str>>,
    pub(crate) is_wildcard: bool,
}

/// A second name of something in the file.
pub(crate) struct RawAlias {
    pub(crate) name: Range<usize>,
    pub(crate) item: Range<usize>,
}

/// All captures of the scope query, in the order of its matches.
#[derive(Default)]
pub(crate) struct RawScopes {
    /// With the number of the pattern: the last in the file wins.
    pub(crate) forms: Vec<(Place, usize, Form)>,
    pub(crate) scopes: Vec<(Range<usize>, ScopeKind)>,
    pub(crate) binds: Vec<RawBind>,
    pub(crate) attributes: Vec<RawAttribute>,
    pub(crate) modules: Vec<RawModule>,
    pub(crate) aliases: Vec<RawAlias>,
    /// Functions with an object of their own.
    pub(crate) objects: Vec<Range<usize>>,
    /// Names that are bound further out; true if at the top of the file.
    pub(crate) outer: Vec<(Range<usize>, bool)>,
    /// Written types are not reliable: anything may be assigned later.
    pub(crate) is_dynamic: bool,
    pub(crate) results: Vec<Place>,
    pub(crate) returns: Vec<Place>,
    pub(crate) yields: Vec<Place>,
    /// The starts of the names of such functions.
    pub(crate) opaque: Vec<usize>,
    pub(crate) properties: Vec<usize>,
}

/// A capture word of a scope query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Scope(ScopeKind),
    ScopeObject,
    Bind,
    Assign,
    Dynamic,
    This,
    ThisType,
    ThisNone,
    Outer,
    OuterFile,
    Type,
    Value,
    Attribute,
    AttributeOf,
    Module,
    Item,
    Alias,
    Wildcard,
    Result,
    Return,
    Yield,
    Opaque,
    Property,
    Of,
    Member,
    PathMember,
    PathCall,
    PathMethod,
    PathInstance,
    PathSame,
    PathRoot(Option<char>),
}

impl Word {
    pub(crate) fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "scope.function" => Self::Scope(ScopeKind::Function),
            "scope.block" => Self::Scope(ScopeKind::Block),
            "scope.type" => Self::Scope(ScopeKind::Type),
            "scope.object" => Self::ScopeObject,
            "bind" => Self::Bind,
            "assign" => Self::Assign,
            "dynamic" => Self::Dynamic,
            "this" => Self::This,
            "this.type" => Self::ThisType,
            "this.none" => Self::ThisNone,
            "outer" => Self::Outer,
            "outer.file" => Self::OuterFile,
            "type" => Self::Type,
            "value" => Self::Value,
            "attribute" => Self::Attribute,
            "attribute.of" => Self::AttributeOf,
            "module" => Self::Module,
            "item" => Self::Item,
            "alias" => Self::Alias,
            "wildcard" => Self::Wildcard,
            "result" => Self::Result,
            "return" => Self::Return,
            "yield" => Self::Yield,
            "opaque" => Self::Opaque,
            "property" => Self::Property,
            "of" => Self::Of,
            "member" => Self::Member,
            "path.member" => Self::PathMember,
            "path.call" => Self::PathCall,
            "path.method" => Self::PathMethod,
            "path.instance" => Self::PathInstance,
            "path.same" => Self::PathSame,
            "path.this" => Self::PathRoot(Some(THIS)),
            "path.this_type" => Self::PathRoot(Some(THIS_TYPE)),
            "path.super" => Self::PathRoot(Some(SUPER)),
            "path.outside" => Self::PathRoot(Some(OUTSIDE)),
            "path.nothing" => Self::PathRoot(None),
            _ => return None,
        })
    }
}

pub(crate) const THIS: char = '&';
pub(crate) const THIS_TYPE: char = '~';
pub(crate) const SUPER: char = '^';
pub(crate) const OUTSIDE: char = '!';

impl RawScopes {
    /// Takes one match of the scope query. `word_of` gives the word of a capture, `then` is the setting of its pattern.
    pub(crate) fn take(
        &mut self,
        found: &QueryMatch<'_, '_>,
        word_of: impl Fn(u32) -> Option<Word>,
        then: Option<&str>,
    ) {
        let mut of = None;
        let mut member = None;
        let mut expression = None;
        let mut bind = None;
        let mut attribute = None;
        let mut attribute_of = None;
        let mut module = None;
        let mut item = None;
        let mut alias = None;
        let mut is_wildcard = false;
        let mut is_assigned = false;
        let mut source = Source::Unknown;
        let steps: Box<str> = then.unwrap_or_default().into();
        for capture in found.captures() {
            let node = capture.node;
            let bytes = node.byte_range();
            let Some(word) = word_of(capture.index) else {
                continue;
            };
            match word {
                Word::Scope(kind) => self.scopes.push((bytes, kind)),
                Word::ScopeObject => {
                    self.objects.push(bytes.clone());
                    self.scopes.push((bytes, ScopeKind::Function));
                }
                Word::Bind => bind = Some(bytes),
                Word::Assign => {
                    bind = Some(bytes);
                    is_assigned = true;
                }
                Word::Dynamic => self.is_dynamic = true,
                Word::This | Word::ThisType => {
                    bind = Some(bytes);
                    source = Source::Root(if word == Word::This { THIS } else { THIS_TYPE });
                }
                Word::ThisNone => self.outer_this(bytes),
                Word::Outer => self.outer.push((bytes, false)),
                Word::OuterFile => self.outer.push((bytes, true)),
                Word::Type => source = Source::Type(Place::of(node), steps.clone()),
                Word::Value => source = Source::Value(Place::of(node), steps.clone()),
                Word::Attribute => attribute = Some(bytes),
                Word::AttributeOf => attribute_of = Some(Place::of(node)),
                Word::Module => module = Some(bytes),
                Word::Item => item = Some(bytes),
                Word::Alias => alias = Some(bytes),
                Word::Wildcard => is_wildcard = true,
                Word::Result => self.results.push(Place::of(node)),
                Word::Return => self.returns.push(Place::of(node)),
                Word::Yield => self.yields.push(Place::of(node)),
                Word::Opaque => self.opaque.push(bytes.start),
                Word::Property => self.properties.push(bytes.start),
                Word::Of => of = Some(Place::of(node)),
                Word::Member => member = Some(bytes),
                Word::PathMember
                | Word::PathCall
                | Word::PathMethod
                | Word::PathInstance
                | Word::PathSame => {
                    expression = Some((Place::of(node), word));
                }
                Word::PathRoot(root) => {
                    self.forms
                        .push((Place::of(node), found.pattern_index, Form::Root(root)))
                }
            }
        }
        if let Some((place, word)) = expression {
            let form = Form::of(word, of, member);
            self.forms
                .extend(form.map(|form| (place, found.pattern_index, form)));
        }
        if let Some(module) = module {
            self.modules.push(RawModule {
                module,
                name: bind,
                item: item.clone(),
                unwritten: then.map(Into::into),
                is_wildcard,
            });
        } else if let (Some(name), Some(item)) = (alias, item.clone()) {
            self.aliases.push(RawAlias { name, item });
        } else if let Some(name) = bind {
            self.binds.push(RawBind {
                name,
                source,
                is_assigned,
            });
        } else if let Some(name) = attribute {
            let of = attribute_of;
            self.attributes.push(RawAttribute { of, name, source });
        }
    }

    /// Sorts everything in the order of the file.
    pub(crate) fn settle(&mut self) {
        for places in [&mut self.results, &mut self.returns, &mut self.yields] {
            places.sort_by_key(|place| (place.bytes.start, place.bytes.end));
        }
        self.modules
            .sort_by_key(|module| (module.module.start, module.name.as_ref().map(|name| name.start)));
        self.opaque.sort_unstable();
        self.properties.sort_unstable();
    }

    /// The name in its own module of what an import calls `name` here, if `path` leads through that import.
    pub(crate) fn item_of<'t>(&self, text: &'t str, name: &str, path: &str) -> Option<&'t str> {
        if path != name && !path.starts_with('<') {
            return None;
        }
        let is_it = |module: &&RawModule| {
            module
                .name
                .as_ref()
                .is_some_and(|bytes| &text[bytes.clone()] == name)
        };
        let item = self.modules.iter().find(is_it)?.item.clone()?;
        Some(&text[item]).filter(|item| *item != "default")
    }

    /// A parameter that is not the object: as a bind without a source it overrides what another pattern says.
    fn outer_this(&mut self, name: Range<usize>) {
        self.binds.push(RawBind {
            name,
            source: Source::Root(NOT_THIS),
            is_assigned: false,
        });
    }
}

/// Not a root: the first parameter of a function without an object.
pub(crate) const NOT_THIS: char = '-';
