import { expect } from 'vitest'
import { events } from '../../src/events.ts'
import type { Db } from '../../src/platform/db/open.ts'
import { replyChecker } from '../../src/platform/http/validate.ts'

type Row = { accountId: string; id: string; type: string; body: string }

const ENVELOPE = ['id', 'type', 'timestamp', 'accountId', 'data']
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const checks = new Map([...events].map(([name, { data }]) => [name, replyChecker(data)]))

/** How a row of the outbox departs from what the event was declared as; null when it does not. */
export function departureOf({ accountId, id, type, body }: Row): string | null {
  const check = checks.get(type)
  if (!check) return `${type} is declared by no room`
  const parsed = JSON.parse(body)
  if (JSON.stringify(Object.keys(parsed)) !== JSON.stringify(ENVELOPE)) return `${type} has other keys`
  if (parsed.id !== id || parsed.type !== type || parsed.accountId !== accountId)
    return `${type} is not the body of its row`
  if (!INSTANT.test(parsed.timestamp)) return `${type} has no instant`
  try {
    check(parsed.data)
    return null
  } catch (error) {
    return `${type}: ${(error as Error).message}`
  }
}

/** Every row of the outbox is an event that a room declares, with the data that it declares, whoever wrote the row. */
export async function assertEvents(db: Db) {
  const departures = new Set<string>()
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('events')
      .select(['accountId', 'id', 'type', 'body'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(1_000)
      .execute()
    for (const row of rows) departures.add(departureOf(row) ?? '')
    after = rows.at(-1)?.id ?? ''
    if (after === '') break
  }
  departures.delete('')
  expect([...departures]).toEqual([])
}
