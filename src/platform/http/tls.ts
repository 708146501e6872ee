import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import type { Server as HttpServer } from 'node:http'
import type { Server } from 'node:https'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { FastifyHttpOptions, FastifyInstance } from 'fastify'
import { StartError, systemCode } from '../../core/fault.ts'
import { dateOf, epochMsOf } from '../../core/time.ts'
import type { Config } from '../config/config.ts'
import type { Deps } from '../deps.ts'

/** A certificate with its chain, and its key, in PEM form. */
export type TlsPair = { cert: string; key: string }
type TlsConfig = Pick<Config, 'tlsCert' | 'tlsKey' | 'publicUrl'>

const unusable = (message: string) => new StartError('TLS_UNUSABLE', message)

function contentOf(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw unusable(
      `${variable} names ${file}, which cannot be read (${systemCode(error)}): check the path, and that the user of the service may read the file.`,
    )
  }
}

function parsed<T>(parse: () => T, message: string): T {
  try {
    return parse()
  } catch {
    throw unusable(message)
  }
}

/**
 * Reads the certificate and the key. Null if TLS_CERT is unset.
 * @throws {StartError} with a sentence about the fault of the pair
 */
export function readTls({ tlsCert, tlsKey, publicUrl }: TlsConfig, nowMs: number): TlsPair | null {
  if (tlsCert === null || tlsKey === null || publicUrl === null) return null
  const cert = contentOf('TLS_CERT', tlsCert)
  const key = contentOf('TLS_KEY', tlsKey)
  const certificate = parsed(
    () => new X509Certificate(cert),
    `TLS_CERT (${tlsCert}) holds no certificate in PEM form: name the file that begins with BEGIN CERTIFICATE.`,
  )
  const privateKey = parsed(
    () => createPrivateKey(key),
    `TLS_KEY (${tlsKey}) holds no private key in PEM form without a passphrase: name the file that begins with BEGIN PRIVATE KEY.`,
  )
  if (!certificate.checkPrivateKey(privateKey)) {
    throw unusable(
      `TLS_KEY (${tlsKey}) is not the key of the certificate in TLS_CERT (${tlsCert}): name two files that were issued together.`,
    )
  }
  requireValid(certificate, tlsCert, nowMs)
  requireHost(certificate, tlsCert, publicUrl)
  parsed(
    () => createSecureContext({ cert, key }),
    `TLS_CERT (${tlsCert}) and TLS_KEY (${tlsKey}) cannot be used by this version of Node.js: have the certificate issued with an ECDSA key, or an RSA key of 2048 bits or more.`,
  )
  return { cert, key }
}

function requireValid({ validFrom, validTo }: X509Certificate, file: string, nowMs: number) {
  const day = (text: string) => dateOf(text).toISOString().slice(0, 10)
  if (nowMs > epochMsOf(validTo)) {
    throw unusable(
      `The certificate in TLS_CERT (${file}) expired on ${day(validTo)}: renew it and start again.`,
    )
  }
  if (nowMs < epochMsOf(validFrom)) {
    throw unusable(
      `The certificate in TLS_CERT (${file}) is valid from ${day(validFrom)} on: check the clock of this machine.`,
    )
  }
}

function requireHost(certificate: X509Certificate, file: string, publicUrl: string) {
  const host = new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, '$1')
  const isFor = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)
  if (isFor !== undefined) return
  const names = certificate.subjectAltName ?? 'no host'
  throw unusable(
    `The certificate in TLS_CERT (${file}) is for ${names}, but PUBLIC_URL names ${host}: browsers would refuse it. Correct one of the two.`,
  )
}

type ServerBounds = { headersTimeout: number; connectionsCheckingInterval: number }

/** The part of Fastify's options that decides between http and https. Fastify types the two as different servers. */
export const serverOptions = (tls: TlsPair | null, bounds: ServerBounds) =>
  (tls === null ? { http: bounds } : { https: { ...bounds, ...tls } }) as Pick<
    FastifyHttpOptions<HttpServer>,
    'http'
  >

/** The instant after which browsers refuse the certificate. */
export const expiryOf = ({ cert }: TlsPair): string => dateOf(new X509Certificate(cert).validTo).toISOString()

/** The certificate in use by each server. */
const inUse = new WeakMap<object, TlsPair>()

/** When the certificate in use by the server of `app` expires; null without TLS_CERT. */
export function expiryInUse({ server }: FastifyInstance): string | null {
  const pair = inUse.get(server)
  return pair === undefined ? null : expiryOf(pair)
}

const LOOK_MS = 10_000

/**
 * Takes a renewed certificate into use without a restart, after the `first`. One that is unusable is logged and read again
 * until it is usable; the present one stays meanwhile.
 */
export function renewTls(
  app: FastifyInstance,
  { config, clock, log }: Pick<Deps, 'config' | 'clock' | 'log'>,
  first: TlsPair,
) {
  inUse.set(app.server, first)
  const stampOf = () =>
    [config.tlsCert, config.tlsKey]
      .map((file) => (file === null ? 0 : (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0)))
      .join(' ')
  let stamp = stampOf()
  let refusal: string | null = null
  const look = () => {
    try {
      const present = stampOf()
      const pair = present === stamp ? null : readTls(config, clock.ms())
      if (pair !== null) {
        ;(app.server as unknown as Server).setSecureContext(pair)
        inUse.set(app.server, pair)
        stamp = present
        log.info('the renewed certificate is in use')
      }
      refusal = null
    } catch (error) {
      const reason = (error as Error).message
      if (reason === refusal) return
      refusal = reason
      log.error({ reason }, 'the changed certificate is unusable; the present one stays')
    }
  }
  const timer = setInterval(look, LOOK_MS).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}
