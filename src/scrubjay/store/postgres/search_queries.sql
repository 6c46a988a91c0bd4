-- Arms of one search statement, joined by UNION ALL (index/arms.py). All take the same values:
-- $2 to $10 a scope, $12 and $13 the question, $14 the types that are scanned, $15 and $16 how many
-- by scan and by graph, $17 words, $18 entities, $19 mentions of each, $20 rows, $21 to $30 a second
-- scope, $31 the first block of each word, $32 how
-- many units of each entity tell what they say. Each answers (what it is, a word, packed numbers, more of them), so that a thousand hits
-- are one row.

-- name: chosen
-- Up to {few} units of a narrow scope: so few are compared one by one, in a graph one would look at
-- many that are outside. It stands before the arms; those in a scope are for many then.
WITH chosen AS MATERIALIZED (SELECT u.row FROM units AS u WHERE {scope} LIMIT {few})

-- name: arm_few
SELECT 1::SMALLINT, NULL::TEXT, string_agg(int4send(n.row) || halfvec_send(n.vector), ''::BYTEA),
    NULL::BYTEA
FROM (
    SELECT v.row, v.vector FROM vectors AS v
    WHERE v.bank_id = $1 AND v.row = ANY(ARRAY(SELECT c.row FROM chosen AS c))
        AND (SELECT COUNT(*) FROM chosen) < {few}
    ORDER BY v.vector::VECTOR <#> $12::VECTOR, v.row LIMIT $15) AS n

-- name: arm_few_each
SELECT 1::SMALLINT, n.type::TEXT, string_agg(int4send(n.row) || halfvec_send(n.vector), ''::BYTEA),
    NULL::BYTEA
FROM (
    SELECT v.type, v.row, v.vector, row_number() OVER (
        PARTITION BY v.type ORDER BY v.vector::VECTOR <#> $12::VECTOR, v.row) AS place
    FROM vectors AS v
    WHERE v.bank_id = $1 AND v.row = ANY(ARRAY(SELECT c.row FROM chosen AS c))
        AND (SELECT COUNT(*) FROM chosen) < {few}) AS n
WHERE n.place <= $15 GROUP BY n.type

-- name: arm_given
SELECT 0::SMALLINT AS arm, NULL::TEXT AS word, NULL::BYTEA AS packed, NULL::BYTEA AS sizes
FROM units AS u
-- Never true, and so never run; but every statement then knows the types of all its values.
WHERE false AND {scope} AND {second_scope} AND ($12::VECTOR, $13::HALFVEC, $14::SMALLINT[], $15::INTEGER, $16::INTEGER,
    $17::TEXT[], $18::INTEGER[], $19::INTEGER, $20::INTEGER[], $31::INTEGER[], $32::INTEGER) IS NULL

-- name: arm_scanned
SELECT 1::SMALLINT, NULL::TEXT, string_agg(int4send(n.row) || halfvec_send(n.vector), ''::BYTEA),
    NULL::BYTEA
FROM (
    SELECT v.row, v.vector FROM vectors AS v
    WHERE v.bank_id = $1 AND v.type = ANY($14::SMALLINT[])
    ORDER BY v.vector::VECTOR <#> $12::VECTOR, v.row LIMIT $15) AS n

-- name: arm_scanned_in_scope
SELECT 1::SMALLINT, NULL::TEXT, string_agg(int4send(n.row) || halfvec_send(n.vector), ''::BYTEA),
    NULL::BYTEA
FROM (
    SELECT v.row, v.vector FROM vectors AS v JOIN units AS u ON u.bank_id = $1 AND u.row = v.row
    WHERE v.bank_id = $1 AND v.type = ANY($14::SMALLINT[]) AND {scope} {many}
    ORDER BY v.vector::VECTOR <#> $12::VECTOR, v.row LIMIT $15) AS n

-- name: arm_scanned_each
SELECT 1::SMALLINT, t.type::TEXT, string_agg(int4send(n.row) || halfvec_send(n.vector), ''::BYTEA),
    NULL::BYTEA
FROM unnest($14::SMALLINT[]) AS t (type)
CROSS JOIN LATERAL (
    SELECT v.row, v.vector FROM vectors AS v WHERE v.bank_id = $1 AND v.type = t.type
    ORDER BY v.vector::VECTOR <#> $12::VECTOR, v.row LIMIT $15) AS n
GROUP BY t.type

-- name: arm_scanned_each_in_scope
SELECT 1::SMALLINT, t.type::TEXT, string_agg(int4send(n.row) || halfvec_send(n.vector), ''::BYTEA),
    NULL::BYTEA
FROM unnest($14::SMALLINT[]) AS t (type)
CROSS JOIN LATERAL (
    SELECT v.row, v.vector FROM vectors AS v JOIN units AS u ON u.bank_id = $1 AND u.row = v.row
    WHERE v.bank_id = $1 AND v.type = t.type AND {scope} {many}
    ORDER BY v.vector::VECTOR <#> $12::VECTOR, v.row LIMIT $15) AS n
GROUP BY t.type

-- name: arm_graph
SELECT 1::SMALLINT, NULLIF({type}, -1)::TEXT, string_agg(int4send(n.row) || halfvec_send(n.vector), ''::BYTEA),
    NULL::BYTEA
FROM (
    SELECT v.row, v.vector FROM vectors AS v
    WHERE v.bank_id = $1 AND ({type} = -1 OR v.type = {type})
        AND vector_dims(v.vector) = {dimension}
    ORDER BY v.vector::HALFVEC({dimension}) <#> $13::HALFVEC({dimension}) LIMIT $16) AS n

-- name: arm_graph_in_scope
SELECT 1::SMALLINT, NULLIF({type}, -1)::TEXT, string_agg(int4send(n.row) || halfvec_send(n.vector), ''::BYTEA),
    NULL::BYTEA
FROM (
    SELECT v.row, v.vector FROM vectors AS v JOIN units AS u ON u.bank_id = $1 AND u.row = v.row
    WHERE v.bank_id = $1 AND ({type} = -1 OR v.type = {type})
        AND vector_dims(v.vector) = {dimension} AND {scope} {many}
    ORDER BY v.vector::HALFVEC({dimension}) <#> $13::HALFVEC({dimension}) LIMIT $16) AS n

-- name: arm_inside
SELECT 10::SMALLINT, NULL::TEXT, string_agg(int4send(u.row), ''::BYTEA), NULL::BYTEA
FROM units AS u WHERE {second_scope}

-- name: arm_words
-- Word by word, for so the index gives the blocks in their order.
SELECT 2::SMALLINT, w.term, n.packed, n.sizes
FROM unnest($17::TEXT[], $31::INTEGER[]) AS w (term, block)
CROSS JOIN LATERAL (
    SELECT string_agg(p.packed, ''::BYTEA ORDER BY p.block) AS packed,
        string_agg(int8send((p.block::BIGINT << 32) | length(p.packed)), ''::BYTEA ORDER BY p.block) AS sizes
    FROM postings AS p WHERE p.bank_id = $1 AND p.term = w.term AND p.block >= w.block) AS n

-- name: arm_mentions
SELECT 3::SMALLINT, NULL::TEXT, string_agg(int8send((n.entity::BIGINT << 32) | m.row), ''::BYTEA),
    NULL::BYTEA
FROM unnest($18::INTEGER[]) AS n (entity)
CROSS JOIN LATERAL (
    SELECT x.row FROM mentions AS x WHERE x.bank_id = $1 AND x.entity = n.entity
    ORDER BY x.row DESC LIMIT $19) AS m

-- name: arm_sayings
-- What the newest of these units say, and the names of whom they mention.
SELECT 12::SMALLINT, u.text, int4send(u.row), convert_to(COALESCE((
    SELECT json_agg(y.name ORDER BY n.place)::TEXT
    FROM unnest(u.entities) WITH ORDINALITY AS n (entity, place) CROSS JOIN LATERAL (
        SELECT e.name FROM entities AS e WHERE e.bank_id = $1 AND e.id = n.entity LIMIT 1) AS y
    ), '[]'), 'UTF8')
FROM units AS u WHERE u.bank_id = $1 AND u.row = ANY(ARRAY(
    SELECT m.row FROM unnest($18::INTEGER[]) AS w (entity) CROSS JOIN LATERAL (
        SELECT x.row FROM mentions AS x WHERE x.bank_id = $1 AND x.entity = w.entity
        ORDER BY x.row DESC LIMIT $32) AS m))

-- name: arm_totals
SELECT 4::SMALLINT, NULL::TEXT, string_agg(int8send((e.id::BIGINT << 32) | e.mentions), ''::BYTEA),
    NULL::BYTEA
FROM entities AS e WHERE e.bank_id = $1 AND e.id = ANY($18::INTEGER[])

-- name: arm_mention_vectors
-- The mentions, and the vectors of the units. Of many units the server says how like the question
-- they are, for their vectors are a megabyte.
SELECT n.arm, NULL::TEXT, CASE n.arm
    WHEN 5 THEN (
        SELECT string_agg(int4send(v.row) || halfvec_send(v.vector), ''::BYTEA)
        FROM vectors AS v WHERE v.bank_id = $1 AND v.row = ANY(n.rows))
    ELSE (
        SELECT string_agg(int4send(w.row) || float4send((-(w.vector::VECTOR <#> $12::VECTOR))::REAL),
            ''::BYTEA)
        FROM vectors AS w WHERE w.bank_id = $1 AND w.row = ANY(n.rows)) END,
    n.pairs
FROM (
    SELECT o.rows, o.pairs, CASE WHEN CARDINALITY(o.rows) > {sent} THEN 11 ELSE 5 END::SMALLINT AS arm
    FROM (
        SELECT array_agg(m.row) AS rows,
            string_agg(int8send((e.entity::BIGINT << 32) | m.row), ''::BYTEA) AS pairs
        FROM unnest($18::INTEGER[]) AS e (entity)
        CROSS JOIN LATERAL (
            SELECT x.row FROM mentions AS x WHERE x.bank_id = $1 AND x.entity = e.entity
            ORDER BY x.row DESC LIMIT $19) AS m OFFSET 0) AS o OFFSET 0) AS n

-- name: arm_relations
SELECT 6::SMALLINT, NULL::TEXT, convert_to(json_agg(json_build_array(n.forward, n.id, n.origin,
    n.other, n.name, n.relation, n.class, n.confidence, n.valid_from, n.valid_to, n.told, n.row,
    n.id))::TEXT, 'UTF8'),
    NULL::BYTEA
FROM (
    SELECT r.subject AS origin, r.object AS other, e.name, r.relation, r.class, r.confidence,
        r.valid_from, r.valid_to, true AS forward, r.told, r.row, r.id
    FROM unnest($18::INTEGER[]) AS w (entity) CROSS JOIN LATERAL (
        SELECT x.* FROM relations AS x WHERE x.bank_id = $1 AND x.subject = w.entity
        ORDER BY x.told DESC, x.id DESC LIMIT 200) AS r
    -- One by one: joined, all entities of the bank would be read for a few.
    CROSS JOIN LATERAL (
        SELECT y.name FROM entities AS y WHERE y.bank_id = $1 AND y.id = r.object LIMIT 1) AS e
    UNION ALL
    SELECT r.object, r.subject, e.name, r.relation, r.class, r.confidence,
        r.valid_from, r.valid_to, false, r.told, r.row, r.id
    FROM unnest($18::INTEGER[]) AS w (entity) CROSS JOIN LATERAL (
        SELECT x.* FROM relations AS x WHERE x.bank_id = $1 AND x.object = w.entity
        ORDER BY x.told DESC, x.id DESC LIMIT 200) AS r
    CROSS JOIN LATERAL (
        SELECT y.name FROM entities AS y WHERE y.bank_id = $1 AND y.id = r.subject LIMIT 1) AS e
    ) AS n

-- name: arm_links
SELECT 7::SMALLINT, NULL::TEXT, string_agg(l.packed, ''::BYTEA ORDER BY l.row),
    string_agg(int8send((l.row::BIGINT << 32) | length(l.packed)), ''::BYTEA ORDER BY l.row)
FROM links AS l WHERE l.bank_id = $1 AND l.row = ANY($20::INTEGER[])

-- name: arm_ids
SELECT 9::SMALLINT, u.id::TEXT, int4send(u.row), NULL::BYTEA
FROM units AS u WHERE u.bank_id = $1 AND u.row = ANY($20::INTEGER[])

-- name: arm_named
SELECT 8::SMALLINT, NULL::TEXT,
    string_agg(int8send((u.row::BIGINT << 32) | n.entity), ''::BYTEA ORDER BY u.row, n.place),
    NULL::BYTEA
FROM units AS u CROSS JOIN LATERAL unnest(u.entities) WITH ORDINALITY AS n (entity, place)
WHERE u.bank_id = $1 AND u.row = ANY($20::INTEGER[])

-- name: arm_named_mentions
SELECT 3::SMALLINT, NULL::TEXT, string_agg(int8send((n.entity::BIGINT << 32) | m.row), ''::BYTEA),
    NULL::BYTEA
FROM (
    SELECT DISTINCT unnest(u.entities) AS entity FROM units AS u
    WHERE u.bank_id = $1 AND u.row = ANY($20::INTEGER[])) AS n
CROSS JOIN LATERAL (
    SELECT x.row FROM mentions AS x WHERE x.bank_id = $1 AND x.entity = n.entity
    ORDER BY x.row DESC LIMIT $19) AS m

-- name: arm_named_totals
SELECT 4::SMALLINT, NULL::TEXT, string_agg(int8send((e.id::BIGINT << 32) | e.mentions), ''::BYTEA),
    NULL::BYTEA
FROM entities AS e WHERE e.bank_id = $1 AND e.id = ANY(ARRAY(
    SELECT DISTINCT unnest(u.entities) FROM units AS u
    WHERE u.bank_id = $1 AND u.row = ANY($20::INTEGER[])))

