-- Vectors of a unit's tokens, where the bank wants them, behind a checksum; they come and go with
-- the vector of the whole. They do not compress, and lie beside the row, so that a scan of vectors
-- reads no more pages than before.
ALTER TABLE vectors ADD COLUMN late BYTEA;
ALTER TABLE vectors_next ADD COLUMN late BYTEA;
ALTER TABLE vectors ALTER COLUMN late SET STORAGE EXTERNAL;
ALTER TABLE vectors_next ALTER COLUMN late SET STORAGE EXTERNAL;
ALTER TABLE vectors ALTER COLUMN late SET STATISTICS 0;
ALTER TABLE vectors_next ALTER COLUMN late SET STATISTICS 0;
