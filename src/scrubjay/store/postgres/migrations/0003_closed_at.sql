-- When the end of a unit was told, which may be long after the unit was: NULL means with the unit.
-- What was superseded before this was known: its successor's telling is the best guess.
ALTER TABLE units ADD COLUMN closed_at BIGINT;
DO $$
DECLARE
    bank BIGINT;
BEGIN
    FOR bank IN SELECT bank_id FROM banks LOOP
        -- The wall between banks stands for migrations too.
        PERFORM set_config('scrubjay.bank_id', bank::TEXT, true);
        UPDATE units AS u SET closed_at = GREATEST(n.told_at, u.told_at) FROM units AS n
        WHERE u.bank_id = bank AND n.bank_id = bank AND n.id = u.superseded_by;
    END LOOP;
    PERFORM set_config('scrubjay.bank_id', '', true);
END $$;
