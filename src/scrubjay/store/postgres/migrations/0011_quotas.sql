-- How many bytes were told, which a bank's settings may bound. NULL: told before they were counted;
-- they are when somebody first wants to know.
ALTER TABLE bank_state ADD COLUMN told_bytes BIGINT;
ALTER TABLE bank_state ALTER COLUMN told_bytes SET DEFAULT 0;

-- How often a bank was asked or told in the running minute, of banks that may not be asked at will.
-- Not in bank_state, whose row a writer holds while a reader wants to be counted.
CREATE TABLE requests (
    bank_id BIGINT NOT NULL,
    minute  BIGINT NOT NULL,
    taken   INTEGER NOT NULL,
    PRIMARY KEY (bank_id)
) WITH (fillfactor=50);
ALTER TABLE requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE requests FORCE ROW LEVEL SECURITY;
CREATE POLICY own_bank ON requests USING (bank_id =
    (SELECT NULLIF(current_setting('scrubjay.bank_id', true), '')::BIGINT));
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'scrubjay_app') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON requests TO scrubjay_app;
    END IF;
END $$;
