import { chmod, chown, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stageFiles } from '../../src/platform/backup/staged-files.ts'
import { makeKeyFile } from '../../src/platform/secrets/key-file.ts'
import { kasir } from '../support/kasir.ts'

const SERVICE = 1234

/** The owner of each file and folder below `folder`, by its path. */
async function ownersIn(folder: string): Promise<Record<string, number>> {
  const names = (await readdir(folder, { recursive: true })).sort()
  const owners = names.map(async (name) => [name, (await stat(path.join(folder, name))).uid] as const)
  return Object.fromEntries(await Promise.all(owners))
}

describe.skipIf(process.getuid?.() !== 0)('under root, in the directory of another user,', () => {
  let home = ''
  beforeAll(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'kasir-owner-'))
    await chown(home, SERVICE, SERVICE)
  })
  afterAll(() => rm(home, { recursive: true, force: true }))
  const dataDir = (name: string) => path.join(home, name, 'data')

  test('files that a restore puts into place, and their folders, belong to that user', async () => {
    const root = dataDir('restored')
    const staged = await stageFiles(root)
    await staged.add('uploads/acc_1/logo.png', Buffer.from('image'))
    expect(Object.values(await ownersIn(root))).toEqual([SERVICE, SERVICE, SERVICE, SERVICE])
    await staged.publish()
    expect(await ownersIn(home)).toEqual({
      restored: SERVICE,
      'restored/data': SERVICE,
      'restored/data/uploads': SERVICE,
      'restored/data/uploads/acc_1': SERVICE,
      'restored/data/uploads/acc_1/logo.png': SERVICE,
    })
  })

  test('a new key for secrets belongs to that user', async () => {
    await makeKeyFile(path.join(dataDir('keys'), 'secrets.key'))
    expect(await ownersIn(dataDir('keys'))).toEqual({ 'secrets.key': SERVICE })
  })

  test('the certificate of kasir tls and its keys belong to that user', async () => {
    const { code } = await kasir(['tls', 'kasir.lan'], { DATA_DIR: dataDir('tls') })
    expect(code).toBe(0)
    expect(await ownersIn(dataDir('tls'))).toEqual({
      tls: SERVICE,
      'tls/authority.crt': SERVICE,
      'tls/authority.key': SERVICE,
      'tls/service.crt': SERVICE,
      'tls/service.key': SERVICE,
    })
  })

  test('a renewed certificate keeps the owner, the group and the mode of the files it replaces', async () => {
    const folder = dataDir('renewed')
    const run = async () => (await kasir(['tls', 'kasir.lan'], { DATA_DIR: folder })).code
    expect(await run()).toBe(0)
    const key = path.join(folder, 'tls', 'service.key')
    await chown(key, 0, SERVICE)
    await chmod(key, 0o640)
    const before = await stat(key)
    expect(await run()).toBe(0)
    const after = await stat(key)
    expect(after.ino).not.toBe(before.ino)
    expect([after.uid, after.gid, after.mode & 0o777]).toEqual([0, SERVICE, 0o640])
  })
})
