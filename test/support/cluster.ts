import pg from 'pg'

/** Urls of the nodes of a cluster, at its database for administrators. */
export type Nodes = { coordinator: string; workers: string[] }

export async function asAdmin(url: string, ...statements: string[]) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The same server and user, another host, port or database. */
function at(url: string, { host, port, database }: { host?: string; port?: number; database: string }) {
  const made = new URL(url)
  if (host !== undefined) made.hostname = host
  if (port !== undefined) made.port = String(port)
  made.pathname = `/${database}`
  return made.toString()
}

/** The nodes that the database at `url`, that of a coordinator, knows. */
export async function nodesOf(url: string): Promise<Nodes> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ host: string; port: number }>(
      `select nodename as host, nodeport as port from pg_dist_node where groupid > 0 and noderole = 'primary' order by groupid`,
    )
    return {
      coordinator: at(url, { database: 'postgres' }),
      workers: rows.map((row) => at(url, { ...row, database: 'postgres' })),
    }
  } finally {
    await client.end()
  }
}

/** An empty database on every node, joined to a cluster. */
export async function makeClusterDatabase({ coordinator, workers }: Nodes, name: string) {
  for (const url of [coordinator, ...workers]) {
    await asAdmin(url, `drop database if exists ${name} with (force)`, `create database ${name}`)
    await asAdmin(at(url, { database: name }), 'create extension citus')
  }
  const place = (url: string) => {
    const { hostname, port } = new URL(url)
    return `'${hostname}', ${port || 5432}`
  }
  await asAdmin(
    at(coordinator, { database: name }),
    `select citus_set_coordinator_host(${place(coordinator)})`,
    ...workers.map((url) => `select citus_add_node(${place(url)})`),
  )
}

/** Lets nobody into a template any more: the engine keeps a session of its own in every database that somebody has used. */
export async function closeTemplate(urls: readonly string[], template: string) {
  for (const url of urls)
    await asAdmin(
      url,
      `alter database ${template} with allow_connections false`,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${template}'`,
    )
}

/** Clones a database on every node: each keeps what it knows of the cluster, so the clones are one as well. */
export const cloneOnNodes = (urls: readonly string[], template: string, name: string) =>
  Promise.all(urls.map((url) => asAdmin(url, `create database ${name} template ${template}`)))
