-- Vectors of a unit's tokens, where the bank wants them, behind a checksum; they come and go with
-- the vector of the whole.
ALTER TABLE vectors ADD COLUMN late BLOB;
ALTER TABLE vectors_next ADD COLUMN late BLOB;
