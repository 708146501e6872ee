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
    summary: 'List modules with their state',
    description:
      'The modules are payment, fulfillment and marketing. Each entry says whether it is on and whether the plan includes it. Routes of a module that is off are 409.',
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
      'When a module is first switched on, the service creates an account of the workspace at the partner. If the partner does not answer, it is 502 or 504 and the module stays off. On the free plan switching on is 402; switching off is always allowed. If the module already has this state, the answer is 200.',
    access: 'partner',
    delegation: 'books',
    body: ModuleToggle,
    document: { refuses: ['UNKNOWN_MODULE'] },
    returns: Type.Object({ module: Module }),
    handle: ({ deps, scope, partner, body }) => toggleModule({ deps, scope, partner }, body),
  }),
]
