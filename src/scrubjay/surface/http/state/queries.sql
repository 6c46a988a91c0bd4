-- name: sync_now
-- The next change is on the disk when it returns.
PRAGMA synchronous = FULL

-- name: sync_later
-- The next change is in the log when it returns, and on the disk with a later one.
PRAGMA synchronous = NORMAL

-- name: erase_deleted
-- Overwrite what is deleted, on this connection.
PRAGMA secure_delete = ON

-- name: version
-- Which form the tables have; 0 is the one that kept whole answers.
PRAGMA user_version

-- name: drop_answers
-- Whole answers, with the text of memories.
DROP TABLE IF EXISTS replies

-- name: drop_ended_tasks
-- Their problems quoted lines of imports.
DELETE FROM tasks WHERE state IN ('done', 'failed')

-- name: rewrite
-- The file without what was deleted before it was overwritten.
VACUUM

-- name: empty_log
-- What was overwritten in the file is in the log until then.
PRAGMA wal_checkpoint(TRUNCATE)

-- name: set_version
-- The answers of the first form are gone for good.
PRAGMA user_version = 1

-- name: add_key
-- A new key; only the hash of its secret is kept.
INSERT INTO keys (id, name, secret_hash, grants, rate, created_at) VALUES (?, ?, ?, ?, ?, ?)

-- name: list_keys
-- Every key, the revoked ones too, oldest first.
SELECT id, name, grants, rate, created_at, revoked_at FROM keys ORDER BY created_at, id

-- name: find_key
-- One key with the hash to compare with.
SELECT id, name, grants, rate, created_at, revoked_at, secret_hash FROM keys WHERE id = ?

-- name: revoke_key
-- Close a key for good; one already closed keeps its time.
UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?

-- name: find_reply
-- What came of a request with an Idempotency-Key.
SELECT fingerprint, status, outcome FROM outcomes WHERE name = ? AND kept_at >= ?

-- name: keep_reply
-- Reserve a key, then remember its outcome; an expired one under the same key gives way.
INSERT OR REPLACE INTO outcomes (name, fingerprint, status, outcome, kept_at)
VALUES (?, ?, ?, ?, ?)

-- name: drop_reply
-- Let a request that failed be tried again.
DELETE FROM outcomes WHERE name = ?

-- name: drop_old_replies
-- Forget outcomes that are too old, and the oldest beyond the number kept.
DELETE FROM outcomes WHERE kept_at < ?
OR rowid IN (SELECT rowid FROM outcomes ORDER BY kept_at DESC LIMIT -1 OFFSET ?)

-- name: drop_large_replies
-- Forget the oldest outcomes beyond the bytes kept.
DELETE FROM outcomes WHERE rowid IN (
    SELECT rowid FROM (
        SELECT rowid, sum(length(outcome)) OVER (ORDER BY kept_at DESC, rowid DESC) AS bytes
        FROM outcomes
    ) WHERE bytes > ?
)

-- name: add_task
-- Long work that was accepted.
INSERT INTO tasks (id, kind, bank, arguments, state, created_at) VALUES (?, ?, ?, ?, ?, ?)

-- name: find_task
-- One piece of long work.
SELECT id, kind, bank, arguments, state, done, total, outcome, created_at FROM tasks WHERE id = ?

-- name: newest_tasks
-- The work that was accepted last, newest first.
SELECT id, kind, bank, arguments, state, done, total, outcome, created_at FROM tasks
ORDER BY created_at DESC, id LIMIT ?

-- name: unfinished_tasks
-- Work that was accepted and not finished, oldest first.
SELECT id, kind, bank, arguments, state, done, total, outcome, created_at FROM tasks
WHERE state IN ('waiting', 'running') ORDER BY created_at, id

-- name: change_task
-- How far it is, and how it ended.
UPDATE tasks SET state = ?, done = ?, total = ?, outcome = ? WHERE id = ?

-- name: drop_old_tasks
-- Forget finished work beyond the number kept.
DELETE FROM tasks WHERE id IN (
    SELECT id FROM tasks WHERE state IN ('done', 'failed')
    ORDER BY created_at DESC LIMIT -1 OFFSET ?
)
