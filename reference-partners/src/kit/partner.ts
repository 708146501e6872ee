import type { FastifyInstance } from 'fastify'
import type { Books } from './db.ts'
import type { PartnerRoute } from './http/route.ts'
import type { Loop } from './loop.ts'
import type { Tools } from './tools.ts'

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
  /** Background work: senders, woken when a message may be due, and timed jobs. */
  startWork?(tools: Tools): { woken: readonly Loop[]; timed: readonly Loop[] }
}
