//! How often what is remembered has changed, so that an answer that used it can be told from a new one without reading it all
//! (ENG-60). Counted by the database itself, whichever process writes.
//!
//! That a memory was told, that a citation was checked and that a place was served are no changes: they happen with every answer.

use rusqlite::OptionalExtension as _;

use super::Journal;
use crate::StoreError;

/// Counters of all projects of a store: another worktree's memory makes an answer be made again, which does no harm.
pub(super) const TABLES: &str = "
    CREATE TABLE changes (subject TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    INSERT INTO changes (subject, n) VALUES ('memory', 0), ('threads', 0);
    CREATE TRIGGER memory_added AFTER INSERT ON memories
        BEGIN UPDATE changes SET n = n + 1 WHERE subject = 'memory'; END;
    CREATE TRIGGER memory_changed AFTER UPDATE OF kind, content, files, tags, confidence, archived, private ON memories
        BEGIN UPDATE changes SET n = n + 1 WHERE subject = 'memory'; END;
    CREATE TRIGGER memory_forgotten AFTER DELETE ON memories
        BEGIN UPDATE changes SET n = n + 1 WHERE subject = 'memory'; END;
    CREATE TRIGGER feedback_given AFTER INSERT ON feedback
        BEGIN UPDATE changes SET n = n + 1 WHERE subject = 'memory'; END;
    CREATE TRIGGER feedback_changed AFTER UPDATE ON feedback
        BEGIN UPDATE changes SET n = n + 1 WHERE subject = 'memory'; END;
    CREATE TRIGGER feedback_undone AFTER DELETE ON feedback
        BEGIN UPDATE changes SET n = n + 1 WHERE subject = 'memory'; END;
    CREATE TRIGGER text_added AFTER INSERT ON added_texts
        BEGIN UPDATE changes SET n = n + 1 WHERE subject = 'memory'; END;
    CREATE TRIGGER text_changed AFTER UPDATE ON added_texts
        BEGIN UPDATE changes SET n = n + 1 WHERE subject = 'memory'; END;
    CREATE TRIGGER text_dropped AFTER DELETE ON added_texts
        BEGIN UPDATE changes SET n = n + 1 WHERE subject = 'memory'; END;
    CREATE TRIGGER message_added AFTER INSERT ON thread_messages
        BEGIN UPDATE changes SET n = n + 1 WHERE subject = 'threads'; END;
    CREATE TRIGGER message_dropped AFTER DELETE ON thread_messages
        BEGIN UPDATE changes SET n = n + 1 WHERE subject = 'threads'; END;
    CREATE TRIGGER place_added AFTER INSERT ON thread_places WHEN NEW.kind <> 'served'
        BEGIN UPDATE changes SET n = n + 1 WHERE subject = 'threads'; END;
    CREATE TRIGGER place_changed AFTER UPDATE ON thread_places WHEN NEW.kind <> 'served'
        BEGIN UPDATE changes SET n = n + 1 WHERE subject = 'threads'; END;
    CREATE TRIGGER thread_deleted AFTER DELETE ON threads
        BEGIN UPDATE changes SET n = n + 1 WHERE subject = 'threads'; END;
";

/// Two numbers that differ mean that something changed between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JournalChanges {
    /// Memories, feedback and texts that were added.
    pub memory: i64,
    pub threads: i64,
}

impl Journal {
    pub fn changes(&self) -> Result<JournalChanges, StoreError> {
        let number = |subject: &str| {
            self.conn
                .prepare_cached("SELECT n FROM changes WHERE subject = ?1")?
                .query_row([subject], |row| row.get::<_, i64>(0))
                .optional()
        };
        let read = || -> rusqlite::Result<JournalChanges> {
            Ok(JournalChanges {
                memory: number("memory")?.unwrap_or_default(),
                threads: number("threads")?.unwrap_or_default(),
            })
        };
        read().map_err(|error| self.fail(error))
    }
}
