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
  refused: 'The partner refused this request. Check its values, or contact the partner.',
  'refused.value': 'The partner refused a value. Check what you entered and send it again.',
  'refused.missing': 'The partner has no such record. Reload the page and choose again.',
  'refused.conflict': 'The record has changed at the partner. Reload the page and try again.',
  'refused.limit':
    'This business has reached a limit at the partner. Ask the partner to raise it or to change the plan.',
  'refused.forbidden': 'The partner does not allow this action. Contact the partner.',
  'refused.busy': 'Too many requests to the partner. Wait a minute and try again.',
  'refused.quotation': 'Message of the partner: “{text}”',
}
