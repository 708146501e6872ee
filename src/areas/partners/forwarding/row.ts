import { type TObject, Type } from 'typebox'
import { ApiError } from '../../../core/errors.ts'
import type { Module } from '../../../core/modules.ts'
import { type Delegation, type Method, type Route, route } from '../../../platform/http/route.ts'
import { Id } from '../../../platform/http/shapes.ts'
import { pathOf } from '../../../platform/partners/client.ts'
import type { Role } from '../../../platform/scope.ts'
import { placeAtPartner } from '../../workspace/modules/index.ts'

/** What a row answers: one record, a page of a list, or a file. */
type Answers = 'one' | 'page' | keyof typeof FILES

/** Media types of files, and the headers that go with each. A page of a partner runs nothing on our origin and loads nothing. */
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

/** A row of a table of routes that are handed on; `path` is behind the prefix of the family here, and behind /v1 at the partner. */
export type Forwarded = readonly [
  name: `${string}.${string}`,
  method: Method,
  path: string,
  answers: Answers,
  summary: string,
]

/** Whose routes they are, and who may call them. */
type Family = {
  module: Module
  /** In front of each path, such as `/payments`; also the area. */
  area: string
  delegation(method: Method, path: string): Delegation
  role(method: Method): Role
}

const paramsIn = (path: string): TObject =>
  Type.Object(Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, Id])))

/** The path at the partner; whatever an id holds, it stays one part of it. */
const tailOf = (path: string, params: Readonly<Record<string, string>>): string =>
  pathOf(
    'v1',
    ...path
      .split('/')
      .slice(1)
      .map((part) => params[part.slice(1, -1)] ?? part),
  )

/** One row, handed on with the workspace's own key; only the partner judges query and body (B-forward-1). */
export const forwardedRow = (
  { module, area, delegation, role }: Family,
  [name, method, path, answers, summary]: Forwarded,
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
    ...(method === 'POST' ? { alsoAnswers: [201, 202] } : {}),
    ...(answers === 'page' ? { page: true } : {}),
    handle: async ({ deps, scope, partner, params, search, body }) => {
      const { client, key } = await placeAtPartner({ deps, scope, partner }, module)
      const asked = {
        method,
        path: tailOf(path, params as Record<string, string>),
        query: search,
        key,
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
        throw new ApiError('PARTNER_ERROR', `The ${module} partner answered no list; try again later`)
      }
      return { status, data, text, page: { cursor, hasMore: cursor !== null } }
    },
  })
