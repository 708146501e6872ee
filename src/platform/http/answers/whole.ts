import { type TObject, type TSchema, Type } from 'typebox'
import { assert } from '../../../core/assert.ts'
import type { WithSlot } from '../../db/places.ts'
import { listFrame } from '../envelope.ts'
import type { Route } from '../route.ts'
import { replyChecker } from '../validate.ts'
import { type ListResult, sendWhole } from '../whole.ts'
import {
  baseInput,
  type Exchange,
  JSON_TYPE,
  type PreparedRoute,
  type Responder,
  readScope,
  sendData,
} from './responder.ts'

/**
 * `access: 'whole'`: a list that is sent whole, one portion at a time, or as a page. Each portion takes its own slot.
 */
export function createWholeResponder(prepared: PreparedRoute): Responder {
  const { deps, handle } = prepared
  const list = prepareList(prepared)
  return async (exchange) => {
    const scope = readScope(deps, exchange.request)
    const input = { ...baseInput(deps, exchange), scope, db: deps.db }
    const result = (await exchange.withSlot(() => handle(input))) as ListResult<unknown>
    return 'items' in result ? list.sendPage(exchange, result) : list.sendPortions(exchange, result)
  }
}

type ListPage = Extract<ListResult<unknown>, { items: unknown }>
type ListPortions = Extract<ListResult<unknown>, { portions: unknown }>

function prepareList({ deps, row, status }: PreparedRoute) {
  const { key, rowShape, besideShape } = shapesIn(row)
  const isTest = deps.config.env === 'test'
  const checkRow = isTest ? replyChecker(rowShape) : () => {}
  const checkBeside = isTest ? replyChecker(besideShape) : () => {}
  const readBeside = ({ beside }: ListResult<unknown>) => {
    const fields = beside?.() ?? {}
    checkBeside(fields)
    return fields
  }
  return {
    sendPage: (exchange: Exchange, page: ListPage) => {
      const { items, cursor, hasMore } = page
      for (const item of items) checkRow(item)
      const data = JSON.stringify({ ...readBeside(page), [key]: items })
      return sendData(exchange, status, data, { cursor, hasMore })
    },
    sendPortions: ({ request, reply, withSlot }: Exchange, list: ListPortions) => {
      reply.code(status).type(JSON_TYPE)
      const meta = { requestId: request.id, timestamp: request.now }
      const portions = readPortions(list.portions, withSlot, checkRow)
      const onCut = (error: unknown) => {
        request.log.warn({ err: error, route: row.path }, 'a list response ended early')
      }
      return sendWhole(reply, portions, () => listFrame(key, meta, readBeside(list)), onCut)
    },
  }
}

/** The key of the one list in the answer, the shape of its rows, and the shape of the fields beside it. */
function shapesIn({ path, returns }: Route): { key: string; rowShape: TSchema; besideShape: TSchema } {
  const { properties } = returns as TObject
  const lists = Object.entries(properties).filter(([, shape]) => 'items' in shape)
  const [[key, list] = ['', undefined]] = lists
  assert(lists.length === 1 && list !== undefined && 'items' in list, `${path} answers one list`)
  return { key, rowShape: list.items as TSchema, besideShape: Type.Omit(returns as TObject, [key]) }
}

async function* readPortions(
  portions: AsyncIterable<readonly unknown[]>,
  withSlot: WithSlot,
  check: (row: unknown) => void,
) {
  const source = portions[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value: rows } = await withSlot(() => source.next())
      if (done) return
      for (const row of rows) check(row)
      yield rows
    }
  } finally {
    await source.return?.()
  }
}
