import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Module, ModuleToggle } from './schema.ts'
import { listModules, toggleModule } from './service.ts'

const area = 'modules'

export const moduleRoutes = [
  route({
    name: 'modules.list',
    method: 'GET',
    path: '/modules',
    area,
    summary: 'The modules, which of them are on, and whether the plan includes them',
    access: 'read',
    delegation: 'read',
    returns: Type.Object({ modules: Type.Array(Module) }),
    handle: async ({ db, scope }) => ({ modules: await listModules(db, scope) }),
  }),
  route({
    name: 'modules.toggle',
    method: 'POST',
    path: '/modules',
    area,
    summary: 'Switch a module on or off',
    description:
      'The first time a module is switched on, its partner is asked for a place for the workspace: 502 or 504 when it does not answer, and the module stays off. 402 on the free plan; off is always allowed. A module that is as asked for already answers 200, unchanged.',
    access: 'partner',
    delegation: 'books',
    body: ModuleToggle,
    refuses: ['UNKNOWN_MODULE'],
    returns: Type.Object({ module: Module }),
    handle: ({ deps, scope, partner, body }) => toggleModule({ deps, scope, partner }, body),
  }),
]
