import { secret, setting } from './setting.ts'
import {
  headerName,
  headerWord,
  oneOf,
  orUnset,
  partner,
  signingSecrets,
  slug,
  url,
  wholeNumber,
} from './values.ts'

/** The banks whose virtual accounts Midtrans creates by the same request (docs.midtrans.com, bank transfer). */
export const VA_BANKS = ['bca', 'bni', 'bri', 'cimb', 'permata'] as const

/** The settings of the partners behind the modules, and of the reference partners that run in their place. */
export const PARTNER_SETTINGS = {
  paymentPartnerUrl: setting(
    'PAYMENT_PARTNER_URL',
    '',
    partner,
    'Base URL of the payment partner; unset: the bundled reference partner, which moves no money.',
  ),
  paymentPartnerKey: secret(
    setting(
      'PAYMENT_PARTNER_KEY',
      '',
      orUnset(headerWord),
      'The key of this installation at that partner; set both or neither.',
    ),
  ),
  paymentPartnerWebhookSecret: secret(
    setting(
      'PAYMENT_PARTNER_WEBHOOK_SECRET',
      '',
      orUnset(signingSecrets),
      "The secret that signs the partner's notices (Standard Webhooks); during a rotation the new and the old one, comma-separated.",
    ),
  ),
  midtransServerKey: secret(
    setting(
      'MIDTRANS_SERVER_KEY',
      '',
      orUnset(headerWord),
      'Makes Midtrans the payment partner: the server key of your merchant account there. Set it instead of PAYMENT_PARTNER_URL.',
    ),
  ),
  midtransUrl: setting(
    'MIDTRANS_URL',
    'https://api.midtrans.com',
    url(['http:', 'https:']),
    'Base URL of Midtrans; https://api.sandbox.midtrans.com with a sandbox key.',
  ),
  midtransVaBank: setting(
    'MIDTRANS_VA_BANK',
    'bca',
    oneOf(VA_BANKS),
    'The bank at which Midtrans creates virtual accounts: bca, bni, bri, cimb or permata.',
  ),
  paymentProviderSlug: setting(
    'PAYMENT_PROVIDER_SLUG',
    'payment_provider',
    slug,
    "Last part of the URL that receives the partner's notices: /api/v1/webhooks/payment_provider.",
  ),
  referencePaymentPort: setting(
    'REFERENCE_PAYMENT_PORT',
    '0',
    wholeNumber(0, 65_535),
    'Port of the reference payment partner, on this machine only; 0 picks a free one. It runs if no other payment partner is set.',
  ),
  referencePaymentPublicUrl: setting(
    'REFERENCE_PAYMENT_PUBLIC_URL',
    '',
    url(['http:', 'https:']),
    'Public URL of its payment pages, through your proxy; unset: only this machine can open them.',
  ),
  fulfillmentPartnerUrl: setting(
    'FULFILLMENT_PARTNER_URL',
    '',
    partner,
    'Base URL of the fulfillment partner; unset: the bundled reference partner, which moves no parcel.',
  ),
  fulfillmentPartnerKey: secret(
    setting(
      'FULFILLMENT_PARTNER_KEY',
      '',
      orUnset(headerWord),
      'The key of this installation at that partner; set both or neither.',
    ),
  ),
  fulfillmentPartnerWebhookSecret: secret(
    setting(
      'FULFILLMENT_PARTNER_WEBHOOK_SECRET',
      '',
      orUnset(signingSecrets),
      "The secret that signs the partner's notices (Standard Webhooks); during a rotation the new and the old one, comma-separated.",
    ),
  ),
  biteshipApiKey: secret(
    setting(
      'BITESHIP_API_KEY',
      '',
      orUnset(headerWord),
      'Makes Biteship the fulfillment partner: the API key of your account there. Set it instead of FULFILLMENT_PARTNER_URL.',
    ),
  ),
  biteshipUrl: setting(
    'BITESHIP_URL',
    'https://api.biteship.com',
    url(['http:', 'https:']),
    'Base URL of Biteship; the key selects the sandbox or production.',
  ),
  biteshipWebhookHeader: setting(
    'BITESHIP_WEBHOOK_HEADER',
    'x-biteship-signature',
    headerName,
    "The header of Biteship's notices: the signature key of the webhook in its dashboard.",
  ),
  biteshipWebhookSecret: secret(
    setting(
      'BITESHIP_WEBHOOK_SECRET',
      '',
      orUnset(headerWord),
      'The value of that header: the signature secret of the webhook; unset: notices are refused, and the service polls Biteship instead.',
    ),
  ),
  fulfillmentProviderSlug: setting(
    'FULFILLMENT_PROVIDER_SLUG',
    'fulfillment_provider',
    slug,
    "Last part of the URL that receives the partner's notices: /api/v1/webhooks/fulfillment_provider.",
  ),
  referenceFulfillmentPort: setting(
    'REFERENCE_FULFILLMENT_PORT',
    '0',
    wholeNumber(0, 65_535),
    'Port of the reference fulfillment partner, on this machine only; 0 picks a free one. It runs if no other fulfillment partner is set.',
  ),
  referenceFulfillmentPublicUrl: setting(
    'REFERENCE_FULFILLMENT_PUBLIC_URL',
    '',
    url(['http:', 'https:']),
    'Public URL of its tracking pages, through your proxy; unset: only this machine can open them.',
  ),
  marketingPartnerUrl: setting(
    'MARKETING_PARTNER_URL',
    '',
    partner,
    'Base URL of the marketing partner; unset: the bundled reference partner.',
  ),
  marketingPartnerKey: secret(
    setting(
      'MARKETING_PARTNER_KEY',
      '',
      orUnset(headerWord),
      'The key of this installation at that partner; set both or neither.',
    ),
  ),
  referenceMarketingPort: setting(
    'REFERENCE_MARKETING_PORT',
    '0',
    wholeNumber(0, 65_535),
    'Port of the reference marketing partner, on this machine only; 0 picks a free one. It runs if no MARKETING_PARTNER_URL is set.',
  ),
  referenceMarketingPublicUrl: setting(
    'REFERENCE_MARKETING_PUBLIC_URL',
    '',
    url(['http:', 'https:']),
    'Public URL of the page that unsubscribes from its reminders, through your proxy; unset: only this machine can open it.',
  ),
} as const
