import { createReadStream } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, vi } from 'vitest'
import type { SavedTable } from '../../src/platform/backup/format.ts'
import { readArchive } from '../../src/platform/backup/read.ts'
import { findRunning } from '../../src/platform/db/embedded.ts'
import { type Ledger, newLedger, type Shop, sellAtTill } from '../support/tills.ts'
import { cutPower, familyOf, type KasirProcess, startKasir } from './processes.ts'

const READY = /is ready at (http:\S+)/
const TILLS = 4
const TWO_DAYS_S = 2 * 86_400

/** What a data directory holds when no command is at work. */
const KEPT = ['address', 'lock', 'mail', 'postgres', 'postgres.log', 'secrets.key', 'uploads']

export type Installation = Awaited<ReturnType<typeof createInstallation>>

/** A room of its own with a data directory, a folder of backups and a temporary folder. */
export async function createInstallation(more: Record<string, string> = {}) {
  return installationIn(await mkdtemp(path.join(tmpdir(), 'kasir-nights-')), more)
}

export async function installationIn(room: string, more: Record<string, string> = {}) {
  const [dataDir, backups, temporary] = ['data', 'backups', 'tmp'].map((name) => path.join(room, name)) as [
    string,
    string,
    string,
  ]
  await mkdir(backups, { recursive: true })
  // Under root PostgreSQL runs as another user and must be let through to its directory.
  await chmod(room, 0o711)
  await mkdir(temporary, { recursive: true })
  const env: Record<string, string> = {
    DATA_DIR: dataDir,
    TMPDIR: temporary,
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    DEFAULT_TIER: 'business',
    LOG_LEVEL: 'error',
    ...more,
  }
  let service: KasirProcess | null = null
  let address = ''

  const command = (args: readonly string[], stdin?: number) => startKasir(args, env, stdin)
  const installation = {
    room,
    dataDir,
    backups,
    temporary,
    env,
    address: () => address,
    service: () => {
      if (service === null) throw new Error('no service was started')
      return service
    },
    command,
    /** Starts the service without waiting for it. */
    launch: (settings: Record<string, string> = {}) => {
      service = startKasir(['serve'], { ...env, ...settings })
      return service
    },
    untilReady: async () => {
      const started = installation.service()
      const hasSettled = () => READY.test(started.output()) || !started.isRunning()
      await vi.waitFor(() => expect(hasSettled(), started.output()).toBe(true), {
        timeout: 120_000,
        interval: 10,
      })
      address = READY.exec(started.output())?.[1] ?? ''
      expect(address, `the service does not start: ${started.output()}`).not.toBe('')
    },
    serve: async (settings: Record<string, string> = {}) => {
      installation.launch(settings)
      await installation.untilReady()
    },
    /** Runs a command to its end and returns what it printed. It must succeed. */
    run: async (...args: string[]) => {
      const ran = command(args)
      expect(await ran.ended, `kasir ${args.join(' ')} fails: ${ran.output()}`).toBe(0)
      return ran.output()
    },
    /** Ends everything that runs here as a power cut does. */
    cutPower: async (...others: KasirProcess[]) => {
      const roots = [service, ...others].flatMap((one) => (one?.isRunning() ? [one.pid] : []))
      await cutPower(...roots)
    },
    stop: async () => {
      if (!service?.isRunning()) return
      service.child.kill('SIGTERM')
      expect(await service.ended, service.output()).toBe(0)
    },
    remove: async () => {
      if (service?.isRunning()) await cutPower(...(await familyOf(service.pid)))
      await rm(room, { recursive: true, force: true })
    },
  }
  return installation
}

export async function queryRows<T extends pg.QueryResultRow>(
  { dataDir }: Installation,
  text: string,
): Promise<T[]> {
  const client = new pg.Client({ connectionString: (await findRunning(dataDir)) ?? '' })
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

export type Tills = { ledger: Ledger; sold(count: number): Promise<void>; close(): Promise<void> }

let openings = 0

/** Tills that sell until they are closed. `close` waits until each request has an answer. */
export function openTills(shop: Shop, ledger: Ledger = newLedger(), count = TILLS): Tills {
  openings += 1
  ledger.stopped = false
  const names = Array.from({ length: count }, (_, index) => `till-${openings}-${index}`)
  const selling = Promise.all(names.map((name) => sellAtTill(name, shop, ledger)))
  selling.catch(() => {})
  return {
    ledger,
    sold: async (more) => {
      const before = ledger.acknowledged.size
      await expect.poll(() => ledger.acknowledged.size - before, { interval: 10 }).toBeGreaterThan(more)
    },
    close: async () => {
      ledger.stopped = true
      await selling
    },
  }
}

/** Each key of the tills was answered with a sale of its own, and the books hold these sales and no other. */
export async function expectEverySaleOnce(installation: Installation, { acknowledged }: Ledger) {
  const answered = [...acknowledged.values()]
  expect(new Set(answered).size, 'each Idempotency-Key leads to a sale of its own').toBe(answered.length)
  const stored = await queryRows<{ id: string }>(installation, 'select id from sales')
  const held = stored.map(({ id }) => id).toSorted()
  expect(held, 'the books hold every acknowledged sale, and each request once').toEqual(answered.toSorted())
}

export const tablesIn = async (file: string): Promise<SavedTable[]> =>
  (await readArchive(createReadStream(file))).manifest.tables

let copies = 0

/** A backup of the books as they are. The file is whole, and its books agree with themselves. */
export async function backUp({ run, backups }: Installation): Promise<string> {
  copies += 1
  const file = path.join(backups, `kasir-${copies}.tar.gz`)
  expect(await run('backup', file)).toContain('The books are consistent.')
  return file
}

/**
 * After a power cut: doctor finds no fault, and a backup restored into an empty folder holds the same books, table by
 * table. The backup also removes what killed commands left behind.
 */
export async function expectRecovered(installation: Installation) {
  await installation.run('doctor')
  await ageDrafts(installation.backups)
  const file = await backUp(installation)
  const drafts = (await readdir(installation.backups)).filter((name) => name.endsWith('.part'))
  expect(drafts, 'a backup removes the drafts of killed backups').toEqual([])
  const known = [...KEPT, 'postgres.log.1']
  const strange = (await readdir(installation.dataDir)).filter((name) => !known.includes(name))
  expect(strange, 'killed commands leave nothing in the data directory').toEqual([])
  expect(await readdir(installation.temporary), 'and nothing in the temporary folder').toEqual([])
  await expectSameBooks(installation, file)
  await rm(file)
}

/** A draft is given up when it has not been written for a day. */
async function ageDrafts(folder: string) {
  const then = Date.now() / 1000 - TWO_DAYS_S
  for (const name of await readdir(folder))
    if (name.endsWith('.part')) await utimes(path.join(folder, name), then, then)
}

async function expectSameBooks({ env }: Installation, file: string) {
  const key = env['SECRETS_KEY']
  const other = await createInstallation(key === undefined ? {} : { SECRETS_KEY: key })
  try {
    expect(await other.run('restore', file)).toContain(
      'The backup is restored completely, and the books are consistent.',
    )
    const restored = (await tablesIn(await backUp(other))).map((table) => JSON.stringify(table))
    const different = (await tablesIn(file)).filter((table) => !restored.includes(JSON.stringify(table)))
    expect(different, 'a restore holds the books of its backup').toEqual([])
  } finally {
    await other.remove()
  }
}
