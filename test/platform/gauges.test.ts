import fastify from 'fastify'
import { expect, test } from 'vitest'
import { addMs } from '../../src/core/time.ts'
import type { Deps } from '../../src/platform/deps.ts'
import { openMetrics } from '../../src/platform/metrics/metrics.ts'
import { deps, useService } from '../support/service.ts'

useService()

const HOUR_MS = 3_600_000
const scrape = (changed: Partial<Deps> = {}) => openMetrics(fastify(), { ...deps(), ...changed }).text()

async function backupHours(text: Promise<string>) {
  const nowMs = deps().clock.ms()
  const figures = (await text).matchAll(/^kasir_backup_timestamp_seconds\{backup="(\w+)"\} (\S+)$/gm)
  return Object.fromEntries(
    [...figures].map(([, name, seconds]) => [name, (nowMs - Number(seconds) * 1_000) / HOUR_MS]),
  )
}

test('the gauge of backups has the newest and the newest verified one, or the first that was to be verified', async () => {
  const { db, clock } = deps()
  const record = (hours: number, toVerify: boolean, isVerified: boolean) => {
    const takenAt = addMs(clock.now(), -hours * HOUR_MS)
    const verifiedAt = isVerified ? takenAt : null
    return db
      .insertInto('backups')
      .values({ takenAt, file: `${hours}.tar.gz`, bytes: 1, sound: true, toVerify, verifiedAt })
      .execute()
  }
  expect(await backupHours(scrape())).toEqual({})
  await record(30, false, false)
  expect(await backupHours(scrape())).toEqual({ newest: expect.closeTo(30, 1) })
  await record(20, true, false)
  await record(10, true, false)
  expect(await backupHours(scrape())).toEqual({
    newest: expect.closeTo(10, 1),
    verified: expect.closeTo(20, 1),
  })
  await record(15, true, true)
  await record(-48, true, true)
  expect(await backupHours(scrape())).toEqual({
    newest: expect.closeTo(10, 1),
    verified: expect.closeTo(15, 1),
  })
})

test('a database that does not answer holds up no scrape, which then has the last known backup', async () => {
  const { pool } = deps()
  let isStuck = false
  const query = (...args: [string, unknown[]]) =>
    isStuck ? new Promise<never>(() => {}) : pool.query(...args)
  const metrics = openMetrics(fastify(), {
    ...deps(),
    pool: Object.assign(Object.create(pool), { query }) as Deps['pool'],
  })
  expect(await backupHours(metrics.text())).toHaveProperty('newest')
  isStuck = true
  for (const _ of ['first', 'second'])
    expect(await backupHours(metrics.text())).toEqual({
      newest: expect.closeTo(10, 1),
      verified: expect.closeTo(15, 1),
    })
})

test('the gauge of workers is 1 for a worker that answers and 0 for one that does not', async () => {
  expect(await scrape()).not.toMatch(/^kasir_worker_up\{/m)
  const states = new Map([
    [1, 'ok' as const],
    [2, 'down' as const],
  ])
  const text = await scrape({ workers: { look: async () => states, close: async () => {} } })
  expect(text).toMatch(/^kasir_worker_up\{worker="1"\} 1$/m)
  expect(text).toMatch(/^kasir_worker_up\{worker="2"\} 0$/m)
})
