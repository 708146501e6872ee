import { createHash, createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { assert, escaped, isSameText } from 'kasir/partner-tools'
import type { Tx } from '../../kit/db.ts'
import { acceptForms, pageSender } from '../../kit/pages.ts'
import type { Tools } from '../../kit/tools.ts'
import * as store from './store.ts'

const PATH = '/unsubscribe'
const STYLE = 'body{font:16px system-ui;margin:15vh auto;max-width:26rem;padding:0 1rem}button{font:inherit}'

/** Unsubscribed addresses are stored as digests, per merchant. */
export const digestOf = (workspaceId: string, email: string): string =>
  createHash('sha256').update(`${workspaceId}\n${email.toLowerCase()}`).digest('base64url')

const signedBy = (secret: string, digest: string) =>
  createHmac('sha256', secret).update(`unsubscribe\n${digest}`).digest('base64url')

/** Returns the signed link that ends this merchant's reminders for one reader. It cannot be forged for another reader. */
export async function unsubscribeUrlOf(tx: Tx, tools: Tools, workspaceId: string, email: string) {
  const signer = await store.findSigner(tx, workspaceId)
  assert(signer, 'who writes a reminder has a place here')
  const digest = digestOf(workspaceId, email)
  return `${tools.publicUrl()}${PATH}/${workspaceId}/${digest}/${signedBy(signer.linkSecret, digest)}`
}

type Params = { workspaceId: string; digest: string; signature: string }

/** Links of an earlier version are signed with the key of the workspace, which changes with the platform's. */
async function nameOf(
  { db, keys }: Tools,
  { workspaceId, digest, signature }: Params,
): Promise<string | null> {
  if (!/^wsp_[0-9A-Z]{26}$/.test(workspaceId) || !/^[\w-]{43}$/.test(digest)) return null
  const signer = await store.findSigner(db, workspaceId)
  if (!signer) return null
  const secrets = [signer.linkSecret, keys.keyOf(workspaceId)]
  return secrets.some((secret) => isSameText(signature, signedBy(secret, digest))) ? signer.name : null
}

/** The unsubscribe page. GET changes nothing, because mail scanners open every link. */
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
    await tools.db.tx((tx) => store.unsubscribe(tx, workspaceId, digest, tools.now()))
    return page(reply, `${name} sends you no more reminders.`)
  })
}
