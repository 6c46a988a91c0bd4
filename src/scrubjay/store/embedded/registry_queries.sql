-- The statements on the list of banks.

-- name: list_banks
SELECT name FROM banks ORDER BY name

-- name: find_bank
SELECT id FROM banks WHERE name = ?

-- name: list_numbers
SELECT name, id FROM banks

-- name: highest_given
SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = 'banks'

-- name: put_bank
INSERT OR REPLACE INTO banks (id, name) VALUES (?, ?)

-- name: delete_bank
DELETE FROM banks WHERE id = ?
