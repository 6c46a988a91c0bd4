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

CREATE TABLE IF NOT EXISTS replies (
    caller TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    status INTEGER NOT NULL, -- 0 while it is at work
    body BLOB NOT NULL,
    kept_at REAL NOT NULL,
    PRIMARY KEY (caller, idempotency_key)
);

CREATE INDEX IF NOT EXISTS replies_by_age ON replies (kept_at);

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
