import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { isUnsafe } from '../../src/core/methods.ts'
import { EXAMPLES } from '../../src/document/examples.ts'
import { PARAMETERS } from '../../src/document/parameters.ts'
import { TAGS } from '../../src/document/tags.ts'
import { documentAt } from '../../src/document.ts'
import { addressOf, readConfig } from '../../src/platform/config/config.ts'
import { openapiOf } from '../../src/platform/http/openapi.ts'
import { authOf } from '../../src/platform/http/route.ts'
import { routes } from '../../src/routes.ts'
import { nameOf } from './request.ts'

type Operation = {
  operationId: string
  summary: string
  parameters: { name: string; in: string; description?: string }[]
}
const document = documentAt('http://127.0.0.1:3000') as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown>; parameters: Record<string, { description?: string }> }
  servers: unknown
}
const operations = Object.values(document.paths).flatMap((item) => Object.values(item))

const repeated = (values: readonly string[]) =>
  values.filter((value, index) => values.indexOf(value) !== index)

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  expect(errors ?? []).toEqual([])
  expect(valid).toBe(true)
})

test('no route is declared twice, and no two paths differ in the name of a placeholder only', () => {
  expect(repeated(routes.map((row) => `${row.method} ${row.path.replaceAll(/\{\w+\}/g, '{}')}`))).toEqual([])
  const shapes = [...new Set(routes.map((row) => row.path))].map((path) => path.replaceAll(/\{\w+\}/g, '{}'))
  expect(repeated(shapes)).toEqual([])
})

test('every operation is named <namespace>.<verb> in camelCase, and no other has its name', () => {
  const names: string[] = operations.map((operation) => operation.operationId)
  expect(names.toSorted()).toEqual(routes.map(({ name }): string => name).toSorted())
  expect(names.filter((name) => !/^[a-z]+([A-Z][a-z]+)*\.[a-z]+([A-Z][a-z]+)*$/.test(name))).toEqual([])
  expect(repeated(names)).toEqual([])
})

test('every reference of the document points to a shape it holds', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target)
  const pointed = (target = '') =>
    target
      .split('/')
      .slice(1)
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)
  expect(references.filter((target) => pointed(target) === undefined)).toEqual([])
})

test('every parameter says what it means', () => {
  const silent = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { parameters }]) =>
      parameters
        .filter((one) => !('$ref' in one) && !one.description)
        .map(({ name }) => `${method} ${path} ${name}`),
    ),
  )
  expect(silent).toEqual([])
  const shared = Object.entries(document.components.parameters)
  expect(shared.filter(([, { description }]) => !description).map(([name]) => name)).toEqual([])
})

test('every body has a title of its own, so that a client has a type for it', () => {
  const titles = routes.flatMap(({ name, body }) =>
    body ? [[name, (body as { title?: string }).title]] : [],
  )
  expect(titles.filter(([, title]) => title === undefined)).toEqual([])
  expect(titles.filter(([, title]) => !Object.hasOwn(document.components.schemas, title ?? ''))).toEqual([])
})

test('what operations have in common is printed once: 5,200 bytes for each of them at most', () => {
  // The operations alone: what is announced by webhooks comes on top.
  const alone = openapiOf(routes, {
    version: '0',
    address: 'http://127.0.0.1:3000',
    examples: EXAMPLES,
    parameters: PARAMETERS,
    tags: TAGS,
    events: new Map(),
  })
  const bytes = Buffer.byteLength(JSON.stringify(alone, null, 2))
  expect(bytes / operations.length).toBeLessThanOrEqual(5_200)
})

test('every body has an example, and every example a route', () => {
  const withBody = routes
    .filter(({ access, body, method }) => body !== undefined || (access === 'forward' && isUnsafe(method)))
    .map(({ name }) => name)
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(withBody.toSorted())
})

/** All else that is counted is whole: rupiah, units, grams. */
const COORDINATES = new Set(['latitude', 'longitude'])

test('every area says what it is about, and nothing else does', () => {
  expect(Object.keys(TAGS).toSorted()).toEqual([...new Set(routes.map(({ area }) => area))].toSorted())
})

test('the document names an address that a client can call', () => {
  expect(document.servers).toEqual([{ url: 'http://127.0.0.1:3000' }])
  const at = (env: Record<string, string>) => addressOf(readConfig(env))
  expect(at({})).toBe('http://127.0.0.1:3000')
  expect(at({ HOST: '0.0.0.0', PORT: '8080' })).toBe('http://127.0.0.1:8080')
  expect(at({ HOST: '::1' })).toBe('http://[::1]:3000')
  expect(at({ PUBLIC_URL: 'https://pos.example.com/' })).toBe('https://pos.example.com')
})

test('no two different shapes share a title', () => {
  const shapes = new Map<string, string>()
  const clashes = new Set<string>()
  const walk = (schema: unknown) => {
    if (Array.isArray(schema)) return schema.forEach(walk)
    if (typeof schema !== 'object' || schema === null) return
    const { title, type } = schema as { title?: unknown; type?: unknown }
    if (typeof title === 'string' && type === 'object') {
      const text = JSON.stringify(schema)
      if ((shapes.get(title) ?? text) !== text) clashes.add(title)
      shapes.set(title, text)
    }
    Object.values(schema).forEach(walk)
  }
  for (const row of routes) for (const shape of [row.body, row.query, row.returns]) walk(shape)
  expect([...clashes]).toEqual([])
})

describe.each(routes.map((row) => [nameOf(row), row] as const))('%s', (_, row) => {
  test('says what it is, who may call it and what it answers', () => {
    expect(row.area).toMatch(/^[a-z][a-z-]+$/)
    expect(row.summary).toMatch(/^[A-Z].{4,90}[^.]$/)
    expect(row.returns).toBeDefined()
    expect(['read', 'write', 'books', 'forbidden', 'none']).toContain(row.delegation)
    expect(row.path).toMatch(/^(\/[a-z][a-z_-]*|\/\{[a-zA-Z]+\}|\/[a-z-]+\.[a-z]+)+$/)
  })

  test('declares the parameters of its path', () => {
    const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(Object.keys(row.params?.properties ?? {})).toEqual(inPath)
  })

  test('reads with GET and writes with the rest, so that only a write may hold a transaction', () => {
    if (row.access === 'write' || row.access === 'self') expect(isUnsafe(row.method)).toBe(true)
    if (row.method === 'GET') expect(row.body).toBeUndefined()
    if (authOf(row) === 'credential') expect(row.access).not.toBe('open')
    expect(row.delegation === 'none').toBe(authOf(row) !== 'credential')
  })

  test('bounds every text, number and list that a caller may send', () => {
    const unbounded: string[] = []
    const walk = (schema: Record<string, unknown>, path: string) => {
      const properties = (schema['properties'] ?? {}) as Record<string, Record<string, unknown>>
      const options = (schema['anyOf'] ?? []) as Record<string, unknown>[]
      const items = schema['items'] as Record<string, unknown> | undefined
      if (schema['type'] === 'string' && schema['maxLength'] === undefined && schema['enum'] === undefined)
        if (schema['format'] === undefined && schema['const'] === undefined) unbounded.push(path)
      if (
        schema['type'] === 'integer' &&
        (schema['minimum'] === undefined || schema['maximum'] === undefined)
      )
        unbounded.push(path)
      if (schema['type'] === 'number') {
        const isCoordinate = COORDINATES.has(path.slice(path.lastIndexOf('.') + 1))
        if (!isCoordinate) unbounded.push(`${path} is no integer`)
        if (schema['minimum'] === undefined || schema['maximum'] === undefined) unbounded.push(path)
      }
      if (schema['type'] === 'array' && schema['maxItems'] === undefined) unbounded.push(path)
      if (items) walk(items, `${path}[]`)
      for (const option of options) walk(option, path)
      for (const [name, inner] of Object.entries(properties)) walk(inner, `${path}.${name}`)
    }
    if (row.body) walk(row.body as object as Record<string, unknown>, 'body')
    if (row.query) walk(row.query as object as Record<string, unknown>, 'query')
    expect(unbounded).toEqual([])
  })
})

test('every field that is named for a password is marked as one: it goes into no fingerprint of a request', () => {
  const unmarked: string[] = []
  const walk = (schema: unknown, path: string) => {
    if (Array.isArray(schema)) return schema.forEach((one) => walk(one, path))
    if (typeof schema !== 'object' || schema === null) return
    for (const [name, inner] of Object.entries((schema as { properties?: object }).properties ?? {})) {
      const { format } = inner as { format?: string }
      if (/password|passphrase/i.test(name) && format !== 'password') unmarked.push(`${path}.${name}`)
    }
    for (const [name, inner] of Object.entries(schema)) walk(inner, `${path}.${name}`)
  }
  for (const row of routes) walk(row.body, nameOf(row))
  expect(unmarked).toEqual([])
})

test('the session scheme names the cookie of plain http and that of https', () => {
  const { components } = documentAt('http://127.0.0.1:3000') as unknown as {
    components: { securitySchemes: { session: { name: string; description: string } } }
  }
  expect(components.securitySchemes.session.name).toBe('kasir_session')
  expect(components.securitySchemes.session.description).toContain('`__Host-kasir_session`')
})
