//! Key-value stores: Redis, memcached, caches of frameworks, storage of browsers and of edge platforms. A client is known by what it is
//! made with, by its type, by the module that it comes from, or because it is global. The key stands for the table: `session:*` is all keys
//! that begin so. A call whose key is not known is left out: it does not say what it touches.

use kitbag_types::{FactKind, Value};

use super::chains::{MAX_DEPTH, Reader};
use super::verbs::Operation;
use crate::code::{At, last_name};

/// What a browser keeps for one user.
pub const BROWSER: &str = "browser-storage";

/// One kind of client.
struct Store {
    store: &'static str,
    languages: &'static [&'static str],
    /// What a file that makes a client imports; a name from there may be a client itself (`from django.core.cache import cache`).
    modules: &'static [&'static str],
    /// Calls that make a client: the name, or what stands before it too.
    makers: &'static [&'static str],
    /// Words in the types of clients.
    types: &'static [&'static str],
    /// What clients are called that need not be made.
    globals: &'static [&'static str],
    /// Which argument is the key.
    key: usize,
}

const JS: &[&str] = &["javascript", "typescript", "tsx"];
const JVM: &[&str] = &["java", "kotlin"];

#[rustfmt::skip]
const STORES: &[Store] = &[
    Store { store: "redis", languages: &["python"], modules: &["redis", "aioredis", "coredis", "django_redis", "flask_redis"], makers: &["Redis", "StrictRedis", "RedisCluster", "FlaskRedis", "from_url", "get_redis_connection"], types: &["Redis", "StrictRedis", "RedisCluster"], globals: &[], key: 0 },
    Store { store: "memcached", languages: &["python"], modules: &["pymemcache", "memcache", "pylibmc", "aiomcache"], makers: &["Client", "PooledClient", "HashClient"], types: &[], globals: &[], key: 0 },
    Store { store: "cache", languages: &["python"], modules: &["django.core.cache", "flask_caching"], makers: &["Cache"], types: &[], globals: &[], key: 0 },
    Store { store: "redis", languages: JS, modules: &["redis", "ioredis", "@upstash/redis", "@redis/client"], makers: &["createClient", "createCluster", "Redis", "IORedis", "Cluster", "fromEnv"], types: &["Redis", "IORedis", "RedisClientType"], globals: &[], key: 0 },
    Store { store: "memcached", languages: JS, modules: &["memcached", "memjs"], makers: &["Memcached", "create"], types: &[], globals: &[], key: 0 },
    Store { store: "key-value", languages: JS, modules: &["@vercel/kv", "keyv"], makers: &["createClient", "Keyv"], types: &["Keyv"], globals: &[], key: 0 },
    Store { store: BROWSER, languages: JS, modules: &["@react-native-async-storage/async-storage"], makers: &[], types: &[], globals: &["localStorage", "sessionStorage", "window.localStorage", "window.sessionStorage", "globalThis.localStorage"], key: 0 },
    Store { store: "deno-kv", languages: JS, modules: &[], makers: &["Deno.openKv"], types: &["Deno.Kv"], globals: &[], key: 0 },
    Store { store: "cloudflare-kv", languages: JS, modules: &[], makers: &[], types: &["KVNamespace"], globals: &[], key: 0 },
    Store { store: "redis", languages: &["go"], modules: &["github.com/redis/go-redis", "github.com/go-redis/redis"], makers: &["NewClient", "NewClusterClient", "NewUniversalClient", "NewFailoverClient"], types: &["redis.Client", "redis.UniversalClient", "redis.ClusterClient", "redis.Cmdable"], globals: &[], key: 1 },
    Store { store: "redis", languages: &["go"], modules: &["github.com/gomodule/redigo"], makers: &["Dial", "DialURL"], types: &["redis.Conn"], globals: &[], key: 0 },
    Store { store: "memcached", languages: &["go"], modules: &["github.com/bradfitz/gomemcache"], makers: &["memcache.New"], types: &["memcache.Client"], globals: &[], key: 0 },
    Store { store: "redis", languages: &["ruby"], modules: &[], makers: &["Redis.new", "Redis::Namespace.new"], types: &[], globals: &["$redis", "REDIS", "Redis.current"], key: 0 },
    Store { store: "memcached", languages: &["ruby"], modules: &[], makers: &["Dalli::Client.new"], types: &[], globals: &[], key: 0 },
    Store { store: "cache", languages: &["ruby"], modules: &[], makers: &[], types: &[], globals: &["Rails.cache"], key: 0 },
    Store { store: "redis", languages: &["php"], modules: &[], makers: &["Redis", "\\Redis", "Predis\\Client"], types: &["Redis", "Predis\\Client"], globals: &["Redis"], key: 0 },
    Store { store: "cache", languages: &["php"], modules: &[], makers: &[], types: &["CacheInterface", "CacheItemPoolInterface"], globals: &["Cache"], key: 0 },
    Store { store: "memcached", languages: &["php"], modules: &[], makers: &["Memcached", "\\Memcached"], types: &["Memcached"], globals: &[], key: 0 },
    Store { store: "redis", languages: JVM, modules: &[], makers: &["Jedis", "JedisPooled", "JedisCluster"], types: &["Jedis", "JedisPooled", "JedisCluster", "RedisTemplate", "StringRedisTemplate", "ReactiveRedisTemplate", "ReactiveStringRedisTemplate", "RedisCommands", "RedisAsyncCommands", "ValueOperations", "HashOperations"], globals: &[], key: 0 },
    Store { store: "redis", languages: &["csharp"], modules: &[], makers: &["GetDatabase"], types: &["IDatabase", "IDatabaseAsync"], globals: &[], key: 0 },
    Store { store: "cache", languages: &["csharp"], modules: &[], makers: &[], types: &["IDistributedCache"], globals: &[], key: 0 },
    Store { store: "redis", languages: &["rust"], modules: &["redis"], makers: &["get_connection", "get_async_connection", "get_multiplexed_async_connection", "get_multiplexed_tokio_connection"], types: &["redis::Connection", "ConnectionManager", "MultiplexedConnection", "redis::Client"], globals: &["redis"], key: 0 },
    Store { store: "redis", languages: &["elixir"], modules: &[], makers: &[], types: &[], globals: &["Redix"], key: 1 },
    Store { store: "cache", languages: &["elixir"], modules: &[], makers: &[], types: &[], globals: &["Cachex"], key: 1 },
];

/// Commands in lower case without what parts their words; `Async` at the end does not count.
const READS: &[&str] = &[
    "exist",
    "exists",
    "get",
    "getall",
    "getasync",
    "getbytes",
    "getitem",
    "getitems",
    "getmany",
    "getstring",
    "gettype",
    "has",
    "hashget",
    "hashgetall",
    "haskey",
    "hexists",
    "hget",
    "hgetall",
    "hkeys",
    "hlen",
    "hmget",
    "hvals",
    "keyexists",
    "lindex",
    "listrange",
    "llen",
    "lrange",
    "many",
    "mget",
    "multiget",
    "read",
    "readmulti",
    "scard",
    "setmembers",
    "sismember",
    "smembers",
    "stringget",
    "strlen",
    "ttl",
    "xlen",
    "xrange",
    "xread",
    "zcard",
    "zrange",
    "zrangebyscore",
    "zrank",
    "zrevrange",
    "zscore",
];
const WRITES: &[&str] = &[
    "add",
    "append",
    "cas",
    "decr",
    "decrby",
    "decrement",
    "del",
    "delete",
    "deleteitem",
    "evict",
    "expire",
    "expireat",
    "flush",
    "forever",
    "forget",
    "hashset",
    "hdel",
    "hincrby",
    "hmset",
    "hset",
    "hsetnx",
    "incr",
    "incrby",
    "increment",
    "invalidate",
    "keydelete",
    "keyexpire",
    "listleftpush",
    "listrightpush",
    "lpop",
    "lpush",
    "lrem",
    "ltrim",
    "mset",
    "persist",
    "psetex",
    "put",
    "putmany",
    "remove",
    "removeitem",
    "replace",
    "rpop",
    "rpush",
    "sadd",
    "set",
    "setadd",
    "setex",
    "setitem",
    "setmany",
    "setnx",
    "setstring",
    "spop",
    "srem",
    "store",
    "stringincrement",
    "stringset",
    "touch",
    "unlink",
    "write",
    "xadd",
    "zadd",
    "zincrby",
    "zrem",
];
const BOTH: &[&str] = &[
    "fetch",
    "getandset",
    "getdel",
    "getex",
    "getorset",
    "getset",
    "pull",
    "remember",
    "rememberforever",
    "sear",
];
/// The command is an argument here.
const COMMANDS: &[&str] = &[
    "command",
    "command!",
    "do",
    "send",
    "sendcommand",
    "executecommand",
    "call",
    "cmd",
];

impl Reader<'_, '_> {
    /// The store, the key and what a chain of calls does to it.
    pub(super) fn key_value(
        &self,
        calls: &[At],
        path: &str,
    ) -> Option<(&'static str, Vec<String>, Operation)> {
        let language = self.code.source(calls[0]).language.as_str();
        let rows = STORES.iter().filter(|row| row.languages.contains(&language));
        let mut found = None;
        for row in rows {
            let (command, key) = match self.command(calls, row) {
                Some(known) if !known.1.is_empty() => known,
                _ => continue,
            };
            if self.is_client(row, calls[0], path, 0) {
                found = Some((row.store, vec![key], command));
                break;
            }
        }
        found
    }

    /// What the first call of a chain that is a command does, and its key.
    fn command(&self, calls: &[At], row: &Store) -> Option<(Operation, String)> {
        // `redisTemplate.opsForValue().get("k")`: what comes first only says of which kind the value is.
        let is_kind = |at: &&At| self.code.fact(**at).name.starts_with("opsFor");
        let at = calls.iter().find(|at| !is_kind(at))?;
        let fact = self.code.fact(*at);
        let name = plain(&fact.name);
        if COMMANDS.contains(&name.as_str()) {
            // `Do("SET", "k", …)`, `command(conn, ["SET", "k"])`, `cmd("SET").arg("k")`.
            let mut words: Vec<(At, &Value)> = Vec::new();
            for call in calls.iter().take(3) {
                for value in &self.code.fact(*call).arguments {
                    match value {
                        Value::List(items) => words.extend(items.iter().map(|item| (*call, item))),
                        value => words.push((*call, value)),
                    }
                }
            }
            let texts = words
                .iter()
                .position(|(_, value)| matches!(value, Value::Text(_)))?;
            let (_, Value::Text(command)) = words.get(texts)? else {
                return None;
            };
            let (at, key) = words.get(texts + 1)?;
            return Some((operation(&plain(command))?, self.key(*at, key)?));
        }
        let value = fact.arguments.get(row.key)?;
        Some((operation(&name)?, self.key(*at, value)?))
    }

    /// `session:{id}` → `session:*`: up to where it is computed.
    fn key(&self, at: At, value: &Value) -> Option<String> {
        let text = match value {
            Value::Text(_) | Value::Joined(_) | Value::Name(_) => self.code.text(at, value)?,
            // Deno: `["users", id]`. Others: several keys, of which the first is told.
            Value::List(items) => {
                let first = self.key(at, items.first()?)?;
                match items.len() {
                    1 => first,
                    _ => format!("{}/{{}}", first.trim_end_matches('*')),
                }
            }
            // `fmt.Sprintf("user:%d", id)`, `"user:{}".format(id)`, `&memcache.Item{Key: "k"}`.
            Value::Fact(call) => {
                let inner = At {
                    file: at.file,
                    fact: *call as usize,
                };
                let made = self.code.fact(inner);
                let named = made.arguments.iter().find_map(|value| match value {
                    Value::Pair(key, value) if key == "Key" => Some(&**value),
                    _ => None,
                });
                let is_format = matches!(
                    last_name(&made.name),
                    "Sprintf" | "sprintf" | "format" | "format!" | "concat"
                );
                let template = match (&made.receiver, made.arguments.first()) {
                    (Some(text @ Value::Text(_)), _) if is_format => Some(text),
                    (_, first) if is_format => first,
                    _ => None,
                };
                match named.or(template)? {
                    Value::Text(text) => text.clone(),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let end = text.find(['{', '%', '$', '#']).unwrap_or(text.len());
        let known = &text[..end];
        let is_said = known.chars().filter(|c| c.is_alphanumeric()).count() >= 2 && known.len() <= 80;
        let is_plain = !known.chars().any(char::is_whitespace);
        (is_said && is_plain).then(|| {
            if end < text.len() {
                format!("{known}*")
            } else {
                known.to_owned()
            }
        })
    }

    fn is_client(&self, row: &Store, from: At, path: &str, depth: u32) -> bool {
        if depth > MAX_DEPTH || path.is_empty() {
            return false;
        }
        let is_foreign = |at: At| {
            let imported = self.code.fact(at);
            imported.kind == FactKind::Import
                && row
                    .modules
                    .iter()
                    .any(|module| is_of(&imported.annotation, module))
        };
        let first = path.split(['.', ':']).next().unwrap_or(path);
        let own = self.code.lookup(from, first);
        if row.globals.contains(&path) {
            // A name of the project's own hides what is global; an import brings it in.
            return own.is_none_or(|at| self.code.fact(at).kind == FactKind::Import);
        }
        if let Some(import) = own.filter(|at| is_foreign(*at)) {
            return row
                .makers
                .iter()
                .all(|maker| *maker != self.code.fact(import).name);
        }
        let Some(at) = self.code.meaning(from, path) else {
            return false;
        };
        let fact = self.code.fact(at);
        if !matches!(fact.kind, FactKind::Bind | FactKind::Parameter) {
            return false;
        }
        if is_typed(&fact.annotation, row) && self.is_at_home(row, at.file) {
            return true;
        }
        let Some(Value::Fact(call)) = fact.arguments.first() else {
            return false;
        };
        let made = At {
            file: at.file,
            fact: *call as usize,
        };
        self.is_maker(row, made) || self.is_part(row, made, depth)
    }

    fn is_maker(&self, row: &Store, made: At) -> bool {
        let fact = self.code.fact(made);
        let whole = match &fact.receiver {
            Some(Value::Name(before)) => format!("{before}.{}", fact.name),
            _ => fact.name.clone(),
        };
        let is_named = row
            .makers
            .iter()
            .any(|maker| *maker == fact.name || *maker == whole);
        is_named && fact.kind == FactKind::Call && self.is_at_home(row, made.file)
    }

    /// `client.pipeline()`, `pool.get()`, `client.duplicate()`: as much a client as what it comes from.
    fn is_part(&self, row: &Store, made: At, depth: u32) -> bool {
        let fact = self.code.fact(made);
        let is_part = matches!(
            plain(&fact.name).as_str(),
            "pipeline" | "multi" | "duplicate" | "pipelined" | "txpipeline" | "connect" | "tags"
        );
        match &fact.receiver {
            Some(Value::Name(path)) if is_part => self.is_client(row, made, path, depth + 1),
            Some(Value::Fact(inner)) if is_part => self.is_maker(
                row,
                At {
                    file: made.file,
                    fact: *inner as usize,
                },
            ),
            _ => false,
        }
    }

    /// Whether a file imports the library, if it must.
    fn is_at_home(&self, row: &Store, file: usize) -> bool {
        row.modules.is_empty()
            || self.code.files[file].facts.iter().any(|fact| match fact.kind {
                FactKind::Import => row.modules.iter().any(|module| is_of(&fact.annotation, module)),
                FactKind::Call if fact.name == "require" => {
                    matches!(fact.arguments.first(), Some(Value::Text(name)) if row.modules.iter().any(|module| is_of(name, module)))
                }
                _ => false,
            })
    }
}

/// A module or what is below it.
fn is_of(name: &str, module: &str) -> bool {
    let rest = name.strip_prefix(module);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/', ':']))
}

/// `Optional[redis.Redis]`, `*redis.Client`, `RedisTemplate<String, X>`: one of the types stands in it as a whole word.
fn is_typed(annotation: &str, row: &Store) -> bool {
    row.types.iter().any(|name| {
        annotation.match_indices(name).any(|(at, _)| {
            let is_end = |c: Option<char>| c.is_none_or(|c| !(c.is_alphanumeric() || c == '_'));
            is_end(annotation[..at].chars().next_back())
                && is_end(annotation[at + name.len()..].chars().next())
        })
    })
}

fn plain(name: &str) -> String {
    let name = name.strip_suffix("Async").unwrap_or(name);
    name.chars()
        .filter(|c| c.is_alphanumeric() || *c == '!')
        .collect::<String>()
        .to_lowercase()
}

fn operation(name: &str) -> Option<Operation> {
    let name = name.trim_end_matches('!');
    let both = BOTH.contains(&name);
    let (reads, writes) = (both || READS.contains(&name), both || WRITES.contains(&name));
    (reads || writes).then_some(Operation { reads, writes })
}
