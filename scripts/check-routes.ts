/**
 * npm run check-routes [-- --areas a,b --list FILE] holds openapi.json against the route list of the contract, where
 * that list is present (by default beside this repository). Required are the areas named, or else every area that
 * serves at least one route; what other areas lack is listed and does not fail.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'

type ExpectedRoute = {
  method: string
  path: string
  area: string
  auth: string
  module: string | null
  delegation: string
}
type Operation = {
  'x-auth'?: string
  'x-delegation'?: string
  'x-module'?: string | null
}

const { values } = parseArgs({
  options: { areas: { type: 'string' }, list: { type: 'string', default: '../shared/contract/routes.json' } },
})
const read = async <T>(file: string): Promise<T> => JSON.parse(await readFile(file, 'utf8')) as T

const shapeOf = (method: string, path: string) => `${method} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`

const list = await read<ExpectedRoute[]>(values.list).catch((error: NodeJS.ErrnoException) => {
  if (error.code === 'ENOENT') return null
  throw error
})
if (list === null) {
  console.log('The route list of the contract is not here; nothing to compare.')
  console.log('0 passed, 0 failed')
} else {
  const { paths } = await read<{ paths: Record<string, Record<string, Operation>> }>('openapi.json')
  const served = new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, operation]) => [shapeOf(method.toUpperCase(), path), operation] as const,
      ),
    ),
  )
  report(list, served)
}

function report(list: ExpectedRoute[], served: ReadonlyMap<string, Operation>) {
  const isServed = (row: ExpectedRoute) => served.has(shapeOf(row.method, row.path))
  const required = new Set(
    values.areas?.split(',').map((area) => area.trim()) ?? list.filter(isServed).map((row) => row.area),
  )
  let passed = 0
  let failed = 0
  const later = new Map<string, number>()
  for (const row of list) {
    const operation = served.get(shapeOf(row.method, row.path))
    if (!operation && !required.has(row.area)) {
      later.set(row.area, (later.get(row.area) ?? 0) + 1)
      continue
    }
    const faults = operation ? faultsOf(row, operation) : ['missing']
    if (faults.length === 0) passed += 1
    else {
      failed += 1
      console.log(`${row.method.padEnd(6)} ${row.path}  (${row.area}): ${faults.join('; ')}`)
    }
  }
  const known = new Set(list.map((row) => shapeOf(row.method, row.path)))
  const extra = [...served.keys()].filter((key) => !known.has(key))
  if (extra.length > 0) console.log(`Beyond the list: ${extra.join(', ')}`)
  if (later.size > 0)
    console.log(`Not built yet: ${[...later].map(([area, count]) => `${area} ${count}`).join(', ')}`)
  console.log(`${passed} passed, ${failed} failed`)
  if (failed > 0) process.exitCode = 1
}

function faultsOf(row: ExpectedRoute, operation: Operation): string[] {
  const pairs = [
    ['auth', row.auth, operation['x-auth']],
    ['module', row.module, operation['x-module']],
    ['delegation', row.delegation, operation['x-delegation']],
  ] as const
  return pairs
    .filter(([, wanted, found]) => wanted !== found)
    .map(([name, wanted, found]) => `${name} is ${found}, the contract says ${wanted}`)
}
