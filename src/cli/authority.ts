import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import * as x509 from '@peculiar/x509'
import { addMs, dateOf } from '../core/time.ts'
import { systemClock } from '../platform/clock.ts'

/** An authority of a shop's own network. Only `kasir tls` loads this file, and with it the library. */

type PemPair = { cert: string; key: string }
type Authority = PemPair & { certificate: x509.X509Certificate; privateKey: webcrypto.CryptoKey }

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const DAY_MS = 24 * 3_600_000
const AUTHORITY_DAYS = 10 * 365
/** Browsers of Apple refuse a certificate that is valid longer than 825 days; others than 398. */
const CERTIFICATE_DAYS = 397
/** The clock of a tablet may be behind. */
const EARLIER_MS = DAY_MS

x509.cryptoProvider.set(webcrypto as never)

const newKeys = () =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  return `${x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')}\n`
}

/** Opens the authority, or makes a new one if there is none. */
export async function openAuthority(kept: PemPair | null, now = systemClock.now()): Promise<Authority> {
  if (kept !== null) {
    const [der] = x509.PemConverter.decode(kept.key)
    if (der === undefined) throw new Error('the key of the authority is no PEM')
    const privateKey = (await webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, false, [
      'sign',
    ])) as webcrypto.CryptoKey
    return { ...kept, certificate: new x509.X509Certificate(kept.cert), privateKey }
  }
  const keys = await newKeys()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Kasir authority of this shop',
    keys,
    signingAlgorithm: ALGORITHM,
    notBefore: dateOf(addMs(now, -EARLIER_MS)),
    notAfter: dateOf(addMs(now, AUTHORITY_DAYS * DAY_MS)),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return {
    certificate,
    privateKey: keys.privateKey,
    cert: `${certificate.toString('pem')}\n`,
    key: await pemOf(keys.privateKey),
  }
}

/** Issues a certificate for the hosts, followed by that of the authority. */
export async function issueCertificate(
  authority: Authority,
  hosts: readonly string[],
  now = systemClock.now(),
): Promise<PemPair & { validTo: Date }> {
  const keys = await newKeys()
  const validTo = dateOf(addMs(now, CERTIFICATE_DAYS * DAY_MS))
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${hosts[0]}`,
    issuer: authority.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: authority.privateKey,
    signingAlgorithm: ALGORITHM,
    notBefore: dateOf(addMs(now, -EARLIER_MS)),
    notAfter: validTo,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        hosts.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(authority.certificate),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return {
    cert: `${certificate.toString('pem')}\n${authority.cert}`,
    key: await pemOf(keys.privateKey),
    validTo,
  }
}
