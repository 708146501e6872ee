import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { freshDataDir, kasir } from '../support/kasir.ts'
import { openSmallDisk } from '../support/small-disk.ts'

const probe = await openSmallDisk(8)
await probe?.close()

test.skipIf(probe === null)(
  'a backup never takes the last 500 MiB of the disk of the embedded database',
  async () => {
    const disk = await openSmallDisk(480)
    if (disk === null) throw new Error('the disk could not be mounted')
    const elsewhere = await freshDataDir()
    try {
      const env = { DATA_DIR: path.join(disk.folder, 'data') }
      expect((await kasir(['migrate'], env)).code).toBe(0)
      const refused = await kasir(['backup', path.join(disk.folder, 'books.tar.gz')], env)
      expect([refused.code, refused.err]).toEqual([
        1,
        expect.stringMatching(
          /No backup was written: only \d+ MiB are free in .*, and the database on the same disk needs them/,
        ),
      ])
      expect((await readdir(disk.folder)).filter((name) => name.startsWith('books'))).toEqual([])
      const file = `${elsewhere.dataDir}.tar.gz`
      expect((await kasir(['backup', file], env)).code).toBe(0)
    } finally {
      await elsewhere.remove()
      await disk.close()
    }
  },
  240_000,
)
