import type { FastifyInstance } from 'fastify'
import { ApiError, notFound } from '../../core/errors.ts'

type Served = { pattern: RegExp; method: string }

/** The paths and methods of every route that is registered from here on, by the router's own words. */
export function servedBy(app: FastifyInstance): readonly Served[] {
  const served: Served[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`)
    for (const one of [method].flat()) if (one !== 'HEAD') served.push({ pattern, method: one })
  })
  return served
}

/** 405 with `Allow` where the path exists (RFC 9110, 15.5.6), otherwise 404. */
export function missing(
  served: readonly Served[],
  url: string,
  method: string,
  reply: { header(name: string, value: string): unknown },
): ApiError {
  const path = url.split('?', 1)[0] ?? url
  const allowed = served.filter((known) => known.pattern.test(path)).map((known) => known.method)
  if (allowed.length === 0) return notFound('route')
  const allow = [...new Set(allowed)].join(', ')
  reply.header('allow', allow)
  return new ApiError('METHOD_NOT_ALLOWED', `${method} is not supported here; use ${allow}`)
}
