import { beforeAll, describe, expect, test } from 'vitest'
import { MODULES, type Module } from '../../src/core/modules.ts'
import { type Route, roleOf } from '../../src/platform/http/route.ts'
import { ROLES } from '../../src/platform/scope.ts'
import { routes } from '../../src/routes.ts'
import type { Answer, Api } from '../support/api.ts'
import { enableModule } from '../support/build.ts'
import { memberOf } from '../support/clients.ts'
import { done } from '../support/expect.ts'
import { acme, as, deps, useService, workspace } from '../support/service.ts'
import { probeFor } from './probes/index.ts'
import { knock, nameOf, send } from './request.ts'
import { snapshot } from './snapshot.ts'
import { named } from './tried.ts'

useService()

/** Sections 4.15, 4.16 and 4.18 of the contract: the module of every route below a path. */
const MODULE_BELOW: Record<string, Module> = {
  account: 'marketing',
  payments: 'payment',
  delivery: 'fulfillment',
  fulfillment: 'fulfillment',
}
const expectedModule = ({ path }: Route) => MODULE_BELOW[path.split('/')[1] ?? '']

type ModuleRoute = Route & { module: Module }
const gated = routes.filter((row): row is ModuleRoute => row.module !== undefined)

const refusalOf = ({ status, error }: Answer) => [status, error?.code]
const disabled = ({ module }: ModuleRoute) => [409, `${module.toUpperCase()}_MODULE_DISABLED`]
const others = (module: Module) => MODULES.filter((one) => one !== module)

test.each(named(routes))('%s needs the module that the contract names for its path', (_, row) => {
  expect(row.module).toBe(expectedModule(row))
})

describe('in a workspace where every module but that of the route is on', () => {
  /** By module, the workspace without it: its callers with the role each one has. */
  const callers = new Map<Module, { role: (typeof ROLES)[number]; api: Api }[]>()
  beforeAll(async () => {
    for (const module of MODULES) {
      const shop = await workspace(`No ${module}`)
      for (const one of others(module)) await enableModule(shop, one)
      const members = ROLES.map(async (role) => ({ role, api: (await memberOf(shop, role)).api }))
      callers.set(module, [{ role: 'OWNER', api: shop }, ...(await Promise.all(members))])
    }
  })

  test.each(named(gated) as [string, ModuleRoute][])(
    '%s is refused by the code of its module after 401 and 403 and before the body is read',
    async (_, row) => {
      expect(refusalOf(await knock(as(null), row))).toEqual([401, 'AUTH_REQUIRED'])
      for (const { role, api } of callers.get(row.module) ?? []) {
        const isBelow = ROLES.indexOf(role) < ROLES.indexOf(roleOf(row))
        const expected = isBelow ? [403, 'FORBIDDEN'] : disabled(row)
        expect([role, refusalOf(await knock(api, row))]).toEqual([role, expected])
      }
      expect(callers.get(row.module)).toHaveLength(1 + ROLES.length)
    },
  )
})

test.each(named(gated.filter((row) => row.access !== 'forward')) as [string, ModuleRoute][])(
  '%s refuses a valid request and writes nothing while its module is switched off, and accepts it afterwards',
  async (_, row) => {
    for (const module of others(row.module)) await enableModule(acme(), module)
    const probe = await probeFor(row, acme())
    done(await acme().post('/modules', { module: row.module, enabled: false }))
    const before = await snapshot(deps().pool, acme())
    expect(refusalOf(await send(acme(), row, probe))).toEqual(disabled(row))
    expect(await snapshot(deps().pool, acme())).toEqual(before)
    await enableModule(acme(), row.module)
    const answer = await send(acme(), row, probe)
    expect([answer.text, answer.status < 300]).toEqual([answer.text, true])
  },
)

test('the route table has routes of every module', () => {
  expect(new Set(gated.map(nameOf)).size).toBe(gated.length)
  expect([...new Set(gated.map(({ module }) => module))].toSorted()).toEqual([...MODULES].toSorted())
})
