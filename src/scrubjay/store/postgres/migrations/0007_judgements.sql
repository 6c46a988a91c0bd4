-- What was said of answers: for each question, asked at a time, the units that were of use in the
-- answer or that it lacked. By their ids, which stay when units change; what is said of a unit goes
-- with it, and a question goes with the last of its units.
CREATE TABLE judgements (
    bank_id  BIGINT NOT NULL,
    asked_at BIGINT NOT NULL,
    question TEXT COLLATE "C" NOT NULL,
    unit     TEXT COLLATE "C" NOT NULL,
    missed   BOOLEAN NOT NULL
);
-- A question may be longer than an index takes.
CREATE UNIQUE INDEX judgements_once ON judgements (bank_id, asked_at, md5(question), unit);
CREATE INDEX judgements_by_unit ON judgements (bank_id, unit);
ALTER TABLE judgements ALTER COLUMN question SET STATISTICS 0;
ALTER TABLE judgements ALTER COLUMN unit SET STATISTICS 0;
ALTER TABLE judgements ENABLE ROW LEVEL SECURITY;
ALTER TABLE judgements FORCE ROW LEVEL SECURITY;
CREATE POLICY own_bank ON judgements USING (bank_id =
    (SELECT NULLIF(current_setting('scrubjay.bank_id', true), '')::BIGINT));
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'scrubjay_app') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON judgements TO scrubjay_app;
    END IF;
END $$;
