-- The walls stood before the partitioned tables, not before their partitions: the owner, who is
-- the one at work where scrubjay_app cannot be taken, saw every bank's rows there.
DO $$
DECLARE
    part NAME;
BEGIN
    FOR part IN
        SELECT c.relname FROM pg_class AS c WHERE c.relnamespace = 'scrubjay'::REGNAMESPACE
        AND c.relkind = 'r' AND c.relispartition
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', part);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', part);
        EXECUTE format(
            'CREATE POLICY own_bank ON %I USING (bank_id = '
            '(SELECT NULLIF(current_setting(''scrubjay.bank_id'', true), '''')::BIGINT))', part
        );
    END LOOP;
END $$;

-- Every name can be looked up and a new one added; only the bank one is set to can be removed.
ALTER TABLE banks ENABLE ROW LEVEL SECURITY;
ALTER TABLE banks FORCE ROW LEVEL SECURITY;
CREATE POLICY any_name ON banks FOR SELECT USING (true);
CREATE POLICY new_name ON banks FOR INSERT WITH CHECK (true);
CREATE POLICY own_bank ON banks FOR DELETE USING (bank_id =
    (SELECT NULLIF(current_setting('scrubjay.bank_id', true), '')::BIGINT));
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'scrubjay_app') THEN
        -- Not the number, which is the server's to give.
        REVOKE INSERT ON banks FROM scrubjay_app;
        GRANT INSERT (name) ON banks TO scrubjay_app;
    END IF;
END $$;

-- Who makes a role may not take it by that alone, since PostgreSQL 16.
DO $$
BEGIN
    IF current_setting('is_superuser') = 'off'
        AND EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'scrubjay_app') THEN
        GRANT scrubjay_app TO CURRENT_USER;
    END IF;
EXCEPTION
    WHEN insufficient_privilege THEN NULL;
END $$;
