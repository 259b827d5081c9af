//! Entry points and data access through the API, on one small project per framework.

use kitbag_engine::EngineError;
use kitbag_engine::api::{self, DataAccessReply, EntryPointsReply, InsightsRequest};

use crate::world::{NOW, World};

fn entry_points(world: &World, request: &InsightsRequest) -> EntryPointsReply {
    api::entry_points(&world.engine(), request, true, &mut |_| {}, NOW).unwrap()
}

fn data_access(world: &World, request: &InsightsRequest) -> DataAccessReply {
    api::data_access(&world.engine(), request, true, &mut |_| {}, NOW).unwrap()
}

/// The entry points of a project as lines, in the order of their text.
fn told(world: &World) -> Vec<String> {
    let reply = entry_points(world, &InsightsRequest::default());
    let mut lines: Vec<String> = reply
        .entry_points
        .iter()
        .map(|entry| match entry.method.is_empty() {
            true => format!("{} {}", entry.kind, entry.name),
            false => format!("{} {}", entry.method, entry.path),
        })
        .collect();
    lines.sort();
    lines
}

/// A framework, a project in it, and what must be found: all of it and nothing else.
const PROJECTS: &[(&str, &str, &[&str])] = &[
    (
        "flask: blueprints across files, methods, commands",
        "//- app/__init__.py\nfrom flask import Flask\nfrom app.auth import bp as auth_bp\ndef create():\n    app = Flask(__name__)\n    app.register_blueprint(auth_bp, url_prefix='/auth')\n//- app/auth/__init__.py\nfrom flask import Blueprint\nbp = Blueprint('auth', __name__)\nfrom app.auth import routes\n//- app/auth/routes.py\nfrom app.auth import bp\n@bp.route('/login', methods=['GET', 'POST'])\ndef login(): pass\n@bp.cli.command()\ndef clean_up(): pass\n",
        &["GET /auth/login", "POST /auth/login", "cli clean-up"],
    ),
    (
        "fastapi: routers in routers, a prefix from settings",
        "//- app/config.py\nclass Settings:\n    API: str = '/api/v1'\nsettings = Settings()\n//- app/items.py\nfrom fastapi import APIRouter\nrouter = APIRouter(prefix='/items')\n@router.get('/{id}')\ndef read(id: int): pass\n//- app/api.py\nfrom fastapi import APIRouter\nfrom app import items\napi = APIRouter()\napi.include_router(items.router)\n//- app/main.py\nfrom fastapi import FastAPI\nfrom app.api import api\nfrom app.config import settings\napp = FastAPI()\napp.include_router(api, prefix=settings.API)\n",
        &["GET /api/v1/items/{id}"],
    ),
    (
        "starlette: routes in mounts",
        "//- app.py\nfrom starlette.applications import Starlette\nfrom starlette.routing import Mount, Route\nroutes = [Route('/', home), Mount('/users', routes=[Route('/{id}', user, methods=['GET', 'DELETE'])])]\napp = Starlette(routes=routes)\n",
        &["DELETE /users/{id}", "GET /", "GET /users/{id}"],
    ),
    (
        "aiohttp: a router, a table of routes",
        "//- app.py\nfrom aiohttp import web\nroutes = web.RouteTableDef()\n@routes.get('/a')\nasync def a(request): pass\napp = web.Application()\napp.router.add_post('/b', a)\napp.add_routes([web.put('/c', a)])\n",
        &["GET /a", "POST /b", "PUT /c"],
    ),
    (
        "django: includes, class views, a router of REST framework",
        "//- shop/urls.py\nfrom django.urls import include, path\nfrom rest_framework import routers\nfrom shop.views import UserViewSet\nrouter = routers.DefaultRouter()\nrouter.register(r'users', UserViewSet)\nurlpatterns = [path('api/', include(router.urls)), path('items/', include('shop.items.urls'))]\n//- shop/views.py\nfrom rest_framework import viewsets\nclass UserViewSet(viewsets.ReadOnlyModelViewSet):\n    pass\n//- shop/items/urls.py\nfrom django.urls import path\nfrom shop.items.views import ItemView, about\nurlpatterns = [path('<int:id>/', ItemView.as_view()), path('about/', about)]\n//- shop/items/views.py\nclass ItemView(View):\n    def get(self, request, id): pass\n    def post(self, request, id): pass\n@require_POST\ndef about(request): pass\n",
        &[
            "GET /api/users",
            "GET /api/users/{id}",
            "GET /items/<int:id>",
            "POST /items/<int:id>",
            "POST /items/about",
        ],
    ),
    (
        "django: a prefix that a setting may change",
        "//- a/urls.py\nfrom django.urls import path\nprefix = ''\nif other := setting():\n    prefix = f'{other}/'\nurlpatterns = [path(f'{prefix}about/', about)]\n",
        &["ANY /about"],
    ),
    (
        "express: routers mounted twice, route chains, settings that look like routes",
        "//- src/users.js\nconst express = require('express')\nconst router = express.Router()\nrouter.get('/:id', auth, show)\nrouter.route('/').get(list).post(add)\nmodule.exports = router\n//- src/app.js\nconst express = require('express')\nconst users = require('./users')\nconst app = express()\napp.set('env', 'x')\napp.get('env')\napp.use('/users', users)\n",
        &["GET /users", "GET /users/:id", "POST /users"],
    ),
    (
        "fastify: plugins with a prefix",
        "//- src/app.ts\nimport fastify from 'fastify'\nimport items from './items'\nconst app = fastify()\napp.register(items, { prefix: '/items' })\napp.route({ method: ['PUT', 'PATCH'], url: '/x', handler: async () => {} })\n//- src/items.ts\nimport { FastifyInstance } from 'fastify'\nexport default async function items(app: FastifyInstance) {\n  app.get('/:id', async () => {})\n}\n",
        &["GET /items/:id", "PATCH /x", "PUT /x"],
    ),
    (
        "koa: routers in routers",
        "//- routes/tags.js\nconst Router = require('koa-router')\nconst router = new Router({ prefix: '/tags' })\nrouter.get('/', list)\nrouter.del('/:id', remove)\nmodule.exports = router\n//- index.js\nconst Router = require('koa-router')\nconst tags = require('./routes/tags')\nconst api = new Router()\napi.use('/api', tags.routes())\n",
        &["DELETE /api/tags/:id", "GET /api/tags"],
    ),
    (
        "hono: routes and base paths",
        "//- src/index.ts\nimport { Hono } from 'hono'\nimport books from './books'\nconst app = new Hono().basePath('/v1')\napp.route('/books', books)\n//- src/books.ts\nimport { Hono } from 'hono'\nconst books = new Hono()\nbooks.get('/:id', (c) => c.json({}))\nexport default books\n",
        &["GET /v1/books/:id"],
    ),
    (
        "nestjs: controllers, a global prefix, jobs",
        "//- src/main.ts\nasync function bootstrap() { app.setGlobalPrefix('api') }\n//- src/users.controller.ts\nimport { Controller, Get, Post } from '@nestjs/common'\n@Controller('users')\nexport class UsersController {\n  @Get(':id') one() {}\n  @Post() add() {}\n}\n//- src/tasks.ts\nimport { Cron } from '@nestjs/schedule'\nexport class Tasks {\n  @Cron('0 0 * * *') nightly() {}\n}\n",
        &["GET /api/users/:id", "POST /api/users", "job nightly"],
    ),
    (
        "next: both routers",
        "//- next.config.js\nmodule.exports = {}\n//- app/(shop)/api/items/[id]/route.ts\nexport async function GET() {}\nexport const DELETE = async () => {}\n//- pages/api/old.ts\nexport default function handler(req, res) {}\n",
        &["ANY /api/old", "DELETE /api/items/[id]", "GET /api/items/[id]"],
    ),
    (
        "sveltekit and remix by files",
        "//- svelte.config.js\nexport default {}\n//- src/routes/api/items/+server.ts\nimport { json } from '@sveltejs/kit'\nexport const GET = () => json([])\n//- app/routes/users.$id.tsx\nimport { json } from '@remix-run/node'\nexport async function loader() {}\nexport async function action() {}\n",
        &["GET /api/items", "GET /users/:id", "POST /users/:id"],
    ),
    (
        "spring: class paths, clients are none, listeners and schedules",
        "//- A.java\n@RestController\n@RequestMapping(\"/a\")\nclass A {\n  @GetMapping(\"/{id}\") X one() { return null; }\n  @RequestMapping(value = \"/b\", method = RequestMethod.PUT) X two() { return null; }\n  @Scheduled(cron = \"0 0 * * * *\") void tidy() {}\n  @KafkaListener(topics = \"t\") void listen(String s) {}\n}\n@FeignClient(\"x\")\ninterface Client {\n  @GetMapping(\"/no\") X no();\n}\n",
        &["GET /a/{id}", "PUT /a/b", "event listen", "job tidy"],
    ),
    (
        "jax-rs and micronaut",
        "//- A.java\nimport jakarta.ws.rs.*;\n@Path(\"/a\")\nclass A {\n  @GET @Path(\"/{id}\") public X one() { return null; }\n  @POST public X two() { return null; }\n}\n//- B.java\nimport io.micronaut.http.annotation.*;\n@Controller(\"/b\")\nclass B {\n  @Get(\"/{id}\") X one() { return null; }\n}\n",
        &["GET /a/{id}", "GET /b/{id}", "POST /a"],
    ),
    (
        "ktor: nested routes in extensions",
        "//- App.kt\nimport io.ktor.server.routing.*\nfun Application.module() {\n    routing {\n        route(\"/api\") { users() }\n    }\n}\nfun Route.users() {\n    route(\"/users\") {\n        get(\"/{id}\") { call.respond(1) }\n        post { call.respond(2) }\n    }\n}\n",
        &["GET /api/users/{id}", "POST /api/users"],
    ),
    (
        "aspnet: controllers with tokens, minimal groups in extensions",
        "//- C.cs\nusing Microsoft.AspNetCore.Mvc;\n[Route(\"api/[controller]\")]\npublic class ItemsController : ControllerBase {\n  [HttpGet(\"{id}\")] public X One(int id) => null;\n}\n//- M.cs\npublic static class M {\n  public static void MapTodos(this IEndpointRouteBuilder routes) {\n    var group = routes.MapGroup(\"/todos\");\n    group.MapPost(\"/\", (X x) => x);\n  }\n}\n",
        &["GET /api/Items/{id}", "POST /todos"],
    ),
    (
        "axum: nests and merges over modules",
        "//- src/main.rs\nuse axum::{Router, routing::get};\nmod users;\nfn main() { let app = Router::new().nest(\"/api\", users::router()).route(\"/health\", get(health)); }\nasync fn health() {}\n//- src/users.rs\nuse axum::{Router, routing::{get, post}};\npub fn router() -> Router { Router::new().route(\"/users\", get(list).post(add)) }\nasync fn list() {}\nasync fn add() {}\n",
        &["GET /api/users", "GET /health", "POST /api/users", "main main"],
    ),
    (
        "actix and rocket: attributes below scopes",
        "//- src/a.rs\nuse actix_web::{get, web, App};\n#[get(\"/{id}\")]\nasync fn one() {}\nfn config(cfg: &mut web::ServiceConfig) { cfg.service(web::scope(\"/items\").service(one).route(\"\", web::post().to(add))); }\nasync fn add() {}\n//- src/r.rs\nuse rocket::get;\n#[get(\"/hello\")]\nfn hello() {}\nfn launch() { rocket::build().mount(\"/v1\", routes![hello]); }\n",
        &["GET /items/{id}", "GET /v1/hello", "POST /items"],
    ),
    (
        "rocket: lists of routes that functions hand on",
        "//- src/main.rs\nmod api;\nfn launch() { rocket::build().mount([base, \"/api\"].concat(), api::core_routes()); }\n//- src/api.rs\npub mod core;\npub use crate::api::core::routes as core_routes;\n//- src/api/core.rs\nuse rocket::Route;\nmod users;\npub fn routes() -> Vec<Route> { let mut all = routes![alive]; all.append(&mut users::routes()); all }\n#[get(\"/alive\")]\nfn alive() {}\n//- src/api/core/users.rs\nuse rocket::Route;\npub fn routes() -> Vec<Route> { routes![list] }\n#[get(\"/users\")]\nfn list() {}\n",
        &["GET /api/alive", "GET /api/users"],
    ),
    (
        "gin: a group that is handed to a function",
        "//- main.go\npackage main\nimport (\n\t\"github.com/gin-gonic/gin\"\n\t\"x.io/app/users\"\n)\nfunc main() {\n\tr := gin.Default()\n\tv1 := r.Group(\"/api\")\n\tusers.Register(v1.Group(\"/users\"))\n}\n//- users/routes.go\npackage users\nimport \"github.com/gin-gonic/gin\"\nfunc Register(router *gin.RouterGroup) {\n\trouter.GET(\"/:id\", show)\n}\nfunc show(c *gin.Context) { c.Header.Get(\"X\") }\n",
        &["GET /api/users/:id", "main main"],
    ),
    (
        "chi, echo, fiber, gorilla, net/http",
        "//- chi.go\npackage a\nimport \"github.com/go-chi/chi/v5\"\nfunc c() {\n\tr := chi.NewRouter()\n\tr.Route(\"/a\", func(r chi.Router) { r.Get(\"/{id}\", h) })\n\tr.Mount(\"/b\", sub())\n}\nfunc sub() chi.Router {\n\tr := chi.NewRouter()\n\tr.With(x).Post(\"/\", h)\n\treturn r\n}\n//- echo/e.go\npackage e\nimport \"github.com/labstack/echo/v4\"\nfunc e() { s := echo.New(); g := s.Group(\"/e\"); g.PUT(\"/x\", h) }\n//- fiber/f.go\npackage f\nimport \"github.com/gofiber/fiber/v2\"\nfunc f() { app := fiber.New(); app.Get(\"/f\", h) }\n//- mux/m.go\npackage m\nimport \"github.com/gorilla/mux\"\nfunc m() { r := mux.NewRouter(); s := r.PathPrefix(\"/m\").Subrouter(); s.HandleFunc(\"/x\", h).Methods(\"DELETE\") }\n//- std/s.go\npackage s\nimport \"net/http\"\nfunc s() { http.HandleFunc(\"/s\", h); mux := http.NewServeMux(); mux.HandleFunc(\"PATCH /t\", h); http.Get(\"http://x\") }\n",
        &[
            "ANY /s",
            "DELETE /m/x",
            "GET /a/{id}",
            "GET /f",
            "PATCH /t",
            "POST /b",
            "PUT /e/x",
        ],
    ),
    (
        "rails: resources, members, namespaces",
        "//- config/routes.rb\nRails.application.routes.draw do\n  root 'home#index'\n  namespace :api do\n    resources :articles, param: :slug, only: [:index, :update] do\n      resource :favorite, only: [:create]\n      get :feed, on: :collection\n      member do\n        post :publish\n      end\n    end\n  end\nend\n",
        &[
            "GET /",
            "GET /api/articles",
            "GET /api/articles/feed",
            "PATCH /api/articles/:slug",
            "POST /api/articles/:article_slug/favorite",
            "POST /api/articles/:slug/publish",
            "PUT /api/articles/:slug",
        ],
    ),
    (
        "sinatra, hanami, jobs of sidekiq and of Rails, thor",
        "//- app.rb\nrequire 'sinatra'\nget '/x/:id' do\n  1\nend\n//- config/routes.rb\nclass Routes < Hanami::Routes\n  scope 'admin' do\n    post '/books', to: 'books.create'\n  end\nend\n//- jobs.rb\nclass Hard\n  include Sidekiq::Job\n  def perform; end\nend\nclass Mail < ApplicationJob\n  def perform; end\nend\nclass Cli < Thor\n  desc 'go', 'Goes'\n  def go; end\n  def helper; end\nend\n",
        &[
            "GET /x/:id",
            "POST /admin/books",
            "cli go",
            "job Hard",
            "job Mail",
        ],
    ),
    (
        "laravel: groups, resources, the prefix of a file",
        "//- routes/api.php\n<?php\nuse App\\Http\\Controllers\\PhotoController;\nRoute::middleware('auth')->prefix('admin')->group(function () {\n    Route::apiResource('photos', PhotoController::class)->only('index', 'show');\n    Route::match(['get', 'post'], 'x', fn () => 1);\n});\n//- app/Console/Commands/Go.php\n<?php\nclass Go extends Command {\n    protected $signature = 'app:go {id}';\n}\n",
        &[
            "GET /api/admin/photos",
            "GET /api/admin/photos/{photo}",
            "GET /api/admin/x",
            "POST /api/admin/x",
            "cli app:go",
        ],
    ),
    (
        "symfony and slim",
        "//- src/BlogController.php\n<?php\n#[Route('/blog')]\nclass BlogController {\n    #[Route('/{id}', methods: ['GET'])]\n    public function show() {}\n}\n#[AsCommand(name: 'app:run')]\nclass Run extends Command {}\n//- public/index.php\n<?php\nuse Slim\\Factory\\AppFactory;\n$app = AppFactory::create();\n$app->group('/api', function (RouteCollectorProxy $group) {\n    $group->get('/users', UserAction::class);\n});\n",
        &["GET /api/users", "GET /blog/{id}", "cli app:run"],
    ),
    (
        "phoenix: scopes, resources, loops over words",
        "//- lib/router.ex\ndefmodule Web.Router do\n  use Web, :router\n  scope \"/admin\", Web do\n    pipe_through :browser\n    resources \"/posts\", PostController, only: [:show] do\n      get \"/raw\", PostController, :raw\n    end\n    for page <- ~w(rss atom) do\n      get \"/#{page}\", FeedController, :show\n    end\n  end\nend\ndefmodule Job do\n  use Oban.Worker, queue: :mail\nend\n",
        &[
            "GET /admin/atom",
            "GET /admin/posts/:id",
            "GET /admin/posts/:post_id/raw",
            "GET /admin/rss",
            "job Job",
        ],
    ),
    (
        "grpc and graphql schemas",
        "//- api.proto\nsyntax = \"proto3\";\npackage shop;\nservice Carts {\n  // rpc No(A) returns (B);\n  rpc Get(A) returns (B);\n}\n//- schema.graphql\ntype Query {\n  user(id: ID!): User\n}\ntype User {\n  name: String\n}\n",
        &["RPC /shop.Carts/Get", "RPC Query.user"],
    ),
    (
        "commands of python, go, rust, javascript",
        "//- a.py\nimport click\n@click.group()\ndef cli(): pass\n@cli.command('make-it')\ndef make(): pass\n//- b.py\nimport argparse\nsub = argparse.ArgumentParser().add_subparsers()\nsub.add_parser('run')\nif __name__ == '__main__':\n    main()\n//- cmd/root.go\npackage cmd\nimport \"github.com/spf13/cobra\"\nvar add = &cobra.Command{Use: \"add [name]\"}\n//- src/cli.rs\nuse clap::Subcommand;\n#[derive(Subcommand)]\nenum Command {\n    ListAll,\n    #[command(name = \"rm\")]\n    Remove { id: u32 },\n}\n//- bin.js\nconst { program } = require('commander')\nprogram.command('serve <port>').action(serve)\n",
        &[
            "cli add",
            "cli cli",
            "cli list-all",
            "cli make-it",
            "cli rm",
            "cli run",
            "cli serve",
            "main b.py",
        ],
    ),
    (
        "celery, picocli, bullmq",
        "//- tasks.py\nfrom celery import shared_task\n@shared_task\ndef send(): pass\n//- Go.java\n@Command(name = \"go\")\nclass Go implements Runnable { public void run() {} }\n//- worker.ts\nimport { Worker } from 'bullmq'\nnew Worker('mail', async job => {})\n",
        &["cli go", "job mail", "job send"],
    ),
    (
        "tests have no entry points",
        "//- tests/test_app.py\nfrom flask import Flask\napp = Flask(__name__)\n@app.route('/x')\ndef x(): pass\n",
        &[],
    ),
];

#[test]
fn ins_4_entry_points_of_each_framework() {
    let mut wrong = Vec::new();
    for (what, files, expected) in PROJECTS {
        let found = told(&World::new(files));
        if found != *expected {
            wrong.push(format!("{what}\n  expected {expected:?}\n  found    {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const SHOP: &str = "//- src/app.ts\nimport express from 'express'\nimport { list } from './users'\nconst app = express()\napp.get('/users', auth, list)\napp.get(pathOf('x'), list)\n//- src/users.ts\nexport const list = async (req, res) => {\n  await all()\n}\nasync function all() {\n  return db.query('select id, email from users where age > $1')\n}\n";

#[test]
fn ins_4_handlers_guards_and_what_is_hidden_are_told_with_their_places() {
    let reply = entry_points(&World::new(SHOP), &InsightsRequest::default());
    let [entry] = reply.entry_points.as_slice() else {
        panic!("{reply:?}")
    };
    assert_eq!((entry.file.as_str(), entry.line), ("src/app.ts", 4));
    let handler = entry.handler.as_ref().unwrap();
    assert_eq!(
        (handler.name.as_str(), handler.file.as_str(), handler.line),
        ("list", "src/users.ts", 1)
    );
    assert_eq!(entry.guards, ["auth"]);
    assert_eq!(entry.framework, "express");
}

#[test]
fn ins_4_filters_and_what_is_refused() {
    let world = World::new(
        "//- a/main.go\npackage main\nfunc main() {}\n//- b/app.py\nfrom flask import Flask\napp = Flask(__name__)\n@app.get('/x')\ndef x(): pass\n",
    );
    let ask = |request: InsightsRequest| entry_points(&world, &request).entry_points.len();
    assert_eq!(ask(InsightsRequest::default()), 2);
    assert_eq!(
        ask(InsightsRequest {
            kinds: vec!["api".into()],
            ..InsightsRequest::default()
        }),
        1
    );
    assert_eq!(
        ask(InsightsRequest {
            paths: vec!["a".into()],
            ..InsightsRequest::default()
        }),
        1
    );
    assert_eq!(
        ask(InsightsRequest {
            framework: Some("flask".into()),
            ..InsightsRequest::default()
        }),
        1
    );
    let odd = InsightsRequest {
        kinds: vec!["page".into()],
        ..InsightsRequest::default()
    };
    let refused = api::entry_points(&world.engine(), &odd, true, &mut |_| {}, NOW);
    assert!(
        matches!(
            refused,
            Err(EngineError::Invalid {
                code: "INVALID_KIND",
                ..
            })
        ),
        "{refused:?}"
    );
}

#[test]
fn ins_4_entry_points_follow_an_edit() {
    let world = World::new(
        "//- app.py\nfrom flask import Flask\napp = Flask(__name__)\n@app.get('/x')\ndef x(): pass\n",
    );
    assert_eq!(told(&world), ["GET /x"]);
    world.tree.write(
        "app.py",
        "from flask import Flask\napp = Flask(__name__)\n@app.post('/other')\ndef x(): pass\n",
    );
    assert_eq!(told(&world), ["POST /other"]);
}

/// A store, a project, and its accessors: function, operations, tables.
const STORES: &[(&str, &str, &[&str])] = &[
    (
        "sql in strings, with the entry point that leads there",
        SHOP,
        &["all read users"],
    ),
    (
        "sqlalchemy",
        "//- m.py\nclass User(db.Model):\n    __tablename__ = 'users'\n    email = Column()\ndef one(id): return User.query.get(id)\ndef add(s: Session, name):\n    user = User(name=name)\n    s.add(user)\n    s.commit()\ndef gone(session): session.execute(delete(User))\n",
        &["add write users", "gone write users", "one read users"],
    ),
    (
        "prisma and knex",
        "//- a.ts\nimport { PrismaClient } from '@prisma/client'\nconst prisma = new PrismaClient()\nexport const list = async () => prisma.post.findMany({})\n//- b.js\nconst knex = require('knex')\nasync function drop(id) { await knex('tags as t').where({ id }).del() }\n",
        &["drop write tags", "list read post"],
    ),
    (
        "typeorm",
        "//- a.ts\n@Entity('article')\nexport class ArticleEntity { title: string }\nexport class Service {\n  constructor(private readonly repo: Repository<ArticleEntity>) {}\n  async all() { return this.repo.find() }\n  async add(x) { await this.repo.save(x) }\n}\n",
        &["Service.add write article", "Service.all read article"],
    ),
    (
        "gorm",
        "//- m.go\npackage m\ntype UserModel struct {\n\tID uint `gorm:\"primary_key\"`\n}\nfunc Find(db *gorm.DB) (UserModel, error) {\n\tvar model UserModel\n\terr := db.Where(\"id = ?\", 1).First(&model).Error\n\treturn model, err\n}\n",
        &["Find read UserModel"],
    ),
    (
        "active record",
        "//- app/models/user.rb\nclass User < ApplicationRecord\n  has_many :posts\nend\n//- app/controllers/users_controller.rb\nclass UsersController\n  def show\n    @user = User.find(params[:id])\n  end\n  def add\n    current_user.posts.create(params)\n  end\nend\n",
        &[
            "UsersController.add write posts",
            "UsersController.show read users",
        ],
    ),
    (
        "entity framework and jpa",
        "//- Db.cs\npublic class Db : DbContext { public DbSet<Article> Articles { get; set; } }\npublic class H {\n  public async Task Go(Db db) {\n    var a = await db\n      .Articles.FirstAsync();\n    db.Articles.Remove(a);\n  }\n}\n//- R.java\n@Entity @Table(name = \"users\")\nclass User {}\ninterface UserRepository extends JpaRepository<User, Long> {}\nclass S {\n  private final UserRepository users;\n  User one(long id) { return users.findById(id).get(); }\n}\n",
        &["H.Go read, write Articles", "S.one read users"],
    ),
    (
        "redis in python: keys, prefixes, constants, pipelines; what is no client",
        "//- app.py\nimport redis\nfrom django.core.cache import cache\nr = redis.Redis()\nKEY = 'stats'\ndef one(id):\n    return r.get(f'session:{id}')\ndef two():\n    p = r.pipeline()\n    p.set(KEY, 1)\ndef three():\n    cache.set('report', 1)\ndef none(d, key):\n    d.get('x:y')\n    r.get(key)\n",
        &["one read session:*", "three write report", "two write stats"],
    ),
    (
        "redis in node, go and rust, storage of browsers",
        "//- a.ts\nimport { createClient } from 'redis'\nconst client = createClient()\nexport async function save(id: string) { await client.set(`cart:${id}`, 1) }\nexport function theme() { return localStorage.getItem('theme') }\n//- b.go\npackage b\nimport \"github.com/redis/go-redis/v9\"\ntype S struct { rdb *redis.Client }\nfunc load(rdb *redis.Client, id int) { rdb.Get(ctx, fmt.Sprintf(\"user:%d\", id)).Result() }\n//- c.rs\nfn push(con: &mut redis::Connection) { redis::cmd(\"LPUSH\").arg(\"jobs\").arg(1).query(con); }\n",
        &["load read user:*", "push write jobs", "save write cart:*"],
    ),
    (
        "caches of rails and laravel, redis of spring",
        "//- a.rb\nclass A\n  def top\n    Rails.cache.fetch(\"top/stories\") { 1 }\n  end\nend\n//- b.php\n<?php\nuse Illuminate\\Support\\Facades\\Cache;\nclass B {\n    public function drop() { Cache::forget('menu'); }\n}\n//- C.java\nclass C {\n  private final StringRedisTemplate redis;\n  String code() { return redis.opsForValue().get(\"code\"); }\n}\n",
        &[
            "A.top read, write top/stories",
            "B.drop write menu",
            "C.code read code",
        ],
    ),
    (
        "files of record: tables of values, documents that are written",
        "//- app.py\nimport json\ndef load():\n    return json.load(open('state.json'))\ndef save():\n    with open('state.json', 'w') as f:\n        f.write('x')\ndef settings():\n    return open('config.json')\ndef rows():\n    return pd.read_csv('data/prices.csv')\n",
        &[
            "load read state.json",
            "rows read prices.csv",
            "save write state.json",
        ],
    ),
];

/// A library and what it offers: module, name, place.
const LIBRARIES: &[(&str, &str, &[&str])] = &[
    (
        "python: __all__, names without it, packages below",
        "//- pyproject.toml\n[project]\nname = 'shop'\n//- src/shop/__init__.py\nfrom .carts import Cart as Cart, _hidden\nfrom .tools import *\nfrom os import path\n//- src/shop/carts.py\nclass Cart: pass\ndef _hidden(): pass\ndef inner(): pass\n//- src/shop/tools.py\n__all__ = ['hammer']\ndef hammer(): pass\ndef saw(): pass\n//- src/shop/extra/__init__.py\n__all__ = ['go']\ndef go(): pass\ndef stay(): pass\n//- tests/__init__.py\ndef helper(): pass\n",
        &[
            "shop Cart src/shop/carts.py:1",
            "shop hammer src/shop/tools.py:2",
            "shop.extra go src/shop/extra/__init__.py:2",
        ],
    ),
    (
        "python: a module that __init__ takes everything from uses what another defines",
        "//- pyproject.toml\n[project]\nname = 'net'\n//- net/__init__.py\nfrom ._api import *\nfrom ._client import *\n__all__ = ['Client', 'get']\n//- net/_api.py\nfrom ._client import Client\n__all__ = ['get']\ndef get(): pass\n//- net/_client.py\nimport os\nclass Client: pass\n",
        &["net Client net/_client.py:2", "net get net/_api.py:3"],
    ),
    (
        "scripts: subpaths, built files, what is handed on",
        "//- package.json\n{\"name\": \"kit\", \"exports\": {\".\": {\"import\": \"./dist/index.mjs\"}, \"./math\": \"./dist/math/index.js\"}}\n//- src/index.ts\nexport * from './a'\nexport { default as B, type T as U } from './b'\nimport { c } from './c'\nexport {\n  c,\n}\nexport const own = () => 1\nconst inner = 2\n//- src/a.ts\nexport function a() {}\nexport default 1\n//- src/b.ts\nexport default class B {}\nexport interface T {}\n//- src/c.ts\nexport function c() {}\nexport function deep() {}\n//- src/math/index.ts\nexport const sum = (a, b) => a + b\n",
        &[
            "kit B src/b.ts:1",
            "kit U src/b.ts:2",
            "kit a src/a.ts:1",
            "kit c src/c.ts:1",
            "kit own src/index.ts:7",
            "kit/math sum src/math/index.ts:1",
        ],
    ),
    (
        "scripts: module.exports",
        "//- package.json\n{\"name\": \"old\", \"main\": \"index.js\"}\n//- index.js\nfunction a() {}\nmodule.exports = { a, b: c }\nfunction c() {}\nmodule.exports.d = function () {}\n",
        &["old a index.js:1", "old b index.js:3", "old d index.js:4"],
    ),
    (
        "rust: public modules, names that are handed on",
        "//- Cargo.toml\n[package]\nname = \"my-lib\"\n//- src/lib.rs\nmod inner;\npub mod open;\npub use inner::{Thing, deep::{self, *}, make as build};\npub(crate) fn own() {}\npub fn top() {}\n#[doc(hidden)]\npub fn secret() {}\n//- src/inner.rs\npub mod deep;\npub struct Thing;\npub fn make() {}\npub fn lost() {}\n//- src/inner/deep.rs\npub trait Below {}\n//- src/open/mod.rs\npub enum Open { A }\nimpl Open { pub fn method() {} }\nmod tests { pub fn t() {} }\n",
        &[
            "my_lib Below src/inner/deep.rs:1",
            "my_lib Thing src/inner.rs:2",
            "my_lib build src/inner.rs:3",
            "my_lib top src/lib.rs:5",
            "my_lib::open Open src/open/mod.rs:1",
        ],
    ),
    (
        "go: packages that others may import",
        "//- go.mod\nmodule x.io/kit\n//- kit.go\npackage kit\nfunc New() {}\nfunc hidden() {}\ntype Kit struct{}\nfunc (k Kit) Do() {}\n//- sub/s.go\npackage sub\nfunc Sub() {}\n//- internal/i.go\npackage internal\nfunc No() {}\n//- cmd/kit/main.go\npackage main\nfunc main() {}\nfunc Neither() {}\n",
        &[
            "x.io/kit Kit kit.go:4",
            "x.io/kit New kit.go:2",
            "x.io/kit/sub Sub sub/s.go:2",
        ],
    ),
];

#[test]
fn ins_4_the_public_interface_of_libraries() {
    let mut wrong = Vec::new();
    for (what, files, expected) in LIBRARIES {
        let world = World::new(files);
        let asked = InsightsRequest {
            kinds: vec!["export".to_owned()],
            ..InsightsRequest::default()
        };
        let reply = entry_points(&world, &asked);
        let mut found: Vec<String> = reply
            .entry_points
            .iter()
            .map(|one| format!("{} {} {}:{}", one.path, one.name, one.file, one.line))
            .collect();
        found.sort();
        if found != *expected {
            wrong.push(format!("{what}\n  expected {expected:?}\n  found    {found:?}"));
        }
        // Without being asked for they are counted and not listed.
        let all = entry_points(&world, &InsightsRequest::default());
        assert_eq!(all.unlisted_exports, expected.len() as u64, "{what}");
        assert!(all.entry_points.iter().all(|one| one.kind != "export"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn ins_4_names_that_modules_hand_to_each_other_come_to_an_end() {
    let files = "//- package.json\n{\"name\": \"x\", \"main\": \"a.js\"}\n//- a.js\nexport * from './b'\nexport { y } from './b'\n//- b.js\nexport * from './a'\nexport * from './b'\nexport { y } from './a'\n//- Cargo.toml\n[package]\nname = \"r\"\n//- src/lib.rs\npub mod a;\npub use a::*;\npub use crate::y;\n//- src/a.rs\npub use super::*;\npub use crate::a::a;\n";
    let asked = InsightsRequest {
        kinds: vec!["export".to_owned()],
        ..InsightsRequest::default()
    };
    entry_points(&World::new(files), &asked);
}

#[test]
fn ins_4_routes_that_are_built_at_run_time_are_counted() {
    let cases: &[(&str, &[&str])] = &[
        (
            "//- app.py\nfrom flask import Flask\napp = Flask(__name__)\nNAMES = ['a', 'b', 'c']\nfor name in NAMES:\n    app.add_url_rule(f'/{name}', view_func=show)\ndef more(names):\n    for name in names:\n        app.add_url_rule('/x/' + name, view_func=show)\napp.add_url_rule('/fixed', view_func=show)\n",
            &[
                "3 flask routes are built at run time app.py:5",
                "an unknown number of flask routes is built at run time app.py:8",
            ],
        ),
        (
            "//- app.js\nconst express = require('express')\nconst app = express()\nfunction add(path) {\n  app.get(path, show)\n}\nadd(one());\nadd(two());\n['x', 'y'].forEach((page) => {\n  app.get(`/${page}`, show)\n})\napp.get(process.env.HOOK, show)\n",
            &[
                "1 express route is built at run time app.js:11",
                "2 express routes are built at run time app.js:4",
                "2 express routes are built at run time app.js:9",
            ],
        ),
    ];
    for (files, expected) in cases {
        let reply = entry_points(&World::new(files), &InsightsRequest::default());
        let mut found: Vec<String> = reply
            .hidden
            .iter()
            .map(|one| format!("{} {}:{}", one.what, one.at.path, one.at.line))
            .collect();
        found.sort();
        assert_eq!(found, *expected);
        assert!(
            reply.entry_points.iter().all(|one| one.path == "/fixed"),
            "{reply:?}"
        );
    }
}

#[test]
fn ins_5_accessors_of_each_store() {
    let mut wrong = Vec::new();
    for (what, files, expected) in STORES {
        let reply = data_access(&World::new(files), &InsightsRequest::default());
        let mut found: Vec<String> = reply
            .data_accessors
            .iter()
            .map(|one| {
                format!(
                    "{} {} {}",
                    one.function,
                    one.operations.join(", "),
                    one.tables.join(", ")
                )
            })
            .collect();
        found.sort();
        if found != *expected {
            wrong.push(format!("{what}\n  expected {expected:?}\n  found    {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn ins_5_names_that_stand_for_each_other_everywhere_are_bounded() {
    let one = |n: usize| {
        format!(
            "//- src/f{n}.rs\nfn f{n}(user: User) {{ let uuid = user.uuid; let name = user.name.uuid; db.query(x.uuid, y.name); }}\n"
        )
    };
    let files: String = (0..150).map(one).collect();
    assert!(
        data_access(&World::new(&files), &InsightsRequest::default())
            .data_accessors
            .is_empty()
    );
}

#[test]
fn ins_5_what_browsers_keep_is_listed_if_it_is_asked_for() {
    let world = World::new("//- a.ts\nexport function theme() { return localStorage.getItem('theme') }\n");
    assert!(
        data_access(&world, &InsightsRequest::default())
            .data_accessors
            .is_empty()
    );
    let asked = InsightsRequest {
        framework: Some("browser-storage".to_owned()),
        ..InsightsRequest::default()
    };
    let reply = data_access(&world, &asked);
    let [one] = reply.data_accessors.as_slice() else {
        panic!("{reply:?}")
    };
    assert_eq!(
        (one.function.as_str(), one.tables.as_slice()),
        ("theme", &["theme".to_owned()][..])
    );
}

#[test]
fn ins_5_the_way_from_an_entry_point_and_why_data_is_sensitive() {
    let reply = data_access(&World::new(SHOP), &InsightsRequest::default());
    let [one] = reply.data_accessors.as_slice() else {
        panic!("{reply:?}")
    };
    assert_eq!(one.entry_points, ["GET /users"]);
    assert!(one.sensitive);
    assert_eq!(one.reasons, ["personal data: the table users"]);
}
