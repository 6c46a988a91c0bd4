-- A relation is kept once for each unit that says it, and goes with that unit; one that nobody's
-- unit says (row NULL) was told by itself. `told` is 0 for what was read from a text by rule, which
-- is read anew when the text changes. The indexes give an entity's newest, told ones first.
CREATE TABLE relations_of_units (
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
INSERT INTO relations_of_units
SELECT id, subject, relation, object, class, confidence, valid_from, valid_to, row, 1 FROM relations;
DROP TABLE relations;
ALTER TABLE relations_of_units RENAME TO relations;
CREATE UNIQUE INDEX relations_once ON relations (subject, relation, object, COALESCE(row, 0));
CREATE INDEX relations_by_subject ON relations (subject, told);
CREATE INDEX relations_by_object ON relations (object, told);
CREATE INDEX relations_by_row ON relations (row) WHERE row IS NOT NULL;
