import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { makeLog } from '../../src/platform/log/log.ts'
import { refusalOf } from '../support/expect.ts'
import { kasir } from '../support/kasir.ts'
import { acme, deps, useService } from '../support/service.ts'

useService({ synthetic: true })

test('a check violation in mid-request shows neither the log nor the caller what the row held', async () => {
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  await deps().pool.query(
    `alter table outlets add constraint planted check (phone <> '0812-planted') not valid`,
  )
  const app = await createApp({ ...deps(), log: makeLog('trace', sink) })
  try {
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const answer = await acme().raw(
      'POST',
      `${address}/api/v1/outlets`,
      JSON.stringify({ name: 'Kemang', phone: '0812-planted' }),
      { 'content-type': 'application/json', 'idempotency-key': 'refused-by-the-database' },
    )
    expect(refusalOf(answer)).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' })
    expect(answer.text).not.toMatch(/0812|constraint|planted/)
    const failures = lines.filter((line) => JSON.parse(line).level >= 50)
    expect(failures).toHaveLength(1)
    expect(JSON.parse(failures[0] ?? '')).toMatchObject({ level: 50, err: { code: '23514', type: 'error' } })
    expect(lines.join()).not.toContain('0812')
  } finally {
    await app.close()
    await deps().pool.query('alter table outlets drop constraint planted')
  }
})

test('a command that the database refuses in mid-work shows no row of it', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'kasir-refused-'))
  await deps().pool.query(
    `alter table products add constraint planted check (name <> 'Kopi Budi 0812') not valid`,
  )
  try {
    const file = path.join(home, 'goods.csv')
    await writeFile(file, 'product,price\nKopi Budi 0812,18000\n')
    const { code, out, err } = await kasir(['import-catalogue', file, '--api-key', acme().workspace.key], {
      DATABASE_URL: deps().pool.options.connectionString ?? '',
      DATA_DIR: deps().config.dataDir,
      ALLOW_UNSAFE_DATABASE: '1',
    })
    expect([code, err]).toEqual([1, expect.stringContaining('(23514)')])
    expect(out + err).not.toContain('Budi')
  } finally {
    await deps().pool.query('alter table products drop constraint planted')
    await rm(home, { recursive: true, force: true })
  }
})
