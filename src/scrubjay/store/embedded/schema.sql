-- One bank. Rows are the truth; indexes are derived.
-- Made from the migrations, where the reasons stand, by `python -m tests.store.schemas`.

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE sessions (
    id         INTEGER PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    started_at INTEGER NOT NULL,
    last_at    INTEGER NOT NULL,
    ended_at   INTEGER
);

CREATE TABLE units (
    row            INTEGER PRIMARY KEY AUTOINCREMENT,
    id             TEXT NOT NULL UNIQUE,
    type           INTEGER NOT NULL,
    told_at        INTEGER NOT NULL,
    created_at     INTEGER NOT NULL,
    occurred_start INTEGER,
    occurred_end   INTEGER,
    valid_from     INTEGER,
    valid_to       INTEGER,
    session        INTEGER REFERENCES sessions (id),
    tokens         INTEGER NOT NULL,
    length         INTEGER NOT NULL,
    identity       INTEGER NOT NULL,
    key            TEXT,
    speaker        TEXT,
    predicate      TEXT,
    context        TEXT,
    tags           TEXT,
    metadata       TEXT,
    document       TEXT,
    document_start INTEGER,
    document_end   INTEGER,
    supersedes     TEXT,
    superseded_by  TEXT,
    entities       BLOB,
    postings       BLOB NOT NULL,
    text           TEXT NOT NULL,
    closed_at INTEGER,
    digest INTEGER,
    author TEXT,
    origin TEXT
);
CREATE INDEX units_by_identity ON units (identity);
CREATE UNIQUE INDEX units_by_key ON units (key) WHERE key IS NOT NULL;
CREATE INDEX units_by_time ON units (occurred_start) WHERE occurred_start IS NOT NULL;
CREATE INDEX units_by_end ON units (valid_to) WHERE valid_to IS NOT NULL;
CREATE INDEX units_by_told_at ON units (told_at);
CREATE INDEX units_by_session ON units (session) WHERE session IS NOT NULL;
CREATE INDEX units_by_superseded ON units (supersedes) WHERE supersedes IS NOT NULL;
CREATE INDEX units_by_superseding ON units (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX units_by_author ON units (author) WHERE author IS NOT NULL;
CREATE INDEX units_by_origin ON units (origin) WHERE origin IS NOT NULL;

CREATE TABLE unit_tags (
    tag TEXT NOT NULL,
    row INTEGER NOT NULL,
    PRIMARY KEY (tag, row)
) WITHOUT ROWID;

CREATE TABLE vectors (
    row    INTEGER PRIMARY KEY,
    vector BLOB NOT NULL,
    late BLOB
);

CREATE TABLE vectors_next (
    row    INTEGER PRIMARY KEY,
    vector BLOB NOT NULL,
    late BLOB
);

CREATE TABLE terms (
    id   INTEGER PRIMARY KEY,
    term TEXT NOT NULL UNIQUE,
    holders INTEGER NOT NULL DEFAULT 8
);

CREATE TABLE links (
    row    INTEGER PRIMARY KEY,
    packed BLOB NOT NULL,
    updating INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX links_by_updating ON links (row) WHERE updating;

CREATE TABLE entities (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL,
    kind     TEXT NOT NULL,
    explicit INTEGER NOT NULL,
    mentions INTEGER NOT NULL
);

CREATE TABLE aliases (
    alias      TEXT NOT NULL,
    entity     INTEGER NOT NULL REFERENCES entities (id),
    confidence REAL NOT NULL,
    PRIMARY KEY (alias, entity)
) WITHOUT ROWID;
CREATE INDEX aliases_by_entity ON aliases (entity);
CREATE INDEX aliases_by_confidence ON aliases (alias, confidence DESC);

CREATE TABLE mentions (
    entity INTEGER NOT NULL,
    row    INTEGER NOT NULL,
    PRIMARY KEY (entity, row)
) WITHOUT ROWID;

CREATE TABLE erased (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    row INTEGER NOT NULL
);

CREATE TABLE "relations" (
    id         INTEGER PRIMARY KEY,
    subject    INTEGER NOT NULL REFERENCES entities (id),
    relation   TEXT NOT NULL,
    object     INTEGER NOT NULL REFERENCES entities (id),
    class      TEXT NOT NULL,
    confidence REAL NOT NULL,
    valid_from INTEGER,
    valid_to   INTEGER,
    row        INTEGER,
    told       INTEGER NOT NULL
);
CREATE UNIQUE INDEX relations_once ON relations (subject, relation, object, COALESCE(row, 0));
CREATE INDEX relations_by_subject ON relations (subject, told);
CREATE INDEX relations_by_object ON relations (object, told);
CREATE INDEX relations_by_row ON relations (row) WHERE row IS NOT NULL;

CREATE TABLE judgements (
    asked_at INTEGER NOT NULL,
    question TEXT NOT NULL,
    unit     TEXT NOT NULL,
    missed   INTEGER NOT NULL,
    PRIMARY KEY (asked_at, question, unit)
) WITHOUT ROWID;
CREATE INDEX judgements_by_unit ON judgements (unit);

CREATE TABLE pending (
    id         TEXT PRIMARY KEY,
    identity   INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    unit       TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX pending_by_identity ON pending (identity);
