import type { FastifyInstance } from 'fastify'
import { ApiError, notFound } from '../../core/errors.ts'
import { nearest } from '../../core/suggest.ts'
import { API_PREFIX } from './route.ts'

type RoutePattern = { pattern: RegExp; method: string; template: string }

/** Records path and method of every route registered after this call, as the router names them. */
export function servedBy(app: FastifyInstance): readonly RoutePattern[] {
  const served: RoutePattern[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`)
    const template = url.replaceAll(/:(\w+)/g, '{$1}')
    for (const one of [method].flat()) if (one !== 'HEAD') served.push({ pattern, method: one, template })
  })
  return served
}

/**
 * Answers 405 with `Allow` if the path exists (RFC 9110, 15.5.6), otherwise 404 with the route that was probably
 * meant.
 */
export function missing(
  served: readonly RoutePattern[],
  url: string,
  method: string,
  reply: { header(name: string, value: string): unknown },
): ApiError {
  const path = url.split('?', 1)[0] ?? url
  const allowed = served.filter((known) => known.pattern.test(path)).map((known) => known.method)
  if (allowed.length === 0) {
    const meant = nearestRoute(path, [...new Set(served.map(({ template }) => template))])
    return meant === null
      ? notFound('route')
      : new ApiError('NOT_FOUND', `No such route; did you mean ${meant}?`)
  }
  const allow = [...new Set(allowed)].join(', ')
  reply.header('allow', allow)
  return new ApiError('METHOD_NOT_ALLOWED', `${method} is not supported here; use ${allow}`)
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '')

/** The path template of the route that was probably meant, or null. It never echoes the requested path. */
export function nearestRoute(path: string, templates: readonly string[]): string | null {
  const sent = segmentsOf(path)
  // The prefix is most often left out: /sales, /v1/sales, /api/sales.
  const start = sent.findIndex((segment) => segment !== 'api' && !/^v\d+$/.test(segment))
  const behindPrefix = start === -1 ? [] : sent.slice(start)
  const meant = [sent, [...segmentsOf(API_PREFIX), ...behindPrefix]].flatMap(
    (segments) => matchTemplate(segments, templates) ?? [],
  )
  return meant[0] ?? null
}

const isParam = (segment: string | undefined) => segment?.startsWith('{') === true

/** Narrows the templates by segment: to those with the same segment or a parameter, else to the nearest word. */
function matchTemplate(sent: readonly string[], templates: readonly string[]): string | null {
  let left = templates
    .map((template) => ({ template, segments: segmentsOf(template) }))
    .filter(({ segments }) => segments.length === sent.length)
  for (const [at, segment] of sent.entries()) {
    const exact = left.filter(({ segments }) => segments[at] === segment)
    const words = left.flatMap(({ segments }) => (isParam(segments[at]) ? [] : (segments[at] ?? [])))
    const meant = exact.length > 0 ? segment : nearest(segment, [...new Set(words)])
    const near = left.filter(({ segments }) => meant !== null && segments[at] === meant)
    left = near.length > 0 ? near : left.filter(({ segments }) => isParam(segments[at]))
  }
  return left[0]?.template ?? null
}
