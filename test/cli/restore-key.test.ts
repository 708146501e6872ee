import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settleKey } from '../../src/cli/restore.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { secretsOf } from '../../src/platform/secrets/secrets.ts'

let room = ''
beforeAll(async () => {
  room = await mkdtemp(path.join(tmpdir(), 'kasir-restore-key-'))
})
afterAll(() => rm(room, { recursive: true, force: true }))

const [own, other] = [7, 8].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer]
const { keyId } = secretsOf(own)
const settings = (secretsKey: Buffer | null) =>
  readConfig({
    DATA_DIR: room,
    ...(secretsKey === null ? {} : { SECRETS_KEY: secretsKey.toString('base64') }),
  })

test('a restore says which key its books need only where that key is not in place already', async () => {
  const here = [`The key ${keyId} of these books is here already.`]
  const needed = [expect.stringMatching(`^These books need the key ${keyId}: .*will not start`)]
  expect(await settleKey(settings(own), null, keyId)).toEqual(here)
  expect(await settleKey(settings(own), own.toString('base64'), keyId)).toEqual(here)
  expect(await settleKey(settings(other), null, keyId)).toEqual(needed)
  expect(await settleKey(settings(null), null, keyId)).toEqual(needed)
  await writeFile(path.join(room, 'secrets.key'), other.toString('base64'))
  expect(await settleKey(settings(null), null, keyId)).toEqual(needed)
  await writeFile(path.join(room, 'secrets.key'), own.toString('base64'))
  expect(await settleKey(settings(null), null, keyId)).toEqual(here)
})
