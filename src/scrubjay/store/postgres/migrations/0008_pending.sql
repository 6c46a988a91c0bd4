-- Who told a unit, and from where; few say so. Only numbers are sampled.
ALTER TABLE units ADD COLUMN author TEXT;
ALTER TABLE units ADD COLUMN origin TEXT;
ALTER TABLE units ALTER COLUMN author SET STATISTICS 0;
ALTER TABLE units ALTER COLUMN origin SET STATISTICS 0;

-- Units that wait to be approved, as they were told. They are in no other table, so that nothing
-- finds, counts, names or links them. Ids ascend in the order of telling.
CREATE TABLE pending (
    bank_id    BIGINT NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    identity   BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    unit       TEXT NOT NULL,
    PRIMARY KEY (bank_id, id)
);
CREATE INDEX pending_by_identity ON pending (bank_id, identity);
ALTER TABLE pending ALTER COLUMN id SET STATISTICS 0;
ALTER TABLE pending ALTER COLUMN identity SET STATISTICS 0;
ALTER TABLE pending ALTER COLUMN unit SET STATISTICS 0;
ALTER TABLE pending ENABLE ROW LEVEL SECURITY;
ALTER TABLE pending FORCE ROW LEVEL SECURITY;
CREATE POLICY own_bank ON pending USING (bank_id =
    (SELECT NULLIF(current_setting('scrubjay.bank_id', true), '')::BIGINT));
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'scrubjay_app') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON pending TO scrubjay_app;
    END IF;
END $$;
