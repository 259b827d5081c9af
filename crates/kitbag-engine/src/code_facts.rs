//! The facts of a project as the index has them, put together for `kitbag-analyse` (INS-4, INS-5). All facts of a tree are read when
//! somebody asks: that is quicker than updating the results after every edit.

use kitbag_analyse::code::SourceFacts;
use kitbag_analyse::entry_points::wants_text;
use kitbag_store::{Snapshot, StoreError};
use kitbag_types::RepoPath;

use crate::conventions::is_test;

/// Files with their facts by path, and the texts of schemas and manifests that name entry points.
pub(crate) struct CodeFacts {
    pub(crate) files: Vec<SourceFacts>,
    pub(crate) texts: Vec<(RepoPath, String)>,
}

pub(crate) fn read(snapshot: &Snapshot<'_>) -> Result<CodeFacts, StoreError> {
    let files = snapshot.facts()?.into_iter().map(|row| SourceFacts {
        is_test: is_test(&row.path),
        path: row.path,
        language: row.language,
        facts: row.facts,
    });
    let mut texts = Vec::new();
    for file in snapshot.files()? {
        if let Some(parse) = file
            .parse
            .filter(|_| wants_text(&file.path) && !is_test(&file.path))
        {
            texts.push((file.path, snapshot.parse_text(parse)?));
        }
    }
    Ok(CodeFacts {
        files: files.collect(),
        texts,
    })
}
