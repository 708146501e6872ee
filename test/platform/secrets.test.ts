import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { StartError } from '../../src/platform/db/embedded/fault.ts'
import { isSealed, loadSecretsKey, randomToken, secretsOf, sha256 } from '../../src/platform/secrets.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kasir-secrets-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const secrets = secretsOf(randomBytes(32))

test('what is sealed opens again in its place, and nowhere else', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
      const sealed = secrets.seal(text, context)
      expect(isSealed(sealed)).toBe(true)
      expect(secrets.open(sealed, context)).toBe(text)
      expect(() => secrets.open(sealed, `${context}x`)).toThrow()
    }),
  )
})

test('the same text is sealed differently each time, and shows nothing of itself', () => {
  const [one, two] = [secrets.seal('kasir_sk_secret', 'a'), secrets.seal('kasir_sk_secret', 'a')]
  expect(one).not.toBe(two)
  expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain('secret')
})

test('a changed byte or another key opens nothing', () => {
  const sealed = secrets.seal('text', 'a')
  const bytes = Buffer.from(sealed.slice('sealed.v1.'.length), 'base64url')
  for (const index of [0, 12, 28, bytes.length - 1]) {
    const altered = Buffer.from(bytes)
    altered[index] = (altered[index] ?? 0) ^ 1
    expect(() => secrets.open(`sealed.v1.${altered.toString('base64url')}`, 'a')).toThrow()
  }
  expect(() => secretsOf(randomBytes(32)).open(sealed, 'a')).toThrow()
  expect(() => secrets.open('sealed.v1.', 'a')).toThrow()
})

test('the key is made once, readable by its owner only, and read by ten starts at once', async () => {
  // One round seldom meets the moment between the creation of a file and its first byte.
  for (let round = 0; round < 50; round++) {
    const dataDir = path.join(directory, `fresh-${round}`)
    const keys = await Promise.all(Array.from({ length: 10 }, () => loadSecretsKey(null, dataDir)))
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
    expect(keys[0]).toHaveLength(32)
    const file = path.join(dataDir, 'secrets.key')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(Buffer.from(await readFile(file, 'utf8'), 'base64')).toEqual(keys[0])
    expect(await readdir(dataDir)).toEqual(['secrets.key'])
  }
})

test.each([
  ['empty', ''],
  ['cut short', randomBytes(31).toString('base64')],
  ['no base64', '%%%'],
  ['too long', randomBytes(33).toString('base64')],
])('a key file that is %s refuses the start in one line and is left as it is', async (kind, text) => {
  const dataDir = path.join(directory, kind)
  const file = path.join(dataDir, 'secrets.key')
  await mkdir(dataDir)
  await writeFile(file, text)
  const refused = await loadSecretsKey(null, dataDir).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(StartError)
  expect(refused).toMatchObject({
    code: 'SECRETS_KEY_UNUSABLE',
    message: `${file} is damaged: restore it from a backup. Without one remove it: a new key is made, stored secrets are lost.`,
  })
  expect(await readFile(file, 'utf8')).toBe(text)
})

test('a key file that cannot be read refuses the start in one line', async () => {
  const dataDir = path.join(directory, 'unreadable')
  await mkdir(path.join(dataDir, 'secrets.key'), { recursive: true })
  await expect(loadSecretsKey(null, dataDir)).rejects.toThrow(
    /secrets\.key cannot be read \(EISDIR\): run Kasir as/,
  )
})

test('a key that was set wins over the one on disk', async () => {
  const set = randomBytes(32)
  expect(await loadSecretsKey(set.toString('base64'), directory)).toEqual(set)
})

test('tokens are 256 bits of text that needs no escaping, and only their hash is kept', () => {
  expect(randomToken()).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(sha256('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0')
})
