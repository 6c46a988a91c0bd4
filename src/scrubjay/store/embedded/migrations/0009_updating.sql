-- Whether any of a unit's edges says that it updates another unit, or another updates it: a recall
-- asks that of all it shows, and most have none. Of an edge, 7 bytes, the fifth is the kind.
ALTER TABLE links ADD COLUMN updating INTEGER NOT NULL DEFAULT 0;
WITH RECURSIVE kinds (place) AS (
    SELECT 5 UNION ALL SELECT place + 7 FROM kinds WHERE place < (SELECT MAX(LENGTH(packed)) FROM links)
)
UPDATE links SET updating = 1 WHERE EXISTS (
    SELECT 1 FROM kinds WHERE place <= LENGTH(packed)
    AND SUBSTR(packed, place, 1) IN (x'06', x'07', x'86', x'87')
);
CREATE INDEX links_by_updating ON links (row) WHERE updating;
