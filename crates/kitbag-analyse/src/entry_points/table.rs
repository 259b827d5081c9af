//! The frameworks whose routes are calls or decorators on a router, one row each. `routes.rs` reads the rows, `prefixes.rs` puts the paths of
//! routers together.

/// Where a call says its path or prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Where {
    No,
    /// The n-th argument without a name.
    Arg(usize),
    /// The argument of this name, also in an object.
    Key(&'static str),
    /// The first argument if it is a text.
    First,
}

/// How a verb says method, path and handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    /// The word itself is the method; path first, handler last.
    Is(&'static str),
    /// Path first; `methods=[…]` or the methods of the class, else this one.
    Option(&'static str),
    /// Method or methods first, then the path.
    First,
    /// Path first, then calls named like methods around the handlers (`get(show).post(add)`).
    Nested,
    /// An object with `method`, `url` or `path`, `handler`.
    Object,
    /// `"GET /path"`, or the path alone.
    Pattern,
    /// A class first, then its paths; the methods of the class count.
    Class,
}

/// Which routers a verb is called on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Receiver {
    /// A value that stands before the verb.
    Value,
    /// What is around the call.
    Around,
}

/// One framework. Names are `name` or `before.name`.
pub(super) struct Routes {
    pub(super) framework: &'static str,
    pub(super) languages: &'static [&'static str],
    /// Modules whose import says that a file uses it: the whole name or its start before `/`, `.` or `::`.
    pub(super) modules: &'static [&'static str],
    pub(super) receiver: Receiver,
    /// Calls that make a router, with the prefix that they give it.
    pub(super) makers: &'static [(&'static str, Where)],
    /// Names that are a router themselves.
    pub(super) fixed: &'static [&'static str],
    /// Types of parameters and fields that are routers.
    pub(super) types: &'static [&'static str],
    pub(super) calls: &'static [(&'static str, Verb)],
    /// Decorators.
    pub(super) marks: &'static [(&'static str, Verb)],
    /// Calls that give a router below another one, as their result or to their block.
    pub(super) groups: &'static [(&'static str, Where)],
    /// Calls that put a router below another one: the prefix, and where the router stands; `Where::First` is any argument.
    pub(super) mounts: &'static [(&'static str, Where, Where)],
}

const PYTHON: &[&str] = &["python"];
const SCRIPTS: &[&str] = &["javascript", "typescript", "tsx"];
const GO: &[&str] = &["go"];
const RUST: &[&str] = &["rust"];
const PHP: &[&str] = &["php"];
const RUBY: &[&str] = &["ruby"];

const LOWER: &[(&str, Verb)] = &[
    ("get", Verb::Is("GET")),
    ("post", Verb::Is("POST")),
    ("put", Verb::Is("PUT")),
    ("patch", Verb::Is("PATCH")),
    ("delete", Verb::Is("DELETE")),
    ("head", Verb::Is("HEAD")),
    ("options", Verb::Is("OPTIONS")),
];
const SCRIPT_VERBS: &[(&str, Verb)] = &[
    ("get", Verb::Is("GET")),
    ("post", Verb::Is("POST")),
    ("put", Verb::Is("PUT")),
    ("patch", Verb::Is("PATCH")),
    ("delete", Verb::Is("DELETE")),
    ("del", Verb::Is("DELETE")),
    ("head", Verb::Is("HEAD")),
    ("options", Verb::Is("OPTIONS")),
    ("all", Verb::Is("ANY")),
];
const CAPITALISED: &[(&str, Verb)] = &[
    ("Get", Verb::Is("GET")),
    ("Post", Verb::Is("POST")),
    ("Put", Verb::Is("PUT")),
    ("Patch", Verb::Is("PATCH")),
    ("Delete", Verb::Is("DELETE")),
    ("Head", Verb::Is("HEAD")),
    ("Options", Verb::Is("OPTIONS")),
    ("Connect", Verb::Is("CONNECT")),
    ("Trace", Verb::Is("TRACE")),
    ("All", Verb::Is("ANY")),
    ("Handle", Verb::Pattern),
    ("HandleFunc", Verb::Pattern),
    ("Method", Verb::First),
    ("MethodFunc", Verb::First),
    ("Add", Verb::First),
];
const UPPER: &[(&str, Verb)] = &[
    ("GET", Verb::Is("GET")),
    ("POST", Verb::Is("POST")),
    ("PUT", Verb::Is("PUT")),
    ("PATCH", Verb::Is("PATCH")),
    ("DELETE", Verb::Is("DELETE")),
    ("HEAD", Verb::Is("HEAD")),
    ("OPTIONS", Verb::Is("OPTIONS")),
    ("Any", Verb::Is("ANY")),
    ("Handle", Verb::First),
    ("Add", Verb::First),
    ("Match", Verb::First),
];

/// What most rows leave empty.
const NOTHING: Routes = Routes {
    framework: "",
    languages: &[],
    modules: &[],
    receiver: Receiver::Value,
    makers: &[],
    fixed: &[],
    types: &[],
    calls: &[],
    marks: &[],
    groups: &[],
    mounts: &[],
};

pub(super) const ROUTES: &[Routes] = &[
    Routes {
        framework: "flask",
        languages: PYTHON,
        modules: &[
            "flask",
            "flask_openapi3",
            "apiflask",
            "flask_restful",
            "flask_restx",
            "flask_smorest",
        ],
        makers: &[
            ("Flask", Where::No),
            ("APIFlask", Where::No),
            ("OpenAPI", Where::No),
            ("Blueprint", Where::Key("url_prefix")),
            ("APIBlueprint", Where::Key("url_prefix")),
            ("Namespace", Where::Key("path")),
            ("Api", Where::Key("prefix")),
        ],
        calls: &[
            ("add_url_rule", Verb::Option("GET")),
            ("add_resource", Verb::Class),
        ],
        marks: &[
            ("route", Verb::Option("GET")),
            ("get", Verb::Is("GET")),
            ("post", Verb::Is("POST")),
            ("put", Verb::Is("PUT")),
            ("patch", Verb::Is("PATCH")),
            ("delete", Verb::Is("DELETE")),
        ],
        mounts: &[
            ("register_blueprint", Where::Key("url_prefix"), Where::Arg(0)),
            ("register_api", Where::Key("url_prefix"), Where::Arg(0)),
            ("add_namespace", Where::Key("path"), Where::Arg(0)),
            ("init_app", Where::No, Where::Arg(0)),
        ],
        ..NOTHING
    },
    Routes {
        framework: "quart",
        languages: PYTHON,
        modules: &["quart", "sanic", "bottle"],
        makers: &[
            ("Quart", Where::No),
            ("Sanic", Where::No),
            ("Bottle", Where::No),
            ("Blueprint", Where::Key("url_prefix")),
        ],
        fixed: &["bottle"],
        calls: &[
            ("add_route", Verb::Option("GET")),
            ("add_url_rule", Verb::Option("GET")),
        ],
        marks: &[
            ("route", Verb::Option("GET")),
            ("get", Verb::Is("GET")),
            ("post", Verb::Is("POST")),
            ("put", Verb::Is("PUT")),
            ("patch", Verb::Is("PATCH")),
            ("delete", Verb::Is("DELETE")),
            ("websocket", Verb::Is("WS")),
        ],
        mounts: &[
            ("register_blueprint", Where::Key("url_prefix"), Where::Arg(0)),
            ("blueprint", Where::Key("url_prefix"), Where::Arg(0)),
            ("mount", Where::Arg(0), Where::Arg(1)),
        ],
        ..NOTHING
    },
    Routes {
        framework: "fastapi",
        languages: PYTHON,
        modules: &["fastapi"],
        makers: &[("FastAPI", Where::No), ("APIRouter", Where::Key("prefix"))],
        types: &["FastAPI", "APIRouter"],
        calls: &[
            ("add_api_route", Verb::Option("GET")),
            ("add_api_websocket_route", Verb::Is("WS")),
        ],
        marks: &[
            ("get", Verb::Is("GET")),
            ("post", Verb::Is("POST")),
            ("put", Verb::Is("PUT")),
            ("patch", Verb::Is("PATCH")),
            ("delete", Verb::Is("DELETE")),
            ("head", Verb::Is("HEAD")),
            ("options", Verb::Is("OPTIONS")),
            ("api_route", Verb::Option("GET")),
            ("route", Verb::Option("GET")),
            ("websocket", Verb::Is("WS")),
        ],
        mounts: &[
            ("include_router", Where::Key("prefix"), Where::Arg(0)),
            ("mount", Where::Arg(0), Where::Arg(1)),
        ],
        ..NOTHING
    },
    Routes {
        framework: "starlette",
        languages: PYTHON,
        modules: &["starlette"],
        receiver: Receiver::Around,
        calls: &[("Route", Verb::Option("GET")), ("WebSocketRoute", Verb::Is("WS"))],
        groups: &[("Mount", Where::Arg(0))],
        mounts: &[
            ("Mount", Where::Arg(0), Where::Key("routes")),
            ("Mount", Where::Arg(0), Where::Arg(1)),
            ("Starlette", Where::No, Where::Key("routes")),
            ("Router", Where::No, Where::Key("routes")),
        ],
        ..NOTHING
    },
    Routes {
        framework: "aiohttp",
        languages: PYTHON,
        modules: &["aiohttp"],
        makers: &[
            ("web.Application", Where::No),
            ("Application", Where::No),
            ("web.RouteTableDef", Where::No),
            ("RouteTableDef", Where::No),
        ],
        fixed: &["web"],
        calls: &[
            ("add_get", Verb::Is("GET")),
            ("add_post", Verb::Is("POST")),
            ("add_put", Verb::Is("PUT")),
            ("add_patch", Verb::Is("PATCH")),
            ("add_delete", Verb::Is("DELETE")),
            ("add_head", Verb::Is("HEAD")),
            ("add_route", Verb::First),
            ("add_view", Verb::Option("ANY")),
            ("get", Verb::Is("GET")),
            ("post", Verb::Is("POST")),
            ("put", Verb::Is("PUT")),
            ("patch", Verb::Is("PATCH")),
            ("delete", Verb::Is("DELETE")),
            ("view", Verb::Option("ANY")),
        ],
        marks: &[
            ("get", Verb::Is("GET")),
            ("post", Verb::Is("POST")),
            ("put", Verb::Is("PUT")),
            ("patch", Verb::Is("PATCH")),
            ("delete", Verb::Is("DELETE")),
            ("view", Verb::Option("ANY")),
            ("route", Verb::First),
        ],
        mounts: &[
            ("add_subapp", Where::Arg(0), Where::Arg(1)),
            ("add_routes", Where::No, Where::Arg(0)),
        ],
        ..NOTHING
    },
    Routes {
        framework: "express",
        languages: SCRIPTS,
        modules: &["express", "polka", "restify", "express-promise-router"],
        makers: &[
            ("express", Where::No),
            ("express.Router", Where::No),
            ("Router", Where::No),
            ("polka", Where::No),
            ("restify.createServer", Where::No),
            ("PromiseRouter", Where::No),
        ],
        types: &[
            "Express",
            "Application",
            "Router",
            "IRouter",
            "express.Application",
            "express.Router",
            "express.Express",
        ],
        calls: SCRIPT_VERBS,
        groups: &[("route", Where::Arg(0))],
        mounts: &[("use", Where::First, Where::First)],
        ..NOTHING
    },
    Routes {
        framework: "fastify",
        languages: SCRIPTS,
        modules: &["fastify", "fastify-plugin", "@fastify"],
        makers: &[("fastify", Where::No), ("Fastify", Where::No)],
        types: &[
            "FastifyInstance",
            "FastifyPluginAsync",
            "FastifyPluginAsyncTypebox",
            "FastifyPluginCallback",
        ],
        calls: &[
            ("get", Verb::Is("GET")),
            ("post", Verb::Is("POST")),
            ("put", Verb::Is("PUT")),
            ("patch", Verb::Is("PATCH")),
            ("delete", Verb::Is("DELETE")),
            ("head", Verb::Is("HEAD")),
            ("options", Verb::Is("OPTIONS")),
            ("all", Verb::Is("ANY")),
            ("route", Verb::Object),
        ],
        groups: &[("withTypeProvider", Where::No), ("after", Where::No)],
        mounts: &[("register", Where::Key("prefix"), Where::Arg(0))],
        ..NOTHING
    },
    Routes {
        framework: "koa",
        languages: SCRIPTS,
        modules: &["koa-router", "@koa/router", "koa", "koa-joi-router"],
        makers: &[
            ("Router", Where::Key("prefix")),
            ("KoaRouter", Where::Key("prefix")),
            ("Koa", Where::No),
        ],
        types: &["Router", "Koa"],
        calls: SCRIPT_VERBS,
        mounts: &[
            ("use", Where::First, Where::First),
            ("mount", Where::Arg(0), Where::Arg(1)),
        ],
        ..NOTHING
    },
    Routes {
        framework: "hono",
        languages: SCRIPTS,
        modules: &["hono", "@hono", "elysia", "itty-router"],
        makers: &[
            ("Hono", Where::No),
            ("OpenAPIHono", Where::No),
            ("Elysia", Where::Key("prefix")),
            ("Router", Where::Key("base")),
            ("AutoRouter", Where::Key("base")),
        ],
        types: &["Hono", "Elysia"],
        calls: &[
            ("get", Verb::Is("GET")),
            ("post", Verb::Is("POST")),
            ("put", Verb::Is("PUT")),
            ("patch", Verb::Is("PATCH")),
            ("delete", Verb::Is("DELETE")),
            ("options", Verb::Is("OPTIONS")),
            ("all", Verb::Is("ANY")),
            ("on", Verb::First),
            ("openapi", Verb::Object),
        ],
        groups: &[("basePath", Where::Arg(0)), ("group", Where::Arg(0))],
        mounts: &[
            ("route", Where::Arg(0), Where::Arg(1)),
            ("use", Where::No, Where::Arg(0)),
            ("mount", Where::Arg(0), Where::Arg(1)),
        ],
        ..NOTHING
    },
    Routes {
        framework: "hapi",
        languages: SCRIPTS,
        modules: &["@hapi/hapi", "hapi"],
        makers: &[
            ("Hapi.server", Where::No),
            ("hapi.server", Where::No),
            ("Hapi.Server", Where::No),
            ("Server", Where::No),
        ],
        types: &["Server", "Hapi.Server"],
        calls: &[("route", Verb::Object)],
        ..NOTHING
    },
    Routes {
        framework: "gin",
        languages: GO,
        modules: &["github.com/gin-gonic/gin"],
        makers: &[("gin.Default", Where::No), ("gin.New", Where::No)],
        types: &["gin.Engine", "gin.RouterGroup", "gin.IRouter", "gin.IRoutes"],
        calls: UPPER,
        groups: &[("Group", Where::Arg(0))],
        ..NOTHING
    },
    Routes {
        framework: "chi",
        languages: GO,
        modules: &["github.com/go-chi/chi"],
        makers: &[("chi.NewRouter", Where::No), ("chi.NewMux", Where::No)],
        types: &["chi.Router", "chi.Mux"],
        calls: CAPITALISED,
        groups: &[
            ("Route", Where::Arg(0)),
            ("Group", Where::No),
            ("With", Where::No),
        ],
        mounts: &[("Mount", Where::Arg(0), Where::Arg(1))],
        ..NOTHING
    },
    Routes {
        framework: "echo",
        languages: GO,
        modules: &["github.com/labstack/echo"],
        makers: &[("echo.New", Where::No)],
        types: &["echo.Echo", "echo.Group"],
        calls: UPPER,
        groups: &[("Group", Where::Arg(0))],
        ..NOTHING
    },
    Routes {
        framework: "fiber",
        languages: GO,
        modules: &["github.com/gofiber/fiber"],
        makers: &[("fiber.New", Where::No)],
        types: &["fiber.App", "fiber.Router", "fiber.Group"],
        calls: CAPITALISED,
        groups: &[("Group", Where::Arg(0)), ("Route", Where::Arg(0))],
        mounts: &[
            ("Mount", Where::Arg(0), Where::Arg(1)),
            ("Use", Where::First, Where::First),
        ],
        ..NOTHING
    },
    Routes {
        framework: "gorilla",
        languages: GO,
        modules: &["github.com/gorilla/mux"],
        makers: &[("mux.NewRouter", Where::No)],
        types: &["mux.Router", "mux.Route"],
        calls: &[("HandleFunc", Verb::Pattern), ("Handle", Verb::Pattern)],
        groups: &[("PathPrefix", Where::Arg(0)), ("Subrouter", Where::No)],
        ..NOTHING
    },
    Routes {
        framework: "httprouter",
        languages: GO,
        modules: &["github.com/julienschmidt/httprouter"],
        makers: &[("httprouter.New", Where::No)],
        types: &["httprouter.Router"],
        calls: UPPER,
        ..NOTHING
    },
    Routes {
        framework: "net/http",
        languages: GO,
        modules: &["net/http"],
        makers: &[("http.NewServeMux", Where::No)],
        fixed: &["http"],
        types: &["http.ServeMux"],
        calls: &[("HandleFunc", Verb::Pattern), ("Handle", Verb::Pattern)],
        ..NOTHING
    },
    Routes {
        framework: "axum",
        languages: RUST,
        modules: &["axum", "aide", "utoipa_axum"],
        makers: &[
            ("Router.new", Where::No),
            ("ApiRouter.new", Where::No),
            ("OpenApiRouter.new", Where::No),
        ],
        types: &["Router", "ApiRouter"],
        calls: &[
            ("route", Verb::Nested),
            ("api_route", Verb::Nested),
            ("route_service", Verb::Option("ANY")),
        ],
        mounts: &[
            ("nest", Where::Arg(0), Where::Arg(1)),
            ("nest_api_service", Where::Arg(0), Where::Arg(1)),
            ("nest_service", Where::Arg(0), Where::Arg(1)),
            ("merge", Where::No, Where::Arg(0)),
        ],
        ..NOTHING
    },
    Routes {
        framework: "actix-web",
        languages: RUST,
        modules: &["actix_web"],
        makers: &[
            ("App.new", Where::No),
            ("web.scope", Where::Arg(0)),
            ("scope", Where::Arg(0)),
            ("web.resource", Where::Arg(0)),
            ("resource", Where::Arg(0)),
        ],
        types: &["web.ServiceConfig", "ServiceConfig"],
        calls: &[("route", Verb::Nested), ("to", Verb::Nested)],
        marks: &[
            ("get", Verb::Is("GET")),
            ("post", Verb::Is("POST")),
            ("put", Verb::Is("PUT")),
            ("patch", Verb::Is("PATCH")),
            ("delete", Verb::Is("DELETE")),
            ("head", Verb::Is("HEAD")),
            ("options", Verb::Is("OPTIONS")),
            ("route", Verb::Option("ANY")),
        ],
        mounts: &[
            ("service", Where::No, Where::First),
            ("configure", Where::No, Where::Arg(0)),
        ],
        ..NOTHING
    },
    Routes {
        framework: "rocket",
        languages: RUST,
        modules: &["rocket"],
        marks: &[
            ("get", Verb::Is("GET")),
            ("post", Verb::Is("POST")),
            ("put", Verb::Is("PUT")),
            ("patch", Verb::Is("PATCH")),
            ("delete", Verb::Is("DELETE")),
            ("head", Verb::Is("HEAD")),
            ("options", Verb::Is("OPTIONS")),
        ],
        mounts: &[("mount", Where::Arg(0), Where::Arg(1))],
        ..NOTHING
    },
    Routes {
        framework: "aspnet-minimal",
        languages: &["csharp"],
        types: &["IEndpointRouteBuilder", "WebApplication", "RouteGroupBuilder"],
        makers: &[("Build", Where::No)],
        calls: &[
            ("MapGet", Verb::Is("GET")),
            ("MapPost", Verb::Is("POST")),
            ("MapPut", Verb::Is("PUT")),
            ("MapPatch", Verb::Is("PATCH")),
            ("MapDelete", Verb::Is("DELETE")),
            ("MapMethods", Verb::Option("ANY")),
            ("MapHub", Verb::Is("WS")),
        ],
        groups: &[("MapGroup", Where::Arg(0))],
        ..NOTHING
    },
    Routes {
        framework: "ktor",
        languages: &["kotlin"],
        modules: &["io.ktor"],
        receiver: Receiver::Around,
        types: &["Route", "Routing", "Application"],
        calls: &[
            ("get", Verb::Is("GET")),
            ("post", Verb::Is("POST")),
            ("put", Verb::Is("PUT")),
            ("patch", Verb::Is("PATCH")),
            ("delete", Verb::Is("DELETE")),
            ("head", Verb::Is("HEAD")),
            ("options", Verb::Is("OPTIONS")),
            ("webSocket", Verb::Is("WS")),
        ],
        groups: &[("route", Where::Arg(0)), ("routing", Where::No)],
        ..NOTHING
    },
    Routes {
        framework: "sinatra",
        languages: RUBY,
        modules: &["sinatra"],
        receiver: Receiver::Around,
        types: &[
            "Sinatra::Base",
            "Sinatra::Application",
            "Roda",
            "Padrino::Application",
        ],
        calls: LOWER,
        groups: &[("namespace", Where::Arg(0))],
        ..NOTHING
    },
    Routes {
        framework: "grape",
        languages: RUBY,
        modules: &["grape"],
        receiver: Receiver::Around,
        types: &["Grape::API", "Grape::API::Instance"],
        calls: LOWER,
        groups: &[
            ("namespace", Where::Arg(0)),
            ("resource", Where::Arg(0)),
            ("resources", Where::Arg(0)),
            ("group", Where::Arg(0)),
            ("segment", Where::Arg(0)),
            ("route_param", Where::Arg(0)),
        ],
        ..NOTHING
    },
    Routes {
        framework: "hanami",
        languages: RUBY,
        modules: &["hanami"],
        receiver: Receiver::Around,
        types: &["Hanami::Routes"],
        calls: LOWER,
        groups: &[("scope", Where::Arg(0)), ("slice", Where::Key("at"))],
        ..NOTHING
    },
    Routes {
        framework: "slim",
        languages: PHP,
        modules: &["Slim", "Mezzio", "Laravel\\Lumen"],
        makers: &[
            ("AppFactory.create", Where::No),
            ("App", Where::No),
            ("Bridge.create", Where::No),
        ],
        types: &[
            "App",
            "RouteCollectorProxy",
            "RouteCollectorProxyInterface",
            "Group",
            "Router",
        ],
        calls: &[
            ("get", Verb::Is("GET")),
            ("post", Verb::Is("POST")),
            ("put", Verb::Is("PUT")),
            ("patch", Verb::Is("PATCH")),
            ("delete", Verb::Is("DELETE")),
            ("options", Verb::Is("OPTIONS")),
            ("any", Verb::Is("ANY")),
            ("map", Verb::First),
        ],
        groups: &[("group", Where::First)],
        ..NOTHING
    },
];
