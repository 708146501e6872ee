import type pg from 'pg'

type Client = pg.Client | pg.Pool

/**
 * Fills tables without their secondary indexes and builds those afterwards. The schema ends unchanged and analyzed.
 */
export async function behindIndexes(
  clients: readonly Client[],
  tables: readonly string[],
  fill: () => Promise<unknown>,
) {
  const indexes = await indexesOf(clients[0], tables)
  await inParallel(
    clients.slice(0, 1),
    indexes.map(({ name }) => `drop index ${name}`),
  )
  await fill()
  await inParallel(
    clients,
    indexes.map(({ text }) => text),
  )
  await inParallel(
    clients,
    tables.map((name) => `vacuum analyze ${name}`),
  )
  if (JSON.stringify(await indexesOf(clients[0], tables)) !== JSON.stringify(indexes))
    throw new Error('the indexes are not those of the schema')
}

async function indexesOf(client: Client | undefined, tables: readonly string[]) {
  const found = await client?.query<{ name: string; text: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as text from pg_index i
      where indrelid = any ($1::regclass[]) and not indisprimary
        and not exists (select from pg_constraint c where c.conindid = i.indexrelid) order by 1`,
    [tables],
  )
  return found?.rows ?? []
}

/** Each connection takes the next statement as soon as it is free. */
export async function inParallel(clients: readonly Client[], texts: readonly string[]) {
  const waiting = [...texts]
  const work = async (client: Client) => {
    for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) await client.query(text)
  }
  await Promise.all(clients.map(work))
}
