//! The statements that both databases have. Their texts are in `sqlite/statement.rs` and
//! `postgres/statement.rs`; they take the same parameters, after the tenant and persona that PostgreSQL
//! gets first, and give the same columns.

/// One statement in the words of each database.
#[derive(Clone, Copy)]
pub(crate) struct Statement {
    pub(crate) sqlite: &'static str,
    pub(crate) postgres: &'static str,
}

macro_rules! statements {
    ($(#[$doc:meta])* $module:ident ($sqlite:ident) { $($name:ident)+ }) => {
        $(#[$doc])*
        pub(crate) mod $module {
            use super::Statement;
            use crate::postgres::statement::$module as postgres;
            use crate::sqlite::statement::$sqlite as sqlite;

            $(pub(crate) const $name: Statement =
                Statement { sqlite: sqlite::$name, postgres: postgres::$name };)+

            #[cfg(test)]
            pub(crate) const ALL: &[(&str, Statement)] = &[$((stringify!($name), $name),)+];
        }
    };
}

statements! {
    /// The private parts of logged events.
    common (common) {
        PARTS_OF_KEY RESEAL_PART DROP_PARTS_OF_KEY KEYS_OF_PARTS_ABOUT DROP_PARTS_ABOUT
    }
}

statements! {
    /// The records of a persona.
    records (records) {
        ATOMS ATOM ATOM_STATE LINEAGE UPDATE_ATOM UPDATE_DECAY UPDATE_PAYLOAD ATOM_KEY DELETE_ATOM
        ATOMS_OF_KEY TOUCH_ATOMS_OF_KEY PAYLOADS_OF_KEY RESEAL_PAYLOAD

        ATOM_VECTORS ENTRY_VECTORS DELETE_ATOM_VECTORS DELETE_ENTRY_VECTORS ATOM_VECTORS_OF_KEY
        ENTRY_VECTORS_OF_KEY RESEAL_ATOM_VECTORS RESEAL_ENTRY_VECTORS

        PUT_REHEARSALS TRIM_REHEARSALS REHEARSALS

        PUT_ENTRY ENTRIES ENTRY_STATE ENTRY_WORDS UPDATE_ENTRY_WORDS SUPERSEDE_ENTRY TOUCH_ENTRY
        DELETE_ENTRY TIMELINE_HEAD NUMBER_TAKEN ENTRIES_OF_KEY RESEAL_ENTRY

        PUT_TOMBSTONE TOMBSTONES HAS_TOMBSTONE EXPIRE_TOMBSTONES PUT_REMOVED REMOVED_SINCE
        LAST_EXPIRING_REMOVAL EXPIRE_REMOVED ATOMS_SINCE ENTRIES_SINCE

        PUT_SESSION UPDATE_SESSION SESSIONS SESSION DELETE_SESSION SESSIONS_OF_KEY RESEAL_SESSION
        DELETE_SESSIONS_OF_KEY KEYS_OF_SESSION SESSION_LENGTH

        PUT_TURN TURNS UNFORMED_TURNS TURN TURN_PAYLOAD TURN_KEY TURN_STATE MARK_TURN_STATE
        MARK_TURN_FORMATION DELETE_TURN TURNS_OF_KEY RESEAL_TURN DELETE_TURNS_OF_KEY

        PUT_TRACE PUT_TRACE_MEMORIES TRACE TRACES TRACE_MEMORIES ALL_TRACE_MEMORIES TRACES_SHOWING
        EXPIRE_TRACES DELETE_TRACE DELETE_TRACES_OF_KEY TRACES_OF_KEY RESEAL_TRACE

        PUT_DOCUMENT DOCUMENT DOCUMENT_NAMES DELETE_DOCUMENT DELETE_DOCUMENTS_OF_KEY DOCUMENTS_OF_KEY
        RESEAL_DOCUMENT

        PUT_REQUEST REQUEST REQUESTS EXPIRE_REQUESTS
    }
}

statements! {
    /// The deployment's records of one tenant; both databases get the tenant first.
    tenant (deployment) {
        PUT_JOB JOB LOCK_JOB JOBS DELETE_JOB
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The highest number of a parameter in a statement, written `?1` or `$1`.
    fn parameters(statement: &str, sign: char) -> u32 {
        let numbers = statement.split(sign).skip(1).map(|rest| {
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().unwrap_or(0)
        });
        numbers.max().unwrap_or(0)
    }

    #[test]
    fn both_databases_take_the_same_parameters() {
        for (statements, only_postgres) in [(common::ALL, 2), (records::ALL, 2), (tenant::ALL, 0)] {
            for (name, statement) in statements {
                let sqlite = parameters(statement.sqlite, '?');
                assert_eq!(parameters(statement.postgres, '$'), sqlite + only_postgres, "{name}");
            }
        }
    }
}
