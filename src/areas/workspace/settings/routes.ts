import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Settings, SettingsPatch } from './schema.ts'
import { changeSettings, readSettings } from './service.ts'

const area = 'settings'
const One = Type.Object({ settings: Settings })

export const settingsRoutes = [
  route({
    name: 'settings.get',
    method: 'GET',
    path: '/settings',
    area,
    summary: 'Read the workspace profile',
    description:
      'The first read creates the record. It has the business name, loyalty rate, stock policy, receipt texts and public address.',
    access: 'read',
    delegation: 'read',
    returns: One,
    handle: async ({ deps, scope }) => ({ settings: await readSettings(deps.db, scope) }),
  }),
  route({
    name: 'settings.update',
    method: 'PUT',
    path: '/settings',
    area,
    summary: 'Change the workspace profile',
    description: 'Changes only the fields that are sent.',
    access: 'write',
    delegation: 'write',
    body: SettingsPatch,
    returns: One,
    handle: async ({ deps, tx, scope, body }) => ({
      settings: await changeSettings(deps, tx, scope, body),
    }),
  }),
]
