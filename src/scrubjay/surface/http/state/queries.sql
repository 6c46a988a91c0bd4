-- name: sync_now
-- The next change is on the disk when it returns.
PRAGMA synchronous = FULL

-- name: sync_later
-- The next change is in the log when it returns, and on the disk with a later one.
PRAGMA synchronous = NORMAL

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
-- What was answered under an Idempotency-Key.
SELECT fingerprint, status, body FROM replies
WHERE caller = ? AND idempotency_key = ? AND kept_at >= ?

-- name: keep_reply
-- Reserve a key, then remember its answer; an expired one under the same key gives way.
INSERT OR REPLACE INTO replies (caller, idempotency_key, fingerprint, status, body, kept_at)
VALUES (?, ?, ?, ?, ?, ?)

-- name: drop_reply
-- Let a request that failed be tried again.
DELETE FROM replies WHERE caller = ? AND idempotency_key = ?

-- name: drop_old_replies
-- Forget answers that are too old, and the oldest beyond the number kept.
DELETE FROM replies WHERE kept_at < ?
OR rowid IN (SELECT rowid FROM replies ORDER BY kept_at DESC LIMIT -1 OFFSET ?)

-- name: drop_large_replies
-- Forget the oldest answers beyond the bytes kept.
DELETE FROM replies WHERE rowid IN (
    SELECT rowid FROM (
        SELECT rowid, sum(length(body)) OVER (ORDER BY kept_at DESC, rowid DESC) AS bytes
        FROM replies
    ) WHERE bytes > ?
)

-- name: add_task
-- Long work that was accepted.
INSERT INTO tasks (id, kind, bank, arguments, state, created_at) VALUES (?, ?, ?, ?, ?, ?)

-- name: find_task
-- One piece of long work.
SELECT id, kind, bank, arguments, state, done, total, outcome, created_at FROM tasks WHERE id = ?

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
