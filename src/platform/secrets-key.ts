import { randomBytes } from 'node:crypto'
import { chmod, link, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { orNull, StartError, systemCode } from './db/embedded/fault.ts'
import { type Db, inTx, type Tx, type WriteDb } from './db/open.ts'
import { SEALED } from './db/tables.ts'
import { makeDirectory } from './directory.ts'
import { CURRENT, createKeyring, type KeyRow, type Keyring, keyRows, keysOf } from './keyring.ts'
import { KEY_BYTES, keyOf, randomToken, type SecretKey, secretsOf } from './secrets.ts'

type Where = Pick<Config, 'secretsKey' | 'dataDir'>
type Opening = {
  config: Where
  db: WriteDb
  clock: Clock
  /** Gives up the key this database was used with, and all that only it opens. */
  newKey: boolean
  /** Called with what the operator should know although the start succeeds. */
  warn(line: string): void
}

/**
 * The secrets of this installation. The key is SECRETS_KEY, or the file under DATA_DIR that the first start makes; the
 * database knows which one it is used with, and with another the start is refused (B-secret-3).
 */
export async function openSecrets(opening: Opening): Promise<Keyring> {
  const { config, db, clock, warn } = opening
  const held = await openKey(opening)
  const ring = createKeyring(held, {
    db,
    clock,
    onCurrent: (key) => keepKey(config, key, warn),
    onLost: (keyId) =>
      warn(
        `The database is used with the key ${keyId} by now, which this process cannot know: start it again.`,
      ),
  })
  await ring.refresh()
  return ring
}

/**
 * A key took the place of the one this process was started with: the next start must find it. The file is written anew;
 * a setting is the operator's to change.
 */
async function keepKey(config: Where, key: SecretKey, warn: (line: string) => void) {
  if (config.secretsKey !== null) {
    warn(
      `SECRETS_KEY is the key before ${key.keyId}, which replaced it: set it to that one before the next start.`,
    )
    return
  }
  await replaceKeyFile(fileIn(config), key).catch((error: unknown) => {
    warn(
      `${fileIn(config)} cannot be replaced (${systemCode(error)}): put the key ${key.keyId} there before the next start.`,
    )
  })
}

/** The file holds the old key or the new one, whatever cuts this off. */
export async function replaceKeyFile(file: string, key: SecretKey) {
  const draft = `${file}.${randomToken()}`
  try {
    await writeFile(draft, key.text(), { mode: 0o600, flag: 'wx', flush: true })
    await rename(draft, file)
    await flushFolder(path.dirname(file))
  } finally {
    await rm(draft, { force: true }).catch(() => {})
  }
}

async function openKey({ config, db, clock, newKey, warn }: Opening): Promise<SecretKey> {
  const held = await heldSecrets(config, warn)
  const rows = await keyRows(db)
  const known = rows.find(({ name }) => name === CURRENT)
  if (held && known && fits(held, known)) return held
  // Held is the key before, and a rotation left the way to the one of today.
  if (held && known && keysOf(rows, [held]).has(known.keyId)) return held
  if (held && !known) return claim(config, db, clock, held)
  if (!held && !known && !(await isUsed(db))) return claim(config, db, clock, await makeSecrets(config))
  if (!newKey) throw await refusal(config, db, held, known)
  const next = held ?? (await makeSecrets(config))
  const lost = await replaceKey(db, clock, next)
  warn(`From now on the key for secrets is ${next.keyId}. Lost with the old key: ${lost}.`)
  return next
}

const fileIn = ({ dataDir }: Where) => path.resolve(dataDir, 'secrets.key')

type KnownKey = { keyId: string; checkValue: string }

export const fits = (held: SecretKey, known: KnownKey) => held.checkValue === known.checkValue

/** The secrets of the configured key, or of the key file; null when there is neither. */
async function heldSecrets(config: Where, warn: (line: string) => void): Promise<SecretKey | null> {
  if (config.secretsKey !== null) return secretsOf(Buffer.from(config.secretsKey, 'base64'))
  const key = await readKeyFile(fileIn(config), warn)
  return key && secretsOf(key)
}

/**
 * The key in a file that belongs to nobody else; null when there is no file. One that cannot be used is a StartError:
 * what was sealed with it cannot be opened with another.
 */
export async function readKeyFile(file: string, warn: (line: string) => void): Promise<Buffer | null> {
  const text = await orNull(readFile(file, 'utf8'), 'ENOENT', 'ENOTDIR').catch((error: unknown) => {
    throw unusable(`${file} cannot be read (${systemCode(error)}): run Kasir as the user that owns it.`)
  })
  if (text === null) return null
  const key = keyOf(text)
  if (key === null) {
    throw unusable(
      `${file} is damaged: restore it from a backup. Without one remove it and start once with "kasir serve --new-key", which says what is lost.`,
    )
  }
  await closeToOthers(file, warn)
  return key
}

/** A key mounted read-only is as good as any other: its mode is then up to the person who mounts it. */
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

const makeSecrets = async (config: Where): Promise<SecretKey> => secretsOf(await makeKeyFile(fileIn(config)))

/** The file appears with all it holds or not at all; of several starts one makes it, the others read what it wrote. */
export async function makeKeyFile(file: string): Promise<Buffer> {
  const folder = path.dirname(file)
  const draft = `${file}.${randomToken()}`
  try {
    await makeDirectory(folder)
    const text = randomBytes(KEY_BYTES).toString('base64')
    await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true })
    await orNull(link(draft, file), 'EEXIST')
    // The database is about to remember this key: after a power cut the file must still be there.
    await flushFolder(folder)
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

async function flushFolder(folder: string) {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const unusable = (message: string) => new StartError('SECRETS_KEY_UNUSABLE', message)

const knownKey = async (db: Db): Promise<KeyRow | undefined> =>
  (await keyRows(db)).find(({ name }) => name === CURRENT)

/** A database with a workspace may hold what only its key opens, also from before the database knew its key. */
const isUsed = async (db: Db) =>
  (await db.selectFrom('accounts').select('accountId').limit(1).executeTakeFirst()) !== undefined

/** Of two processes that come with different keys to a new database one is first, and the other is refused. */
async function claim(config: Where, db: WriteDb, clock: Clock, held: SecretKey): Promise<SecretKey> {
  const now = clock.now()
  const { keyId, checkValue } = held
  await db
    .insertInto('secretsKeys')
    .values({ name: 'current', keyId, checkValue, createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const known = await knownKey(db)
  if (known && fits(held, known)) return held
  throw await refusal(config, db, held, known)
}

async function refusal(config: Where, db: Db, held: SecretKey | null, known: KnownKey | undefined) {
  const file = fileIn(config)
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

/** Texts that the held key does not open, by what is written on them. */
const foreign = (column: string, held: SecretKey | null) =>
  sql<boolean>`${sql.ref(column)} like 'sealed.%' and ${sql.ref(column)} not like ${`sealed.v2.${held?.keyId ?? ''}.%`}`

/** What only the other key opens, counted, in words. */
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
  return counts.length === 0 ? 'nothing that is stored now' : counts.join(' and ')
}

/** Replaces the known key with the next one, and removes the mails nobody can open any more. Returns what is lost. */
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
    // A rotation that had begun goes with the key it began from.
    await tx.deleteFrom('secretsKeys').where('name', '!=', CURRENT).execute()
    await tx.deleteFrom('mails').where(foreign('body', next)).execute()
    return lost
  })
