import { asAdmin } from './cluster.ts'
import type { TestDatabase } from './db.ts'

/** Makes `now()` of a database movable, for the sessions that begin afterwards: its server's clock, as the service asks it. */
export async function movableDatabaseClock({ url }: TestDatabase) {
  const name = new URL(url).pathname.slice(1)
  const moveBy = (ms: number) =>
    asAdmin(
      url,
      `create or replace function public.now() returns timestamptz stable language sql as
        $$ select pg_catalog.now() + ${Math.round(ms)} * interval '1 millisecond' $$`,
    )
  await moveBy(0)
  await asAdmin(url, `alter database ${name} set search_path = public, pg_catalog`)
  return { moveBy }
}
