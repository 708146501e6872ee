import type { gateId } from './id.ts'

/** A page whose module is off, or whose partner does not answer, in English. */
export const gateEn: Readonly<Record<keyof typeof gateId, string>> = {
  'gate.payment': 'The Payments module is off',
  'gate.fulfillment': 'The Delivery module is off',
  'gate.marketing': 'The Marketing module is off',
  'gate.text': 'This page needs that module. Existing data is kept.',
  'gate.ask': 'Ask a manager or the owner to switch it on.',
  'gate.open': 'Open the module settings',
  'gate.away': 'The partner does not answer. Try again in a few minutes, or check its module.',
  'gate.awayWrite':
    'The partner gave no definite answer. Press again to retry: the same request is not carried out twice.',
}
