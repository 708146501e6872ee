import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import { isUnsafe } from '../../src/core/methods.ts'
import { API_PREFIX, isKeyed, isPage, type Route } from '../../src/platform/http/route.ts'

/** The types of every request and answer, as the generator prints them from the document. */
export async function clientTypes(document: object): Promise<string> {
  const output = await mkdtemp(join(tmpdir(), 'kasir-client-'))
  try {
    await createClient({
      input: document as Record<string, unknown>,
      output,
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent' },
    })
    return await readFile(join(output, 'types.gen.ts'), 'utf8')
  } finally {
    await rm(output, { recursive: true, force: true })
  }
}

const NOTE = '// Printed by `npm run gen` from the route table; edit src/routes.ts, not this file.\n'

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const namesOf = ({ name }: Route) => {
  const [space = '', verb = ''] = name.split('.')
  return { space, verb, type: capital(space) + capital(verb), variable: space + capital(verb) }
}

/** What a client calls: no stream, no page that a browser is sent to, nothing that a partner posts. */
export const isCallable = (row: Route) =>
  row.isVisited !== true && row.produces !== 'text/event-stream' && row.auth !== 'signature'

function specOf(row: Route): string {
  const inBody = Object.keys(row.body?.properties ?? {})
  // A field that is allowed in both is sent in the body.
  const query = Object.keys(row.query?.properties ?? {}).filter((name) => !inBody.includes(name))
  const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const clash = inPath.find((name) => inBody.includes(name) || query.includes(name))
  if (clash !== undefined)
    throw new Error(`${row.name} takes ${clash} twice: a client could not tell them apart`)
  return [
    `method: '${row.method}'`,
    `path: '${row.path}'`,
    ...(isUnsafe(row.method) && query.length > 0
      ? [`query: [${query.map((name) => `'${name}'`).join(', ')}]`]
      : []),
    ...(isKeyed(row) ? ['isKeyed: true'] : []),
    ...(row.produces === undefined ? [] : ['isFile: true']),
  ].join(', ')
}

/** One function for each operation, so that a bundler keeps those that are used. */
export function clientOperations(routes: readonly Route[]): string {
  const one = (row: Route) => {
    const { type, variable } = namesOf(row)
    const make = isPage(row) ? 'listing' : 'operation'
    const types = `InputOf<t.${type}Data>, DataOf<t.${type}Responses>`
    return `/** ${row.summary}: ${row.method} ${API_PREFIX}${row.path} */\nexport const ${variable} = /* @__PURE__ */ ${make}<${types}>({ ${specOf(row)} })\n`
  }
  return `${NOTE}import { type DataOf, type InputOf, listing, operation } from '../operation.ts'
import type * as t from './types.gen.ts'

${routes.filter(isCallable).map(one).join('\n')}`
}

export function clientNamespaces(routes: readonly Route[]): string {
  const callable = routes.filter(isCallable)
  const spaces = [...new Set(callable.map((row) => namesOf(row).space))]
  const lines = spaces
    .map((space) => [space, callable.filter((row) => namesOf(row).space === space)] as const)
    .map(
      ([space, rows]) =>
        `  ${space}: {\n${rows.map((row) => `    ${namesOf(row).verb}: operations.${namesOf(row).variable},\n`).join('')}  },\n`,
    )
  return `${NOTE}import * as operations from './operations.ts'

/** The operations by the name that the service gives them, \`sales.create\`. */
export const namespaces = {
${lines.join('')}}
`
}
