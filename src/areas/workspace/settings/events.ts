import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { Settings } from './schema.ts'

export const settingsChanged = event('audit.settings.changed.v1', {
  group: 'settings',
  meaning:
    'The workspace profile changed; `changed` names the fields, those of the bank account that customers pay to among them.',
  data: Type.Object({ settings: Settings, changed: Type.Array(Type.String()) }),
})

export const settingsEvents = [settingsChanged]
