import { epochMsOf } from '../../core/time.ts'
import type { Config } from '../config/config.ts'
import { expiryOf, readTls } from '../http/tls.ts'
import { type Finding, fault, ok, warn } from './finding.ts'

const NAME = 'certificate'
const DAY_MS = 86_400_000
/** A renewal that failed once has time to be repeated and repaired. */
const SOON_DAYS = 14

/** Checks the files of TLS_CERT and TLS_KEY as a start would. Returns no findings without them. */
export function certificate(config: Config, nowMs: number): Finding[] {
  try {
    const pair = readTls(config, nowMs)
    return pair === null ? [] : [remaining(expiryOf(pair), nowMs)]
  } catch (error) {
    const remedy =
      'Correct the files: a running service keeps its present certificate, but no start succeeds.'
    return [fault(NAME, (error as Error).message, remedy)]
  }
}

function remaining(expiry: string, nowMs: number): Finding {
  const days = Math.floor((epochMsOf(expiry) - nowMs) / DAY_MS)
  const day = expiry.slice(0, 10)
  if (days >= SOON_DAYS) return ok(NAME, `valid until ${day}`)
  return warn(
    NAME,
    `it expires on ${day}, in ${days === 1 ? '1 day' : `${days} days`}; then no till can connect`,
    'Renew it with kasir tls or at its certificate authority; the service takes it into use without a restart.',
  )
}
