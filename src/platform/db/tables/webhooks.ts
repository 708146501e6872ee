// Rows of migrations/0030_webhooks.sql and 0097_webhooks_of_assistants.sql, as Kysely sees them.
import type { Generated } from 'kysely'
import type { JsonColumn } from './json.ts'

export type WebhookSubscriptionsRow = {
  accountId: string
  id: string
  url: string
  events: string[]
  status: 'active' | 'paused' | 'disabled' | 'deleted'
  /** An assistant chose the address, and no member has activated the endpoint since. */
  awaitsMember: Generated<boolean>
  /** Sealed. */
  secret: string
  secretLast4: string
  failureStreak: number
  failingSince: string | null
  disabledReason: 'FAILING' | 'GONE' | null
  leasedBy: string | null
  leasedUntil: string | null
  createdAt: string
  updatedAt: string
}

export type WebhookDeliveriesRow = {
  accountId: string
  id: string
  subscriptionId: string
  eventId: string
  type: string
  status: 'pending' | 'succeeded' | 'failed'
  attempts: number
  byHand: boolean
  dueAt: string | null
  lastStatusCode: number | null
  /** A list of `Attempt`s of areas/insight/webhooks. */
  attemptLog: JsonColumn
  createdAt: string
  updatedAt: string
}

export type WebhookTables = {
  webhookSubscriptions: WebhookSubscriptionsRow
  webhookDeliveries: WebhookDeliveriesRow
}
