import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { breakages, type Document, isBreakAnnounced } from '../../scripts/lib/drift.ts'

const text = { type: 'string' }
/** A shop's document, small: one list, one write, one event, with everything that a rule looks at. */
const shop = () => ({
  paths: {
    '/sales': {
      get: {
        operationId: 'sales.list',
        parameters: [
          { $ref: '#/components/parameters/Status' },
          {
            name: 'limit',
            in: 'query',
            required: false,
            schema: { type: 'integer', minimum: 1, maximum: 100 },
          },
        ],
        responses: {
          200: { $ref: '#/components/responses/Sales' },
          404: { content: { 'application/json': {} } },
        },
      },
      post: {
        operationId: 'sales.create',
        requestBody: {
          required: false,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['items'],
                additionalProperties: false,
                properties: {
                  items: {
                    type: 'array',
                    minItems: 1,
                    maxItems: 500,
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: { name: { ...text, maxLength: 80 }, note: text },
                    },
                  },
                  method: { type: 'string', enum: ['CASH', 'QRIS'] },
                  note: { type: ['string', 'null'] },
                  discount: {
                    anyOf: [
                      { type: 'integer', minimum: 0 },
                      { type: 'string', pattern: '^\\d+%$' },
                    ],
                  },
                },
              },
            },
          },
        },
        responses: {
          201: {
            headers: { 'Idempotent-Replayed': {} },
            content: {
              'application/json': {
                schema: {
                  allOf: [
                    { $ref: '#/components/schemas/Answer' },
                    {
                      properties: {
                        data: {
                          type: 'object',
                          required: ['sale'],
                          properties: { sale: { $ref: '#/components/schemas/Sale' } },
                        },
                      },
                    },
                  ],
                },
              },
              'text/csv': { schema: text },
            },
          },
        },
      },
    },
  },
  webhooks: {
    'sale.completed': {
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Sale' } } } },
      },
    },
  },
  components: {
    parameters: {
      Status: { name: 'status', in: 'query', schema: { type: 'string', enum: ['OPEN', 'PAID'] } },
    },
    responses: {
      Sales: {
        content: {
          'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Sale' } } },
        },
      },
    },
    schemas: {
      Answer: { type: 'object', required: ['data'], properties: { data: {} } },
      Error: { type: 'object', properties: { code: { type: 'string', enum: ['CONFLICT', 'NOT_FOUND'] } } },
      Sale: {
        type: 'object',
        required: ['id', 'status', 'parts'],
        properties: {
          id: text,
          status: { type: 'string', enum: ['OPEN', 'PAID'] },
          total: { type: 'integer' },
          closedAt: { type: ['string', 'null'] },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Sale' } },
          labels: { type: 'object', additionalProperties: text },
        },
      },
    },
  },
})
type Shop = ReturnType<typeof shop>
// oxlint-disable-next-line typescript/no-explicit-any -- a planted change may be of any form
const planted = (change: (shop: any) => void) => {
  // Through JSON, so that no two places share an object.
  const changed: Shop = JSON.parse(JSON.stringify(shop()))
  change(changed)
  return breakages(shop() as unknown as Document, changed as unknown as Document)
}
// oxlint-disable-next-line typescript/no-explicit-any -- as above
const body = (shop: any) => shop.paths['/sales'].post.requestBody.content['application/json'].schema
// oxlint-disable-next-line typescript/no-explicit-any -- as above
const sale = (shop: any) => shop.components.schemas.Sale
// oxlint-disable-next-line typescript/no-explicit-any -- as above
type Change = (shop: any) => void

describe('a change that breaks clients is told:', () => {
  test.each<[string, Change, string]>([
    ['an operation gone', (s) => delete s.paths['/sales'].get, 'GET /sales is gone'],
    ['a path gone', (s) => delete s.paths['/sales'], 'POST /sales is gone'],
    [
      'an operation renamed',
      (s) => (s.paths['/sales'].get.operationId = 'sales.all'),
      'GET /sales was sales.list and is now sales.all',
    ],
    ['a parameter gone', (s) => s.paths['/sales'].get.parameters.pop(), 'GET /sales: query limit is gone'],
    [
      'a parameter newly required',
      (s) => (s.components.parameters.Status.required = true),
      'GET /sales: query status must now be sent',
    ],
    [
      'a new parameter that is required',
      (s) =>
        s.paths['/sales'].get.parameters.push({
          name: 'outletId',
          in: 'query',
          required: true,
          schema: text,
        }),
      'GET /sales: query outletId must now be sent',
    ],
    [
      'a word of a parameter gone',
      (s) => s.components.parameters.Status.schema.enum.pop(),
      'GET /sales: query status: "PAID" is gone',
    ],
    [
      'a bound of a parameter tighter',
      (s) => (s.paths['/sales'].get.parameters[1].schema.maximum = 50),
      'GET /sales: query limit: maximum is tighter (100, now 50)',
    ],
    [
      'a body newly required',
      (s) => (s.paths['/sales'].post.requestBody.required = true),
      'POST /sales: body must now be sent',
    ],
    ['a field of a request gone', (s) => delete body(s).properties.note, 'POST /sales: body.note is gone'],
    [
      'a field of a request newly required',
      (s) => body(s).required.push('note'),
      'POST /sales: body.note must now be sent',
    ],
    [
      'a field of an entry newly required',
      (s) => body(s).properties.items.items.required.push('note'),
      'POST /sales: body.items[].note must now be sent',
    ],
    [
      'a field of a request no longer nullable',
      (s) => (body(s).properties.note.type = 'string'),
      'POST /sales: body.note may no longer be null',
    ],
    [
      'a text shorter',
      (s) => (body(s).properties.items.items.properties.name.maxLength = 40),
      'POST /sales: body.items[].name: maxLength is tighter (80, now 40)',
    ],
    [
      'a bound where there was none',
      (s) => (body(s).properties.note.minLength = 1),
      'POST /sales: body.note: minLength is tighter (none, now 1)',
    ],
    [
      'a list that needs more',
      (s) => (body(s).properties.items.minItems = 2),
      'POST /sales: body.items: minItems is tighter (1, now 2)',
    ],
    [
      'a pattern where there was none',
      (s) => (body(s).properties.items.items.properties.note.pattern = '^a'),
      'POST /sales: body.items[].note: pattern is tighter (none, now ^a)',
    ],
    [
      'a word of a request gone',
      (s) => body(s).properties.method.enum.pop(),
      'POST /sales: body.method: "QRIS" is gone',
    ],
    [
      'words where any text was taken',
      (s) => (body(s).properties.items.items.properties.note.enum = ['a']),
      'POST /sales: body.items[].note now takes certain words only',
    ],
    [
      'a form of a value gone',
      (s) => body(s).properties.discount.anyOf.pop(),
      'POST /sales: body.discount was string and is now integer',
    ],
    [
      'a type of a request changed',
      (s) => (body(s).properties.method.type = 'integer'),
      'POST /sales: body.method was string and is now integer',
    ],
    ['a success gone', (s) => delete s.paths['/sales'].post.responses[201], 'POST /sales: 201 is gone'],
    [
      'a media type gone',
      (s) => delete s.paths['/sales'].post.responses[201].content['text/csv'],
      'POST /sales: 201 as text/csv is gone',
    ],
    [
      'a header of an answer gone',
      (s) => (s.paths['/sales'].post.responses[201].headers = {}),
      'POST /sales: 201 header Idempotent-Replayed is gone',
    ],
    [
      'a field of an answer gone',
      (s) => delete sale(s).properties.total,
      'POST /sales: 201.data.sale.total is gone',
    ],
    [
      'a field of an answer optional',
      (s) => sale(s).required.shift(),
      'POST /sales: 201.data.sale.id may now be missing',
    ],
    [
      'a field of an answer nullable',
      (s) => (sale(s).properties.total.type = ['integer', 'null']),
      'POST /sales: 201.data.sale.total may now be null',
    ],
    [
      'a field of an answer of another type',
      (s) => (sale(s).properties.total.type = 'string'),
      'POST /sales: 201.data.sale.total was integer and is now string',
    ],
    [
      'a word of an answer gone',
      (s) => sale(s).properties.status.enum.pop(),
      'POST /sales: 201.data.sale.status: "PAID" is gone',
    ],
    [
      'the values of a map nullable',
      (s) => (sale(s).properties.labels.additionalProperties.type = ['string', 'null']),
      'POST /sales: 201.data.sale.labels.* may now be null',
    ],
    ['an event gone', (s) => delete s.webhooks['sale.completed'], 'event POST sale.completed is gone'],
    [
      'a field of an event gone',
      (s) => delete sale(s).properties.total,
      'event POST sale.completed.total is gone',
    ],
    [
      'a code of the refusals gone',
      (s) => s.components.schemas.Error.properties.code.enum.pop(),
      'refusals.code: "NOT_FOUND" is gone',
    ],
  ])('%s', (_, change, line) => {
    expect(planted(change)).toContain(line)
  })
})

describe('a change that breaks nobody is not:', () => {
  test.each<[string, Change]>([
    ['none', () => {}],
    ['a new operation', (s) => (s.paths['/tables'] = { get: { operationId: 'tables.list', responses: {} } })],
    [
      'a new parameter that may be left out',
      (s) => s.paths['/sales'].get.parameters.push({ name: 'q', in: 'query', schema: text }),
    ],
    ['a new field of a request', (s) => (body(s).properties.tip = { type: 'integer' })],
    ['a field of a request that may be left out now', (s) => (body(s).required = [])],
    ['a wider bound', (s) => (body(s).properties.items.maxItems = 1000)],
    ['a bound that is gone', (s) => delete body(s).properties.discount.anyOf[1].pattern],
    [
      'a new word',
      (s) => (body(s).properties.method.enum.push('VA'), sale(s).properties.status.enum.push('VOID')),
    ],
    ['a request that takes null now', (s) => (body(s).properties.method.type = ['string', 'null'])],
    ['another form of a value', (s) => body(s).properties.discount.anyOf.push({ type: 'boolean' })],
    ['a new field of an answer', (s) => (sale(s).properties.tip = { type: 'integer' })],
    ['an answer that always has a field now', (s) => sale(s).required.push('total')],
    ['an answer that is never null now', (s) => (sale(s).properties.closedAt.type = 'string')],
    ['a bound of an answer', (s) => (sale(s).properties.total.maximum = 5)],
    ['a refusal that does not come any more', (s) => delete s.paths['/sales'].get.responses[404]],
    ['a new code of the refusals', (s) => s.components.schemas.Error.properties.code.enum.push('GONE')],
    [
      'a schema that is called otherwise',
      (s) => {
        s.components.schemas.Bill = JSON.parse(
          JSON.stringify(sale(s)).replaceAll('schemas/Sale', 'schemas/Bill'),
        )
        s.components.responses.Sales.content['application/json'].schema.items.$ref =
          '#/components/schemas/Bill'
      },
    ],
  ])('%s', (_, change) => {
    expect(planted(change)).toEqual([])
  })
})

test('the last release is kept whole, and the document breaks nothing of it', async () => {
  const read = async (file: string) =>
    JSON.parse(await readFile(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8')) as Document
  const [released, ours] = [await read('released/openapi.json'), await read('openapi.json')]
  expect(breakages(released, released)).toEqual([])
  expect(Object.keys(released.paths).length).toBeGreaterThan(100)
  // One field of thousands.
  const broken = JSON.parse(JSON.stringify(ours).replace('"total":{', '"totals":{')) as Document
  expect(breakages(ours, broken).length).toBeGreaterThan(0)
})

test.each([
  ['## [Unreleased]\n\n### Breaking\n\n- No more', true],
  ['# C\n\n## [Unreleased]\n\nBreaking: no more', true],
  ['## [Unreleased]\n\n**Breaking.** No more', true],
  ['## [Unreleased]\n\n### Added\n\n- Breaking news', false],
  ['## [Unreleased]\n\n### Added\n\n## [0.1.0]\n\n### Breaking\n', false],
])('a break is announced by the first words of the next version: %j', (changelog, expected) => {
  expect(isBreakAnnounced(changelog)).toBe(expected)
})

test('a field that took URIs may take IRIs as well, but not the other way round', () => {
  const withFormat = (format: string) => {
    const changed = JSON.parse(JSON.stringify(shop()))
    body(changed).properties.note.format = format
    return changed as Document
  }
  expect(breakages(withFormat('uri'), withFormat('iri'))).toEqual([])
  expect(breakages(withFormat('iri'), withFormat('uri'))).toEqual([
    'POST /sales: body.note: format is tighter (iri, now uri)',
  ])
})
