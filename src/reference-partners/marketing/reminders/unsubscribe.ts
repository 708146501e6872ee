import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { escaped } from '../../../core/markup.ts'
import { acceptForms, pageSender } from '../../kit/pages.ts'
import type { Tools } from '../../kit/tools.ts'
import { findWorkspace } from '../../kit/workspaces/store.ts'
import { unsubscribe } from './store.ts'

const PATH = '/unsubscribe'
const STYLE = 'body{font:16px system-ui;margin:15vh auto;max-width:26rem;padding:0 1rem}button{font:inherit}'

/** An address is kept as a digest, per merchant. */
export const digestOf = (workspaceId: string, email: string): string =>
  createHash('sha256').update(`${workspaceId}\n${email.toLowerCase()}`).digest('base64url')

const signatureOf = ({ keys }: Tools, workspaceId: string, digest: string) =>
  createHmac('sha256', keys.keyOf(workspaceId)).update(`unsubscribe\n${digest}`).digest('base64url')

/** Where the reader of a mail ends reminders of this merchant; nobody can make one for somebody else. */
export const unsubscribeUrlOf = (tools: Tools, workspaceId: string, email: string): string => {
  const digest = digestOf(workspaceId, email)
  return `${tools.publicUrl()}${PATH}/${workspaceId}/${digest}/${signatureOf(tools, workspaceId, digest)}`
}

type Params = { workspaceId: string; digest: string; signature: string }
const isSame = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

async function nameOf(tools: Tools, { workspaceId, digest, signature }: Params): Promise<string | null> {
  const isOurs = /^wsp_[0-9A-Z]{26}$/.test(workspaceId) && /^[\w-]{43}$/.test(digest)
  if (!isOurs || !isSame(signature, signatureOf(tools, workspaceId, digest))) return null
  return (await findWorkspace(tools.db, workspaceId))?.name ?? null
}

/** The page behind the link of a mail. GET changes nothing: programs that check mails open every link. */
export function mountUnsubscribe(app: FastifyInstance, tools: Tools) {
  acceptForms(app)
  const send = pageSender(STYLE)
  const page = (reply: FastifyReply, text: string, form = '') =>
    send(
      reply,
      `<!doctype html><html lang="id"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Unsubscribe</title><style>${STYLE}</style></head><body><p>${escaped(text)}</p>${form}</body></html>`,
    )
  const unknown = (reply: FastifyReply) => page(reply.code(404), 'This link is not valid.')
  const url = `${PATH}/:workspaceId/:digest/:signature`
  app.get<{ Params: Params }>(url, async (request, reply) => {
    const name = await nameOf(tools, request.params)
    if (name === null) return unknown(reply)
    const form = '<form method="post"><button>Unsubscribe</button></form>'
    return page(reply, `No more reminders from ${name}?`, form)
  })
  app.post<{ Params: Params }>(url, async (request, reply) => {
    const name = await nameOf(tools, request.params)
    if (name === null) return unknown(reply)
    const { workspaceId, digest } = request.params
    await tools.db.tx((tx) => unsubscribe(tx, workspaceId, digest, tools.now()))
    return page(reply, `${name} sends you no more reminders.`)
  })
}
