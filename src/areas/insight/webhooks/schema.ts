import { type Static, Type } from 'typebox'
import {
  FilterId,
  Id,
  Instant,
  Nullable,
  PageQuery,
  Timestamps,
  Words,
} from '../../../platform/http/shapes.ts'
import { DELIVERY_STATUSES } from '../../../platform/webhooks/store.ts'

const Url = Type.String({
  format: 'uri',
  minLength: 1,
  maxLength: 2000,
  description:
    'https, on the public internet, without credentials. Checked again at every attempt on the address that is connected to.',
})
const Events = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 200,
  description: 'Event types it wants; absent or empty means all, those that are added later too',
})

export const SubscriptionIn = Type.Object(
  { url: Url, events: Type.Optional(Events) },
  { title: 'WebhookSubscriptionCreate' },
)
export const SubscriptionPatch = Type.Object(
  {
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    active: Type.Optional(
      Type.Boolean({
        description:
          'false pauses the endpoint and fails what is queued for it; true switches it on and forgets its failures',
      }),
    ),
  },
  { title: 'WebhookSubscriptionUpdate' },
)

export const Subscription = Type.Object(
  {
    id: Id,
    url: Url,
    events: Events,
    status: Words(['active', 'paused', 'disabled'] as const, {
      description: 'paused by you, disabled by the service because attempts kept failing',
    }),
    active: Type.Boolean(),
    failureStreak: Type.Integer({ minimum: 0, description: 'Failed attempts in a row' }),
    disabledReason: Nullable(
      Words(['FAILING', 'GONE'] as const, {
        description: 'FAILING after a long run of failures, GONE after an answer 410',
      }),
    ),
    secretLast4: Type.String({ description: 'The end of the signing secret, which never changes' }),
    ...Timestamps,
  },
  { title: 'WebhookSubscription' },
)

const delivery = {
  id: Id,
  subscriptionId: Id,
  eventId: Type.String({ description: 'The id of the event, sent as webhook-id at every attempt' }),
  type: Type.String(),
  status: Words(DELIVERY_STATUSES),
  attempts: Type.Integer({ minimum: 0 }),
  nextAttemptAt: Nullable(Instant),
  lastStatusCode: Nullable(Type.Integer()),
  ...Timestamps,
}
export const Delivery = Type.Object(delivery, { title: 'WebhookDelivery' })

export const Attempt = Type.Object(
  {
    at: Instant,
    statusCode: Nullable(Type.Integer()),
    durationMs: Type.Integer({ minimum: 0 }),
    error: Nullable(Type.String({ description: 'Why no complete answer came; null when one did' })),
    responseSnippet: Nullable(Type.String({ description: 'The first KiB of the answer' })),
    manual: Type.Boolean({ description: 'Asked for by hand' }),
  },
  { title: 'WebhookAttempt' },
)
export const DeliveryDetail = Type.Object(
  {
    ...delivery,
    body: Nullable(Type.String({ description: 'As it is sent; null once the event is no longer kept' })),
    attemptLog: Type.Array(Attempt, { description: 'Oldest first; the last 50' }),
  },
  { title: 'WebhookDeliveryDetail' },
)

export const DeliveryQuery = Type.Object({
  subscriptionId: FilterId,
  status: Type.Optional(Words(DELIVERY_STATUSES)),
  type: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'An event type' })),
  ...PageQuery,
})

export const EventTypeRow = Type.Object(
  {
    type: Type.String(),
    description: Type.String({ description: 'What has happened when it is sent' }),
    group: Type.String(),
  },
  { title: 'EventType' },
)

export type SubscriptionIn = Static<typeof SubscriptionIn>
export type SubscriptionPatch = Static<typeof SubscriptionPatch>
export type Subscription = Static<typeof Subscription>
export type Delivery = Static<typeof Delivery>
export type DeliveryDetail = Static<typeof DeliveryDetail>
export type DeliveryQuery = Static<typeof DeliveryQuery>
export type Attempt = Static<typeof Attempt>
