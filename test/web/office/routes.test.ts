import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { AREA_ROUTES, OFFICE_PAGES, pagesFor } from '../../../web/src/office/page-routes.ts'
import { CALLED_BY_ADDRESS, ROUTES_WITHOUT_PAGE, SAME_BY_ANOTHER_ROUTE } from './routes-without-page.ts'

const root = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url))

type Operation = { operationId: string; 'x-role': string }
const { paths } = JSON.parse(readFileSync(root('openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
}
const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const operations = Object.entries(paths).flatMap(([url, item]) =>
  METHODS.flatMap((method) => {
    const operation = item[method]
    return operation === undefined ? [] : [{ ...operation, key: `${method.toUpperCase()} ${url}` }]
  }),
)
const roleOf = new Map(operations.map(({ operationId, 'x-role': role }) => [operationId, role]))

/** The name of a function of the client → the operation that it calls. */
const functions = new Map(
  [
    ...readFileSync(root('client/src/generated/operations.ts'), 'utf8').matchAll(
      /export const (\w+) = .*?method: '(\w+)', path: '([^']+)'/g,
    ),
  ].map(([, name = '', method = '', url = '']) => {
    const found = operations.find(({ key }) => key === `${method} /api/v1${url}`)
    return [name, found?.operationId ?? '']
  }),
)

/** The operations that the files of a folder import from the client. */
function calledIn(folder: string): string[] {
  const files = readdirSync(root(folder), { recursive: true, encoding: 'utf8' })
  const names = files
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => {
      const text = readFileSync(path.join(root(folder), name), 'utf8')
      const [, list = ''] = /import \{([^}]*)\} from 'kasir-client'/.exec(text) ?? []
      return list.split(',').map((each) => each.trim())
    })
  return [...new Set(names.flatMap((name) => functions.get(name) ?? []))].sort()
}

it('declares for each page of the back office exactly the routes that its code calls', () => {
  expect(functions.size).toBeGreaterThan(200)
  for (const [area, routes] of Object.entries(AREA_ROUTES))
    expect({ [area]: Object.keys(routes).sort() }).toEqual({ [area]: calledIn(`web/src/features/${area}`) })
})

it('declares for each route the role that the service asks for', () => {
  for (const routes of Object.values(AREA_ROUTES))
    for (const [route, role] of Object.entries(routes))
      expect({ [route]: role }).toEqual({ [route]: roleOf.get(route) })
})

it('has a page for every route, except those on a list that only becomes shorter', () => {
  const called = new Set(calledIn('web/src'))
  const without = operations.map(({ operationId }) => operationId).filter((name) => !called.has(name))
  expect(without.sort()).toEqual([...ROUTES_WITHOUT_PAGE].sort())
})

it('has a reason for every route that it leaves out', () => {
  const files = readdirSync(root('web/src'), { recursive: true, encoding: 'utf8' })
  const code = files
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(path.join(root('web/src'), name), 'utf8'))
    .join('\n')
  for (const [route, address] of Object.entries(CALLED_BY_ADDRESS))
    expect([route, code.includes(address)]).toEqual([route, true])
  const called = new Set(calledIn('web/src'))
  for (const [route, reason] of Object.entries(SAME_BY_ANOTHER_ROUTE))
    expect([route, called.has(reason.split(': ').at(-1) ?? '')]).toEqual([route, true])
})

it('shows each page to the roles that may read it', () => {
  for (const role of ['CASHIER', 'MANAGER', 'OWNER'] as const) {
    const shown = new Set(pagesFor(role).map((page) => page.path))
    const ranks = ['CASHIER', 'MANAGER', 'OWNER']
    for (const { path: page, opens } of OFFICE_PAGES) {
      const mayRead = opens.every((route) => ranks.indexOf(role) >= ranks.indexOf(roleOf.get(route) ?? ''))
      expect([role, page, shown.has(page)]).toEqual([role, page, mayRead])
    }
  }
})
