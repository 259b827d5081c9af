//! Jobs and handlers of events: what a queue, a schedule or a bus runs. Rows say which decorator, base class, included module or call makes
//! one; the few that also say a topic or a schedule have it in their first text.

use kitbag_types::{Fact, FactKind, Value};

use super::handlers::{definition, handler_of, name_of};
use super::{EntryKind, EntryPoints, entry};
use crate::code::{At, Code, keyword, last_name, positional, words};

/// How something becomes a job or a handler.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// A decorator, annotation or attribute of a function or class.
    Mark,
    /// A base class or interface.
    Base,
    /// A call in the body of a class: `include Sidekiq::Job`, `use Oban.Worker`.
    Include,
    /// A call that is handed the handler: `consumer.on("x", handle)`.
    Call,
}

struct Row {
    framework: &'static str,
    languages: &'static [&'static str],
    kind: EntryKind,
    by: By,
    names: &'static [&'static str],
    /// The receiver of a mark or call must contain one of these words, lower case; empty: any or none.
    receivers: &'static [&'static str],
    /// A module that the project must import; empty: none.
    modules: &'static [&'static str],
}

const PYTHON: &[&str] = &["python"];
const JVM: &[&str] = &["java", "kotlin"];
const SCRIPTS: &[&str] = &["javascript", "typescript", "tsx"];
const RUBY: &[&str] = &["ruby"];
const CSHARP: &[&str] = &["csharp"];

#[rustfmt::skip]
const ROWS: &[Row] = &[
    Row { framework: "celery", languages: PYTHON, kind: EntryKind::Job, by: By::Mark, names: &["task", "shared_task", "periodic_task"], receivers: &[], modules: &["celery"] },
    Row { framework: "dramatiq", languages: PYTHON, kind: EntryKind::Job, by: By::Mark, names: &["actor"], receivers: &[], modules: &["dramatiq"] },
    Row { framework: "rq", languages: PYTHON, kind: EntryKind::Job, by: By::Mark, names: &["job"], receivers: &[], modules: &["rq", "django_rq"] },
    Row { framework: "huey", languages: PYTHON, kind: EntryKind::Job, by: By::Mark, names: &["task", "periodic_task", "db_task", "db_periodic_task"], receivers: &[], modules: &["huey"] },
    Row { framework: "apscheduler", languages: PYTHON, kind: EntryKind::Job, by: By::Mark, names: &["scheduled_job"], receivers: &[], modules: &["apscheduler"] },
    Row { framework: "django", languages: PYTHON, kind: EntryKind::Event, by: By::Mark, names: &["receiver"], receivers: &[], modules: &["django"] },
    Row { framework: "fastapi", languages: PYTHON, kind: EntryKind::Event, by: By::Mark, names: &["on_event"], receivers: &[], modules: &["fastapi"] },
    Row { framework: "faust", languages: PYTHON, kind: EntryKind::Event, by: By::Mark, names: &["agent"], receivers: &["app"], modules: &["faust"] },
    Row { framework: "spring", languages: JVM, kind: EntryKind::Job, by: By::Mark, names: &["Scheduled"], receivers: &[], modules: &[] },
    Row { framework: "spring-kafka", languages: JVM, kind: EntryKind::Event, by: By::Mark, names: &["KafkaListener", "RetryableTopic", "DltHandler", "KafkaHandler"], receivers: &[], modules: &[] },
    Row { framework: "rabbitmq", languages: JVM, kind: EntryKind::Event, by: By::Mark, names: &["RabbitListener", "RabbitHandler"], receivers: &[], modules: &[] },
    Row { framework: "jms", languages: JVM, kind: EntryKind::Event, by: By::Mark, names: &["JmsListener"], receivers: &[], modules: &[] },
    Row { framework: "sqs", languages: JVM, kind: EntryKind::Event, by: By::Mark, names: &["SqsListener"], receivers: &[], modules: &[] },
    Row { framework: "spring", languages: JVM, kind: EntryKind::Event, by: By::Mark, names: &["EventListener", "TransactionalEventListener", "ApplicationModuleListener", "StreamListener"], receivers: &[], modules: &[] },
    Row { framework: "micronaut", languages: JVM, kind: EntryKind::Event, by: By::Mark, names: &["Topic"], receivers: &[], modules: &["io.micronaut"] },
    Row { framework: "quarkus", languages: JVM, kind: EntryKind::Event, by: By::Mark, names: &["Incoming"], receivers: &[], modules: &[] },
    Row { framework: "quartz", languages: JVM, kind: EntryKind::Job, by: By::Base, names: &["Job", "QuartzJobBean", "InterruptableJob"], receivers: &[], modules: &["org.quartz", "org.springframework.scheduling.quartz"] },
    Row { framework: "nestjs", languages: SCRIPTS, kind: EntryKind::Job, by: By::Mark, names: &["Cron", "Interval", "Timeout"], receivers: &[], modules: &["@nestjs/schedule"] },
    Row { framework: "bullmq", languages: SCRIPTS, kind: EntryKind::Job, by: By::Mark, names: &["Process", "Processor"], receivers: &[], modules: &["@nestjs/bull", "@nestjs/bullmq"] },
    Row { framework: "nestjs", languages: SCRIPTS, kind: EntryKind::Event, by: By::Mark, names: &["EventPattern", "MessagePattern", "OnEvent", "SubscribeMessage", "EventsHandler", "RabbitSubscribe"], receivers: &[], modules: &["@nestjs", "@golevelup"] },
    Row { framework: "bullmq", languages: SCRIPTS, kind: EntryKind::Job, by: By::Call, names: &["Worker"], receivers: &[], modules: &["bullmq"] },
    Row { framework: "bull", languages: SCRIPTS, kind: EntryKind::Job, by: By::Call, names: &["process"], receivers: &["queue"], modules: &["bull", "bee-queue"] },
    Row { framework: "node-cron", languages: SCRIPTS, kind: EntryKind::Job, by: By::Call, names: &["schedule", "scheduleJob"], receivers: &["cron", "schedule"], modules: &["node-cron", "node-schedule"] },
    Row { framework: "cron", languages: SCRIPTS, kind: EntryKind::Job, by: By::Call, names: &["CronJob"], receivers: &[], modules: &["cron"] },
    Row { framework: "kafkajs", languages: SCRIPTS, kind: EntryKind::Event, by: By::Call, names: &["subscribe"], receivers: &["consumer"], modules: &["kafkajs"] },
    Row { framework: "rabbitmq", languages: SCRIPTS, kind: EntryKind::Event, by: By::Call, names: &["consume"], receivers: &["channel", "ch"], modules: &["amqplib"] },
    Row { framework: "inngest", languages: SCRIPTS, kind: EntryKind::Job, by: By::Call, names: &["createFunction"], receivers: &["inngest"], modules: &["inngest"] },
    Row { framework: "trigger.dev", languages: SCRIPTS, kind: EntryKind::Job, by: By::Call, names: &["task", "schemaTask", "schedules.task"], receivers: &[], modules: &["@trigger.dev/sdk"] },
    Row { framework: "sidekiq", languages: RUBY, kind: EntryKind::Job, by: By::Include, names: &["Sidekiq::Worker", "Sidekiq::Job", "Sidekiq::IterableJob"], receivers: &[], modules: &[] },
    Row { framework: "activejob", languages: RUBY, kind: EntryKind::Job, by: By::Base, names: &["ApplicationJob", "ActiveJob::Base"], receivers: &[], modules: &[] },
    Row { framework: "shoryuken", languages: RUBY, kind: EntryKind::Event, by: By::Include, names: &["Shoryuken::Worker"], receivers: &[], modules: &[] },
    Row { framework: "karafka", languages: RUBY, kind: EntryKind::Event, by: By::Base, names: &["ApplicationConsumer", "Karafka::BaseConsumer"], receivers: &[], modules: &[] },
    Row { framework: "oban", languages: &["elixir"], kind: EntryKind::Job, by: By::Include, names: &["Oban.Worker", "Oban.Pro.Worker", "Oban.Pro.Workers.Workflow"], receivers: &[], modules: &[] },
    Row { framework: "broadway", languages: &["elixir"], kind: EntryKind::Event, by: By::Include, names: &["Broadway"], receivers: &[], modules: &[] },
    Row { framework: "laravel", languages: &["php"], kind: EntryKind::Job, by: By::Base, names: &["ShouldQueue"], receivers: &[], modules: &[] },
    Row { framework: "symfony", languages: &["php"], kind: EntryKind::Event, by: By::Mark, names: &["AsMessageHandler", "AsEventListener"], receivers: &[], modules: &[] },
    Row { framework: "symfony", languages: &["php"], kind: EntryKind::Job, by: By::Mark, names: &["AsCronTask", "AsPeriodicTask"], receivers: &[], modules: &[] },
    Row { framework: "quartz.net", languages: CSHARP, kind: EntryKind::Job, by: By::Base, names: &["IJob"], receivers: &[], modules: &["Quartz"] },
    Row { framework: "dotnet", languages: CSHARP, kind: EntryKind::Job, by: By::Base, names: &["BackgroundService", "IHostedService"], receivers: &[], modules: &[] },
    Row { framework: "hangfire", languages: CSHARP, kind: EntryKind::Job, by: By::Call, names: &["AddOrUpdate"], receivers: &["recurringjob"], modules: &["Hangfire"] },
    Row { framework: "masstransit", languages: CSHARP, kind: EntryKind::Event, by: By::Base, names: &["IConsumer"], receivers: &[], modules: &["MassTransit"] },
    Row { framework: "azure-functions", languages: CSHARP, kind: EntryKind::Job, by: By::Mark, names: &["Function", "FunctionName"], receivers: &[], modules: &["Microsoft.Azure"] },
    Row { framework: "cron", languages: &["go"], kind: EntryKind::Job, by: By::Call, names: &["AddFunc", "AddJob"], receivers: &[], modules: &["github.com/robfig/cron"] },
    Row { framework: "asynq", languages: &["go"], kind: EntryKind::Job, by: By::Call, names: &["HandleFunc"], receivers: &[], modules: &["github.com/hibiken/asynq"] },
];

pub(super) fn find(code: &Code<'_>, found: &mut EntryPoints) {
    for row in ROWS {
        let used = row.modules.is_empty() || uses(code, row);
        if !used {
            continue;
        }
        match row.by {
            By::Mark => marks(code, row, found),
            By::Base => bases(code, row, found),
            By::Include => includes(code, row, found),
            By::Call => calls(code, row, found),
        }
    }
}

fn is_ours(code: &Code<'_>, at: At, row: &Row) -> bool {
    let source = code.source(at);
    !source.is_test && row.languages.contains(&source.language.as_str())
}

fn uses(code: &Code<'_>, row: &Row) -> bool {
    let is_it = |module: &str| super::prefixes::is_module(module, row.modules);
    code.files.iter().any(|source| {
        row.languages.contains(&source.language.as_str())
            && source.facts.iter().any(|fact| match fact.kind {
                FactKind::Import => is_it(&fact.annotation),
                FactKind::Call if fact.name == "require" => {
                    matches!(fact.arguments.first(), Some(Value::Text(module)) if is_it(module))
                }
                _ => false,
            })
    })
}

fn fits_receiver(fact: &Fact, row: &Row) -> bool {
    if row.receivers.is_empty() {
        return true;
    }
    matches!(&fact.receiver, Some(Value::Name(name))
        if row.receivers.iter().any(|word| last_name(name).to_lowercase().contains(word)))
}

fn marks(code: &Code<'_>, row: &Row, found: &mut EntryPoints) {
    for at in code.all(FactKind::Mark) {
        let fact = code.fact(at);
        let name = last_name(&fact.name);
        let name = name.strip_suffix("Attribute").unwrap_or(name);
        if !row.names.contains(&name) || !is_ours(code, at, row) || !fits_receiver(fact, row) {
            continue;
        }
        let Some(target) = code.parent(at) else { continue };
        if !matches!(code.fact(target).kind, FactKind::Function | FactKind::Type) {
            continue;
        }
        let mut one = entry(code, target, row.kind, row.framework);
        one.name = last_name(&name_of(code, target)).to_owned();
        one.route = topic(code, at);
        one.handler = handler_of(code, target);
        found.list.push(one);
    }
}

/// The topic, queue or schedule that a mark or call says.
fn topic(code: &Code<'_>, at: At) -> String {
    let arguments = &code.fact(at).arguments;
    let keys = [
        "topics",
        "topic",
        "queues",
        "queue",
        "cron",
        "fixedRate",
        "fixedDelay",
        "destination",
        "value",
        "pattern",
    ];
    let said = keys.iter().find_map(|key| keyword(arguments, key));
    let said = said
        .or_else(|| positional(arguments, 0))
        .map(|value| match value {
            Value::Text(_) | Value::Joined(_) => code.text(at, value).into_iter().collect(),
            value => words(value),
        });
    said.unwrap_or_default().join(", ")
}

fn bases(code: &Code<'_>, row: &Row, found: &mut EntryPoints) {
    for at in code.all(FactKind::Type).filter(|at| is_ours(code, *at, row)) {
        let fact = code.fact(at);
        let inherits = fact.arguments.iter().any(|base| match base {
            Value::Name(name) => {
                let bare = name
                    .split(['<', '('])
                    .next()
                    .unwrap_or(name)
                    .trim_start_matches("::");
                row.names.contains(&bare)
                    || !row.languages.contains(&"ruby") && row.names.contains(&last_name(bare))
            }
            _ => false,
        });
        // A base of the project's own jobs is none itself.
        if !inherits
            || row.names.contains(&fact.name.as_str())
            || fact.words.contains("abstract")
            || fact.words.contains("interface")
        {
            continue;
        }
        let mut one = entry(code, at, row.kind, row.framework);
        one.name = last_name(&fact.name).to_owned();
        let runs = [
            "perform",
            "execute",
            "handle",
            "Execute",
            "ExecuteAsync",
            "Consume",
            "consume",
            "executeInternal",
        ];
        let run = code
            .methods_of(at)
            .into_iter()
            .find(|method| runs.contains(&code.fact(*method).name.as_str()));
        one.handler = handler_of(code, run.unwrap_or(at));
        found.list.push(one);
    }
}

fn includes(code: &Code<'_>, row: &Row, found: &mut EntryPoints) {
    for word in ["include", "use"] {
        for at in code
            .calls_named(word)
            .iter()
            .filter(|at| is_ours(code, **at, row))
        {
            let fact = code.fact(*at);
            let is_it = matches!(fact.arguments.first(), Some(Value::Name(name)) if row.names.contains(&name.trim_start_matches("::")));
            let Some(class) = code
                .holder(*at, FactKind::Type)
                .filter(|_| is_it && fact.receiver.is_none())
            else {
                continue;
            };
            let mut one = entry(code, class, row.kind, row.framework);
            one.name = last_name(&code.fact(class).name).to_owned();
            let facts = code.source(*at).facts.iter().enumerate();
            let mut runs = facts.filter(|(idx, fact)| {
                let inner = At {
                    file: at.file,
                    fact: *idx,
                };
                fact.kind == FactKind::Function
                    && matches!(fact.name.as_str(), "perform" | "handle_message" | "process")
                    && code.ancestors(inner).any(|above| above == class)
            });
            let run = runs.next().map(|(idx, _)| At {
                file: at.file,
                fact: idx,
            });
            one.handler = handler_of(code, run.unwrap_or(class));
            if let Some(queue) = keyword(&fact.arguments, "queue") {
                one.route = words(queue).join(", ");
            }
            found.list.push(one);
        }
    }
}

fn calls(code: &Code<'_>, row: &Row, found: &mut EntryPoints) {
    for name in row.names {
        for at in code
            .calls_named(name)
            .iter()
            .filter(|at| is_ours(code, **at, row))
        {
            let fact = code.fact(*at);
            if !fits_receiver(fact, row) {
                continue;
            }
            let handled = fact
                .arguments
                .iter()
                .rev()
                .find(|value| matches!(value, Value::Fact(_) | Value::Name(_)));
            let mut one = entry(code, *at, row.kind, row.framework);
            one.route = topic(code, *at);
            one.handler = handled
                .and_then(|value| definition(code, *at, value))
                .and_then(|at| handler_of(code, at));
            let own = one
                .handler
                .as_ref()
                .map(|handler| handler.name.clone())
                .filter(|name| !name.is_empty());
            one.name = own.unwrap_or_else(|| one.route.clone());
            found.list.push(one);
        }
    }
}
