-- The statements on the list of banks.

-- name: list_banks
SELECT name FROM banks ORDER BY name

-- name: find_bank
SELECT id FROM banks WHERE name = ?

-- name: insert_bank
INSERT INTO banks (name) VALUES (?) RETURNING id

-- name: delete_bank
DELETE FROM banks WHERE id = ?
