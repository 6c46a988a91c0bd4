-- A window asks for what had begun by its end and lasted to its start. The old index knew only
-- the beginnings, and every unit dated before the window's end was fetched to see when it ended.
CREATE INDEX units_by_span ON units (bank_id, (GREATEST(occurred_start, occurred_end)), occurred_start)
    WHERE occurred_start IS NOT NULL;
DROP INDEX units_by_time;
