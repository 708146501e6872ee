import { Type } from 'typebox'
import { epochMsOf } from '../../../core/time.ts'
import { partnerOf } from '../../../platform/http/partner.ts'
import { route } from '../../../platform/http/route.ts'
import { requirePartner } from '../../../platform/partners/partners.ts'
import { Notice } from './schema.ts'
import { receive } from './service.ts'

/** Where the partner of a module reports what happened there; the setting `slug` is the last part of its path. */
const receiver = (
  module: 'payment' | 'fulfillment',
  slug: 'paymentProviderSlug' | 'fulfillmentProviderSlug',
  summary: string,
) =>
  route({
    name: `inbound.${module}`,
    method: 'POST',
    path: `/webhooks/${module}_provider`,
    slug,
    area: 'inbound',
    summary,
    description: `Signed as Standard Webhooks has it, over the bytes as they come: 401 for anything else. The last part of the path is the setting ${module.toUpperCase()}_PROVIDER_SLUG.`,
    access: 'open',
    auth: 'signature',
    delegation: 'none',
    verify: ({ deps, rawBody, headers, now }) =>
      deps.partners[module]?.signed({ rawBody, headers, nowMs: epochMsOf(now) }) ?? false,
    body: Notice,
    refuses: ['PARTNER_ERROR', 'PARTNER_TIMEOUT'],
    returns: Type.Object({ received: Type.Literal(true) }),
    handle: async ({ deps, log, body, headers, now, request }) => {
      const from = { requestId: request.id, address: request.ip }
      const client = requirePartner(deps.partners, module)
      const { partner } = partnerOf(deps, {
        requestId: request.id,
        idem: null,
        timeoutMs: undefined,
        within: (work) => work(),
      })
      const told = await partner.call((forward) => client.noticeIn({ headers, body }, forward))
      if (told) await receive({ deps, log, partner: module, id: told.id, body: told, ...from, now })
      return { received: true as const }
    },
  })

export const inboundRoutes = [
  receiver('payment', 'paymentProviderSlug', 'Where the payment partner reports what became of a payment'),
  receiver(
    'fulfillment',
    'fulfillmentProviderSlug',
    'Where the fulfilment partner reports where a shipment is',
  ),
]
