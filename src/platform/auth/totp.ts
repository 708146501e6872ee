/** Codes of an authenticator app (RFC 6238) with what every app understands: SHA-1, six digits, half a minute. */
const SECONDS = 30
const ISSUER = 'Kasir'
const APP = { algorithm: 'SHA1', digits: 6, period: SECONDS } as const
/** A clock may be a step ahead or behind. */
const DRIFT = 1

/** A new secret of 160 bits in base32, and the address that an app reads from a QR code. */
export async function newTotp(label: string): Promise<{ secret: string; url: string }> {
  const { Secret, TOTP } = await import('otpauth')
  const secret = new Secret({ size: 20 })
  return { secret: secret.base32, url: new TOTP({ ...APP, issuer: ISSUER, label, secret }).toString() }
}

/** The time step of a code, or null if the code is not currently valid. */
export async function stepOf(secret: string, code: string, nowMs: number): Promise<number | null> {
  const { Secret, TOTP } = await import('otpauth')
  const totp = new TOTP({ ...APP, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: nowMs, window: DRIFT })
  return delta === null ? null : Math.floor(nowMs / 1000 / SECONDS) + delta
}
