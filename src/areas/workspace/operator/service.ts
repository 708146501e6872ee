import { hostname } from 'node:os'
import { decodeCursor, type Page, pageOf } from '../../../core/cursor.ts'
import { addMs } from '../../../core/time.ts'
import { type Db, isSharded } from '../../../platform/db/open.ts'
import { isWorkerLost } from '../../../platform/db/pg-errors.ts'
import type { Deps } from '../../../platform/deps.ts'
import { examineService } from '../../../platform/doctor/service.ts'
import { readHealth } from '../health/index.ts'
import type { OperatorOverview, OperatorWorkspace } from './schema.ts'
import * as statements from './statements.ts'
import * as workspaces from './statements-workspaces.ts'

const DAY_MS = 86_400_000

/**
 * Everything that the operator page shows, apart from the list of workspaces. It holds no record of a workspace. One
 * statement runs after the other, so that a reload takes one connection from the tills at a time.
 */
export async function readOverview(
  deps: Deps,
  now: string,
  sessionExpiresAt: string,
): Promise<OperatorOverview> {
  const { db } = deps
  return {
    readAt: now,
    sessionExpiresAt,
    health: await readHealth(deps),
    process: {
      host: hostname(),
      pid: process.pid,
      nodeVersion: process.versions.node,
      memoryBytes: process.memoryUsage.rss(),
    },
    database: await readDatabase(deps),
    jobs: await statements.listJobs(db),
    backups: await statements.listBackups(db),
    queues: await nullIfWorkerLost(readQueues(db)),
    workspaceCount: await nullIfWorkerLost(workspaces.countWorkspaces(db)),
    findings: (await examineService(deps)).map(({ name, state, found, remedy = null }) => ({
      check: name,
      state,
      found,
      remedy,
    })),
  }
}

/** Figures of all workspaces lie on every worker of a sharded database. Without them the page shows the rest. */
async function nullIfWorkerLost<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read
  } catch (error) {
    if (isWorkerLost(error)) return null
    throw error
  }
}

const readQueues = async (db: Db) => ({
  webhooks: await statements.waitingWebhooks(db),
  mails: await statements.waitingMails(db),
  printJobs: await statements.waitingPrintJobs(db),
})

async function readDatabase({ db }: Pick<Deps, 'db'>): Promise<OperatorOverview['database']> {
  const startMs = performance.now()
  await statements.ping(db)
  const latencyMs = Math.round((performance.now() - startMs) * 10) / 10
  const { version, bytes, limit, used } = await statements.readServer(db)
  return {
    version,
    isSharded: isSharded(db),
    bytes,
    latencyMs,
    connections: { used, limit },
    tables: await statements.largestTables(db),
  }
}

type PageRequest = { cursor?: string | undefined; limit: number }

export async function listWorkspaces(
  db: Db,
  { cursor, limit }: PageRequest,
  now: string,
): Promise<Page<OperatorWorkspace>> {
  const before = cursor === undefined ? null : decodeCursor(cursor, 'account').id
  const page = pageOf(await workspaces.listWorkspaces(db, before, limit + 1), limit)
  const ids = page.items.map(({ id }) => id)
  const firstDay = addMs(now, -30 * DAY_MS).slice(0, 'YYYY-MM-DD'.length)
  const members = await workspaces.membersOf(db, ids)
  const sales = await workspaces.salesSince(db, ids, firstDay)
  const sessions = await workspaces.lastSessionsOf(db, ids)
  const keys = await workspaces.lastKeyUsesOf(db, ids)
  const items = page.items.map(({ id, name, createdAt }) => ({
    id,
    name,
    createdAt,
    members: members.get(id) ?? 0,
    salesLast30Days: sales.get(id) ?? 0,
    lastActiveAt: later(sessions.get(id) ?? null, keys.get(id) ?? null),
  }))
  return { ...page, items }
}

/** Instants are text of one length, which sorts by time. */
const later = (one: string | null, other: string | null) =>
  one === null || (other !== null && other > one) ? other : one
