import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { SEALED } from '../db/tables.ts'

type SealedColumn = (typeof SEALED)[number]
/**
 * The column of a sealed text: the text can be opened only there. Keys of a rotation are stored in their own rows.
 */
export type RecordLocation = { accountId: string; row: string } & (
  | { table: SealedColumn['table']; column: SealedColumn['column'] }
  | { table: 'secrets_keys'; column: 'sealed' }
)

/**
 * Encrypts the few texts that must not be stored in clear (AES-256-GCM, NIST SP 800-38D). Each column has its own key
 * derived from the installation's (HKDF, RFC 5869). docs/decisions/0012-secrets-key.md.
 */
export type SecretKey = {
  /** The id of the key, which does not reveal it. */
  keyId: string
  /** Stored in the database to recognize the key. */
  checkValue: string
  seal(text: string, place: RecordLocation): string
  /** Throws NotOpenedError if the text was sealed with another key or for another place, or was altered. */
  open(sealed: string, place: RecordLocation): string
  /**
   * HMAC-SHA256 under a key for this purpose alone, in base64url: for tokens that the service issues and later
   * verifies.
   */
  sign(purpose: string, text: string): string
  /** An Ed25519 key pair for this purpose alone, the same in every process of the installation. */
  signingKey(purpose: string): { privateKey: KeyObject; publicKey: KeyObject }
  /** The key that `sign` uses for this purpose, to verify signatures after the main key is removed. */
  signer(purpose: string): Buffer
  /** The format in which an earlier release stored the fingerprints of requests. */
  earlierMac(text: string): string
  /** The key itself in base64, to be sealed by another key or written to its file. */
  text(): string
}

/** No key of this process opens the text: it was sealed with a removed key or for another place, or was altered. */
export class NotOpenedError extends Error {}

const MARK = 'sealed.v2.'
const EARLIER_MARK = 'sealed.v1.'
/** The key id in a sealed text; null for the first format, which has none. */
export const keyIdOf = (sealed: string): string | null =>
  sealed.startsWith(MARK) ? sealed.slice(MARK.length, sealed.indexOf('.', MARK.length)) : null
export const isSealed = (text: string) => text.startsWith(MARK) || text.startsWith(EARLIER_MARK)

/** The bytes before the 32 bytes of a private key (RFC 8410, 7). */
const PKCS8_OF_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

const NONCE_BYTES = 12
const TAG_BYTES = 16

function encrypt(key: Buffer, text: string, bound: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bound))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
}

function decrypt(key: Buffer, sealed: string, bound: string): string {
  try {
    return decipher(key, sealed, bound)
  } catch (cause) {
    throw new NotOpenedError('the text was sealed for another place, or was altered', { cause })
  }
}

function decipher(key: Buffer, sealed: string, bound: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const opening = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  opening.setAAD(Buffer.from(bound)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
  return Buffer.concat([opening.update(body), opening.final()]).toString('utf8')
}

/** All functions of a 32-byte key, each with its own derived key; the main key itself no longer seals anything. */
export function secretsOf(key: Buffer): SecretKey {
  const derived = (purpose: string, bytes = KEY_BYTES) =>
    Buffer.from(hkdfSync('sha256', key, 'kasir', purpose, bytes))
  const keyId = derived('key id', 8).toString('hex')
  const columns = new Map(
    [...SEALED, { table: 'secrets_keys', column: 'sealed' }].map(({ table, column }) => [
      `${table}.${column}`,
      derived(`seal ${table}.${column}`),
    ]),
  )
  const keyOfColumn = ({ table, column }: RecordLocation) => columns.get(`${table}.${column}`) as Buffer
  const boundTo = ({ table, column, accountId, row }: RecordLocation) =>
    JSON.stringify([MARK, keyId, table, column, accountId, row])
  const prefix = `${MARK}${keyId}.`
  return {
    keyId,
    checkValue: derived('check value').toString('base64url'),
    seal: (text, place) => prefix + encrypt(keyOfColumn(place), text, boundTo(place)),
    open: (sealed, place) => {
      if (sealed.startsWith(EARLIER_MARK)) {
        return decrypt(key, sealed.slice(EARLIER_MARK.length), `${place.accountId} ${place.row}`)
      }
      if (!sealed.startsWith(prefix)) throw new NotOpenedError(`not sealed with the key ${keyId}`)
      return decrypt(keyOfColumn(place), sealed.slice(prefix.length), boundTo(place))
    },
    sign: (purpose, text) => signWith(derived(`sign ${purpose}`), text),
    signer: (purpose) => derived(`sign ${purpose}`),
    signingKey: (purpose) => {
      const seed = derived(`signing key ${purpose}`)
      const privateKey = createPrivateKey({
        key: Buffer.concat([PKCS8_OF_ED25519, seed]),
        format: 'der',
        type: 'pkcs8',
      })
      return { privateKey, publicKey: createPublicKey(privateKey) }
    },
    earlierMac: (text) => signWith(key, text),
    text: () => key.toString('base64'),
  }
}

export const signWith = (key: Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest('base64url')

export const KEY_BYTES = 32

/** The key in a base64 text; null if the text is not a key. */
export function keyOf(text: string): Buffer | null {
  const key = Buffer.from(text, 'base64')
  return key.length === KEY_BYTES ? key : null
}

/** The stored form of tokens and keys: only their SHA-256 (B-secret-1). */
export const sha256 = (text: string) => hash('sha256', text, 'base64url')

/** 32 bytes from the system's random source, in 43 base64url characters. */
export const randomToken = (bytes = 32) => randomBytes(bytes).toString('base64url')
