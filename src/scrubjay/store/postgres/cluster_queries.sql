-- What is asked of and done to a Citus cluster, as the superuser of the address. Names in braces are
-- filled in with numbers and with names the server itself gave.

-- name: citus_available
SELECT EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'citus')

-- name: citus_there
SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus')

-- name: spread_already
SELECT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass('scrubjay.bank_state'))

-- name: shards_of_bank
SELECT t.logicalrelid::REGCLASS::TEXT, shard_name(t.logicalrelid, p.shardid), n.nodename, n.nodeport,
    n.groupid = l.groupid
FROM pg_dist_partition AS t JOIN pg_class AS c ON c.oid = t.logicalrelid
JOIN pg_dist_placement AS p
    ON p.shardid = get_shard_id_for_distribution_column(t.logicalrelid, $1::BIGINT)
JOIN pg_dist_node AS n ON n.groupid = p.groupid AND n.noderole = 'primary'
CROSS JOIN pg_dist_local_group AS l
WHERE c.relnamespace = 'scrubjay'::REGNAMESPACE AND c.relname <> 'migrations'
ORDER BY c.relname <> 'bank_state', 1, 3, 4

-- name: home_of_bank
SELECT n.nodename, n.nodeport, n.groupid = l.groupid FROM pg_dist_placement AS p
JOIN pg_dist_node AS n ON n.groupid = p.groupid AND n.noderole = 'primary'
CROSS JOIN pg_dist_local_group AS l
WHERE p.shardid = get_shard_id_for_distribution_column('scrubjay.bank_state', $1::BIGINT)

-- name: run_on_node
SELECT success, result
FROM master_run_on_worker(ARRAY[$1::TEXT], ARRAY[$2::INTEGER], ARRAY[$3::TEXT], false)

-- name: reach_shards
SET citus.enable_manual_changes_to_shards = on; SET citus.override_table_visibility = off

-- name: leave_shards
SET citus.enable_manual_changes_to_shards = off; SET citus.override_table_visibility = on

-- name: local_tables
SELECT c.relname FROM pg_class AS c
WHERE c.relnamespace = 'scrubjay'::REGNAMESPACE AND c.relkind IN ('r', 'p') AND NOT c.relispartition
ORDER BY c.relname <> 'bank_state', 1

-- name: spread_tables
SELECT c.relname FROM pg_dist_partition AS d JOIN pg_class AS c ON c.oid = d.logicalrelid
WHERE c.relnamespace = 'scrubjay'::REGNAMESPACE

-- name: tables_with_local_rows
SELECT c.relname FROM pg_dist_partition AS d JOIN pg_class AS c ON c.oid = d.logicalrelid
WHERE c.relnamespace = 'scrubjay'::REGNAMESPACE AND pg_relation_size(c.oid) > 0 ORDER BY 1

-- name: isolated_tables
SELECT c.relname FROM pg_policy AS p JOIN pg_class AS c ON c.oid = p.polrelid
WHERE c.relnamespace = 'scrubjay'::REGNAMESPACE AND c.relrowsecurity AND c.relforcerowsecurity
AND p.polname = 'own_bank' AND pg_get_expr(p.polqual, p.polrelid) NOT LIKE '%SELECT%'

-- name: table_options
SELECT array_to_string(c.reloptions, ', ') FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
WHERE i.inhparent = ('scrubjay.' || $1::TEXT)::REGCLASS AND c.reloptions IS NOT NULL LIMIT 1

-- name: keys_of_table
SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE conrelid = ('scrubjay.' || $1::TEXT)::REGCLASS AND contype IN ('p', 'u') ORDER BY contype, conname

-- name: indexes_of_table
SELECT replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') FROM pg_index AS i
JOIN pg_class AS c ON c.oid = i.indexrelid
WHERE i.indrelid = ('scrubjay.' || $1::TEXT)::REGCLASS AND NOT EXISTS (
    SELECT 1 FROM pg_constraint AS k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u'))
ORDER BY c.relname

-- name: make_plain
ALTER TABLE scrubjay.{table} RENAME TO {table}_parted;
CREATE TABLE scrubjay.{table} (LIKE scrubjay.{table}_parted INCLUDING ALL EXCLUDING INDEXES) WITH ({options});
INSERT INTO scrubjay.{table} SELECT * FROM scrubjay.{table}_parted

-- name: add_constraint
ALTER TABLE {table} ADD CONSTRAINT {name} {definition}

-- name: drop_constraint
ALTER TABLE {table} DROP CONSTRAINT {name}

-- name: make_citus
CREATE EXTENSION IF NOT EXISTS citus

-- name: roles_ready
SELECT COALESCE(bool_and(success AND result = 't'), false) FROM run_command_on_all_nodes(
    $$SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'scrubjay_app' AND rolcanlogin)$$)

-- name: make_roles_ready
SELECT success, result FROM run_command_on_all_nodes($command$DO $$
BEGIN
    -- Every node is told by itself.
    PERFORM set_config('citus.enable_create_role_propagation', 'off', true);
    PERFORM set_config('citus.enable_alter_role_propagation', 'off', true);
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'scrubjay_app') THEN
        CREATE ROLE scrubjay_app LOGIN NOSUPERUSER NOBYPASSRLS;
    END IF;
    ALTER ROLE scrubjay_app LOGIN;
END $$$command$)

-- name: settings_ready
SELECT COALESCE(bool_and(success AND result = 't'), false) FROM run_command_on_all_nodes(
    $$SELECT EXISTS (SELECT 1 FROM pg_db_role_setting AS s JOIN pg_database AS d ON d.oid = s.setdatabase
        WHERE d.datname = current_database() AND s.setrole = 0 AND s.setconfig @> ARRAY[
            'hnsw.ef_search=200', 'hnsw.iterative_scan=relaxed_order', 'jit=off',
            'plan_cache_mode=force_custom_plan'])$$)

-- name: make_settings_ready
SELECT success, result FROM run_command_on_all_nodes($command$DO $$
BEGIN
    -- Every node is told by itself.
    PERFORM set_config('citus.enable_ddl_propagation', 'off', true);
    EXECUTE format('ALTER DATABASE %I SET hnsw.ef_search = 200', current_database());
    EXECUTE format('ALTER DATABASE %I SET hnsw.iterative_scan = relaxed_order', current_database());
    EXECUTE format('ALTER DATABASE %I SET jit = off', current_database());
    EXECUTE format('ALTER DATABASE %I SET plan_cache_mode = force_custom_plan', current_database());
END $$$command$)

-- name: distribute_whole
SELECT create_reference_table('scrubjay.{table}')

-- name: distribute_first
SELECT create_distributed_table('scrubjay.{table}', 'bank_id', shard_count := 64)

-- name: distribute_beside
SELECT create_distributed_table('scrubjay.{table}', 'bank_id', colocate_with := 'scrubjay.bank_state')

-- name: clear_local_rows
SELECT truncate_local_data_after_distributing_table('scrubjay.{table}')

-- name: grant_names
GRANT INSERT ON scrubjay.banks TO scrubjay_app

-- name: any_name
CREATE POLICY any_name ON scrubjay.banks FOR SELECT USING (true)

-- name: new_name
CREATE POLICY new_name ON scrubjay.banks FOR INSERT WITH CHECK (true)

-- name: own_name
CREATE POLICY own_bank ON scrubjay.banks FOR DELETE
    USING (bank_id = current_setting('scrubjay.bank_id')::BIGINT)

-- name: isolate
CREATE POLICY own_bank ON scrubjay.{table} USING (bank_id = current_setting('scrubjay.bank_id')::BIGINT)

-- name: enforce
ALTER TABLE scrubjay.{table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY

-- name: graphs_on_shard
SELECT COALESCE(string_agg(c.relname || ' ' || i.indisvalid, ','), '') FROM pg_index AS i
JOIN pg_class AS c ON c.oid = i.indexrelid
WHERE i.indrelid = to_regclass('{table}') AND c.relname LIKE '{like}' ESCAPE '!'

-- name: rewrite_shard
DO $$
BEGIN
    PERFORM set_config('lock_timeout', '{wait_ms}', true);
    -- Not VACUUM, which could not be told how long to wait for a lock here; what is dead goes alike.
    EXECUTE format('CLUSTER %s USING %I', '{table}', (
        SELECT c.relname FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
        WHERE i.indrelid = '{table}'::REGCLASS AND i.indisunique AND i.indpred IS NULL ORDER BY i.indisprimary DESC LIMIT 1));
END $$
