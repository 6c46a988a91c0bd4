-- How often units of a bank were changed or erased, or given other vectors. What a process knows of
-- a unit's times, type, session, speaker and vector holds until this is another number.
ALTER TABLE bank_state ADD COLUMN changes BIGINT NOT NULL DEFAULT 0;
