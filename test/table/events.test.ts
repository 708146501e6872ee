import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { AUDIT_EVENTS, EVENTS, type EventType } from '../../src/core/events.ts'
import { isUnsafe } from '../../src/platform/http/route.ts'
import { routes } from '../../src/routes.ts'
import { acme, deps, useService } from '../support/api.ts'
import { hasProbe, probeFor } from './probes.ts'
import { send } from './request.ts'

useService()

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))
const NAME = /\b(?:service|audit)\.[a-z_]+\.[a-z_]+\.v\d+\b/g
const DECLARED = { ...EVENTS, ...AUDIT_EVENTS }

const namesIn = async (wanted: (file: string) => boolean) => {
  const files = (await readdir(SRC, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && wanted(file),
  )
  const texts = await Promise.all(files.map((file) => readFile(join(SRC, file), 'utf8')))
  return new Set(texts.flatMap((text) => text.match(NAME) ?? []))
}

test('every type of the catalogue is announced by some area', async () => {
  const announced = await namesIn((file) => file.startsWith('areas/'))
  expect(Object.keys(DECLARED).filter((type) => !announced.has(type))).toEqual([])
})

test('no type outside the catalogue is named anywhere', async () => {
  const named = await namesIn(() => true)
  expect([...named].filter((type) => !(type in DECLARED))).toEqual([])
})

test('what a webhook may name is called service, what only the audit log keeps is not', () => {
  expect(Object.keys(EVENTS).filter((type) => !type.startsWith('service.'))).toEqual([])
  expect(Object.keys(AUDIT_EVENTS).filter((type) => type.startsWith('service.'))).toEqual([])
})

describe('the events that all writes leave behind', () => {
  type Row = { id: string; type: string; refId: string; body: string; accountId: string }
  let rows: Row[]

  beforeAll(async () => {
    for (const row of routes) {
      if (!isUnsafe(row.method) || !hasProbe(row)) continue
      const probe = await probeFor(row, acme()).catch(() => null)
      if (probe) await send(acme(), row, probe)
    }
    rows = await deps().db.selectFrom('events').selectAll().orderBy('id').execute()
  }, 120_000)

  test('carry their own id, type, instant and workspace, and the declared keys only', () => {
    expect(rows.length).toBeGreaterThan(10)
    for (const row of rows) {
      const body = JSON.parse(row.body)
      expect(Object.keys(body)).toEqual(['id', 'type', 'timestamp', 'accountId', 'data'])
      expect([body.id, body.type, body.accountId]).toEqual([row.id, row.type, row.accountId])
      expect(body.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      const declared: readonly string[] = DECLARED[row.type as EventType].data
      const keys = Object.keys(body.data)
      expect([row.type, keys.filter((key) => !declared.includes(key)), keys.length > 0]).toEqual([
        row.type,
        [],
        true,
      ])
    }
  })

  test('hold no code of a gift card, no key and no column of the database', async () => {
    const cards = await deps().db.selectFrom('giftCards').select('code').execute()
    const secrets = [
      ...cards.map((card) => card.code),
      acme().workspace.key,
      'account_id',
      'password',
      'Hash"',
    ]
    const text = rows.map((row) => row.body).join('\n')
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  })

  test('stay under the size that receivers accept', () => {
    expect(rows.filter((row) => row.body.length > 20_000).map((row) => row.type)).toEqual([])
  })
})
