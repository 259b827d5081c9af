//! An answer: what goes to standard output, what goes to standard error, and the exit code.

use std::time::Duration;

use kitbag_engine::Delivery;
use serde::Serialize;

use super::context::{Context, Looks};
use kitbag_door::failure::Exit;
use kitbag_door::printer::{Page, Style, json, seconds};

#[derive(Debug)]
pub(crate) struct Answer {
    /// For standard output: all of it, or nothing.
    pub(crate) text: String,
    /// For standard error.
    pub(crate) talk: String,
    pub(crate) exit: Exit,
    /// What it shows to a session; recorded once the answer was written.
    pub(crate) delivery: Option<Delivery>,
}

impl Answer {
    pub(crate) fn text(text: String) -> Answer {
        Answer {
            text,
            talk: String::new(),
            exit: Exit::Fine,
            delivery: None,
        }
    }

    /// A reply in the form that was asked for: JSON, or the page that `render` makes.
    pub(crate) fn new(context: &Context, reply: &impl Serialize, render: impl FnOnce(&mut Page)) -> Answer {
        if context.looks.json {
            return Answer::text(json(reply, context.looks.stdout_is_terminal));
        }
        let mut page = context.looks.page();
        render(&mut page);
        Answer::text(page.into_text())
    }

    /// A reply whose text is Kitbag's own, line breaks and all (a script, a file), and needs no page.
    pub(crate) fn own<T: Serialize>(context: &Context, reply: &T, text: fn(&T) -> &str) -> Answer {
        if context.looks.json {
            return Answer::text(json(reply, context.looks.stdout_is_terminal));
        }
        Answer::text(text(reply).to_owned())
    }

    pub(crate) fn exit(mut self, exit: Exit) -> Answer {
        self.exit = exit;
        self
    }

    /// Adds warnings: lines on standard error for people; in JSON they are part of the reply.
    pub(crate) fn warn(mut self, context: &Context, warnings: &[String]) -> Answer {
        if context.looks.json || context.everywhere.quiet {
            return self;
        }
        let mut page = Page::new(context.looks.stderr_colour);
        for warning in warnings {
            page.styled(Style::Warning, "warning:").put(" ").line(warning);
        }
        self.talk.push_str(&page.into_text());
        self
    }

    /// The last line of `--verbose`.
    pub(crate) fn took(mut self, looks: &Looks, elapsed: Duration) -> Answer {
        let mut page = Page::new(looks.stderr_colour);
        page.styled(Style::Quiet, "took:")
            .line(&format!(" {}", seconds(elapsed)));
        self.talk.push_str(&page.into_text());
        self
    }

    /// A remark for people, such as why there is nothing to see.
    pub(crate) fn remark(mut self, context: &Context, remark: &str) -> Answer {
        if !context.looks.json && !context.everywhere.quiet {
            let mut page = Page::new(context.looks.stderr_colour);
            page.line(remark);
            self.talk.push_str(&page.into_text());
        }
        self
    }
}
