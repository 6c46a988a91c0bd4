-- Who told a unit, and from where; few say so.
ALTER TABLE units ADD COLUMN author TEXT;
ALTER TABLE units ADD COLUMN origin TEXT;
CREATE INDEX units_by_author ON units (author) WHERE author IS NOT NULL;
CREATE INDEX units_by_origin ON units (origin) WHERE origin IS NOT NULL;

-- Units that wait to be approved, as they were told. They are in no other table and no index, so
-- that nothing finds, counts, names or links them. Ids ascend in the order of telling.
CREATE TABLE pending (
    id         TEXT PRIMARY KEY,
    identity   INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    unit       TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX pending_by_identity ON pending (identity);
