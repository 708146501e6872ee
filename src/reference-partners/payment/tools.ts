import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Books, PartnerDatabase } from './db.ts'
import type { PartnerRoute } from './http/route.ts'
import type { Loop } from './loop.ts'
import type { Keys } from './workspaces/keys.ts'

/** What every part of the partner is given. */
export type Tools = {
  db: PartnerDatabase
  log: Logger
  keys: Keys
  /** The instant, RFC 3339 in UTC. */
  now(): string
  /** Where people reach the partner, without a slash at its end. */
  publicUrl(): string
  /** Says that a notice, or what else is sent, may be due. */
  wake(): void
}

/** In whose name a request is made. */
export type Caller = { workspaceId: string; name: string; isPlatform: boolean }

/** What makes one partner: everything else it shares with the others. */
export type Partner = {
  /** One word: payment. */
  name: string
  books: Books
  /** Begins the keys of its workspaces. */
  keyPrefix: string
  routes: readonly PartnerRoute[]
  /** Its OpenAPI document. */
  document(server: string): unknown
  /** What people see of it. */
  mountPages?(app: FastifyInstance, tools: Tools): void
  /** What it does besides answering: what is woken when something may be due to be sent, and what only time brings about. */
  startWork?(tools: Tools): { woken: readonly Loop[]; timed: readonly Loop[] }
}
