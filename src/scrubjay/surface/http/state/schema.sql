-- What the server keeps beside the memories.
CREATE TABLE IF NOT EXISTS keys (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    secret_hash BLOB NOT NULL,
    grants TEXT NOT NULL,
    rate REAL NOT NULL,
    created_at TEXT NOT NULL,
    revoked_at TEXT
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS outcomes (
    name BLOB PRIMARY KEY, -- of the caller and their key, hashed
    fingerprint BLOB NOT NULL,
    status INTEGER NOT NULL, -- 0 while it is at work
    outcome TEXT NOT NULL, -- ids and counts, nothing that was told
    kept_at REAL NOT NULL
);

CREATE INDEX IF NOT EXISTS outcomes_by_age ON outcomes (kept_at);

CREATE TABLE IF NOT EXISTS tasks (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    bank TEXT NOT NULL,
    arguments TEXT NOT NULL,
    state TEXT NOT NULL,
    done INTEGER NOT NULL DEFAULT 0,
    total INTEGER NOT NULL DEFAULT 0,
    outcome TEXT,
    created_at TEXT NOT NULL
);
