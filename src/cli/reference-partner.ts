import { once } from 'node:events'
import path from 'node:path'
import { makeLog } from '../platform/log.ts'
import { command, dataDirArg, say, settingsOf, UsageError } from './command.ts'
import { withDatabase } from './database.ts'

const PARTNERS = ['payment']
const DEFAULT_PORT = '3010'
const LEAST_KEY = 16

/** Key and secret are this partner's own here; a service would want the address of a partner beside them. */
const NO_PARTNER = { PAYMENT_PARTNER_URL: '', PAYMENT_PARTNER_KEY: '', PAYMENT_PARTNER_WEBHOOK_SECRET: '' }

export const referencePartner = command({
  name: 'reference-partner',
  description: 'Run a partner that comes along, by itself: a real server that moves no money',
  args: {
    partner: { type: 'positional', required: true, description: 'Which one: payment' },
    host: {
      type: 'string',
      valueHint: 'address',
      default: '127.0.0.1',
      description: 'Address to listen on.',
    },
    port: { type: 'string', valueHint: 'number', default: DEFAULT_PORT, description: 'Port to listen on.' },
    key: {
      type: 'string',
      valueHint: 'text',
      description: 'The platform key that opens it, 16 characters or more (or PAYMENT_PARTNER_KEY)',
    },
    'webhook-secret': {
      type: 'string',
      valueHint: 'whsec_…',
      description: 'What it signs its notices with (or PAYMENT_PARTNER_WEBHOOK_SECRET)',
    },
    'notice-url': {
      type: 'string',
      valueHint: 'url',
      description: 'Where its notices go; without it they wait in the database',
    },
    'public-url': {
      type: 'string',
      valueHint: 'url',
      description: 'Where payers reach its pages; its own address when absent',
    },
    ...dataDirArg,
  },
  environment: ['dataDir', 'databaseUrl', 'logLevel', 'smtpUrl', 'smtpTls', 'mailFrom'],
  examples: [
    [
      'kasir reference-partner payment --notice-url http://127.0.0.1:3000/api/v1/webhooks/payment_provider',
      'beside a service on this machine',
    ],
    [
      'DATABASE_URL=postgres://partner@db/partner kasir reference-partner payment',
      'with a database of its own',
    ],
  ],
  run: async (args) => {
    if (!PARTNERS.includes(args.partner))
      throw new UsageError(`There is no partner "${args.partner}"; there is: ${PARTNERS.join(', ')}`)
    const options = {
      host: args.host,
      port: portOf(args.port),
      platformKey: keyOf(args.key ?? process.env['PAYMENT_PARTNER_KEY']),
      webhookSecret: secretOf(args['webhook-secret'] ?? process.env['PAYMENT_PARTNER_WEBHOOK_SECRET']),
      noticeUrl: urlOf('notice-url', args['notice-url']),
      publicUrl: urlOf('public-url', args['public-url']),
    }
    const config = settingsOf({ ...NO_PARTNER, DATA_DIR: args['data-dir'] })
    const asked = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    const { startReferencePaymentPartner } = await import('../reference-partners/payment/index.ts')
    await withDatabase(config, say, async ({ url: databaseUrl }) => {
      const log = makeLog(config.logLevel)
      const mail = {
        smtpUrl: config.smtpUrl,
        smtpTls: config.smtpTls,
        from: config.mailFrom ?? 'no-reply@localhost',
        dir: path.resolve(config.dataDir, 'mail'),
      }
      const partner = await startReferencePaymentPartner({ ...options, databaseUrl, mail, log })
      say(`The reference payment partner is ready at ${partner.url}`)
      say(`  What it speaks  ${partner.url}/openapi.json`)
      await asked
      say('Stopping: requests in flight finish first')
      await partner.close()
    })
  },
})

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new UsageError('--port must be a whole number from 0 to 65535')
}

function keyOf(key: string | undefined): string {
  if (key !== undefined && key.length >= LEAST_KEY && /^[!-~]+$/.test(key)) return key
  throw new UsageError(
    `--key (or PAYMENT_PARTNER_KEY) must be ${LEAST_KEY} or more ASCII characters without spaces`,
  )
}

function secretOf(secret: string | undefined): string {
  if (secret !== undefined && /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)) return secret
  throw new UsageError(
    '--webhook-secret (or PAYMENT_PARTNER_WEBHOOK_SECRET) must be whsec_ and 24 bytes or more in base64',
  )
}

function urlOf(name: string, text: string | undefined): string | null {
  if (text === undefined) return null
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw new UsageError(`--${name} must be an http or https address`)
}
