import { type TObject, Type } from 'typebox'
import { ApiError } from '../../../core/errors.ts'
import type { Module } from '../../../core/modules.ts'
import { type Delegation, type Method, type Route, route } from '../../../platform/http/route.ts'
import { Id } from '../../../platform/http/shapes.ts'
import { pathOf } from '../../../platform/partners/client.ts'
import type { Role } from '../../../platform/scope.ts'
import { findPartnerAccount } from '../../workspace/modules/index.ts'

/** The kind of answer: one record, a page of a list, or a file. */
type Answers = 'one' | 'page' | keyof typeof FILES

/**
 * Media types of files with their headers. The headers keep a partner's page from running scripts on our origin and
 * from loading anything.
 */
const FILES = {
  pdf: { mediaType: 'application/pdf', headers: {} },
  csv: { mediaType: 'text/csv', headers: {} },
  escpos: { mediaType: 'application/octet-stream', headers: {} },
  html: {
    mediaType: 'text/html',
    headers: {
      'content-security-policy':
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    },
  },
} as const
const isFile = (answers: Answers): answers is keyof typeof FILES => answers in FILES

/** A row of a table of forwarded routes. `path` follows the prefix of the family here, and /v1 at the partner. */
export type ForwardedRoute = readonly [
  name: `${string}.${string}`,
  method: Method,
  path: string,
  answers: Answers,
  summary: string,
]

/** The module of the routes and the access to them. */
type Family = {
  module: Module
  /** The prefix of each path, such as `/payments`; also the area. */
  area: string
  delegation(method: Method, path: string): Delegation
  role(method: Method): Role
}

const paramsIn = (path: string): TObject =>
  Type.Object(Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, Id])))

/** Builds the path at the partner. Escaping keeps each id in one part of the path. */
const tailOf = (path: string, params: Readonly<Record<string, string>>): string =>
  pathOf(
    'v1',
    ...path
      .split('/')
      .slice(1)
      .map((part) => params[part.slice(1, -1)] ?? part),
  )

/**
 * Builds a route that forwards requests with the workspace's own key. Only the partner checks query and body
 * (B-forward-1).
 */
export const forwardedRow = (
  { module, area, delegation, role }: Family,
  [name, method, path, answers, summary]: ForwardedRoute,
): Route =>
  route({
    name,
    method,
    path: `/${area}${path}`,
    area,
    summary,
    access: 'forward',
    module,
    delegation: delegation(method, path),
    role: role(method),
    params: paramsIn(path),
    returns: Type.Unknown(),
    ...(isFile(answers) ? { produces: FILES[answers].mediaType } : {}),
    document: {
      ...(method === 'POST' ? { alsoAnswers: [201, 202] } : {}),
      ...(answers === 'page' ? { isPage: true } : {}),
    },
    handle: async ({ deps, scope, partner, params, search, body }) => {
      const { client, key } = await findPartnerAccount({ deps, scope, partner }, module)
      const asked = {
        method,
        path: tailOf(path, params as Record<string, string>),
        query: search,
        key,
        // A write may have taken effect although its answer is unusable.
        isNarrowable: method === 'GET',
        ...(body === undefined ? {} : { body }),
      }
      if (isFile(answers)) {
        const { mediaType, headers } = FILES[answers]
        const { bytes: file } = await partner.call((sent) => client.fetch(asked, sent, [mediaType]))
        const type = mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType
        return { file, type, headers }
      }
      const { status, data, cursor, text } = await partner.call((sent) => client.ask(asked, sent))
      if (answers !== 'page') return { status, data, text }
      if (!Array.isArray(data)) {
        throw new ApiError('PARTNER_ERROR', `The ${module} partner returned no valid list; try again later`)
      }
      return { status, data, text, page: { cursor, hasMore: cursor !== null } }
    },
  })
