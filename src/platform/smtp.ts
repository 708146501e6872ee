import type { Transporter } from 'nodemailer'
import type { Config } from './config.ts'

/** For each step of an attempt: the name, the connection, the greeting, every answer. */
const STEP_MS = 10_000

export type SmtpTls = NonNullable<Config['smtpTls']>

/**
 * Mails carry one-time links and the server a password: neither leaves this machine in clear unless somebody says so.
 */
export const tlsOf = ({ smtpUrl, smtpTls }: Pick<Config, 'smtpUrl' | 'smtpTls'>): SmtpTls =>
  smtpTls ?? (smtpUrl !== null && isLoopback(new URL(smtpUrl).hostname) ? 'optional' : 'required')

const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(host)

/** The library is loaded where there is a mail server only: a till that starts does not wait for it. */
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
