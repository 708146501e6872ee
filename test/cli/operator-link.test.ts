import { createReadStream } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readArchive } from '../../src/platform/backup/read.ts'
import { kasir } from '../support/kasir.ts'
import { operator, operatorCookieOf } from '../support/operator.ts'
import { as, deps, useService } from '../support/service.ts'

useService()

const SLOW = 60_000
const run = (...args: string[]) =>
  kasir(['operator-link', ...args], {
    DATA_DIR: deps().config.dataDir,
    DATABASE_URL: deps().pool.options.connectionString ?? '',
    PUBLIC_URL: 'https://kasir.example.com',
    TRUST_PROXY: '1',
  })
const exchange = (token: string | undefined) => as(null).post('/operator/session', { token })
const overview = (cookie = '') => as(null).get('/operator/overview', { headers: { cookie } })

test(
  'kasir operator-link prints an address that opens the operator page once, and --revoke ends what it opened',
  async () => {
    const printed = await run()
    expect(printed).toMatchObject({ code: 0, err: '' })
    const [address = '', ...notes] = printed.out.trim().split('\n')
    expect(address).toMatch(/^https:\/\/kasir\.example\.com\/operator#[\w-]{43}$/)
    expect(notes).toEqual([
      'Open it within 15 minutes, in one browser. Do not share it: it shows all workspaces.',
    ])
    const token = address.split('#')[1]
    const cookie = operatorCookieOf(await exchange(token))
    expect((await overview(cookie)).status).toBe(200)
    expect((await exchange(token)).status).toBe(422)

    const unused = (await run()).out.split('\n')[0]?.split('#')[1]
    expect(await run('--revoke')).toEqual({
      code: 0,
      out: 'Ended 1 operator session and revoked 1 unused link.\n',
      err: '',
    })
    expect((await overview(cookie)).status).toBe(401)
    expect((await exchange(unused)).status).toBe(422)
    expect(await run('--revoke')).toEqual({
      code: 0,
      out: 'Ended 0 operator sessions and revoked 0 unused links.\n',
      err: '',
    })
  },
  SLOW,
)

test(
  'kasir operator-link without a running service, or with words it does not know, makes no link and says why',
  async () => {
    const alone = await kasir(['operator-link'], { DATA_DIR: `${deps().config.dataDir}/none` })
    expect([alone.code, alone.out]).toEqual([2, ''])
    expect(alone.err).toContain('start it with kasir serve')
    expect((await run('--revoek')).code).toBe(2)
    expect(await deps().db.selectFrom('operatorTokens').selectAll().execute()).toEqual([])
  },
  SLOW,
)

test(
  'kasir backup is listed on the operator page, and holds no link or session of an operator',
  async () => {
    const { api } = await operator()
    const file = path.join(deps().config.dataDir, 'books.tar.gz')
    const saved = await kasir(['backup', file], {
      DATA_DIR: deps().config.dataDir,
      DATABASE_URL: deps().pool.options.connectionString ?? '',
    })
    expect([saved.code, saved.err]).toEqual([0, ''])
    const { data } = await api.get('/operator/overview')
    expect(data.backups).toMatchObject([{ file: 'books.tar.gz', isSound: true, verifiedAt: null }])
    const { manifest } = await readArchive(createReadStream(file))
    const rows = Object.fromEntries(manifest.tables.map((one) => [one.table, one.rows]))
    expect([rows['operator_tokens'], rows['backups'], rows['accounts']]).toEqual([0, 0, 2])
  },
  SLOW,
)
