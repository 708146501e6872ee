import { once } from 'node:events'
import path from 'node:path'
import type { PartnerOptions, RunningPartner } from '#reference-partners'
import { StartError } from '../core/fault.ts'
import { webAddressIn } from '../core/links.ts'
import type { Config } from '../platform/config/config.ts'
import { givenText } from '../platform/config/files.ts'
import { makeLog } from '../platform/log/log.ts'
import { command, dataDirArg, say, settingsOf, UsageError } from './command.ts'
import { withDatabase } from './database.ts'
import { ENDING_SIGNALS } from './signals.ts'

const mailOf = (config: Config) => ({
  smtpUrl: config.smtpUrl,
  smtpTls: config.smtpTls,
  from: config.mailFrom ?? 'no-reply@localhost',
  dir: path.resolve(config.dataDir, 'mail'),
})

type Start = (options: PartnerOptions, config: Config) => Promise<RunningPartner>

/** The reference partners. Key and secret are also read from the settings of a service that uses the partner. */
type Kind = { settings: string; port: string; sendsNotices: boolean; start: Start }
const PARTNERS: Readonly<Record<string, Kind>> = {
  payment: {
    settings: 'PAYMENT_PARTNER',
    port: '3010',
    sendsNotices: true,
    start: async (options, config) => {
      const { startReferencePaymentPartner } = await import('#reference-partners')
      return startReferencePaymentPartner({ ...options, mail: mailOf(config) })
    },
  },
  fulfillment: {
    settings: 'FULFILLMENT_PARTNER',
    port: '3011',
    sendsNotices: true,
    start: async (options) => {
      const { startReferenceFulfillmentPartner } = await import('#reference-partners')
      return startReferenceFulfillmentPartner(options)
    },
  },
  marketing: {
    settings: 'MARKETING_PARTNER',
    port: '3012',
    sendsNotices: false,
    start: async (options, config) => {
      const { startReferenceMarketingPartner } = await import('#reference-partners')
      return startReferenceMarketingPartner({ ...options, mail: mailOf(config) })
    },
  },
}
const NAMES = Object.keys(PARTNERS)
const LEAST_KEY = 16

/** Here key and secret belong to the partner. The service's settings check would also require the partner's address. */
const NO_PARTNER = Object.fromEntries(
  Object.values(PARTNERS).flatMap(({ settings }) =>
    ['URL', 'KEY', 'KEY_FILE', 'WEBHOOK_SECRET', 'WEBHOOK_SECRET_FILE'].map((last) => [
      `${settings}_${last}`,
      '',
    ]),
  ),
)

export const referencePartner = command({
  name: 'reference-partner',
  description: 'Run a reference partner by itself: a real server that moves no money and no parcel',
  args: {
    partner: { type: 'positional', required: true, description: `Which one: ${NAMES.join(', ')}` },
    host: {
      type: 'string',
      valueHint: 'address',
      default: '127.0.0.1',
      description: 'Address to listen on.',
    },
    port: {
      type: 'string',
      valueHint: 'number',
      description: 'Port to listen on; default: payment 3010, fulfillment 3011, marketing 3012',
    },
    key: {
      type: 'string',
      valueHint: 'text',
      description: 'The platform key that callers must send, 16 characters or more (or …_PARTNER_KEY)',
    },
    'webhook-secret': {
      type: 'string',
      valueHint: 'whsec_…',
      description: 'The secret that signs its notices (or …_PARTNER_WEBHOOK_SECRET); marketing sends none',
    },
    'notice-url': {
      type: 'string',
      valueHint: 'url',
      description: 'Where its notices go; without it they wait in the database',
    },
    'public-url': {
      type: 'string',
      valueHint: 'url',
      description: 'Where people reach its pages; its own address when absent',
    },
    ...dataDirArg,
  },
  environment: ['dataDir', 'databaseUrl', 'listenUrl', 'logLevel', 'smtpUrl', 'smtpTls', 'mailFrom'],
  examples: [
    [
      'kasir reference-partner payment --data-dir partner-data --notice-url http://127.0.0.1:3000/api/v1/webhooks/payment_provider',
      'beside a service on this machine',
    ],
    [
      'kasir reference-partner fulfillment --notice-url http://127.0.0.1:3000/api/v1/webhooks/fulfillment_provider',
      'couriers, warehouses and licenses',
    ],
    ['kasir reference-partner marketing', 'discount codes, points, reminders'],
    ['DATABASE_URL=postgres://partner@db/partner kasir reference-partner payment', 'with its own database'],
  ],
  run: async (args) => {
    const kind = Object.hasOwn(PARTNERS, args.partner) ? PARTNERS[args.partner] : undefined
    if (!kind)
      throw new UsageError(`There is no partner "${args.partner}"; choose one of: ${NAMES.join(', ')}`)
    const setting = (last: string) => `${kind.settings}_${last}`
    const options = {
      host: args.host,
      port: portOf(args.port ?? kind.port),
      platformKey: keyOf(args.key ?? secretText(setting('KEY')), setting('KEY')),
      webhookSecret: kind.sendsNotices
        ? secretOf(args['webhook-secret'] ?? secretText(setting('WEBHOOK_SECRET')), setting('WEBHOOK_SECRET'))
        : '',
      noticeUrl: urlOf('notice-url', args['notice-url']),
      publicUrl: urlOf('public-url', args['public-url']),
    }
    const config = settingsOf({ ...NO_PARTNER, DATA_DIR: args['data-dir'] })
    const stop = new AbortController()
    const asked = Promise.race(ENDING_SIGNALS.map((signal) => once(process, signal))).then(() =>
      stop.abort(new StartError('INTERRUPTED', 'Interrupted: the partner was not started.')),
    )
    const run = async ({ url: databaseUrl }: { url: string }) => {
      const partner = await kind.start({ ...options, databaseUrl, log: makeLog(config.logLevel) }, config)
      say(`The reference ${args.partner} partner is ready at ${partner.url}`)
      say(`  API document    ${partner.url}/openapi.json`)
      await asked
      say('Stopping: requests in flight finish first')
      await partner.close()
    }
    await withDatabase(config, say, run, { signal: stop.signal })
  },
})

/** Reads a setting under the service's name for it, from the environment or from the file named in `…_FILE`. */
function secretText(env: string): string | undefined {
  try {
    return givenText({ env, secret: true }, process.env) || undefined
  } catch (error) {
    throw new UsageError(`${env} ${(error as Error).message}`)
  }
}

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new UsageError('--port must be a whole number from 0 to 65535')
}

function keyOf(key: string | undefined, setting: string): string {
  if (key !== undefined && key.length >= LEAST_KEY && /^[!-~]+$/.test(key)) return key
  throw new UsageError(`--key (or ${setting}) must be ${LEAST_KEY} or more ASCII characters without spaces`)
}

function secretOf(secret: string | undefined, setting: string): string {
  if (secret !== undefined && /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)) return secret
  throw new UsageError(`--webhook-secret (or ${setting}) must be whsec_ and 24 bytes or more in base64`)
}

function urlOf(name: string, text: string | undefined): string | null {
  if (text === undefined) return null
  if (webAddressIn(text) !== null) return text
  throw new UsageError(`--${name} must be an http or https address`)
}
