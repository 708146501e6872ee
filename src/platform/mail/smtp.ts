import type { Transporter } from 'nodemailer'
import type { Config } from '../config/config.ts'

/** The time limit of each step of an attempt: look-up, connection, greeting, every reply. */
const STEP_MS = 10_000

export type SmtpTls = NonNullable<Config['smtpTls']>

/**
 * Mails contain one-time links and the connection a password: neither leaves this machine unencrypted unless the
 * operator allows it.
 */
export const tlsOf = ({ smtpUrl, smtpTls }: Pick<Config, 'smtpUrl' | 'smtpTls'>): SmtpTls =>
  smtpTls ?? (smtpUrl !== null && isLoopback(new URL(smtpUrl).hostname) ? 'optional' : 'required')

const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(host)

/** The library loads only if a mail server is configured, so that startup does not wait for it. */
export async function transportTo(url: string, tls: SmtpTls, stepMs = STEP_MS): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'off',
    dnsTimeout: stepMs,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
