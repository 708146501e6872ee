import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { Settings } from './schema.ts'

export const settingsChanged = event('audit.settings.changed.v1', {
  group: 'settings',
  meaning:
    'The workspace profile changed. `changed` lists the changed fields, including those of the bank account.',
  data: Type.Object({ settings: Settings, changed: Type.Array(Type.String()) }),
})

export const settingsEvents = [settingsChanged]
