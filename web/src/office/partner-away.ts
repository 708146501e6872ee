import { isKasirError } from 'kasir-client'

/**
 * Whether a partner did not answer, or keeps failing, so that the service does not call it for a moment. A 503 without
 * `details.partner` is about the service itself.
 */
export const isPartnerAway = (error: unknown): boolean =>
  isKasirError(error) &&
  (error.code === 'PARTNER_ERROR' ||
    error.code === 'PARTNER_TIMEOUT' ||
    (error.code === 'SERVICE_UNAVAILABLE' && error.details?.['partner'] !== undefined))
