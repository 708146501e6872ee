import type pg from 'pg'

/** From now on only the test decides when the planner looks at these tables. */
export async function lookNoMore(client: pg.Client, tables: readonly string[]) {
  for (const table of tables) await client.query(`alter table ${table} set (autovacuum_enabled = false)`)
}

/** As if nothing had ever looked at these tables: what a shop has that was just filled. */
export async function forgetLooks(client: pg.Client, tables: readonly string[]) {
  for (const table of tables) {
    await client.query(
      `select pg_clear_attribute_stats(schemaname, tablename, attname, false) from pg_stats where tablename = $1`,
      [table],
    )
    await client.query(`select pg_clear_relation_stats('public', relname) from pg_class
      where oid = '${table}'::regclass or oid in (select indexrelid from pg_index where indrelid = '${table}'::regclass)`)
  }
}

export async function look(client: pg.Client, tables: readonly string[]) {
  for (const table of tables) await client.query(`analyze ${table}`)
}
