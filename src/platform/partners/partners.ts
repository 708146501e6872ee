import { ApiError } from '../../core/errors.ts'
import { MODULES, type Module } from '../../core/modules.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { openOutgoing } from '../outgoing/outgoing.ts'
import { sha256 } from '../secrets/secrets.ts'
import { biteshipClientOf } from './biteship/client.ts'
import { clientOf, type PartnerClient, type PartnerTuning, TUNING } from './client.ts'
import { midtransClientOf } from './midtrans/client.ts'

/** The partner of each module; null if the operator has configured none. */
export type Partners = Readonly<Record<Module, PartnerClient | null>> & { close(): Promise<void> }

/** The partner of a module; throws 502 if this installation has none. */
export function requirePartner(partners: Partners, module: Module): PartnerClient {
  const client = partners[module]
  if (client) return client
  throw new ApiError(
    'PARTNER_ERROR',
    `This installation has no ${module} partner; its operator names one by ${module.toUpperCase()}_PARTNER_URL`,
  )
}

/** A partner that this process runs itself, with its keys. */
export type OwnPartner = { url: string; platformKey: string; noticeSecret: string }
/** Depends on the installation's key, not on the address: under another key, workspaces get other keys there. */
const ownId = (platformKey: string) => `reference ${sha256(platformKey).slice(0, 12)}`

type Settings = Pick<
  Config,
  | `${Module}PartnerUrl`
  | `${Module}PartnerKey`
  | 'paymentPartnerWebhookSecret'
  | 'fulfillmentPartnerWebhookSecret'
  | 'midtransServerKey'
  | 'midtransUrl'
  | 'midtransVaBank'
  | 'biteshipApiKey'
  | 'biteshipUrl'
  | 'biteshipWebhookHeader'
  | 'biteshipWebhookSecret'
>

/** The secrets that each partner signs its notices with; the marketing partner sends no notices. */
const noticeSecretsOf = (config: Settings): Readonly<Record<Module, readonly string[]>> => ({
  payment: config.paymentPartnerWebhookSecret ?? [],
  fulfillment: config.fulfillmentPartnerWebhookSecret ?? [],
  marketing: [],
})

/** The configured partners. The operator chooses their addresses, so they may be private and plain HTTP. */
export function openPartners({
  config,
  own = {},
  tuning = {},
  now = systemClock.now,
}: {
  config: Settings
  own?: Partial<Record<Module, OwnPartner>> | undefined
  tuning?: Partial<PartnerTuning>
  now?: () => string
}): Partners {
  const outgoing = openOutgoing({ allowPrivate: true })
  const client = (of: Omit<Parameters<typeof clientOf>[0], 'outgoing' | 'tuning'>) =>
    clientOf({ ...of, outgoing, tuning: { ...TUNING, ...tuning } })
  const of = (module: Module): PartnerClient | null => {
    const url = config[`${module}PartnerUrl`]
    const platformKey = config[`${module}PartnerKey`]
    const served = own[module]
    if (served) {
      const { platformKey: key, noticeSecret } = served
      return client({
        module,
        id: ownId(key),
        books: 'reference',
        url: served.url,
        platformKey: key,
        noticeSecrets: [noticeSecret],
      })
    }
    const { midtransServerKey: serverKey, midtransUrl, midtransVaBank: vaBank } = config
    if (module === 'payment' && serverKey !== null) {
      const midtrans = { url: (midtransUrl ?? '').replace(/\/$/, ''), serverKey, vaBank, now }
      return midtransClientOf({ ...midtrans, outgoing, tuning: { ...TUNING, ...tuning } })
    }
    const { biteshipApiKey: apiKey, biteshipUrl, biteshipWebhookHeader: header } = config
    if (module === 'fulfillment' && apiKey !== null) {
      const secret = config.biteshipWebhookSecret
      const notices = secret === null ? null : { header, secret }
      const biteship = { url: (biteshipUrl ?? '').replace(/\/$/, ''), apiKey, notices, now }
      return biteshipClientOf({ ...biteship, outgoing, tuning: { ...TUNING, ...tuning } })
    }
    if (url === null || platformKey === null) return null
    const noticeSecrets = noticeSecretsOf(config)[module]
    return client({ module, id: url, books: url, url, platformKey, noticeSecrets })
  }
  const clients = Object.fromEntries(MODULES.map((module) => [module, of(module)]))
  return { ...(clients as Record<Module, PartnerClient | null>), close: () => outgoing.close() }
}
