import type { ServerResponse } from 'node:http'
import { newId } from '../../src/core/ids.ts'
import { type PartnerRequest, sendJson } from './partner.ts'

/** Gift cards as a partner keeps them, each under the key that it was issued with. */
export function giftCards(): (request: PartnerRequest, response: ServerResponse) => boolean {
  const cards = new Map<string, ReturnType<typeof cardOf>>()
  return ({ method, path, body, headers }, response) => {
    const [, name = '', verb] = /^\/v1\/gift-cards(?:\/([^/]+)(?:\/(\w+))?)?$/.exec(path) ?? []
    if (!path.startsWith('/v1/gift-cards')) return false
    const workspace = String(headers.authorization)
    if (method === 'POST' && name === '') {
      const id = `${workspace} ${String(headers['idempotency-key'])}`
      const card = cards.get(id) ?? cardOf(body)
      cards.set(id, card)
      sendJson(response, 201, { data: card })
      return true
    }
    const key = (code: string) => code.replaceAll('-', '')
    const [, card] =
      [...cards].find(
        ([id, { id: own, code }]) => id.startsWith(workspace) && (own === name || key(code) === key(name)),
      ) ?? []
    if (!card) {
      sendJson(response, 404, { error: { code: 'NOT_FOUND', message: 'No such gift card' } })
      return true
    }
    const writtenOff = card.balance
    if (verb === 'void') Object.assign(card, { status: 'VOIDED', balance: 0 })
    else if (verb !== undefined) {
      const { amount } = JSON.parse(body)
      if (verb === 'debit' && amount > card.balance) {
        sendJson(response, 422, {
          error: { code: 'VALIDATION_ERROR', message: 'too little', param: 'amount' },
        })
        return true
      }
      card.balance += verb === 'debit' ? -amount : amount
    }
    sendJson(response, 200, { data: verb === 'void' ? { giftCard: card, writtenOff } : card })
    return true
  }
}

function cardOf(body: string) {
  const { amount, code, kind = 'GIFT_CARD' } = JSON.parse(body)
  const id = `gft_${newId('event').slice(4)}`
  const stamps = { createdAt: '2020-01-01T00:00:00.000Z', updatedAt: '2020-01-01T00:00:00.000Z' }
  return {
    id,
    code: code ?? id.slice(-20),
    kind,
    initialAmount: amount,
    balance: amount,
    status: 'ACTIVE',
    ...stamps,
  }
}
