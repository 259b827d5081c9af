//! `kitbag languages`: the table of languages.

use kitbag_engine::api;

use crate::cli::answer::Answer;
use crate::cli::context::Context;
use kitbag_door::printer::{Align, Style, Table};

pub(crate) fn run(context: &Context) -> Answer {
    let reply = api::languages();
    Answer::new(context, &reply, |page| {
        let mut table = Table::new(&[(Align::Left, Some(Style::Label)), (Align::Left, None)]);
        for language in &reply {
            let extensions = language
                .extensions
                .iter()
                .map(|extension| format!(".{extension}"));
            let names = language.filenames.iter().map(|name| (*name).to_owned());
            table.row(&[
                language.name,
                &extensions.chain(names).collect::<Vec<_>>().join(" "),
            ]);
        }
        table.print(page);
    })
}
