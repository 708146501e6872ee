import { type EventType, isOffered } from '../../core/events.ts'

type Json = Record<string, unknown>

/** Fields of every event besides its type and data (B-event-1). */
export const EVENT_HEAD = {
  type: 'object',
  required: ['id', 'type', 'timestamp', 'accountId', 'data'],
  properties: {
    id: { type: 'string', description: 'The same however often the event is delivered' },
    type: { type: 'string' },
    timestamp: { type: 'string', format: 'date-time' },
    accountId: { type: 'string' },
    data: { type: 'object' },
  },
}

/**
 * The `webhooks` of the OpenAPI document: the body of every event that webhooks may subscribe to, as stored and sent.
 * `shapeOf` returns a schema in the document's form; EVENT_HEAD is its component EventHead.
 */
export const webhooksOf = (
  types: Iterable<EventType>,
  shapeOf: (schema: unknown) => unknown,
): Record<string, Json> =>
  Object.fromEntries(
    [...types].filter(isOffered).map(({ name, meaning, data }) => {
      const own = { type: 'object', properties: { type: { const: name }, data: shapeOf(data) } }
      const schema = { allOf: [{ $ref: '#/components/schemas/EventHead' }, own] }
      const requestBody = { required: true, content: { 'application/json': { schema } } }
      const responses = { '2XX': { description: 'Received' } }
      return [name, { post: { operationId: name, summary: meaning, security: [], requestBody, responses } }]
    }),
  )
