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

export const MAX_URL = 2_000
const Url = Type.String({ format: 'uri', minLength: 1, maxLength: MAX_URL })
const UrlIn = Type.String({
  format: 'iri',
  minLength: 1,
  maxLength: MAX_URL,
  description:
    'An https URL on the public internet, without credentials. An international name is stored in its ASCII form. Every attempt checks the resolved network address again.',
})
const Events = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 200,
  description:
    'The event types for this endpoint. Absent or empty means all, including types that are added later',
})

export const SubscriptionIn = Type.Object(
  { url: UrlIn, events: Type.Optional(Events) },
  { title: 'WebhookSubscriptionCreate' },
)
export const SubscriptionPatch = Type.Object(
  {
    url: Type.Optional(UrlIn),
    events: Type.Optional(Events),
    active: Type.Optional(
      Type.Boolean({
        description:
          'false pauses the endpoint and fails its queued deliveries; true switches it on and resets its failures',
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
      description:
        'paused: by a member, or because an assistant chose the address; disabled: by the service, after a long run of failed attempts',
    }),
    active: Type.Boolean(),
    failureStreak: Type.Integer({ minimum: 0, description: 'Failed attempts in a row' }),
    disabledReason: Nullable(
      Words(['FAILING', 'GONE'] as const, {
        description: 'FAILING after a long run of failed attempts, GONE after an answer with status 410',
      }),
    ),
    secretLast4: Type.String({
      description: 'The last four characters of the signing secret, which never changes',
    }),
    ...Timestamps,
  },
  { title: 'WebhookSubscription' },
)

const delivery = {
  id: Id,
  subscriptionId: Id,
  eventId: Type.String({ description: 'The id of the event; every attempt sends it as webhook-id' }),
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
    error: Nullable(Type.String({ description: 'Why there was no complete answer; null if there was one' })),
    responseSnippet: Nullable(Type.String({ description: 'The first KiB of the answer' })),
    manual: Type.Boolean({ description: 'True if a user requested the attempt' }),
  },
  { title: 'WebhookAttempt' },
)
export const DeliveryDetail = Type.Object(
  {
    ...delivery,
    body: Nullable(Type.String({ description: 'The body as it is sent; null after the event was deleted' })),
    attemptLog: Type.Array(Attempt, { description: 'The last 50 attempts, oldest first' }),
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
    description: Type.String({ description: 'The change that the event announces' }),
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
