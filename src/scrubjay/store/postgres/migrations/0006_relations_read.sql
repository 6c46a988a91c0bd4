-- A relation is kept once for each unit that says it, and goes with that unit; one that nobody's
-- unit says (row NULL) was told by itself. `told` is false for what was read from a text by rule,
-- which is read anew when the text changes. The indexes give an entity's newest, told ones first.
ALTER TABLE relations ADD COLUMN told BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE relations DROP CONSTRAINT relations_bank_id_subject_relation_object_key;
ALTER TABLE relations ADD CONSTRAINT relations_once
    UNIQUE NULLS NOT DISTINCT (bank_id, subject, relation, object, row);
DROP INDEX relations_by_object;
CREATE INDEX relations_by_subject ON relations (bank_id, subject, told, id);
CREATE INDEX relations_by_object ON relations (bank_id, object, told, id);
