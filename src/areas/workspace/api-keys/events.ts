import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { ApiKey } from './schema.ts'

/** Who made it is an id: events name no member (B-event-5). */
const Named = Type.Pick(ApiKey, ['id', 'name', 'last4', 'readOnly', 'createdBy'])
const data = Type.Object({ apiKey: Named })

export const keyCreated = event('audit.api_key.created.v1', {
  group: 'API key',
  meaning: 'An API key was made.',
  data,
})
export const keyRevoked = event('audit.api_key.revoked.v1', {
  group: 'API key',
  meaning: 'An API key was revoked, by hand or together with the member who made it.',
  data,
})

export const apiKeyEvents = [keyCreated, keyRevoked]
