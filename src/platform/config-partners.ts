import { secret, setting } from './config-setting.ts'
import {
  headerName,
  headerWord,
  oneOf,
  orUnset,
  partner,
  signingSecrets,
  slug,
  url,
  whole,
} from './config-values.ts'
import { VA_BANKS } from './partners/midtrans/messages.ts'

/** Where the partners behind the modules are, and the reference partners that serve in their place. */
export const PARTNER_SETTINGS = {
  paymentPartnerUrl: setting(
    'PAYMENT_PARTNER_URL',
    '',
    partner,
    'Where the partner of the payment module is reached; unset: the reference partner that comes along, which moves no money.',
  ),
  paymentPartnerKey: secret(
    setting(
      'PAYMENT_PARTNER_KEY',
      '',
      orUnset(headerWord),
      'The key of this installation at that partner; both settings belong together.',
    ),
  ),
  paymentPartnerWebhookSecret: secret(
    setting(
      'PAYMENT_PARTNER_WEBHOOK_SECRET',
      '',
      orUnset(signingSecrets),
      'What that partner signs its notices with (Standard Webhooks); while it changes, the new and the old one, comma-separated.',
    ),
  ),
  midtransServerKey: secret(
    setting(
      'MIDTRANS_SERVER_KEY',
      '',
      orUnset(headerWord),
      'Midtrans is the payment partner: the server key of your merchant account there, in the place of a PAYMENT_PARTNER_URL.',
    ),
  ),
  midtransUrl: setting(
    'MIDTRANS_URL',
    'https://api.midtrans.com',
    url(['http:', 'https:']),
    'Where Midtrans is reached; https://api.sandbox.midtrans.com with the key of its sandbox.',
  ),
  midtransVaBank: setting(
    'MIDTRANS_VA_BANK',
    'bca',
    oneOf(VA_BANKS),
    'The bank at which Midtrans makes virtual accounts: bca, bni, bri, cimb or permata.',
  ),
  paymentProviderSlug: setting(
    'PAYMENT_PROVIDER_SLUG',
    'payment_provider',
    slug,
    'Last part of the address that the partner sends its notices to: /api/v1/webhooks/payment_provider.',
  ),
  referencePaymentPort: setting(
    'REFERENCE_PAYMENT_PORT',
    '0',
    whole(0, 65_535),
    'Port of the payment partner that comes along, on this machine alone; 0 picks a free one. It runs where no PAYMENT_PARTNER_URL is set.',
  ),
  referencePaymentPublicUrl: setting(
    'REFERENCE_PAYMENT_PUBLIC_URL',
    '',
    url(['http:', 'https:']),
    'Address under which customers reach its payment pages, through a proxy of yours; unset: only this machine does.',
  ),
  fulfillmentPartnerUrl: setting(
    'FULFILLMENT_PARTNER_URL',
    '',
    partner,
    'Where the partner of the fulfillment module is reached; unset: the reference partner that comes along, which moves no parcel.',
  ),
  fulfillmentPartnerKey: secret(
    setting(
      'FULFILLMENT_PARTNER_KEY',
      '',
      orUnset(headerWord),
      'The key of this installation at that partner; both settings belong together.',
    ),
  ),
  fulfillmentPartnerWebhookSecret: secret(
    setting(
      'FULFILLMENT_PARTNER_WEBHOOK_SECRET',
      '',
      orUnset(signingSecrets),
      'What that partner signs its notices with (Standard Webhooks); while it changes, the new and the old one, comma-separated.',
    ),
  ),
  biteshipApiKey: secret(
    setting(
      'BITESHIP_API_KEY',
      '',
      orUnset(headerWord),
      'Biteship is the fulfillment partner: the API key of your account there, in the place of a FULFILLMENT_PARTNER_URL.',
    ),
  ),
  biteshipUrl: setting(
    'BITESHIP_URL',
    'https://api.biteship.com',
    url(['http:', 'https:']),
    'Where Biteship is reached; the key says whether it is its sandbox.',
  ),
  biteshipWebhookHeader: setting(
    'BITESHIP_WEBHOOK_HEADER',
    'x-biteship-signature',
    headerName,
    'The header that Biteship sends with its notices: the signature key of the webhook in its dashboard.',
  ),
  biteshipWebhookSecret: secret(
    setting(
      'BITESHIP_WEBHOOK_SECRET',
      '',
      orUnset(headerWord),
      'What that header holds: the signature secret of the webhook; unset: notices are refused, and Biteship is asked instead.',
    ),
  ),
  fulfillmentProviderSlug: setting(
    'FULFILLMENT_PROVIDER_SLUG',
    'fulfillment_provider',
    slug,
    'Last part of the address that the partner sends its notices to: /api/v1/webhooks/fulfillment_provider.',
  ),
  referenceFulfillmentPort: setting(
    'REFERENCE_FULFILLMENT_PORT',
    '0',
    whole(0, 65_535),
    'Port of the fulfillment partner that comes along, on this machine alone; 0 picks a free one. It runs where no FULFILLMENT_PARTNER_URL is set.',
  ),
  referenceFulfillmentPublicUrl: setting(
    'REFERENCE_FULFILLMENT_PUBLIC_URL',
    '',
    url(['http:', 'https:']),
    'Address under which customers reach its tracking pages, through a proxy of yours; unset: only this machine does.',
  ),
  marketingPartnerUrl: setting(
    'MARKETING_PARTNER_URL',
    '',
    partner,
    'Where the partner of the marketing module is reached; unset: the reference partner that comes along.',
  ),
  marketingPartnerKey: secret(
    setting(
      'MARKETING_PARTNER_KEY',
      '',
      orUnset(headerWord),
      'The key of this installation at that partner; both settings belong together.',
    ),
  ),
  referenceMarketingPort: setting(
    'REFERENCE_MARKETING_PORT',
    '0',
    whole(0, 65_535),
    'Port of the marketing partner that comes along, on this machine alone; 0 picks a free one. It runs where no MARKETING_PARTNER_URL is set.',
  ),
  referenceMarketingPublicUrl: setting(
    'REFERENCE_MARKETING_PUBLIC_URL',
    '',
    url(['http:', 'https:']),
    'Address under which readers of its reminders reach the page that ends them, through a proxy of yours; unset: only this machine does.',
  ),
} as const
