//! What the names of calls say: whether they read or write. One list for all ORMs, by how their methods begin; the few that do both or
//! neither are named.

/// What the names of calls say.
#[derive(Clone, Copy, Default)]
pub(super) struct Operation {
    pub(super) reads: bool,
    pub(super) writes: bool,
}

const BOTH: &[&str] = &[
    "firstorcreate",
    "findorcreate",
    "getorcreate",
    "updateorcreate",
    "createorupdate",
    "findorcreateby",
    "firstornew",
    "findorcreateby!",
    "createorfindby",
];
const NEITHER: &[&str] = &[
    "createquery",
    "addselect",
    "addorderby",
    "addgroupby",
    "addwhere",
    "created",
    "updated",
    "setparameter",
    "getrepository",
    "getresult",
    "createalias",
    "commit",
    "flush",
    "refresh",
    "rollback",
    "begin",
    "close",
    "selectfrom",
];
const WRITES: &[&str] = &[
    "create",
    "save",
    "insert",
    "update",
    "upsert",
    "delete",
    "destroy",
    "remove",
    "add",
    "merge",
    "persist",
    "increment",
    "decrement",
    "truncate",
    "bulk",
    "replace",
    "touch",
    "detach",
    "attach",
    "sync",
    "restore",
];
const READS: &[&str] = &[
    "find",
    "get",
    "first",
    "last",
    "all",
    "count",
    "exist",
    "any",
    "list",
    "query",
    "select",
    "where",
    "filter",
    "fetch",
    "scan",
    "pluck",
    "take",
    "single",
    "tolist",
    "toarray",
    "sum",
    "max",
    "min",
    "average",
    "aggregate",
    "paginate",
    "include",
    "order",
    "limit",
    "offset",
    "search",
    "page",
    "one",
    "scalar",
    "load",
    "stream",
    "distinct",
    "join",
    "preload",
    "related",
    "row",
    "raw",
    "asnotracking",
    "values",
    "exclude",
    "annotate",
    "latest",
    "ids",
];

pub(super) fn operation(name: &str) -> Operation {
    let plain: String = name
        .chars()
        .filter(|c| c.is_alphanumeric())
        .collect::<String>()
        .to_lowercase();
    if BOTH.contains(&plain.as_str()) {
        return Operation {
            reads: true,
            writes: true,
        };
    }
    if NEITHER.contains(&plain.as_str()) {
        return Operation::default();
    }
    if plain == "createquerybuilder" {
        return Operation {
            reads: true,
            writes: false,
        };
    }
    if plain == "del" || WRITES.iter().any(|verb| plain.starts_with(verb)) {
        return Operation {
            reads: false,
            writes: true,
        };
    }
    Operation {
        reads: READS.iter().any(|verb| plain.starts_with(verb)),
        writes: false,
    }
}

/// Of a whole chain: a write anywhere makes it a write, unless a call is both.
pub(super) fn operation_of<'n>(names: impl Iterator<Item = &'n str>) -> Operation {
    let mut whole = Operation::default();
    let mut both = false;
    for name in names {
        let one = operation(name);
        both |= one.reads && one.writes;
        whole.reads |= one.reads;
        whole.writes |= one.writes;
    }
    if whole.writes && !both {
        whole.reads = false;
    }
    whole
}
