import { newId } from '../../src/core/ids.ts'
import { isUnsafe } from '../../src/core/methods.ts'
import type { Route } from '../../src/platform/http/route.ts'
import type { Answer, Api, Options } from '../support/api.ts'
import { ownerOf } from '../support/clients.ts'

/** A request of one route, in the parts the route table names. */
export type Probe = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown>
  headers?: Record<string, string>
}
/** Builds in the caller's own workspace whatever the request needs, and a request that the service accepts. */
export type Make = (api: Api) => Promise<Probe>
/** A request whose only path parameter is the id of what is built. */
export const byId =
  (build: (api: Api) => Promise<string>, more: object = {}): Make =>
  async (api) => ({ params: { id: await build(api) }, ...more })
/** Where a value stands in a request: `['body', 'items', 0, 'variantId']`. */
export type Place = readonly (string | number)[]

export const nameOf = (row: Pick<Route, 'method' | 'path'>) => `${row.method} ${row.path}`

export const pathOf = (row: Pick<Route, 'path'>, { params = {}, query = {} }: Probe) => {
  const filled = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? 'x'),
  )
  const search = new URLSearchParams(query).toString()
  return search === '' ? filled : `${filled}?${search}`
}

/** Routes that refuse API keys: an owner of the same workspace sends these. */
const CLOSED_TO_KEYS = ['DELETE /members/{id}/second-factor', 'POST /tills']

/** Who may send this route: the client itself, or an owner of its workspace. */
export const senderOf = async (api: Api, row: Route): Promise<Api> =>
  api.workspace.key !== '' && CLOSED_TO_KEYS.includes(nameOf(row)) ? ownerOf(api) : api

export async function send(api: Api, row: Route, probe: Probe, options: Options = {}): Promise<Answer> {
  const sender = await senderOf(api, row)
  const path = pathOf(row, probe)
  const body = row.body || probe.body ? JSON.stringify(probe.body ?? {}) : undefined
  return sender.raw(row.method, path, body, {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
    ...probe.headers,
    ...options.headers,
  })
}

/** An impossible id and a body that is not JSON: only a caller who passes the gate learns of them. */
export const knock = (api: Api, row: Route) => {
  const body = isUnsafe(row.method) ? '{"not json' : undefined
  return api.raw(row.method, pathOf(row, {}), body, body ? { 'content-type': 'application/json' } : {})
}

export const textOf = (place: Place) =>
  place
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('')

/** As `error.param` names it: without the part of the request. */
export const paramOf = (place: Place) =>
  place
    .slice(1)
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('')

export const at = (probe: Probe, place: Place): unknown =>
  place.reduce<unknown>((value, key) => (value as Record<string | number, unknown> | undefined)?.[key], probe)

/** A copy with another value at the place; `undefined` removes the field. */
export function withAt(probe: Probe, place: Place, value: unknown): Probe {
  const copy = structuredClone(probe)
  const parent = place
    .slice(0, -1)
    .reduce<Record<string | number, unknown>>(
      (inner, key) => (inner[key] ??= {}) as Record<string | number, unknown>,
      copy as Record<string, unknown>,
    )
  const last = place.at(-1) ?? ''
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy
}

const ID = /^[a-z]+_[0-9A-HJKMNP-TV-Z]{26}$/

/** Every place of a request that holds an id of the workspace; path parameters always count (a code is one too). */
export function idPlaces(probe: Probe): Place[] {
  const found: Place[] = Object.keys(probe.params ?? {}).map((name) => ['params', name])
  const walk = (value: unknown, place: Place) => {
    if (typeof value === 'string' && ID.test(value)) found.push(place)
    else if (Array.isArray(value)) for (const [i, entry] of value.entries()) walk(entry, [...place, i])
    else if (typeof value === 'object' && value !== null)
      for (const [key, entry] of Object.entries(value)) walk(entry, [...place, key])
  }
  walk(probe.query, ['query'])
  walk(probe.body, ['body'])
  return found
}

/** An id of the same kind that no workspace has; a code becomes another code of the same length. */
export function unknownLike(value: string): string {
  const [prefix = '', rest] = value.split('_')
  if (rest === undefined) return 'Z'.repeat(value.length)
  return newId('outlet').replace('out', prefix)
}
