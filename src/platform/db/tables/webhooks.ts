// Rows of migrations/0030_webhooks.sql, as Kysely sees them.
import type { Json } from './json.ts'

export type WebhookSubscriptionsRow = {
  accountId: string
  id: string
  url: string
  events: string[]
  status: 'active' | 'paused' | 'disabled' | 'deleted'
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
  attemptLog: Json
  createdAt: string
  updatedAt: string
}

export type WebhookTables = {
  webhookSubscriptions: WebhookSubscriptionsRow
  webhookDeliveries: WebhookDeliveriesRow
}
