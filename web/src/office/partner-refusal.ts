import { isKasirError, type KasirError } from 'kasir-client'
import type { GateTranslate } from '../texts/module-gate/texts.ts'

const SENTENCES = {
  VALIDATION_ERROR: 'refused.value',
  NOT_FOUND: 'refused.missing',
  CONFLICT: 'refused.conflict',
  PLAN_UPGRADE_REQUIRED: 'refused.limit',
  LIMIT_REACHED: 'refused.limit',
  FORBIDDEN: 'refused.forbidden',
  RATE_LIMITED: 'refused.busy',
} as const
type RefusalCode = keyof typeof SENTENCES
const isRefusalCode = (code: string): code is RefusalCode => Object.hasOwn(SENTENCES, code)

/** The sentence at the field that a refusal names: that of the service, or that about the partner with its own words. */
export function fieldSentence(error: KasirError, gate: GateTranslate): string {
  const refusal = partnerRefusalIn(error, gate)
  return refusal === null ? error.message : `${refusal.sentence}\n${refusal.quotation}`
}

/** What a refusal of a partner means in the language of this device, and the partner's own words; null for any other error. */
export function partnerRefusalIn(
  error: unknown,
  gate: GateTranslate,
): { sentence: string; quotation: string } | null {
  if (!isKasirError(error) || error.status >= 500 || typeof error.details?.['partner'] !== 'string')
    return null
  return {
    sentence: gate(isRefusalCode(error.code) ? SENTENCES[error.code] : 'refused'),
    quotation: gate('refused.quotation', { text: error.message }),
  }
}
