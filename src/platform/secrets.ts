import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { orNull, StartError, systemCode } from './db/embedded/fault.ts'

/** Encryption of the few texts that must not lie in the database in clear (AES-256-GCM; NIST SP 800-38D). */
export type Secrets = {
  /** `context` binds the text to its place, so a stored value cannot be moved to another row. */
  seal(text: string, context: string): string
  open(sealed: string, context: string): string
  /** How fingerprints of requests were stored before contract 27.1. */
  mac(text: string): string
}

const MARK = 'sealed.v1.'
export const isSealed = (text: string) => text.startsWith(MARK)

export function secretsOf(key: Buffer): Secrets {
  return {
    seal(text, context) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return MARK + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed.slice(MARK.length), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(
        Buffer.from(context),
      )
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
    mac: (text) => createHmac('sha256', key).update(text).digest('base64url'),
  }
}

const KEY_BYTES = 32

/** The key that a text in base64 holds; null when it holds anything else. */
export function keyOf(text: string): Buffer | null {
  const key = Buffer.from(text, 'base64')
  return key.length === KEY_BYTES ? key : null
}

/**
 * SECRETS_KEY when it is set; otherwise a key made once under the data directory, readable by its owner only. A key file
 * that cannot be used is a StartError: what was sealed with it opens with no other.
 */
export async function loadSecretsKey(secretsKey: string | null, dataDir: string): Promise<Buffer> {
  if (secretsKey !== null) return Buffer.from(secretsKey, 'base64')
  const file = path.join(dataDir, 'secrets.key')
  await mkdir(dataDir, { recursive: true })
  const text = (await orNull(readFile(file, 'utf8')).catch(unreadable(file))) ?? (await makeKey(file))
  const key = keyOf(text)
  if (key === null) {
    throw unusable(
      `${file} is damaged: restore it from a backup. Without one remove it: a new key is made, stored secrets are lost.`,
    )
  }
  await chmod(file, 0o600)
  return key
}

/** The file appears with all it holds or not at all; of several starts one makes it, the others read what it wrote. */
async function makeKey(file: string): Promise<string> {
  const draft = `${file}.${randomToken()}`
  try {
    await writeFile(draft, randomBytes(KEY_BYTES).toString('base64'), {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    })
    await orNull(link(draft, file), 'EEXIST')
  } finally {
    await rm(draft, { force: true })
  }
  return readFile(file, 'utf8')
}

const unusable = (message: string) => new StartError('SECRETS_KEY_UNUSABLE', message)

const unreadable = (file: string) => (error: unknown) => {
  throw unusable(`${file} cannot be read (${systemCode(error)}): run Kasir as the user that owns it.`)
}

/** How tokens and keys are kept: only their SHA-256 (section 5 of the specification). */
export const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

/** 32 bytes from the system's random source, in 43 base64url characters. */
export const randomToken = () => randomBytes(32).toString('base64url')
