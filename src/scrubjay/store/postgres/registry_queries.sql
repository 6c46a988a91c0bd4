-- The statements on the list of banks, and those on the database as a whole.

-- name: make_schema
CREATE SCHEMA IF NOT EXISTS scrubjay

-- name: make_extension
CREATE EXTENSION IF NOT EXISTS vector SCHEMA public

-- name: make_version
CREATE TABLE IF NOT EXISTS scrubjay.migrations (
    version    INTEGER PRIMARY KEY,
    applied_at TIMESTAMPTZ NOT NULL DEFAULT now()
)

-- name: version_exists
SELECT to_regclass('scrubjay.migrations') IS NOT NULL

-- name: version
SELECT COALESCE(MAX(version), 0) FROM scrubjay.migrations

-- name: record_version
INSERT INTO scrubjay.migrations (version) VALUES ($1)

-- name: lock_migrations
SELECT pg_advisory_xact_lock(4158823311)

-- name: samples_file
SELECT pg_relation_filenode('pg_catalog.pg_statistic')

-- name: bound_lock_wait
SELECT set_config('lock_timeout', $1, false)

-- name: rewrite_samples
VACUUM (FULL) pg_catalog.pg_statistic

-- name: role_to_take
SELECT rolname FROM pg_roles WHERE rolname = 'scrubjay_app'
AND has_table_privilege(rolname, to_regclass('scrubjay.bank_state'), 'UPDATE')
AND pg_has_role(rolname,
    CASE WHEN current_setting('server_version_num')::INTEGER < 160000 THEN 'MEMBER' ELSE 'SET' END)

-- name: vector_schema
SELECT n.nspname FROM pg_type AS t JOIN pg_namespace AS n ON n.oid = t.typnamespace
WHERE t.typname = 'halfvec'

-- name: list_banks
SELECT name FROM banks ORDER BY name COLLATE "C"

-- name: find_bank
SELECT bank_id FROM banks WHERE name = $1

-- name: insert_bank
INSERT INTO banks (name) VALUES ($1) ON CONFLICT (name) DO NOTHING RETURNING bank_id

-- name: delete_bank
DELETE FROM banks WHERE bank_id = $1

-- name: set_bank
SELECT set_config('scrubjay.bank_id', $1, false), set_config('plan_cache_mode', $2, false)

-- name: process
SELECT pg_backend_pid()

-- name: position
SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
    ELSE pg_current_wal_flush_lsn() END::TEXT

-- name: replica_state
SELECT COALESCE(pg_last_wal_replay_lsn() >= $1::TEXT::PG_LSN, false),
    COALESCE(pg_last_wal_replay_lsn() >= $2::TEXT::PG_LSN, false)
