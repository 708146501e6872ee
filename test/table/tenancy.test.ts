import { beforeAll, describe, expect, test } from 'vitest'
import { isUnsafe } from '../../src/core/methods.ts'
import { authOf } from '../../src/platform/http/route.ts'
import type { Answer } from '../support/api.ts'
import { refusalOf } from '../support/expect.ts'
import { acme, deps, globex, useService } from '../support/service.ts'
import { routes } from './local.ts'

import { hasProbe, probedNames, probeFor } from './probes/index.ts'
import { at, idPlaces, nameOf, type Place, type Probe, send, textOf, unknownLike, withAt } from './request.ts'
import { fieldsOf, type Shape } from './schema-fields.ts'
import { snapshot } from './snapshot.ts'

useService()

const guarded = routes.filter((row) => authOf(row) === 'credential')
/** A stream never ends; its own test looks at foreign outlets. */
const answering = guarded.filter((row) => row.produces !== 'text/event-stream')

/** Ids that the service keeps as sent and never looks up. */
const NOT_LOOKED_UP = new Set<string>([
  // Names that other services give: kept as they are, and looked up nowhere.
  'PATCH /account/abandoned-cart body.discountCodeId',
  ...[
    'PATCH /account/abandoned-cart',
    'POST /account/blog/posts',
    'PATCH /account/blog/posts/{id}',
    'PATCH /account/feeds',
    'PUT /account/referrals',
  ].map((name) => `${name} body.marketingCampaignId`),
  ...['socialPixelId', 'analyticsId', 'adsConversionId', 'shortVideoPixelId'].map(
    (field) => `PATCH /account/pixels body.${field}`,
  ),
  // What a till printed, which may be gone since.
  'POST /sales body.items[].promotions[].id',
  'POST /sales body.items[0].promotions[0].id',
  // Answered as a wrong PIN, so that it reveals no member (approvals.test.ts); the subject is compared when it is used.
  'POST /approvals body.memberId',
  'POST /approvals body.subjectId',
  // An area of the courier's map.
  'PATCH /delivery/origin body.areaId',
  ...['rates', 'shipments'].map((list) => `POST /delivery/${list} body.destination.areaId`),
])

const verdictOf = (answer: Answer) => ({
  status: answer.status,
  code: answer.error?.code,
  message: answer.error?.message,
  param: answer.error?.param,
  data: answer.data,
})
const holdsRows = (data: unknown): boolean =>
  Array.isArray(data)
    ? data.length > 0
    : typeof data === 'object' &&
      data !== null &&
      Object.values(data).some((v) => Array.isArray(v) && holdsRows(v))

const ID_FIELD = /^(id|ids|\w+Ids?)$/

test('every route has a request to try it with', () => {
  expect(guarded.filter((row) => !hasProbe(row)).map(nameOf)).toEqual([])
})

test('no request is for a route that is not served', () => {
  const served = new Set(routes.map(nameOf))
  expect(probedNames.filter((name) => !served.has(name))).toEqual([])
})

describe.each(answering.map((row) => [nameOf(row), row] as const))('%s', (name, row) => {
  let mine: Probe
  let theirs: Probe
  let places: Place[]

  beforeAll(async () => {
    mine = await probeFor(row, acme())
    theirs = await probeFor(row, globex())
    places = idPlaces(mine)
  })

  test('the request of the table fills every id the route takes', () => {
    const declared = [
      ...fieldsOf((row.body ?? {}) as Shape, ['body']),
      ...fieldsOf((row.query ?? {}) as Shape, ['query']),
    ]
      .filter(({ place }) => ID_FIELD.test(String(place.findLast((part) => typeof part === 'string'))))
      .filter(({ shape }) => shape.type === 'string')
      .map(({ place }) => textOf(place))
    // An id may be filled in another entry of its list: some entries name one record or another.
    const filled = new Set(places.map((place) => textOf(place).replaceAll(/\[\d+\]/g, '[0]')))
    const missing = declared.filter((place) => !filled.has(place) && !NOT_LOOKED_UP.has(`${name} ${place}`))
    expect(missing).toEqual([])
  })

  test('a foreign id answers as an unknown one and changes nothing', async () => {
    const before = [await snapshot(deps().pool, globex()), await snapshot(deps().pool, acme())]
    for (const place of places) {
      const where = `${name} ${textOf(place).replaceAll(/\[\d+\]/g, '[]')}`
      if (NOT_LOOKED_UP.has(where)) continue
      const foreign = verdictOf(await send(acme(), row, withAt(mine, place, at(theirs, place))))
      const unknown = verdictOf(
        await send(acme(), row, withAt(mine, place, unknownLike(String(at(mine, place))))),
      )
      expect({ where, ...foreign }).toEqual({ where, ...unknown })
      if (place[0] === 'query' && foreign.status === 200)
        expect([where, holdsRows(foreign.data)]).toEqual([where, false])
      else expect([where, foreign.status]).toEqual([where, 404])
    }
    expect([await snapshot(deps().pool, globex()), await snapshot(deps().pool, acme())]).toEqual(before)
  })

  test('a child of another parent answers 404', async () => {
    const names = Object.keys(mine.params ?? {})
    const [parent] = names
    if (names.length < 2 || parent === undefined) return
    const sibling = await probeFor(row, acme())
    const answer = await send(acme(), row, withAt(mine, ['params', parent], sibling.params?.[parent]))
    expect(refusalOf(answer)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })

  test('the request of the table is accepted, so that the refusals above were about the id', async () => {
    const answer = await send(acme(), row, mine)
    expect([answer.text, answer.status < 300]).toEqual([answer.text, true])
  })

  test.runIf(isUnsafe(row.method) && row.body)(
    'two workspaces may use the same names and codes',
    async () => {
      const { body } = await probeFor(row, acme())
      const texts = Object.entries(body ?? {}).filter(([key]) => ['name', 'label', 'code'].includes(key))
      if (texts.length === 0) return
      const other = await probeFor(row, globex())
      const answer = await send(globex(), row, {
        ...other,
        body: { ...other.body, ...Object.fromEntries(texts) },
      })
      expect([answer.text, answer.status < 300]).toEqual([answer.text, true])
    },
  )
})
