-- What was seen when a few units were last compared with what finds them; counts, no text.
ALTER TABLE bank_state ADD COLUMN last_look TEXT;
ALTER TABLE bank_state ALTER COLUMN last_look SET STATISTICS 0;
