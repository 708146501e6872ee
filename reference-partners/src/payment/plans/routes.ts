import { conflict, Deleted, Id, IdParams, notFound, PageQuery, pageByKey } from 'kasir/partner-tools'
import { Type } from 'typebox'
import { route } from '../../kit/http/route.ts'
import { afterOf, cursorOf } from '../../kit/lists.ts'
import { newId } from '../ids.ts'
import { MOST_PRICES, Plan, PlanCreate, PlanPatch, Price, PriceCreate, PricePatch } from './schema.ts'
import * as store from './store.ts'

const newPrice = ({ amount, currency = 'IDR', interval }: PriceCreate, now: string): Price => ({
  id: newId('price'),
  amount,
  currency,
  interval,
  active: true,
  createdAt: now,
  updatedAt: now,
})

export const planRoutes = [
  route({
    name: 'plans.list',
    method: 'GET',
    path: '/plans',
    tag: 'plans',
    summary: 'Newest first, each with its prices',
    query: Type.Object(PageQuery),
    access: 'read',
    page: true,
    returns: Plan,
    handle: async ({ db, caller, query: { limit, cursor } }) =>
      pageByKey(
        await store.listPlans(db, caller.workspaceId, afterOf(cursor, 'pln'), limit + 1),
        limit,
        cursorOf,
      ),
  }),
  route({
    name: 'plans.create',
    method: 'POST',
    path: '/plans',
    tag: 'plans',
    summary: 'Adds a plan that is paid every month or year',
    status: 201,
    body: PlanCreate,
    access: 'write',
    returns: Plan,
    handle: async ({ tx, caller: { workspaceId }, body: { name, prices = [] }, now }) => {
      const plan = { id: newId('plan'), name, active: true, createdAt: now, updatedAt: now }
      await store.insertPlan(tx, workspaceId, plan)
      const made = prices.map((price) => newPrice(price, now))
      for (const price of made) await store.insertPrice(tx, workspaceId, plan.id, price)
      return { ...plan, prices: made }
    },
  }),
  route({
    name: 'plans.get',
    method: 'GET',
    path: '/plans/{id}',
    tag: 'plans',
    summary: 'One plan with its prices',
    params: IdParams,
    access: 'read',
    returns: Plan,
    handle: async ({ db, caller, params }) => {
      const plan = await store.findPlan(db, caller.workspaceId, params.id)
      if (!plan) throw notFound('plan')
      return plan
    },
  }),
  route({
    name: 'plans.update',
    method: 'PATCH',
    path: '/plans/{id}',
    tag: 'plans',
    summary: 'Changes the fields that are sent; an inactive plan takes no new subscriptions',
    params: IdParams,
    body: PlanPatch,
    access: 'write',
    returns: Plan,
    handle: async ({ tx, caller: { workspaceId }, params, body, now }) => {
      const before = await store.lockPlan(tx, workspaceId, params.id)
      if (!before) throw notFound('plan')
      const plan = { ...before, ...body, updatedAt: now }
      await store.updatePlan(tx, workspaceId, plan)
      return plan
    },
  }),
  route({
    name: 'plans.delete',
    method: 'DELETE',
    path: '/plans/{id}',
    tag: 'plans',
    summary: 'Removes a plan that never had a subscription; 409 for any other',
    params: IdParams,
    access: 'write',
    returns: Deleted,
    handle: async ({ tx, caller: { workspaceId }, params: { id } }) => {
      if (!(await store.lockPlan(tx, workspaceId, id))) throw notFound('plan')
      if (await store.isSubscribed(tx, workspaceId, id))
        throw conflict('This plan has subscriptions; set it inactive instead')
      await store.removePlan(tx, workspaceId, id)
      return { id, deleted: true as const }
    },
  }),
  route({
    name: 'plans.addPrice',
    method: 'POST',
    path: '/plans/{id}/prices',
    tag: 'plans',
    summary: 'Adds a price to a plan',
    status: 201,
    params: IdParams,
    body: PriceCreate,
    access: 'write',
    returns: Price,
    handle: async ({ tx, caller: { workspaceId }, params, body, now }) => {
      const plan = await store.lockPlan(tx, workspaceId, params.id)
      if (!plan) throw notFound('plan')
      if (plan.prices.length >= MOST_PRICES) throw conflict(`A plan has at most ${MOST_PRICES} prices`)
      const price = newPrice(body, now)
      await store.insertPrice(tx, workspaceId, plan.id, price)
      return price
    },
  }),
  route({
    name: 'plans.updatePrice',
    method: 'PATCH',
    path: '/plans/prices/{priceId}',
    tag: 'plans',
    summary: 'Offers a price, or no longer; who subscribed to it keeps it',
    params: Type.Object({ priceId: Id }),
    body: PricePatch,
    access: 'write',
    returns: Price,
    handle: async ({ tx, caller: { workspaceId }, params: { priceId }, body: { active }, now }) => {
      const price = await store.updatePrice(tx, workspaceId, { id: priceId, active, now })
      if (!price) throw notFound('price')
      return price
    },
  }),
]
