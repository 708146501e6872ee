import { Type } from 'typebox'
import { epochMsOf } from '../../../core/time.ts'
import type { Config } from '../../../platform/config/config.ts'
import { partnerOf } from '../../../platform/http/partner.ts'
import { type Route, route, withTraits } from '../../../platform/http/route.ts'
import { requirePartner } from '../../../platform/partners/partners.ts'
import { Notice } from './schema.ts'
import { receive } from './service.ts'

/** The last path segment of each partner's address. */
type ProviderSlugs = Pick<Config, 'paymentProviderSlug' | 'fulfillmentProviderSlug'>

/** Builds the routes that receive notices of partners. */
export const inboundRoutesAt = (slugs: ProviderSlugs): readonly Route[] => [
  receiver('payment', slugs.paymentProviderSlug, 'Receive a notice of the payment partner about a payment'),
  receiver(
    'fulfillment',
    slugs.fulfillmentProviderSlug,
    'The fulfillment partner reports the state of a shipment here',
  ),
]

const receiver = (module: 'payment' | 'fulfillment', slug: string, summary: string) =>
  withTraits(
    {
      verify: ({ deps, rawBody, headers, now }) =>
        deps.partners[module]?.signed({ rawBody, headers, nowMs: epochMsOf(now) }) ?? false,
    },
    route({
      name: `inbound.${module}`,
      method: 'POST',
      path: `/webhooks/${slug}`,
      area: 'inbound',
      summary,
      description: `The notice must have a Standard Webhooks signature over its raw bytes (401). The setting ${module.toUpperCase()}_PROVIDER_SLUG is the last part of the path.`,
      access: 'open',
      auth: 'signature',
      delegation: 'none',
      body: Notice,
      document: { refuses: ['PARTNER_ERROR', 'PARTNER_TIMEOUT'] },
      returns: Type.Object({ received: Type.Literal(true) }),
      handle: async ({ deps, log, body, headers, now, request }) => {
        const from = { requestId: request.id, address: request.ip }
        const client = requirePartner(deps.partners, module)
        const { partner } = partnerOf(deps, { requestId: request.id, idem: null })
        const told = await partner.call((forward) => client.noticeIn({ headers, body }, forward))
        if (told) await receive({ deps, log, partner: module, id: told.id, body: told, ...from, now })
        return { received: true as const }
      },
    }),
  )
