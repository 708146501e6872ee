import { randomBytes } from 'node:crypto'
import { chmod, link, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { nullOnCodes, StartError, systemCode } from '../../core/fault.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { type Db, inTx, type Tx, type WriteDb } from '../db/open.ts'
import { SEALED } from '../db/tables.ts'
import { makeDirectory, syncDirectory } from '../files/directory.ts'
import { giveToOwner } from '../files/owner.ts'
import { replaceFile } from '../files/replace-file.ts'
import { CURRENT, createKeyring, type Keyring, keyRows, keysOf, type SecretsKeyRow } from './keyring.ts'
import { KEY_BYTES, keyOf, randomToken, type SecretKey, secretsOf } from './secrets.ts'

type Where = Pick<Config, 'secretsKey' | 'dataDir'>
type KeyOptions = {
  config: Where
  db: WriteDb
  clock: Clock
  /** Replaces the key of this database and discards everything that only the old key opens. */
  newKey: boolean
  /** Called with warnings for the operator when the start succeeds. */
  warn(line: string): void
}

/**
 * The secrets of this installation. The key is SECRETS_KEY, or the file under DATA_DIR that the first start creates.
 * The database knows its key, and the service refuses to start with another (B-secret-3).
 */
export async function openSecrets(opening: KeyOptions): Promise<Keyring> {
  const { config, db, clock, warn } = opening
  const held = await openKey(opening)
  const ring = createKeyring(held, {
    db,
    clock,
    onCurrent: async (key) => {
      const fault = await saveKey(config, key)
      if (fault !== null) warn(fault)
    },
    onLost: (keyId) =>
      warn(`The database now uses the key ${keyId}, which this process does not have: restart the service.`),
  })
  await ring.refresh()
  return ring
}

/**
 * Saves the key that replaced the one of this process, for the next start. The file is rewritten unless it holds that
 * key; a setting must be changed by the operator. Returns a sentence for the operator if the next start would not find
 * the key.
 */
export async function saveKey(config: Where, key: SecretKey): Promise<string | null> {
  if (config.secretsKey !== null) {
    if (keyOfSetting(config.secretsKey).keyId === key.keyId) return null
    return `SECRETS_KEY is the key before ${key.keyId}, which replaced it: set it to that one before the next start.`
  }
  if (await isInFile(config, key)) return null
  const code = await replaceKeyFile(config, key)
  if (code === null) return null
  return `${keyFileIn(config)} cannot be replaced (${code}): put the key ${key.keyId} there before the next start.`
}

/**
 * Throws unless the file holds the key. Called before the previous key is removed: without it, nothing on disk opens the
 * key that the database holds. A setting is changed by the operator.
 */
export async function requireSavedKey(config: Where, key: SecretKey): Promise<void> {
  const fault = config.secretsKey === null ? await saveKey(config, key) : null
  if (fault !== null) throw unusable(`${fault} Until then the previous key is not forgotten.`)
}

/** Returns null if the file can be replaced, otherwise the error code; `key` is what it holds. */
export const replaceKeyFile = (config: Where, key: SecretKey): Promise<string | null> =>
  replaceFile(keyFileIn(config), key.text()).then(() => null, systemCode)

const isInFile = async (config: Where, key: SecretKey): Promise<boolean> => {
  const text = await readFile(keyFileIn(config), 'utf8').catch(() => '')
  return keyOf(text)?.equals(Buffer.from(key.text(), 'base64')) ?? false
}

const keyOfSetting = (secretsKey: string): SecretKey => secretsOf(Buffer.from(secretsKey, 'base64'))

async function openKey({ config, db, clock, newKey, warn }: KeyOptions): Promise<SecretKey> {
  const held = await openHeldKey(config, warn)
  const rows = await keyRows(db)
  const known = rows.find(({ name }) => name === CURRENT)
  if (held && known && fits(held, known)) return held
  // The held key is the previous one; the rotation left the current key sealed with it.
  if (held && known && keysOf(rows, [held]).has(known.keyId)) return held
  if (held && !known) return claim(config, db, clock, held)
  if (!held && !known && !(await isUsed(db))) return claim(config, db, clock, await makeSecrets(config))
  if (!newKey) throw await refusal(config, db, held, known)
  const next = held ?? (await makeSecrets(config))
  const lost = await replaceKey(db, clock, next)
  warn(`From now on the key for secrets is ${next.keyId}. Lost with the old key: ${lost}.`)
  return next
}

export const keyFileIn = ({ dataDir }: Where) => path.resolve(dataDir, 'secrets.key')

type KnownKey = { keyId: string; checkValue: string }

export const fits = (held: SecretKey, known: KnownKey) => held.checkValue === known.checkValue

/** The secrets of the configured key, or of the key file; null if there is neither. */
async function openHeldKey(config: Where, warn: (line: string) => void): Promise<SecretKey | null> {
  if (config.secretsKey !== null) return keyOfSetting(config.secretsKey)
  const key = await readKeyFile(keyFileIn(config), warn)
  return key && secretsOf(key)
}

/**
 * The key in a file that only its owner can read; null if there is no file. Throws a StartError if the file is
 * unusable: another key cannot open the sealed texts.
 */
export async function readKeyFile(file: string, warn: (line: string) => void): Promise<Buffer | null> {
  const text = await nullOnCodes(readFile(file, 'utf8'), 'ENOENT', 'ENOTDIR').catch((error: unknown) => {
    throw unusable(`${file} cannot be read (${systemCode(error)}): run Kasir as the user that owns it.`)
  })
  if (text === null) return null
  const key = keyOf(text)
  if (key === null) {
    throw unusable(
      `${file} is damaged: restore it from a backup. Without one remove it and start once with "kasir serve --new-key", which lists the losses.`,
    )
  }
  await closeToOthers(file, warn)
  return key
}

/** A read-only mount is accepted: its mode is then the responsibility of the operator who mounts it. */
async function closeToOthers(file: string, warn: (line: string) => void) {
  const { mode } = await stat(file)
  if (process.platform === 'win32' || (mode & 0o077) === 0) return
  await chmod(file, 0o600).catch((error: unknown) => {
    const bits = (mode & 0o777).toString(8)
    warn(
      `${file} is open to others (mode ${bits}) and cannot be closed (${systemCode(error)}): mount it 400.`,
    )
  })
}

const makeSecrets = async (config: Where): Promise<SecretKey> =>
  secretsOf(await makeKeyFile(keyFileIn(config)))

/**
 * Creates the complete file atomically. If several processes start together, one creates it and the others read it.
 */
export async function makeKeyFile(file: string): Promise<Buffer> {
  const folder = path.dirname(file)
  const draft = `${file}.${randomToken()}`
  try {
    await makeDirectory(folder)
    const text = randomBytes(KEY_BYTES).toString('base64')
    await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true })
    await giveToOwner(draft)
    await nullOnCodes(link(draft, file), 'EEXIST')
    // The database is about to store the id of this key, so the file must survive a power cut.
    await syncDirectory(folder)
  } catch (error) {
    throw unusable(
      `No key for secrets can be made in ${folder} (${systemCode(error)}): make it writable for the first start, or set SECRETS_KEY.`,
    )
  } finally {
    await rm(draft, { force: true }).catch(() => {})
  }
  const key = keyOf(await readFile(file, 'utf8'))
  if (key === null) throw unusable(`${file} is damaged: it was made a moment ago and holds no key.`)
  return key
}

const unusable = (message: string) => new StartError('SECRETS_KEY_UNUSABLE', message)

const findAnnouncedKey = async (db: Db): Promise<SecretsKeyRow | undefined> =>
  (await keyRows(db)).find(({ name }) => name === CURRENT)

/** A database with a workspace may hold texts that only its key opens, even from before the database knew its key. */
const isUsed = async (db: Db) =>
  (await db.selectFrom('accounts').select('accountId').limit(1).executeTakeFirst()) !== undefined

/** If two processes bring different keys to a new database, the second is refused. */
async function claim(config: Where, db: WriteDb, clock: Clock, held: SecretKey): Promise<SecretKey> {
  const now = clock.now()
  const { keyId, checkValue } = held
  await db
    .insertInto('secretsKeys')
    .values({ name: 'current', keyId, checkValue, createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const known = await findAnnouncedKey(db)
  if (known && fits(held, known)) return held
  throw await refusal(config, db, held, known)
}

async function refusal(config: Where, db: Db, held: SecretKey | null, known: KnownKey | undefined) {
  const file = keyFileIn(config)
  const used = known
    ? `this database is used with the key ${known.keyId}`
    : 'this database has been used with one'
  const elsewhere = 'a backup or the DATA_DIR of another process of this installation'
  const remedy =
    config.secretsKey !== null
      ? `SECRETS_KEY is the key ${held?.keyId}, but ${used}: set it to what the other processes of this installation have, or unset it and copy their secrets.key to ${file}.`
      : held
        ? `${file} is the key ${held.keyId}, but ${used}: copy secrets.key over it from ${elsewhere}, or set SECRETS_KEY.`
        : `${file} is missing, but ${used}: copy it there from ${elsewhere}, or set SECRETS_KEY.`
  return unusable(
    `${remedy} If the old key is gone for good, start once with "kasir serve --new-key". That loses ${await losses(db, held)}; sales, sign-ins and API keys stay.`,
  )
}

/** Texts that the held key does not open, by their key id. */
const foreign = (column: string, held: SecretKey | null) =>
  sql<boolean>`${sql.ref(column)} like 'sealed.%' and ${sql.ref(column)} not like ${`sealed.v2.${held?.keyId ?? ''}.%`}`

/** A description with counts of the texts that only the other key opens. */
async function losses(db: Db, held: SecretKey | null): Promise<string> {
  const counts: string[] = []
  for (const { table, column, what } of SEALED) {
    const { count } = await db
      .selectFrom(table as 'mails')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(foreign(column, held))
      .executeTakeFirstOrThrow()
    if (count > 0) counts.push(`${what} (${count})`)
  }
  return counts.length === 0 ? 'nothing that is currently stored' : counts.join(' and ')
}

/**
 * Replaces the known key with the next one, and removes the mails that no remaining key opens. Returns a description
 * of the loss.
 */
const replaceKey = (db: WriteDb, clock: Clock, next: SecretKey): Promise<string> =>
  inTx(db, async (tx: Tx) => {
    const lost = await losses(tx, next)
    const now = clock.now()
    const { keyId, checkValue } = next
    await tx
      .insertInto('secretsKeys')
      .values({ name: 'current', keyId, checkValue, createdAt: now, updatedAt: now })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ keyId, checkValue, updatedAt: now }))
      .execute()
    // An unfinished rotation is discarded together with the key it began from.
    await tx.deleteFrom('secretsKeys').where('name', '!=', CURRENT).execute()
    await tx.deleteFrom('mails').where(foreign('body', next)).execute()
    return lost
  })
