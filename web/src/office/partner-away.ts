import { isKasirError } from 'kasir-client'

/**
 * Whether a partner did not answer, or is not asked for a moment because it keeps failing. The service gives a 503 for
 * its own reasons too.
 */
export const isPartnerAway = (error: unknown): boolean =>
  isKasirError(error) &&
  (error.code === 'PARTNER_ERROR' ||
    error.code === 'PARTNER_TIMEOUT' ||
    (error.code === 'SERVICE_UNAVAILABLE' && error.details?.['partner'] !== undefined))
