import {
  ApiError,
  IdParams,
  invalid,
  malformed,
  notFound,
  PageQuery,
  pageByKey,
  parseInstant,
} from 'kasir/partner-tools'
import { Type } from 'typebox'
import { route } from '../../kit/http/route.ts'
import { idWith } from '../../kit/ids.ts'
import { afterOf, cursorOf } from '../../kit/lists.ts'
import { codeKeyOf } from './rules.ts'
import { Discount, DiscountCreate, DiscountPatch } from './schema.ts'
import * as store from './store.ts'

const PREFIX = 'dsc'

function requireOrder({ startsAt, endsAt }: Pick<Discount, 'startsAt' | 'endsAt'>) {
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt)
    throw invalid('endsAt', 'endsAt must be after startsAt')
}

/** An end of the period in UTC, as it is stored and compared. */
function inUtc(name: 'startsAt' | 'endsAt', text: string | null): string | null {
  if (text === null) return null
  const instant = parseInstant(text)
  if (instant === null) throw malformed(name, `${name} must be RFC 3339 with an offset`)
  return instant
}

export const discountRoutes = [
  route({
    name: 'discounts.create',
    method: 'POST',
    path: '/discounts',
    tag: 'discounts',
    summary: 'Makes a code that lowers the price of a sale',
    status: 201,
    body: DiscountCreate,
    access: 'write',
    returns: Discount,
    handle: async ({ tx, caller, body, now }) => {
      const { code, kind, value } = body
      if (kind === 'percent' && value > 100) throw invalid('value', 'A percentage is 1 to 100')
      const discount: Discount = {
        id: idWith(PREFIX),
        code: codeKeyOf(code),
        kind,
        value,
        minSubtotal: body.minSubtotal ?? 0,
        maxDiscount: body.maxDiscount ?? null,
        maxUses: body.maxUses ?? null,
        startsAt: inUtc('startsAt', body.startsAt ?? null),
        endsAt: inUtc('endsAt', body.endsAt ?? null),
        isActive: body.isActive ?? true,
        uses: 0,
        createdAt: now,
        updatedAt: now,
      }
      requireOrder(discount)
      if (!(await store.insert(tx, caller.workspaceId, discount)))
        throw new ApiError('CONFLICT', 'Another discount has this code', { param: 'code' })
      return discount
    },
  }),
  route({
    name: 'discounts.list',
    method: 'GET',
    path: '/discounts',
    tag: 'discounts',
    summary: 'Newest first',
    query: Type.Object(PageQuery),
    access: 'read',
    page: true,
    returns: Discount,
    handle: async ({ db, caller, query: { limit, cursor } }) =>
      pageByKey(
        await store.list(db, caller.workspaceId, afterOf(cursor, PREFIX), limit + 1),
        limit,
        cursorOf,
      ),
  }),
  route({
    name: 'discounts.get',
    method: 'GET',
    path: '/discounts/{id}',
    tag: 'discounts',
    summary: 'One discount',
    params: IdParams,
    access: 'read',
    returns: Discount,
    handle: async ({ db, caller, params }) => {
      const discount = await store.find(db, caller.workspaceId, params.id)
      if (!discount) throw notFound('discount')
      return discount
    },
  }),
  route({
    name: 'discounts.update',
    method: 'PATCH',
    path: '/discounts/{id}',
    tag: 'discounts',
    summary: 'Changes the fields that are sent; sales that use the code keep their discount',
    params: IdParams,
    body: DiscountPatch,
    access: 'write',
    returns: Discount,
    handle: async ({ tx, caller, params, body, now }) => {
      const before = await store.lock(tx, caller.workspaceId, params.id)
      if (!before) throw notFound('discount')
      const { startsAt = before.startsAt, endsAt = before.endsAt } = body
      const discount: Discount = {
        ...before,
        ...body,
        startsAt: inUtc('startsAt', startsAt),
        endsAt: inUtc('endsAt', endsAt),
        updatedAt: now,
      }
      requireOrder(discount)
      await store.update(tx, caller.workspaceId, discount)
      return discount
    },
  }),
]
