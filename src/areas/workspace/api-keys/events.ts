import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { ApiKey } from './schema.ts'

/** `createdBy` is an id, because events contain no names of members (B-event-5). */
const Named = Type.Pick(ApiKey, ['id', 'name', 'last4', 'readOnly', 'createdBy'])
const data = Type.Object({ apiKey: Named })

export const keyCreated = event('audit.api_key.created.v1', {
  group: 'API key',
  meaning: 'An API key was created.',
  data,
})
export const keyRevoked = event('audit.api_key.revoked.v1', {
  group: 'API key',
  meaning: 'An API key was revoked, directly or together with the member who created it.',
  data,
})

export const apiKeyEvents = [keyCreated, keyRevoked]
