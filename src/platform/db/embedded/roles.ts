import type pg from 'pg'
import { withClient } from '../client.ts'
import type { Address } from './address.ts'
import { SERVICE_ROLE } from './cluster.ts'

/**
 * Creates the service's role and database, as the superuser of the cluster, which has no other use. In an older cluster
 * the superuser owns everything; the service's role then becomes the owner.
 */
export async function ensureDatabase(address: Address, name: string): Promise<void> {
  await asAdmin(address, 'postgres', async (client) => {
    await ensureRole(client, address.servicePassword)
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    const [database, owner] = [client.escapeIdentifier(name), SERVICE_ROLE]
    await client.query(
      rowCount === 0
        ? `create database ${database} owner ${owner}`
        : `alter database ${database} owner to ${owner}`,
    )
  })
  await asAdmin(address, name, (client) => client.query(HAND_OVER))
}

async function ensureRole(client: pg.Client, password: string | null) {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [SERVICE_ROLE])
  if (rowCount === 0) await client.query(`create role ${SERVICE_ROLE}`)
  await client.query(
    `alter role ${SERVICE_ROLE} with login nosuperuser nocreaterole noreplication nobypassrls password ${
      password === null ? 'null' : client.escapeLiteral(password)
    }`,
  )
}

async function asAdmin(address: Address, database: string, work: (client: pg.Client) => Promise<unknown>) {
  await withClient({ connectionString: address.adminUrlOf(database) }, async (client) => {
    await work(client)
  })
}

/**
 * Covers every table, sequence, view and routine of the schema outside extensions. Indexes, and the sequences of
 * columns, follow their table.
 */
const HAND_OVER = `do $$
declare
  thing text;
begin
  for thing in
    select format('%s %s', case c.relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view'
        else 'table' end, c.oid::regclass)
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'S', 'v', 'm')
        and c.relowner <> '${SERVICE_ROLE}'::regrole
        and not exists (select 1 from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass
          and (d.deptype = 'e' or c.relkind = 'S' and d.deptype in ('a', 'i')))
    union all
    select format('routine %s', p.oid::regprocedure) from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.proowner <> '${SERVICE_ROLE}'::regrole
        and not exists (select 1 from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass
          and d.deptype = 'e')
  loop
    execute format('alter %s owner to ${SERVICE_ROLE}', thing);
  end loop;
end $$`
