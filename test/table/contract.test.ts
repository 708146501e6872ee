import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { openapiOf } from '../../src/platform/http/openapi.ts'
import { authOf, isUnsafe } from '../../src/platform/http/route.ts'
import { VERSION } from '../../src/platform/version.ts'
import { routes } from '../../src/routes.ts'
import { nameOf } from './request.ts'

type Operation = { operationId: string; summary: string; parameters: { name: string; in: string }[] }
const document = openapiOf(routes, VERSION) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown> }
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

test('every operation has an id of its own', () => {
  expect(repeated(operations.map((operation) => operation.operationId))).toEqual([])
})

test('every reference of the document points to a shape it holds', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target)
  const dangling = references.filter(
    (target) => !(target?.replace('#/components/schemas/', '') ?? '' in document.components.schemas),
  )
  expect(dangling).toEqual([])
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
    expect(row.path).toMatch(/^(\/[a-z][a-z-]*|\/\{[a-zA-Z]+\}|\/[a-z-]+\.[a-z]+)+$/)
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
      if (schema['type'] === 'number') unbounded.push(`${path} is no integer`)
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
  const { components } = openapiOf(routes, VERSION) as {
    components: { securitySchemes: { session: { name: string; description: string } } }
  }
  expect(components.securitySchemes.session.name).toBe('kasir_session')
  expect(components.securitySchemes.session.description).toContain('`__Host-kasir_session`')
})
