import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { UsageError } from '../../src/cli/command.ts'
import { rotate } from '../../src/cli/rotate-secrets.ts'
import { StartError } from '../../src/core/fault.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { type OpenDb, openDb } from '../../src/platform/db/open.ts'
import type { Deps } from '../../src/platform/deps.ts'
import { keyOfDatabase } from '../../src/platform/doctor/server.ts'
import { makeKeyFile, openSecrets, readKeyFile } from '../../src/platform/secrets/key-file.ts'
import { adoptKey, announceKey, finishRotation, retireKey } from '../../src/platform/secrets/rotation.ts'
import { secretsOf } from '../../src/platform/secrets/secrets.ts'
import { cloneDatabase, type TestDatabase } from '../support/db.ts'

let directory: string
let database: TestDatabase
let opened: OpenDb
let warnings: string[] = []
const warn = (line: string) => warnings.push(line)
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kasir-secrets-'))
  database = await cloneDatabase()
  opened = openDb({ url: database.url, poolSize: 4 })
})
afterAll(async () => {
  await opened.close()
  await database.drop()
  await rm(directory, { recursive: true, force: true })
})
beforeEach(async () => {
  warnings = []
  for (const table of ['secrets_keys', 'mails', 'idempotency_keys', 'accounts'])
    await opened.pool.query(`delete from ${table}`)
})

let rooms = 0
const room = async () => {
  const dataDir = path.join(directory, `room-${(rooms += 1)}`)
  await mkdir(dataDir)
  return dataDir
}
type Asked = { dataDir: string; secretsKey?: Buffer; newKey?: boolean }
const openWith = ({ dataDir, secretsKey, newKey = false }: Asked) =>
  openSecrets({
    config: { dataDir, secretsKey: secretsKey?.toString('base64') ?? null },
    db: opened.db,
    clock: systemClock,
    newKey,
    warn,
  })
const messageOf = (refused: Promise<unknown>) =>
  refused.then(
    () => 'it was not refused',
    (error: unknown) => {
      expect(error).toBeInstanceOf(StartError)
      expect((error as StartError).code).toBe('SECRETS_KEY_UNUSABLE')
      return (error as StartError).message
    },
  )
const use = () => opened.pool.query(`insert into accounts (account_id, name) values ('acc_A', 'Warung Sari')`)
const storeMail = (body: string) =>
  opened.pool.query(
    `insert into mails (account_id, id, body, due_at, created_at) values ('acc_A', 'mal_1', $1, now(), now())`,
    [body],
  )
const storeReply = (body: string) =>
  opened.pool.query(`insert into idempotency_keys values ('acc_A', 'till-1-0001', 'f', 201, $1, now())`, [
    body,
  ])
const one = randomBytes(32)
const two = randomBytes(32)
const MAIL = { table: 'mails', column: 'body', accountId: 'acc_A', row: 'mal_1' } as const
const REPLY = { table: 'idempotency_keys', column: 'body', accountId: 'acc_A', row: 'till-1-0001' } as const

describe('the file', () => {
  test('is made once, readable by its owner only, and read by ten starts at once', async () => {
    // One round seldom meets the moment between the creation of a file and its first byte.
    for (let round = 0; round < 50; round++) {
      const dataDir = path.join(directory, `fresh-${round}`)
      const file = path.join(dataDir, 'secrets.key')
      const keys = await Promise.all(Array.from({ length: 10 }, () => makeKeyFile(file)))
      expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
      expect(keys[0]).toHaveLength(32)
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      expect(await readKeyFile(file, warn)).toEqual(keys[0])
      expect(await readdir(dataDir)).toEqual(['secrets.key'])
    }
  })

  test.each([
    ['empty', ''],
    ['cut short', randomBytes(31).toString('base64')],
    ['no base64', '%%%'],
    ['too long', randomBytes(33).toString('base64')],
  ])('that is %s refuses the start in one line and is left as it is', async (_, text) => {
    const dataDir = await room()
    const file = path.join(dataDir, 'secrets.key')
    await writeFile(file, text)
    expect(await messageOf(openWith({ dataDir }))).toBe(
      `${file} is damaged: restore it from a backup. Without one remove it and start once with "kasir serve --new-key", which lists the losses.`,
    )
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  test('that cannot be read refuses the start in one line', async () => {
    const dataDir = await room()
    await mkdir(path.join(dataDir, 'secrets.key'))
    expect(await messageOf(openWith({ dataDir }))).toMatch(
      /secrets\.key cannot be read \(EISDIR\): run Kasir as the user that owns it\.$/,
    )
  })

  test('that others can read is closed to them', async () => {
    const dataDir = await room()
    const file = path.join(dataDir, 'secrets.key')
    await writeFile(file, one.toString('base64'), { mode: 0o644 })
    await openWith({ dataDir })
    expect([(await stat(file)).mode & 0o777, warnings]).toEqual([0o600, []])
  })
})

describe.runIf(canMount())('on a read-only mount', () => {
  const mounted = async (work: (dataDir: string) => Promise<void>) => {
    const dataDir = await room()
    execFileSync('mount', ['-t', 'tmpfs', 'none', dataDir])
    try {
      await work(dataDir)
    } finally {
      execFileSync('umount', [dataDir])
    }
  }
  const freeze = (dataDir: string) => execFileSync('mount', ['-o', 'remount,ro', dataDir])

  test('a key is used as it is, and a warning says when others can read it', async () => {
    await mounted(async (dataDir) => {
      const file = path.join(dataDir, 'secrets.key')
      await writeFile(file, one.toString('base64'), { mode: 0o400 })
      freeze(dataDir)
      expect([(await openWith({ dataDir })).keyId, warnings]).toEqual([secretsOf(one).keyId, []])
      execFileSync('mount', ['-o', 'remount,rw', dataDir])
      await chmod(file, 0o444)
      freeze(dataDir)
      expect((await openWith({ dataDir })).keyId).toBe(secretsOf(one).keyId)
      expect(warnings).toEqual([
        `${file} is open to others (mode 444) and cannot be closed (EROFS): mount it 400.`,
      ])
    })
  })

  test('a key that would have to be made is one sentence', async () => {
    await mounted(async (dataDir) => {
      freeze(dataDir)
      expect(await messageOf(openWith({ dataDir }))).toBe(
        `No key for secrets can be made in ${dataDir} (EROFS): make it writable for the first start, or set SECRETS_KEY.`,
      )
    })
  })

  const withFile = (work: (file: string, tools: Deps) => Promise<void>) =>
    mounted(async (dataDir) => {
      const file = path.join(dataDir, 'secrets.key')
      await writeFile(file, one.toString('base64'), { mode: 0o400 })
      const secrets = await openWith({ dataDir })
      const config = { dataDir, secretsKey: null }
      await work(file, { config, db: opened.db, clock: systemClock, secrets } as Deps)
    })
  const keyNames = async () =>
    (await opened.db.selectFrom('secretsKeys').select('name').orderBy('name').execute()).map(
      ({ name }) => name,
    )
  const rotateBy = (tools: Deps, given: Buffer | null, forget: boolean, said: string[] = []) =>
    rotate(tools, given && secretsOf(given), { forget, waitMs: 0, say: (line) => said.push(line) })

  test('a rotation whose new key no file can keep is refused before it begins', async () => {
    await withFile(async (file, tools) => {
      freeze(path.dirname(file))
      const refused = await rotateBy(tools, null, true).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(UsageError)
      expect((refused as Error).message).toContain(`${file} cannot be replaced (EROFS)`)
      expect([await keyNames(), tools.secrets.keyId]).toEqual([['current'], secretsOf(one).keyId])
    })
  })

  test('a given key keeps the old one until the operator has put it into the file', async () => {
    await withFile(async (file, tools) => {
      freeze(path.dirname(file))
      const said: string[] = []
      await rotateBy(tools, two, false, said)
      expect(said.join('\n')).toContain(`put the key ${secretsOf(two).keyId} there`)
      await expect(rotateBy(tools, null, true)).rejects.toThrow('is not forgotten')
      expect(await keyNames()).toEqual(['current', 'next', 'previous'])
      execFileSync('mount', ['-o', 'remount,rw', path.dirname(file)])
      await chmod(file, 0o600)
      await writeFile(file, two.toString('base64'))
      freeze(path.dirname(file))
      await rotateBy(tools, null, true)
      expect(await keyNames()).toEqual(
        ['current', 'signed', 'signed'].map((name) => expect.stringContaining(name)),
      )
    })
  })

  test('the job removes no key before the file holds the next one, and writes the file as soon as it can', async () => {
    await withFile(async (file, tools) => {
      const rotation = await announceKey(tools, tools.secrets.current(), null)
      freeze(path.dirname(file))
      await adoptKey(tools, rotation)
      await tools.secrets.refresh()
      await retireKey(tools, rotation)
      const client = await opened.pool.connect()
      const finding = await keyOfDatabase(client, one).finally(() => client.release())
      expect([finding.state, finding.found]).toEqual([
        'warn',
        expect.stringContaining('only the previous key is here'),
      ])
      const later = { ...systemClock, now: () => new Date(Date.now() + 3_700_000).toISOString() }
      await expect(finishRotation({ ...tools, clock: later })).rejects.toThrow(
        `${file} cannot be replaced (EROFS)`,
      )
      expect(await keyNames()).toEqual(['current', 'next', 'previous'])
      execFileSync('mount', ['-o', 'remount,rw', path.dirname(file)])
      await finishRotation({ ...tools, clock: later })
      expect(await readFile(file, 'utf8')).toBe(rotation.to.text())
      expect(await keyNames()).not.toContain('previous')
    })
  })
})

function canMount(): boolean {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return false
  try {
    execFileSync('unshare', ['-m', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('one installation has one key', () => {
  test('the first start binds the database to its key, later ones find it', async () => {
    const dataDir = await room()
    const { keyId } = await openWith({ dataDir })
    await use()
    expect((await openWith({ dataDir })).keyId).toBe(keyId)
    const { rows } = await opened.pool.query('select name, key_id from secrets_keys')
    expect(rows).toEqual([{ name: 'current', key_id: keyId }])
  })

  test('a database from before it knew its key takes the one at hand', async () => {
    await use()
    const dataDir = await room()
    expect((await openWith({ dataDir, secretsKey: one })).keyId).toBe(secretsOf(one).keyId)
    expect(await messageOf(openWith({ dataDir, secretsKey: two }))).toContain('SECRETS_KEY is the key')
  })

  test('of two processes that meet on a new database with different keys one is refused', async () => {
    const dataDirs = await Promise.all([room(), room()])
    const starts = await Promise.allSettled(dataDirs.map((dataDir) => openWith({ dataDir })))
    expect(starts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('another SECRETS_KEY is refused with a word on where the right one is', async () => {
    const dataDir = await room()
    await openWith({ dataDir, secretsKey: one })
    expect(await messageOf(openWith({ dataDir, secretsKey: two }))).toBe(
      `SECRETS_KEY is the key ${secretsOf(two).keyId}, but this database is used with the key ${secretsOf(one).keyId}: set it to what the other processes of this installation have, or unset it and copy their secrets.key to ${dataDir}/secrets.key. If the old key is gone for good, start once with "kasir serve --new-key". That loses nothing that is currently stored; sales, sign-ins and API keys stay.`,
    )
  })

  test('another secrets.key is refused with the file to copy', async () => {
    const [here, there] = [await room(), await room()]
    const { keyId } = await openWith({ dataDir: here })
    await writeFile(path.join(there, 'secrets.key'), two.toString('base64'))
    const message = await messageOf(openWith({ dataDir: there }))
    expect(message).toContain(
      `${there}/secrets.key is the key ${secretsOf(two).keyId}, but this database is used with the key ${keyId}: copy secrets.key over it from a backup or the DATA_DIR of another process of this installation, or set SECRETS_KEY.`,
    )
  })

  test('a missing secrets.key beside a used database is refused, says what would be lost, and is not made', async () => {
    const [here, there] = [await room(), await room()]
    const { keyId, seal } = await openWith({ dataDir: here })
    await use()
    await storeMail(seal('{}', MAIL))
    await storeReply(seal('{}', REPLY))
    expect(await messageOf(openWith({ dataDir: there }))).toBe(
      `${there}/secrets.key is missing, but this database is used with the key ${keyId}: copy it there from a backup or the DATA_DIR of another process of this installation, or set SECRETS_KEY. If the old key is gone for good, start once with "kasir serve --new-key". That loses mails waiting to be sent (1) and stored replies that show a new API key (1); sales, sign-ins and API keys stay.`,
    )
    expect(await readdir(there)).toEqual([])
  })

  test('a missing secrets.key beside a database from before it knew its key is refused as well', async () => {
    await use()
    await storeReply('sealed.v1.AAAA')
    expect(await messageOf(openWith({ dataDir: await room() }))).toMatch(
      /is missing, but this database has been used with one: .* loses stored replies that show a new API key \(1\);/,
    )
  })
})

describe('--new-key', () => {
  test('goes on with a key of its own, says what is lost and removes the mails nobody can open', async () => {
    const [here, there] = [await room(), await room()]
    const old = await openWith({ dataDir: here })
    await use()
    await storeMail(old.seal('{}', MAIL))
    const { keyId } = await openWith({ dataDir: there, newKey: true })
    expect(warnings).toEqual([
      `From now on the key for secrets is ${keyId}. Lost with the old key: mails waiting to be sent (1).`,
    ])
    expect((await opened.pool.query('select 1 from mails')).rowCount).toBe(0)
    expect((await openWith({ dataDir: there })).keyId).toBe(keyId)
    expect(await messageOf(openWith({ dataDir: here }))).toContain(`used with the key ${keyId}`)
  })

  test('loses nothing when it is left on and the key fits', async () => {
    const dataDir = await room()
    const { keyId, seal } = await openWith({ dataDir })
    await use()
    await storeMail(seal('{}', MAIL))
    expect((await openWith({ dataDir, newKey: true })).keyId).toBe(keyId)
    expect([warnings, (await opened.pool.query('select 1 from mails')).rowCount]).toEqual([[], 1])
  })

  test('takes SECRETS_KEY where it is set', async () => {
    const dataDir = await room()
    await openWith({ dataDir, secretsKey: one })
    expect((await openWith({ dataDir, secretsKey: two, newKey: true })).keyId).toBe(secretsOf(two).keyId)
  })
})
