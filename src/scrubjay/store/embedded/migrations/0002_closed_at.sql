-- When the end of a unit was told, which may be long after the unit was: NULL means with the unit.
-- What was superseded before this was known: its successor's telling is the best guess.
ALTER TABLE units ADD COLUMN closed_at INTEGER;
CREATE INDEX units_by_superseded ON units (supersedes) WHERE supersedes IS NOT NULL;
CREATE INDEX units_by_superseding ON units (superseded_by) WHERE superseded_by IS NOT NULL;
UPDATE units SET closed_at = (
    SELECT MAX(n.told_at, units.told_at) FROM units AS n WHERE n.id = units.superseded_by
) WHERE superseded_by IS NOT NULL;
