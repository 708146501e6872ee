import { expect, test } from 'vitest'
import { rollWorkspace } from '../../src/areas/insight/reports/roll.ts'
import { makeSale, openShop } from '../support/build.ts'
import { kasir } from '../support/kasir.ts'
import { acme, deps, globex, useService } from '../support/service.ts'

useService()

const SLOW = 120_000
const rebuild = () =>
  kasir(['rebuild-rollups'], {
    DATA_DIR: deps().config.dataDir,
    DATABASE_URL: deps().pool.options.connectionString ?? '',
    ALLOW_UNSAFE_DATABASE: '1',
  })

test(
  'kasir rebuild-rollups says which figures differed and by how much, makes them anew, and then finds nothing',
  async () => {
    const { outletId, latte } = await openShop(acme())
    await makeSale(acme(), { outletId, items: [{ variantId: latte, quantity: 2 }] })
    const { accountId } = acme().workspace
    await rollWorkspace(deps(), { accountId, now: deps().clock.now() })
    const sound = await rebuild()
    expect([sound.code, sound.err, sound.out]).toEqual([
      0,
      '',
      'The report figures of 1 outlets match their sales.\n',
    ])
    const { rowCount } = await deps().pool.query(
      'update report_goods set revenue = revenue + 7 where account_id = $1',
      [accountId],
    )
    expect(rowCount).toBe(1)
    const mended = await rebuild()
    expect([mended.code, mended.err]).toEqual([0, ''])
    expect(mended.out.split('\n')).toEqual([
      expect.stringMatching(
        new RegExp(`^${outletId}  \\d{4}-\\d\\d-\\d\\d prd_\\w+  too high by \\{"revenue":7\\}$`),
      ),
      '1 figures of 1 outlets differed from their sales and were rebuilt.',
      '',
    ])
    expect((await rebuild()).out).toBe('The report figures of 1 outlets match their sales.\n')
  },
  SLOW,
)

test(
  'kasir rebuild-rollups names a workspace that it cannot compare, and mends the figures of the others',
  async () => {
    const { pool } = deps()
    const [broken, sound] = [acme().workspace.accountId, globex().workspace.accountId]
    const { outletId, latte } = await openShop(globex())
    await makeSale(globex(), { outletId, items: [{ variantId: latte, quantity: 2 }] })
    await rollWorkspace(deps(), { accountId: sound, now: deps().clock.now() })
    await pool.query('update report_goods set revenue = revenue + 7 where account_id = $1', [sound])
    const shop = await openShop(acme())
    await makeSale(acme(), { outletId: shop.outletId, items: [{ variantId: shop.latte, quantity: 1 }] })
    await pool.query(`update outlets set timezone = 'Canada/East-Saskatchewan' where account_id = $1`, [
      broken,
    ])
    const { code, out, err } = await rebuild()
    await pool.query(`update outlets set timezone = 'Asia/Jakarta' where account_id = $1`, [broken])
    expect([code, out, err]).toEqual([
      1,
      expect.stringContaining('1 figures of 1 outlets differed from their sales and were rebuilt.\n'),
      `The report figures of the workspace ${broken} could not be compared: time zone "Canada/East-Saskatchewan" not recognized\n`,
    ])
    expect((await rebuild()).code).toBe(0)
  },
  SLOW,
)
