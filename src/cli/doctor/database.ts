import { stat } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { nullOnCodes, StartError } from '../../core/fault.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { withClient } from '../../platform/db/client.ts'
import { readInvariants } from '../../platform/db/invariants.ts'
import { isConnectionLost, isWorkerLost } from '../../platform/db/pg-errors.ts'
import { findPooler, poolerFault } from '../../platform/db/pooler.ts'
import { backups } from '../../platform/doctor/backups.ts'
import { type Finding, fault, note, ok, type Report, warn } from '../../platform/doctor/finding.ts'
import { readReplica } from '../../platform/doctor/replica.ts'
import { databaseServer, jobs, keyOfDatabase } from '../../platform/doctor/server.ts'
import { LEASE_MS } from '../../platform/jobs/board.ts'
import { sayAside } from '../command.ts'
import { withDatabase } from '../database.ts'
import { cluster } from './cluster.ts'
import { giftCards } from './gift-cards.ts'

const CONNECT_MS = 5_000
const STATEMENT_MS = 60_000
/** Years of books take time to add up. The invariants have as long as in a backup, all together. */
const BOOKS_MS = 10 * 60_000

/** Checks the configured database. `key` is the key for secrets that a start would use, if there is one. */
export async function examineDatabase(config: Config, report: Report, key: Buffer | null = null) {
  const isFresh =
    config.databaseUrl === null &&
    (await nullOnCodes(stat(path.resolve(config.dataDir, 'postgres')))) === null
  if (isFresh) return report(note('database', 'none yet; the first start creates the embedded one'))
  try {
    for (const finding of await pooler(config)) report(finding)
    await withDatabase(
      config,
      () => {},
      async ({ url, inUse }) => {
        const asked = {
          connectionString: url,
          connectionTimeoutMillis: CONNECT_MS,
          application_name: 'kasir-doctor',
        }
        await withClient(asked, async (client) => {
          await client.query(`set statement_timeout = ${STATEMENT_MS}`)
          await checks(client, config, { inUse, report, key })
        })
      },
      { sayWaiting: sayAside },
    )
  } catch (error) {
    const { message } = error as Error
    const remedy =
      error instanceof StartError && error.code !== 'DATABASE_UNREACHABLE'
        ? 'Follow the line above.'
        : 'Is PostgreSQL running, and is DATABASE_URL right?'
    report(fault('database', message, remedy))
  }
}

/** Checks the connection pooler in front of PostgreSQL. Returns no findings when there is none. */
async function pooler({ databaseUrl, listenUrl }: Config): Promise<Finding[]> {
  const name = 'pooler'
  const found = databaseUrl === null ? null : await findPooler(databaseUrl)
  if (found === null) return []
  if (!found.sharesConnections) return [ok(name, 'one in session mode')]
  const wrong = poolerFault(found, listenUrl !== null)
  if (wrong !== null) return [fault(name, wrong, 'The service does not start until you do.')]
  return [
    ok(
      name,
      found.keepsPrepared
        ? 'one in transaction mode that keeps prepared statements'
        : 'one in transaction mode; it keeps no prepared statements, so PostgreSQL plans each statement every time',
    ),
  ]
}

async function checks(
  client: pg.Client,
  config: Config,
  { inUse, report, key }: { inUse: boolean; report: Report; key: Buffer | null },
) {
  if (!(await databaseServer(client, config, { inUse, report }))) return
  for (const finding of await cluster(client)) report(finding)
  for (const finding of await readReplica(client, config)) report(finding)
  report(await keyOfDatabase(client, key))
  for (const finding of await jobs(client, LEASE_MS)) report(finding)
  for (const finding of await backups(client, systemClock.ms())) report(finding)
  for (const finding of await reachableGiftCards(client)) report(finding)
  for await (const finding of books(client)) report(finding)
}

/** The rows of gift cards are spread over the workers of a cluster. If one is away, the other checks still run. */
async function reachableGiftCards(client: pg.Client): Promise<Finding[]> {
  try {
    return await giftCards(client)
  } catch (error) {
    if (isConnectionLost(error) && !isWorkerLost(error)) throw error
    const found = `not checked: ${(error as Error).message}`
    if (isWorkerLost(error)) return [note('gift cards', found)]
    return [warn('gift cards', found, 'Mend the cause, then run kasir doctor again.')]
  }
}

/** Returns a finding for each consistent part of the books, and one for each broken invariant. */
export async function* books(client: pg.Client, limitMs = BOOKS_MS): AsyncGenerator<Finding> {
  const all = await readInvariants()
  const end = performance.now() + limitMs
  for (const part of new Set(all.map((invariant) => invariant.part))) {
    const sentences = all.filter((invariant) => invariant.part === part)
    const findings: Finding[] = []
    for (const { name, query } of sentences) {
      const broken = await brokenRows(client, query, Math.ceil(end - performance.now())).catch(
        (error: Error) => error,
      )
      if (broken instanceof Error) {
        findings.push(unchecked(part, name, broken))
      } else if (broken.length > 0) {
        const what = `broken: ${name} (${JSON.stringify(broken)})`
        findings.push(fault(`books: ${part}`, what, 'This is a defect of Kasir: please report it.'))
      }
    }
    yield* findings.length > 0 ? findings : [ok(`books: ${part}`, `${sentences.length} invariants hold`)]
  }
}

async function brokenRows(client: pg.Client, query: string, leftMs: number): Promise<unknown[]> {
  if (leftMs <= 0) throw new Error('no time left')
  await client.query(`set statement_timeout = ${leftMs}`)
  return (await client.query(`select * from (${query}) broken limit 3`)).rows
}

/** The fault of a lost worker has its own line. */
function unchecked(part: string, sentence: string, error: Error): Finding {
  const [name, found] = [`books: ${part}`, `not checked: ${sentence} (${error.message})`]
  if (isWorkerLost(error)) return note(name, found)
  return warn(
    name,
    found,
    'Run kasir doctor again when the database has less to do. A backup with --verify checks it without a time limit.',
  )
}
