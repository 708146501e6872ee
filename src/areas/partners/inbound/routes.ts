import { Type } from 'typebox'
import { epochMsOf } from '../../../core/time.ts'
import { route } from '../../../platform/http/route.ts'
import { isSigned } from '../../../platform/webhooks/signature.ts'
import { Notice } from './schema.ts'
import { receive } from './service.ts'

export const inboundRoutes = [
  route({
    name: 'inbound.payment',
    method: 'POST',
    path: '/webhooks/payment_provider',
    slug: 'paymentProviderSlug',
    area: 'inbound',
    summary: 'Where the payment partner reports what became of a payment',
    description:
      'Signed as Standard Webhooks has it, over the bytes as they come: 401 for anything else. The last part of the path is the setting PAYMENT_PROVIDER_SLUG.',
    access: 'open',
    auth: 'signature',
    delegation: 'none',
    verify: ({ deps, rawBody, headers, now }) =>
      isSigned(deps.partners.payment?.noticeSecrets ?? [], { rawBody, headers, nowMs: epochMsOf(now) }),
    body: Notice,
    returns: Type.Object({ received: Type.Literal(true) }),
    handle: async ({ deps, log, body, headers, now, request }) => {
      const id = String(headers['webhook-id'])
      await receive({
        deps,
        log,
        partner: 'payment',
        id,
        body,
        requestId: request.id,
        address: request.ip,
        now,
      })
      return { received: true as const }
    },
  }),
]
