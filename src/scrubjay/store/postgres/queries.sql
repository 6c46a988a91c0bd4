-- Every statement on a bank. $1 is always the bank, and every table is asked for it by name, so
-- that each statement is one shard's business. What is inserted from arrays takes its bank from the
-- bank's own row: from a bare number a cluster would copy it in, past no policy. Names in braces are filled in by tables/sql.py.

-- name: scope
u.bank_id = $1
AND ($2::SMALLINT[] IS NULL OR u.type = ANY($2::SMALLINT[]))
AND {labelled}
AND ($6::BIGINT IS NULL
    OR COALESCE(u.valid_from <= $6::BIGINT, true)
    AND (COALESCE(u.valid_to > $6::BIGINT, true) OR u.closed_at > $8::BIGINT))
AND ($7::BIGINT IS NULL OR u.valid_to IS NULL OR u.valid_to > $7::BIGINT
    OR u.closed_at > $8::BIGINT)
AND ($8::BIGINT IS NULL OR u.told_at <= $8::BIGINT)
AND ($9::BIGINT IS NULL OR u.told_at BETWEEN $9::BIGINT AND $10::BIGINT
    OR u.occurred_start <= $10::BIGINT
    AND GREATEST(u.occurred_start, u.occurred_end) >= $9::BIGINT)
AND ($11::INTEGER[] IS NULL OR NOT u.row IN (SELECT x.row FROM unnest($11::INTEGER[]) AS x (row)))

-- name: labelled
($3::TEXT[] IS NULL OR u.row IN (
    SELECT g.row FROM unit_tags AS g WHERE g.bank_id = $1 AND g.tag = ANY($3::TEXT[])
    GROUP BY g.row HAVING COUNT(*) = CARDINALITY($3::TEXT[])))
AND ($4::TEXT IS NULL OR u.metadata IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM jsonb_each($4::TEXT::JSONB) AS m
    WHERE u.metadata::JSONB -> m.key IS DISTINCT FROM m.value))
AND ($5::TEXT IS NULL OR u.session = (
    SELECT s.id FROM sessions AS s WHERE s.bank_id = $1 AND s.name = $5::TEXT))

-- name: bank_state
SELECT s.settings, s.encoder, s.next_row, s.changes, s.documents, s.total_length, s.graphs,
    -- A shard that was moved has left its graphs behind, so it is asked for them where it is.
    ARRAY(SELECT g.type FROM unnest(s.graphs) AS g (type)
        WHERE g.type >= -1 AND to_regclass('scrubjay.graph_' || s.bank_id || '_'
            || CASE g.type WHEN -1 THEN 'all' ELSE g.type::TEXT END || '_'
            || (s.encoder::JSONB ->> 'dimension')) IS NULL),
    EXISTS (SELECT 1 FROM units AS u WHERE u.bank_id = $1 AND u.valid_to IS NOT NULL),
    (SELECT MAX(u.told_at) FROM units AS u WHERE u.bank_id = $1),
    -- Every change of what is read here writes this row anew.
    s.xmin::TEXT,
    -- Another server, promoted or restored, may have lost what this one had.
    pg_postmaster_start_time()::TEXT || ' ' || s.tableoid,
    -- Who answers to the names that will be looked up first; best alias first within a name.
    (SELECT json_agg(json_build_array(f.alias, f.entity, f.name, f.kind, f.confidence, f.mentions)
        ORDER BY f.place, f.confidence DESC, f.mentions DESC, f.entity)::TEXT FROM ({named}) AS f)
FROM bank_state AS s WHERE s.bank_id = $1

-- name: lock_bank
SELECT xmin::TEXT, next_row, documents, told_bytes, next_entity, next_relation, next_session
FROM bank_state WHERE bank_id = $1 FOR UPDATE

-- name: insert_state
INSERT INTO bank_state (bank_id, created_at, settings) VALUES ($1, $2, $3)

-- name: created_at
SELECT created_at FROM bank_state WHERE bank_id = $1

-- name: set_settings
UPDATE bank_state SET settings = $2 WHERE bank_id = $1

-- name: set_encoder
UPDATE bank_state SET encoder = $2, changes = changes + 1 WHERE bank_id = $1

-- name: get_encoder
SELECT encoder FROM bank_state WHERE bank_id = $1

-- name: get_encoder_next
SELECT encoder_next FROM bank_state WHERE bank_id = $1

-- name: set_encoder_next
UPDATE bank_state SET encoder_next = $2 WHERE bank_id = $1

-- name: get_vocabulary
SELECT vocabulary FROM bank_state WHERE bank_id = $1

-- name: set_vocabulary
UPDATE bank_state SET vocabulary = $2 WHERE bank_id = $1

-- name: drop_vocabulary
UPDATE bank_state AS s SET vocabulary = (
    SELECT COALESCE(jsonb_agg(n.term), '[]')::TEXT FROM jsonb_array_elements_text(s.vocabulary::JSONB) AS n (term)
    WHERE n.term <> ALL($2::TEXT[])
    OR EXISTS (SELECT 1 FROM postings AS p WHERE p.bank_id = $1 AND p.term = n.term))
WHERE s.bank_id = $1 AND s.vocabulary IS NOT NULL

-- name: set_graphs
UPDATE bank_state SET graphs = $2::SMALLINT[] WHERE bank_id = $1

-- name: count_saved
UPDATE bank_state SET next_row = next_row + $2, documents = documents + $2,
    total_length = total_length + $3, told_bytes = told_bytes + $4,
    next_entity = next_entity + $5, next_relation = next_relation + $6,
    next_session = next_session + $7
WHERE bank_id = $1

-- name: count_documents
UPDATE bank_state SET next_row = next_row + $2, documents = documents + $3,
    total_length = total_length + $4, told_bytes = told_bytes + $5, changes = changes + 1
WHERE bank_id = $1

-- name: told_bytes
SELECT COALESCE(SUM({told_bytes}), 0)::BIGINT FROM units WHERE bank_id = $1

-- name: told_bytes_of_rows
SELECT COALESCE(SUM({told_bytes}), 0)::BIGINT FROM units
WHERE bank_id = $1 AND row = ANY($2::INTEGER[])

-- name: set_bytes
UPDATE bank_state SET told_bytes = $2 WHERE bank_id = $1

-- name: counted_bytes
SELECT told_bytes FROM bank_state WHERE bank_id = $1

-- name: take_requests
INSERT INTO requests (bank_id, minute, taken) VALUES ($1, $2, $3)
ON CONFLICT (bank_id) DO UPDATE SET minute = GREATEST(requests.minute, $2),
    taken = $3 + CASE WHEN requests.minute < $2 THEN 0 ELSE requests.taken END
WHERE requests.minute < $2 OR requests.taken + $3 <= $4
RETURNING taken

-- name: set_documents
UPDATE bank_state SET documents = $2, total_length = $3, changes = changes + 1 WHERE bank_id = $1

-- name: take_entities
UPDATE bank_state SET next_entity = next_entity + $2 WHERE bank_id = $1
RETURNING next_entity - $2

-- name: take_relation
UPDATE bank_state SET next_relation = next_relation + 1 WHERE bank_id = $1
RETURNING next_relation - 1

-- name: take_session
UPDATE bank_state SET next_session = next_session + 1 WHERE bank_id = $1
RETURNING next_session - 1

-- name: insert_units
INSERT INTO units (bank_id, entities, terms, counts, {columns})
VALUES ($1, $2, $3, $4, {places})

-- name: insert_tags
INSERT INTO unit_tags (bank_id, tag, row)
SELECT s.bank_id, n.tag, n.row
FROM bank_state AS s CROSS JOIN unnest($2::TEXT[], $3::INTEGER[]) AS n (tag, row) WHERE s.bank_id = $1
ON CONFLICT (bank_id, tag, row) DO NOTHING

-- name: insert_vectors
INSERT INTO vectors (bank_id, row, type, vector, late)
SELECT s.bank_id, n.row, n.type, n.vector, n.late FROM bank_state AS s
CROSS JOIN unnest($2::INTEGER[], $3::SMALLINT[], $4::HALFVEC[], $5::BYTEA[])
    AS n (row, type, vector, late)
WHERE s.bank_id = $1

-- name: add_postings
INSERT INTO postings (bank_id, term, block, packed)
SELECT s.bank_id, n.term, n.block, n.packed FROM bank_state AS s
CROSS JOIN unnest($2::TEXT[], $3::INTEGER[], $4::BYTEA[]) AS n (term, block, packed)
WHERE s.bank_id = $1
ON CONFLICT (bank_id, term, block) DO UPDATE SET packed = postings.packed || excluded.packed

-- name: set_postings
UPDATE postings AS p SET packed = n.packed
FROM unnest($2::TEXT[], $3::INTEGER[], $4::BYTEA[]) AS n (term, block, packed)
WHERE p.bank_id = $1 AND p.term = n.term AND p.block = n.block

-- name: drop_empty_postings
DELETE FROM postings AS p
USING unnest($2::TEXT[], $3::INTEGER[]) AS n (term, block)
WHERE p.bank_id = $1 AND p.term = n.term AND p.block = n.block AND length(p.packed) = 0

-- name: clear_postings
DELETE FROM postings WHERE bank_id = $1

-- name: postings_of_blocks
SELECT term, block, packed FROM postings
WHERE bank_id = $1 AND term = ANY($2::TEXT[]) AND block = ANY($3::INTEGER[])

-- name: frequencies
SELECT term, (SUM(length(packed)) / 4)::INTEGER FROM postings WHERE bank_id = $1 GROUP BY term

-- name: words_of_rows
SELECT row, length, terms, counts, {told_bytes} FROM units
WHERE bank_id = $1 AND row = ANY($2::INTEGER[]) ORDER BY row

-- name: words_after
SELECT row, length, terms, counts FROM units
WHERE bank_id = $1 AND row > $2 ORDER BY row LIMIT $3

-- name: known
SELECT id, row, identity, key FROM units WHERE bank_id = $1 AND identity = ANY($2::BIGINT[])
UNION ALL
SELECT id, row, identity, key FROM units WHERE bank_id = $1 AND key = ANY($3::TEXT[])

-- name: rows_of_ids
SELECT id, row FROM units WHERE bank_id = $1 AND id = ANY($2::TEXT[])

-- name: ids_of_rows
SELECT row, id FROM units WHERE bank_id = $1 AND row = ANY($2::INTEGER[])

-- name: hydrate
SELECT u.row, (SELECT b.encoder FROM bank_state AS b WHERE b.bank_id = $1),
    -- One by one: joined, all entities and sessions of the bank would be read for a few units.
    ARRAY(SELECT e.name FROM unnest(u.entities) WITH ORDINALITY AS n (id, place)
        CROSS JOIN LATERAL (
            SELECT x.name FROM entities AS x WHERE x.bank_id = $1 AND x.id = n.id LIMIT 1) AS e
        ORDER BY n.place),
    (SELECT s.name FROM sessions AS s WHERE s.bank_id = $1 AND s.id = u.session), {selected}
FROM units AS u WHERE u.bank_id = $1 AND u.row = ANY($2::INTEGER[])

-- name: hydrate_linked
SELECT u.row, (SELECT l.packed FROM links AS l WHERE l.bank_id = $1 AND l.row = u.row),
    (SELECT b.encoder FROM bank_state AS b WHERE b.bank_id = $1),
    ARRAY(SELECT e.name FROM unnest(u.entities) WITH ORDINALITY AS n (id, place)
        CROSS JOIN LATERAL (
            SELECT x.name FROM entities AS x WHERE x.bank_id = $1 AND x.id = n.id LIMIT 1) AS e
        ORDER BY n.place),
    (SELECT s.name FROM sessions AS s WHERE s.bank_id = $1 AND s.id = u.session), {selected}
FROM units AS u WHERE u.bank_id = $1 AND u.row = ANY($2::INTEGER[])

-- name: rows_after
SELECT row FROM units WHERE bank_id = $1 AND row > $2 ORDER BY row LIMIT $3

-- name: facts_of_rows
-- What every unit has, two numbers in eight bytes, for it is packing that takes the time; then the
-- times of those few that have any. Lists of rows are texts: the driver looks at each number of an
-- array twice.
SELECT 0::SMALLINT, array_agg(u.speaker),
    string_agg(int8send((u.row::BIGINT << 16) | u.type) || int8send(u.told_at)
        || int8send((COALESCE(u.session, -1)::BIGINT << 32) | u.tokens), ''::BYTEA),
    string_agg(int4send(u.row)
        || int8send(COALESCE(u.occurred_start, (-9223372036854775808)::BIGINT))
        || int8send(COALESCE(u.occurred_end, (-9223372036854775808)::BIGINT))
        || int8send(COALESCE(u.valid_from, (-9223372036854775808)::BIGINT))
        || int8send(COALESCE(u.valid_to, (-9223372036854775808)::BIGINT))
        || int8send(COALESCE(u.closed_at, (-9223372036854775808)::BIGINT)), ''::BYTEA)
    FILTER (WHERE COALESCE(
        u.occurred_start, u.occurred_end, u.valid_from, u.valid_to, u.closed_at) IS NOT NULL)
FROM units AS u WHERE u.bank_id = $1 AND u.row = ANY($2::TEXT::INTEGER[])
UNION ALL
SELECT 2::SMALLINT, NULL::TEXT[], string_agg(int4send(v.row) || halfvec_send(v.vector), ''::BYTEA),
    NULL::BYTEA
FROM vectors AS v WHERE v.bank_id = $1 AND v.row = ANY($6::TEXT::INTEGER[])
UNION ALL
SELECT 3::SMALLINT, NULL::TEXT[],
    string_agg(int4send(v.row) || float4send((-(v.vector::VECTOR <#> $8::VECTOR))::REAL), ''::BYTEA),
    NULL::BYTEA
FROM vectors AS v WHERE v.bank_id = $1 AND v.row = ANY($7::TEXT::INTEGER[])
UNION ALL
SELECT 4::SMALLINT, NULL::TEXT[], string_agg(int4send(u.row), ''::BYTEA), NULL::BYTEA
FROM units AS u WHERE u.bank_id = $1 AND u.row = ANY($2::TEXT::INTEGER[]) AND {labelled}
    AND ($3::TEXT[], $4::TEXT, $5::TEXT) IS DISTINCT FROM (NULL::TEXT[], NULL::TEXT, NULL::TEXT)

-- name: rows_in_scope
SELECT string_agg(int4send(u.row), ''::BYTEA) FROM units AS u WHERE {scope}

-- name: rows_passing
SELECT string_agg(int8send((u.row::BIGINT << 32) | u.type), ''::BYTEA) FROM units AS u
WHERE {scope} AND u.row = ANY($12::TEXT::INTEGER[])

-- name: newest_rows
SELECT u.row FROM units AS u WHERE {scope} ORDER BY u.told_at DESC, u.row DESC LIMIT $12

-- name: nearest_to_many_in_graph
SELECT n.place, v.row, halfvec_send(v.vector)
FROM unnest($3::HALFVEC[]) WITH ORDINALITY AS n (vector, place)
CROSS JOIN LATERAL (
    SELECT x.row, x.vector FROM vectors AS x
    WHERE x.bank_id = $1 AND ($2::SMALLINT = -1 OR x.type = $2::SMALLINT)
        AND vector_dims(x.vector) = {dimension}
    ORDER BY x.vector::HALFVEC({dimension}) <#> n.vector::HALFVEC({dimension}) LIMIT $4) AS v

-- name: nearest_to_many_scanned
SELECT n.place, v.row, halfvec_send(v.vector)
FROM unnest($3::VECTOR[]) WITH ORDINALITY AS n (vector, place)
CROSS JOIN LATERAL (
    SELECT x.row, x.vector FROM vectors AS x
    WHERE x.bank_id = $1 AND x.type = ANY($2::SMALLINT[])
    ORDER BY x.vector::VECTOR <#> n.vector, x.row LIMIT $4) AS v

-- name: vectors_of_rows
-- The vectors of some rows.
SELECT row, halfvec_send(vector) FROM vectors
WHERE bank_id = $1 AND row = ANY($2::TEXT::INTEGER[])

-- name: vectors_of_types
SELECT row, halfvec_send(vector) FROM vectors
WHERE bank_id = $1 AND type = ANY($2::SMALLINT[]) LIMIT $3

-- name: count_vectors_by_type
SELECT type, COUNT(*) FROM vectors WHERE bank_id = $1 GROUP BY type

-- name: records_of_rows
SELECT u.row, u.identity, halfvec_send(v.vector), l.packed, v.late FROM units AS u
LEFT JOIN vectors AS v ON v.bank_id = $1 AND v.row = u.row
LEFT JOIN links AS l ON l.bank_id = $1 AND l.row = u.row
WHERE u.bank_id = $1 AND u.row = ANY($2::INTEGER[])

-- name: links_of_rows
SELECT row, packed FROM links WHERE bank_id = $1 AND row = ANY($2::INTEGER[]) ORDER BY row

-- name: put_links
INSERT INTO links (bank_id, row, packed)
SELECT s.bank_id, n.row, n.packed
FROM bank_state AS s CROSS JOIN unnest($2::INTEGER[], $3::BYTEA[]) AS n (row, packed)
WHERE s.bank_id = $1
ON CONFLICT (bank_id, row) DO UPDATE SET packed = excluded.packed

-- name: delete_links
DELETE FROM links WHERE bank_id = $1 AND row = ANY($2::INTEGER[])

-- name: entities_of_rows
SELECT row, entities FROM units WHERE bank_id = $1 AND row = ANY($2::INTEGER[]) ORDER BY row

-- name: set_unit_entities
UPDATE units AS u SET entities = $3::INTEGER[] WHERE u.bank_id = $1 AND u.row = $2

-- name: all_mentions
SELECT row FROM mentions WHERE bank_id = $1 AND entity = $2 ORDER BY row

-- name: insert_mentions
INSERT INTO mentions (bank_id, entity, row)
SELECT s.bank_id, n.entity, n.row
FROM bank_state AS s CROSS JOIN unnest($2::INTEGER[], $3::INTEGER[]) AS n (entity, row)
WHERE s.bank_id = $1
ON CONFLICT (bank_id, entity, row) DO NOTHING

-- name: delete_mentions
DELETE FROM mentions AS m USING unnest($2::INTEGER[], $3::INTEGER[]) AS n (entity, row)
WHERE m.bank_id = $1 AND m.entity = n.entity AND m.row = n.row

-- name: insert_entities
INSERT INTO entities (bank_id, id, name, kind, explicit, mentions)
SELECT s.bank_id, n.id, n.name, n.kind, n.explicit, n.mentions FROM bank_state AS s
CROSS JOIN unnest($2::INTEGER[], $3::TEXT[], $4::TEXT[], $5::BOOLEAN[], $6::INTEGER[])
    AS n (id, name, kind, explicit, mentions)
WHERE s.bank_id = $1

-- name: insert_entity
INSERT INTO entities (bank_id, id, name, kind, explicit, mentions) VALUES ($1, $2, $3, $4, $5, 0)

-- name: entities_after
SELECT e.id, e.name, e.kind, e.explicit,
    ARRAY(SELECT a.alias FROM aliases AS a
        WHERE a.bank_id = $1 AND a.entity = e.id ORDER BY a.confidence DESC, a.alias),
    ARRAY(SELECT a.confidence FROM aliases AS a
        WHERE a.bank_id = $1 AND a.entity = e.id ORDER BY a.confidence DESC, a.alias)
FROM entities AS e WHERE e.bank_id = $1 AND e.id > $2 ORDER BY e.id LIMIT $3

-- name: put_entity
INSERT INTO entities (bank_id, id, name, kind, explicit, mentions) VALUES ($1, $2, $3, $4, $5, 0)
ON CONFLICT (bank_id, id) DO NOTHING

-- name: put_alias
INSERT INTO aliases (bank_id, alias, entity, confidence) VALUES ($1, $2, $3, $4)
ON CONFLICT (bank_id, alias, entity) DO NOTHING

-- name: skip_entities
UPDATE bank_state SET next_entity = GREATEST(next_entity, $2 + 1) WHERE bank_id = $1

-- name: mark_explicit
UPDATE entities SET explicit = true WHERE bank_id = $1 AND id = ANY($2::INTEGER[]) AND NOT explicit

-- name: mention_entities
-- A full name that is told replaces the short one, which stays among the aliases.
UPDATE entities AS e
SET mentions = e.mentions + n.more, explicit = e.explicit OR n.explicit, name = COALESCE(n.name, e.name)
FROM unnest($2::INTEGER[], $3::INTEGER[], $4::BOOLEAN[], $5::TEXT[]) AS n (entity, more, explicit, name)
WHERE e.bank_id = $1 AND e.id = n.entity

-- name: count_mentions
UPDATE entities AS e SET mentions = e.mentions + n.more
FROM unnest($2::INTEGER[], $3::INTEGER[]) AS n (entity, more)
WHERE e.bank_id = $1 AND e.id = n.entity

-- name: recount_mentions
UPDATE entities AS e SET mentions = (
    SELECT COUNT(*) FROM mentions AS m WHERE m.bank_id = $1 AND m.entity = e.id)
WHERE e.bank_id = $1 AND e.id = ANY($2::INTEGER[])

-- name: name_entities
INSERT INTO aliases (bank_id, alias, entity, confidence)
SELECT s.bank_id, n.alias, n.entity, MAX(n.confidence) FROM bank_state AS s
CROSS JOIN unnest($2::TEXT[], $3::INTEGER[], $4::FLOAT8[]) AS n (alias, entity, confidence)
WHERE s.bank_id = $1 GROUP BY s.bank_id, n.alias, n.entity
ON CONFLICT (bank_id, alias, entity)
DO UPDATE SET confidence = GREATEST(aliases.confidence, excluded.confidence)

-- name: insert_aliases
INSERT INTO aliases (bank_id, alias, entity, confidence)
SELECT s.bank_id, n.alias, $2::INTEGER, MAX(n.confidence)
FROM bank_state AS s CROSS JOIN unnest($3::TEXT[], $4::FLOAT8[]) AS n (alias, confidence)
WHERE s.bank_id = $1 GROUP BY s.bank_id, n.alias
ON CONFLICT (bank_id, alias, entity)
DO UPDATE SET confidence = GREATEST(aliases.confidence, excluded.confidence)

-- name: named
SELECT n.place, n.alias, a.entity, e.name, e.kind, a.confidence, e.mentions
FROM unnest($2::TEXT[]) WITH ORDINALITY AS n (alias, place)
CROSS JOIN LATERAL (
    SELECT x.entity, x.confidence FROM aliases AS x WHERE x.bank_id = $1 AND x.alias = n.alias
    ORDER BY x.confidence DESC, x.entity LIMIT 64) AS a
-- One by one: joined, all entities of the bank would be read for a few.
CROSS JOIN LATERAL (
    SELECT y.name, y.kind, y.mentions FROM entities AS y
    WHERE y.bank_id = $1 AND y.id = a.entity LIMIT 1) AS e

-- name: lookup_aliases
SELECT f.alias, f.entity, f.name, f.kind, f.confidence, f.mentions FROM ({named}) AS f
ORDER BY f.place, f.confidence DESC, f.mentions DESC, f.entity

-- name: whole_names
-- Of many short names, most of which are only parts of some.
SELECT n.alias FROM unnest($2::TEXT[]) AS n (alias)
WHERE EXISTS (
    SELECT 1 FROM aliases AS x WHERE x.bank_id = $1 AND x.alias = n.alias AND x.confidence = 1)

-- name: get_entities
SELECT e.id, e.name, e.kind, ARRAY(SELECT a.alias FROM aliases AS a
    WHERE a.bank_id = $1 AND a.entity = e.id ORDER BY a.confidence DESC, a.alias), e.mentions
FROM entities AS e WHERE e.bank_id = $1 AND e.id = ANY($2::INTEGER[])

-- name: list_entities
SELECT e.id FROM entities AS e
WHERE e.bank_id = $1 AND ($2::TEXT IS NULL OR e.id IN (
    SELECT a.entity FROM aliases AS a WHERE a.bank_id = $1 AND strpos(a.alias, $2::TEXT) > 0))
ORDER BY e.mentions DESC, e.id LIMIT $3 OFFSET $4

-- name: orphan_entities
SELECT e.id FROM entities AS e
WHERE e.bank_id = $1 AND e.id = ANY($2::INTEGER[]) AND e.mentions = 0
AND (NOT e.explicit OR $3::BOOLEAN)
AND NOT EXISTS (SELECT 1 FROM relations AS r WHERE r.bank_id = $1 AND r.subject = e.id)
AND NOT EXISTS (SELECT 1 FROM relations AS r WHERE r.bank_id = $1 AND r.object = e.id)

-- name: delete_entities
DELETE FROM entities WHERE bank_id = $1 AND id = ANY($2::INTEGER[])

-- name: delete_aliases
DELETE FROM aliases WHERE bank_id = $1 AND entity = ANY($2::INTEGER[])

-- name: copy_aliases
INSERT INTO aliases (bank_id, alias, entity, confidence)
SELECT a.bank_id, a.alias, $2::INTEGER, a.confidence FROM aliases AS a
WHERE a.bank_id = $1 AND a.entity = $3
ON CONFLICT (bank_id, alias, entity) DO NOTHING

-- name: put_relation
INSERT INTO relations (bank_id, id, subject, relation, object, class, confidence, valid_from,
    valid_to, told, row)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
ON CONFLICT (bank_id, subject, relation, object, row) DO UPDATE SET class = excluded.class,
    confidence = excluded.confidence, valid_from = excluded.valid_from,
    valid_to = excluded.valid_to, told = relations.told OR excluded.told
RETURNING id

-- name: put_relations
INSERT INTO relations (bank_id, id, subject, relation, object, class, confidence, valid_from,
    valid_to, told, row)
SELECT s.bank_id, n.id, n.subject, n.relation, n.object, n.class, n.confidence, n.valid_from,
    n.valid_to, n.told, n.row
FROM bank_state AS s
CROSS JOIN unnest($2::INTEGER[], $3::INTEGER[], $4::TEXT[], $5::INTEGER[], $6::TEXT[], $7::FLOAT8[],
    $8::BIGINT[], $9::BIGINT[], $10::BOOLEAN[], $11::INTEGER[])
    AS n (id, subject, relation, object, class, confidence, valid_from, valid_to, told, row)
WHERE s.bank_id = $1
ON CONFLICT (bank_id, subject, relation, object, row) DO UPDATE SET class = excluded.class,
    confidence = excluded.confidence, valid_from = excluded.valid_from,
    valid_to = excluded.valid_to, told = relations.told OR excluded.told

-- name: relations_after
SELECT r.id, r.subject, r.object, s.name, r.relation, o.name, r.class, r.confidence, r.valid_from,
    r.valid_to, r.told, u.id
FROM relations AS r
JOIN entities AS s ON s.bank_id = $1 AND s.id = r.subject
JOIN entities AS o ON o.bank_id = $1 AND o.id = r.object
LEFT JOIN units AS u ON u.bank_id = $1 AND u.row = r.row
WHERE r.bank_id = $1 AND r.id > $2 ORDER BY r.id LIMIT $3

-- name: copy_relation
INSERT INTO relations (bank_id, id, subject, relation, object, class, confidence, valid_from,
    valid_to, told, row)
SELECT s.bank_id, $2, $3, $4, $5, $6, $7, $8, $9, $10, u.row
FROM bank_state AS s LEFT JOIN units AS u ON u.bank_id = $1 AND u.bank_id = s.bank_id AND u.id = $11
WHERE s.bank_id = $1
ON CONFLICT DO NOTHING

-- name: skip_relations
UPDATE bank_state SET next_relation = GREATEST(next_relation, $2 + 1) WHERE bank_id = $1

-- name: delete_relations_of_rows
DELETE FROM relations WHERE bank_id = $1 AND row = ANY($2::INTEGER[]) RETURNING subject, object

-- name: delete_read_relations
DELETE FROM relations WHERE bank_id = $1 AND row = ANY($2::INTEGER[]) AND NOT told
RETURNING subject, object

-- name: move_relation_subjects
UPDATE relations AS r SET subject = $2 WHERE r.bank_id = $1 AND r.subject = $3 AND NOT EXISTS (
    SELECT 1 FROM relations AS x WHERE x.bank_id = $1 AND x.subject = $2
    AND x.relation = r.relation AND x.object = r.object AND x.row IS NOT DISTINCT FROM r.row)

-- name: move_relation_objects
UPDATE relations AS r SET object = $2 WHERE r.bank_id = $1 AND r.object = $3 AND NOT EXISTS (
    SELECT 1 FROM relations AS x WHERE x.bank_id = $1 AND x.object = $2
    AND x.relation = r.relation AND x.subject = r.subject AND x.row IS NOT DISTINCT FROM r.row)

-- name: delete_relations_of_entity
DELETE FROM relations WHERE bank_id = $1 AND (subject = $2 OR object = $2)
RETURNING subject, object

-- name: unmentioned_by_alias
SELECT e.id FROM aliases AS a JOIN entities AS e ON e.bank_id = $1 AND e.id = a.entity
WHERE a.bank_id = $1 AND a.alias = $2::TEXT AND e.mentions = 0

-- name: unmentioned_by_number
SELECT id FROM entities WHERE bank_id = $1 AND id = $2::BIGINT AND mentions = 0

-- name: move_relation_rows
UPDATE relations SET row = $2 WHERE bank_id = $1 AND row = $3

-- name: list_relations
SELECT r.subject, r.object, r.id, r.relation, r.class, r.confidence, r.valid_from, r.valid_to,
    r.told, u.id
FROM relations AS r LEFT JOIN units AS u ON u.bank_id = $1 AND u.row = r.row
WHERE r.bank_id = $1 ORDER BY r.id LIMIT $2 OFFSET $3

-- name: relation_said_by
SELECT r.id FROM units AS u JOIN relations AS r ON r.bank_id = $1 AND r.row = u.row
WHERE u.bank_id = $1 AND u.id = $2 AND r.relation = $3 ORDER BY r.told DESC, r.id DESC LIMIT 1

-- name: sessions_of_rows
SELECT DISTINCT u.session FROM units AS u
WHERE u.bank_id = $1 AND u.row = ANY($2::INTEGER[]) AND u.session IS NOT NULL

-- name: delete_empty_sessions
DELETE FROM sessions AS s
WHERE s.bank_id = $1 AND (s.id = ANY($2::INTEGER[]) OR s.name = $3::TEXT)
AND NOT EXISTS (SELECT 1 FROM units AS u WHERE u.bank_id = $1 AND u.session = s.id)

-- name: numbers_of_sessions
SELECT name, id FROM sessions WHERE bank_id = $1 AND name = ANY($2::TEXT[])

-- name: put_sessions
INSERT INTO sessions (bank_id, id, name, started_at, last_at)
SELECT s.bank_id, n.id, n.name, n.started_at, n.last_at FROM bank_state AS s
CROSS JOIN unnest($2::INTEGER[], $3::TEXT[], $4::BIGINT[], $5::BIGINT[])
    AS n (id, name, started_at, last_at)
WHERE s.bank_id = $1
ON CONFLICT (bank_id, name) DO UPDATE
SET started_at = LEAST(sessions.started_at, excluded.started_at),
    last_at = GREATEST(sessions.last_at, excluded.last_at)

-- name: insert_session
INSERT INTO sessions (bank_id, id, name, started_at, last_at) VALUES ($1, $2, $3, $4, $5)

-- name: reopen_session
UPDATE sessions SET ended_at = NULL WHERE bank_id = $1 AND name = $2 RETURNING id

-- name: end_session
UPDATE sessions SET ended_at = GREATEST($3, started_at), last_at = GREATEST(last_at, $3)
WHERE bank_id = $1 AND name = $2

-- name: get_session
SELECT s.name, s.started_at, s.last_at, s.ended_at, (
    SELECT COUNT(*) FROM units AS u WHERE u.bank_id = $1 AND u.session = s.id)
FROM sessions AS s WHERE s.bank_id = $1 AND s.name = $2

-- name: list_sessions
SELECT s.name, s.started_at, s.last_at, s.ended_at, (
    SELECT COUNT(*) FROM units AS u WHERE u.bank_id = $1 AND u.session = s.id)
FROM (SELECT * FROM sessions WHERE bank_id = $1
    ORDER BY $2::BIGINT * started_at, $2::BIGINT * id LIMIT $3::BIGINT OFFSET $4::BIGINT) AS s
ORDER BY $2::BIGINT * s.started_at, $2::BIGINT * s.id

-- name: session_times
SELECT s.name, s.started_at, COALESCE(s.ended_at, s.last_at), s.ended_at IS NULL
FROM sessions AS s WHERE s.bank_id = $1 ORDER BY s.started_at, s.id

-- name: session_rows
SELECT u.row FROM units AS u WHERE u.bank_id = $1 AND u.session = (
    SELECT s.id FROM sessions AS s WHERE s.bank_id = $1 AND s.name = $2)
ORDER BY u.row DESC LIMIT $3

-- name: filtered
u.bank_id = $1
AND ($2::TEXT[] IS NULL OR u.id = ANY($2::TEXT[]))
AND ($3::SMALLINT[] IS NULL OR u.type = ANY($3::SMALLINT[]))
AND ($4::TEXT[] IS NULL OR u.row IN (
    SELECT g.row FROM unit_tags AS g WHERE g.bank_id = $1 AND g.tag = ANY($4::TEXT[])
    GROUP BY g.row HAVING COUNT(*) = CARDINALITY($4::TEXT[])))
AND ($5::TEXT IS NULL OR NOT EXISTS (
    SELECT 1 FROM jsonb_each($5::TEXT::JSONB) AS m
    WHERE COALESCE(u.metadata, '{}')::JSONB -> m.key IS DISTINCT FROM m.value))
AND ($6::TEXT IS NULL OR u.session = (
    SELECT s.id FROM sessions AS s WHERE s.bank_id = $1 AND s.name = $6::TEXT))
AND ($7::TEXT IS NULL OR u.speaker = $7::TEXT)
AND ($8::TEXT IS NULL OR u.key = $8::TEXT)
AND ($9::INTEGER[] IS NULL OR u.row IN (
    SELECT n.row FROM mentions AS n WHERE n.bank_id = $1 AND n.entity = ANY($9::INTEGER[])))
AND ($10::BIGINT IS NULL OR u.row IN (
    SELECT n.row FROM mentions AS n WHERE n.bank_id = $1 AND n.entity = $10::BIGINT))
AND ($11::BIGINT IS NULL OR u.told_at >= $11::BIGINT)
AND ($12::BIGINT IS NULL OR u.told_at <= $12::BIGINT)
AND ($13::BIGINT IS NULL
    OR COALESCE(u.occurred_end, u.occurred_start, u.told_at) >= $13::BIGINT)
AND ($14::BIGINT IS NULL OR COALESCE(u.occurred_start, u.told_at) <= $14::BIGINT)
AND ($15::BIGINT IS NULL
    OR COALESCE(u.valid_from <= $15::BIGINT, true)
    AND (COALESCE(u.valid_to > $15::BIGINT, true) OR u.closed_at > $16::BIGINT))
AND ($16::BIGINT IS NULL OR u.told_at <= $16::BIGINT)
AND ($17::INTEGER[] IS NULL OR u.row IN (SELECT x.row FROM unnest($17::INTEGER[]) AS x (row)))
AND ($18::TEXT IS NULL OR u.author = $18::TEXT)
AND ($19::TEXT IS NULL OR u.origin = $19::TEXT)

-- name: matching_units
SELECT u.id FROM units AS u WHERE {filtered} ORDER BY u.row

-- name: count_matching
SELECT COUNT(*) FROM units AS u WHERE {filtered}

-- name: time_bounds
SELECT MIN(t.at), MAX(t.at), COUNT(*), COUNT(*) - COUNT(t.at) FROM (
    SELECT CASE $20::TEXT WHEN 'told' THEN u.told_at ELSE u.occurred_start END AS at
    FROM units AS u WHERE {filtered}) AS t

-- name: time_counts
SELECT t.place, t.type, COUNT(*) FROM (
    SELECT u.type, width_bucket(
        CASE $20::TEXT WHEN 'told' THEN u.told_at ELSE u.occurred_start END, $21::BIGINT[]) AS place
    FROM units AS u WHERE {filtered}) AS t
WHERE t.place BETWEEN 1 AND CARDINALITY($21::BIGINT[]) - 1 GROUP BY t.place, t.type

-- name: page_by_row
SELECT u.row::BIGINT, u.row FROM units AS u WHERE {filtered} AND u.row > $20 ORDER BY u.row LIMIT $21 OFFSET $22

-- name: page_by_key
SELECT p.key, p.row FROM (
    SELECT u.row, $20::BIGINT * u.row AS tie, $20::BIGINT * CASE $21::TEXT
        WHEN 'told' THEN u.told_at WHEN 'occurred' THEN COALESCE(u.occurred_start, u.told_at)
        ELSE u.row END AS key
    FROM units AS u WHERE {filtered}) AS p
WHERE $22::BIGINT IS NULL OR (p.key, p.tie) > ($22::BIGINT, $20::BIGINT * $23::BIGINT)
ORDER BY p.key, p.tie LIMIT $24 OFFSET $25

-- name: put_pending
INSERT INTO pending (bank_id, id, identity, created_at, unit) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (bank_id, id) DO NOTHING

-- name: list_pending
SELECT id, identity, created_at, unit FROM pending WHERE bank_id = $1 ORDER BY id LIMIT $2 OFFSET $3

-- name: find_pending
SELECT id, identity, created_at, unit FROM pending
WHERE bank_id = $1 AND (id = ANY($2::TEXT[]) OR identity = ANY($3::BIGINT[])) ORDER BY id

-- name: drop_pending
DELETE FROM pending WHERE bank_id = $1 AND id = ANY($2::TEXT[])

-- name: pending_bytes
SELECT COALESCE(SUM(octet_length(unit)), 0)::BIGINT FROM pending WHERE bank_id = $1

-- name: count_pending
SELECT COUNT(*) FROM pending WHERE bank_id = $1

-- name: postings_between
SELECT block, packed FROM postings WHERE bank_id = $1 AND term >= $2 AND term < $3 LIMIT $4

-- name: close_validity
WITH counted AS (UPDATE bank_state SET changes = changes + 1 WHERE bank_id = $1)
UPDATE units SET valid_to = $3, closed_at = $4, superseded_by = $5 WHERE bank_id = $1 AND id = $2

-- name: begin_validity
UPDATE units SET supersedes = $3,
    valid_from = CASE WHEN valid_from IS NULL AND COALESCE(valid_to >= $4, true) THEN $4 ELSE valid_from END
WHERE bank_id = $1 AND id = $2

-- name: in_lineage
SELECT id FROM units WHERE bank_id = $1 AND id = ANY($2::TEXT[])
    AND (supersedes IS NOT NULL OR superseded_by IS NOT NULL)

-- name: bridge_superseded
UPDATE units SET superseded_by = (
    SELECT u.superseded_by FROM units AS u WHERE u.bank_id = $1 AND u.id = $2)
WHERE bank_id = $1 AND superseded_by = $2 RETURNING id

-- name: bridge_superseding
UPDATE units SET supersedes = (
    SELECT u.supersedes FROM units AS u WHERE u.bank_id = $1 AND u.id = $2)
WHERE bank_id = $1 AND supersedes = $2

-- name: without_successor
SELECT id FROM units WHERE bank_id = $1 AND id = ANY($2::TEXT[]) AND superseded_by IS NULL
ORDER BY row

-- name: unlink_superseding
UPDATE units SET supersedes = NULL WHERE bank_id = $1 AND supersedes = $2

-- name: lineage
SELECT supersedes, superseded_by, created_at FROM units WHERE bank_id = $1 AND row = $2

-- name: delete_units
DELETE FROM units WHERE bank_id = $1 AND row = ANY($2::INTEGER[])

-- name: delete_tags
DELETE FROM unit_tags WHERE bank_id = $1 AND row = ANY($2::INTEGER[])

-- name: delete_vectors
DELETE FROM vectors WHERE bank_id = $1 AND row = ANY($2::INTEGER[])

-- name: delete_next_vectors
DELETE FROM vectors_next WHERE bank_id = $1 AND row = ANY($2::INTEGER[])

-- name: stats
SELECT
    (SELECT COUNT(*) FROM units AS u WHERE u.bank_id = $1),
    (SELECT COUNT(*) FROM entities AS e WHERE e.bank_id = $1),
    (SELECT COUNT(*) FROM relations AS r WHERE r.bank_id = $1),
    (SELECT COUNT(*) FROM sessions AS s WHERE s.bank_id = $1),
    (SELECT COALESCE(SUM(length(l.packed)), 0)::BIGINT FROM links AS l WHERE l.bank_id = $1),
    (SELECT COUNT(*) FROM vectors AS v WHERE v.bank_id = $1),
    (SELECT COUNT(DISTINCT p.term) FROM postings AS p WHERE p.bank_id = $1),
    (SELECT MIN(u.told_at) FROM units AS u WHERE u.bank_id = $1),
    (SELECT MAX(u.told_at) FROM units AS u WHERE u.bank_id = $1),
    (SELECT COUNT(*) FROM pending AS p WHERE p.bank_id = $1),
    (SELECT COALESCE(SUM({told_bytes}), 0)::BIGINT FROM units WHERE bank_id = $1)

-- name: get_last_look
SELECT last_look FROM bank_state WHERE bank_id = $1

-- name: set_last_look
UPDATE bank_state SET last_look = $2 WHERE bank_id = $1

-- name: disk_bytes
SELECT
    (SELECT COALESCE(SUM(pg_column_size(u.*)), 0) FROM units AS u WHERE u.bank_id = $1)
    + (SELECT COALESCE(SUM(pg_column_size(v.*)), 0) FROM vectors AS v WHERE v.bank_id = $1)
    + (SELECT COALESCE(SUM(pg_column_size(p.*)), 0) FROM postings AS p WHERE p.bank_id = $1)
    + (SELECT COALESCE(SUM(pg_column_size(l.*)), 0) FROM links AS l WHERE l.bank_id = $1)

-- name: count_by_type
SELECT type, COUNT(*) FROM units WHERE bank_id = $1 GROUP BY type ORDER BY type

-- name: rows_without_vector
SELECT u.row FROM units AS u WHERE u.bank_id = $1 AND u.row > $2 AND NOT EXISTS (
    SELECT 1 FROM vectors AS v WHERE v.bank_id = $1 AND v.row = u.row)
ORDER BY u.row LIMIT $3

-- name: rows_not_reembedded
SELECT u.row FROM units AS u WHERE u.bank_id = $1 AND u.row > $2 AND NOT EXISTS (
    SELECT 1 FROM vectors_next AS v WHERE v.bank_id = $1 AND v.row = u.row)
ORDER BY u.row LIMIT $3

-- name: put_next_vectors
INSERT INTO vectors_next (bank_id, row, vector, late)
SELECT u.bank_id, n.row, n.vector, n.late FROM units AS u
JOIN unnest($2::INTEGER[], $3::HALFVEC[], $4::BYTEA[]) AS n (row, vector, late) ON u.row = n.row
WHERE u.bank_id = $1
ON CONFLICT (bank_id, row) DO UPDATE SET vector = excluded.vector, late = excluded.late

-- name: clear_next_vectors
DELETE FROM vectors_next WHERE bank_id = $1

-- name: adopt_next_vectors
INSERT INTO vectors (bank_id, row, type, vector, late)
SELECT n.bank_id, n.row, u.type, n.vector, n.late
FROM vectors_next AS n JOIN units AS u ON u.bank_id = $1 AND u.row = n.row
WHERE n.bank_id = $1

-- name: late_of_rows
SELECT row, late FROM vectors WHERE bank_id = $1 AND row = ANY($2::INTEGER[]) AND late IS NOT NULL

-- name: put_late
UPDATE vectors AS v SET late = n.late FROM unnest($2::INTEGER[], $3::BYTEA[]) AS n (row, late)
WHERE v.bank_id = $1 AND v.row = n.row

-- name: clear_late
UPDATE vectors SET late = NULL WHERE bank_id = $1 AND late IS NOT NULL

-- name: clear_next_late
UPDATE vectors_next SET late = NULL WHERE bank_id = $1 AND late IS NOT NULL

-- name: clear_vectors
DELETE FROM vectors WHERE bank_id = $1

-- name: document_totals
SELECT s.documents, s.total_length, (SELECT COUNT(*) FROM units AS u WHERE u.bank_id = $1),
    (SELECT COALESCE(SUM(u.length), 0)::BIGINT FROM units AS u WHERE u.bank_id = $1)
FROM bank_state AS s WHERE s.bank_id = $1

-- name: all_mention_pairs
SELECT entity, row FROM mentions WHERE bank_id = $1

-- name: all_named_pairs
SELECT n.entity, u.row FROM units AS u CROSS JOIN LATERAL unnest(u.entities) AS n (entity)
WHERE u.bank_id = $1

-- name: mention_counts_wrong
SELECT e.id, e.mentions, (
    SELECT COUNT(*) FROM mentions AS m WHERE m.bank_id = $1 AND m.entity = e.id)
FROM entities AS e WHERE e.bank_id = $1 AND e.mentions <> (
    SELECT COUNT(*) FROM mentions AS m WHERE m.bank_id = $1 AND m.entity = e.id)
ORDER BY e.id

-- name: mentions_without_unit
SELECT DISTINCT m.row FROM mentions AS m WHERE m.bank_id = $1 AND NOT EXISTS (
    SELECT 1 FROM units AS u WHERE u.bank_id = $1 AND u.row = m.row) ORDER BY m.row

-- name: vectors_without_unit
SELECT v.row FROM vectors AS v WHERE v.bank_id = $1 AND NOT EXISTS (
    SELECT 1 FROM units AS u WHERE u.bank_id = $1 AND u.row = v.row) ORDER BY v.row

-- name: units_without_vector
SELECT u.row FROM units AS u WHERE u.bank_id = $1 AND NOT EXISTS (
    SELECT 1 FROM vectors AS v WHERE v.bank_id = $1 AND v.row = u.row) ORDER BY u.row

-- name: links_without_unit
SELECT l.row FROM links AS l WHERE l.bank_id = $1 AND NOT EXISTS (
    SELECT 1 FROM units AS u WHERE u.bank_id = $1 AND u.row = l.row) ORDER BY l.row

-- name: links_after
SELECT row, packed FROM links WHERE bank_id = $1 AND row > $2 ORDER BY row LIMIT $3

-- name: all_rows
SELECT row FROM units WHERE bank_id = $1 ORDER BY row

-- name: delete_mentions_of_rows
DELETE FROM mentions WHERE bank_id = $1 AND row = ANY($2::INTEGER[])

-- name: erase_bank
WITH gone_units AS (DELETE FROM units WHERE bank_id = $1),
gone_tags AS (DELETE FROM unit_tags WHERE bank_id = $1),
gone_vectors AS (DELETE FROM vectors WHERE bank_id = $1),
gone_next AS (DELETE FROM vectors_next WHERE bank_id = $1),
gone_postings AS (DELETE FROM postings WHERE bank_id = $1),
gone_links AS (DELETE FROM links WHERE bank_id = $1),
gone_mentions AS (DELETE FROM mentions WHERE bank_id = $1),
gone_relations AS (DELETE FROM relations WHERE bank_id = $1),
gone_aliases AS (DELETE FROM aliases WHERE bank_id = $1),
gone_entities AS (DELETE FROM entities WHERE bank_id = $1),
gone_sessions AS (DELETE FROM sessions WHERE bank_id = $1),
gone_judgements AS (DELETE FROM judgements WHERE bank_id = $1),
gone_pending AS (DELETE FROM pending WHERE bank_id = $1),
gone_requests AS (DELETE FROM requests WHERE bank_id = $1)
DELETE FROM bank_state WHERE bank_id = $1

-- name: put_judgement
INSERT INTO judgements (bank_id, asked_at, question, unit, missed) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (bank_id, asked_at, md5(question), unit) DO UPDATE SET missed = excluded.missed

-- name: judgements
SELECT asked_at, question, unit, missed FROM judgements WHERE bank_id = $1
ORDER BY asked_at, question, unit

-- name: delete_judgements
-- All that was said of an answer goes with any unit it names: its question may tell what that unit did.
-- Not by a list of pairs, which a cluster cannot hand on.
DELETE FROM judgements AS j WHERE j.bank_id = $1 AND EXISTS (
    SELECT 1 FROM judgements AS n WHERE n.bank_id = $1 AND n.asked_at = j.asked_at
        AND n.question = j.question AND n.unit = ANY($2::TEXT[]))
